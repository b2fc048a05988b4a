/*
 * bus-opinion.h - what was last said about whom, by hash alone, so that
 * repetitions cost 32 bytes each and no more.  Two that share a hash hide each
 * other's repetitions, nothing else.
 */
#ifndef WIRE_BUS_OPINION_H
#define WIRE_BUS_OPINION_H

#include <stddef.h>
#include <stdint.h>

#define OPINION_SEED	0xcbf29ce484222325ULL

struct opinion {
	uint64_t	 key;		/* 0: free */
	uint64_t	 said;		/* hash of what */
	int64_t		 at;		/* when it was last reported */
	unsigned	 flags;		/* the caller's */
};

struct opinions {
	struct opinion	*at;
	size_t		 size, used;	/* size: power of two, at most max */
	size_t		 max;
};

/* FNV-1a, to be chained from OPINION_SEED. */
uint64_t	 opinion_hash(uint64_t, const void *, size_t n);
void		 opinions_init(struct opinions *, size_t max);
void		 opinions_free(struct opinions *);
/* The place of a key; *fresh is set when it was not known.  Valid until the
 * next call. */
struct opinion	*opinions_find(struct opinions *, uint64_t key, int *fresh);

#endif
