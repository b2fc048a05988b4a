/*
 * record.h - log text as records: lines cleaned (UTF-16, CRLF, NULs, ANSI
 * colours), wrappers undone (docker, CRI, journald, syslog, ...), stack traces
 * joined to their first line, times read.  Used by client-log.c and
 * server-log.c alike.
 */
#ifndef TEXT_RECORD_H
#define TEXT_RECORD_H

#include "format/format.h"

/* All spans are valid until the next records_next(). */
struct record {
	int64_t		 at;		/* record's own time, else the wrapper's; OBS_NO_TIME */
	enum at_basis	 at_basis;
	int64_t		 precision_us;
	int64_t		 outer_at;	/* the wrapper's time; OBS_NO_TIME */
	struct locus	 where;		/* first line */
	int64_t		 last_position;	/* last line */
	struct span	 line;		/* first line, unwrapped and cleaned, with its stamp */
	struct span	 text;		/* unwrapped and cleaned, lines joined by \n */
	struct span	 message;	/* text after stamp, level and logger, or the JSON member; else text */
	struct span	 level, logger, thread, request; /* p NULL: not stated */
	struct span	 host, app, pid; /* from the wrapper or the record */
	struct span	 key, peer, port; /* JSON members that name a key, a node, its port */
	int		 wrapped;	/* from the wrapper come: 1 app, 2 host, 3 both */
	int		 json;		/* text was JSON and is flattened */
};

struct records;

/* Where in raw bytes the first thing stands that may matter; n when nowhere. */
typedef size_t	 (*record_filter)(const void *arg, const char *p, size_t n);

/* With a filter only lines that it points at, and what joins to them, become
 * records; without one all do. */
struct records	*records_open(struct input *, const struct decode_ctx *,
		    struct sink *, record_filter, const void *arg);
/* 1 a record, 0 the end, -1 err. */
int		 records_next(struct records *, struct record *, struct err *);
int64_t		 records_lines(const struct records *);	/* lines read so far */
void		 records_close(struct records *);

/* An observation of what a record says: its time and its place, all else unset. */
void		 record_obs(const struct record *, enum obs_kind, struct obs *);

#endif
