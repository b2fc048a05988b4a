#include "format/dump.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/endpoint.h"
#include "text/arena.h"
#include "text/clean.h"

void
dump_problem(struct dump *d, int64_t position, const char *code, const char *reason)
{
	struct locus	 l = { d->c.part, position, OBS_NO_NUM };

	if (!d->c.failed && sink_problem(d->c.sink, &l, code, d->c.e, "%s", reason) != 0)
		d->c.failed = 1;
}

void
dump_too_deep(struct dump *d)
{
	dump_problem(d, d->line, "limit", "text in JSON or base64, in each other more than"
	    " 3 times, is not read");
}

/* The source's first dump began without a header: it may have lost its first
 * lines.  The next one tells. */
void
dump_first_end(struct dump *d, size_t lines)
{
	struct dump_track	*first = d->first;

	d->first = NULL;
	if (first == NULL || first->t.held.samples == 0)
		return;
	if (lines > first->t.last.n && !first->t.topology.slots_lost) {
		topology_cut(&first->t.topology, "");
		dump_problem(d, first->t.held.first_position, "malformed",
		    "the answer is cut: the one behind it has more lines");
	}
	sample_flush(&first->t, &d->c);
}

void
dump_nodes_end(struct dump *d)
{
	const struct topology	*t = &d->cur->t.topology;

	if (sample_empty(&d->cur->t)) {
		d->in_nodes = 0;
		return;
	}
	dump_first_end(d, sample_lines(&d->cur->t));
	d->c.waits = d->c.views == 0 && d->c.asker == NULL && d->asked.at == OBS_NO_TIME;
	if (d->c.waits)
		d->first = d->cur;
	d->c.at_end = d->ended && d->in_nodes;
	d->in_nodes = 0;
	sample_end(&d->cur->t, &d->asked, &d->c);
	d->c.waits = d->c.at_end = 0;
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

	if (d->ntracks < DUMP_TRACKS)
		return (&d->tracks[d->ntracks++]);
	t = &d->tracks[0];		/* the one that is silent longest */
	for (i = 1; i < DUMP_TRACKS; i++)
		if (d->tracks[i].asked.position < t->asked.position)
			t = &d->tracks[i];
	sample_flush(&t->t, &d->c);
	t->t.key.n = t->t.last.n = t->t.last.text.n = 0;
	topology_reset(&t->t.topology);
	return (t);
}

/* Go to the track of whoever was asked. */
void
dump_choose_track(struct dump *d, struct span key)
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

void
dump_blocks_end(struct dump *d)
{
	dump_tree_end(d);
	dump_nodes_end(d);
	dump_info_end(d);
	dump_check_end(d);
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
	dump_blocks_end(d);
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
	if (kind != ASKED_REPLY_ERROR) {
		asked_until(&d->asked, next.at);
		if (d->asked.rtt_us != OBS_NO_NUM)
			d->answer_us = d->asked.rtt_us;
	}
	dump_blocks_end(d);
	if (kind == ASKED_REPLY_ERROR) {
		dump_reply_error(d, s);
		d->fresh = 0;
		return (1);
	}
	asked_copy(&d->asked, &next);
	d->fresh = kind == ASKED_HEADER;
	dump_choose_track(d, kind == ASKED_HEADER ? fast_key(s, &at) : span_make(NULL, 0));
	if (kind == ASKED_FAILED) {
		sample_flush(&d->cur->t, &d->c);
		sample_contact(&d->asked, outcome, 1, d->asked.at, d->line, &d->c);
	}
	return (1);
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
	memcpy(d->cur->asked.id, d->asked.id, sizeof d->asked.id);
	return (1);
}

static int
other_line(struct dump *d, struct span s)
{
	if (cluster_info_line(&d->info, s, d->line)) {
		dump_nodes_end(d);
		return (1);
	}
	if (check_line(&d->check, s, d->line)) {
		dump_nodes_end(d);
		return (1);
	}
	if ((d->tree_kind = tree_begins(s)) != TREE_NONE) {
		dump_nodes_end(d);
		d->tree_from = d->tree_to = d->line;
		tree_line(&d->tree, d->tree_kind, s, d->line);
		if (d->tree_kind == TREE_JSON && tree_closed(&d->tree))
			dump_tree_end(d);
		d->fresh = 0;
		return (1);
	}
	return (myid(d, s) || dump_base64_line(d, s));
}

static void
slow_line(struct dump *d, struct span s)
{
	if (d->tree_kind != TREE_NONE) {
		if (tree_line(&d->tree, d->tree_kind, s, d->line)) {
			d->tree_to = d->line;
			if (d->tree_kind == TREE_JSON && tree_closed(&d->tree))
				dump_tree_end(d);
			return;
		}
		dump_tree_end(d);
	}
	if (topology_is_node_line(s)) {
		dump_node_line(d, s);
		return;
	}
	if (d->base64.n > 0 && !dump_base64_line(d, s))
		dump_base64_end(d);
	else if (d->base64.n > 0)
		return;
	if (s.n == 0)
		return;
	if (d->in_nodes && s.n > 5 && memcmp(s.p, "vars ", 5) == 0) {
		sample_add(&d->cur->t, s, d->line);
		return;
	}
	if (dump_prefixed(d, s) || dump_wrapped(d, s))
		return;
	if (dump_damaged(d, s)) {
		sample_add(&d->cur->t, s, d->line);
		d->in_nodes = 1;
		return;
	}
	if (!other_line(d, s) && !question(d, s))
		d->in_nodes = 0;
}

/* Text found inside something else: all of it counts as one line. */
void
dump_feed(struct dump *d, struct span s)
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

/* In this order: the next line of a sample equal to the one before
 * (dump-sample.h), a fast header, or it is looked at closely. */
void
dump_line(struct dump *d, struct span s)
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
	while (s.n > 0 && s.p[s.n - 1] == ' ' && s.n < DUMP_WRAP_MIN)
		s.n--;
	slow_line(d, s);
	d->wrap = d->in_nodes ? s.n : 0;
}

static void
check_bad(void *arg, size_t line, const char *reason)
{
	dump_problem(arg, (int64_t)line, "malformed", reason);
}

struct dump *
dump_open(const struct decode_ctx *ctx, const char *name, int part, struct sink *sink,
    struct err *e)
{
	struct dump	*d = mem_zero(1, sizeof *d);

	d->answer_us = OBS_NO_NUM;
	d->c.sink = sink;
	d->c.e = e;
	d->c.part = part;
	d->c.name = name;
	d->c.name_at = OBS_NO_TIME;
	d->c.mtime = ctx->mtime;
	stamp_clock_init(&d->clock, ctx);
	d->json = json_open();
	asked_init(&d->asked);
	cluster_info_reset(&d->info);
	check_reset(&d->check);
	d->check.topology.bad = check_bad;
	d->check.topology.bad_arg = d;
	dump_choose_track(d, span_make(NULL, 0));
	return (d);
}

void
dump_end(struct dump *d)
{
	size_t	 i;

	dump_base64_end(d);
	d->ended = d->c.asker == NULL;
	/* The last question has none behind it: as long as the one before. */
	if (d->answer_us != OBS_NO_NUM && d->asked.at != OBS_NO_TIME)
		asked_until(&d->asked, d->asked.at + d->answer_us);
	dump_blocks_end(d);
	dump_first_end(d, 0);
	for (i = 0; i < d->ntracks; i++)
		sample_flush(&d->tracks[i].t, &d->c);
}

void
dump_free(struct dump *d)
{
	size_t	 i;

	if (d == NULL)
		return;
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
