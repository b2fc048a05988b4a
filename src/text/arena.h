/*
 * arena.h - bytes that stay where they are until all are given back at once.
 */
#ifndef TEXT_ARENA_H
#define TEXT_ARENA_H

#include "base/span.h"

struct arena {
	struct arena_chunk	*chunk;		/* newest first */
	size_t			 used;		/* of the newest */
};

struct span	 arena_copy(struct arena *, struct span);
void		 arena_reset(struct arena *);	/* keeps one chunk for the next use */
void		 arena_free(struct arena *);

#endif
