/*
 * zone.h - the named zones of the machine's tz database, as the C library
 * reads it: what a local time means, which an autumn night may be two
 * instants, and a spring night none.
 */
#ifndef BASE_ZONE_H
#define BASE_ZONE_H

#include <stdint.h>

#include "base/span.h"

struct zone;

/* "Europe/Berlin", NULL when the machine knows no such zone.  Read once, kept
 * until the program ends.  Not for several threads. */
const struct zone	*zone_find(struct span name);
/* The instants (us UTC) that a local time, counted as if it were UTC, may be:
 * how many.  2: told twice, the earlier first.  0: skipped; utc[0] is as the
 * clock before would have it. */
int	 zone_utc(const struct zone *, int64_t local_us, int64_t utc[2]);

#endif
