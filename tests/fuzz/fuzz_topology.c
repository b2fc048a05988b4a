/* The parser of topologies: as text, and as scalars cut at NUL bytes. */
#include "fuzz.h"
#include "model/topology.h"

enum { TOKENS = 4096 };

static void
bad(void *arg, size_t at, const char *reason)
{
	(void)arg, (void)at, (void)reason;
}

static void
emit(struct topology *t)
{
	struct obs	 o;
	struct err	 e = ERR_INIT;

	obs_init(&o, OBS_VIEW);
	o.u.view.nodes = t->nodes;
	o.u.view.nnodes = t->nnodes;
	o.u.view.slots = t->slots;
	o.u.view.nslots = t->nslots;
	fuzz_sink()->obs(fuzz_sink(), &o, &e);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static struct span	 tokens[TOKENS];
	struct topology		 t = { .bad = bad };
	struct span		 text = span_make((const char *)p, n);
	size_t			 i, from = 0, k = 0;

	topology_reset(&t);
	topology_nodes_text(&t, text);
	emit(&t);
	for (i = 0; i < n && k < TOKENS; i++) {
		if (p[i] != 0 && p[i] != '\n')
			continue;
		tokens[k++] = p[i] == 0 && i == from ? span_make(NULL, 0) :
		    span_make(text.p + from, i - from);
		from = i + 1;
	}
	topology_reset(&t);
	topology_tokens(&t, TOPOLOGY_SLOTS, tokens, k);
	emit(&t);
	topology_reset(&t);
	topology_tokens(&t, TOPOLOGY_SHARDS, tokens, k);
	emit(&t);
	topology_free(&t);
	return (0);
}
