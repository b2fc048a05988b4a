/*
 * talk.h - one RESP connection, shared by dialog.c (bytes -> messages),
 * pairing.c (messages -> requests with their replies) and answer.c (what an
 * answer says); exchange.c is the short way through the first two.
 */
#ifndef WIRE_TALK_H
#define WIRE_TALK_H

#include "base/buf.h"
#include "model/topology.h"
#include "wire/bus.h"
#include "wire/command.h"
#include "wire/dialog.h"
#include "wire/resp.h"
#include "wire/served.h"
#include "wire/tcp.h"

enum talk_kind { TALK_UNKNOWN, TALK_RESP, TALK_BUS, TALK_TLS, TALK_REPLICATION, TALK_OTHER };

enum {
	REQ_ASKING = 1,			/* sent after ASKING */
	REQ_CLAIMS = 2,			/* data for it claims the slot */
	REQ_KEPT = 4,			/* the reply must be read whole */
	REQ_PLAIN = 8			/* of no role, without a note */
};

struct request {
	int64_t		 at;
	char		 *note;		/* owned; words that the answer needs, or NULL */
	uint32_t	 position, end;	/* frame; sequence number after it */
	uint16_t	 part, command;
	int16_t		 slot;
	uint8_t		 flags;
};

/* The beginning of a message of which only a part has come. */
struct part {
	struct stream_seen seen;	/* of its first byte */
	struct resp	 scan;		/* how far it was read */
	size_t		 n, cap, most;
	uint8_t		 lost;		/* some of it was not captured */
	uint8_t		 crowded;	/* it would have been kept, were there fewer */
	char		 *p;
};

enum {					/* talk.flags */
	T_SURE = 1,			/* pairing is */
	T_MULTI = 2, T_ASKING = 4,
	T_MAY_READ = 8,			/* READONLY was sent, or may have been */
	T_REPLY_OFF = 16, T_SKIP = 32,	/* CLIENT REPLY OFF, SKIP */
	T_PUBSUB = 64, T_MONITOR = 128,
	T_MIDWAY = 256,			/* begun before the capture */
	T_TOLD = 512,			/* that it is malformed */
	T_HUNG_UP = 1024,		/* its end was told */
	T_COUNTED = 2048		/* as a connect */
};

/* The user's part of a flow; what most packets touch comes first. */
struct talk {
	uint8_t		 kind, client;	/* enum talk_kind; side of the client */
	uint8_t		 synced[2];	/* at a message boundary or inside a message */
	uint8_t		 exchanges;	/* clean ones since pairing was lost */
	uint8_t		 bound_known;
	uint16_t	 flags;
	uint32_t	 bound;		/* a message of the server begins here */
	uint32_t	 heard;		/* acknowledged by the server's last words */
	uint8_t		 heard_known;
	uint8_t		 rated;		/* rates counted in this second, as bits */
	uint32_t	 replies;
	struct pair	*pair;
	union {
		struct part	*part[2];
		struct stream_reader *bus[2];
	};
	struct request	*ring;		/* of cap requests; NULL: one is the only */
	uint32_t	 count, head;	/* outstanding, the first of them in ring */
	struct request	 one;
	int64_t		 second;	/* us */
	int64_t		 slow_until;
	uint32_t	 cap;
};
_Static_assert(sizeof(struct talk) <= 2 * TCP_LINE, "two lines");
enum { TALK_RING_KEPT = 16 };		/* a larger ring goes when it is empty */

/* A segment that waits until its flow is in the cache. */
struct ahead {
	struct frame	 f;		/* data in bytes */
	int64_t		 at;
	struct locus	 where;
	uint32_t	 expected;
	struct buf	 bytes;
};
enum { AHEAD = 16 };			/* a power of two */

struct dialog {
	struct sink	*sink;
	struct tcp	*tcp;
	struct tcp_near	*near;		/* of tcp */
	struct parties	*parties;
	struct served	*served;
	struct commands	*commands;
	struct bus	*bus;
	struct topology	 topology;
	struct span	*tokens;
	size_t		 tokens_cap;
	size_t		 held;		/* bytes of parts */
	int64_t		 outstanding;	/* requests in rings */
	int64_t		 now;		/* latest time seen */
	int64_t		 malformed, limits, crowded, no_link;
	int		 links;		/* of the bus, open */
	struct locus	 answer_where;	/* of the answer being read */
	int		 keep_keys;
	struct ahead	 ahead[AHEAD];	/* a ring */
	unsigned	 ahead_first, nahead;
	int		 many;		/* tcp_many() */
	struct tls	*tls;		/* encrypted connections on ports not known yet */
	size_t		 ntls;
	struct dialog_counts counts;
};

/* A message of the server. */
struct reply {
	struct span	 text;		/* whole, or its first bytes */
	int		 whole, lost;
	const struct stream_seen *seen;	/* of the first byte */
	int		 crowded;
};

static inline struct talk *
talk_of(struct tcp_flow *f)
{
	return ((struct talk *)(void *)f->user);
}

/* A request, in the rates; t->pair is not NULL. */
static inline int
talk_count(struct dialog *d, struct talk *t, enum rate k, int64_t at,
    const struct locus *where, struct err *e)
{
	int	 fresh;

	if (at < t->second || at - t->second >= 1000000) {
		t->second = at - at % 1000000;
		t->rated = 0;
	}
	fresh = (t->rated >> k & 1) == 0;
	t->rated |= (uint8_t)(1 << k);
	return (pair_count(d->parties, t->pair, k, at, where, fresh, e));
}

/* exchange.c: the next segment of the capture. */
int		 exchange_segment(struct dialog *, const struct frame *, int64_t at,
		    const struct locus *, struct err *);
/* dialog.c: the same by the general code. */
int		 talk_segment(struct dialog *, const struct frame *, int64_t at,
		    const struct locus *, struct err *);

/* pairing.c */
struct request	*talk_head(struct talk *);
void		 talk_forget(struct dialog *, struct talk *);	/* pairing is lost */
int		 talk_request(struct dialog *, struct tcp_flow *, const struct span *words,
		    int nwords, int count, const struct stream_seen *, uint32_t end,
		    struct err *);
int		 talk_reply(struct dialog *, struct tcp_flow *, const struct reply *,
		    struct err *);
/* The connection ends: what was never answered. hung_up: the client left. */
int		 talk_unanswered(struct dialog *, struct tcp_flow *, int64_t at,
		    const struct locus *, int hung_up, struct err *);

/* answer.c */
char		*answer_note(const struct dialog *, const struct command *,
		    const struct span *words, int nwords);
int		 answer_redirect(struct dialog *, struct tcp_flow *, const struct request *,
		    struct span text, const struct stream_seen *, struct err *);
/* The answer to a request that asked for REQ_KEPT, or has a note. */
int		 answer_read(struct dialog *, struct tcp_flow *, const struct request *,
		    const struct reply *, struct err *);
size_t		 answer_most(const struct dialog *, const struct request *);

#endif
