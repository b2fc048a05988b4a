/*
 * query.c - a thin cover over SQLite's statements.
 */
#include "store/query.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "base/mem.h"
#include "store/store.h"

struct query {
	sqlite3		*db;
	sqlite3_stmt	*st;
};

int
query_open(struct query **out, struct store *s, struct err *err, const char *sql)
{
	struct query	*q = mem_zero(1, sizeof(*q));

	*out = q;
	q->db = store_db(s);
	if (sqlite3_prepare_v2(q->db, sql, -1, &q->st, NULL) != SQLITE_OK)
		return (err_set(err, "%s", sqlite3_errmsg(q->db)));
	return (0);
}

void
query_bind_int(struct query *q, int at, int64_t v)
{
	sqlite3_bind_int64(q->st, at, v);
}

void
query_bind_text(struct query *q, int at, struct span v)
{
	if (v.p == NULL)
		sqlite3_bind_null(q->st, at);
	else
		sqlite3_bind_text(q->st, at, v.p, (int)v.n, SQLITE_TRANSIENT);
}

void
query_bind_null(struct query *q, int at)
{
	sqlite3_bind_null(q->st, at);
}

int
query_next(struct query *q, struct err *err)
{
	switch (sqlite3_step(q->st)) {
	case SQLITE_ROW:
		return (1);
	case SQLITE_DONE:
		return (0);
	default:
		return (err_set(err, "%s", sqlite3_errmsg(q->db)));
	}
}

void
query_rewind(struct query *q)
{
	sqlite3_reset(q->st);
}

int
query_columns(const struct query *q)
{
	return (sqlite3_column_count(q->st));
}

const char *
query_name(const struct query *q, int column)
{
	const char	*name = sqlite3_column_name(q->st, column);

	return (name != NULL ? name : "");
}

int
query_null(const struct query *q, int column)
{
	return (sqlite3_column_type(q->st, column) == SQLITE_NULL);
}

int
query_number(const struct query *q, int column)
{
	int	 type = sqlite3_column_type(q->st, column);

	return (type == SQLITE_INTEGER || type == SQLITE_FLOAT);
}

int64_t
query_int(const struct query *q, int column)
{
	return (sqlite3_column_int64(q->st, column));
}

double
query_real(const struct query *q, int column)
{
	return (sqlite3_column_double(q->st, column));
}

struct span
query_span(const struct query *q, int column)
{
	const char	*p = (const char *)sqlite3_column_text(q->st, column);

	if (p == NULL)
		return (span_make(NULL, 0));
	return (span_make(p, (size_t)sqlite3_column_bytes(q->st, column)));
}

const char *
query_text(const struct query *q, int column)
{
	const char	*p = (const char *)sqlite3_column_text(q->st, column);

	return (p != NULL ? p : "");
}

void
query_close(struct query *q)
{
	if (q == NULL)
		return;
	sqlite3_finalize(q->st);
	free(q);
}
