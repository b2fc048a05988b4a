/*
 * anchor-find.c - the search for pieces: sixteen places at once and more where
 * the processor can, one after the other elsewhere.
 */
#include "text/anchor-part.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_SHUFFLE 1
#include <immintrin.h>
#endif

#include "base/fast.h"

int	 anchors_widest = 64;

/* Whether one of the texts has its piece at p[i]; *begin is where it begins. */
static int
stands(struct anchors *a, const char *p, size_t n, size_t i, size_t *begin)
{
	const struct place	*x;
	size_t			 at;
	int			 k;

	for (k = a->head[anchor_hash(p + i)]; k >= 0; k = x->next) {
		x = &a->place[k];
		at = i - x->offset;
		if (i >= x->offset && n - at >= x->length && anchor_four(p + at) == x->first &&
		    anchor_four(p + at + x->length - 4) == x->last &&
		    memcmp(p + at, x->text, x->length) == 0) {
			*begin = at;
			return (1);
		}
	}
	a->vain++;
	return (0);
}

static size_t
find_plain(struct anchors *a, const char *p, size_t n, size_t i)
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
find_16(struct anchors *a, const char *p, size_t n, size_t i)
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
find_32(struct anchors *a, const char *p, size_t n, size_t i)
{
	__m256i		 low[2][PIECE], high[2][PIECE], half = _mm256_set1_epi8(15), v, l, h, one,
			 two;
	unsigned	 bits;
	size_t		 begin;
	int		 k;

	for (k = 0; k < 2 * PIECE; k++) {
		low[k / PIECE][k % PIECE] = _mm256_broadcastsi128_si256(_mm_loadu_si128(
		    (const __m128i *)(const void *)a->halves.low[k / PIECE][k % PIECE]));
		high[k / PIECE][k % PIECE] = _mm256_broadcastsi128_si256(_mm_loadu_si128(
		    (const __m128i *)(const void *)a->halves.high[k / PIECE][k % PIECE]));
	}
	for (; i + 32 + PIECE <= n; i += 32) {
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

/* Sixty-four: one permutation looks up the low six bits of as many bytes, and
 * what two bytes of one such value have in common tells few pieces apart ("p"
 * and "0"; a letter's two cases differ). */
__attribute__((target("avx512f,avx512bw,avx512vbmi"))) static size_t
find_64(struct anchors *a, const char *p, size_t n)
{
	__m512i		 six[2][PIECE], v, one, two;
	uint64_t	 bits;
	size_t		 i, begin;
	int		 k;

	for (k = 0; k < 2 * PIECE; k++)
		six[k / PIECE][k % PIECE] = _mm512_loadu_si512(a->six[k / PIECE][k % PIECE]);
	for (i = 0; i + 64 + PIECE <= n; i += 64) {
		one = two = _mm512_set1_epi8(-1);
#pragma GCC unroll 4
		for (k = 0; k < PIECE; k++) {
			v = _mm512_loadu_si512(p + i + k);
			one = _mm512_and_si512(one, _mm512_permutexvar_epi8(v, six[0][k]));
			two = _mm512_and_si512(two, _mm512_permutexvar_epi8(v, six[1][k]));
		}
		one = _mm512_or_si512(one, two);
		bits = _mm512_test_epi8_mask(one, one);
		for (; bits != 0; bits &= bits - 1)
			if (stands(a, p, n, i + (size_t)__builtin_ctzll(bits), &begin))
				return (begin);
	}
	return (find_32(a, p, n, i));
}
#endif

size_t
anchors_find(struct anchors *a, const char *p, size_t n)
{
	int	 widest = fast_paths ? anchors_widest : 1;

#ifdef HAVE_SHUFFLE
	if (widest >= 64 && __builtin_cpu_supports("avx512vbmi") &&
	    __builtin_cpu_supports("avx512bw"))
		return (find_64(a, p, n));
	if (widest >= 32 && __builtin_cpu_supports("avx2"))
		return (find_32(a, p, n, 0));
	if (widest >= 16 && __builtin_cpu_supports("ssse3"))
		return (find_16(a, p, n, 0));
#endif
	(void)widest;
	return (find_plain(a, p, n, 0));
}
