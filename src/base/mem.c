#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CACHE_LINE = 64, LARGE_PAGE = 2 << 20 };

static void
fail(size_t n)
{
	fprintf(stderr, "slotrace: out of memory (%zu bytes)\n", n);
	exit(1);
}

void *
mem_alloc(size_t n)
{
	void	*p = malloc(n > 0 ? n : 1);

	if (p == NULL)
		fail(n);
	return (p);
}

void *
mem_large(size_t n)
{
	size_t	 unit = n < LARGE_PAGE / 2 ? CACHE_LINE : LARGE_PAGE;
	size_t	 whole = (n + unit - 1) / unit * unit;
	void	*p = aligned_alloc(unit, whole > 0 ? whole : unit);

	if (p == NULL)
		fail(n);
#ifdef MADV_HUGEPAGE
	if (unit == LARGE_PAGE)
		madvise(p, whole, MADV_HUGEPAGE);
#endif
	return (p);
}

void *
mem_zero(size_t count, size_t size)
{
	void	*p = calloc(count > 0 ? count : 1, size > 0 ? size : 1);

	if (p == NULL)
		fail(size);
	return (p);
}

void *
mem_grow(void *old, size_t count, size_t size)
{
	void	*p;

	if (size != 0 && count > SIZE_MAX / size)
		fail(SIZE_MAX);
	p = realloc(old, count * size > 0 ? count * size : 1);
	if (p == NULL)
		fail(count * size);
	return (p);
}

void *
mem_more(void *old, size_t n, size_t size)
{
	if (n != 0 && (n & (n - 1)) != 0)
		return (old);
	return (mem_grow(old, n != 0 ? 2 * n : 1, size));
}

char *
mem_strn(const char *s, size_t n)
{
	char	*p = mem_alloc(n + 1);

	if (n > 0)
		memcpy(p, s, n);
	p[n] = '\0';
	return (p);
}

char *
mem_str(const char *s)
{
	return (mem_strn(s, strlen(s)));
}
