/*
 * mem.h - allocation that exits on failure, so that no caller tests for NULL.
 * Sizes that come from input are capped by the caller before they get here.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* Each returns memory owned by the caller, to be given to free(). */
void	*mem_alloc(size_t n);
void	*mem_zero(size_t count, size_t size);	/* zeroed, overflow checked */
void	*mem_grow(void *p, size_t count, size_t size);	/* realloc, overflow checked */
/* Room for one more in an array of n that always grew by this: it doubles. */
void	*mem_more(void *p, size_t n, size_t size);
/* Much memory, not zeroed, that is read here and there: in large pages where
 * the system has them, aligned to 64 bytes at least. */
void	*mem_large(size_t n);
char	*mem_str(const char *);			/* copy of a string */
char	*mem_strn(const char *, size_t n);	/* copy of n bytes, NUL added */

#endif
