#include "cmd/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/meter.h"
#include "base/walk.h"

enum { FIRST_US = 300000, EVERY_US = 200000, DEEP = 64, WIDTH = 80 };

static int64_t
now_us(void)
{
	struct timespec	 ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000);
}

/* Bytes of the files below a path; -1 where one has no length (a pipe). */
static int64_t
bytes_below(const char *path, int deep)	/* NOLINT(misc-no-recursion): DEEP at most */
{
	struct buf	 child = { 0 };
	struct stat	 st;
	char		**names;
	int64_t		 sum = 0, one;
	size_t		 i, n;

	if (strcmp(path, "-") == 0)
		return (-1);
	if ((deep == 0 ? stat(path, &st) : lstat(path, &st)) != 0)
		return (0);
	if (S_ISREG(st.st_mode))
		return (st.st_size);
	if (!S_ISDIR(st.st_mode))
		return (deep == 0 ? -1 : 0);
	if (deep > DEEP || (names = walk_names(path, &n)) == NULL)
		return (0);
	for (i = 0; i < n; i++) {
		child.n = 0;
		buf_fmt(&child, "%s/%s", path, names[i]);
		if ((one = bytes_below(buf_cstr(&child), deep + 1)) > 0)
			sum += one;
		free(names[i]);
	}
	free(names);
	buf_free(&child);
	return (sum);
}

static void
bytes_text(char *out, size_t n, double bytes)
{
	static const char *const	 units[] = { "kB", "MB", "GB", "TB" };
	size_t				 i = 0;

	for (bytes /= 1000; bytes >= 999.95 && i < 3; i++)
		bytes /= 1000;
	snprintf(out, n, "%.1f %s", bytes, units[i]);
}

static void
left_text(char *out, size_t n, int64_t s)
{
	if (s < 60)
		snprintf(out, n, "%lld s left", (long long)s);
	else if (s < 3600)
		snprintf(out, n, "%lld:%02lld left", (long long)s / 60, (long long)s % 60);
	else
		snprintf(out, n, "%lld:%02lld:%02lld left", (long long)s / 3600,
		    (long long)s / 60 % 60, (long long)s % 60);
}

void
progress_text(char *out, size_t n, int64_t done, int64_t total, int64_t us)
{
	double	 rate = us > 0 ? (double)done * 1e6 / (double)us : 0;
	char	 got[32], all[32], speed[32], left[32];

	if (total > 0 && done > total)		/* what was looked at twice */
		done = total;
	bytes_text(got, sizeof got, (double)done);
	bytes_text(speed, sizeof speed, rate);
	if (total <= 0 || rate <= 0) {
		snprintf(out, n, "read %s, %s/s", got, speed);
		return;
	}
	bytes_text(all, sizeof all, (double)total);
	left_text(left, sizeof left, (int64_t)((double)(total - done) / rate + 0.5));
	snprintf(out, n, "read %s of %s (%d%%), %s/s, %s", got, all,
	    (int)((double)done * 100 / (double)total), speed, left);
}

static void
show(struct progress *p, const char *text)
{
	fprintf(stderr, "\r%.*s\033[K", p->width - 1, text);
	fflush(stderr);
	p->shown = p->slow = 1;
}

static void
tell(void *arg, int64_t bytes)
{
	struct progress	*p = arg;
	int64_t		 now = now_us();
	char		 text[200];

	if (now - p->began < FIRST_US || now - p->told < EVERY_US)
		return;
	p->told = now;
	progress_text(text, sizeof text, bytes, p->total, now - p->began);
	show(p, text);
}

void
progress_begin(struct progress *p, char *const *paths, int npaths)
{
	struct winsize	 ws;
	int64_t		 one;
	int		 i;

	memset(p, 0, sizeof *p);
	if (!isatty(STDERR_FILENO))
		return;
	p->on = 1;
	p->width = ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 0 ?
	    ws.ws_col : WIDTH;
	for (i = 0; i < npaths && p->total >= 0; i++) {
		one = bytes_below(paths[i], 0);
		p->total = one < 0 ? -1 : p->total + one;
	}
	p->began = now_us();
	meter_watch(tell, p);
}

void
progress_clear(struct progress *p)
{
	if (p == NULL || !p->shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	p->shown = 0;
}

void
progress_end(struct progress *p)
{
	meter_watch(NULL, NULL);
	progress_clear(p);
}

void
progress_say(struct progress *p, const char *word)
{
	if (p->on && p->slow)
		show(p, word);
}
