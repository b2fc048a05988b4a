#include "text/literal.h"

#include <stdint.h>
#include <stdlib.h>
#include <strings.h>

#include "base/mem.h"

/* --- what a pattern cannot do without ------------------------------------ */

struct walk {
	const char	*p;
	char		 run[LITERAL_MAX + 1];
	int		 len;
};

static void	 walk_alternatives(struct walk *, struct literal_set *);

static int
shortest(const struct literal_set *s)
{
	int	 i, n, min = LITERAL_MAX + 1;

	for (i = 0; i < s->n; i++)
		if ((n = (int)strlen(s->text[i])) < min)
			min = n;
	return (s->n > 0 ? min : 0);
}

/* Longer literals are rarer; few are better than many. */
static void
prefer(struct literal_set *best, const struct literal_set *s)
{
	int	 a = shortest(best), b = shortest(s);

	if (b >= LITERAL_MIN && (a < LITERAL_MIN || b * 4 - s->n > a * 4 - best->n))
		*best = *s;
}

static void
end_run(struct walk *w, struct literal_set *best)
{
	struct literal_set	 one;

	if (w->len >= LITERAL_MIN) {
		one.n = 1;
		memcpy(one.text[0], w->run, (size_t)w->len);
		one.text[0][w->len] = '\0';
		prefer(best, &one);
	}
	w->len = 0;
}

/* A quantifier: 0 none, 1 at least once, -1 maybe not at all. */
static int
quantifier(struct walk *w)
{
	int	 q = 0;

	if (*w->p == '?' || *w->p == '*')
		q = -1;
	else if (*w->p == '+')
		q = 1;
	else if (*w->p == '{' && w->p[1] >= '0' && w->p[1] <= '9')
		q = w->p[1] == '0' ? -1 : 1;
	else
		return (0);
	if (*w->p == '{') {
		while (*w->p != '\0' && *w->p != '}')
			w->p++;
	}
	if (*w->p != '\0')
		w->p++;
	if (*w->p == '?' || *w->p == '+')
		w->p++;
	return (q);
}

static void
skip_class(struct walk *w)
{
	w->p++;
	if (*w->p == '^')
		w->p++;
	if (*w->p == ']')
		w->p++;
	while (*w->p != '\0' && *w->p != ']')
		w->p += *w->p == '\\' && w->p[1] != '\0' ? 2 : 1;
	if (*w->p == ']')
		w->p++;
}

/* Behind "(?": past the name; 0 for a group that does not consume. */
static int
group_head(struct walk *w)
{
	if (*w->p != '?')
		return (1);
	w->p++;
	if (*w->p == ':' || *w->p == '>') {
		w->p++;
		return (1);
	}
	if (*w->p == 'P')
		w->p++;
	if (*w->p == '<' && w->p[1] != '=' && w->p[1] != '!') {
		while (*w->p != '\0' && *w->p != '>')
			w->p++;
		if (*w->p == '>')
			w->p++;
		return (1);
	}
	while (*w->p == '<' || *w->p == '=' || *w->p == '!')
		w->p++;
	return (0);
}

static void
one_group(struct walk *w, struct literal_set *best)
{
	struct literal_set	 inside;
	int			 consumes;

	w->p++;
	consumes = group_head(w);
	walk_alternatives(w, &inside);
	if (*w->p == ')')
		w->p++;
	if (quantifier(w) >= 0 && consumes && inside.n > 0)
		prefer(best, &inside);
}

static void
one_character(struct walk *w, char c, struct literal_set *best)
{
	int	 q;

	if ((unsigned char)c < ' ' || (unsigned char)c >= 0x7f || strchr("\"\\/<>&'", c) != NULL) {
		end_run(w, best);	/* may be escaped in JSON */
		(void)quantifier(w);
		return;
	}
	q = quantifier(w);
	if (q < 0) {
		end_run(w, best);
		return;
	}
	if (w->len < LITERAL_MAX)
		w->run[w->len++] = c;
	else
		end_run(w, best);
	if (q > 0)
		end_run(w, best);
}

static void
walk_sequence(struct walk *w, struct literal_set *best)
{
	best->n = 0;
	w->len = 0;
	while (*w->p != '\0' && *w->p != ')' && *w->p != '|') {
		switch (*w->p) {
		case '(':
			end_run(w, best);
			one_group(w, best);
			break;
		case '[':
			end_run(w, best);
			skip_class(w);
			(void)quantifier(w);
			break;
		case '.':
		case '^':
		case '$':
			end_run(w, best);
			w->p++;
			(void)quantifier(w);
			break;
		case '\\':
			if (w->p[1] == '\0') {
				w->p++;
				break;
			}
			w->p += 2;
			if ((w->p[-1] | 32) >= 'a' && (w->p[-1] | 32) <= 'z') {
				end_run(w, best);
				(void)quantifier(w);
			} else {
				one_character(w, w->p[-1], best);
			}
			break;
		default:
			w->p++;
			one_character(w, w->p[-1], best);
			break;
		}
	}
	end_run(w, best);
}

static void
walk_alternatives(struct walk *w, struct literal_set *all)
{
	struct literal_set	 one;
	int			 i, open = 0;

	all->n = 0;
	for (;;) {
		walk_sequence(w, &one);
		if (one.n == 0 || all->n + one.n > LITERAL_SET)
			open = 1;	/* a way through without a literal */
		for (i = 0; !open && i < one.n; i++)
			memcpy(all->text[all->n++], one.text[i], sizeof one.text[i]);
		if (*w->p != '|')
			break;
		w->p++;
	}
	if (open)
		all->n = 0;
}

void
literal_of_pattern(const char *pattern, struct literal_set *s)
{
	struct walk	 w = { pattern, { 0 }, 0 };

	walk_alternatives(&w, s);
	if (*w.p != '\0' || strstr(pattern, "(?i") != NULL)
		s->n = 0;
}

/* --- many literals at once ------------------------------------------------ */

enum { MAP_BITS = 15 };

struct literals {
	struct entry {
		char	 text[LITERAL_MAX + 1];
		int	 len;
		int	 at;		/* where its rarest three bytes are */
		int	 next;		/* of equal hash, -1 the end */
		int	 filter;	/* 0: another literal is part of it */
	}		*entry;
	int		 n, cap;
	int		 head[1 << MAP_BITS];
	uint64_t	 map[(1 << MAP_BITS) / 64];
};

struct literals *
literals_new(void)
{
	struct literals	*l = mem_zero(1, sizeof *l);
	int		 i;

	for (i = 0; i < 1 << MAP_BITS; i++)
		l->head[i] = -1;
	return (l);
}

void
literals_free(struct literals *l)
{
	if (l == NULL)
		return;
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

	for (i = 0; i + 3 <= e->len; i++) {
		score = rarity(e->text[i]) + rarity(e->text[i + 1]) + rarity(e->text[i + 2]);
		if (score > most) {
			most = score;
			best = i;
		}
	}
	return (best);
}

/* Of two literals one of which is part of the other the filter needs only
 * the shorter. */
static void
set_filter(struct literals *l, struct entry *e)
{
	int	 i;

	e->filter = 1;
	for (i = 0; i < l->n; i++)
		if (strstr(e->text, l->entry[i].text) != NULL)
			e->filter = 0;
		else if (strstr(l->entry[i].text, e->text) != NULL)
			l->entry[i].filter = 0;
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
	set_filter(l, e);
	e->at = rarest(e);
	h = hash3(e->text + e->at);
	l->map[h / 64] |= UINT64_C(1) << (h % 64);
	e->next = l->head[h];
	l->head[h] = l->n;
	return (l->n++);
}

static inline int
in_map(const struct literals *l, uint32_t h)
{
	return ((l->map[h / 64] >> (h % 64)) & 1);
}

/* Whether the entry stands where its rarest bytes are at p[i]. */
static int
stands(const struct entry *e, const char *p, size_t n, size_t i)
{
	size_t	 start = i - (size_t)e->at;

	return (i >= (size_t)e->at && n - start >= (size_t)e->len &&
	    memcmp(p + start, e->text, (size_t)e->len) == 0);
}

size_t
literals_find(const struct literals *l, const char *p, size_t n)
{
	size_t		 i;
	uint32_t	 h;
	int		 k;

	for (i = 0; i + 3 <= n; i++) {
		h = hash3(p + i);
		if (!in_map(l, h))
			continue;
		for (k = l->head[h]; k >= 0; k = l->entry[k].next)
			if (l->entry[k].filter && stands(&l->entry[k], p, n, i))
				return (i - (size_t)l->entry[k].at);
	}
	return (n);
}

void
literals_mark(const struct literals *l, struct span s, unsigned char *seen)
{
	size_t		 i;
	uint32_t	 h;
	int		 k;

	for (i = 0; i + 3 <= s.n; i++) {
		h = hash3(s.p + i);
		if (!in_map(l, h))
			continue;
		for (k = l->head[h]; k >= 0; k = l->entry[k].next)
			if (stands(&l->entry[k], s.p, s.n, i))
				seen[k] = 1;
	}
}
