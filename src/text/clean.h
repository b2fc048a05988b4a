/*
 * clean.h - what terminals, editors and other systems leave in log text.
 */
#ifndef TEXT_CLEAN_H
#define TEXT_CLEAN_H

#include <stdint.h>

#include "base/buf.h"

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

#endif
