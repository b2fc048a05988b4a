#include <stdlib.h>

#include "cmd/cmd.h"
#include "store/edit.h"
#include "store/print.h"

static int
declare(struct store *s, const char *source, const char *ms, struct err *e)
{
	char	*end;
	double	 v = strtod(ms, &end);
	int	 n;

	if (*ms == '\0' || *end != '\0' || !(v > -1e12 && v < 1e12))
		return (err_set(e, "%s: not a number of milliseconds", ms));
	if ((n = edit_clock(s, source, (int64_t)(v * 1000), e)) < 0)
		return (-1);
	if (n == 0)
		return (err_set(e, "%s: no such source", source));
	printf("%d source%s; slotrace analyze applies it\n", n,
	    n == 1 ? "" : "s");
	return (0);
}

static int
run(struct args *a, struct err *e)
{
	struct store	*s;
	int		 r;

	if (a->nrest == 2)
		return (err_set(e, "usage: slotrace clock DB [SOURCE MS]"));
	s = store_open(a->rest[0], a->nrest == 3 ? STORE_WRITE : STORE_READ, e);
	if (s == NULL)
		return (-1);
	if (a->nrest == 3)
		r = declare(s, a->rest[1], a->rest[2], e);
	else
		r = print_rows(s, "SELECT source, clock_offset_ms, clock_basis"
		    " FROM input WHERE status IN ('read','partial')"
		    " ORDER BY incident, source", NULL, stdout, e) < 0 ? -1 : 0;
	store_close(s);
	return (r);
}

const struct command cmd_clock = {
	"clock", "DB [SOURCE MS]", "show clock offsets, or declare one", 1, 3, 0,
	run
};
