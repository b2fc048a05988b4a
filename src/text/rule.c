#include "text/rule.h"

#include <stdint.h>
#include <stdlib.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "model/endpoint.h"
#include "model/slots.h"
#include "text/literal.h"
#include "text/rx.h"

enum { VARIANTS = 3, REPEATS = 16, LITERALS_PER_RULE = LITERAL_SET };

/* Groups that a pattern may have; each also with a 2 or 3 behind its name. */
enum group {
	G_SLOT, G_ENDPOINT, G_HOST, G_PORT, G_NODE, G_KEY, G_CODE, G_ATTEMPTS, G_MS,
	G_COMMAND, G_COUNT
};
/* Groups of one name in the branches of a pattern: VARIANTS of each. */
#define EACH(name)	{ name, name "2", name "3" }
static const char *const group_names[G_COUNT][VARIANTS] = {
	EACH("slot"), EACH("endpoint"), EACH("host"), EACH("port"), EACH("node"), EACH("key"),
	EACH("code"), EACH("attempts"), EACH("ms"), EACH("command")
};
#undef EACH

struct compiled {
	struct rule	 rule;		/* first: a match points here */
	struct rx	*rx;
	int		 group[G_COUNT][VARIANTS];
	int		 literal[LITERALS_PER_RULE];
	int		 nliterals;
};

/* Which rules may match the text at hand.  Sets of rules are words numbers. */
struct wanted {
	unsigned char	*seen;		/* by literal */
	uint64_t	*with;		/* by literal: the set of rules that hold it */
	uint64_t	*set;
	size_t		 words;		/* 0: not known since the last rule was added */
};

struct rules {
	struct compiled	**rule;
	size_t		 n, cap;
	struct literals	*literals;
	struct wanted	*wanted;
};

struct rules *
rules_new(void)
{
	struct rules	*r = mem_zero(1, sizeof *r);

	r->literals = literals_new();
	r->wanted = mem_zero(1, sizeof *r->wanted);
	return (r);
}

static void
compiled_free(struct compiled *c)
{
	if (c == NULL)
		return;
	rx_free(c->rx);
	free(c->rule.name);
	free(c->rule.client);
	free(c->rule.kind);
	free(c);
}

void
rules_free(struct rules *r)
{
	size_t	 i;

	if (r == NULL)
		return;
	for (i = 0; i < r->n; i++)
		compiled_free(r->rule[i]);
	free(r->rule);
	free(r->wanted->seen);
	free(r->wanted->with);
	free(r->wanted->set);
	free(r->wanted);
	literals_free(r->literals);
	free(r);
}

size_t
rules_count(const struct rules *r)
{
	return (r->n);
}

/* The words of the view timeline. */
static int
read_kind(struct rule *r, const char *kind)
{
	static const struct { const char *word; enum contact_outcome o; } contacts[] = {
		{ "ok", CONTACT_OK }, { "connected", CONTACT_CONNECTED },
		{ "connect-refused", CONTACT_REFUSED },
		{ "connect-timeout", CONTACT_CONNECT_TIMEOUT },
		{ "read-timeout", CONTACT_READ_TIMEOUT }, { "reset", CONTACT_RESET },
		{ "closed", CONTACT_CLOSED }, { "unreachable", CONTACT_UNREACHABLE },
	};
	size_t	 i;
	int	 c;

	for (c = CODE_NONE + 1; c < CODE_NCODES; c++)
		if (strcasecmp(kind, reply_code_word((enum reply_code)c)) == 0) {
			r->class = RULE_REDIRECT;
			r->code = (enum reply_code)c;
			return (0);
		}
	for (i = 0; i < sizeof contacts / sizeof contacts[0]; i++)
		if (strcmp(kind, contacts[i].word) == 0) {
			r->class = RULE_CONTACT;
			r->outcome = contacts[i].o;
			return (0);
		}
	for (c = 0; c <= ERROR_LOOP; c++)
		if (strcmp(kind, error_kind_word((enum error_kind)c)) == 0) {
			r->class = RULE_ERROR;
			r->error = (enum error_kind)c;
			return (0);
		}
	if (strcmp(kind, "topology-refresh") == 0)
		r->class = RULE_REFRESH;
	else if (strcmp(kind, "topology-refresh-failed") == 0)
		r->class = RULE_REFRESH_FAILED;
	else if (strcmp(kind, "node-chosen") == 0)
		r->class = RULE_CHOSEN;
	else if (strcmp(kind, "handed-on") == 0)
		r->class = RULE_HANDED_ON;
	else if (strcmp(kind, "view") == 0)
		r->class = RULE_VIEW;
	else if (strcmp(kind, "sentinel") == 0 || strcmp(kind, "sharding") == 0 ||
	    strcmp(kind, "standalone") == 0)
		r->class = RULE_SCOPE;
	else
		return (-1);
	return (0);
}

static struct span
group_span(const struct compiled *c, enum group g)
{
	struct span	 s = { NULL, 0 };
	int		 v;

	for (v = 0; v < VARIANTS && s.p == NULL; v++)
		s = rx_span(c->rx, c->group[g][v]);
	return (s);
}

static int64_t
read_number(struct span s)
{
	int64_t	 v = 0;
	size_t	 i;

	for (i = 0; i < s.n && i < 9 && s.p[i] >= '0' && s.p[i] <= '9'; i++)
		v = v * 10 + (s.p[i] - '0');
	return (i > 0 ? v : OBS_NO_NUM);
}

/* "3000 ms", "5 second(s)", "1 minute(s)", "4.212 sec", "1.0s"; plain digits
 * are milliseconds. */
static int64_t
read_duration(struct span s)
{
	int64_t	 v = 0, scale = 1000000, unit = 1000;
	size_t	 i;

	if (s.p == NULL || s.n == 0)
		return (OBS_NO_NUM);
	for (i = 0; i < s.n && i < 10 && s.p[i] >= '0' && s.p[i] <= '9'; i++)
		v = v * 10 + (s.p[i] - '0');
	v *= 1000000;
	if (i < s.n && s.p[i] == '.')
		for (i++; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++)
			v += (scale /= 10) * (s.p[i] - '0');
	while (i < s.n && s.p[i] == ' ')
		i++;
	if (i < s.n && s.p[i] == 's')
		unit = 1000000;
	else if (i + 1 < s.n && s.p[i] == 'm' && s.p[i + 1] == 'i' &&
	    (i + 2 >= s.n || s.p[i + 2] != 'l'))
		unit = 60000000;
	else if (i < s.n && s.p[i] == 'n')
		return (v / 1000000 / 1000);
	return (v / 1000000 * unit + v % 1000000 * unit / 1000000);
}

/* What the groups of the last match say: 0, -1 when a slot or an address that
 * the pattern took for one is none. */
static int
read_match(const struct compiled *c, struct rule_match *m)
{
	struct span	 s;
	int		 to;

	memset(m, 0, sizeof *m);
	m->rule = &c->rule;
	m->all = rx_span(c->rx, 0);
	m->slot = OBS_NO_SLOT;
	m->ep = m->node = endpoint_none();
	s = group_span(c, G_SLOT);
	if (s.p != NULL && slots_parse_range(s, &m->slot, &to) != 0)
		return (-1);
	s = group_span(c, G_ENDPOINT);
	if (s.p != NULL && endpoint_parse(s, &m->ep) != 0)
		return (-1);
	s = group_span(c, G_HOST);
	if (s.p != NULL && endpoint_pair(s, group_span(c, G_PORT), &m->ep) != 0)
		return (-1);
	s = group_span(c, G_NODE);
	if (s.p != NULL && endpoint_parse(s, &m->node) != 0)
		return (-1);
	m->key = group_span(c, G_KEY);
	if (m->key.p != NULL && m->slot == OBS_NO_SLOT)
		m->slot = slots_of_key(m->key);
	else
		m->key = span_make(NULL, 0);
	m->code = group_span(c, G_CODE);
	m->command = group_span(c, G_COMMAND);
	s = group_span(c, G_ATTEMPTS);
	m->attempts = s.p != NULL ? read_number(s) : OBS_NO_NUM;
	m->duration_us = read_duration(group_span(c, G_MS));
	return (0);
}

/* The example must yield what is expected of it: "kind slot endpoint". */
static int
check_example(struct compiled *c, const struct rule_row *row, struct err *e)
{
	struct rule_match	 m;
	struct buf		 b = { NULL, 0, 0 };
	int			 rc = 0;

	if (rx_match(c->rx, span_of(row->example), 0) != 1 || read_match(c, &m) != 0)
		return (err_set(e, "the example does not match the pattern"));
	buf_fmt(&b, "%s ", row->kind);
	if (m.slot != OBS_NO_SLOT)
		buf_fmt(&b, "%d ", m.slot);
	else
		buf_str(&b, "- ");
	if (m.ep.host.p != NULL)
		endpoint_format(&m.ep, &b);
	else
		buf_chr(&b, '-');
	if (strcmp(buf_cstr(&b), row->example_expect) != 0)
		rc = err_set(e, "the example yields '%s', not '%s'", buf_cstr(&b),
		    row->example_expect);
	buf_free(&b);
	return (rc);
}

static void
find_groups(struct compiled *c)
{
	int	 g, v;

	for (g = 0; g < G_COUNT; g++)
		for (v = 0; v < VARIANTS; v++)
			c->group[g][v] = rx_group(c->rx, group_names[g][v]);
	c->rule.raised = rx_group(c->rx, "raised") > 0;
	c->rule.timer = rx_group(c->rx, "timer") > 0;
}

static int
add(struct rules *r, struct compiled *c, const struct rule_row *row, struct err *e)
{
	struct literal_set	 set;
	int			 i;

	if (read_kind(&c->rule, row->kind) != 0)
		return (err_set(e, "'%s' is no kind of event that a rule may have", row->kind));
	if ((c->rx = rx_compile(row->pattern, e)) == NULL)
		return (-1);
	literal_of_pattern(row->pattern, &set);
	if (set.n == 0)
		return (err_set(e, "the pattern holds no literal of %d bytes that each match has",
		    LITERAL_MIN));
	find_groups(c);
	if (check_example(c, row, e) != 0)
		return (-1);
	for (i = 0; i < set.n; i++)
		c->literal[c->nliterals++] = literals_add(r->literals, set.text[i]);
	return (0);
}

int
rules_add(struct rules *r, const struct rule_row *row, struct err *e)
{
	struct compiled	*c = mem_zero(1, sizeof *c);

	c->rule.name = mem_str(row->name);
	c->rule.client = mem_str(row->client);
	c->rule.kind = mem_str(row->kind);
	c->rule.budget = row->budget;
	c->rule.backoff_ms = row->backoff_ms;
	if (add(r, c, row, e) != 0) {
		compiled_free(c);
		return (err_add(e, "rule %s", row->name));
	}
	if (r->n == r->cap) {
		r->cap = r->cap * 2 + 64;
		r->rule = mem_grow(r->rule, r->cap, sizeof *r->rule);
	}
	c->rule.number = (int)r->n;
	r->rule[r->n++] = c;
	r->wanted->words = 0;
	return (0);
}

static void
find_with(const struct rules *r)
{
	struct wanted	*w = r->wanted;
	size_t		 i, literals = (size_t)literals_count(r->literals);
	int		 k;

	w->words = r->n / 64 + 1;
	free(w->with);
	w->with = mem_zero(literals + 1, w->words * sizeof *w->with);
	w->set = mem_grow(w->set, w->words, sizeof *w->set);
	w->seen = mem_grow(w->seen, literals + 1, 1);
	for (i = 0; i < r->n; i++)
		for (k = 0; k < r->rule[i]->nliterals; k++)
			w->with[(size_t)r->rule[i]->literal[k] * w->words + i / 64] |=
			    UINT64_C(1) << i % 64;
}

/* The rules one of whose literals is in the text. */
static void
find_wanted(const struct rules *r, struct span text)
{
	struct wanted	*w = r->wanted;
	size_t		 k, literals = (size_t)literals_count(r->literals);
	unsigned char	*seen;

	if (w->words == 0)
		find_with(r);
	memset(w->seen, 0, literals);
	literals_mark(r->literals, text, w->seen);
	memset(w->set, 0, w->words * sizeof *w->set);
	for (seen = w->seen; (seen = memchr(seen, 1, literals - (size_t)(seen - w->seen))) != NULL;
	    seen++)
		for (k = 0; k < w->words; k++)
			w->set[k] |= w->with[(size_t)(seen - w->seen) * w->words + k];
}

/* The next rule that may match, at or behind i; their count: none. */
static size_t
next_wanted(const struct rules *r, size_t i)
{
	uint64_t	 left;

	for (; i < r->n; i = (i / 64 + 1) * 64)
		if ((left = r->wanted->set[i / 64] >> i % 64) != 0)
			return (i + (size_t)__builtin_ctzll(left));
	return (r->n);
}

static int
by_place(const void *a, const void *b)
{
	const struct rule_match	*x = a, *y = b;

	if (x->all.p != y->all.p)
		return (x->all.p < y->all.p ? -1 : 1);
	return (x->rule->number - y->rule->number);
}

size_t
rules_match(const struct rules *r, struct span text, struct rule_match *m, size_t max,
    const char **limited)
{
	struct compiled	*c;
	size_t		 i, k = 0, from;
	int		 rc, times;

	*limited = NULL;
	find_wanted(r, text);
	for (i = next_wanted(r, 0); i < r->n && k < max; i = next_wanted(r, i + 1)) {
		c = r->rule[i];
		for (from = 0, times = 0; times < REPEATS && k < max; times++) {
			if ((rc = rx_match(c->rx, text, from)) != 1) {
				if (rc < 0)
					*limited = c->rule.name;
				break;
			}
			from = (size_t)(rx_span(c->rx, 0).p + rx_span(c->rx, 0).n - text.p);
			if (rx_span(c->rx, 0).n == 0)
				from++;
			if (read_match(c, &m[k]) == 0)
				k++;
		}
	}
	qsort(m, k, sizeof *m, by_place);
	return (k);
}

size_t
rules_filter(const void *arg, const char *p, size_t n)
{
	const struct rules	*r = arg;

	return (literals_find(r->literals, p, n));
}
