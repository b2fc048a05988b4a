/*
 * topology-tree.c - CLUSTER SLOTS and CLUSTER SHARDS, by their scalars.
 */
#include "model/topology-part.h"

#include <stddef.h>

#include "model/endpoint.h"

/* --- CLUSTER SLOTS: from to (host port [id [metadata...]])... --- */

static int
is_number(struct span s)
{
	return (topology_number(s) >= 0);
}

/* A node begins here: host (never a number), port. */
static int
slots_node_at(const struct span *k, size_t n, size_t i)
{
	if (i + 1 >= n || is_number(k[i]) || !is_number(k[i + 1]))
		return (0);
	if (k[i].n > 0 || (i + 2 < n && topology_is_id(k[i + 2])))
		return (1);
	return (0);
}

static int
meta_key(struct span s)
{
	return (span_is(s, "ip") || span_is(s, "hostname") ||
	    span_is(s, "availability-zone") || span_is(s, "shard-id"));
}

/* The node of an id or, without one, of an address; added when new. */
static int
find_node(struct topology *t, struct span id, const struct endpoint *ep)
{
	size_t	 i;
	int	 at;

	for (i = 0; i < t->nnodes; i++)
		if (id.p != NULL ? span_eq(id, t->nodes[i].id) :
		    endpoint_eq(ep, &t->nodes[i].ep))
			return ((int)i);
	at = topology_add_node(t);
	if (at >= 0) {
		t->nodes[at].id = id;
		t->nodes[at].ep = *ep;
	}
	return (at);
}

static size_t
slots_node(struct topology *t, const struct span *k, size_t n, size_t i, int *node)
{
	struct span	 id = { NULL, 0 };
	struct endpoint	 ep = endpoint_none();

	if (k[i].p == NULL)
		ep.port = OBS_NO_PORT;	/* unknown-endpoint: nil */
	else if (endpoint_pair(k[i], k[i + 1], &ep) != 0)
		topology_report(t, "address %.*s %.*s is invalid", TOPOLOGY_SHOW(k[i]), TOPOLOGY_SHOW(k[i + 1]));
	i += 2;
	if (i < n && topology_is_id(k[i]))
		id = k[i++];
	*node = find_node(t, id, &ep);
	while (i < n && !is_number(k[i]) && !slots_node_at(k, n, i)) {
		if (i + 1 < n && meta_key(k[i])) {
			if (*node >= 0 && span_is(k[i], "hostname"))
				t->nodes[*node].hostname = k[i + 1];
			i++;
		}
		i++;
	}
	return (i);
}

static void
slots_tokens(struct topology *t, const struct span *k, size_t n)
{
	size_t	 i = 0, before = 0;
	int64_t	 from, to;
	int	 owner = -1, node = -1;

	while (i < n) {
		t->at = i;
		from = topology_number(k[i]);
		to = i + 1 < n ? topology_number(k[i + 1]) : -1;
		if (from < 0 || to < from || to >= SLOTS_COUNT ||
		    !slots_node_at(k, n, i + 2)) {
			t->slots_lost = 1;
			topology_report(t, "\"%.*s\": no slot range with a node begins here",
			    TOPOLOGY_SHOW(k[i]));
			for (i++; i < n && !(is_number(k[i]) && i + 1 < n &&
			    is_number(k[i + 1]) && slots_node_at(k, n, i + 2)); i++)
				;
			continue;
		}
		i = slots_node(t, k, n, i + 2, &owner);
		node = owner;
		before = t->nslots;
		if (owner >= 0) {
			t->nodes[owner].role = ROLE_MASTER;
			topology_own(t, owner, (int)from, (int)to);
		}
		while (i < n && slots_node_at(k, n, i)) {
			i = slots_node(t, k, n, i, &node);
			if (node >= 0 && t->nodes[node].role == ROLE_NONE) {
				t->nodes[node].role = ROLE_REPLICA;
				if (owner >= 0)
					t->nodes[node].master = t->nodes[owner].id;
			}
		}
	}
	/* All nodes of a reply have an id, or none (before 4.0). */
	if (node > 0 && t->nodes[node].id.p == NULL && t->nodes[0].id.p != NULL) {
		if (node == owner)
			t->nslots = before;	/* not even the address is sure */
		topology_cut(t, "the last node has no id");
	}
}

/* --- CLUSTER SHARDS: "slots" n... "nodes" ("id" x "port" y ...)... --- */

struct shard_node {
	struct span	 id, port, tls_port, ip, endpoint, hostname, role, health;
};

static struct span *
shard_field(struct shard_node *s, struct span key)
{
	static const struct {
		const char	*key;
		size_t		 offset;
	} fields[] = {
		{ "id", offsetof(struct shard_node, id) },
		{ "port", offsetof(struct shard_node, port) },
		{ "tls-port", offsetof(struct shard_node, tls_port) },
		{ "ip", offsetof(struct shard_node, ip) },
		{ "endpoint", offsetof(struct shard_node, endpoint) },
		{ "hostname", offsetof(struct shard_node, hostname) },
		{ "role", offsetof(struct shard_node, role) },
		{ "health", offsetof(struct shard_node, health) },
	};
	size_t	 i;

	for (i = 0; i < sizeof fields / sizeof *fields; i++)
		if (span_is(key, fields[i].key))
			return ((struct span *)(void *)((char *)s + fields[i].offset));
	return (NULL);
}

static void
shard_node_end(struct topology *t, struct shard_node *s)
{
	struct obs_view_node	*n;
	struct span		 host, port;
	int			 i;

	/* Valkey 9.1 has an id of the shard as well, which has no role. */
	if (s->id.p != NULL && s->role.p != NULL && (i = topology_add_node(t)) >= 0) {
		n = &t->nodes[i];
		host = s->ip.n > 0 ? s->ip : s->endpoint;
		port = s->port.p != NULL ? s->port : s->tls_port;
		if (!topology_is_id(s->id)) {
			topology_report(t, "\"%.*s\" is no node id", TOPOLOGY_SHOW(s->id));
			t->slots_lost = 1;
		} else
			n->id = s->id;
		if (host.p != NULL && port.p != NULL &&
		    endpoint_pair(host, port, &n->ep) != 0)
			topology_report(t, "address %.*s %.*s is invalid", TOPOLOGY_SHOW(host), TOPOLOGY_SHOW(port));
		if (s->hostname.n > 0)
			n->hostname = s->hostname;
		n->role = span_is(s->role, "master") || span_is(s->role, "primary") ?
		    ROLE_MASTER : ROLE_REPLICA;
		if (span_is(s->health, "failed") || span_is(s->health, "fail"))
			n->flags = span_of("fail");
	}
	memset(s, 0, sizeof *s);
}

/* The master of nodes[first..] owns the shard's slots.  Two masters (one of
 * them failed, its successor elected): the one that is online. */
static void
shard_end(struct topology *t, size_t first, const struct span *slots, size_t n)
{
	size_t	 i;
	int	 owner = -1;
	int64_t	 from, to;

	for (i = first; i < t->nnodes; i++)
		if (t->nodes[i].role == ROLE_MASTER &&
		    (owner < 0 || t->nodes[owner].flags.p != NULL))
			owner = (int)i;
	for (i = first; i < t->nnodes; i++)
		if (owner >= 0 && t->nodes[i].role == ROLE_REPLICA)
			t->nodes[i].master = t->nodes[owner].id;
	for (i = 0; i + 1 < n; i += 2) {
		from = topology_number(slots[i]);
		to = topology_number(slots[i + 1]);
		if (from < 0 || to < from || to >= SLOTS_COUNT || owner < 0) {
			t->slots_lost = 1;
			topology_report(t, "slots %.*s-%.*s: %s", TOPOLOGY_SHOW(slots[i]), TOPOLOGY_SHOW(slots[i + 1]),
			    owner < 0 ? "the shard names no master" : "no slot range");
		} else
			topology_own(t, owner, (int)from, (int)to);
	}
	if (n % 2 != 0) {
		t->slots_lost = 1;
		topology_report(t, "a slot range of the shard has no end");
	}
}

static void
shards_tokens(struct topology *t, const struct span *k, size_t n)
{
	struct shard_node	 node = { 0 };
	struct span		*field;
	size_t			 i = 0, first = 0, slots_at = 0, nslots = 0;
	int			 have_slots = 0, have_nodes = 0, have_health = 0, is_slots;

	while (i < n) {
		t->at = i;
		is_slots = span_is(k[i], "slots");
		if (is_slots || span_is(k[i], "nodes")) {
			shard_node_end(t, &node);
			if (is_slots ? have_slots : have_nodes) {
				shard_end(t, first, k + slots_at, nslots);
				first = t->nnodes;
				have_slots = have_nodes = 0;
				nslots = 0;
			}
			i++;
			if (is_slots) {
				have_slots = 1;
				for (slots_at = i; i < n && is_number(k[i]); i++)
					;
				nslots = i - slots_at;
			} else
				have_nodes = 1;
			continue;
		}
		field = shard_field(&node, k[i]);
		if (field != NULL && field->p != NULL) {
			shard_node_end(t, &node);
			field = shard_field(&node, k[i]);
		}
		have_health |= field == &node.health;
		if (i + 1 < n && field != NULL)
			*field = k[i + 1].p != NULL ? k[i + 1] : span_of("");
		i += i + 1 < n && k[i].n > 0 ? 2 : 1;
	}
	if ((have_health && node.health.p == NULL && node.port.p != NULL) ||
	    (have_slots && !have_nodes))
		topology_cut(t, "the last shard has no end");
	shard_node_end(t, &node);
	shard_end(t, first, k + slots_at, nslots);
}

void
topology_tokens(struct topology *t, enum topology_form form,
    const struct span *tokens, size_t n)
{
	if (form == TOPOLOGY_SLOTS)
		slots_tokens(t, tokens, n);
	else
		shards_tokens(t, tokens, n);
}
