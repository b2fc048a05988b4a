/*
 * Segments of four connections, one of them of the bus: TCP, RESP, the pairing
 * of requests with replies.  The first byte says whether they may come out of
 * order, begin midway or be no RESP; if not, and all is well formed, cutting
 * them smaller must change nothing.  Each segment is a head of four bytes, what
 * it is, how far out of order, time since the one before and length, and its
 * bytes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "wire/dialog.h"

enum { HEAD = 4, FLOWS = 4, BUS = 2, LENGTH = 0x0fff };
enum { FROM = 1, FLOW = 6, FIN = 8, RST = 16, ICMP = 32, DISORDER = 64, SYN = 128, CUT = 127 };

struct reading {
	struct dialog	*d;
	uint32_t	 seq[FLOWS][2];
	char		 began[FLOWS];		/* SYN 1, its answer 2, FINs 4 and 8 */
	int64_t		 at, frame;
	int		 pieces;		/* cut segments smaller */
};

/* What one reading came to. */
struct outcome {
	struct dialog_counts counts;
	int64_t		 obs;
	int64_t		 malformed;
};

struct counting {
	struct sink	 sink;
	struct outcome	 out;
};

static int
count_obs(struct sink *s, const struct obs *o, struct err *e)
{
	((struct counting *)(void *)s)->out.obs += o->samples > 0 ? o->samples : 1;
	return (fuzz_sink()->obs(fuzz_sink(), o, e));
}

static int
count_problem(struct sink *s, const struct problem *p, struct err *e)
{
	if (strcmp(p->code, "malformed") == 0)
		((struct counting *)(void *)s)->out.malformed++;
	return (fuzz_sink()->problem(fuzz_sink(), p, e));
}

static void
addresses(struct frame *f, int flow, int from)
{
	static const uint16_t	 ports[FLOWS][2] = {
		{ 40001, 6379 }, { 40002, 6379 }, { 40003, 16379 }, { 40004, 7000 }
	};
	uint8_t			*ends[2] = { f->src.b, f->dst.b };
	int			 i;

	for (i = 0; i < 2; i++) {
		memset(ends[i] + 10, 0xff, 2);
		ends[i][12] = 10;
		ends[i][14] = (uint8_t)flow;
		ends[i][15] = (uint8_t)(i == from ? 1 : 2);
	}
	f->sport = ports[flow][from];
	f->dport = ports[flow][!from];
}

static void
one(struct reading *r, struct frame *f, const uint8_t *p, size_t cap, size_t len)
{
	struct locus	 where = { 0, r->frame, OBS_NO_NUM };
	struct err	 e = ERR_INIT;

	f->data = cap > 0 ? p : NULL;
	f->cap = (uint32_t)cap;
	f->len = (uint32_t)len;
	dialog_segment(r->d, f, r->at, &where, &e);
}

/* Pieces of two bytes at least: one alone may be a keepalive probe. */
static void
in_pieces(struct reading *r, const struct frame *whole, const uint8_t *p, size_t n)
{
	struct frame	 f = *whole;
	size_t		 at = 0, k;

	while (n - at > 3) {
		k = 2 + p[at] % (n - at - 3);
		f.flags = FRAME_ACK;
		one(r, &f, p + at, k, k);
		f.seq += (uint32_t)k;
		at += k;
	}
	f.flags = whole->flags;
	one(r, &f, p + at, n - at, n - at);
}

/* Whether a segment can come here when all is in order. */
static int
has_place(int began, int flow, int from, int what)
{
	if (flow == BUS)
		return (0);
	if (what & SYN)
		return (from == 0 || began == 1);
	return ((began & 3) == 3 && !(began & 4 << from));
}

static void
segment(struct reading *r, const uint8_t *head, const uint8_t *p, size_t n, int disorder)
{
	int		 from = head[0] & FROM, flow = (head[0] & FLOW) >> 1;
	int		 astray = disorder && (head[0] & DISORDER) ? (int8_t)head[1] : 0;
	uint32_t	*seq = r->seq[flow];
	struct frame	 f;

	if (!disorder && !has_place(r->began[flow], flow, from, head[0]))
		return;
	if (!disorder && (head[0] & SYN))
		n = 0;			/* with data it would be followed by a gap */
	if (head[0] & SYN)
		r->began[flow] = (char)(from == 0 ? 1 : r->began[flow] | 2);
	else if (head[0] & FIN)
		r->began[flow] = (char)(r->began[flow] | 4 << from);
	memset(&f, 0, sizeof f);
	f.kind = disorder && (head[0] & ICMP) ? FRAME_UNREACHABLE : FRAME_TCP;
	addresses(&f, flow, from);
	f.flags = (uint8_t)((head[0] & FIN ? FRAME_FIN : 0) | (head[0] & RST ? FRAME_RST : 0));
	if (head[0] & SYN)
		f.flags |= (uint8_t)(FRAME_SYN | (from ? FRAME_ACK : 0));
	else
		f.flags |= FRAME_ACK;
	f.seq = seq[from] + (uint32_t)astray;
	f.ack = seq[!from];
	r->at += INT64_C(1) << (head[2] >> 4) * 2;
	r->frame++;
	if (r->pieces && !(head[0] & (SYN | RST)) && n > 3)
		in_pieces(r, &f, p, n);
	else if (disorder && (int8_t)head[1] == CUT)
		one(r, &f, p, n / 2, n);
	else
		one(r, &f, p, n, n);
	if (astray == 0 && f.kind == FRAME_TCP)
		seq[from] += (uint32_t)n + ((head[0] & (SYN | FIN)) != 0);
}

/* One exchange, so that it is known what this connection is. */
static void
greet(struct reading *r, int flow)
{
	static const char	 ping[] = "*1\r\n$4\r\nPING\r\n", pong[] = "+PONG\r\n";
	const uint8_t		 head[2][HEAD] = {
		{ (uint8_t)(flow << 1), 0, 0, 0 }, { (uint8_t)(flow << 1 | FROM), 0, 0, 0 }
	};

	segment(r, head[0], (const uint8_t *)ping, sizeof ping - 1, 0);
	segment(r, head[1], (const uint8_t *)pong, sizeof pong - 1, 0);
}

static struct outcome
read_all(const uint8_t *p, size_t n, int disorder, int pieces)
{
	struct counting	 to = { .sink = { .obs = count_obs, .problem = count_problem } };
	struct reading	 r = { .at = INT64_C(1796000000000000), .pieces = pieces };
	struct err	 e = ERR_INIT;
	size_t		 at, k;
	int		 flow, fresh;

	r.d = dialog_new(&to.sink, 1);
	for (at = 0; at + HEAD <= n; at += k) {
		const uint8_t *head = p + at;

		k = ((size_t)head[2] << 8 | head[3]) & LENGTH;
		at += HEAD;
		if (k > n - at)
			k = n - at;
		flow = (head[0] & FLOW) >> 1;
		fresh = r.began[flow] == 1;
		segment(&r, head, p + at, k, disorder);
		if (!disorder && fresh && r.began[flow] == 3)
			greet(&r, flow);
	}
	dialog_end(r.d, &e);
	to.out.counts = *dialog_counts(r.d);
	dialog_free(r.d);
	return (to.out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct outcome	 a, b;

	if (n == 0)
		return (0);
	a = read_all(p + 1, n - 1, p[0] & 1, 0);
	if ((p[0] & 1) || a.malformed > 0)
		return (0);
	b = read_all(p + 1, n - 1, 0, 1);
	if (memcmp(&a, &b, sizeof a) != 0) {
		fprintf(stderr, "malformed %lld %lld, obs %lld %lld, requests %lld %lld,"
		    " replies %lld %lld\n", (long long)a.malformed, (long long)b.malformed,
		    (long long)a.obs, (long long)b.obs, (long long)a.counts.requests,
		    (long long)b.counts.requests, (long long)a.counts.replies,
		    (long long)b.counts.replies);
		abort();
	}
	return (0);
}
