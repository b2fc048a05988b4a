#include "base/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/stream.h"

enum { FOLDERS_DEEP = 64 };

static const struct {
	const char	*name;
	size_t		 offset;
} limit_names[] = {
	{ "depth", offsetof(struct walk_limits, depth) },
	{ "members", offsetof(struct walk_limits, members) },
	{ "bytes", offsetof(struct walk_limits, bytes) },
	{ "ratio", offsetof(struct walk_limits, ratio) },
	{ "spool", offsetof(struct walk_limits, spool) },
};

int
walk_limit_set(struct walk_limits *l, const char *text, struct err *e)
{
	size_t		 i, n = strcspn(text, "=");
	char		*end;
	long long	 v;

	for (i = 0; i < sizeof limit_names / sizeof *limit_names; i++) {
		if (strlen(limit_names[i].name) != n ||
		    strncmp(limit_names[i].name, text, n) != 0)
			continue;
		errno = 0;
		v = text[n] == '=' ? strtoll(text + n + 1, &end, 10) : 0;
		if (v < 1 || *end != '\0' || errno != 0)
			return (err_set(e, "%s: not a positive number", text));
		*(int64_t *)((char *)l + limit_names[i].offset) = v;
		return (0);
	}
	return (err_set(e, "%s: no such limit (depth, members, bytes, ratio,"
	    " spool)", text));
}

void
visit_init(struct visit *v)
{
	struct walk_limits	 limits = WALK_LIMITS;

	memset(v, 0, sizeof *v);
	v->budget.limits = limits;
	v->budget.spool_fd = -1;
}

void
visit_done(struct visit *v)
{
	if (v->budget.spool_fd >= 0)
		close(v->budget.spool_fd);
	v->budget.spool_fd = -1;
}

/* A file opened anew, with its compression undone, when it is first read. */
struct again {
	struct stream	 s;
	struct budget	*budget;
	struct input	*in;
};

static ssize_t
again_pull(struct stream *s, void *buf, size_t n, struct err *e)
{
	struct again	*a = (struct again *)s;

	if (a->in == NULL) {
		a->in = s->found ? input_found(s->reopen, e) :
		    input_file(s->reopen, e);
		if (a->in == NULL ||
		    (a->in = unpack_filters(a->budget, a->in, e)) == NULL)
			return (-1);
	}
	return (input_read(a->in, buf, n, e));
}

static int
again_seek(struct stream *s, int64_t offset, struct err *e)
{
	struct again	*a = (struct again *)s;

	if (offset != 0)
		return (err_set(e, "can only go back to the start"));
	input_close(a->in);
	a->in = NULL;
	return (0);
}

static void
again_close(struct stream *s)
{
	struct again	*a = (struct again *)s;

	input_close(a->in);
	free(a);
}

static const struct stream_ops again_ops = {
	again_pull, again_seek, again_close
};

static int
spool_open(struct budget *b, struct err *e)
{
	const char	*dir = getenv("TMPDIR");
	char		 path[4096];

	if (b->spool_fd >= 0)
		return (0);
	snprintf(path, sizeof path, "%s/slotrace-XXXXXX",
	    dir != NULL && dir[0] != '\0' ? dir : "/tmp");
	b->spool_fd = mkostemp(path, O_CLOEXEC);
	if (b->spool_fd < 0)
		return (err_set(e, "temporary file %s: %s", path,
		    strerror(errno)));
	unlink(path);
	return (0);
}

static int
spool_write(struct budget *b, const char *p, size_t n, struct err *e)
{
	ssize_t	 r;

	if (b->spooled + (int64_t)n > b->limits.spool)
		return (err_set(e, "needs more than %lld bytes of temporary"
		    " space (limit spool)", (long long)b->limits.spool));
	while (n > 0) {
		r = pwrite(b->spool_fd, p, n, (off_t)b->spooled);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return (err_set(e, "temporary file: %s",
			    strerror(errno)));
		p += r;
		n -= (size_t)r;
		b->spooled += r;
	}
	return (0);
}

struct input *
input_keep(struct visit *v, struct input *in, struct err *e)
{
	struct budget	*b = &v->budget;
	struct stream	*s = input_stream(in);
	struct again	*a;
	int64_t		 start = b->spooled;
	char		*block;
	ssize_t		 r;

	if (s->reopen != NULL) {
		a = mem_zero(1, sizeof *a);
		a->s.ops = &again_ops;
		a->s.name = mem_str(s->name);
		a->s.reopen = mem_str(s->reopen);
		a->s.found = s->found;
		a->s.mtime = s->mtime;
		a->s.length = s->length;
		a->budget = b;
		return (input_of(&a->s));
	}
	if (spool_open(b, e) != 0)
		return (NULL);
	block = mem_alloc(INPUT_PEEK);
	while ((r = input_read(in, block, INPUT_PEEK, e)) > 0)
		if (spool_write(b, block, (size_t)r, e) != 0) {
			r = -1;
			break;
		}
	free(block);
	if (r < 0)
		return (NULL);
	return (input_of(stream_range(b->spool_fd, 0, start,
	    b->spooled - start, s->name, s->mtime)));
}

static int	 walk_folder(struct visit *, const char *, int, struct err *);

static int
is_except(const struct visit *v, const struct stat *st)
{
	static const char *const	 tails[] = { "", "-wal", "-shm",
	    "-journal" };
	struct stat			 own;
	char				 path[4096];
	size_t				 i;

	if (v->except == NULL)
		return (0);
	for (i = 0; i < sizeof tails / sizeof *tails; i++) {
		snprintf(path, sizeof path, "%s%s", v->except, tails[i]);
		if (stat(path, &own) == 0 && own.st_dev == st->st_dev &&
		    own.st_ino == st->st_ino)
			return (1);
	}
	return (0);
}

static int
walk_file(struct visit *v, const char *path, int found, struct err *e)
{
	struct err	 why = ERR_INIT;
	struct input	*in = found ? input_found(path, &why) :
	    input_file(path, &why);
	char		 text[700];
	int		 r;

	if (in == NULL) {
		/* The path itself is the problem's name. */
		err_text(&why, text, sizeof text);
		r = (int)strlen(path);
		return (v->problem(v, path, "unreadable",
		    strncmp(text, path, (size_t)r) == 0 && text[r] == ':' ?
		    text + r + 2 : text, e));
	}
	if (input_is_pipe(in))		/* which may never end */
		input_stream(in)->most = v->budget.limits.bytes;
	r = unpack(v, in, 0, e);
	input_close(in);
	return (r);
}

/* A path found in a folder: links are not followed, devices not opened. */
static int
walk_found(struct visit *v, const char *path, int deep, struct err *e) /* NOLINT(misc-no-recursion) */
{
	struct stat	 st;

	if (lstat(path, &st) != 0)
		return (v->problem(v, path, "unreadable", strerror(errno), e));
	if (S_ISDIR(st.st_mode))
		return (walk_folder(v, path, deep + 1, e));
	if (S_ISLNK(st.st_mode))
		return (v->problem(v, path, "link", "a link in a folder is not"
		    " followed", e));
	if (!S_ISREG(st.st_mode))
		return (v->problem(v, path, "unsupported", "is no file (device,"
		    " pipe or socket)", e));
	return (is_except(v, &st) ? 0 : walk_file(v, path, 1, e));
}

static int
by_name(const void *a, const void *b)
{
	return (strcmp(*(char *const *)a, *(char *const *)b));
}

static char **
names_in(const char *path, int found, size_t *n)
{
	int		 fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC |
	    (found ? O_NOFOLLOW : 0));
	DIR		*d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent	*en;
	char		**names = mem_more(NULL, 0, sizeof *names);

	*n = 0;
	if (d == NULL) {
		free(names);
		return (NULL);
	}
	while ((en = readdir(d)) != NULL) {
		if (strcmp(en->d_name, ".") == 0 ||
		    strcmp(en->d_name, "..") == 0)
			continue;
		names = mem_more(names, *n, sizeof *names);
		names[(*n)++] = mem_str(en->d_name);
	}
	closedir(d);
	qsort(names, *n, sizeof *names, by_name);
	return (names);
}

char **
walk_names(const char *path, size_t *n)
{
	return (names_in(path, 0, n));
}

static int				/* FOLDERS_DEEP at most */
walk_folder(struct visit *v, const char *path, int deep, struct err *e) /* NOLINT(misc-no-recursion) */
{
	struct buf	 child = { 0 };
	char		**names;
	size_t		 i, n;
	int		 r = 0;

	if (deep > FOLDERS_DEEP)
		return (v->problem(v, path, "limit", "folders are nested too"
		    " deep", e));
	if ((names = names_in(path, deep > 0, &n)) == NULL)
		return (v->problem(v, path, "unreadable", strerror(errno), e));
	for (i = 0; i < n; i++) {
		child.n = 0;
		buf_str(&child, path);
		if (child.n > 0 && child.p[child.n - 1] != '/')
			buf_chr(&child, '/');
		buf_str(&child, names[i]);
		if (r == 0)
			r = walk_found(v, buf_cstr(&child), deep, e);
		free(names[i]);
	}
	free(names);
	buf_free(&child);
	return (r);
}

int
walk_path(struct visit *v, const char *path, struct err *e)
{
	int64_t		 before = v->visited;
	struct stat	 st;

	v->budget.members = v->budget.out = v->budget.in = 0;
	v->budget.spent = 0;
	v->named = 1;
	if (strcmp(path, "-") == 0)
		return (walk_file(v, path, 0, e));
	if (stat(path, &st) != 0)
		return (v->problem(v, path, "unreadable", strerror(errno), e));
	if (!S_ISDIR(st.st_mode))
		return (walk_file(v, path, 0, e));
	v->named = 0;
	if (walk_folder(v, path, 0, e) != 0)
		return (-1);
	if (v->visited > before)
		return (0);
	v->named = 1;
	return (v->problem(v, path, "empty", "there is nothing to read in this"
	    " folder", e));
}
