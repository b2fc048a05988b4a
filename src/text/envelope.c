#include "text/envelope.h"

enum { DEPTH_MAX = 4 };

/* What a wrapper is looked for with. */
struct work {
	struct json	*json;
	struct arena	*arena;
	struct stamp	 first;		/* the stamp that the text begins with, */
	size_t		 length;	/* its bytes; 0: none */
	int		 known;		/* whether it was looked for yet */
};

static int
is_name(char c)
{
	return ((c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
	    c == '.' || c == '_' || c == '-');
}

static struct span
from(struct span s, size_t n)
{
	return (span_make(s.p + n, s.n - n));
}

/* The stamp at the beginning of the text: its bytes, 0 when there is none. */
static size_t
first_stamp(struct work *k, struct span s, struct stamp *t)
{
	if (!k->known) {
		k->length = stamp_at(s, 0, &k->first);
		k->known = 1;
	}
	*t = k->first;
	return (k->length);
}

static size_t
find(struct span s, size_t at, char c)
{
	const char	*p = at < s.n ? memchr(s.p + at, c, s.n - at) : NULL;

	return (p != NULL ? (size_t)(p - s.p) : s.n);
}

static int
begins(struct span s, const char *with)
{
	size_t	 n = strlen(with);

	return (s.n >= n && memcmp(s.p, with, n) == 0);
}

/* {"log":"...\n","stream":"stderr","time":"..."}; a line without its newline
 * is the first part of one that was longer than 16 KiB. */
static int
docker_json(struct span s, struct work *k, struct envelope *e)
{
	const struct json_member	*m;
	struct span			 log, time;
	size_t				 n;

	if (!begins(s, "{\"log\":\"") && !begins(s, "{\"log\": \""))
		return (0);
	if ((m = json_read(k->json, s, &n)) == NULL)
		return (0);
	log = json_get(m, n, "log");
	time = json_get(m, n, "time");
	if (log.p == NULL || time.p == NULL || stamp_at(time, 0, &e->stamp) == 0)
		return (0);
	e->partial = log.n == 0 || log.p[log.n - 1] != '\n';
	if (!e->partial)
		log.n--;
	e->text = arena_copy(k->arena, log);
	log = json_get(m, n, "stream");
	if (log.p != NULL)
		e->stream = arena_copy(k->arena, log);
	log = json_get(m, n, "attrs.tag");
	if (log.p != NULL)
		e->app = arena_copy(k->arena, log);
	return (1);
}

static struct span
member_copy(struct arena *a, const struct json_member *m, size_t n, const char *path)
{
	struct span	 v = json_get(m, n, path);

	return (v.p != NULL ? arena_copy(a, v) : v);
}

/* journalctl -o json; a MESSAGE of bytes is a string by now (json-lines.h). */
static int
journald_json(struct span s, struct work *k, struct envelope *e)
{
	const struct json_member	*m;
	struct span			 text;
	int64_t				 unused;
	size_t				 n;

	if (!begins(s, "{") || memmem(s.p, s.n, "__REALTIME_TIMESTAMP", 20) == NULL)
		return (0);
	if ((m = json_read(k->json, s, &n)) == NULL)
		return (0);
	e->epoch_us = stamp_epoch(json_get(m, n, "__REALTIME_TIMESTAMP"), &unused);
	text = json_get(m, n, "MESSAGE");
	if (text.p == NULL)
		text = span_make("", 0);
	e->text = arena_copy(k->arena, text);
	e->cut |= json_cut(k->json);
	e->host = member_copy(k->arena, m, n, "_HOSTNAME");
	e->app = member_copy(k->arena, m, n, "SYSLOG_IDENTIFIER");
	e->pid = member_copy(k->arena, m, n, "_PID");
	return (1);
}

/* 2026-03-14T09:26:53.589793112Z stderr F text */
static int
cri(struct span s, struct work *k, struct envelope *e)
{
	struct stamp	 t;
	struct span	 r;

	if (s.n < 30 || s.p[0] < '0' || s.p[0] > '9' || first_stamp(k, s, &t) == 0 ||
	    (t.has & STAMP_ZONE) == 0)
		return (0);
	r = from(s, t.end);
	if (!begins(r, " stdout ") && !begins(r, " stderr "))
		return (0);
	if (r.n < 10 || (r.p[8] != 'F' && r.p[8] != 'P') ||
	    (r.n > 9 && r.p[9] != ' ' && r.p[9] != ':'))
		return (0);
	e->stamp = t;
	e->stream = span_make(r.p + 1, 6);
	e->partial = r.p[8] == 'P';
	e->text = from(r, find(r, 8, ' ') < r.n ? find(r, 8, ' ') + 1 : r.n);
	return (1);
}

/* [pod/web-1/app] text */
static int
kubectl_prefix(struct span s, struct work *k, struct envelope *e)
{
	size_t	 end;

	(void)k;
	if (!begins(s, "[pod/"))
		return (0);
	end = find(s, 0, ']');
	if (end + 1 >= s.n || s.p[end + 1] != ' ')
		return (0);
	e->app = span_make(s.p + 5, end - 5);
	e->text = from(s, end + 2);
	return (1);
}

/* web-1  | text, and of a service "shop_web.1.z4id@node-1    | text" */
static int
compose(struct span s, struct work *k, struct envelope *e)
{
	size_t	 i = 0, name;

	(void)k;
	while (i < s.n && i < 160 && (is_name(s.p[i]) || (s.p[i] == '@' && i > 0)))
		i++;
	name = i;
	while (i < s.n && i < 224 && s.p[i] == ' ')
		i++;
	if (name == 0 || i == name || i >= s.n || s.p[i] != '|')
		return (0);
	if (i + 1 < s.n && s.p[i + 1] != ' ')
		return (0);
	e->app = span_make(s.p, name);
	e->text = from(s, i + 2 <= s.n ? i + 2 : s.n);
	return (1);
}

/* "<11>": its length, 0 when there is none. */
static size_t
priority(struct span s)
{
	size_t	 i = 1;

	if (s.n < 3 || s.p[0] != '<')
		return (0);
	while (i < s.n && i < 4 && s.p[i] >= '0' && s.p[i] <= '9')
		i++;
	return (i > 1 && i < s.n && s.p[i] == '>' ? i + 1 : 0);
}

static struct span
word(struct span *s)
{
	size_t		 n = find(*s, 0, ' ');
	struct span	 w = span_make(s->p, n);

	*s = from(*s, n < s->n ? n + 1 : n);
	return (w);
}

/* <11>1 2026-03-14T09:26:53.589793Z web-1 shop 7 ID47 [sd@1 k="v"] text */
static int
syslog_5424(struct span s, struct work *k, struct envelope *e)
{
	size_t		 n = priority(s);
	struct stamp	 t;
	struct span	 r, w;
	int		 quoted = 0;

	(void)k;
	if (n == 0 || s.n < n + 2 || s.p[n] != '1' || s.p[n + 1] != ' ')
		return (0);
	r = from(s, n + 2);
	if (stamp_at(r, 0, &t) == 0 || t.end >= r.n)
		return (0);
	e->stamp = t;
	r = from(r, t.end + 1);
	w = word(&r);
	e->host = span_is(w, "-") ? span_make(NULL, 0) : w;
	w = word(&r);
	e->app = span_is(w, "-") ? span_make(NULL, 0) : w;
	w = word(&r);
	e->pid = span_is(w, "-") ? span_make(NULL, 0) : w;
	word(&r);
	if (r.n > 0 && r.p[0] == '[') {
		for (n = 0; n < r.n; n++) {
			if (r.p[n] == '"' && r.p[n - 1] != '\\')
				quoted = !quoted;
			if (r.p[n] == ']' && !quoted && (n + 1 == r.n || r.p[n + 1] != '['))
				break;
		}
		r = from(r, n + 2 <= r.n ? n + 2 : r.n);
	} else {
		word(&r);
	}
	if (begins(r, "\357\273\277"))
		r = from(r, 3);
	e->text = r;
	return (1);
}

/* [<11>]Mar 14 09:26:53 web-1 shop[7]: text, and journalctl's short-iso */
static int
syslog_3164(struct span s, struct work *k, struct envelope *e)
{
	size_t		 n = priority(s), open, i;
	struct stamp	 t;
	struct span	 r, host, tag;

	if (s.n < n + 20 || (n > 0 ? stamp_at(s, n, &t) : first_stamp(k, s, &t)) == 0 || (t.has & STAMP_DATE) == 0 ||
	    t.end >= s.n || s.p[t.end] != ' ')
		return (0);
	r = from(s, t.end + 1);
	host = word(&r);
	tag = word(&r);
	if (host.n == 0 || tag.n < 2 || tag.p[tag.n - 1] != ':')
		return (0);
	for (i = 0; i < host.n; i++)
		if (!is_name(host.p[i]) && host.p[i] != ':')
			return (0);
	tag.n--;
	open = find(tag, 0, '[');
	if (open == tag.n && ((t.has & STAMP_YEAR) != 0 || host.p[host.n - 1] == ':'))
		return (0);	/* an ISO stamp, a word, another: any log line */
	if (open < tag.n) {
		if (tag.p[tag.n - 1] != ']' || tag.n < open + 3)
			return (0);
		for (i = open + 1; i < tag.n - 1; i++)
			if (tag.p[i] < '0' || tag.p[i] > '9')
				return (0);	/* "ioredis:redis status[10.0.0.1:6379]:" */
		e->pid = span_make(tag.p + open + 1, tag.n - open - 2);
		tag.n = open;
	}
	e->stamp = t;
	e->host = host;
	e->app = tag;
	e->text = r;
	return (1);
}

/*    2022-07-19T11:32:11.40+0530 [APP/PROC/WEB/0] ERR text */
static int
cloud_foundry(struct span s, struct work *k, struct envelope *e)
{
	size_t		 i = 0, close;
	struct stamp	 t;
	struct span	 r;

	while (i < s.n && s.p[i] == ' ')
		i++;
	if (i >= s.n || (i > 0 ? stamp_at(s, i, &t) : first_stamp(k, s, &t)) == 0 || (t.has & STAMP_ZONE) == 0)
		return (0);
	r = from(s, t.end);
	if (!begins(r, " ["))
		return (0);
	close = find(r, 0, ']');
	if (find(r, 0, '/') > close || close + 5 >= r.n ||
	    (memcmp(r.p + close, "] OUT ", 6) != 0 && memcmp(r.p + close, "] ERR ", 6) != 0))
		return (0);
	e->stamp = t;
	e->app = span_make(r.p + 2, close - 2);
	e->text = from(r, close + 6);
	return (1);
}

/* A container's stamp (seven decimals and more), or any stamp that stands
 * directly before the record's own. */
static int
outer_stamp(struct span s, struct work *k, struct envelope *e)
{
	struct stamp	 t, inner;
	struct span	 r;
	size_t		 n;

	if (s.n < 20 || first_stamp(k, s, &t) == 0 || (t.has & STAMP_DATE) == 0 ||
	    t.end + 1 >= s.n || s.p[t.end] != ' ')
		return (0);
	r = from(s, t.end + 1);
	n = find(s, t.end, ']');
	if (t.begin == 0 && s.p[0] >= 'A' && n < 80 && n + 2 < s.n)
		r = from(s, n + 2);	/* klog: "I0304 17:20:27.406756  1 log.go:16] " */
	if ((t.has & (STAMP_ZONE | STAMP_NANO)) != (STAMP_ZONE | STAMP_NANO) ||
	    s.p[10] != 'T') {
		if (!stamp_find_before(r, find(r, 0, ' '), &inner) ||
		    (inner.has & STAMP_DATE) == 0)
			return (0);
	}
	e->stamp = t;
	e->text = r;
	return (1);
}

static int	(*const wrappers[])(struct span, struct work *, struct envelope *) = {
	docker_json, journald_json, cri, kubectl_prefix, compose, syslog_5424,
	syslog_3164, cloud_foundry, outer_stamp
};

void
envelope_undo(struct span line, struct json *j, struct arena *a, struct envelope *e)
{
	struct work	 k = { .json = j, .arena = a };
	size_t		 i;

	memset(e, 0, sizeof *e);
	e->text = line;
	e->epoch_us = OBS_NO_TIME;
	while (e->undone < DEPTH_MAX) {
		for (i = 0; i < sizeof wrappers / sizeof wrappers[0]; i++)
			if (wrappers[i](e->text, &k, e))
				break;
		if (i == sizeof wrappers / sizeof wrappers[0])
			return;
		e->undone++;
		k.known = 0;
	}
}

void
envelope_export(struct span block, struct envelope *e)
{
	struct span	 line, value;
	size_t		 n, eq;
	int64_t		 unused;

	memset(e, 0, sizeof *e);
	e->epoch_us = OBS_NO_TIME;
	e->text = span_make("", 0);
	e->undone = 1;
	for (; block.n > 0; block = from(block, n < block.n ? n + 1 : n)) {
		n = find(block, 0, '\n');
		line = span_make(block.p, n);
		eq = find(line, 0, '=');
		if (eq == line.n)
			continue;
		value = from(line, eq + 1);
		line.n = eq;
		if (span_is(line, "MESSAGE"))
			e->text = value;
		else if (span_is(line, "__REALTIME_TIMESTAMP"))
			e->epoch_us = stamp_epoch(value, &unused);
		else if (span_is(line, "_HOSTNAME"))
			e->host = value;
		else if (span_is(line, "SYSLOG_IDENTIFIER"))
			e->app = value;
		else if (span_is(line, "_PID"))
			e->pid = value;
	}
}
