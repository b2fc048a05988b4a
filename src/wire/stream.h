/*
 * stream.h - one direction of a TCP connection, as its bytes arrive in order.
 *
 * tcp.c puts segments in order and hands them to the reader of that direction.
 * Every byte is either fed once or announced as missing by gap(), so a reader
 * that counts both always knows its place.  A reader is owned by the flow,
 * which calls close() exactly once; it is never fed after end().
 */
#ifndef WIRE_STREAM_H
#define WIRE_STREAM_H

#include <stdint.h>

#include "model/obs.h"
#include "model/sink.h"

enum { STREAM_HOST_BYTES = 46 };	/* INET6_ADDRSTRLEN */

/* One end of a connection. */
struct stream_end {
	char		 host[STREAM_HOST_BYTES];	/* no brackets */
	int		 port;
};

/* Who speaks to whom on this direction. */
struct stream_ends {
	struct stream_end from, to;
	int		 from_opened;	/* 1: from sent the SYN, 0: to did, -1: not seen */
	int		 at_start;	/* 1: the first byte fed is the first of the stream */
	int64_t		 connection;	/* hash of the 4-tuple, for obs.connection */
};

/* The segment that carried some bytes. */
struct stream_seen {
	int64_t		 at;		/* us UTC, of its first transmission seen */
	struct locus	 where;		/* its frame */
	uint32_t	 seq;		/* TCP sequence number of the first byte given */
	uint32_t	 unacked;	/* bytes sent before it and not yet acknowledged */
	int64_t		 acked_at;	/* when bytes before it were last acknowledged; 0:
					 * never seen */
	uint32_t	 ack;		/* what its sender had received by then */
};

struct stream_reader {
	/* The next bytes, borrowed until it returns. */
	int	(*feed)(struct stream_reader *, struct span, const struct stream_seen *,
		    struct err *);
	/* n bytes never seen; seen is the segment that shows it, its seq that of
	 * the first missing byte.  The loss is reported by the caller. */
	int	(*gap)(struct stream_reader *, uint64_t n, const struct stream_seen *,
		    struct err *);
	/* The direction was closed, or the capture ended. */
	int	(*end)(struct stream_reader *, struct err *);
	void	(*close)(struct stream_reader *);
};

#endif
