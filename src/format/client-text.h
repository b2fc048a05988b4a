/*
 * client-text.h - what a client wrote, as it may be kept: without keys, values
 * and arguments.
 */
#ifndef FORMAT_CLIENT_TEXT_H
#define FORMAT_CLIENT_TEXT_H

#include "base/buf.h"
#include "base/span.h"

/* The line of text from *from on, at most max bytes, built in b. */
struct span	 client_text(struct buf *b, struct span text, const char *from,
		    struct span key, int keep_keys, size_t max);
/* The exception's name: at the match, before it, or in parentheses behind it;
 * p NULL when there is none.  *from is moved to where it begins. */
struct span	 client_text_class(struct span text, struct span match, const char **from);

#endif
