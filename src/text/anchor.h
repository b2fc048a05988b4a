/*
 * anchor.h - a few short pieces, at least one of which is part of each of
 * many literals, and a fast search for them.
 *
 * Hundreds of literals cannot be looked for at once at the speed of memory,
 * fifty pieces of four bytes can: where one stands, and only there, the
 * literals themselves are tried.  Which pieces are rare the text itself says.
 */
#ifndef TEXT_ANCHOR_H
#define TEXT_ANCHOR_H

#include <stddef.h>

struct anchors;

/* How many places are compared at once at most: 64, 32, 16 or 1, the widest
 * that the processor has.  A test sets less. */
extern int	 anchors_widest;

/* Pieces that cover the texts, which are borrowed, and are rare in the sample (the
 * beginning of what will be searched); NULL when a text is shorter than a piece. */
struct anchors	*anchors_choose(const char *const *texts, size_t n, const char *sample,
		    size_t nsample);
void		 anchors_free(struct anchors *);
/* The first text in p: where it begins, n when there is none. */
size_t		 anchors_find(struct anchors *, const char *p, size_t n);
/* How many places were looked at in vain so far. */
size_t		 anchors_vain(const struct anchors *);

#endif
