/*
 * output.h - how a timeline is shown: one struct output a format, one file
 * each, and the table of them.
 *
 * A format reads the query surface in the scope of the report (scope.h) and
 * nothing else.  What it writes is determined by the timeline and the options
 * alone: no clock, no locale, no environment.
 */
#ifndef REPORT_OUTPUT_H
#define REPORT_OUTPUT_H

#include <stdio.h>

#include "base/err.h"

struct store;

enum { REPORT_WIDTH = 100 };	/* where no terminal says its width */

struct report_opts {
	int		 width;		/* columns; 0: REPORT_WIDTH */
	int		 colour;
	const char	*since, *until;	/* RFC 3339, epoch, start+10m, end-2h; NULL */
	const char	*slot;		/* number; NULL: all */
	const char	*client, *node;	/* part of the name, address or id; NULL: all */
	const char	*verdict;	/* NULL: all */
	const char	*incident;	/* NULL: all */
	const char	*view;		/* csv, tsv, ndjson: which; NULL: failover_error */
};

/* Options that only some formats have a use for, and whether one says itself
 * what changed since the analysis. */
enum { OUTPUT_VIEW = 1, OUTPUT_WIDTH = 2, OUTPUT_COLOUR = 4, OUTPUT_STALE = 8 };

struct output {
	const char	*name, *summary;	/* feed usage, completion and the manual's test */
	int		 takes;			/* of the above */
	int		(*write)(struct store *, FILE *, const struct report_opts *,
			    struct err *);
};

/* All formats, the default first, ended by NULL. */
extern const struct output *const outputs[];

const struct output *output_find(const char *name);	/* NULL: none */
/* Make the scope, write, take the scope away.  A failed write of the stream
 * is an error too. */
int	 output_write(const struct output *, struct store *, FILE *,
	    const struct report_opts *, struct err *);

/* The promised views, ended by name NULL. */
struct report_view {
	const char	*name, *order;	/* order: columns that leave no tie */
};

extern const struct report_view report_views[];
const struct report_view *report_view_find(const char *name);	/* NULL: none */

#endif
