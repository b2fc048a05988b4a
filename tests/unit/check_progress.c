#include <check.h>

#include "cmd/progress.h"

Suite	*suite_progress(void);

static const char *
text(int64_t done, int64_t total, int64_t us)
{
	static char	 out[200];

	progress_text(out, sizeof out, done, total, us);
	return (out);
}

START_TEST(bytes_rate_and_time_left)
{
	ck_assert_str_eq(text(412000000, 1300000000, 4847059), "read 412.0 MB of 1.3 GB (31%),"
	    " 85.0 MB/s, 10 s left");
	ck_assert_str_eq(text(1000000, 121000000, 1000000), "read 1.0 MB of 121.0 MB (0%),"
	    " 1.0 MB/s, 2:00 left");
	ck_assert_str_eq(text(1000, 10000000, 1000000), "read 1.0 kB of 10.0 MB (0%),"
	    " 1.0 kB/s, 2:46:39 left");
	ck_assert_str_eq(text(999960, 999960, 1000000), "read 1.0 MB of 1.0 MB (100%),"
	    " 1.0 MB/s, 0 s left");
}
END_TEST

START_TEST(what_is_not_known_is_not_said)
{
	ck_assert_str_eq(text(12000000, -1, 4000000), "read 12.0 MB, 3.0 MB/s");
	ck_assert_str_eq(text(12000000, 0, 4000000), "read 12.0 MB, 3.0 MB/s");
	ck_assert_str_eq(text(0, 5000, 0), "read 0.0 kB, 0.0 kB/s");
	/* an input that was looked at twice */
	ck_assert_str_eq(text(6000, 5000, 1000000), "read 5.0 kB of 5.0 kB (100%),"
	    " 6.0 kB/s, 0 s left");
}
END_TEST

Suite *
suite_progress(void)
{
	Suite	*s = suite_create("progress");
	TCase	*t = tcase_create("progress");

	tcase_add_test(t, bytes_rate_and_time_left);
	tcase_add_test(t, what_is_not_known_is_not_said);
	suite_add_tcase(s, t);
	return (s);
}
