#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const struct {
	const char	*name, *usage;
	int		(*run)(int argc, char **argv);
} commands[] = {
	{ "capture", "BYTES REDIRECTS-PER-MILLE CONNECTIONS INTERFACES >FILE", make_capture },
	{ "text", "log|dump BYTES >FILE", make_text },
	{ "pair", "RUNS COMMAND COMMAND", time_pair },
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

void
die(const char *fmt, ...)
{
	va_list	 ap;

	va_start(ap, fmt);
	fprintf(stderr, "bench_helper: ");
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

/* Marsaglia's xorshift. */
uint32_t
random_below(uint32_t n)
{
	static uint64_t	 x = UINT64_C(0x2545f4914f6cdd1d);

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return ((uint32_t)((x >> 32) * n >> 32));
}

int
main(int argc, char **argv)
{
	size_t	 i;

	for (i = 0; argc > 1 && i < COMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return (commands[i].run(argc - 2, argv + 2));
	for (i = 0; i < COMMANDS; i++)
		fprintf(stderr, "usage: bench_helper %s %s\n", commands[i].name,
		    commands[i].usage);
	return (2);
}
