/*
 * bench.h - the helper of tests/bench: it makes the corpora, and it times
 * commands against each other.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>

/* Print to stderr and exit. */
void	 die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
/* The same numbers at each run: corpora are equal everywhere. */
uint32_t random_below(uint32_t n);

int	 make_capture(int argc, char **argv);
int	 make_text(int argc, char **argv);
int	 time_pair(int argc, char **argv);

#endif
