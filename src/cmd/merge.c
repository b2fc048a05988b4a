#include "cmd/cmd.h"
#include "store/edit.h"
#include "store/script.h"

static int
run(struct args *a, struct err *e)
{
	struct store	*s = store_open(a->rest[0], STORE_CREATE, e);
	int		 i, r = 0;

	if (s == NULL)
		return (-1);
	for (i = 1; i < a->nrest && r == 0; i++)
		r = edit_merge(s, a->rest[i], e);
	if (r == 0)
		r = script_analyze(store_db(s), e);
	store_close(s);
	return (r < 0 ? -1 : DONE);
}

const struct command cmd_merge = {
	"merge", "OUT DB...", "put timelines together and analyze the whole", 2,
	-1, 0, run
};
