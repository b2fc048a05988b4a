#include "text/anchor.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_SHUFFLE 1
#include <immintrin.h>
#endif

#include "base/fast.h"
#include "base/mem.h"

enum {
	PIECE = 4,
	BUCKETS = 16,			/* two bytes of bits */
	MAP_BITS = 12, MAP_SIZE = 1 << MAP_BITS
};

struct place {				/* of a piece in a text */
	const char *text;
	uint32_t length, offset;
	uint32_t first, last;		/* the text's first and last four bytes */
	int	 next;
};

/* By place in the piece and half of the byte: the buckets (bits) that hold a
 * piece with such a half there; [0] is buckets 0 to 7, [1] the others. */
struct halves {
	uint8_t	 low[2][PIECE][16], high[2][PIECE][16];
};

struct anchors {
	char		(*piece)[PIECE];
	size_t		 n;
	struct halves	 halves;
	struct place	*place;
	size_t		 nplaces;
	int		 head[MAP_SIZE];	/* places, by hash of the piece */
	const char	**texts;
	size_t		*lengths;
};

static inline uint32_t
four(const char *p)
{
	uint32_t	 v;

	memcpy(&v, p, sizeof v);
	return (v);
}

static inline uint32_t
hash4(const char *p)
{
	return ((four(p) * UINT32_C(0x9e3779b1)) >> (32 - MAP_BITS));
}

/* How often a byte stands in logs, in thousandths, roughly. */
static double
frequency(char c)
{
	static const char	 letters[] = "etaoinsrlcdmpuhgfybwvkxqjz";
	static const int	 often[] = { 80, 60, 55, 55, 50, 50, 45, 45, 30, 30, 30, 20, 20, 20,
		15, 12, 12, 10, 8, 8, 6, 6, 3, 2, 2, 2 };
	const char		*p = c != '\0' ? strchr(letters, c) : NULL;

	if (p != NULL)
		return (often[p - letters]);
	if (c == ' ')
		return (150);
	if (c >= '0' && c <= '9')
		return (15);
	return (c == '.' || c == ':' ? 25 : 4);
}

/* Words of any log. */
static const char everyday[] = " connection connected connecting reconnect disconnected connect to "
    "Connection request response received receiving reading read writing write sent sending "
    "server service client host hostname node closed closing open was were with without left "
    "mark failed failure Failed error Error errors exception Exception enabled disabled unable "
    "Unable available unavailable cannot could Could timeout timed out Timeout loading loaded "
    "started starting stopped user session the for from into command message status state "
    "state update updated after before while during than invalid valid value unexpected "
    "retrying retry attempts discovered covered recovered process processing returned handling "
    "pool thread query cluster configuration config ing ting ning ring ating tion ation sion "
    "able ible ment ness over under info master slave address establish established refresh "
    "refreshing initialize socket Socket stream reset broken end of file not found ";

/* What a piece costs: its hits, and that there is one more.  Letters follow
 * each other in words: what has nothing else is no rarity. */
static double
cost(const char *p)
{
	double	 f = 1;
	int	 i, plain = 1;

	if (memmem(everyday, sizeof everyday - 1, p, PIECE) != NULL)
		return (2e-3);
	for (i = 0; i < PIECE; i++) {
		f *= frequency(p[i]) / 1000;
		plain &= p[i] == ' ' || (p[i] >= 'a' && p[i] <= 'z');
	}
	if (plain)
		f = f * 20 + (memchr(p, ' ', PIECE) != NULL ? 6e-4 : 2e-4);
	return (f + 4e-4);
}

/* Four bytes of a text. */
struct part {
	char	 bytes[PIECE];
	int	 text;
	double	 cost;
};

static int
by_bytes(const void *a, const void *b)
{
	return (memcmp(a, b, PIECE));
}

static struct part *
all_parts(const struct anchors *a, size_t ntexts, size_t *n)
{
	struct part	*part;
	size_t		 i, k, total = 0;

	for (i = 0; i < ntexts; i++)
		total += a->lengths[i];
	part = mem_zero(total + 1, sizeof *part);
	for (i = *n = 0; i < ntexts; i++)
		for (k = 0; k + PIECE <= a->lengths[i]; k++, (*n)++) {
			memcpy(part[*n].bytes, a->texts[i] + k, PIECE);
			part[*n].text = (int)i;
		}
	qsort(part, *n, sizeof *part, by_bytes);
	for (i = 0; i < *n; i++)
		part[i].cost = i > 0 && by_bytes(&part[i], &part[i - 1]) == 0 ?
		    part[i - 1].cost : cost(part[i].bytes);
	return (part);
}

/* The four bytes worth most: in how many texts without a piece they stand, by
 * what they cost. */
static const char *
best_piece(const struct part *part, size_t n, const unsigned char *done)
{
	const char	*best = NULL;
	double		 worth, most = 0;
	size_t		 i, k, count;

	for (i = 0; i < n; i = k) {
		for (k = i, count = 0; k < n && by_bytes(&part[k], &part[i]) == 0; k++)
			count += !done[part[k].text];
		worth = count > 0 ? (double)count / part[i].cost : 0;
		if (worth > most) {
			most = worth;
			best = part[i].bytes;
		}
	}
	return (best);
}

static void
add_halves(struct halves *h, int bucket, const char *piece)
{
	uint8_t	 bit = (uint8_t)(1 << bucket % 8);
	int	 k;

	for (k = 0; k < PIECE; k++) {
		h->low[bucket / 8][k][piece[k] & 15] |= bit;
		h->high[bucket / 8][k][(unsigned char)piece[k] >> 4] |= bit;
	}
}

/* The share of a log's bytes that have such halves. */
static void
shares(double share[16][16])
{
	double	 all = 0;
	int	 c;

	for (c = 0; c < 256; c++)
		all += share[c >> 4][c & 15] = c >= ' ' && c < 127 ? frequency((char)c) : 0.1;
	for (c = 0; c < 256; c++)
		share[c >> 4][c & 15] /= all;
}

/* What share of all places a bucket lets pass, by the halves that it knows. */
static double
openness(const struct halves *h, int bucket, double share[16][16])
{
	uint8_t	 bit = (uint8_t)(1 << bucket % 8);
	double	 all = 1, one;
	int	 k, high, low;

	for (k = 0; k < PIECE; k++) {
		for (one = 0, high = 0; high < 16; high++)
			for (low = 0; (h->high[bucket / 8][k][high] & bit) != 0 && low < 16; low++)
				if ((h->low[bucket / 8][k][low] & bit) != 0)
					one += share[high][low];
		all *= one;
	}
	return (all);
}

/* Each piece goes where it opens least. */
static void
fill_tables(struct anchors *a)
{
	struct halves	 with;
	double		 more, least, open[BUCKETS] = { 0 }, share[16][16];
	size_t		 i;
	int		 b, best;

	shares(share);
	for (i = 0; i < a->n; i++) {
		best = 0;
		least = 1e9;
		for (b = 0; b < BUCKETS; b++) {
			with = a->halves;
			add_halves(&with, b, a->piece[i]);
			more = openness(&with, b, share) - open[b];
			if (more < least) {
				least = more;
				best = b;
			}
		}
		add_halves(&a->halves, best, a->piece[i]);
		open[best] += least;
	}
}

/* The piece is taken for all texts that hold it and have none yet. */
static void
take(struct anchors *a, const char *piece, size_t n, unsigned char *done)
{
	uint32_t	 h = hash4(piece);
	struct place	*x;
	const char	*p;
	size_t		 i;

	memcpy(a->piece[a->n++], piece, PIECE);
	for (i = 0; i < n; i++) {
		if (done[i] || (p = memmem(a->texts[i], a->lengths[i], piece, PIECE)) == NULL)
			continue;
		done[i] = 1;
		x = &a->place[a->nplaces];
		x->text = a->texts[i];
		x->length = (uint32_t)a->lengths[i];
		x->offset = (uint32_t)(p - a->texts[i]);
		x->first = four(a->texts[i]);
		x->last = four(a->texts[i] + a->lengths[i] - 4);
		x->next = a->head[h];
		a->head[h] = (int)a->nplaces++;
	}
}

struct anchors *
anchors_choose(const char *const *texts, size_t n)
{
	struct anchors	*a = mem_zero(1, sizeof *a);
	unsigned char	*done = mem_zero(n + 1, 1);
	struct part	*part;
	const char	*piece;
	size_t		 i, nparts;

	a->piece = mem_zero(n + 1, sizeof *a->piece);
	a->place = mem_zero(n + 1, sizeof *a->place);
	a->texts = mem_zero(n + 1, sizeof *a->texts);
	a->lengths = mem_zero(n + 1, sizeof *a->lengths);
	for (i = 0; i < MAP_SIZE; i++)
		a->head[i] = -1;
	for (i = 0; i < n; i++) {
		a->texts[i] = texts[i];
		a->lengths[i] = strlen(texts[i]);
	}
	part = all_parts(a, n, &nparts);
	while ((piece = best_piece(part, nparts, done)) != NULL)
		take(a, piece, n, done);
	free(part);
	free(done);
	if (a->nplaces < n) {
		anchors_free(a);
		return (NULL);
	}
	fill_tables(a);
	return (a);
}

void
anchors_free(struct anchors *a)
{
	if (a == NULL)
		return;
	free(a->piece);
	free(a->place);
	free(a->texts);
	free(a->lengths);
	free(a);
}

/* Whether one of the texts has its piece at p[i]; *begin is where it begins. */
static int
stands(const struct anchors *a, const char *p, size_t n, size_t i, size_t *begin)
{
	const struct place	*x;
	size_t			 at;
	int			 k;

	for (k = a->head[hash4(p + i)]; k >= 0; k = x->next) {
		x = &a->place[k];
		at = i - x->offset;
		if (i >= x->offset && n - at >= x->length && four(p + at) == x->first &&
		    four(p + at + x->length - 4) == x->last &&
		    memcmp(p + at, x->text, x->length) == 0) {
			*begin = at;
			return (1);
		}
	}
	return (0);
}

static size_t
find_plain(const struct anchors *a, const char *p, size_t n, size_t i)
{
	size_t	 begin;

	for (; i + PIECE <= n; i++)
		if (stands(a, p, n, i, &begin))
			return (begin);
	return (n);
}

#ifdef HAVE_SHUFFLE
/* Sixteen places at once: a shuffle looks the halves of sixteen bytes up in
 * the tables, and a bucket that all four bytes agree on may stand there. */
__attribute__((target("ssse3"))) static size_t
find_16(const struct anchors *a, const char *p, size_t n, size_t i)
{
	__m128i		 low[2][PIECE], high[2][PIECE], half = _mm_set1_epi8(15), v, l, h, one, two;
	unsigned	 bits;
	size_t		 begin;
	int		 k;

	for (k = 0; k < 2 * PIECE; k++) {
		low[k / PIECE][k % PIECE] = _mm_loadu_si128(
		    (const __m128i *)(const void *)a->halves.low[k / PIECE][k % PIECE]);
		high[k / PIECE][k % PIECE] = _mm_loadu_si128(
		    (const __m128i *)(const void *)a->halves.high[k / PIECE][k % PIECE]);
	}
	for (; i + 16 + PIECE <= n; i += 16) {
		one = two = _mm_set1_epi8(-1);
#pragma GCC unroll 4
		for (k = 0; k < PIECE; k++) {
			v = _mm_loadu_si128((const __m128i *)(const void *)(p + i + k));
			l = _mm_and_si128(v, half);
			h = _mm_and_si128(_mm_srli_epi16(v, 4), half);
			one = _mm_and_si128(one, _mm_and_si128(_mm_shuffle_epi8(low[0][k], l),
			    _mm_shuffle_epi8(high[0][k], h)));
			two = _mm_and_si128(two, _mm_and_si128(_mm_shuffle_epi8(low[1][k], l),
			    _mm_shuffle_epi8(high[1][k], h)));
		}
		bits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_or_si128(one, two),
		    _mm_setzero_si128())) ^ 0xffff;
		for (; bits != 0; bits &= bits - 1)
			if (stands(a, p, n, i + (size_t)__builtin_ctz(bits), &begin))
				return (begin);
	}
	return (find_plain(a, p, n, i));
}

/* Thirty-two places at once, in the same way. */
__attribute__((target("avx2"))) static size_t
find_32(const struct anchors *a, const char *p, size_t n)
{
	__m256i		 low[2][PIECE], high[2][PIECE], half = _mm256_set1_epi8(15), v, l, h, one,
			 two;
	unsigned	 bits;
	size_t		 i, begin;
	int		 k;

	for (k = 0; k < 2 * PIECE; k++) {
		low[k / PIECE][k % PIECE] = _mm256_broadcastsi128_si256(_mm_loadu_si128(
		    (const __m128i *)(const void *)a->halves.low[k / PIECE][k % PIECE]));
		high[k / PIECE][k % PIECE] = _mm256_broadcastsi128_si256(_mm_loadu_si128(
		    (const __m128i *)(const void *)a->halves.high[k / PIECE][k % PIECE]));
	}
	for (i = 0; i + 32 + PIECE <= n; i += 32) {
		one = two = _mm256_set1_epi8(-1);
#pragma GCC unroll 4
		for (k = 0; k < PIECE; k++) {
			v = _mm256_loadu_si256((const __m256i *)(const void *)(p + i + k));
			l = _mm256_and_si256(v, half);
			h = _mm256_and_si256(_mm256_srli_epi16(v, 4), half);
			one = _mm256_and_si256(one, _mm256_and_si256(
			    _mm256_shuffle_epi8(low[0][k], l), _mm256_shuffle_epi8(high[0][k], h)));
			two = _mm256_and_si256(two, _mm256_and_si256(
			    _mm256_shuffle_epi8(low[1][k], l), _mm256_shuffle_epi8(high[1][k], h)));
		}
		bits = ~(unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(
		    _mm256_or_si256(one, two), _mm256_setzero_si256()));
		for (; bits != 0; bits &= bits - 1)
			if (stands(a, p, n, i + (size_t)__builtin_ctz(bits), &begin))
				return (begin);
	}
	return (find_16(a, p, n, i));
}
#endif

size_t
anchors_find(const struct anchors *a, const char *p, size_t n)
{
#ifdef HAVE_SHUFFLE
	if (fast_paths && __builtin_cpu_supports("avx2"))
		return (find_32(a, p, n));
	if (fast_paths && __builtin_cpu_supports("ssse3"))
		return (find_16(a, p, n, 0));
#endif
	return (find_plain(a, p, n, 0));
}
