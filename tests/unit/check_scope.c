#include <check.h>
#include <stdint.h>

#include "report/output.h"
#include "report/scope.h"

Suite	*suite_scope(void);

enum { FIRST = 1000000, LAST = 9000000 };	/* us */

static int64_t
at(const char *text)
{
	int64_t	 t = -1;

	ck_assert_msg(scope_time(text, FIRST, LAST, &t) == 0, "%s", text);
	return (t);
}

START_TEST(times_of_every_form)
{
	ck_assert_int_eq(at("2026-11-30T01:02:03.456789Z"), INT64_C(1796000523456789));
	ck_assert_int_eq(at("2026-11-30 01:02:03"), INT64_C(1796000523000000));
	ck_assert_int_eq(at("2026-11-30T06:32:03+05:30"), INT64_C(1796000523000000));
	ck_assert_int_eq(at("2026-11-29T20:02:03-05:00"), INT64_C(1796000523000000));
	ck_assert_int_eq(at("2024-02-29"), INT64_C(1709164800000000));
	ck_assert_int_eq(at("1796000523"), INT64_C(1796000523000000));
	ck_assert_int_eq(at("1796000523.25"), INT64_C(1796000523250000));
	ck_assert_int_eq(at("1796000523456"), INT64_C(1796000523456000));
	ck_assert_int_eq(at("1796000523456789"), INT64_C(1796000523456789));
}
END_TEST

START_TEST(times_relative_to_the_evidence)
{
	ck_assert_int_eq(at("start"), FIRST);
	ck_assert_int_eq(at("end"), LAST);
	ck_assert_int_eq(at("start+10m"), FIRST + INT64_C(600000000));
	ck_assert_int_eq(at("end-2h"), LAST - INT64_C(7200000000));
	ck_assert_int_eq(at("start+250ms"), FIRST + 250000);
	ck_assert_int_eq(at("end-1.5s"), LAST - 1500000);
	ck_assert_int_eq(at("start+3"), FIRST + 3000000);
}
END_TEST

/* A time without a date is of the only day on which the evidence has it. */
START_TEST(times_of_day)
{
	static const int64_t	 noon = INT64_C(1796040000000000), hour = INT64_C(3600000000);
	int64_t			 t;

	ck_assert_int_eq(scope_time("11:00:00.25", noon, noon + hour, &t), 0);
	ck_assert_int_eq(t, noon - hour + 250000);
	ck_assert_int_eq(scope_time("13:00:00Z", noon, noon + 20 * hour, &t), 0);
	ck_assert_int_eq(t, noon + hour);
	ck_assert_int_eq(scope_time("01:00:00", noon, noon + 20 * hour, &t), 0);
	ck_assert_int_eq(t, noon + 13 * hour);
	ck_assert_int_eq(scope_time("13:00:00", noon, noon + 30 * hour, &t), -1);
	ck_assert_int_eq(scope_time("11:00:00", noon, noon + 20 * hour, &t), -1);
	ck_assert_int_eq(scope_time("24:00:00", noon, noon + hour, &t), -1);
}
END_TEST

START_TEST(what_is_no_time)
{
	static const char *const	 bad[] = { "", "yesterday", "start+", "start+10x",
					     "start10m", "end-h", "2026-13-01", "2026-11-30T25:00:00Z",
					     "2026-11-30T01:02:03+5", "2026-11-30T", "2026-04-31", "2026-02-29T01:02:03Z", "12a", "-5",
					     "start+1e300d" };
	int64_t				 t;
	size_t				 i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_msg(scope_time(bad[i], FIRST, LAST, &t) == -1, "%s", bad[i]);
	ck_assert_int_eq(scope_time("start", LAST, FIRST, &t), -1);	/* no evidence */
}
END_TEST

START_TEST(names_depend_on_all_that_makes_an_error)
{
	char	 a[ERROR_NAME_BYTES], b[ERROR_NAME_BYTES];

	error_name(a, "app-1", 5, "42", "cycle", 0);
	ck_assert_str_eq(a, "E-85ee81");	/* a name that was printed once stays */
	error_name(b, "app-2", 5, "42", "cycle", 0);
	ck_assert_str_ne(a, b);
	error_name(b, "app-1", 6, "42", "cycle", 0);
	ck_assert_str_ne(a, b);
	error_name(b, "app-1", 5, "", "42cycle", 0);
	ck_assert_str_ne(a, b);
	error_name(b, "app-1", 5, "42", "cycle", 1);
	ck_assert_str_ne(a, b);
}
END_TEST

START_TEST(formats_are_found_by_name)
{
	ck_assert_ptr_eq(output_find("text"), outputs[0]);
	ck_assert_ptr_null(output_find("pdf"));
	ck_assert_ptr_nonnull(report_view_find("slot_owner"));
	ck_assert_ptr_null(report_view_find("slot_owner; DROP TABLE x"));
}
END_TEST

Suite *
suite_scope(void)
{
	Suite	*s = suite_create("scope");
	TCase	*t = tcase_create("scope");

	tcase_add_test(t, times_of_every_form);
	tcase_add_test(t, times_relative_to_the_evidence);
	tcase_add_test(t, times_of_day);
	tcase_add_test(t, what_is_no_time);
	tcase_add_test(t, names_depend_on_all_that_makes_an_error);
	tcase_add_test(t, formats_are_found_by_name);
	suite_add_tcase(s, t);
	return (s);
}
