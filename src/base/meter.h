/*
 * meter.h - how many bytes were read from files, standard input and devices,
 * for whoever shows progress.  There is one in the process; whoever reads and
 * whoever watches is the same thread.
 */
#ifndef BASE_METER_H
#define BASE_METER_H

#include <stdint.h>

/* Told of all bytes since the watch began, after each read.  NULL ends it. */
void	 meter_watch(void (*tell)(void *arg, int64_t bytes), void *arg);
void	 meter_add(int64_t bytes);

#endif
