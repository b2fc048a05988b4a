#include "text/record-part.h"

#include <stdlib.h>

#include "base/mem.h"

#ifndef BLOCK_BYTES
#define BLOCK_BYTES	(256 * 1024)	/* fuzzers set less, to meet ends of blocks */
#endif

enum {
	READ_BYTES = BLOCK_BYTES,
	LINE_MAX_BYTES = 1024 * 1024,	/* a longer line is cut */
	LINE_KEEP_BYTES = 64 * 1024,	/* to this */
	BACK_LINES = 400,		/* how far a record's first line is looked for */
	BACK_BYTES = 64 * 1024,
	JOIN_LINES = 2000,		/* how many lines one record may have */
	JOIN_BYTES = 256 * 1024,
	SKIP_LINES = 64,		/* of other streams between two lines of a record */
	/* Lines of records that others interrupt, behind the one at hand: past it
	 * one may be a record of its own, too. */
	TAKEN_MAX = 4096
};

struct records *
records_open(struct input *in, const struct decode_ctx *ctx, struct sink *sink,
    record_filter filter, const void *arg)
{
	struct records	*r = mem_zero(1, sizeof *r);

	r->in = in;
	r->sink = sink;
	r->filter = filter;
	r->arg = arg;
	stamp_clock_init(&r->clock, ctx);
	r->json = json_open();
	r->taken = mem_zero(TAKEN_MAX, sizeof *r->taken);
	r->line = 1;
	return (r);
}

void
records_close(struct records *r)
{
	if (r == NULL)
		return;
	json_close(r->json);
	arena_free(&r->arena);
	buf_free(&r->block);
	buf_free(&r->raw);
	buf_free(&r->text);
	buf_free(&r->flat);
	buf_free(&r->scratch);
	table_clear(&r->streams);
	pod_clear(&r->pods);
	free(r->taken);
	free(r);
}

size_t
record_line_end(const struct records *r, size_t at)
{
	const char	*p = memchr(r->block.p + at, '\n', r->whole - at);

	return (p != NULL ? (size_t)(p - r->block.p) + 1 : r->whole);
}

/* The start of the line before the one at at. */
size_t
record_line_before(const struct records *r, size_t at)
{
	const char	*p;

	if (at < 2)
		return (0);
	p = memrchr(r->block.p, '\n', at - 1);
	return (p != NULL ? (size_t)(p - r->block.p) + 1 : 0);
}

/* LANES bytes side by side, each counted by itself; 255 rounds fill a count. */
enum { LANES = 32, ROUNDS = 252 };
typedef unsigned char	 lanes __attribute__((vector_size(LANES)));

static inline __attribute__((always_inline)) int64_t
count(const char *p, size_t n)
{
	const char	*end = p + n, *until;
	int64_t		 lines = 0;
	lanes		 v, each;
	int		 i;

	for (; (n = (size_t)(end - p)) >= LANES; p = until) {
		each = (lanes){ 0 };
		until = p + (n < LANES * ROUNDS ? n - n % LANES : LANES * ROUNDS);
#pragma GCC unroll 4
		for (; p < until; p += LANES) {
			memcpy(&v, p, sizeof v);
			each -= (lanes)(v == '\n');
		}
		for (i = 0; i < LANES; i++)
			lines += each[i];
	}
	for (; p < end; p++)
		lines += *p == '\n';
	return (lines);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static int64_t
count_wide(const char *p, size_t n)
{
	return (count(p, n));
}
#endif

static int64_t
count_newlines(const char *p, size_t n)
{
#if defined(__x86_64__) && defined(__GNUC__)
	if (__builtin_cpu_supports("avx2"))
		return (count_wide(p, n));
#endif
	return (count(p, n));
}

/* Where records were printed over several lines, those inside them as well. */
static int64_t
count_lines(const struct records *r, const char *p, size_t n)
{
	int64_t	 lines = count_newlines(p, n);

	for (; r->json_lines.on && n > 0; n--, p++)
		lines += *p == '\r';
	return (lines);
}

/* The number of the line at at. */
static int64_t
line_number(struct records *r, size_t at)
{
	if (at == r->counted)		/* of an empty source there is no block */
		return (r->line);
	if (at > r->counted)
		r->line += count_lines(r, r->block.p + r->counted, at - r->counted);
	else
		r->line -= count_lines(r, r->block.p + at, r->counted - at);
	r->counted = at;
	return (r->line);
}

static struct locus
locus_at(struct records *r, size_t at)
{
	struct locus	 l;

	l.part = input_part(r->in);
	l.position = line_number(r, at);
	l.offset = r->encoding == CLEAN_UTF8 ? r->base + (int64_t)at : OBS_NO_NUM;
	return (l);
}

void
record_read_line(struct records *r, size_t at, struct line *l)
{
	struct span	 s, pod;

	l->at = at;
	l->end = record_line_end(r, at);
	s = span_make(r->block.p + at, l->end - at);
	if (s.n > 0 && s.p[s.n - 1] == '\n')
		s.n--;
	r->scratch.n = 0;
	s = clean_line(s, &r->scratch);
	if (s.n > 0 && s.p == r->scratch.p)
		s = arena_copy(&r->arena, s);
	for (; r->json_lines.on && s.n > 0 && *s.p == ' '; s.p++)
		s.n--;
	envelope_undo(pod_undo(&r->pods, s, &pod), r->json, &r->arena, &l->e);
	if (pod.n > 0 && l->e.app.p == NULL) {
		l->e.app = arena_copy(&r->arena, pod);
		l->e.undone++;
	}
	r->scratch.n = 0;
	s = clean_line(l->e.text, &r->scratch);
	if (s.n > 0 && s.p == r->scratch.p)
		s = arena_copy(&r->arena, s);
	if (l->e.undone > 0) {
		r->scratch.n = 0;
		s = clean_octal(s, &r->scratch);
		if (s.n > 0 && s.p == r->scratch.p)
			s = arena_copy(&r->arena, s);
	}
	l->text = s;
	if (r->export_form) {
		l->flags = 0;
		l->class = s.n >= 9 && memcmp(s.p, "__CURSOR=", 9) == 0 ?
		    HEAD_BEGINS : HEAD_CONTINUES;
		return;
	}
	l->class = head_classify(s, &l->flags);
	if (r->json_lines.on && l->e.undone == 0 && s.n > 0 && s.p[0] == '{')
		l->class = HEAD_BEGINS;	/* whatever stands behind the bracket */
}

int
record_same_stream(const struct envelope *a, const struct envelope *b)
{
	return (span_eq(a->stream, b->stream) && span_eq(a->app, b->app) &&
	    span_eq(a->host, b->host) && span_eq(a->pid, b->pid));
}

/* Lines are whole up to there. */
static void
set_whole(struct records *r, size_t n)
{
	if (r->have_bytes)
		json_lines_bytes(r->block.p + r->whole, n - r->whole);
	r->whole = n;
}

/* So many new bytes stand behind the block: to lines; a line without end is
 * cut. */
static int
add_bytes(struct records *r, size_t n, struct err *e)
{
	char		*p;
	const char	*nl;
	struct locus	 l;

	if (n == 0)
		return (0);
	p = r->block.p + r->block.n;
	if (r->json_lines.on)
		json_lines_edit(&r->json_lines, r->block.p, r->block.n, n, r->base);
	if (r->skipping) {
		nl = memchr(p, '\n', n);
		if (nl == NULL) {
			r->base += (int64_t)n;
			return (0);
		}
		r->base += nl - p;
		n -= (size_t)(nl - p);
		memmove(p, nl, n);
		r->skipping = 0;
	}
	r->block.n += n;
	nl = r->block.n > r->whole ?
	    memrchr(r->block.p + r->whole, '\n', r->block.n - r->whole) : NULL;
	if (nl != NULL)
		set_whole(r, (size_t)(nl - r->block.p) + 1);
	if (r->block.n - r->whole > LINE_MAX_BYTES) {
		l = locus_at(r, r->whole);
		r->base += (int64_t)(r->block.n - r->whole - LINE_KEEP_BYTES);
		r->block.n = r->whole + LINE_KEEP_BYTES;
		r->skipping = 1;
		return (sink_problem(r->sink, &l, "too-long", e,
		    "a line longer than %d bytes is cut to %d", LINE_MAX_BYTES,
		    LINE_KEEP_BYTES));
	}
	return (0);
}

static int
tell_encoding(struct records *r, struct err *e)
{
	struct locus	 l = locus_at(r, r->whole);

	return (sink_problem(r->sink, &l, "encoding", e, "not UTF-16 near this line"));
}

static int
decode_utf16(struct records *r, struct err *e)
{
	struct buf	 out = { NULL, 0, 0 };
	int64_t		 bad = r->bad;
	size_t		 used;
	int		 rc;

	used = clean_utf16(r->encoding, span_make(r->raw.p, r->raw.n), &out, &r->bad);
	buf_drop(&r->raw, used);
	buf_need(&r->block, out.n);
	if (out.n > 0)
		memcpy(r->block.p + r->block.n, out.p, out.n);
	rc = add_bytes(r, out.n, e);
	buf_free(&out);
	if (rc == 0 && bad == 0 && r->bad > 0)
		rc = tell_encoding(r, e);
	return (rc);
}

/* What is counted of the first lines: those that may begin a record, and those of
 * them that have a stamp. */
struct heads {
	size_t	 lines, stamped;
};

static int
are_stamped(const struct heads *h)
{
	return (h->stamped > 0 && h->stamped * 3 >= h->lines);
}

enum { STREAM_KEY = 256 };

/* What tells the streams of a source apart: key gets it, its length is returned. */
static size_t
stream_key(const struct envelope *e, char key[STREAM_KEY])
{
	size_t	 n = e->app.n < 128 ? e->app.n : 128, k = e->host.n < 127 ? e->host.n : 127;

	if (n > 0)
		memcpy(key, e->app.p, n);
	key[n++] = '\0';
	if (k > 0)
		memcpy(key + n, e->host.p, k);
	return (n + k);
}

/* Whether most of the first lines have a stamp: then a line without one joins
 * the record before it.  Where several streams stand in the source, each has its
 * own answer. */
static void
learn(struct records *r)
{
	struct line		 l;
	struct table_entry	*t;
	char			 key[STREAM_KEY];
	struct heads		 all = { 0, 0 }, *own;
	size_t			 at = 0, i;
	int			 counts, stamped, named = 0;

	r->export_form = r->whole >= 9 && memcmp(r->block.p, "__CURSOR=", 9) == 0;
	pod_learn(&r->pods, span_make(r->block.p, r->whole));
	for (; at < r->whole && (all.lines < 200 || named); at = l.end) {
		record_read_line(r, at, &l);
		arena_reset(&r->arena);
		counts = l.class != HEAD_CONTINUES && l.class != HEAD_EXCEPTION;
		stamped = counts && ((l.flags & HEAD_STAMPED) != 0 ||
		    (l.text.n > 0 && l.text.p[0] == '{'));
		if (all.lines < 200) {
			all.lines += (size_t)counts;
			all.stamped += (size_t)stamped;
		}
		if (l.e.app.n == 0)
			continue;
		named = 1;
		t = table_put(&r->streams, key, stream_key(&l.e, key));
		own = t->ptr = t->ptr != NULL ? t->ptr : mem_zero(1, sizeof *own);
		own->lines += (size_t)counts;
		own->stamped += (size_t)stamped;
	}
	r->stamped = are_stamped(&all);
	for (i = 0; i < r->streams.cap; i++) {
		if (r->streams.slot[i].key == NULL)
			continue;
		own = r->streams.slot[i].ptr;
		r->streams.slot[i].num = are_stamped(own);
		free(own);
		r->streams.slot[i].ptr = NULL;
	}
}

static int
is_stamped(struct records *r, const struct line *l)
{
	struct table_entry	*t = NULL;
	char			 key[STREAM_KEY];

	if (l->class == HEAD_OTHER && r->streams.used > 0)
		t = table_get(&r->streams, key, stream_key(&l->e, key));
	return (t != NULL ? (int)t->num : r->stamped);
}

/* What its first bytes say of how the source is to be read. */
static void
look_at_start(struct records *r)
{
	struct span	 head = input_peek(r->in, INPUT_PEEK);

	r->looked = 1;
	r->encoding = clean_encoding(head);
	r->scratch.n = 0;
	head = clean_prefix(head, &r->scratch);
	json_lines_begin(&r->json_lines, head);
	r->have_bytes = json_lines_have_bytes(head);
	if (r->json_lines.on && r->encoding == CLEAN_UTF8 && r->scratch.n == 0)
		r->json_lines.skip += head.p - input_peek(r->in, 1).p;
}

/* Whether the source is one answer of Loki, whose records are pairs of a time and
 * a line. */
static int
is_loki(struct span s)
{
	s.n = s.n < 512 ? s.n : 512;
	return (s.n > 0 && memmem(s.p, s.n, "\"resultType\"", 12) != NULL &&
	    memmem(s.p, s.n, "\"values\"", 8) != NULL);
}

/* An array whose end is missing. */
static int
tell_no_end(struct records *r, struct err *e)
{
	struct locus	 l = locus_at(r, r->whole);

	if (!r->json_lines.on || r->json_lines.ended || (r->json_lines.single && r->json_lines.depth == 0))
		return (0);
	return (sink_problem(r->sink, &l, "truncated", e, "the JSON ends before its last record does"));
}

static int
tell_loki(struct records *r, struct err *e)
{
	struct locus	 l = locus_at(r, 0);

	return (sink_problem(r->sink, &l, "no-time", e, "an answer of Loki, whose lines and times are"
	    " not told apart; write it with logcli --output=jsonl"));
}

/* Read more behind the block: 0, -1 the sink takes no more. */
static int
fill(struct records *r, struct err *e)
{
	struct span	 head;
	struct buf	*to;
	ssize_t		 n;
	int		 rc = 0;

	if (!r->looked)
		look_at_start(r);
	to = r->encoding == CLEAN_UTF8 ? &r->block : &r->raw;
	buf_need(to, READ_BYTES);
	n = input_read(r->in, to->p + to->n, READ_BYTES, e);
	if (n > 0 && to == &r->raw) {
		r->raw.n += (size_t)n;
		rc = decode_utf16(r, e);
	} else if (n > 0)
		rc = add_bytes(r, (size_t)n, e);
	else if (r->raw.n > 0 && r->bad++ == 0)	/* half a character at the end */
		rc = tell_encoding(r, e);
	if (rc != 0)
		return (-1);
	if (n <= 0) {
		r->ended = 1;
		r->failed = n < 0;	/* once what could be read is given */
		set_whole(r, r->block.n);	/* no newline at the end */
		if (n == 0 && tell_no_end(r, e) != 0)
			return (-1);
	}
	if (!r->started && (r->whole > 0 || r->ended)) {
		head = span_make(r->block.p, r->whole);
		r->started = 1;
		if (is_loki(head) && tell_loki(r, e) != 0)
			return (-1);
		if (head.n > 0)
			learn(r);
	}
	return (0);
}

/* Forget what lies before at. */
static void
drop(struct records *r, size_t at)
{
	size_t	 i, k = 0;

	if (at == 0)
		return;
	line_number(r, at);
	buf_drop(&r->block, at);
	r->counted = 0;
	r->base += (int64_t)at;
	r->whole -= at;
	r->done = r->done > at ? r->done - at : 0;
	r->scanned = r->scanned > at ? r->scanned - at : 0;
	for (i = 0; i < r->ntaken; i++)
		if (r->taken[i] >= at)
			r->taken[k++] = r->taken[i] - at;
	r->ntaken = k;
}

static int
is_taken(const struct records *r, size_t at)
{
	size_t	 i;

	for (i = 0; i < r->ntaken; i++)
		if (r->taken[i] == at)
			return (1);
	return (0);
}

/* The line of the same stream before one that is not blank: 0 there is none. */
static int
line_before(struct records *r, const struct line *l, struct line *before, int *blank)
{
	size_t	 at = l->at;
	int	 i, found = 0;

	for (i = 0; i < SKIP_LINES && at > 0; i++) {
		at = record_line_before(r, at);
		record_read_line(r, at, before);
		if (!record_same_stream(&before->e, &l->e))
			continue;
		found = 1;
		if (before->e.partial || before->flags != HEAD_BLANK)
			break;
		*blank = 1;
	}
	return (found);
}

/* Whether the line begins a record, looking at the line of its stream before
 * it. */
static int
line_begins(struct records *r, const struct line *l)
{
	struct line	 before, first;
	unsigned	 flags = 0;
	int		 blank = 0, unused = 0;

	if (l->class == HEAD_CONTINUES && (l->flags & HEAD_TRACE) == 0)
		return (0);
	if (line_before(r, l, &before, &blank)) {
		if (before.e.partial)
			return (0);
		flags = before.flags;
		if ((flags & HEAD_RAISED) != 0)
			flags = head_flags(line_before(r, &before, &first, &unused) ?
			    first.flags : 0, flags);
	}
	if (r->export_form)
		return (l->class == HEAD_BEGINS);
	if (blank)
		flags = head_flags(flags, HEAD_BLANK);
	return (head_begins(l->class, l->flags, flags, is_stamped(r, l)));
}

/* The first line of the record that the line at at belongs to. */
static void
record_start(struct records *r, size_t at, struct line *first)
{
	struct line	 l, b;
	size_t		 best = at, i;

	record_read_line(r, at, first);
	if (line_begins(r, first))
		return;
	l = *first;
	for (i = 0; i < BACK_LINES && at > 0 && at > r->done; i++) {
		at = record_line_before(r, at);
		if (at < r->done)
			break;
		if (is_taken(r, at))
			continue;
		record_read_line(r, at, &b);
		if (!record_same_stream(&b.e, &l.e))
			continue;
		best = at;
		if (line_begins(r, &b))
			break;
	}
	if (best != l.at)
		record_read_line(r, best, first);
}

/* Of what lies before done nobody asks again. */
static void
forget_taken(struct records *r)
{
	size_t	 i, k = 0;

	for (i = 0; i < r->ntaken; i++)
		if (r->taken[i] >= r->done)
			r->taken[k++] = r->taken[i];
	r->ntaken = k;
}

static void
take(struct records *r, const struct line *l)
{
	if (l->at == r->done)
		r->done = l->end;
	else if (r->ntaken < TAKEN_MAX)
		r->taken[r->ntaken++] = l->at;
}

static void
append(struct records *r, const struct line *l, int joined)
{
	if (joined && r->text.n > 0)
		buf_chr(&r->text, '\n');
	buf_add(&r->text, l->text.p, l->text.n);
}

/*
 * Join what belongs to the record whose first line is at at.  1 done; 0 the
 * record reaches the end of the block and more may come.
 */
static int
join(struct records *r, struct line *first, size_t *last)
{
	struct line	 l;
	size_t		 at, lines = 1, skipped = 0, first_taken = r->ntaken;
	size_t		 done = r->done;
	int		 partial, blank = 0;
	unsigned	 flags;

	r->text.n = 0;
	r->uncaught = r->too_long = 0;
	append(r, first, 0);
	take(r, first);
	*last = first->at;
	partial = first->e.partial;
	flags = first->flags;
	for (at = first->end; at < r->whole; at = l.end) {
		record_read_line(r, at, &l);
		if (!record_same_stream(&l.e, &first->e)) {
			if (++skipped > SKIP_LINES)
				break;
			continue;
		}
		skipped = 0;
		if (!partial && (r->export_form ? l.class == HEAD_BEGINS :
		    head_begins(l.class, l.flags, flags, is_stamped(r, &l))))
			break;
		if (lines++ >= JOIN_LINES || r->text.n > JOIN_BYTES) {
			r->too_long = 1;
			break;
		}
		append(r, &l, !partial);
		r->uncaught |= !partial && record_is_uncaught(&l, blank);
		blank = l.flags == HEAD_BLANK;
		take(r, &l);
		*last = l.at;
		partial = l.e.partial;
		flags = head_flags(flags, l.flags);
	}
	if (at >= r->whole && !r->ended) {
		r->ntaken = first_taken;
		r->done = done;
		return (0);
	}
	return (1);
}

static void
finish(struct records *r, struct record *rec, const struct line *first, size_t last)
{
	struct envelope	 e = first->e;
	struct stamp	 own;
	int64_t		 epoch;
	const char	*nl;

	memset(rec, 0, sizeof *rec);
	rec->where = locus_at(r, first->at);
	rec->last_position = line_number(r, last);
	rec->text = span_make(r->text.p, r->text.n);
	if (r->export_form) {
		envelope_export(rec->text, &e);
		rec->text = e.text;
	}
	if (rec->text.p == NULL)
		rec->text = span_make("", 0);
	nl = rec->text.n > 0 ? memchr(rec->text.p, '\n', rec->text.n) : NULL;
	rec->line = span_make(rec->text.p, nl != NULL ? (size_t)(nl - rec->text.p) : rec->text.n);
	rec->host = e.host;
	rec->app = e.app;
	rec->pid = e.pid;
	rec->wrapped = (e.app.p != NULL ? 1 : 0) | (e.host.p != NULL ? 2 : 0);
	r->flat.n = 0;
	head_parse(rec, r->json, &r->flat, &own, &epoch);
	if (r->too_long) {
		r->doubt = "a record of more than 2,000 lines or 256 KiB: the rest is not read";
		r->doubt_code = "too-long";
	}
	if (first->e.cut || (rec->json && json_cut(r->json))) {
		r->doubt = "JSON of more than 4096 members: the rest is not read";
		r->doubt_code = "limit";
	}
	record_set_times(r, rec, &e, &own, epoch);
	record_note_doubt(r, &own);
	record_note_doubt(r, &e.stamp);
}

/* The beginning of what must stay in the block: a trace may go on behind its
 * end, so the lines in which a record's first line is looked for, or the time
 * of one that has none. */
static size_t
keep_from(const struct records *r, size_t at)
{
	static const size_t	 back = BACK_BYTES + NEAR_BYTES;

	if (r->filter == NULL)
		return (r->done);
	return (at > back ? record_line_end(r, at - back) : 0);
}

/* The line of the next candidate: 1 found, 0 none in the block. */
static int
next_line(struct records *r, size_t *at)
{
	const char	*nl;
	size_t		 hit;

	if (r->filter == NULL) {
		while (r->done < r->whole && is_taken(r, r->done))
			r->done = record_line_end(r, r->done);
		*at = r->done;
		return (r->done < r->whole);
	}
	if (r->scanned < r->done)
		r->scanned = r->done;
	while (r->scanned < r->whole) {
		hit = r->filter(r->arg, r->block.p + r->scanned, r->whole - r->scanned);
		if (hit >= r->whole - r->scanned) {
			r->scanned = r->whole;
			return (0);
		}
		hit += r->scanned;
		nl = hit > 0 ? memrchr(r->block.p, '\n', hit) : NULL;
		*at = nl != NULL ? (size_t)(nl - r->block.p) + 1 : 0;
		if (!is_taken(r, *at)) {
			r->scanned = *at > r->scanned ? *at : r->scanned;
			return (1);
		}
		r->scanned = record_line_end(r, *at);
	}
	return (0);
}

int
records_next(struct records *r, struct record *rec, struct err *e)
{
	struct line	 first;
	size_t		 at, last, done, taken;
	int64_t		 behind;
	int		 undated;

	for (;;) {
		arena_reset(&r->arena);
		if (next_line(r, &at)) {
			if (r->filter != NULL)
				record_start(r, at, &first);
			else
				record_read_line(r, at, &first);
			at = first.at;
			if (at > r->done)
				r->done = at;
			if (r->ntaken > TAKEN_MAX / 2)
				forget_taken(r);
			done = r->done;
			taken = r->ntaken;
			undated = record_is_undated(r, &first);
			if (join(r, &first, &last) &&
			    (!(undated || r->uncaught) || record_time_behind(r, &first, last, &behind))) {
				r->doubt = NULL;
				finish(r, rec, &first, last);
				if (undated && rec->at == OBS_NO_TIME)
					record_between(r, rec, &first, behind);
				else if (r->uncaught)
					record_date_uncaught(rec, &first, behind);
				if (rec->at == OBS_NO_TIME)
					record_note_unread(r, rec);
				if (r->scanned < first.end)
					r->scanned = first.end;
				if (r->doubt != NULL && sink_problem(r->sink, &rec->where,
				    r->doubt_code, e, "%s", r->doubt) != 0)
					return (-1);
				return (1);
			}
			r->done = done;		/* not yet: more has to be seen */
			r->ntaken = taken;
			drop(r, r->filter != NULL ? keep_from(r, at) : at);
		} else if (!r->ended) {
			drop(r, keep_from(r, r->whole));
		} else {
			line_number(r, r->whole);
			return (r->failed ? -1 : 0);
		}
		if (fill(r, e) != 0)
			return (-1);
	}
}

int64_t
records_lines(const struct records *r)
{
	return (r->line - 1 + (r->whole > 0 && r->counted == r->whole &&
	    r->block.p[r->whole - 1] != '\n'));
}

void
record_obs(const struct record *r, enum obs_kind kind, struct obs *o)
{
	obs_init(o, kind);
	o->at = r->at;
	o->at_basis = r->at_basis;
	o->precision_us = r->precision_us;
	o->where = o->last_where = r->where;
	o->last_where.position = r->last_position;
}
