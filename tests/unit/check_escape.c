/* check_escape.c - hostile text, made harmless for each place. */
#include <check.h>

#include "base/escape.h"

Suite	*suite_escape(void);

static void
csv(struct buf *b, struct span s)
{
	escape_csv(b, s, ',');
}

static const struct {
	void		(*escape)(struct buf *, struct span);
	const char	*in, *out;
} cases[] = {
	{ escape_terminal, "plain \xc3\xa4", "plain \xc3\xa4" },
	{ escape_terminal, "\x1b[31m\r\n\t", "\\x1b[31m\\x0d\\x0a\\x09" },
	{ escape_terminal, "\xc2\x9b" "A", "\\x9bA" },		/* C1 CSI */
	{ escape_terminal, "\xe2\x80\xae" "x", "\\u{202e}x" },	/* bidi */
	{ escape_terminal, "\xff\xc0\xaf", "\\xff\\xc0\\xaf" },
	{ escape_terminal, "\xed\xa0\x80", "\\xed\\xa0\\x80" },	/* surrogate */
	{ escape_utf8, "a\xffz", "a\xef\xbf\xbdz" },
	{ escape_html, "<b a=\"'\">&", "&lt;b a=&quot;&#39;&quot;&gt;&amp;" },
	{ escape_markdown, "[x](y) <i>|`", "\\[x\\](y) &lt;i&gt;&#124;\\`" },
	{ csv, "plain", "plain" },
	{ csv, "", "" },
	{ csv, "a,\"b\"", "\"a,\"\"b\"\"\"" },
	{ csv, "=1+1", "'=1+1" },
	{ csv, "-2\n", "'-2\\x0a" },
};

START_TEST(escapes)
{
	struct buf	 b = { 0 };

	cases[_i].escape(&b, span_of(cases[_i].in));
	ck_assert_str_eq(buf_cstr(&b), cases[_i].out);
	buf_free(&b);
}
END_TEST

START_TEST(nul_is_no_text)
{
	ck_assert_int_eq(escape_is_utf8(span_make("a\0b", 3)), 0);
	ck_assert_int_eq(escape_is_utf8(span_make("a\xe2\x82", 3)), 0);
	ck_assert_int_eq(escape_is_utf8(span_of("\xf0\x9f\x98\x80")), 1);
}
END_TEST

Suite *
suite_escape(void)
{
	Suite	*s = suite_create("escape");
	TCase	*t = tcase_create("escape");

	tcase_add_loop_test(t, escapes, 0, sizeof cases / sizeof *cases);
	tcase_add_test(t, nul_is_no_text);
	suite_add_tcase(s, t);
	return (s);
}
