#include "model/endpoint.h"

#include "base/fast.h"

#include <strings.h>

enum { HOST_MAX = 255 };

/* A port number that is all of the text; -1 when it is none. */
static int32_t
read_port(struct span s)
{
	int32_t	 v = 0;
	size_t	 i;

	if (s.n == 0 || s.n > 5)
		return (-1);
	for (i = 0; i < s.n; i++) {
		if (!is_digit(s.p[i]))
			return (-1);
		v = v * 10 + (s.p[i] - '0');
	}
	return (v <= 65535 ? v : -1);
}

/* Letters, digits and what host names and IPv6 (with a zone) may hold. */
static int
host_ok(struct span h)
{
	size_t	 i;

	if (h.n > HOST_MAX)
		return (0);
	if (span_is(h, "?"))
		return (1);
	for (i = 0; i < h.n; i++)
		if (!is_digit(h.p[i]) && !((h.p[i] | 32) >= 'a' && (h.p[i] | 32) <= 'z') &&
		    strchr(".-_:%", h.p[i]) == NULL)
			return (0);
	return (1);
}

static struct span
trim(struct span s, const char *set)
{
	while (s.n > 0 && strchr(set, s.p[0]) != NULL && s.p[0] != '\0')
		s.p++, s.n--;
	while (s.n > 0 && strchr(set, s.p[s.n - 1]) != NULL && s.p[s.n - 1] != '\0')
		s.n--;
	return (s);
}

static const char *
find_last(struct span s, char c)
{
	return (s.n > 0 ? memrchr(s.p, c, s.n) : NULL);
}

/* "scheme://user:pw@rest/db?x" to "rest". */
static struct span
strip_url(struct span s)
{
	const char	*p, *end = s.p + s.n;

	p = memmem(s.p, s.n, "://", 3);
	if (p == NULL)
		return (s);
	s.p = p + 3;
	s.n = (size_t)(end - s.p);
	p = s.n > 0 ? memchr(s.p, '/', s.n) : NULL;
	if (p != NULL)
		s.n = (size_t)(p - s.p);
	p = find_last(s, '@');
	if (p != NULL) {
		s.n -= (size_t)(p + 1 - s.p);
		s.p = p + 1;
	}
	return (s);
}

/* Java's "name/address:port": the address is where it went. */
static struct span
strip_java(struct span s)
{
	const char	*p = s.n > 0 ? memchr(s.p, '/', s.n) : NULL;
	struct span	 name, rest;
	const char	*un = "<unresolved>";

	if (p == NULL)
		return (s);
	name = span_make(s.p, (size_t)(p - s.p));
	rest = span_make(p + 1, s.n - name.n - 1);
	if (rest.n > strlen(un) && memcmp(rest.p, un, strlen(un)) == 0)
		return (name);	/* the caller takes the port from the whole text */
	return (rest);
}

static int
finish(struct span host, struct span port, struct endpoint *ep)
{
	int32_t	 v = read_port(port);

	if (v < 0 || !host_ok(host))
		return (-1);
	ep->host = host;
	ep->port = v;
	return (0);
}

/* [v6]:port, and .NET's [v6:port]:0 */
static int
parse_bracketed(struct span s, struct endpoint *ep)
{
	const char	*close = memchr(s.p, ']', s.n), *colon;
	struct span	 host, port;

	if (close == NULL || close + 1 >= s.p + s.n || close[1] != ':')
		return (-1);
	host = span_make(s.p + 1, (size_t)(close - s.p - 1));
	port = span_make(close + 2, s.n - host.n - 3);
	if (span_is(port, "0") && (colon = find_last(host, ':')) != NULL) {
		port = span_make(colon + 1, host.n - (size_t)(colon + 1 - host.p));
		host.n = (size_t)(colon - host.p);
	}
	return (finish(host, port, ep));
}

/* 'host', port[, flow, scope] with or without parentheses */
static int
parse_tuple(struct span s, struct endpoint *ep)
{
	const char	*quote, *p, *end;
	struct span	 host;

	s = trim(s, "()[] ");
	if (s.n < 2 || (s.p[0] != '\'' && s.p[0] != '"'))
		return (-1);
	end = s.p + s.n;
	quote = memchr(s.p + 1, s.p[0], s.n - 1);
	if (quote == NULL)
		return (-1);
	host = span_make(s.p + 1, (size_t)(quote - s.p - 1));
	for (p = quote + 1; p < end && (*p == ',' || *p == ' '); p++)
		;
	for (quote = p; quote < end && is_digit(*quote); quote++)
		;
	return (finish(host, span_make(p, (size_t)(quote - p)), ep));
}

/* Digits and dots, a colon, digits: nothing to take off, nothing to look up. */
static int
parse_plain(struct span s, struct endpoint *ep)
{
	size_t	 n = 0;

	while (n < s.n && n < HOST_MAX && (is_digit(s.p[n]) || s.p[n] == '.'))
		n++;
	if (n == 0 || n == s.n || !is_digit(s.p[0]) || s.p[n] != ':')
		return (-1);
	ep->host = span_make(s.p, n);
	ep->port = read_port(span_make(s.p + n + 1, s.n - n - 1));
	return (ep->port >= 0 ? 0 : -1);
}

int
endpoint_parse(struct span s, struct endpoint *ep)
{
	const char	*p;
	struct span	 host, whole;

	*ep = endpoint_none();
	if (s.p == NULL)
		return (-1);
	if (fast_paths && parse_plain(s, ep) == 0)
		return (0);
	*ep = endpoint_none();
	if (s.n > 0 && (s.p[0] == '(' || s.p[0] == '\'') && parse_tuple(s, ep) == 0)
		return (0);
	s = trim(s, " \t\"'`<>,;.()");
	s = strip_url(s);
	if ((p = s.n > 0 ? memchr(s.p, ',', s.n) : NULL) != NULL)
		s.n = (size_t)(p - s.p);
	if ((p = find_last(s, '@')) != NULL)
		s.n = (size_t)(p - s.p);
	if (s.n == 0)
		return (-1);
	if (s.p[0] == '[' && parse_bracketed(s, ep) == 0)
		return (0);
	whole = s;
	s = strip_java(s);
	if (s.n > 0 && s.p[0] == '[')
		return (parse_bracketed(s, ep));
	p = find_last(whole, ':');
	if (p == NULL)
		return (-1);
	host = s;
	if (p >= s.p && p < s.p + s.n)
		host.n = (size_t)(p - s.p);
	return (finish(host, span_make(p + 1, (size_t)(whole.p + whole.n - p - 1)), ep));
}

int
endpoint_pair(struct span host, struct span port, struct endpoint *ep)
{
	*ep = endpoint_none();
	host = trim(host, "[]\"' ");
	return (finish(host, trim(port, "\"' "), ep));
}

void
endpoint_format(const struct endpoint *ep, struct buf *out)
{
	int	 v6;

	if (ep->host.p == NULL)
		return;
	v6 = ep->host.n > 0 && memchr(ep->host.p, ':', ep->host.n) != NULL;
	if (v6)
		buf_chr(out, '[');
	buf_add(out, ep->host.p, ep->host.n);
	if (v6)
		buf_chr(out, ']');
	if (ep->port != OBS_NO_PORT)
		buf_fmt(out, ":%d", (int)ep->port);
}

int
endpoint_eq(const struct endpoint *a, const struct endpoint *b)
{
	return (a->port == b->port && span_eq(a->host, b->host));
}
