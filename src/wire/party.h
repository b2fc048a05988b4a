/*
 * party.h - who takes part in a capture: hosts, Redis servers, and what each
 * client host has to do with each server: contacts, and requests per second.
 *
 * Contacts are folded here: replies cost one observation a second for each
 * pair.  Attempts at an endpoint that is not known to be Redis (yet) are kept
 * until it is, or the capture ends.
 *
 * Limits, reported when they are hit: PARTY_PAIRS pairs of client host and
 * server, PARTY_PENDING kept attempts.
 */
#ifndef WIRE_PARTY_H
#define WIRE_PARTY_H

#include "model/slots.h"
#include "wire/frame.h"
#include "wire/stream.h"

enum { PARTY_PAIRS = 1 << 16, PARTY_PENDING = 1 << 14, PARTY_PORT = 6379 };

struct party_host {
	struct frame_addr addr;
	char		 text[STREAM_HOST_BYTES];
	struct party_host *next;
};

/* What was lost of one server's or its clients' words, in one stretch. */
struct party_loss {
	int64_t		 at, at_end, bytes, count;
	struct locus	 where;
};
enum { LOSS_SERVER, LOSS_SERVER_CUT, LOSS_CLIENT, LOSS_CLIENT_CUT, NLOSSES };

struct server {
	struct party_host *host;
	int		 port;
	int		 redis;			/* known to speak RESP */
	uint16_t	 number;		/* 1 = first */
	struct served_page *page[SLOTS_COUNT / 256];	/* served.c */
	struct party_loss loss[NLOSSES];
	struct server	*next, *all;
};

enum rate {
	RATE_CONNECT, RATE_SETUP, RATE_SLOTS, RATE_SHARDS, RATE_NODES, RATE_ASKING,
	RATE_OTHER, NRATES
};

struct pair {
	struct party_host *client;
	struct server	*server;
	int64_t		 first_at, last_at, max_gap, samples;	/* replies held back */
	struct locus	 first, last;
	int64_t		 connection;
	int64_t		 second, second_end;	/* of the counts below; us */
	struct locus	 second_where;
	uint32_t	 requests[NRATES], connections[NRATES];
	struct pair	*next, *all;
};

/* One attempt that failed, or got no further than the accept. */
struct attempt {
	enum contact_outcome outcome;
	int64_t		 at, last_at, retries, connection;
	struct locus	 where, last_where;
	char		 detail[48];
};

struct parties;

struct parties	*parties_new(struct sink *);
void		 parties_free(struct parties *);
/* NULL when there are too many. */
struct pair	*parties_pair(struct parties *, const struct frame_addr *client,
		    const struct frame_addr *server, int port);
/* The server spoke RESP, or another node named it as a node. */
int		 parties_redis(struct parties *, struct server *, struct err *);
int		 parties_named(struct parties *, const struct endpoint *, struct err *);
int		 parties_is_redis_port(const struct parties *, int port);
struct server	*parties_servers(struct parties *);	/* a list by ->all */
struct server	*parties_find(struct parties *, const struct frame_addr *, int port);

/* A new run of replies or of requests: what was held back of the last goes. */
int		 pair_replies_begin(struct parties *, struct pair *, int64_t at,
		    const struct locus *, int64_t connection, struct err *);
int		 pair_counts_begin(struct parties *, struct pair *, int64_t at,
		    const struct locus *, struct err *);
int		 pair_attempt(struct parties *, struct pair *, const struct attempt *,
		    struct err *);
int		 server_loss(struct parties *, struct server *, int kind, int64_t at,
		    int64_t at_end, int64_t bytes, const struct locus *, struct err *);
/* Emit what is held back: at the end of a file, and of the capture. */
int		 parties_flush(struct parties *, int end, struct err *);

/* A reply; *connection is read by the first of a run only. */
static inline int
pair_reply(struct parties *ps, struct pair *p, int64_t at, const struct locus *where,
    const int64_t *connection, struct err *e)
{
	if ((p->samples == 0 || at - p->first_at > 1000000 || at < p->first_at ||
	    p->first.part != where->part) &&
	    pair_replies_begin(ps, p, at, where, *connection, e) == -1)
		return (-1);
	if (at - p->last_at > p->max_gap)
		p->max_gap = at - p->last_at;
	if (at > p->last_at)
		p->last_at = at;
	p->last = *where;
	p->samples++;
	return (0);
}

/* A request; fresh: the first of its connection in this second. */
static inline int
pair_count(struct parties *ps, struct pair *p, enum rate k, int64_t at,
    const struct locus *where, int fresh, struct err *e)
{
	if ((at >= p->second_end || p->second_where.part != where->part) &&
	    pair_counts_begin(ps, p, at, where, e) == -1)
		return (-1);
	p->requests[k]++;
	p->connections[k] += (uint32_t)fresh;
	return (0);
}

/* How an observation names them. */
struct who	 party_client(const struct party_host *);
struct who	 party_node(const struct server *);
struct endpoint	 party_endpoint(const struct server *);

#endif
