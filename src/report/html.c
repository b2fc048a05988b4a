/*
 * html.c - the report as one file that needs nothing else: no network, no
 * scripts (they only zoom, filter and unfold).
 *
 * Everything is escaped where it is written: html_span() and html_column() are
 * the only ways for text of unknown origin to get into the page, and the page's
 * own policy forbids it to load anything.
 */
#include <stdlib.h>

#include "base/escape.h"
#include "report/formats.h"
#include "report/html.h"
#include "store/query.h"
#include "store/script.h"

void
html_span(struct html *h, struct span text)
{
	h->b.n = 0;
	escape_html(&h->b, text);
	fwrite(h->b.p, 1, h->b.n, h->f);
}

void
html_column(struct html *h, const struct query *q, int column)
{
	html_span(h, query_span(q, column));
}

void
html_fill(struct html *h, const struct query *q, const char *markup)
{
	const char	*p;

	for (; (p = strchr(markup, '$')) != NULL; markup = p + 2) {
		fwrite(markup, 1, (size_t)(p - markup), h->f);
		html_column(h, q, p[1] - '0');
	}
	fputs(markup, h->f);
}

int
html_each(struct html *h, html_row *print, int64_t bound, const char *sql)
{
	struct query	*q = NULL;
	int		 got = -1, n = 0;

	if (query_open(&q, h->s, h->err, sql) == 0) {
		if (bound >= 0)
			query_bind_int(q, 1, bound);
		while ((got = query_next(q, h->err)) == 1) {
			n++;
			if (print != NULL && print(h, q) == -1) {
				got = -1;
				break;
			}
		}
	}
	query_close(q);
	return (got == -1 ? -1 : n);
}

static int
asset(struct html *h, const char *name)
{
	const struct sql_file	*a = script_find(name);

	if (a == NULL)
		return (err_set(h->err, "%s: not built in", name));
	fwrite(a->text, 1, a->n, h->f);
	return (0);
}

static int
put_head(struct html *h)
{
	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; "
	    "form-action 'none'\">\n<title>slotrace report</title>\n<style>\n", h->f);
	if (asset(h, "src/report/html.css") == -1)
		return (-1);
	fputs("</style>\n</head>\n<body>\n<nav><a href=\"#change\">What to change</a> "
	    "<a href=\"#lanes\">Timeline</a> <a href=\"#windows\">Windows</a> "
	    "<a href=\"#errors\">Errors</a> <a href=\"#evidence\">Evidence</a></nav>\n", h->f);
	return (0);
}

static int
put_tile(struct html *h, const struct query *q)
{
	html_fill(h, q, "<li class=\"$1\"><b>$0</b><span class=\"verdict\">$1</span><br>$2<br>"
	    "<a href=\"#$3\">why, of the first</a></li>\n");
	return (0);
}

static int
put_summary(struct html *h, const struct query *q)
{
	html_fill(h, q, "<h1>$1</h1>\n<p>$2</p>\n<ul class=\"tiles\">\n");
	if (html_each(h, put_tile, query_int(q, 0), "SELECT errors, verdict, says, first FROM tally "
	    "WHERE incident = (SELECT incident FROM summary ORDER BY incident LIMIT 1 OFFSET ?1) "
	    "AND errors > 0 ORDER BY rank") == -1)
		return (-1);
	fputs("</ul>\n", h->f);
	return (0);
}

static int
put_item(struct html *h, const struct query *q)
{
	fputs("<li>", h->f);
	html_column(h, q, 0);
	fputs("</li>\n", h->f);
	return (0);
}

static int
put_stale(struct html *h, const struct query *q)
{
	fputs("<p class=\"stale\">", h->f);
	html_column(h, q, 0);
	fputs("</p>\n", h->f);
	return (0);
}

static int
put_top(struct html *h)
{
	int	 rv;

	rv = html_each(h, put_stale, -1, "SELECT sentence FROM stale");
	if (rv != -1)
		rv = html_each(h, put_summary, -1, "SELECT row_number() OVER (ORDER BY incident) - 1, incident, sentence "
	    "FROM headline ORDER BY incident");
	fputs("<h2>What happened</h2>\n<ul>\n", h->f);
	if (rv != -1)
		rv = html_each(h, put_item, -1, "SELECT sentence FROM story "
		    "ORDER BY incident, rank LIMIT 20");
	fputs("</ul>\n<h2 id=\"change\">What to change</h2>\n<ol>\n", h->f);
	if (rv != -1)
		rv = html_each(h, put_item, -1, "SELECT sentence FROM advice ORDER BY incident, rank");
	fputs("</ol>\n<h2>In numbers</h2>\n<ul>\n", h->f);
	if (rv != -1)
		rv = html_each(h, put_item, -1, "SELECT sentence FROM fact ORDER BY incident, rank");
	fputs("</ul>\n", h->f);
	return (rv);
}

/* A table: titles, NULL-ended; columns from the first on are cells. */
struct table {
	const char	*id, *title, *none;	/* none: said instead of an empty table */
	const char	*const *columns;
	const char	*sql;
	const char	*row_id;		/* prefix of a row's anchor, or NULL */
};

static void
put_row(struct html *h, const struct table *t, const struct query *q)
{
	int	 i;

	fputs("<tr", h->f);
	if (t->row_id != NULL) {
		fprintf(h->f, " id=\"%s", t->row_id);
		html_fill(h, q, "$0\"");
		i = query_columns(q);
		if (!query_null(q, i - 1)) {
			fputs(" data-x0=\"", h->f);
			html_column(h, q, i - 2);
			fputs("\" data-x1=\"", h->f);
			html_column(h, q, i - 1);
			fputs("\"", h->f);
		}
	}
	fputs(">", h->f);
	for (i = 0; t->columns[i] != NULL; i++) {
		if (query_null(q, i) || query_span(q, i).n == 0) {
			fputs("<td></td>", h->f);
			continue;
		}
		fprintf(h->f, "<td data-l=\"%s\"%s>", t->columns[i],
		    query_number(q, i) ? " class=\"n\"" : "");
		html_column(h, q, i);
		fputs("</td>", h->f);
	}
	fputs("</tr>\n", h->f);
}

static int
put_table(struct html *h, const struct table *t)
{
	struct query	*q = NULL;
	int		 i, got = -1, n = 0;

	fprintf(h->f, "<h2 id=\"%s\">%s</h2>\n", t->id, t->title);
	if (query_open(&q, h->s, h->err, t->sql) == 0) {
		while ((got = query_next(q, h->err)) == 1) {
			if (n++ == 0) {
				fputs("<table><thead><tr>", h->f);
				for (i = 0; t->columns[i] != NULL; i++)
					fprintf(h->f, "<th>%s</th>", t->columns[i]);
				fputs("</tr></thead><tbody>\n", h->f);
			}
			put_row(h, t, q);
		}
	}
	query_close(q);
	fprintf(h->f, n > 0 ? "</tbody></table>\n" : "<p>%s</p>\n", t->none);
	return (got);
}

static int
put_term(struct html *h, const struct query *q)
{
	fputs("<dt>", h->f);
	html_column(h, q, 0);
	fputs("</dt><dd>", h->f);
	html_column(h, q, 1);
	fputs("</dd>\n", h->f);
	return (0);
}

static int
put_error(struct html *h, const struct query *q)
{
	/* there may be ten thousand: the style writes the name, no end tag */
	html_fill(h, q, "<li id=$0>$1\n");
	return (0);
}

static int
put_group(struct html *h, const struct query *q)
{
	int	 rv;

	html_fill(h, q, "<details class=\"group $2\"><summary><span class=\"verdict\">$2</span> "
	    "$3<br>$4</summary>\n<dl>\n");
	rv = html_each(h, put_term, query_int(q, 0), "SELECT j.key, j.atom FROM error_group g, "
	    "json_each(json_object('error', nullif(coalesce(error_class || ': ', '') || message, ''), "
	    "'slots', CASE WHEN slot_min = slot_max THEN slot_min ELSE slot_min || ' to ' || slot_max END, "
	    "'chain', replace(chain, '>', ' > '), 'fault', fault, 'confidence', confidence, "
	    "'the gate', gate_says, 'missing', missing_says, 'proof', locus)) j WHERE group_id = ?1 AND j.atom IS NOT NULL");
	if (rv != -1)
		rv = html_each(h, put_term, query_int(q, 1), "SELECT c.condition, "
		    "CASE c.holds WHEN 1 THEN 'holds: ' WHEN 0 THEN 'does not hold: ' ELSE 'unknown: ' END || "
		    "coalesce(c.evidence, '') FROM group_condition c WHERE error_id = ?1 ORDER BY c.condition");
	if (rv != -1)
		rv = html_each(h, put_term, query_int(q, 1), "SELECT v.role, v.sentence FROM evidence_line v "
		    "WHERE error_id = ?1 ORDER BY v.at IS NULL, v.at, v.role, v.source, v.position, v.sentence LIMIT 30");
	fputs("</dl>\n<ul class=\"all\">\n", h->f);
	if (rv != -1)
		rv = html_each(h, put_error, query_int(q, 0), "SELECT n.name, coalesce(substr((SELECT t.said_at FROM error_time t WHERE t.error_id = e.error_id), 12), 'no time') "
		    "|| '  ' || CASE WHEN e.source = g.source THEN CASE (SELECT kind FROM input i WHERE i.source = e.source AND i.incident = e.incident) "
		    "WHEN 'capture' THEN 'frame ' ELSE 'line ' END ELSE e.source || ':' END || e.position FROM error_group g "
		    "JOIN error_member f ON f.error_id = g.error_id JOIN error_member m ON m.alike = f.alike "
		    "JOIN failover_error e ON e.error_id = m.error_id "
		    "JOIN error_name n ON n.error_id = e.error_id WHERE g.group_id = ?1 ORDER BY e.error_id");
	fputs("</ul></details>\n", h->f);
	return (rv == -1 ? -1 : 0);
}

static int
put_errors(struct html *h)
{
	int	 rv;

	fputs("<h2 id=\"errors\">Errors</h2>\n<p class=\"tools\"><input id=\"filter\" type=\"search\" "
	    "placeholder=\"filter: client, verdict, rule, node ...\"></p>\n", h->f);
	rv = html_each(h, put_group, -1, "SELECT group_id, error_id, verdict, "
	    "coalesce('(leans ' || leans || ') ', '') || prefix || errors || CASE errors WHEN 1 THEN ' error of ' ELSE ' errors of ' END "
	    "|| client || coalesce(' (' || library || ')', '') || coalesce(', window ' || window_id, '') || ', rule ' || rule || "
	    "coalesce(', ' || first_said || CASE WHEN errors > 1 THEN ' .. ' || substr(last_said, 12) ELSE '' END, ''), "
	    "reason FROM error_group JOIN whose USING (incident) ORDER BY group_id LIMIT 400");
	if (rv == 0)
		fputs("<p>No failover error.</p>\n", h->f);
	if (rv == 400)
		fputs("<p>More groups of errors are in the CSV and JSON reports.</p>\n", h->f);
	return (rv);
}

static const char *const window_columns[] = { "window", "slots", "cause", "old owner",
    "new owner", "opened", "closed", "converged", "lasted", "redirects", "errors", "proof", NULL };
static const char *const storm_columns[] = { "at", "endpoint", "command", "clients", "requests",
    "peak a second", "window", NULL };
static const char *const input_columns[] = { "source", "kind", "status", "records", "problems",
    "first", "last", "clock, ms", NULL };
static const char *const clock_columns[] = { "source", "clock", NULL };
static const char *const loss_columns[] = { "source", "what", "times", "reason", NULL };
static const char *const setting_columns[] = { "setting", "value", "basis", "source", NULL };

static const struct table table_windows = {
	"windows", "Windows", "No divergence window.", window_columns,
	"SELECT w.window_id, coalesce(nullif(slots, ''), 'not known'), (SELECT prefix FROM whose y WHERE y.incident = w.incident) || (SELECT l.cause_said FROM window_lasted l WHERE l.window_id = w.window_id), (SELECT l.old_said FROM window_lasted l WHERE l.window_id = w.window_id) || coalesce(', epoch ' || old_epoch, ''), "
	"(SELECT l.new_said FROM window_lasted l WHERE l.window_id = w.window_id) || coalesce(', epoch ' || new_epoch, ''), "
	"coalesce(substr(opened_after_utc, 12, 12) || ' .. ', '') || coalesce(substr(opened_by_utc, 12, 12), ''), "
	"coalesce(CASE WHEN closed_by IS NULL THEN 'after ' ELSE '' END || substr(closed_after_utc, 12, 12) || CASE WHEN closed_by IS NULL THEN ', ' ELSE ' .. ' END, '') || coalesce(substr(closed_by_utc, 12, 12) || ', ', '') || (SELECT l.ended FROM window_lasted l WHERE l.window_id = w.window_id), "
	"coalesce(CASE WHEN converged_by IS NULL THEN 'after ' ELSE '' END || substr(converged_after_utc, 12, 12) || CASE WHEN converged_by IS NULL THEN ', ' ELSE ' .. ' END, '') || "
	"coalesce(substr(converged_by_utc, 12, 12), 'not seen'), "
	"(SELECT l.lasted FROM window_lasted l WHERE l.window_id = w.window_id), redirects, errors, "
	"(SELECT coalesce(x.opened || ', ' || x.closed, x.opened, x.closed) FROM window_proof x WHERE x.window_id = w.window_id), "
	"(SELECT printf('%.2f', x0) FROM shade s WHERE s.window_id = w.window_id), "
	"(SELECT printf('%.2f', x3) FROM shade s WHERE s.window_id = w.window_id) "
	"FROM window w WHERE cause <> 'migration' ORDER BY w.window_id LIMIT 200", "window-"
};
static const struct table tables[] = {
	{ "storms", "Storms", "No burst of map requests or connects.", storm_columns,
	    "SELECT at_utc, endpoint, command, clients, requests, peak_per_s, window_id FROM connect_storm "
	    "ORDER BY at, endpoint, command LIMIT 100", NULL },
	{ "evidence", "What was read, and what was not", "Nothing was read.", input_columns,
	    "SELECT source, kind, status_said, records, problems, substr(first_at_utc, 1, 23) || 'Z', substr(last_at_utc, 1, 23) || 'Z', "
	    "CASE WHEN clock_offset_ms <> 0 THEN printf('%.3f', clock_offset_ms) || ' (' || clock_basis || ')' END "
	    "FROM input_said ORDER BY incident, source LIMIT 300", NULL },
	{ "clocks", "Clocks", "All times are as found, in zones that are stated.", clock_columns,
	    "SELECT source, sentence FROM clock_said ORDER BY incident, rank, source LIMIT 200", NULL },
	{ "lost", "What could not be seen", "No problem was met.", loss_columns,
	    "SELECT locus, code, times, reason FROM loss "
	    "ORDER BY incident, source, code LIMIT 200", NULL },
	{ "settings", "Settings", "None.", setting_columns,
	    "SELECT name, value, basis, source || coalesce(':' || position, '') FROM assumed "
	    "ORDER BY incident, name, basis, value", NULL },
};

static int
html_write(struct store *s, FILE *f, const struct report_opts *o, struct err *err)
{
	struct html	 h = { s, f, err, { 0 } };
	size_t		 i;
	int		 rv;

	(void)o;
	rv = put_head(&h);
	if (rv != -1)
		rv = put_top(&h);
	if (rv != -1)
		rv = html_lanes(&h);
	if (rv != -1)
		rv = put_table(&h, &table_windows);
	if (rv != -1)
		rv = put_errors(&h);
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]) && rv != -1; i++)
		rv = put_table(&h, &tables[i]);
	if (rv != -1) {
		fputs("<script>\n", f);
		rv = asset(&h, "src/report/html.js");
		fputs("</script>\n</body>\n</html>\n", f);
	}
	buf_free(&h.b);
	return (rv == -1 ? -1 : 0);
}

const struct output output_html = {
	"html", "one self-contained page", OUTPUT_STALE, html_write
};
