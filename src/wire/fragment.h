/*
 * fragment.h - IP datagrams put together from their fragments.
 */
#ifndef WIRE_FRAGMENT_H
#define WIRE_FRAGMENT_H

#include "wire/frame.h"

struct fragment_key {
	struct frame_addr src, dst;
	uint32_t	 id;
	uint32_t	 proto;
};

struct fragments;

struct fragments *fragments_new(int most);	/* datagrams that may wait at once */
void		 fragments_free(struct fragments *);
/*
 * n bytes at an offset of a datagram, more: not the last.  The whole payload
 * and its size in *whole once complete, valid until the next call; else NULL.
 * Overlaps keep what came first.  *lost counts datagrams given up.
 */
const uint8_t	*fragments_add(struct fragments *, const struct fragment_key *,
		    size_t offset, int more, const uint8_t *, size_t n, size_t *whole,
		    int64_t *lost);

#endif
