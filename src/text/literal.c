#include "text/literal.h"

enum { GROUPS_DEEP = 250 };		/* as PCRE2's own limit; "\\Q((((" is no group */

struct walk {
	const char	*p;
	int		 depth;
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

/* NOLINTBEGIN(misc-no-recursion): groups in groups, GROUPS_DEEP at most */

static void
one_group(struct walk *w, struct literal_set *best)
{
	struct literal_set	 inside;
	int			 consumes;

	if (w->depth == GROUPS_DEEP) {	/* the rest is not looked at */
		w->p += strlen(w->p);
		return;
	}
	w->depth++;
	w->p++;
	consumes = group_head(w);
	walk_alternatives(w, &inside);
	w->depth--;
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

/* NOLINTEND(misc-no-recursion) */

void
literal_of_pattern(const char *pattern, struct literal_set *s)
{
	struct walk	 w = { pattern, 0, { 0 }, 0 };

	walk_alternatives(&w, s);
	if (*w.p != '\0' || strstr(pattern, "(?i") != NULL)
		s->n = 0;
}
