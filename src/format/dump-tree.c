#include "format/dump-tree.h"

#include <stdlib.h>

#include "base/mem.h"

static int
starts(struct span s, const char *what)
{
	size_t	 n = strlen(what);

	return (s.n >= n && memcmp(s.p, what, n) == 0);
}

void
tree_reset(struct tree *t)
{
	t->text.n = t->n = 0;
	t->depth = t->quoted = t->full = 0;
}

void
tree_free(struct tree *t)
{
	buf_free(&t->text);
	free(t->tokens);
	memset(t, 0, sizeof *t);
}

struct span
tree_span(const struct tree *t, size_t i)
{
	if (t->tokens[i].at == SIZE_MAX)
		return (span_make(NULL, 0));
	return (span_make(t->text.p + t->tokens[i].at, t->tokens[i].n));
}

int
tree_closed(const struct tree *t)
{
	return (t->depth <= 0 && !t->quoted);
}

static struct tree_token *
add(struct tree *t, int64_t position)
{
	struct tree_token	*k;

	if (t->n >= TREE_TOKENS_MAX) {
		t->full = 1;
		t->n--;
	}
	if (t->n == t->cap) {
		t->cap = t->cap != 0 ? t->cap * 2 : 64;
		t->tokens = mem_grow(t->tokens, t->cap, sizeof *t->tokens);
	}
	buf_need(&t->text, 1);		/* so that an empty token is not nil */
	k = &t->tokens[t->n++];
	k->at = t->text.n;
	k->n = 0;
	k->position = position;
	return (k);
}

static void
add_span(struct tree *t, struct span s, int64_t position)
{
	struct tree_token	*k = add(t, position);

	buf_add(&t->text, s.p, s.n);
	k->n = s.n;
}

static int
hex_value(char c)
{
	if (is_digit(c))
		return (c - '0');
	c |= 32;
	return (c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1);
}

/* Behind a backslash of redis-cli or JSON; bytes used. */
static size_t
escape(struct tree *t, struct span s)
{
	int	 a, b;

	switch (*s.p) {
	case 'n':
		buf_chr(&t->text, '\n');
		return (1);
	case 'r':
		buf_chr(&t->text, '\r');
		return (1);
	case 't':
		buf_chr(&t->text, '\t');
		return (1);
	case 'x':
		if (s.n >= 3 && (a = hex_value(s.p[1])) >= 0 &&
		    (b = hex_value(s.p[2])) >= 0) {
			buf_chr(&t->text, a * 16 + b);
			return (3);
		}
		break;
	case 'u':
		if (s.n >= 5 && s.p[1] == '0' && s.p[2] == '0' &&
		    (a = hex_value(s.p[3])) >= 0 && a < 8 &&
		    (b = hex_value(s.p[4])) >= 0) {
			buf_chr(&t->text, a * 16 + b);
			return (5);
		}
		break;
	}
	buf_chr(&t->text, *s.p);
	return (1);
}

/* A quoted string at s, which begins behind its quote; bytes used with the
 * closing quote, 0 when it is not closed on this line. */
static size_t
quoted(struct tree *t, struct span s, int64_t position)
{
	struct tree_token	*k = add(t, position);
	size_t			 i;

	for (i = 0; i < s.n && s.p[i] != '"'; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n)
			i += escape(t, span_make(s.p + i + 1, s.n - i - 1));
		else
			buf_chr(&t->text, s.p[i]);
	}
	k->n = t->text.n - k->at;
	return (i < s.n ? i + 1 : 0);
}

/* One scalar of the tty form. */
static void
tty_scalar(struct tree *t, struct span s, int64_t position)
{
	if (s.n == 0 || starts(s, "(empty ") || starts(s, "=>"))
		return;
	if (starts(s, "(nil)")) {
		add(t, position)->at = SIZE_MAX;
	} else if (*s.p == '"') {
		quoted(t, span_make(s.p + 1, s.n - 1), position);
	} else if (starts(s, "(integer) ")) {
		add_span(t, span_make(s.p + 10, s.n - 10), position);
	} else if (starts(s, "(double) ")) {
		add_span(t, span_make(s.p + 9, s.n - 9), position);
	} else
		add_span(t, s, position);
}

/* Length of "12) " or "3# " at the beginning, 0 when there is none. */
static size_t
tty_index(struct span s)
{
	size_t	 i = 0;

	while (i < s.n && i < 7 && is_digit(s.p[i]))
		i++;
	if (i == 0 || i + 1 >= s.n || (s.p[i] != ')' && s.p[i] != '#' &&
	    s.p[i] != '~') || s.p[i + 1] != ' ')
		return (0);
	return (i + 2);
}

/* Past blanks and "1) 2) ": whether there was an index. */
static int
tty_indices(struct span *s)
{
	size_t	 n;
	int	 indexed = 0;

	for (;;) {
		while (s->n > 0 && *s->p == ' ')
			s->p++, s->n--;
		if ((n = tty_index(*s)) == 0)
			return (indexed);
		indexed = 1;
		s->p += n;
		s->n -= n;
	}
}

static int
tty_line(struct tree *t, struct span s, int64_t position)
{
	struct span	 rest = s;
	const char	*arrow;

	if (!tty_indices(&rest))
		return (0);
	do {				/* a map in a map stands on one line */
		s = rest;
		arrow = s.n > 4 ? memmem(s.p, s.n, " => ", 4) : NULL;
		if (arrow == NULL) {
			if (s.n >= 3 && memcmp(s.p + s.n - 3, " =>", 3) == 0)
				s.n -= 3;
			break;
		}
		tty_scalar(t, span_make(s.p, (size_t)(arrow - s.p)), position);
		s.n -= (size_t)(arrow + 4 - s.p);
		s.p = arrow + 4;
		rest = s;
	} while (tty_indices(&rest));
	tty_scalar(t, s, position);
	return (1);
}

static void
csv_line(struct tree *t, struct span s, int64_t position)
{
	size_t	 n;

	while (s.n > 0) {
		if (*s.p == '"') {
			n = quoted(t, span_make(s.p + 1, s.n - 1), position);
			n = n > 0 ? n + 1 : s.n;
		} else {
			for (n = 0; n < s.n && s.p[n] != ','; n++)
				;
			if (n == 3 && memcmp(s.p, "NIL", 3) == 0)
				add(t, position)->at = SIZE_MAX;
			else
				add_span(t, span_make(s.p, n), position);
		}
		s.p += n;
		s.n -= n;
		if (s.n > 0)
			s.p++, s.n--;
	}
}

static void
json_line(struct tree *t, struct span s, int64_t position)
{
	size_t	 i = 0, n;

	while (i < s.n) {
		if (s.p[i] == '"') {
			n = quoted(t, span_make(s.p + i + 1, s.n - i - 1), position);
			i = n > 0 ? i + 1 + n : s.n;
			continue;
		}
		if (s.p[i] == '[' || s.p[i] == '{')
			t->depth++;
		else if (s.p[i] == ']' || s.p[i] == '}')
			t->depth--;
		else if (strchr(",: \t", s.p[i]) == NULL) {
			for (n = i; n < s.n && strchr(",: \t]}", s.p[n]) == NULL; n++)
				;
			if (n - i == 4 && memcmp(s.p + i, "null", 4) == 0)
				add(t, position)->at = SIZE_MAX;
			else
				add_span(t, span_make(s.p + i, n - i), position);
			i = n;
			continue;
		}
		i++;
	}
}

static int
all_digits(struct span s)
{
	size_t	 i;

	for (i = 0; i < s.n; i++)
		if (!is_digit(s.p[i]))
			return (0);
	return (s.n > 0);
}

/* The key that a line begins with, and what follows it; 0: none. */
static int
raw_key(struct span s, struct span *key, struct span *rest)
{
	static const char *const	 keys[] = { "slots", "nodes", "id", "port",
	    "tls-port", "ip", "endpoint", "hostname", "role", "replication-offset",
	    "health", "availability-zone", "direction", "node", "create-time", "events",
	    "send-buffer-allocated", "send-buffer-used", NULL };
	const char			*sp = s.n > 0 ? memchr(s.p, ' ', s.n) : NULL;
	int				 i;

	if (sp == NULL)
		return (0);
	*key = span_make(s.p, (size_t)(sp - s.p));
	*rest = span_make(sp + 1, s.n - key->n - 1);
	for (i = 0; keys[i] != NULL && !span_is(*key, keys[i]); i++)
		;
	return (keys[i] != NULL);
}

/* redis-cli -3 --raw prints maps as "key value", and "nodes id <id>". */
static int
raw_pairs(struct tree *t, struct span s, int64_t position)
{
	struct span	 key, rest;
	int		 found = 0;

	for (; raw_key(s, &key, &rest); s = rest) {
		found = 1;
		if (t != NULL)
			add_span(t, key, position);
	}
	if (found && t != NULL)
		add_span(t, s, position);
	return (found);
}

enum tree_kind
tree_begins(struct span s)
{
	size_t	 n;

	while (s.n > 0 && *s.p == ' ')
		s.p++, s.n--;
	if (s.n == 0)
		return (TREE_NONE);
	if (tty_index(s) > 0)
		return (TREE_TTY);
	if ((all_digits(s) && s.n <= 5) || span_is(s, "slots") || span_is(s, "direction") ||
	    span_is(s, "master") || span_is(s, "slave") ||
	    ((starts(s, "slots ") || starts(s, "direction ")) && s.n < 16 &&
	    raw_pairs(NULL, s, 0)))
		return (TREE_RAW);
	if (starts(s, "\"slots\",") || starts(s, "\"direction\",") ||
	    starts(s, "\"master\",") || starts(s, "\"slave\","))
		return (TREE_CSV);
	for (n = 0; n < s.n && is_digit(s.p[n]); n++)
		;
	if (n > 0 && n < 6 && n + 1 < s.n && s.p[n] == ',' && is_digit(s.p[n + 1]) &&
	    memchr(s.p, '"', s.n) != NULL)
		return (TREE_CSV);
	if (*s.p == '{' || (*s.p == '[' && (s.n == 1 || strchr("[{ \"", s.p[1]) != NULL)))
		return (TREE_JSON);
	return (TREE_NONE);
}

/* A scalar that --raw prints for SLOTS and SHARDS: one word, or nothing. */
static int
raw_word(struct span s)
{
	size_t	 i;

	for (i = 0; i < s.n; i++)
		if (s.p[i] <= ' ' || strchr("\"'{}()<>#$=|", s.p[i]) != NULL)
			return (0);
	return (s.n < 256);
}

int
tree_line(struct tree *t, enum tree_kind kind, struct span line, int64_t position)
{
	switch (kind) {
	case TREE_TTY:
		return (tty_line(t, line, position));
	case TREE_RAW:
		if (raw_pairs(t, line, position))
			return (1);
		if (!raw_word(line))
			return (0);
		add_span(t, line, position);
		return (1);
	case TREE_CSV:
		if (t->n > 0)
			return (0);	/* it is all on one line */
		csv_line(t, line, position);
		return (1);
	case TREE_JSON:
		if (t->n > 0 && tree_closed(t))
			return (0);
		json_line(t, line, position);
		return (1);
	default:
		return (0);
	}
}
