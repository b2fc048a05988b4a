/*
 * err.h - why something failed, as a small stack of text frames.
 *
 * A function that can fail returns 0 or -1 and takes a caller-owned struct err
 * as its last argument.  The lowest level writes the reason, each level above
 * may add what it was doing; main() alone prints it.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdio.h>

enum { ERR_FRAMES = 4, ERR_FRAME_BYTES = 512 };

struct err {
	int	 nframes;
	int	 usage;		/* it is the command line that is wrong */
	char	 frame[ERR_FRAMES][ERR_FRAME_BYTES];	/* 0: the reason */
};

#define ERR_INIT { 0, 0, { { 0 } } }

/* Set the reason, replacing what was there.  Always returns -1. */
int	 err_set(struct err *, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));
/* The same, of what the user asked for and cannot be: exit status 2. */
int	 err_usage(struct err *, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));
/* Add what was being done.  Always returns -1. */
int	 err_add(struct err *, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));
void	 err_clear(struct err *);
/* "outer: ...: reason" without control characters; at most n - 1 bytes. */
void	 err_text(const struct err *, char *buf, size_t n);
/* Print "prog: outer: ...: reason\n". */
void	 err_print(const struct err *, FILE *, const char *prog);

#endif
