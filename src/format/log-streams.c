#include "format/log-streams.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/table.h"
#include "format/client-event.h"
#include "format/client-name.h"
#include "format/server-event.h"
#include "format/server-head.h"
#include "text/clean.h"
#include "text/record.h"
#include "text/rule.h"

enum {
	STREAMS_MAX = 1024,		/* in one file */
	LOOK_RECORDS = 200,		/* without a prefix in these, there is none */
	WINDOW = 4096			/* bytes that are looked through at a time */
};

struct streams;

/* A sink that gives what it gets to a part of its own, opened at the first. */
struct outlet {
	struct sink	 sink;		/* first */
	struct streams	*all;
	struct sink_part part;		/* number -1: not open */
};

struct stream {
	char		*name;		/* what the prefix says; "": there is none */
	char		*called;	/* owned: the observer, of its clients */
	int64_t		 servers, clients; /* records in the first lines */
	struct buf	 sample;	/* those of the servers */
	struct decode_ctx ctx;
	struct outlet	 to_server, to_client;
	struct server_events *server;	/* NULL: no line yet */
	struct client_events *client;
};

/* Lines that are seen and not read. */
struct unread {
	struct sink	 sink;		/* first: takes what clients would have said */
	int64_t		 lines;
	struct locus	 first;
};

struct streams {
	enum log_of	 of;
	struct decode_ctx *ctx;
	struct sink	*sink;
	const char	*source;
	char		*stem;
	int		 many;		/* streams of servers and others stand in it */
	int		 prefixed;	/* a record has a prefix */
	struct stream	 base;		/* lines without prefix, or the only stream */
	char		*own;		/* prefix of the only stream; NULL: not known */
	struct stream	**all;		/* owned */
	size_t		 n;
	struct table	 by_name;	/* ptr */
	struct buf	 name;
	struct unread	 unread;	/* of the other kind, without prefix */
	int64_t		 crowded;	/* records of streams beyond STREAMS_MAX */
};

/* --- parts --- */

static int
open_part(struct outlet *x, struct err *e)
{
	struct sink	*next = x->all->sink;

	if (x->part.number < 0 && next->part != NULL)
		return (next->part(next, &x->part, e));
	if (x->part.number < 0)
		x->part.number = 0;
	return (0);
}

static int
outlet_obs(struct sink *sink, const struct obs *o, struct err *e)
{
	struct outlet	*x = (struct outlet *)sink;
	struct obs	 mine = *o;

	if (open_part(x, e) != 0)
		return (-1);
	mine.where.part = mine.last_where.part = x->part.number;
	return (x->all->sink->obs(x->all->sink, &mine, e));
}

static int
outlet_problem(struct sink *sink, const struct problem *p, struct err *e)
{
	struct outlet	*x = (struct outlet *)sink;
	struct problem	 mine = *p;

	if (open_part(x, e) != 0)
		return (-1);
	mine.where.part = x->part.number;
	return (x->all->sink->problem(x->all->sink, &mine, e));
}

static void
outlet_init(struct outlet *x, struct streams *s, const char *name, const char *kind)
{
	x->sink.obs = outlet_obs;
	x->sink.problem = outlet_problem;
	x->all = s;
	x->part.name = name;
	x->part.kind = kind;
	x->part.number = -1;
}

/* --- what is not read --- */

static void
note_unread(struct unread *u, const struct locus *where)
{
	if (u->lines++ == 0)
		u->first = *where;
}

static int
unread_obs(struct sink *sink, const struct obs *o, struct err *e)
{
	(void)e;
	if (o->kind == OBS_ERROR || o->kind == OBS_REDIRECT)
		note_unread((struct unread *)sink, &o->where);
	return (0);
}

static int
unread_problem(struct sink *sink, const struct problem *p, struct err *e)
{
	(void)sink;
	(void)p;
	(void)e;
	return (0);
}

static int
tell_unread(struct streams *s, struct err *e)
{
	struct locus	 end = { 0, 0, OBS_NO_NUM };

	if (s->unread.lines > 0 && sink_problem(s->sink, &s->unread.first, "mixed", e,
	    "%lld line%s of a %s from here on %s not read: nothing tells them from the %s "
	    "log around them; give them as a file of their own", (long long)s->unread.lines,
	    s->unread.lines == 1 ? "" : "s", s->of == LOG_OF_SERVER ? "client" : "server",
	    s->unread.lines == 1 ? "was" : "were",
	    s->of == LOG_OF_SERVER ? "server's" : "client's") != 0)
		return (-1);
	if (s->crowded > 0 && sink_problem(s->sink, &end, "limit", e, "more than %d logs in "
	    "one file: %lld records of the rest were not read", STREAMS_MAX,
	    (long long)s->crowded) != 0)
		return (-1);
	return (0);
}

/* --- whose record it is --- */

static int
is_server_program(struct span app)
{
	return (span_is(app, "redis-server") || span_is(app, "valkey-server"));
}

/* The prefix: program and host, a server's by its host alone; of a record without
 * one what it says itself. */
static void
name_of(const struct record *r, struct buf *out)
{
	int	 app = r->app.n > 0 && r->wrapped != 2, host = r->host.n > 0 && r->wrapped != 1;

	out->n = 0;
	if (app && !(host && is_server_program(r->app)))
		buf_add(out, r->app.p, r->app.n);
	if (host) {
		if (out->n > 0)
			buf_chr(out, '@');
		buf_add(out, r->host.p, r->host.n);
	}
	buf_cstr(out);
}

static int
is_server(const struct record *r)
{
	return (server_head_is_line(r->line) || is_server_program(r->app));
}

static struct stream *
stream_of(struct streams *s, const struct buf *name)
{
	struct table_entry	*t;
	struct stream		*x;

	if (name->n == 0)
		return (&s->base);
	t = table_get(&s->by_name, name->p, name->n);
	if (t != NULL)
		return (t->ptr);
	if (s->n == STREAMS_MAX)
		return (NULL);
	x = mem_zero(1, sizeof *x);
	x->name = mem_strn(name->p, name->n);
	outlet_init(&x->to_server, s, x->name, "server-log");
	outlet_init(&x->to_client, s, x->name, "client-log");
	s->all = mem_more(s->all, s->n, sizeof *s->all);
	s->all[s->n++] = x;
	table_put(&s->by_name, name->p, name->n)->ptr = x;
	return (x);
}

/* The stream that a record goes to: one of the file's own kind that is alone in it
 * is the file. */
static struct stream *
whose(struct streams *s, const struct record *r, int server)
{
	name_of(r, &s->name);
	if (s->name.n == 0)
		return (&s->base);
	if (!s->many && s->of == LOG_OF_CLIENT && !server)
		return (&s->base);
	if (!s->many && s->of == LOG_OF_SERVER) {
		if (s->own == NULL && server)
			s->own = mem_strn(s->name.p, s->name.n);
		if (s->own == NULL || strcmp(s->own, s->name.p) == 0)
			return (&s->base);
	}
	return (stream_of(s, &s->name));
}

/* --- a look ahead --- */

static void
look_at(struct streams *s, const struct record *r)
{
	struct rule_match	 m[4];
	const char		*limited;
	struct stream		*x;

	name_of(r, &s->name);
	s->prefixed |= s->name.n > 0;
	if ((x = stream_of(s, &s->name)) == NULL)
		return;
	if (is_server(r)) {
		x->servers++;
		buf_add(&x->sample, r->text.p, r->text.n);
		buf_chr(&x->sample, '\n');
	} else if (s->name.n > 0 && x->clients == 0 && s->ctx->rules != NULL) {
		x->clients = rules_match(s->ctx->rules, r->text, m, 4, &limited) > 0;
	}
}

static void
look(struct streams *s, struct span prefix)
{
	struct unread	 nobody = { { unread_obs, unread_problem, NULL, NULL }, 0, { 0 } };
	struct input	*in = input_memory(prefix.p, prefix.n, s->source, 0);
	struct records	*records = records_open(in, s->ctx, &nobody.sink, NULL, NULL);
	struct record	 r;
	struct err	 e = ERR_INIT;
	size_t		 i, servers, clients = 0;
	int		 n = 0;

	while ((n++ < LOOK_RECORDS || s->prefixed) && records_next(records, &r, &e) == 1)
		look_at(s, &r);
	records_close(records);
	input_close(in);
	servers = s->base.servers > 0;
	for (i = 0; i < s->n; i++) {
		servers += s->all[i]->servers > 0;
		clients += s->all[i]->clients > 0;
		if (s->all[i]->servers > 0 && s->own == NULL)
			s->own = mem_str(s->all[i]->name);
	}
	s->many = servers > 0 && servers + clients > 1 &&
	    servers + clients > (size_t)(s->base.servers > 0);
}

/* --- servers' lines in a client's log --- */

/* "7:M ", "pid=7 role=primary", "\"role\":\"primary\"": where one may stand. */
static size_t
server_filter(const char *p, size_t n)
{
	const char	*role = memmem(p, n, "role=", 5), *json = memmem(p, n, "\"role\":", 7);
	size_t		 i, end = n;

	if (role != NULL)
		end = (size_t)(role - p);
	if (json != NULL && (size_t)(json - p) < end)
		end = (size_t)(json - p);
	for (i = 1; i + 2 < end; i++)
		if (p[i] == ':' && p[i + 2] == ' ' && p[i - 1] >= '0' && p[i - 1] <= '9' &&
		    (p[i + 1] == 'M' || p[i + 1] == 'S' || p[i + 1] == 'C' || p[i + 1] == 'X'))
			return (i);
	return (end);
}

/* What the rules point at, and servers' lines, a few lines at a time: neither is
 * looked for far behind the other. */
static size_t
filter(const void *arg, const char *p, size_t n)
{
	const struct streams	*s = arg;
	const char		*nl;
	size_t			 at, window, hit;

	for (at = 0; at < n; at += window) {
		window = n - at;
		if (window > WINDOW) {
			nl = memchr(p + at + WINDOW, '\n', window - WINDOW);
			window = nl != NULL ? (size_t)(nl + 1 - p) - at : window;
		}
		hit = server_filter(p + at, window);
		hit = rules_filter(s->ctx->rules, p + at, hit < window ? hit : window);
		if (hit < window)
			return (at + hit);
	}
	return (n);
}

/* --- reading --- */

/* The part that a record of a stream goes to.  Both kinds may be found under one
 * prefix: the second one then says which it is. */
static void
count(struct outlet *x, const struct outlet *other, const struct record *r)
{
	if (x->part.number < 0 && other->part.number >= 0)
		x->part.other = 1;
	x->part.records += r->last_position - r->where.position + 1;
}

static int
give_server(struct streams *s, struct stream *x, struct record *r, struct err *e)
{
	struct buf	 stem = { 0 };

	if (x->server == NULL) {
		buf_str(&stem, s->stem);
		if (x != &s->base)
			buf_fmt(&stem, "/%s", x->name);
		x->server = server_events_open(buf_cstr(&stem), s->ctx,
		    span_make(x->sample.p, x->sample.n), x == &s->base ? s->sink :
		    &x->to_server.sink);
		buf_free(&stem);
	}
	count(&x->to_server, &x->to_client, r);
	return (server_events_take(x->server, r, e));
}

static void
open_client(struct streams *s, struct stream *x)
{
	struct buf	 name = { 0 };

	if (x == &s->base) {
		x->client = client_events_open(s->source, s->ctx,
		    s->of == LOG_OF_CLIENT ? s->sink : &s->unread.sink);
		return;
	}
	buf_fmt(&name, "%s:%s", s->stem, x->name);
	x->called = mem_str(buf_cstr(&name));
	buf_free(&name);
	x->ctx = *s->ctx;
	x->ctx.observer = x->called;
	x->client = client_events_open(s->source, &x->ctx, &x->to_client.sink);
}

static int
give_client(struct streams *s, struct stream *x, struct record *r, struct err *e)
{
	if (s->ctx->rules == NULL)
		return (0);
	if (x->client == NULL)
		open_client(s, x);
	if (x != &s->base)		/* the stream's name says it */
		r->wrapped = 0;
	count(&x->to_client, &x->to_server, r);
	return (client_events_take(x->client, r, e));
}

static int
take(struct streams *s, struct record *r, struct err *e)
{
	int		 server = s->of == LOG_OF_SERVER || s->prefixed || s->base.servers > 0 ?
	    is_server(r) : 0;
	struct stream	*x = whose(s, r, server);

	if (x == NULL) {
		s->crowded++;
		return (0);
	}
	if (server && x == &s->base && s->of == LOG_OF_CLIENT) {
		note_unread(&s->unread, &r->where);
		return (0);
	}
	if ((server || x->server != NULL || (x == &s->base && s->of == LOG_OF_SERVER)) &&
	    give_server(s, x, r, e) != 0)
		return (-1);
	return (server ? 0 : give_client(s, x, r, e));
}

static int
end_stream(struct streams *s, struct stream *x, int whole, struct err *e)
{
	struct outlet	*out[2] = { &x->to_server, &x->to_client };
	int		 i;

	if (x->server != NULL && server_events_end(x->server, e) != 0)
		return (-1);
	if (whole && x->client != NULL && client_events_end(x->client, e) != 0)
		return (-1);
	for (i = 0; i < 2 && x != &s->base && s->sink->part != NULL; i++)
		if (out[i]->part.number >= 0 && s->sink->part(s->sink, &out[i]->part, e) != 0)
			return (-1);
	return (0);
}

static int
end(struct streams *s, int whole, struct err *e)
{
	size_t	 i;

	if (end_stream(s, &s->base, whole, e) != 0)
		return (-1);
	for (i = 0; i < s->n; i++)
		if (end_stream(s, s->all[i], whole, e) != 0)
			return (-1);
	return (tell_unread(s, e));
}

static void
free_stream(struct stream *x)
{
	server_events_close(x->server);
	client_events_close(x->client);
	buf_free(&x->sample);
	free(x->called);
	free(x->name);
}

static void
free_streams(struct streams *s)
{
	size_t	 i;

	free_stream(&s->base);
	for (i = 0; i < s->n; i++) {
		free_stream(s->all[i]);
		free(s->all[i]);
	}
	free(s->all);
	table_clear(&s->by_name);
	buf_free(&s->name);
	free(s->own);
	free(s->stem);
}

static void
init(struct streams *s, struct input *in, struct decode_ctx *ctx, struct sink *sink,
    enum log_of of)
{
	struct buf	 stem = { 0 };

	memset(s, 0, sizeof *s);
	s->of = of;
	s->ctx = ctx;
	s->sink = sink;
	s->source = input_name(in);
	s->unread.sink.obs = unread_obs;
	s->unread.sink.problem = unread_problem;
	if (ctx->observer != NULL)
		buf_str(&stem, ctx->observer);
	else if (of == LOG_OF_SERVER)
		input_name_stem(s->source, &stem);
	else
		client_name(s->source, &stem);
	s->stem = mem_str(buf_cstr(&stem));
	buf_free(&stem);
}

int
log_streams_decode(struct input *in, struct decode_ctx *ctx, struct sink *sink,
    enum log_of of, struct err *e)
{
	struct buf		 recoded = { NULL, 0, 0 };
	struct span		 prefix = clean_prefix(input_peek(in, INPUT_PEEK), &recoded);
	struct decode_ctx	 mine = *ctx;
	struct streams		 s;
	struct records		*records;
	struct record		 r;
	int			 rc, bad = 0;

	init(&s, in, &mine, sink, of);
	look(&s, prefix);
	if (!s.many && of == LOG_OF_SERVER) {
		server_head_clock(prefix, &mine);
		buf_free(&s.base.sample);
		buf_add(&s.base.sample, prefix.p, prefix.n);
	}
	buf_free(&recoded);
	records = records_open(in, &mine, sink, of == LOG_OF_SERVER ? NULL :
	    s.prefixed || s.base.servers > 0 ? filter : rules_filter,
	    of == LOG_OF_SERVER ? NULL : s.prefixed || s.base.servers > 0 ? (void *)&s :
	    (const void *)mine.rules);
	while ((rc = records_next(records, &r, e)) == 1)
		if ((bad = take(&s, &r, e)) != 0)
			break;
	if (!bad && end(&s, rc == 0, e) != 0)
		bad = 1;
	ctx->records += s.many ? s.base.to_server.part.records + s.base.to_client.part.records :
	    records_lines(records);
	free_streams(&s);
	records_close(records);
	return (rc < 0 || bad ? -1 : 0);
}
