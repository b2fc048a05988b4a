/* problems.c - rows of `problem`; repeats past a limit become one row. */
#include "base/mem.h"
#include "store/inside.h"

/* Words that say how the input is, not that it is damaged. */
static int
is_damage(const char *code)
{
	static const char *const	 harmless[] = { "mid-stream", "no-time",
	    "tls", "unsupported", "link", "ambiguous", "no-endpoint", "name",
	    "out-of-scope" };
	size_t				 i;

	for (i = 0; i < sizeof harmless / sizeof *harmless; i++)
		if (strcmp(code, harmless[i]) == 0)
			return (0);
	return (1);
}

static struct folded *
find_folded(struct part_tally *t, const char *code)
{
	struct folded	*f;
	int		 i;

	if (t->folded == NULL)
		t->folded = mem_zero(PROBLEM_CODES, sizeof *t->folded);
	for (i = 0; i < t->nfolded; i++)
		if (strcmp(t->folded[i].code, code) == 0)
			return (&t->folded[i]);
	if (t->nfolded == PROBLEM_CODES)	/* codes are few and static */
		return (&t->folded[PROBLEM_CODES - 1]);
	f = &t->folded[t->nfolded++];
	f->code = code;
	f->at = f->at_end = OBS_NO_TIME;
	f->bytes = OBS_NO_NUM;
	return (f);
}

static void
fold(struct folded *f, const struct problem *p)
{
	int64_t	 end = p->at_end != OBS_NO_TIME ? p->at_end : p->at;

	f->samples++;
	if (p->at != OBS_NO_TIME && (f->at == OBS_NO_TIME || p->at < f->at))
		f->at = p->at;
	if (end != OBS_NO_TIME && (f->at_end == OBS_NO_TIME || end > f->at_end))
		f->at_end = end;
	if (p->bytes != OBS_NO_NUM)
		f->bytes = p->bytes + (f->bytes != OBS_NO_NUM ? f->bytes : 0);
}

int
problems_add(struct sink *sink, const struct problem *p, struct err *e)
{
	struct store		*s = (struct store *)sink;
	struct part_tally	*t;
	struct folded		*f;
	sqlite3_stmt		*st;
	int64_t			 ep, limit;

	if (p->where.part < 0 || p->where.part >= s->nparts)
		return (err_set(e, "a problem outside the open source"));
	t = &s->part[p->where.part];
	t->problems++;
	t->damage += is_damage(p->code);
	f = find_folded(t, p->code);
	limit = p->at != OBS_NO_TIME ? PROBLEM_TIMED_ROWS : PROBLEM_ROWS;
	if (f->row_id != 0 || f->rows >= limit) {
		fold(f, p);
		if (f->row_id != 0)
			return (0);
	}
	f->rows++;
	if ((ep = intern_endpoint(s, p->ep, e)) < 0 ||
	    (st = store_statement(s, ST_PROBLEM, e)) == NULL)
		return (-1);
	sqlite3_bind_int64(st, 1, t->source_id);
	bind_num(st, 2, p->where.position > 0 ? p->where.position : OBS_NO_NUM);
	bind_num(st, 3, p->where.offset);
	bind_num(st, 4, p->at);
	bind_num(st, 5, p->at_end);
	bind_text(s, st, 6, span_of(p->code), 0);
	bind_id(st, 7, ep);
	bind_num(st, 8, p->bytes);
	bind_text(s, st, 9, span_of(p->reason), 500);
	if (store_step(s, st, "problem", e) != 0)
		return (-1);
	if (f->samples == 1)
		f->row_id = sqlite3_last_insert_rowid(s->db);
	return (0);
}

int
problems_flush(struct store *s, struct part_tally *t, struct err *e)
{
	sqlite3_stmt	*st;
	int		 i;

	for (i = 0; i < t->nfolded; i++) {
		if (t->folded[i].samples < 2)
			continue;
		if ((st = store_statement(s, ST_PROBLEM_FOLD, e)) == NULL)
			return (-1);
		sqlite3_bind_int64(st, 1, t->folded[i].row_id);
		sqlite3_bind_int64(st, 2, t->folded[i].samples);
		bind_num(st, 3, t->folded[i].at);
		bind_num(st, 4, t->folded[i].at_end);
		bind_num(st, 5, t->folded[i].bytes);
		if (store_step(s, st, "problem", e) != 0)
			return (-1);
	}
	return (0);
}
