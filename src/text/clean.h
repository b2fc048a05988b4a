/*
 * clean.h - what terminals, editors and other systems leave in log text.
 */
#ifndef TEXT_CLEAN_H
#define TEXT_CLEAN_H

#include <stdint.h>

#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

/* A line without NULs, ANSI colours and other escape sequences, a leading
 * UTF-8 byte order mark and the CR of CRLF.  When nothing had to go the line
 * itself is returned (without its CR), else a copy appended to the buffer,
 * which must not be used for anything else while the span is. */
struct span	 clean_line(struct span, struct buf *);

/* rsyslog writes control characters as #012 and #011: undone the same way. */
struct span	 clean_octal(struct span, struct buf *);

enum clean_utf { CLEAN_UTF8, CLEAN_UTF16LE, CLEAN_UTF16BE };
/* By byte order mark, or by the NULs that ASCII has in UTF-16. */
enum clean_utf	 clean_encoding(struct span prefix);
/* UTF-16 to UTF-8, appended; returns the bytes used (an incomplete unit or
 * pair at the end is left).  A lone surrogate becomes U+FFFD and is counted. */
size_t		 clean_utf16(enum clean_utf, struct span, struct buf *, int64_t *bad);

/* The beginning of a source as UTF-8 and without a byte order mark: itself, or a
 * copy appended to the buffer. */
struct span	 clean_prefix(struct span, struct buf *);

/* A source read as UTF-8, whatever it is. */
struct input;
struct recode {
	enum clean_utf	 encoding;
	int		 started;
	int64_t		 bad;		/* characters that were none, so far */
	struct buf	 raw;		/* half a character */
};
/* Read up to n bytes and append what they say; what is no character becomes
 * U+FFFD.  As input_read(): 0 at the end, -1 with err.  The raw bytes that are
 * left at the end are one bad character, given before the 0. */
ssize_t		 recode_read(struct recode *, struct input *, struct buf *, size_t n,
		    struct err *);
void		 recode_free(struct recode *);

#endif
