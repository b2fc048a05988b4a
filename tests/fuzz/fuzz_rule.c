/* A user's rule: a kind, a pattern, an example and what it yields, a line each;
 * the lines after them are texts to match. */
#include <stdlib.h>

#include "base/mem.h"
#include "fuzz.h"
#include "text/rule.h"

enum { FIELDS = 4, MATCHES = 8 };

static void
match(const struct rules *rules, struct span text)
{
	struct rule_match	 m[MATCHES];
	const char		*limited;
	size_t			 i, n = rules_match(rules, text, m, MATCHES, &limited);

	if (n > MATCHES || rules_filter(rules, text.p, text.n) > text.n)
		abort();
	for (i = 0; i < n; i++)
		if (m[i].all.p < text.p || m[i].all.p + m[i].all.n > text.p + text.n)
			abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct rules	*rules = rules_new();
	char		*text = mem_strn((const char *)p, n), *at = text, *field[FIELDS], *nl;
	struct rule_row	 row = { .name = "fuzz", .client = "any", .versions = "",
			    .budget = OBS_NO_NUM, .backoff_ms = OBS_NO_NUM };
	struct err	 e = ERR_INIT;
	int		 i;

	for (i = 0; i < FIELDS; i++) {
		field[i] = at;
		if ((nl = strchr(at, '\n')) != NULL)
			*nl = '\0';
		at = nl != NULL ? nl + 1 : at + strlen(at);
	}
	row.kind = field[0];
	row.pattern = field[1];
	row.example = field[2];
	row.example_expect = field[3];
	if (rules_add(rules, &row, &e) == 0) {
		match(rules, span_of(field[2]));
		match(rules, span_make(at, n - (size_t)(at - text)));
	}
	rules_free(rules);
	free(text);
	return (0);
}
