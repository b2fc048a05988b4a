/*
 * topology-dump.c - what somebody saved of CLUSTER NODES, SLOTS, SHARDS, INFO,
 * nodes.conf and redis-cli --cluster check: one answer or thousands, with
 * whatever stands around them.
 */
#include "format/dump.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "text/clean.h"

#ifndef BLOCK_BYTES
#define BLOCK_BYTES	(256 * 1024)	/* fuzzers set less, to meet ends of blocks */
#endif

enum { READ_BYTES = BLOCK_BYTES };

static void
take_block(struct dump *d, struct buf *block)
{
	const char	*p = block->p, *end = block->p + block->n, *nl;

	while (p < end && !d->c.failed &&
	    (nl = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		dump_line(d, span_make(p, (size_t)(nl - p)));
		p = nl + 1;
	}
	buf_drop(block, (size_t)(p - block->p));
	if (block->n > DUMP_LINE_BYTES) {
		dump_problem(d, d->line + 1, "too-long", "a line of more than 4 MiB is left out");
		block->n = 0;
	}
}

/* The line without an end is the beginning of a node's id: the dump goes on, but
 * not here.  It might be slots as well, of a line that a terminal broke. */
static int
cut_id(const struct dump *d, struct span s)
{
	size_t	 i;

	for (i = 0; i < s.n && ((s.p[i] >= '0' && s.p[i] <= '9') ||
	    (s.p[i] >= 'a' && s.p[i] <= 'f')); i++)
		;
	return (d->in_nodes && i <= 40 && (i == s.n || (i == 40 && s.n == 41)));
}

static int
read_all(struct dump *d, struct input *in)
{
	struct recode	 text = { CLEAN_UTF8, 0, 0, { NULL, 0, 0 } };
	struct buf	 block = { 0 };
	ssize_t		 n;
	int64_t		 bad = 0;

	do {
		n = recode_read(&text, in, &block, READ_BYTES, d->c.e);
		if (bad == 0 && text.bad > 0)
			dump_problem(d, d->line + 1, "encoding", "not UTF-16 near this line");
		bad = text.bad;
		take_block(d, &block);
	} while (n > 0 && !d->c.failed);
	d->c.unended = block.n > 0;
	if (block.n > 0 && !d->c.failed && !cut_id(d, span_make(block.p, block.n)))
		dump_line(d, span_make(block.p, block.n));
	buf_free(&block);
	recode_free(&text);
	return (n < 0 || d->c.failed ? -1 : 0);
}

static int
decode(struct input *in, struct decode_ctx *ctx, struct sink *sink, struct err *e)
{
	char		*name = ctx->observer != NULL ? mem_str(ctx->observer) :
	    input_stem(in);
	struct dump	*d = dump_open(ctx, name, input_part(in), sink, e);
	int		 rc;

	d->c.name_at = asked_name_time(input_name(in), &d->clock, &d->c.name_precision_us);
	d->clock.last = OBS_NO_TIME;
	rc = read_all(d, in);
	dump_end(d);
	if (d->c.failed)
		rc = -1;
	ctx->records += d->c.views;
	if (d->line == 0)
		dump_problem(d, 0, "empty", "the file is empty");
	dump_free(d);
	free(name);
	return (rc);
}

static int
bid(struct span prefix, const char *name, char *why, size_t n)
{
	const char		*nl;
	struct span		 s;
	struct stamp		 st;
	struct check		 check;
	struct cluster_info	 info;
	struct tree		 tree = { 0 };
	enum tree_kind		 kind = TREE_NONE;
	size_t			 at;
	int			 nodes = 0, others = 0, logs = 0, lines;

	(void)name;
	memset(&check, 0, sizeof check);
	cluster_info_reset(&info);
	for (lines = 0; lines < 400 && prefix.n > 0; lines++) {
		nl = memchr(prefix.p, '\n', prefix.n);
		s = span_make(prefix.p, nl != NULL ? (size_t)(nl - prefix.p) : prefix.n);
		prefix.p += s.n;
		prefix.n -= s.n;
		if (s.n > 0 && s.p[s.n - 1] == '\r')
			s.n--;
		if (kind != TREE_NONE && tree_line(&tree, kind, s, 0)) {
			if (prefix.n == 0)
				break;
			prefix.p++, prefix.n--;
			continue;
		}
		if (kind != TREE_NONE) {
			others += dump_is_topology(&tree) || dump_is_links(&tree) ? 10 : 0;
			nodes += dump_bundle_nodes(&tree);
			tree_reset(&tree);
		}
		if ((kind = tree_begins(s)) != TREE_NONE)
			tree_line(&tree, kind, s, 0);
		else if (topology_is_node_line(s) || dump_behind_prefix(s, &at) ||
		    dump_base64_nodes(s))
			nodes++;
		else if (cluster_info_line(&info, s, 1) || check_line(&check, s, 1))
			others++;
		else if (s.n > 0 && s.p[0] != '#' && stamp_find(s, &st))
			logs++;
		if (prefix.n == 0)
			break;
		prefix.p++, prefix.n--;
	}
	if (dump_is_topology(&tree) || dump_is_links(&tree))
		others += 10;
	nodes += dump_bundle_nodes(&tree);
	tree_free(&tree);
	check_free(&check);
	if (nodes + others == 0)
		return (0);
	snprintf(why, n, "%d lines of CLUSTER NODES, %d of other topology output in the "
	    "first %d", nodes, others, lines);
	return (logs > 2 * (nodes + others) ? 20 : nodes > 0 ? 200 : 100);
}

const struct format format_topology_dump = {
	.name = "topology-dump",
	.summary = "CLUSTER NODES, SLOTS, SHARDS, INFO, LINKS, ROLE output and nodes.conf",
	.bid = bid,
	.decode = decode,
	.stem = input_name_stem,
};
