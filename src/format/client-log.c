/*
 * client-log.c - what clients of the cluster wrote: any text log, by any
 * library and logger, in any wrapper.  The rules of log_rule say what a record
 * means; a line that none of their literals stands in is never looked at.
 */
#include "format/format.h"
#include "format/client-name.h"
#include "format/log-streams.h"
#include "text/json-lines.h"
#include "text/stamp.h"

#include <stdio.h>

enum { BID_LINES = 200, ERROR_BITS = 202 };	/* more than any dump in it */

/* Words that only a client of Redis writes, and those that others may too. */
static const char *const sure_words[] = { "MOVED ", "CLUSTERDOWN", "Cluster redirections",
	"TTL exhausted", "RedisClusterFailoverError", "SlotMapCorruptionError", "cluster attempts",
	"ioredis", "jedis", "lettuce", "redisson", "RedisCluster", "redis.cluster",
	"StackExchange.Redis", "Predis\\", "RedisClient", "glide", "rediscluster", "slot map" };
static const char *const likely_words[] = { "redis", "Redis", "REDIS", "valkey", "Valkey",
	"6379", "ECONNREFUSED", "dial tcp", "Callback]" };

static int
count_words(struct span s, const char *const *words, size_t n)
{
	size_t	 i;
	int	 found = 0;

	for (i = 0; i < n; i++)
		found += memmem(s.p, s.n, words[i], strlen(words[i])) != NULL;
	return (found);
}

/* What only the log of a client says, whatever topology stands in it. */
static const char *const error_words[] = { "MOVED ", "Cluster redirections", "TTL exhausted",
	"RedisClusterFailoverError", "SlotMapCorruptionError", "cluster attempts",
	"redirection loop", "cluster nodes state got from", "nodes configuration got from" };

/* Either is in what a reader of topology would take the file for. */
static const char *const topology_words[] = { " myself,", "1) (integer) " };

/* Lines with a stamp near their start, or JSON objects; *errors of them have an
 * error word. */
static int
count_stamped(struct span s, int *lines, int *errors)
{
	struct stamp	 t;
	const char	*nl;
	struct span	 line;
	int		 stamped = 0;

	for (*lines = *errors = 0; s.n > 0 && *lines < BID_LINES; (*lines)++) {
		nl = memchr(s.p, '\n', s.n);
		line = span_make(s.p, nl != NULL ? (size_t)(nl - s.p) : s.n);
		if ((line.n > 1 && line.p[0] == '{' && line.p[1] == '"') ||
		    (line.n > 0 && line.p[0] != '#' && stamp_find(line, &t))) {
			stamped++;
			*errors += count_words(line, error_words,
			    sizeof error_words / sizeof error_words[0]) > 0;
		}
		if (nl == NULL)
			break;
		s = span_make(nl + 1, s.n - line.n - 1);
	}
	return (stamped);
}

static int
is_binary(struct span s)
{
	size_t	 i, odd = 0, n = s.n < 4096 ? s.n : 4096;

	for (i = 0; i < n; i++)
		odd += (unsigned char)s.p[i] < ' ' && strchr("\t\r\n\f\033\b", s.p[i]) == NULL;
	return (odd * 20 > n);
}

/* One JSON document over many lines, and the rows of an analysis (they have a
 * verdict: what slotrace itself wrote, say) are no logs. */
static int
is_document(struct span s)
{
	const char	*nl;
	size_t		 n;

	while (s.n > 0 && s.p[0] == '\n')
		s = span_make(s.p + 1, s.n - 1);
	nl = s.n > 0 ? memchr(s.p, '\n', s.n) : NULL;
	n = nl != NULL ? (size_t)(nl - s.p) : s.n;
	while (n > 0 && (s.p[n - 1] == '\r' || s.p[n - 1] == ' '))
		n--;
	if (n == 1 && (s.p[0] == '{' || s.p[0] == '['))
		return (1);
	return (n > 1 && s.p[0] == '{' && memmem(s.p, n, "\"verdict\":", 10) != NULL);
}

/* Journald's bytes as text. */
static struct span
with_bytes(struct span s, struct buf *b)
{
	if (s.n > 0 && s.p != b->p) {
		buf_add(b, s.p, s.n);
		s.p = b->p;
	}
	json_lines_bytes(b->p, s.n);
	return (s);
}

static int
bid(struct span prefix, const char *name, char *why, size_t n)
{
	int		 sure, likely, stamped, lines, errors, bits = 0;
	struct buf	 edited = { NULL, 0, 0 };

	(void)name;
	prefix = json_lines_prefix(prefix, &edited);
	if (json_lines_have_bytes(prefix))
		prefix = with_bytes(prefix, &edited);
	if (prefix.n > 0 && !is_binary(prefix) && !is_document(prefix)) {
		sure = count_words(prefix, sure_words, sizeof sure_words / sizeof sure_words[0]);
		likely = count_words(prefix, likely_words,
		    sizeof likely_words / sizeof likely_words[0]);
		stamped = count_stamped(prefix, &lines, &errors);
		if (stamped > 0)
			bits = 6;
		if (likely > 0 && (stamped > 0 || sure > 0))
			bits = 10;
		if (sure > 0)
			bits = stamped > 0 ? 16 : 12;
		if (errors > 0 && count_words(prefix, topology_words, 2) > 0)
			bits = ERROR_BITS;
		snprintf(why, n, "%d of %d lines have a time, %d words of Redis clients", stamped,
		    lines + 1, sure + likely);
	}
	buf_free(&edited);
	return (bits);
}

static int
decode(struct input *in, struct decode_ctx *ctx, struct sink *sink, struct err *e)
{
	return (log_streams_decode(in, ctx, sink, LOG_OF_CLIENT, e));
}

const struct format format_client_log = {
	.name = "client-log",
	.summary = "log of a Redis Cluster client",
	.bid = bid,
	.decode = decode,
	.stem = client_name,
	.by_rules = 1,
};
