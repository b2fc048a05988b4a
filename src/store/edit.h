/*
 * edit.h - what a user changes in a timeline by hand.
 */
#ifndef STORE_EDIT_H
#define STORE_EDIT_H

#include <stdint.h>

#include "base/err.h"

struct store;

/* A limit of the analysis where `parameter` has the name, else a declared
 * setting of the incident (in place of an older one). */
int	 edit_set(struct store *, const char *incident, const char *name,
	    const char *value, struct err *);
/* What is added to the times of a source (by name, or all names that begin with
 * it up to a '/' or ':').  How many sources, or -1. */
int	 edit_clock(struct store *, const char *source, int64_t offset_us,
	    struct err *);
/* Remove a source, its rotated set and what only it named.  How many, or -1. */
int	 edit_forget(struct store *, const char *source, struct err *);

/* The base rows of another timeline into this one (sql/merge.sql). */
int	 edit_merge(struct store *, const char *shard, struct err *);

#endif
