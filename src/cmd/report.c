#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "report/stale.h"
#include "store/query.h"
#include "store/same.h"

/* A device or a pipe takes it as it comes. */
static int
write_special(struct store *s, const struct output *o, struct args *a,
    struct err *e)
{
	FILE	*f = fopen(a->out, "w");
	int	 r;

	if (f == NULL)
		return (err_set(e, "%s: %s", a->out, strerror(errno)));
	r = output_write(o, s, f, &a->report, e);
	if (fclose(f) != 0 && r == 0)
		r = err_set(e, "%s: %s", a->out, strerror(errno));
	return (r);
}

/* A timeline is not to be lost to a slip of the finger. */
static int
is_database(const char *path)
{
	char	 head[16] = { 0 };
	FILE	*f = fopen(path, "r");
	size_t	 n;

	if (f == NULL)
		return (0);
	n = fread(head, 1, sizeof head, f);
	fclose(f);
	return (n == sizeof head && memcmp(head, "SQLite format 3", 16) == 0);
}

/* Is it the file that a source's name leads to?  A member of an archive is named
 * "archive:member". */
static int
is_file_of(const struct stat *out, const char *name)
{
	struct stat	 st;
	char		*path = mem_str(name), *colon;
	int		 found;

	while ((found = stat(path, &st)) != 0 && (colon = strrchr(path, ':')) != NULL)
		*colon = '\0';
	free(path);
	return (found == 0 && st.st_dev == out->st_dev && st.st_ino == out->st_ino);
}

int
spare_evidence(struct store *s, const struct args *a, struct err *e)
{
	struct query	*q = NULL;
	struct stat	 out;
	int		 i, got, r = 0;

	if (a->out == NULL || stat(a->out, &out) != 0 || !S_ISREG(out.st_mode))
		return (0);
	for (i = 1; i < a->nrest; i++)
		if (is_file_of(&out, a->rest[i]))
			return (err_usage(e, "-o %s: an input: a report would replace it",
			    a->out));
	if (query_open(&q, s, e, "SELECT name FROM source"
	    " WHERE kind <> 'unknown' OR status NOT IN ('skipped', 'duplicate')") != 0)
		r = -1;
	while (r == 0 && (got = query_next(q, e)) != 0)
		if (got < 0)
			r = -1;
		else if (is_file_of(&out, query_text(q, 0)))
			r = err_usage(e, "-o %s: a source of this timeline: a report would"
			    " replace it", a->out);
	query_close(q);
	/* Names are relative to where they were read from: contents are not. */
	if (r == 0 && strcmp(a->out, "-") != 0 && (got = same_in_file(s, a->out, e)) != 0)
		r = got < 0 ? -1 : err_usage(e, "-o %s: holds a source of this timeline: a"
		    " report would replace it", a->out);
	return (r);
}

/* Write beside the file and rename, so that it is whole or as before; a link in
 * its place is replaced, not followed. */
static int
write_file(struct store *s, const struct output *o, struct args *a,
    struct err *e)
{
	struct buf	 tmp = { 0 };
	FILE		*f = NULL;
	mode_t		 mask;
	int		 fd, r = -1;

	if (is_database(a->out))
		return (err_set(e, "%s is a database: a report would replace it", a->out));
	buf_fmt(&tmp, "%s.XXXXXX", a->out);
	(void)buf_cstr(&tmp);
	fd = mkstemp(tmp.p);
	if (fd < 0 || (f = fdopen(fd, "w")) == NULL) {
		err_set(e, "%s: %s", a->out, strerror(errno));
		if (fd >= 0) {
			close(fd);
			unlink(tmp.p);
		}
		goto out;
	}
	mask = umask(0);		/* mkstemp() is stricter than the user asked */
	umask(mask);
	fchmod(fd, 0666 & ~mask);
	r = output_write(o, s, f, &a->report, e);
	if (fclose(f) != 0 && r == 0)
		r = err_set(e, "%s: %s", a->out, strerror(errno));
	if (r == 0 && rename(tmp.p, a->out) != 0)
		r = err_set(e, "%s: %s", a->out, strerror(errno));
	if (r != 0)
		unlink(tmp.p);
out:
	buf_free(&tmp);
	return (r);
}

void
terminal_opts(struct args *a)
{
	const char	*no_colour = getenv("NO_COLOR");
	struct winsize	 ws;
	int		 tty = isatty(STDOUT_FILENO);

	/* What the command line says goes before what the environment does. */
	a->report.colour = a->colour > 0 || (a->colour == 0 && tty &&
	    (no_colour == NULL || *no_colour == '\0'));
	if (a->report.width == 0 && tty &&
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 0)
		a->report.width = ws.ws_col;
}

int
do_report(struct store *s, struct args *a, struct err *e)
{
	const struct output	*o = a->format != NULL ? output_find(a->format) :
	    outputs[0];
	struct stat		 st;

	if (spare_evidence(s, a, e) != 0)
		return (-1);
	if (!(o->takes & OUTPUT_STALE) && store_analyzed(s, e) == 0 &&
	    stale_tell(s, stderr, e) == -1)
		return (-1);
	if (a->out != NULL)
		return (stat(a->out, &st) == 0 && !S_ISREG(st.st_mode) ?
		    write_special(s, o, a, e) : write_file(s, o, a, e));
	terminal_opts(a);
	return (output_write(o, s, stdout, &a->report, e));
}

static int
run(struct args *a, struct err *e)
{
	struct store	*s = store_open(a->rest[0], STORE_READ, e);
	int		 r;

	if (s == NULL)
		return (-1);
	r = do_report(s, a, e);
	store_close(s);
	return (r);
}

const struct command cmd_report = {
	"report", "DB", "print the report", 1, 1,
	TAKES_REPORT | TAKES_TERMINAL, run
};
