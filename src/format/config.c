/*
 * config.c - what a bundle holds of the servers' configuration:
 *
 *	cluster-node-timeout 5000		redis.conf, a ConfigMap
 *	--cluster-node-timeout 5000		a command line
 *	1) "cluster-node-timeout"		CONFIG GET, redis-cli's forms
 *	2) "5000"
 *	redis_version:7.0.15			INFO
 */
#include "format/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "format/config-setting.h"
#include "format/dump-asked.h"
#include "format/dump-tree.h"
#include "text/clean.h"

enum { READ_BYTES = 64 * 1024, LINE_BYTES = 64 * 1024 };

static const struct {
	const char	*seen, *name;	/* name NULL: the same */
} settings[] = {
	{ "cluster-enabled", NULL },
	{ "cluster-node-timeout", NULL },
	{ "cluster-require-full-coverage", NULL },
	{ "cluster-allow-reads-when-down", NULL },
	{ "cluster-allow-replica-migration", NULL },
	{ "cluster-migration-barrier", NULL },
	{ "cluster-replica-validity-factor", NULL },
	{ "cluster-slave-validity-factor", "cluster-replica-validity-factor" },
	{ "cluster-replica-no-failover", NULL },
	{ "cluster-slave-no-failover", "cluster-replica-no-failover" },
	{ "cluster-manual-failover-timeout", NULL },
	{ "cluster-preferred-endpoint-type", NULL },
	{ "cluster-announce-ip", NULL },
	{ "cluster-announce-port", NULL },
	{ "cluster-announce-bus-port", NULL },
	{ "cluster-announce-tls-port", NULL },
	{ "cluster-announce-hostname", NULL },
	{ "cluster-announce-human-nodename", NULL },
	{ "cluster-announce-client-ipv4", NULL },
	{ "cluster-announce-client-ipv6", NULL },
	{ "cluster-announce-client-port", NULL },
	{ "cluster-announce-client-tls-port", NULL },
	{ "cluster-port", NULL },
	{ "replica-announce-ip", NULL },
	{ "slave-announce-ip", "replica-announce-ip" },
	{ "replica-announce-port", NULL },
	{ "slave-announce-port", "replica-announce-port" },
	{ "replica-serve-stale-data", NULL },
	{ "slave-serve-stale-data", "replica-serve-stale-data" },
	{ "min-replicas-to-write", NULL },
	{ "min-slaves-to-write", "min-replicas-to-write" },
	{ "repl-timeout", NULL },
	{ "repl-ping-replica-period", NULL },
	{ "repl-ping-slave-period", "repl-ping-replica-period" },
	{ "port", NULL },
	{ "tls-port", NULL },
	{ "tls-cluster", NULL },
	{ "timeout", NULL },
	{ "tcp-keepalive", NULL },
	{ "redis_version", "version" },
	{ "valkey_version", "version" },
	{ "run_id", "run-id" },
	{ "tcp_port", "port" },
	{ "cluster_enabled", "cluster-enabled" },
};

const char *
config_setting(struct span s)
{
	size_t	 i;

	for (i = 0; i < sizeof settings / sizeof *settings; i++)
		if (s.n == strlen(settings[i].seen) &&
		    strncasecmp(s.p, settings[i].seen, s.n) == 0)
			return (settings[i].name != NULL ? settings[i].name :
			    settings[i].seen);
	return (NULL);
}

struct span
config_value(struct span s)
{
	while (s.n > 0 && strchr(" \t\r", s.p[s.n - 1]) != NULL)
		s.n--;
	while (s.n > 0 && (*s.p == ' ' || *s.p == '\t'))
		s.p++, s.n--;
	if (s.n >= 2 && (*s.p == '"' || *s.p == '\'') && s.p[s.n - 1] == *s.p) {
		s.p++;
		s.n -= 2;
	}
	if (s.n == 0 || s.n > 256)
		return (span_make(NULL, 0));
	return (s);
}

struct config {
	struct decode_ctx *ctx;
	struct sink	*sink;
	struct err	*e;
	struct asked	 asked;
	struct stamp_clock clock;
	struct locus	 where;
	char		*stem;
	struct tree	 tree;
	enum tree_kind	 tree_kind;
	struct buf	 pending;	/* raw CONFIG GET: the name, its value is next */
	int		 failed;
};

static void
give(struct config *c, const char *name, struct span value, int64_t position)
{
	struct obs	 o;

	value = config_value(value);
	if (value.p == NULL || c->failed)
		return;
	obs_init(&o, OBS_SETTING);
	o.at = c->asked.at;
	o.at_basis = c->asked.at_basis;
	o.precision_us = c->asked.precision_us;
	if (o.at == OBS_NO_TIME && c->ctx->mtime != OBS_NO_TIME) {
		o.at = c->ctx->mtime;
		o.at_basis = AT_FILE_TIME;
		o.precision_us = 1000000;
	}
	o.where = c->where;
	o.where.position = position;
	o.observer.kind = WHO_NODE;
	o.observer.name = span_of(c->asked.name[0] != '\0' ? c->asked.name : c->stem);
	o.observer.ep = c->asked.ep;
	o.u.setting.name = span_of(name);
	o.u.setting.value = value;
	o.u.setting.of_observer = 1;
	c->ctx->records++;
	if (c->sink->obs(c->sink, &o, c->e) != 0)
		c->failed = 1;
}

static struct span
word(struct span *s, const char *separators)
{
	struct span	 w;

	while (s->n > 0 && strchr(separators, *s->p) != NULL)
		s->p++, s->n--;
	w = span_make(s->p, 0);
	while (s->n > 0 && strchr(separators, *s->p) == NULL)
		s->p++, s->n--, w.n++;
	return (w);
}

/* "name value" and "--name value", as often as they stand on the line; 0 when
 * it is neither. */
static int
directives(struct config *c, struct span s)
{
	struct span	 rest = s, w;
	const char	*name;
	int		 any = 0;

	w = word(&rest, " \t");
	if ((name = config_setting(w)) != NULL && strchr(name, '_') == NULL &&
	    rest.n > 1) {
		if (c != NULL)
			give(c, name, rest, c->where.position);
		return (1);
	}
	for (rest = s; (w = word(&rest, " \t\"'[],")).n > 0;) {
		if (w.n < 3 || w.p[0] != '-' || w.p[1] != '-' ||
		    (name = config_setting(span_make(w.p + 2, w.n - 2))) == NULL)
			continue;
		w = word(&rest, " \t\"'[],");
		if (c != NULL)
			give(c, name, w, c->where.position);
		any = 1;
	}
	return (any);
}

/* "redis_version:7.0.15" of INFO. */
static int
info_line(struct config *c, struct span s)
{
	const char	*colon = s.n > 0 ? memchr(s.p, ':', s.n) : NULL, *name;
	struct span	 key;

	if (colon == NULL)
		return (0);
	key = span_make(s.p, (size_t)(colon - s.p));
	if (memchr(key.p, '_', key.n) == NULL || (name = config_setting(key)) == NULL)
		return (0);
	s = span_make(colon + 1, s.n - key.n - 1);
	if (span_is(key, "cluster_enabled"))
		s = span_of(s.n > 0 && *s.p == '1' ? "yes" : "no");
	if (c != NULL)
		give(c, name, s, c->where.position);
	return (1);
}

static void
tree_end(struct config *c)
{
	const char	*name;
	size_t		 i;

	for (i = 0; c->tree_kind != TREE_NONE && i + 1 < c->tree.n; i += 2)
		if ((name = config_setting(tree_span(&c->tree, i))) != NULL)
			give(c, name, tree_span(&c->tree, i + 1),
			    c->tree.tokens[i].position);
	c->tree_kind = TREE_NONE;
	tree_reset(&c->tree);
}

static void
take_line(struct config *c, struct span s)
{
	enum contact_outcome	 outcome;
	const char		*name;

	while (s.n > 0 && (*s.p == ' ' || *s.p == '\t') && c->tree_kind == TREE_NONE)
		s.p++, s.n--;
	if (c->tree_kind != TREE_NONE) {
		if (tree_line(&c->tree, c->tree_kind, s, c->where.position))
			return;
		tree_end(c);
	}
	if (c->pending.n > 0) {		/* the value of a name on a line of its own */
		name = config_setting(span_make(c->pending.p, c->pending.n));
		c->pending.n = 0;
		if (name != NULL && s.n > 0) {
			give(c, name, s, c->where.position);
			return;
		}
	}
	if (s.n == 0 || (*s.p == '#' && !c->asked.position && s.n < 3))
		return;
	if (config_setting(s) != NULL) {
		buf_add(&c->pending, s.p, s.n);
		return;
	}
	if (*s.p != '#' && (directives(c, s) || info_line(c, s)))
		return;
	if ((c->tree_kind = tree_begins(s)) != TREE_NONE) {
		if (c->tree_kind == TREE_RAW)
			c->tree_kind = TREE_NONE;
		else
			tree_line(&c->tree, c->tree_kind, s, c->where.position);
		return;
	}
	if (memchr(s.p, '>', s.n) != NULL || memmem(s.p, s.n, "-cli ", 5) != NULL)
		asked_line(&c->asked, s, c->where.position, 0, &c->clock, &outcome);
}

static void
tell_encoding(struct config *c)
{
	struct locus	 l = c->where;

	l.position++;			/* of the line that comes */
	if (sink_problem(c->sink, &l, "encoding", c->e, "not UTF-16 near this line") != 0)
		c->failed = 1;
}

static void
tell_long(struct config *c)
{
	c->where.position++;
	if (sink_problem(c->sink, &c->where, "too-long", c->e, "a line of more than %d bytes is"
	    " left out", LINE_BYTES) != 0)
		c->failed = 1;
}

static int
read_all(struct config *c, struct input *in)
{
	struct recode	 text = { CLEAN_UTF8, 0, 0, { NULL, 0, 0 } };
	struct buf	 block = { 0 }, clean = { 0 };
	int64_t		 bad = 0;
	const char	*nl;
	size_t		 n;
	ssize_t		 got;
	int		 skipping = 0;

	do {
		got = recode_read(&text, in, &block, READ_BYTES, c->e);
		if (bad == 0 && text.bad > 0)
			tell_encoding(c);
		bad = text.bad;
		while (!c->failed && block.n > 0 && ((nl = memchr(block.p, '\n',
		    block.n)) != NULL || got <= 0 || block.n > LINE_BYTES)) {
			n = nl != NULL ? (size_t)(nl - block.p) : block.n;
			if (skipping || n > LINE_BYTES) {
				if (!skipping)
					tell_long(c);
				skipping = nl == NULL;
				buf_drop(&block, n + (nl != NULL));
				continue;
			}
			c->where.position++;
			clean.n = 0;
			take_line(c, clean_line(span_make(block.p, n), &clean));
			buf_drop(&block, n + (nl != NULL));
		}
	} while (got > 0 && !c->failed);
	tree_end(c);
	buf_free(&block);
	buf_free(&clean);
	recode_free(&text);
	return (got < 0 || c->failed ? -1 : 0);
}

static int
decode(struct input *in, struct decode_ctx *ctx, struct sink *sink, struct err *e)
{
	struct config	 c;
	int		 rc;

	memset(&c, 0, sizeof c);
	c.ctx = ctx;
	c.sink = sink;
	c.e = e;
	c.where.part = input_part(in);
	c.where.offset = OBS_NO_NUM;
	c.stem = ctx->observer != NULL ? mem_str(ctx->observer) : input_stem(in);
	stamp_clock_init(&c.clock, ctx);
	asked_init(&c.asked);
	rc = read_all(&c, in);
	tree_free(&c.tree);
	buf_free(&c.pending);
	free(c.stem);
	return (rc);
}

/* A configuration is mostly directives; of INFO a few lines say enough. */
static int
bid(struct span prefix, const char *name, char *why, size_t n)
{
	const char	*nl, *q;
	struct span	 s;
	int		 known = 0, lines = 0;

	(void)name;
	while (prefix.n > 0 && lines < 3000) {
		nl = memchr(prefix.p, '\n', prefix.n);
		s = span_make(prefix.p, nl != NULL ? (size_t)(nl - prefix.p) : prefix.n);
		prefix.p += s.n;
		prefix.n -= s.n;
		if (prefix.n > 0)
			prefix.p++, prefix.n--;
		while (s.n > 0 && strchr(" \t\r", s.p[s.n - 1]) != NULL)
			s.n--;
		while (s.n > 0 && (*s.p == ' ' || *s.p == '\t'))
			s.p++, s.n--;
		if (s.n < 2 || *s.p == '#')
			continue;
		lines++;
		if (s.n > 6 && s.p[1] == ')' && s.p[3] == '"' && s.p[s.n - 1] == '"')
			s = span_make(s.p + 4, s.n - 5);
		if (s.n > 3 && (*s.p == '{' || *s.p == '"') &&
		    (q = memchr(s.p, '"', 3)) != NULL &&
		    (nl = memchr(q + 1, '"', s.n - (size_t)(q + 1 - s.p))) != NULL)
			s = span_make(q + 1, (size_t)(nl - q - 1));	/* JSON */
		known += config_setting(s) != NULL || directives(NULL, s) ||
		    info_line(NULL, s);
	}
	if (known == 0)
		return (0);
	snprintf(why, n, "%d known settings in %d lines", known, lines);
	return (known * 60 >= lines ? 60 : 5);
}

const struct format format_config = {
	.name = "config",
	.summary = "redis.conf, CONFIG GET and INFO output",
	.bid = bid,
	.decode = decode,
	.stem = input_name_stem,
};
