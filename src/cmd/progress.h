/*
 * progress.h - a line on the terminal that says how far a long ingest is: bytes,
 * rate, time left.  Nothing where standard error is no terminal.
 */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

struct progress {
	int64_t		 total;		/* bytes below the paths; -1: not known */
	int64_t		 began, told;	/* us, monotonic */
	int		 on;		/* there is a terminal */
	int		 width;		/* of it, columns */
	int		 shown;		/* the line is there */
	int		 slow;		/* it was there once */
};

void	 progress_begin(struct progress *, char *const *paths, int npaths);
/* Take the line away, before something else is printed. */
void	 progress_clear(struct progress *);
void	 progress_end(struct progress *);
/* A word instead of numbers, if the ingest before was a long one. */
void	 progress_say(struct progress *, const char *word);

/* "read 412.0 MB of 1.3 GB (31%), 85.0 MB/s, 11 s left"; total -1: not known. */
void	 progress_text(char *out, size_t n, int64_t done, int64_t total, int64_t us);

#endif
