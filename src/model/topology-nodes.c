/*
 * topology-nodes.c - CLUSTER NODES and nodes.conf, a line a node.
 */
#include "model/topology-part.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/endpoint.h"

enum { FIELDS = 8 };
#define PONG_MAX_MS	INT64_C(4102444799999)	/* later than 2099 is no time */

/* "[93->-<id>]" migrating, "[93-<-<id>]" importing */
static int
open_slot(struct topology *t, int node, struct span item)
{
	struct obs_view_slots	*s;
	struct span		 id;
	const char		*dash;
	enum slots_state	 state;
	int			 from, to;

	if (item.n < 7 || item.p[item.n - 1] != ']' ||
	    (dash = memchr(item.p, '-', item.n)) == NULL ||
	    item.p + item.n - dash < 5 || dash[2] != '-')
		return (-1);
	if (dash[1] == '>')
		state = SLOTS_MIGRATING;
	else if (dash[1] == '<')
		state = SLOTS_IMPORTING;
	else
		return (-1);
	id = span_make(dash + 3, (size_t)(item.p + item.n - 1 - (dash + 3)));
	if (!topology_is_id(id) || slots_parse_range(span_make(item.p + 1,
	    (size_t)(dash - item.p - 1)), &from, &to) != 0)
		return (-1);
	s = topology_add_slots(t, node, from, to);
	if (s != NULL) {
		s->state = state;
		s->peer = id;
	}
	return (0);
}

/* A valid range, else the reason why it is none. */
static const char *
range_fault(struct span s)
{
	const char	*dash = memchr(s.p, '-', s.n);
	int64_t		 a, b;

	if (dash == NULL)
		a = b = topology_number(s);
	else {
		a = topology_number(span_make(s.p, (size_t)(dash - s.p)));
		b = topology_number(span_make(dash + 1, s.n - (size_t)(dash + 1 - s.p)));
	}
	if (a < 0 || b < 0)
		return ("is no slot range");
	if (a >= SLOTS_COUNT || b >= SLOTS_COUNT)
		return ("end is above 16383");
	return ("ends before it begins");
}

/* A line that another one runs into is given back in *next. */
static void
slot_items(struct topology *t, int node, struct span rest, struct span *next)
{
	struct span	 item;
	const char	*sp;
	int		 from, to;

	while (rest.n > 0) {
		if (*rest.p == ' ') {
			rest.p++, rest.n--;
			continue;
		}
		sp = memchr(rest.p, ' ', rest.n);
		item = span_make(rest.p, sp != NULL ? (size_t)(sp - rest.p) : rest.n);
		rest.p += item.n;
		rest.n -= item.n;
		if (slots_parse_range(item, &from, &to) == 0) {
			topology_own(t, node, from, to);
		} else if (*item.p == '[') {
			if (open_slot(t, node, item) != 0)
				topology_report(t, "\"%.*s\" is no migrating or importing slot",
				    TOPOLOGY_SHOW(item));
		} else if (item.n > TOPOLOGY_ID_LEN && slots_parse_range(span_make(item.p,
		    item.n - TOPOLOGY_ID_LEN), &from, &to) == 0 && topology_is_node_line(
		    span_make(item.p + item.n - TOPOLOGY_ID_LEN, rest.n + TOPOLOGY_ID_LEN))) {
			topology_own(t, node, from, to);
			topology_report(t, "two lines are merged into one");
			*next = span_make(item.p + item.n - TOPOLOGY_ID_LEN,
			    rest.n + TOPOLOGY_ID_LEN);
			return;
		} else {
			t->slots_lost = 1;
			topology_report(t, "slot range %.*s: %s", TOPOLOGY_SHOW(item), range_fault(item));
		}
	}
}

/* All of host is digits and dots: then it has to be an IPv4 address. */
static int
host_fault(struct span h)
{
	int	 part = -1, parts = 0;
	size_t	 i;

	for (i = 0; i < h.n; i++)
		if (!(h.p[i] >= '0' && h.p[i] <= '9') && h.p[i] != '.')
			return (0);
	if (h.n == 0)
		return (0);
	for (i = 0; i <= h.n; i++) {
		if (i == h.n || h.p[i] == '.') {
			if (part < 0 || part > 255)
				return (1);
			parts++;
			part = -1;
		} else if (part <= 255)
			part = (part < 0 ? 0 : part * 10) + (h.p[i] - '0');
	}
	return (parts != 4);
}

/* "ip:port@bus,hostname,aux=value" */
static void
address(struct topology *t, struct obs_view_node *n, struct span s)
{
	const char	*comma = memchr(s.p, ',', s.n), *p;
	struct span	 rest = { NULL, 0 }, main = s;

	if (comma != NULL) {
		main.n = (size_t)(comma - s.p);
		rest = span_make(comma + 1, s.n - main.n - 1);
		p = rest.n > 0 ? memchr(rest.p, ',', rest.n) : NULL;
		if (p != NULL || rest.n == 0)
			t->conf = 1;	/* replies show a host name or nothing */
		n->hostname = span_make(rest.p, p != NULL ?
		    (size_t)(p - rest.p) : rest.n);
		if (n->hostname.n == 0 || memchr(n->hostname.p, '=', n->hostname.n))
			n->hostname = span_make(NULL, 0);
	}
	p = main.n > 0 ? memrchr(main.p, '@', main.n) : NULL;
	if (p != NULL) {
		n->bus_port = topology_number(span_make(p + 1,
		    main.n - (size_t)(p + 1 - main.p)));
		if (n->bus_port < 0 || n->bus_port > 65535) {
			n->bus_port = OBS_NO_NUM;
			topology_report(t, "address %.*s: bus port is no port", TOPOLOGY_SHOW(s));
		}
		main.n = (size_t)(p - main.p);
	}
	if (endpoint_parse(main, &n->ep) != 0 || host_fault(n->ep.host)) {
		n->ep = endpoint_none();
		topology_report(t, "address %.*s is invalid", TOPOLOGY_SHOW(s));
	} else if (n->ep.host.n == 0 && n->ep.port == 0)
		n->ep = endpoint_none();
}

/* "myself,slave,fail?": role and myself taken out, the rest kept as it is. */
static void
flags(struct topology *t, struct obs_view_node *n, struct span s)
{
	struct span	 word;
	const char	*comma;

	while (s.n > 0) {
		comma = memchr(s.p, ',', s.n);
		word = span_make(s.p, comma != NULL ? (size_t)(comma - s.p) : s.n);
		if (span_is(word, "myself"))
			n->myself = 1;
		else if (span_is(word, "master") || span_is(word, "primary"))
			n->role = ROLE_MASTER;
		else if (span_is(word, "slave") || span_is(word, "replica"))
			n->role = ROLE_REPLICA;
		else
			break;
		s.p += word.n;
		s.n -= word.n;
		if (s.n > 0)
			s.p++, s.n--;
	}
	if (s.n > 0 && !span_is(s, "noflags"))
		n->flags = s;
	if (!n->myself)
		return;
	if (t->myself >= 0) {
		topology_report(t, "a second node is marked myself");
		n->myself = 0;
		return;
	}
	t->myself = (int)(n - t->nodes);
}

/* The fields before the slots; how many there are (at most FIELDS). */
static int
split(struct span line, struct span *f, struct span *rest)
{
	const char	*sp;
	int		 n = 0;

	while (line.n > 0 && n < FIELDS) {
		sp = memchr(line.p, ' ', line.n);
		f[n] = span_make(line.p, sp != NULL ? (size_t)(sp - line.p) : line.n);
		line.p += f[n].n;
		line.n -= f[n].n;
		n++;
		if (line.n > 0)
			line.p++, line.n--;
	}
	*rest = line;
	return (n);
}

static int
link_ok(struct span s)
{
	return (span_is(s, "connected") || span_is(s, "disconnected"));
}

/* "connected" and the next line's id run together: the other line in *next. */
static int
split_merged(struct topology *t, struct span line, size_t at, struct span *next)
{
	struct span	 other = span_make(line.p + at, line.n - at);

	if (!topology_is_node_line(other))
		return (0);
	topology_report(t, "two lines are merged into one");
	*next = other;
	return (1);
}

/* vars currentEpoch 12 lastVoteEpoch 11 */
static void
vars_line(struct topology *t, struct span line)
{
	struct span	 f[FIELDS], rest;
	int		 i, n = split(line, f, &rest);
	int64_t		 v;

	t->conf = 1;
	for (i = 1; i + 1 < n; i += 2) {
		v = topology_number(f[i + 1]);
		if (v < 0)
			topology_report(t, "vars line: \"%.*s\" is no epoch", TOPOLOGY_SHOW(f[i + 1]));
		else if (span_is(f[i], "currentEpoch"))
			t->current_epoch = v;
	}
}

/* Ping, pong, epoch and link state in fields 4 to 7, else the fault. */
static int
state_fields(struct topology *t, struct obs_view_node *n, const struct span *f,
    int nf, struct span line, struct span *next)
{
	int64_t	 pong = nf > 5 ? topology_number(f[5]) : -1, epoch = nf > 6 ? topology_number(f[6]) : -1;
	size_t	 len;

	if (nf < FIELDS || topology_number(f[4]) < 0 || pong < 0 || epoch < 0) {
		topology_report(t, nf < FIELDS && epoch >= 0 ? "line is cut after %d fields" :
		    "fields are missing or run together after field %d", nf < 4 ? nf : 4);
		return (-1);
	}
	n->config_epoch = epoch;
	if (pong > t->newest_pong_ms && pong <= PONG_MAX_MS)
		t->newest_pong_ms = pong;
	if (link_ok(f[7])) {
		n->link_state = f[7];
		return (0);
	}
	len = f[7].n > 0 && f[7].p[0] == 'd' ? 12 : 9;
	if (f[7].n == len + TOPOLOGY_ID_LEN && link_ok(span_make(f[7].p, len)) &&
	    split_merged(t, line, (size_t)(f[7].p - line.p) + len, next))
		return (-1);
	topology_report(t, "link state \"%.*s\" is unknown", TOPOLOGY_SHOW(f[7]));
	return (-1);
}

static void
one_line(struct topology *t, struct span line, struct span *next)
{
	struct obs_view_node	*n;
	struct span		 f[FIELDS], rest;
	int			 nf, i;

	while (line.n > 0 && (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\r'))
		line.n--;
	if (line.n == 0)
		return;
	nf = split(line, f, &rest);
	if (span_is(f[0], "vars")) {
		vars_line(t, line);
		return;
	}
	if (!topology_is_id(f[0]) || nf < 3) {
		t->slots_lost = 1;
		if (nf < 3 && topology_is_id(f[0]))
			topology_report(t, "line of node %.*s is cut after %d fields", TOPOLOGY_SHOW(f[0]), nf);
		else
			topology_report(t, "\"%.*s\" (%zu characters) is no node id",
			    TOPOLOGY_SHOW(f[0]), f[0].n);
		return;
	}
	if ((i = topology_add_node(t)) < 0)
		return;
	n = &t->nodes[i];
	n->id = f[0];
	address(t, n, f[1]);
	flags(t, n, f[2]);
	if (nf > 3 && topology_is_id(f[3]))
		n->master = f[3];
	else if (nf > 3 && !span_is(f[3], "-"))
		topology_report(t, "master id \"%.*s\" is no node id", TOPOLOGY_SHOW(f[3]));
	if (state_fields(t, n, f, nf, line, next) == 0)
		slot_items(t, i, rest, next);
	else if (t->nodes[i].role != ROLE_REPLICA)
		t->slots_lost = 1;
}

void
topology_nodes_line(struct topology *t, struct span line)
{
	struct span	 next;

	for (; line.n > 0; line = next) {	/* thousands may be merged */
		next = span_make(NULL, 0);
		one_line(t, line, &next);
	}
}

void
topology_nodes_text(struct topology *t, struct span text)
{
	const char	*nl;
	struct span	 line;

	for (t->at = 0; text.n > 0; t->at++) {
		nl = memchr(text.p, '\n', text.n);
		line = span_make(text.p, nl != NULL ? (size_t)(nl - text.p) : text.n);
		topology_nodes_line(t, line);
		text.p += line.n;
		text.n -= line.n;
		if (text.n > 0)
			text.p++, text.n--;
	}
}

static int
by_id(const void *a, const void *b)
{
	return (memcmp(((const struct span *)a)->p, ((const struct span *)b)->p,
	    TOPOLOGY_ID_LEN));
}

/* The master of some node is not among the nodes. */
static int
masterless(const struct topology *t)
{
	struct span	*ids = mem_zero(t->nnodes, sizeof *ids);
	size_t		 i;
	int		 found = 0;

	for (i = 0; i < t->nnodes; i++)
		ids[i] = t->nodes[i].id;
	qsort(ids, t->nnodes, sizeof *ids, by_id);
	for (i = 0; i < t->nnodes && !found; i++)
		found = t->nodes[i].master.p != NULL && bsearch(&t->nodes[i].master,
		    ids, t->nnodes, sizeof *ids, by_id) == NULL;
	free(ids);
	return (found);
}

void
topology_nodes_check(struct topology *t)
{
	if (t->nnodes == 0 || t->slots_lost)
		return;
	t->at = 0;
	/* A master that is forgotten is taken from its replicas' lines too. */
	if (t->myself < 0)
		topology_cut(t, "no line is marked myself");
	else if (masterless(t))
		topology_cut(t, "a replica's master has no line");
	else if (t->conf && t->current_epoch == OBS_NO_NUM)
		topology_cut(t, "a nodes.conf ends with a line of vars");
	else if (t->nnodes == 1 && t->nslots > 0 && slots_count(&t->owned) < SLOTS_COUNT)
		topology_cut(t, "it has one node, which does not own all slots");
}
