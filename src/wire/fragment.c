#include "wire/fragment.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Offsets are multiples of 8 and end below 64 KiB: a bit for each 8 bytes says
 * what has come. */
enum { DATAGRAM_BYTES = 65536, UNITS = DATAGRAM_BYTES / 8 };

struct datagram {
	int		 used;
	struct fragment_key key;
	uint64_t	 age;		/* number of the last fragment given */
	size_t		 total;		/* 0: last fragment not seen */
	size_t		 end;		/* of what came */
	size_t		 have;		/* units */
	uint64_t	 got[UNITS / 64];
	uint8_t		*bytes;
};

struct fragments {
	struct datagram	*all;
	int		 n;
	uint64_t	 clock;
};

struct fragments *
fragments_new(int most)
{
	struct fragments	*fs = mem_zero(1, sizeof *fs);

	fs->all = mem_zero((size_t)most, sizeof *fs->all);
	fs->n = most;
	return (fs);
}

void
fragments_free(struct fragments *fs)
{
	int	 i;

	if (fs == NULL)
		return;
	for (i = 0; i < fs->n; i++)
		free(fs->all[i].bytes);
	free(fs->all);
	free(fs);
}

/* The datagram of a key; a new one takes a free place or the oldest's. */
static struct datagram *
find(struct fragments *fs, const struct fragment_key *k, int64_t *lost)
{
	struct datagram	*d, *oldest = &fs->all[0];
	int		 i;

	for (i = 0; i < fs->n; i++) {
		d = &fs->all[i];
		if (d->used && memcmp(&d->key, k, sizeof *k) == 0)
			return (d);
		if (!d->used ? oldest->used : d->age < oldest->age && oldest->used)
			oldest = d;
	}
	d = oldest;
	if (d->used)
		(*lost)++;
	if (d->bytes == NULL)
		d->bytes = mem_alloc(DATAGRAM_BYTES);
	d->used = 1;
	d->key = *k;
	d->total = d->end = d->have = 0;
	memset(d->got, 0, sizeof d->got);
	return (d);
}

static void
put(struct datagram *d, size_t offset, const uint8_t *p, size_t n)
{
	size_t	 unit, at, len;

	for (at = 0; at < n; at += 8) {
		unit = (offset + at) / 8;
		if (d->got[unit / 64] >> (unit % 64) & 1)
			continue;
		len = n - at < 8 ? n - at : 8;
		memcpy(d->bytes + offset + at, p + at, len);
		d->got[unit / 64] |= UINT64_C(1) << (unit % 64);
		d->have++;
	}
}

/* Whether a piece goes with those before it: one end, and nothing past it.  So
 * what is complete has no byte that never came. */
static int
agrees(const struct datagram *d, size_t end, int more)
{
	if (more)
		return (d->total == 0 || end <= d->total);
	return (d->total == 0 ? end >= d->end : end == d->total);
}

const uint8_t *
fragments_add(struct fragments *fs, const struct fragment_key *k, size_t offset,
    int more, const uint8_t *p, size_t n, size_t *whole, int64_t *lost)
{
	struct datagram	*d;

	if (n == 0 || offset + n > DATAGRAM_BYTES || offset % 8 != 0 || (more && n % 8 != 0))
		return (NULL);
	d = find(fs, k, lost);
	d->age = ++fs->clock;
	if (!agrees(d, offset + n, more)) {
		d->used = 0;
		(*lost)++;
		return (NULL);
	}
	put(d, offset, p, n);
	if (offset + n > d->end)
		d->end = offset + n;
	if (!more)
		d->total = offset + n;
	if (d->total == 0 || d->have < (d->total + 7) / 8)
		return (NULL);
	d->used = 0;
	*whole = d->total;
	return (d->bytes);
}
