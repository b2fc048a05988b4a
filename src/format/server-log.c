/*
 * server-log.c - what the nodes themselves wrote, Redis 2.8 to 8 and Valkey
 * 7.2 to 9.
 */
#include "format/format.h"

#include <stdio.h>

#include "format/log-streams.h"
#include "format/server-head.h"

static int
decode(struct input *in, struct decode_ctx *ctx, struct sink *sink, struct err *e)
{
	return (log_streams_decode(in, ctx, sink, LOG_OF_SERVER, e));
}

static int
bid(struct span prefix, const char *name, char *why, size_t n)
{
	const char	*nl;
	struct span	 s;
	int		 mine = 0, lines = 0;

	(void)name;
	while (prefix.n > 0 && lines < 200) {
		nl = memchr(prefix.p, '\n', prefix.n);
		s = span_make(prefix.p, nl != NULL ? (size_t)(nl - prefix.p) : prefix.n);
		prefix.p += s.n;
		prefix.n -= s.n;
		if (prefix.n > 0)
			prefix.p++, prefix.n--;
		if (s.n < 8)
			continue;
		lines++;
		mine += server_head_is_line(s);
	}
	if (mine == 0)
		return (0);
	snprintf(why, n, "%d of the first %d lines are a server's", mine, lines);
	return (mine * 3 >= lines ? 190 : 10);
}

const struct format format_server_log = {
	.name = "server-log",
	.summary = "log of a Redis or Valkey server",
	.bid = bid,
	.decode = decode,
	.stem = input_name_stem,
	.by_rules = 1,			/* of the clients that stand in it */
};
