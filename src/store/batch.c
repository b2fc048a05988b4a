/*
 * batch.c - rows of one table collected, then inserted by one statement: half
 * of what a row costs is the statement around it.
 *
 * A row keeps its place: rows of one table are inserted in the order in which
 * they were collected, so their rowids are as if each had been inserted alone.
 */
#include <stdlib.h>

#include "base/escape.h"
#include "base/fast.h"
#include "base/mem.h"
#include "store/inside.h"

enum { COLUMNS = 24 };

/* A value stays in its place when its row was inserted: what the next row there
 * has anew, and nothing else, is bound again. */
struct batch {
	enum statement	 which;
	const char	*what;		/* for errors */
	int		 columns, rows;
	struct value	 v[BATCH_ROWS * COLUMNS];
	uint32_t	 unbound[BATCH_ROWS];	/* columns that many does not have so */
	sqlite3_stmt	*many;
	uint32_t	 said;		/* columns that many names: ever not NULL */
	int		 place[COLUMNS], nsaid;	/* of a column's parameter in its row */
	struct buf	 text;
};

/* Whether a column is named: those that are said, and any before the last of
 * them.  The columns of a table as they stand there, from the first one on, are
 * filled in place; in any other order or choice each value is copied once more. */
static int
is_named(const struct batch *b, int i)
{
	return (b->said >> i != 0);
}

/* Whether the table begins with a number of its own, that SQLite gives. */
static int
is_numbered(const struct batch *b)
{
	return (b->which == ST_REDIRECT || b->which == ST_CONTACT || b->which == ST_SERVER);
}

/* The statement for one row, with values for BATCH_ROWS. */
static int
prepare_many(struct store *s, struct batch *b, struct err *e)
{
	const char	*p = strchr(store_sql(b->which), '(') + 1, *end;
	struct buf	 sql = { NULL, 0, 0 };
	int		 i, row;

	b->nsaid = 0;
	for (i = 0; i < b->columns; i++) {
		b->place[i] = b->nsaid;
		b->nsaid += (int)(b->said >> i & 1);
	}
	sqlite3_finalize(b->many);
	b->many = NULL;
	for (i = 0; i < BATCH_ROWS; i++)
		b->unbound[i] = b->said;
	buf_add(&sql, store_sql(b->which), (size_t)(p - store_sql(b->which)));
	if (is_numbered(b))
		buf_fmt(&sql, "%s_id,", b->what);
	for (i = 0; i < b->columns && is_named(b, i); i++, p = end + 1) {
		end = p + strcspn(p, ",)");
		buf_str(&sql, i > 0 ? "," : "");
		buf_add(&sql, p, (size_t)(end - p));
	}
	buf_str(&sql, ") VALUES ");
	for (row = 0; row < BATCH_ROWS; row++) {
		buf_str(&sql, row == 0 ? "(" : ",(");
		buf_str(&sql, is_numbered(b) ? "NULL," : "");
		for (i = 0; i < b->columns && is_named(b, i); i++) {
			buf_str(&sql, i > 0 ? "," : "");
			/* with a number it is a name, and all names are searched
			 * for each */
			buf_str(&sql, b->said >> i & 1 ? "?" : "NULL");
		}
		buf_chr(&sql, ')');
	}
	if (sqlite3_prepare_v3(s->db, buf_cstr(&sql), -1, SQLITE_PREPARE_PERSISTENT, &b->many,
	    NULL) != SQLITE_OK)
		store_fail(s, b->what, e);
	buf_free(&sql);
	return (b->many != NULL ? 0 : -1);
}

static void
bind(sqlite3_stmt *st, int i, const struct value *v, const char *text)
{
	switch (v->kind) {
	case IS_NULL:
		sqlite3_bind_null(st, i);
		break;
	case IS_NUM:
		sqlite3_bind_int64(st, i, v->u.num);
		break;
	case IS_WORD:
		sqlite3_bind_text(st, i, v->u.word, -1, SQLITE_STATIC);
		break;
	case IS_SHORT:
		sqlite3_bind_text(st, i, v->u.text, v->n, SQLITE_STATIC);
		break;
	case IS_TEXT:
		sqlite3_bind_text(st, i, text + v->u.at, v->n, SQLITE_STATIC);
	}
}

/* Bind what is new: 0 done, 1 a column is not said, so begin again. */
static int
bind_many(struct batch *b)
{
	uint32_t	 left;
	int		 row, i;

	for (row = 0; row < BATCH_ROWS; row++) {
		if ((b->unbound[row] & ~b->said) != 0)
			return (1);
		for (left = b->unbound[row]; left != 0; left &= left - 1) {
			i = __builtin_ctz(left);
			bind(b->many, row * b->nsaid + b->place[i] + 1,
			    &b->v[row * b->columns + i], b->text.p);
		}
		b->unbound[row] = 0;
	}
	return (0);
}

static int
insert_many(struct store *s, struct batch *b, struct err *e)
{
	int	 i;

	while (b->many == NULL || bind_many(b) == 1) {
		for (i = 0; i < BATCH_ROWS * b->columns; i++)
			b->said |= (uint32_t)(b->v[i].kind != IS_NULL) << i % b->columns;
		if (prepare_many(s, b, e) != 0)
			return (-1);
	}
	return (store_step(s, b->many, b->what, e));
}

static int
insert_each(struct store *s, struct batch *b, struct err *e)
{
	sqlite3_stmt	*st = store_statement(s, b->which, e);
	int		 row, i;

	if (st == NULL)
		return (-1);
	for (row = 0; row < b->rows; row++) {
		for (i = 0; i < b->columns; i++)
			bind(st, i + 1, &b->v[row * b->columns + i], b->text.p);
		if (store_step(s, st, b->what, e) != 0)
			return (-1);
	}
	return (0);
}

static int
flush(struct store *s, struct batch *b, struct err *e)
{
	int	 r = b->rows == BATCH_ROWS ? insert_many(s, b, e) : insert_each(s, b, e);

	b->rows = 0;
	b->text.n = 0;
	return (r);
}

int
batch_flush(struct store *s, struct err *e)
{
	int	 i;

	for (i = 0; i < ST_NSTATEMENTS; i++)
		if (s->batch[i] != NULL && s->batch[i]->rows > 0 && flush(s, s->batch[i], e) != 0)
			return (-1);
	return (0);
}

void
batch_drop(struct store *s)
{
	int	 i;

	for (i = 0; i < ST_NSTATEMENTS; i++)
		if (s->batch[i] != NULL)
			s->batch[i]->rows = 0;
}

void
batch_close(struct store *s)
{
	int	 i;

	for (i = 0; i < ST_NSTATEMENTS; i++) {
		if (s->batch[i] == NULL)
			continue;
		sqlite3_finalize(s->batch[i]->many);
		buf_free(&s->batch[i]->text);
		free(s->batch[i]);
	}
}

void
row_begin(struct store *s, struct row *r, enum statement which, const char *what, int columns)
{
	struct batch	*b = s->batch[which];

	if (b == NULL) {
		b = s->batch[which] = mem_zero(1, sizeof *b);
		b->which = which;
		b->what = what;
		b->columns = columns;
	}
	r->batch = b;
	r->v = &b->v[b->rows * b->columns];
	r->unbound = &b->unbound[b->rows];
}

int
row_end(struct store *s, struct row *r, struct err *e)
{
	r->batch->rows++;
	return (r->batch->rows == BATCH_ROWS || !fast_paths ? flush(s, r->batch, e) : 0);
}

static void
long_text(struct row *r, struct value *v, struct span t)
{
	struct buf	*b = &r->batch->text;

	v->kind = IS_TEXT;
	v->u.at = b->n;
	if (text_is_clean(t))
		buf_add(b, t.p, t.n);
	else
		escape_utf8(b, t);
	v->n = (int)(b->n - v->u.at);
	buf_chr(b, '\0');		/* so that there is a buffer */
}

void
row_text(struct row *r, int i, struct span t, size_t max)
{
	struct value	*v = &r->v[i - 1];

	if (t.p == NULL) {
		row_num(r, i, OBS_NO_NUM);
		return;
	}
	t = text_cut(t, max);
	if (v->kind == IS_SHORT && (size_t)v->n == t.n && memcmp(v->u.text, t.p, t.n) == 0)
		return;
	if (t.n > sizeof v->u.text || !text_is_clean(t))
		long_text(r, v, t);
	else {
		v->kind = IS_SHORT;
		v->n = (int)t.n;
		memcpy(v->u.text, t.p, t.n);
	}
	row_new(r, i);
}
