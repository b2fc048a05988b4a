/*
 * time-form.c - tells a time in a form that is not read from other numbers that
 * a line may begin with: addresses, counts, prompts.
 *
 *	1796004608.123  [12345.678901]		seconds since some moment
 *	30/11/2026 02:10:08  30-Nov-26 02:10	a date in another order
 *	2026-11-30 02:10  Nov 30 02:10		no seconds
 *	02:10:08.123				no date
 */
#include "text/time-form.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* A form: 9 is a digit, a a letter, - a separator of a date; a digit followed by
 * + stands for more of them.  The longest first. */
static const struct {
	const char	*form, *lacks;
} forms[] = {
	{ "9+.999+", "it counts seconds" },
	{ "99999999999999", "its parts are not set apart" },
	{ "9999999999+", "it counts seconds or parts of them" },
	{ "9999-99-99T99:99", "it has no seconds" },
	{ "9999-99-99 99:99", "it has no seconds" },
	{ "9999-99-99-99:99", "its parts are joined otherwise" },
	{ "9+-9+-99+ 9+:99:99", "the order of its date is not known" },
	{ "9+-9+-99+ 9+:99", "the order of its date is not known, and it has no seconds" },
	{ "9+-9+-99+-9+:99", "the order of its date is not known" },
	{ "9+-aaa-99+ 9+:99", "the order of its date is not known" },
	{ "aaa 9+ 9+:99", "it has no seconds" },
	{ "9+:99:99", "it has no date" },
	{ "9+:99.999+", "it has no date" },
};

static int
fits(char form, char c)
{
	return (form == '9' ? isdigit((unsigned char)c) != 0 :
	    form == 'a' ? isalpha((unsigned char)c) != 0 :
	    form == '-' ? c == '-' || c == '/' || c == '.' : c == form);
}

/* How much of the text has the form, 0: not so.  It must end where the text goes
 * on with something else than a number. */
static size_t
match(const char *form, const char *p, const char *end)
{
	const char	*start = p;

	for (; *form != '\0'; form++) {
		if (*form == '+') {
			while (p < end && isdigit((unsigned char)*p) && p - start < 40)
				p++;
			continue;
		}
		if (p == end || !fits(*form, *p))
			return (0);
		p++;
	}
	if (end - p > 2 && *p == ':' && isdigit((unsigned char)p[1]) && isdigit((unsigned char)p[2]))
		p += 3;
	if (p < end && (*p == ',' || *p == '.') && p + 1 < end && isdigit((unsigned char)p[1]))
		for (p++; p < end && isdigit((unsigned char)*p); p++)
			continue;
	return (p == end || strchr(" \t]|,;)-", *p) != NULL ? (size_t)(p - start) : 0);
}

struct span
time_form(struct span line, const char **lacks)
{
	const char	*p = line.p, *end = line.p + line.n;
	size_t		 i, n;

	while (p < end && (*p == '[' || *p == '(' || *p == ' '))
		p++;
	for (i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		if ((n = match(forms[i].form, p, end)) == 0)
			continue;
		*lacks = forms[i].lacks;
		return (span_make(p, n));
	}
	return (span_make(NULL, 0));
}
