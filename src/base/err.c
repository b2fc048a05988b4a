#include "base/err.h"

#include <stdarg.h>
#include <string.h>

#include "base/escape.h"

static void
put_frame(struct err *e, const char *fmt, va_list ap)
{
	char	*p;

	if (e->nframes == ERR_FRAMES)
		e->nframes--;
	vsnprintf(e->frame[e->nframes], ERR_FRAME_BYTES, fmt, ap);
	for (p = e->frame[e->nframes]; *p != '\0'; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
	e->nframes++;
}

int
err_set(struct err *e, const char *fmt, ...)
{
	va_list	 ap;

	if (e == NULL)
		return (-1);
	e->nframes = e->usage = 0;
	va_start(ap, fmt);
	put_frame(e, fmt, ap);
	va_end(ap);
	return (-1);
}

int
err_usage(struct err *e, const char *fmt, ...)
{
	va_list	 ap;

	if (e == NULL)
		return (-1);
	e->nframes = 0;
	e->usage = 1;
	va_start(ap, fmt);
	put_frame(e, fmt, ap);
	va_end(ap);
	return (-1);
}

int
err_add(struct err *e, const char *fmt, ...)
{
	va_list	 ap;

	if (e == NULL)
		return (-1);
	va_start(ap, fmt);
	put_frame(e, fmt, ap);
	va_end(ap);
	return (-1);
}

void
err_clear(struct err *e)
{
	e->nframes = e->usage = 0;
}

void
err_text(const struct err *e, char *buf, size_t n)
{
	size_t	 used = 0;
	int	 i, r;

	if (n == 0)
		return;
	buf[0] = '\0';
	for (i = e->nframes - 1; i >= 0 && used < n - 1; i--) {
		r = snprintf(buf + used, n - used, "%s%s", e->frame[i],
		    i > 0 ? ": " : "");
		if (r < 0)
			return;
		used += (size_t)r;
	}
}

void
err_print(const struct err *e, FILE *out, const char *prog)
{
	char		 text[ERR_FRAMES * (ERR_FRAME_BYTES + 2)];
	struct buf	 safe = { 0 };	/* a frame may name what somebody else named */

	err_text(e, text, sizeof text);
	escape_terminal(&safe, span_of(text));
	fprintf(out, "%s: %s\n", prog, buf_cstr(&safe));
	buf_free(&safe);
}
