#include <stdio.h>

#include "cmd/cmd.h"
#include "store/script.h"
#include "store/print.h"
#include "store/query.h"

/* Ingested only, a timeline has no derived tables to check: 1, 0, -1. */
static int
analysed(struct store *s, struct err *e)
{
	struct query	*q;
	int		 found = -1;

	if (query_open(&q, s, e, "SELECT 1 FROM sqlite_schema"
	    " WHERE name = 'summary' AND type = 'view'") == 0)
		found = query_next(q, e);
	query_close(q);
	return (found);
}

static int
run(struct args *a, struct err *e)
{
	const struct sql_file	*f = script_find("sql/900-check.sql");
	struct store		*s = store_open(a->rest[0], STORE_READ, e);
	int64_t			 broken, breaches = 0;
	int			 derived;

	if (s == NULL)
		return (-1);
	broken = print_integrity(s, stdout, e);
	derived = broken < 0 ? -1 : analysed(s, e);
	if (derived == 1)
		breaches = print_script(s, f, stdout, e);
	store_close(s);
	if (derived < 0 || breaches < 0)
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
