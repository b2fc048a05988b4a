#include <check.h>

#include "base/buf.h"
#include "base/err.h"

Suite	*suite_base(void);

START_TEST(err_frames_are_outermost_first)
{
	struct err	 e = ERR_INIT;
	char		 text[200];

	ck_assert_int_eq(err_set(&e, "byte %d", 7), -1);
	err_add(&e, "gzip");
	err_add(&e, "a\nb");
	err_text(&e, text, sizeof text);
	ck_assert_str_eq(text, "a?b: gzip: byte 7");
	err_text(&e, text, 6);
	ck_assert_str_eq(text, "a?b: ");
}
END_TEST

START_TEST(err_keeps_the_reason_when_full)
{
	struct err	 e = ERR_INIT;
	char		 text[200];
	int		 i;

	err_set(&e, "reason");
	for (i = 0; i < 9; i++)
		err_add(&e, "level %d", i);
	err_text(&e, text, sizeof text);
	ck_assert_str_eq(text, "level 8: level 1: level 0: reason");
}
END_TEST

START_TEST(buf_grows_and_drops)
{
	struct buf	 b = { 0 };
	int		 i;

	for (i = 0; i < 1000; i++)
		buf_fmt(&b, "%d,", i);
	ck_assert_uint_eq(b.n, 3890);
	buf_drop(&b, 3886);
	ck_assert_str_eq(buf_cstr(&b), "999,");
	buf_drop(&b, 99);
	ck_assert_uint_eq(b.n, 0);
	buf_free(&b);
}
END_TEST

Suite *
suite_base(void)
{
	Suite	*s = suite_create("base");
	TCase	*t = tcase_create("base");

	tcase_add_test(t, err_frames_are_outermost_first);
	tcase_add_test(t, err_keeps_the_reason_when_full);
	tcase_add_test(t, buf_grows_and_drops);
	suite_add_tcase(s, t);
	return (s);
}
