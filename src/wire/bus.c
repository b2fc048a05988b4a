#include "wire/bus.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "wire/bus-message.h"
#include "wire/bus-view.h"

enum {
	/* Bytes of unsound messages that may be looked at again for a signature:
	 * so many times the bytes read, and so many more. */
	AGAIN_FACTOR = 4, AGAIN_BYTES = 4 * BUS_KEEP_MAX_BYTES
};
_Static_assert((int)BUS_BEGUN_BYTES >= 8 * (int)BUS_KEEP_MAX_BYTES, "room for any one");

struct bus {
	struct sink	*sink;
	struct bus_views *views;
	size_t		 kept;		/* bytes that all flows keep */
};

/* A stretch that could not be read. */
struct loss {
	int		 open;		/* 0: none */
	int		 reported;	/* the caller reported it as a gap */
	const char	*code;
	struct stream_seen seen;	/* of its beginning */
	uint64_t	 bytes;
	struct bus_why	 why;
};

struct bus_flow {
	struct stream_reader reader;	/* first */
	struct bus	*bus;
	struct stream_ends ends;
	struct buf	 kept;		/* at most one message, not yet whole */
	struct stream_seen seen;	/* of the first byte kept */
	size_t		 need;		/* bytes before the next look pays */
	uint64_t	 skip;		/* bytes of a message to pass over */
	int		 synced;
	uint64_t	 place;		/* bytes consumed */
	int64_t		 prior_at;	/* of the last of them */
	uint64_t	 next;		/* where a message that was unsound said it ends */
	uint64_t	 again;		/* bytes of unsound messages, in all */
	struct loss	 loss;
};

struct bus *
bus_open(struct sink *sink)
{
	struct bus	*b = mem_zero(1, sizeof *b);

	b->sink = sink;
	b->views = bus_views_open(sink);
	return (b);
}

int
bus_end(struct bus *b, struct err *e)
{
	return (bus_views_end(b->views, e));
}

void
bus_close(struct bus *b)
{
	if (b == NULL)
		return;
	bus_views_close(b->views);
	free(b);
}

/* Keep more bytes; whatever else changes the buffer says so too. */
static void
keep(struct bus_flow *f, struct span s)
{
	f->bus->kept -= f->kept.cap;
	buf_add(&f->kept, s.p, s.n);
	f->bus->kept += f->kept.cap;
}

static void
keep_none(struct bus_flow *f)
{
	f->bus->kept -= f->kept.cap;
	buf_free(&f->kept);
}

/* Offset of the signature or of what may be its beginning at the end; n when
 * there is neither. */
static size_t
signature(const char *p, size_t n)
{
	const char	*q = memmem(p, n, "RCmb", 4);
	size_t		 tail;

	if (q != NULL)
		return ((size_t)(q - p));
	for (tail = n < 3 ? n : 3; tail > 0; tail--)
		if (memcmp(p + n - tail, "RCmb", tail) == 0)
			return (n - tail);
	return (n);
}

long
bus_find(struct span s)
{
	struct bus_message	 m;
	struct bus_why		 why = { "" };
	size_t			 at, need;
	enum bus_fit		 fit;

	for (at = 0; s.n - at >= BUS_MIN_BYTES; at++) {
		at += signature(s.p + at, s.n - at);
		if (s.n - at < BUS_MIN_BYTES)
			break;
		fit = bus_message((const unsigned char *)s.p + at, s.n - at, 1, &m, &need,
		    &why);
		if (fit != BUS_BAD && fit != BUS_UNKNOWN)
			return ((long)at);
	}
	return (-1);
}

/* The loss is over: say once how much it was. */
static int
report_loss(struct bus_flow *f, int64_t at_end, struct err *e)
{
	struct problem	 p = {
		.where = f->loss.seen.where, .at = f->loss.seen.at, .at_end = at_end,
		.code = f->loss.code, .bytes = (int64_t)f->loss.bytes,
		.reason = f->loss.why.text,
	};

	if (!f->loss.open)
		return (0);
	f->loss.open = 0;
	if (f->loss.reported || f->loss.bytes == 0)
		return (0);
	p.where.offset = OBS_NO_NUM;
	p.ep.host = span_of(f->ends.from.host);
	p.ep.port = f->ends.from.port;
	return (f->bus->sink->problem(f->bus->sink, &p, e));
}

static void
lose(struct bus_flow *f, const char *code, const struct stream_seen *seen,
    const struct bus_why *why)
{
	f->loss.open = 1;
	f->loss.reported = 0;
	f->loss.code = code;
	f->loss.seen = *seen;
	f->loss.bytes = 0;
	f->loss.why = *why;
	f->synced = 0;
}

/* A type of a later version: its length is all that is known of it. */
static int
unknown(struct bus_flow *f, const struct bus_message *m, const struct stream_seen *seen,
    struct err *e)
{
	struct loss	 kept = f->loss;
	struct bus_why	 why;
	int		 r;

	snprintf(why.text, sizeof why.text, "bus message type %u is not known", m->type);
	lose(f, "unsupported", seen, &why);
	f->loss.bytes = m->total;
	r = report_loss(f, seen->at, e);
	f->loss = kept;
	f->synced = 1;
	return (r);
}

/*
 * How much to leave out of a message that proved unsound when it was whole.
 * All of it, when another stands where it ends; else one byte, since the length
 * may be what is wrong.  Looking into the same bytes again and again is how a
 * hostile stream would cost the square of its length: it has a limit.
 */
static size_t
leave_out(struct bus_flow *f, const char *p, size_t n, uint32_t total)
{
	size_t	 left = n - total;

	f->again += total;
	if (memcmp(p + total, "RCmb", left < 4 ? left : 4) == 0 ||
	    f->again > AGAIN_BYTES + AGAIN_FACTOR * f->place)
		return (total);
	return (1);
}

static long
unsound(struct bus_flow *f, const char *p, size_t n, const struct bus_message *m,
    const struct bus_why *why, const struct stream_seen *seen, struct err *e)
{
	size_t	 out = 1;

	/* While searching, only what stands where a message was due is news. */
	if (f->synced || (f->loss.open && f->place == f->next)) {
		if (report_loss(f, seen->at, e) == -1)
			return (-1);
		lose(f, "malformed", seen, why);
		f->next = f->place + m->total;
	}
	if (m->checked)
		out = leave_out(f, p, n, m->total);
	f->loss.bytes += out;
	return ((long)out);
}

/*
 * One look at p, n bytes, the first of them carried by seen: bytes consumed, 0
 * when more are needed, -1 with err.
 */
static long
look(struct bus_flow *f, const char *p, size_t n, const struct stream_seen *seen,
    struct err *e)
{
	const unsigned char	*u = (const unsigned char *)p;
	struct bus_message	 m;
	struct bus_why		 why = { "" };
	enum bus_fit		 fit;

	fit = bus_message(u, n, !f->synced, &m, &f->need, &why);
	if (fit == BUS_MORE)
		return (0);
	if (fit == BUS_UNKNOWN && !f->synced) {
		fit = BUS_BAD;
		snprintf(why.text, sizeof why.text, "bus message type %u is not known",
		    m.type);
	}
	f->need = BUS_MIN_BYTES;
	if (fit == BUS_BAD)
		return (unsound(f, p, n, &m, &why, seen, e));
	if (report_loss(f, seen->at, e) == -1)
		return (-1);
	f->synced = 1;
	if (fit == BUS_WHOLE) {
		if (bus_views_message(f->bus->views, &m, &f->ends, seen, f->prior_at,
		    e) == -1)
			return (-1);
		return ((long)m.total);
	}
	if (fit == BUS_UNKNOWN && unknown(f, &m, seen, e) == -1)
		return (-1);
	f->skip = m.total;
	f->seen = *seen;
	return ((long)(m.total < n ? m.total : n));
}

/* Consume what can be, of bytes whose first `old` were carried by f->seen and
 * the others by seen; bytes left over are the beginning of a message. */
static long
consume(struct bus_flow *f, const char *p, size_t n, size_t old,
    const struct stream_seen *seen, struct err *e)
{
	size_t			 at = 0, skipped;
	const struct stream_seen *by;
	struct stream_seen	 here;
	long			 r;

	while (at < n) {
		if (!f->synced) {
			skipped = signature(p + at, n - at);
			f->loss.bytes += skipped;
			f->place += skipped;
			if ((at += skipped) == n)
				break;
		}
		if (n - at < f->need)
			break;
		/* Inside what was kept the segments are known no more: the last
		 * one is the moment by which the message was there. */
		here = *seen;
		here.seq += (uint32_t)(at >= old ? at - old : 0);
		by = at == 0 && old > 0 ? &f->seen : &here;
		if ((r = look(f, p + at, n - at, by, e)) == -1)
			return (-1);
		if (r == 0)
			break;
		at += (size_t)r;
		f->place += (size_t)r;
		f->prior_at = seen->at;
		if (f->skip != 0)
			f->skip -= (size_t)r;
	}
	return ((long)at);
}

/* Bytes of a message that is passed over. */
static void
pass(struct bus_flow *f, uint64_t *n, int64_t at)
{
	uint64_t	 k = *n < f->skip ? *n : f->skip;

	f->skip -= k;
	f->place += k;
	*n -= k;
	if (k != 0)
		f->prior_at = at;
}

/* Too much is kept of messages that have only begun: this one is lost. */
static int
crowded(struct bus_flow *f, struct err *e)
{
	struct bus_why	 why;

	if (f->bus->kept <= BUS_BEGUN_BYTES)
		return (0);
	if (f->synced || !f->loss.open || strcmp(f->loss.code, "limit") != 0) {
		if (report_loss(f, f->seen.at, e) == -1)
			return (-1);
		snprintf(why.text, sizeof why.text, "more than %d MiB of bus messages that had only "
		    "begun", BUS_BEGUN_BYTES >> 20);
		lose(f, "limit", &f->seen, &why);
	}
	f->synced = 0;
	f->loss.bytes += f->kept.n;
	f->place += f->kept.n;
	f->next = UINT64_MAX;
	f->need = BUS_MIN_BYTES;
	keep_none(f);
	return (0);
}

static int
flow_feed(struct stream_reader *reader, struct span s, const struct stream_seen *seen,
    struct err *e)
{
	struct bus_flow		*f = (struct bus_flow *)reader;
	struct stream_seen	 here = *seen;
	uint64_t		 n = s.n;
	size_t			 old = f->kept.n;
	long			 used;

	if (f->place == 0 && old == 0)
		f->loss.seen = *seen;
	pass(f, &n, seen->at);
	s.p += s.n - n;
	here.seq += (uint32_t)(s.n - n);
	s.n = n;
	if (s.n == 0)
		return (0);
	if (old != 0) {
		keep(f, s);
		if (f->kept.n < f->need)
			return (crowded(f, e));
		used = consume(f, f->kept.p, f->kept.n, old, &here, e);
		if (used == -1)
			return (-1);
		buf_drop(&f->kept, (size_t)used);
		if (f->kept.n == 0)
			keep_none(f);
	} else {
		used = consume(f, s.p, s.n, 0, &here, e);
		if (used == -1)
			return (-1);
		if ((size_t)used < s.n)
			keep(f, span_make(s.p + used, s.n - (size_t)used));
	}
	if (used != 0 || old == 0) {
		f->seen = here;
		f->seen.seq += (uint32_t)((size_t)used > old ? (size_t)used - old : 0);
	}
	return (f->kept.n > 0 ? crowded(f, e) : 0);
}

static int
flow_gap(struct stream_reader *reader, uint64_t n, const struct stream_seen *seen,
    struct err *e)
{
	struct bus_flow	*f = (struct bus_flow *)reader;

	pass(f, &n, seen->at);
	if (n == 0)
		return (0);
	if (report_loss(f, seen->at, e) == -1)
		return (-1);
	f->place += f->kept.n + n;
	f->prior_at = seen->at;
	keep_none(f);
	f->need = BUS_MIN_BYTES;
	f->skip = 0;
	f->synced = 0;
	f->loss.open = f->loss.reported = 1;
	f->next = UINT64_MAX;
	return (0);
}

static int
flow_end(struct stream_reader *reader, struct err *e)
{
	struct bus_flow	*f = (struct bus_flow *)reader;
	struct bus_why	 why = { "the stream ends inside a bus message" };

	if (f->synced && (f->kept.n != 0 || f->skip != 0))
		lose(f, "truncated", &f->seen, &why);
	f->loss.bytes += f->kept.n;
	return (report_loss(f, OBS_NO_TIME, e));
}

static void
flow_close(struct stream_reader *reader)
{
	struct bus_flow	*f = (struct bus_flow *)reader;

	keep_none(f);
	free(f);
}

struct stream_reader *
bus_reader(struct bus *b, const struct stream_ends *ends)
{
	static const struct stream_seen	 nowhere;
	static const struct bus_why	 midway = {
		"the capture begins inside a bus message"
	};
	struct bus_flow			*f = mem_zero(1, sizeof *f);

	f->reader.feed = flow_feed;
	f->reader.gap = flow_gap;
	f->reader.end = flow_end;
	f->reader.close = flow_close;
	f->bus = b;
	f->ends = *ends;
	f->need = BUS_MIN_BYTES;
	f->prior_at = OBS_NO_TIME;
	f->next = UINT64_MAX;
	lose(f, "mid-stream", &nowhere, &midway);
	f->synced = ends->at_start;
	return (&f->reader);
}
