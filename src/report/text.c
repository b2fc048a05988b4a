/*
 * text.c - the report for a terminal: first what happened and what to change,
 * then everything with the line or frame that proves it.
 */
#include <stdlib.h>

#include "report/formats.h"
#include "report/page.h"
#include "report/stale.h"
#include "store/query.h"


/* Print each row of a query; the title comes before the first one. */
typedef void	 print_row(struct page *, const struct query *);

static int
section(struct page *p, struct store *s, const char *title, const char *sql,
    print_row *print, struct err *err)
{
	struct query	*q = NULL;
	int		 got = -1, n = 0;

	if (query_open(&q, s, err, sql) == 0) {
		while ((got = query_next(q, err)) == 1) {
			if (n++ == 0 && title != NULL)
				page_title(p, title);
			print(p, q);
		}
	}
	query_close(q);
	return (got);
}

static const char *
plural(const struct query *q, int column)
{
	return (query_int(q, column) == 1 ? "" : "s");
}

/* A row of the first lines: an incident, or the errors of a verdict. */
static void
print_opening(struct page *p, const struct query *q)
{
	char	 label[64];

	if (query_null(q, 1)) {
		if (!p->first)
			page_line(p);
		page_item(p, 0, 0, TONE_TITLE, query_text(q, 0), "%s", query_text(q, 2));
	} else {
		snprintf(label, sizeof(label), "%6lld  %s", (long long)query_int(q, 1),
		    query_text(q, 0));
		page_item(p, 0, 22, page_verdict(query_text(q, 0)), label, "%s", query_text(q, 2));
	}
	p->first = 0;
}

static void
print_sentence(struct page *p, const struct query *q)
{
	page_item(p, 2, 4, TONE_NONE, "-", "%s", query_text(q, 0));
}

/* " .. " between two times, or the one that is known, and what shows it. */
static void
bounds(struct page *p, const char *label, const struct query *q, int after, int proof)
{
	if (query_null(q, after) && query_null(q, after + 1))
		return;
	page_item(p, 6, 20, TONE_QUIET, label, "%s%s%s%s%s%s",
	    query_null(q, after) ? "not after" : query_null(q, after + 1) ? "after" :
	    query_text(q, after), query_null(q, after + 1) || query_null(q, after) ? " " : " .. ",
	    query_text(q, query_null(q, after + 1) ? after : after + 1),
	    proof == 0 || query_null(q, proof) ? "" : " (",
	    proof == 0 ? "" : query_text(q, proof),
	    proof == 0 || query_null(q, proof) ? "" : ")");
}

static void
print_window(struct page *p, const struct query *q)
{
	char	 label[32];

	snprintf(label, sizeof(label), "%lld", (long long)query_int(q, 0));
	page_item(p, 2, 6, TONE_TITLE, label, "%s: %s%s -> %s%s, slots %s",
	    query_text(q, 1), query_text(q, 3), query_text(q, 4),
	    query_text(q, 5), query_text(q, 6), query_text(q, 2));
	bounds(p, "opened", q, 7, 19);
	bounds(p, "closed", q, 9, 20);
	bounds(p, "converged", q, 11, 0);
	page_item(p, 6, 20, TONE_QUIET, "lasted", "%s, %s; %s observer%s, %s%s%s"
	    "%s error%s%s", query_text(q, 13), query_text(q, 14),
	    query_text(q, 15), plural(q, 15), query_text(q, 16),
	    query_null(q, 16) ? "" : " redirect", query_null(q, 16) ? "" :
	    query_int(q, 16) == 1 ? ", " : "s, ",
	    query_text(q, 17), plural(q, 17),
	    query_int(q, 18) ? "; all four conditions for such errors held" : "");
}

static void
print_group(struct page *p, const struct query *q)
{
	page_item(p, 2, 6, page_verdict(query_text(q, 0)), query_text(q, 0),
	    "%s%s%sx%lld %s%s%s%s, rule %s%s%s%s%s%s%s",
	    query_null(q, 1) ? "" : "(leans ", query_text(q, 1), query_null(q, 1) ? "" : ") ",
	    (long long)query_int(q, 2), query_text(q, 3),
	    query_null(q, 4) ? "" : " (", query_text(q, 4), query_null(q, 4) ? "" : ")",
	    query_text(q, 5), query_null(q, 6) ? "" : ", fault ", query_text(q, 6),
	    query_null(q, 7) ? "" : ", confidence ", query_text(q, 7),
	    query_null(q, 8) ? "" : ", window ", query_text(q, 8));
	page_para(p, 6, 6, "%s", query_text(q, 9));
	if (!query_null(q, 10))
		page_item(p, 6, 16, TONE_QUIET, "missing", "%s", query_text(q, 10));
	page_item(p, 6, 16, TONE_QUIET, "when", "%s%s%s",
	    query_null(q, 11) ? "time unknown" : query_text(q, 11),
	    query_int(q, 2) > 1 ? " .. " : "", query_int(q, 2) > 1 ? query_text(q, 12) : "");
	page_item(p, 6, 16, TONE_QUIET, query_int(q, 2) > 1 ? "first" : "error",
	    "%s %s%s%s  %s%s%s", query_text(q, 13), query_text(q, 14),
	    query_null(q, 15) ? "" : ", slot ", query_text(q, 15),
	    query_text(q, 16), query_null(q, 16) ? "" : ": ", query_text(q, 17));
	page_item(p, 6, 16, TONE_QUIET, "the gate", "%s", query_text(q, 18));
}

static void
print_storm(struct page *p, const struct query *q)
{
	page_para(p, 2, 6, "%s  %s on %s: %s request%s of %s client%s, peak %s a second%s%s",
	    query_text(q, 0), query_text(q, 1), query_text(q, 2), query_text(q, 3),
	    plural(q, 3), query_text(q, 4), plural(q, 4), query_text(q, 5),
	    query_null(q, 6) ? "" : ", after window ",
	    query_text(q, 6));
}

static void
print_clock(struct page *p, const struct query *q)
{
	page_para(p, 2, 6, "%s: %s", query_text(q, 0), query_text(q, 1));
}

static void
print_input(struct page *p, const struct query *q)
{
	page_para(p, 2, 6, "%s: %s, %s, %s record%s%s%s%s%s", query_text(q, 0),
	    query_text(q, 1), query_text(q, 2), query_text(q, 3), plural(q, 3),
	    query_null(q, 5) ? "" : ", ", query_text(q, 5),
	    query_null(q, 6) ? "" : " .. ", query_text(q, 6));
}

static void
print_loss(struct page *p, const struct query *q)
{
	page_para(p, 2, 6, "%s: %s%s%s%s", query_text(q, 0), query_text(q, 1),
	    query_int(q, 2) > 1 ? " (" : "", query_int(q, 2) > 1 ? query_text(q, 2) : "",
	    query_int(q, 2) > 1 ? " times in all)" : "");
}

static void
print_more(struct page *p, const struct query *q)
{
	page_para(p, 2, 6, "... and %s more %s", query_text(q, 0), query_text(q, 1));
}

static void
print_assumed(struct page *p, const struct query *q)
{
	page_para(p, 2, 6, "%s %s: %s%s%s%s%s", query_text(q, 0), query_text(q, 1),
	    query_text(q, 2), query_null(q, 3) ? "" : ", ", query_text(q, 3),
	    query_null(q, 4) ? "" : ":", query_text(q, 4));
}

static const struct {
	const char	*title, *sql;
	print_row	*print;
} sections[] = {
	{ NULL, "SELECT label, n, text FROM ("
	    "SELECT incident, 0 AS rank, incident || ':' AS label, NULL AS n, sentence AS text FROM headline "
	    "UNION ALL SELECT incident, rank, verdict, errors, says || '; first ' || first FROM tally WHERE errors > 0) "
	    "ORDER BY incident, rank", print_opening },
	{ "What happened", "SELECT sentence FROM story ORDER BY incident, rank LIMIT 12",
	    print_sentence },
	{ NULL, "SELECT count(*) - 12, 'windows and causes, listed below' FROM story HAVING count(*) > 12",
	    print_more },
	{ "What to change", "SELECT sentence FROM advice ORDER BY incident, rank", print_sentence },
	{ "In numbers", "SELECT sentence FROM fact ORDER BY incident, rank", print_sentence },
	{ "Windows (slotrace explain DB window N says more)", "SELECT window_id, prefix || cause_said, coalesce(nullif(slots, ''), 'not known'), old_said, "
	    "coalesce(' (epoch ' || old_epoch || ')', ''), new_said, coalesce(' (epoch ' || new_epoch || ')', ''), opened_after_utc, "
	    "opened_by_utc, closed_after_utc, closed_by_utc, converged_after_utc, converged_by_utc, "
	    "l.lasted, l.ended, observers, redirects, errors, at_risk, x.opened, x.closed "
	    "FROM window LEFT JOIN window_proof x USING (window_id) JOIN window_lasted l USING (window_id) JOIN whose USING (incident) WHERE cause <> 'migration' ORDER BY window_id LIMIT 60", print_window },
	{ NULL, "SELECT count(*) - 60, 'windows: -f csv --view window' FROM window "
	    "WHERE cause <> 'migration' HAVING count(*) > 60", print_more },
	{ "Errors (slotrace explain DB error E-xxxxxx says why)", "SELECT verdict, leans, errors, prefix || client, library, rule, fault, confidence, "
	    "window_id, reason, missing_says, first_said, last_said, name, locus, (SELECT f.slot FROM failover_error f WHERE f.error_id = error_group.error_id), "
	    "error_class, message, gate_says FROM error_group JOIN whose USING (incident) "
	    "ORDER BY group_id LIMIT 60", print_group },
	{ NULL, "SELECT count(*) - 60, 'groups: -f csv, or a limit such as --client' "
	    "FROM error_group HAVING count(*) > 60", print_more },
	{ "Storms", "SELECT at_utc, command, endpoint, requests, clients, peak_per_s, window_id "
	    "FROM connect_storm ORDER BY at, endpoint, command LIMIT 20", print_storm },
	{ "Clocks (slotrace clock DB says more, and declares an offset)", "SELECT source, sentence FROM clock_said "
	    "ORDER BY incident, rank, source LIMIT 60", print_clock },
	{ "What was read", "SELECT source, kind, status, records, problems, first_at_utc, "
	    "last_at_utc FROM input WHERE status IN ('read', 'partial') ORDER BY incident, source "
	    "LIMIT 60", print_input },
	{ NULL, "SELECT count(*) - 60, 'inputs' FROM input WHERE status IN ('read', 'partial') "
	    "HAVING count(*) > 60", print_more },
	{ "What was not read", "SELECT source, kind, status_said, records, problems, NULL, NULL "
	    "FROM input_said WHERE status NOT IN ('read', 'partial') ORDER BY incident, source LIMIT 60",
	    print_input },
	{ "What could not be seen", "SELECT locus, reason, times FROM loss "
	    "ORDER BY incident, source, code LIMIT 30", print_loss },
	{ NULL, "SELECT count(*) - 30, 'problems: table problem' FROM loss HAVING count(*) > 30",
	    print_more },
	{ "Settings (slotrace set DB NAME=VALUE declares what is assumed)", "SELECT name, value, basis, nullif(source, ''), position FROM assumed "
	    "ORDER BY incident, name, basis, value", print_assumed },
};

static int
text_write(struct store *s, FILE *f, const struct report_opts *o, struct err *err)
{
	struct page	 p;
	size_t		 i;
	int		 rv = 0;

	page_init(&p, f, o);
	rv = stale_head(&p, s, err);
	for (i = 0; i < sizeof(sections) / sizeof(sections[0]) && rv == 0; i++)
		rv = section(&p, s, sections[i].title, sections[i].sql, sections[i].print, err);
	page_free(&p);
	return (rv);
}

const struct output output_text = {
	"text", "for a terminal, the default", 
	OUTPUT_WIDTH | OUTPUT_COLOUR | OUTPUT_STALE, text_write
};
