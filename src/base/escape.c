/*
 * escape.c - one walk over UTF-8, and what each place of output needs.
 */
#include "base/escape.h"

/* Ranges of code points, sorted. */
struct range {
	int32_t	 from, to;
};

/* Invisible, or changing the direction of what follows: a line that holds one
 * may look like another line. */
static const struct range deceptive[] = {
	{ 0x00ad, 0x00ad }, { 0x034f, 0x034f }, { 0x061c, 0x061c },
	{ 0x115f, 0x1160 }, { 0x17b4, 0x17b5 }, { 0x180b, 0x180f },
	{ 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f },
	{ 0x3164, 0x3164 }, { 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff },
	{ 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb }, { 0x1d173, 0x1d17a },
	{ 0xe0000, 0xe0fff },
};

/* Combining marks, in the scripts that logs are written in. */
static const struct range combining[] = {
	{ 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd },
	{ 0x064b, 0x065f }, { 0x093c, 0x093c }, { 0x0941, 0x0948 },
	{ 0x0e31, 0x0e31 }, { 0x0e34, 0x0e3a }, { 0x1ab0, 0x1aff },
	{ 0x1dc0, 0x1dff }, { 0x20d0, 0x20ff }, { 0xfe20, 0xfe2f },
};

/* East Asian wide, and pictographs. */
static const struct range wide[] = {
	{ 0x1100, 0x115e }, { 0x2e80, 0x303e }, { 0x3041, 0xa4cf },
	{ 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f },
	{ 0xff01, 0xff60 }, { 0xffe0, 0xffe6 }, { 0x1f300, 0x1faff },
	{ 0x20000, 0x3fffd },
};

#define IN(table, c)	in_ranges((table), sizeof(table) / sizeof((table)[0]), (c))

static int
in_ranges(const struct range *r, size_t n, int32_t c)
{
	size_t	 i;

	for (i = 0; i < n && r[i].from <= c; i++) {
		if (c <= r[i].to)
			return (1);
	}
	return (0);
}

int32_t
utf8_next(const char *p, size_t n, size_t *len)
{
	const unsigned char	*s = (const unsigned char *)p;
	static const int32_t	 least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	int32_t			 c;
	size_t			 i, want;

	*len = 1;
	if (s[0] < 0x80)
		return (s[0]);
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		want = 2;
	else if ((s[0] & 0xf0) == 0xe0)
		want = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		want = 4;
	else
		return (-1);
	if (n < want)
		return (-1);
	c = s[0] & (0x7f >> want);
	for (i = 1; i < want; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return (-1);
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[want] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return (-1);
	*len = want;
	return (c);
}

int
utf8_columns(int32_t c)
{
	if (c < 0x300)
		return (1);
	if (IN(combining, c))
		return (0);
	return (IN(wide, c) ? 2 : 1);
}

int
escape_is_utf8(struct span s)
{
	size_t	 i, len;

	for (i = 0; i < s.n; i += len) {
		if (utf8_next(s.p + i, s.n - i, &len) <= 0)
			return (0);
	}
	return (1);
}

void
escape_utf8(struct buf *b, struct span s)
{
	size_t	 i, len;
	int32_t	 c;

	for (i = 0; i < s.n; i += len) {
		c = utf8_next(s.p + i, s.n - i, &len);
		if (c < 0)
			buf_str(b, "\xef\xbf\xbd");
		else if (c != 0)
			buf_add(b, s.p + i, len);
	}
}

/* Append the character in its visible spelling if it may not be shown as it
 * is: 1 done, 0 harmless. */
static int
visible(struct buf *b, int32_t c, unsigned char byte)
{
	if (c < 0)
		buf_fmt(b, "\\x%02x", byte);
	else if (c < 0x20 || (c >= 0x7f && c < 0xa0))
		buf_fmt(b, "\\x%02x", (unsigned)c);
	else if (c >= 0xad && IN(deceptive, c))
		buf_fmt(b, "\\u{%04x}", (unsigned)c);
	else
		return (0);
	return (1);
}

void
escape_terminal(struct buf *b, struct span s)
{
	const char	*p = s.p;
	size_t	 n = s.n, i, len;
	int32_t	 c;

	for (i = 0; i < n; i += len) {
		c = utf8_next(p + i, n - i, &len);
		if (!visible(b, c, (unsigned char)p[i]))
			buf_add(b, p + i, len);
	}
}

void
escape_html(struct buf *b, struct span s)
{
	const char	*p = s.p;
	size_t	 n = s.n, i, len;
	int32_t	 c;

	for (i = 0; i < n; i += len) {
		c = utf8_next(p + i, n - i, &len);
		if (c == '&')
			buf_str(b, "&amp;");
		else if (c == '<')
			buf_str(b, "&lt;");
		else if (c == '>')
			buf_str(b, "&gt;");
		else if (c == '"')
			buf_str(b, "&quot;");
		else if (c == '\'')
			buf_str(b, "&#39;");
		else if (!visible(b, c, (unsigned char)p[i]))
			buf_add(b, p + i, len);
	}
}

/*
 * CommonMark lets a backslash stand before any ASCII punctuation.  '<' and '&'
 * become entities, since not every renderer honours the backslash there, and
 * so does '|', which a backslash alone does not save in every table.
 * "://", "www." and '@' are broken up against links that renderers make from
 * bare text.
 */
void
escape_markdown(struct buf *b, struct span s)
{
	const char	*p = s.p;
	size_t	 n = s.n, i, len;
	int32_t	 c;

	for (i = 0; i < n; i += len) {
		c = utf8_next(p + i, n - i, &len);
		if (c == '<')
			buf_str(b, "&lt;");
		else if (c == '>')
			buf_str(b, "&gt;");
		else if (c == '&')
			buf_str(b, "&amp;");
		else if (c == '|')
			buf_str(b, "&#124;");
		else if (c == '@')
			buf_str(b, "&#64;");
		else if (c == ':' && n - i >= 3 && memcmp(p + i, "://", 3) == 0)
			buf_str(b, "&#58;");
		else if (c == '.' && i >= 3 && memcmp(p + i - 3, "www", 3) == 0)
			buf_str(b, "&#46;");
		else if (c > 0 && c < 0x80 && (strchr("\\`*_{}[]~$^", c) != NULL ||
		    (i == 0 && strchr("#+-=", c) != NULL))) {
			buf_chr(b, '\\');
			buf_chr(b, c);
		} else if (!visible(b, c, (unsigned char)p[i]))
			buf_add(b, p + i, len);
	}
}

/* What spreadsheets take for the beginning of a formula, the full-width forms
 * too; leading blanks do not hinder them all. */
static int
is_formula(const char *p, size_t n)
{
	static const int32_t	 start[] = { '=', '+', '-', '@', '|', '%', 0xff1d,
				     0xff0b, 0xff0d, 0xff20 };
	size_t			 i = 0, len;
	int32_t			 c;

	while (i < n && p[i] == ' ')
		i++;
	if (i == n)
		return (0);
	c = utf8_next(p + i, n - i, &len);
	for (i = 0; i < sizeof(start) / sizeof(start[0]); i++) {
		if (start[i] == c)
			return (1);
	}
	return (0);
}

void
escape_csv(struct buf *b, struct span s, char sep)
{
	const char	*p = s.p;
	size_t	 n = s.n, i, len;
	int32_t	 c;
	int	 quote = 0;

	for (i = 0; i < n && !quote; i++)
		quote = p[i] == '"' || p[i] == sep || p[i] == ' ' || p[i] == ';';
	if (quote)
		buf_chr(b, '"');
	if (is_formula(p, n))
		buf_chr(b, '\'');
	for (i = 0; i < n; i += len) {
		c = utf8_next(p + i, n - i, &len);
		if (c == '"')
			buf_str(b, "\"\"");
		else if (!visible(b, c, (unsigned char)p[i]))
			buf_add(b, p + i, len);
	}
	if (quote)
		buf_chr(b, '"');
}

void
escape_json(struct buf *b, struct span s)
{
	const char	*p = s.p;
	size_t	 n = s.n, i, len;
	int32_t	 c;

	for (i = 0; i < n; i += len) {
		c = utf8_next(p + i, n - i, &len);
		if (c < 0)
			buf_str(b, "\\ufffd");
		else if (c >= 0x10000 && IN(deceptive, c))
			buf_fmt(b, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (c >> 10)),
			    (unsigned)(0xdc00 | (c & 0x3ff)));
		else if ((c >= 0x7f && c < 0xa0) || (c >= 0xad && IN(deceptive, c)))
			buf_fmt(b, "\\u%04x", (unsigned)c);
		else
			buf_add(b, p + i, len);
	}
}
