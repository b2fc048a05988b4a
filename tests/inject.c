/*
 * inject.c - preloaded into slotrace by inject.sh: the n-th call of one kind
 * fails.  INJECT is malloc:N (also calloc and realloc), read:N (also pread),
 * short:N (reads give one byte from then on) or write:N (also pwrite, fsync).
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
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

static int
is_short(void)
{
	if (kind == NULL || strncmp(kind, "short", 5) != 0)
		return (0);
	if (left > 0)
		left--;
	return (left == 0);
}

#define NEXT(name)	next = (__typeof__(next))dlsym(RTLD_NEXT, name)

void *
malloc(size_t n)
{
	extern void	*__libc_malloc(size_t);

	if (fails("malloc")) {
		errno = ENOMEM;
		return (NULL);
	}
	return (__libc_malloc(n));
}

void *
calloc(size_t k, size_t n)
{
	extern void	*__libc_calloc(size_t, size_t);

	if (fails("malloc")) {
		errno = ENOMEM;
		return (NULL);
	}
	return (__libc_calloc(k, n));
}

void *
realloc(void *p, size_t n)
{
	extern void	*__libc_realloc(void *, size_t);

	if (fails("malloc")) {
		errno = ENOMEM;
		return (NULL);
	}
	return (__libc_realloc(p, n));
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
	return (next(fd, p, n > 1 && is_short() ? 1 : n));
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
	return (next(fd, p, n, at));
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
	return (next(fd, p, n));
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
	return (next(fd, p, n, at));
}
