#include "cmd/cmd.h"
#include "store/script.h"

int
do_analyze(struct store *s, const struct args *a, struct err *e)
{
	static const char	*const set[] = { "clock_correction=0" };

	if (a->no_clock && do_sets(s, "", set, 1, e) != 0)
		return (-1);
	return (script_analyze(store_db(s), e));
}

static int
run(struct args *a, struct err *e)
{
	struct store	*s = store_open(a->rest[0], STORE_WRITE, e);
	int		 r;

	if (s == NULL)
		return (-1);
	r = do_analyze(s, a, e);
	store_close(s);
	return (r);
}

const struct command cmd_analyze = {
	"analyze", "DB", "reconstruct windows and judge errors", 1, 1,
	TAKES_ANALYSIS, run
};
