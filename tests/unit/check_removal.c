/*
 * check_removal.c - evidence taken away from incidents whose truth is known:
 * a verdict may become undetermined, and never another class.
 *
 * Evidence goes whole, as it does in practice: all that one node said, all of
 * one party's contacts, all redirects of the log.  Single redirects are not
 * taken: a chain with a hole tells another story than none.  SLOTRACE_SEED
 * takes other parts away.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

Suite	*suite_removal(void);

#define BASE INT64_C(1796000000000000)

enum { VIEWS = 1, CONTACTS = VIEWS + NODES, CHAIN = CONTACTS + CLIENTS + 1, GROUPS };
enum { LONG = 20 * SECOND };		/* how far the evidence reaches */

static struct world	 w;

/* Rows to come are this evidence of the incident. */
static void
evidence(int what)
{
	w.group = (int)w.incident * GROUPS + what;
}

/* Asked each 50 ms, `who` names `before` until about `since`, then `owner`. */
static void
changes(unsigned long *r, int who, int before, int owner, int64_t since)
{
	int64_t	 last = since - (int64_t)random_below(r, 50 * MS);

	evidence(VIEWS + who);
	world_dump(&w, who, before, -LONG, last);
	world_dump(&w, who, owner, last + 50 * MS, LONG);
}

static void
stays(int who, int owner)
{
	evidence(VIEWS + who);
	world_dump(&w, who, owner, -LONG, LONG);
}

static void
contact(int party, int k, const char *outcome, int64_t from, int64_t to)
{
	evidence(CONTACTS + party);
	world_contact(&w, party, k, outcome, from, to);
}

/* The sampler reaches every node but one, other clients some of them. */
static void
all_well(unsigned long *r, int except)
{
	int	 k;

	for (k = 0; k < NODES; k++) {
		if (k == except)
			continue;
		contact(SAMPLER, k, "ok", -LONG, LONG);
		if (random_below(r, 2))
			contact(2, k, "ok", -2 * SECOND, 2 * SECOND);
		if (random_below(r, 3) == 0)
			contact(0, k, "ok", -SECOND, -700 * MS);
	}
}

static void
moved(int asked, int target, int64_t at)
{
	evidence(CHAIN);
	world_moved(&w, 0, asked, target, at);
}

/* Node 1 took over from node 0; node 2 does not know yet, node 0 perhaps. */
static void
spurious(unsigned long *r)
{
	int	 known = (int)random_below(r, 2);

	changes(r, 1, 0, 1, -400 * MS);
	changes(r, 0, 0, 1, known ? -200 * MS : 300 * MS);
	changes(r, 2, 0, 1, 400 * MS);
	changes(r, 3, 0, 1, -100 * MS);
	changes(r, 4, 0, 1, 100 * MS);
	changes(r, NODES - 1, 0, 1, 200 * MS);
	all_well(r, NOBODY);
	if (known) {
		moved(2, 0, -30 * MS);
		moved(0, 1, -20 * MS);
	} else {
		moved(3, 1, -30 * MS);
		moved(2, 0, -20 * MS);
	}
}

/* Node 0 died some seconds ago, and nobody has taken over yet. */
static void
genuine(unsigned long *r)
{
	int64_t	 death = -(int64_t)(1 + random_below(r, 4)) * SECOND;
	int	 k;

	evidence(VIEWS);
	world_dump(&w, 0, 0, -LONG, death);
	for (k = 1; k < NODES; k++)
		stays(k, 0);
	all_well(r, 0);
	contact(SAMPLER, 0, "ok", -LONG, death - 20 * MS);
	contact(SAMPLER, 0, "refused", death + 20 * MS, LONG);
	contact(0, 0, "refused", -100 * MS, -99 * MS);
	contact(2, 0, "refused", -100 * MS, -50 * MS);
	moved(2, 0, -60 * MS);
	moved(1, 0, -30 * MS);
}

/* Nothing ever happened, and the client goes in circles. */
static void
corruption(unsigned long *r)
{
	int	 k;

	for (k = 0; k < NODES; k++)
		stays(k, 0);
	all_well(r, NOBODY);
	moved(1, 0, -40 * MS);
	moved(2, 0, -20 * MS);
}

static const struct {
	const char	*name;
	void		(*put)(unsigned long *r);
} truths[] = {
	{ "spurious", spurious }, { "genuine", genuine }, { "corruption", corruption },
};
enum { TRUTHS = sizeof truths / sizeof *truths, EACH = 200 };

/* Incidents are named by their truth and a number. */
static void
put_all(void)
{
	static const int	 epoch[NODES] = { 1, 9, 3, 4, 5, 6 };
	unsigned long		 r = 5;
	char			*name;
	int			 i;

	world_init(&w, BASE, 1);
	for (i = 0; i < TRUTHS * EACH; i++) {
		name = sqlite3_mprintf("%s-%03d", truths[i % TRUTHS].name, i);
		world_incident(&w, name, epoch);
		truths[i % TRUTHS].put(&r);
		w.group = 0;
		world_error(&w, 0, NULL, 0);
		sqlite3_free(name);
	}
}

/* A third of all evidence. */
static int
taken(void *arg, int group)
{
	unsigned long	 r = *(unsigned long *)arg + (unsigned long)group * 7919;

	random_below(&r, 3);
	return (random_below(&r, 3) == 0);
}

START_TEST(all_evidence_tells_the_truth)
{
	sqlite3	*db;
	char	*text;

	put_all();
	db = world_analyse(&w, 0, NULL, NULL);
	text = world_query(db, "SELECT incident, rule, verdict, reason FROM verdict"
	    " WHERE incident NOT LIKE verdict || '-%'");
	ck_assert_str_eq(text, "");
	free(text);
	sqlite3_close(db);
	world_free(&w);
}
END_TEST

START_TEST(less_evidence_never_tells_another)
{
	const char	*more = getenv("SLOTRACE_SEED");
	unsigned long	 seed = (unsigned long)_i + 1 +
			     (more ? strtoul(more, NULL, 10) * 1000 : 0);
	sqlite3		*db;
	char		*text;

	put_all();
	db = world_analyse(&w, 0, taken, &seed);
	text = world_query(db, "SELECT incident, rule, verdict, reason FROM verdict"
	    " WHERE incident NOT LIKE verdict || '-%' AND verdict <> 'undetermined'");
	ck_assert_str_eq(text, "");
	free(text);
	/* and it does not simply give up */
	text = world_query(db, "SELECT sum(verdict <> 'undetermined') * 5 >="
	    " count(*) FROM verdict");
	ck_assert_str_eq(text, "1\n");
	free(text);
	sqlite3_close(db);
	world_free(&w);
}
END_TEST

Suite *
suite_removal(void)
{
	Suite	*s = suite_create("removal");
	TCase	*t = tcase_create("removal");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, all_evidence_tells_the_truth);
	tcase_add_loop_test(t, less_evidence_never_tells_another, 0, 3);
	suite_add_tcase(s, t);
	return (s);
}
