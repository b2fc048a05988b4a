/*
 * ingest.h - from paths to the timeline: per source its format, one
 * transaction, its hash, and what became of it.
 */
#ifndef STORE_INGEST_H
#define STORE_INGEST_H

#include "base/walk.h"
#include "format/format.h"
#include "store/store.h"

struct ingest_opts {
	const char	*incident;
	const struct format *as;	/* --as: read everything so; NULL */
	struct decode_ctx ctx;		/* zone, year, observer, keep_keys, rules */
	struct walk_limits limits;
	/* Told of each source when it is done; NULL: nobody.  of: the source that it
	 * is a duplicate of, NULL: none. */
	void		(*note)(void *arg, const char *name, const char *kind,
			    const char *status, int64_t records, const char *of);
	void		*arg;
};

struct ingest_result {
	int64_t		 sources;	/* read, now or before */
	int64_t		 damaged;	/* partly or not read */
	int64_t		 unrecognised;	/* of all */
	int64_t		 named_bad;	/* named in the command, and not read */
};

void		 ingest_opts_init(struct ingest_opts *);
/* Everything below the paths; adds to the result.  -1 only if the timeline
 * cannot be written: what was committed stays. */
int		 ingest(struct store *, char *const *paths, int npaths,
		    const struct ingest_opts *, struct ingest_result *,
		    struct err *);
/* The same with one incident for each entry of the folders (and each file)
 * given, named after it. */
int		 ingest_batch(struct store *, char *const *paths, int npaths,
		    const struct ingest_opts *, struct ingest_result *,
		    struct err *);
/* "+05:30", "-0800", "Z": seconds east of UTC; -1 with err. */
int		 ingest_zone(const char *, struct decode_ctx *, struct err *);

#endif
