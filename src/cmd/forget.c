#include "cmd/cmd.h"
#include "store/edit.h"

static int
run(struct args *a, struct err *e)
{
	struct store	*s = store_open(a->rest[0], STORE_WRITE, e);
	int		 i, n = 0;

	if (s == NULL)
		return (-1);
	for (i = 1; i < a->nrest && n >= 0; i++) {
		n = edit_forget(s, a->rest[i], e);
		if (n == 0)
			n = err_set(e, "%s: no such source", a->rest[i]);
		else if (n > 0)
			printf("forgot %d source%s; slotrace analyze judges"
			    " anew\n", n, n == 1 ? "" : "s");
	}
	store_close(s);
	return (n < 0 ? -1 : 0);
}

const struct command cmd_forget = {
	"forget", "DB SOURCE|PATTERN...", "remove sources and what they said", 2, -1, 0,
	run
};
