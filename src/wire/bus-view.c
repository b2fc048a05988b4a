#include "wire/bus-view.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "wire/bus-opinion.h"

enum {
	PEERS = 1024,			/* bus ports remembered */
	SENDER_PLACES = 2 * BUS_SENDERS_MAX,
	SAME_FAIL_US = 1000000,		/* one FAIL goes to every node */
	FLAG_WORDS_BYTES = 64
};

/* What a header says of its sender.  Compared as bytes: zero it first. */
struct claim {
	uint64_t	 current_epoch, config_epoch;
	unsigned	 flags;
	int		 state, port, cport;
	char		 ip[STREAM_HOST_BYTES + 1], hostname[BUS_HOSTNAME_MAX + 1];
	char		 master[BUS_ID_BYTES];	/* NUL: none */
	unsigned char	 slots[BUS_SLOT_BYTES];	/* of a master only */
};

struct moment {
	int64_t		 at, connection;
	struct locus	 where;
	uint32_t	 seq;
};

struct sender {
	char		 id[BUS_ID_BYTES];
	struct claim	 now, before;
	int64_t		 changed_at, changed_on;	/* on: connection */
	int		 held;		/* a view of now, not yet emitted */
	struct moment	 first, last;
	int64_t		 samples, max_gap_us;
	int		 was_master;	/* seen as master without the paused flag */
	int		 paused;
	int		 requested;	/* asked for votes in requested_epoch */
	uint64_t	 requested_epoch;
};

/* Who listens on a bus port. */
struct peer {
	struct stream_end at;
	char		 id[BUS_ID_BYTES];
	int		 known;
};

struct bus_views {
	struct sink	*sink;
	struct sender	*senders[SENDER_PLACES];
	size_t		 nsenders;
	struct peer	*peers;
	struct opinions	 opinions;
	struct obs_view_slots *slots;
	size_t		 nslots, maxslots;
	struct obs_view_node *nodes;
	char		(*words)[FLAG_WORDS_BYTES];	/* flags of nodes */
	size_t		 maxnodes;
};

struct bus_views *
bus_views_open(struct sink *sink)
{
	struct bus_views	*v = mem_zero(1, sizeof *v);

	v->sink = sink;
	v->peers = mem_zero(PEERS, sizeof *v->peers);
	opinions_init(&v->opinions, BUS_OPINIONS_MAX);
	return (v);
}

static void
forget_senders(struct bus_views *v)
{
	size_t	 i;

	for (i = 0; i < SENDER_PLACES; i++) {
		free(v->senders[i]);
		v->senders[i] = NULL;
	}
	v->nsenders = 0;
}

void
bus_views_close(struct bus_views *v)
{
	if (v == NULL)
		return;
	forget_senders(v);
	opinions_free(&v->opinions);
	free(v->peers);
	free(v->slots);
	free(v->nodes);
	free(v->words);
	free(v);
}

/* Flags as CLUSTER NODES spells them; NULL when none. */
static struct span
flag_words(unsigned flags, char out[FLAG_WORDS_BYTES])
{
	static const struct { unsigned bit; const char *word; } words[] = {
		{ BUS_PFAIL, "fail?" }, { BUS_FAILED, "fail" },
		{ BUS_HANDSHAKE, "handshake" }, { BUS_NOADDR, "noaddr" },
		{ BUS_NOFAILOVER, "nofailover" },
	};
	size_t	 i, n = 0;

	for (i = 0; i < sizeof words / sizeof words[0]; i++) {
		if ((flags & words[i].bit) == 0)
			continue;
		if (n != 0)
			out[n++] = ',';
		memcpy(out + n, words[i].word, strlen(words[i].word));
		n += strlen(words[i].word);
	}
	return (span_make(n != 0 ? out : NULL, n));
}

static enum node_role
role_of(unsigned flags)
{
	if ((flags & BUS_MASTER) != 0)
		return (ROLE_MASTER);
	return ((flags & BUS_REPLICA) != 0 ? ROLE_REPLICA : ROLE_NONE);
}

/* Ranges of a bitmap into v->slots, all of nodes[0]. */
static void
ranges(struct bus_views *v, const unsigned char *bitmap)
{
	struct obs_view_slots	*r = NULL;
	int			 s;

	v->nslots = 0;
	for (s = 0; s < BUS_SLOT_BYTES * 8; s++) {
		if (bitmap[s / 8] == 0) {
			s |= 7;
			continue;
		}
		if ((bitmap[s / 8] >> s % 8 & 1) == 0)
			continue;
		if (r != NULL && r->to == s - 1) {
			r->to = s;
			continue;
		}
		if (v->nslots == v->maxslots) {
			v->maxslots = v->maxslots * 2 + 16;
			v->slots = mem_grow(v->slots, v->maxslots, sizeof *v->slots);
		}
		r = &v->slots[v->nslots++];
		memset(r, 0, sizeof *r);
		r->from = r->to = s;
		r->state = SLOTS_OWNED;
	}
}

static struct endpoint
claim_endpoint(const struct claim *c)
{
	struct endpoint	 ep = endpoint_none();

	if (c->port != 0) {
		ep.host = span_of(c->ip);
		ep.port = c->port;
	}
	return (ep);
}

static void
begin(struct obs *o, enum obs_kind kind, struct span id, struct endpoint ep,
    const struct moment *m)
{
	obs_init(o, kind);
	o->at = m->at;
	o->at_basis = AT_STATED;
	o->precision_us = 1;
	o->where = m->where;
	o->connection = m->connection;
	o->tcp_seq = m->seq;
	o->observer.kind = WHO_NODE;
	o->observer.node = id;
	o->observer.ep = ep;
}

static int
emit_held(struct bus_views *v, struct sender *s, struct err *e)
{
	const struct claim	*c = &s->now;
	struct obs_view_node	 n;
	char			 words[FLAG_WORDS_BYTES];
	struct obs		 o;

	if (!s->held)
		return (0);
	s->held = 0;
	obs_view_node_init(&n);
	n.id = span_make(s->id, BUS_ID_BYTES);
	n.ep = claim_endpoint(c);
	n.role = role_of(c->flags);
	n.flags = flag_words(c->flags, words);
	n.config_epoch = (int64_t)c->config_epoch;
	n.myself = 1;
	if (c->hostname[0] != '\0')
		n.hostname = span_of(c->hostname);
	if (c->cport != 0)
		n.bus_port = c->cport;
	if (c->master[0] != '\0')
		n.master = span_make(c->master, BUS_ID_BYTES);
	ranges(v, c->slots);
	begin(&o, OBS_VIEW, n.id, n.ep, &s->first);
	o.last_at = s->last.at;
	o.last_where = s->last.where;
	o.samples = s->samples;
	o.max_gap_us = s->max_gap_us;
	o.u.view.kind = VIEW_BUS;
	o.u.view.current_epoch = (int64_t)c->current_epoch;
	o.u.view.state = c->state == 0;
	o.u.view.nodes = &n;
	o.u.view.nnodes = 1;
	o.u.view.slots = v->slots;
	o.u.view.nslots = v->nslots;
	return (v->sink->obs(v->sink, &o, e));
}

int
bus_views_end(struct bus_views *v, struct err *e)
{
	size_t	 i;

	for (i = 0; i < SENDER_PLACES; i++)
		if (v->senders[i] != NULL && emit_held(v, v->senders[i], e) == -1)
			return (-1);
	return (0);
}

/* The sender of an id; NULL only with err. */
static struct sender *
sender_of(struct bus_views *v, struct span id, int *fresh, struct err *e)
{
	struct sender	**place;
	size_t		 i = (size_t)opinion_hash(OPINION_SEED, id.p, id.n);

	for (;; i++) {
		place = &v->senders[i % SENDER_PLACES];
		if (*place == NULL)
			break;
		if (memcmp((*place)->id, id.p, BUS_ID_BYTES) == 0) {
			*fresh = 0;
			return (*place);
		}
	}
	*fresh = 1;
	if (v->nsenders == BUS_SENDERS_MAX) {
		if (bus_views_end(v, e) == -1)
			return (NULL);
		forget_senders(v);
	}
	*place = mem_zero(1, sizeof **place);
	memcpy((*place)->id, id.p, BUS_ID_BYTES);
	v->nsenders++;
	return (*place);
}

static void
claim_of(const struct bus_message *m, const struct stream_ends *ends,
    const struct claim *known, struct claim *c)
{
	memset(c, 0, sizeof *c);
	c->current_epoch = m->current_epoch;
	c->config_epoch = m->config_epoch;
	c->flags = m->flags & (BUS_MASTER | BUS_REPLICA | BUS_HANDSHAKE | BUS_NOADDR |
	    BUS_NOFAILOVER);
	c->state = (int)m->state;
	c->port = m->port;
	c->cport = m->cport;
	if (m->ip.p != NULL)
		memcpy(c->ip, m->ip.p, m->ip.n);
	else
		memcpy(c->ip, ends->from.host, strnlen(ends->from.host,
		    STREAM_HOST_BYTES));
	/* Not every message carries extensions: a name once said stays. */
	if (m->hostname.p != NULL)
		memcpy(c->hostname, m->hostname.p, m->hostname.n);
	else
		memcpy(c->hostname, known->hostname, sizeof c->hostname);
	if (m->replicaof.p != NULL)
		memcpy(c->master, m->replicaof.p, BUS_ID_BYTES);
	if ((m->flags & BUS_MASTER) != 0)
		memcpy(c->slots, m->slots, BUS_SLOT_BYTES);
}

static int
same(const struct claim *a, const struct claim *b)
{
	/* NOLINTNEXTLINE(*-memory-comparison,cert-exp42-c,cert-flp37-c): both were all zero */
	return (memcmp(a, b, sizeof *a) == 0);
}

/* Nagle holds data back on the side that opened the link; the side that
 * accepted it speaks from its bus port, without delay. */
static int
may_be_held(const struct bus_message *m, const struct stream_ends *ends,
    const struct stream_seen *seen, int64_t prior_at)
{
	if (m->cport != 0 && ends->from.port == m->cport)
		return (0);
	if (seen->unacked != 0)
		return (1);
	if (prior_at == OBS_NO_TIME)
		return (!ends->at_start);
	return (seen->at - prior_at < BUS_DELAY_US && (seen->acked_at < prior_at ||
	    seen->at - seen->acked_at < BUS_ROUND_US));
}

/* A claim that was superseded on another link before this copy of it left. */
static int
is_late(const struct sender *s, const struct claim *c, const struct moment *m)
{
	if (m->connection == s->changed_on)
		return (0);
	if (m->at < s->changed_at)
		return (1);
	return (m->at - s->changed_at < BUS_DELAY_US && (same(c, &s->before) ||
	    c->config_epoch < s->now.config_epoch ||
	    c->current_epoch < s->now.current_epoch));
}

static void
hold(struct sender *s, const struct moment *m)
{
	s->held = 1;
	s->first = s->last = *m;
	s->samples = 1;
	s->max_gap_us = 0;
}

static int
claimed(struct bus_views *v, struct sender *s, const struct claim *c,
    const struct moment *m, int held_back, struct err *e)
{
	if (!same(c, &s->now)) {
		if (emit_held(v, s, e) == -1)
			return (-1);
		s->before = s->now;
		s->now = *c;
		s->changed_at = m->at;
		s->changed_on = m->connection;
		hold(s, m);
		return (0);
	}
	if (held_back || m->at < s->last.at) {
		s->samples++;
		return (0);
	}
	if (m->at - s->first.at >= BUS_FOLD_US) {
		if (emit_held(v, s, e) == -1)
			return (-1);
		hold(s, m);
		return (0);
	}
	if (m->at - s->last.at > s->max_gap_us)
		s->max_gap_us = m->at - s->last.at;
	s->last = *m;
	s->samples++;
	return (0);
}

static void
event(struct obs *o, const struct sender *s, const struct claim *c,
    const struct moment *m, const char *kind, const char *name)
{
	begin(o, OBS_SERVER, span_make(s->id, BUS_ID_BYTES), claim_endpoint(c), m);
	o->u.server.kind = kind;
	o->u.server.event = name;
	o->u.server.role = role_of(c->flags);
}

/*
 * Redis 7.0 sets the flag in the message by which a new master announces
 * itself, though it holds no writes: only one already known as a master pauses.
 */
static int
pause_flag(struct bus_views *v, struct sender *s, const struct claim *c,
    unsigned mflags, const struct moment *m, struct err *e)
{
	int		 paused = (mflags & BUS_PAUSED) != 0, was = s->paused;
	struct obs	 o;

	if (!paused)
		s->was_master = role_of(c->flags) == ROLE_MASTER;
	if (paused && !s->was_master)
		return (0);
	s->paused = paused;
	if (paused == was)
		return (0);
	event(&o, s, c, m, "pause", paused ? "writes-paused" : "writes-resumed");
	return (v->sink->obs(v->sink, &o, e));
}

static struct peer *
peer_at(struct bus_views *v, const char *host, int port)
{
	uint64_t	 h;

	h = opinion_hash(OPINION_SEED, host, strnlen(host, STREAM_HOST_BYTES));
	h = opinion_hash(h, &port, sizeof port);
	return (&v->peers[(h ^ h >> 29) % PEERS]);
}

static int
peer_is(const struct peer *p, const char *host, int port)
{
	return (p->known && p->at.port == port &&
	    strncmp(p->at.host, host, STREAM_HOST_BYTES) == 0);
}

/* Remember who is behind a bus port; 3.x does not say it: always +10000. */
static void
learn_peer(struct bus_views *v, const struct bus_message *m,
    const struct stream_ends *ends)
{
	int		 port = m->cport != 0 ? m->cport : m->port + 10000;
	struct peer	*p = peer_at(v, ends->from.host, port);

	p->at = ends->from;
	p->at.port = port;
	p->known = 1;
	memcpy(p->id, m->sender.p, BUS_ID_BYTES);
}

static int
vote(struct bus_views *v, struct sender *s, const struct claim *c,
    const struct bus_message *m, const struct stream_ends *ends,
    const struct moment *at, struct err *e)
{
	const struct peer	*p = peer_at(v, ends->to.host, ends->to.port);
	struct obs		 o;

	event(&o, s, c, at, "vote", "vote-granted");
	o.u.server.epoch = (int64_t)m->current_epoch;
	if (peer_is(p, ends->to.host, ends->to.port))
		o.u.server.other = span_make(p->id, BUS_ID_BYTES);
	return (v->sink->obs(v->sink, &o, e));
}

/* One request goes to every node: the first is reported. */
static int
vote_request(struct bus_views *v, struct sender *s, const struct claim *c,
    const struct bus_message *m, const struct moment *at, struct err *e)
{
	struct obs	 o;

	if (s->requested && s->requested_epoch == m->current_epoch)
		return (0);
	s->requested = 1;
	s->requested_epoch = m->current_epoch;
	event(&o, s, c, at, "vote", "vote-requested");
	o.u.server.epoch = (int64_t)m->current_epoch;
	if ((m->mflags & BUS_FORCEACK) != 0)
		o.u.server.detail = span_of("FORCEACK");
	return (v->sink->obs(v->sink, &o, e));
}

/* Said the same of the same node less than us ago; remembers that it was. */
static int
said_lately(struct bus_views *v, struct span id, struct span subject, char what,
    int64_t at, int64_t us)
{
	struct opinion	*op;
	uint64_t	 h = opinion_hash(OPINION_SEED, &what, 1);
	int		 fresh;

	h = opinion_hash(opinion_hash(h, id.p, id.n), subject.p, subject.n);
	op = opinions_find(&v->opinions, h, &fresh);
	if (!fresh && at >= op->at && at - op->at < us)
		return (1);
	op->at = at;
	return (0);
}

static int
about(struct bus_views *v, struct sender *s, const struct claim *c,
    const struct moment *at, const char *kind, const char *name, struct span subject,
    struct err *e)
{
	struct obs	 o;

	event(&o, s, c, at, kind, name);
	o.u.server.subject = subject;
	return (v->sink->obs(v->sink, &o, e));
}

static int
update(struct bus_views *v, struct sender *s, const struct claim *c,
    const struct bus_message *m, const struct moment *at, struct err *e)
{
	struct obs_view_node	 n;
	struct obs		 o;

	obs_view_node_init(&n);
	n.id = m->subject;
	n.role = ROLE_MASTER;		/* only masters are told about */
	n.config_epoch = (int64_t)m->subject_epoch;
	ranges(v, m->subject_slots);
	begin(&o, OBS_VIEW, span_make(s->id, BUS_ID_BYTES), claim_endpoint(c), at);
	o.u.view.kind = VIEW_UPDATE;
	o.u.view.current_epoch = (int64_t)m->current_epoch;
	o.u.view.state = m->state == 0;
	o.u.view.nodes = &n;
	o.u.view.nnodes = 1;
	o.u.view.slots = v->slots;
	o.u.view.nslots = v->nslots;
	return (v->sink->obs(v->sink, &o, e));
}

static uint64_t
opinion_of(const struct bus_gossip *g, unsigned flags)
{
	uint64_t	 h = opinion_hash(OPINION_SEED, &flags, sizeof flags);

	h = opinion_hash(h, g->ip.p, g->ip.n);
	h = opinion_hash(h, &g->port, sizeof g->port);
	return (opinion_hash(h, &g->cport, sizeof g->cport));
}

/* One gossip entry: 1 when it is news, 0 when not, -1 with err. */
static int
gossip_news(struct bus_views *v, struct sender *s, const struct claim *c,
    const struct bus_gossip *g, const struct moment *at, struct err *e)
{
	unsigned	 flags = g->flags & (BUS_MASTER | BUS_REPLICA | BUS_PFAIL |
			    BUS_FAILED | BUS_HANDSHAKE | BUS_NOADDR), was;
	uint64_t	 said = opinion_of(g, flags), key;
	struct opinion	*op;
	int		 fresh;

	key = opinion_hash(OPINION_SEED, s->id, BUS_ID_BYTES);
	key = opinion_hash(key, g->id.p, g->id.n);
	op = opinions_find(&v->opinions, key, &fresh);
	was = op->flags;
	if (!fresh && op->said == said && at->at - op->at < BUS_OPINION_US)
		return (0);
	op->said = said;
	op->at = at->at;
	op->flags = flags;
	if ((flags & BUS_PFAIL) != 0 && (was & BUS_PFAIL) == 0 &&
	    about(v, s, c, at, "pfail", "possibly-failing", g->id, e) == -1)
		return (-1);
	if ((flags & BUS_FAILED) == 0 && (was & BUS_FAILED) != 0 &&
	    about(v, s, c, at, "fail", "fail-cleared", g->id, e) == -1)
		return (-1);
	return (1);
}

static void
gossip_node(struct bus_views *v, size_t i, const struct bus_gossip *g)
{
	struct obs_view_node	*n;

	if (i == v->maxnodes) {
		v->maxnodes = v->maxnodes * 2 + 16;
		v->nodes = mem_grow(v->nodes, v->maxnodes, sizeof *v->nodes);
		v->words = mem_grow(v->words, v->maxnodes, sizeof *v->words);
	}
	n = &v->nodes[i];
	obs_view_node_init(n);
	n->id = g->id;
	n->role = role_of(g->flags);
	if (g->ip.p != NULL && g->port != 0) {
		n->ep.host = g->ip;
		n->ep.port = g->port;
	}
	if (g->cport != 0)
		n->bus_port = g->cport;
	n->flags = flag_words(g->flags, v->words[i]);
}

static int
gossip(struct bus_views *v, struct sender *s, const struct claim *c,
    const struct bus_message *m, const struct moment *at, struct err *e)
{
	struct bus_gossip	 g;
	struct obs		 o;
	size_t			 n = 0, k;
	unsigned		 i;
	int			 news;

	for (i = 0; i < m->count; i++) {
		bus_gossip(m, i, &g);
		if ((news = gossip_news(v, s, c, &g, at, e)) == -1)
			return (-1);
		if (news)
			gossip_node(v, n++, &g);
	}
	if (n == 0)
		return (0);
	for (k = 0; k < n; k++)		/* they no longer move */
		if (v->nodes[k].flags.n != 0)
			v->nodes[k].flags.p = v->words[k];
	begin(&o, OBS_VIEW, span_make(s->id, BUS_ID_BYTES), claim_endpoint(c), at);
	o.u.view.kind = VIEW_GOSSIP;
	o.u.view.current_epoch = (int64_t)m->current_epoch;
	o.u.view.nodes = v->nodes;
	o.u.view.nnodes = n;
	return (v->sink->obs(v->sink, &o, e));
}

static int
heartbeat(struct bus_views *v, struct sender *s, const struct claim *c,
    const struct bus_message *m, const struct moment *at, struct err *e)
{
	struct obs	 o;

	if (m->forgotten.p != NULL && !said_lately(v, m->sender, m->forgotten, 'G',
	    at->at, BUS_OPINION_US)) {
		event(&o, s, c, at, "command", "forget");
		o.u.server.subject = m->forgotten;
		if (v->sink->obs(v->sink, &o, e) == -1)
			return (-1);
	}
	if (m->count == 0)
		return (0);
	return (gossip(v, s, c, m, at, e));
}

/* What a message says beside its header. */
static int
deed(struct bus_views *v, struct sender *s, const struct claim *c,
    const struct bus_message *m, const struct stream_ends *ends,
    const struct moment *at, struct err *e)
{
	struct obs	 o;

	switch (m->type) {
	case BUS_PING:
	case BUS_PONG:
	case BUS_MEET:
		return (heartbeat(v, s, c, m, at, e));
	case BUS_FAIL:
		if (said_lately(v, m->sender, m->subject, 'F', at->at, SAME_FAIL_US))
			return (0);
		return (about(v, s, c, at, "fail", "fail-marked", m->subject, e));
	case BUS_AUTH_REQUEST:
		return (vote_request(v, s, c, m, at, e));
	case BUS_AUTH_ACK:
		return (vote(v, s, c, m, ends, at, e));
	case BUS_UPDATE:
		return (update(v, s, c, m, at, e));
	case BUS_MFSTART:
		event(&o, s, c, at, "election", "manual-requested");
		o.u.server.subject = m->replicaof;
		return (v->sink->obs(v->sink, &o, e));
	default:
		return (0);
	}
}

int
bus_views_message(struct bus_views *v, const struct bus_message *m,
    const struct stream_ends *ends, const struct stream_seen *seen, int64_t prior_at,
    struct err *e)
{
	struct moment	 at = { seen->at, ends->connection, seen->where, seen->seq };
	int		 fresh, held_back = may_be_held(m, ends, seen, prior_at);
	struct sender	*s = sender_of(v, m->sender, &fresh, e);
	struct claim	 c;

	if (s == NULL)
		return (-1);
	claim_of(m, ends, &s->now, &c);
	learn_peer(v, m, ends);
	/* A vote may be built in the round in which its sender turns replica, and
	 * anything but a heartbeat may have waited: neither says what is so now. */
	if ((m->type <= BUS_MEET || (!held_back && m->type != BUS_AUTH_ACK)) &&
	    (fresh || same(&c, &s->now) || !is_late(s, &c, &at))) {
		if (claimed(v, s, &c, &at, held_back, e) == -1 ||
		    pause_flag(v, s, &c, m->mflags, &at, e) == -1)
			return (-1);
	}
	return (deed(v, s, &c, m, ends, &at, e));
}
