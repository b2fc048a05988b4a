/*
 * explain.c - finds what was asked for and prints sql/report/explain.sql.
 */
#include "report/explain.h"

#include <string.h>

#include "report/page.h"
#include "report/scope.h"
#include "store/query.h"
#include "store/store.h"

static const struct {
	const char	*part, *title;
} parts[] = {
	{ "given", "Given" }, { "follows", "What follows" },
	{ "therefore", "Therefore" }, { "if", "This would change if" },
};

/* Write the one row of temp.asked. */
static int
ask(struct store *s, const char *what, const char *ref, struct err *err)
{
	struct query	*q = NULL;
	int		 got = -1;

	if (strcmp(what, "error") != 0 && strcmp(what, "window") != 0)
		return (err_usage(err, "explain what? error or window, not %s", what));
	if (store_exec(s, "DROP TABLE IF EXISTS temp.asked;"
	    "CREATE TEMP TABLE asked (kind TEXT, id INTEGER)", err) == -1)
		return (-1);
	if (query_open(&q, s, err, "INSERT INTO temp.asked SELECT ?1, id FROM ("
	    "SELECT 'error' AS kind, e.error_id AS id, n.name FROM main.failover_error e "
	    "JOIN temp.error_name n USING (error_id) UNION ALL "
	    "SELECT 'window', window_id, '' FROM main.window) WHERE kind = ?1 AND "
	    "(CAST(id AS TEXT) = ?2 OR lower(name) = lower(?2)) RETURNING id") == 0) {
		query_bind_text(q, 1, span_of(what));
		query_bind_text(q, 2, span_of(ref));
		got = query_next(q, err);
	}
	query_close(q);
	if (got == 0)
		return (err_set(err, "there is no %s %s", what, ref));
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
	size_t		 i;
	int		 rv;

	if (scope_open(s, o, err) == -1)
		return (-1);
	page_init(&p, f, o);
	rv = ask(s, what, ref, err);
	if (rv == 0)
		rv = scope_script(s, "sql/report/explain.sql", err);
	if (rv == 0)
		rv = print_part(&p, s, "head", NULL, err);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]) && rv == 0; i++)
		rv = print_part(&p, s, parts[i].part, strcmp(parts[i].part, "if") == 0 &&
		    strcmp(what, "window") == 0 ? "How sure the edges are" : parts[i].title, err);
	page_free(&p);
	scope_close(s);
	return (rv);
}
