/*
 * anchor.h - a few short pieces, at least one of which is part of each of
 * many literals, and a fast search for them.
 *
 * Hundreds of literals cannot be looked for at once at the speed of memory,
 * thirty pieces of four bytes can: where one stands, and only there, the
 * literals themselves are tried.
 */
#ifndef TEXT_ANCHOR_H
#define TEXT_ANCHOR_H

#include <stddef.h>

struct anchors;

/* Pieces that cover the texts, which are borrowed; NULL when one is shorter
 * than a piece. */
struct anchors	*anchors_choose(const char *const *texts, size_t n);
void		 anchors_free(struct anchors *);
/* The first text in p: where it begins, n when there is none. */
size_t		 anchors_find(const struct anchors *, const char *p, size_t n);

#endif
