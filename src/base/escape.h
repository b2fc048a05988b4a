/*
 * escape.h - text of unknown origin, made harmless for where it is shown.
 *
 * Everything that was read from an input may hold terminal control sequences,
 * markup, formulas or characters that reorder a line.  Each function appends
 * to a buffer what may be written as it stands.  Bytes that are no UTF-8,
 * control characters and characters that are invisible or change the
 * direction of the text are shown as \xNN or \u{NNNN}, except in JSON, which
 * has its own spelling for them.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include <stdint.h>

#include "base/buf.h"

/* The next code point of p[0..n), n > 0, and its length in *len; -1 for a byte
 * that is no UTF-8 (length 1). */
int32_t	 utf8_next(const char *p, size_t n, size_t *len);
/* Columns that a code point takes on a terminal: 0, 1 or 2. */
int	 utf8_columns(int32_t);

/* Valid UTF-8 without NUL?  And made so: bad bytes become U+FFFD, NULs are
 * left out. */
int	 escape_is_utf8(struct span);
void	 escape_utf8(struct buf *, struct span);

void	 escape_terminal(struct buf *, struct span);
/* For element content and quoted attribute values; XML too. */
void	 escape_html(struct buf *, struct span);
/* For a paragraph or a table cell: no markup, no line break. */
void	 escape_markdown(struct buf *, struct span);
/* One field, quoted where sep needs it; sep is ',' or '\t'.  A field that a
 * spreadsheet would take for a formula is given a leading apostrophe. */
void	 escape_csv(struct buf *, struct span, char sep);
/* JSON text, which SQLite has already quoted: what may stay raw in JSON but
 * not on a terminal becomes \uNNNN, a byte that is no UTF-8 U+FFFD. */
void	 escape_json(struct buf *, struct span);

#endif
