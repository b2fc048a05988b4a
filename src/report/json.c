/*
 * json.c - the query surface as JSON: one document, or one object a line.
 *
 * The objects are made by SQLite, with the column names as keys, so that
 * whoever reads the one knows the other:
 *
 *	{ "format": "slotrace-report", "version": 1, "stale": [],
 *	  "summary": [ {...} ], "story": [ {...} ], "advice": [ {...} ],
 *	  "fact": [ {...} ], "window": [ {...} ], ... }
 *
 * A line of ndjson has the name of its view under "view".  Errors have their
 * short name under "name".
 */
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "report/formats.h"
#include "store/query.h"

/* Without a choice, all of these, but not `timeline`, which repeats the rest
 * row by row; --view timeline gives it. */
static const struct report_view parts[] = {
	{ "stale", "sentence" },
	{ "summary", "incident" },
	{ "story", "incident, rank" },
	{ "advice", "incident, rank" },
	{ "fact", "incident, rank" },
	{ "error_group", "group_id" },
	{ "window", "window_id" },
	{ "window_condition", "window_id, condition" },
	{ "window_observer", NULL },
	{ "failover_error", "error_id" },
	{ "error_condition", "error_id, condition" },
	{ "error_evidence", NULL },
	{ "connect_storm", NULL },
	{ "slot_owner", NULL },
	{ "clock_said", "incident, rank, source" },
	{ "loss", "incident, source, code" },
	{ "assumed", "incident, name, basis, value" },
	{ "input", "incident, source" },
};

/* SELECT json_object('a', a, ...) FROM view ORDER BY ... */
static int
objects(struct query **out, struct store *s, const struct report_view *v, int with_view,
    struct err *err)
{
	struct buf	 sql = { 0 };
	struct query	*columns = NULL;
	int		 i, rv;

	*out = NULL;
	buf_fmt(&sql, "SELECT * FROM temp.%s LIMIT 0", v->name);
	rv = query_open(&columns, s, err, buf_cstr(&sql));
	sql.n = 0;
	buf_str(&sql, "SELECT json_object(");
	if (with_view)
		buf_fmt(&sql, "'view', '%s', ", v->name);
	if (strcmp(v->name, "failover_error") == 0)
		buf_str(&sql, "'name', (SELECT n.name FROM error_name n WHERE n.error_id = t.error_id), ");
	for (i = 0; rv == 0 && i < query_columns(columns); i++)
		buf_fmt(&sql, "%s'%s', t.\"%s\"", i > 0 ? ", " : "", query_name(columns, i),
		    query_name(columns, i));
	buf_fmt(&sql, ") FROM temp.%s t", v->name);
	if (v->order != NULL)
		buf_fmt(&sql, " ORDER BY %s", v->order);
	else		/* every column, by number */
		for (i = 0; rv == 0 && i < query_columns(columns); i++)
			buf_fmt(&sql, "%s t.\"%s\"", i > 0 ? "," : " ORDER BY",
			    query_name(columns, i));
	query_close(columns);
	if (rv == 0)
		rv = query_open(out, s, err, buf_cstr(&sql));
	buf_free(&sql);
	return (rv);
}

static int
write_rows(struct store *s, FILE *f, const struct report_view *v, int lines, struct err *err)
{
	struct query	*q;
	struct buf	 b = { 0 };
	int		 got = -1, n = 0;

	if (objects(&q, s, v, lines, err) == 0) {
		while ((got = query_next(q, err)) == 1) {
			b.n = 0;
			escape_json(&b, query_span(q, 0));
			fprintf(f, "%s%.*s%s", lines ? "" : n++ == 0 ? "\n    " : ",\n    ",
			    (int)b.n, b.p, lines ? "\n" : "");
		}
	}
	query_close(q);
	buf_free(&b);
	return (got);
}

static int
write_part(struct store *s, FILE *f, const struct report_view *v, int lines, struct err *err)
{
	int	 rv;

	if (!lines)
		fprintf(f, ",\n  \"%s\": [", v->name);
	rv = write_rows(s, f, v, lines, err);
	if (!lines)
		fputs("]", f);
	return (rv);
}

static int
write_json(struct store *s, FILE *f, const struct report_opts *o, int lines, struct err *err)
{
	const struct report_view	*v;
	size_t				 i, n = sizeof(parts) / sizeof(parts[0]);
	int				 rv = 0;

	v = o->view != NULL ? report_view_find(o->view) : NULL;
	if (o->view != NULL && v == NULL)
		return (err_set(err, "no such view: %s", o->view));
	if (!lines)
		fputs("{\n  \"format\": \"slotrace-report\",\n  \"version\": 1", f);
	if (v != NULL)
		rv = write_part(s, f, &parts[0], lines, err);
	for (i = 0; i < (v != NULL ? 1 : n) && rv == 0; i++)
		rv = write_part(s, f, v != NULL ? v : &parts[i], lines, err);
	if (!lines)
		fputs("\n}\n", f);
	return (rv);
}

static int
json_write(struct store *s, FILE *f, const struct report_opts *o, struct err *err)
{
	return (write_json(s, f, o, 0, err));
}

static int
ndjson_write(struct store *s, FILE *f, const struct report_opts *o, struct err *err)
{
	return (write_json(s, f, o, 1, err));
}

const struct output output_json = {
	"json", "one JSON document, column names as keys", OUTPUT_VIEW | OUTPUT_STALE, json_write
};

const struct output output_ndjson = {
	"ndjson", "one JSON object a line", OUTPUT_VIEW | OUTPUT_STALE, ndjson_write
};
