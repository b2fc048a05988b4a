#include "store/print.h"

#include "base/escape.h"
#include "store/inside.h"
#include "store/script.h"

/* The first statement; *rest is behind it and the blanks and comments that
 * follow. */
static sqlite3_stmt *
prepare(struct store *s, const char *sql, const char **rest,
    const char *const *params, struct err *e)
{
	sqlite3_stmt	*st = NULL;
	int		 i;

	if (sqlite3_prepare_v2(s->db, script_text(sql), -1, &st, rest) != SQLITE_OK) {
		store_fail(s, NULL, e);
		return (NULL);
	}
	*rest = script_text(*rest);
	if (st == NULL)
		err_set(e, "no statement");
	for (i = 0; st != NULL && params != NULL && params[i] != NULL; i++)
		bind_text(s, st, i + 1, span_of(params[i]), 0);
	return (st);
}

static void
put_row(sqlite3_stmt *st, int head, struct buf *b)
{
	const char	*v;
	int		 i, n = sqlite3_column_count(st);

	for (i = 0; i < n; i++) {
		if (i > 0)
			buf_chr(b, '\t');
		v = head ? sqlite3_column_name(st, i) :
		    (const char *)sqlite3_column_text(st, i);
		if (v != NULL)
			escape_terminal(b, span_of(v));
	}
	buf_chr(b, '\n');
}

static int64_t
print_statement(struct store *s, sqlite3_stmt *st, FILE *f, struct err *e)
{
	struct buf	 b = { 0 };
	int64_t		 n = 0;
	int		 r;

	if (sqlite3_column_count(st) > 0)
		put_row(st, 1, &b);
	while ((r = sqlite3_step(st)) == SQLITE_ROW) {
		put_row(st, 0, &b);
		n++;
		fwrite(b.p, 1, b.n, f);
		b.n = 0;
	}
	if (b.n > 0)			/* of a statement without columns, nothing */
		fwrite(b.p, 1, b.n, f);
	buf_free(&b);
	if (r == SQLITE_DONE)
		return (n);
	store_fail(s, NULL, e);
	return (-1);
}

int64_t
print_rows(struct store *s, const char *sql, const char *const *params,
    FILE *f, struct err *e)
{
	sqlite3_stmt	*st;
	int64_t		 n = 0, got;

	do {
		if ((st = prepare(s, sql, &sql, params, e)) == NULL)
			return (-1);
		got = print_statement(s, st, f, e);
		sqlite3_finalize(st);
		n += got;
	} while (got >= 0 && *sql != '\0');
	return (got < 0 ? -1 : n);
}

static void
put_string(struct buf *b, const char *s)
{
	struct buf		 clean = { 0 };
	size_t			 i;
	unsigned char		 c;

	escape_utf8(&clean, span_of(s));
	buf_chr(b, '"');
	for (i = 0; i < clean.n; i++) {
		c = (unsigned char)clean.p[i];
		if (c == '"' || c == '\\')
			buf_fmt(b, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			buf_fmt(b, "\\u%04x", c);
		else
			buf_chr(b, c);
	}
	buf_chr(b, '"');
	buf_free(&clean);
}

static void
put_object(sqlite3_stmt *st, const char *more, struct buf *b)
{
	int	 i, n = sqlite3_column_count(st);

	buf_chr(b, '{');
	for (i = 0; i < n; i++) {
		if (i > 0)
			buf_chr(b, ',');
		put_string(b, sqlite3_column_name(st, i));
		buf_chr(b, ':');
		if (sqlite3_column_type(st, i) == SQLITE_NULL)
			buf_str(b, "null");
		else if (sqlite3_column_type(st, i) == SQLITE_TEXT)
			put_string(b, (const char *)sqlite3_column_text(st, i));
		else
			buf_str(b, (const char *)sqlite3_column_text(st, i));
	}
	if (more != NULL)
		buf_fmt(b, ",%s", more);
	buf_str(b, "}\n");
}

int64_t
print_json(struct store *s, const char *sql, const char *more, FILE *f,
    struct err *e)
{
	sqlite3_stmt	*st = prepare(s, sql, &sql, NULL, e);
	struct buf	 b = { 0 };
	int64_t		 n = 0;
	int		 r;

	if (st == NULL)
		return (-1);
	for (; (r = sqlite3_step(st)) == SQLITE_ROW; n++) {
		b.n = 0;
		put_object(st, more, &b);
		fwrite(b.p, 1, b.n, f);
	}
	buf_free(&b);
	if (r != SQLITE_DONE) {
		store_fail(s, NULL, e);
		n = -1;
	}
	sqlite3_finalize(st);
	return (n);
}

struct printing {
	FILE		*f;
	sqlite3_stmt	*last;		/* whose header is printed */
	int64_t		 n;
};

static int
script_line(void *arg, sqlite3_stmt *st, struct err *e)
{
	struct printing	*p = arg;
	struct buf	 b = { 0 };

	(void)e;
	if (p->last != st)
		put_row(st, 1, &b);
	p->last = st;
	put_row(st, 0, &b);
	fwrite(b.p, 1, b.n, p->f);
	buf_free(&b);
	p->n++;
	return (0);
}

int64_t
print_script(struct store *s, const struct sql_file *file, FILE *f,
    struct err *e)
{
	struct printing	 p = { f, NULL, 0 };

	if (script_run(s->db, file, script_line, &p, e) != 0)
		return (-1);
	return (p.n);
}

int64_t
print_integrity(struct store *s, FILE *f, struct err *e)
{
	static const struct sql_file	 check = { "integrity",
	    "SELECT integrity_check AS damage FROM pragma_integrity_check"
	    " WHERE integrity_check <> 'ok';"
	    "SELECT \"table\" AS dangling, rowid, parent"
	    " FROM pragma_foreign_key_check WHERE NOT (\"table\" = 'source_clock'"
	    " AND rowid < 0)", 0 };	/* a mark of edit.c */

	return (print_script(s, &check, f, e));
}
