#include <string.h>

#include "cmd/cmd.h"
#include "report/stale.h"
#include "store/print.h"
#include "store/script.h"

static int
list(void)
{
	const struct sql_file	*f;
	const char		*p;

	for (f = sql_files; f->name != NULL; f++) {
		if (strncmp(f->name, "sql/queries/", 12) != 0 &&
		    strncmp(f->name, "sql/fleet/", 10) != 0)
			continue;
		p = strncmp(f->text, "-- ", 3) == 0 ? f->text + 3 : "";
		printf("%.*s\t%.*s\n", (int)(strlen(f->name) - 8), f->name + 4,
		    (int)strcspn(p, "\n"), p);
	}
	return (DONE);
}

/* Rows have no place for it.  What a user asks of the base tables needs no
 * analysis. */
static int
tell_stale(struct store *s, int needed, struct err *e)
{
	struct err	 none = ERR_INIT;

	if (store_analyzed(s, needed ? e : &none) != 0)
		return (needed ? -1 : 0);
	return (stale_tell(s, stderr, e) == -1 ? -1 : 0);
}

static int
run(struct args *a, struct err *e)
{
	const struct sql_file	*f = NULL;
	struct store		*s;
	char			 name[200];
	int64_t			 n;

	if (a->nrest == 1)
		return (list());
	snprintf(name, sizeof name, "sql/%s.sql", a->rest[1]);
	f = script_find(name);
	if (f == NULL) {
		snprintf(name, sizeof name, "sql/queries/%s.sql", a->rest[1]);
		f = script_find(name);
	}
	if (f == NULL && strpbrk(a->rest[1], " \t\n;(") == NULL)
		return (err_usage(e, "%s: no such question; slotrace query DB"
		    " lists them", a->rest[1]));
	if ((s = store_open(a->rest[0], STORE_READ, e)) == NULL)
		return (-1);
	n = tell_stale(s, f != NULL, e);
	if (n == 0)
		n = f == NULL ? print_rows(s, a->rest[1], NULL, stdout, e) :
		    print_script(s, f, stdout, e);
	store_close(s);
	return (n < 0 ? -1 : DONE);
}

const struct command cmd_query = {
	"query", "DB [NAME|SQL]", "answer a documented question, or any SELECT",
	1, 2, 0, run
};
