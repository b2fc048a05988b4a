/*
 * collect.h - a sink that keeps deep copies of what it is given in arrays, in
 * the order given, so that decoders are tested without a database.
 */
#ifndef UNIT_COLLECT_H
#define UNIT_COLLECT_H

#include "model/sink.h"

struct collect {
	struct sink	 sink;		/* first: give &c->sink to a decoder */
	struct obs	*obs;		/* all that obs() was given */
	size_t		 nobs;
	struct problem	*problems;
	size_t		 nproblems;
	int		 ended;		/* calls of end() */
	size_t		 fail_after;	/* obs() fails after so many; 0: never */
	void		**owned;	/* copies, freed by collect_free() */
	size_t		 nowned;
};

void	 collect_init(struct collect *);
void	 collect_free(struct collect *);
/* The n-th observation of a kind, 0 first; NULL if there are fewer. */
const struct obs *collect_nth(const struct collect *, enum obs_kind, size_t n);
size_t	 collect_count(const struct collect *, enum obs_kind);
/* The n-th problem of a code (NULL: of any); NULL if there are fewer. */
const struct problem *collect_problem(const struct collect *, const char *code,
	    size_t n);

#endif
