#include <check.h>

#include "base/escape.h"

Suite	*suite_escape(void);

static struct buf	 out;

static const char *
terminal(const char *s)
{
	out.n = 0;
	escape_terminal(&out, span_of(s));
	return (buf_cstr(&out));
}

static const char *
html(const char *s)
{
	out.n = 0;
	escape_html(&out, span_of(s));
	return (buf_cstr(&out));
}

static const char *
markdown(const char *s)
{
	out.n = 0;
	escape_markdown(&out, span_of(s));
	return (buf_cstr(&out));
}

static const char *
csv(const char *s, char sep)
{
	out.n = 0;
	escape_csv(&out, span_of(s), sep);
	return (buf_cstr(&out));
}

static const char *
json(const char *s)
{
	out.n = 0;
	escape_json(&out, span_of(s));
	return (buf_cstr(&out));
}

START_TEST(terminal_shows_what_acts)
{
	ck_assert_str_eq(terminal("plain \xc3\xa4 \xf0\x9f\x98\x80"), "plain \xc3\xa4 \xf0\x9f\x98\x80");
	ck_assert_str_eq(terminal("\033[2J\a\t\n\r\177"), "\\x1b[2J\\x07\\x09\\x0a\\x0d\\x7f");
	ck_assert_str_eq(terminal("\xc2\x9b" "31m"), "\\x9b31m");	/* C1 CSI */
	/* NOLINTNEXTLINE(misc-misleading-bidirectional) */
	ck_assert_str_eq(terminal("\xe2\x80\xae" "exe"), "\\u{202e}exe");
	ck_assert_str_eq(terminal("\xef\xbb\xbf"), "\\u{feff}");
	ck_assert_str_eq(terminal("\xf3\xa0\x81\x81"), "\\u{e0041}");	/* tag letter */
}
END_TEST

START_TEST(bytes_that_are_no_utf8)
{
	ck_assert_str_eq(terminal("\xff"), "\\xff");
	ck_assert_str_eq(terminal("\xc0\xaf"), "\\xc0\\xaf");		/* overlong */
	ck_assert_str_eq(terminal("\xed\xa0\x80"), "\\xed\\xa0\\x80");	/* surrogate */
	ck_assert_str_eq(terminal("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
	ck_assert_str_eq(terminal("a\xe2\x80"), "a\\xe2\\x80");		/* cut short */
	ck_assert_str_eq(json("\"a\xff\""), "\"a\\ufffd\"");
	out.n = 0;
	escape_utf8(&out, span_make("a\0b\xff", 4));
	ck_assert_str_eq(buf_cstr(&out), "ab\xef\xbf\xbd");
	ck_assert(!escape_is_utf8(span_make("a\0", 2)));
	ck_assert(escape_is_utf8(span_of("\xc3\xa4")));
}
END_TEST

START_TEST(html_has_no_markup)
{
	ck_assert_str_eq(html("<a b='c' d=\"e\">&"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;");
	ck_assert_str_eq(html("\033"), "\\x1b");
}
END_TEST

START_TEST(markdown_is_one_plain_line)
{
	ck_assert_str_eq(markdown("a|b"), "a&#124;b");
	ck_assert_str_eq(markdown("**b** `c` [l](u) <i>"),
	    "\\*\\*b\\*\\* \\`c\\` \\[l\\](u) &lt;i&gt;");
	ck_assert_str_eq(markdown("# h"), "\\# h");
	ck_assert_str_eq(markdown("0-5460"), "0-5460");
	ck_assert_str_eq(markdown("a\nb"), "a\\x0ab");
	ck_assert_str_eq(markdown("http://x www.y @z"), "http&#58;//x www&#46;y &#64;z");
}
END_TEST

START_TEST(csv_is_no_formula)
{
	ck_assert_str_eq(csv("a", ','), "a");
	ck_assert_str_eq(csv("a,b", ','), "\"a,b\"");
	ck_assert_str_eq(csv("a,b", '\t'), "a,b");
	ck_assert_str_eq(csv("a\"b", ','), "\"a\"\"b\"");
	ck_assert_str_eq(csv("=cmd()", ','), "'=cmd()");
	ck_assert_str_eq(csv("  +1", ','), "\"'  +1\"");
	ck_assert_str_eq(csv("\xef\xbc\x9d" "1", ','), "'\xef\xbc\x9d" "1");
	ck_assert_str_eq(csv("a\tb\nc", '\t'), "\"a\\x09b\\x0ac\"");
	ck_assert_str_eq(csv("", ','), "");
}
END_TEST

START_TEST(json_keeps_its_meaning)
{
	/* NOLINTNEXTLINE(misc-misleading-bidirectional) */
	ck_assert_str_eq(json("{\"a\":\"\\u001b\xe2\x80\xae\"}"), "{\"a\":\"\\u001b\\u202e\"}");
	ck_assert_str_eq(json("\"\xf3\xa0\x81\x81\""), "\"\\udb40\\udc41\"");
	ck_assert_str_eq(json("\"\xc2\x9b\""), "\"\\u009b\"");
}
END_TEST

START_TEST(columns_on_a_terminal)
{
	ck_assert_int_eq(utf8_columns('a'), 1);
	ck_assert_int_eq(utf8_columns(0x301), 0);
	ck_assert_int_eq(utf8_columns(0x4e2d), 2);
	ck_assert_int_eq(utf8_columns(0x1f600), 2);
}
END_TEST

static void
forget(void)
{
	buf_free(&out);
}

Suite *
suite_escape(void)
{
	Suite	*s = suite_create("escape");
	TCase	*t = tcase_create("escape");

	tcase_add_checked_fixture(t, NULL, forget);
	tcase_add_test(t, terminal_shows_what_acts);
	tcase_add_test(t, bytes_that_are_no_utf8);
	tcase_add_test(t, html_has_no_markup);
	tcase_add_test(t, markdown_is_one_plain_line);
	tcase_add_test(t, csv_is_no_formula);
	tcase_add_test(t, json_keeps_its_meaning);
	tcase_add_test(t, columns_on_a_terminal);
	suite_add_tcase(s, t);
	return (s);
}
