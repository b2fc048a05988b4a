#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "store/log-rules.h"

const char *
default_incident(const char *path)
{
	static char	 name[256];
	const char	*base = strrchr(path, '/');
	size_t		 n;

	snprintf(name, sizeof name, "%s", base != NULL ? base + 1 : path);
	n = strlen(name);
	if (n > 3 && strcmp(name + n - 3, ".db") == 0)
		name[n - 3] = '\0';
	return (name);
}

static void
note(void *arg, const char *name, const char *kind, const char *status,
    int64_t records)
{
	struct buf	 b = { 0 };

	(void)arg;
	escape_terminal(&b, span_of(name));
	printf("%-14s %-10s %9lld  %s\n", kind, status, (long long)records,
	    buf_cstr(&b));
	buf_free(&b);
}

int
do_ingest(struct store *s, struct args *a, struct ingest_result *result,
    struct err *e)
{
	struct rules	*rules;
	int		 i, rc;

	a->ingest.incident = a->incident != NULL ? a->incident :
	    default_incident(store_path(s));
	for (i = 0; i < a->nset; i++)
		if (do_set(s, a->ingest.incident, a->set[i], e) != 0)
			return (-1);
	if (a->rules != NULL && log_rules_add(s, a->rules, e) != 0)
		return (-1);
	if ((rules = log_rules_read(s, e)) == NULL)
		return (-1);
	a->ingest.ctx.rules = rules;
	rc = (a->batch ? ingest_batch : ingest)(s, a->rest + 1, a->nrest - 1,
	    &a->ingest, result, e);
	a->ingest.ctx.rules = NULL;
	rules_free(rules);
	return (rc);
}

int
ingest_status(const struct ingest_result *r, struct err *e)
{
	if (r->sources == 0) {
		err_set(e, "nothing could be read; slotrace inspect says why");
		return (FAILED);
	}
	return (r->damaged > 0 || r->named_bad > 0 ? DAMAGED : DONE);
}

static int
run(struct args *a, struct err *e)
{
	struct ingest_result	 result;
	struct store		*s = store_open(a->rest[0], STORE_CREATE, e);
	int			 r;

	if (s == NULL)
		return (-1);
	memset(&result, 0, sizeof result);
	a->ingest.note = a->quiet ? NULL : note;
	r = do_ingest(s, a, &result, e);
	store_close(s);
	return (r != 0 ? -1 : ingest_status(&result, e));
}

const struct command cmd_ingest = {
	"ingest", "DB PATH...", "read files, folders, archives, - into DB", 2,
	-1, TAKES_INGEST, run
};
