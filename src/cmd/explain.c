#include <stdlib.h>

#include "cmd/cmd.h"
#include "report/explain.h"

static int
run(struct args *a, struct err *e)
{
	struct store	*s = store_open(a->rest[0], STORE_READ, e);
	int		 r;

	if (s == NULL)
		return (-1);
	terminal_opts(a);
	r = explain_write(s, stdout, &a->report, a->rest[1], a->rest[2], e);
	store_close(s);
	return (r);
}

const struct command cmd_explain = {
	"explain", "DB error N|E-xxxxxx|window N",
	"why an error was judged so, what a window rests on", 3, 3,
	TAKES_INCIDENT | TAKES_TERMINAL, run
};
