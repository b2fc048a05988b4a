#include "format/dump.h"

#include "text/arena.h"

enum {
	PREFIX_MAX = 200,		/* host prefixes of pssh and the like; behind more, no node line */
	FEW_LINES = 64,			/* are looked through one by one */
	ID_BYTES = 40
};

static int
begins_with_id(const struct sample *s, size_t i, const char *id)
{
	return (s->lines[i].end - s->lines[i].at >= ID_BYTES &&
	    memcmp(s->text.p + s->lines[i].at, id, ID_BYTES) == 0);
}

/* The sample's first line of an id, or -1. */
static ptrdiff_t
find_id(struct track *t, const char *id)
{
	const struct sample		*s = &t->now;
	const struct sample_line	*l;
	const struct table_entry	*found;
	size_t				 i;

	if (s->n <= FEW_LINES) {
		for (i = 0; i < s->n; i++)
			if (begins_with_id(s, i, id))
				return ((ptrdiff_t)i);
		return (-1);
	}
	for (; t->indexed < s->n; t->indexed++) {
		l = &s->lines[t->indexed];
		if (l->end - l->at >= ID_BYTES && table_get(&t->ids,
		    s->text.p + l->at, ID_BYTES) == NULL)
			table_put(&t->ids, s->text.p + l->at, ID_BYTES)->num =
			    (int64_t)t->indexed;
	}
	found = table_get(&t->ids, id, ID_BYTES);
	return (found != NULL ? (ptrdiff_t)found->num : -1);
}

/* The sample has a line of this id; *same when it is this very line. */
static int
seen(struct track *t, struct span line, int *same)
{
	const struct sample		*s = &t->now;
	ptrdiff_t			 i = find_id(t, line.p);
	const struct sample_line	*l;

	if (i < 0)
		return (0);
	l = &s->lines[i];
	*same = l->end - l->at == line.n &&
	    memcmp(s->text.p + l->at, line.p, line.n) == 0;
	return (1);
}

void
dump_node_line(struct dump *d, struct span s)
{
	int	 same = 0;

	if (d->tree_kind != TREE_NONE || d->info.first != 0 || d->check.first != 0) {
		dump_tree_end(d);
		dump_info_end(d);
		dump_check_end(d);
	}
	if (d->asked.at == OBS_NO_TIME && seen(&d->cur->t, s, &same)) {
		if (same) {
			dump_problem(d, d->line, "malformed", "the line is there twice");
			return;
		}
		dump_nodes_end(d);		/* another dump follows without a header */
	}
	sample_add(&d->cur->t, s, d->line);
	d->in_nodes = 1;
	d->fresh = 0;
}

/* The bytes that only slot items and ids are made of. */
static int
slot_bytes(struct span s)
{
	size_t	 i;

	for (i = 0; i < s.n; i++)
		if (!((s.p[i] >= '0' && s.p[i] <= '9') || (s.p[i] >= 'a' &&
		    s.p[i] <= 'f') || strchr("<>-[] ", s.p[i]) != NULL))
			return (0);
	return (s.n > 0);
}

/* The line added last lacks fields or ends inside an open slot. */
static int
unfinished(const struct dump *d)
{
	const struct sample		*s = &d->cur->t.now;
	const struct sample_line	*l;
	const char			*p, *end;
	int				 fields = 1;

	if (s->n == 0)
		return (0);
	l = &s->lines[s->n - 1];
	p = s->text.p + l->at;
	end = s->text.p + l->end;
	for (; p < end && fields < 8; p++)
		fields += *p == ' ';
	if (fields < 8)
		return (1);
	for (p = end; p > s->text.p + l->at && p[-1] != ' '; p--)
		;
	return ((p < end && *p == '[' && end[-1] != ']') || end[-1] == '-' ||
	    (end - p < 9 && *p == 'c') || (end - p < 12 && *p == 'd'));
}

/* The token at the end of a node line, and which field it is (0 first, 8 and
 * more are slots). */
static struct span
last_token(struct span line, int *field)
{
	size_t	 i, from = 0;

	*field = 0;
	for (i = 0; i < line.n; i++)
		if (line.p[i] == ' ') {
			++*field;
			from = i + 1;
		}
	return (span_make(line.p + from, line.n - from));
}

static int
begins(struct span s, const char *what)
{
	size_t	 n = strlen(what);

	return (s.n >= n && memcmp(s.p, what, n) == 0);
}

static int
all_of(struct span s, const char *bytes)
{
	size_t	 i;

	for (i = 0; i < s.n; i++)
		if (s.p[i] == '\0' || strchr(bytes, s.p[i]) == NULL)
			return (0);
	return (s.n > 0);
}

/* The two would be one slot range. */
static int
one_range(struct span t, struct span s)
{
	char	 text[24];
	int	 from, to;
	size_t	 n;

	for (n = 0; n < s.n && s.p[n] != ' '; n++)
		;
	if (t.n + n > sizeof text)
		return (0);
	memcpy(text, t.p, t.n);
	memcpy(text + t.n, s.p, n);
	return (slots_parse_range(span_make(text, t.n + n), &from, &to) == 0);
}

/*
 * Whether the blank at which the terminal broke the line is missing, as it is
 * when it was copied without trailing blanks: 1 it is, 0 it is not, -1 both
 * read well.  t is what stands before the break, s what stands behind it.
 */
static int
blank_is_lost(struct span t, int field, struct span s)
{
	static const char	 digits[] = "0123456789", hex[] = "0123456789abcdef";
	static const char *const words[] = { "myself,", "master", "slave", "handshake", "noaddr",
		"noflags", "fail" };
	size_t			 i;

	if (s.p[0] == ' ')
		return (0);
	switch (field) {
	case 0:
		return (t.n >= 40);
	case 1:
		for (i = 0; i < sizeof words / sizeof words[0]; i++)
			if (begins(s, words[i]))
				return (t.n > 0 && strchr(digits, t.p[t.n - 1]) != NULL ? 1 : -1);
		return (0);
	case 2:
		return (begins(s, "- ") || (s.n > 40 && s.p[40] == ' ' &&
		    all_of(span_make(s.p, 40), hex)));
	case 3:
		return (t.n >= 40 || span_is(t, "-"));
	case 4:
	case 5:		/* 0, or milliseconds of thirteen digits */
		return (t.n >= 13 || span_is(t, "0"));
	case 6:
		return (span_is(t, "0") || begins(s, "connected") || begins(s, "disconnected") ? 1 : -1);
	case 7:
		return (span_is(t, "connected") || span_is(t, "disconnected"));
	default:
		if (t.n == 0 || t.p[0] == '[')
			return (t.n > 0 && t.p[t.n - 1] == ']');
		if (s.p[0] == '[')
			return (1);
		return (t.p[t.n - 1] == '-' || s.p[0] == '-' ? 0 : one_range(t, s) ? -1 : 1);
	}
}

/* A terminal broke the line: rejoin it. */
int
dump_wrapped(struct dump *d, struct span s)
{
	const struct sample_line	*l;
	struct span			 t;
	int				 field, lost;

	size_t	 i, junk = 0;

	if (!d->in_nodes || d->wrap < DUMP_WRAP_MIN || d->cur->t.now.n == 0)
		return (0);
	for (i = 0; i < s.n; i++)
		junk += strchr("=(){}\"';$#|", s.p[i]) != NULL;
	if (junk > 0 || !(slot_bytes(s) || unfinished(d)))
		return (0);
	l = &d->cur->t.now.lines[d->cur->t.now.n - 1];
	t = last_token(span_make(d->cur->t.now.text.p + l->at, l->end - l->at), &field);
	lost = s.n > 0 && t.n > 0 ? blank_is_lost(t, field, s) : 0;
	/* Else the width decides: that of most terminals, or of a line before. */
	if (lost < 0)
		lost = d->wrap == 79 || d->wrap + 1 == d->width;
	if (d->wrap > d->width)
		d->width = d->wrap;
	if (lost)
		sample_extend(&d->cur->t, span_make(" ", 1));
	sample_extend(&d->cur->t, s);
	return (1);
}

/* Neither whole nor wrapped, but once a node line: let the parser say so. */
int
dump_damaged(struct dump *d, struct span s)
{
	size_t	 hex = 0;

	while (hex < s.n && ((s.p[hex] >= '0' && s.p[hex] <= '9') ||
	    (s.p[hex] >= 'a' && s.p[hex] <= 'f')))
		hex++;
	if (hex >= 24 && hex < s.n && s.p[hex] == ' ' && (hex != 40 || d->in_nodes))
		return (1);
	/* The rest of a line at the very beginning is no header, for all that it has
	 * an address and times. */
	if (!d->in_nodes && (d->line != 1 || memchr(s.p, '"', s.n) != NULL))
		return (0);
	return (s.n > 20 && (memmem(s.p, s.n, " connected", 10) != NULL ||
	    memmem(s.p, s.n, " disconnected", 13) != NULL));
}

/* A node line behind a host prefix: *at is where it begins. */
int
dump_behind_prefix(struct span s, size_t *at)
{
	struct span	 rest;
	const char	*p;
	size_t		 i;

	if (s.n == 0 || *s.p == '{')
		return (0);		/* JSON has a reader of its own */
	for (i = 1; i < PREFIX_MAX && i + 60 < s.n; i++) {
		if (strchr(" |:\t\"'>]", s.p[i - 1]) == NULL)
			continue;
		rest = span_make(s.p + i, s.n - i);
		if (!topology_is_node_line(rest))
			continue;
		p = memchr(rest.p + 41, ' ', rest.n - 41);
		if (p == NULL || rest.p + rest.n - p < 8 ||
		    strchr("msnhf", p[1]) == NULL)
			continue;
		*at = i;
		return (1);
	}
	return (0);
}

int
dump_prefixed(struct dump *d, struct span s)
{
	struct envelope	 e;
	struct span	 prefix;
	struct asked	 next;
	size_t		 at;

	arena_reset(&d->arena);
	envelope_undo(s, d->json, &d->arena, &e);
	if (e.undone > 0 && topology_is_node_line(e.text)) {
		dump_node_line(d, e.text);
		return (1);
	}
	if (!dump_behind_prefix(s, &at))
		return (0);
	prefix = span_make(s.p, at);
	if (!span_eq(prefix, span_make(d->prefix.p, d->prefix.n))) {
		dump_blocks_end(d);
		asked_init(&next);
		next.at = d->asked.at;
		next.at_basis = d->asked.at_basis;
		next.precision_us = d->asked.precision_us;
		next.position = d->line;
		if (asked_prefix(&next, prefix)) {
			asked_copy(&d->asked, &next);
			dump_choose_track(d, span_make(NULL, 0));
		}
		d->prefix.n = 0;
		buf_add(&d->prefix, prefix.p, prefix.n);
	}
	dump_node_line(d, span_make(s.p + at, s.n - at));
	return (1);
}
