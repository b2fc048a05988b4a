#include "format/dump.h"

#include "text/arena.h"

enum {
	PREFIX_MAX = 200,		/* host prefixes of pssh and the like */
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

/* A terminal broke the line: rejoin it. */
int
dump_wrapped(struct dump *d, struct span s)
{
	size_t	 i, junk = 0;

	if (!d->in_nodes || d->wrap < DUMP_WRAP_MIN || d->cur->t.now.n == 0)
		return (0);
	for (i = 0; i < s.n; i++)
		junk += strchr("=(){}\"';$#|", s.p[i]) != NULL;
	if (junk > 0 || !(slot_bytes(s) || unfinished(d)))
		return (0);
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
	return (d->in_nodes && s.n > 20 && (memmem(s.p, s.n, " connected", 10) != NULL ||
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
