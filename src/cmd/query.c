#include <string.h>

#include "base/buf.h"
#include "cmd/cmd.h"
#include "report/stale.h"
#include "store/print.h"
#include "store/script.h"

/* "queries/", "fleet/". */
static int
is_question(const struct sql_file *f)
{
	return (strncmp(f->name, "sql/queries/", 12) == 0 ||
	    strncmp(f->name, "sql/fleet/", 10) == 0);
}

static int
list(void)
{
	const struct sql_file	*f;
	const char		*p;

	for (f = sql_files; f->name != NULL; f++) {
		if (!is_question(f))
			continue;
		p = strncmp(f->text, "-- ", 3) == 0 ? f->text + 3 : "";
		printf("%.*s\t%.*s\n", (int)(strlen(f->name) - 8), f->name + 4,
		    (int)strcspn(p, "\n"), p);
	}
	return (DONE);
}

/* A question by its name, with or without its folder: one of an incident goes before
 * one of a fleet. */
static const struct sql_file *
find_question(const char *asked)
{
	static const char *const	 folders[] = { "", "queries/", "fleet/" };
	const struct sql_file		*f = NULL;
	struct buf			 name = { 0 };
	size_t				 i;

	for (i = 0; i < sizeof folders / sizeof folders[0] && f == NULL; i++) {
		name.n = 0;
		buf_fmt(&name, "sql/%s%s.sql", folders[i], asked);
		f = script_find(buf_cstr(&name));
		if (f != NULL && !is_question(f))
			f = NULL;
	}
	buf_free(&name);
	return (f);
}

/* The names, a fleet's with its folder where an incident's is called so too. */
static int
no_question(const char *asked, struct err *e)
{
	const struct sql_file	*f;
	const char		*name;
	char			 text[400] = "";
	size_t			 n = 0;
	char			 bare[64];

	for (f = sql_files; f->name != NULL; f++) {
		if (!is_question(f))
			continue;
		name = strchr(f->name + 4, '/') + 1;
		snprintf(bare, sizeof bare, "%.*s", (int)strcspn(name, "."), name);
		if (find_question(bare) != f)
			snprintf(bare, sizeof bare, "%.*s", (int)strcspn(f->name + 4, "."),
			    f->name + 4);
		if (n < sizeof text)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%s",
			    n > 0 ? ", " : "", bare);
	}
	return (err_usage(e, "%s: no such question; there are %s", asked, text));
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
	int64_t			 n;

	if (a->nrest == 1)
		return (list());
	f = find_question(a->rest[1]);
	if (f == NULL && strpbrk(a->rest[1], " \t\n;(") == NULL)
		return (no_question(a->rest[1], e));
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
