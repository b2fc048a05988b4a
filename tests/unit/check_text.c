/*
 * check_text.c - stamps, wrappers, cleaning, JSON and records.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/input.h"
#include "base/mem.h"
#include "collect.h"
#include "model/endpoint.h"
#include "model/redis-error.h"
#include "text/clean.h"
#include "text/json.h"
#include "text/record.h"
#include "text/stamp.h"
#include "text/time-form.h"

Suite	*suite_text(void);

#define SECOND	INT64_C(1000000)
#define DAY	(86400 * SECOND)

static struct stamp_clock
no_clock(void)
{
	struct stamp_clock	 c = { OBS_NO_NUM, NULL, 0, OBS_NO_TIME, OBS_NO_TIME, 0 };

	return (c);
}

static int64_t
time_of(int y, int mo, int d, int h, int mi, int s, int64_t us)
{
	return (stamp_days(y, mo, d) * DAY + ((h * 60 + mi) * INT64_C(60) + s) * SECOND + us);
}

/* All of them: 2026-03-14 09:26:53 UTC and a fraction. */
START_TEST(each_layout_is_read)
{
	static const struct { const char *text; int64_t us, precision; enum at_basis basis; } t[] = {
		{ "2026-03-14T09:26:53.589Z x", 589000, 1000, AT_STATED },
		{ "2026-03-14 09:26:53,589 x", 589000, 1000, AT_ASSUMED_UTC },
		{ "2026-03-14T10:26:53.589793+01:00", 589793, 1, AT_STATED },
		{ "2026-03-14 04:26:53 -0500 x", 0, SECOND, AT_STATED },
		{ "[2026-03-14 09:26:53 +0000] [17]", 0, SECOND, AT_STATED },
		{ "2026-03-14T09:26:53.589793112Z stderr F x", 589793, 1, AT_STATED },
		{ "2026-03-14_09:26:53 x", 0, SECOND, AT_ASSUMED_UTC },
		{ "2026/03/14 09:26:53 x", 0, SECOND, AT_ASSUMED_UTC },
		{ "redis: 2026/03/14 09:26:53 pool.go:762: x", 0, SECOND, AT_ASSUMED_UTC },
		{ "14-Mar-2026 09:26:53 UTC] x", 0, SECOND, AT_STATED },
		{ "17:M 14 Mar 2026 09:26:53.589 * x", 589000, 1000, AT_ASSUMED_UTC },
		{ "Mar 14, 2026 9:26:53 AM x", 0, SECOND, AT_ASSUMED_UTC },
		{ "3/14/2026 9:26:53 AM x", 0, -1, AT_NONE },
		{ "03/14/2026 9:26:53 AM x", 0, SECOND, AT_ASSUMED_UTC },
		{ "14/Mar/2026:09:26:53 +0000] x", 0, SECOND, AT_STATED },
		{ "Sat Mar 14 09:26:53 2026 x", 0, SECOND, AT_ASSUMED_UTC },
		{ "Sat, 14 Mar 2026 09:26:53 GMT", 0, SECOND, AT_STATED },
		{ "14.03.2026 09:26:53.5 x", 500000, 100000, AT_ASSUMED_UTC },
		{ "20260314T092653Z x", 0, SECOND, AT_STATED },
		{ "time=\"2026-03-14T09:26:53Z\" level=x", 0, SECOND, AT_STATED },
		{ "2026-03-14 10:26:53.589 CET x", 589000, 1000, AT_STATED },
		{ "03/14/2026 09:26:53.589 ERROR x", 589000, 1000, AT_ASSUMED_UTC },
		{ "14/03/2026 09:26:53 x", 0, SECOND, AT_ASSUMED_UTC },
		{ "[14-03-2026 09:26:53] x", 0, SECOND, AT_ASSUMED_UTC },
		{ "03-14-2026 09:26:53 x", 0, SECOND, AT_ASSUMED_UTC },
		{ "03/14/2026 09:26:53 AM x", 0, SECOND, AT_ASSUMED_UTC },
		{ "1773480413.589793 web-1 shop[7]: x", 589793, 1, AT_STATED },
		{ "[1773480413.589] x", 589000, 1000, AT_STATED },
		{ "1773480413589 ERROR x", 589000, 1000, AT_STATED },
		{ "1773480413 [warn] x", 0, SECOND, AT_STATED },
	};
	struct stamp_clock	 c;
	struct stamp		 s;
	enum at_basis		 basis;
	size_t			 i;

	for (i = 0; i < sizeof t / sizeof t[0]; i++) {
		c = no_clock();
		if (t[i].precision < 0) {
			ck_assert_msg(!stamp_find(span_of(t[i].text), &s), "%s", t[i].text);
			continue;
		}
		ck_assert_msg(stamp_find(span_of(t[i].text), &s), "%s", t[i].text);
		ck_assert_msg(stamp_resolve(&s, &c, &basis) ==
		    time_of(2026, 3, 14, 9, 26, 53, t[i].us), "%s", t[i].text);
		ck_assert_msg(s.precision_us == t[i].precision, "%s: %lld", t[i].text,
		    (long long)s.precision_us);
		ck_assert_msg(basis == t[i].basis, "%s: %s", t[i].text, at_basis_word(basis));
	}
}
END_TEST

START_TEST(what_is_no_stamp_is_none)
{
	static const char *const	 t[] = {
		"2026-13-14 09:26:53", "2026-03-14 24:26:53", "2026-03-14 09:61:53", "2026-03-1409:26",
		"12026-03-14 09:26:53", "Marching 14 09:26:53", "10.0.0.1:6379", "", "E0314",
		"MOVED 1234 10.0.0.1:6379", "Mar 32 09:26:53 x", "13:26:53 PM",
		"03/04/2026 09:26:53 x", "14/14/2026 09:26:53 x", "1773480413589 requests", "12345.678901 x",
		"1773480413.5 x", "9773480413.589793 x",
	};
	struct stamp			 s;
	size_t				 i;

	for (i = 0; i < sizeof t / sizeof t[0]; i++)
		ck_assert_msg(!stamp_find(span_of(t[i]), &s) || (s.has & STAMP_DATE) == 0, "%s",
		    t[i]);
}
END_TEST

START_TEST(a_missing_year_is_inferred)
{
	struct stamp_clock	 c = no_clock();
	struct stamp		 s;
	enum at_basis		 basis;

	ck_assert(stamp_find(span_of("Dec 31 23:59:59 web-1 x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), OBS_NO_TIME);
	ck_assert_int_eq(basis, AT_NONE);

	/* from the file's time: the last December before it */
	c.mtime = time_of(2026, 1, 2, 0, 0, 0, 0);
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2025, 12, 31, 23, 59, 59, 0));
	ck_assert_int_eq(basis, AT_FILE_TIME);
	/* the next line is past New Year */
	ck_assert(stamp_find(span_of("Jan  1 00:00:01 web-1 x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2026, 1, 1, 0, 0, 1, 0));

	/* declared: counted on from there */
	c = no_clock();
	c.year = 2024;
	ck_assert(stamp_find(span_of("Feb 29 12:00:00 web-1 x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2024, 2, 29, 12, 0, 0, 0));
	ck_assert_int_eq(basis, AT_ASSUMED_UTC);
}
END_TEST

/* Zones by name come from the machine's tz database; without one nothing is
 * tested. */
START_TEST(a_named_zone_knows_its_nights)
{
	const struct zone	*berlin = zone_find(span_of("Europe/Berlin"));
	struct stamp_clock	 c = no_clock();
	struct stamp		 s;
	enum at_basis		 basis;
	int64_t			 utc[2];

	ck_assert_ptr_null(zone_find(span_of("Europe/Atlantis")));
	ck_assert_ptr_null(zone_find(span_of("../Europe/Berlin")));
	ck_assert_ptr_null(zone_find(span_of("Europe/../../etc/passwd")));
	if (berlin == NULL)
		return;
	ck_assert_ptr_eq(berlin, zone_find(span_of("Europe/Berlin")));
	ck_assert_int_eq(zone_utc(berlin, time_of(2026, 7, 1, 12, 0, 0, 7), utc), 1);
	ck_assert_int_eq(utc[0], time_of(2026, 7, 1, 10, 0, 0, 7));
	ck_assert_int_eq(zone_utc(berlin, time_of(2026, 10, 25, 2, 30, 0, 0), utc), 2);
	ck_assert_int_eq(utc[0], time_of(2026, 10, 25, 0, 30, 0, 0));
	ck_assert_int_eq(utc[1], time_of(2026, 10, 25, 1, 30, 0, 0));
	ck_assert_int_eq(zone_utc(berlin, time_of(2026, 3, 29, 2, 30, 0, 0), utc), 0);
	ck_assert_int_eq(utc[0], time_of(2026, 3, 29, 1, 30, 0, 0));

	c.zone = berlin;
	ck_assert(stamp_find(span_of("2026-10-25 01:59:59 x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2026, 10, 24, 23, 59, 59, 0));
	ck_assert_int_eq(basis, AT_ZONE);
	ck_assert_ptr_null(stamp_doubt(&s));
	/* it may be the first or the second time */
	ck_assert(stamp_find(span_of("2026-10-25 02:59:59 x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2026, 10, 25, 0, 59, 59, 0));
	ck_assert_int_eq(s.precision_us, INT64_C(3600000000));
	ck_assert_ptr_nonnull(stamp_doubt(&s));
	/* time does not run backwards: this is the second */
	ck_assert(stamp_find(span_of("2026-10-25 02:00:01 x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2026, 10, 25, 1, 0, 1, 0));
	ck_assert_int_eq(s.precision_us, SECOND);
	ck_assert_ptr_null(stamp_doubt(&s));
	ck_assert(stamp_find(span_of("2026-03-29 02:30:00 x"), &s));
	stamp_resolve(&s, &c, &basis);
	ck_assert_ptr_nonnull(stamp_doubt(&s));
	/* a year that is inferred, on the other side of New Year in UTC */
	c = no_clock();
	c.zone = berlin;
	c.mtime = time_of(2027, 1, 5, 0, 0, 0, 0);
	ck_assert(stamp_find(span_of("Jan  1 00:30:00 web-1 x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2026, 12, 31, 23, 30, 0, 0));
	ck_assert_ptr_null(stamp_doubt(&s));

	c = no_clock();
	ck_assert(stamp_find(span_of("[14-Mar-2026 10:26:53 Europe/Berlin] PHP x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2026, 3, 14, 9, 26, 53, 0));
	ck_assert_int_eq(basis, AT_STATED);
}
END_TEST

START_TEST(a_zone_of_many_meanings_is_not_guessed)
{
	struct stamp_clock	 c = no_clock();
	struct stamp		 s;
	enum at_basis		 basis;

	ck_assert(stamp_find(span_of("2026-03-14 09:26:53 IST x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2026, 3, 14, 9, 26, 53, 0));
	ck_assert_int_eq(basis, AT_ASSUMED_UTC);
	ck_assert_ptr_nonnull(stamp_doubt(&s));
	c.zone_s = 5 * 3600 + 1800;
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2026, 3, 14, 3, 56, 53, 0));
	ck_assert_int_eq(basis, AT_ZONE);
	ck_assert(stamp_find(span_of("2026-03-14 09:26:53 ISTANBUL x"), &s));
	stamp_resolve(&s, &c, &basis);
	ck_assert_ptr_null(stamp_doubt(&s));
}
END_TEST

START_TEST(a_date_that_does_not_exist_is_no_time)
{
	static const struct { const char *text; int there; } t[] = {
		{ "2026-04-31 02:10:08 x", 0 }, { "2026-02-29 02:10:08 x", 0 },
		{ "2026-02-30T02:10:08+02:00 x", 0 }, { "31 Jun 2026 02:10:08.123 * x", 0 },
		{ "Nov 31 02:10:08 web-1 x", 0 }, { "2100-02-29 02:10:08 x", 0 },
		{ "2026-04-30 02:10:08 x", 1 }, { "2028-02-29 02:10:08 x", 1 },
		{ "2026-12-31 02:10:08 x", 1 }, { "2000-02-29 02:10:08 x", 1 },
	};
	struct stamp_clock	 c;
	struct stamp		 s;
	enum at_basis		 basis;
	size_t			 i;

	for (i = 0; i < sizeof t / sizeof t[0]; i++) {
		c = no_clock();
		ck_assert_msg(stamp_find(span_of(t[i].text), &s), "%s", t[i].text);
		ck_assert_msg((stamp_resolve(&s, &c, &basis) != OBS_NO_TIME) == t[i].there, "%s",
		    t[i].text);
		ck_assert_msg((basis != AT_NONE) == t[i].there, "%s", t[i].text);
		ck_assert_msg((stamp_doubt(&s) == NULL) == t[i].there, "%s", t[i].text);
		ck_assert_msg((c.last != OBS_NO_TIME) == t[i].there, "%s", t[i].text);
	}
	/* Without a year it is one of those that have the day. */
	c = no_clock();
	c.mtime = time_of(2026, 11, 30, 0, 0, 0, 0);
	ck_assert(stamp_find(span_of("Feb 29 02:10:08 web-1 x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2024, 2, 29, 2, 10, 8, 0));
	ck_assert_int_eq(basis, AT_FILE_TIME);
	c = no_clock();
	c.last = time_of(2025, 2, 28, 0, 0, 0, 0);
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2024, 2, 29, 2, 10, 8, 0));
	c.last = time_of(2022, 2, 28, 0, 0, 0, 0);
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), OBS_NO_TIME);
	ck_assert_ptr_nonnull(stamp_doubt(&s));
	c = no_clock();
	c.year = 2026;
	ck_assert(stamp_find(span_of("Feb 29 02:10:08 web-1 x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), OBS_NO_TIME);
	ck_assert_ptr_nonnull(stamp_doubt(&s));
}
END_TEST

/* Each way to state a zone, what is none, and what cannot be known. */
START_TEST(zones_in_every_notation)
{
	enum { NONE, KNOWN, VAGUE };
	static const struct { const char *behind; int what, minutes; const char *rest; } t[] = {
		{ " GMT+02:00 x", KNOWN, 120, " x" }, { " UTC+2 x", KNOWN, 120, " x" },
		{ " UTC-5", KNOWN, -300, "" }, { " GMT-0330 x", KNOWN, -210, " x" },
		{ " GMT+5:30 x", KNOWN, 330, " x" }, { " UTC x", KNOWN, 0, " x" },
		{ " UTC: x", KNOWN, 0, ": x" }, { " UTC:10.0.0.1 x", KNOWN, 0, ":10.0.0.1 x" },
		{ " +2", KNOWN, 120, "" }, { " -05", KNOWN, -300, "" },
		{ " +2 ERROR x", KNOWN, 120, " ERROR x" }, { " -05 [17] x", KNOWN, -300, " [17] x" },
		{ " +02 - x", KNOWN, 120, " - x" }, { " -03:10.0.0.1", KNOWN, -180, ":10.0.0.1" },
		{ "+02 x", KNOWN, 120, " x" }, { "-05 x", KNOWN, -300, " x" },
		{ " +0530 x", KNOWN, 330, " x" }, { " +05:30 x", KNOWN, 330, " x" },
		{ "+02:00[Europe/Berlin] x", KNOWN, 120, " x" },
		{ "-05:00[Europe/Berlin] x", KNOWN, -300, " x" },
		{ "+02:00[No/Zone] x", KNOWN, 120, "[No/Zone] x" },
		{ "+02:00[main] x", KNOWN, 120, "[main] x" },
		{ "Z[UTC] x", KNOWN, 0, " x" }, { "z x", KNOWN, 0, " x" }, { " Z [17]", KNOWN, 0, " [17]" },
		{ " [Europe/Berlin] x", KNOWN, 60, " x" }, { "[Europe/Berlin] x", KNOWN, 60, " x" },
		{ " Europe/Berlin x", KNOWN, 60, " x" }, { " (UTC) x", KNOWN, 0, " x" },
		{ " [Europe/Nowhere] x", VAGUE, 0, " x" }, { " Europe/Nowhere x", VAGUE, 0, " x" },
		{ " BRT x", VAGUE, 0, " x" }, { " AEST", VAGUE, 0, "" }, { " IST x", VAGUE, 0, " x" },
		{ " PET ERROR x", VAGUE, 0, " ERROR x" }, { " ULAST] x", VAGUE, 0, "] x" },
		{ " UTC+25 x", VAGUE, 0, " x" }, { " MSK+2 x", VAGUE, 0, " x" },
		/* each letter that an abbreviation ends in */
		{ " UTC x", KNOWN, 0, " x" }, { " JST x", KNOWN, 540, " x" },
		{ " MSK x", KNOWN, 180, " x" }, { " MSD x", VAGUE, 0, " x" },
		{ " WIB x", VAGUE, 0, " x" }, { " WITA x", VAGUE, 0, " x" },
		{ " +2 retries", NONE, 0, NULL }, { " -05 degrees", NONE, 0, NULL },
		{ " +2retries", NONE, 0, NULL }, { " +25 [17]", NONE, 0, NULL },
		{ " +15551234 called", NONE, 0, NULL }, { " - x", NONE, 0, NULL },
		{ " UTC-ish x", NONE, 0, NULL }, { " UTC_x", NONE, 0, NULL },
		{ " BRT-1 x", NONE, 0, NULL }, { " BRTX x", NONE, 0, NULL },
		{ " GET failed", NONE, 0, NULL }, { " ALERT [17]", NONE, 0, NULL },
		{ " ERROR x", NONE, 0, NULL }, { " MOVED 1 x", NONE, 0, NULL },
		{ " [main] x", NONE, 0, NULL }, { " [Europe/Berlin", NONE, 0, NULL },
		{ " Zoo x", NONE, 0, NULL }, { " Z x", NONE, 0, NULL },
	};
	struct stamp_clock	 c;
	struct stamp		 s;
	enum at_basis		 basis;
	char			 line[100];
	size_t			 i;
	int64_t			 want;

	for (i = 0; i < sizeof t / sizeof t[0]; i++) {
		c = no_clock();
		snprintf(line, sizeof line, "2026-11-30 02:10:08%s", t[i].behind);
		ck_assert_msg(stamp_find(span_of(line), &s), "%s", line);
		want = time_of(2026, 11, 30, 2, 10, 8, 0) - t[i].minutes * 60 * SECOND;
		ck_assert_msg(stamp_resolve(&s, &c, &basis) == want, "%s", line);
		ck_assert_msg(basis == (t[i].what == KNOWN ? AT_STATED : AT_ASSUMED_UTC), "%s: %s", line,
		    at_basis_word(basis));
		ck_assert_msg((stamp_doubt(&s) != NULL) == (t[i].what == VAGUE), "%s", line);
		if (t[i].rest != NULL && t[i].rest[0] != ']')
			ck_assert_msg(strcmp(line + s.end, t[i].rest) == 0, "%s: %s", line, line + s.end);
		if (t[i].what == NONE)
			ck_assert_msg(s.end == 19, "%s: %d", line, (int)s.end);
	}
	/* date(1) and JavaScript have the year elsewhere. */
	c = no_clock();
	ck_assert(stamp_find(span_of("Mon Nov 30 02:10:08 -03 2026 x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2026, 11, 30, 5, 10, 8, 0));
	ck_assert(stamp_find(span_of("Mon Nov 30 02:10:08 PET 2026 x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2026, 11, 30, 2, 10, 8, 0));
	ck_assert_ptr_nonnull(stamp_doubt(&s));
	ck_assert(stamp_find(span_of("Mon Nov 30 2026 02:10:08 GMT+0200 x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2026, 11, 30, 0, 10, 8, 0));
}
END_TEST

START_TEST(a_declared_zone_is_used_where_none_is_stated)
{
	struct stamp_clock	 c = no_clock();
	struct stamp		 s;
	enum at_basis		 basis;

	c.zone_s = 5 * 3600 + 1800;
	ck_assert(stamp_find(span_of("2026-03-14 09:26:53 x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2026, 3, 14, 3, 56, 53, 0));
	ck_assert_int_eq(basis, AT_ZONE);
	ck_assert(stamp_find(span_of("2026-03-14 09:26:53Z x"), &s));
	ck_assert_int_eq(stamp_resolve(&s, &c, &basis), time_of(2026, 3, 14, 9, 26, 53, 0));
	ck_assert_int_eq(basis, AT_STATED);
}
END_TEST

START_TEST(epochs_by_their_length)
{
	int64_t	 p, want = INT64_C(1773480413589793);

	ck_assert_int_eq(stamp_epoch(span_of("1773480413"), &p), want / SECOND * SECOND);
	ck_assert_int_eq(p, SECOND);
	ck_assert_int_eq(stamp_epoch(span_of("1773480413.589793"), &p), want);
	ck_assert_int_eq(p, 1);
	ck_assert_int_eq(stamp_epoch(span_of("1773480413589"), &p), want / 1000 * 1000);
	ck_assert_int_eq(p, 1000);
	ck_assert_int_eq(stamp_epoch(span_of("1773480413589793"), &p), want);
	ck_assert_int_eq(stamp_epoch(span_of("1773480413589793112"), &p), want);
	ck_assert_int_eq(stamp_epoch(span_of("177348041"), &p), OBS_NO_TIME);
	ck_assert_int_eq(stamp_epoch(span_of("1773480413x"), &p), OBS_NO_TIME);
	ck_assert_int_eq(stamp_epoch(span_of("9999999999"), &p), OBS_NO_TIME);
	ck_assert_int_eq(stamp_epoch(span_make(NULL, 0), &p), OBS_NO_TIME);
}
END_TEST

START_TEST(lines_are_cleaned)
{
	struct buf	 b = { NULL, 0, 0 };

	ck_assert(span_is(clean_line(span_of("\033[31mred\033[0m\r"), &b), "red"));
	b.n = 0;
	ck_assert(span_is(clean_line(span_make("a\0b", 3), &b), "ab"));
	b.n = 0;
	ck_assert(span_is(clean_line(span_of("\033]0;title\aX\033"), &b), "X"));
	ck_assert(span_is(clean_line(span_of("\357\273\277plain"), &b), "plain"));
	b.n = 0;
	ck_assert(span_is(clean_octal(span_of("a#012#011b#01"), &b), "a\n\tb#01"));
	buf_free(&b);
}
END_TEST

START_TEST(json_is_a_list_of_scalars)
{
	struct json			*j = json_open();
	const struct json_member	*m;
	size_t				 n;

	m = json_read(j, span_of("{\"a\":{\"b.c\":\"x\\ny\",\"n\":null},\"l\":[1,true],"
	    "\"ts\":1773480413.589793}"), &n);
	ck_assert_ptr_nonnull(m);
	ck_assert_uint_eq(n, 4);
	ck_assert(span_is(json_get(m, n, "a.b.c"), "x\ny"));
	ck_assert(span_is(json_get(m, n, "l[0]"), "1"));
	ck_assert(span_is(json_get(m, n, "ts"), "1773480413.589793"));
	ck_assert_ptr_null(json_get(m, n, "a.n").p);
	ck_assert_ptr_null(json_read(j, span_of("{\"a\":"), &n));
	ck_assert_ptr_null(json_read(j, span_of("[1]"), &n));
	ck_assert_ptr_null(json_read(j, span_of(""), &n));
	json_close(j);
}
END_TEST

START_TEST(endpoints_in_all_notations)
{
	static const struct { const char *text, *want; } t[] = {
		{ "10.0.0.1:6379", "10.0.0.1:6379" }, { "2001:db8::5:6379", "[2001:db8::5]:6379" },
		{ "[2001:db8::5]:6379", "[2001:db8::5]:6379" }, { ":6379", ":6379" },
		{ "?:6379", "?:6379" }, { "10.0.0.1:6379@16379,h.example", "10.0.0.1:6379" },
		{ "rediss://user:p@h.example:6380/0", "h.example:6380" },
		{ "/10.0.0.1:6379", "10.0.0.1:6379" }, { "h.example/10.0.0.3:6379", "10.0.0.3:6379" },
		{ "h.example/<unresolved>:6379", "h.example:6379" },
		{ "/[2001:db8:0:0:0:0:0:5]:6379", "[2001:db8:0:0:0:0:0:5]:6379" },
		{ "Unspecified/h.example:6379", "h.example:6379" },
		{ "('10.0.0.1', 6379)", "10.0.0.1:6379" }, { "('::1', 6379, 0, 0)", "[::1]:6379" },
		{ "[2001:db8:52::c1:7000]:0", "[2001:db8:52::c1]:7000" },
		{ "10.0.0.1", NULL }, { "10.0.0.1:", NULL }, { "10.0.0.1:65536", NULL },
		{ "10.0.0.1:port", NULL }, { "a b:1", NULL }, { "", NULL }, { "[::1", NULL },
	};
	struct endpoint	 ep;
	struct buf	 b = { NULL, 0, 0 };
	size_t		 i;

	for (i = 0; i < sizeof t / sizeof t[0]; i++) {
		if (t[i].want == NULL) {
			ck_assert_msg(endpoint_parse(span_of(t[i].text), &ep) != 0, "%s", t[i].text);
			ck_assert_ptr_null(ep.host.p);
			continue;
		}
		ck_assert_msg(endpoint_parse(span_of(t[i].text), &ep) == 0, "%s", t[i].text);
		b.n = 0;
		endpoint_format(&ep, &b);
		ck_assert_str_eq(buf_cstr(&b), t[i].want);
	}
	buf_free(&b);
}
END_TEST

START_TEST(error_replies)
{
	struct redis_error	 r;

	ck_assert_int_eq(redis_error_parse(span_of("-MOVED 3999 10.0.0.1:6381\r\n"), &r), 0);
	ck_assert_int_eq(r.code, CODE_MOVED);
	ck_assert_int_eq(r.slot, 3999);
	ck_assert_int_eq(r.target.port, 6381);
	ck_assert_int_eq(redis_error_parse(span_of("ASK 3999 :6381 (more)"), &r), 0);
	ck_assert(span_is(r.target.host, ""));
	ck_assert_int_eq(redis_error_parse(span_of("CLUSTERDOWN Hash slot not served"), &r), 0);
	ck_assert_int_eq(r.code, CODE_CLUSTERDOWN);
	ck_assert_int_eq(r.slot, OBS_NO_SLOT);
	ck_assert_int_eq(redis_error_parse(span_of("MOVED 16384 10.0.0.1:6381"), &r), -1);
	ck_assert_int_eq(redis_error_parse(span_of("MOVED 1-2 10.0.0.1:6381"), &r), -1);
	ck_assert_int_eq(redis_error_parse(span_of("MOVED 1 nowhere"), &r), -1);
	ck_assert_int_eq(redis_error_parse(span_of("ERR MOVED 1 10.0.0.1:6381"), &r), -1);
	ck_assert_int_eq(redis_error_parse(span_of(""), &r), -1);
}
END_TEST

/* --- records ----------------------------------------------------------------- */

struct reading {
	struct collect		 c;
	struct input		*in;
	struct decode_ctx	 ctx;
	struct records		*r;
	struct record		 rec;
	struct err		 e;
};

static void
open_text(struct reading *r, const char *text, size_t n, record_filter filter)
{
	static const struct err	 none = ERR_INIT;

	memset(r, 0, sizeof *r);
	r->e = none;
	collect_init(&r->c);
	r->ctx.zone_s = OBS_NO_NUM;
	r->ctx.mtime = time_of(2026, 11, 30, 0, 0, 0, 0);
	r->in = input_memory(text, n, "x.log", 0);
	r->r = records_open(r->in, &r->ctx, &r->c.sink, filter, NULL);
}

static void
close_text(struct reading *r)
{
	records_close(r->r);
	input_close(r->in);
	collect_free(&r->c);
}

static void
one(const char *text, struct reading *r)
{
	open_text(r, text, strlen(text), NULL);
	ck_assert_int_eq(records_next(r->r, &r->rec, &r->e), 1);
}

START_TEST(heads_are_read)
{
	static const struct { const char *line, *level, *logger, *thread, *message; } t[] = {
		{ "2026-03-14 09:26:53,589 - redis.cluster - ERROR - MovedError", "ERROR",
		    "redis.cluster", NULL, "MovedError" },
		{ "2026-03-14T09:26:53.589Z  WARN 1 --- [app] [oEventLoop-4-1] i.l.c.p.Watchdog     :"
		    " gone", "WARN", "i.l.c.p.Watchdog", "oEventLoop-4-1", "gone" },
		{ "2026-03-14 09:26:53.589 [main] DEBUG c.a.Shop - x y", "DEBUG", "c.a.Shop", "main",
		    "x y" },
		{ "17:S 14 Mar 2026 09:26:53.589 # Connection with master lost.", "#", NULL, NULL,
		    "Connection with master lost." },
		{ "pid=7 role=primary timestamp=\"2026-03-14T09:26:53.589+05:30\" level=notice "
		    "message=\"Cluster state changed: ok\"", "notice", NULL, NULL,
		    "Cluster state changed: ok" },
		{ "{\"levelname\":\"ERROR\",\"name\":\"app.cache\",\"message\":\"m\"}", "ERROR",
		    "app.cache", NULL, "m" },
		{ "{\"level\":50,\"time\":1773480413589,\"msg\":\"m\",\"thread\":\"t1\"}", "error", NULL,
		    "t1", "m" },
		{ "[2026-03-14 09:26:53 DEBUG    app.cache Qm4ZsVh2..] - x [y]", "DEBUG", "app.cache",
		    "Qm4ZsVh2..", "x [y]" },
		{ "[2026-03-14 09:26:53,589: ERROR/Worker-2] gone [for] good", "ERROR", NULL,
		    "Worker-2", "gone [for] good" },
		{ "[2026-03-14 09:26:53] gone [for] good", NULL, NULL, NULL, "gone [for] good" },
	};
	struct reading	 r;
	size_t		 i;

	for (i = 0; i < sizeof t / sizeof t[0]; i++) {
		one(t[i].line, &r);
		ck_assert_msg(t[i].level == NULL ? r.rec.level.p == NULL :
		    span_is(r.rec.level, t[i].level), "%s", t[i].line);
		ck_assert_msg(t[i].logger == NULL ? r.rec.logger.p == NULL :
		    span_is(r.rec.logger, t[i].logger), "%s", t[i].line);
		ck_assert_msg(t[i].thread == NULL ? r.rec.thread.p == NULL :
		    span_is(r.rec.thread, t[i].thread), "%s", t[i].line);
		ck_assert_msg(span_is(r.rec.message, t[i].message), "%s", t[i].line);
		close_text(&r);
	}
}
END_TEST

START_TEST(wrappers_give_host_and_program)
{
	static const struct { const char *line, *host, *app, *pid, *text; } t[] = {
		{ "<11>Mar 14 09:26:53 web-1 shop[7]: hello", "web-1", "shop", "7", "hello" },
		{ "Mar 14 09:26:53.589793 web-1 shop: hello", "web-1", "shop", NULL, "hello" },
		{ "<11>1 2026-03-14T09:26:53.589793Z web-1 shop 7 ID [a@1 k=\"]\"][b@2] hello", "web-1",
		    "shop", "7", "hello" },
		{ "{\"__REALTIME_TIMESTAMP\":\"1773480413589793\",\"_HOSTNAME\":\"web-1\",\"_PID\":\"7\","
		    "\"SYSLOG_IDENTIFIER\":\"shop\",\"MESSAGE\":[104,101,108,108,111]}", "web-1", "shop",
		    "7", "hello" },
		{ "web-1  | hello", NULL, "web-1", NULL, "hello" },
		{ "[pod/web-1/app] hello", NULL, "web-1/app", NULL, "hello" },
		{ "__CURSOR=s\n__REALTIME_TIMESTAMP=1773480413589793\n_HOSTNAME=web-1\n"
		    "SYSLOG_IDENTIFIER=shop\n_PID=7\nMESSAGE=hello\n\n", "web-1", "shop", "7", "hello" },
	};
	struct reading	 r;
	size_t		 i;

	for (i = 0; i < sizeof t / sizeof t[0]; i++) {
		one(t[i].line, &r);
		ck_assert_msg(t[i].host == NULL || span_is(r.rec.host, t[i].host), "%s", t[i].line);
		ck_assert_msg(span_is(r.rec.app, t[i].app), "%s", t[i].line);
		ck_assert_msg(t[i].pid == NULL || span_is(r.rec.pid, t[i].pid), "%s", t[i].line);
		ck_assert_msg(span_is(r.rec.text, t[i].text), "%s: %.*s", t[i].line,
		    (int)r.rec.text.n, r.rec.text.p);
		close_text(&r);
	}
}
END_TEST

START_TEST(the_inner_time_wins_and_the_outer_gives_its_zone)
{
	struct reading	 r;

	one("2026-03-14T09:26:53.590112233Z stdout F 2026-03-14 10:26:53.589 ERROR x", &r);
	ck_assert_int_eq(r.rec.at, time_of(2026, 3, 14, 9, 26, 53, 589000));
	ck_assert_int_eq(r.rec.at_basis, AT_ENVELOPE);
	ck_assert_int_eq(r.rec.outer_at, time_of(2026, 3, 14, 9, 26, 53, 590112));
	close_text(&r);
	one("2026-03-14T09:26:53.590112233Z stdout F 09:26:53.589 ERROR no date", &r);
	ck_assert_int_eq(r.rec.at, time_of(2026, 3, 14, 9, 26, 53, 590112));
	close_text(&r);
	one("2024-09-12T03:22:51.1932876Z 15120:M 12 Sep 2024 03:21:58.994 * x", &r);
	ck_assert_int_eq(r.rec.at, time_of(2024, 9, 12, 3, 21, 58, 994000));
	ck_assert(span_is(r.rec.pid, "15120"));
	close_text(&r);
}
END_TEST

/* An unknown zone is a row of the source's problems. */
START_TEST(an_unknown_zone_is_reported)
{
	struct reading	 r;

	one("2026-11-30 02:10:08 BRT ERROR x", &r);
	ck_assert_int_eq(r.rec.at, time_of(2026, 11, 30, 2, 10, 8, 0));
	ck_assert_int_eq(r.rec.at_basis, AT_ASSUMED_UTC);
	ck_assert(span_is(r.rec.level, "ERROR"));
	ck_assert_uint_eq(r.c.nproblems, 1);
	close_text(&r);
	one("2026-11-30 02:10:08 UTC+2 ERROR x", &r);
	ck_assert_int_eq(r.rec.at, time_of(2026, 11, 30, 0, 10, 8, 0));
	ck_assert(span_is(r.rec.level, "ERROR"));
	ck_assert_uint_eq(r.c.nproblems, 0);
	close_text(&r);
}
END_TEST

START_TEST(each_date_that_does_not_exist_is_reported)
{
	static const char	 text[] = "2026-02-28 23:59:59 ERROR a\n2026-02-29 00:00:01 ERROR b\n"
	    "2026-02-30 00:00:01 ERROR c\n2026-03-01 00:00:02 ERROR d\n";
	struct reading		 r;
	int			 i;

	open_text(&r, text, sizeof text - 1, NULL);
	for (i = 0; i < 4; i++) {
		ck_assert_int_eq(records_next(r.r, &r.rec, &r.e), 1);
		ck_assert_int_eq(r.rec.at == OBS_NO_TIME, i == 1 || i == 2);
		ck_assert_uint_eq(r.rec.message.n, 1);
	}
	ck_assert_uint_eq(r.c.nproblems, 2);
	ck_assert_ptr_nonnull(collect_problem(&r.c, "malformed", 1));
	close_text(&r);
	/* A wrapper's time dates the line. */
	one("2026-03-01T00:00:02.590112233Z stdout F 2026-02-29 00:00:02.589 ERROR x", &r);
	ck_assert_int_eq(r.rec.at, time_of(2026, 3, 1, 0, 0, 2, 590112));
	ck_assert_uint_eq(r.c.nproblems, 1);
	close_text(&r);
}
END_TEST

START_TEST(long_lines_are_cut_with_a_problem)
{
	size_t		 n = 3 * 1024 * 1024;
	char		*text = mem_alloc(n + 64);
	struct reading	 r;

	memset(text, 'x', n);
	memcpy(text, "2026-03-14 09:26:53 a", 21);
	memcpy(text + n, "\n2026-03-14 09:26:54 b\n", 23);
	open_text(&r, text, n + 23, NULL);
	ck_assert_int_eq(records_next(r.r, &r.rec, &r.e), 1);
	ck_assert_uint_le(r.rec.text.n, 1024 * 1024);
	ck_assert_int_eq(records_next(r.r, &r.rec, &r.e), 1);
	ck_assert(span_is(r.rec.message, "b"));
	ck_assert_int_eq(r.rec.where.position, 2);
	ck_assert_int_eq(r.rec.where.offset, (int64_t)n + 1);
	ck_assert_int_eq(records_next(r.r, &r.rec, &r.e), 0);
	ck_assert_ptr_nonnull(collect_problem(&r.c, "too-long", 0));
	close_text(&r);
	free(text);
}
END_TEST

static void
utf16(const char *ascii, int big, struct buf *b)
{
	buf_chr(b, big ? 0xfe : 0xff);
	buf_chr(b, big ? 0xff : 0xfe);
	for (; *ascii != '\0'; ascii++) {
		if (big)
			buf_chr(b, 0);
		buf_chr(b, *ascii);
		if (!big)
			buf_chr(b, 0);
	}
}

START_TEST(utf16_is_read)
{
	struct buf	 b;
	struct reading	 r;
	int		 big;

	for (big = 0; big < 2; big++) {
		memset(&b, 0, sizeof b);
		utf16("2026-03-14 09:26:53 one\r\n2026-03-14 09:26:54 two\r\n", big, &b);
		open_text(&r, b.p, b.n, NULL);
		ck_assert_int_eq(records_next(r.r, &r.rec, &r.e), 1);
		ck_assert(span_is(r.rec.message, "one"));
		ck_assert_int_eq(r.rec.where.offset, OBS_NO_NUM);
		ck_assert_int_eq(records_next(r.r, &r.rec, &r.e), 1);
		ck_assert(span_is(r.rec.message, "two"));
		ck_assert_int_eq(r.rec.where.position, 2);
		close_text(&r);
		buf_free(&b);
	}
}
END_TEST

/* Cut inside a character: what came before it is read, and it is told. */
START_TEST(utf16_is_cut)
{
	struct buf	 b = { 0 };
	struct reading	 r;

	utf16("2026-03-14 09:26:53 one\n", 0, &b);
	buf_chr(&b, 'x');
	open_text(&r, b.p, b.n, NULL);
	ck_assert_int_eq(records_next(r.r, &r.rec, &r.e), 1);
	ck_assert(span_is(r.rec.message, "one"));
	ck_assert_int_eq(records_next(r.r, &r.rec, &r.e), 0);
	ck_assert_ptr_nonnull(collect_problem(&r.c, "encoding", 0));
	close_text(&r);
	open_text(&r, "\377\376x", 3, NULL);
	ck_assert_int_eq(records_next(r.r, &r.rec, &r.e), 0);
	ck_assert_ptr_nonnull(collect_problem(&r.c, "encoding", 0));
	close_text(&r);
	buf_free(&b);
}
END_TEST

START_TEST(partial_lines_are_joined)
{
	struct reading	 r;

	one("{\"log\":\"2026-03-14 09:26:53 first half, \",\"stream\":\"stderr\",\"time\":"
	    "\"2026-03-14T09:26:53.1Z\"}\n{\"log\":\"second half\\n\",\"stream\":\"stderr\",\"time\":"
	    "\"2026-03-14T09:26:53.1Z\"}\n", &r);
	ck_assert(span_is(r.rec.message, "first half, second half"));
	ck_assert_int_eq(r.rec.last_position, 2);
	ck_assert_int_eq(records_next(r.r, &r.rec, &r.e), 0);
	close_text(&r);
}
END_TEST

static size_t
find_needle(const void *arg, const char *p, size_t n)
{
	const char	*hit = memmem(p, n, "needle", 6);

	(void)arg;
	return (hit != NULL ? (size_t)(hit - p) : n);
}

/* A megabyte of hay, a needle in a trace that lies across block borders. */
START_TEST(a_filter_skips_but_records_stay_whole)
{
	struct buf	 b = { NULL, 0, 0 };
	struct reading	 r;
	int		 i, k, line = 1;
	int		 at[3];

	for (k = 0; k < 3; k++) {
		for (i = 0; i < 9000 + k; i++, line++)
			buf_fmt(&b, "2026-03-14 09:26:53 INFO hay %d\n", line);
		at[k] = line;
		buf_str(&b, "2026-03-14 09:26:54 ERROR failed\n");
		for (i = 0; i < 200; i++)
			buf_str(&b, "  File \"somewhere/in/the/trace.py\", line 7\n");
		buf_str(&b, "x.Error: needle\n");
		line += 202;
	}
	open_text(&r, b.p, b.n, find_needle);
	for (k = 0; k < 3; k++) {
		ck_assert_int_eq(records_next(r.r, &r.rec, &r.e), 1);
		ck_assert_int_eq(r.rec.where.position, at[k]);
		ck_assert_int_eq(r.rec.last_position, at[k] + 201);
		ck_assert(span_is(r.rec.line, "2026-03-14 09:26:54 ERROR failed"));
	}
	ck_assert_int_eq(records_next(r.r, &r.rec, &r.e), 0);
	ck_assert_int_eq(records_lines(r.r), line - 1);
	close_text(&r);
	buf_free(&b);
}
END_TEST

START_TEST(times_in_no_form_that_is_read_are_told_from_numbers)
{
	static const struct {
		const char	*line, *form;	/* form NULL: no time */
	} rows[] = {
		{ "1796004608.123 ERROR x", "1796004608.123" },
		{ "1796004608123 ERROR x", "1796004608123" },
		{ "[12345.678901] x", "12345.678901" },
		{ "30/11/2026 02:10:08 x", "30/11/2026 02:10:08" },
		{ "[30-11-2026 02:10] x", "30-11-2026 02:10" },
		{ "30-Nov-26 02:10:08,5 x", "30-Nov-26 02:10:08,5" },
		{ "2026-11-30 02:10 x", "2026-11-30 02:10" },
		{ "2026-11-30T02:10 x", "2026-11-30T02:10" },
		{ "20261130021008 x", "20261130021008" },
		{ "Nov 30 02:10 x", "Nov 30 02:10" },
		{ "02:10:08.123 x", "02:10:08.123" },
		{ "02:10:08", "02:10:08" },
		{ "127.0.0.1:7001> get a", NULL },
		{ "10.0.0.1:7000 refused", NULL },
		{ "1) 1) (integer) 0", NULL },
		{ "3 redirects", NULL },
		{ "8a7c6b:d2 x", NULL },
		{ "7.0.15 is the version", NULL },
		{ "", NULL },
	};
	const char	*lacks;
	struct span	 got;
	size_t		 i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		got = time_form(span_of(rows[i].line), &lacks);
		if (rows[i].form == NULL)
			ck_assert_msg(got.p == NULL, "%s", rows[i].line);
		else
			ck_assert_msg(span_is(got, rows[i].form), "%s", rows[i].line);
	}
}
END_TEST

Suite *
suite_text(void)
{
	Suite	*s = suite_create("text");
	TCase	*t = tcase_create("text");

	tcase_add_test(t, each_layout_is_read);
	tcase_add_test(t, what_is_no_stamp_is_none);
	tcase_add_test(t, a_missing_year_is_inferred);
	tcase_add_test(t, a_named_zone_knows_its_nights);
	tcase_add_test(t, a_zone_of_many_meanings_is_not_guessed);
	tcase_add_test(t, a_date_that_does_not_exist_is_no_time);
	tcase_add_test(t, each_date_that_does_not_exist_is_reported);
	tcase_add_test(t, zones_in_every_notation);
	tcase_add_test(t, an_unknown_zone_is_reported);
	tcase_add_test(t, a_declared_zone_is_used_where_none_is_stated);
	tcase_add_test(t, epochs_by_their_length);
	tcase_add_test(t, lines_are_cleaned);
	tcase_add_test(t, json_is_a_list_of_scalars);
	tcase_add_test(t, endpoints_in_all_notations);
	tcase_add_test(t, error_replies);
	tcase_add_test(t, heads_are_read);
	tcase_add_test(t, wrappers_give_host_and_program);
	tcase_add_test(t, the_inner_time_wins_and_the_outer_gives_its_zone);
	tcase_add_test(t, long_lines_are_cut_with_a_problem);
	tcase_add_test(t, utf16_is_read);
	tcase_add_test(t, utf16_is_cut);
	tcase_add_test(t, partial_lines_are_joined);
	tcase_add_test(t, a_filter_skips_but_records_stay_whole);
	tcase_add_test(t, times_in_no_form_that_is_read_are_told_from_numbers);
	suite_add_tcase(s, t);
	return (s);
}
