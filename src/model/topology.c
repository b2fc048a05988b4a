#include "model/topology.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/endpoint.h"

enum { ID_LEN = 40, FIELDS = 8 };

static int	 split_merged(struct topology *, struct span, size_t at);

static void
bad(struct topology *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void
bad(struct topology *t, const char *fmt, ...)
{
	char	 text[300];
	va_list	 ap;

	t->partial = 1;
	if (t->bad == NULL)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	t->bad(t->bad_arg, t->at, text);
}

/* For "%.*s": a token, cut. */
#define SHOW(s)	(int)((s).n < 60 ? (s).n : 60), ((s).p != NULL ? (s).p : "")

void
topology_reset(struct topology *t)
{
	t->nnodes = t->nslots = 0;
	memset(&t->owned, 0, sizeof t->owned);
	t->myself = -1;
	t->partial = t->slots_lost = t->conf = 0;
	t->newest_pong_ms = 0;
	t->current_epoch = OBS_NO_NUM;
	t->at = 0;
}

void
topology_free(struct topology *t)
{
	free(t->nodes);
	free(t->slots);
	memset(t, 0, sizeof *t);
}

static int
is_hex(char c)
{
	return ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
}

static size_t
hex_run(struct span s)
{
	size_t	 n = 0;

	while (n < s.n && is_hex(s.p[n]))
		n++;
	return (n);
}

int
topology_is_id(struct span s)
{
	return (s.p != NULL && s.n == ID_LEN && hex_run(s) == ID_LEN);
}

int
topology_is_node_line(struct span s)
{
	size_t	 end;

	if (s.n < ID_LEN + 4 || s.p[ID_LEN] != ' ' || hex_run(s) != ID_LEN)
		return (0);
	for (end = ID_LEN + 1; end < s.n && s.p[end] != ' '; end++)
		if (s.p[end] == ':')
			return (1);
	return (0);
}

/* Digits only, at most 18 of them; -1 when it is no number. */
static int64_t
number(struct span s)
{
	int64_t	 v = 0;
	size_t	 i;

	if (s.p == NULL || s.n == 0 || s.n > 18)
		return (-1);
	for (i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return (-1);
		v = v * 10 + (s.p[i] - '0');
	}
	return (v);
}

int
topology_add_node(struct topology *t)
{
	if (t->nnodes >= TOPOLOGY_NODES_MAX) {
		t->slots_lost = 1;
		bad(t, "more than %d nodes in one view", TOPOLOGY_NODES_MAX);
		return (-1);
	}
	if (t->nnodes == t->nodes_cap) {
		t->nodes_cap = t->nodes_cap != 0 ? t->nodes_cap * 2 : 16;
		t->nodes = mem_grow(t->nodes, t->nodes_cap, sizeof *t->nodes);
	}
	obs_view_node_init(&t->nodes[t->nnodes]);
	return ((int)t->nnodes++);
}

static struct obs_view_slots *
add_slots(struct topology *t, int node, int from, int to)
{
	struct obs_view_slots	*s;

	if (t->nslots >= TOPOLOGY_SLOTS_MAX) {
		t->slots_lost = 1;
		bad(t, "more than %d slot ranges in one view", TOPOLOGY_SLOTS_MAX);
		return (NULL);
	}
	if (t->nslots == t->slots_cap) {
		t->slots_cap = t->slots_cap != 0 ? t->slots_cap * 2 : 16;
		t->slots = mem_grow(t->slots, t->slots_cap, sizeof *t->slots);
	}
	s = &t->slots[t->nslots++];
	memset(s, 0, sizeof *s);
	s->from = from;
	s->to = to;
	s->node = node;
	return (s);
}

void
topology_own(struct topology *t, int node, int from, int to)
{
	int	 at, end, clash = 0;

	if (!slots_any(&t->owned, from, to)) {
		add_slots(t, node, from, to);
		slots_add(&t->owned, from, to);
		return;
	}
	for (at = from; at <= to; at = end + 1) {
		end = at;
		if (slots_has(&t->owned, at)) {
			while (end < to && slots_has(&t->owned, end + 1))
				end++;
			clash = 1;
			bad(t, "slots %d-%d are listed a second time", at, end);
			continue;
		}
		while (end < to && !slots_has(&t->owned, end + 1))
			end++;
		add_slots(t, node, at, end);
	}
	if (clash)
		t->slots_lost = 1;
	slots_add(&t->owned, from, to);
}

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
	s = add_slots(t, node, from, to);
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
		a = b = number(s);
	else {
		a = number(span_make(s.p, (size_t)(dash - s.p)));
		b = number(span_make(dash + 1, s.n - (size_t)(dash + 1 - s.p)));
	}
	if (a < 0 || b < 0)
		return ("is no slot range");
	if (a >= SLOTS_COUNT || b >= SLOTS_COUNT)
		return ("end is above 16383");
	return ("ends before it begins");
}

static void
slot_items(struct topology *t, int node, struct span rest)
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
				bad(t, "\"%.*s\" is no migrating or importing slot",
				    SHOW(item));
		} else if (item.n > ID_LEN && slots_parse_range(span_make(item.p,
		    item.n - ID_LEN), &from, &to) == 0 && topology_is_node_line(
		    span_make(item.p + item.n - ID_LEN, rest.n + ID_LEN))) {
			topology_own(t, node, from, to);
			bad(t, "two lines are merged into one");
			topology_nodes_line(t, span_make(item.p + item.n - ID_LEN,
			    rest.n + ID_LEN));
			return;
		} else {
			t->slots_lost = 1;
			bad(t, "slot range %.*s: %s", SHOW(item), range_fault(item));
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
		n->bus_port = number(span_make(p + 1,
		    main.n - (size_t)(p + 1 - main.p)));
		if (n->bus_port < 0 || n->bus_port > 65535) {
			n->bus_port = OBS_NO_NUM;
			bad(t, "address %.*s: bus port is no port", SHOW(s));
		}
		main.n = (size_t)(p - main.p);
	}
	if (endpoint_parse(main, &n->ep) != 0 || host_fault(n->ep.host)) {
		n->ep = endpoint_none();
		bad(t, "address %.*s is invalid", SHOW(s));
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
		bad(t, "a second node is marked myself");
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

/* "connected" and the next line's id run together: read the other line. */
static int
split_merged(struct topology *t, struct span line, size_t at)
{
	struct span	 next = span_make(line.p + at, line.n - at);

	if (!topology_is_node_line(next))
		return (0);
	bad(t, "two lines are merged into one");
	topology_nodes_line(t, next);
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
		v = number(f[i + 1]);
		if (v < 0)
			bad(t, "vars line: \"%.*s\" is no epoch", SHOW(f[i + 1]));
		else if (span_is(f[i], "currentEpoch"))
			t->current_epoch = v;
	}
}

/* Ping, pong, epoch and link state in fields 4 to 7, else the fault. */
static int
state_fields(struct topology *t, struct obs_view_node *n, const struct span *f,
    int nf, struct span line)
{
	int64_t	 pong = nf > 5 ? number(f[5]) : -1, epoch = nf > 6 ? number(f[6]) : -1;
	size_t	 len;

	if (nf < FIELDS || number(f[4]) < 0 || pong < 0 || epoch < 0) {
		bad(t, nf < FIELDS && epoch >= 0 ? "line is cut after %d fields" :
		    "fields are missing or run together after field %d", nf < 4 ? nf : 4);
		return (-1);
	}
	n->config_epoch = epoch;
	if (pong > t->newest_pong_ms)
		t->newest_pong_ms = pong;
	if (link_ok(f[7])) {
		n->link_state = f[7];
		return (0);
	}
	len = f[7].n > 0 && f[7].p[0] == 'd' ? 12 : 9;
	if (f[7].n == len + ID_LEN && link_ok(span_make(f[7].p, len)) &&
	    split_merged(t, line, (size_t)(f[7].p - line.p) + len))
		return (-1);
	bad(t, "link state \"%.*s\" is unknown", SHOW(f[7]));
	return (-1);
}

void
topology_nodes_line(struct topology *t, struct span line)
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
			bad(t, "line of node %.*s is cut after %d fields", SHOW(f[0]), nf);
		else
			bad(t, "\"%.*s\" (%zu characters) is no node id",
			    SHOW(f[0]), f[0].n);
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
		bad(t, "master id \"%.*s\" is no node id", SHOW(f[3]));
	if (state_fields(t, n, f, nf, line) == 0)
		slot_items(t, i, rest);
	else if (t->nodes[i].role != ROLE_REPLICA)
		t->slots_lost = 1;
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

/* --- CLUSTER SLOTS: from to (host port [id [metadata...]])... --- */

static int
is_number(struct span s)
{
	return (number(s) >= 0);
}

/* A node begins here: host (never a number), port. */
static int
slots_node_at(const struct span *k, size_t n, size_t i)
{
	if (i + 1 >= n || is_number(k[i]) || !is_number(k[i + 1]))
		return (0);
	if (k[i].n > 0 || (i + 2 < n && topology_is_id(k[i + 2])))
		return (1);
	return (0);
}

static int
meta_key(struct span s)
{
	return (span_is(s, "ip") || span_is(s, "hostname") ||
	    span_is(s, "availability-zone") || span_is(s, "shard-id"));
}

/* The node of an id or, without one, of an address; added when new. */
static int
find_node(struct topology *t, struct span id, const struct endpoint *ep)
{
	size_t	 i;
	int	 at;

	for (i = 0; i < t->nnodes; i++)
		if (id.p != NULL ? span_eq(id, t->nodes[i].id) :
		    endpoint_eq(ep, &t->nodes[i].ep))
			return ((int)i);
	at = topology_add_node(t);
	if (at >= 0) {
		t->nodes[at].id = id;
		t->nodes[at].ep = *ep;
	}
	return (at);
}

static size_t
slots_node(struct topology *t, const struct span *k, size_t n, size_t i, int *node)
{
	struct span	 id = { NULL, 0 };
	struct endpoint	 ep = endpoint_none();

	if (k[i].p == NULL)
		ep.port = OBS_NO_PORT;	/* unknown-endpoint: nil */
	else if (endpoint_pair(k[i], k[i + 1], &ep) != 0)
		bad(t, "address %.*s %.*s is invalid", SHOW(k[i]), SHOW(k[i + 1]));
	i += 2;
	if (i < n && topology_is_id(k[i]))
		id = k[i++];
	*node = find_node(t, id, &ep);
	while (i < n && !is_number(k[i]) && !slots_node_at(k, n, i)) {
		if (i + 1 < n && meta_key(k[i])) {
			if (*node >= 0 && span_is(k[i], "hostname"))
				t->nodes[*node].hostname = k[i + 1];
			i++;
		}
		i++;
	}
	return (i);
}

static void
slots_tokens(struct topology *t, const struct span *k, size_t n)
{
	size_t	 i = 0;
	int64_t	 from, to;
	int	 owner, node;

	while (i < n) {
		t->at = i;
		from = number(k[i]);
		to = i + 1 < n ? number(k[i + 1]) : -1;
		if (from < 0 || to < from || to >= SLOTS_COUNT ||
		    !slots_node_at(k, n, i + 2)) {
			t->slots_lost = 1;
			bad(t, "\"%.*s\": no slot range with a node begins here",
			    SHOW(k[i]));
			for (i++; i < n && !(is_number(k[i]) && i + 1 < n &&
			    is_number(k[i + 1]) && slots_node_at(k, n, i + 2)); i++)
				;
			continue;
		}
		i = slots_node(t, k, n, i + 2, &owner);
		if (owner >= 0) {
			t->nodes[owner].role = ROLE_MASTER;
			topology_own(t, owner, (int)from, (int)to);
		}
		while (i < n && slots_node_at(k, n, i)) {
			i = slots_node(t, k, n, i, &node);
			if (node >= 0 && t->nodes[node].role == ROLE_NONE) {
				t->nodes[node].role = ROLE_REPLICA;
				if (owner >= 0)
					t->nodes[node].master = t->nodes[owner].id;
			}
		}
	}
}

/* --- CLUSTER SHARDS: "slots" n... "nodes" ("id" x "port" y ...)... --- */

struct shard_node {
	struct span	 id, port, tls_port, ip, endpoint, hostname, role, health;
};

static struct span *
shard_field(struct shard_node *s, struct span key)
{
	static const struct {
		const char	*key;
		size_t		 offset;
	} fields[] = {
		{ "id", offsetof(struct shard_node, id) },
		{ "port", offsetof(struct shard_node, port) },
		{ "tls-port", offsetof(struct shard_node, tls_port) },
		{ "ip", offsetof(struct shard_node, ip) },
		{ "endpoint", offsetof(struct shard_node, endpoint) },
		{ "hostname", offsetof(struct shard_node, hostname) },
		{ "role", offsetof(struct shard_node, role) },
		{ "health", offsetof(struct shard_node, health) },
	};
	size_t	 i;

	for (i = 0; i < sizeof fields / sizeof *fields; i++)
		if (span_is(key, fields[i].key))
			return ((struct span *)(void *)((char *)s + fields[i].offset));
	return (NULL);
}

static void
shard_node_end(struct topology *t, struct shard_node *s)
{
	struct obs_view_node	*n;
	struct span		 host, port;
	int			 i;

	/* Valkey 9.1 has an id of the shard as well, which has no role. */
	if (s->id.p != NULL && s->role.p != NULL && (i = topology_add_node(t)) >= 0) {
		n = &t->nodes[i];
		host = s->ip.n > 0 ? s->ip : s->endpoint;
		port = s->port.p != NULL ? s->port : s->tls_port;
		if (!topology_is_id(s->id)) {
			bad(t, "\"%.*s\" is no node id", SHOW(s->id));
			t->slots_lost = 1;
		} else
			n->id = s->id;
		if (host.p != NULL && port.p != NULL &&
		    endpoint_pair(host, port, &n->ep) != 0)
			bad(t, "address %.*s %.*s is invalid", SHOW(host), SHOW(port));
		if (s->hostname.n > 0)
			n->hostname = s->hostname;
		n->role = span_is(s->role, "master") || span_is(s->role, "primary") ?
		    ROLE_MASTER : ROLE_REPLICA;
		if (span_is(s->health, "failed") || span_is(s->health, "fail"))
			n->flags = span_of("fail");
	}
	memset(s, 0, sizeof *s);
}

/* The master of nodes[first..] owns the shard's slots.  Two masters (one of
 * them failed, its successor elected): the one that is online. */
static void
shard_end(struct topology *t, size_t first, const struct span *slots, size_t n)
{
	size_t	 i;
	int	 owner = -1;
	int64_t	 from, to;

	for (i = first; i < t->nnodes; i++)
		if (t->nodes[i].role == ROLE_MASTER &&
		    (owner < 0 || t->nodes[owner].flags.p != NULL))
			owner = (int)i;
	for (i = first; i < t->nnodes; i++)
		if (owner >= 0 && t->nodes[i].role == ROLE_REPLICA)
			t->nodes[i].master = t->nodes[owner].id;
	for (i = 0; i + 1 < n; i += 2) {
		from = number(slots[i]);
		to = number(slots[i + 1]);
		if (from < 0 || to < from || to >= SLOTS_COUNT || owner < 0) {
			t->slots_lost = 1;
			bad(t, "slots %.*s-%.*s: %s", SHOW(slots[i]), SHOW(slots[i + 1]),
			    owner < 0 ? "the shard names no master" : "no slot range");
		} else
			topology_own(t, owner, (int)from, (int)to);
	}
	if (n % 2 != 0) {
		t->slots_lost = 1;
		bad(t, "a slot range of the shard has no end");
	}
}

static void
shards_tokens(struct topology *t, const struct span *k, size_t n)
{
	struct shard_node	 node = { 0 };
	struct span		*field;
	size_t			 i = 0, first = 0, slots_at = 0, nslots = 0;
	int			 have_slots = 0, have_nodes = 0, is_slots;

	while (i < n) {
		t->at = i;
		is_slots = span_is(k[i], "slots");
		if (is_slots || span_is(k[i], "nodes")) {
			shard_node_end(t, &node);
			if (is_slots ? have_slots : have_nodes) {
				shard_end(t, first, k + slots_at, nslots);
				first = t->nnodes;
				have_slots = have_nodes = 0;
				nslots = 0;
			}
			i++;
			if (is_slots) {
				have_slots = 1;
				for (slots_at = i; i < n && is_number(k[i]); i++)
					;
				nslots = i - slots_at;
			} else
				have_nodes = 1;
			continue;
		}
		field = shard_field(&node, k[i]);
		if (field != NULL && field->p != NULL) {
			shard_node_end(t, &node);
			field = shard_field(&node, k[i]);
		}
		if (i + 1 < n && field != NULL)
			*field = k[i + 1].p != NULL ? k[i + 1] : span_of("");
		i += i + 1 < n && k[i].n > 0 ? 2 : 1;
	}
	shard_node_end(t, &node);
	shard_end(t, first, k + slots_at, nslots);
}

void
topology_tokens(struct topology *t, enum topology_form form,
    const struct span *tokens, size_t n)
{
	if (form == TOPOLOGY_SLOTS)
		slots_tokens(t, tokens, n);
	else
		shards_tokens(t, tokens, n);
}

void
topology_view(const struct topology *t, struct obs_view *v)
{
	v->nodes = t->nodes;
	v->nnodes = t->nnodes;
	v->slots = t->slots;
	v->nslots = t->nslots;
	v->complete = !t->slots_lost;
	v->partial = t->partial;
	v->current_epoch = t->current_epoch;
}
