#include "base/escape.h"

#include <stdint.h>

/* Length of the UTF-8 character at p and its code point, or 0 if it is none
 * (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). */
static size_t
character(const unsigned char *p, size_t n, uint32_t *code)
{
	static const uint32_t	 least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t			 len, i;
	uint32_t		 c;

	if (p[0] < 0x80) {
		*code = p[0];
		return (1);
	}
	len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	if (p[0] < 0xc2 || p[0] > 0xf4 || len > n)
		return (0);
	c = p[0] & (0xff >> (len + 1));
	for (i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return (0);
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[len] || (c >= 0xd800 && c <= 0xdfff) || c > 0x10ffff)
		return (0);
	*code = c;
	return (len);
}

int
escape_is_utf8(struct span s)
{
	const unsigned char	*p = (const unsigned char *)s.p;
	uint32_t		 code;
	size_t			 i, len;

	for (i = 0; i < s.n; i += len) {
		len = character(p + i, s.n - i, &code);
		if (len == 0 || code == 0)
			return (0);
	}
	return (1);
}

void
escape_utf8(struct buf *b, struct span s)
{
	const unsigned char	*p = (const unsigned char *)s.p;
	uint32_t		 code;
	size_t			 i, len;

	for (i = 0; i < s.n; i += len) {
		len = character(p + i, s.n - i, &code);
		if (len == 0) {
			buf_str(b, "\xef\xbf\xbd");
			len = 1;
		} else if (code != 0)
			buf_add(b, p + i, len);
	}
}

/* Would a terminal act on it, or reorder what is around it? */
static int
is_control(uint32_t c)
{
	return (c < 0x20 || (c >= 0x7f && c < 0xa0) ||
	    (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	    (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
	    (c >= 0xfff9 && c <= 0xfffb));
}

void
escape_terminal(struct buf *b, struct span s)
{
	const unsigned char	*p = (const unsigned char *)s.p;
	uint32_t		 code;
	size_t			 i, len;

	for (i = 0; i < s.n; i += len) {
		len = character(p + i, s.n - i, &code);
		if (len == 0) {
			buf_fmt(b, "\\x%02x", p[i]);
			len = 1;
		} else if (!is_control(code))
			buf_add(b, p + i, len);
		else if (code < 0x80)
			buf_fmt(b, "\\x%02x", code);
		else
			buf_fmt(b, "\\u{%x}", code);
	}
}

void
escape_html(struct buf *b, struct span s)
{
	struct buf	 clean = { 0 };
	size_t		 i;

	escape_terminal(&clean, s);
	for (i = 0; i < clean.n; i++)
		switch (clean.p[i]) {
		case '&': buf_str(b, "&amp;"); break;
		case '<': buf_str(b, "&lt;"); break;
		case '>': buf_str(b, "&gt;"); break;
		case '"': buf_str(b, "&quot;"); break;
		case '\'': buf_str(b, "&#39;"); break;
		default: buf_chr(b, clean.p[i]);
		}
	buf_free(&clean);
}

void
escape_markdown(struct buf *b, struct span s)
{
	struct buf	 clean = { 0 };
	size_t		 i;

	escape_terminal(&clean, s);
	for (i = 0; i < clean.n; i++) {
		if (clean.p[i] == '<')
			buf_str(b, "&lt;");
		else if (clean.p[i] == '&')
			buf_str(b, "&amp;");
		else {
			if (strchr("\\`*_{}[]()#+!|~>", clean.p[i]) != NULL)
				buf_chr(b, '\\');
			buf_chr(b, clean.p[i]);
		}
	}
	buf_free(&clean);
}

void
escape_csv(struct buf *b, struct span s)
{
	struct buf	 clean = { 0 };
	size_t		 i;
	int		 formula;

	escape_terminal(&clean, s);
	formula = clean.n > 0 && strchr("=+-@", clean.p[0]) != NULL;
	if (!formula && memchr(s.n > 0 ? clean.p : "", ',', clean.n) == NULL &&
	    memchr(s.n > 0 ? clean.p : "", '"', clean.n) == NULL) {
		buf_add(b, clean.p, clean.n);
		buf_free(&clean);
		return;
	}
	buf_chr(b, '"');
	if (formula)
		buf_chr(b, '\'');
	for (i = 0; i < clean.n; i++) {
		if (clean.p[i] == '"')
			buf_chr(b, '"');
		buf_chr(b, clean.p[i]);
	}
	buf_chr(b, '"');
	buf_free(&clean);
}
