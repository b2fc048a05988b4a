/*
 * slots.h - hash slots: of a key, and as ranges in text.
 */
#ifndef MODEL_SLOTS_H
#define MODEL_SLOTS_H

#include <stdint.h>

#include "base/buf.h"
#include "base/span.h"

#define SLOTS_COUNT	16384

/* A set of slots, one bit each; all zero is empty. */
struct slots {
	uint64_t	 bits[SLOTS_COUNT / 64];
};

static inline int
slots_has(const struct slots *set, int slot)
{
	return ((set->bits[slot / 64] >> (slot % 64)) & 1);
}

/* The slot of a key: CRC16 (XMODEM) of the key, or of what stands between the
 * first '{' and the next '}' when that is not empty. */
int	 slots_of_key(struct span key);

/* "7" or "0-5460", nothing else: 0, or -1 when it is no valid range. */
int	 slots_parse_range(struct span, int *from, int *to);
/* Ranges separated by commas or blanks, added to the set; -1 at the first bad
 * one (those before it stay added). */
int	 slots_parse_list(struct span, struct slots *);

void	 slots_add(struct slots *, int from, int to);	/* 0 <= from <= to < SLOTS_COUNT */
/* One of a range is in the set. */
int	 slots_any(const struct slots *, int from, int to);
int	 slots_count(const struct slots *);
/* The first range at or after a slot: 1 found, 0 none. */
int	 slots_next(const struct slots *, int at, int *from, int *to);
/* "0-5460,7000", appended. */
void	 slots_format(const struct slots *, struct buf *);

#endif
