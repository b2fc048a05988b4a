#include "format/client-text.h"

#include <stdlib.h>

#include "format/client-redact.h"

static void
replace(struct buf *b, struct span what, const char *with)
{
	struct buf	 out = { NULL, 0, 0 };
	const char	*p = b->p, *end = b->p + b->n, *hit;

	if (what.n < 2)
		return;
	while ((hit = memmem(p, (size_t)(end - p), what.p, what.n)) != NULL) {
		buf_add(&out, p, (size_t)(hit - p));
		buf_str(&out, with);
		p = hit + what.n;
	}
	buf_add(&out, p, (size_t)(end - p));
	free(b->p);
	*b = out;
}

/* What stands between two marks goes: commands printed with their arguments. */
static void
cut_between(struct buf *b, const char *from, const char *to)
{
	char	*p = memmem(b->p, b->n, from, strlen(from)), *q, *end = b->p + b->n;

	if (b->n == 0 || p == NULL)
		return;
	p += strlen(from);
	q = memmem(p, (size_t)(end - p), to, strlen(to));
	if (q == NULL)
		q = end;
	memmove(p, q, (size_t)(end - q));
	b->n -= (size_t)(q - p);
}

struct span
client_text(struct buf *b, struct span text, const char *from, struct span key,
    int keep_keys, size_t max)
{
	const char	*end = text.p + text.n;
	const char	*nl = memchr(from, '\n', (size_t)(end - from));
	size_t		 n = (size_t)((nl != NULL ? nl : end) - from);
	struct buf	 said = { NULL, 0, 0 };

	b->n = 0;
	buf_add(b, from, n < 4096 ? n : 4096);
	cut_between(b, "received for command ", ", on node");
	cut_between(b, "Command: ", "\n");
	client_redact(&said, span_make(b->p, b->n), key, keep_keys);
	buf_free(b);
	*b = said;
	if (key.p != NULL && !keep_keys)
		replace(b, key, "<key>");
	if (b->n > max)
		b->n = max;
	while (b->n > 0 && strchr(" \t\r\"", b->p[b->n - 1]) != NULL)
		b->n--;
	return (span_make(b->p, b->n));
}

static int
is_class_char(char c)
{
	return ((c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
	    (c != '\0' && strchr("._$\\:", c) != NULL));
}

static int
is_class(struct span s)
{
	static const char *const	 ends[] = { "Error", "Exception", "ErrorReply",
		"ErrorCollection" };
	size_t				 i, n;

	for (i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		n = strlen(ends[i]);
		if (s.n >= n && memcmp(s.p + s.n - n, ends[i], n) == 0)
			return (1);
	}
	return (0);
}

struct span
client_text_class(struct span text, struct span match, const char **from)
{
	const char	*p = match.p, *end = text.p + text.n, *q;
	struct span	 s;

	while (p > text.p && is_class_char(p[-1]))
		p--;
	while (p < match.p && (*p == ':' || *p == '.'))
		p++;
	for (q = p; q < end && is_class_char(*q); q++)
		;
	s = span_make(p, (size_t)(q - p));
	while (s.n > 0 && s.p[s.n - 1] == ':')
		s.n--;
	if (is_class(s)) {
		*from = p;
		return (s);
	}
	if (match.p - text.p > 2 && match.p[-1] == ' ' && match.p[-2] == ':') {
		for (p = q = match.p - 2; p > text.p && is_class_char(p[-1]); p--)
			;
		s = span_make(p, (size_t)(q - p));
		if (is_class(s)) {
			*from = p;
			return (s);
		}
	}
	for (p = match.p; p < end && *p != '\n' && *p != '('; p++)
		;
	if (p < end && *p == '(') {
		for (q = ++p; q < end && is_class_char(*q); q++)
			;
		s = span_make(p, (size_t)(q - p));
		if (q < end && *q == ')' && is_class(s))
			return (s);
	}
	return (span_make(NULL, 0));
}
