#include "format/dump.h"

#include "model/endpoint.h"

/*
 * ROLE and CLUSTER LINKS: what a node says of itself and of whom it is
 * connected to, without slots.
 *
 *	"master" <offset> [<host> <port> <offset>]...		its replicas
 *	"slave" <host> <port> <state> <offset>			its master
 *
 *	"direction" "to" "node" <id> "create-time" <ms> "events" "rw"
 *	    "send-buffer-allocated" <n> "send-buffer-used" <n>	a link
 *
 * A ROLE is a view of two or more nodes; the replication link's state is the
 * link_state of the replica.  LINKS is a view of the nodes that the asked one
 * has opened a link to; one that peers opened says nothing of the way there.
 */

static int
is_count(struct span s)
{
	size_t	 i = s.n > 1 && s.p[0] == '-';

	for (; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return (0);
	return (s.n > 0);
}

/* Blank lines behind a raw reply are no part of it. */
static size_t
count(const struct tree *t)
{
	size_t	 n = t->n;

	while (n > 0 && tree_span(t, n - 1).n == 0)
		n--;
	return (n);
}

static int
is_replica_role(const struct tree *t)
{
	static const char *const	 states[] = { "connect", "connecting", "handshake", "sync",
		"connected", "none", "unknown" };
	struct endpoint			 ep;
	size_t				 i;

	if (count(t) != 5 || !is_count(tree_span(t, 4)) ||
	    endpoint_pair(tree_span(t, 1), tree_span(t, 2), &ep) != 0)
		return (0);
	for (i = 0; i < sizeof states / sizeof states[0]; i++)
		if (span_is(tree_span(t, 3), states[i]))
			return (1);
	return (0);
}

static int
is_master_role(const struct tree *t)
{
	struct endpoint	 ep;
	size_t		 i, n = count(t);

	if (n < 2 || (n - 2) % 3 != 0 || !is_count(tree_span(t, 1)))
		return (0);
	for (i = 2; i < n; i += 3)
		if (endpoint_pair(tree_span(t, i), tree_span(t, i + 1), &ep) != 0 ||
		    !is_count(tree_span(t, i + 2)))
			return (0);
	return (1);
}

static int
is_role(const struct tree *t)
{
	if (t->n == 0)
		return (0);
	if (span_is(tree_span(t, 0), "slave") || span_is(tree_span(t, 0), "replica"))
		return (is_replica_role(t));
	return (span_is(tree_span(t, 0), "master") && is_master_role(t));
}

int
dump_is_links(const struct tree *t)
{
	return (is_role(t) || (t->n >= 4 && span_is(tree_span(t, 0), "direction")));
}

/* The node that was asked, first in its view. */
static int
add_myself(const struct dump *d, struct topology *t, enum node_role role)
{
	int	 i = topology_add_node(t);

	if (i < 0)
		return (-1);
	t->myself = i;
	t->nodes[i].myself = 1;
	t->nodes[i].role = role;
	t->nodes[i].ep = d->asked.ep;
	if (d->asked.id[0] != '\0')
		t->nodes[i].id = span_of(d->asked.id);
	return (i);
}

static void
add_neighbour(struct topology *t, struct span host, struct span port, enum node_role role)
{
	struct endpoint	 ep;
	int		 i;

	if (endpoint_pair(host, port, &ep) != 0 || (i = topology_add_node(t)) < 0)
		return;
	t->nodes[i].ep = ep;
	t->nodes[i].role = role;
}

static void
role_view(struct dump *d, const struct tree *tree, struct topology *t)
{
	size_t	 i;
	int	 me;

	if (!span_is(tree_span(tree, 0), "master")) {
		me = add_myself(d, t, ROLE_REPLICA);
		if (me >= 0)
			t->nodes[me].link_state = tree_span(tree, 3);
		add_neighbour(t, tree_span(tree, 1), tree_span(tree, 2), ROLE_MASTER);
		return;
	}
	add_myself(d, t, ROLE_MASTER);
	for (i = 2; i + 2 < tree->n; i += 3)
		add_neighbour(t, tree_span(tree, i), tree_span(tree, i + 1), ROLE_REPLICA);
}

static void
links_view(struct dump *d, const struct tree *tree, struct topology *t)
{
	struct span	 key, value;
	size_t		 i;
	int		 to = 0, node;

	add_myself(d, t, ROLE_NONE);
	for (i = 0; i + 1 < tree->n; i += 2) {
		key = tree_span(tree, i);
		value = tree_span(tree, i + 1);
		if (span_is(key, "direction")) {
			to = span_is(value, "to");
		} else if (span_is(key, "node") && to && topology_is_id(value) &&
		    (node = topology_add_node(t)) >= 0) {
			t->nodes[node].id = value;
			t->nodes[node].link_state = span_of("connected");
		} else if (span_is(key, "node") && !topology_is_id(value))
			dump_problem(d, tree->tokens[i + 1].position, "malformed",
			    "a link is to something that is no node id");
	}
}

int
dump_links(struct dump *d, const struct tree *tree)
{
	struct topology	 t = { 0 };
	int		 role = is_role(tree);

	if (!role && !dump_is_links(tree))
		return (0);
	topology_reset(&t);
	t.newest_pong_ms = d->pong_ms;
	if (role)
		role_view(d, tree, &t);
	else
		links_view(d, tree, &t);
	t.slots_lost = 1;		/* it speaks of none */
	sample_view(&d->asked, &t, role ? "role" : "links", d->tree_from, d->tree_to, -1,
	    OBS_NO_NUM, &d->c);
	topology_free(&t);
	return (1);
}
