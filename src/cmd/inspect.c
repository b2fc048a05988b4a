#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "cmd/cmd.h"

struct inspection {
	struct visit	 visit;		/* first */
	const struct args *args;
	int64_t		 known;
	int		 named_bad, damaged;
};

static void
line(const char *kind, const char *name, const char *why)
{
	struct buf	 b = { 0 };

	escape_terminal(&b, span_of(name));
	buf_str(&b, "  (");
	escape_terminal(&b, span_of(why));
	printf("%-14s %s)\n", kind, buf_cstr(&b));
	buf_free(&b);
}

static int
member(struct visit *v, struct input *in, struct err *e)
{
	struct inspection	*x = (struct inspection *)v;
	struct span		 p = input_peek(in, INPUT_PEEK);
	const struct format	*f = x->args->ingest.as, *rival = NULL;
	char			 why[200] = "as told by --as";

	(void)e;
	if (f == NULL && p.n > 0)
		f = format_choose(p, input_name(in), &rival, why, sizeof why);
	if (f == NULL) {
		x->named_bad += v->named;
		line("unknown", input_name(in), p.n == 0 ? "empty" :
		    why);
		return (0);
	}
	x->known++;
	if (rival != NULL)
		snprintf(why + strlen(why), sizeof why - strlen(why),
		    "; or %s", rival->name);
	line(f->name, input_name(in), why);
	return (0);
}

static int
problem(struct visit *v, const char *name, const char *code, const char *reason,
    struct err *e)
{
	struct inspection	*x = (struct inspection *)v;

	(void)e;
	x->named_bad += v->named;
	x->damaged += strcmp(code, "link") != 0 &&
	    strcmp(code, "unsupported") != 0;
	line(code, name, reason);
	return (0);
}

static int
run(struct args *a, struct err *e)
{
	struct inspection	 x;
	int			 i, r = 0;

	memset(&x, 0, sizeof x);
	visit_init(&x.visit);
	x.visit.budget.limits = a->ingest.limits;
	x.visit.member = member;
	x.visit.problem = problem;
	x.args = a;
	for (i = 0; i < a->nrest && r == 0; i++)
		r = walk_path(&x.visit, a->rest[i], e);
	visit_done(&x.visit);
	if (r != 0)
		return (-1);
	if (x.known == 0)
		return (FAILED);
	return (x.named_bad > 0 || x.damaged > 0 ? DAMAGED : DONE);
}

const struct command cmd_inspect = {
	"inspect", "PATH...", "say what each input would be read as, and why", 1,
	-1, TAKES_INGEST, run
};
