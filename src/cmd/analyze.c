#include "cmd/cmd.h"
#include "store/script.h"

static int
run(struct args *a, struct err *e)
{
	struct store	*s = store_open(a->rest[0], STORE_WRITE, e);
	int		 r;

	if (s == NULL)
		return (-1);
	r = script_analyze(store_db(s), e);
	store_close(s);
	return (r);
}

const struct command cmd_analyze = {
	"analyze", "DB", "reconstruct windows and judge errors", 1, 1, 0, run
};
