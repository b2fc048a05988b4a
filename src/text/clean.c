#include "text/clean.h"

#include "base/input.h"

/* The length of an escape sequence at the beginning of s (ECMA-48: CSI, OSC,
 * or two bytes). */
static size_t
escape_length(struct span s)
{
	size_t	 i = 2;

	if (s.n < 2)
		return (s.n);
	if (s.p[1] == '[') {
		while (i < s.n && (unsigned char)s.p[i] < 0x40)
			i++;
		return (i < s.n ? i + 1 : i);
	}
	if (s.p[1] == ']') {
		while (i < s.n && s.p[i] != '\a' && s.p[i] != '\033')
			i++;
		return (i < s.n ? i + 1 : i);
	}
	return (2);
}

struct span
clean_line(struct span s, struct buf *b)
{
	size_t	 i, from, start = b->n;

	if (s.n > 0 && s.p[s.n - 1] == '\r')
		s.n--;
	if (s.n >= 3 && memcmp(s.p, "\357\273\277", 3) == 0)
		s.p += 3, s.n -= 3;
	if (s.n == 0 || (memchr(s.p, '\033', s.n) == NULL && memchr(s.p, '\0', s.n) == NULL))
		return (s);
	buf_need(b, s.n);
	for (i = from = 0; i < s.n;) {
		if (s.p[i] != '\033' && s.p[i] != '\0') {
			i++;
			continue;
		}
		buf_add(b, s.p + from, i - from);
		i += s.p[i] == '\0' ? 1 : escape_length(span_make(s.p + i, s.n - i));
		from = i;
	}
	buf_add(b, s.p + from, s.n - from);
	return (span_make(b->p + start, b->n - start));
}

struct span
clean_octal(struct span s, struct buf *b)
{
	size_t	 i, from, start = b->n;
	int	 c;

	if (s.n < 4 || memmem(s.p, s.n, "#01", 3) == NULL)
		return (s);
	buf_need(b, s.n);
	for (i = from = 0; i + 3 < s.n; i++) {
		if (memcmp(s.p + i, "#01", 3) != 0)
			continue;
		c = s.p[i + 3] == '2' ? '\n' : s.p[i + 3] == '1' ? '\t' : 0;
		if (c == 0)
			continue;
		buf_add(b, s.p + from, i - from);
		buf_chr(b, c);
		from = i + 4;
		i += 3;
	}
	buf_add(b, s.p + from, s.n - from);
	return (span_make(b->p + start, b->n - start));
}

enum clean_utf
clean_encoding(struct span s)
{
	size_t	 i, even = 0, odd = 0, n = s.n < 512 ? s.n & ~(size_t)1 : 512;

	if (s.n >= 2 && memcmp(s.p, "\377\376", 2) == 0)
		return (CLEAN_UTF16LE);
	if (s.n >= 2 && memcmp(s.p, "\376\377", 2) == 0)
		return (CLEAN_UTF16BE);
	for (i = 0; i < n; i += 2) {
		even += s.p[i] == '\0';
		odd += s.p[i + 1] == '\0';
	}
	if (n >= 16 && odd > n / 2 - n / 8 && even == 0)
		return (CLEAN_UTF16LE);
	if (n >= 16 && even > n / 2 - n / 8 && odd == 0)
		return (CLEAN_UTF16BE);
	return (CLEAN_UTF8);
}

static void
put_utf8(struct buf *b, uint32_t c)
{
	if (c < 0x80) {
		buf_chr(b, (int)c);
	} else if (c < 0x800) {
		buf_chr(b, (int)(0xc0 | c >> 6));
		buf_chr(b, (int)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		buf_chr(b, (int)(0xe0 | c >> 12));
		buf_chr(b, (int)(0x80 | (c >> 6 & 0x3f)));
		buf_chr(b, (int)(0x80 | (c & 0x3f)));
	} else {
		buf_chr(b, (int)(0xf0 | c >> 18));
		buf_chr(b, (int)(0x80 | (c >> 12 & 0x3f)));
		buf_chr(b, (int)(0x80 | (c >> 6 & 0x3f)));
		buf_chr(b, (int)(0x80 | (c & 0x3f)));
	}
}

static uint32_t
unit(enum clean_utf enc, const char *p)
{
	uint32_t	 a = (unsigned char)p[0], b = (unsigned char)p[1];

	return (enc == CLEAN_UTF16LE ? a | b << 8 : a << 8 | b);
}

size_t
clean_utf16(enum clean_utf enc, struct span s, struct buf *b, int64_t *bad)
{
	uint32_t	 c, low;
	size_t		 i;

	buf_need(b, s.n * 2);
	for (i = 0; i + 1 < s.n; i += 2) {
		c = unit(enc, s.p + i);
		if (c == 0xfeff)
			continue;
		if (c >= 0xd800 && c < 0xdc00) {
			if (i + 3 >= s.n)
				break;
			low = unit(enc, s.p + i + 2);
			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				i += 2;
			} else {
				c = 0xfffd;
			}
		} else if (c >= 0xdc00 && c < 0xe000) {
			c = 0xfffd;
		}
		*bad += c == 0xfffd;
		put_utf8(b, c);
	}
	return (i);
}

static int
has_mark(struct span s)
{
	return (s.n >= 3 && memcmp(s.p, "\357\273\277", 3) == 0);
}

struct span
clean_prefix(struct span s, struct buf *b)
{
	enum clean_utf	 enc = clean_encoding(s);
	size_t		 start = b->n;
	int64_t		 bad = 0;

	if (enc == CLEAN_UTF8)
		return (has_mark(s) ? span_make(s.p + 3, s.n - 3) : s);
	clean_utf16(enc, s, b, &bad);
	return (b->n > start ? span_make(b->p + start, b->n - start) : span_make("", 0));
}

ssize_t
recode_read(struct recode *r, struct input *in, struct buf *to, size_t n,
    struct err *e)
{
	struct span	 head;
	ssize_t		 got;

	if (!r->started) {
		head = input_peek(in, 1024);
		r->encoding = clean_encoding(head);
		r->started = 1;
		if (r->encoding == CLEAN_UTF8 && has_mark(head)) {
			buf_need(&r->raw, 3);
			(void)input_read(in, r->raw.p, 3, e);
		}
	}
	if (r->encoding == CLEAN_UTF8) {
		buf_need(to, n);
		got = input_read(in, to->p + to->n, n, e);
		to->n += got > 0 ? (size_t)got : 0;
		return (got);
	}
	buf_need(&r->raw, n);
	got = input_read(in, r->raw.p + r->raw.n, n, e);
	if (got > 0) {
		r->raw.n += (size_t)got;
		buf_drop(&r->raw, clean_utf16(r->encoding, span_make(r->raw.p,
		    r->raw.n), to, &r->bad));
	} else if (got == 0 && r->raw.n > 0) {
		r->raw.n = 0;
		r->bad++;
		put_utf8(to, 0xfffd);
		got = 1;
	}
	return (got);
}

void
recode_free(struct recode *r)
{
	buf_free(&r->raw);
}
