/*
 * tcp.h - TCP segments -> the bytes of each direction in order, and how each
 * connection began and ended.
 *
 * Order is by sequence number inside a direction, and by acknowledgement
 * between the two: bytes are held until what their sender had acknowledged was
 * given too, so a reply never comes before its request even where the capture
 * wrote them the other way round.  What the receiver acknowledged and the
 * capture does not hold is a gap; what is sent again later is waited for.
 *
 * Limits, all of them reported when they are hit: TCP_FLOWS connections (the
 * one idle for longest goes), TCP_HELD_FLOW bytes waiting in one connection
 * and TCP_HELD_ALL in all (a gap is declared), TCP_HELD_SEGMENTS in one.
 */
#ifndef WIRE_TCP_H
#define WIRE_TCP_H

#include "wire/frame.h"
#include "wire/stream.h"

enum {
	TCP_FLOWS = 1 << 18,		/* of less than half a KiB each */
	TCP_HELD_SEGMENTS = 512,
	TCP_HELD_FLOW = 1 << 20,
	TCP_HELD_ALL = 12 << 20
};

enum tcp_state { TCP_NEW, TCP_SYN_SENT, TCP_OPEN, TCP_CLOSED };

/* One direction: 0 from the lower end of the sorted pair, 1 from the higher. */
struct tcp_side {
	uint32_t	 next;		/* next byte wanted */
	uint32_t	 acked;		/* acknowledged by the other side */
	int64_t		 last_at;	/* of the last byte given; OBS_NO_TIME */
	int64_t		 acked_at;	/* when acked last grew; 0: never seen */
	uint8_t		 known, ack_known, fin_seen, fin_given, spoke;
};

/* What most packets touch comes last and in whole lines of the cache: two here,
 * two of the user. */
enum { TCP_LINE = 64 };
struct tcp_flow {
	int64_t		 connection;
	uint32_t	 isn;		/* of the SYN */
	uint16_t	 retries;	/* SYNs sent again */
	uint32_t	 next_closed, next_free;
	uint32_t	 fin[2];	/* sequence numbers of the FINs */
	uint32_t	 nheld, held_bytes;
	struct tcp_held	*held[2];	/* waiting, by sequence number */
	int64_t		 held_since;
	struct tcp_flow	*holding_prev, *holding_next;
	int64_t		 syn_at, syn_last_at, synack_at; /* OBS_NO_TIME */
	int64_t		 fin_at;
	struct locus	 syn_where;

	_Alignas(TCP_LINE) struct frame_addr addr[2];
	uint16_t	 port[2];
	uint8_t		 state;		/* enum tcp_state */
	int8_t		 opener;	/* side that sent the SYN, -1: not seen */
	uint8_t		 queued;	/* in the list of the closed */
	int64_t		 last_at;
	int64_t		 last_position;	/* of the last segment: its locus */
	int		 last_part;
	struct tcp_side	 side[2];
	int64_t		 user[];	/* the user's part, zeroed at the start */
};

/* Where the flow of a direction was found last, and what else has to be seen
 * for nearly every segment. */
enum { TCP_HINT_BITS = 10 };
struct tcp_hint {
	struct tcp_flow	*flow;		/* NULL: nothing; may be a free place */
	uint32_t	 mark;		/* of its direction */
	uint32_t	 index;
	int		 side;		/* that sends */
};
struct tcp_near {
	struct tcp_flow	*holding;	/* flows with something held, oldest first */
	struct tcp_hint	 hint[1 << TCP_HINT_BITS];
};

enum tcp_event {
	TCP_EV_SYN,			/* a new connection, by its opener */
	TCP_EV_FIN,			/* by this side, in order */
	TCP_EV_REFUSED,			/* RST answered the SYN; by: who refused */
	TCP_EV_RESET,			/* by this side */
	TCP_EV_UNREACHABLE,		/* ICMP; by: who could not be reached */
	TCP_EV_GONE			/* nothing more is known: always last, once */
};

enum tcp_loss { TCP_LOST, TCP_CUT };	/* never seen; cut by the snaplen */

struct tcp_user {
	size_t	 bytes;			/* of its part in each flow */
	void	*arg;
	int	(*data)(void *arg, struct tcp_flow *, int side, struct span,
		    const struct stream_seen *, struct err *);
	int	(*gap)(void *arg, struct tcp_flow *, int side, uint64_t n, enum tcp_loss,
		    const struct stream_seen *, struct err *);
	int	(*event)(void *arg, struct tcp_flow *, enum tcp_event, int by,
		    const struct stream_seen *, const char *detail, struct err *);
};

struct tcp;

struct tcp	*tcp_new(const struct tcp_user *);	/* copied */
void		 tcp_free(struct tcp *);
int		 tcp_segment(struct tcp *, const struct frame *, int64_t at,
		    const struct locus *, struct err *);
struct tcp_near	*tcp_near(struct tcp *);
/* The flow of a segment if there is one; finds it sooner the next time. */
struct tcp_flow	*tcp_known(struct tcp_near *, const struct frame *, int *side);
/* Whether there are so many flows that it pays to say which come next: first
 * (the answer is for the second call, a little later), then again. */
int		 tcp_many(const struct tcp *);
uint32_t	 tcp_expect(const struct tcp *, const struct frame *);
void		 tcp_expect_soon(const struct tcp *, uint32_t);
/* The capture ended: what waits is given, every flow is gone. */
int		 tcp_end(struct tcp *, struct err *);
/* Every flow whose TCP_EV_GONE was not told: after an error, before free. */
void		 tcp_each(struct tcp *, void (*)(void *arg, struct tcp_flow *), void *arg);
/* Connections given up because there were too many. */
int64_t		 tcp_evicted(const struct tcp *);

static inline int
seq_before(uint32_t a, uint32_t b)
{
	return ((int32_t)(a - b) < 0);
}

static inline uint32_t
tcp_mark(const struct frame *fr)
{
	return (((uint32_t)(fr->src.w[1] >> 32) + ((uint32_t)fr->sport << 16) + fr->dport) *
	    UINT32_C(0x9e3779b1));
}

static inline int
tcp_goes_from(const struct tcp_flow *f, int s, const struct frame *fr)
{
	const struct frame_addr	*src = &f->addr[s], *dst = &f->addr[!s];

	return (f->port[s] == fr->sport && f->port[!s] == fr->dport &&
	    src->w[1] == fr->src.w[1] && dst->w[1] == fr->dst.w[1] &&
	    src->w[0] == fr->src.w[0] && dst->w[0] == fr->dst.w[0]);
}

/* The flow of a segment of which nothing more need be known: the next of its
 * side, whole, of an open connection in which nothing waits, ahead of nothing
 * that it answers.  NULL: it is not that.  Changes nothing: who takes its bytes
 * says so with tcp_took(), else they are for tcp_segment(). */
static inline struct tcp_flow *
tcp_usual(struct tcp_near *t, const struct frame *fr, int *side)
{
	uint32_t		 mark = tcp_mark(fr);
	const struct tcp_hint	*hint = &t->hint[mark >> (32 - TCP_HINT_BITS)];
	struct tcp_flow		*f = hint->flow;
	const struct tcp_side	*d, *o;
	int			 s = hint->side;

	if (t->holding != NULL || fr->kind != FRAME_TCP ||
	    (fr->flags & (FRAME_FIN | FRAME_SYN | FRAME_RST | FRAME_ACK)) != FRAME_ACK)
		return (NULL);
	if (hint->mark != mark || f == NULL || !tcp_goes_from(f, s, fr))
		if ((f = tcp_known(t, fr, &s)) == NULL)
			return (NULL);
	d = &f->side[s];
	o = &f->side[!s];
	if (f->state != TCP_OPEN || fr->seq != d->next || fr->len == 0 || fr->cap != fr->len ||
	    !d->known || d->fin_seen || !o->known || seq_before(o->next, fr->ack))
		return (NULL);
	*side = s;
	return (f);
}

static inline void
tcp_seen(struct tcp_flow *f, const struct locus *where)
{
	f->last_position = where->position;
	f->last_part = where->part;
}

static inline void
tcp_took(struct tcp_flow *f, int side, const struct frame *fr, int64_t at,
    const struct locus *where)
{
	struct tcp_side	*d = &f->side[side], *o = &f->side[!side];

	if (at > f->last_at)
		f->last_at = at;
	tcp_seen(f, where);
	if (!o->ack_known || seq_before(o->acked, fr->ack)) {
		o->acked = fr->ack;
		o->acked_at = at;
		o->ack_known = 1;
	}
	d->next += fr->len;
	d->spoke = 1;
	d->last_at = at;
}

#endif
