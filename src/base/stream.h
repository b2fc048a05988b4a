/*
 * stream.h - inside struct input, for base/ alone: where the bytes of one part
 * come from.  input.c adds what libarchive undoes, walk.c the folders.
 */
#ifndef BASE_STREAM_H
#define BASE_STREAM_H

#include "base/input.h"

struct stream;

/* What a kind of stream can do.  seek and keep may be NULL. */
struct stream_ops {
	ssize_t	 (*pull)(struct stream *, void *, size_t, struct err *);
	/* Absolute; 0 or -1. */
	int	 (*seek)(struct stream *, int64_t offset, struct err *);
	void	 (*close)(struct stream *);
};

/* One run of bytes.  Each kind embeds it first and frees the whole in close. */
struct stream {
	const struct stream_ops	*ops;
	char			*name;		/* owned, freed by stream_close() */
	int64_t			 mtime;		/* us UTC, INT64_MIN unknown */
	int64_t			 length;	/* if known without reading, else -1 */
	char			*reopen;	/* owned: file that gives the same bytes, or NULL */
	int			 found;		/* that file was not named: input_found() */
	int64_t			 most;		/* of length -1: so much is given, then an error; 0: all */
};

/* An input of one part; owns the stream. */
struct input	*input_of(struct stream *);
/* The stream of the current part; what was peeked is not in it any more. */
struct stream	*input_stream(struct input *);
/* To a byte of a single part; only if its stream can seek. */
int		 input_seek(struct input *, int64_t offset, struct err *);
void		 stream_close(struct stream *);

/* Bytes [start, start + length) of an open descriptor, read with pread; fd is
 * closed with the stream if own is set. */
struct stream	*stream_range(int fd, int own, int64_t start, int64_t length,
		    const char *name, int64_t mtime);
/* An open descriptor, read as it comes. */
struct stream	*stream_fd(int fd, const char *name, int64_t mtime);
int64_t		 stream_mtime(int fd);
/* What a file's time says, us UTC: INT64_MIN unless it is between 2001 and 2100.
 * Others are no times (0 and 1 of archives that are made alike each time, 1980 of
 * a zip, the end of some clock). */
int64_t		 stream_file_time(int64_t s, long ns);

#endif
