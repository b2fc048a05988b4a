#include "format/client-topology.h"

#include <stdlib.h>

#include "base/mem.h"
#include "format/dump.h"

enum { LINES_MAX = 20000 };		/* a record has 2,000 at most: never reached */
/* How far a live answer is from its newest pong: see dump-sample.c. */
#define LIVE_US	INT64_C(8500000)

struct client_topology {
	const struct decode_ctx	*ctx;
	struct sink		*sink;
	struct dump		*dump;		/* NULL until there is something to read */
	struct who		 client;	/* who the held views were given to */
	struct buf		 names;		/* its texts */
	struct buf		 lines;		/* the node lines of a record */
	struct buf		 unnamed;	/* observer of views that name none */
	struct topology		 topology;	/* of them, to look at before */
};

struct client_topology *
client_topology_open(const struct decode_ctx *ctx, struct sink *sink)
{
	struct client_topology	*t = mem_zero(1, sizeof *t);

	t->ctx = ctx;
	t->sink = sink;
	return (t);
}

void
client_topology_close(struct client_topology *t)
{
	if (t == NULL)
		return;
	dump_free(t->dump);
	topology_free(&t->topology);
	buf_free(&t->names);
	buf_free(&t->lines);
	buf_free(&t->unnamed);
	free(t);
}

int
client_topology_end(struct client_topology *t, struct err *e)
{
	if (t->dump == NULL)
		return (0);
	t->dump->c.e = e;
	dump_end(t->dump);
	return (t->dump->c.failed ? -1 : 0);
}

/* A copy of the client; views held for another one are given first. */
static int
set_client(struct client_topology *t, const struct who *w, struct err *e)
{
	const struct span	 s[3] = { w->name, w->host, w->library };
	struct span		*to[3] = { &t->client.name, &t->client.host, &t->client.library };
	size_t			 at[3] = { 0, 0, 0 };
	int			 i;

	if (t->client.name.p != NULL && span_eq(w->name, t->client.name) &&
	    span_eq(w->host, t->client.host) && span_eq(w->library, t->client.library))
		return (0);
	if (client_topology_end(t, e) != 0)
		return (-1);
	t->names.n = 0;
	for (i = 0; i < 3; i++) {
		at[i] = t->names.n;
		buf_add(&t->names, s[i].p, s[i].n);
		buf_chr(&t->names, '\0');
	}
	t->client = *w;
	for (i = 0; i < 3; i++)
		*to[i] = span_make(s[i].p != NULL ? t->names.p + at[i] : NULL, s[i].n);
	t->unnamed.n = 0;
	buf_str(&t->unnamed, "asked by ");
	buf_add(&t->unnamed, w->name.p, w->name.n);
	return (0);
}

/* A line of CLUSTER NODES in this line, whatever stands before it. */
static int
node_line(struct span line, struct span *node)
{
	size_t	 at = 0;

	while (line.n > 0 && strchr(" \t\"'", *line.p) != NULL)
		line.p++, line.n--;
	while (line.n > 0 && strchr("\r\"'", line.p[line.n - 1]) != NULL)
		line.n--;
	if (!topology_is_node_line(line) && !dump_behind_prefix(line, &at))
		return (0);
	*node = span_make(line.p + at, line.n - at);
	return (1);
}

/* A line of a reply as redis-cli prints it: "1) 1) (integer) 0". */
static int
tree_line_of_log(struct span line, struct span *out)
{
	size_t	 i = 0;

	while (i < line.n && line.p[i] == ' ')
		i++;
	for (*out = line; i < line.n && line.p[i] >= '0' && line.p[i] <= '9'; i++)
		;
	return (i > 0 && i + 1 < line.n && strchr(")#", line.p[i]) != NULL && line.p[i + 1] == ' ');
}

/* How many lines of CLUSTER NODES the record has; what they say is in
 * t->topology. */
static int
look(struct client_topology *t, struct span text)
{
	const char	*nl;
	struct span	 line, node;
	int		 n = 0;

	t->lines.n = 0;
	for (; text.n > 0; text.p += line.n, text.n -= line.n) {
		nl = memchr(text.p, '\n', text.n);
		line = span_make(text.p, nl != NULL ? (size_t)(nl - text.p) + 1 : text.n);
		if (n >= LINES_MAX || !node_line(span_make(line.p, line.n - (nl != NULL)), &node))
			continue;
		buf_add(&t->lines, node.p, node.n);
		buf_chr(&t->lines, '\n');
		n++;
	}
	topology_reset(&t->topology);
	topology_nodes_text(&t->topology, span_make(t->lines.p, t->lines.n));
	return (n);
}

/*
 * The record's time is the answer's, unless the record says itself that what
 * it shows is older: then, and without a time, the newest pong dates it.
 */
static void
set_asked(struct client_topology *t, const struct record *r, const struct endpoint *asked)
{
	struct dump	*d = t->dump;
	int64_t		 pong = t->topology.newest_pong_ms * 1000;

	asked_init(&d->asked);
	if (r->at != OBS_NO_TIME && (pong == 0 || llabs(r->at - pong) <= LIVE_US)) {
		d->asked.at = r->at;
		d->asked.at_basis = r->at_basis;
		d->asked.precision_us = r->precision_us;
		d->asked.position = r->where.position;
	}
	asked_set_ep(&d->asked, asked);
	dump_choose_track(d, span_make(NULL, 0));
	if (asked->host.p == NULL)	/* not whoever else was not named */
		d->asked.id[0] = d->cur->asked.id[0] = '\0';
	d->fresh = 1;
	d->wrap = 0;
}

static void
feed_lines(struct client_topology *t, const struct record *r, int nodes)
{
	struct dump	*d = t->dump;
	struct span	 text = r->text, line, part;
	const char	*nl;
	int64_t		 at = r->where.position;

	for (; text.n > 0 && !d->c.failed; text.p += line.n, text.n -= line.n, at++) {
		nl = memchr(text.p, '\n', text.n);
		line = span_make(text.p, nl != NULL ? (size_t)(nl - text.p) + 1 : text.n);
		part = span_make(line.p, line.n - (nl != NULL));
		if (nodes > 0 ? !node_line(part, &part) : !tree_line_of_log(part, &part))
			continue;
		d->line = (at < r->last_position ? at : r->last_position) - 1;
		dump_line(d, part);
	}
}

int
client_topology_take(struct client_topology *t, const struct record *r,
    const struct who *client, const struct endpoint *asked, struct err *e)
{
	int	 nodes = look(t, r->text);

	if (set_client(t, client, e) != 0)
		return (-1);
	if (t->dump == NULL)
		t->dump = dump_open(t->ctx, "", r->where.part, t->sink, e);
	t->dump->c.e = e;
	t->dump->c.part = r->where.part;
	t->dump->c.asker = &t->client;
	t->dump->c.name = buf_cstr(&t->unnamed);
	/* A log may have cut it, or written each line as a record of its own. */
	t->dump->c.incomplete = nodes > 0 && (nodes < 2 || t->topology.myself < 0);
	set_asked(t, r, asked);
	feed_lines(t, r, nodes);
	dump_blocks_end(t->dump);
	return (t->dump->c.failed ? -1 : 0);
}
