/*
 * inject.c - preloaded into slotrace by inject.sh: the n-th call of one kind
 * fails.  INJECT is malloc:N (also calloc and realloc), open:N, read:N (also
 * pread), write:N (also pwrite) or step:N (sqlite3_step).  From the n-th on,
 * short:N reads one byte, part:N writes half, and eintr:N interrupts every other
 * read or write.  escape:N makes a file of the name in ESCAPE at the n-th read, as
 * a decoder might that was tricked.  At the n-th read of the file VICTIM, shrink:N
 * cuts it to half of what it was, grow:N adds a line to it, and gone:N removes it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static const char	*kind;
static long		 left = -1;

__attribute__((constructor)) static void
begin(void)
{
	const char	*s = getenv("INJECT"), *n = s != NULL ? strchr(s, ':') : NULL;

	unsetenv("LD_PRELOAD");
	if (n == NULL)
		return;
	left = atol(n + 1);
	kind = s;
}

/* Whether this call of the kind is the one. */
static int
fails(const char *what)
{
	return (kind != NULL && strncmp(kind, what, strlen(what)) == 0 && left > 0 &&
	    --left == 0);
}

/* Whether this call of the kind is one of those from there on. */
static int
begun(const char *what)
{
	if (kind == NULL || strncmp(kind, what, strlen(what)) != 0)
		return (0);
	if (left > 0)
		left--;
	return (left == 0);
}

static int
interrupted(void)
{
	static int	 odd;

	if (!begun("eintr") || (odd = !odd) == 0)
		return (0);
	errno = EINTR;
	return (1);
}

/* What of n bytes is written: half from the n-th on. */
static size_t
part(size_t n)
{
	return (n > 1 && begun("part") ? n / 2 : n);
}

#define NEXT(name)	next = (__typeof__(next))dlsym(RTLD_NEXT, name)

void *
malloc(size_t n)
{
	extern void	*__libc_malloc(size_t);	/* NOLINT(*-reserved-identifier,cert-dcl*) */

	if (fails("malloc")) {
		errno = ENOMEM;
		return (NULL);
	}
	return (__libc_malloc(n));
}

void *
calloc(size_t k, size_t n)
{
	extern void	*__libc_calloc(size_t, size_t);	/* NOLINT(*-reserved-identifier,cert-dcl*) */

	if (fails("malloc")) {
		errno = ENOMEM;
		return (NULL);
	}
	return (__libc_calloc(k, n));
}

void *
realloc(void *p, size_t n)
{
	extern void	*__libc_realloc(void *, size_t);	/* NOLINT(*-reserved-identifier,cert-dcl*) */

	if (fails("malloc")) {
		errno = ENOMEM;
		return (NULL);
	}
	return (__libc_realloc(p, n));
}

/* Somebody else writes to the file that is read here. */
static void
meddle(int reads)
{
	static const char	 line[] = "2026-11-30T02:09:18.000Z ERROR shop MOVED 7 10.0.0.7:6379\n";
	const char		*path = getenv("VICTIM");
	struct stat		 here, there;
	int			 fd;

	if (kind == NULL || path == NULL || stat(path, &there) != 0 || fstat(reads, &here) != 0 ||
	    here.st_ino != there.st_ino || here.st_dev != there.st_dev ||
	    (fd = open(path, O_WRONLY)) < 0)
		return;
	if (fails("shrink"))
		(void)!ftruncate(fd, there.st_size / 2);
	else if (fails("grow"))
		(void)!pwrite(fd, line, sizeof line - 1, there.st_size);
	else if (fails("gone"))
		unlink(path);
	close(fd);
}

ssize_t
read(int fd, void *p, size_t n)
{
	static ssize_t	(*next)(int, void *, size_t);

	NEXT("read");
	if (fails("read")) {
		errno = EIO;
		return (-1);
	}
	if (interrupted())
		return (-1);
	if (fails("escape"))
		close(open(getenv("ESCAPE"), O_WRONLY | O_CREAT, 0600));
	meddle(fd);
	return (next(fd, p, n > 1 && begun("short") ? 1 : n));
}

/* SQLite takes a short pread for the end of its file, so only failures here. */
ssize_t
pread64(int fd, void *p, size_t n, off_t at)
{
	static ssize_t	(*next)(int, void *, size_t, off_t);

	NEXT("pread64");
	if (fails("read")) {
		errno = EIO;
		return (-1);
	}
	if (interrupted())
		return (-1);
	meddle(fd);
	return (next(fd, p, n, at));
}

/* The same under the name that programs without large files know. */
ssize_t
pread(int fd, void *p, size_t n, off_t at)
{
	return (pread64(fd, p, n, at));
}

ssize_t
write(int fd, const void *p, size_t n)
{
	static ssize_t	(*next)(int, const void *, size_t);

	NEXT("write");
	if (fd > 2 && fails("write")) {
		errno = ENOSPC;
		return (-1);
	}
	return (next(fd, p, part(n)));
}

ssize_t
pwrite64(int fd, const void *p, size_t n, off_t at)
{
	static ssize_t	(*next)(int, const void *, size_t, off_t);

	NEXT("pwrite64");
	if (fails("write")) {
		errno = ENOSPC;
		return (-1);
	}
	if (interrupted())
		return (-1);
	return (next(fd, p, part(n), at));
}

ssize_t
pwrite(int fd, const void *p, size_t n, off_t at)
{
	return (pwrite64(fd, p, n, at));
}

int
open64(const char *path, int flags, ...)
{
	static int	(*next)(const char *, int, ...);
	mode_t		 mode = 0;
	va_list		 ap;

	NEXT("open64");
	if (flags & O_CREAT) {
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	if (fails("open")) {
		errno = EMFILE;
		return (-1);
	}
	return (next(path, flags, mode));
}

int
open(const char *path, int flags, ...)
{
	mode_t	 mode = 0;
	va_list	 ap;

	if (flags & O_CREAT) {
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	return (open64(path, flags, mode));
}

int
mkstemp(char *path)
{
	static int	(*next)(char *);

	NEXT("mkstemp");
	if (fails("open")) {
		errno = EMFILE;
		return (-1);
	}
	return (next(path));
}

/* The C library's own streams do not come by write(). */
static ssize_t
stream_write(void *fd, const char *p, size_t n)
{
	size_t	 at = 0;
	ssize_t	 r;

	while (at < n) {
		r = write((int)(intptr_t)fd, p + at, n - at);
		if (r <= 0)
			return (0);	/* as fopencookie(3) wants it */
		at += (size_t)r;
	}
	return ((ssize_t)n);
}

static int
stream_close(void *fd)
{
	return (close((int)(intptr_t)fd));
}

FILE *
fdopen(int fd, const char *mode)
{
	cookie_io_functions_t	 io = { .write = stream_write, .close = stream_close };

	if (fails("open")) {
		errno = ENOMEM;
		return (NULL);
	}
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): a cookie */
	return (fopencookie((void *)(intptr_t)fd, mode, io));
}

int	 sqlite3_step(void *);

int
sqlite3_step(void *statement)
{
	static int	(*next)(void *);

	NEXT("sqlite3_step");
	return (fails("step") ? 10 /* SQLITE_IOERR */ : next(statement));
}
