#include "format/format.h"

static int
bid(struct span prefix, const char *name, char *why, size_t n)
{
	(void)prefix, (void)name, (void)why, (void)n;
	return (0);
}

static int
decode(struct input *in, struct decode_ctx *ctx, struct sink *sink, struct err *e)
{
	(void)in, (void)ctx, (void)sink, (void)e;
	return (0);
}

const struct format format_server_log = {
	.name = "server-log",
	.summary = "server log",
	.bid = bid,
	.decode = decode,
};
