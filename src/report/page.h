/*
 * page.h - paragraphs of text on a terminal or in a file.
 *
 * Everything printed goes through escape_terminal(), after formatting, so that
 * a caller may print names and messages of unknown origin as they are.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdio.h>

#include "base/buf.h"
#include "report/output.h"

enum tone { TONE_NONE, TONE_TITLE, TONE_GENUINE, TONE_SPURIOUS, TONE_CORRUPTION,
	TONE_UNDETERMINED, TONE_QUIET };

struct page {
	FILE		*f;
	int		 width, colour;
	int		 first;		/* nothing is printed yet */
	struct buf	 raw, safe;	/* scratch */
};

void	 page_init(struct page *, FILE *, const struct report_opts *);
void	 page_free(struct page *);
void	 page_line(struct page *);		/* an empty line */
void	 page_title(struct page *, const char *);
/* A paragraph, its first line indented by indent and its other lines by hang
 * columns, broken at blanks. */
void	 page_para(struct page *, int indent, int hang, const char *fmt, ...)
	    __attribute__((format(printf, 4, 5)));
/* The rest of a line that stands in column at. */
void	 page_flow(struct page *, int at, int hang, const char *fmt, ...)
	    __attribute__((format(printf, 4, 5)));
/* A paragraph after a label in a tone, padded to hang. */
void	 page_item(struct page *, int indent, int hang, enum tone,
	    const char *label, const char *fmt, ...)
	    __attribute__((format(printf, 6, 7)));
enum tone page_verdict(const char *verdict);
/* Columns of text that is already safe. */
int	 page_columns(const char *, size_t n);

#endif
