#include "cmd/cmd.h"
#include "store/print.h"

/* Without a timeline: the rules that are built in. */
static int
run(struct args *a, struct err *e)
{
	struct store	*s = store_open(a->nrest > 0 ? a->rest[0] : ":memory:",
	    a->nrest > 0 ? STORE_READ : STORE_CREATE, e);
	int64_t		 n;

	if (s == NULL)
		return (-1);
	n = print_rows(s, "SELECT name, client, versions, kind, pattern, budget,"
	    " backoff_ms, example FROM log_rule ORDER BY client, name", NULL,
	    stdout, e);
	store_close(s);
	return (n < 0 ? -1 : DONE);
}

const struct command cmd_rules = {
	"rules", "[DB]", "list the rules that read client logs", 0, 1, 0, run
};
