/*
 * pair.c - two commands in turn, A B B A A B ..., so that what else the machine
 * does meets both alike.  Prints the median of the processor time (user and
 * system, children too) of each, of the time on the clock, the peak of memory,
 * and the median of the ratios of the pairs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

enum { RUNS_MOST = 101 };

struct run {
	double		 cpu, wall;	/* seconds */
	long		 kib;		/* largest resident set */
};

static double
seconds(struct timeval t)
{
	return ((double)t.tv_sec + (double)t.tv_usec / 1e6);
}

static double
clock_now(void)
{
	struct timespec	 t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return ((double)t.tv_sec + (double)t.tv_nsec / 1e9);
}

/* A child waits for the shell, so that what it waited for is its own alone. */
static struct run
run(const char *command)
{
	struct rusage	 u;
	struct run	 r;
	double		 from = clock_now();
	int		 status;
	pid_t		 pid = fork();

	if (pid == -1)
		die("cannot fork");
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &u) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		die("failed: %s", command);
	r.wall = clock_now() - from;
	r.cpu = seconds(u.ru_utime) + seconds(u.ru_stime);
	r.kib = u.ru_maxrss;
	return (r);
}

static int
by_size(const void *a, const void *b)
{
	double	 x = *(const double *)a, y = *(const double *)b;

	return (x < y ? -1 : x > y);
}

static double
median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof *v, by_size);
	return (n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2);
}

int
time_pair(int argc, char **argv)
{
	static double	 cpu[2][RUNS_MOST], wall[2][RUNS_MOST], ratio[2][RUNS_MOST];
	struct run	 r;
	long		 kib[2] = { 0, 0 };
	int		 n, i, k, which;

	if (argc != 3 || (n = atoi(argv[0])) < 1 || n > RUNS_MOST)
		die("pair: a number of runs and two commands are needed");
	(void)run(argv[1]);			/* once unmeasured: files into memory */
	(void)run(argv[2]);
	for (i = 0; i < n; i++) {
		for (k = 0; k < 2; k++) {
			which = (i + k) % 2;
			r = run(argv[1 + which]);
			cpu[which][i] = r.cpu;
			wall[which][i] = r.wall;
			if (r.kib > kib[which])
				kib[which] = r.kib;
		}
		ratio[0][i] = cpu[0][i] / cpu[1][i];
		ratio[1][i] = wall[0][i] / wall[1][i];
	}
	printf("cpu %.3f s to %.3f s, ratio %.2f; clock %.3f s to %.3f s, ratio %.2f; "
	    "memory %ld KiB to %ld KiB\n", median(cpu[0], n), median(cpu[1], n),
	    median(ratio[0], n), median(wall[0], n), median(wall[1], n), median(ratio[1], n),
	    kib[0], kib[1]);
	return (0);
}
