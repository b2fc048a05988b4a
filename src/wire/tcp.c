#include "wire/tcp.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/fast.h"
#include "base/mem.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
	SYN_AGAIN_US = 100000,		/* nearer together is one SYN captured twice */
	ACKED_WAIT_US = 100000,		/* how long bytes known to be delivered may be late */
	LOST_WAIT_US = 60000000,	/* how long bytes not acknowledged are waited for */
	ACKED_WAIT_SEGMENTS = 32
};
#ifdef BLOCK_BYTES			/* fuzzers meet the limits sooner */
enum { MANY = 1, SLAB = 3, CLOSED_KEPT = 2 };
#else
enum {
	CLOSED_KEPT = 16384,		/* closed flows that still catch retransmissions */
	MANY = 4096,			/* flows that the cache does not hold */
	SLAB = 18700			/* flows allocated at once: four large pages */
};
#endif

/* A segment that waits for bytes before it. */
struct tcp_held {
	struct tcp_held	*next;
	struct stream_seen seen;
	uint32_t	 len, cap;
	char		 data[];
};

/* Where a flow is found: its hash is here, so that no other flow is looked at. */
struct place {
	uint32_t	 hash, index;		/* UINT32_MAX: free */
};

struct tcp {
	struct tcp_near	 near;
	struct tcp_user	 user;
	size_t		 flow_bytes;
	uint64_t	 seed[5];
	struct place	*place;			/* open addressing: the next free one */
	uint32_t	 nplaces;		/* a power of two, twice the flows at least */
	char		**slab;
	uint32_t	 nslabs, used, nflows;	/* used: indices ever given out */
	uint32_t	 free_head;		/* by next_free */
	uint32_t	 closed_head, closed_tail, nclosed;
	uint32_t	 hand;
	struct tcp_flow	*holding;		/* flows with something held, oldest first */
	struct tcp_flow	*holding_tail;
	size_t		 held_all;
	int64_t		 evicted;
};

/* The key of a flow: both addresses, both ports. */
enum { KEY_AT = offsetof(struct tcp_flow, addr), KEY_BYTES = 36 };
_Static_assert(offsetof(struct tcp_flow, state) == KEY_AT + KEY_BYTES, "key is contiguous");
_Static_assert(offsetof(struct tcp_flow, user) == KEY_AT + 2 * TCP_LINE, "two lines");

struct key {
	uint64_t	 w[4];
	uint32_t	 ports;
};

static inline void
load_key(struct key *k, const struct tcp_flow *f)
{
	memcpy(k->w, f->addr, sizeof k->w);
	memcpy(&k->ports, f->port, sizeof k->ports);
}

static inline int
has_key(const struct tcp_flow *f, const struct key *k)
{
	uint32_t	 ports;

	memcpy(&ports, f->port, sizeof ports);
	return (ports == k->ports && f->addr[0].w[0] == k->w[0] && f->addr[0].w[1] == k->w[1] &&
	    f->addr[1].w[0] == k->w[2] && f->addr[1].w[1] == k->w[3]);
}

static struct tcp_flow *
flow_at(const struct tcp *t, uint32_t i)
{
	return ((struct tcp_flow *)(void *)(t->slab[i / SLAB] + (size_t)(i % SLAB) * t->flow_bytes));
}

static struct locus
last_where(const struct tcp_flow *f)
{
	return ((struct locus){ f->last_part, f->last_position, OBS_NO_NUM });
}

struct tcp *
tcp_new(const struct tcp_user *user)
{
	struct tcp	*t = mem_zero(1, sizeof *t);
	uint64_t	 i;

	t->user = *user;
	t->flow_bytes = (sizeof(struct tcp_flow) + user->bytes + TCP_LINE - 1) / TCP_LINE *
	    TCP_LINE;
	if (getrandom(t->seed, sizeof t->seed, GRND_NONBLOCK) != sizeof t->seed)
		for (i = 0; i < 5; i++)
			t->seed[i] = XXH3_64bits_withSeed(&t, sizeof t, i);
	t->nplaces = 1024;
	t->place = mem_alloc(t->nplaces * sizeof *t->place);
	memset(t->place, 0xff, t->nplaces * sizeof *t->place);
	t->free_head = t->closed_head = t->closed_tail = UINT32_MAX;
	return (t);
}

static inline uint64_t
fold(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	unsigned __int128	 product = (unsigned __int128)a * b;

	return ((uint64_t)product ^ (uint64_t)(product >> 64));
#else
	uint64_t		 both[2] = { a, b };

	return (XXH3_64bits(both, sizeof both));
#endif
}

/* In the manner of XXH3, on words that are in registers already.  Seeded: what
 * collides cannot be known by those who make captures. */
static inline uint32_t
hash(const struct tcp *t, const struct key *k)
{
	uint64_t	 h = fold(k->w[0] ^ t->seed[0], k->w[1] ^ t->seed[1]) ^
	    fold(k->w[2] ^ t->seed[2], k->w[3] ^ t->seed[3]);

	return ((uint32_t)fold(h ^ k->ports, t->seed[4] | 1));
}

static inline uint32_t
hash_of(const struct tcp *t, const struct tcp_flow *f)
{
	struct key	 k;

	load_key(&k, f);
	return (hash(t, &k));
}

static void
place_put(struct tcp *t, uint32_t h, uint32_t index)
{
	uint32_t	 i = h & (t->nplaces - 1);

	while (t->place[i].index != UINT32_MAX)
		i = (i + 1) & (t->nplaces - 1);
	t->place[i].hash = h;
	t->place[i].index = index;
}

/* Take an index out; what stands behind it moves up, so that no search ends
 * too early. */
static void
place_remove(struct tcp *t, uint32_t h, uint32_t index)
{
	uint32_t	 mask = t->nplaces - 1, i = h & mask, next;

	while (t->place[i].index != index)
		i = (i + 1) & mask;
	for (next = (i + 1) & mask; t->place[next].index != UINT32_MAX; next = (next + 1) & mask)
		if (((next - t->place[next].hash) & mask) >= ((next - i) & mask)) {
			t->place[i] = t->place[next];
			i = next;
		}
	t->place[i].index = UINT32_MAX;
}

static void
rehash(struct tcp *t)
{
	struct place	*old = t->place;
	uint32_t	 n = t->nplaces, i;

	t->nplaces *= 2;
	t->place = mem_large((size_t)t->nplaces * sizeof *t->place);
	memset(t->place, 0xff, (size_t)t->nplaces * sizeof *t->place);
	for (i = 0; i < n; i++)
		if (old[i].index != UINT32_MAX)
			place_put(t, old[i].hash, old[i].index);
	free(old);
}

static void
flow_init(struct tcp *t, struct tcp_flow *f)
{
	memset(f, 0, KEY_AT);
	memset((char *)f + KEY_AT + KEY_BYTES, 0, t->flow_bytes - KEY_AT - KEY_BYTES);
	f->opener = -1;
	f->syn_at = f->syn_last_at = f->synack_at = OBS_NO_TIME;
	f->last_at = f->fin_at = OBS_NO_TIME;
	f->side[0].last_at = f->side[1].last_at = OBS_NO_TIME;
	f->connection = (int64_t)(XXH3_64bits(f->addr, KEY_BYTES) >> 1);
	if (f->connection == 0)
		f->connection = 1;
}

/* Put an index onto the free list. */
static void
flow_free(struct tcp *t, uint32_t i)
{
	struct tcp_flow	*f = flow_at(t, i);

	place_remove(t, hash_of(t, f), i);
	f->next_free = t->free_head;
	t->free_head = i;
	f->state = TCP_NEW;
	f->queued = 2;			/* marks a free place */
	t->nflows--;
}

static void
held_drop(struct tcp *t, struct tcp_flow *f, int s)
{
	struct tcp_held	*h = f->held[s];

	f->held[s] = h->next;
	f->nheld--;
	f->held_bytes -= h->cap;
	t->held_all -= h->cap;
	free(h);
	if (f->nheld != 0)
		return;
	if (f->holding_prev != NULL)
		f->holding_prev->holding_next = f->holding_next;
	else
		t->near.holding = f->holding_next;
	if (f->holding_next != NULL)
		f->holding_next->holding_prev = f->holding_prev;
	else
		t->holding_tail = f->holding_prev;
	f->holding_prev = f->holding_next = NULL;
}

/* Keep a segment until its turn; false when it is there already. */
static int
hold(struct tcp *t, struct tcp_flow *f, int s, const struct stream_seen *seen,
    const struct frame *fr)
{
	struct tcp_held	**link = &f->held[s], *h;

	while (*link != NULL && seq_before((*link)->seen.seq, seen->seq))
		link = &(*link)->next;
	if (*link != NULL && (*link)->seen.seq == seen->seq && (*link)->len >= fr->len &&
	    (*link)->cap >= fr->cap)
		return (0);
	h = mem_alloc(sizeof *h + fr->cap);
	h->seen = *seen;
	h->len = fr->len;
	h->cap = fr->cap;
	if (fr->cap > 0)
		memcpy(h->data, fr->data, fr->cap);
	h->next = *link;
	*link = h;
	if (f->nheld == 0) {
		f->held_since = seen->at;
		f->holding_next = NULL;
		f->holding_prev = t->holding_tail;
		if (t->holding_tail != NULL)
			t->holding_tail->holding_next = f;
		else
			t->near.holding = f;
		t->holding_tail = f;
	}
	f->nheld++;
	f->held_bytes += h->cap;
	t->held_all += h->cap;
	return (1);
}

/* Give what of a segment is new, and use seen up. The caller knows that it is
 * next. */
static int
give(struct tcp *t, struct tcp_flow *f, int s, struct stream_seen *seen,
    const char *p, uint32_t cap, uint32_t len, struct err *e)
{
	struct tcp_side		*d = &f->side[s];
	uint32_t		 old = d->next - seen->seq, end = seen->seq + len;

	if (len <= old)
		return (0);
	seen->seq = d->next;
	seen->unacked = d->ack_known && seq_before(d->acked, d->next) ? d->next - d->acked : 0;
	seen->acked_at = d->acked_at;
	d->next = end;
	d->spoke = 1;
	if (cap > old) {
		if (t->user.data(t->user.arg, f, s, span_make(p + old, cap - old), seen, e) == -1)
			return (-1);
		seen->seq += cap - old;
	}
	if (seen->seq != end && t->user.gap(t->user.arg, f, s, end - seen->seq, TCP_CUT,
	    seen, e) == -1)
		return (-1);
	d->last_at = seen->at;
	return (0);
}

/* Whether the other side's words that these answer were all given. */
static int
answers_known(const struct tcp_flow *f, int s, uint32_t ack)
{
	const struct tcp_side	*o = &f->side[!s];

	return (!o->known || !seq_before(o->next, ack) ||
	    (o->fin_seen && o->next == f->fin[!s] && ack == f->fin[!s] + 1));
}

static int
fin(struct tcp *t, struct tcp_flow *f, int s, struct err *e)
{
	struct tcp_side		*d = &f->side[s];
	struct stream_seen	 seen = { 0 };

	if (!d->fin_seen || d->fin_given || d->next != f->fin[s])
		return (0);
	d->fin_given = 1;
	seen.at = f->fin_at;
	seen.where = last_where(f);
	seen.seq = f->fin[s];
	return (t->user.event(t->user.arg, f, TCP_EV_FIN, s, &seen, NULL, e));
}

/* Give all that is held and has its turn. */
static int
pump(struct tcp *t, struct tcp_flow *f, struct err *e)
{
	struct tcp_held	*h;
	int		 s, moved;

	do {
		moved = 0;
		for (s = 0; s < 2; s++) {
			h = f->held[s];
			if (h == NULL || seq_before(f->side[s].next, h->seen.seq) ||
			    !answers_known(f, s, h->seen.ack))
				continue;
			if (give(t, f, s, &h->seen, h->data, h->cap, h->len, e) == -1)
				return (-1);
			held_drop(t, f, s);
			moved = 1;
		}
	} while (moved);
	f->held_since = f->last_at;
	if (fin(t, f, 0, e) == -1)
		return (-1);
	return (fin(t, f, 1, e));
}

/* One hole becomes a gap: the side that is known to have lost bytes first,
 * else the one whose held segment is the older. */
static int
declare(struct tcp *t, struct tcp_flow *f, struct err *e)
{
	struct tcp_held	*h, *o;
	struct stream_seen seen;
	uint32_t	 upto, n;
	int		 s, lost = -1;

	for (s = 0; s < 2; s++) {
		h = f->held[s];
		if (h == NULL)
			continue;
		if (!seq_before(f->side[s].next, h->seen.seq)) {
			lost = !s;	/* it only waits for the other's words */
			break;
		}
		if (lost == -1 || h->seen.at < f->held[lost]->seen.at)
			lost = s;
	}
	if (lost == -1)
		return (0);
	h = f->held[lost];
	o = f->held[!lost];
	/* one of them is held, or nothing would be lost */
	/* cppcheck-suppress nullPointerRedundantCheck */
	seen = h != NULL ? h->seen : o->seen;
	/* cppcheck-suppress nullPointerRedundantCheck */
	upto = h != NULL ? h->seen.seq : o->seen.ack;
	if (h != NULL && o != NULL && !seq_before(f->side[!lost].next, o->seen.seq) &&
	    seq_before(o->seen.ack, upto))
		upto = o->seen.ack;
	n = upto - f->side[lost].next;
	if ((int32_t)n <= 0) {		/* the two contradict each other */
		held_drop(t, f, h != NULL ? lost : !lost);
		return (0);
	}
	seen.seq = f->side[lost].next;
	f->side[lost].next = upto;
	if (t->user.gap(t->user.arg, f, lost, n, TCP_LOST, &seen, e) == -1)
		return (-1);
	return (pump(t, f, e));
}

/* All holes at once: the connection is over. */
static int
flush(struct tcp *t, struct tcp_flow *f, struct err *e)
{
	while (f->nheld > 0)
		if (declare(t, f, e) == -1)
			return (-1);
	return (0);
}

/* Whether waiting any longer is in vain. */
static int
overdue(const struct tcp *t, const struct tcp_flow *f, int64_t now)
{
	int	 s, acked = 0;

	if (f->nheld > TCP_HELD_SEGMENTS || f->held_bytes > TCP_HELD_FLOW ||
	    t->held_all > TCP_HELD_ALL || now - f->held_since > LOST_WAIT_US)
		return (1);
	for (s = 0; s < 2; s++)
		if (f->side[s].ack_known && f->side[s].known &&
		    seq_before(f->side[s].next, f->side[s].acked))
			acked = 1;
	return (acked && (now - f->held_since > ACKED_WAIT_US || f->nheld > ACKED_WAIT_SEGMENTS));
}

/* What was acknowledged at the end and never seen; one more than was seen is a
 * FIN that the capture lost. */
static int
tail_lost(struct tcp *t, struct tcp_flow *f, int s, struct stream_seen *seen, struct err *e)
{
	struct tcp_side	*d = &f->side[s];
	uint32_t	 n = d->acked - d->next;

	if (!d->known || !d->ack_known || !seq_before(d->next + 1, d->acked))
		return (0);
	seen->seq = d->next;
	d->next = d->acked;
	return (t->user.gap(t->user.arg, f, s, n, TCP_LOST, seen, e));
}

static int
gone(struct tcp *t, struct tcp_flow *f, struct err *e)
{
	struct stream_seen	 seen = { 0 };
	int			 s;

	if (f->state == TCP_CLOSED)
		return (0);
	if (flush(t, f, e) == -1)
		return (-1);
	f->state = TCP_CLOSED;
	seen.at = f->last_at;
	seen.where = last_where(f);
	for (s = 0; s < 2; s++)
		if (tail_lost(t, f, s, &seen, e) == -1)
			return (-1);
	return (t->user.event(t->user.arg, f, TCP_EV_GONE, 0, &seen, NULL, e));
}

static int
close_flow(struct tcp *t, struct tcp_flow *f, uint32_t i, struct err *e)
{
	uint32_t	 old;

	if (gone(t, f, e) == -1)
		return (-1);
	if (f->queued)
		return (0);
	f->queued = 1;
	f->next_closed = UINT32_MAX;
	if (t->closed_tail != UINT32_MAX)
		flow_at(t, t->closed_tail)->next_closed = i;
	else
		t->closed_head = i;
	t->closed_tail = i;
	if (++t->nclosed <= CLOSED_KEPT)
		return (0);
	old = t->closed_head;
	t->closed_head = flow_at(t, old)->next_closed;
	if (t->closed_head == UINT32_MAX)
		t->closed_tail = UINT32_MAX;
	t->nclosed--;
	flow_at(t, old)->queued = 0;
	if (flow_at(t, old)->state == TCP_CLOSED)
		flow_free(t, old);
	return (0);
}

/* Make room: of some flows from where the hand stands, the one idle longest. */
static int
evict(struct tcp *t, struct err *e)
{
	struct tcp_flow	*f;
	uint32_t	 best = UINT32_MAX;
	int		 i;

	for (i = 0; i < 64; i++) {
		t->hand = (t->hand + 1) % t->used;
		f = flow_at(t, t->hand);
		if (f->queued != 0)
			continue;
		if (best == UINT32_MAX || f->last_at < flow_at(t, best)->last_at)
			best = t->hand;
	}
	if (best == UINT32_MAX)
		return (0);
	t->evicted++;
	if (gone(t, flow_at(t, best), e) == -1)
		return (-1);
	flow_free(t, best);
	return (0);
}

static uint32_t
take_index(struct tcp *t)
{
	uint32_t	 i = t->free_head;

	if (i != UINT32_MAX) {
		t->free_head = flow_at(t, i)->next_free;
		return (i);
	}
	if (t->used == t->nslabs * SLAB) {
		t->slab = mem_grow(t->slab, t->nslabs + 1, sizeof *t->slab);
		t->slab[t->nslabs++] = mem_large(SLAB * t->flow_bytes);
	}
	return (t->used++);
}

/* Among many flows none is in the cache: ask for all of it at once. */
static inline void
prefetch(const struct tcp *t, const struct tcp_flow *f)
{
	size_t	 at;

	for (at = KEY_AT + TCP_LINE; at < t->flow_bytes; at += TCP_LINE)
		__builtin_prefetch((const char *)f + at, 1);
}

static inline struct tcp_flow *
flow_find(const struct tcp *t, const struct key *key, uint32_t h, uint32_t *at)
{
	struct tcp_flow	*f;
	uint32_t	 i;

	for (i = h & (t->nplaces - 1); t->place[i].index != UINT32_MAX;
	    i = (i + 1) & (t->nplaces - 1)) {
		if (t->place[i].hash != h)
			continue;
		f = flow_at(t, t->place[i].index);
		prefetch(t, f);
		if (has_key(f, key)) {
			*at = t->place[i].index;
			return (f);
		}
	}
	return (NULL);
}

/* The flow of a key, made if it is new; its index in *at. */
static struct tcp_flow *
flow_get(struct tcp *t, const struct key *key, uint32_t *at, struct err *e)
{
	uint32_t	 h = hash(t, key), i;
	struct tcp_flow	*f = flow_find(t, key, h, at);

	if (f != NULL)
		return (f);
	if (t->nflows >= TCP_FLOWS && evict(t, e) == -1)
		return (NULL);
	if (t->nflows >= t->nplaces / 2)
		rehash(t);
	*at = i = take_index(t);
	f = flow_at(t, i);
	memcpy(f->addr, key->w, sizeof f->addr);
	memcpy(f->port, &key->ports, sizeof f->port);
	flow_init(t, f);
	place_put(t, h, i);
	t->nflows++;
	return (f);
}

/* A new connection on the same four numbers. */
static int
reopen(struct tcp *t, struct tcp_flow *f, struct err *e)
{
	uint32_t	 next = f->next_closed;
	uint8_t		 queued = f->queued;

	if (f->state != TCP_NEW && gone(t, f, e) == -1)
		return (-1);
	flow_init(t, f);
	f->next_closed = next;
	f->queued = queued;
	return (0);
}

static int
syn(struct tcp *t, struct tcp_flow *f, int s, const struct frame *fr,
    const struct stream_seen *seen, struct err *e)
{
	struct tcp_side	*d = &f->side[s], *o = &f->side[!s];

	if (fr->flags & FRAME_ACK) {
		if (f->state == TCP_CLOSED || (f->state == TCP_OPEN && d->known))
			return (0);	/* sent again, or late */
		f->opener = (int8_t)!s;
		f->synack_at = seen->at;
		if (f->syn_at == OBS_NO_TIME)
			f->syn_where = seen->where;
		f->state = TCP_OPEN;
		if (!o->known) {
			o->known = 1;
			o->next = fr->ack;
		}
	} else {
		if (f->state == TCP_SYN_SENT && f->opener == s && f->isn == seen->seq) {
			if (seen->at - f->syn_last_at >= SYN_AGAIN_US && f->retries < UINT16_MAX)
				f->retries++;
			if (seen->at > f->syn_last_at)
				f->syn_last_at = seen->at;
			return (0);
		}
		if (f->opener == s && f->syn_at != OBS_NO_TIME && f->isn == seen->seq)
			return (0);	/* captured late or twice */
		if (f->state != TCP_OPEN || f->opener != s || f->syn_at != OBS_NO_TIME ||
		    d->next != seen->seq + 1) {
			if (reopen(t, f, e) == -1)
				return (-1);
			f->state = TCP_SYN_SENT;
		}			/* else it was captured behind its answer */
		f->opener = (int8_t)s;
		f->isn = seen->seq;
		f->syn_at = f->syn_last_at = seen->at;
		f->syn_where = seen->where;
		if (t->user.event(t->user.arg, f, TCP_EV_SYN, s, seen, NULL, e) == -1)
			return (-1);
	}
	d->known = 1;
	d->next = seen->seq + 1;
	return (0);
}

static int
rst(struct tcp *t, struct tcp_flow *f, uint32_t i, int s, const struct stream_seen *seen,
    struct err *e)
{
	enum tcp_event	 ev = TCP_EV_RESET;

	if (f->state == TCP_CLOSED)
		return (0);
	if (flush(t, f, e) == -1)
		return (-1);
	if (f->state == TCP_SYN_SENT && s != f->opener)
		ev = TCP_EV_REFUSED;
	f->last_at = seen->at;
	tcp_seen(f, &seen->where);
	if (t->user.event(t->user.arg, f, ev, s, seen, NULL, e) == -1)
		return (-1);
	return (close_flow(t, f, i, e));
}

/* Note what a segment acknowledges; an acknowledgement beyond the FIN is the
 * FIN's. */
static void
note_ack(struct tcp_flow *f, int s, uint32_t ack, int64_t at)
{
	struct tcp_side	*o = &f->side[!s];

	if (!o->ack_known || seq_before(o->acked, ack)) {
		o->acked = ack;
		o->acked_at = at;
	}
	o->ack_known = 1;
	if (!o->known) {
		o->known = 1;
		o->next = ack;
	}
}

/* A probe repeats the last byte, or sends one of no meaning. */
static int
is_keepalive(const struct tcp_side *d, const struct stream_seen *seen, uint32_t len)
{
	return (len == 1 && (d->known ? seen->seq + 1 == d->next : 1));
}

static int
payload(struct tcp *t, struct tcp_flow *f, int s, const struct frame *fr,
    struct stream_seen *seen, struct err *e)
{
	struct tcp_side	*d = &f->side[s];

	if (fr->len == 0 || is_keepalive(d, seen, fr->len))
		return (0);
	if (!d->known) {
		d->known = 1;
		d->next = seen->seq;
	}
	if (!seq_before(d->next, seen->seq + fr->len))
		return (0);		/* sent again */
	if (seq_before(d->next, seen->seq) || f->held[s] != NULL ||
	    !answers_known(f, s, seen->ack)) {
		if (seen->seq - d->next > (1u << 30) && seq_before(d->next, seen->seq))
			return (0);	/* no window is so large */
		(void)hold(t, f, s, seen, fr);
		return (pump(t, f, e));
	}
	return (give(t, f, s, seen, (const char *)fr->data, fr->cap, fr->len, e));
}

static int
established(struct tcp *t, struct tcp_flow *f, uint32_t i, int s, const struct frame *fr,
    struct stream_seen *seen, struct err *e)
{
	struct tcp_side	*d = &f->side[s];

	if (f->state == TCP_CLOSED)
		return (0);
	if (f->state == TCP_NEW || (f->state == TCP_SYN_SENT &&
	    (s != f->opener || seen->seq != f->isn)))
		f->state = TCP_OPEN;
	if (seen->at > f->last_at)
		f->last_at = seen->at;
	tcp_seen(f, &seen->where);
	if (fr->flags & FRAME_ACK)
		note_ack(f, s, fr->ack, seen->at);
	if (payload(t, f, s, fr, seen, e) == -1)
		return (-1);
	if ((fr->flags & FRAME_FIN) && !d->fin_seen) {
		d->fin_seen = 1;
		f->fin[s] = fr->seq + fr->len;
		f->fin_at = seen->at;
		if (!d->known) {
			d->known = 1;
			d->next = f->fin[s];
		}
	}
	if (f->nheld > 0) {
		if (pump(t, f, e) == -1)
			return (-1);
		if (f->nheld > 0 && overdue(t, f, seen->at) && declare(t, f, e) == -1)
			return (-1);
	} else if (d->fin_seen && fin(t, f, s, e) == -1)
		return (-1);
	if (f->side[0].fin_given && f->side[1].fin_given)
		return (close_flow(t, f, i, e));
	return (0);
}

static int
unreachable(struct tcp *t, struct tcp_flow *f, int s, const struct frame *fr,
    const struct stream_seen *seen, struct err *e)
{
	char	 text[32];

	if (f->state == TCP_CLOSED)
		return (0);
	f->last_at = seen->at;
	tcp_seen(f, &seen->where);
	snprintf(text, sizeof text, "icmp %u/%u", fr->icmp_type, fr->icmp_code);
	return (t->user.event(t->user.arg, f, TCP_EV_UNREACHABLE, !s, seen, text, e));
}

/* Flows that wait in vain, wherever the segment at hand belongs. */
static int
sweep(struct tcp *t, int64_t now, struct err *e)
{
	struct tcp_flow	*f = t->near.holding;

	if (f == NULL || now - f->held_since < 2 * ACKED_WAIT_US || !overdue(t, f, now)) {
		if (f == NULL || t->held_all <= TCP_HELD_ALL)
			return (0);
	}
	return (declare(t, f, e));
}

/* Whether the source is the higher end, as memcmp() and then the ports say. */
static inline int
is_higher(const struct frame *fr)
{
	uint64_t	 a = be64toh(fr->src.w[0]), b = be64toh(fr->dst.w[0]);

	if (a == b) {
		a = be64toh(fr->src.w[1]);
		b = be64toh(fr->dst.w[1]);
	}
	return (a > b || (a == b && fr->sport > fr->dport));
}

/* As the two of tcp_flow.port stand in memory. */
static inline uint32_t
two_ports(uint16_t first, uint16_t second)
{
	uint16_t	 both[2] = { first, second };
	uint32_t	 ports;

	memcpy(&ports, both, sizeof ports);
	return (ports);
}

static inline int
key_of(const struct frame *fr, struct key *k)
{
	int			 s = is_higher(fr);
	const struct frame_addr	*from = s ? &fr->dst : &fr->src, *to = s ? &fr->src : &fr->dst;

	k->w[0] = from->w[0];
	k->w[1] = from->w[1];
	k->w[2] = to->w[0];
	k->w[3] = to->w[1];
	k->ports = two_ports(s ? fr->dport : fr->sport, s ? fr->sport : fr->dport);
	return (s);
}

int
tcp_many(const struct tcp *t)
{
	return (fast_paths && t->nflows > MANY);
}

uint32_t
tcp_expect(const struct tcp *t, const struct frame *fr)
{
	struct key	 key;
	uint32_t	 h;

	(void)key_of(fr, &key);
	h = hash(t, &key);
	__builtin_prefetch(&t->place[h & (t->nplaces - 1)]);
	return (h);
}

void
tcp_expect_soon(const struct tcp *t, uint32_t h)
{
	uint32_t	 i;

	for (i = h & (t->nplaces - 1); t->place[i].index != UINT32_MAX;
	    i = (i + 1) & (t->nplaces - 1))
		if (t->place[i].hash == h) {
			__builtin_prefetch(flow_at(t, t->place[i].index)->addr, 1);
			prefetch(t, flow_at(t, t->place[i].index));
			return;
		}
}

static inline void
hint_set(struct tcp *t, uint32_t mark, struct tcp_flow *f, uint32_t index, int side)
{
	t->near.hint[mark >> (32 - TCP_HINT_BITS)] = (struct tcp_hint){ f, mark, index, side };
}

/* The flow of a segment, made if it is new; the side that sends in *s, the
 * flow's index in *i. */
static inline struct tcp_flow *
flow_of(struct tcp *t, const struct frame *fr, int *s, uint32_t *i, struct err *e)
{
	uint32_t		 mark = tcp_mark(fr);
	const struct tcp_hint	*hint = &t->near.hint[mark >> (32 - TCP_HINT_BITS)];
	struct tcp_flow		*f = hint->flow;
	struct key		 key;

	if (hint->mark == mark && f != NULL && f->queued != 2 && tcp_goes_from(f, hint->side, fr)) {
		*s = hint->side;
		*i = hint->index;
		return (f);
	}
	*s = key_of(fr, &key);
	f = flow_get(t, &key, i, e);
	hint_set(t, mark, f, *i, *s);
	return (f);
}

struct tcp_near *
tcp_near(struct tcp *t)
{
	return (&t->near);
}

struct tcp_flow *
tcp_known(struct tcp_near *near, const struct frame *fr, int *side)
{
	struct tcp	*t = (struct tcp *)near;	/* its first member */
	struct tcp_flow	*f;
	struct key	 key;
	uint32_t	 i;

	*side = key_of(fr, &key);
	f = flow_find(t, &key, hash(t, &key), &i);
	if (f != NULL)
		hint_set(t, tcp_mark(fr), f, i, *side);
	return (f);
}

int
tcp_segment(struct tcp *t, const struct frame *fr, int64_t at, const struct locus *where,
    struct err *e)
{
	struct stream_seen	 seen = {
		.at = at, .where = *where, .seq = fr->seq, .ack = fr->ack
	};
	struct tcp_flow		*f;
	uint32_t		 i = 0;
	int			 s;

	if (t->near.holding != NULL && sweep(t, at, e) == -1)
		return (-1);
	f = flow_of(t, fr, &s, &i, e);
	if (f == NULL)
		return (-1);
	if (fr->kind == FRAME_UNREACHABLE)
		return (unreachable(t, f, s, fr, &seen, e));
	if (fr->flags & FRAME_RST)
		return (rst(t, f, i, s, &seen, e));
	if (fr->flags & FRAME_SYN) {
		if (seen.at > f->last_at)
			f->last_at = seen.at;
		tcp_seen(f, &seen.where);
		return (syn(t, f, s, fr, &seen, e));
	}
	return (established(t, f, i, s, fr, &seen, e));
}

int
tcp_end(struct tcp *t, struct err *e)
{
	uint32_t	 i;

	for (i = 0; i < t->used; i++)
		if (flow_at(t, i)->queued != 2 && gone(t, flow_at(t, i), e) == -1)
			return (-1);
	return (0);
}

void
tcp_each(struct tcp *t, void (*fn)(void *, struct tcp_flow *), void *arg)
{
	uint32_t	 i;

	for (i = 0; i < t->used; i++)
		if (flow_at(t, i)->queued != 2)
			fn(arg, flow_at(t, i));
}

int64_t
tcp_evicted(const struct tcp *t)
{
	return (t->evicted);
}

void
tcp_free(struct tcp *t)
{
	uint32_t	 i;

	if (t == NULL)
		return;
	while (t->near.holding != NULL) {
		struct tcp_flow *f = t->near.holding;

		held_drop(t, f, f->held[0] == NULL);
	}
	for (i = 0; i < t->nslabs; i++)
		free(t->slab[i]);
	free(t->slab);
	free(t->place);
	free(t);
}
