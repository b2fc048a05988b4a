/*
 * stamp.h - the times that logs print -> microseconds UTC.
 *
 * A table of layouts (stamp.c) covers loggers, containers, syslog, Redis,
 * PHP, Java and .NET.  What a stamp leaves out (zone, year, date) is filled in
 * by stamp_resolve(), which says by its basis how it knew.
 */
#ifndef TEXT_STAMP_H
#define TEXT_STAMP_H

#include "base/zone.h"
#include "model/obs.h"

enum {
	STAMP_DATE = 1,		/* month and day */
	STAMP_YEAR = 2,
	STAMP_ZONE = 4,
	STAMP_TWO_LINES = 8,	/* java.util.logging: the message is on the next line */
	STAMP_NANO = 16,	/* seven or more decimals: a container's stamp */
	STAMP_VAGUE = 32,	/* it names a zone that means several, or is not known: CST, BRT */
	STAMP_EITHER = 512,	/* a layout's: month and day may stand in either order */
	/* found by stamp_resolve(): */
	STAMP_TWICE = 64,	/* clocks went back: the local time came twice */
	STAMP_SKIPPED = 128,	/* clocks went forward: it did not come at all */
	STAMP_NO_DATE = 256	/* April 31: it has no time */
};

struct stamp {
	unsigned	 has;
	int		 year, month, day;
	int64_t		 of_day;	/* us since midnight */
	int64_t		 zone_s;	/* east of UTC, when STAMP_ZONE */
	const struct zone *zone;	/* or by name */
	int64_t		 precision_us;
	size_t		 begin, end;	/* in the text; a closing bracket is included */
};

struct decode_ctx;

/* What is known about a source's clock. */
struct stamp_clock {
	int64_t		 zone_s;	/* declared; OBS_NO_NUM */
	const struct zone *zone;	/* declared by name; NULL */
	int		 year;		/* declared; 0 */
	int64_t		 mtime;		/* of the file; OBS_NO_TIME */
	int64_t		 last;		/* time resolved last in this source; OBS_NO_TIME */
	int		 year_guessed;	/* last's year came from mtime */
};

/* The clock of a source, by what is said about it. */
void	 stamp_clock_init(struct stamp_clock *, const struct decode_ctx *);
/* A stamp at exactly this place: bytes used, 0 when there is none. */
size_t	 stamp_at(struct span, size_t at, struct stamp *);
/* The first stamp near the beginning of a line, behind brackets, a level
 * letter, "pid:role" or "time=": 1 found, 0 none. */
int	 stamp_find(struct span line, struct stamp *);
/* The same, of those that begin before that place. */
int	 stamp_find_before(struct span line, size_t before, struct stamp *);

/* Epoch s, ms, us or ns by the number of digits, with or without a fraction,
 * as text of its own: OBS_NO_TIME when it is no time between 2001 and 2100. */
int64_t	 stamp_epoch(struct span, int64_t *precision_us);

/* OBS_NO_TIME when the date, or the year and anything to infer it from, is
 * missing, or where there is no such date.  Remembers the time in clock->last.  A local time that came twice is
 * the later one when time would else have run backwards; else nobody knows: it
 * is the earlier one, and the stamp's precision is how far both are apart. */
int64_t	 stamp_resolve(struct stamp *, struct stamp_clock *, enum at_basis *);

/* What a user who reads the source's problems should know of a stamp that was
 * resolved, or could not be; NULL when it is plain. */
const char	*stamp_doubt(const struct stamp *);

/* Days since 1970-01-01 of a date of the proleptic Gregorian calendar. */
int64_t	 stamp_days(int year, int month, int day);
/* Is there such a date? */
int	 stamp_is_date(int year, int month, int day);

#endif
