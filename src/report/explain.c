/*
 * explain.c - finds what was asked for and prints sql/report/explain.sql.
 */
#include "report/explain.h"

#include <stdlib.h>
#include <string.h>

#include "report/page.h"
#include "report/scope.h"
#include "report/stale.h"
#include "store/query.h"
#include "store/store.h"

static const struct {
	const char	*part, *title;
} parts[] = {
	{ "given", "Given" }, { "follows", "What follows" },
	{ "therefore", "Therefore" }, { "if", "This would change if" },
};

/* What was asked for: "error 3", "error E-0a1b2c", "window 1". */
static int
parse(struct asked *a, const char *what, const char *ref, struct err *err)
{
	char	*end;

	if (strcmp(what, "error") != 0 && strcmp(what, "window") != 0)
		return (err_usage(err, "explain what? error or window, not %s", what));
	a->window = strcmp(what, "window") == 0;
	a->ref = ref;
	a->id = strtoll(ref, &end, 10);
	if (*ref == '\0' || *end != '\0' || a->id < 0)
		a->id = 0;
	return (0);
}

/* Write the one row of temp.asked; there may be no such row. */
static int
ask(struct store *s, const struct report_opts *o, const struct asked *a, struct err *err)
{
	struct query	*q = NULL;
	int		 got = -1;

	if (store_exec(s, "DROP TABLE IF EXISTS temp.asked;"
	    "CREATE TEMP TABLE asked (kind TEXT, id INTEGER)", err) == 0 &&
	    query_open(&q, s, err, a->window ?
	    "INSERT INTO temp.asked SELECT 'window', window_id FROM main.window "
	    "WHERE window_id = ?1 AND (?2 IS NULL OR incident = ?2) RETURNING id" :
	    "INSERT INTO temp.asked SELECT 'error', error_id FROM temp.failover_error "
	    "WHERE error_id = ?1 AND (?2 IS NULL OR incident = ?2) RETURNING id") == 0) {
		query_bind_int(q, 1, a->id);
		query_bind_text(q, 2, span_of(o->incident));
		got = query_next(q, err);
	}
	query_close(q);
	if (got == 0)
		return (err_set(err, "there is no %s %s", a->window ? "window" : "error", a->ref));
	return (got == 1 ? 0 : -1);
}

static void
print_head(struct page *p, const struct query *q)
{
	if (query_text(q, 0)[0] != '\0')
		page_item(p, 0, 2, page_verdict(query_text(q, 0)) != TONE_NONE ?
		    page_verdict(query_text(q, 0)) : TONE_TITLE, query_text(q, 0), "%s",
		    query_text(q, 1));
	else
		page_para(p, 2, 2, "%s", query_text(q, 1));
}

static int
print_part(struct page *p, struct store *s, const char *part, const char *title, struct err *err)
{
	struct query	*q = NULL;
	int		 got = -1, n = 0;

	if (query_open(&q, s, err, "SELECT label, text FROM temp.explanation "
	    "WHERE part = ?1 ORDER BY statement_id") == 0) {
		query_bind_text(q, 1, span_of(part));
		while ((got = query_next(q, err)) == 1) {
			if (title == NULL) {
				print_head(p, q);
				continue;
			}
			if (n++ == 0)
				page_title(p, title);
			page_item(p, 2, 24, TONE_QUIET, query_text(q, 0), "%s", query_text(q, 1));
		}
	}
	query_close(q);
	return (got);
}

int
explain_write(struct store *s, FILE *f, const struct report_opts *o, const char *what,
    const char *ref, struct err *err)
{
	struct page	 p;
	struct asked	 a;
	size_t		 i;
	int		 rv;

	if (parse(&a, what, ref, err) == -1 || scope_open_asked(s, o, &a, err) == -1)
		return (-1);
	page_init(&p, f, o);
	rv = ask(s, o, &a, err);
	if (rv == 0)
		rv = scope_script(s, "sql/report/explain.sql", err);
	if (rv == 0)
		rv = stale_head(&p, s, err);
	if (rv == 0)
		rv = print_part(&p, s, "head", NULL, err);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]) && rv == 0; i++)
		rv = print_part(&p, s, parts[i].part, strcmp(parts[i].part, "if") == 0 &&
		    strcmp(what, "window") == 0 ? "How sure the edges are" : parts[i].title, err);
	page_free(&p);
	scope_close(s);
	return (rv);
}
