/*
 * script.h - the SQL of sql/, embedded at build time, and how it is run.
 */
#ifndef STORE_SCRIPT_H
#define STORE_SCRIPT_H

#include <stddef.h>

#include "base/err.h"

struct sqlite3;
struct sqlite3_stmt;

struct sql_file {
	const char	*name;		/* "sql/200-window.sql" */
	const char	*text;		/* NUL follows */
	size_t		 n;
};

/* All embedded files in the order of SQL_FILES, ended by name NULL. */
extern const struct sql_file sql_files[];

/* By name; NULL if there is none. */
const struct sql_file *script_find(const char *name);

/* Past blanks, comments and ends of statements. */
const char *script_text(const char *sql);

/* Each row of each statement that returns rows; nonzero stops, -1 with err. */
typedef int	 script_row(void *arg, struct sqlite3_stmt *, struct err *);

/* Run every statement of a file.  An error names file and line.  row may be
 * NULL.  A transaction that the file began is left to the caller. */
int	 script_run(struct sqlite3 *, const struct sql_file *, script_row *row,
	    void *arg, struct err *);
/* What `cat sql/[1-4]*.sql | sqlite3 -bail` does: the numbered steps in their
 * order.  After an error the timeline is as before. */
int	 script_analyze(struct sqlite3 *, struct err *);

#endif
