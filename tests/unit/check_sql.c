/*
 * check_sql.c - the SQL files as such: every statement prepares, a new
 * timeline says what it is, and no step grows faster than its input.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "store/script.h"
#include "store/store.h"
#include "world.h"

Suite	*suite_sql(void);

static int
is_sql(const char *name)
{
	size_t	 n = strlen(name);

	return (n > 4 && strcmp(name + n - 4, ".sql") == 0);
}

static int
is_step(const struct sql_file *f)
{
	return (strncmp(f->name, "sql/", 4) == 0 && f->name[4] >= '1' &&
	    f->name[4] <= '4');
}

static int
line_of(const struct sql_file *f, const char *at)
{
	int		 line = 1;
	const char	*p;

	for (p = f->text; p < at; p++)
		line += *p == '\n';
	return (line);
}

/* The next statement of a file, prepared; NULL at its end. */
static sqlite3_stmt *
next_statement(sqlite3 *db, const struct sql_file *f, const char **at)
{
	sqlite3_stmt	*st = NULL;

	while (st == NULL && **at != '\0')
		ck_assert_msg(sqlite3_prepare_v2(db, *at, -1, &st, at) ==
		    SQLITE_OK, "%s:%d: %s", f->name, line_of(f, *at),
		    sqlite3_errmsg(db));
	return (st);
}

static void
finish(sqlite3 *db, const struct sql_file *f, sqlite3_stmt *st)
{
	int	 r;

	while ((r = sqlite3_step(st)) == SQLITE_ROW)
		;
	ck_assert_msg(r == SQLITE_DONE, "%s: %s: %s", f->name,
	    sqlite3_errmsg(db), sqlite3_sql(st));
	sqlite3_finalize(st);
}

START_TEST(every_statement_prepares_on_an_empty_timeline)
{
	const struct sql_file	*f;
	struct world		 none;
	sqlite3			*db;
	sqlite3_stmt		*st;
	const char		*at;
	int			 n = 0;

	world_init(&none, 0, 1);
	db = world_analyse(&none, 0, NULL, NULL);
	/* What report/scope.c and explain.c make before they run sql/report. */
	ck_assert_int_eq(sqlite3_exec(db, "CREATE TEMP TABLE scope (since INT,"
	    " until INT, slot INT, client TEXT, node TEXT, verdict TEXT,"
	    " incident TEXT, limited INT, error_from INT, error_to INT); CREATE TEMP TABLE error_name"
	    " (error_id INTEGER PRIMARY KEY, name TEXT); CREATE TEMP TABLE"
	    " asked (kind TEXT, id INTEGER)", NULL, NULL, NULL),
	    SQLITE_OK);
	for (f = sql_files; f->name != NULL; f++) {
		/* The schema is there; a merge reads a second timeline. */
		if (!is_sql(f->name) || strncmp(f->name, "sql/schema", 10) == 0 ||
		    strcmp(f->name, "sql/merge.sql") == 0)
			continue;
		for (at = f->text; (st = next_statement(db, f, &at)) != NULL; n++)
			/* Run what makes something for the next statement. */
			if (sqlite3_stmt_readonly(st) &&
			    sqlite3_column_count(st) > 0)
				sqlite3_finalize(st);
			else
				finish(db, f, st);
	}
	ck_assert_int_gt(n, 200);
	sqlite3_close(db);
}
END_TEST

START_TEST(a_new_timeline_says_what_it_is)
{
	char		 path[] = "check-sql-XXXXXX";
	struct err	 e = ERR_INIT;
	struct store	*s;
	char		*text;

	close(mkstemp(path));
	s = store_open(path, STORE_CREATE, &e);
	ck_assert_ptr_nonnull(s);
	text = world_query(store_db(s), "SELECT application_id, user_version,"
	    " encoding FROM pragma_application_id, pragma_user_version,"
	    " pragma_encoding");
	ck_assert_str_eq(text, "1936487538|2|UTF-8\n");		/* "sltr" */
	free(text);
	text = world_query(store_db(s), "SELECT name FROM pragma_table_list"
	    " WHERE schema = 'main' AND type = 'table' AND strict = 0"
	    " AND name NOT LIKE 'sqlite%'");
	ck_assert_str_eq(text, "");
	free(text);
	store_close(s);
	unlink(path);
}
END_TEST

/*
 * Growth: the steps of SQLite's virtual machine, a statement, on a timeline and
 * on one four times as large.  They depend on no clock and no load.
 */

enum { TIMES = 4, STATEMENTS = 900, FEW_STEPS = 40000 };

struct cost {
	const struct sql_file	*file;
	char			 sql[60];	/* its beginning */
	double			 steps, scanned;
};

static const char *
skip_comments(const char *sql)
{
	for (;;) {
		sql += strspn(sql, " \t\n");
		if (strncmp(sql, "--", 2) != 0)
			return (sql);
		sql += strcspn(sql, "\n");
	}
}

static int
costs(const struct world *w, struct cost *c)
{
	const struct sql_file	*f;
	const char		*at;
	sqlite3_stmt		*st;
	sqlite3			*db = world_load(w, 0, NULL, NULL);
	int			 n = 0, r;

	for (f = sql_files; f->name != NULL; f++)
		for (at = f->text; is_step(f) &&
		    (st = next_statement(db, f, &at)) != NULL; n++) {
			while ((r = sqlite3_step(st)) == SQLITE_ROW)
				;
			ck_assert_int_eq(r, SQLITE_DONE);
			ck_assert_int_lt(n, STATEMENTS);
			c[n].file = f;
			snprintf(c[n].sql, sizeof c[n].sql, "%s",
			    skip_comments(sqlite3_sql(st)));
			c[n].steps = sqlite3_stmt_status(st, SQLITE_STMTSTATUS_VM_STEP, 0);
			c[n].scanned = sqlite3_stmt_status(st, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0);
			sqlite3_finalize(st);
		}
	sqlite3_close(db);
	return (n);
}

/* The only statements that may grow faster, by file and what they begin with. */
static const struct {
	const char	*file, *begins, *why;
} faster_ones[] = {
	{ "sql/105-clock-measure.sql", "INSERT INTO clock_pair", "capped at 5,000 pairs a clock" },
	{ "sql/105-clock-measure.sql", "CREATE INDEX temp.clock_pair_i", "the same" },
	{ "sql/105-clock-measure.sql", "CREATE TEMP TABLE clock_edge", "the same" },
	{ "sql/105-clock-measure.sql",
	    "INSERT INTO clock_found\nSELECT unit, offset_us, 2000", "the same" },
	{ "sql/105-clock-measure.sql", "CREATE TEMP TABLE clock_agree", "the same" },
	{ "sql/200-window.sql", "INSERT INTO w1", "compares the claims of one segment" },
	{ "sql/200-window.sql", "INSERT INTO flip", "compares the beliefs of one segment" },
	{ "sql/200-window.sql", "CREATE TEMP TABLE wbound", "the same" },
	{ "sql/200-window.sql", "CREATE TEMP TABLE wcause", "the events around each window" },
	{ "sql/300-episode.sql", "UPDATE ep SET window_id", "the windows of an error's slot" },
};

static int
may_grow(const struct cost *c)
{
	size_t	 i;

	for (i = 0; i < sizeof faster_ones / sizeof *faster_ones; i++)
		if (strcmp(c->file->name, faster_ones[i].file) == 0 &&
		    strncmp(c->sql, faster_ones[i].begins,
		    strlen(faster_ones[i].begins)) == 0)
			return (1);
	return (0);
}

/* At most by this, with an input four times as large. */
static const double evenly = TIMES * 1.7, as_the_square = TIMES * TIMES * 1.2;

static void
grows(void put(struct world *, int), int n, double most)
{
	struct cost	*a = mem_zero(STATEMENTS, sizeof *a);
	struct cost	*b = mem_zero(STATEMENTS, sizeof *b);
	struct world	 small, large;
	int		 i, many, faster = 0;

	world_init(&small, INT64_C(1796000000000000), 1);
	put(&small, n);
	world_init(&large, INT64_C(1796000000000000), 1);
	put(&large, n * TIMES);
	many = costs(&small, a);
	ck_assert_int_eq(costs(&large, b), many);
	for (i = 0; i < many; i++)
		if (b[i].steps > FEW_STEPS && !may_grow(&b[i]) &&
		    b[i].steps > a[i].steps * most) {
			fprintf(stderr, "# %s: %s: %.0f steps became %.0f (rows"
			    " of full scans: %.0f, %.0f)\n", b[i].file->name,
			    b[i].sql, a[i].steps, b[i].steps, a[i].scanned,
			    b[i].scanned);
			faster++;
		}
	ck_assert_msg(faster == 0, "%d statements grow faster than their input",
	    faster);
	world_free(&small);
	world_free(&large);
	free(a);
	free(b);
}

/* Many incidents of one failover each. */
static void
put_incidents(struct world *w, int n)
{
	static const int	 epoch[NODES] = { 1, 9, 3, 4, 5, 6 };
	char			 name[16], setting[24];
	int			 i, k;

	for (i = 0; i < n; i++) {
		snprintf(name, sizeof name, "i%05d", i);
		world_incident(w, name, epoch);
		world_dump(w, 0, 0, -SECOND, -10 * MS);
		world_dump(w, 0, 1, 10 * MS, SECOND);
		for (k = 1; k < NODES; k++)
			world_dump(w, k, 1, -SECOND + k * 100 * MS, SECOND);
		world_contact(w, SAMPLER, 1, "ok", -SECOND, SECOND);
		world_contact(w, SAMPLER, 0, "refused", 2 * SECOND, 3 * SECOND);
		world_event(w, 1, "promotion", "election-won", -SECOND);
		world_event(w, 2, "epoch", "epoch", -SECOND);
		for (k = 0; k < 10; k++) {
			snprintf(setting, sizeof setting, "setting-%d", k);
			world_setting(w, name, setting, "1");
		}
		world_setting(w, name, "cluster-node-timeout", "15000");
		world_moved(w, 0, 2, 1, -30 * MS);
		world_error(w, 0, NULL, 0);
	}
}

/* One incident of many failovers: nodes 0 and 1 take turns, ten seconds each. */
static void
put_failovers(struct world *w, int n)
{
	int	 epoch[NODES] = { 1, 2, 3, 4, 5, 6 };
	int64_t	 t, turn = 10 * SECOND;
	int	 i, k, owner;

	world_incident(w, "long", epoch);
	for (i = 0; i < n; i++) {
		owner = i % 2;
		t = i * turn;
		w->epoch[owner] = 10 + i;
		for (k = 0; k < NODES; k++)
			world_dump(w, k, owner, t + (k == owner ? 0 : (k + 1) *
			    100 * MS), t + turn - 50 * MS + (k == !owner ? 0 :
			    (k + 1) * 100 * MS));
		for (k = 0; k < 20; k++) {
			world_moved(w, k % CLIENTS, 2 + k % 3, owner, t + k * 20 * MS);
			world_contact(w, k % CLIENTS, k % NODES,
			    k % 7 == 0 ? "refused" : "ok", t + k * 300 * MS,
			    t + k * 300 * MS + 10 * MS);
		}
		world_contact(w, SAMPLER, owner, "ok", t, t + turn - 50 * MS);
		world_contact(w, SAMPLER, !owner, "refused", t, t + SECOND);
		world_event(w, owner, "promotion", "election-won", t);
		world_event(w, !owner, "demotion", "demoted", t + 300 * MS);
		for (k = 0; k < 4; k++)
			world_error(w, t + (50 + k * 90) * MS, NULL, 0);
	}
}

/* Hostile ones.  All slots change hands every 200 ms, epochs up and down between
 * nothing and the greatest there is; nobody agrees with anybody for long. */
static void
put_flapping(struct world *w, int n)
{
	int	 epoch[NODES] = { 1, 2, 3, 4, 5, 6 };
	int64_t	 t;
	int	 i, k;

	world_incident(w, "flapping", epoch);
	for (i = 0; i < n; i++) {
		t = (int64_t)i * 200 * MS;
		w->epoch[i % 2] = i % 3 == 0 ? 0 : i % 3 == 1 ? INT32_MAX : i;
		for (k = 0; k < NODES; k++)
			world_dump(w, k, (i + k % 2) % 2, t + k * MS, t + 150 * MS);
		world_moved(w, i % CLIENTS, i % NODES, (i + 1) % NODES, t);
		world_contact(w, i % CLIENTS, i % NODES, i % 2 ? "ok" : "refused", t, t + MS);
		if (i % 4 == 0)
			world_error(w, t + 50 * MS, NULL, 0);
	}
}

/* A multitude of observers that are no nodes, each with a view of its own. */
static void
put_observers(struct world *w, int n)
{
	static const int	 epoch[NODES] = { 1, 9, 3, 4, 5, 6 };
	int			 i;

	world_incident(w, "observers", epoch);
	for (i = 0; i < NODES; i++)
		world_dump(w, i, 0, -SECOND, 5 * SECOND);
	w->next = 1000;			/* past the nodes and clients */
	for (i = 0; i < n; i++)
		world_unnamed(w, i % NODES, (int64_t)i * MS);
	for (i = 0; i < 20; i++)
		world_error(w, (int64_t)i * 50 * MS, NULL, 0);
}

/* Slots of two masters in turn, of which one fails over. */
static void
put_pieces(struct world *w, int n)
{
	static const int	 epoch[NODES] = { 1, 9, 3, 4, 5, 6 };
	int			 k;

	world_incident(w, "pieces", epoch);
	w->pieces = n;
	for (k = 0; k < NODES; k++) {
		world_dump(w, k, 0, -SECOND, k * 100 * MS);
		world_dump(w, k, 1, (k + 1) * 100 * MS, SECOND);
	}
	world_error(w, 50 * MS, NULL, 0);
}

START_TEST(steps_grow_with_the_pieces)
{
	grows(put_pieces, 400, evenly);
}
END_TEST

/* One divergence, and errors, redirects, contacts and addresses without end. */
static void
put_storm(struct world *w, int n)
{
	static const int	 epoch[NODES] = { 1, 9, 3, 4, 5, 6 };
	int64_t			 t;
	int			 i;

	world_incident(w, "storm", epoch);
	for (i = 0; i < NODES; i++)
		world_dump(w, i, i == 1, -SECOND, 100 * SECOND);
	for (i = 0; i < n; i++) {
		t = (int64_t)i * 2 * MS;
		world_moved(w, i % CLIENTS, i % 2, !(i % 2), t);
		world_contact(w, i % CLIENTS, i % NODES, i % 3 ? "ok" : "read-timeout", t, t + MS);
		world_event(w, i % NODES, "fail", "marked", t);
		if (i % 10 == 0)
			world_address(w, i % NODES, (i + 1) % NODES, t);
		world_error(w, t + MS, i % 5 == 0 ? "CLUSTERDOWN" : NULL, 0);
	}
}

/* Beliefs of all that overlap are compared, within seconds of each error. */
START_TEST(steps_grow_with_flapping_at_most_as_its_square)
{
	grows(put_flapping, 60, as_the_square);
}
END_TEST

START_TEST(steps_grow_with_a_storm_at_most_as_its_square)
{
	grows(put_storm, 150, as_the_square);
}
END_TEST

START_TEST(steps_grow_with_the_observers)
{
	grows(put_observers, 100, evenly);
}
END_TEST

START_TEST(steps_grow_with_the_incidents)
{
	grows(put_incidents, 100, evenly);
}
END_TEST

START_TEST(steps_grow_with_the_failovers)
{
	grows(put_failovers, 25, evenly);
}
END_TEST

Suite *
suite_sql(void)
{
	Suite	*s = suite_create("sql");
	TCase	*t = tcase_create("sql");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, every_statement_prepares_on_an_empty_timeline);
	tcase_add_test(t, a_new_timeline_says_what_it_is);
	tcase_add_test(t, steps_grow_with_the_incidents);
	tcase_add_test(t, steps_grow_with_the_failovers);
	tcase_add_test(t, steps_grow_with_the_pieces);
	tcase_add_test(t, steps_grow_with_flapping_at_most_as_its_square);
	tcase_add_test(t, steps_grow_with_the_observers);
	tcase_add_test(t, steps_grow_with_a_storm_at_most_as_its_square);
	suite_add_tcase(s, t);
	return (s);
}
