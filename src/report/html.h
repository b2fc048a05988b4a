/*
 * html.h - what the files that write the page share.
 *
 * Everything is escaped where it is written: html_span(), html_column() and
 * html_fill() are the only ways for what a timeline holds to get into the page,
 * also of columns that have few values when nobody edited it by hand.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"

struct query;
struct store;

struct html {
	struct store	*s;
	FILE		*f;
	struct err	*err;
	struct buf	 b;		/* scratch */
};

typedef int	 html_row(struct html *, const struct query *);

void	 html_span(struct html *, struct span text);
void	 html_column(struct html *, const struct query *, int column);
/* Markup in which $0 to $9 are the columns of the row. */
void	 html_fill(struct html *, const struct query *, const char *markup);
/* Each row of a query, whose ?1 is bound if it is not negative, and how many
 * there were; -1 with err. */
int	 html_each(struct html *h, html_row *print, int64_t bound, const char *sql);
/* The section of lanes; -1 with err. */
int	 html_lanes(struct html *);

#endif
