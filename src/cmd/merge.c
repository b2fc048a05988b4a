#include "cmd/cmd.h"
#include "store/edit.h"
#include "store/script.h"
#include "store/store.h"

/* All of them before any: the timeline is left as it was if one is none. */
static int
check_shards(char *const *path, int n, struct err *e)
{
	struct store	*s;
	int		 i;

	for (i = 0; i < n; i++) {
		if ((s = store_open(path[i], STORE_READ, e)) == NULL)
			return (-1);
		store_close(s);
	}
	return (0);
}

static int
run(struct args *a, struct err *e)
{
	struct store	*s;
	int		 i, r = 0;

	if (check_shards(a->rest + 1, a->nrest - 1, e) != 0 ||
	    (s = store_open(a->rest[0], STORE_CREATE, e)) == NULL)
		return (-1);
	for (i = 1; i < a->nrest && r == 0; i++)
		r = edit_merge(s, a->rest[i], e);
	if (r == 0)
		r = script_analyze(store_db(s), e);
	if (r < 0)
		store_discard(s);
	else
		store_close(s);
	return (r < 0 ? -1 : DONE);
}

const struct command cmd_merge = {
	"merge", "OUT DB...", "put timelines together and analyze the whole", 2,
	-1, 0, run
};
