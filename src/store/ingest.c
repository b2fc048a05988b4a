#include "store/ingest.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/spans.h"
#include "store/edit.h"
#include "store/inside.h"
#include "store/log-rules.h"
#include "store/rotation.h"
#include "store/same.h"
#include "store/stem.h"
#include "store/twin.h"

/* A capture that waits for the other files of its set. */
struct waiting {
	struct input	*in;
	struct buf	 key;
	int64_t		 first_at;
	const struct format *format;
	struct same	 same;
};

struct run {
	struct visit	 visit;		/* first */
	struct store	*store;
	const struct ingest_opts *opts;
	struct ingest_result *result;
	int64_t		 before;	/* the last source of earlier commands */
	struct stems	*stems;
	struct waiting	*waiting;
	size_t		 nwaiting;
};

void
ingest_opts_init(struct ingest_opts *o)
{
	struct walk_limits	 limits = WALK_LIMITS;

	memset(o, 0, sizeof *o);
	o->ctx.zone_s = OBS_NO_NUM;
	o->ctx.mtime = OBS_NO_TIME;
	o->limits = limits;
}

int
ingest_zone(const char *s, struct decode_ctx *ctx, struct err *e)
{
	int	 h, m = 0, n = 0;
	char	 sign;

	if (strcmp(s, "Z") == 0 || strcmp(s, "UTC") == 0) {
		ctx->zone_s = 0;
		return (0);
	}
	if ((sscanf(s, "%c%2d:%2d%n", &sign, &h, &m, &n) == 3 ||
	    sscanf(s, "%c%2d%2d%n", &sign, &h, &m, &n) == 3 ||
	    sscanf(s, "%c%2d%n", &sign, &h, &n) == 2) && s[n] == '\0' &&
	    (sign == '+' || sign == '-') && h >= 0 && h <= 14 && m >= 0 &&
	    m < 60) {
		ctx->zone_s = (sign == '-' ? -1 : 1) * (h * 3600 + m * 60);
		return (0);
	}
	if ((ctx->zone = zone_find(span_of(s))) != NULL)
		return (0);
	return (err_set(e, "zone %s: neither an offset from UTC such as +05:30, -08 or Z,"
	    " nor a zone that this machine knows, such as Europe/Berlin", s));
}

static void
note(struct run *r, const char *name, const char *kind, const char *status,
    int64_t records)
{
	if (r->opts->note != NULL)
		r->opts->note(r->opts->arg, name, kind, status, records, NULL);
}

/* That a source is a copy, and of what: of answers of several nodes that are the
 * same bytes, of the one that is called alike. */
static int
note_copy(struct run *r, const char *name, const char *hex, int64_t bytes, struct err *e)
{
	const char	*base = strrchr(name, '/');
	sqlite3_stmt	*st;
	int		 got;

	if (r->opts->note == NULL)
		return (0);
	if (sqlite3_prepare_v2(store_db(r->store), "SELECT name FROM (SELECT name, source_id"
	    " FROM source WHERE incident=?1 AND xxh3=?2 AND bytes=?3 AND status<>'duplicate'"
	    " UNION ALL SELECT s.name, s.source_id FROM source_prefix p JOIN source s USING"
	    " (source_id) WHERE s.incident=?1 AND p.xxh3=?2 AND p.bytes=?3) ORDER BY name<>?4,"
	    " substr(name,-length(?5))<>?5, source_id LIMIT 1", -1, &st, NULL) != SQLITE_OK)
		return (store_fail(r->store, NULL, e));
	bind_text(r->store, st, 1, span_of(r->opts->incident), 0);
	bind_word(st, 2, hex);
	sqlite3_bind_int64(st, 3, bytes);
	bind_text(r->store, st, 4, span_of(name), 0);
	bind_text(r->store, st, 5, span_of(base != NULL ? base + 1 : name), 0);
	got = sqlite3_step(st);
	if (got == SQLITE_ROW || got == SQLITE_DONE)
		r->opts->note(r->opts->arg, name, "unknown", "duplicate", 0,
		    got == SQLITE_ROW ? (const char *)sqlite3_column_text(st, 0) : NULL);
	sqlite3_finalize(st);
	return (got == SQLITE_ROW || got == SQLITE_DONE ? 0 : store_fail(r->store, NULL, e));
}

/* The source with this content, 0 or -1. */
static int64_t
known(struct run *r, const char *hex, int64_t bytes, struct err *e)
{
	return (store_ask(r->store, "SELECT source_id FROM source WHERE incident=?1"
	    " AND xxh3=?3 AND bytes=?4 AND status<>'duplicate'",
	    r->opts->incident, NULL, hex, bytes, e));
}

/* A row for something that was not read, in place of an older one.  longer: the
 * source that has it as its beginning, 0 none. */
static int
put_unread(struct run *r, const char *name, const char *status, const char *hex,
    int64_t bytes, int64_t longer, const char *code, const char *reason,
    struct err *e)
{
	struct store	*s = r->store;
	struct source	 src = { name, "unknown", status, bytes, hex, NULL,
	    OBS_NO_TIME, 0, NULL };
	struct locus	 where = { 0, 0, OBS_NO_NUM };

	if (store_begin(s, r->opts->incident, e) != 0)
		return (-1);
	if (store_ask(s, "DELETE FROM source WHERE incident=?1 AND name=?2 AND"
	    " status IN ('skipped','duplicate','failed') AND (xxh3 IS NULL OR"
	    " xxh3=?3)", r->opts->incident, name, hex, OBS_NO_NUM, e) < 0 ||
	    store_ask(s, "DELETE FROM problem WHERE source_id NOT IN"
	    " (SELECT source_id FROM source)", NULL, NULL, NULL, OBS_NO_NUM,
	    e) < 0 ||
	    store_source(s, name, "unknown", OBS_NO_TIME, e) < 0 ||
	    (code != NULL && sink_problem(store_sink(s), &where, code, e, "%s",
	    reason) != 0) ||
	    (longer != 0 && edit_prefix(s, longer, hex, bytes, e) != 0) ||
	    store_source_done(s, 0, &src, e) != 0 || store_commit(s, e) != 0) {
		store_rollback(s);
		return (-1);
	}
	if (strcmp(status, "duplicate") == 0)
		return (note_copy(r, name, hex, bytes, e));
	note(r, name, "unknown", status, 0);
	return (0);
}

static int
problem(struct visit *v, const char *name, const char *code, const char *reason,
    struct err *e)
{
	struct run	*r = (struct run *)v;
	int		 harmless = strcmp(code, "link") == 0 ||
	    strcmp(code, "unsupported") == 0 || strcmp(code, "name") == 0;

	r->result->damaged += !harmless;
	r->result->named_bad += v->named;
	return (put_unread(r, name, harmless ? "skipped" : "failed", NULL, 0, 0,
	    code, reason, e));
}

static int
put_duplicate(struct run *r, const char *name, const char *hex, int64_t bytes,
    int64_t longer, struct err *e)
{
	int64_t	 same;

	r->result->sources++;
	same = store_ask(r->store, "SELECT 1 FROM source s WHERE incident=?1 AND"
	    " name=?2 AND (xxh3=?3 AND bytes=?4 OR EXISTS (SELECT 1 FROM"
	    " source_prefix p WHERE p.source_id=s.source_id AND p.xxh3=?3 AND"
	    " p.bytes=?4))", r->opts->incident, name, hex, bytes, e);
	if (same < 0)
		return (-1);
	if (same == 1)			/* the very same, or as it was once */
		return (note_copy(r, name, hex, bytes, e));
	return (put_unread(r, name, "duplicate", hex, bytes, longer, NULL, NULL,
	    e));
}

static int
put_same(struct run *r, struct input *in, const struct same *same, struct err *e)
{
	return (put_duplicate(r, input_name(in), same->hex, same->bytes,
	    same->longer ? same->known : 0, e));
}

/* Read what the decoder left, so that length and hash are of the whole. */
static int
drain(struct input *in, struct err *e)
{
	char	*block = mem_alloc(INPUT_PEEK);
	ssize_t	 n;
	int	 r;

	do {
		while ((n = input_read(in, block, INPUT_PEEK, e)) > 0)
			;
		r = input_next_part(in, e);
	} while (r > 0);
	free(block);
	return (n < 0 || r < 0 ? -1 : 0);
}

/* The problem of a source that could not be read to its end. */
static int
put_broken(struct store *s, struct input *in, const struct err *why,
    struct err *e)
{
	struct locus	 where = { input_part(in), 0, input_offset(in) };
	char		 text[700];

	err_text(why, text, sizeof text);
	return (sink_problem(store_sink(s), &where, "truncated", e, "%s",
	    text));
}

/* A log inside of a file that was read. */
struct inner {
	char		*name;
	const char	*kind, *status;
	int64_t		 records;
};

struct set {
	struct input	*in;
	const struct format *format;
	char		 (*heads)[33];
	const struct same **same;	/* of each: what it replaces */
	char		 **names;
	int64_t		*mtimes;
	const char	**status;	/* of each, when it is done */
	struct inner	*inner;
	size_t		 ninner;
	int		 n;
	struct decode_ctx ctx;
	int		 broken;
	int		 twin;		/* content that is known, of another node */
};

/* Complete the rows of the logs that stand in the first file: its content is what
 * they are known by, too. */
static int
finish_inner(struct run *r, struct set *set, struct err *e)
{
	struct source	 src;
	struct inner	*x;
	char		 hex[33];
	int		 i;

	input_digest(set->in, 0, hex, &src.bytes);
	src.xxh3 = hex;
	src.head = set->heads[0];
	for (i = set->n; store_inside(r->store, i, &src); i++) {
		if (set->broken)
			src.status = "partial";
		set->inner = mem_more(set->inner, set->ninner, sizeof *set->inner);
		x = &set->inner[set->ninner++];
		x->name = mem_str(src.name);
		x->kind = src.kind;
		x->status = src.status;
		x->records = src.records;
		if (store_source_done(r->store, i, &src, e) != 0)
			return (-1);
	}
	return (0);
}

/* Complete the rows of all parts.  1 if all of them were known before. */
static int
finish_set(struct run *r, struct set *set, struct err *e)
{
	struct source	 src;
	char		 hex[33];
	int64_t		 bytes, same;
	int		 i, known_parts = 0;

	for (i = 0; i < set->n; i++) {
		input_digest(set->in, i, hex, &bytes);
		if ((same = known(r, hex, bytes, e)) < 0)
			return (-1);
		known_parts += same > 0;
		src.name = set->names[i];
		src.kind = set->format->name;
		src.bytes = bytes;
		src.xxh3 = hex;
		src.head = set->heads[i];
		src.mtime = set->mtimes[i];
		src.records = i == 0 ? set->ctx.records : 0;
		src.detail = i == 0 && set->ctx.detail[0] != '\0' ?
		    set->ctx.detail : NULL;
		src.status = "read";
		if (set->broken || store_damage(r->store, i) > 0)
			src.status = "partial";
		if (set->broken && set->ctx.records == 0)
			src.status = "failed";
		if (store_source_done(r->store, i, &src, e) != 0)
			return (-1);
		set->status[i] = src.status;
	}
	if (finish_inner(r, set, e) != 0)
		return (-1);
	return (known_parts == set->n && !set->twin);
}

/* New rows of `source`; what they were read as before, shorter or in a shorter
 * set, and what was only told of them, goes.  1 if something was replaced. */
static int
open_set(struct run *r, struct set *set, struct err *e)
{
	const struct same	*same;
	int64_t			 id;
	size_t			 k;
	int			 i, replaced = 0;

	for (i = 0; i < set->n; i++) {
		if ((id = store_source(r->store, set->names[i],
		    set->format->name, set->mtimes[i], e)) < 0 ||
		    edit_unread(r->store, r->opts->incident, set->names[i],
		    r->before, e) != 0)
			return (-1);
		same = set->same[i];
		if (same->known != 0 && ++replaced > 0 &&
		    edit_replace(r->store, r->opts->incident, id,
		    set->names[i], same->hex, same->bytes, 1, e) != 0)
			return (-1);
		for (k = 0; k < same->ngrown; k++)
			if (++replaced > 0 && edit_replace(r->store,
			    r->opts->incident, id, set->names[i],
			    same->grown[k].hex, same->grown[k].bytes, 0, e) != 0)
				return (-1);
	}
	if (replaced > 0 && edit_replaced(r->store, r->before, e) != 0)
		return (-1);
	return (replaced > 0);
}

/* Inside the transaction.  0 read, 1 known before, -1 the timeline failed. */
static int
decode_set(struct run *r, struct set *set, struct err *e)
{
	struct store	*s = r->store;
	struct spans	*spans;
	struct err	 why = ERR_INIT;
	int		 bad, got, replaced = open_set(r, set, e);

	if (replaced < 0)
		return (-1);
	spans = spans_open(store_sink(s));
	input_hash(set->in);
	bad = set->format->decode(set->in, &set->ctx, spans_sink(spans),
	    &why) != 0;
	if (!store_failed(s) && !bad)
		bad = drain(set->in, &why) != 0;
	if (!store_failed(s) && spans_sink(spans)->end(spans_sink(spans),
	    &why) == 0 && bad) {
		set->broken = 1;
		put_broken(s, set->in, &why, &why);
	}
	spans_close(spans);
	if (store_failed(s)) {
		*e = why;
		return (-1);
	}
	if (set->broken)
		drain(set->in, &why);
	got = finish_set(r, set, e);
	if (got == 0 && replaced && edit_names(s, e) != 0)
		return (-1);
	return (got);
}

static int
read_again(struct run *r, struct set *set, struct err *e)
{
	char	 hex[33];
	int64_t	 bytes;
	int	 i;

	for (i = 0; i < set->n; i++) {
		input_digest(set->in, i, hex, &bytes);
		if (put_duplicate(r, set->names[i], hex, bytes, 0, e) != 0)
			return (-1);
	}
	return (0);
}

/* What the observer is called, unless the user says it: before what the source
 * replaces is gone. */
static int
name_observer(struct run *r, struct set *set, struct buf *name, struct err *e)
{
	const struct same	*same = set->same[0];
	struct content		 whole;
	int			 known = same->known != 0;

	if (set->ctx.observer != NULL)
		return (0);
	memcpy(whole.hex, same->hex, sizeof whole.hex);
	whole.bytes = same->bytes;
	if (stems_name(r->stems, set->format, set->names[0], known ? &whole : same->grown,
	    known ? 1 : same->ngrown, name, e) != 0)
		return (-1);
	if (name->n > 0)
		set->ctx.observer = name->p;
	return (0);
}

/* Read an input, or a rotated set, in one transaction. */
static int
read_set(struct run *r, struct set *set, struct err *e)
{
	struct buf	 name = { 0 };
	size_t		 k;
	int		 i, got;

	set->ctx = r->opts->ctx;
	if (set->format->by_rules && (set->ctx.rules = log_rules(r->store, e)) == NULL)
		return (-1);
	set->ctx.mtime = set->mtimes[0];
	set->ctx.records = 0;
	set->ctx.detail[0] = '\0';
	if (name_observer(r, set, &name, e) != 0 ||
	    store_begin(r->store, r->opts->incident, e) != 0) {
		buf_free(&name);
		return (-1);
	}
	got = decode_set(r, set, e);
	buf_free(&name);
	set->ctx.observer = r->opts->ctx.observer;
	if (got != 0) {
		store_rollback(r->store);
		return (got < 0 ? err_add(e, "%s", set->names[0]) :
		    read_again(r, set, e));
	}
	if (store_commit(r->store, e) != 0)
		return (-1);
	for (i = 0; i < set->n; i++) {
		r->result->sources++;
		r->result->damaged += strcmp(set->status[i], "read") != 0;
		note(r, set->names[i], set->format->name, set->status[i],
		    i == 0 ? set->ctx.records : 0);
	}
	for (k = 0; k < set->ninner; k++)
		note(r, set->inner[k].name, set->inner[k].kind, set->inner[k].status,
		    set->inner[k].records);
	return (0);
}

static void
set_init(struct set *set, const struct format *f, int n)
{
	size_t	 k = (size_t)n;

	memset(set, 0, sizeof *set);
	set->format = f;
	set->n = n;
	set->heads = mem_zero(k, sizeof *set->heads);
	set->same = mem_zero(k, sizeof *set->same);
	set->names = mem_zero(k, sizeof *set->names);
	set->mtimes = mem_zero(k, sizeof *set->mtimes);
	set->status = mem_zero(k, sizeof *set->status);
}

/* What is noted of a part before it is read. */
static void
set_part(struct set *set, int i, struct input *in, const struct same *same)
{
	same_head(input_peek(in, INPUT_PEEK), set->heads[i]);
	set->same[i] = same;
	set->names[i] = mem_str(input_name(in));
	set->mtimes[i] = input_mtime(in);
}

static void
set_done(struct set *set)
{
	size_t	 k;
	int	 i;

	for (i = 0; i < set->n; i++)
		free(set->names[i]);
	for (k = 0; k < set->ninner; k++)
		free(set->inner[k].name);
	free(set->inner);
	free(set->heads);
	free(set->same);
	free(set->names);
	free(set->mtimes);
	free(set->status);
}

static int
read_one(struct run *r, struct input *in, const struct format *f,
    const struct same *same, int twin, struct err *e)
{
	struct set	 set;
	int		 got;

	set_init(&set, f, 1);
	set_part(&set, 0, in, same);
	set.in = in;
	set.twin = twin;
	got = read_set(r, &set, e);
	set_done(&set);
	return (got);
}

static int
unkept(struct run *r, const char *name, const struct err *why, struct err *e)
{
	char	 text[700];

	err_text(why, text, sizeof text);
	return (problem(&r->visit, name, "archive", text, e));
}

/* Takes over what it is given: an input that is kept. */
static void
hold_back(struct run *r, struct input *kept, const struct format *f,
    const struct same *same)
{
	struct waiting	*w;

	r->waiting = mem_more(r->waiting, r->nwaiting, sizeof *w);
	w = &r->waiting[r->nwaiting++];
	memset(w, 0, sizeof *w);
	w->in = kept;
	w->format = f;
	w->first_at = f->first_at(input_peek(kept, INPUT_PEEK));
	w->same = *same;
	rotation_key(&w->key, input_name(kept));
}

static int
unrecognised(struct run *r, struct input *in, struct err *e)
{
	int		 empty = input_peek(in, 1).n == 0;
	int		 open_end = input_is_pipe(in) && !empty;
	int64_t		 bytes = open_end ? (int64_t)input_peek(in, INPUT_PEEK).n :
	    input_length(in);
	struct err	 why = ERR_INIT;
	char		 text[700];

	if (bytes < 0 || empty) {	/* packed, or damaged: reading tells */
		if (drain(in, &why) != 0) {
			err_text(&why, text, sizeof text);
			return (problem(&r->visit, input_name(in),
			    r->visit.budget.spent ? "limit" : "truncated", text,
			    e));
		}
		bytes = input_offset(in);
	}
	r->result->unrecognised++;
	r->result->named_bad += r->visit.named;
	return (put_unread(r, input_name(in), "skipped", NULL, bytes, 0,
	    empty ? "empty" : "unrecognised", empty ? "is empty" : open_end ?
	    "is none of the formats that are read, as far as its beginning tells" :
	    "is none of the formats that are read", e));
}

/* A known content is a copy, unless it is the answer of another node. */
static int
put_same_or_twin(struct run *r, struct input *in, const struct format *f,
    const struct same *same, struct err *e)
{
	struct content		 whole;
	struct same		 none;
	int			 twin = 0;

	memcpy(whole.hex, same->hex, sizeof whole.hex);
	whole.bytes = same->bytes;
	memset(&none, 0, sizeof none);
	if (f == &format_topology_dump && !same->longer && (twin = twin_is(r->store,
	    r->opts->incident, &whole, input_name(in), e)) < 0)
		return (-1);
	return (twin ? read_one(r, in, f, &none, 1, e) : put_same(r, in, same, e));
}

/* Captures wait for the others of their set; the rest is read as it comes. */
static int
recognised(struct run *r, struct input *in, const struct format *f,
    struct err *e)
{
	struct input	*use = in;
	struct same	 same;
	struct err	 why = ERR_INIT;
	int		 got;

	got = same_find(r->store, &r->visit, r->opts->incident, &use, &same,
	    &why, e);
	if (got == 0 && f->first_at != NULL) {
		if (use != in || (use = input_keep(&r->visit, in, &why)) != NULL) {
			hold_back(r, use, f, &same);
			return (0);
		}
		same_done(&same);
		return (unkept(r, input_name(in), &why, e));
	}
	if (got > 0)
		got = unkept(r, input_name(in), &why, e);
	else if (got == 0 && same.known != 0)
		got = put_same_or_twin(r, use, f, &same, e);
	else if (got == 0)
		got = read_one(r, use, f, &same, 0, e);
	same_done(&same);
	if (use != in)
		input_close(use);
	return (got);
}

static int
member(struct visit *v, struct input *in, struct err *e)
{
	struct run		*r = (struct run *)v;
	const struct format	*f = r->opts->as, *rival = NULL;
	struct span		 p = input_peek(in, INPUT_PEEK);
	char			 why[160];

	if (f == NULL && p.n > 0)
		f = format_choose(p, input_name(in), &rival, why, sizeof why);
	if (f == NULL || p.n == 0)
		return (unrecognised(r, in, e));
	return (recognised(r, in, f, e));
}

static int
by_set(const void *pa, const void *pb)
{
	const struct waiting	*a = pa, *b = pb;
	size_t			 n = a->key.n < b->key.n ? a->key.n : b->key.n;
	int			 c = memcmp(a->key.p, b->key.p, n);

	if (c == 0 && a->key.n != b->key.n)
		c = a->key.n < b->key.n ? -1 : 1;
	if (c == 0 && a->first_at != b->first_at)
		c = a->first_at < b->first_at ? -1 : 1;
	return (c != 0 ? c : strcmp(input_name(a->in), input_name(b->in)));
}

/* Is this content what some part of the set was, or began with? */
static int
in_set(const struct waiting *w, int n, const char *hex, int64_t bytes)
{
	size_t	 k;
	int	 i;

	for (i = 0; i < n; i++) {
		if (w[i].same.known != 0 && !w[i].same.longer &&
		    w[i].same.bytes == bytes &&
		    strcmp(w[i].same.hex, hex) == 0)
			return (1);
		for (k = 0; k < w[i].same.ngrown; k++)
			if (w[i].same.grown[k].bytes == bytes &&
			    strcmp(w[i].same.grown[k].hex, hex) == 0)
				return (1);
	}
	return (0);
}

/* Are all sources that were read together with this one in the set?  Then
 * reading the set loses nothing of them.  -1 with e. */
static int
covered(struct run *r, const struct waiting *w, int n, const char *hex,
    int64_t bytes, struct err *e)
{
	sqlite3_stmt	*st;
	int		 got, all = 1;

	if (sqlite3_prepare_v2(store_db(r->store), "SELECT o.xxh3, o.bytes FROM"
	    " source s JOIN source o ON coalesce(o.group_id, o.source_id) ="
	    " coalesce(s.group_id, s.source_id) WHERE s.incident=?1 AND"
	    " s.xxh3=?2 AND s.bytes=?3 AND s.status<>'duplicate'", -1, &st,
	    NULL) != SQLITE_OK)
		return (store_fail(r->store, NULL, e));
	bind_text(r->store, st, 1, span_of(r->opts->incident), 0);
	bind_word(st, 2, hex);
	sqlite3_bind_int64(st, 3, bytes);
	while ((got = sqlite3_step(st)) == SQLITE_ROW)
		all &= in_set(w, n, (const char *)sqlite3_column_text(st, 0),
		    sqlite3_column_int64(st, 1));
	sqlite3_finalize(st);
	return (got != SQLITE_DONE ? store_fail(r->store, NULL, e) : all);
}

/* Which parts stay as they are in the timeline: all, if there is no other; else
 * those that were read together with files which are not given now.  Of such a
 * set nothing is replaced. */
static int
settle(struct run *r, struct waiting *w, int n, int *stays, struct err *e)
{
	struct same	*same;
	size_t		 k;
	int		 i, fresh = 0, got;

	for (i = 0; i < n; i++)
		fresh += w[i].same.known == 0;
	for (i = 0; i < n; i++) {
		same = &w[i].same;
		stays[i] = same->known != 0 && (fresh == 0 || same->longer);
		if (same->known != 0 && !stays[i]) {
			if ((got = covered(r, w, n, same->hex, same->bytes,
			    e)) < 0)
				return (-1);
			stays[i] = !got;
		}
		for (k = 0; k < same->ngrown; k++) {
			if ((got = covered(r, w, n, same->grown[k].hex,
			    same->grown[k].bytes, e)) < 0)
				return (-1);
			if (!got)
				same->grown[k--] = same->grown[--same->ngrown];
		}
	}
	return (0);
}

/* Captures last, each set whole and in the order of its packets. */
static int
read_waiting_set(struct run *r, struct waiting *w, int n, struct err *e)
{
	struct input	**parts = mem_zero((size_t)n, sizeof *parts);
	int		 *stays = mem_zero((size_t)n, sizeof *stays);
	struct set	 set;
	int		 i, got;

	set_init(&set, w->format, n);
	set.n = 0;
	got = settle(r, w, n, stays, e);
	for (i = 0; i < n && got == 0; i++) {
		if (stays[i]) {
			got = put_same(r, w[i].in, &w[i].same, e);
			continue;
		}
		set_part(&set, set.n, w[i].in, &w[i].same);
		parts[set.n++] = w[i].in;
		input_rewind(w[i].in, NULL);	/* a chain takes no peeks */
		w[i].in = NULL;
	}
	if (set.n > 0) {
		set.in = input_chain(parts, set.n);
		if (got == 0)
			got = read_set(r, &set, e);
		input_close(set.in);
	}
	set_done(&set);
	free(stays);
	free(parts);
	return (got);
}

static int
read_waiting(struct run *r, struct err *e)
{
	struct waiting	*w = r->waiting;
	size_t		 i, n;

	if (r->nwaiting > 0)
		qsort(w, r->nwaiting, sizeof *w, by_set);
	for (i = 0; i < r->nwaiting; i += n) {
		for (n = 1; i + n < r->nwaiting && w[i].key.n == w[i + n].key.n &&
		    memcmp(w[i].key.p, w[i + n].key.p, w[i].key.n) == 0; n++)
			;
		if (read_waiting_set(r, w + i, (int)n, e) != 0)
			return (-1);
	}
	return (0);
}

int
ingest(struct store *s, char *const *paths, int npaths,
    const struct ingest_opts *opts, struct ingest_result *result,
    struct err *e)
{
	struct run	 r;
	size_t		 k;
	int		 i, got = 0;

	memset(&r, 0, sizeof r);
	if ((r.before = store_ask(s, "SELECT max(source_id) FROM source", NULL,
	    NULL, NULL, OBS_NO_NUM, e)) < 0)
		return (-1);
	visit_init(&r.visit);
	r.visit.budget.limits = opts->limits;
	r.visit.member = member;
	r.visit.problem = problem;
	r.visit.except = store_path(s);
	r.store = s;
	r.opts = opts;
	r.result = result;
	r.stems = stems_open(s, opts->incident);
	for (i = 0; i < npaths && got == 0; i++)
		got = walk_path(&r.visit, paths[i], e);
	if (got == 0)
		got = read_waiting(&r, e);
	for (k = 0; k < r.nwaiting; k++) {
		input_close(r.waiting[k].in);
		same_done(&r.waiting[k].same);
		buf_free(&r.waiting[k].key);
	}
	free(r.waiting);
	stems_close(r.stems);
	visit_done(&r.visit);
	return (got);
}

static int
batch_entry(struct store *s, char *path, const char *name,
    const struct ingest_opts *opts, struct ingest_result *result, struct err *e)
{
	struct ingest_opts	 own = *opts;

	own.incident = name;
	return (ingest(s, &path, 1, &own, result, e));
}

/* Each entry of a folder that is an incident's own. */
static int
batch_folder(struct store *s, const char *path, char **names, size_t n,
    const struct ingest_opts *opts, struct ingest_result *result, struct err *e)
{
	struct buf	 child = { 0 };
	size_t		 i;
	int		 r = 0;

	for (i = 0; i < n && r == 0; i++) {
		child.n = 0;
		buf_fmt(&child, "%s/%s", path, names[i]);
		buf_cstr(&child);
		r = batch_entry(s, child.p, names[i], opts, result, e);
	}
	buf_free(&child);
	return (r);
}

int
ingest_batch(struct store *s, char *const *paths, int npaths,
    const struct ingest_opts *opts, struct ingest_result *result, struct err *e)
{
	const char	*base;
	char		**names;
	size_t		 n, k;
	int		 i, r = 0;

	for (i = 0; i < npaths && r == 0; i++) {
		if ((names = walk_names(paths[i], &n)) == NULL) {
			base = strrchr(paths[i], '/');
			r = batch_entry(s, paths[i], base != NULL ? base + 1 :
			    paths[i], opts, result, e);
			continue;
		}
		r = batch_folder(s, paths[i], names, n, opts, result, e);
		for (k = 0; k < n; k++)
			free(names[k]);
		free(names);
	}
	return (r);
}
