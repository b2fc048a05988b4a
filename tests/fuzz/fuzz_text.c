/* The steps from a line to a record: cleaning, wrappers, times, heads. */
#include <stdlib.h>

#include "fuzz.h"
#include "text/clean.h"
#include "text/envelope.h"
#include "text/head.h"
#include "text/record.h"

static void
steps(struct span line, struct json *json, struct arena *arena)
{
	struct envelope		 env;
	struct stamp		 st;
	struct stamp_clock	 clock = { OBS_NO_NUM, NULL, 0, 1796002941000000, OBS_NO_TIME, 0 };
	struct buf		 b = { 0 }, wide = { 0 };
	enum at_basis		 basis;
	int64_t			 bad = 0;
	unsigned		 flags = 0;

	clean_utf16(clean_encoding(line), line, &wide, &bad);
	clean_octal(line, &b);
	b.n = 0;
	line = clean_line(line, &b);
	envelope_undo(line, json, arena, &env);
	envelope_export(line, &env);
	if (stamp_find(line, &st)) {
		if (st.begin > st.end || st.end > line.n)
			abort();
		stamp_resolve(&st, &clock, &basis);
	}
	stamp_epoch(line, &clock.last);
	head_begins(head_classify(line, &flags), flags, 0, 1);
	buf_free(&b);
	buf_free(&wide);
	arena_reset(arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct decode_ctx	 ctx = { .zone_s = OBS_NO_NUM, .mtime = OBS_NO_TIME };
	struct err		 e = ERR_INIT;
	struct input		*in = input_memory(p, n, "fuzz", n % 3 == 0 ? 7 : 0);
	struct records		*records = records_open(in, &ctx, fuzz_sink(), NULL, NULL);
	struct record		 r;
	struct json		*json = json_open();
	struct arena		 arena = { 0 };

	steps(span_make((const char *)p, n), json, &arena);
	while (records_next(records, &r, &e) == 1)
		if (r.where.position < 1 || r.last_position < r.where.position)
			abort();
	records_close(records);
	input_close(in);
	json_close(json);
	arena_free(&arena);
	return (0);
}
