#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

void
buf_need(struct buf *b, size_t more)
{
	size_t	 cap = b->cap != 0 ? b->cap : 64;

	if (b->cap - b->n >= more)
		return;
	while (cap - b->n < more)
		cap *= 2;
	b->p = mem_grow(b->p, cap, 1);
	b->cap = cap;
}

void
buf_add(struct buf *b, const void *p, size_t n)
{
	if (n == 0)
		return;
	buf_need(b, n);
	memcpy(b->p + b->n, p, n);
	b->n += n;
}

void
buf_str(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_chr(struct buf *b, int c)
{
	char	 ch = (char)c;

	buf_add(b, &ch, 1);
}

void
buf_fmt(struct buf *b, const char *fmt, ...)
{
	va_list	 ap;
	int	 n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n <= 0)
		return;
	buf_need(b, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(b->p + b->n, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->n += (size_t)n;
}

const char *
buf_cstr(struct buf *b)
{
	buf_need(b, 1);
	b->p[b->n] = '\0';
	return (b->p);
}

void
buf_drop(struct buf *b, size_t n)
{
	if (n >= b->n) {
		b->n = 0;
		return;
	}
	memmove(b->p, b->p + n, b->n - n);
	b->n -= n;
}

void
buf_free(struct buf *b)
{
	free(b->p);
	b->p = NULL;
	b->n = b->cap = 0;
}
