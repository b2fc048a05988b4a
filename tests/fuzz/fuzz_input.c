/* Archives and compression, nested, with limits that are soon reached. */
#include <stdlib.h>

#include "base/walk.h"
#include "fuzz.h"

enum { DEPTH = 3, MEMBERS = 100, BYTES = 1 << 22 };

/* Read a member in odd pieces, as decoders do. */
static int
member(struct visit *v, struct input *in, struct err *e)
{
	char		 b[1000];
	struct span	 ahead = input_peek(in, 300);
	int64_t		 sum = 0;
	ssize_t		 r;

	(void)v;
	if (ahead.n > INPUT_PEEK)
		abort();
	while ((r = input_read(in, b, sizeof b, e)) > 0)
		sum += r;
	if (sum != input_offset(in) || input_name(in) == NULL)
		abort();
	err_clear(e);
	return (0);
}

static int
problem(struct visit *v, const char *name, const char *code, const char *reason,
    struct err *e)
{
	(void)v, (void)e;
	if (name == NULL || code == NULL || reason == NULL)
		abort();
	return (0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct visit	 v;
	struct err	 e = ERR_INIT;
	struct input	*in = input_memory(p, n, "fuzz", n % 3 == 0 ? 50 : 0);

	visit_init(&v);
	v.budget.limits = (struct walk_limits){ DEPTH, MEMBERS, BYTES, 2000, BYTES };
	v.member = member;
	v.problem = problem;
	unpack(&v, in, 0, &e);
	input_close(in);
	visit_done(&v);
	return (0);
}
