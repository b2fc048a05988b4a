/*
 * bus-message.h - one message of the Redis Cluster bus, out of its bytes.
 *
 * The layout is in no document; it was taken from cluster.h / cluster_legacy.h
 * of Redis 3.0 to 8 and Valkey 7.2 to 9, and checked against captures of Redis
 * 7.0.15 and Valkey 9.1.  All integers are big-endian, text is padded with NUL.
 *
 *	   0  4  "RCmb"			2128  40  replicaof, NUL in a master
 *	   4  4  total length		2168  46  myip, empty: the socket's
 *	   8  2  version, 1 (3.x: 0)	2214   2  number of extensions (7.0)
 *	  10  2  port			2216  30  reserved
 *	  12  2  type			2246   2  pport, the other client port
 *	  14  2  gossip entries		2248   2  cport, bus port
 *	  16  8  currentEpoch		2250   2  flags
 *	  24  8  configEpoch		2252   1  state, 0 ok 1 fail
 *	  32  8  replication offset	2253   3  mflags
 *	  40 40  sender			2256      data
 *	  80 2048 slots, slot s: byte s/8, bit s%8
 *
 * Version 0 (Redis 3.x) has no myip, extensions and cport: port is at 2200,
 * flags 2202, state 2204, mflags 2205, data 2208.  A light header (Valkey 8,
 * type bit 0x8000) is the first 16 bytes only.
 */
#ifndef WIRE_BUS_MESSAGE_H
#define WIRE_BUS_MESSAGE_H

#include <stdint.h>

#include "base/span.h"

enum {
	BUS_PING, BUS_PONG, BUS_MEET, BUS_FAIL, BUS_PUBLISH, BUS_AUTH_REQUEST,
	BUS_AUTH_ACK, BUS_UPDATE, BUS_MFSTART, BUS_MODULE, BUS_PUBLISHSHARD,
	BUS_NTYPES
};
enum {
	BUS_MASTER = 0x1, BUS_REPLICA = 0x2, BUS_PFAIL = 0x4, BUS_FAILED = 0x8,
	BUS_HANDSHAKE = 0x20, BUS_NOADDR = 0x40, BUS_NOFAILOVER = 0x200
};
enum { BUS_PAUSED = 0x1, BUS_FORCEACK = 0x2 };
enum {
	BUS_ID_BYTES = 40, BUS_SLOT_BYTES = 2048, BUS_GOSSIP_BYTES = 104,
	BUS_HOSTNAME_MAX = 255,
	BUS_MIN_BYTES = 16,		/* enough for the first look */
	/* Heartbeats longer than this (10,000 entries) are lost sync. */
	BUS_KEEP_MAX_BYTES = 1 << 20
};

struct bus_message {
	unsigned	 version, type, count, extensions;
	int		 light;		/* no fields below but total */
	int		 checked;	/* total bytes were looked at, sound or not */
	uint32_t	 total;		/* bytes of the whole message */
	size_t		 head;		/* bytes before the data */
	uint64_t	 current_epoch, config_epoch;
	struct span	 sender;	/* 40 hex digits */
	struct span	 replicaof;	/* p NULL: none */
	struct span	 ip;		/* p NULL: the socket's */
	const unsigned char *slots;	/* BUS_SLOT_BYTES */
	const unsigned char *data;	/* total - head bytes, if whole */
	int		 port, cport;	/* 0: not stated */
	unsigned	 flags, mflags, state;
	struct span	 subject;	/* FAIL, UPDATE: whom it is about */
	uint64_t	 subject_epoch;	/* UPDATE */
	const unsigned char *subject_slots;	/* UPDATE */
	struct span	 hostname;	/* extension 0, p NULL: none; at most BUS_HOSTNAME_MAX */
	struct span	 forgotten;	/* extension 2: a node id, p NULL: none */
	uint64_t	 forgotten_s;	/* how long it is to stay forgotten */
};

struct bus_gossip {
	struct span	 id, ip;	/* ip.p NULL: empty */
	int		 port, cport;
	unsigned	 flags;
};

enum bus_fit {
	BUS_MORE,			/* *need bytes are required */
	BUS_WHOLE,			/* all of it is there and sound */
	BUS_SKIP,			/* sound so far; pass over total bytes */
	BUS_UNKNOWN,			/* a newer type; pass over total bytes */
	BUS_BAD				/* *why says what is wrong */
};

struct bus_why {
	char	 text[96];
};

/* Does p begin a message?  strict also refuses what no released version sends:
 * for a search, where the signature may be chance.  Spans borrow from p. */
enum bus_fit	 bus_message(const unsigned char *p, size_t n, int strict,
		    struct bus_message *, size_t *need, struct bus_why *);
/* The i-th gossip entry of a whole heartbeat. */
void	 bus_gossip(const struct bus_message *, unsigned i, struct bus_gossip *);

#endif
