/*
 * edit.h - what a user changes in a timeline by hand.
 */
#ifndef STORE_EDIT_H
#define STORE_EDIT_H

#include <stdint.h>

#include "base/err.h"

struct store;

/* The transaction of edit_set(): changes between the two happen all or, where the
 * second is given -1, not at all.  Derived tables may be left behind. */
int	 edit_begin(struct store *, struct err *);
int	 edit_end(struct store *, int result, struct err *);
/* A limit of the analysis where `parameter` has the name, else a declared
 * setting of the incident (in place of an older one). */
int	 edit_set(struct store *, const char *incident, const char *name,
	    const char *value, struct err *);
/* A source is named by its name, by the beginning of it up to a '/' or ':', or,
 * where none is called so, by a pattern (as GLOB has them) that matches it.
 *
 * What is added to the times of a source.  How many sources, or -1. */
int	 edit_clock(struct store *, const char *source, int64_t offset_us,
	    struct err *);
/* Remove a source, its rotated set and what only it named.  How many, or -1. */
int	 edit_forget(struct store *, const char *source, struct err *);

/* Inside the transaction of ingest: what was read before gives way.
 *
 * A source begins with bytes that are known from now on. */
int	 edit_prefix(struct store *, int64_t longer, const char *hex,
	    int64_t bytes, struct err *);
/* What earlier commands (sources up to before) only told of under a name that is
 * read now: that it could not be read, or was a copy. */
int	 edit_unread(struct store *, const char *incident, const char *name,
	    int64_t before, struct err *);
/* The source with this content (whole: all of it is read again) goes; successor, of
 * this name,
 * takes its declared clock, and stays known by what it was. */
int	 edit_replace(struct store *, const char *incident, int64_t successor,
	    const char *name, const char *hex, int64_t bytes, int whole, struct err *);
/* After the last of these: their rows.  Then, with the new rows in place: the
 * names that nothing refers to any more. */
int	 edit_replaced(struct store *, int64_t before, struct err *);
int	 edit_names(struct store *, struct err *);

/* The base rows of another timeline into this one (sql/merge.sql). */
int	 edit_merge(struct store *, const char *shard, struct err *);

#endif
