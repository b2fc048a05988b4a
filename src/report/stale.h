/*
 * stale.h - what changed since the analysis (sql/report/stale.sql).
 */
#ifndef REPORT_STALE_H
#define REPORT_STALE_H

#include <stdio.h>

#include "base/err.h"

struct page;
struct store;

/* Find it out: temp.stale.  The timeline has been analyzed. */
int	 stale_find(struct store *, struct err *);
/* Find it out and say it as a line of a command, for what has no place for it.
 * 1: there was something to say. */
int	 stale_tell(struct store *, FILE *, struct err *);
/* Say it as the first line of a page. */
int	 stale_head(struct page *, struct store *, struct err *);

#endif
