#include "text/arena.h"

#include <stdlib.h>

#include "base/mem.h"

enum { CHUNK_BYTES = 64 * 1024 };

struct arena_chunk {
	struct arena_chunk	*next;
	size_t			 size;
	char			 bytes[];
};

struct span
arena_copy(struct arena *a, struct span s)
{
	struct arena_chunk	*c = a->chunk;
	char			*p;
	size_t			 size;

	if (c == NULL || c->size - a->used < s.n) {
		size = s.n > CHUNK_BYTES ? s.n : CHUNK_BYTES;
		c = mem_alloc(sizeof *c + size);
		c->next = a->chunk;
		c->size = size;
		a->chunk = c;
		a->used = 0;
	}
	p = c->bytes + a->used;
	if (s.n > 0)
		memcpy(p, s.p, s.n);
	a->used += s.n;
	return (span_make(p, s.n));
}

void
arena_reset(struct arena *a)
{
	struct arena_chunk	*c;

	while (a->chunk != NULL && (a->chunk->next != NULL || a->chunk->size > CHUNK_BYTES)) {
		c = a->chunk;
		a->chunk = c->next;
		free(c);
	}
	a->used = 0;
}

void
arena_free(struct arena *a)
{
	struct arena_chunk	*c;

	while ((c = a->chunk) != NULL) {
		a->chunk = c->next;
		free(c);
	}
	a->used = 0;
}
