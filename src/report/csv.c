/*
 * csv.c - one view as a table: names in the first line, RFC 4180 quoting, an
 * empty field for NULL.
 */
#include <stdlib.h>

#include "base/escape.h"
#include "report/formats.h"
#include "store/query.h"

static void
put_row(struct buf *b, const struct query *q, int names, char sep)
{
	int	 i;

	b->n = 0;
	for (i = 0; i < query_columns(q); i++) {
		if (i > 0)
			buf_chr(b, sep);
		if (names)
			buf_str(b, query_name(q, i));
		else if (query_number(q, i))	/* -5 is no formula */
			buf_str(b, query_text(q, i));
		else
			escape_csv(b, query_span(q, i), sep);
	}
	buf_chr(b, '\n');
}

static int
write_table(struct store *s, FILE *f, const struct report_opts *o, char sep, struct err *err)
{
	const struct report_view	*v;
	struct buf			 b = { 0 };
	struct query			*q = NULL;
	int				 got = -1;

	v = report_view_find(o->view != NULL ? o->view : "failover_error");
	if (v == NULL)
		return (err_set(err, "no such view: %s", o->view));
	buf_fmt(&b, "SELECT * FROM temp.%s ORDER BY %s", v->name, v->order);
	if (query_open(&q, s, err, buf_cstr(&b)) == 0) {
		put_row(&b, q, 1, sep);
		fwrite(b.p, 1, b.n, f);
		while ((got = query_next(q, err)) == 1) {
			put_row(&b, q, 0, sep);
			fwrite(b.p, 1, b.n, f);
		}
	}
	query_close(q);
	buf_free(&b);
	return (got);
}

static int
csv_write(struct store *s, FILE *f, const struct report_opts *o, struct err *err)
{
	return (write_table(s, f, o, ',', err));
}

static int
tsv_write(struct store *s, FILE *f, const struct report_opts *o, struct err *err)
{
	return (write_table(s, f, o, '\t', err));
}

const struct output output_csv = {
	"csv", "one view (--view) as comma-separated values", OUTPUT_VIEW, csv_write
};

const struct output output_tsv = {
	"tsv", "one view (--view) as tab-separated values", OUTPUT_VIEW, tsv_write
};
