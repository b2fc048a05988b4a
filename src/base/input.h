/*
 * input.h - the bytes of one source, whatever they are packed in: a file, a
 * member of an archive, standard input, or the files of a rotated set one
 * after the other.  Compression is already undone.  Decoders see only this.
 */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/span.h"

struct input;

enum { INPUT_PEEK = 65536 };

/* Up to n bytes into buf: count, 0 at the end of this part, -1 with err.
 * A damaged member gives what could be read, then -1. */
ssize_t		 input_read(struct input *, void *buf, size_t n, struct err *);
/* The next bytes without consuming them; at most want bytes are promised,
 * fewer only at the end of the part.  Valid until the next call.  want is
 * capped at 64 KiB. */
struct span	 input_peek(struct input *, size_t want);
/* Consume bytes that were peeked at; they stay valid until the next call. */
void		 input_skip(struct input *, size_t n);
/* Go to the next file of a rotated set: 1 there is one, 0 no more, -1 err. */
int		 input_next_part(struct input *, struct err *);
int		 input_part(const struct input *);	/* 0 first: locus.part */
const char	*input_name(const struct input *);	/* of the current part */
/* "n1" of "views/n1.txt.gz", "10.0.0.1" of "10.0.0.1.log"; to be freed. */
char		*input_stem(const struct input *);
/* The same of a name; where in it that begins. */
size_t		 input_name_stem(const char *name, struct buf *);
int64_t		 input_mtime(const struct input *);	/* us UTC, INT64_MIN unknown */
int64_t		 input_offset(const struct input *);	/* bytes consumed of this part */

/* An input over bytes in memory, for tests and fuzzers; bytes and name are
 * borrowed.  max_read > 0 gives at most so many bytes a read. */
struct input	*input_memory(const void *, size_t n, const char *name,
		    size_t max_read);
/* A file as it is, nothing undone; NULL with err.  "-" is standard input. */
struct input	*input_file(const char *path, struct err *);
/* A regular file that nobody named: links are not followed. */
struct input	*input_found(const char *path, struct err *);
/* The given inputs one after the other, as the parts of one set.  The array
 * is borrowed for the call, the inputs are owned from then on. */
struct input	*input_chain(struct input **parts, int nparts);
void		 input_close(struct input *);	/* accepts NULL */
/* Back to the first byte, for inputs that can (files, input_keep()). */
int		 input_can_rewind(const struct input *);
int		 input_rewind(struct input *, struct err *);
int64_t		 input_length(const struct input *);	/* of this part; -1 unknown */
/* A pipe or a terminal, read as it comes: nobody knows whether it ends. */
int		 input_is_pipe(const struct input *);

/* Hash (128-bit XXH3) what is consumed from now on, part by part. */
void		 input_hash(struct input *);
/* Of a part: hex digits and length of what was consumed of it. */
void		 input_digest(struct input *, int part, char hex[33],
		    int64_t *bytes);

#endif
