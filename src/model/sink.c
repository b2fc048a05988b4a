#include "model/sink.h"

#include <stdarg.h>

int
sink_problem(struct sink *s, const struct locus *where, const char *code,
    struct err *e, const char *fmt, ...)
{
	struct problem	 p;
	char		 text[512];
	va_list		 ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	p.where = *where;
	p.at = p.at_end = OBS_NO_TIME;
	p.code = code;
	p.ep = endpoint_none();
	p.bytes = OBS_NO_NUM;
	p.reason = text;
	return (s->problem(s, &p, e));
}
