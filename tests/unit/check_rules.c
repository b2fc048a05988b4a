/*
 * check_rules.c - each rule of the verdict on the smallest incident that shows
 * it.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

Suite	*suite_rules(void);

#define BASE INT64_C(1796000000000000)

static const int	 epochs[NODES] = { 1, 2, 3, 4, 5, 6 };
static struct world	 w;

static void
setup(void)
{
	world_init(&w, BASE, 1);
	world_incident(&w, "x", epochs);
	/* Long ago somebody said who lives where: no view any more. */
	world_dump(&w, NODES - 1, 0, -3600 * (int64_t)SECOND, -3600 * (int64_t)SECOND);
}

static void
teardown(void)
{
	world_free(&w);
}

/* The one error of the world: rule, verdict and fault. */
static void
is(const char *expected)
{
	sqlite3	*db = world_analyse(&w, 0, NULL, NULL);
	char	*text = world_query(db, "SELECT rule || ' ' || verdict || ' ' ||"
		    " fault FROM verdict");

	text[strcspn(text, "\n")] = '\0';
	ck_assert_str_eq(text, expected);
	free(text);
	sqlite3_close(db);
}

/* Over a second on both sides of the raise. */
static void
says(int who, int owner)
{
	world_dump(&w, who, owner, -SECOND, SECOND);
}

static void
contact(int client, int k, const char *outcome, int from_ms, int to_ms)
{
	world_contact(&w, client, k, outcome, from_ms * (int64_t)MS,
	    to_ms * (int64_t)MS);
}

static void
reachable(int k)
{
	contact(SAMPLER, k, "ok", -1000, 1000);
}

/* Everybody asked names node 0, which is well. */
static void
agreed(void)
{
	says(0, 0);
	says(1, 0);
	says(2, 0);
	says(NODES - 1, 0);	/* owns the other half of the slots */
	reachable(0);
}

static void
cycle(void)
{
	world_moved(&w, 0, 1, 0, -60 * MS);
	world_moved(&w, 0, 2, 0, -30 * MS);
}

START_TEST(without_any_view)
{
	reachable(0);
	world_error(&w, 0, NULL, 0);
	is("1 undetermined unknown");
}
END_TEST

START_TEST(all_agree_and_the_client_goes_in_circles)
{
	agreed();
	cycle();
	world_error(&w, 0, NULL, 0);
	is("6 corruption slot-map-corruption");
}
END_TEST

START_TEST(they_disagree_and_the_higher_epoch_is_reachable)
{
	says(0, 0);
	says(1, 1);
	says(2, 0);
	reachable(0);
	reachable(1);
	world_error(&w, 0, NULL, 0);
	is("4 spurious slot-ownership-divergence");
}
END_TEST

START_TEST(they_disagree_and_the_higher_epoch_is_unreachable)
{
	says(0, 0);
	says(1, 1);
	reachable(0);
	contact(0, 1, "refused", -90, -80);
	world_error(&w, 0, NULL, 0);
	is("2 genuine claimant-down");
}
END_TEST

START_TEST(equal_epochs)
{
	static const int	 equal[NODES] = { 7, 7, 3, 4, 5, 6 };

	world_incident(&w, "y", equal);
	says(0, 0);
	says(1, 1);
	reachable(0);
	reachable(1);
	world_error(&w, 0, NULL, 0);
	is("collision undetermined unknown");
}
END_TEST

START_TEST(unreachable_for_this_client_alone)
{
	says(0, 0);
	says(1, 1);
	contact(0, 1, "connect-timeout", -500, -10);
	contact(2, 1, "ok", -100, -90);
	world_error(&w, 0, NULL, 0);
	is("2 genuine network-partition");
}
END_TEST

START_TEST(a_dead_owner_that_all_still_name)
{
	says(1, 0);
	says(2, 0);
	contact(0, 0, "refused", -90, -80);
	world_error(&w, 0, NULL, 0);
	is("2 genuine owner-down");
}
END_TEST

START_TEST(an_owner_that_failed_inside_the_episode)
{
	says(0, 0);
	says(1, 0);
	contact(0, 0, "refused", -150, -140);
	contact(0, 0, "ok", -40, -30);
	cycle();
	world_moved(&w, 0, 1, 0, -160 * MS);
	world_error(&w, 0, NULL, 0);
	is("2a genuine owner-down");
}
END_TEST

START_TEST(the_last_error_is_clusterdown)
{
	agreed();
	cycle();
	world_error(&w, 0, "CLUSTERDOWN", 0);
	is("2b genuine cluster-down");
}
END_TEST

START_TEST(the_owner_says_that_its_cluster_is_down)
{
	agreed();
	cycle();
	world_bus(&w, 0, -SECOND, SECOND, "fail");
	world_error(&w, 0, NULL, 0);
	is("2b genuine cluster-down");
}
END_TEST

START_TEST(nobody_owns_the_slot)
{
	says(0, NOBODY);
	says(1, NOBODY);
	says(2, NOBODY);
	world_error(&w, 0, NULL, 0);
	is("2b genuine partial-coverage");
}
END_TEST

START_TEST(two_nodes_name_each_other)
{
	says(0, 1);
	says(1, 0);
	says(2, 1);
	reachable(0);
	reachable(1);
	world_moved(&w, 0, 0, 1, -60 * MS);
	world_moved(&w, 0, 1, 0, -30 * MS);
	world_error(&w, 0, NULL, 0);
	is("3 genuine crossed-slots");
}
END_TEST

START_TEST(a_slot_half_moved)
{
	agreed();
	cycle();
	world_capture(&w, "x");
	world_ask(&w, 0, 0, 1, -60 * MS);
	world_sent_back(&w, 0, 1, 0, -50 * MS);
	world_error(&w, 0, NULL, 0);
	is("3 genuine crossed-slots");
}
END_TEST

START_TEST(a_slot_half_moved_by_its_marks)
{
	agreed();
	world_mark(&w, 0, -SECOND, "migrating", 1);
	world_moved(&w, 0, UNSTATED, 0, -30 * MS);
	world_error(&w, 0, NULL, 0);
	is("3 genuine crossed-slots");
}
END_TEST

/* What the client was sent round for is not shown: the slot moves as it should. */
START_TEST(a_slot_on_its_way)
{
	agreed();
	cycle();
	world_mark(&w, 0, -SECOND, "migrating", 1);
	world_mark(&w, 1, -SECOND, "importing", 0);
	world_error(&w, 0, NULL, 0);
	is("6 undetermined unknown");
}
END_TEST

START_TEST(a_slot_half_moved_but_no_ask_in_the_capture)
{
	agreed();
	cycle();
	world_mark(&w, 0, -SECOND, "migrating", 1);
	world_capture(&w, "x");
	world_on_wire(&w, 0, 1, 0, -60 * MS);
	world_on_wire(&w, 0, 2, 0, -30 * MS);
	world_error(&w, 0, NULL, 0);
	is("6 undetermined unknown");
}
END_TEST

START_TEST(an_ask_to_a_node_that_nobody_asked)
{
	says(0, 0);
	says(2, 0);
	says(NODES - 1, 0);
	reachable(0);
	world_capture(&w, "x");
	world_moved(&w, 0, 2, 0, -60 * MS);
	world_on_wire(&w, 0, 2, 0, -60 * MS);
	world_ask(&w, 0, 0, 1, -30 * MS);
	world_error(&w, 0, NULL, 0);
	is("6 undetermined unknown");
}
END_TEST

START_TEST(an_unknown_slot_while_one_is_half_moved)
{
	agreed();
	world_mark(&w, 0, -SECOND, "migrating", 1);
	world_slotless(&w, 0, 1);
	is("7 undetermined unknown");
}
END_TEST

START_TEST(two_nodes_name_each_other_and_a_third_was_not_asked)
{
	says(0, 1);
	says(1, 0);
	reachable(0);
	reachable(1);
	world_error(&w, 0, NULL, 0);
	is("3 undetermined crossed-slots");
}
END_TEST

START_TEST(they_disagree_and_no_contact_is_seen)
{
	says(0, 0);
	says(1, 1);
	world_error(&w, 0, NULL, 0);
	is("5 undetermined slot-ownership-divergence");
}
END_TEST

START_TEST(a_paused_owner_is_slow_not_down)
{
	agreed();
	cycle();
	world_event(&w, 0, "pause", "writes-paused", -200 * MS);
	contact(0, 0, "read-timeout", -180, -20);
	world_error(&w, 0, NULL, 0);
	is("5a spurious failover-pause");
}
END_TEST

START_TEST(one_observer_never_agrees_with_itself)
{
	says(0, 0);
	reachable(0);
	world_moved(&w, 0, UNSTATED, 0, -30 * MS);
	world_error(&w, 0, NULL, 0);
	is("6 undetermined unknown");
}
END_TEST

START_TEST(a_node_of_the_chain_was_never_asked)
{
	says(0, 0);
	says(2, 0);
	says(NODES - 1, 0);
	reachable(0);
	world_moved(&w, 0, UNSTATED, 1, -30 * MS);
	world_error(&w, 0, NULL, 0);
	is("6 undetermined unknown");
}
END_TEST

START_TEST(all_agree_and_a_timer_ran_out)
{
	agreed();
	world_error(&w, 0, NULL, 1);
	is("7 spurious unknown");
}
END_TEST

START_TEST(all_agree_and_no_redirect_is_seen)
{
	agreed();
	world_error(&w, 0, NULL, 0);
	is("7 undetermined unknown");
}
END_TEST

START_TEST(a_node_redirects_to_its_own_address)
{
	agreed();
	world_moved(&w, 0, 0, 0, -60 * MS);
	world_error(&w, 0, NULL, 0);
	is("6 corruption address-alias");
}
END_TEST

START_TEST(one_observer_that_changed_its_mind)
{
	world_dump(&w, 1, 0, -SECOND, -50 * MS);
	world_dump(&w, 1, 1, -40 * MS, SECOND);
	reachable(0);
	reachable(1);
	world_error(&w, 0, NULL, 0);
	is("4 undetermined slot-ownership-divergence");
}
END_TEST

/* SETSLOT on one node: the other had its epoch long before and may disown it. */
START_TEST(a_named_owner_whose_epoch_is_no_news)
{
	world_dump(&w, 0, 0, -SECOND, -500 * MS);
	world_dump(&w, 0, 1, -450 * MS, SECOND);
	says(2, 0);
	reachable(0);
	reachable(1);
	world_error(&w, 0, NULL, 0);
	is("3 undetermined crossed-slots");
}
END_TEST

/* The words of three nodes, but from before they crossed. */
START_TEST(old_words_prove_nothing_of_a_newer_claim)
{
	says(0, 1);
	says(1, 0);
	world_dump(&w, 2, 1, -SECOND, -50 * MS);
	reachable(0);
	reachable(1);
	world_error(&w, 0, NULL, 0);
	is("3 undetermined crossed-slots");
}
END_TEST

START_TEST(a_host_without_contacts_borrows)
{
	says(0, 0);
	says(1, 1);
	contact(2, 1, "ok", -100, -90);
	world_error(&w, 0, NULL, 0);
	is("4 spurious slot-ownership-divergence");
}
END_TEST

/* What it fails to reach answers the other host: the paths differ. */
START_TEST(a_host_does_not_borrow_from_one_that_it_contradicts)
{
	says(0, 0);
	says(1, 1);
	contact(2, 1, "ok", -100, -90);
	contact(2, 3, "ok", -80, -70);
	contact(0, 3, "refused", -80, -70);
	world_error(&w, 0, NULL, 0);
	is("5 undetermined slot-ownership-divergence");
}
END_TEST

START_TEST(an_answer_before_a_silence_is_no_contact_inside_it)
{
	says(0, 0);
	says(1, 1);
	world_contact_span(&w, 0, 1, "ok", -9 * (int64_t)SECOND,
	    9 * (int64_t)SECOND, 4500 * MS);
	contact(0, 1, "refused", -150, -140);
	world_error(&w, 0, NULL, 0);
	is("2 genuine claimant-down");
}
END_TEST

/* Node 0 follows node 1, and a peer has not seen it yet: a master without
 * slots, with the epoch of its master.  That is no claim with this epoch. */
START_TEST(a_former_master_with_the_epoch_of_the_new_one)
{
	world_dump(&w, 0, 0, -3 * (int64_t)SECOND, -2 * (int64_t)SECOND);
	world_follows(&w, 4, 0, 1);
	says(1, 1);
	w.epoch[0] = epochs[1];
	says(3, 1);
	w.epoch[0] = epochs[0];
	world_moved(&w, 0, 2, 0, -60 * MS);
	reachable(0);
	reachable(1);
	world_error(&w, 0, NULL, 0);
	is("4 spurious slot-ownership-divergence");
}
END_TEST

/* Node 1 claimed, was killed, and is where the redirects lead; of those who
 * heard of its claim nobody was asked. */
START_TEST(the_highest_claim_ended_with_its_process)
{
	static const int	 high[NODES] = { 1, 7, 3, 4, 5, 6 };

	world_incident(&w, "y", high);
	world_dump(&w, NODES - 1, 0, -3600 * (int64_t)SECOND, -3600 * (int64_t)SECOND);
	world_dump(&w, 1, 1, -900 * MS, -500 * MS);
	contact(SAMPLER, 1, "refused", -450, 1000);
	world_dump(&w, 0, 0, -SECOND, -300 * MS);
	world_moved(&w, 0, 2, 0, -60 * MS);
	world_moved(&w, 0, 0, 2, -30 * MS);
	reachable(0);
	reachable(2);
	contact(0, 1, "refused", -90, -80);
	world_error(&w, 0, NULL, 0);
	is("2 genuine claimant-down");
}
END_TEST

/* MOVED :0, from a node that knows no address of the owner: not its own claim. */
START_TEST(a_redirect_to_nowhere_is_no_claim)
{
	agreed();
	world_moved_to(&w, 0, 3, "", 0, -60 * MS);
	world_moved(&w, 0, 1, 0, -30 * MS);
	world_error(&w, 0, NULL, 0);
	is("6 undetermined unknown");
}
END_TEST

/* MOVED :port, the same host with another port. */
START_TEST(a_redirect_to_the_same_host)
{
	says(0, 0);
	says(1, 1);
	reachable(0);
	reachable(1);
	world_moved_to(&w, 0, 1, "", 6379, -60 * MS);
	world_error(&w, 0, NULL, 0);
	is("4 spurious slot-ownership-divergence");
}
END_TEST

/* An address that meant two nodes, as a log says, names neither. */
START_TEST(a_redirect_to_an_address_that_changed_hands)
{
	agreed();
	world_address(&w, 3, 4, -400 * MS);
	world_moved(&w, 0, 1, 4, -60 * MS);
	world_moved(&w, 0, 2, 0, -30 * MS);
	world_error(&w, 0, NULL, 0);
	is("6 corruption address-alias");
}
END_TEST

/* One node, two sources, two answers at one time: no clock can be trusted. */
START_TEST(a_node_that_says_two_things_at_once)
{
	says(0, 0);
	says(2, 0);
	reachable(0);
	reachable(1);
	world_moved(&w, 0, 0, 1, -60 * MS);
	world_error(&w, 0, NULL, 0);
	is("4 undetermined slot-ownership-divergence");
}
END_TEST

/* Node 0 follows node 3, which died: its headers carry node 3's epoch, and an old
 * one, late on its way, makes node 2 list it as master with both. */
START_TEST(a_replica_listed_with_its_masters_epoch)
{
	static const int	 high[NODES] = { 7, 2, 3, 7, 5, 6 };

	memcpy(w.epoch, high, sizeof high);
	says(0, 3);
	says(1, 3);
	says(2, 0);
	world_dump(&w, 3, 3, -2 * (int64_t)SECOND, -200 * MS);
	reachable(0);
	contact(0, 3, "refused", -5, -4);
	world_error(&w, 0, NULL, 0);
	is("2 genuine claimant-down");
}
END_TEST

/* A node that is cut off marks all others: it is itself that fails. */
START_TEST(whom_a_node_that_is_cut_off_marks)
{
	says(0, 0);
	says(1, 1);
	world_dump_flags(&w, 2, 0, -SECOND, SECOND, ALL_OTHERS, "master,fail?");
	contact(2, 1, "ok", -30, -20);
	contact(2, 1, "ok", 20, 30);
	world_error(&w, 0, NULL, 0);
	is("4 spurious slot-ownership-divergence");
}
END_TEST

START_TEST(whom_one_of_its_peers_marks)
{
	says(0, 0);
	says(1, 1);
	world_dump_flags(&w, 2, 0, -SECOND, SECOND, 1, "master,fail?");
	contact(2, 1, "ok", -30, -20);
	contact(2, 1, "ok", 20, 30);
	world_error(&w, 0, NULL, 0);
	is("2 genuine claimant-down");
}
END_TEST

/* The peer may mean the other node of that address. */
START_TEST(whom_a_peer_marks_that_shared_an_address)
{
	says(0, 0);
	says(1, 1);
	world_dump_flags(&w, 2, 0, -SECOND, SECOND, 1, "master,fail?");
	world_address(&w, 1, 4, -1800 * (int64_t)SECOND);
	world_error(&w, 0, NULL, 0);
	is("5 undetermined slot-ownership-divergence");
}
END_TEST

/* A capture has the redirects that a log prints, some time away: whose clock is
 * off is not known. */
static void
redirects_on_the_wire(int off_ms)
{
	world_capture(&w, "x");
	agreed();
	world_moved(&w, 0, UNSTATED, 0, -20 * MS);
	world_moved(&w, 0, UNSTATED, 0, -10 * MS);
	world_on_wire(&w, 2, 1, 0, (-20 + off_ms) * (int64_t)MS);
	world_error(&w, 0, NULL, 0);
}

START_TEST(a_log_whose_redirects_a_capture_has_elsewhere)
{
	sqlite3	*db;
	char	*text;

	redirects_on_the_wire(400);
	is("6 undetermined unknown");
	db = world_analyse(&w, 0, NULL, NULL);
	text = world_query(db, "SELECT reason, missing LIKE 'clock%' FROM verdict");
	ck_assert_str_eq(text, "The capture shows the redirects of this log"
	    " 0.375 s away: the clock of one of the two is off.|1\n");
	free(text);
	sqlite3_close(db);
}
END_TEST

START_TEST(a_log_whose_redirects_a_capture_has_too)
{
	redirects_on_the_wire(1);
	world_on_wire(&w, 3, 1, 0, 5 * SECOND);
	is("6 corruption slot-map-corruption");
}
END_TEST

/* Node 1 has an epoch that it had not before: it was promoted.  That its own
 * later dump says otherwise is its clock. */
START_TEST(a_promotion_is_no_crossed_setslot)
{
	static const int	 low[NODES] = { 1, 2, 3, 4, 5, 6 };
	static const int	 high[NODES] = { 1, 9, 3, 4, 5, 6 };

	memcpy(w.epoch, low, sizeof low);
	world_dump(&w, 1, 0, -1800 * (int64_t)SECOND, -1800 * (int64_t)SECOND);
	memcpy(w.epoch, high, sizeof high);
	says(0, 1);
	says(2, 1);
	says(3, 1);
	world_dump(&w, 1, 1, 500 * MS, SECOND);
	memcpy(w.epoch, low, sizeof low);
	world_dump(&w, 1, 0, -SECOND, 450 * MS);
	reachable(0);
	reachable(1);
	world_error(&w, 0, NULL, 0);
	is("4 spurious slot-ownership-divergence");
}
END_TEST

START_TEST(answers_around_a_short_silence)
{
	says(0, 0);
	says(1, 1);
	world_contact_span(&w, 0, 1, "ok", -9 * (int64_t)SECOND,
	    9 * (int64_t)SECOND, 900 * MS);
	world_error(&w, 0, NULL, 0);
	is("4 spurious slot-ownership-divergence");
}
END_TEST

Suite *
suite_rules(void)
{
	Suite	*s = suite_create("rules");
	TCase	*t = tcase_create("rules");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, without_any_view);
	tcase_add_test(t, all_agree_and_the_client_goes_in_circles);
	tcase_add_test(t, they_disagree_and_the_higher_epoch_is_reachable);
	tcase_add_test(t, they_disagree_and_the_higher_epoch_is_unreachable);
	tcase_add_test(t, equal_epochs);
	tcase_add_test(t, unreachable_for_this_client_alone);
	tcase_add_test(t, a_dead_owner_that_all_still_name);
	tcase_add_test(t, an_owner_that_failed_inside_the_episode);
	tcase_add_test(t, the_last_error_is_clusterdown);
	tcase_add_test(t, the_owner_says_that_its_cluster_is_down);
	tcase_add_test(t, nobody_owns_the_slot);
	tcase_add_test(t, two_nodes_name_each_other);
	tcase_add_test(t, a_slot_half_moved);
	tcase_add_test(t, a_slot_half_moved_by_its_marks);
	tcase_add_test(t, a_slot_on_its_way);
	tcase_add_test(t, a_slot_half_moved_but_no_ask_in_the_capture);
	tcase_add_test(t, an_ask_to_a_node_that_nobody_asked);
	tcase_add_test(t, an_unknown_slot_while_one_is_half_moved);
	tcase_add_test(t, two_nodes_name_each_other_and_a_third_was_not_asked);
	tcase_add_test(t, they_disagree_and_no_contact_is_seen);
	tcase_add_test(t, a_paused_owner_is_slow_not_down);
	tcase_add_test(t, one_observer_never_agrees_with_itself);
	tcase_add_test(t, a_node_of_the_chain_was_never_asked);
	tcase_add_test(t, all_agree_and_a_timer_ran_out);
	tcase_add_test(t, all_agree_and_no_redirect_is_seen);
	tcase_add_test(t, a_node_redirects_to_its_own_address);
	tcase_add_test(t, one_observer_that_changed_its_mind);
	tcase_add_test(t, a_named_owner_whose_epoch_is_no_news);
	tcase_add_test(t, old_words_prove_nothing_of_a_newer_claim);
	tcase_add_test(t, a_host_without_contacts_borrows);
	tcase_add_test(t, a_host_does_not_borrow_from_one_that_it_contradicts);
	tcase_add_test(t, an_answer_before_a_silence_is_no_contact_inside_it);
	tcase_add_test(t, a_former_master_with_the_epoch_of_the_new_one);
	tcase_add_test(t, the_highest_claim_ended_with_its_process);
	tcase_add_test(t, a_redirect_to_nowhere_is_no_claim);
	tcase_add_test(t, a_redirect_to_the_same_host);
	tcase_add_test(t, a_redirect_to_an_address_that_changed_hands);
	tcase_add_test(t, a_node_that_says_two_things_at_once);
	tcase_add_test(t, a_replica_listed_with_its_masters_epoch);
	tcase_add_test(t, whom_a_node_that_is_cut_off_marks);
	tcase_add_test(t, whom_one_of_its_peers_marks);
	tcase_add_test(t, whom_a_peer_marks_that_shared_an_address);
	tcase_add_test(t, a_log_whose_redirects_a_capture_has_elsewhere);
	tcase_add_test(t, a_log_whose_redirects_a_capture_has_too);
	tcase_add_test(t, a_promotion_is_no_crossed_setslot);
	tcase_add_test(t, answers_around_a_short_silence);
	suite_add_tcase(s, t);
	return (s);
}
