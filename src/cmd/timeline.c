#include "cmd/cmd.h"

static int
run(struct args *a, struct err *e)
{
	struct store	*s = store_open(a->rest[0], STORE_READ, e);
	int		 r;

	if (s == NULL)
		return (-1);
	if (a->report.view == NULL)
		a->report.view = "timeline";
	if (a->format == NULL)
		a->format = "columns";
	r = do_report(s, a, e);
	store_close(s);
	return (r);
}

const struct command cmd_timeline = {
	"timeline", "DB", "print all that happened, in order", 1, 1,
	TAKES_REPORT | TAKES_TERMINAL, run
};
