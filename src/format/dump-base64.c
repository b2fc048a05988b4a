#include "format/dump.h"

static int
base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (c - 'A');
	if (c >= 'a' && c <= 'z')
		return (c - 'a' + 26);
	if (c >= '0' && c <= '9')
		return (c - '0' + 52);
	return (c == '+' ? 62 : c == '/' ? 63 : -1);
}

void
dump_base64_end(struct dump *d)
{
	struct buf	 in = d->base64, out = { 0 };
	unsigned	 acc = 0;
	size_t		 i;
	int		 bits = 0, v;

	if (in.n == 0)
		return;
	memset(&d->base64, 0, sizeof d->base64);
	for (i = 0; i < in.n && (v = base64_value(in.p[i])) >= 0; i++) {
		acc = acc << 6 | (unsigned)v;
		if ((bits += 6) >= 8) {
			bits -= 8;
			buf_chr(&out, (int)(acc >> bits & 255));
		}
	}
	if (out.n > 0 && memchr(out.p, '\n', out.n) != NULL) {
		dump_nodes_end(d);
		dump_feed(d, span_make(out.p, out.n));
	}
	buf_free(&out);
	buf_free(&in);
}

int
dump_base64_line(struct dump *d, struct span s)
{
	size_t	 i;

	if (s.n < 60 && d->base64.n == 0)
		return (0);
	for (i = 0; i < s.n; i++)
		if (base64_value(s.p[i]) < 0 && s.p[i] != '=')
			return (0);
	if (d->depth >= DUMP_DEEP) {
		dump_too_deep(d);
		return (0);
	}
	if (d->base64.n + s.n > DUMP_LINE_BYTES) {
		dump_problem(d, d->line, "limit", "base64 of more than 4 MiB is read in parts");
		return (0);
	}
	buf_add(&d->base64, s.p, s.n);
	return (s.n > 0);
}

/* Base64 whose text begins like a node line: 40 hex digits and a blank. */
int
dump_base64_nodes(struct span s)
{
	unsigned	 acc = 0;
	size_t		 i, n = 0;
	int		 bits = 0, v, c;

	for (i = 0; i < s.n && n < 41 && (v = base64_value(s.p[i])) >= 0; i++) {
		acc = acc << 6 | (unsigned)v;
		if ((bits += 6) < 8)
			continue;
		bits -= 8;
		c = (int)(acc >> bits & 255);
		if (n == 40 ? c != ' ' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
			return (0);
		n++;
	}
	return (n == 41);
}
