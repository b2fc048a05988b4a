/*
 * page.c - wrapping, indentation, colour.
 */
#include "report/page.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/mem.h"

static const char *const tones[] = {
	[TONE_NONE] = "", [TONE_TITLE] = "\033[1m", [TONE_GENUINE] = "\033[31m",
	[TONE_SPURIOUS] = "\033[33m", [TONE_CORRUPTION] = "\033[35m",
	[TONE_UNDETERMINED] = "\033[36m", [TONE_QUIET] = "\033[2m"
};

void
page_init(struct page *p, FILE *f, const struct report_opts *o)
{
	memset(p, 0, sizeof(*p));
	p->f = f;
	p->width = o->width > 0 ? o->width : REPORT_WIDTH;
	if (p->width < 40)
		p->width = 40;
	p->colour = o->colour;
	p->first = 1;
}

void
page_free(struct page *p)
{
	buf_free(&p->raw);
	buf_free(&p->safe);
}

enum tone
page_verdict(const char *verdict)
{
	static const struct {
		const char	*word;
		enum tone	 tone;
	} table[] = {
		{ "genuine", TONE_GENUINE }, { "spurious", TONE_SPURIOUS },
		{ "corruption", TONE_CORRUPTION }, { "undetermined", TONE_UNDETERMINED }
	};
	size_t	 i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (strcmp(table[i].word, verdict) == 0)
			return (table[i].tone);
	}
	return (TONE_NONE);
}

int
page_columns(const char *p, size_t n)
{
	size_t	 i, len;
	int	 columns = 0;

	for (i = 0; i < n; i += len)
		columns += utf8_columns(utf8_next(p + i, n - i, &len));
	return (columns);
}

void
page_line(struct page *p)
{
	fputc('\n', p->f);
}

static void
put_tone(struct page *p, enum tone tone, const char *text)
{
	int	 colour = p->colour && tone != TONE_NONE;

	fprintf(p->f, "%s%s%s", colour ? tones[tone] : "", text, colour ? "\033[0m" : "");
}

void
page_title(struct page *p, const char *title)
{
	page_line(p);
	put_tone(p, TONE_TITLE, title);
	page_line(p);
}

/* Words of p->safe, the cursor standing in column at. */
static void
flow(struct page *p, int at, int hang)
{
	const char	*s = p->safe.p, *end = s + p->safe.n, *word;
	int		 columns, first = 1;

	while (s < end) {
		while (s < end && *s == ' ')
			s++;
		for (word = s; s < end && *s != ' '; s++)
			continue;
		if (s == word)
			break;
		columns = page_columns(word, (size_t)(s - word));
		if (!first && at + 1 + columns > p->width) {
			fprintf(p->f, "\n%*s", hang, "");
			at = hang;
		} else if (!first) {
			fputc(' ', p->f);
			at++;
		}
		fwrite(word, 1, (size_t)(s - word), p->f);
		at += columns;
		first = 0;
	}
	fputc('\n', p->f);
}

static void
format(struct page *p, const char *fmt, va_list ap)
{
	va_list	 again;
	int	 n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	p->raw.n = p->safe.n = 0;
	if (n <= 0)
		return;
	buf_need(&p->raw, (size_t)n + 1);
	vsnprintf(p->raw.p, (size_t)n + 1, fmt, ap);
	escape_terminal(&p->safe, span_make(p->raw.p, (size_t)n));
}

void
page_para(struct page *p, int indent, int hang, const char *fmt, ...)
{
	va_list	 ap;

	va_start(ap, fmt);
	format(p, fmt, ap);
	va_end(ap);
	fprintf(p->f, "%*s", indent, "");
	flow(p, indent, hang);
}

void
page_flow(struct page *p, int at, int hang, const char *fmt, ...)
{
	va_list	 ap;

	va_start(ap, fmt);
	format(p, fmt, ap);
	va_end(ap);
	flow(p, at, hang);
}

void
page_item(struct page *p, int indent, int hang, enum tone tone, const char *label,
    const char *fmt, ...)
{
	struct buf	 safe = { 0 };
	va_list		 ap;
	int		 at;

	escape_terminal(&safe, span_of(label));
	at = indent + page_columns(safe.p, safe.n);
	fprintf(p->f, "%*s", indent, "");
	put_tone(p, tone, buf_cstr(&safe));
	buf_free(&safe);
	va_start(ap, fmt);
	format(p, fmt, ap);
	va_end(ap);
	if (p->safe.n == 0) {
		fputc('\n', p->f);
		return;
	}
	do
		fputc(' ', p->f);
	while (++at < hang);
	flow(p, at, hang);
}
