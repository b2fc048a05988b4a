/*
 * query.h - the rows of one query, for those who know nothing of SQLite.
 *
 *	struct query *q;
 *	if (query_open(&q, store, err, "SELECT a FROM t WHERE b = ?1") == -1) ...
 *	query_bind_int(q, 1, 7);
 *	while ((got = query_next(q, err)) == 1)
 *		... query_text(q, 0) ...
 *	query_close(q);
 *
 * Texts are borrowed until the next query_next() or query_close().
 */
#ifndef STORE_QUERY_H
#define STORE_QUERY_H

#include <stdint.h>

#include "base/err.h"
#include "base/span.h"

struct store;
struct query;

/* Prepare one statement; -1 with err.  *out is to be closed, also after -1. */
int		 query_open(struct query **out, struct store *, struct err *, const char *sql);
/* Parameters are numbered from 1; p NULL binds NULL; texts are copied. */
void		 query_bind_int(struct query *, int at, int64_t);
void		 query_bind_text(struct query *, int at, struct span);
void		 query_bind_null(struct query *, int at);
int		 query_next(struct query *, struct err *);	/* 1 a row, 0 no more, -1 err */
void		 query_rewind(struct query *);			/* bindings are kept */
int		 query_columns(const struct query *);
const char	*query_name(const struct query *, int column);
int		 query_null(const struct query *, int column);
int		 query_number(const struct query *, int column);	/* stored as a number */
int64_t		 query_int(const struct query *, int column);
double		 query_real(const struct query *, int column);
struct span	 query_span(const struct query *, int column);	/* p NULL: NULL */
/* "" for NULL; NUL-terminated, cut at the first NUL byte. */
const char	*query_text(const struct query *, int column);
void		 query_close(struct query *);			/* accepts NULL */

#endif
