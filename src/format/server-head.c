#include "format/server-head.h"

#include <stdio.h>
#include <stdlib.h>

enum { SECOND = 1000000, PIDS = 64 };	/* as many servers as a log may have */

static const char *
find(struct span s, const char *what)
{
	return (s.n > 0 ? memmem(s.p, s.n, what, strlen(what)) : NULL);
}

static void
letter(struct server_head *h, char c)
{
	if (c == 'M')
		h->role = ROLE_MASTER;
	else if (c == 'S')
		h->role = ROLE_REPLICA;
	h->child = c == 'C';
	h->sentinel = c == 'X';
}

/* "4018:M " or "4018:signal-handler (": where the digits begin, else NULL. */
static const char *
legacy_head(struct span s, struct server_head *h)
{
	const char	*p, *end = s.p + (s.n < 200 ? s.n : 200), *d;

	for (p = s.p; p + 2 < end; p++) {
		if (*p != ':' || p == s.p || !is_digit(p[-1]))
			continue;
		for (d = p; d > s.p && is_digit(d[-1]); d--)
			;
		if (p - d > 10 || (d > s.p && strchr(" \t|-]:\"", d[-1]) == NULL))
			continue;
		if (strchr("MSCX", p[1]) != NULL && p[2] == ' ')
			letter(h, p[1]);
		else if (end - p < 17 || memcmp(p, ":signal-handler (", 17) != 0)
			continue;
		h->pid = span_make(d, (size_t)(p - d));
		return (d);
	}
	return (NULL);
}

/* The word before "pid:role", which tells servers of one file apart:
 * "MASTER1 - 31877:M ..." */
static struct span
label(struct span s, const char *end)
{
	const char	*p = s.p, *q;

	while (p < end && strchr(" [\t", *p) != NULL)
		p++;
	for (q = p; q < end && (is_digit(*q) || ((*q | 32) >= 'a' && (*q | 32) <= 'z') ||
	    strchr("_-.", *q) != NULL); q++)
		;
	if (q == p || q - p > 60 || is_digit(*p) || q == end)
		return (span_make(NULL, 0));
	s = span_make(p, (size_t)(q - p));
	for (; q < end; q++)
		if (strchr(" -|:]\t", *q) == NULL)
			return (span_make(NULL, 0));
	return (s);
}

static struct span
quoted_behind(struct span s, const char *mark, char close)
{
	const char	*p = find(s, mark), *q;

	if (p == NULL)
		return (span_make(NULL, 0));
	p += strlen(mark);
	q = memchr(p, close, (size_t)(s.p + s.n - p));
	return (q != NULL ? span_make(p, (size_t)(q - p)) : span_make(NULL, 0));
}

static int
word_head(struct span line, struct server_head *h)
{
	struct span	 role = quoted_behind(line, "role=", ' ');

	if (role.p == NULL)
		role = quoted_behind(line, "\"role\":\"", '"');
	if (span_is(role, "primary") || span_is(role, "master"))
		letter(h, 'M');
	else if (span_is(role, "replica") || span_is(role, "slave"))
		letter(h, 'S');
	else if (span_is(role, "RDB/AOF"))
		letter(h, 'C');
	else
		return (0);
	h->pid = quoted_behind(line, "pid=", ' ');
	if (h->pid.p == NULL)
		h->pid = quoted_behind(line, "\"pid\":", ',');
	return (1);
}

static struct span
first_line(struct span s)
{
	const char	*nl = s.n > 0 ? memchr(s.p, '\n', s.n) : NULL;

	if (nl != NULL)
		s.n = (size_t)(nl - s.p);
	while (s.n > 0 && (s.p[0] == ' ' || (strchr(".-*#", s.p[0]) != NULL &&
	    s.n > 1 && s.p[1] == ' ')))
		s.p++, s.n--;
	return (s);
}

/* What stands behind "pid:role ": a stamp, of local time or (log-timestamp-
 * format milliseconds) an epoch, the level, the message.  A wrapper that looks
 * like a log of its own (klog) may have hidden it from the record's reader. */
static void
legacy_rest(struct record *r, const char *p, struct stamp_clock *clock,
    struct server_head *h)
{
	struct span	 s = r->line;
	struct stamp	 st;
	const char	*end = s.p + s.n;
	enum at_basis	 basis;
	int64_t		 at, precision;
	size_t		 n;

	while (p < end && *p != ' ')
		p++;
	if (++p >= end)
		return;
	n = stamp_at(s, (size_t)(p - s.p), &st);
	if (n > 0) {
		h->message = first_line(span_make(p + n, (size_t)(end - p) - n));
		if (r->message.p >= p && r->message.p < end && r->at != OBS_NO_TIME)
			if (r->message.p <= h->message.p)
				return;
		at = stamp_resolve(&st, clock, &basis);
		precision = st.precision_us;
	} else {
		for (n = 0; p + n < end && is_digit(p[n]); n++)
			;
		if (n != 13 || p + n >= end)
			return;
		h->message = first_line(span_make(p + n, (size_t)(end - p) - n));
		at = stamp_epoch(span_make(p, n), &precision);
		basis = AT_STATED;
	}
	if (at != OBS_NO_TIME) {
		r->at = at;
		r->at_basis = basis;
		r->precision_us = precision;
	}
}

/* "(1449128495) Received SIGTERM ..." */
static void
signal_rest(struct record *r, const char *p, struct server_head *h)
{
	const char	*end = r->line.p + r->line.n, *q;
	int64_t		 at, precision;

	for (q = p; q < end && is_digit(*q); q++)
		;
	at = stamp_epoch(span_make(p, (size_t)(q - p)), &precision);
	if (at != OBS_NO_TIME) {
		r->at = at;
		r->at_basis = AT_STATED;
		r->precision_us = precision;
	}
	if (q + 2 < end && q[0] == ')')
		h->message = span_make(q + 2, (size_t)(end - q) - 2);
}

void
server_head_read(struct record *r, struct stamp_clock *clock, struct server_head *h)
{
	const char	*p, *q;

	memset(h, 0, sizeof *h);
	h->message = first_line(r->message);
	if ((r->json || find(r->line, "role=") != NULL) && word_head(r->line, h))
		return;
	p = legacy_head(r->line, h);
	if (p == NULL) {
		h->pid = r->pid;
		return;
	}
	h->label = label(r->line, p);
	q = find(r->line, ":signal-handler (");
	if (q != NULL)
		signal_rest(r, q + 17, h);
	else
		legacy_rest(r, p, clock, h);
}

int
server_head_interleaved(struct span prefix)
{
	char		 pids[PIDS][12];
	struct server_head	 h;
	const char	*nl;
	struct span	 line;
	size_t		 n = 0, i;

	while (prefix.n > 0 && (nl = memchr(prefix.p, '\n', prefix.n)) != NULL) {
		line = span_make(prefix.p, (size_t)(nl - prefix.p));
		prefix.n -= line.n + 1;
		prefix.p = nl + 1;
		memset(&h, 0, sizeof h);
		if (legacy_head(line, &h) == NULL && !word_head(line, &h))
			continue;
		if (h.role == ROLE_NONE || h.pid.p == NULL || h.pid.n > 11)
			continue;
		if (n > 0 && span_is(h.pid, pids[n - 1]))
			continue;
		for (i = 0; i < n; i++)
			if (span_is(h.pid, pids[i]))
				return (1);
		if (n == PIDS)
			return (0);
		snprintf(pids[n++], sizeof pids[0], "%.*s", (int)h.pid.n, h.pid.p);
	}
	return (0);
}

void
server_head_clock(struct span prefix, struct decode_ctx *ctx)
{
	const char		*p = find(prefix, ":signal-handler ("), *nl, *start;
	struct stamp		 st;
	struct stamp_clock	 clock = { OBS_NO_NUM, NULL, 0, OBS_NO_TIME, OBS_NO_TIME, 0 };
	enum at_basis		 basis;
	int64_t			 at, local, precision, diff;

	if (p == NULL || ctx->zone_s != OBS_NO_NUM || ctx->zone != NULL || strspn(p + 17, "0123456789") != 10)
		return;
	at = stamp_epoch(span_make(p + 17, 10), &precision);
	for (start = p; start > prefix.p && start[-1] != '\n'; start--)
		;
	if (at == OBS_NO_TIME || start - prefix.p < 2)
		return;
	nl = start - 1;
	for (start = nl; start > prefix.p && start[-1] != '\n'; start--)
		;
	if (!stamp_find(span_make(start, (size_t)(nl - start)), &st) ||
	    (st.has & STAMP_ZONE) != 0)
		return;
	clock.mtime = at;
	clock.zone_s = 0;
	local = stamp_resolve(&st, &clock, &basis);
	if (local == OBS_NO_TIME)
		return;
	/* Zones are quarters of an hour; the neighbour is older by less. */
	diff = local - at;
	diff = (diff + (diff >= 0 ? 450 : -450) * (int64_t)SECOND) / (900 * (int64_t)SECOND) * 900;
	if (diff < -14 * 3600 || diff > 14 * 3600)
		return;
	ctx->zone_s = diff;
	if ((st.has & STAMP_YEAR) == 0 && ctx->year == 0)
		ctx->year = (int)(1970 + at / SECOND / 31556952);
}

int
server_head_is_line(struct span s)
{
	struct server_head		 h = { 0 };
	struct stamp		 st;
	const char		*p = legacy_head(s, &h);
	size_t			 i;

	if (p != NULL) {
		for (i = (size_t)(p - s.p); i < s.n && s.p[i] != ' '; i++)
			;
		if (i + 1 < s.n && (find(s, ":signal-handler (") != NULL ||
		    stamp_at(s, i + 1, &st) > 0 || is_digit(s.p[i + 1])))
			return (1);
	}
	if (find(s, "timestamp") != NULL && find(s, "message") != NULL && word_head(s, &h))
		return (1);
	if (s.n > 20 && s.p[0] == '[' && is_digit(s.p[1]) && (p = find(s, "] ")) != NULL &&
	    stamp_at(s, (size_t)(p + 2 - s.p), &st) > 0) {
		p += 2 + stamp_at(s, (size_t)(p + 2 - s.p), &st);
		return (p + 3 < s.p + s.n && p[0] == ' ' && strchr(".-*#", p[1]) != NULL);
	}
	return (find(s, "redis-server[") != NULL || find(s, "valkey-server[") != NULL);
}
