#include "store/script.h"

#include <sqlite3.h>
#include <string.h>

const struct sql_file *
script_find(const char *name)
{
	const struct sql_file	*f;

	for (f = sql_files; f->name != NULL; f++)
		if (strcmp(f->name, name) == 0)
			return (f);
	return (NULL);
}

static int
line_of(const struct sql_file *f, const char *at)
{
	const char	*p;
	int		 line = 1;

	for (p = f->text; p < at; p++)
		line += *p == '\n';
	return (line);
}

/* Past blanks and comments, so that an error names the statement's own line. */
const char *
script_text(const char *p)
{
	const char	*end;

	for (;;) {
		p += strspn(p, " \t\r\n;");
		if (strncmp(p, "--", 2) == 0)
			p += strcspn(p, "\n");
		else if (strncmp(p, "/*", 2) == 0)
			p = (end = strstr(p + 2, "*/")) != NULL ? end + 2 : p + strlen(p);
		else
			return (p);
	}
}

static int
fail(struct sqlite3 *db, const struct sql_file *f, const char *at,
    struct err *e)
{
	int	 off = sqlite3_error_offset(db);

	if (off > 0)
		at += off;
	return (err_set(e, "%s:%d: %s", f->name, line_of(f, at),
	    sqlite3_errmsg(db)));
}

int
script_run(struct sqlite3 *db, const struct sql_file *f, script_row *row,
    void *arg, struct err *e)
{
	const char	*at = script_text(f->text), *next;
	sqlite3_stmt	*st;
	int		 r;

	for (; *at != '\0'; at = script_text(next)) {
		if (sqlite3_prepare_v2(db, at, -1, &st, &next) != SQLITE_OK)
			return (fail(db, f, at, e));
		while ((r = sqlite3_step(st)) == SQLITE_ROW)
			if (row != NULL && row(arg, st, e) != 0) {
				sqlite3_finalize(st);
				return (-1);
			}
		if (r != SQLITE_DONE) {
			fail(db, f, at, e);
			sqlite3_finalize(st);
			return (-1);
		}
		sqlite3_finalize(st);
	}
	return (0);
}

static int
is_step(const char *name)
{
	return (strncmp(name, "sql/", 4) == 0 && name[4] >= '1' &&
	    name[4] <= '4');
}

int
script_analyze(struct sqlite3 *db, struct err *e)
{
	const struct sql_file	*f;

	for (f = sql_files; f->name != NULL; f++)
		if (is_step(f->name) && script_run(db, f, NULL, NULL, e) != 0) {
			if (!sqlite3_get_autocommit(db))
				sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
			return (-1);
		}
	return (0);
}
