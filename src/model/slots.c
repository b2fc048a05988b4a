#include "model/slots.h"

enum { CRC_TABLES = 8 };

/* CRC16 (XMODEM: 0x1021, from 0) of a byte that has k others behind it. */
static uint16_t	 crc_of[CRC_TABLES][256];

static void
make_crc_tables(void)
{
	unsigned	 i, k, crc;

	for (i = 0; i < 256; i++) {
		for (crc = i << 8, k = 0; k < 8; k++)
			crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
		crc_of[0][i] = (uint16_t)crc;
	}
	for (k = 1; k < CRC_TABLES; k++)
		for (i = 0; i < 256; i++) {
			crc = crc_of[k - 1][i];
			crc_of[k][i] = (uint16_t)(crc << 8) ^ crc_of[0][crc >> 8];
		}
}

static uint16_t
crc16(const char *key, size_t n)
{
	const unsigned char	*p = (const unsigned char *)key;
	unsigned		 crc = 0;

	if (crc_of[0][1] == 0)
		make_crc_tables();
	for (; n >= CRC_TABLES; n -= CRC_TABLES, p += CRC_TABLES)
		crc = crc_of[7][p[0] ^ crc >> 8] ^ crc_of[6][p[1] ^ (crc & 255)] ^
		    crc_of[5][p[2]] ^ crc_of[4][p[3]] ^ crc_of[3][p[4]] ^ crc_of[2][p[5]] ^
		    crc_of[1][p[6]] ^ crc_of[0][p[7]];
	for (; n > 0; n--, p++)
		crc = (crc << 8 & 0xff00) ^ crc_of[0][crc >> 8 ^ *p];
	return ((uint16_t)crc);
}

int
slots_of_key(struct span key)
{
	const char	*open, *close;
	size_t		 rest;

	open = key.n > 0 ? memchr(key.p, '{', key.n) : NULL;
	if (open != NULL) {
		rest = key.n - (size_t)(open + 1 - key.p);
		close = rest > 0 ? memchr(open + 1, '}', rest) : NULL;
		if (close != NULL && close > open + 1)
			return (crc16(open + 1, (size_t)(close - open - 1)) &
			    (SLOTS_COUNT - 1));
	}
	return (crc16(key.p, key.n) & (SLOTS_COUNT - 1));
}

/* Digits of one slot number; how many were read, 0 when it is none. */
static size_t
read_slot(const char *p, size_t n, int *slot)
{
	size_t	 i;
	int	 v = 0;

	for (i = 0; i < n && p[i] >= '0' && p[i] <= '9'; i++) {
		v = v * 10 + (p[i] - '0');
		if (v >= SLOTS_COUNT)
			return (0);
	}
	*slot = v;
	return (i);
}

int
slots_parse_range(struct span s, int *from, int *to)
{
	size_t	 a, b;

	a = read_slot(s.p, s.n, from);
	if (a == 0)
		return (-1);
	*to = *from;
	if (a == s.n)
		return (0);
	if (s.p[a] != '-')
		return (-1);
	a++;
	b = read_slot(s.p + a, s.n - a, to);
	return (b > 0 && a + b == s.n && *to >= *from ? 0 : -1);
}

int
slots_parse_list(struct span s, struct slots *set)
{
	size_t	 i = 0, j;
	int	 from, to;

	while (i < s.n) {
		if (s.p[i] == ',' || s.p[i] == ' ') {
			i++;
			continue;
		}
		for (j = i; j < s.n && s.p[j] != ',' && s.p[j] != ' '; j++)
			;
		if (slots_parse_range(span_make(s.p + i, j - i), &from, &to) != 0)
			return (-1);
		slots_add(set, from, to);
		i = j;
	}
	return (0);
}

/* The bits of a range that fall into word w. */
static uint64_t
word_mask(int w, int from, int to)
{
	uint64_t	 mask = UINT64_MAX;

	if (from > w * 64)
		mask &= UINT64_MAX << (from - w * 64);
	if (to < w * 64 + 63)
		mask &= UINT64_MAX >> (w * 64 + 63 - to);
	return (mask);
}

void
slots_add(struct slots *set, int from, int to)
{
	int	 w;

	for (w = from / 64; w <= to / 64; w++)
		set->bits[w] |= word_mask(w, from, to);
}

int
slots_any(const struct slots *set, int from, int to)
{
	int	 w;

	for (w = from / 64; w <= to / 64; w++)
		if ((set->bits[w] & word_mask(w, from, to)) != 0)
			return (1);
	return (0);
}

int
slots_count(const struct slots *set)
{
	int	 i, n = 0;

	for (i = 0; i < SLOTS_COUNT / 64; i++)
		n += __builtin_popcountll(set->bits[i]);
	return (n);
}

int
slots_next(const struct slots *set, int at, int *from, int *to)
{
	while (at < SLOTS_COUNT && !slots_has(set, at))
		at = set->bits[at / 64] == 0 ? (at / 64 + 1) * 64 : at + 1;
	if (at >= SLOTS_COUNT)
		return (0);
	*from = at;
	while (at < SLOTS_COUNT && slots_has(set, at))
		at++;
	*to = at - 1;
	return (1);
}

void
slots_format(const struct slots *set, struct buf *out)
{
	int	 at = 0, from, to, first = 1;

	for (; slots_next(set, at, &from, &to); at = to + 1, first = 0) {
		if (!first)
			buf_chr(out, ',');
		if (from == to)
			buf_fmt(out, "%d", from);
		else
			buf_fmt(out, "%d-%d", from, to);
	}
}
