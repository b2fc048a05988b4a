#include "base/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>
#ifdef HAVE_XXH3_128BITS_UPDATE_DISPATCH
#include <xxh_x86dispatch.h>
#endif

#include "base/mem.h"
#include "base/meter.h"

enum { READ_WHOLE = 16384 };		/* reads from here on go past the buffer */

struct part {
	struct stream	*stream;		/* NULL once read past */
	char		*name;
	int64_t		 mtime;
	XXH128_hash_t	 digest;		/* when done */
	int64_t		 bytes;
};

struct input {
	struct part	*part;
	int		 nparts, at;
	char		*ahead;			/* peeked and not yet consumed */
	size_t		 from, to;		/* in ahead */
	size_t		 hashed;		/* in ahead: hashed up to here */
	int		 ended;			/* the stream gave its last byte */
	int		 failed;		/* ahead is followed by an error */
	struct err	 why;
	int64_t		 offset;
	XXH3_state_t	*hash;			/* NULL: not asked for */
};

struct memory {
	struct stream	 s;
	const char	*p;
	size_t		 n, at, max_read;
};

struct range {
	struct stream	 s;
	int		 fd, own;
	int64_t		 start, at;		/* at: from start */
};

static struct part
part_of(struct stream *s)
{
	struct part	 p;

	memset(&p, 0, sizeof p);
	p.stream = s;
	p.name = mem_str(s->name);
	p.mtime = s->mtime;
	return (p);
}

struct input *
input_of(struct stream *s)
{
	struct input	*in = mem_zero(1, sizeof *in);

	in->part = mem_alloc(sizeof *in->part);
	in->part[0] = part_of(s);
	in->nparts = 1;
	return (in);
}

struct input *
input_chain(struct input **parts, int nparts)
{
	struct input	*in = mem_zero(1, sizeof *in);
	int		 i;

	in->part = mem_zero((size_t)nparts, sizeof *in->part);
	in->nparts = nparts;
	for (i = 0; i < nparts; i++) {
		in->part[i] = parts[i]->part[0];
		free(parts[i]->part);
		free(parts[i]->ahead);
		XXH3_freeState(parts[i]->hash);
		free(parts[i]);
	}
	return (in);
}

void
stream_close(struct stream *s)
{
	if (s == NULL)
		return;
	free(s->name);
	free(s->reopen);
	s->ops->close(s);
}

void
input_close(struct input *in)
{
	int	 i;

	if (in == NULL)
		return;
	for (i = 0; i < in->nparts; i++) {
		stream_close(in->part[i].stream);
		free(in->part[i].name);
	}
	free(in->part);
	free(in->ahead);
	XXH3_freeState(in->hash);
	free(in);
}

/* Hash what was consumed of ahead: whole stretches, not each read. */
static void
hash_ahead(struct input *in)
{
	if (in->hash != NULL && in->from > in->hashed)
		XXH3_128bits_update(in->hash, in->ahead + in->hashed, in->from - in->hashed);
	in->hashed = in->from;
}

static int
fail_again(struct input *in, struct err *e)
{
	if (e != NULL)
		*e = in->why;
	return (-1);
}

ssize_t
input_read(struct input *in, void *buf, size_t n, struct err *e)
{
	struct stream	*s = in->part[in->at].stream;
	size_t		 have = in->to - in->from;
	ssize_t		 r;

	if (n == 0)
		return (0);
	if (have == 0 && n < READ_WHOLE)	/* many small reads cost one pull */
		have = input_peek(in, 1).n;
	if (have > 0) {
		if (n > have)
			n = have;
		memcpy(buf, in->ahead + in->from, n);
		in->from += n;
		in->offset += (int64_t)n;
		return ((ssize_t)n);
	}
	if (in->failed)
		return (fail_again(in, e));
	if (in->ended)
		return (0);
	r = s->ops->pull(s, buf, n, &in->why);
	if (r < 0) {
		in->failed = 1;
		return (fail_again(in, e));
	}
	if (r == 0)
		in->ended = 1;
	hash_ahead(in);
	in->offset += r;
	if (in->hash != NULL && r > 0)
		XXH3_128bits_update(in->hash, buf, (size_t)r);
	return (r);
}

struct span
input_peek(struct input *in, size_t want)
{
	struct stream	*s = in->part[in->at].stream;
	ssize_t		 r;

	if (want > INPUT_PEEK)
		want = INPUT_PEEK;
	if (in->ahead == NULL)
		in->ahead = mem_alloc(INPUT_PEEK);
	if (in->to - in->from < want && in->from > 0) {
		hash_ahead(in);
		memmove(in->ahead, in->ahead + in->from, in->to - in->from);
		in->to -= in->from;
		in->from = in->hashed = 0;
	}
	while (in->to - in->from < want && !in->ended && !in->failed) {
		r = s->ops->pull(s, in->ahead + in->to, INPUT_PEEK - in->to,
		    &in->why);
		if (r < 0)
			in->failed = 1;
		else if (r == 0)
			in->ended = 1;
		else
			in->to += (size_t)r;
	}
	return (span_make(in->ahead + in->from, in->to - in->from));
}

void
input_skip(struct input *in, size_t n)
{
	in->from += n;
	in->offset += (int64_t)n;
}

static void
finish_part(struct input *in)
{
	struct part	*p = &in->part[in->at];

	p->bytes = in->offset;
	hash_ahead(in);
	if (in->hash != NULL)
		p->digest = XXH3_128bits_digest(in->hash);
}

int
input_next_part(struct input *in, struct err *e)
{
	char	 rest[8192];
	ssize_t	 r;

	while ((r = input_read(in, rest, sizeof rest, e)) > 0)
		;
	if (r < 0 && in->at + 1 == in->nparts)
		return (-1);		/* else the set goes on after the damage */
	if (in->at + 1 == in->nparts)
		return (0);
	finish_part(in);
	stream_close(in->part[in->at].stream);
	in->part[in->at].stream = NULL;
	in->at++;
	in->from = in->to = in->hashed = 0;
	in->ended = in->failed = 0;
	in->offset = 0;
	if (in->hash != NULL)
		XXH3_128bits_reset(in->hash);
	return (1);
}

void
input_hash(struct input *in)
{
	if (in->hash == NULL)
		in->hash = XXH3_createState();
	in->hashed = in->from;
	XXH3_128bits_reset(in->hash);
}

void
input_digest(struct input *in, int part, char hex[33], int64_t *bytes)
{
	XXH128_hash_t	 h = in->part[part].digest;

	hash_ahead(in);
	if (part == in->at && in->hash != NULL)
		h = XXH3_128bits_digest(in->hash);
	*bytes = part == in->at ? in->offset : in->part[part].bytes;
	snprintf(hex, 33, "%016llx%016llx", (unsigned long long)h.high64,
	    (unsigned long long)h.low64);
}

int
input_part(const struct input *in)
{
	return (in->at);
}

const char *
input_name(const struct input *in)
{
	return (in->part[in->at].name);
}

/* Is what stands before this ':' an archive, not a host: "views.tgz:n1.txt" but
 * "10.0.0.1:6379.log"? */
static int
is_archive(const char *base, const char *colon)
{
	static const char *const	 suffix[] = { ".tar", ".tgz", ".tbz", ".tbz2", ".txz",
		".tzst", ".gz", ".bz2", ".xz", ".zst", ".lz4", ".zip", ".7z", ".cpio", ".rar" };
	size_t				 i, n;

	for (i = 0; i < sizeof suffix / sizeof suffix[0]; i++) {
		n = strlen(suffix[i]);
		if ((size_t)(colon - base) > n && strncmp(colon - n, suffix[i], n) == 0)
			return (1);
	}
	return (0);
}

size_t
input_name_stem(const char *name, struct buf *out)
{
	const char	*base = strrchr(name, '/'), *colon, *dot;

	base = base != NULL ? base + 1 : name;
	colon = strrchr(base, ':');
	if (colon != NULL && colon[1] != '\0' && is_archive(base, colon))
		base = colon + 1;
	dot = strchr(base, '.');
	while (dot != NULL && dot[1] >= '0' && dot[1] <= '9')
		dot = strchr(dot + 1, '.');
	buf_add(out, base, dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base));
	return ((size_t)(base - name));
}

char *
input_stem(const struct input *in)
{
	struct buf	 stem = { 0 };
	char		*s;

	input_name_stem(input_name(in), &stem);
	s = mem_str(buf_cstr(&stem));
	buf_free(&stem);
	return (s);
}

int64_t
input_mtime(const struct input *in)
{
	return (in->part[in->at].mtime);
}

int64_t
input_offset(const struct input *in)
{
	return (in->offset);
}

struct stream *
input_stream(struct input *in)
{
	return (in->part[in->at].stream);
}

int
input_can_rewind(const struct input *in)
{
	return (in->nparts == 1 && in->part[0].stream->ops->seek != NULL);
}

int
input_seek(struct input *in, int64_t offset, struct err *e)
{
	struct stream	*s = in->part[0].stream;

	in->from = in->to = in->hashed = 0;
	in->ended = in->failed = 0;
	in->offset = offset;
	return (s->ops->seek(s, offset, e));
}

int
input_rewind(struct input *in, struct err *e)
{
	if (in->hash != NULL)
		XXH3_128bits_reset(in->hash);
	in->hashed = in->from;
	return (input_seek(in, 0, e));
}

int64_t
input_length(const struct input *in)
{
	return (in->part[in->at].stream->length);
}

static ssize_t
memory_pull(struct stream *s, void *buf, size_t n, struct err *e)
{
	struct memory	*m = (struct memory *)s;

	(void)e;
	if (m->max_read > 0 && n > m->max_read)
		n = m->max_read;
	if (n > m->n - m->at)
		n = m->n - m->at;
	if (n > 0)
		memcpy(buf, m->p + m->at, n);
	m->at += n;
	return ((ssize_t)n);
}

static int
memory_seek(struct stream *s, int64_t offset, struct err *e)
{
	struct memory	*m = (struct memory *)s;

	if (offset < 0 || (size_t)offset > m->n)
		return (err_set(e, "seek outside"));
	m->at = (size_t)offset;
	return (0);
}

static void
memory_close(struct stream *s)
{
	free(s);
}

static const struct stream_ops memory_ops = {
	memory_pull, memory_seek, memory_close
};

struct input *
input_memory(const void *p, size_t n, const char *name, size_t max_read)
{
	struct memory	*m = mem_zero(1, sizeof *m);

	m->s.ops = &memory_ops;
	m->s.name = mem_str(name);
	m->s.mtime = INT64_MIN;
	m->s.length = (int64_t)n;
	m->p = p;
	m->n = n;
	m->max_read = max_read;
	return (input_of(&m->s));
}

static ssize_t
fd_pull(struct stream *s, void *buf, size_t n, struct err *e)
{
	struct range	*f = (struct range *)s;
	ssize_t		 r;

	if (s->most > 0 && (int64_t)n > s->most - f->at)
		n = (size_t)(s->most - f->at + 1);	/* one more tells */
	do {
		r = n > 0 ? read(f->fd, buf, n) : 0;
	} while (r < 0 && errno == EINTR);
	if (r < 0)
		return (err_set(e, "%s", strerror(errno)));
	f->at += r;
	if (s->most > 0 && f->at > s->most && --r <= 0)
		return (err_set(e, "goes on after %lld bytes (limit bytes)", (long long)s->most));
	meter_add(r);
	return (r);
}

static ssize_t
range_pull(struct stream *s, void *buf, size_t n, struct err *e)
{
	struct range	*f = (struct range *)s;
	ssize_t		 r;

	if ((int64_t)n > s->length - f->at)
		n = (size_t)(s->length - f->at);
	do {
		r = pread(f->fd, buf, n, (off_t)(f->start + f->at));
	} while (r < 0 && errno == EINTR);
	if (r < 0)
		return (err_set(e, "%s", strerror(errno)));
	f->at += r;
	if (f->own)			/* not what was spooled */
		meter_add(r);
	return (r);
}

static int
range_seek(struct stream *s, int64_t offset, struct err *e)
{
	struct range	*f = (struct range *)s;

	if (offset < 0 || offset > s->length)
		return (err_set(e, "seek outside the file"));
	f->at = offset;
	return (0);
}

static void
range_close(struct stream *s)
{
	struct range	*f = (struct range *)s;

	if (f->own)
		close(f->fd);
	free(f);
}

static const struct stream_ops fd_ops = { fd_pull, NULL, range_close };
static const struct stream_ops range_ops = {
	range_pull, range_seek, range_close
};

int
input_is_pipe(const struct input *in)
{
	return (in->part[in->at].stream->ops == &fd_ops);
}

struct stream *
stream_range(int fd, int own, int64_t start, int64_t length, const char *name,
    int64_t mtime)
{
	struct range	*f = mem_zero(1, sizeof *f);

	f->s.ops = &range_ops;
	f->s.name = mem_str(name);
	f->s.mtime = mtime;
	f->s.length = length;
	f->fd = fd;
	f->own = own;
	f->start = start;
	return (&f->s);
}

struct stream *
stream_fd(int fd, const char *name, int64_t mtime)
{
	struct stream	*s = stream_range(fd, fd != STDIN_FILENO, 0, -1, name,
	    mtime);

	s->ops = &fd_ops;
	return (s);
}

int64_t
stream_file_time(int64_t s, long ns)
{
	if (s < INT64_C(978307200) || s >= INT64_C(4102444800))
		return (INT64_MIN);
	return (s * 1000000 + ns / 1000);
}

int64_t
stream_mtime(int fd)
{
	struct stat	 st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return (INT64_MIN);
	return (stream_file_time(st.st_mtim.tv_sec, st.st_mtim.tv_nsec));
}

/* A device gives bytes as long as it is asked for some, /dev/zero for ever; one
 * that has none, /dev/null, is an empty file, and a terminal is somebody's
 * typing. */
static int
is_endless(int fd, const struct stat *st)
{
	char	 c;

	return (S_ISCHR(st->st_mode) && !isatty(fd) && read(fd, &c, 1) > 0);
}

static struct input *
open_fd(int fd, const char *path, const struct stat *st, struct err *e)
{
	if (is_endless(fd, st)) {
		if (fd != STDIN_FILENO)
			close(fd);
		err_set(e, "%s: is a device, which does not end", path);
		return (NULL);
	}
	return (input_of(stream_fd(fd, path, INT64_MIN)));
}

static struct input *
open_file(const char *path, int found, struct err *e)
{
	/* Found: what was a file when it was listed may be a link or a pipe
	 * now. */
	int		 flags = O_RDONLY | O_CLOEXEC | O_NOCTTY |
	    (found ? O_NOFOLLOW | O_NONBLOCK : 0);
	int		 fd = open(path, flags);
	struct stream	*s;
	struct stat	 st;

	if (fd < 0 || fstat(fd, &st) != 0) {
		err_set(e, "%s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return (NULL);
	}
	if (S_ISDIR(st.st_mode) || (found && !S_ISREG(st.st_mode))) {
		close(fd);
		err_set(e, "%s: is %s", path, S_ISDIR(st.st_mode) ? "a folder" :
		    "no file any more");
		return (NULL);
	}
	if (S_ISREG(st.st_mode)) {
		s = stream_range(fd, 1, 0, st.st_size, path, stream_mtime(fd));
		s->reopen = mem_str(path);
		s->found = found;
		return (input_of(s));
	}
	return (open_fd(fd, path, &st, e));
}

struct input *
input_file(const char *path, struct err *e)
{
	struct stat	 st;

	if (strcmp(path, "-") != 0)
		return (open_file(path, 0, e));
	if (fstat(STDIN_FILENO, &st) != 0) {
		err_set(e, "-: %s", strerror(errno));
		return (NULL);
	}
	return (open_fd(STDIN_FILENO, "-", &st, e));
}

struct input *
input_found(const char *path, struct err *e)
{
	return (open_file(path, 1, e));
}
