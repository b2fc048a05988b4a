#include "text/pod.h"

#include <string.h>

#include "text/clean.h"
#include "text/stamp.h"

enum { LEARN_LINES = 50, KNOWN_MAX = 4096 };

/* A name as Kubernetes has them; its length, 0: none. */
static size_t
name_at(struct span s, size_t at)
{
	size_t	 n = at;

	while (n < s.n && ((s.p[n] >= 'a' && s.p[n] <= 'z') || (s.p[n] >= '0' && s.p[n] <= '9') ||
	    (n > at && (s.p[n] == '-' || s.p[n] == '.'))))
		n++;
	return (n > at && s.p[n - 1] != '-' && s.p[n - 1] != '.' ? n - at : 0);
}

/* The length of two names and the blank between them; 0: the line begins
 * otherwise. */
static size_t
prefix_of(struct span s)
{
	size_t	 pod = name_at(s, 0), container;

	if (pod == 0 || memchr(s.p, '-', pod) == NULL || pod + 2 > s.n || s.p[pod] != ' ')
		return (0);
	container = name_at(s, pod + 1);
	if (container == 0 || (pod + 1 + container < s.n && s.p[pod + 1 + container] != ' '))
		return (0);
	return (pod + 1 + container);
}

/* Whether a record begins there: a stamp, JSON, or a server's "7:M ". */
static int
begins_record(struct span s, size_t at)
{
	struct stamp	 t;
	size_t		 n = at;

	if (at >= s.n)
		return (0);
	while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	if (n > at && n + 2 < s.n && s.p[n] == ':' && strchr("MSCX", s.p[n + 1]) != NULL &&
	    s.p[n + 2] == ' ')
		return (1);
	if (at + 1 < s.n && s.p[at] == '{' && s.p[at + 1] == '"')
		return (1);
	return (stamp_find(span_make(s.p + at, s.n - at), &t));
}

static size_t
learned(struct pods *p, struct span s)
{
	size_t	 n = prefix_of(s);

	if (n == 0)
		return (0);
	if (table_get(&p->known, s.p, n) != NULL)
		return (n);
	if (!begins_record(s, n + 1) || p->known.used >= KNOWN_MAX)
		return (0);
	table_put(&p->known, s.p, n);
	return (n);
}

/* Nine in ten of the first lines; stern itself says "+ pod > container". */
void
pod_learn(struct pods *p, struct span block)
{
	struct buf	 scratch = { 0 };
	const char	*nl;
	struct span	 s;
	int		 lines = 0, mine = 0, round;

	for (round = 0; round < 2; round++) {
		struct span	 rest = block;

		for (lines = mine = 0; rest.n > 0 && lines < LEARN_LINES;) {
			nl = memchr(rest.p, '\n', rest.n);
			s = span_make(rest.p, nl != NULL ? (size_t)(nl - rest.p) : rest.n);
			rest = span_make(s.p + s.n + (nl != NULL), rest.n - s.n - (nl != NULL));
			scratch.n = 0;
			s = clean_line(s, &scratch);
			if (s.n < 2 || ((s.p[0] == '+' || s.p[0] == '-') && s.p[1] == ' '))
				continue;
			lines++;
			mine += learned(p, s) > 0;
		}
		if (mine == 0)		/* what was learned last may stand first */
			break;
	}
	buf_free(&scratch);
	p->used = mine > 0 && mine * 10 >= lines * 9;
}

struct span
pod_undo(struct pods *p, struct span s, struct span *pod)
{
	size_t	 n = p->used ? learned(p, s) : 0;

	*pod = span_make(NULL, 0);
	if (n == 0)
		return (s);
	p->name.n = 0;
	buf_add(&p->name, s.p, n);
	*(char *)memchr(p->name.p, ' ', n) = '/';
	*pod = span_make(p->name.p, n);
	n += n < s.n;
	return (span_make(s.p + n, s.n - n));
}

void
pod_clear(struct pods *p)
{
	table_clear(&p->known);
	buf_free(&p->name);
}
