#include "text/anchor-part.h"

#include <stdlib.h>

#include "base/mem.h"

enum { GRAM_BITS = 17, GRAM_SIZE = 1 << GRAM_BITS };

/* How often bytes, and four in a row, stand in a sample. */
struct sample {
	double		 share[256];
	uint32_t	*gram;		/* by hash; two may share a count */
	double		 n;
};

/* Four bytes of a text. */
struct part {
	char	 bytes[PIECE];
	int	 text;
	double	 cost;
};

static uint32_t
gram_hash(const char *p)
{
	return ((anchor_four(p) * UINT32_C(0x9e3779b1)) >> (32 - GRAM_BITS));
}

/* A byte that is not in the sample may still come. */
static void
count_sample(struct sample *s, const char *p, size_t n)
{
	size_t	 i;

	s->gram = mem_zero(GRAM_SIZE, sizeof *s->gram);
	s->n = (double)n;
	for (i = 0; i < 256; i++)
		s->share[i] = 1 / (s->n + 256);
	for (i = 0; i < n; i++)
		s->share[(unsigned char)p[i]] += 1 / (s->n + 256);
	for (i = 0; i + PIECE <= n; i++)
		s->gram[gram_hash(p + i)]++;
}

/* What a piece costs: the places it brings, by the sample and by its bytes, and
 * that there is one more. */
static double
cost(const struct sample *s, const char *p)
{
	double	 f = 1;
	int	 i;

	for (i = 0; i < PIECE; i++)
		f *= s->share[(unsigned char)p[i]];
	return (f + s->gram[gram_hash(p)] / (s->n + 1) + 1e-4);
}

static int
by_bytes(const void *a, const void *b)
{
	uint32_t	 x = anchor_four(((const struct part *)a)->bytes),
			 y = anchor_four(((const struct part *)b)->bytes);

	return (x < y ? -1 : x > y);
}

static struct part *
all_parts(const struct anchors *a, size_t ntexts, const struct sample *s, size_t *n)
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
		    part[i - 1].cost : cost(s, part[i].bytes);
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

/* What share of all places a bucket lets pass, by the halves that it knows. */
static double
openness(const struct halves *h, int bucket, const double *share)
{
	uint8_t	 bit = (uint8_t)(1 << bucket % 8);
	double	 all = 1, one;
	int	 k, high, low;

	for (k = 0; k < PIECE; k++) {
		for (one = 0, high = 0; high < 16; high++)
			for (low = 0; (h->high[bucket / 8][k][high] & bit) != 0 && low < 16; low++)
				if ((h->low[bucket / 8][k][low] & bit) != 0)
					one += share[high * 16 + low];
		all *= one;
	}
	return (all);
}

/* Each piece goes where it opens least. */
static void
fill_tables(struct anchors *a, const double *share)
{
	struct halves	 with;
	double		 more, least, open[BUCKETS] = { 0 };
	size_t		 i;
	int		 b, k, best;

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
		for (k = 0; k < PIECE; k++)
			a->six[best / 8][k][a->piece[i][k] & 63] |= (uint8_t)(1 << best % 8);
		open[best] += least;
	}
}

/* The piece is taken for all texts that hold it and have none yet. */
static void
take(struct anchors *a, const char *piece, size_t n, unsigned char *done)
{
	uint32_t	 h = anchor_hash(piece);
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
		x->first = anchor_four(a->texts[i]);
		x->last = anchor_four(a->texts[i] + a->lengths[i] - 4);
		x->next = a->head[h];
		a->head[h] = (int)a->nplaces++;
	}
}

struct anchors *
anchors_choose(const char *const *texts, size_t n, const char *sample, size_t nsample)
{
	struct anchors	*a = mem_zero(1, sizeof *a);
	unsigned char	*done = mem_zero(n + 1, 1);
	struct sample	 s;
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
	count_sample(&s, sample, nsample);
	part = all_parts(a, n, &s, &nparts);
	while ((piece = best_piece(part, nparts, done)) != NULL)
		take(a, piece, n, done);
	if (a->nplaces == n)
		fill_tables(a, s.share);
	free(s.gram);
	free(part);
	free(done);
	if (a->nplaces == n)
		return (a);
	anchors_free(a);
	return (NULL);
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

size_t
anchors_vain(const struct anchors *a)
{
	return (a->vain);
}
