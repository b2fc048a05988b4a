#include "wire/dialog.h"

#include <stdlib.h>
#include <string.h>

#include "base/fast.h"
#include "base/mem.h"
#include "wire/talk.h"

enum { WORDS = 16, JUDGE_BYTES = 64, TLS_KEPT = 256, MALFORMED_TOLD = 100 };

/* An encrypted connection whose port may yet turn out to be Redis'. */
struct tls {
	int		 port[2];
	int64_t		 at;
	struct locus	 where;
};

static int	 on_data(void *, struct tcp_flow *, int, struct span,
		    const struct stream_seen *, struct err *);
static int	 on_gap(void *, struct tcp_flow *, int, uint64_t, enum tcp_loss,
		    const struct stream_seen *, struct err *);
static int	 on_event(void *, struct tcp_flow *, enum tcp_event, int,
		    const struct stream_seen *, const char *, struct err *);

struct dialog *
dialog_new(struct sink *sink, int keep_keys)
{
	struct dialog	*d = mem_zero(1, sizeof *d);
	struct tcp_user	 user = { sizeof(struct talk), d, on_data, on_gap, on_event };

	d->sink = sink;
	d->keep_keys = keep_keys;
	d->now = OBS_NO_TIME;
	d->tcp = tcp_new(&user);
	d->near = tcp_near(d->tcp);
	d->parties = parties_new(sink);
	d->served = served_new(d->parties, sink);
	d->commands = commands_new();
	d->bus = bus_open(sink);
	return (d);
}

static void
part_free(struct dialog *d, struct part **part)
{
	if (*part == NULL)
		return;
	d->held -= sizeof **part + (*part)->cap;
	free((*part)->p);
	free(*part);
	*part = NULL;
}

/* Nothing is made past DIALOG_BEGUN: 0. */
static int
part_new(struct dialog *d, struct part **part, const struct stream_seen *seen, size_t most)
{
	part_free(d, part);
	if (d->held > DIALOG_BEGUN) {
		d->crowded++;
		return (0);
	}
	*part = mem_zero(1, sizeof **part);
	(*part)->seen = *seen;
	(*part)->most = most;
	d->held += sizeof **part;
	return (1);
}

/* No more of it is kept than of any message: room for the others. */
static void
part_crowded(struct dialog *d, struct part *part)
{
	part->crowded = 1;
	if (part->n > DIALOG_LINE)
		part->n = DIALOG_LINE;
	part->most = part->n;		/* never whole */
	if (part->cap <= DIALOG_LINE)
		return;
	part->p = mem_grow(part->p, DIALOG_LINE, 1);
	d->held -= part->cap - DIALOG_LINE;
	part->cap = DIALOG_LINE;
}

static void
part_add(struct dialog *d, struct part *part, const char *p, size_t n)
{
	size_t	 cap = part->cap > 0 ? part->cap : 256;

	if (n > part->most - part->n)
		n = part->most - part->n;
	while (cap < part->n + n)
		cap *= 2;
	if (cap > part->cap && cap > DIALOG_LINE && d->held + cap - part->cap > DIALOG_HELD) {
		part_crowded(d, part);
		return;
	}
	if (cap > part->cap) {
		part->p = mem_grow(part->p, cap, 1);
		d->held += cap - part->cap;
		part->cap = cap;
	}
	if (n > 0)
		memcpy(part->p + part->n, p, n);
	part->n += n;
}

/* Drop what a flow holds; its talk stays readable. */
static void
talk_close(struct dialog *d, struct talk *t)
{
	int	 s;

	for (s = 0; s < 2; s++)
		if (t->kind != TALK_BUS)
			part_free(d, &t->part[s]);
		else if (t->bus[s] != NULL) {
			t->bus[s]->close(t->bus[s]);
			t->bus[s] = NULL;
		}
	talk_forget(d, t);
	d->links -= t->kind == TALK_BUS;
	t->kind = TALK_OTHER;
}

/* Sync of one direction is lost: wait for the next sure boundary. */
static void
lose(struct dialog *d, struct talk *t, int side)
{
	t->synced[side] = 0;
	part_free(d, &t->part[side]);
	talk_forget(d, t);
	if (side == t->client)
		t->heard_known = 0;
	else
		t->bound_known = 0;
}

static int
malformed(struct dialog *d, struct tcp_flow *f, int side, const struct stream_seen *seen,
    struct err *e)
{
	struct talk	*t = talk_of(f);

	lose(d, t, side);
	if (t->flags & T_TOLD)
		return (0);
	t->flags |= T_TOLD;
	if (d->malformed++ >= MALFORMED_TOLD)
		return (0);
	return (sink_problem(d->sink, &seen->where, "malformed", e,
	    side == t->client ? "these are no Redis requests" : "these are no Redis replies"));
}

/* ---- what a connection is ---- */

enum verdict { IS_NOT, IS_REQUEST, IS_BUS, IS_TLS, IS_SHORT };

static enum verdict
judge_request(const struct dialog *d, const char *p, size_t n)
{
	struct span	 words[1];
	int64_t		 count;
	size_t		 i;

	if (resp_request_part(span_make(p, n), words, 1, &count) == 1)
		return (commands_known(d->commands, words[0]) >= 0 ? IS_REQUEST : IS_NOT);
	if (count < 0 || count > RESP_COUNT_MAX || n >= JUDGE_BYTES)
		return (IS_NOT);
	for (i = 1; i < n; i++)		/* "*", "*3", "*3\r\n$", "*3\r\n$3\r\nSE" */
		if ((p[i] & 0x80) || (p[i] < ' ' && p[i] != '\r' && p[i] != '\n'))
			return (IS_NOT);
	return (IS_SHORT);
}

/* An inline command: a line that begins with a known one. */
static enum verdict
judge_inline(const struct dialog *d, const char *p, size_t n)
{
	const char	*lf = memchr(p, '\n', n);
	size_t		 len = 0, end = lf != NULL ? (size_t)(lf - p) : n, i;

	while (len < end && p[len] > ' ')
		len++;
	if (commands_known(d->commands, span_make(p, len)) < 0)
		return (lf == NULL && len == n && n < COMMAND_NAME_BYTES ? IS_SHORT : IS_NOT);
	for (i = 0; i < end; i++)
		if (p[i] < ' ' && p[i] != '\t' && p[i] != '\r')
			return (IS_NOT);
	if (memmem(p, end, " HTTP/1.", 8) != NULL)
		return (IS_NOT);
	return (lf != NULL ? IS_REQUEST : n < JUDGE_BYTES ? IS_SHORT : IS_NOT);
}

static enum verdict
judge(const struct dialog *d, const char *p, size_t n)
{
	for (; n > 0 && (p[0] == '\r' || p[0] == '\n'); p++, n--)
		;			/* empty commands */
	if (n == 0)
		return (IS_SHORT);
	if (p[0] == '*')
		return (judge_request(d, p, n));
	if (p[0] == 'R' && n >= 4 && memcmp(p, "RCmb", 4) == 0)
		return (IS_BUS);
	if (n >= 3 && p[0] >= 0x14 && p[0] <= 0x17 && p[1] == 3 && p[2] >= 0 && p[2] <= 4)
		return (IS_TLS);
	if ((p[0] >= 'a' && p[0] <= 'z') || (p[0] >= 'A' && p[0] <= 'Z'))
		return (judge_inline(d, p, n));
	return (IS_NOT);
}

static struct stream_end
end_of(const struct tcp_flow *f, int s)
{
	struct stream_end	 end;

	frame_addr_text(&f->addr[s], end.host, sizeof end.host);
	end.port = f->port[s];
	return (end);
}

static int
begin_bus(struct dialog *d, struct tcp_flow *f)
{
	struct talk		*t = talk_of(f);
	struct stream_ends	 ends;
	int			 s;

	part_free(d, &t->part[0]);
	part_free(d, &t->part[1]);
	if (d->links == DIALOG_LINKS) {
		d->no_link++;
		t->kind = TALK_OTHER;
		return (0);
	}
	d->links++;
	t->kind = TALK_BUS;
	d->counts.bus++;
	d->counts.midway += f->opener == -1;
	for (s = 0; s < 2; s++) {
		ends.from = end_of(f, s);
		ends.to = end_of(f, !s);
		ends.from_opened = f->opener == -1 ? -1 : f->opener == s;
		ends.at_start = f->opener != -1 && !f->side[s].spoke;
		ends.connection = f->connection;
		t->bus[s] = bus_reader(d->bus, &ends);
	}
	return (0);
}

static int
tell_tls(struct dialog *d, const struct tls *k, struct err *e)
{
	struct problem	 p;

	memset(&p, 0, sizeof p);
	p.where = k->where;
	p.where.offset = OBS_NO_NUM;
	p.at = k->at;
	p.at_end = OBS_NO_TIME;
	p.code = "tls";
	p.ep = endpoint_none();
	p.bytes = OBS_NO_NUM;
	p.reason = "a connection to a Redis port is encrypted, so nothing could be seen";
	return (d->sink->problem(d->sink, &p, e));
}

static int
is_tls_told(const struct dialog *d, const struct tls *k)
{
	int	 s;

	for (s = 0; s < 2; s++)
		if (parties_is_redis_port(d->parties, k->port[s]) ||
		    k->port[s] == PARTY_PORT + 1 || k->port[s] == PARTY_PORT + 10000)
			return (1);
	return (0);
}

static int
begin_tls(struct dialog *d, struct tcp_flow *f, const struct stream_seen *seen, struct err *e)
{
	struct tls	 k = { { f->port[0], f->port[1] }, seen->at, seen->where };

	talk_of(f)->kind = TALK_TLS;
	d->counts.tls++;
	if (is_tls_told(d, &k))
		return (tell_tls(d, &k, e));
	if (d->ntls < TLS_KEPT) {
		if (d->tls == NULL)
			d->tls = mem_zero(TLS_KEPT, sizeof *d->tls);
		d->tls[d->ntls++] = k;
	}
	return (0);
}

/* A connection counts as soon as its server may be Redis. */
static int
count_connect(struct dialog *d, struct tcp_flow *f, int client, struct err *e)
{
	struct talk	*t = talk_of(f);

	if ((t->flags & T_COUNTED) || f->syn_at == OBS_NO_TIME)
		return (0);
	t->flags |= T_COUNTED;
	if (t->pair == NULL)
		t->pair = parties_pair(d->parties, &f->addr[client], &f->addr[!client],
		    f->port[!client]);
	return (t->pair == NULL ? 0 : pair_count(d->parties, t->pair, RATE_CONNECT, f->syn_at,
	    &f->syn_where, 1, e));
}

static int
begin_resp(struct dialog *d, struct tcp_flow *f, int client, const struct stream_seen *seen,
    struct err *e)
{
	struct talk	*t = talk_of(f);

	t->kind = TALK_RESP;
	t->client = (uint8_t)client;
	d->counts.resp++;
	t->synced[client] = 1;
	t->pair = parties_pair(d->parties, &f->addr[client], &f->addr[!client],
	    f->port[!client]);
	if (f->opener == client && !(t->flags & T_MIDWAY)) {
		t->synced[!client] = 1;
		t->flags |= T_SURE;
		return (count_connect(d, f, client, e));
	}
	d->counts.midway++;
	t->flags |= T_MIDWAY | T_MAY_READ;
	t->bound = seen->ack;
	t->bound_known = 1;
	return (0);
}

/* ---- requests ---- */

/* Blanks separate words; a quoted word is kept as it stands, without a slot. */
static int
split(const char *p, size_t n, struct span *words)
{
	size_t	 i = 0, from;
	int	 k = 0;

	while (k < WORDS) {
		while (i < n && (p[i] == ' ' || p[i] == '\t' || p[i] == '\r'))
			i++;
		if (i == n)
			break;
		for (from = i; i < n && p[i] != ' ' && p[i] != '\t' && p[i] != '\r'; i++)
			if (p[i] == '"' || p[i] == '\'')
				return (k > 0 ? k : -1);
		words[k++] = span_make(p + from, i - from);
	}
	return (k);
}

/* The words of an inline command, -1: it is none. */
static int
inline_words(const struct dialog *d, const char *p, size_t n, struct span *words)
{
	int	 k = split(p, n, words);

	if (k > 0 && commands_known(d->commands, words[0]) < 0 && (unsigned char)p[0] < 0x21)
		return (-1);
	return (k);
}

/* An inline command at p: bytes used, 0 when its line is not all there. */
static ssize_t
inline_request(struct dialog *d, struct tcp_flow *f, const char *p, size_t n,
    const struct stream_seen *seen, uint32_t end, struct err *e)
{
	const char	*lf = memchr(p, '\n', n);
	struct span	 words[WORDS];
	int		 k;

	if (lf == NULL)
		return (0);
	k = inline_words(d, p, (size_t)(lf - p), words);
	if (k < 0)
		return (-1);
	if (k > 0 && talk_request(d, f, words, k, k, seen, end + (uint32_t)(lf - p) + 1, e) == -1)
		return (-2);
	return (lf - p + 1);
}

/* Whole requests at p: bytes used; -1 malformed, -2 with err. */
static ssize_t
whole_request(struct dialog *d, struct tcp_flow *f, const char *p, size_t n,
    const struct stream_seen *seen, uint32_t seq, struct err *e)
{
	struct span	 words[WORDS];
	ssize_t		 used;
	int		 count;

	if (p[0] != '*')
		return (inline_request(d, f, p, n, seen, seq, e));
	used = resp_request(p, n, words, WORDS, &count);
	if (used > 0 && talk_request(d, f, words, count < WORDS ? count : WORDS, count, seen,
	    seq + (uint32_t)used, e) == -1)
		return (-2);
	return (used);
}

/* Go on with a request whose beginning came earlier. */
static ssize_t
rest_of_request(struct dialog *d, struct tcp_flow *f, const char *p, size_t n, uint32_t seq,
    struct err *e)
{
	struct talk	*t = talk_of(f);
	struct part	*part = t->part[t->client];
	struct resp	*scan = &part->scan;
	struct span	 words[WORDS];
	const char	*lf;
	int64_t		 count;
	ssize_t		 used;
	int		 k;

	if ((part->n > 0 ? part->p[0] : p[0]) != '*') {
		lf = memchr(p, '\n', n);
		used = lf != NULL ? lf - p + 1 : (ssize_t)n;
		part_add(d, part, p, (size_t)used);
		if (lf == NULL)
			return (used);
		k = inline_words(d, part->p, part->n - 1, words);
		if (k < 0)
			return (-1);
	} else {
		used = resp_scan(scan, p, n);
		if (used < 0)
			return (-1);
		part_add(d, part, p, (size_t)used);
		if (!resp_done(scan))
			return (used);
		k = resp_request_part(span_make(part->p, part->n), words, WORDS, &count);
		if (k == 0 && part->n < part->most)
			return (-1);
	}
	if (k > 0 && talk_request(d, f, words, k, k, &part->seen, seq + (uint32_t)used, e) == -1)
		return (-2);
	if (t->kind == TALK_RESP)
		part_free(d, &t->part[t->client]);
	return (used);
}

/* The same segment, so many bytes on. */
static const struct stream_seen *
seen_later(struct stream_seen *later, const struct stream_seen *seen, size_t n)
{
	*later = *seen;
	later->seq += (uint32_t)n;
	return (later);
}

static int
requests(struct dialog *d, struct tcp_flow *f, struct span b, const struct stream_seen *seen,
    struct err *e)
{
	struct talk		*t = talk_of(f);
	const struct stream_seen *at = seen;
	struct stream_seen	 later;
	int			 c = t->client;
	size_t			 i = 0;
	ssize_t			 used;

	while (i < b.n && t->kind == TALK_RESP) {
		if (i > 0)
			at = seen_later(&later, seen, i);
		if (t->part[c] != NULL)
			used = rest_of_request(d, f, b.p + i, b.n - i, at->seq, e);
		else
			used = whole_request(d, f, b.p + i, b.n - i, at, at->seq, e);
		if (used == 0) {
			if (part_new(d, &t->part[c], at, DIALOG_LINE))
				continue;
			lose(d, t, c);
			return (0);
		}
		if (used == -2)
			return (-1);
		if (used == -1)
			return (malformed(d, f, c, at, e));
		i += (size_t)used;
	}
	return (0);
}

/* ---- replies ---- */

static int
rest_of_reply(struct dialog *d, struct tcp_flow *f, const char *p, size_t n, ssize_t *used,
    struct err *e)
{
	struct talk		*t = talk_of(f);
	int			 s = !t->client;
	struct part		*part = t->part[s];
	struct reply		 reply;
	struct stream_seen	 seen;
	int			 r;

	*used = resp_scan(&part->scan, p, n);
	if (*used < 0)
		return (0);
	part_add(d, part, p, (size_t)*used);
	if (!resp_done(&part->scan))
		return (0);
	seen = part->seen;
	reply.text = span_make(part->p, part->n);
	reply.whole = part->n < part->most;
	reply.lost = part->lost;
	reply.crowded = part->crowded;
	reply.seen = &seen;
	t->part[s] = NULL;		/* it may lose its place while it is read */
	r = talk_reply(d, f, &reply, e);
	part_free(d, &part);
	return (r);
}

static int
replies(struct dialog *d, struct tcp_flow *f, struct span b, const struct stream_seen *seen,
    struct err *e)
{
	struct talk		*t = talk_of(f);
	struct stream_seen	 later;
	struct reply		 reply = { { NULL, 0 }, 1, 0, seen, 0 };
	int			 s = !t->client;
	size_t			 i = 0;
	ssize_t			 used;

	while (i < b.n && t->kind == TALK_RESP) {
		if (i > 0)
			reply.seen = seen_later(&later, seen, i);
		if (t->part[s] != NULL) {
			if (rest_of_reply(d, f, b.p + i, b.n - i, &used, e) == -1)
				return (-1);
		} else {
			used = resp_whole(b.p + i, b.n - i);
			if (used == 0) {
				if (part_new(d, &t->part[s], reply.seen,
				    answer_most(d, talk_head(t))))
					continue;
				lose(d, t, s);
				return (0);
			}
			reply.text = span_make(b.p + i, used > 0 ? (size_t)used : 0);
			if (used > 0 && talk_reply(d, f, &reply, e) == -1)
				return (-1);
		}
		if (used < 0)
			return (malformed(d, f, s, reply.seen, e));
		i += (size_t)used;
	}
	return (0);
}

/* ---- one direction's bytes ---- */

static int
resp_data(struct dialog *d, struct tcp_flow *f, int side, struct span b,
    const struct stream_seen *seen, struct err *e)
{
	struct talk	*t = talk_of(f);

	if (side == t->client) {
		if (!t->synced[side] && (!t->heard_known || t->heard == seen->seq) &&
		    judge(d, b.p, b.n) == IS_REQUEST)
			t->synced[side] = 1;
		if (!t->synced[side])
			return (0);
		if (!t->synced[!side] && t->part[side] == NULL) {
			t->bound = seen->ack;
			t->bound_known = 1;
		}
		return (requests(d, f, b, seen, e));
	}
	t->heard = seen->ack;
	t->heard_known = 1;
	if (!t->synced[side] && t->bound_known && t->bound == seen->seq &&
	    resp_whole(b.p, b.n) >= 0)
		t->synced[side] = 1;
	if (!t->synced[side])
		return (0);
	return (replies(d, f, b, seen, e));
}

/* The first words of a client are none of Redis'. */
static int
alien(struct dialog *d, struct tcp_flow *f, int side, const struct stream_seen *seen,
    struct err *e)
{
	struct talk	*t = talk_of(f);

	if (f->opener != side)
		return (0);
	t->kind = TALK_OTHER;
	if (!parties_is_redis_port(d->parties, f->port[!side]) ||
	    d->malformed++ >= MALFORMED_TOLD)
		return (0);
	return (sink_problem(d->sink, &seen->where, "malformed", e,
	    "what a client sends to a Redis port are no Redis requests"));
}

/* As if the connection began after these bytes. */
static int
unknown_later(struct dialog *d, struct talk *t, int side)
{
	part_free(d, &t->part[side]);
	t->flags |= T_MIDWAY;
	return (0);
}

/* Bytes of a connection of which nothing is known yet. */
static int
unknown_data(struct dialog *d, struct tcp_flow *f, int side, struct span b,
    const struct stream_seen *seen, struct err *e)
{
	struct talk		*t = talk_of(f);
	struct part		*part = t->part[side];
	struct stream_seen	 first = *seen;
	enum verdict		 v;
	int			 r;

	if (part != NULL) {
		part_add(d, part, b.p, b.n);
		if (part->crowded) {
			d->crowded++;
			return (unknown_later(d, t, side));
		}
		b = span_make(part->p, part->n);
		first = part->seen;
	}
	v = judge(d, b.p, b.n);
	if (v == IS_NOT && f->opener == -1 && bus_find(b) >= 0)
		v = IS_BUS;
	if (v == IS_SHORT && b.n < JUDGE_BYTES) {
		if (part != NULL)
			return (0);
		if (!part_new(d, &t->part[side], seen, JUDGE_BYTES * 1024))
			return (unknown_later(d, t, side));
		part_add(d, t->part[side], b.p, b.n);
		return (0);
	}
	t->part[side] = NULL;
	if (v == IS_REQUEST && (f->opener == -1 || f->opener == side)) {
		r = begin_resp(d, f, side, &first, e);
		if (r == 0)
			r = requests(d, f, b, &first, e);
	} else if (v == IS_BUS) {
		r = begin_bus(d, f);
		if (r == 0 && t->kind == TALK_BUS)
			r = t->bus[side]->feed(t->bus[side], b, &first, e);
	} else if (v == IS_TLS)
		r = begin_tls(d, f, &first, e);
	else
		r = alien(d, f, side, &first, e);
	part_free(d, &part);
	return (r);
}

static int
on_data(void *arg, struct tcp_flow *f, int side, struct span b, const struct stream_seen *seen,
    struct err *e)
{
	struct dialog	*d = arg;
	struct talk	*t = talk_of(f);

	switch (t->kind) {
	case TALK_RESP:
		return (resp_data(d, f, side, b, seen, e));
	case TALK_BUS:
		return (t->bus[side]->feed(t->bus[side], b, seen, e));
	case TALK_UNKNOWN:
		return (unknown_data(d, f, side, b, seen, e));
	default:
		return (0);
	}
}

/* The listening end of a flow, -1: it cannot be told. */
static int
server_side(const struct dialog *d, const struct tcp_flow *f)
{
	const struct talk	*t = (const struct talk *)(const void *)f->user;

	if (t->kind == TALK_RESP)
		return (!t->client);
	if (f->opener != -1)
		return (!f->opener);
	if (t->kind == TALK_BUS)	/* 10000 above the client port, below the ephemeral */
		return (f->port[1] < f->port[0]);
	if (parties_is_redis_port(d->parties, f->port[0]) !=
	    parties_is_redis_port(d->parties, f->port[1]))
		return (parties_is_redis_port(d->parties, f->port[1]));
	return (-1);
}

static int
on_gap(void *arg, struct tcp_flow *f, int side, uint64_t n, enum tcp_loss loss,
    const struct stream_seen *seen, struct err *e)
{
	struct dialog	*d = arg;
	struct talk	*t = talk_of(f);
	struct pair	*pair = t->pair;
	int64_t		 from = f->side[side].last_at;
	int		 server;

	if (t->kind == TALK_OTHER || t->kind == TALK_REPLICATION || t->kind == TALK_TLS)
		return (0);
	server = server_side(d, f);
	if (pair == NULL && server != -1 && (t->kind == TALK_BUS ||
	    parties_is_redis_port(d->parties, f->port[server])))
		pair = parties_pair(d->parties, &f->addr[!server], &f->addr[server],
		    f->port[server]);
	if (pair != NULL && server_loss(d->parties, pair->server,
	    (side == server ? LOSS_SERVER : LOSS_CLIENT) + (loss == TCP_CUT),
	    from == OBS_NO_TIME ? seen->at : from, seen->at, (int64_t)n, &seen->where, e) == -1)
		return (-1);
	if (t->kind == TALK_BUS)
		return (t->bus[side]->gap(t->bus[side], n, seen, e));
	if (t->kind == TALK_UNKNOWN)
		return (unknown_later(d, t, side));
	if (t->synced[side] && t->part[side] != NULL &&
	    n <= resp_missable(&t->part[side]->scan)) {
		resp_missed(&t->part[side]->scan, n);
		t->part[side]->most = t->part[side]->n;	/* never whole again */
		t->part[side]->lost = 1;
		return (0);
	}
	lose(d, t, side);
	return (0);
}

/* ---- beginnings and ends ---- */

static void
attempt_init(struct attempt *a, enum contact_outcome outcome, const struct tcp_flow *f,
    const struct stream_seen *seen)
{
	memset(a, 0, sizeof *a);
	a->outcome = outcome;
	a->at = a->last_at = seen->at;
	a->retries = OBS_NO_NUM;
	a->connection = f->connection;
	a->where = a->last_where = seen->where;
	a->where.offset = a->last_where.offset = OBS_NO_NUM;
}

static int
emit_attempt(struct dialog *d, struct tcp_flow *f, int client, const struct attempt *a,
    struct err *e)
{
	struct talk	*t = talk_of(f);

	if (t->pair == NULL)
		t->pair = parties_pair(d->parties, &f->addr[client], &f->addr[!client],
		    f->port[!client]);
	return (t->pair != NULL ? pair_attempt(d->parties, t->pair, a, e) : 0);
}

/* A connection that is not RESP (yet) can still be an attempt at Redis. */
static int
may_be_client(const struct talk *t)
{
	return (t->kind == TALK_UNKNOWN || t->kind == TALK_RESP);
}

/* How the SYN fared, once nothing more can come. */
static int
outcome_of_syn(struct dialog *d, struct tcp_flow *f, struct err *e)
{
	struct talk		*t = talk_of(f);
	const struct tcp_side	*server = &f->side[!f->opener];
	struct stream_seen	 syn = { .at = f->syn_at, .where = f->syn_where };
	struct attempt		 a;

	if (!may_be_client(t) || t->replies > 0 || (t->flags & T_HUNG_UP))
		return (0);
	if (f->synack_at == OBS_NO_TIME && !server->ack_known && !server->spoke) {
		if (f->retries == 0 && d->now - f->syn_at < DIALOG_SLOW_US)
			return (0);	/* the capture ends too early to tell */
		attempt_init(&a, CONTACT_CONNECT_TIMEOUT, f, &syn);
		a.last_at = f->syn_last_at;
		a.retries = f->retries;
	} else {
		if (f->syn_at == OBS_NO_TIME) {	/* only its answer was captured */
			syn.at = f->synack_at;
			syn.where = f->syn_where;
		}
		attempt_init(&a, CONTACT_CONNECTED, f, &syn);
		if (f->synack_at != OBS_NO_TIME)
			a.last_at = f->synack_at;
	}
	return (emit_attempt(d, f, f->opener, &a, e));
}

/* A FIN or RST.  Only what the server does is an outcome; a client that leaves
 * while it waits has lost its patience. */
static int
hang_up(struct dialog *d, struct tcp_flow *f, enum tcp_event ev, int by,
    const struct stream_seen *seen, struct err *e)
{
	struct talk	*t = talk_of(f);
	int		 client = t->kind == TALK_RESP ? t->client : f->opener;
	struct attempt	 a;

	if (!may_be_client(t) || client == -1)
		return (0);
	if (by == client) {
		if (t->kind == TALK_RESP)
			return (talk_unanswered(d, f, seen->at, &seen->where, 1, e));
		return (0);
	}
	if (f->side[client].fin_seen || (t->flags & T_HUNG_UP) ||
	    seq_before(f->side[client].next, f->side[client].acked) || /* its FIN was lost */
	    (t->kind == TALK_UNKNOWN && !parties_is_redis_port(d->parties, f->port[!client])))
		return (0);
	attempt_init(&a, ev == TCP_EV_FIN ? CONTACT_CLOSED : CONTACT_RESET, f, seen);
	if (t->count > 0)
		strcpy(a.detail, "while a request was outstanding");
	if (emit_attempt(d, f, client, &a, e) == -1)
		return (-1);
	t->flags |= T_HUNG_UP;
	talk_forget(d, t);
	return (0);
}

static int
gone(struct dialog *d, struct tcp_flow *f, const struct stream_seen *seen, struct err *e)
{
	struct talk	*t = talk_of(f);
	int		 r = 0, s;

	if (t->kind == TALK_RESP && (f->side[0].fin_given == 0 || f->side[1].fin_given == 0))
		r = talk_unanswered(d, f, d->now, &seen->where, 0, e);
	if (r == 0 && f->opener != -1)
		r = outcome_of_syn(d, f, e);
	for (s = 0; r == 0 && t->kind == TALK_BUS && s < 2; s++)
		r = t->bus[s]->end(t->bus[s], e);
	talk_close(d, t);
	return (r);
}

static int
on_event(void *arg, struct tcp_flow *f, enum tcp_event ev, int by,
    const struct stream_seen *seen, const char *detail, struct err *e)
{
	struct dialog	*d = arg;
	struct talk	*t = talk_of(f);
	struct attempt	 a;

	switch (ev) {
	case TCP_EV_SYN:
		if (!parties_is_redis_port(d->parties, f->port[!by]))
			return (0);
		return (count_connect(d, f, by, e));
	case TCP_EV_GONE:
		return (gone(d, f, seen, e));
	case TCP_EV_REFUSED:
		attempt_init(&a, CONTACT_REFUSED, f, seen);
		a.at = f->syn_at;
		a.where = f->syn_where;
		a.retries = f->retries;
		t->flags |= T_HUNG_UP;
		return (emit_attempt(d, f, !by, &a, e));
	case TCP_EV_UNREACHABLE:
		attempt_init(&a, CONTACT_UNREACHABLE, f, seen);
		if (f->opener == !by && f->syn_at != OBS_NO_TIME && f->synack_at == OBS_NO_TIME) {
			a.at = f->syn_at;
			a.where = f->syn_where;
			t->flags |= T_HUNG_UP;
		}
		strncpy(a.detail, detail, sizeof a.detail - 1);
		return (may_be_client(t) ? emit_attempt(d, f, !by, &a, e) : 0);
	default:
		return (hang_up(d, f, ev, by, seen, e));
	}
}

/* ---- the capture ---- */

int
talk_segment(struct dialog *d, const struct frame *fr, int64_t at, const struct locus *where,
    struct err *e)
{
	int	 r;

	if (at > d->now)
		d->now = at;
	r = tcp_segment(d->tcp, fr, at, where, e);
	d->many = tcp_many(d->tcp);
	return (r);
}

/* The oldest segment of the ring. */
static int
ahead_pop(struct dialog *d, struct err *e)
{
	struct ahead	*a = &d->ahead[d->ahead_first];

	d->ahead_first = (d->ahead_first + 1) % AHEAD;
	d->nahead--;
	return (exchange_segment(d, &a->f, a->at, &a->where, e));
}

int
dialog_settle(struct dialog *d, struct err *e)
{
	while (d->nahead > 0)
		if (ahead_pop(d, e) == -1)
			return (-1);
	return (0);
}

/* Among many flows each packet waits for memory several times: keep it while
 * what it needs is fetched, in the order of the capture. */
static int
ahead_push(struct dialog *d, const struct frame *fr, int64_t at, const struct locus *where,
    struct err *e)
{
	struct ahead	*a;

	if (d->nahead == AHEAD && ahead_pop(d, e) == -1)
		return (-1);
	a = &d->ahead[(d->ahead_first + d->nahead++) % AHEAD];
	a->f = *fr;
	a->at = at;
	a->where = *where;
	a->bytes.n = 0;
	buf_add(&a->bytes, fr->data, fr->cap);
	if (fr->cap > 0)
		a->f.data = (const uint8_t *)a->bytes.p;
	a->expected = tcp_expect(d->tcp, fr);
	if (d->nahead > AHEAD / 2)
		tcp_expect_soon(d->tcp, d->ahead[(d->ahead_first + d->nahead - AHEAD / 2) %
		    AHEAD].expected);
	return (0);
}

/* Many flows, or not so many any more; or no short ways. */
static __attribute__((noinline)) int
other_segment(struct dialog *d, const struct frame *fr, int64_t at, const struct locus *where,
    struct err *e)
{
	if (!fast_paths)
		return (talk_segment(d, fr, at, where, e));
	if (d->many)
		return (ahead_push(d, fr, at, where, e));
	if (dialog_settle(d, e) == -1)
		return (-1);
	return (exchange_segment(d, fr, at, where, e));
}

int
dialog_segment(struct dialog *d, const struct frame *fr, int64_t at, const struct locus *where,
    struct err *e)
{
	if (!fast_paths || d->many || d->nahead > 0)
		return (other_segment(d, fr, at, where, e));
	return (exchange_segment(d, fr, at, where, e));
}

int
dialog_part(struct dialog *d, struct err *e)
{
	if (dialog_settle(d, e) == -1)
		return (-1);
	return (parties_flush(d->parties, 0, e));
}

int
dialog_end(struct dialog *d, struct err *e)
{
	struct locus	 none = { 0, 0, OBS_NO_NUM };
	size_t		 i;

	if (dialog_settle(d, e) == -1 || tcp_end(d->tcp, e) == -1 || served_end(d->served, e) == -1 ||
	    parties_flush(d->parties, 1, e) == -1 || bus_end(d->bus, e) == -1)
		return (-1);
	for (i = 0; i < d->ntls; i++)
		if (is_tls_told(d, &d->tls[i]) && tell_tls(d, &d->tls[i], e) == -1)
			return (-1);
	if (d->malformed > MALFORMED_TOLD && sink_problem(d->sink, &none, "malformed", e,
	    "%lld further connections were malformed",
	    (long long)d->malformed - MALFORMED_TOLD) == -1)
		return (-1);
	if (d->limits > 0 && sink_problem(d->sink, &none, "limit", e,
	    "too many requests outstanding, their replies were not paired (%lld times)",
	    (long long)d->limits) == -1)
		return (-1);
	if (d->crowded > 0 && sink_problem(d->sink, &none, "limit", e,
	    "more than %d MiB of messages that had only begun, %lld were passed over",
	    DIALOG_BEGUN >> 20, (long long)d->crowded) == -1)
		return (-1);
	if (d->no_link > 0 && sink_problem(d->sink, &none, "limit", e,
	    "more than %d links of the cluster bus at once, %lld were passed over",
	    DIALOG_LINKS, (long long)d->no_link) == -1)
		return (-1);
	if (tcp_evicted(d->tcp) > 0)
		return (sink_problem(d->sink, &none, "limit", e,
		    "more than %d connections at once, %lld were given up", TCP_FLOWS,
		    (long long)tcp_evicted(d->tcp)));
	return (0);
}

const struct dialog_counts *
dialog_counts(const struct dialog *d)
{
	return (&d->counts);
}

static void
drop(void *arg, struct tcp_flow *f)
{
	talk_close(arg, talk_of(f));
}

void
dialog_free(struct dialog *d)
{
	int	 i;

	if (d == NULL)
		return;
	tcp_each(d->tcp, drop, d);
	tcp_free(d->tcp);
	served_free(d->served);
	parties_free(d->parties);
	commands_free(d->commands);
	topology_free(&d->topology);
	free(d->tokens);
	free(d->tls);
	for (i = 0; i < AHEAD; i++)
		buf_free(&d->ahead[i].bytes);
	bus_close(d->bus);
	free(d);
}
