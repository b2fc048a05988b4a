/*
 * literal.h - the literals that a pattern cannot match without, and a search
 * for many literals at once.
 */
#ifndef TEXT_LITERAL_H
#define TEXT_LITERAL_H

#include "base/span.h"

enum { LITERAL_MIN = 3, LITERAL_MAX = 24, LITERAL_SET = 24 };

/* Each match of the pattern holds at least one of these. */
struct literal_set {
	char	 text[LITERAL_SET][LITERAL_MAX + 1];
	int	 n;			/* 0: the pattern has no such literals */
};
/* Only bytes that JSON encoders leave as they are become part of a literal. */
void	 literal_of_pattern(const char *pattern, struct literal_set *);

/* Many literals in one pass. */
struct literals;
struct literals	*literals_new(void);
void		 literals_free(struct literals *);
/* Its number; the text is LITERAL_MIN to LITERAL_MAX bytes long. */
int		 literals_add(struct literals *, const char *);
/* Where one in the first line that has one begins, n when there is none: a
 * filter over raw blocks. */
size_t		 literals_find(struct literals *, const char *p, size_t n);
/* Mark (set to 1) each literal that occurs. */
void		 literals_mark(const struct literals *, struct span, unsigned char *seen);
int		 literals_count(const struct literals *);

#endif
