/*
 * server-event.c - what the nodes themselves wrote, behind any wrapper that
 * text/record.h undoes.  The role letter of a line's head is a sample of the
 * server's state.  The node's id is on few lines only: events are held back until
 * one of them comes.
 */
#include "format/server-event.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "format/server-head.h"
#include "format/server-message.h"
#include "text/stamp.h"

enum {
	SERVERS = 64,			/* in one log */
	HELD_MAX = 4096,		/* events that wait for the node's id */
	HELD_ALL = 65536,		/* the same of all logs that are open */
	SECOND = 1000000,
	MOMENT_US = SECOND,		/* two lines about one promotion */
	START_US = 2 * SECOND		/* roles settle after a start */
};

/* An event that waits, and its texts. */
struct held {
	struct obs	 o;
	char		*text;		/* owned */
};
static size_t	 held_all;

/* One process, or one after the other under one label. */
struct server {
	char		 name[256];
	char		 id[41];	/* "" until known */
	char		 label[64], pid[12];
	enum node_role	 role;
	int64_t		 started_at, promoted_at;
	int		 promoted, demoted; /* said in words, the letter is to follow */
	int		 lines;
	struct held	*held;
	size_t		 nheld;
	int		 given_up;	/* too much was held: nameless */
	int		 no_cluster;	/* and that has been said */
};

struct server_events {
	struct sink	*sink;
	struct err	*e;
	struct stamp_clock clock;	/* for stamps that the record left unread */
	struct server	*servers;	/* SERVERS of them */
	size_t		 nservers;
	int		 by_pid;	/* several pids write at the same time */
	char		*stem;
	struct buf	 scratch;
	struct locus	 where;		/* of the record that came last */
	int		 failed;
	int		 full;
};

static int
contains(struct span s, const char *what)
{
	return (s.n > 0 && memmem(s.p, s.n, what, strlen(what)) != NULL);
}

/* --- servers --- */

static void
give(struct server_events *l, const struct obs *o)
{
	if (!l->failed && l->sink->obs(l->sink, o, l->e) != 0)
		l->failed = 1;
}

/* Give what waited, with the id if there is one. */
static void
release(struct server_events *l, struct server *s)
{
	size_t	 i;

	for (i = 0; i < s->nheld; i++) {
		if (s->id[0] != '\0')
			s->held[i].o.observer.node = span_of(s->id);
		give(l, &s->held[i].o);
		free(s->held[i].text);
	}
	held_all -= s->nheld;
	free(s->held);
	s->held = NULL;
	s->nheld = 0;
}

/* Make the texts the event's own: they are borrowed from the record. */
static void
keep(struct held *k)
{
	struct span	*all[] = { &k->o.u.server.subject, &k->o.u.server.subject_ep.host,
	    &k->o.u.server.other, &k->o.u.server.slots, &k->o.u.server.detail };
	struct span	*value[] = { &k->o.u.setting.value };
	struct span	**text = k->o.kind == OBS_SETTING ? value : all;
	size_t		 i, n = k->o.kind == OBS_SETTING ? 1 : sizeof all / sizeof *all, bytes = 1;
	char		*p;

	for (i = 0; i < n; i++)
		bytes += text[i]->p != NULL ? text[i]->n : 0;
	p = k->text = mem_alloc(bytes);
	for (i = 0; i < n; i++) {
		if (text[i]->p == NULL)
			continue;
		memcpy(p, text[i]->p, text[i]->n);
		text[i]->p = p;
		p += text[i]->n;
	}
}

static void
emit(struct server_events *l, struct server *s, const struct obs *o)
{
	if (s->id[0] != '\0' || s->given_up) {
		give(l, o);
		return;
	}
	if (s->nheld == HELD_MAX || held_all == HELD_ALL) {
		s->given_up = 1;
		release(l, s);
		give(l, o);
		return;
	}
	s->held = mem_more(s->held, s->nheld, sizeof *s->held);
	s->held[s->nheld].o = *o;
	keep(&s->held[s->nheld++]);
	held_all++;
}

static int
is_start(struct span m)
{
	return (contains(m, "oO0Oo") || contains(m, "just started") ||
	    contains(m, "WARNING") || contains(m, "onfiguration loaded") ||
	    contains(m, "Server initialized") || contains(m, "monotonic clock"));
}

static struct server *
add_server(struct server_events *l, const struct server_head *h)
{
	struct server	*s;

	if (l->nservers == SERVERS) {
		l->full = 1;
		return (&l->servers[SERVERS - 1]);
	}
	s = &l->servers[l->nservers++];
	s->started_at = s->promoted_at = OBS_NO_TIME;
	snprintf(s->label, sizeof s->label, "%.*s", (int)h->label.n,
	    h->label.p != NULL ? h->label.p : "");
	snprintf(s->pid, sizeof s->pid, "%.*s", h->pid.n < 11 ? (int)h->pid.n : 0,
	    h->pid.p != NULL ? h->pid.p : "");
	if (s->label[0] != '\0')
		snprintf(s->name, sizeof s->name, "%.180s/%s", l->stem, s->label);
	else if (l->by_pid || l->nservers > 1)
		snprintf(s->name, sizeof s->name, "%.180s/%s", l->stem, s->pid);
	else
		snprintf(s->name, sizeof s->name, "%.180s", l->stem);
	return (s);
}

/* Whose line it is.  Labels tell; without them another pid is the same server
 * started again, unless it comes without the lines of a start or the old one
 * writes on. */
static struct server *
server_of(struct server_events *l, const struct server_head *h)
{
	struct server	*s;
	size_t		 i;

	for (i = 0; i < l->nservers; i++) {
		s = &l->servers[i];
		if (h->label.p != NULL || s->label[0] != '\0') {
			if (span_is(h->label, s->label))
				return (s);
		} else if (span_is(h->pid, s->pid) || (h->pid.p == NULL && !l->by_pid))
			return (s);
	}
	if (l->nservers > 0 && h->label.p == NULL && !l->by_pid) {
		s = &l->servers[l->nservers - 1];
		if (h->child || s->pid[0] == '\0' || is_start(h->message) ||
		    s->lines == 0) {
			if (!h->child)
				snprintf(s->pid, sizeof s->pid, "%.*s",
				    h->pid.n < 11 ? (int)h->pid.n : 0,
				    h->pid.p != NULL ? h->pid.p : "");
			return (s);
		}
	}
	return (add_server(l, h));
}

/* --- events --- */

static int
within(int64_t at, int64_t before, int64_t us)
{
	return (at != OBS_NO_TIME && before != OBS_NO_TIME && at - before <= us &&
	    before - at <= us);
}

static void
about(struct obs *o, enum obs_kind kind, const struct server *s, const struct record *r)
{
	record_obs(r, kind, o);
	o->observer.kind = WHO_NODE;
	o->observer.name = span_of(s->name);
	if (s->id[0] != '\0')
		o->observer.node = span_of(s->id);
}

static void
begin(struct obs *o, const struct server *s, const struct record *r,
    const struct server_head *h)
{
	about(o, OBS_SERVER, s, r);
	o->u.server.role = h->role;
	o->u.server.detail = span_make(h->message.p,
	    h->message.n < 500 ? h->message.n : 500);
}

static void
give_version(struct server_events *l, struct server *s, const struct record *r, struct span v)
{
	struct obs	 o;

	about(&o, OBS_SETTING, s, r);
	o.u.setting.name = span_of("version");
	o.u.setting.value = v;
	o.u.setting.of_observer = 1;
	emit(l, s, &o);
}

/* "Running mode=standalone, port=6379.", in the banner "Running in standalone
 * mode" ("stand alone" before 3.0); Sentinel also writes X for its role. */
static const char *
foreign_mode(struct span s, const struct server_head *h)
{
	if (h->sentinel || contains(s, "Running mode=sentinel") ||
	    contains(s, "Running in sentinel mode"))
		return ("a Sentinel");
	if (contains(s, "Running mode=standalone") ||
	    contains(s, "Running in standalone mode") ||
	    contains(s, "Running in stand alone mode"))
		return ("a server without a cluster (standalone)");
	return (NULL);
}

static void
say_scope(struct server_events *l, struct server *s, const struct record *r, const char *what)
{
	if (s->no_cluster)
		return;
	s->no_cluster = 1;
	if (!l->failed && sink_problem(l->sink, &r->where, "out-of-scope", l->e,
	    "%s: out of scope, not judged", what) != 0)
		l->failed = 1;
}

/* The letter changed and no line before it said why. */
static void
role_change(struct server_events *l, struct server *s, const struct record *r,
    const struct server_head *h)
{
	struct obs	 o;
	enum node_role	 was = s->role;
	int		 said;

	if (h->role == ROLE_NONE)
		return;
	s->role = h->role;
	if (was == h->role)
		return;
	said = h->role == ROLE_MASTER ? s->promoted : s->demoted;
	s->promoted = s->demoted = 0;
	if (said || was == ROLE_NONE || within(r->at, s->started_at, START_US))
		return;
	begin(&o, s, r, h);
	o.u.server.kind = h->role == ROLE_MASTER ? "promotion" : "demotion";
	o.u.server.event = h->role == ROLE_MASTER ? "role-master" : "role-replica";
	emit(l, s, &o);
}

/* What depends on more than the line: a replica that follows another master
 * is no demotion, a start has several lines, a takeover none of its own. */
static int
refine(struct server_events *l, struct server *s, const struct record *r,
    struct obs *o, const struct server_head *h)
{
	struct obs_server	*v = &o->u.server;
	struct obs		 extra;

	if (strcmp(v->event, "started") == 0) {
		if (within(r->at, s->started_at, 10 * SECOND) && s->started_at != OBS_NO_TIME)
			return (0);
		if (s->lines > 1)
			v->event = "restarted";
		s->started_at = r->at;
		s->role = ROLE_NONE;
	} else if (strcmp(v->event, "demoted") == 0) {
		if (h->role == ROLE_REPLICA) {
			v->kind = "server";
			v->event = "following";
		} else
			s->demoted = 1;
	} else if (strcmp(v->event, "emptied") == 0) {
		s->demoted = 1;
	} else if (strcmp(v->event, "election-won") == 0) {
		s->promoted_at = r->at;
		s->promoted = 1;
	} else if (strcmp(v->event, "takeover") == 0) {
		if (within(r->at, s->promoted_at, MOMENT_US)) {
			v->kind = "server";
			v->event = "view-flip";
		}
		s->promoted_at = r->at;
		s->promoted = 1;
	} else if (strcmp(v->event, "takeover-accepted") == 0) {
		s->promoted_at = r->at;
		s->promoted = 1;
		emit(l, s, o);
		v->kind = "promotion";
		v->event = "takeover";
	} else if (strcmp(v->event, "manual-requested") == 0) {
		extra = *o;
		extra.u.server.kind = "pause";
		extra.u.server.event = "writes-paused";
		emit(l, s, &extra);
	} else if (strcmp(v->event, "manual-timed-out") == 0 &&
	    h->role == ROLE_MASTER) {
		extra = *o;
		extra.u.server.kind = "pause";
		extra.u.server.event = "writes-resumed";
		emit(l, s, &extra);
	}
	return (1);
}

static void
learn_id(struct server_events *l, struct server *s, const struct record *r, struct span id)
{
	if (id.p == NULL || s->id[0] != '\0')
		return;
	memcpy(s->id, id.p, 40);
	s->id[40] = '\0';
	release(l, s);
	if (s->given_up && !l->failed && sink_problem(l->sink, &r->where, "limit", l->e,
	    "the server says its id after too many events (%d, or %d of all): those until there"
	    " are of %s, not of the node", HELD_MAX, HELD_ALL, s->name) != 0)
		l->failed = 1;
}

/* "." ".." "[...]" "(snip)" on lines of their own: the reporter left out. */
static int
elided(struct span text)
{
	const char	*p = text.n > 0 ? memchr(text.p, '\n', text.n) : NULL;
	const char	*end = text.p + text.n, *q;

	for (; p != NULL && p < end; p = q) {
		p++;
		q = memchr(p, '\n', (size_t)(end - p));
		q = q != NULL ? q : end;
		if (q - p >= 6 && memcmp(p, "(snip)", 6) == 0)
			return (1);
		if (p < q && strspn(p, ".[] ") >= (size_t)(q - p) &&
		    memchr(p, '.', (size_t)(q - p)) != NULL)
			return (1);
	}
	return (0);
}

static void
take_line(struct server_events *l, struct record *r)
{
	const struct server_message	*m;
	struct server			*s;
	struct server_head			 h;
	struct obs			 o;
	struct span			 v;
	const char			*foreign;

	server_head_read(r, &l->clock, &h);
	m = server_message_find(h.message);
	v = server_message_version(h.message);
	foreign = foreign_mode(r->text, &h);
	if (m == NULL && v.p == NULL && foreign == NULL && h.role == ROLE_NONE)
		return;
	s = server_of(l, &h);
	s->lines++;
	if (foreign != NULL)
		say_scope(l, s, r, foreign);
	if (v.p != NULL)
		give_version(l, s, r, v);
	role_change(l, s, r, &h);
	if (m == NULL)
		return;
	if (strcmp(m->event, "config-loaded") == 0)
		learn_id(l, s, r, server_message_own_id(h.message));
	begin(&o, s, r, &h);
	server_message_read(m, h.message, &o.u.server, &l->scratch);
	if (refine(l, s, r, &o, &h))
		emit(l, s, &o);
}

/* A record is a line, but lines without a stamp were joined to it: those of a
 * signal handler are events of their own. */
static void
take(struct server_events *l, struct record *r)
{
	struct record	 sub = *r;
	const char	*p, *end = r->text.p + r->text.n, *q;

	if (elided(r->text) && sink_problem(l->sink, &r->where, "gap", l->e,
	    "lines behind this one were left out by whoever copied the log") != 0)
		l->failed = 1;
	take_line(l, r);
	p = r->json || r->text.n == 0 ? NULL : memchr(r->text.p, '\n', r->text.n);
	for (; p != NULL && p < end; p = q) {
		p++;
		sub.where.position++;
		sub.where.offset = OBS_NO_NUM;
		q = memchr(p, '\n', (size_t)(end - p));
		q = q != NULL ? q : end;
		sub.line = sub.text = sub.message = span_make(p, (size_t)(q - p));
		sub.last_position = sub.where.position;
		if (contains(sub.line, ":signal-handler ("))
			take_line(l, &sub);
	}
}

/* --- the log --- */

struct server_events *
server_events_open(const char *stem, const struct decode_ctx *ctx, struct span prefix,
    struct sink *sink)
{
	struct server_events	*l = mem_zero(1, sizeof *l);
	struct decode_ctx	 mine = *ctx;

	l->sink = sink;
	l->servers = mem_zero(SERVERS, sizeof *l->servers);
	l->stem = mem_str(stem);
	l->by_pid = server_head_interleaved(prefix);
	server_head_clock(prefix, &mine);
	stamp_clock_init(&l->clock, &mine);
	return (l);
}

int
server_events_take(struct server_events *l, struct record *r, struct err *e)
{
	l->e = e;
	l->where = r->where;
	take(l, r);
	return (l->failed ? -1 : 0);
}

int
server_events_end(struct server_events *l, struct err *e)
{
	size_t	 i;

	l->e = e;
	for (i = 0; i < l->nservers; i++)
		release(l, &l->servers[i]);
	l->where.position = 0;
	l->where.offset = OBS_NO_NUM;
	if (l->full && !l->failed && sink_problem(l->sink, &l->where, "limit", e, "more than "
	    "%d servers in one file: the rest count as one", SERVERS) != 0)
		l->failed = 1;
	return (l->failed ? -1 : 0);
}

void
server_events_close(struct server_events *l)
{
	size_t	 i;

	if (l == NULL)
		return;
	for (i = 0; i < l->nservers; i++)
		for (; l->servers[i].nheld > 0; held_all--)
			free(l->servers[i].held[--l->servers[i].nheld].text);
	for (i = 0; i < l->nservers; i++)
		free(l->servers[i].held);
	buf_free(&l->scratch);
	free(l->servers);
	free(l->stem);
	free(l);
}
