#include <stdio.h>

#include "cmd/cmd.h"
#include "report/stale.h"
#include "store/script.h"
#include "store/print.h"

static int
run(struct args *a, struct err *e)
{
	const struct sql_file	*f = script_find("sql/900-check.sql");
	struct store		*s = store_open(a->rest[0], STORE_READ, e);
	int64_t			 broken, breaches = 0;
	int			 stale;
	struct err		 none = ERR_INIT;

	if (s == NULL)
		return (-1);
	broken = print_integrity(s, stdout, e);
	/* Ingested only, a timeline has no derived tables to check; and those of
	 * an analysis that is out of date are known not to fit. */
	if (broken >= 0 && store_analyzed(s, &none) == 0 &&
	    (stale = stale_tell(s, stderr, e)) != 1)
		breaches = stale < 0 ? -1 : print_script(s, f, stdout, e);
	store_close(s);
	if (broken < 0 || breaches < 0)
		return (-1);
	if (broken + breaches > 0) {
		err_set(e, "the timeline breaks its own rules");
		return (FAILED);
	}
	printf("ok\n");
	return (DONE);
}

const struct command cmd_check = {
	"check", "DB", "check that DB is whole and consistent", 1, 1, 0, run
};
