/*
 * columns.c - the timeline with a column per node: who it is in the header,
 * '|' where it is alive and nothing new is known of it, a mark where something
 * happened, and the words on the right.
 */
#include <string.h>

#include "report/formats.h"
#include "report/page.h"
#include "report/scope.h"
#include "report/stale.h"
#include "store/query.h"

enum { TRACKS_MOST = 8 };

/* One letter for a kind of event, the first of a letter with what it means. */
static const struct mark {
	const char	*kind;
	char		 mark;
	const char	*says;
} marks[] = {
	{ "promotion", 'P', "promotion" }, { "demotion", 'D', "demotion" },
	{ "fail", 'F', "says FAIL of !" }, { "pfail", 'f', "says PFAIL of !" },
	{ "back", '+', "says that o is back" }, { "vote", 'V', "vote" },
	{ "election", 'E', "election" }, { "epoch", 'e', "new epoch" },
	{ "pause", 'p', "pause" }, { "moved", 'm', "MOVED" }, { "ask", 'a', "ASK" },
	{ "clusterdown", 'c', "CLUSTERDOWN" }, { "tryagain", 't', "TRYAGAIN" },
	{ "window-opened", '[', "window opened" }, { "window-closed", ']', "window closed" },
	{ "connect-refused", 'x', "not reached" }, { "connect-timeout", 'x', NULL },
	{ "read-timeout", 'x', NULL }, { "reset", 'x', NULL }, { "closed", 'x', NULL },
	{ "unreachable", 'x', NULL }, { "server", 's', "other line of its log" },
	{ NULL, '*', "anything else" }
};

static char
mark_of(const char *kind)
{
	const struct mark	*m = marks;

	while (m->kind != NULL && strcmp(m->kind, kind) != 0)
		m++;
	return (m->mark);
}

static void
put_legend(struct page *p)
{
	struct buf	 b = { 0 };
	size_t		 i;

	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (marks[i].says != NULL)
			buf_fmt(&b, "%s%c %s", i > 0 ? ", " : "", marks[i].mark, marks[i].says);
	page_item(p, 0, 28, TONE_QUIET, "| alive, nothing new", "%s", buf_cstr(&b));
	buf_free(&b);
}

/* Names stand one below the other, each ending over its own column. */
static int
put_header(struct page *p, struct store *s, const char *incident, int *tracks, struct err *err)
{
	struct query	*q = NULL;
	int		 got = -1, i;

	*tracks = 0;
	if (query_open(&q, s, err, "SELECT addr, substr(id, 1, 8) "
	    "FROM track WHERE incident = ?1 ORDER BY track_id") == 0) {
		query_bind_text(q, 1, span_of(incident));
		while ((got = query_next(q, err)) == 1) {
			fprintf(p->f, "%-28s", "");
			for (i = 0; i < *tracks; i++)
				fputs("| ", p->f);
			page_flow(p, 28 + 2 * *tracks, 0, "%s (%s)", query_text(q, 0),
			    query_text(q, 1));
			++*tracks;
		}
	}
	query_close(q);
	return (got);
}

static void
put_line(struct page *p, const struct query *q, int tracks)
{
	char	 columns[2 * TRACKS_MOST + 1];
	int	 i, track = query_null(q, 2) ? 0 : (int)query_int(q, 2);
	int	 about = query_null(q, 5) ? 0 : (int)query_int(q, 5);
	char	 mark = mark_of(query_text(q, 1));

	for (i = 0; i < tracks; i++) {
		columns[2 * i] = (char)(i + 1 == track ? mark : i + 1 != about ? '|' :
		    mark == '+' ? 'o' : '!');
		columns[2 * i + 1] = ' ';
	}
	columns[2 * tracks] = '\0';
	fprintf(p->f, "%-28s%s", query_text(q, 0), columns);
	page_flow(p, 28 + 2 * tracks, 28 + 2 * tracks, "%s%s%s%s", query_text(q, 3),
	    query_null(q, 4) ? "" : "  [", query_text(q, 4), query_null(q, 4) ? "" : "]");
}

static void
put_name(struct page *p, const char *incident)
{
	page_line(p);
	page_item(p, 0, 0, TONE_TITLE, incident, "%s", "");
}

static int
put_incident(struct page *p, struct store *s, const char *incident, struct err *err)
{
	struct query	*q = NULL;
	int		 got = -1, tracks;

	if (put_header(p, s, incident, &tracks, err) == 0 &&
	    query_open(&q, s, err, "SELECT at_utc, kind, track_id, text, locus, about FROM happening "
	    "WHERE incident = ?1 ORDER BY r") == 0) {
		query_bind_text(q, 1, span_of(incident));
		while ((got = query_next(q, err)) == 1)
			put_line(p, q, tracks);
	}
	query_close(q);
	return (got);
}

static int
columns_write(struct store *s, FILE *f, const struct report_opts *o, struct err *err)
{
	struct query	*q = NULL;
	struct page	 p;
	int		 got = -1;

	if (scope_script(s, "sql/report/columns.sql", err) == -1)
		return (-1);
	page_init(&p, f, o);
	if (stale_head(&p, s, err) == 0) {
		put_legend(&p);
		got = query_open(&q, s, err, "SELECT incident, prefix FROM whose ORDER BY incident");
	}
	while (got == 0 && (got = query_next(q, err)) == 1) {
		if (!query_null(q, 1) && *query_text(q, 1) != '\0')
			put_name(&p, query_text(q, 0));
		got = put_incident(&p, s, query_text(q, 0), err);
	}
	query_close(q);
	page_free(&p);
	return (got);
}

const struct output output_columns = {
	"columns", "the timeline with a column per node", 
	OUTPUT_WIDTH | OUTPUT_COLOUR | OUTPUT_STALE, columns_write
};
