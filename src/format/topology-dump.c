/*
 * topology-dump.c - what somebody saved of CLUSTER NODES, SLOTS, SHARDS, INFO,
 * nodes.conf and redis-cli --cluster check: one answer or thousands, with
 * whatever stands around them.
 *
 * A line is, in this order: the next line of a sample equal to the one before
 * (dump-sample.h), a fast header, or it is looked at closely by slow_line().
 */
#include "format/format.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "format/config-setting.h"
#include "format/dump-asked.h"
#include "format/dump-check.h"
#include "format/dump-sample.h"
#include "format/dump-tree.h"
#include "model/endpoint.h"
#include "text/clean.h"
#include "text/envelope.h"

#ifndef BLOCK_BYTES
#define BLOCK_BYTES	(256 * 1024)	/* fuzzers set less, to meet ends of blocks */
#endif

enum {
	READ_BYTES = BLOCK_BYTES,
	LINE_BYTES = 4 * 1024 * 1024,	/* a longer line is cut */
	TRACKS = 64,			/* observers interleaved in one file */
	WRAP_MIN = 40,			/* narrower terminals do not exist */
	PREFIX_MAX = 200,		/* host prefixes of pssh and the like */
	DEEP = 3			/* text in JSON in base64 */
};

struct dump_track {
	struct track	 t;
	struct asked	 asked;
};

struct dump {
	struct sample_ctx c;
	struct decode_ctx *ctx;
	struct dump_track tracks[TRACKS];
	size_t		 ntracks;
	struct dump_track *cur;
	struct asked	 asked;
	int		 fresh;		/* nothing came since the header */
	struct stamp_clock clock;
	int64_t		 line;
	int		 in_nodes;	/* the line before was part of CLUSTER NODES */
	size_t		 wrap;		/* its length in the file */
	int64_t		 pong_ms;	/* newest of the dump before */
	struct tree	 tree;
	enum tree_kind	 tree_kind;
	int64_t		 tree_from, tree_to;
	struct cluster_info info;
	struct check	 check;
	struct buf	 prefix, clean, base64;
	struct json	*json;
	struct arena	 arena;
	int		 depth;
};

static void	 slow_line(struct dump *, struct span);
static void	 feed(struct dump *, struct span);
static void	 blocks_end(struct dump *);

static void
problem(struct dump *d, int64_t position, const char *code, const char *reason)
{
	struct locus	 l = { d->c.part, position, OBS_NO_NUM };

	if (!d->c.failed && sink_problem(d->c.sink, &l, code, d->c.e, "%s", reason) != 0)
		d->c.failed = 1;
}

/* --- questions --- */

static void
nodes_end(struct dump *d)
{
	const struct topology	*t = &d->cur->t.topology;

	d->in_nodes = 0;
	if (sample_empty(&d->cur->t))
		return;
	sample_end(&d->cur->t, &d->asked, &d->c);
	if (t->newest_pong_ms > 0)
		d->pong_ms = t->newest_pong_ms;
	/* SLOTS and INFO of the same node do not say who answers. */
	if (t->myself >= 0) {
		memcpy(d->asked.id, t->nodes[t->myself].id.p, 40);
		d->asked.id[40] = '\0';
		memcpy(d->cur->asked.id, d->asked.id, sizeof d->asked.id);
	}
}

static struct dump_track *
new_track(struct dump *d)
{
	struct dump_track	*t;
	size_t			 i;

	if (d->ntracks < TRACKS)
		return (&d->tracks[d->ntracks++]);
	t = &d->tracks[0];		/* the one that is silent longest */
	for (i = 1; i < TRACKS; i++)
		if (d->tracks[i].asked.position < t->asked.position)
			t = &d->tracks[i];
	sample_flush(&t->t, &d->c);
	t->t.key.n = t->t.last.n = t->t.last.text.n = 0;
	topology_reset(&t->t.topology);
	return (t);
}

/* Go to the track of whoever was asked. */
static void
choose_track(struct dump *d, struct span key)
{
	struct dump_track	*t = NULL;
	size_t			 i;

	for (i = 0; i < d->ntracks && t == NULL; i++)
		if (endpoint_eq(&d->tracks[i].asked.ep, &d->asked.ep) &&
		    strcmp(d->tracks[i].asked.name, d->asked.name) == 0)
			t = &d->tracks[i];
	if (t == NULL)
		t = new_track(d);
	else if (d->asked.id[0] == '\0')
		memcpy(d->asked.id, t->asked.id, sizeof d->asked.id);
	asked_copy(&t->asked, &d->asked);
	t->t.key.n = 0;
	buf_add(&t->t.key, key.p, key.n);
	d->cur = t;
}

static void
info_end(struct dump *d)
{
	struct topology	 none;

	if (d->info.first == 0)
		return;
	memset(&none, 0, sizeof none);
	topology_reset(&none);
	none.newest_pong_ms = d->pong_ms;
	sample_view(&d->asked, &none, "info", d->info.first, d->info.last,
	    d->info.state, d->info.current_epoch, &d->c);
	cluster_info_reset(&d->info);
}

static void
check_end(struct dump *d)
{
	struct topology	*t = &d->check.topology;

	if (d->check.first == 0)
		return;
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

	problem(b->d, token < b->tree->n ? b->tree->tokens[token].position :
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
			feed(d, span_make(head.p, head.n));
		} else if (s.n > 40)
			feed(d, s);
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
static int
bundle_nodes(const struct tree *tree)
{
	size_t	 i;
	int	 n = 0;

	for (i = 0; i < tree->n; i++)
		n += topology_is_node_line(tree_span(tree, i));
	return (n);
}

static void
tree_topology(struct dump *d, struct tree *tree)
{
	struct topology	 t = { 0 };
	struct tree_bad	 b = { d, tree };
	struct span	*tokens = mem_zero(tree->n, sizeof *tokens);
	size_t		 i;
	int		 shards = has_token(tree, "slots") && has_token(tree, "nodes");

	for (i = 0; i < tree->n; i++)
		tokens[i] = tree_span(tree, i);
	topology_reset(&t);
	t.bad = tree_bad;
	t.bad_arg = &b;
	t.newest_pong_ms = d->pong_ms;
	topology_tokens(&t, shards ? TOPOLOGY_SHARDS : TOPOLOGY_SLOTS, tokens, tree->n);
	if (tree->full || (d->tree_kind == TREE_JSON && !tree_closed(tree))) {
		t.partial = t.slots_lost = 1;
		problem(d, d->tree_to, "truncated", "the reply is cut");
	}
	if (t.nnodes > 0)
		sample_view(&d->asked, &t, shards ? "shards" : "slots", d->tree_from,
		    d->tree_to, -1, OBS_NO_NUM, &d->c);
	topology_free(&t);
	free(tokens);
}

/* The tokens begin like SLOTS (two numbers and a host), or are SHARDS. */
static int
is_topology(const struct tree *t)
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

static void
tree_end(struct dump *d)
{
	struct tree	 tree;

	if (d->tree_kind == TREE_NONE)
		return;
	tree = d->tree;
	memset(&d->tree, 0, sizeof d->tree);
	if (is_topology(&tree))
		tree_topology(d, &tree);
	else if (!tree_settings(d, &tree) && d->depth < DEEP &&
	    d->tree_kind == TREE_JSON) {
		d->tree_kind = TREE_NONE;
		if (json_bundle(d, &tree))
			blocks_end(d);
	}
	d->tree_kind = TREE_NONE;
	tree_free(&d->tree);
	d->tree = tree;
	tree_reset(&d->tree);
}

static void
blocks_end(struct dump *d)
{
	tree_end(d);
	nodes_end(d);
	info_end(d);
	check_end(d);
}

/* The error text of a reply: the node answered, but not with a topology. */
static void
reply_error(struct dump *d, struct span s)
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

/* What stands behind the time of a header in the sampler's form. */
static struct span
fast_key(struct span s, int64_t *at)
{
	size_t	 n;

	if (s.n < 26 || s.p[0] != '#' || s.p[1] != ' ' ||
	    (n = asked_iso(span_make(s.p + 2, s.n - 2), at)) == 0)
		return (span_make(NULL, 0));
	return (span_make(s.p + 2 + n, s.n - 2 - n));
}

/* A header that differs from an earlier one in its time only. */
static int
fast_header(struct dump *d, struct span s)
{
	struct dump_track	*t = d->cur;
	struct span		 key;
	int64_t			 at;
	size_t			 i;

	if (s.n == 0 || s.p[0] != '#' || d->tree_kind != TREE_NONE)
		return (0);
	key = fast_key(s, &at);
	if (key.n == 0)
		return (0);
	if (!span_eq(key, span_make(t->t.key.p, t->t.key.n))) {
		for (i = 0, t = NULL; i < d->ntracks && t == NULL; i++)
			if (span_eq(key, span_make(d->tracks[i].t.key.p,
			    d->tracks[i].t.key.n)))
				t = &d->tracks[i];
		if (t == NULL)
			return (0);
	}
	blocks_end(d);
	if (t != d->cur || d->asked.at_basis != AT_STATED)
		asked_copy(&d->asked, &t->asked);
	d->cur = t;
	d->asked.at = at;
	d->asked.position = t->asked.position = d->line;
	d->fresh = 1;
	d->wrap = 0;
	return (1);
}

static int
question(struct dump *d, struct span s)
{
	struct asked		 next;
	enum contact_outcome	 outcome = CONTACT_OK;
	enum asked_kind		 kind;
	int64_t			 at;

	asked_copy(&next, &d->asked);
	kind = asked_line(&next, s, d->line, d->fresh, &d->clock, &outcome);
	if (kind == ASKED_NOTHING)
		return (0);
	blocks_end(d);
	if (kind == ASKED_REPLY_ERROR) {
		reply_error(d, s);
		d->fresh = 0;
		return (1);
	}
	asked_copy(&d->asked, &next);
	d->fresh = kind == ASKED_HEADER;
	choose_track(d, kind == ASKED_HEADER ? fast_key(s, &at) : span_make(NULL, 0));
	if (kind == ASKED_FAILED) {
		sample_flush(&d->cur->t, &d->c);
		sample_contact(&d->asked, outcome, 1, d->asked.at, d->line, &d->c);
	}
	return (1);
}

/* --- lines of CLUSTER NODES --- */

/* The sample has a line of this id; *same when it is this very line. */
static int
seen(const struct sample *s, struct span line, int *same)
{
	const struct sample_line	*l;
	size_t				 i;

	for (i = 0; i < s->n; i++) {
		l = &s->lines[i];
		if (l->end - l->at < 40 || memcmp(s->text.p + l->at, line.p, 40) != 0)
			continue;
		*same = l->end - l->at == line.n &&
		    memcmp(s->text.p + l->at, line.p, line.n) == 0;
		return (1);
	}
	return (0);
}

static void
node_line(struct dump *d, struct span s)
{
	int	 same = 0;

	if (d->tree_kind != TREE_NONE || d->info.first != 0 || d->check.first != 0) {
		tree_end(d);
		info_end(d);
		check_end(d);
	}
	if (d->asked.at == OBS_NO_TIME && seen(&d->cur->t.now, s, &same)) {
		if (same) {
			problem(d, d->line, "malformed", "the line is there twice");
			return;
		}
		nodes_end(d);		/* another dump follows without a header */
	}
	sample_add(&d->cur->t, s, d->line);
	d->in_nodes = 1;
	d->fresh = 0;
}

/* The bytes that only slot items and ids are made of. */
static int
slot_bytes(struct span s)
{
	size_t	 i;

	for (i = 0; i < s.n; i++)
		if (!((s.p[i] >= '0' && s.p[i] <= '9') || (s.p[i] >= 'a' &&
		    s.p[i] <= 'f') || strchr("<>-[] ", s.p[i]) != NULL))
			return (0);
	return (s.n > 0);
}

/* The line added last lacks fields or ends inside an open slot. */
static int
unfinished(const struct dump *d)
{
	const struct sample		*s = &d->cur->t.now;
	const struct sample_line	*l;
	const char			*p, *end;
	int				 fields = 1;

	if (s->n == 0)
		return (0);
	l = &s->lines[s->n - 1];
	p = s->text.p + l->at;
	end = s->text.p + l->end;
	for (; p < end && fields < 8; p++)
		fields += *p == ' ';
	if (fields < 8)
		return (1);
	for (p = end; p > s->text.p + l->at && p[-1] != ' '; p--)
		;
	return ((p < end && *p == '[' && end[-1] != ']') || end[-1] == '-' ||
	    (end - p < 9 && *p == 'c') || (end - p < 12 && *p == 'd'));
}

/* A terminal broke the line: rejoin it. */
static int
wrapped(struct dump *d, struct span s)
{
	size_t	 i, junk = 0;

	if (!d->in_nodes || d->wrap < WRAP_MIN || d->cur->t.now.n == 0)
		return (0);
	for (i = 0; i < s.n; i++)
		junk += strchr("=(){}\"';$#|", s.p[i]) != NULL;
	if (junk > 0 || !(slot_bytes(s) || unfinished(d)))
		return (0);
	sample_extend(&d->cur->t, s);
	return (1);
}

/* Neither whole nor wrapped, but once a node line: let the parser say so. */
static int
damaged(struct dump *d, struct span s)
{
	size_t	 hex = 0;

	while (hex < s.n && ((s.p[hex] >= '0' && s.p[hex] <= '9') ||
	    (s.p[hex] >= 'a' && s.p[hex] <= 'f')))
		hex++;
	if (hex >= 24 && hex < s.n && s.p[hex] == ' ' && (hex != 40 || d->in_nodes))
		return (1);
	return (d->in_nodes && s.n > 20 && (memmem(s.p, s.n, " connected", 10) != NULL ||
	    memmem(s.p, s.n, " disconnected", 13) != NULL));
}

/* A node line behind a host prefix: *at is where it begins. */
static int
behind_prefix(struct span s, size_t *at)
{
	struct span	 rest;
	const char	*p;
	size_t		 i;

	if (s.n == 0 || *s.p == '{')
		return (0);		/* JSON has a reader of its own */
	for (i = 1; i < PREFIX_MAX && i + 60 < s.n; i++) {
		if (strchr(" |:\t\"'>]", s.p[i - 1]) == NULL)
			continue;
		rest = span_make(s.p + i, s.n - i);
		if (!topology_is_node_line(rest))
			continue;
		p = memchr(rest.p + 41, ' ', rest.n - 41);
		if (p == NULL || rest.p + rest.n - p < 8 ||
		    strchr("msnhf", p[1]) == NULL)
			continue;
		*at = i;
		return (1);
	}
	return (0);
}

static int
prefixed(struct dump *d, struct span s)
{
	struct envelope	 e;
	struct span	 prefix;
	struct asked	 next;
	size_t		 at;

	arena_reset(&d->arena);
	envelope_undo(s, d->json, &d->arena, &e);
	if (e.undone > 0 && topology_is_node_line(e.text)) {
		node_line(d, e.text);
		return (1);
	}
	if (!behind_prefix(s, &at))
		return (0);
	prefix = span_make(s.p, at);
	if (!span_eq(prefix, span_make(d->prefix.p, d->prefix.n))) {
		blocks_end(d);
		asked_init(&next);
		next.at = d->asked.at;
		next.at_basis = d->asked.at_basis;
		next.precision_us = d->asked.precision_us;
		next.position = d->line;
		if (asked_prefix(&next, prefix)) {
			asked_copy(&d->asked, &next);
			choose_track(d, span_make(NULL, 0));
		}
		d->prefix.n = 0;
		buf_add(&d->prefix, prefix.p, prefix.n);
	}
	node_line(d, span_make(s.p + at, s.n - at));
	return (1);
}

/* --- other lines --- */

static int
base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (c - 'A');
	if (c >= 'a' && c <= 'z')
		return (c - 'a' + 26);
	if (c >= '0' && c <= '9')
		return (c - '0' + 52);
	return (c == '+' ? 62 : c == '/' ? 63 : -1);
}

static void
base64_end(struct dump *d)
{
	struct buf	 in = d->base64, out = { 0 };
	unsigned	 acc = 0;
	size_t		 i;
	int		 bits = 0, v;

	if (in.n == 0)
		return;
	memset(&d->base64, 0, sizeof d->base64);
	for (i = 0; i < in.n && (v = base64_value(in.p[i])) >= 0; i++) {
		acc = acc << 6 | (unsigned)v;
		if ((bits += 6) >= 8) {
			bits -= 8;
			buf_chr(&out, (int)(acc >> bits & 255));
		}
	}
	if (out.n > 0 && memchr(out.p, '\n', out.n) != NULL) {
		nodes_end(d);
		feed(d, span_make(out.p, out.n));
	}
	buf_free(&out);
	buf_free(&in);
}

static int
base64_line(struct dump *d, struct span s)
{
	size_t	 i;

	if (d->depth >= DEEP || (s.n < 60 && d->base64.n == 0))
		return (0);
	for (i = 0; i < s.n; i++)
		if (base64_value(s.p[i]) < 0 && s.p[i] != '=')
			return (0);
	if (d->base64.n + s.n > LINE_BYTES)
		return (0);
	buf_add(&d->base64, s.p, s.n);
	return (s.n > 0);
}

/* The answer to CLUSTER MYID. */
static int
myid(struct dump *d, struct span s)
{
	if (s.n == 42 && s.p[0] == '"')
		s = span_make(s.p + 1, 40);
	if (!topology_is_id(s))
		return (0);
	memcpy(d->asked.id, s.p, 40);
	d->asked.id[40] = '\0';
	return (1);
}

static int
other_line(struct dump *d, struct span s)
{
	if (cluster_info_line(&d->info, s, d->line)) {
		nodes_end(d);
		return (1);
	}
	if (check_line(&d->check, s, d->line)) {
		nodes_end(d);
		return (1);
	}
	if ((d->tree_kind = tree_begins(s)) != TREE_NONE) {
		nodes_end(d);
		d->tree_from = d->tree_to = d->line;
		tree_line(&d->tree, d->tree_kind, s, d->line);
		if (d->tree_kind == TREE_JSON && tree_closed(&d->tree))
			tree_end(d);
		d->fresh = 0;
		return (1);
	}
	return (myid(d, s) || base64_line(d, s));
}

static void
slow_line(struct dump *d, struct span s)
{
	if (d->tree_kind != TREE_NONE) {
		if (tree_line(&d->tree, d->tree_kind, s, d->line)) {
			d->tree_to = d->line;
			if (d->tree_kind == TREE_JSON && tree_closed(&d->tree))
				tree_end(d);
			return;
		}
		tree_end(d);
	}
	if (topology_is_node_line(s)) {
		node_line(d, s);
		return;
	}
	if (d->base64.n > 0 && !base64_line(d, s))
		base64_end(d);
	else if (d->base64.n > 0)
		return;
	if (s.n == 0)
		return;
	if (d->in_nodes && s.n > 5 && memcmp(s.p, "vars ", 5) == 0) {
		sample_add(&d->cur->t, s, d->line);
		return;
	}
	if (prefixed(d, s) || wrapped(d, s))
		return;
	if (damaged(d, s)) {
		sample_add(&d->cur->t, s, d->line);
		d->in_nodes = 1;
		return;
	}
	if (!other_line(d, s) && !question(d, s))
		d->in_nodes = 0;
}

/* Text found inside something else: all of it counts as one line. */
static void
feed(struct dump *d, struct span s)
{
	const char	*nl;
	size_t		 n;

	d->depth++;
	while (s.n > 0 && !d->c.failed) {
		nl = memchr(s.p, '\n', s.n);
		n = nl != NULL ? (size_t)(nl - s.p) : s.n;
		slow_line(d, span_make(s.p, n > 0 && s.p[n - 1] == '\r' ? n - 1 : n));
		s.p += n;
		s.n -= n;
		if (s.n > 0)
			s.p++, s.n--;
	}
	d->depth--;
}

static void
take_line(struct dump *d, struct span s)
{
	d->line++;
	if (s.n > 0 && s.p[s.n - 1] == '\r')
		s.n--;
	if (d->asked.at != OBS_NO_TIME && d->tree_kind == TREE_NONE &&
	    sample_same(&d->cur->t, s.p, s.n)) {
		d->in_nodes = 1;
		d->fresh = 0;
		d->wrap = s.n;
		return;
	}
	if (fast_header(d, s))
		return;
	d->clean.n = 0;
	s = clean_line(s, &d->clean);
	while (s.n > 0 && s.p[s.n - 1] == ' ' && s.n < WRAP_MIN)
		s.n--;
	slow_line(d, s);
	d->wrap = d->in_nodes ? s.n : 0;
}

/* --- the source --- */

static void
take_block(struct dump *d, struct buf *block)
{
	const char	*p = block->p, *end = block->p + block->n, *nl;

	while (p < end && !d->c.failed &&
	    (nl = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		take_line(d, span_make(p, (size_t)(nl - p)));
		p = nl + 1;
	}
	buf_drop(block, (size_t)(p - block->p));
	if (block->n > LINE_BYTES) {
		problem(d, d->line + 1, "too-long", "a line of more than 4 MiB is left out");
		block->n = 0;
	}
}

static int
read_all(struct dump *d, struct input *in)
{
	enum clean_utf	 enc = clean_encoding(input_peek(in, 1024));
	struct buf	 block = { 0 }, raw = { 0 };
	ssize_t		 n;
	int64_t		 bad = 0;

	do {
		if (enc == CLEAN_UTF8) {
			buf_need(&block, READ_BYTES);
			n = input_read(in, block.p + block.n, READ_BYTES, d->c.e);
			block.n += n > 0 ? (size_t)n : 0;
		} else {
			buf_need(&raw, READ_BYTES);
			n = input_read(in, raw.p + raw.n, READ_BYTES, d->c.e);
			raw.n += n > 0 ? (size_t)n : 0;
			buf_drop(&raw, clean_utf16(enc, span_make(raw.p, raw.n),
			    &block, &bad));
		}
		take_block(d, &block);
	} while (n > 0 && !d->c.failed);
	if (block.n > 0 && !d->c.failed)
		take_line(d, span_make(block.p, block.n));
	buf_free(&block);
	buf_free(&raw);
	return (n < 0 || d->c.failed ? -1 : 0);
}

/* "n1" of "views/n1.txt.gz". */
static char *
stem(const char *name)
{
	const char	*base = strrchr(name, '/'), *dot;
	size_t		 n;

	base = base != NULL ? base + 1 : name;
	dot = strchr(base, '.');
	while (dot != NULL && dot[1] >= '0' && dot[1] <= '9')
		dot = strchr(dot + 1, '.');
	n = dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base);
	return (mem_strn(base, n));
}

static void
dump_free(struct dump *d)
{
	size_t	 i;

	for (i = 0; i < d->ntracks; i++)
		track_free(&d->tracks[i].t);
	tree_free(&d->tree);
	check_free(&d->check);
	buf_free(&d->prefix);
	buf_free(&d->clean);
	buf_free(&d->base64);
	json_close(d->json);
	arena_free(&d->arena);
	free(d);
}

static int
decode(struct input *in, struct decode_ctx *ctx, struct sink *sink, struct err *e)
{
	struct dump	*d = mem_zero(1, sizeof *d);
	char		*name = ctx->observer != NULL ? mem_str(ctx->observer) :
	    stem(input_name(in));
	size_t		 i;
	int		 rc;

	d->ctx = ctx;
	d->c.sink = sink;
	d->c.e = e;
	d->c.part = input_part(in);
	d->c.name = name;
	d->c.mtime = ctx->mtime;
	d->clock.zone_s = ctx->zone_s;
	d->clock.year = ctx->year;
	d->clock.mtime = ctx->mtime;
	d->clock.last = OBS_NO_TIME;
	d->c.name_at = asked_name_time(input_name(in), &d->clock, &d->c.name_precision_us);
	d->clock.last = OBS_NO_TIME;
	d->json = json_open();
	asked_init(&d->asked);
	cluster_info_reset(&d->info);
	check_reset(&d->check);
	choose_track(d, span_make(NULL, 0));
	rc = read_all(d, in);
	base64_end(d);
	blocks_end(d);
	for (i = 0; i < d->ntracks; i++)
		sample_flush(&d->tracks[i].t, &d->c);
	if (d->c.failed)
		rc = -1;
	ctx->records += d->c.views;
	if (d->line == 0)
		problem(d, 0, "empty", "the file is empty");
	dump_free(d);
	free(name);
	return (rc);
}

/* Base64 whose text begins like a node line: 40 hex digits and a blank. */
static int
base64_nodes(struct span s)
{
	unsigned	 acc = 0;
	size_t		 i, n = 0;
	int		 bits = 0, v, c;

	for (i = 0; i < s.n && n < 41 && (v = base64_value(s.p[i])) >= 0; i++) {
		acc = acc << 6 | (unsigned)v;
		if ((bits += 6) < 8)
			continue;
		bits -= 8;
		c = (int)(acc >> bits & 255);
		if (n == 40 ? c != ' ' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
			return (0);
		n++;
	}
	return (n == 41);
}

static int
bid(struct span prefix, const char *name, char *why, size_t n)
{
	const char		*nl;
	struct span		 s;
	struct stamp		 st;
	struct check		 check;
	struct cluster_info	 info;
	struct tree		 tree = { 0 };
	enum tree_kind		 kind = TREE_NONE;
	size_t			 at;
	int			 nodes = 0, others = 0, logs = 0, lines;

	(void)name;
	memset(&check, 0, sizeof check);
	cluster_info_reset(&info);
	for (lines = 0; lines < 400; lines++) {
		nl = prefix.n > 0 ? memchr(prefix.p, '\n', prefix.n) : NULL;
		s = span_make(prefix.p, nl != NULL ? (size_t)(nl - prefix.p) : prefix.n);
		prefix.p += s.n;
		prefix.n -= s.n;
		if (s.n > 0 && s.p[s.n - 1] == '\r')
			s.n--;
		if (kind != TREE_NONE && prefix.n > 0 && tree_line(&tree, kind, s, 0)) {
			prefix.p++, prefix.n--;
			continue;
		}
		if (kind != TREE_NONE) {
			others += is_topology(&tree) ? 10 : 0;
			nodes += bundle_nodes(&tree);
			tree_reset(&tree);
		}
		if ((kind = tree_begins(s)) != TREE_NONE)
			tree_line(&tree, kind, s, 0);
		else if (topology_is_node_line(s) || behind_prefix(s, &at) ||
		    base64_nodes(s))
			nodes++;
		else if (cluster_info_line(&info, s, 1) || check_line(&check, s, 1))
			others++;
		else if (s.n > 0 && s.p[0] != '#' && stamp_find(s, &st))
			logs++;
		if (prefix.n == 0)
			break;
		prefix.p++, prefix.n--;
	}
	if (is_topology(&tree))
		others += 10;
	nodes += bundle_nodes(&tree);
	tree_free(&tree);
	check_free(&check);
	if (nodes + others == 0)
		return (0);
	snprintf(why, n, "%d lines of CLUSTER NODES, %d of other topology output in the "
	    "first %d", nodes, others, lines);
	return (logs > 2 * (nodes + others) ? 20 : nodes > 0 ? 200 : 100);
}

const struct format format_topology_dump = {
	.name = "topology-dump",
	.summary = "CLUSTER NODES, SLOTS, SHARDS, INFO output and nodes.conf",
	.bid = bid,
	.decode = decode,
};
