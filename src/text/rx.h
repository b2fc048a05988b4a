/*
 * rx.h - regular expressions: a thin cover over PCRE2 with its JIT.
 *
 * Patterns are bytes, not UTF: logs hold junk.  A match that needs more than
 * the match limit is given up and reported, never waited for.  In a text longer
 * than twice RX_REACH_BYTES a match longer than that may not be found.
 */
#ifndef TEXT_RX_H
#define TEXT_RX_H

#include "base/err.h"
#include "base/span.h"

struct rx;

enum { RX_REACH_BYTES = 8 * 1024 };

/* NULL with err (reason and offset in the pattern). */
struct rx	*rx_compile(const char *pattern, struct err *);
void		 rx_free(struct rx *);
/* Number of a named group, -1 when the pattern has none of that name. */
int		 rx_group(const struct rx *, const char *name);

/* First match at or after from: 1, 0 none, -1 the match limit was reached.
 * rx_span() then gives groups (0: all of it); they borrow from the subject. */
int		 rx_match(struct rx *, struct span subject, size_t from);
struct span	 rx_span(const struct rx *, int group);	/* p NULL: not set */

#endif
