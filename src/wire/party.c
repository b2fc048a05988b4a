#include "wire/party.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/mem.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { HOSTS = 4096, SERVERS = 1024, PAIRS = 16384, NAMED = 16 };

struct pending {
	struct pair	*pair;
	struct attempt	 a;
};

/* A server by the name that a redirect gave it last. */
struct named {
	struct server	*server;	/* NULL: nothing */
	uint8_t		 n;
	char		 text[STREAM_HOST_BYTES];
};

struct parties {
	struct sink	*sink;
	struct named	 named[NAMED];
	struct party_host *host[HOSTS];
	struct server	*server[SERVERS], *servers;
	struct pair	*pair[PAIRS], *pairs;
	uint32_t	 npairs, nservers;
	uint64_t	 seed;
	uint8_t		 port[65536 / 8];
	struct pending	*pending;
	size_t		 npending;
	int		 too_many, too_many_pending;
};

/* Seeded, so that nobody can choose addresses that all meet in one chain. */
static unsigned
mix(const struct parties *ps, const void *p, size_t n, uint64_t h)
{
	return ((unsigned)XXH3_64bits_withSeed(p, n, ps->seed + h));
}

static void
mark_port(struct parties *ps, int port)
{
	ps->port[port >> 3] |= (uint8_t)(1 << (port & 7));
}

int
parties_is_redis_port(const struct parties *ps, int port)
{
	return (ps->port[port >> 3] >> (port & 7) & 1);
}

struct parties *
parties_new(struct sink *sink)
{
	struct parties	*ps = mem_zero(1, sizeof *ps);

	if (getrandom(&ps->seed, sizeof ps->seed, GRND_NONBLOCK) < 0)
		ps->seed = (uintptr_t)ps;
	ps->sink = sink;
	mark_port(ps, PARTY_PORT);
	return (ps);
}

void
parties_free(struct parties *ps)
{
	struct party_host *h;
	struct server	*s;
	struct pair	*p;
	size_t		 i;

	if (ps == NULL)
		return;
	for (i = 0; i < HOSTS; i++)
		while ((h = ps->host[i]) != NULL) {
			ps->host[i] = h->next;
			free(h);
		}
	while ((s = ps->servers) != NULL) {
		ps->servers = s->all;
		free(s);
	}
	while ((p = ps->pairs) != NULL) {
		ps->pairs = p->all;
		free(p);
	}
	free(ps->pending);
	free(ps);
}

static struct party_host *
host_get(struct parties *ps, const struct frame_addr *addr)
{
	struct party_host **link = &ps->host[mix(ps, addr, sizeof *addr, 1) % HOSTS], *h;

	for (h = *link; h != NULL; h = h->next)
		if (memcmp(&h->addr, addr, sizeof *addr) == 0)
			return (h);
	h = mem_zero(1, sizeof *h);
	h->addr = *addr;
	frame_addr_text(addr, h->text, sizeof h->text);
	h->next = *link;
	*link = h;
	return (h);
}

static struct server **
server_link(struct parties *ps, const struct frame_addr *addr, int port)
{
	struct server	**link = &ps->server[mix(ps, addr, sizeof *addr, (uint64_t)port) % SERVERS];

	while (*link != NULL && ((*link)->port != port ||
	    memcmp(&(*link)->host->addr, addr, sizeof *addr) != 0))
		link = &(*link)->next;
	return (link);
}

struct server *
parties_find(struct parties *ps, const struct frame_addr *addr, int port)
{
	return (*server_link(ps, addr, port));
}

static struct server *
server_get(struct parties *ps, const struct frame_addr *addr, int port)
{
	struct server	**link = server_link(ps, addr, port), *s = *link;

	if (s != NULL)
		return (s);
	s = mem_zero(1, sizeof *s);
	s->host = host_get(ps, addr);
	s->port = port;
	s->number = (uint16_t)(ps->nservers < UINT16_MAX ? ++ps->nservers : UINT16_MAX);
	s->all = ps->servers;
	ps->servers = s;
	*link = s;
	return (s);
}

struct pair *
parties_pair(struct parties *ps, const struct frame_addr *client,
    const struct frame_addr *addr, int port)
{
	struct pair	**link, *p;
	unsigned	 h;

	h = mix(ps, client, sizeof *client, 2);
	h = mix(ps, addr, sizeof *addr, h + (uint64_t)port * 31);
	for (link = &ps->pair[h % PAIRS]; (p = *link) != NULL; link = &p->next)
		if (p->server->port == port &&
		    memcmp(&p->client->addr, client, sizeof *client) == 0 &&
		    memcmp(&p->server->host->addr, addr, sizeof *addr) == 0)
			return (p);
	if (ps->npairs >= PARTY_PAIRS) {
		ps->too_many++;
		return (NULL);
	}
	ps->npairs++;
	p = mem_zero(1, sizeof *p);
	p->client = host_get(ps, client);
	p->server = server_get(ps, addr, port);
	p->second = p->second_end = INT64_MIN;
	p->all = ps->pairs;
	ps->pairs = p;
	*link = p;
	return (p);
}

struct server *
parties_servers(struct parties *ps)
{
	return (ps->servers);
}

struct endpoint
party_endpoint(const struct server *s)
{
	struct endpoint	 ep = { span_of(s->host->text), s->port };

	return (ep);
}

struct who
party_client(const struct party_host *h)
{
	struct who	 w;

	memset(&w, 0, sizeof w);
	w.kind = WHO_CLIENT;
	w.name = w.host = span_of(h->text);
	w.ep = endpoint_none();
	return (w);
}

struct who
party_node(const struct server *s)
{
	struct who	 w;

	memset(&w, 0, sizeof w);
	w.kind = WHO_NODE;
	w.ep = party_endpoint(s);
	return (w);
}

static int
emit_contact(struct parties *ps, const struct pair *p, struct obs *o, struct err *e)
{
	o->at_basis = AT_STATED;
	o->precision_us = 1;
	if (o->last_at < o->at)		/* the capture's clock was set back */
		o->last_at = o->at;
	o->observer = party_client(p->client);
	o->u.contact.ep = party_endpoint(p->server);
	return (ps->sink->obs(ps->sink, o, e));
}

static int
flush_replies(struct parties *ps, struct pair *p, struct err *e)
{
	struct obs	 o;

	if (p->samples == 0)
		return (0);
	obs_init(&o, OBS_CONTACT);
	o.at = p->first_at;
	o.last_at = p->last_at;
	o.where = p->first;
	o.last_where = p->last;
	o.samples = p->samples;
	o.max_gap_us = p->max_gap;
	o.connection = p->connection;
	o.u.contact.outcome = CONTACT_OK;
	p->samples = 0;
	return (emit_contact(ps, p, &o, e));
}

int
pair_replies_begin(struct parties *ps, struct pair *p, int64_t at, const struct locus *where,
    int64_t connection, struct err *e)
{
	if (flush_replies(ps, p, e) == -1)
		return (-1);
	p->first_at = p->last_at = at;
	p->first = *where;
	p->max_gap = 0;
	p->connection = connection;
	return (0);
}

static int
emit_attempt(struct parties *ps, struct pair *p, const struct attempt *a, struct err *e)
{
	struct obs	 o;

	obs_init(&o, OBS_CONTACT);
	o.at = a->at;
	o.last_at = a->last_at;
	o.where = a->where;
	o.last_where = a->last_where.part == a->where.part ? a->last_where : a->where;
	o.connection = a->connection;
	o.u.contact.outcome = a->outcome;
	o.u.contact.retries = a->retries;
	if (a->detail[0] != '\0')
		o.u.contact.detail = span_of(a->detail);
	return (emit_contact(ps, p, &o, e));
}

int
pair_attempt(struct parties *ps, struct pair *p, const struct attempt *a, struct err *e)
{
	if (p->server->redis) {
		if (flush_replies(ps, p, e) == -1)
			return (-1);
		return (emit_attempt(ps, p, a, e));
	}
	if (ps->npending == PARTY_PENDING) {
		ps->too_many_pending++;
		return (0);
	}
	ps->pending = mem_more(ps->pending, ps->npending, sizeof *ps->pending);
	ps->pending[ps->npending].pair = p;
	ps->pending[ps->npending++].a = *a;
	return (0);
}

/* Emit what was kept for a server; NULL: for any on a port that Redis uses. */
static int
settle(struct parties *ps, const struct server *s, struct err *e)
{
	size_t	 i, kept = 0;
	int	 r = 0;

	for (i = 0; i < ps->npending; i++) {
		struct pending	*k = &ps->pending[i];

		if (r == 0 && (s != NULL ? k->pair->server == s :
		    parties_is_redis_port(ps, k->pair->server->port)))
			r = emit_attempt(ps, k->pair, &k->a, e);
		else
			ps->pending[kept++] = *k;
	}
	ps->npending = kept;
	return (r);
}

int
parties_redis(struct parties *ps, struct server *s, struct err *e)
{
	if (s->redis)
		return (0);
	s->redis = 1;
	mark_port(ps, s->port);
	return (ps->npending > 0 ? settle(ps, s, e) : 0);
}

int
parties_named(struct parties *ps, const struct endpoint *ep, struct err *e)
{
	struct frame_addr	 a;
	struct server		*s;
	char			 text[STREAM_HOST_BYTES];
	struct named		*last = &ps->named[0];

	if (ep->host.n > 1)		/* mostly the last digits differ */
		last = &ps->named[((unsigned)ep->port + (unsigned)ep->host.p[ep->host.n - 1] +
		    (unsigned)ep->host.p[ep->host.n - 2] * 3) % NAMED];
	if (ep->host.p != NULL && last->server != NULL && last->server->port == ep->port &&
	    ep->host.n == last->n && memcmp(last->text, ep->host.p, last->n) == 0)
		return (parties_redis(ps, last->server, e));
	if (ep->host.p == NULL || ep->host.n == 0 || ep->host.n >= sizeof text ||
	    ep->port <= 0 || ep->port > 65535)
		return (0);
	memcpy(text, ep->host.p, ep->host.n);
	text[ep->host.n] = '\0';
	memset(&a, 0, sizeof a);
	if (inet_pton(AF_INET, text, a.b + 12) == 1)
		memset(a.b + 10, 0xff, 2);
	else if (inet_pton(AF_INET6, text, a.b) != 1)
		return (0);
	mark_port(ps, ep->port);
	s = parties_find(ps, &a, ep->port);
	if (s == NULL)
		return (0);
	last->server = s;
	last->n = (uint8_t)ep->host.n;
	memcpy(last->text, text, ep->host.n);
	return (parties_redis(ps, s, e));
}

static const char *const rate_words[NRATES] = {
	"connect", "setup", "cluster slots", "cluster shards", "cluster nodes", "asking", "other"
};

static int
flush_rates(struct parties *ps, struct pair *p, struct err *e)
{
	struct obs	 o;
	int		 i;

	for (i = 0; i < NRATES; i++) {
		if (p->requests[i] == 0)
			continue;
		if (p->server->redis || parties_is_redis_port(ps, p->server->port)) {
			obs_init(&o, OBS_COMMAND);
			o.at = p->second;
			o.at_basis = AT_STATED;
			o.precision_us = 1;
			o.where = p->second_where;
			o.observer = party_client(p->client);
			o.u.command.ep = party_endpoint(p->server);
			o.u.command.command = span_of(rate_words[i]);
			o.u.command.requests = p->requests[i];
			o.u.command.connections = p->connections[i];
			if (ps->sink->obs(ps->sink, &o, e) == -1)
				return (-1);
		}
		p->requests[i] = p->connections[i] = 0;
	}
	return (0);
}

int
pair_counts_begin(struct parties *ps, struct pair *p, int64_t at,
    const struct locus *where, struct err *e)
{
	int64_t	 second = (at / 1000000 - (at % 1000000 < 0)) * 1000000;

	if (flush_rates(ps, p, e) == -1)
		return (-1);
	if (second > p->second) {
		p->second = second;
		p->second_end = second + 1000000;
	}
	p->second_where = *where;
	return (0);
}

static const struct {
	const char	*code, *reason;
} losses[NLOSSES] = {
	{ "gap", "replies of a server are missing from the capture" },
	{ "snaplen", "replies of a server were cut by the snapshot length" },
	{ "gap", "requests to a server are missing from the capture" },
	{ "snaplen", "requests to a server were cut by the snapshot length" },
};

static int
flush_loss(struct parties *ps, struct server *s, int k, struct err *e)
{
	struct party_loss	*l = &s->loss[k];
	struct problem		 p;

	if (l->count == 0)
		return (0);
	p.where = l->where;
	p.where.offset = OBS_NO_NUM;
	p.at = l->at;
	p.at_end = l->at_end;
	p.code = losses[k].code;
	p.ep = k == LOSS_SERVER || k == LOSS_SERVER_CUT ? party_endpoint(s) : endpoint_none();
	p.bytes = l->bytes;
	p.reason = losses[k].reason;
	l->count = 0;
	return (ps->sink->problem(ps->sink, &p, e));
}

int
server_loss(struct parties *ps, struct server *s, int k, int64_t at, int64_t at_end,
    int64_t bytes, const struct locus *where, struct err *e)
{
	struct party_loss	*l = &s->loss[k];

	if (l->count > 0 && (at > l->at_end + 1000000 || l->where.part != where->part))
		if (flush_loss(ps, s, k, e) == -1)
			return (-1);
	if (l->count++ == 0) {
		l->at = at;
		l->at_end = at_end;
		l->bytes = 0;
		l->where = *where;
	}
	if (at < l->at)
		l->at = at;
	if (at_end > l->at_end)
		l->at_end = at_end;
	l->bytes += bytes;
	return (0);
}

int
parties_flush(struct parties *ps, int end, struct err *e)
{
	struct locus	 none = { 0, 0, OBS_NO_NUM };
	struct server	*s;
	struct pair	*p;
	int		 k;

	for (p = ps->pairs; p != NULL; p = p->all)
		if (flush_replies(ps, p, e) == -1 || flush_rates(ps, p, e) == -1)
			return (-1);
	for (s = ps->servers; s != NULL; s = s->all)
		for (k = 0; k < NLOSSES; k++)
			if (flush_loss(ps, s, k, e) == -1)
				return (-1);
	if (!end)
		return (0);
	if (settle(ps, NULL, e) == -1)
		return (-1);
	if (ps->too_many > 0 && sink_problem(ps->sink, &none, "limit", e,
	    "more than %d pairs of client and server; %d connections were passed over",
	    PARTY_PAIRS, ps->too_many) == -1)
		return (-1);
	if (ps->too_many_pending > 0)
		return (sink_problem(ps->sink, &none, "limit", e,
		    "more than %d failed connections to endpoints that may not be Redis; "
		    "%d were passed over", PARTY_PENDING, ps->too_many_pending));
	return (0);
}
