#include "store/log-rules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "store/inside.h"

#define COLUMNS "name, client, versions, kind, pattern, budget, backoff_ms, example," \
	" example_expect"

enum { FILE_BYTES_MAX = 4 * 1024 * 1024 };

static const char *
text(sqlite3_stmt *st, int column)
{
	const char	*s = (const char *)sqlite3_column_text(st, column);

	return (s != NULL ? s : "");
}

static int64_t
number(sqlite3_stmt *st, int column)
{
	return (sqlite3_column_type(st, column) == SQLITE_NULL ? OBS_NO_NUM :
	    sqlite3_column_int64(st, column));
}

static int
add_row(struct rules *rules, sqlite3_stmt *st, struct err *e)
{
	struct rule_row	 row;

	row.name = text(st, 0);
	row.client = text(st, 1);
	row.versions = text(st, 2);
	row.kind = text(st, 3);
	row.pattern = text(st, 4);
	row.budget = number(st, 5);
	row.backoff_ms = number(st, 6);
	row.example = text(st, 7);
	row.example_expect = text(st, 8);
	return (rules_add(rules, &row, e));
}

static int
add_rows(sqlite3 *db, const char *sql, struct rules *rules, struct err *e)
{
	sqlite3_stmt	*st;
	int		 rc = 0, step;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
		return (err_set(e, "%s", sqlite3_errmsg(db)));
	while (rc == 0 && (step = sqlite3_step(st)) != SQLITE_DONE)
		rc = step == SQLITE_ROW ? add_row(rules, st, e) :
		    err_set(e, "%s", sqlite3_errmsg(db));
	sqlite3_finalize(st);
	return (rc);
}

struct rules *
log_rules_read(struct store *s, struct err *e)
{
	struct rules	*rules = rules_new();

	if (add_rows(s->db, "SELECT " COLUMNS " FROM log_rule ORDER BY rowid", rules, e) != 0) {
		rules_free(rules);
		err_add(e, "log_rule");
		return (NULL);
	}
	return (rules);
}

const struct rules *
log_rules(struct store *s, struct err *e)
{
	if (s->rules == NULL)
		s->rules = log_rules_read(s, e);
	return (s->rules);
}

/* --- a user's file ---------------------------------------------------------- */

static int
allow_insert(void *arg, int action, const char *a, const char *b, const char *c,
    const char *d)
{
	(void)arg, (void)b, (void)c, (void)d;
	if (action == SQLITE_INSERT && a != NULL && strcmp(a, "log_rule") == 0)
		return (SQLITE_OK);
	return (SQLITE_DENY);
}

static int
read_file(const char *path, struct buf *b, struct err *e)
{
	FILE	*f = fopen(path, "r");
	size_t	 n;
	int	 rc = 0;

	if (f == NULL)
		return (err_set(e, "%s: %s", path, strerror(errno)));
	do {
		buf_need(b, 65536);
		n = fread(b->p + b->n, 1, 65536, f);
		b->n += n;
	} while (n > 0 && b->n <= FILE_BYTES_MAX);
	if (ferror(f) || b->n > FILE_BYTES_MAX)
		rc = err_set(e, "%s: %s", path, ferror(f) ? strerror(errno) : "too long");
	fclose(f);
	return (rc);
}

/* An empty log_rule as the timeline has it, in memory. */
static sqlite3 *
open_scratch(struct store *s, struct err *e)
{
	sqlite3		*db = NULL;
	sqlite3_stmt	*st;
	int		 rc = SQLITE_ERROR;

	if (sqlite3_prepare_v2(s->db, "SELECT sql FROM sqlite_schema WHERE name = 'log_rule'",
	    -1, &st, NULL) == SQLITE_OK) {
		if (sqlite3_step(st) == SQLITE_ROW && sqlite3_open(":memory:", &db) == SQLITE_OK)
			rc = sqlite3_exec(db, text(st, 0), NULL, NULL, NULL);
		sqlite3_finalize(st);
	}
	if (rc != SQLITE_OK) {
		err_set(e, "no scratch database for rules: %s",
		    sqlite3_errmsg(db != NULL ? db : s->db));
		sqlite3_close(db);
		return (NULL);
	}
	return (db);
}

/* One statement after the other, each checked with the rules that it added. */
static int
run_file(sqlite3 *db, const char *path, const char *sql, struct err *e)
{
	static const char	 added[] = "SELECT " COLUMNS " FROM log_rule WHERE rowid > ";
	struct rules		*rules = rules_new();
	sqlite3_stmt		*st;
	const char		*p = sql, *tail, *q;
	char			 select[sizeof added + 32];
	int64_t			 before;
	int			 line = 1, rc = 0;

	while (rc == 0 && *p != '\0') {
		while (*p != '\0' && strchr(" \t\r\n;", *p) != NULL)
			line += *p++ == '\n';
		before = sqlite3_last_insert_rowid(db);
		sqlite3_set_authorizer(db, allow_insert, NULL);
		if (sqlite3_prepare_v2(db, p, -1, &st, &tail) != SQLITE_OK) {
			rc = err_set(e, "%s", sqlite3_errmsg(db));
			break;
		}
		if (st != NULL && sqlite3_step(st) != SQLITE_DONE)
			rc = err_set(e, "%s", sqlite3_errmsg(db));
		sqlite3_finalize(st);
		sqlite3_set_authorizer(db, NULL, NULL);
		snprintf(select, sizeof select, "%s%lld", added, (long long)before);
		if (rc == 0)
			rc = add_rows(db, select, rules, e);
		for (q = p; rc == 0 && q < tail; q++)
			line += *q == '\n';
		if (rc == 0)
			p = tail;
	}
	sqlite3_set_authorizer(db, NULL, NULL);
	rules_free(rules);
	return (rc == 0 ? 0 : err_add(e, "%s:%d", path, line));
}

/* Last rule first, each before all others: the file's order stays. */
static int
copy_rules(struct store *s, sqlite3 *from, struct err *e)
{
	static const char	 insert[] = "INSERT OR REPLACE INTO log_rule (rowid, " COLUMNS ")"
	    " VALUES ((SELECT coalesce(min(rowid), 1) - 1 FROM log_rule),"
	    " ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
	sqlite3_stmt		*in = NULL, *out = NULL;
	int			 rc = 0, step = SQLITE_ERROR, i;

	if (sqlite3_prepare_v2(from, "SELECT " COLUMNS " FROM log_rule ORDER BY rowid DESC", -1,
	    &in, NULL) != SQLITE_OK || sqlite3_prepare_v2(s->db, insert, -1, &out, NULL) !=
	    SQLITE_OK)
		rc = err_set(e, "%s", sqlite3_errmsg(s->db));
	while (rc == 0 && (step = sqlite3_step(in)) == SQLITE_ROW) {
		for (i = 0; i < 9; i++)
			sqlite3_bind_value(out, i + 1, sqlite3_column_value(in, i));
		if (sqlite3_step(out) != SQLITE_DONE)
			rc = err_set(e, "%s", sqlite3_errmsg(s->db));
		sqlite3_reset(out);
	}
	if (rc == 0 && step != SQLITE_DONE)
		rc = err_set(e, "%s", sqlite3_errmsg(from));
	sqlite3_finalize(in);
	sqlite3_finalize(out);
	return (rc);
}

int
log_rules_add(struct store *s, const char *path, struct err *e)
{
	struct buf	 b = { NULL, 0, 0 };
	sqlite3		*db = NULL;
	int		 rc = -1;

	if (read_file(path, &b, e) == 0 && (db = open_scratch(s, e)) != NULL &&
	    run_file(db, path, buf_cstr(&b), e) == 0)
		rc = copy_rules(s, db, e);
	sqlite3_close(db);
	buf_free(&b);
	return (rc);
}
