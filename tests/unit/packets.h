/*
 * packets.h - the packets of a capture in memory, to be damaged and written
 * again in other containers and behind other link layers.
 */
#ifndef UNIT_PACKETS_H
#define UNIT_PACKETS_H

#include <stdint.h>

#include "base/buf.h"

struct packet {
	int64_t		 at;		/* us */
	uint32_t	 cap, len;
	char		*data;		/* owned */
};

struct packets {
	struct packet	*all;
	size_t		 n;
	int		 link;
};

enum container { AS_PCAP, AS_PCAP_NS, AS_PCAP_SWAPPED, AS_PCAPNG, AS_PCAPNG_TWO };

/* Of a little-endian microsecond pcap under the source's tests/captures/. */
void	 packets_load(struct packets *, const char *name);
void	 packets_free(struct packets *);
/* Packets [from, to) as a file. */
void	 packets_write(const struct packets *, size_t from, size_t to, enum container,
	    struct buf *);

void	 packets_drop(struct packets *, size_t i);
void	 packets_swap(struct packets *, size_t i);	/* with the next; times too */
void	 packets_again(struct packets *, size_t i);	/* the same once more */
void	 packets_cut(struct packets *, uint32_t snaplen);
/* n bytes in front of each, the first `lose` bytes of the old header gone. */
void	 packets_wrap(struct packets *, const void *head, size_t n, size_t lose, int link);

/* A whole file of tests/captures/, owned by the caller. */
char	*packets_file(const char *name, size_t *n);

#endif
