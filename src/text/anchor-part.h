/*
 * anchor-part.h - pieces and the tables they are looked for with: private to
 * text/anchor*.c.
 *
 *	anchor.c	which pieces
 *	anchor-find.c	the search
 */
#ifndef TEXT_ANCHOR_PART_H
#define TEXT_ANCHOR_PART_H

#include <stdint.h>
#include <string.h>

#include "text/anchor.h"

enum {
	PIECE = 4,
	BUCKETS = 16,			/* two bytes of bits */
	MAP_BITS = 12, MAP_SIZE = 1 << MAP_BITS
};

struct place {				/* of a piece in a text */
	const char *text;
	uint32_t length, offset;
	uint32_t first, last;		/* the text's first and last four bytes */
	int	 next;
};

/* By place in the piece and half of the byte: the buckets (bits) that hold a
 * piece with such a half there; [0] is buckets 0 to 7, [1] the others. */
struct halves {
	uint8_t	 low[2][PIECE][16], high[2][PIECE][16];
};

struct anchors {
	char		(*piece)[PIECE];
	size_t		 n;
	struct halves	 halves;
	uint8_t		 six[2][PIECE][64];	/* the same by the byte's low six bits */
	struct place	*place;
	size_t		 nplaces;
	int		 head[MAP_SIZE];	/* places, by hash of the piece */
	const char	**texts;
	size_t		*lengths;
	size_t		 vain;			/* places looked at that were none */
};

static inline uint32_t
anchor_four(const char *p)
{
	uint32_t	 v;

	memcpy(&v, p, sizeof v);
	return (v);
}

static inline uint32_t
anchor_hash(const char *p)
{
	return ((anchor_four(p) * UINT32_C(0x9e3779b1)) >> (32 - MAP_BITS));
}

#endif
