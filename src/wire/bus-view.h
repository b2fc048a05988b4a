/*
 * bus-view.h - what each sender on the cluster bus says, as observations.
 *
 * A header of a master is its own claim; of a replica its role and master, and
 * no claim: the slots in it are its master's.  Gossip and UPDATE are opinions
 * about others.  Nodes repeat themselves several times a second on every link:
 * equal headers of one sender become one view a second, an opinion in gossip is
 * repeated once a minute.
 *
 * A message may be older than the moment it leaves: on a link that its sender
 * opened Nagle's algorithm holds it back until earlier data is acknowledged (41
 * ms were seen; it leaves with the acknowledgement, so nothing is outstanding
 * then), and the links of one sender deliver in no common order.  So a header
 * that follows other data within BUS_DELAY_US, and its acknowledgement within
 * BUS_ROUND_US, never prolongs a claim, and one that takes a claim back within
 * BUS_DELAY_US on another link is passed over.
 */
#ifndef WIRE_BUS_VIEW_H
#define WIRE_BUS_VIEW_H

#include "wire/bus-message.h"
#include "wire/stream.h"

enum {
	BUS_FOLD_US = 1000000,		/* longest view of equal headers */
	BUS_DELAY_US = 250000,		/* longest delay of a message by its sender */
	BUS_ROUND_US = 20000,		/* longest round trip inside a cluster */
	BUS_OPINION_US = 60000000,	/* an unchanged opinion is repeated after it */
	BUS_SENDERS_MAX = 2048,		/* past it all are forgotten and learned anew */
	BUS_OPINIONS_MAX = 1 << 20	/* past it the oldest are */
};

struct bus_views;

/* Borrows the sink. */
struct bus_views *bus_views_open(struct sink *);
/* One whole message; seen is the segment that carried its first byte, prior_at
 * the time of the byte before it (OBS_NO_TIME: not known). */
int	 bus_views_message(struct bus_views *, const struct bus_message *,
	    const struct stream_ends *, const struct stream_seen *, int64_t prior_at,
	    struct err *);
/* Emit what is held back. */
int	 bus_views_end(struct bus_views *, struct err *);
void	 bus_views_close(struct bus_views *);

#endif
