#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/sandbox.h"
#include "cmd/cmd.h"
#include "store/log-rules.h"
#include "store/print.h"
#include "store/query.h"

const char *
default_incident(struct store *s, const char *path)
{
	static char	 name[256];
	const char	*base = strrchr(path, '/');
	struct query	*q = NULL;
	struct err	 e = ERR_INIT;
	size_t		 n;

	name[0] = '\0';
	if (query_open(&q, s, &e, "SELECT min(incident) FROM (SELECT incident FROM source"
	    " UNION SELECT incident FROM setting) HAVING count(*) = 1") == 0 &&
	    query_next(q, &e) == 1)
		snprintf(name, sizeof name, "%s", query_text(q, 0));
	query_close(q);
	if (name[0] != '\0')
		return (name);
	snprintf(name, sizeof name, "%s", base != NULL ? base + 1 : path);
	n = strlen(name);
	if (n > 3 && strcmp(name + n - 3, ".db") == 0)
		name[n - 3] = '\0';
	return (name);
}

static void
note(void *arg, const char *name, const char *kind, const char *status,
    int64_t records, const char *of)
{
	struct buf	 b = { 0 };

	progress_clear(arg);
	escape_terminal(&b, span_of(name));
	if (of != NULL && strcmp(of, name) == 0) {
		buf_str(&b, "  (read before)");
	} else if (of != NULL) {
		buf_str(&b, "  (the same as ");
		escape_terminal(&b, span_of(of));
		buf_chr(&b, ')');
	}
	printf("%-14s %-10s %9lld  %s\n", kind, status, (long long)records,
	    buf_cstr(&b));
	buf_free(&b);
}

static int
newest_source(struct store *s, char *id, size_t n, struct err *e)
{
	struct query	*q = NULL;
	int		 got = query_open(&q, s, e, "SELECT coalesce(max(source_id), 0) FROM source");

	if (got == 0 && (got = query_next(q, e)) == 1)
		snprintf(id, n, "%s", query_text(q, 0));
	query_close(q);
	return (got == 1 ? 0 : -1);
}

/* What was read, source by source, and what it gave. */
static const char	 given[] =
    "SELECT kind, status, bytes, records,"
    " (SELECT count(*) FROM view v WHERE v.source_id = s.source_id) AS views,"
    " (SELECT count(*) FROM redirect r WHERE r.source_id = s.source_id) AS redirects,"
    " (SELECT count(*) FROM contact c WHERE c.source_id = s.source_id) AS contacts,"
    " (SELECT count(*) FROM client_error c WHERE c.source_id = s.source_id) AS errors,"
    " (SELECT count(*) FROM server_event v WHERE v.source_id = s.source_id) AS events,"
    " problems, name AS source FROM source s WHERE source_id > CAST(?1 AS INTEGER)"
    " ORDER BY source_id";

/* A path that is not there is said at once, not only in the timeline. */
static void
tell_missing(char *const *paths, int n)
{
	struct err	 e = ERR_INIT;
	int		 i;

	for (i = 0; i < n; i++) {
		if (strcmp(paths[i], "-") == 0 || access(paths[i], R_OK) == 0)
			continue;
		err_set(&e, "%s: %s", paths[i], strerror(errno));
		err_print(&e, stderr, "slotrace");
	}
}

/* Where SQLite puts its temporary files: the first that can be written to. */
static const char *
temporary(void)
{
	static const char *const	 common[] = { "/var/tmp", "/usr/tmp", "/tmp" };
	static const char *const	 named[] = { "SQLITE_TMPDIR", "TMPDIR" };
	const char			*dir;
	size_t				 i;

	for (i = 0; i < 2; i++)
		if ((dir = getenv(named[i])) != NULL && access(dir, W_OK | X_OK) == 0)
			return (dir);
	for (i = 0; i < 3; i++)
		if (access(common[i], W_OK | X_OK) == 0)
			return (common[i]);
	return (".");
}

/* From here on foreign bytes are read. */
static void
confine(const struct store *s, const struct args *a)
{
	const char	*spool = getenv("TMPDIR");
	const char	*paths[] = { store_path(s), temporary(),
	    spool != NULL && *spool != '\0' ? spool : "/tmp", a->out, NULL };

	if (getenv("SLOTRACE_NO_SANDBOX") == NULL)
		(void)sandbox_enter(paths);
}

int
do_ingest(struct store *s, struct args *a, struct ingest_result *result,
    FILE *told, struct err *e)
{
	char		 before[32];
	const char	*params[] = { before, NULL };
	int		 rc;

	a->ingest.incident = a->incident != NULL ? a->incident :
	    default_incident(s, store_path(s));
	if (a->nset > 0 && do_sets(s, a->ingest.incident, a->set, a->nset, e) != 0)
		return (-1);
	if (a->rules != NULL && log_rules_add(s, a->rules, e) != 0)
		return (-1);
	if (newest_source(s, before, sizeof before, e) != 0)
		return (-1);
	tell_missing(a->rest + 1, a->nrest - 1);
	confine(s, a);
	if (!a->quiet)
		progress_begin(&a->progress, a->rest + 1, a->nrest - 1);
	a->ingest.arg = &a->progress;
	rc = (a->batch ? ingest_batch : ingest)(s, a->rest + 1, a->nrest - 1,
	    &a->ingest, result, e);
	progress_end(&a->progress);
	if (rc == 0 && a->verbose && print_rows(s, given, params, told, e) < 0)
		return (-1);
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
	r = do_ingest(s, a, &result, stdout, e);
	/* Of inputs that none could be read of, the timeline tells; of a wrong
	 * option it has nothing to tell. */
	if (r != 0 && result.sources == 0)
		store_discard(s);
	else
		store_close(s);
	return (r != 0 ? -1 : ingest_status(&result, e));
}

const struct command cmd_ingest = {
	"ingest", "DB PATH...", "read files, folders, archives, - into DB", 2,
	-1, TAKES_INGEST, run
};
