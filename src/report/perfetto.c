/*
 * perfetto.c - Chrome trace JSON; the events are made in
 * sql/report/perfetto.sql.
 */
#include "base/escape.h"
#include "report/formats.h"
#include "report/scope.h"
#include "store/query.h"

static int
perfetto_write(struct store *s, FILE *f, const struct report_opts *o, struct err *err)
{
	struct query	*q = NULL;
	struct buf	 b = { 0 };
	int		 got = -1, n = 0;

	(void)o;
	if (scope_script(s, "sql/report/lanes.sql", err) == -1 ||
	    scope_script(s, "sql/report/perfetto.sql", err) == -1)
		return (-1);
	fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", f);
	if (query_open(&q, s, err, "SELECT json FROM temp.event ORDER BY event_id") == 0) {
		while ((got = query_next(q, err)) == 1) {
			b.n = 0;
			escape_json(&b, query_span(q, 0));
			fputs(n++ == 0 ? "\n" : ",\n", f);
			fwrite(b.p, 1, b.n, f);
		}
	}
	fputs("\n]}\n", f);
	query_close(q);
	buf_free(&b);
	return (got);
}

const struct output output_perfetto = {
	"perfetto", "Chrome trace JSON for ui.perfetto.dev", 0, perfetto_write
};
