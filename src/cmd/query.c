#include <string.h>

#include "cmd/cmd.h"
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
	if (f == NULL)
		n = print_rows(s, a->rest[1], NULL, stdout, e);
	else
		n = store_analyzed(s, e) == 0 ? print_script(s, f, stdout, e) : -1;
	store_close(s);
	return (n < 0 ? -1 : DONE);
}

const struct command cmd_query = {
	"query", "DB [NAME|SQL]", "answer a documented question, or any SELECT",
	1, 2, 0, run
};
