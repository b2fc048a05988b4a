/* A client log, whole, read with the rules of sql/log-rule.sql. */
#include "fuzz.h"
#include "builtin-rules.h"

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct decode_ctx	 ctx = {
		.zone_s = OBS_NO_NUM, .mtime = 1796002941000000,
		.rules = builtin_rules(), .keep_keys = n % 2 == 0,
	};
	struct err		 e = ERR_INIT;
	struct input		*in = input_memory(p, n, "fuzz", n % 5 == 0 ? 11 : 0);
	char			 why[200];

	format_client_log.bid(span_make((const char *)p, n), "fuzz", why, sizeof why);
	format_client_log.decode(in, &ctx, fuzz_sink(), &e);
	input_close(in);
	return (0);
}
