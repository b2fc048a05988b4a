/*
 * check_window.c - windows of the smallest incidents that show how one opens
 * and closes.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

Suite	*suite_window(void);

#define BASE INT64_C(1796000000000000)

static const int	 epochs[NODES] = { 1, 7, 3, 4, 5, 6 };
static struct world	 w;

static void
setup(void)
{
	world_init(&w, BASE, 1);
	world_incident(&w, "x", epochs);
}

static void
teardown(void)
{
	world_free(&w);
}

static void
says(int who, int owner, int from_ms, int to_ms)
{
	world_dump(&w, who, owner, from_ms * (int64_t)MS, to_ms * (int64_t)MS);
}

static void
times_out(int who, int from_ms, int to_ms)
{
	world_contact(&w, SAMPLER, who, "read-timeout", from_ms * (int64_t)MS,
	    to_ms * (int64_t)MS);
}

/* The windows, in milliseconds from the base: how they opened and closed. */
static void
are(const char *expected)
{
	sqlite3	*db = world_analyse(&w, 0, NULL, NULL);
	char	*text = world_query(db, "SELECT cause, close_reason,"
		    " (opened_by - 1796000000000000) / 1000,"
		    " (closed_by - 1796000000000000) / 1000,"
		    " (converged_by - 1796000000000000) / 1000"
		    " FROM divergence_window ORDER BY window_id");

	ck_assert_str_eq(text, expected);
	free(text);
	sqlite3_close(db);
}

/* In this world every node is a master all the time: the cause is SETSLOT.
 * Node 1 takes over at 100, node 2 hears of it at 150, node 0 at 300. */
START_TEST(the_old_owner_yields)
{
	says(0, 0, -900, 299);
	says(0, 1, 300, 900);
	says(1, 0, -900, 99);
	says(1, 1, 100, 900);
	says(2, 0, -900, 149);
	says(2, 1, 150, 900);
	are("setslot|old-owner-yielded|100|300|300\n");
}
END_TEST

/* Every other slot of two hundred: what all views name alike is judged once, and
 * the window says each of its slots. */
START_TEST(slots_of_two_masters_in_turn)
{
	sqlite3	*db;
	char	*text;

	w.pieces = 200;
	says(0, 0, -900, 299);
	says(0, 1, 300, 900);
	says(1, 0, -900, 99);
	says(1, 1, 100, 900);
	says(2, 0, -900, 149);
	says(2, 1, 150, 900);
	world_error(&w, 200 * (int64_t)MS, NULL, 0);
	are("setslot|old-owner-yielded|100|300|300\n");
	db = world_analyse(&w, 0, NULL, NULL);
	text = world_query(db, "SELECT count(*), sum(slot_from = slot_to AND slot_from % 2 = 0),"
	    " sum(slot_from = 200 AND slot_to = 8191) FROM window_segment");
	ck_assert_str_eq(text, "101|100|1\n");
	free(text);
	text = world_query(db, "SELECT count(*) FROM seg_live;");
	ck_assert_str_eq(text, "1\n");
	free(text);
	text = world_query(db, "SELECT window_id, views > 1 FROM verdict");
	ck_assert_str_eq(text, "1|1\n");
	free(text);
	sqlite3_close(db);
}
END_TEST

/* The same, but the claim is dead when node 0 hears of it: still its window. */
START_TEST(the_claimant_dies_before_all_have_heard)
{
	says(0, 0, -900, 299);
	says(0, 1, 300, 900);
	says(1, 0, -900, 99);
	says(1, 1, 100, 200);
	world_contact(&w, SAMPLER, 1, "refused", 220 * MS, 900 * MS);
	says(2, 0, -900, 149);
	says(2, 1, 150, 900);
	are("setslot|old-owner-yielded|100|300|300\n");
}
END_TEST

/* Node 0 is stopped when node 1 claims, and still claims when it goes on. */
START_TEST(a_stopped_owner_comes_back)
{
	says(0, 0, -900, -500);
	times_out(0, -480, 3900);
	says(0, 0, 4000, 4040);
	says(0, 1, 4050, 5000);
	says(1, 0, -900, 99);
	says(1, 1, 100, 5000);
	says(2, 0, -900, 149);
	says(2, 1, 150, 5000);
	are("setslot|old-owner-unreachable|100|150|150\n"
	    "stale-return|old-owner-yielded|4000|4050|4050\n");
}
END_TEST

/* The same, and its headers before and after are folded into one span. */
START_TEST(a_silence_inside_a_span)
{
	world_span(&w, 0, 0, -900 * MS, 4040 * MS, 4500 * MS);
	times_out(0, -480, 3900);
	says(0, 1, 4050, 5000);
	says(1, 0, -900, 99);
	says(1, 1, 100, 5000);
	says(2, 0, -900, 149);
	says(2, 1, 150, 5000);
	are("setslot|old-owner-unreachable|100|150|150\n"
	    "stale-return|old-owner-yielded|4040|4050|4050\n");
}
END_TEST

/* A dead owner begins anew with its old slots, and a sample asks it just then:
 * the first window was over. */
START_TEST(a_sample_of_a_stale_return)
{
	says(0, 0, -900, -500);
	world_contact(&w, SAMPLER, 0, "refused", -480 * MS, 3980 * MS);
	world_event(&w, 0, "server", "started", 3990 * MS);
	says(0, 0, 4000, 4000);
	world_slow(&w, 0, 4000 * MS, 10 * MS);
	says(0, 1, 4050, 5000);
	says(1, 0, -900, 99);
	says(1, 1, 100, 5000);
	says(2, 0, -900, 149);
	says(2, 1, 150, 5000);
	are("setslot|old-owner-unreachable|100|150|150\n"
	    "stale-return|old-owner-yielded|4010|4050|4050\n");
}
END_TEST

/* It never does: what it last said is no view of the time after. */
START_TEST(a_stopped_owner_stays_away)
{
	says(0, 0, -900, -500);
	times_out(0, -480, 5000);
	says(1, 0, -900, 99);
	says(1, 1, 100, 5000);
	says(2, 0, -900, 149);
	says(2, 1, 150, 5000);
	are("setslot|old-owner-unreachable|100|150|150\n");
}
END_TEST

/* SETSLOT on node 0 alone: it names another that does not claim. */
START_TEST(an_owner_gives_up_what_nobody_takes)
{
	says(0, 0, -900, 99);
	says(0, 2, 100, 900);
	says(1, 0, -900, 900);
	says(2, 0, -900, 900);
	are("setslot|still-open|100|-|-\n");
}
END_TEST

/* The same, and the other takes it seconds later: it opened when it was given. */
START_TEST(what_was_given_up_is_taken_later)
{
	says(0, 0, -900, 99);
	says(0, 2, 150, 5000);
	says(1, 0, -900, 3099);
	says(1, 2, 3100, 5000);
	says(2, 0, -900, 2999);
	says(2, 2, 3000, 5000);
	are("setslot|old-owner-yielded|150|3000|3100\n");
}
END_TEST

/* A dump of nobody knows whom, seconds after all have agreed. */
START_TEST(an_unnamed_dump_is_no_late_node)
{
	says(0, 0, -900, 299);
	says(0, 1, 300, 900);
	says(1, 0, -900, 99);
	says(1, 1, 100, 900);
	world_unnamed(&w, 1, 5000 * MS);
	are("setslot|old-owner-yielded|100|300|300\n");
}
END_TEST

Suite *
suite_window(void)
{
	Suite	*s = suite_create("window");
	TCase	*t = tcase_create("window");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, the_old_owner_yields);
	tcase_add_test(t, slots_of_two_masters_in_turn);
	tcase_add_test(t, the_claimant_dies_before_all_have_heard);
	tcase_add_test(t, a_stopped_owner_comes_back);
	tcase_add_test(t, a_sample_of_a_stale_return);
	tcase_add_test(t, a_silence_inside_a_span);
	tcase_add_test(t, a_stopped_owner_stays_away);
	tcase_add_test(t, an_owner_gives_up_what_nobody_takes);
	tcase_add_test(t, what_was_given_up_is_taken_later);
	tcase_add_test(t, an_unnamed_dump_is_no_late_node);
	suite_add_tcase(s, t);
	return (s);
}
