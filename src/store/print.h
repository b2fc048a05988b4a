/*
 * print.h - rows of a query as text.
 */
#ifndef STORE_PRINT_H
#define STORE_PRINT_H

#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

struct store;

/* Of each statement, a header line and the rows, tab-separated, escaped for a
 * terminal.  params are bound as text in order, ended by NULL.  The number of
 * rows, or -1. */
int64_t	 print_rows(struct store *, const char *sql, const char *const *params,
	    FILE *, struct err *);
/* One JSON object a row; `more`, unless NULL, goes into each as further
 * members. */
int64_t	 print_json(struct store *, const char *sql, const char *more, FILE *,
	    struct err *);

struct sql_file;
/* The rows of every statement of a file. */
int64_t	 print_script(struct store *, const struct sql_file *, FILE *,
	    struct err *);
/* What SQLite finds wrong with the file and its references. */
int64_t	 print_integrity(struct store *, FILE *, struct err *);

#endif
