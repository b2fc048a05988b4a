/*
 * span.h - borrowed bytes.  p NULL means "not stated", which is never the
 * same as empty.  The owner of the bytes says how long they live.
 */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <stddef.h>
#include <string.h>

struct span {
	const char	*p;
	size_t		 n;
};

static inline struct span
span_of(const char *s)
{
	struct span	 r = { s, s != NULL ? strlen(s) : 0 };

	return (r);
}

static inline struct span
span_make(const char *p, size_t n)
{
	struct span	 r = { p, n };

	return (r);
}

static inline int
span_eq(struct span a, struct span b)
{
	return ((a.p == NULL) == (b.p == NULL) && a.n == b.n &&
	    (a.n == 0 || memcmp(a.p, b.p, a.n) == 0));
}

static inline int
span_is(struct span a, const char *s)
{
	return (a.p != NULL && a.n == strlen(s) && memcmp(a.p, s, a.n) == 0);
}

/* An ASCII digit, whatever the locale. */
static inline int
is_digit(char c)
{
	return (c >= '0' && c <= '9');
}

#endif
