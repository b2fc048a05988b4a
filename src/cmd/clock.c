#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "store/edit.h"
#include "store/print.h"

/* "1700", "1700ms", "+1.7s" in microseconds. */
static int
offset_of(const char *text, int64_t *us, struct err *e)
{
	char	*end;
	double	 v = strtod(text, &end);

	if (strcmp(end, "s") == 0)
		v *= 1000;
	else if (strcmp(end, "ms") != 0 && *end != '\0')
		end = NULL;
	if (end == NULL || end == text || !(v > -1e12 && v < 1e12))
		return (err_usage(e, "%s: not an offset, as 1700, 1700ms or"
		    " +1.7s", text));
	*us = (int64_t)(v * 1000 + (v < 0 ? -0.5 : 0.5));
	return (0);
}

static int
declare(struct store *s, const char *source, int64_t us, struct err *e)
{
	int	 n = edit_clock(s, source, us, e);

	if (n < 0)
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
	int64_t		 us = 0;
	int		 r;

	if (a->nrest == 2)
		return (err_usage(e, "usage: slotrace clock DB [SOURCE|PATTERN OFFSET]"));
	if (a->nrest == 3 && offset_of(a->rest[2], &us, e) != 0)
		return (-1);
	s = store_open(a->rest[0], a->nrest == 3 ? STORE_WRITE : STORE_READ, e);
	if (s == NULL)
		return (-1);
	if (a->nrest == 3)
		r = declare(s, a->rest[1], us, e);
	else
		r = print_rows(s, "SELECT s.name AS source,"
		    " k.offset_us / 1000.0 AS offset_ms,"
		    " k.uncertainty_us / 1000.0 AS uncertainty_ms, k.basis,"
		    " k.detail FROM source s JOIN source_clock k USING"
		    " (source_id) WHERE s.status IN ('read','partial')"
		    " ORDER BY s.incident, s.name", NULL, stdout, e) < 0 ? -1 : 0;
	store_close(s);
	return (r);
}

const struct command cmd_clock = {
	"clock", "DB [SOURCE|PATTERN OFFSET]", "show clock offsets, or declare one", 1, 3, 0,
	run
};
