#include "text/rx.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

#include "base/mem.h"

/* A match of a long text is looked for in windows of twice this: a pattern that
 * looks ahead from each of its many beginnings costs no more than so many bytes
 * each.  The limits are PCRE2's, and count anew from each beginning. */
enum { MATCH_LIMIT = 100000, DEPTH_LIMIT = 1000, REACH = RX_REACH_BYTES };

struct rx {
	pcre2_code		*code;
	pcre2_match_data	*match;
	pcre2_match_context	*context;
	const char		*subject;
	int			 count;		/* groups set by the last match */
	int			 uses;		/* 0, 1, 2: the JIT was asked */
};

struct rx *
rx_compile(const char *pattern, struct err *e)
{
	struct rx	*r;
	pcre2_code	*code;
	int		 number;
	PCRE2_SIZE	 at;
	PCRE2_UCHAR	 text[160];

	code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
	    PCRE2_MULTILINE, &number, &at, NULL);
	if (code == NULL) {
		pcre2_get_error_message(number, text, sizeof text);
		err_set(e, "%s at byte %zu of the pattern", (char *)text, (size_t)at);
		return (NULL);
	}
	r = mem_zero(1, sizeof *r);
	r->code = code;
	r->match = pcre2_match_data_create_from_pattern(code, NULL);
	r->context = pcre2_match_context_create(NULL);
	if (r->match == NULL || r->context == NULL) {
		rx_free(r);
		err_set(e, "out of memory");
		return (NULL);
	}
	pcre2_set_match_limit(r->context, MATCH_LIMIT);
	pcre2_set_depth_limit(r->context, DEPTH_LIMIT);
	return (r);
}

void
rx_free(struct rx *r)
{
	if (r == NULL)
		return;
	pcre2_match_context_free(r->context);
	pcre2_match_data_free(r->match);
	pcre2_code_free(r->code);
	free(r);
}

int
rx_group(const struct rx *r, const char *name)
{
	int	 n = pcre2_substring_number_from_name(r->code, (PCRE2_SPTR)name);

	return (n > 0 ? n : -1);
}

/* As pcre2_match(), window by window. */
static int
match_from(struct rx *r, struct span subject, size_t from)
{
	size_t	 end, begin;
	int	 n;

	for (;;) {
		end = subject.n - from > 2 * REACH ? from + 2 * REACH : subject.n;
		n = pcre2_match(r->code, (PCRE2_SPTR)subject.p, end, from, 0, r->match,
		    r->context);
		if (end == subject.n || (n < 0 && n != PCRE2_ERROR_NOMATCH))
			return (n);
		begin = n < 0 ? from + REACH : pcre2_get_startchar(r->match);
		if (begin < from + REACH)
			return (n);
		from = begin;		/* it may be longer than its window */
	}
}

int
rx_match(struct rx *r, struct span subject, size_t from)
{
	int	 n;

	r->count = 0;
	r->subject = subject.p;
	if (from > subject.n)
		return (0);
	/* At the second match: most rules never meet more than their example.
	 * Without a JIT (a platform PCRE2 has none for) matching still works. */
	if (r->uses < 2 && r->uses++ == 1)
		(void)pcre2_jit_compile(r->code, PCRE2_JIT_COMPLETE);
	n = match_from(r, subject, from);
	if (n == PCRE2_ERROR_NOMATCH)
		return (0);
	if (n < 0)
		return (-1);
	r->count = n;
	return (1);
}

struct span
rx_span(const struct rx *r, int group)
{
	const PCRE2_SIZE	*v = pcre2_get_ovector_pointer(r->match);

	if (group < 0 || group >= r->count || v[2 * group] == PCRE2_UNSET)
		return (span_make(NULL, 0));
	return (span_make(r->subject + v[2 * group],
	    (size_t)(v[2 * group + 1] - v[2 * group])));
}
