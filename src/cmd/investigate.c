#include <string.h>

#include "cmd/cmd.h"
#include "store/print.h"

/* The view `summary` as one object an incident, and how the reading went. */
static int
summary(struct store *s, const struct ingest_result *r, int status,
    struct err *e)
{
	char	 more[200];

	snprintf(more, sizeof more, "\"exit_status\":%d,\"sources\":%lld,"
	    "\"damaged\":%lld,\"unrecognised\":%lld", status,
	    (long long)r->sources, (long long)r->damaged,
	    (long long)r->unrecognised);
	return (print_json(s, "SELECT * FROM summary ORDER BY incident", more,
	    stdout, e) < 0 ? -1 : 0);
}

static int
run(struct args *a, struct err *e)
{
	struct ingest_result	 result;
	struct store		*s = store_open(a->rest[0], STORE_CREATE, e);
	int			 r, status = DONE;

	if (s == NULL)
		return (-1);
	memset(&result, 0, sizeof result);
	r = spare_evidence(s, a, e);		/* before the work, not after it */
	if (r == 0)
		r = do_ingest(s, a, &result, stderr, e);	/* the report has stdout */
	if (r == 0)
		status = ingest_status(&result, e);
	if (r == 0 && status != FAILED) {
		progress_say(&a->progress, "analyzing");
		r = do_analyze(s, a, e);
		progress_clear(&a->progress);
	}
	if (r == 0 && status != FAILED)
		r = a->summary_json ? summary(s, &result, status, e) :
		    do_report(s, a, e);
	if (result.sources == 0)
		store_discard(s);
	else
		store_close(s);
	return (r != 0 ? -1 : status);
}

const struct command cmd_investigate = {
	"investigate", "DB PATH...", "ingest, analyze and report", 2, -1,
	TAKES_INGEST | TAKES_REPORT | TAKES_TERMINAL | TAKES_SUMMARY |
	TAKES_ANALYSIS, run
};
