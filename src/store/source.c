/* source.c - rows of `source` and what is counted for them. */
#include <stdlib.h>

#include "base/mem.h"
#include "store/inside.h"

int64_t
store_ask(struct store *s, const char *sql, const char *incident,
    const char *name, const char *hex, int64_t bytes, struct err *e)
{
	sqlite3_stmt	*st;
	int64_t		 v = 0;
	int		 got;

	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
		return (store_fail(s, NULL, e));
	bind_word(st, 1, incident);
	if (name != NULL)
		bind_text(s, st, 2, span_of(name), 0);
	bind_word(st, 3, hex);
	bind_num(st, 4, bytes);
	got = sqlite3_step(st);
	if (got == SQLITE_ROW)
		v = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	if (got != SQLITE_ROW && got != SQLITE_DONE)
		return (store_fail(s, NULL, e));
	return (v);
}

/* group: the first file of its set, 0: it is in none. */
static int64_t
open_source(struct store *s, const char *name, const char *kind, int64_t mtime,
    int64_t group, struct err *e)
{
	sqlite3_stmt		*st = store_statement(s, ST_SOURCE, e);
	struct part_tally	*t;

	if (st == NULL)
		return (-1);
	bind_text(s, st, 1, span_of(s->incident), 0);
	bind_text(s, st, 2, span_of(name), 0);
	bind_word(st, 3, kind);
	bind_id(st, 4, group);
	sqlite3_bind_int(st, 5, group != 0 ? s->nparts : 0);
	bind_num(st, 6, mtime);
	if (store_step(s, st, "source", e) != 0)
		return (-1);
	s->part = mem_more(s->part, (size_t)s->nparts, sizeof *s->part);
	t = &s->part[s->nparts++];
	memset(t, 0, sizeof *t);
	t->name = mem_str(name);
	t->kind = kind;
	t->mtime = mtime;
	t->source_id = sqlite3_last_insert_rowid(s->db);
	t->first_at = t->last_at = OBS_NO_TIME;
	t->precision_us = OBS_NO_NUM;
	t->basis = -1;
	return (t->source_id);
}

int64_t
store_source(struct store *s, const char *name, const char *kind,
    int64_t mtime, struct err *e)
{
	return (open_source(s, name, kind, mtime, s->nparts > 0 ? s->part[0].source_id : 0,
	    e));
}

/* A log inside of the first file has a clock of its own: it is in no group, and is
 * known as what it is a part of by name and content. */
int
rows_part(struct sink *sink, struct sink_part *p, struct err *e)
{
	struct store	*s = (struct store *)sink;
	struct buf	 name = { 0 };
	int64_t		 id = 0;

	if (p->number >= 0) {
		s->part[p->number].records = p->records;
		return (0);
	}
	buf_fmt(&name, "%s:%s", s->part[0].name, p->name);
	if (p->other)
		buf_fmt(&name, " (%s)", p->kind);
	p->number = s->nparts;
	id = open_source(s, buf_cstr(&name), p->kind, s->part[0].mtime, 0, e);
	buf_free(&name);
	return (id < 0 ? -1 : 0);
}

int
store_source_done(struct store *s, int part, const struct source *src,
    struct err *e)
{
	struct part_tally	*t = &s->part[part];
	sqlite3_stmt		*st;

	if (batch_flush(s, e) != 0 || problems_flush(s, t, e) != 0 ||
	    (st = store_statement(s, ST_SOURCE_DONE, e)) == NULL)
		return (-1);
	sqlite3_bind_int64(st, 1, t->source_id);
	bind_word(st, 2, src->kind);
	bind_word(st, 3, src->status);
	sqlite3_bind_int64(st, 4, src->bytes);
	bind_word(st, 5, src->xxh3);
	bind_word(st, 6, src->head);
	sqlite3_bind_int64(st, 7, src->records);
	sqlite3_bind_int64(st, 8, t->problems);
	bind_num(st, 9, t->first_at);
	bind_num(st, 10, t->last_at);
	bind_word(st, 11, t->basis < 0 ? NULL :
	    at_basis_word((enum at_basis)t->basis));
	bind_num(st, 12, t->precision_us);
	bind_num(st, 13, src->mtime);
	bind_text(s, st, 14, span_of(src->detail), 0);
	return (store_step(s, st, "source", e));
}

void
store_set_end(struct store *s)
{
	int	 i;

	for (i = 0; i < s->nparts; i++) {
		free(s->part[i].folded);
		free(s->part[i].name);
	}
	free(s->part);
	s->part = NULL;
	s->nparts = 0;
}

int
store_inside(const struct store *s, int part, struct source *src)
{
	const struct part_tally	*t;

	if (part >= s->nparts)
		return (0);
	t = &s->part[part];
	src->name = t->name;
	src->kind = t->kind;
	src->mtime = t->mtime;
	src->records = t->records;
	src->detail = NULL;
	src->status = t->damage > 0 ? "partial" : "read";
	return (1);
}

int64_t
store_problems(const struct store *s, int part)
{
	return (s->part[part].problems);
}

int64_t
store_damage(const struct store *s, int part)
{
	return (s->part[part].damage);
}
