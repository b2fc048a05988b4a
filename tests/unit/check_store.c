/* check_store.c - what observations become in the file. */
#include <check.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/edit.h"
#include "store/rotation.h"
#include "store/store.h"

Suite	*suite_store(void);

static struct store	*store;
static char		 path[] = "check-store-XXXXXX";

static void
setup(void)
{
	struct err	 e = ERR_INIT;
	int		 fd;

	strcpy(path, "check-store-XXXXXX");
	fd = mkstemp(path);
	close(fd);
	store = store_open(path, STORE_CREATE, &e);
	ck_assert_ptr_nonnull(store);
}

static void
teardown(void)
{
	store_close(store);
	unlink(path);
}

/* The first column of the first row as text. */
static const char *
value(const char *sql)
{
	static char	 text[500];
	sqlite3_stmt	*st;

	ck_assert_int_eq(sqlite3_prepare_v2(store_db(store), sql, -1, &st,
	    NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_step(st), SQLITE_ROW);
	snprintf(text, sizeof text, "%s", sqlite3_column_type(st, 0) ==
	    SQLITE_NULL ? "NULL" : (const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	return (text);
}

static void
begin(void)
{
	ck_assert_int_eq(store_begin(store, "test", NULL), 0);
	ck_assert_int_gt(store_source(store, "a.log", "client-log", OBS_NO_TIME,
	    NULL), 0);
}

static void
finish(void)
{
	struct source	 src = { "a.log", "client-log", "read", 7, "00", "00",
	    OBS_NO_TIME, 3, NULL };

	ck_assert_int_eq(store_source_done(store, 0, &src, NULL), 0);
	ck_assert_int_eq(store_commit(store, NULL), 0);
}

static void
put(const struct obs *o)
{
	struct err	 e = ERR_INIT;
	char		 text[600] = "";

	if (store_sink(store)->obs(store_sink(store), o, &e) != 0)
		err_text(&e, text, sizeof text);
	ck_assert_str_eq(text, "");
}

static struct endpoint
endpoint(const char *host, int port)
{
	struct endpoint	 ep = { span_of(host), port };

	return (ep);
}

START_TEST(an_error_takes_its_hops_along)
{
	struct obs_hop	 hops[2];
	struct obs	 o;

	hops[0].asked = endpoint("10.0.0.1", 6379);
	hops[0].target = hops[1].asked = endpoint("10.0.0.2", 6379);
	hops[1].target = endpoint("10.0.0.1", 6379);
	obs_init(&o, OBS_ERROR);
	o.at = 1000;
	o.observer.kind = WHO_CLIENT;
	o.observer.name = span_of("app");
	o.observer.library = span_of("jedis");
	o.where.position = 12;
	o.u.error.slot = 99;
	o.u.error.message = span_of("bad\xff byte");
	o.u.error.hops = hops;
	o.u.error.nhops = 2;
	begin();
	put(&o);
	finish();
	ck_assert_str_eq(value("SELECT group_concat(r.hop || a.host || '>' ||"
	    " t.host || coalesce(r.at, '-') || r.slot || r.code) FROM redirect r"
	    " JOIN endpoint a ON a.endpoint_id = r.asked_id"
	    " JOIN endpoint t ON t.endpoint_id = r.target_id"
	    " JOIN client_error e USING (client_error_id)"),
	    "010.0.0.1>10.0.0.2-99MOVED,110.0.0.2>10.0.0.1-99MOVED");
	ck_assert_str_eq(value("SELECT message || library || slot_basis ||"
	    " coalesce(attempts, 'none') FROM client_error"),
	    "bad\xef\xbf\xbd bytejedisstatednone");
	ck_assert_str_eq(value("SELECT first_at || '/' || precision_us ||"
	    " at_basis || records FROM source"), "1000/1000none3");
}
END_TEST

/* Rows are collected, and each compared with the one that stood in its place:
 * texts of each kind, in places that change from batch to batch and source to
 * source. */
START_TEST(collected_rows_are_what_was_given)
{
	static const char *const contexts[] = { NULL, "", "t1", "just sixteen: 16",
	    "a text of more than sixteen bytes", "bad\xff", "t2" };
	static const int	 slots[] = { OBS_NO_SLOT, 16383, 16384, 0 };
	struct obs_hop		 hop = { endpoint("10.0.0.1", 6379), endpoint_none() };
	struct obs		 o;
	int			 source, i;

	for (source = 0; source < 3; source++) {
		begin();
		for (i = 0; i < 500 + source; i++) {
			obs_init(&o, OBS_ERROR);
			o.observer.kind = WHO_CLIENT;
			o.observer.name = span_of("app");
			o.at = i % 3 == 0 ? OBS_NO_TIME : i;
			o.where.position = i;
			o.u.error.context = span_of(contexts[i % 7]);
			o.u.error.slot = slots[i % 4];
			o.u.error.hops = &hop;
			o.u.error.nhops = i % 5 == 0;
			put(&o);
		}
		finish();
	}
	ck_assert_str_eq(value("SELECT count(*) || ' ' || max(client_error_id) FROM client_error"),
	    "1503 1503");
	ck_assert_str_eq(value("SELECT count(*) FROM client_error WHERE at IS NOT"
	    " CASE WHEN position % 3 > 0 THEN position END OR context IS NOT"
	    " CASE position % 7 WHEN 1 THEN '' WHEN 2 THEN 't1' WHEN 3 THEN 'just sixteen: 16'"
	    " WHEN 4 THEN 'a text of more than sixteen bytes' WHEN 5 THEN 'bad' || char(65533)"
	    " WHEN 6 THEN 't2' END OR slot IS NOT"
	    " CASE position % 4 WHEN 1 THEN 16383 WHEN 3 THEN 0 END"), "0");
	ck_assert_str_eq(value("SELECT count(*) || ' ' || sum(e.position = r.position AND"
	    " e.source_id = r.source_id AND e.context IS r.context AND e.slot IS r.slot)"
	    " FROM redirect r JOIN client_error e USING (client_error_id)"), "302 302");
}
END_TEST

START_TEST(an_observer_is_completed_later)
{
	struct obs	 o;

	obs_init(&o, OBS_SERVER);
	o.observer.node = span_of("0123456789012345678901234567890123456789");
	o.u.server.kind = "server";
	o.u.server.event = "started";
	begin();
	put(&o);
	ck_assert_str_eq(value("SELECT endpoint_id FROM observer"), "NULL");
	o.observer.ep = endpoint("10.0.0.1", 6379);
	o.observer.host = span_of("box");
	put(&o);
	finish();
	ck_assert_str_eq(value("SELECT count(*) || p.host || o.host ||"
	    " (o.name = n.name) FROM observer o JOIN endpoint p"
	    " USING (endpoint_id) JOIN node n USING (node_id)"), "110.0.0.1box1");
}
END_TEST

START_TEST(problems_past_the_limit_are_one_row)
{
	struct locus	 where = { 0, 1, OBS_NO_NUM };
	int		 i;

	begin();
	for (i = 0; i < 1000; i++) {
		where.position = i + 1;
		ck_assert_int_eq(sink_problem(store_sink(store), &where,
		    "malformed", NULL, "line %d", i), 0);
	}
	ck_assert_int_eq(store_problems(store, 0), 1000);
	finish();
	ck_assert_str_eq(value("SELECT count(*) || ' ' || sum(samples) || ' ' ||"
	    " max(samples) FROM problem"), "101 1000 900");
	ck_assert_str_eq(value("SELECT problems FROM source"), "1000");
}
END_TEST

START_TEST(rolled_back_names_are_interned_anew)
{
	struct obs	 o;

	obs_init(&o, OBS_CONTACT);
	o.observer.name = span_of("app");
	o.observer.kind = WHO_CLIENT;
	o.u.contact.ep = endpoint("10.0.0.1", 6379);
	begin();
	put(&o);
	store_rollback(store);
	ck_assert_str_eq(value("SELECT count(*) FROM endpoint"), "0");
	begin();
	put(&o);
	finish();
	ck_assert_str_eq(value("SELECT count(*) FROM contact JOIN endpoint"
	    " USING (endpoint_id) JOIN observer USING (observer_id)"), "1");
	ck_assert_str_eq(value("SELECT count(*) FROM pragma_foreign_key_check"),
	    "0");
}
END_TEST

START_TEST(a_contact_without_endpoint_is_a_problem)
{
	struct obs	 o;

	obs_init(&o, OBS_CONTACT);
	begin();
	put(&o);
	ck_assert_int_eq(store_problems(store, 0), 1);
	ck_assert_int_eq(store_damage(store, 0), 0);
	finish();
}
END_TEST

START_TEST(a_newer_schema_is_refused)
{
	struct err	 e = ERR_INIT;
	char		 text[600];

	ck_assert_int_eq(store_exec(store, "PRAGMA user_version=99", &e), 0);
	ck_assert_ptr_null(store_open(path, STORE_READ, &e));
	err_text(&e, text, sizeof text);
	ck_assert_ptr_nonnull(strstr(text, "newer slotrace (schema 99"));
}
END_TEST

START_TEST(settings_and_limits_are_told_apart)
{
	struct err	 e = ERR_INIT;

	ck_assert_int_eq(edit_set(store, "test", "cluster-node-timeout", "5000",
	    &e), 0);
	ck_assert_int_eq(edit_set(store, "test", "cluster-node-timeout", "6000",
	    &e), 0);
	ck_assert_int_eq(edit_set(store, "test", "storm_floor", "50", &e), 0);
	ck_assert_int_eq(edit_set(store, "test", "storm_floor", "x", &e), -1);
	ck_assert_str_eq(value("SELECT group_concat(value || basis)"
	    " FROM setting"), "6000declared");
	ck_assert_str_eq(value("SELECT value FROM parameter WHERE"
	    " name='storm_floor'"), "50");
}
END_TEST

START_TEST(forgetting_leaves_nothing)
{
	struct obs	 o;

	obs_init(&o, OBS_CONTACT);
	o.u.contact.ep = endpoint("10.0.0.1", 6379);
	begin();
	put(&o);
	finish();
	ck_assert_int_eq(edit_forget(store, "b.log", NULL), 0);
	ck_assert_int_eq(edit_forget(store, "a.log", NULL), 1);
	ck_assert_str_eq(value("SELECT (SELECT count(*) FROM source) +"
	    " (SELECT count(*) FROM contact) + (SELECT count(*) FROM endpoint) +"
	    " (SELECT count(*) FROM observer)"), "0");
}
END_TEST

static const struct {
	const char	*a, *b;
	int		 same;
} rotations[] = {
	{ "d/trace.pcap", "d/trace.pcap1", 1 },
	{ "d/trace.pcap00", "d/trace.pcap01", 1 },
	{ "d/t-20261130-010203.pcap", "d/t-20261130-020203.pcap", 1 },
	{ "d/t_00001_20261130010203.pcapng", "d/t_00002_20261130010303.pcapng", 1 },
	{ "d/t.2026-11-30T01:02:03.pcap", "d/t.2026-11-30T01:12:03.pcap", 1 },
	{ "d/trace.pcap1.gz", "d/trace.pcap2.gz", 1 },
	{ "d/n1.pcap", "d/n2.pcap", 0 },
	{ "d/node-7001.pcap", "d/node-7002.pcap", 0 },
	{ "d/10.0.0.1.pcap", "d/10.0.0.2.pcap", 0 },
	{ "a/trace.pcap1", "b/trace.pcap2", 0 },
};

START_TEST(rotated_names_have_one_key)
{
	struct buf	 a = { 0 }, b = { 0 };

	rotation_key(&a, rotations[_i].a);
	rotation_key(&b, rotations[_i].b);
	ck_assert_msg((strcmp(buf_cstr(&a), buf_cstr(&b)) == 0) ==
	    rotations[_i].same, "%s and %s: %s, %s", rotations[_i].a,
	    rotations[_i].b, a.p, b.p);
	buf_free(&a);
	buf_free(&b);
}
END_TEST

START_TEST(a_message_is_cut_at_a_thousand_bytes)
{
	char		 text[1002];
	struct obs	 o;
	size_t		 n;

	memset(text, 'x', sizeof text);
	begin();
	for (n = 1000; n <= 1001; n++) {
		obs_init(&o, OBS_ERROR);
		o.observer.kind = WHO_CLIENT;
		o.observer.name = span_of("app");
		o.u.error.message = span_make(text, n);
		put(&o);
	}
	finish();
	ck_assert_str_eq(value("SELECT group_concat(length(message)) FROM"
	    " client_error"), "1000,1000");
}
END_TEST

/*
 * Growth of a merge: steps of SQLite's virtual machine, which depend on no clock.
 */
enum { SHARDS = 200, FEW = 20 };

static int
add_steps(unsigned what, void *arg, void *st, void *ns)
{
	(void)what, (void)ns;
	*(int64_t *)arg += sqlite3_stmt_status(st, SQLITE_STMTSTATUS_VM_STEP, 1);
	return (0);
}

/* A timeline of one incident of its own, with two sources and some rows. */
static void
make_shard(const char *name, int i)
{
	struct source	 src = { "a.log", "client-log", "read", 7, NULL, NULL,
	    OBS_NO_TIME, 3, NULL };
	struct obs_hop	 hop;
	struct obs	 o;
	char		 incident[20], hex[20];
	int		 k;

	store = store_open(name, STORE_CREATE, NULL);
	ck_assert_ptr_nonnull(store);
	store_exec(store, "PRAGMA synchronous=OFF", NULL);
	snprintf(incident, sizeof incident, "i%05d", i);
	for (k = 0; k < 2; k++) {
		snprintf(hex, sizeof hex, "%d-%d", i, k);
		src.xxh3 = src.head = hex;
		ck_assert_int_eq(store_begin(store, incident, NULL), 0);
		ck_assert_int_gt(store_source(store, "a.log", "client-log",
		    OBS_NO_TIME, NULL), 0);
		hop.asked = endpoint("10.0.0.1", 6379);
		hop.target = endpoint("10.0.0.2", 6379 + k);
		obs_init(&o, OBS_ERROR);
		o.at = 1000;
		o.observer.kind = WHO_CLIENT;
		o.observer.name = span_of("app");
		o.u.error.message = span_of("MOVED");
		o.u.error.hops = &hop;
		o.u.error.nhops = 1;
		put(&o);
		obs_init(&o, OBS_CONTACT);
		o.at = 2000;
		o.observer.kind = WHO_CLIENT;
		o.observer.name = span_of("app");
		o.u.contact.ep = hop.target;
		put(&o);
		ck_assert_int_eq(store_source_done(store, 0, &src, NULL), 0);
		ck_assert_int_eq(store_commit(store, NULL), 0);
	}
	store_close(store);
}

START_TEST(merging_one_more_costs_as_much_as_the_first)
{
	struct store	*all = store;
	struct err	 e = ERR_INIT;
	char		 shard[] = "check-shard-XXXXXX";
	int64_t		 steps[SHARDS], first = 0, last = 0;
	int		 i;

	close(mkstemp(shard));
	store_exec(all, "PRAGMA synchronous=OFF", NULL);
	for (i = 0; i < SHARDS; i++) {
		unlink(shard);
		make_shard(shard, i);
		steps[i] = 0;
		sqlite3_trace_v2(store_db(all), SQLITE_TRACE_PROFILE, add_steps,
		    &steps[i]);
		ck_assert_int_ge(edit_merge(all, shard, &e), 0);
		sqlite3_trace_v2(store_db(all), 0, NULL, NULL);
		first += i < FEW ? steps[i] : 0;
		last += i >= SHARDS - FEW ? steps[i] : 0;
	}
	unlink(shard);
	store = all;
	ck_assert_str_eq(value("SELECT count(*) || ' ' || (SELECT count(*) FROM"
	    " client_error) FROM source"), "400 400");
	ck_assert_int_gt(first, FEW * 100);
	ck_assert_msg(last < first * 21 / 20, "%d merges took %lld steps, the last"
	    " %d %lld", FEW, (long long)first, FEW, (long long)last);
}
END_TEST

Suite *
suite_store(void)
{
	Suite	*s = suite_create("store");
	TCase	*t = tcase_create("store");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, an_error_takes_its_hops_along);
	tcase_add_test(t, collected_rows_are_what_was_given);
	tcase_add_test(t, an_observer_is_completed_later);
	tcase_add_test(t, problems_past_the_limit_are_one_row);
	tcase_add_test(t, rolled_back_names_are_interned_anew);
	tcase_add_test(t, a_contact_without_endpoint_is_a_problem);
	tcase_add_test(t, a_newer_schema_is_refused);
	tcase_add_test(t, settings_and_limits_are_told_apart);
	tcase_add_test(t, forgetting_leaves_nothing);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, a_message_is_cut_at_a_thousand_bytes);
	tcase_add_test(t, merging_one_more_costs_as_much_as_the_first);
	suite_add_tcase(s, t);
	t = tcase_create("rotation");
	tcase_add_loop_test(t, rotated_names_have_one_key, 0,
	    sizeof rotations / sizeof *rotations);
	suite_add_tcase(s, t);
	return (s);
}
