/*
 * markdown.c - the report for pasting into a document.
 *
 * A section is a query and what stands around its cells; every cell is escaped
 * and holds no line break, so a table stays a table.
 */
#include <string.h>

#include "base/escape.h"
#include "report/formats.h"
#include "store/query.h"

enum form { FORM_TABLE, FORM_LIST, FORM_NUMBERS, FORM_TEXT };

static const struct {
	const char	*title, *none;		/* none: said when there is no row; NULL: no section */
	enum form	 form;
	const char	*sql;			/* of a table: column names are its titles */
} sections[] = {
	{ NULL, NULL, FORM_TEXT, "SELECT sentence FROM stale" },
	{ NULL, NULL, FORM_TEXT, "SELECT incident || ': ' || sentence FROM headline ORDER BY incident" },
	{ "Verdicts", NULL, FORM_TABLE, "SELECT prefix || verdict AS verdict, errors, says AS meaning, first FROM tally JOIN whose USING (incident) WHERE errors > 0 ORDER BY incident, rank" },
	{ "What happened", NULL, FORM_LIST, "SELECT sentence FROM story ORDER BY incident, rank LIMIT 40" },
	{ "What to change", NULL, FORM_NUMBERS, "SELECT sentence FROM advice ORDER BY incident, rank" },
	{ "In numbers", NULL, FORM_LIST, "SELECT sentence FROM fact ORDER BY incident, rank" },
	{ "Windows", "No divergence window.", FORM_TABLE, "SELECT window_id AS window, coalesce(nullif(slots, ''), 'not known') AS slots, prefix || cause_said AS cause, "
	    "old_said || coalesce(' @' || old_epoch, '') AS \"old owner @epoch\", "
	    "new_said || coalesce(' @' || new_epoch, '') AS \"new owner @epoch\", "
	    "coalesce(opened_after_utc || ' .. ', '') || coalesce(opened_by_utc, '') AS opened, "
	    "coalesce(closed_after_utc || ' .. ', '') || coalesce(closed_by_utc || ', ', '') || l.ended AS closed, "
	    "l.lasted, redirects, errors, "
	    "coalesce(x.opened || ', ' || x.closed, x.opened, x.closed) AS proof "
	    "FROM window LEFT JOIN window_proof x USING (window_id) JOIN window_lasted l USING (window_id) JOIN whose USING (incident) WHERE cause <> 'migration' ORDER BY window_id LIMIT 200" },
	{ "Errors", "No failover error.", FORM_TABLE, "SELECT verdict || coalesce(' (leans ' || leans || ')', '') AS verdict, errors, "
	    "prefix || client AS client, window_id AS window, rule, fault, first_said AS first, CASE WHEN errors > 1 THEN last_said END AS last, reason, "
	    "name || ' ' || locus AS proof, gate_says AS \"the gate\", "
	    "missing_says AS missing FROM error_group JOIN whose USING (incident) ORDER BY group_id LIMIT 200" },
	{ "Storms", NULL, FORM_TABLE, "SELECT at_utc AS at, endpoint, command, clients, requests, peak_per_s AS \"peak per second\", "
	    "window_id AS window FROM connect_storm ORDER BY at, endpoint, command LIMIT 50" },
	{ "Clocks", NULL, FORM_TABLE, "SELECT source, sentence AS clock FROM clock_said "
	    "ORDER BY incident, rank, source LIMIT 200" },
	{ "What was read, and what was not", "Nothing was read.", FORM_TABLE, "SELECT source, kind, status_said AS status, records, problems, "
	    "first_at_utc AS first, last_at_utc AS last FROM input_said ORDER BY incident, source LIMIT 200" },
	{ "What could not be seen", NULL, FORM_TABLE, "SELECT locus AS source, code, times, reason "
	    "FROM loss ORDER BY incident, source, code LIMIT 100" },
	{ "Settings", NULL, FORM_TABLE, "SELECT name, value, basis, source || coalesce(':' || position, '') AS source FROM assumed "
	    "ORDER BY incident, name, basis, value" },
};

static void
put(FILE *f, struct buf *b, struct span text)
{
	b->n = 0;
	escape_markdown(b, text);
	fwrite(b->p, 1, b->n, f);
}

static void
put_table_head(FILE *f, struct buf *b, const struct query *q)
{
	int	 i;

	for (i = 0; i < query_columns(q); i++) {
		fputs("| ", f);
		put(f, b, span_of(query_name(q, i)));
		fputs(" ", f);
	}
	fputs("|\n", f);
	for (i = 0; i < query_columns(q); i++)
		fputs("|---", f);
	fputs("|\n", f);
}

static void
put_row(FILE *f, struct buf *b, const struct query *q, enum form form)
{
	int	 i;

	if (form != FORM_TABLE) {
		fputs(form == FORM_LIST ? "- " : form == FORM_NUMBERS ? "1. " : "", f);
		put(f, b, query_span(q, 0));
		fputs(form == FORM_TEXT ? "\n\n" : "\n", f);
		return;
	}
	for (i = 0; i < query_columns(q); i++) {
		fputs("| ", f);
		put(f, b, query_span(q, i));
		fputs(" ", f);
	}
	fputs("|\n", f);
}

static int
markdown_write(struct store *s, FILE *f, const struct report_opts *o, struct err *err)
{
	struct buf	 b = { 0 };
	struct query	*q;
	size_t		 i;
	int		 got = 0, n;

	(void)o;
	fputs("# Failover errors\n\n", f);
	for (i = 0; i < sizeof(sections) / sizeof(sections[0]) && got == 0; i++) {
		n = 0;
		got = query_open(&q, s, err, sections[i].sql);
		while (got == 0 && (got = query_next(q, err)) == 1) {
			if (n == 0 && sections[i].title != NULL)
				fprintf(f, "\n## %s\n\n", sections[i].title);
			if (n++ == 0 && sections[i].form == FORM_TABLE)
				put_table_head(f, &b, q);
			put_row(f, &b, q, sections[i].form);
			got = 0;
		}
		if (got == 0 && n == 0 && sections[i].none != NULL)
			fprintf(f, "\n## %s\n\n%s\n", sections[i].title, sections[i].none);
		query_close(q);
	}
	buf_free(&b);
	return (got);
}

const struct output output_markdown = {
	"markdown", "for pasting into a postmortem", OUTPUT_STALE, markdown_write
};
