#include "format/dump.h"

#include <stdlib.h>

#include "base/mem.h"
#include "format/config-setting.h"

void
dump_info_end(struct dump *d)
{
	struct topology	 none;

	if (d->info.first == 0)
		return;
	dump_first_end(d, 0);
	memset(&none, 0, sizeof none);
	topology_reset(&none);
	none.newest_pong_ms = d->pong_ms;
	sample_view(&d->asked, &none, "info", d->info.first, d->info.last,
	    d->info.state, d->info.current_epoch, &d->c);
	cluster_info_reset(&d->info);
}

void
dump_check_end(struct dump *d)
{
	struct topology	*t = &d->check.topology;

	if (d->check.first == 0)
		return;
	dump_first_end(d, 0);
	t->newest_pong_ms = d->pong_ms;
	if (t->nnodes > 0)
		sample_view(&d->asked, t, "check", d->check.first, d->check.last, -1,
		    OBS_NO_NUM, &d->c);
	check_reset(&d->check);
}

struct tree_bad {
	struct dump	*d;
	const struct tree *tree;
};

static void
tree_bad(void *arg, size_t token, const char *reason)
{
	struct tree_bad	*b = arg;

	dump_problem(b->d, token < b->tree->n ? b->tree->tokens[token].position :
	    b->d->tree_from, "malformed", reason);
}

/* JSON that holds answers as text: read the texts, and what their neighbours
 * say about time and host. */
static int
json_bundle(struct dump *d, const struct tree *tree)
{
	static const char *const	 keys[] = { "time", "timestamp", "ts", "at", "date",
	    "node", "host", "addr", "address", "endpoint", "pod", "name", NULL };
	struct span			 s;
	struct buf			 head = { 0 };
	size_t				 i;
	int				 k, any = 0;

	for (i = 0; i < tree->n; i++) {
		s = tree_span(tree, i);
		any |= topology_is_node_line(s) || (s.n > 14 &&
		    memmem(s.p, s.n, "cluster_state:", 14) != NULL) ||
		    (s.n > 43 && memchr(s.p, '\n', s.n) != NULL);
	}
	if (!any)
		return (0);
	for (i = 0; i < tree->n; i++) {
		s = tree_span(tree, i);
		for (k = 0; keys[k] != NULL && i + 1 < tree->n; k++)
			if (span_is(s, keys[k]) && tree_span(tree, i + 1).n < 200)
				break;
		if (i + 1 < tree->n && keys[k] != NULL) {
			s = tree_span(tree, ++i);
			head.n = 0;
			buf_str(&head, "# ");
			buf_add(&head, s.p, s.n);
			dump_feed(d, span_make(head.p, head.n));
		} else if (s.n > 40)
			dump_feed(d, s);
	}
	buf_free(&head);
	return (1);
}

static int
has_token(const struct tree *t, const char *word)
{
	size_t	 i;

	for (i = 0; i < t->n; i++)
		if (span_is(tree_span(t, i), word))
			return (1);
	return (0);
}

/* Texts of JSON that begin with a node line. */
int
dump_bundle_nodes(const struct tree *tree)
{
	size_t	 i;
	int	 n = 0;

	for (i = 0; i < tree->n; i++)
		n += topology_is_node_line(tree_span(tree, i));
	return (n);
}

/* The source ends inside the reply: so it seems when the last line has no end,
 * or the reply before named more nodes. */
static void
tree_cut(struct dump *d, struct topology *t)
{
	size_t	 before = d->tree_nodes;

	d->tree_nodes = t->nnodes;
	if (!d->ended || t->slots_lost || slots_count(&t->owned) == SLOTS_COUNT)
		return;
	if (d->c.unended)
		topology_unended(t);
	else if (t->nnodes < before)
		topology_cut(t, "the one before it has more nodes");
}

static void
tree_topology(struct dump *d, struct tree *tree)
{
	struct topology	 t = { 0 };
	struct tree_bad	 b = { d, tree };
	struct span	*tokens = mem_zero(tree->n, sizeof *tokens);
	size_t		 i;
	int		 shards = has_token(tree, "slots") && has_token(tree, "nodes");

	dump_first_end(d, 0);
	for (i = 0; i < tree->n; i++)
		tokens[i] = tree_span(tree, i);
	topology_reset(&t);
	t.bad = tree_bad;
	t.bad_arg = &b;
	t.newest_pong_ms = d->pong_ms;
	topology_tokens(&t, shards ? TOPOLOGY_SHARDS : TOPOLOGY_SLOTS, tokens, tree->n);
	if (tree->full || (d->tree_kind == TREE_JSON && !tree_closed(tree))) {
		t.partial = t.slots_lost = 1;
		dump_problem(d, d->tree_to, "truncated", "the reply is cut");
	} else if (d->tree_kind != TREE_JSON)
		tree_cut(d, &t);
	if (t.nnodes > 0)
		sample_view(&d->asked, &t, shards ? "shards" : "slots", d->tree_from,
		    d->tree_to, -1, OBS_NO_NUM, &d->c);
	topology_free(&t);
	free(tokens);
}

/* The tokens begin like SLOTS (two numbers and a host), or are SHARDS. */
int
dump_is_topology(const struct tree *t)
{
	int	 from, to;

	if (has_token(t, "slots") && has_token(t, "nodes"))
		return (1);
	return (t->n >= 4 && slots_parse_range(tree_span(t, 0), &from, &to) == 0 &&
	    slots_parse_range(tree_span(t, 1), &from, &to) == 0 &&
	    tree_span(t, 2).p != NULL);
}

/* CONFIG GET in the same session. */
static int
tree_settings(struct dump *d, const struct tree *tree)
{
	struct obs	 o;
	struct span	 value;
	const char	*name;
	size_t		 i;
	int		 any = 0;

	for (i = 0; i + 1 < tree->n; i += 2) {
		value = config_value(tree_span(tree, i + 1));
		if ((name = config_setting(tree_span(tree, i))) == NULL || value.p == NULL)
			continue;
		any = 1;
		obs_init(&o, OBS_SETTING);
		o.at = d->asked.at;
		o.at_basis = d->asked.at_basis;
		o.where.part = d->c.part;
		o.where.position = tree->tokens[i].position;
		o.observer.kind = WHO_NODE;
		o.observer.name = span_of(d->asked.name[0] != '\0' ? d->asked.name :
		    d->c.name);
		if (d->asked.id[0] != '\0')
			o.observer.node = span_of(d->asked.id);
		o.observer.ep = d->asked.ep;
		o.u.setting.name = span_of(name);
		o.u.setting.value = value;
		o.u.setting.of_observer = 1;
		if (!d->c.failed && d->c.sink->obs(d->c.sink, &o, d->c.e) != 0)
			d->c.failed = 1;
	}
	return (any);
}

void
dump_tree_end(struct dump *d)
{
	struct tree	 tree;

	if (d->tree_kind == TREE_NONE)
		return;
	tree = d->tree;
	memset(&d->tree, 0, sizeof d->tree);
	if (dump_is_topology(&tree))
		tree_topology(d, &tree);
	else if (!dump_links(d, &tree) && !tree_settings(d, &tree) && d->tree_kind == TREE_JSON) {
		d->tree_kind = TREE_NONE;
		if (d->depth >= DUMP_DEEP)
			dump_too_deep(d);
		else if (json_bundle(d, &tree))
			dump_blocks_end(d);
	}
	d->tree_kind = TREE_NONE;
	tree_free(&d->tree);
	d->tree = tree;
	tree_reset(&d->tree);
}

/* The error text of a reply: the node answered, but not with a topology. */
void
dump_reply_error(struct dump *d, struct span s)
{
	struct obs	 o;

	sample_contact(&d->asked, CONTACT_OK, 1, d->asked.at, d->line, &d->c);
	if (d->asked.ep.host.p == NULL || memmem(s.p, s.n, "CLUSTERDOWN", 11) == NULL)
		return;
	obs_init(&o, OBS_REDIRECT);
	o.at = d->asked.at;
	o.at_basis = d->asked.at_basis;
	o.where.part = d->c.part;
	o.where.position = d->line;
	o.observer.kind = WHO_SAMPLER;
	o.observer.name = span_of("sampler");
	o.u.redirect.code = CODE_CLUSTERDOWN;
	o.u.redirect.asked = d->asked.ep;
	o.u.redirect.detail = s;
	if (!d->c.failed && d->c.sink->obs(d->c.sink, &o, d->c.e) != 0)
		d->c.failed = 1;
}
