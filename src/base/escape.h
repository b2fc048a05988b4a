/*
 * escape.h - text from inputs is hostile: how it is made harmless for each
 * place that it is written to.  Each appends to the buffer.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "base/buf.h"

/* Valid UTF-8: bad bytes become U+FFFD, NULs are left out. */
void	 escape_utf8(struct buf *, struct span);
/* Is it valid UTF-8 without a NUL? */
int	 escape_is_utf8(struct span);
/* No control characters (C0, DEL, C1, bidirectional overrides): \xNN, \u{N}.
 * Tabs and newlines are escaped too. */
void	 escape_terminal(struct buf *, struct span);
void	 escape_html(struct buf *, struct span);
void	 escape_markdown(struct buf *, struct span);
/* A field, quoted where needed; one that a spreadsheet would take for a formula
 * gets a ' in front. */
void	 escape_csv(struct buf *, struct span);

#endif
