/*
 * pcapng.h - the packet blocks of a pcapng file, sorted by what libpcap can
 * read as one: it refuses files whose interfaces differ in link type, snapshot
 * length or time resolution.
 *
 *	section header:	0x0a0d0d0a len 0x1a2b3c4d ... len
 *	interface:	0x00000001 len linktype(2) 0(2) snaplen(4) options len
 *	packets:	6 enhanced, 2 obsolete, 3 simple
 *
 * <https://datatracker.ietf.org/doc/draft-ietf-opsawg-pcapng/>.  Every class
 * is a stream of its own: a section header and interfaces (heads, written
 * here), then the blocks as they stand in the file.
 */
#ifndef FORMAT_PCAPNG_H
#define FORMAT_PCAPNG_H

#include "base/input.h"

enum { PCAPNG_BLOCK = 16 << 20, PCAPNG_CLASSES = 256, PCAPNG_INTERFACES = 4096 };

struct pcapng;

/* Packets of one class that follow each other. */
struct pcapng_run {
	int		 class;		/* 0 first */
	int		 packets;	/* at least 1 */
	struct span	 head;		/* comes before the blocks; n 0: nothing */
	struct span	 blocks;	/* valid until the next call */
};

struct pcapng	*pcapng_open(struct input *);	/* borrowed */
void		 pcapng_close(struct pcapng *);
/* 1 packets, 0 the end, -1 the file is damaged or cannot be read. */
int		 pcapng_next(struct pcapng *, struct pcapng_run *, struct err *);

#endif
