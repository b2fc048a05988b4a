/*
 * explain.h - one error or one window, from evidence to conclusion.
 */
#ifndef REPORT_EXPLAIN_H
#define REPORT_EXPLAIN_H

#include <stdio.h>

#include "base/err.h"
#include "report/output.h"

/* what: "error" or "window"; ref: its number, for an error also its short name
 * (E-xxxxxx).  Prints what is given, what follows, therefore, and what would
 * change it.  -1 with err if there is none. */
int	 explain_write(struct store *, FILE *, const struct report_opts *, const char *what,
	    const char *ref, struct err *);

#endif
