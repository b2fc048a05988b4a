/*
 * bus.h - the cluster bus of one capture: finds the messages in each direction
 * of each link and hands them to bus-view.c.
 *
 * A bus link has no framing but the length in each header and no handshake,
 * and both directions carry messages of their own kind, so each direction is
 * read alone.  Sync is lost at a message that is not sound and after missing
 * bytes; it is found again at the next "RCmb" that begins a sound message.
 * PUBLISH, MODULE and unknown types are passed over by length, never kept.
 * Past BUS_BEGUN_BYTES of messages of which the end has not come, a link that
 * brings more of one loses its sync, and says so.
 */
#ifndef WIRE_BUS_H
#define WIRE_BUS_H

#include "wire/stream.h"

struct bus;

enum { BUS_BEGUN_BYTES = 16 << 20 };

/* Borrows the sink. */
struct bus	*bus_open(struct sink *);
/* Emit what is held back; after the last reader was closed. */
int		 bus_end(struct bus *, struct err *);
void		 bus_close(struct bus *);

/* The first bytes of a direction: offset of the first thing that looks like the
 * beginning of a bus message, -1 when there is none. */
long		 bus_find(struct span);

/* A reader of one direction; owned by the caller, who gives it to its own
 * close().  Must not outlive the bus. */
struct stream_reader *bus_reader(struct bus *, const struct stream_ends *);

#endif
