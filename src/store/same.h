/*
 * same.h - is the content of an input in the timeline already, whole or up to
 * some byte?
 *
 * A source is known by length and hash of its bytes, whatever it is called.  One
 * that has grown since it was read begins with those very bytes.
 */
#ifndef STORE_SAME_H
#define STORE_SAME_H

#include "base/walk.h"
#include "store/store.h"

/* Content: length and hash of some bytes. */
struct content {
	char	 hex[33];
	int64_t	 bytes;
};

struct same {
	char	 hex[33];		/* of the whole, if known is set */
	int64_t	 bytes;
	int64_t	 known;			/* source that holds all of it; 0: none */
	int	 longer;		/* 1: that one is longer, and begins so */
	struct content *grown;		/* owned: sources that it begins with */
	size_t	 ngrown;
};

/* Hash of the first bytes, for source.head. */
void	 same_head(struct span, char hex[33]);
/* What an input that nothing was read of yet is to an incident.  *in may be
 * replaced by one with the same bytes that is to be closed as well.  1 if it
 * cannot be read at all (why: a problem), -1 with e if the timeline failed. */
int	 same_find(struct store *, struct visit *, const char *incident,
	    struct input **in, struct same *, struct err *why, struct err *e);
void	 same_done(struct same *);
/* Does a file hold, whole or packed or as its beginning, what some source of the
 * timeline is, wherever that was read from?  1, 0, or -1 with err. */
int	 same_in_file(struct store *, const char *path, struct err *);

#endif
