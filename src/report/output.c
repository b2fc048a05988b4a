/*
 * output.c - the table of formats.
 */
#include "report/output.h"

#include <errno.h>
#include <string.h>

#include "report/formats.h"
#include "report/scope.h"

const struct output *const outputs[] = {
	&output_text, &output_markdown, &output_html, &output_json,
	&output_ndjson, &output_csv, &output_tsv, &output_columns,
	&output_perfetto, NULL
};

const struct report_view report_views[] = {
	{ "failover_error", "error_id" },
	{ "window", "window_id" },
	{ "error_condition", "error_id, condition" },
	{ "window_condition", "window_id, condition" },
	{ "window_observer", "window_id, flipped_after, flipped_by, observer" },
	{ "error_evidence", "error_id, at, role, source, position, text" },
	{ "slot_owner", "incident, first_at, observer, slots, source, position" },
	{ "timeline", "at, kind, observer, subject, slots, source, position, detail" },
	{ "connect_storm", "at, endpoint, command" },
	{ "input", "incident, source" },
	{ "summary", "incident" },
	{ NULL, NULL }
};

const struct output *
output_find(const char *name)
{
	int	 i;

	for (i = 0; outputs[i] != NULL; i++) {
		if (strcmp(outputs[i]->name, name) == 0)
			return (outputs[i]);
	}
	return (NULL);
}

const struct report_view *
report_view_find(const char *name)
{
	const struct report_view	*v;

	for (v = report_views; v->name != NULL; v++) {
		if (strcmp(v->name, name) == 0)
			return (v);
	}
	return (NULL);
}

int
output_write(const struct output *out, struct store *s, FILE *f,
    const struct report_opts *o, struct err *err)
{
	int	 rv;

	if (scope_open(s, o, err) == -1)
		return (-1);
	rv = out->write(s, f, o, err);
	scope_close(s);
	if (rv == 0 && (fflush(f) != 0 || ferror(f)))
		return (err_set(err, "cannot write: %s", strerror(errno)));
	return (rv);
}
