/*
 * walk.h - from the paths of a command to the inputs in them: folders in
 * bytewise order of names, archives and compression undone, nested, whatever a
 * file is called.  Links are not followed, devices not opened; what is left
 * out, and why, is told.
 */
#ifndef BASE_WALK_H
#define BASE_WALK_H

#include "base/buf.h"
#include "base/input.h"

/* What hostile archives may cost.  All can be raised. */
struct walk_limits {
	int64_t	 depth;			/* layers of packing */
	int64_t	 members;		/* of all archives below one path */
	int64_t	 bytes;			/* unpacked below one path */
	int64_t	 ratio;			/* unpacked to packed, past 256 MiB */
	int64_t	 spool;			/* bytes in the temporary file */
};
#define WALK_LIMITS { 8, 1000000, (int64_t)1 << 40, 2000, (int64_t)64 << 30 }
/* "depth=8": 0, or -1 with err. */
int		 walk_limit_set(struct walk_limits *, const char *, struct err *);

/* What has been spent of them, below one path. */
struct budget {
	struct walk_limits limits;
	int64_t		 members, out, in;
	int		 spent;		/* bytes or ratio: stop */
	int		 spool_fd;	/* -1: none yet */
	int64_t		 spooled;
};

struct visit {
	struct budget	 budget;
	int		 named;		/* out: the path itself is what is visited */
	int64_t		 visited;	/* inputs that member() was given */
	const char	*except;	/* a file that is not read (the timeline); NULL */
	/* An input; borrowed for the call (input_keep() makes one to keep). */
	int		(*member)(struct visit *, struct input *, struct err *);
	/* Something that is not read; code as in struct problem. */
	int		(*problem)(struct visit *, const char *name,
			    const char *code, const char *reason, struct err *);
};

void		 visit_init(struct visit *);
void		 visit_done(struct visit *);	/* closes what is spooled */
/* Everything below a path; "-" is standard input.  -1 only if the visitor said
 * so. */
int		 walk_path(struct visit *, const char *path, struct err *);

/* The names in a folder in bytewise order, without . and ..; both levels are the
 * caller's.  NULL with errno. */
char		**walk_names(const char *path, size_t *n);

/* A second input with the same bytes from the start, which stays valid after
 * the visit and can be rewound; NULL with err. */
struct input	*input_keep(struct visit *, struct input *, struct err *);

/* Inside base/: input.c */
int		 unpack(struct visit *, struct input *, int depth, struct err *);
/* The input with its compression undone; takes it over.  NULL with err. */
struct input	*unpack_filters(struct budget *, struct input *, struct err *);

#endif
