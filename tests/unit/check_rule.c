#include <check.h>
#include <stdlib.h>

#include "builtin-rules.h"
#include "base/mem.h"
#include "text/anchor.h"
#include "text/literal.h"
#include "text/rx.h"

Suite	*suite_rule(void);

static struct rule_row
row(const char *pattern, const char *kind, const char *example, const char *expect)
{
	struct rule_row	 r = { "mine", "shop", "1", kind, pattern, OBS_NO_NUM, OBS_NO_NUM,
	    example, expect };

	return (r);
}

/* That each example yields what is expected of it is checked when a rule is
 * added; that raw lines get so far is the filter's part. */
static void
filter_finds(const struct rule_row *r)
{
	size_t	 n = strlen(r->example);

	ck_assert_msg(rules_filter(builtin_rules(), r->example, n) < n,
	    "the filter leaves out the example of %s", r->name);
}

START_TEST(the_filter_lets_every_example_through)
{
	ck_assert_uint_ge(rules_count(builtin_rules()), 270);
	builtin_rules_each(filter_finds);
}
END_TEST

START_TEST(the_filter_leaves_ordinary_lines_out)
{
	static const char	 line[] = "2026-03-14 09:26:53,589 INFO [main] c.a.Shop order 17 of "
	    "customer 12 took 30 ms, 4 items moved to warehouse 7 by worker-3\n";

	ck_assert_uint_eq(rules_filter(builtin_rules(), line, sizeof line - 1),
	    sizeof line - 1);
}
END_TEST

static void
refuses(struct rule_row r, const char *why)
{
	struct rules	*rules = rules_new();
	struct err	 e = ERR_INIT;
	char		 text[600];

	ck_assert_int_eq(rules_add(rules, &r, &e), -1);
	err_text(&e, text, sizeof text);
	ck_assert_msg(strstr(text, why) != NULL, "'%s' is not in '%s'", why, text);
	ck_assert_msg(strstr(text, "mine") != NULL, "the rule is not named: %s", text);
	ck_assert_uint_eq(rules_count(rules), 0);
	rules_free(rules);
}

START_TEST(bad_rules_are_refused_with_a_reason)
{
	refuses(row("went over (", "moved", "went over", "moved - -"), "parenthes");
	refuses(row("\\d+ [a-z]*", "moved", "17 abc", "moved - -"), "literal");
	refuses(row("went over", "flown", "went over", "flown - -"), "flown");
	refuses(row("went over", "moved", "went under", "moved - -"), "does not match");
	refuses(row("went over to (?<slot>\\d+)", "moved", "went over to 7", "moved 8 -"),
	    "'moved 7 -', not 'moved 8 -'");
	refuses(row("went over to (?<slot>\\d+)", "moved", "went over to 16384", "moved 16384 -"),
	    "does not match");
}
END_TEST

START_TEST(groups_say_what_a_match_holds)
{
	static const char	 text[] = "gave up on key {a}b after 7 tries and 1.5 s at "
	    "[2001:db8::5]:7000, told by 10.0.0.1:6379";
	struct rule_row		 r = row("(?<raised>)gave up on key (?<key>\\S+) after (?<attempts>"
	    "\\d+) tries and (?<ms>[\\d.]+ s) at (?<endpoint>\\S+\\d), told by (?<node>\\S+)",
	    "redirects-exhausted", text, "redirects-exhausted 15495 [2001:db8::5]:7000");
	struct rules		*rules = rules_new();
	struct rule_match	 m[4];
	struct err		 e = ERR_INIT;
	const char		*limited;

	r.budget = 5;
	ck_assert_msg(rules_add(rules, &r, &e) == 0, "%s", e.frame[0]);
	ck_assert_uint_eq(rules_match(rules, span_of(text), m, 4, &limited), 1);
	ck_assert_ptr_null(limited);
	ck_assert(m[0].rule->raised && !m[0].rule->timer);
	ck_assert_int_eq(m[0].rule->budget, 5);
	ck_assert_int_eq(m[0].attempts, 7);
	ck_assert_int_eq(m[0].duration_us, 1500000);
	ck_assert_int_eq(m[0].slot, 15495);
	ck_assert(span_is(m[0].key, "{a}b"));
	ck_assert(span_is(m[0].ep.host, "2001:db8::5"));
	ck_assert(span_is(m[0].node.host, "10.0.0.1"));
	rules_free(rules);
}
END_TEST

START_TEST(runaway_backtracking_is_given_up_and_named)
{
	struct rule_row		 r = row("loop ((a+)+)+b", "moved", "loop aab", "moved - -");
	struct rules		*rules = rules_new();
	struct rule_match	 m[4];
	struct err		 e = ERR_INIT;
	const char		*limited;

	ck_assert_int_eq(rules_add(rules, &r, &e), 0);
	ck_assert_uint_eq(rules_match(rules,
	    span_of("loop aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac b"), m, 4, &limited), 0);
	ck_assert_str_eq(limited, "mine");
	rules_free(rules);
}
END_TEST

START_TEST(literals_are_what_each_match_must_hold)
{
	static const struct { const char *pattern; int n; const char *first; } t[] = {
		{ "\\bMOVED (?<slot>\\d+)", 1, "MOVED " },
		{ "abc?defg", 1, "defg" },
		{ "(?:one way|another)", 2, "one way" },
		{ "(?:maybe )?surely", 1, "surely" },
		{ "alpha|beta|\\d", 0, NULL },
		{ "say \"quoted\" word", 1, "quoted" },
		{ "x{0,3}yes+no", 1, "yes" },
		{ "(?i)moved", 0, NULL },
		{ "[abc]def\\.ghi", 1, "def.ghi" },
		{ "(?<!not )really", 1, "really" },
	};
	struct literal_set	 s;
	size_t			 i;

	for (i = 0; i < sizeof t / sizeof t[0]; i++) {
		literal_of_pattern(t[i].pattern, &s);
		ck_assert_msg(s.n == t[i].n, "%s: %d", t[i].pattern, s.n);
		if (s.n > 0)
			ck_assert_str_eq(s.text[0], t[i].first);
	}
}
END_TEST

/* Each word at each place of a text, whole and cut short. */
static void
find_planted(const char *const *words, size_t nwords)
{
	struct literals	*l = literals_new();
	char		 text[300];
	size_t		 i, at, n;

	for (i = 0; i < nwords; i++)
		ck_assert_int_eq(literals_add(l, words[i]), (int)i);
	ck_assert_int_eq(literals_add(l, words[0]), 0);
	for (i = 0; i < nwords; i++)
		for (at = 0, n = strlen(words[i]); at + n <= sizeof text; at++) {
			memset(text, 'x', sizeof text);
			memcpy(text + at, words[i], n);
			ck_assert_uint_eq(literals_find(l, text, sizeof text), at);
			ck_assert_uint_eq(literals_find(l, text, at + n - 1), at + n - 1);
		}
	literals_free(l);
}

START_TEST(many_literals_are_found_wherever_they_stand)
{
	static const char *const	 words[] = { "MOVED ", "Cluster redirections", "TTL exhausted",
		"dial tcp", "ECONNREFUSED", "Connection is closed", "EPIPE" };
	static const char *const	 short_words[] = { "abc", "MOVED ", "Cluster redirections" };
	static const char *const	 marked[] = { "MOVED ", "Cluster", "abc", "abcd" };
	struct literals			*l = literals_new();
	unsigned char			 seen[4] = { 0 };
	int				 i;

	find_planted(words, 7);
	find_planted(short_words, 3);	/* one too short for the fast search */
	for (i = 0; i < 4; i++)
		literals_add(l, marked[i]);
	literals_mark(l, span_of("..abcd.MOVED 7"), seen);
	ck_assert(seen[0] && !seen[1] && seen[2] && seen[3]);
	literals_free(l);
}
END_TEST

static const int	 widths[] = { 64, 32, 16, 1 };

/* The fast search says what one memmem() a literal says, however wide it is. */
START_TEST(the_filter_agrees_with_a_plain_search)
{
	static const char	 bits[] = "MOVED redis Connection is closed cluster ASK slot node ";
	static const char *const words[] = { "MOVED ", "is closed", "cluster ASK", "node slot" };
	struct literals		*l = literals_new();
	unsigned		 seed = 7;
	char			 text[400];
	const char		*hit, *p;
	size_t			 i, want, round;

	anchors_widest = widths[_i];
	for (i = 0; i < 4; i++)
		literals_add(l, words[i]);
	for (round = 0; round < 3000; round++) {
		for (i = 0; i < sizeof text; i++) {
			seed = seed * 1103515245u + 12345u;
			text[i] = (char)((seed >> 16) % 9 != 0 && i > 0 && (p = strchr(bits, text[i - 1])) !=
			    NULL && p[1] != '\0' ? p[1] : bits[(seed >> 20) % (sizeof bits - 1)]);
		}
		if (round % 3 == 0)
			memcpy(text + round % 380, words[round % 4], strlen(words[round % 4]));
		for (i = 0, want = sizeof text; i < 4; i++) {
			hit = memmem(text, sizeof text, words[i], strlen(words[i]));
			if (hit != NULL && (size_t)(hit - text) < want)
				want = (size_t)(hit - text);
		}
		ck_assert_uint_eq(literals_find(l, text, sizeof text), want);
	}
	anchors_widest = widths[0];
	literals_free(l);
}
END_TEST

/* Where what was rare comes all the time, other pieces are searched with. */
START_TEST(the_filter_finds_the_same_in_another_kind_of_log)
{
	struct literals	*l = literals_new();
	size_t		 i, n = 1024 * 1024;
	char		*text = mem_zero(n, 1);

	literals_add(l, "slot map of the cluster");
	literals_add(l, "cluster is down");
	for (i = 0; i < n; i++)
		text[i] = "x of the z\n"[i % 11];
	ck_assert_uint_eq(literals_find(l, text, n), n);
	for (i = 0; i < n; i++)
		text[i] = "map of the clus is slot luster map cluster is \n"[i % 47];
	for (i = 0; i < 32; i++)
		ck_assert_uint_eq(literals_find(l, text, n), n);
	memcpy(text + n - 100, "cluster is down", 15);
	ck_assert_uint_eq(literals_find(l, text, n), n - 100);
	memcpy(text + 47 * 1000, "slot map of the cluster", 23);
	ck_assert_uint_eq(literals_find(l, text, n), 47 * 1000);
	free(text);
	literals_free(l);
}
END_TEST

Suite *
suite_rule(void)
{
	Suite	*s = suite_create("rule");
	TCase	*t = tcase_create("rule");

	tcase_add_test(t, the_filter_lets_every_example_through);
	tcase_add_test(t, the_filter_leaves_ordinary_lines_out);
	tcase_add_test(t, bad_rules_are_refused_with_a_reason);
	tcase_add_test(t, groups_say_what_a_match_holds);
	tcase_add_test(t, runaway_backtracking_is_given_up_and_named);
	tcase_add_test(t, literals_are_what_each_match_must_hold);
	tcase_add_test(t, many_literals_are_found_wherever_they_stand);
	tcase_add_loop_test(t, the_filter_agrees_with_a_plain_search, 0,
	    (int)(sizeof widths / sizeof widths[0]));
	tcase_add_test(t, the_filter_finds_the_same_in_another_kind_of_log);
	suite_add_tcase(s, t);
	return (s);
}
