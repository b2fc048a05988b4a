#include "format/dump-asked.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "model/endpoint.h"

/* How an attempt that got no reply is worded. */
static const struct {
	const char		*text;
	enum contact_outcome	 outcome;
} failures[] = {
	{ "connection refused", CONTACT_REFUSED },
	{ "econnrefused", CONTACT_REFUSED },
	{ "connection reset", CONTACT_RESET },
	{ "econnreset", CONTACT_RESET },
	{ "no route to host", CONTACT_UNREACHABLE },
	{ "unreachable", CONTACT_UNREACHABLE },
	{ "connection timed out", CONTACT_CONNECT_TIMEOUT },
	{ "connect timeout", CONTACT_CONNECT_TIMEOUT },
	{ "connection timeout", CONTACT_CONNECT_TIMEOUT },
	{ "operation timed out", CONTACT_CONNECT_TIMEOUT },
	{ "resource temporarily unavailable", CONTACT_READ_TIMEOUT },
	{ "timed out", CONTACT_READ_TIMEOUT },
	{ "timeout", CONTACT_READ_TIMEOUT },
	{ "closed the connection", CONTACT_CLOSED },
	{ "connection closed", CONTACT_CLOSED },
};

/* No answer is waited for longer. */
enum { ANSWER_MOST_US = 1000000 };

/* Words of headers that name nobody. */
static const char *const idle_words[] = {
	"cluster", "nodes", "slots", "shards", "info", "output", "of", "on", "at",
	"from", "node", "host", "time", "date", "utc", "dump", "success", "changed",
	"rc", "error", "failed", "bash", "sh", "text", "txt", "console", "log",
	"after", "before", "rtt", "ms", "sample", "snapshot", NULL
};

void
asked_init(struct asked *a)
{
	memset(a, 0, sizeof *a);
	a->at = OBS_NO_TIME;
	a->at_basis = AT_NONE;
	a->rtt_us = OBS_NO_NUM;
	a->ep = endpoint_none();
}

void
asked_copy(struct asked *to, const struct asked *from)
{
	*to = *from;
	if (to->ep.host.p != NULL)
		to->ep.host.p = to->host;
}

void
asked_until(struct asked *a, int64_t next)
{
	if (!a->alone || a->rtt_us != OBS_NO_NUM || a->at == OBS_NO_TIME ||
	    next == OBS_NO_TIME || next <= a->at)
		return;
	a->rtt_us = next - a->at < ANSWER_MOST_US ? next - a->at : ANSWER_MOST_US;
}

void
asked_set_ep(struct asked *a, const struct endpoint *ep)
{
	a->ep = endpoint_none();
	if (ep->host.p == NULL || ep->host.n >= sizeof a->host)
		return;
	memcpy(a->host, ep->host.p, ep->host.n);
	a->host[ep->host.n] = '\0';
	a->ep.host = span_make(a->host, ep->host.n);
	a->ep.port = ep->port;
}

static void
set_name(struct asked *a, struct span s)
{
	if (s.n == 0 || s.n >= sizeof a->name)
		return;
	memcpy(a->name, s.p, s.n);
	a->name[s.n] = '\0';
}

static const char *
find(struct span s, const char *what)
{
	size_t	 i, n = strlen(what);

	for (i = 0; i + n <= s.n; i++)
		if (strncasecmp(s.p + i, what, n) == 0)
			return (s.p + i);
	return (NULL);
}

static int
starts(struct span s, const char *what)
{
	size_t	 n = strlen(what);

	return (s.n >= n && memcmp(s.p, what, n) == 0);
}

static struct span
after(struct span s, const char *p)
{
	return (span_make(p, (size_t)(s.p + s.n - p)));
}

static struct span
token(struct span *s, const char *separators)
{
	struct span	 t;

	while (s->n > 0 && strchr(separators, *s->p) != NULL)
		s->p++, s->n--;
	t = span_make(s->p, 0);
	while (s->n > 0 && strchr(separators, *s->p) == NULL)
		s->p++, s->n--, t.n++;
	return (t);
}

static int
failure(struct span s, enum contact_outcome *outcome)
{
	size_t	 i;

	for (i = 0; i < sizeof failures / sizeof *failures; i++)
		if (find(s, failures[i].text) != NULL) {
			*outcome = failures[i].outcome;
			return (1);
		}
	return (0);
}

static int
is_idle(struct span s)
{
	int	 i;

	for (i = 0; idle_words[i] != NULL; i++)
		if (s.n == strlen(idle_words[i]) &&
		    strncasecmp(s.p, idle_words[i], s.n) == 0)
			return (1);
	return (0);
}

/* "2026-11-30T01:02:03.456Z" exactly: the form of a sampler that writes
 * thousands, so it is read without the table of layouts. */
size_t
asked_iso(struct span s, int64_t *at)
{
	static const char	 form[] = "dddd-dd-ddTdd:dd:dd.dddZ";
	int			 v[7] = { 0 }, k = 0;
	size_t			 i;

	if (s.n < sizeof form - 1)
		return (0);
	for (i = 0; form[i] != '\0'; i++) {
		if (form[i] != 'd') {
			if (s.p[i] != form[i])
				return (0);
			k++;
		} else if (s.p[i] >= '0' && s.p[i] <= '9' && k < 7)
			v[k] = v[k] * 10 + (s.p[i] - '0');
		else
			return (0);
	}
	if (v[1] < 1 || v[1] > 12 || v[2] < 1 || v[2] > 31 || v[3] > 23 ||
	    v[4] > 59 || v[5] > 60)
		return (0);
	*at = ((stamp_days(v[0], v[1], v[2]) * 86400 + v[3] * 3600 + v[4] * 60 +
	    v[5]) * 1000 + v[6]) * 1000;
	return (i);
}

/* The time in a header; [*from, *to) is where it stands. */
static int
header_time(struct asked *a, struct span s, struct stamp_clock *clock,
    size_t *from, size_t *to)
{
	struct stamp	 st;
	struct span	 rest = s, t;
	int64_t		 at, precision;
	size_t		 skip = 0, n;

	while (skip < s.n && strchr("#=-* [", s.p[skip]) != NULL)
		skip++;
	if ((n = asked_iso(span_make(s.p + skip, s.n - skip), &at)) > 0) {
		a->at = at;
		a->at_basis = AT_STATED;
		a->precision_us = 1000;
		*from = skip;
		*to = skip + n;
		return (1);
	}
	if (stamp_find(s, &st) && (at = stamp_resolve(&st, clock, &a->at_basis)) !=
	    OBS_NO_TIME) {
		a->at = at;
		a->precision_us = st.precision_us;
		*from = st.begin;
		*to = st.end;
		return (1);
	}
	while ((t = token(&rest, "#=-*[]()|, \t")).n > 0) {
		if ((at = stamp_epoch(t, &precision)) == OBS_NO_TIME)
			continue;
		a->at = at;
		a->at_basis = AT_STATED;
		a->precision_us = precision;
		*from = (size_t)(t.p - s.p);
		*to = *from + t.n;
		return (1);
	}
	return (0);
}

static void
header_rtt(struct asked *a, struct span s)
{
	const char	*p = find(s, "rtt"), *end = s.p + s.n;
	char		 num[24];
	size_t		 n = 0;
	double		 v;

	if (p == NULL)
		return;
	for (p += 3; p < end && strchr(" =:", *p) != NULL; p++)
		;
	for (; p < end && n < sizeof num - 1 && (isdigit((unsigned char)*p) ||
	    *p == '.'); p++)
		num[n++] = *p;
	num[n] = '\0';
	if (n == 0)
		return;
	v = strtod(num, NULL);
	if (!(v < 1e9))			/* no round trip lasts so long in any unit */
		return;
	while (p < end && *p == ' ')
		p++;
	if (p < end && *p == 'u')
		a->rtt_us = (int64_t)v;
	else if (p + 1 < end && p[0] == 'm' && p[1] == 's')
		a->rtt_us = (int64_t)(v * 1000);
	else if (p < end && *p == 's')
		a->rtt_us = (int64_t)(v * 1000000);
}

/* "01:02:03.5", which reads like an IPv6 host with a port. */
static int
is_clock(struct span s)
{
	size_t	 i, colons = 0;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == ':')
			colons++;
		else if (!isdigit((unsigned char)s.p[i]) && s.p[i] != '.' && s.p[i] != ',')
			return (0);
	}
	return (colons == 2 && memmem(s.p, s.n, "::", 2) == NULL);
}

/* An endpoint, else a name, among the words of a header. */
static int
header_who(struct asked *a, struct span s)
{
	struct span	 t, name = { NULL, 0 };
	struct endpoint	 ep;

	while ((t = token(&s, " \t#=*|,<>()\"'`")).n > 0) {
		if (is_clock(t))
			continue;
		while (t.n > 0 && (t.p[t.n - 1] == ':' || t.p[t.n - 1] == '-'))
			t.n--;
		while (t.n > 0 && *t.p == '-')
			t.p++, t.n--;
		if (t.n == 0)
			continue;
		if (memchr(t.p, ':', t.n) != NULL && endpoint_parse(t, &ep) == 0) {
			asked_set_ep(a, &ep);
			return (1);
		}
		while (t.n > 0 && *t.p == '[')
			t.p++, t.n--;
		while (t.n > 0 && t.p[t.n - 1] == ']')
			t.n--;
		if (t.n == 0)
			continue;
		if (name.p == NULL && !is_idle(t) && !isdigit((unsigned char)*t.p))
			name = t;
		else if (name.p == NULL && memchr(t.p, '.', t.n) != NULL)
			name = t;	/* an address without port */
	}
	if (name.p == NULL)
		return (0);
	set_name(a, name);
	return (1);
}

int
asked_prefix(struct asked *a, struct span s)
{
	return (header_who(a, s));
}

/* "Could not connect to Redis at H:P: why" */
static int
could_not_connect(struct asked *a, struct span s, enum contact_outcome *outcome)
{
	const char	*p = find(s, "could not connect to "), *at, *end;
	struct span	 rest;
	struct endpoint	 ep;

	if (p == NULL || (at = find(after(s, p), " at ")) == NULL)
		return (0);
	rest = after(s, at + 4);
	end = find(rest, ": ");
	if (end == NULL)
		return (0);
	rest.n = (size_t)(end - rest.p);
	if (endpoint_parse(rest, &ep) != 0 || !failure(after(s, end), outcome))
		return (0);
	asked_set_ep(a, &ep);
	return (1);
}

/* Options of "redis-cli -h H -p P": the endpoint, or a container's name. */
static int
command_line(struct asked *a, struct span s)
{
	const char	*cli = find(s, "redis-cli"), *p;
	struct span	 rest, t, host = span_of("127.0.0.1"), port = span_of("6379");
	struct endpoint	 ep;
	int		 given = 0;

	if (cli == NULL && (cli = find(s, "valkey-cli")) == NULL)
		return (0);
	rest = after(s, cli);
	token(&rest, " \t'\"");
	while ((t = token(&rest, " \t'\"")).n > 0) {
		if (span_is(t, "-h") || span_is(t, "-p") || span_is(t, "-u")) {
			given |= *(t.p + 1) != 'p';
			p = t.p + 1;
			t = token(&rest, " \t'\"");
			if (*p == 'h')
				host = t;
			else if (*p == 'p')
				port = t;
			else if (endpoint_parse(t, &ep) == 0) {
				asked_set_ep(a, &ep);
				return (1);
			}
		} else if (starts(t, "--cluster"))
			return (1);
	}
	rest = span_make(s.p, (size_t)(cli - s.p));
	if ((p = find(rest, " exec ")) != NULL && !given) {
		rest = after(rest, p + 6);
		while ((t = token(&rest, " \t")).n > 0) {
			if (span_is(t, "-n") || span_is(t, "-c") ||
			    span_is(t, "--namespace") || span_is(t, "-u"))
				token(&rest, " \t");
			else if (*t.p != '-') {
				set_name(a, t);
				return (1);
			}
		}
	}
	if (endpoint_pair(host, port, &ep) == 0)
		asked_set_ep(a, &ep);
	return (1);
}

/* "10.0.0.1:6379> cluster nodes", "10.0.0.1:6379(TX)[1]>" */
static int
prompt(struct asked *a, struct span s)
{
	const char	*gt = s.n > 0 ? memchr(s.p, '>', s.n) : NULL;
	struct endpoint	 ep;
	struct span	 t, rest = s;

	if (gt == NULL || (gt + 1 < s.p + s.n && gt[1] != ' '))
		return (0);
	rest.n = (size_t)(gt - s.p);
	t = token(&rest, " \t(");
	if (rest.n > 0 && *rest.p != '(')
		return (0);
	if (t.n > 0 && t.p[t.n - 1] == ']' && t.p[0] != '[' &&
	    memrchr(t.p, '[', t.n) != NULL)
		t.n = (size_t)((const char *)memrchr(t.p, '[', t.n) - t.p);
	if (t.n == 0 || memchr(t.p, ':', t.n) == NULL || endpoint_parse(t, &ep) != 0)
		return (0);
	asked_set_ep(a, &ep);
	return (1);
}

static int
reply_error(struct span s)
{
	return (starts(s, "(error) ") || starts(s, "error:\"") ||
	    starts(s, "ERROR,\"") || starts(s, "CLUSTERDOWN ") ||
	    starts(s, "-CLUSTERDOWN ") || starts(s, "LOADING ") ||
	    starts(s, "-LOADING ") || starts(s, "MASTERDOWN "));
}

/* ">>> Performing Cluster Check (using node 127.0.0.1:21701)" */
static int
cluster_check(struct asked *a, struct span s)
{
	const char	*p;
	struct endpoint	 ep;

	if (!starts(s, ">>> ") || (p = find(s, "using node ")) == NULL ||
	    endpoint_parse(after(s, p + 11), &ep) != 0)
		return (0);
	asked_set_ep(a, &ep);
	return (1);
}

/* "-> Redirected to slot [12182] located at 127.0.0.1:21003" */
static int
redirected(struct asked *a, struct span s)
{
	const char	*p;
	struct endpoint	 ep;

	if (!starts(s, "-> Redirected to slot") ||
	    (p = find(s, "located at ")) == NULL ||
	    endpoint_parse(after(s, p + 11), &ep) != 0)
		return (0);
	asked_set_ep(a, &ep);
	return (1);
}

static enum asked_kind
header(struct asked *a, struct asked *n, struct span s, int fresh,
    struct stamp_clock *clock, enum contact_outcome *outcome)
{
	size_t		 from = 0, to = 0;
	int		 decorated, timed, who, error;
	struct span	 head = s, tail, copy = s, t;
	struct endpoint	 ep;
	const char	*p;

	decorated = strchr("#=*-", *s.p) != NULL || (s.n > 3 && find(s, " | ") != NULL &&
	    find(s, ">>") != NULL) || find(s, "[SUCCESS]") || find(s, "[FAILURE]");
	t = token(&copy, " \t");
	decorated |= copy.n == 0 && t.n > 1 && (t.p[t.n - 1] == ':' ||
	    (memchr(t.p, ':', t.n) != NULL && endpoint_parse(t, &ep) == 0));
	error = (p = find(s, "error")) != NULL;
	if (error)
		head.n = (size_t)(p - s.p);
	timed = header_time(n, head, clock, &from, &to);
	if (!timed && !decorated)
		return (ASKED_NOTHING);
	tail = span_make(s.p + to, head.n - to);
	head.n = from;
	who = header_who(n, tail) || header_who(n, head);
	if (!timed && !who)
		return (ASKED_NOTHING);
	header_rtt(n, tail);
	n->alone = (timed && !who) || (fresh && a->alone && !timed);
	if (error || failure(s, outcome)) {
		if (!failure(s, outcome))
			return (reply_error(after(s, p)) ? ASKED_REPLY_ERROR :
			    ASKED_HEADER);
		return (ASKED_FAILED);
	}
	if (fresh) {		/* a second line of one header */
		if (!timed) {
			n->at = a->at;
			n->at_basis = a->at_basis;
			n->precision_us = a->precision_us;
		}
		if (!who) {
			asked_set_ep(n, &a->ep);
			memcpy(n->name, a->name, sizeof n->name);
		}
		n->position = a->position;
	}
	return (ASKED_HEADER);
}

enum asked_kind
asked_line(struct asked *a, struct span line, int64_t position, int fresh,
    struct stamp_clock *clock, enum contact_outcome *outcome)
{
	struct asked	 n;
	enum asked_kind	 kind = ASKED_HEADER;
	size_t		 from, to;

	if (line.n == 0 || line.n > 1000)
		return (ASKED_NOTHING);
	asked_init(&n);
	n.position = position;
	if (could_not_connect(&n, line, outcome)) {
		n.at = a->at;
		n.at_basis = a->at_basis;
		n.precision_us = a->precision_us;
		header_time(&n, line, clock, &from, &to);
		kind = ASKED_FAILED;
	} else if (reply_error(line))
		return (ASKED_REPLY_ERROR);
	else if (starts(line, "Error: ") && failure(line, outcome)) {
		asked_copy(&n, a);
		n.position = position;
		kind = ASKED_FAILED;
	} else if (redirected(&n, line) || cluster_check(&n, line) || prompt(&n, line) || command_line(&n, line)) {
		if (!header_time(&n, line, clock, &from, &to) && fresh) {
			n.at = a->at;
			n.at_basis = a->at_basis;
			n.precision_us = a->precision_us;
			n.alone = a->alone;
		}
	} else
		kind = header(a, &n, line, fresh, clock, outcome);
	if (kind == ASKED_HEADER || kind == ASKED_FAILED)
		asked_copy(a, &n);
	return (kind);
}

/* Separators of a file name are no separators of a stamp: "20261130T010203",
 * "2026-11-30_01-02-03", "1796000523". */
int64_t
asked_name_time(const char *name, struct stamp_clock *clock, int64_t *precision_us)
{
	const char	*base = strrchr(name, '/'), *p;
	char		 digits[24];
	struct stamp	 st = { 0 };
	enum at_basis	 basis;
	size_t		 n;
	int64_t		 at;
	int		 v[6] = { 0 };

	for (p = base != NULL ? base + 1 : name; *p != '\0'; p++) {
		if (!isdigit((unsigned char)*p))
			continue;
		for (n = 0; *p != '\0' && n < 14 && (isdigit((unsigned char)*p) ||
		    (n >= 4 && strchr("-_T:.", *p) != NULL)); p++)
			if (isdigit((unsigned char)*p))
				digits[n++] = *p;
		digits[n] = '\0';
		if (n == 10 || n == 13)
			if ((at = stamp_epoch(span_make(digits, n), precision_us)) !=
			    OBS_NO_TIME)
				return (at);
		if ((n == 12 || n == 14) && sscanf(digits, "%4d%2d%2d%2d%2d%2d", &v[0],
		    &v[1], &v[2], &v[3], &v[4], &v[5]) >= 5 && v[0] >= 2009 &&
		    v[0] < 2100 && v[1] >= 1 && v[1] <= 12 && v[2] >= 1 &&
		    v[2] <= 31 && v[3] < 24 && v[4] < 60 && v[5] < 60) {
			st.has = STAMP_DATE | STAMP_YEAR;
			st.year = v[0], st.month = v[1], st.day = v[2];
			st.of_day = ((v[3] * 60 + v[4]) * 60 + v[5]) * INT64_C(1000000);
			*precision_us = n == 14 ? 1000000 : 60000000;
			return (stamp_resolve(&st, clock, &basis));
		}
		if (*p == '\0')
			break;
	}
	return (OBS_NO_TIME);
}
