/*
 * literals.c - many literals in one pass over raw text: anchors say where to
 * look, a hash of the rarest three bytes which literals to try.
 */
#include "text/literal.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "text/anchor.h"

enum { MAP_BITS = 14, MAP_SIZE = 1 << MAP_BITS, TAIL = 3 };
enum {
	SAMPLE_BYTES = 256 * 1024,
	AGAIN_BYTES = 8 * 1024 * 1024,	/* choosing takes as long as searching that */
	VAIN_APART = 100		/* places looked at in vain that are no trouble */
};

struct entry {
	char	 text[LITERAL_MAX + 1];
	int	 len;
	int	 at;			/* where its rarest three bytes are */
	int	 next;			/* of equal hash, -1 the end */
	int	 filter;		/* 0: another literal is part of it */
};

struct literals {
	struct entry	*entry;
	int		 n, cap;
	int		 head[MAP_SIZE];
	uint64_t	 map[MAP_SIZE / 64];
	struct anchors	*anchors;	/* NULL: not chosen yet, or none possible */
	size_t		 searched;	/* bytes, with these anchors */
	size_t		 again;		/* so many later others may be chosen; 0 before the first */
};

struct literals *
literals_new(void)
{
	struct literals	*l = mem_zero(1, sizeof *l);
	int		 i;

	for (i = 0; i < MAP_SIZE; i++)
		l->head[i] = -1;
	return (l);
}

void
literals_free(struct literals *l)
{
	if (l == NULL)
		return;
	anchors_free(l->anchors);
	free(l->entry);
	free(l);
}

int
literals_count(const struct literals *l)
{
	return (l->n);
}

static inline uint32_t
hash3(const char *p)
{
	uint32_t	 v = (uint32_t)(unsigned char)p[0] |
	    (uint32_t)(unsigned char)p[1] << 8 | (uint32_t)(unsigned char)p[2] << 16;

	return ((v * UINT32_C(0x9e3779b1)) >> (32 - MAP_BITS));
}

/* How rare a byte is in logs, roughly. */
static int
rarity(char c)
{
	static const char	 common[] = " etaoinsrcldm.:0123456789pu-fhg";
	const char		*p = strchr(common, c);

	if (p == NULL || c == '\0')
		return (c >= 'A' && c <= 'Z' ? 60 : 45);
	return ((int)(p - common));
}

static int
rarest(const struct entry *e)
{
	int	 i, score, best = 0, most = -1;

	for (i = 0; i + TAIL <= e->len; i++) {
		score = rarity(e->text[i]) + rarity(e->text[i + 1]) + rarity(e->text[i + 2]);
		if (score > most) {
			most = score;
			best = i;
		}
	}
	return (best);
}

int
literals_add(struct literals *l, const char *text)
{
	struct entry	*e;
	uint32_t	 h;
	int		 i;

	for (i = 0; i < l->n; i++)
		if (strcmp(l->entry[i].text, text) == 0)
			return (i);
	if (l->n == l->cap) {
		l->cap = l->cap * 2 + 64;
		l->entry = mem_grow(l->entry, (size_t)l->cap, sizeof *l->entry);
	}
	e = &l->entry[l->n];
	memset(e, 0, sizeof *e);
	e->len = (int)strlen(text);
	memcpy(e->text, text, strlen(text) + 1);
	e->at = rarest(e);
	h = hash3(e->text + e->at);
	l->map[h / 64] |= UINT64_C(1) << (h % 64);
	e->next = l->head[h];
	l->head[h] = l->n;
	anchors_free(l->anchors);	/* they borrow the entries */
	l->anchors = NULL;
	l->again = 0;
	return (l->n++);
}

static inline int
in_map(const struct literals *l, uint32_t h)
{
	return ((int)(l->map[h / 64] >> (h % 64) & 1));
}

/* Whether the entry stands where its rarest bytes are at p[i]. */
static int
stands(const struct entry *e, const char *p, size_t n, size_t i)
{
	size_t	 start = i - (size_t)e->at;

	return (i >= (size_t)e->at && n - start >= (size_t)e->len &&
	    memcmp(p + start, e->text, (size_t)e->len) == 0);
}

/* One place after the other. */
static size_t
find_here(const struct literals *l, const char *p, size_t n)
{
	size_t		 i;
	uint32_t	 h;
	int		 k;

	for (i = 0; i + TAIL <= n; i++) {
		h = hash3(p + i);
		if (!in_map(l, h))
			continue;
		for (k = l->head[h]; k >= 0; k = l->entry[k].next)
			if (l->entry[k].filter && stands(&l->entry[k], p, n, i))
				return (i - (size_t)l->entry[k].at);
	}
	return (n);
}

/* Of two literals one of which is part of the other the filter needs only
 * the shorter. */
static void
set_filter(struct literals *l)
{
	int	 i, k;

	for (i = 0; i < l->n; i++) {
		l->entry[i].filter = 1;
		for (k = 0; k < l->n && l->entry[i].filter; k++)
			if (k != i && l->entry[k].len <= l->entry[i].len &&
			    strstr(l->entry[i].text, l->entry[k].text) != NULL)
				l->entry[i].filter = 0;
	}
}

/* The text that is to be searched says which pieces of the literals are rare. */
static void
choose_anchors(struct literals *l, const char *p, size_t n)
{
	const char	**texts = mem_zero((size_t)l->n + 1, sizeof *texts);
	size_t		 k = 0;
	int		 i;

	if (l->again == 0)
		set_filter(l);
	for (i = 0; i < l->n; i++)
		if (l->entry[i].filter)
			texts[k++] = l->entry[i].text;
	anchors_free(l->anchors);
	l->anchors = anchors_choose(texts, k, p, n < SAMPLE_BYTES ? n : SAMPLE_BYTES);
	l->searched = 0;
	l->again = l->again == 0 ? AGAIN_BYTES : l->again * 2;
	free(texts);
}

/* Whether too many places are looked at in vain: this is another kind of log. */
static int
is_slow(const struct literals *l)
{
	return (l->anchors != NULL && l->searched >= l->again &&
	    anchors_vain(l->anchors) > l->searched / VAIN_APART);
}

size_t
literals_find(struct literals *l, const char *p, size_t n)
{
	size_t	 at;

	if (l->again == 0 || is_slow(l))
		choose_anchors(l, p, n);
	at = l->anchors != NULL ? anchors_find(l->anchors, p, n) : find_here(l, p, n);
	l->searched += at;
	return (at);
}

void
literals_mark(const struct literals *l, struct span s, unsigned char *seen)
{
	size_t		 i;
	uint32_t	 h;
	int		 k;

	for (i = 0; i + TAIL <= s.n; i++) {
		h = hash3(s.p + i);
		if (!in_map(l, h))
			continue;
		for (k = l->head[h]; k >= 0; k = l->entry[k].next)
			if (stands(&l->entry[k], s.p, s.n, i))
				seen[k] = 1;
	}
}
