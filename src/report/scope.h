/*
 * scope.h - the query surface, limited to what a report was asked for, as
 * temporary tables of the same names, and the digest and the story on top of
 * them (scope.sql, digest.sql and story.sql of sql/report).
 */
#ifndef REPORT_SCOPE_H
#define REPORT_SCOPE_H

#include <stdint.h>

#include "base/err.h"

struct store;
struct report_opts;

/* Can the options be read at all?  -1 with err. */
int	 scope_check(const struct report_opts *, struct err *);
/* -1 with err also where an option cannot be read, or no such incident is there. */
int	 scope_open(struct store *, const struct report_opts *, struct err *);
/* The scope of one error or window alone, which costs what that one does, and
 * without the story.  id of an error that is named is set; 0: there is none. */
struct asked {
	int		 window;	/* 1: a window, else an error */
	const char	*ref;		/* number or name */
	int64_t		 id;		/* 0: found by name */
};
enum { ASKED_ERRORS_MOST = 20 };	/* errors of a window that have their names */
int	 scope_open_asked(struct store *, const struct report_opts *, struct asked *,
	    struct err *);
void	 scope_close(struct store *);
/* Run an embedded script inside the scope. */
int	 scope_script(struct store *, const char *name, struct err *);

/* A time option in microseconds UTC: RFC 3339, seconds or more digits since
 * the epoch, or start|end, with +N or -N and a unit (ms s m h d).  -1: none of
 * these, or relative to a timeline without times (first > last). */
int	 scope_time(const char *text, int64_t first, int64_t last, int64_t *at);

/* "E-" and six hex digits of client, time, slot and message. */
enum { ERROR_NAME_BYTES = 9 };
void	 error_name(char out[ERROR_NAME_BYTES], const char *client, int64_t at,
	    const char *slot, const char *message, unsigned again);

#endif
