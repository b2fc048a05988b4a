/*
 * check_limits.c - the table LIMITS of the manual, each at its edge: as much as
 * the limit is taken whole and nothing is told; one more, and it is told.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/walk.h"
#include "base/zone.h"
#include "builtin-rules.h"
#include "format/dump-tree.h"
#include "format/format.h"
#include "format/pcapng.h"
#include "model/slots.h"
#include "model/spans.h"
#include "model/topology.h"
#include "model/topology-part.h"
#include "text/json.h"
#include "text/literal.h"
#include "text/record.h"
#include "text/rule.h"
#include "text/rx.h"
#include "wire/bus.h"
#include "wire/bus-message.h"
#include "wire/bus-view.h"
#include "wire/command.h"
#include "wire/dialog.h"
#include "wire/fragment.h"
#include "wire/party.h"
#include "wire/resp.h"
#include "wire/served.h"
#include "wire/tcp.h"

Suite	*suite_limits(void);

static struct collect	 got;

/* The n-th problem of this code whose reason has this in it; NULL. */
static const struct problem *
told(const char *code, const char *what)
{
	const struct problem	*p;
	size_t			 i;

	for (i = 0; (p = collect_problem(&got, code, i)) != NULL; i++)
		if (strstr(p->reason, what) != NULL)
			return (p);
	return (NULL);
}

static void
decode(const struct format *f, const struct buf *b)
{
	struct input		*in = input_memory(b->p, b->n, "n1", 0);
	struct decode_ctx	 ctx;
	struct err		 e = ERR_INIT;

	memset(&ctx, 0, sizeof ctx);
	ctx.zone_s = OBS_NO_NUM;
	ctx.mtime = OBS_NO_TIME;
	collect_init(&got);
	ck_assert_int_eq(f->decode(in, &ctx, &got.sink, &e), 0);
	ck_assert_int_eq(got.sink.end(&got.sink, &e), 0);
	input_close(in);
}

/* ---- archives ---- */

/* What the manual says; each is tested at its edge, lowered, in archives.sh. */
START_TEST(defaults_of_archives)
{
	struct visit	 v;

	visit_init(&v);
	ck_assert_int_eq(v.budget.limits.depth, 8);
	ck_assert_int_eq(v.budget.limits.members, 1000000);
	ck_assert_int_eq(v.budget.limits.bytes, INT64_C(1) << 40);
	ck_assert_int_eq(v.budget.limits.ratio, 2000);
	ck_assert_int_eq(v.budget.limits.spool, INT64_C(64) << 30);
	visit_done(&v);
}
END_TEST

/* ---- text ---- */

static void
fill(struct buf *b, int c, size_t n)
{
	if (n == 0)
		return;
	buf_need(b, n);
	memset(b->p + b->n, c, n);
	b->n += n;
}

static size_t
first_record(const struct buf *b, int64_t *last_line)
{
	struct input		*in = input_memory(b->p, b->n, "app.log", 0);
	struct decode_ctx	 ctx;
	struct records		*r;
	struct record		 rec;
	size_t			 n;

	memset(&ctx, 0, sizeof ctx);
	ctx.zone_s = OBS_NO_NUM;
	ctx.mtime = OBS_NO_TIME;
	collect_init(&got);
	r = records_open(in, &ctx, &got.sink, NULL, NULL);
	ck_assert_int_eq(records_next(r, &rec, NULL), 1);
	n = rec.text.n;
	*last_line = rec.last_position;
	records_close(r);
	input_close(in);
	return (n);
}

/* A block of 256 KiB may be there already when the limit is looked at. */
START_TEST(a_line_of_a_log)
{
	static const char	 stamp[] = "2026-11-30 01:02:03,456 ERROR ";
	struct buf		 b = { 0 };
	int64_t			 last;
	size_t			 limit = 1 << 20;
	int			 over;

	for (over = 0; over < 2; over++) {
		b.n = 0;
		buf_str(&b, stamp);
		fill(&b, 'x', limit - b.n + (over ? 256 * 1024 + 1 : 0));
		buf_str(&b, "\n");
		ck_assert_uint_eq(first_record(&b, &last), over ? 64 * 1024 :
		    limit);
		ck_assert_int_eq(told("too-long", "is cut") != NULL, over);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

START_TEST(lines_of_a_record)
{
	struct buf	 b = { 0 };
	int64_t		 last;
	int		 i, over;

	for (over = 0; over < 2; over++) {
		b.n = 0;
		buf_str(&b, "2026-11-30 01:02:03,456 ERROR java.lang.E: x\n");
		for (i = 1; i < 2000 + over; i++)
			buf_str(&b, "\tat a.B.c(B.java:1)\n");
		first_record(&b, &last);
		ck_assert_int_eq(last, 2000);
		ck_assert_int_eq(told("too-long", "more than 2,000 lines") != NULL, over);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

START_TEST(servers_in_one_log)
{
	struct buf	 b = { 0 };
	int		 n, i;

	for (n = 64; n <= 65; n++) {
		b.n = 0;
		for (i = 0; i < 2 * n; i++)
			buf_fmt(&b, "%d:M 30 Nov 2026 01:02:0%d.000 # Cluster state"
			    " changed: %s\n", 1000 + i % n, i / n, i < n ? "fail" : "ok");
		decode(&format_server_log, &b);
		ck_assert_int_eq(told("limit", "more than 64 servers") != NULL,
		    n > 64);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

/* The line that passes the limit is taken, none after it. */
START_TEST(bytes_of_a_record)
{
	struct buf	 b = { 0 };
	int64_t		 last;
	size_t		 limit = 256 * 1024, line, n;

	for (line = 1000; line < 1003; line++) {
		b.n = 0;
		buf_str(&b, "2026-11-30 01:02:03,456 ERROR java.lang.E: x\n");
		while (b.n < 2 * limit) {
			buf_str(&b, "\tat a.B.c(B.java:1) ");
			fill(&b, 'x', line);
			buf_str(&b, "\n");
		}
		n = first_record(&b, &last);
		ck_assert_uint_gt(n, limit);
		ck_assert_uint_le(n, limit + line + 22);
		ck_assert_int_eq(last, (int64_t)(limit / (line + 22)) + 2);
		ck_assert_ptr_nonnull(told("too-long", "256 KiB"));
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

/* A journal writes a message with bytes that are not printable as an array, which
 * is one member however long it is. */
START_TEST(members_of_a_json_object)
{
	struct buf	 b = { 0 };
	int64_t		 last;
	size_t		 n;
	int		 i, over;

	for (over = 0; over < 2; over++) {
		b.n = 0;
		buf_str(&b, "{\"time\":\"2026-11-30T01:02:03Z\",\"msg\":\"x\"");
		for (i = 2; i < JSON_MEMBERS + over; i++)
			buf_fmt(&b, ",\"m%d\":1", i);
		buf_str(&b, "}\n");
		first_record(&b, &last);
		ck_assert_int_eq(told("limit", "more than 4096 members") != NULL, over);
		collect_free(&got);

		b.n = 0;
		buf_str(&b, "{\"__REALTIME_TIMESTAMP\":\"1796000000000000\",\"MESSAGE\":[120");
		for (i = 2; i < JSON_MEMBERS + over; i++)
			buf_str(&b, ",120");
		buf_str(&b, "]}\n");
		n = first_record(&b, &last);
		ck_assert_uint_eq(n, (size_t)(JSON_MEMBERS - 1 + over));
		ck_assert_ptr_null(told("limit", "more than 4096 members"));
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

/* What is left of the fifth is part of the text. */
START_TEST(wrappers_of_a_line)
{
	static const char	 cri[] = "2026-11-30T01:02:03.456789Z stderr F ";
	struct buf		 b = { 0 };
	int64_t			 last;
	int			 i, n;

	for (n = 4; n <= 5; n++) {
		b.n = 0;
		for (i = 0; i < n; i++)
			buf_str(&b, cri);
		buf_str(&b, "ERROR x\n");
		ck_assert_uint_eq(first_record(&b, &last), 7 + (n == 5 ? sizeof cri - 1 : 0));
		ck_assert_uint_eq(got.nproblems, 0);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

START_TEST(lines_of_others)
{
	struct buf	 b = { 0 };
	int64_t		 last;
	int		 i, n;

	for (n = 64; n <= 65; n++) {
		b.n = 0;
		buf_str(&b, "2026-11-30T01:02:03.456789Z stderr F 2026-11-30 01:02:03,456 ERROR E: x\n");
		for (i = 0; i < n; i++)
			buf_str(&b, "2026-11-30T01:02:03.456789Z stdout F 2026-11-30 01:02:03,456 INFO x\n");
		buf_str(&b, "2026-11-30T01:02:03.456789Z stderr F \tat a.B.c(B.java:1)\n");
		first_record(&b, &last);
		ck_assert_int_eq(last, n == 64 ? 66 : 1);
		ck_assert_uint_eq(got.nproblems, 0);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

START_TEST(places_of_a_rule)
{
	const struct rule_row	 row = { "mine", "shop", "1", "redirects-exhausted",
	    "gave up \\d+", OBS_NO_NUM, OBS_NO_NUM, "gave up 1", "redirects-exhausted - -" };
	struct rules		*rules = rules_new();
	struct rule_match	 m[128];
	struct err		 e = ERR_INIT;
	struct buf		 b = { 0 };
	const char		*limited;
	size_t			 n;

	ck_assert_int_eq(rules_add(rules, &row, &e), 0);
	for (n = 1; n <= 17; n++) {
		buf_str(&b, "gave up 1 ");
		ck_assert_uint_eq(rules_match(rules, span_make(b.p, b.n), m, 128, &limited),
		    n < 17 ? n : 16);
	}
	rules_free(rules);
	buf_free(&b);
}
END_TEST

/* A first line further back is not looked for: the record begins later. */
START_TEST(lines_before_a_match)
{
	struct decode_ctx	 ctx = { .zone_s = OBS_NO_NUM, .mtime = OBS_NO_TIME,
	    .rules = builtin_rules() };
	struct err		 e = ERR_INIT;
	struct buf		 b = { 0 };
	struct input		*in;
	int			 n, i;

	for (n = 400; n <= 401; n++) {
		b.n = 0;
		buf_str(&b, "2026-11-30 01:02:03,456 ERROR java.lang.E: x\n");
		for (i = 1; i < n; i++)
			buf_fmt(&b, "\tat a.B.c(B.java:%d)\n", i);
		buf_str(&b, "Caused by: RedisClusterFailoverError: slot 7\n");
		in = input_memory(b.p, b.n, "app.log", 0);
		collect_init(&got);
		ck_assert_int_eq(format_client_log.decode(in, &ctx, &got.sink, &e), 0);
		input_close(in);
		ck_assert_uint_eq(collect_count(&got, OBS_ERROR), 1);
		ck_assert_int_eq(collect_nth(&got, OBS_ERROR, 0)->where.position, n == 400 ? 1 : 2);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

/* Until it says its id: what is held gets it. */
START_TEST(events_without_an_id)
{
	struct buf	 b = { 0 };
	size_t		 k;
	int		 n, i, named;

	for (n = 4096; n <= 4097; n++) {
		b.n = 0;
		for (i = 0; i < n; i++)
			buf_fmt(&b, "1:M 30 Nov 2026 01:%02d:%02d.%03d # Cluster state changed: %s\n",
			    i / 60000, i / 1000 % 60, i % 1000, i % 2 == 0 ? "fail" : "ok");
		buf_fmt(&b, "1:M 30 Nov 2026 02:00:00.000 * Node configuration loaded, I'm %040d\n", 7);
		decode(&format_server_log, &b);
		for (k = 0, named = 0; k < collect_count(&got, OBS_SERVER); k++)
			named += collect_nth(&got, OBS_SERVER, k)->observer.node.p != NULL;
		ck_assert_int_ge((int)collect_count(&got, OBS_SERVER), n);
		ck_assert_int_eq(named >= n, n == 4096);
		ck_assert_int_eq(told("limit", "after too many events (4096") != NULL, n > 4096);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

/* Names that are no zones take no place of those that are. */
START_TEST(zones_that_are_none)
{
	char	 name[32];
	int	 i;

	for (i = 0; i < 3000; i++) {
		snprintf(name, sizeof name, "Nowhere/Z%d", i);
		ck_assert_ptr_null(zone_find(span_of(name)));
	}
	ck_assert_ptr_nonnull(zone_find(span_of("Europe/Berlin")));
}
END_TEST

START_TEST(a_line_of_a_configuration)
{
	struct buf	 b = { 0 };
	int		 over;

	for (over = 0; over < 3; over++) {	/* the last: over many reads */
		b.n = 0;
		buf_str(&b, "#");
		fill(&b, 'x', over < 2 ? 64 * 1024 - 1 + (size_t)over : 1 << 20);
		buf_str(&b, "\ncluster-node-timeout 5000\n");
		decode(&format_config, &b);
		ck_assert_uint_eq(collect_count(&got, OBS_SETTING), 1);
		ck_assert_int_eq(got.obs[0].where.position, 2);
		ck_assert_int_eq(told("too-long", "more than 65536 bytes") != NULL, over > 0);
		ck_assert_uint_eq(got.nproblems, over > 0);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

static const struct obs *
error_of(struct buf *b, const char *line)
{
	struct decode_ctx	 ctx = { .zone_s = OBS_NO_NUM, .mtime = OBS_NO_TIME,
	    .rules = builtin_rules() };
	struct err		 e = ERR_INIT;
	struct input		*in;

	b->n = 0;
	buf_str(b, "2026-11-30T01:02:03.456Z ERROR refclient RedisClusterFailoverError: ");
	buf_str(b, line);
	buf_str(b, "\n");
	in = input_memory(b->p, b->n, "app.log", 0);
	collect_init(&got);
	ck_assert_int_eq(format_client_log.decode(in, &ctx, &got.sink, &e), 0);
	input_close(in);
	return (collect_nth(&got, OBS_ERROR, 0));
}

/* As far as the limit a message is kept to its end. */
START_TEST(an_errors_message)
{
	static char		 words[1400];
	struct buf		 b = { 0 };
	const struct obs	*o;
	size_t			 n, longest = 0;

	for (n = 900; n < sizeof words - 1; n++) {
		memset(words, 'x', n);
		words[n - 1] = '!';
		words[n] = '\0';
		o = error_of(&b, words);
		ck_assert_ptr_nonnull(o);
		ck_assert_uint_le(o->u.error.message.n, 1000);
		if (o->u.error.message.p[o->u.error.message.n - 1] == '!')
			longest = o->u.error.message.n;
		collect_free(&got);
	}
	ck_assert_uint_eq(longest, 1000);
	buf_free(&b);
}
END_TEST

START_TEST(redirects_in_a_message)
{
	struct buf		 b = { 0 }, chain = { 0 };
	const struct obs	*o;
	int			 n, i;

	for (n = 64; n <= 65; n++) {
		chain.n = 0;
		buf_str(&chain, "redirect cycle for slot 7: ");
		for (i = 0; i <= n; i++)
			buf_fmt(&chain, "%s10.0.0.%d:1", i > 0 ? " -> " : "", i);
		buf_fmt(&chain, " (%d redirects)", n);
		o = error_of(&b, buf_cstr(&chain));
		ck_assert_ptr_nonnull(o);
		ck_assert_int_eq(told("limit", "more than 64 redirects") != NULL, n > 64);
		ck_assert_uint_eq(o->u.error.nhops, n == 64 ? 64 : 0);
		if (n == 65)		/* no other one is told as the last */
			ck_assert_ptr_null(o->u.error.asked.host.p);
		collect_free(&got);
	}
	buf_free(&chain);
	buf_free(&b);
}
END_TEST

/* Backtracking that doubles with each letter: at some length it is given up and
 * told with the rule's name, at each length from there on, and never before. */
START_TEST(work_on_a_pattern)
{
	const struct rule_row	 row = { "mine", "shop", "1", "redirects-exhausted",
	    "gave up ((a+)+)+b", OBS_NO_NUM, OBS_NO_NUM, "gave up aab",
	    "redirects-exhausted - -" };
	struct decode_ctx	 ctx = { .zone_s = OBS_NO_NUM, .mtime = OBS_NO_TIME };
	struct err		 e = ERR_INIT;
	struct rules		*rules = rules_new();
	struct input		*in;
	struct buf		 b = { 0 };
	int			 n, given_up = 0;

	ck_assert_int_eq(rules_add(rules, &row, &e), 0);
	ctx.rules = rules;
	for (n = 1; n < 64; n++) {
		b.n = 0;
		buf_str(&b, "2026-11-30 01:02:03,456 ERROR gave up ");
		fill(&b, 'a', (size_t)n);
		buf_str(&b, "c b\n2026-11-30 01:02:04,456 ERROR gave up aab\n");
		collect_init(&got);
		in = input_memory(b.p, b.n, "app.log", 0);
		ck_assert_int_eq(format_client_log.decode(in, &ctx, &got.sink, &e), 0);
		input_close(in);
		ck_assert_uint_eq(collect_count(&got, OBS_ERROR), 1);
		if (given_up)
			ck_assert_ptr_nonnull(told("regex-limit", "rule mine gave up"));
		given_up = told("regex-limit", "rule mine gave up") != NULL;
		ck_assert_uint_eq(got.nproblems, (size_t)given_up);
		collect_free(&got);
	}
	ck_assert_int_eq(given_up, 1);
	rules_free(rules);
	buf_free(&b);
}
END_TEST

/* What a long text holds is found wherever it stands, up to that length; a short
 * one is read as it is. */
START_TEST(length_of_a_match)
{
	struct err	 e = ERR_INIT;
	struct rx	*rx = rx_compile("begin[^\n]*end", &e);
	struct buf	 b = { 0 };
	size_t		 before, n;

	for (before = 0; before < 4 * RX_REACH_BYTES; before += 511)
		for (n = 8; n <= RX_REACH_BYTES; n += RX_REACH_BYTES - 8) {
			b.n = 0;
			fill(&b, '.', before);
			buf_str(&b, "begin");
			fill(&b, '-', n - 8);
			buf_str(&b, "end");
			fill(&b, '.', 3 * RX_REACH_BYTES);
			ck_assert_int_eq(rx_match(rx, span_make(b.p, b.n), 0), 1);
			ck_assert_ptr_eq(rx_span(rx, 0).p, b.p + before);
			ck_assert_uint_eq(rx_span(rx, 0).n, n);
			ck_assert_int_eq(rx_match(rx, span_make(b.p, b.n), before + 1), 0);
		}
	b.n = 0;
	buf_str(&b, "begin");
	fill(&b, '-', 2 * RX_REACH_BYTES - 8);
	buf_str(&b, "end");
	ck_assert_int_eq(rx_match(rx, span_make(b.p, b.n), 0), 1);
	ck_assert_uint_eq(rx_span(rx, 0).n, 2 * RX_REACH_BYTES);
	fill(&b, '.', RX_REACH_BYTES);
	memset(b.p + 2 * RX_REACH_BYTES - 3, '-', 3);	/* now it ends a little later */
	memcpy(b.p + 2 * RX_REACH_BYTES, "end", 3);
	ck_assert_int_eq(rx_match(rx, span_make(b.p, b.n), 0), 0);
	rx_free(rx);
	buf_free(&b);
}
END_TEST

/* ---- dumps ---- */

static void
node_lines(struct buf *b, int n)
{
	int	 i;

	b->n = 0;
	for (i = 0; i < n; i++)
		buf_fmt(b, "%040x 10.%d.%d.%d:6379@16379 %smaster - 0 1796000000000"
		    " %d connected%s\n", i, i >> 16, i >> 8 & 255, i & 255, i == 0 ?
		    "myself," : "", i, i == 0 ? " 0-16383" : "");
}

START_TEST(nodes_of_a_view)
{
	struct buf	 b = { 0 };
	const struct obs *o;
	int		 n;

	for (n = TOPOLOGY_NODES_MAX; n <= TOPOLOGY_NODES_MAX + 1; n++) {
		node_lines(&b, n);
		decode(&format_topology_dump, &b);
		o = collect_nth(&got, OBS_VIEW, 0);
		ck_assert_ptr_nonnull(o);
		ck_assert_uint_eq(o->u.view.nnodes, TOPOLOGY_NODES_MAX);
		ck_assert_int_eq(told("malformed", "more than 20000 nodes") != NULL,
		    n > TOPOLOGY_NODES_MAX);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

static void
remember(void *arg, size_t at, const char *reason)
{
	(void)at;
	snprintf(arg, 100, "%s", reason);
}

START_TEST(slot_ranges_of_a_view)
{
	struct topology	 t;
	char		 reason[100] = "";
	int		 i;

	memset(&t, 0, sizeof t);
	t.bad = remember;
	t.bad_arg = reason;
	topology_reset(&t);
	topology_add_node(&t);
	for (i = 0; i < TOPOLOGY_SLOTS_MAX; i++)
		ck_assert_ptr_nonnull(topology_add_slots(&t, 0, 1, 1));
	ck_assert_str_eq(reason, "");
	ck_assert_ptr_null(topology_add_slots(&t, 0, 1, 1));
	ck_assert_str_eq(reason, "more than 200000 slot ranges in one view");
	topology_free(&t);
}
END_TEST

START_TEST(a_line_of_a_dump)
{
	struct buf	 b = { 0 };
	int		 over;

	for (over = 0; over < 2; over++) {
		node_lines(&b, 2);
		fill(&b, 'x', ((size_t)4 << 20) + (over ? 256 * 1024 + 1 : 0));
		buf_str(&b, "\n");
		decode(&format_topology_dump, &b);
		ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 1);
		ck_assert_int_eq(told("too-long", "more than 4 MiB") != NULL, over);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

/* Lines run together, maps in maps and groups in groups, without end: none of
 * them may cost stack. */
START_TEST(without_end)
{
	static const struct { const char *head, *again; int n; } t[] = {
		{ "", "%040x 10.0.0.1:6379@16379 master - 0 0 1 connected", 20000 },
		{ "", "%040x 10.0.0.1:6379@16379 master - 0 0 1 connected 5", 20000 },
		{ "slots\n0\n16383\nnodes id x\nport 6379\nip 10.0.0.1\n", "id ", 1000000 },
		{ "1) 1) (integer) 0\n   2) (integer) 5460\n1) ", "a => 1) ", 400000 },
	};
	struct literal_set	 set;
	struct buf		 b = { 0 };
	size_t			 i;
	int			 k;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		b.n = 0;
		buf_str(&b, t[i].head);
		for (k = 0; k < t[i].n; k++)
			if (t[i].again[0] == '%')
				buf_fmt(&b, t[i].again, k);
			else
				buf_str(&b, t[i].again);
		buf_str(&b, "x\n");
		decode(&format_topology_dump, &b);
		collect_free(&got);
	}
	b.n = 0;
	buf_str(&b, "failover\\Q");
	fill(&b, '(', 1 << 20);
	literal_of_pattern(buf_cstr(&b), &set);
	ck_assert_int_eq(set.n, 1);	/* "failover" */
	buf_free(&b);
}
END_TEST

/* Text as a member of JSON, n times. */
static void
in_json(struct buf *b, int n)
{
	struct buf	 out = { 0 };
	size_t		 i;

	for (; n > 0; n--) {
		out.n = 0;
		buf_str(&out, "{\"a\":\"");
		for (i = 0; i < b->n; i++) {
			if (b->p[i] == '"' || b->p[i] == '\\')
				buf_chr(&out, '\\');
			if (b->p[i] == '\n')
				buf_str(&out, "\\n");
			else
				buf_chr(&out, b->p[i]);
		}
		buf_str(&out, "\"}\n");
		b->n = 0;
		buf_add(b, out.p, out.n);
	}
	buf_free(&out);
}

START_TEST(dumps_in_each_other)
{
	struct buf	 b = { 0 };
	int		 n;

	for (n = 3; n <= 4; n++) {
		node_lines(&b, 2);
		in_json(&b, n);
		decode(&format_topology_dump, &b);
		ck_assert_uint_eq(collect_count(&got, OBS_VIEW), n == 3);
		ck_assert_int_eq(told("limit", "more than 3 times") != NULL, n > 3);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

START_TEST(base64_of_a_dump)
{
	struct buf	 b = { 0 };
	int		 over, i;

	for (over = 0; over < 2; over++) {
		node_lines(&b, 2);
		for (i = 0; i < (4 << 20) / 64 + over; i++) {
			fill(&b, 'A', 64);
			buf_str(&b, "\n");
		}
		decode(&format_topology_dump, &b);
		ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 1);
		ck_assert_int_eq(told("limit", "base64 of more than 4 MiB") != NULL, over);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

/* redis-cli --cluster check: the nodes' names find room as far as their limit. */
START_TEST(nodes_of_a_check)
{
	struct buf	 b = { 0 };
	const struct obs *o;
	int		 n, i;

	for (n = TOPOLOGY_NODES_MAX; n <= TOPOLOGY_NODES_MAX + 1; n++) {
		b.n = 0;
		buf_str(&b, ">>> Performing Cluster Check (using node 10.0.0.0:6379)\n");
		for (i = 0; i < n; i++) {
			buf_fmt(&b, "M: %040x ", i + 1);
			fill(&b, 'h', 200);
			buf_fmt(&b, "%d:6379\n   slots:[%d-%d] (1 slots) master\n   replicates %040x\n",
			    i, i % 16384, i % 16384, i + 1);
		}
		decode(&format_topology_dump, &b);
		o = collect_nth(&got, OBS_VIEW, 0);
		ck_assert_ptr_nonnull(o);
		ck_assert_uint_eq(o->u.view.nnodes, TOPOLOGY_NODES_MAX);
		ck_assert_uint_eq(o->u.view.nodes[TOPOLOGY_NODES_MAX - 1].id.n, 40);
		ck_assert_uint_eq(o->u.view.nodes[TOPOLOGY_NODES_MAX - 1].master.n, 40);
		ck_assert_int_eq(told("malformed", "more than 20000 nodes") != NULL,
		    n > TOPOLOGY_NODES_MAX);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

/* As --raw gives them, one a line; past the limit the reply is told as cut. */
START_TEST(tokens_of_a_reply)
{
	struct tree	 t;
	int		 i;

	memset(&t, 0, sizeof t);
	for (i = 0; i < TREE_TOKENS_MAX; i++)
		ck_assert_int_eq(tree_line(&t, TREE_RAW, span_of("7"), i), 1);
	ck_assert_int_eq(t.full, 0);
	tree_line(&t, TREE_RAW, span_of("7"), i);
	ck_assert_int_eq(t.full, 1);
	ck_assert_uint_eq(t.n, TREE_TOKENS_MAX);
	tree_free(&t);
}
END_TEST

/* A file that interleaves more observers than are held loses none of them. */
START_TEST(observers_in_one_dump)
{
	struct buf	 b = { 0 };
	const struct obs *o;
	int64_t		 samples = 0;
	int		 round, n;
	size_t		 i;

	for (round = 0; round < 3; round++)
		for (n = 0; n < 65; n++)
			buf_fmt(&b, "# %lld n%d\n%040x 10.0.0.%d:6379@16379"
			    " myself,master - 0 0 1 connected 0-16383\n",
			    (long long)(INT64_C(1764460891000) + round * 1000 + n),
			    n, n, n);
	decode(&format_topology_dump, &b);
	for (i = 0; (o = collect_nth(&got, OBS_VIEW, i)) != NULL; i++)
		samples += o->samples;
	ck_assert_int_eq(samples, 3 * 65);
	ck_assert_uint_eq(got.nproblems, 0);
	collect_free(&got);
	buf_free(&b);
}
END_TEST

/* ---- captures ---- */

struct wire {
	struct dialog	*d;
	int64_t		 at, frame;
};

/* One direction of a connection of client host, port to a server. */
struct end {
	uint32_t	 client, server;
	uint16_t	 port;
	uint32_t	 seq[2];
	uint16_t	 service;	/* 0: 6379 */
};

static void
wire_open(struct wire *w)
{
	memset(w, 0, sizeof *w);
	collect_init(&got);
	w->d = dialog_new(&got.sink, 0);
	w->at = INT64_C(1796000000000000);
}

static void
wire_end(struct wire *w)
{
	struct err	 e = ERR_INIT;

	ck_assert_int_eq(dialog_end(w->d, &e), 0);
	dialog_free(w->d);
}

static void
send_at(struct wire *w, const struct end *c, int from, int flags, uint32_t seq,
    const void *p, size_t n)
{
	struct locus	 where = { 0, ++w->frame, OBS_NO_NUM };
	struct err	 e = ERR_INIT;
	struct frame	 f;
	uint32_t	 ip[2] = { c->client, c->server };
	uint16_t	 port[2] = { c->port, c->service != 0 ? c->service : 6379 };
	int		 i;

	memset(&f, 0, sizeof f);
	f.kind = FRAME_TCP;
	memset(f.src.b + 10, 0xff, 2);
	memset(f.dst.b + 10, 0xff, 2);
	for (i = 0; i < 4; i++) {
		f.src.b[12 + i] = (uint8_t)(ip[from] >> (24 - 8 * i));
		f.dst.b[12 + i] = (uint8_t)(ip[!from] >> (24 - 8 * i));
	}
	f.sport = port[from];
	f.dport = port[!from];
	f.seq = seq;
	f.ack = c->seq[!from];
	f.flags = (uint8_t)flags;
	f.data = p;
	f.cap = f.len = (uint32_t)n;
	ck_assert_int_eq(dialog_segment(w->d, &f, w->at++, &where, &e), 0);
}

static void
say(struct wire *w, struct end *c, int from, int flags, const void *p, size_t n)
{
	send_at(w, c, from, flags, c->seq[from], p, n);
	c->seq[from] += (uint32_t)n + ((flags & (FRAME_SYN | FRAME_FIN)) != 0);
}

static void
shake(struct wire *w, struct end *c)
{
	say(w, c, 0, FRAME_SYN, NULL, 0);
	say(w, c, 1, FRAME_SYN | FRAME_ACK, NULL, 0);
	say(w, c, 0, FRAME_ACK, NULL, 0);
}

static struct end
end_of(uint32_t i)
{
	struct end	 c = { 0x0b000000 + i / 60000, 0x0a000001,
	    (uint16_t)(1000 + i % 60000), { i, i }, 0 };

	return (c);
}

static const char ping[] = "*1\r\n$4\r\nPING\r\n", pong[] = "+PONG\r\n";

START_TEST(connections_at_once)
{
	struct wire	 w;
	struct end	 c;
	uint32_t	 n, i;

	for (n = TCP_FLOWS; n <= TCP_FLOWS + 1; n++) {
		wire_open(&w);
		for (i = 0; i < n; i++) {
			c = end_of(i);
			shake(&w, &c);
		}
		wire_end(&w);
		ck_assert_int_eq(told("limit", "connections at once, 1 were given")
		    != NULL, n > TCP_FLOWS);
		collect_free(&got);
	}
}
END_TEST

START_TEST(segments_that_wait)
{
	struct wire	 w;
	struct end	 c = end_of(1);
	uint32_t	 i, seq;

	wire_open(&w);
	shake(&w, &c);
	say(&w, &c, 0, FRAME_ACK, ping, sizeof ping - 1);
	say(&w, &c, 1, FRAME_ACK, pong, sizeof pong - 1);
	seq = c.seq[0] + 14;		/* one request is missing */
	for (i = 0; i <= TCP_HELD_SEGMENTS; i++) {
		ck_assert_int_eq(dialog_counts(w.d)->requests, 1);
		send_at(&w, &c, 0, FRAME_ACK, seq + i * 14, ping, 14);
	}
	ck_assert_int_eq(dialog_counts(w.d)->requests, 2 + TCP_HELD_SEGMENTS);
	wire_end(&w);
	ck_assert_ptr_nonnull(told("gap", "missing"));
	collect_free(&got);
}
END_TEST

/* In one connection, and in all. */
static void
greet(struct wire *w, struct end *c)
{
	shake(w, c);
	say(w, c, 0, FRAME_ACK, ping, sizeof ping - 1);
	say(w, c, 1, FRAME_ACK, pong, sizeof pong - 1);
}

/* Pieces of requests that wait for one that is missing: n bytes. */
static void
hold(struct wire *w, const struct end *c, uint32_t from, uint32_t n)
{
	static char	 piece[14 * 4000];
	uint32_t	 k;

	for (k = 0; k < sizeof piece; k++)
		piece[k] = ping[k % 14];
	for (k = 0; k < n; k += sizeof piece)
		send_at(w, c, 0, FRAME_ACK, c->seq[0] + 14 + from + k, piece,
		    n - k < sizeof piece ? n - k : sizeof piece);
}

START_TEST(bytes_that_wait)
{
	struct wire	 w;
	struct end	 c;
	uint32_t	 i, flows = TCP_HELD_ALL / TCP_HELD_FLOW;

	wire_open(&w);
	c = end_of(0);
	greet(&w, &c);
	hold(&w, &c, 0, TCP_HELD_FLOW);
	ck_assert_int_eq(dialog_counts(w.d)->requests, 1);
	hold(&w, &c, TCP_HELD_FLOW, 1);
	ck_assert_int_gt(dialog_counts(w.d)->requests, 1000);
	wire_end(&w);
	collect_free(&got);

	wire_open(&w);
	for (i = 0; i < flows; i++) {
		c = end_of(i);
		greet(&w, &c);
		hold(&w, &c, 0, TCP_HELD_FLOW);
	}
	c = end_of(i);
	greet(&w, &c);
	ck_assert_int_eq(dialog_counts(w.d)->requests, 1 + flows);
	hold(&w, &c, 0, 28);
	ck_assert_int_gt(dialog_counts(w.d)->requests, 1 + flows);
	wire_end(&w);
	collect_free(&got);
}
END_TEST

START_TEST(requests_without_a_reply)
{
	struct wire	 w;
	struct end	 c;
	int		 n, i;

	for (n = DIALOG_OUTSTANDING; n <= DIALOG_OUTSTANDING + 1; n++) {
		wire_open(&w);
		c = end_of(1);
		shake(&w, &c);
		for (i = 0; i < n; i++)
			say(&w, &c, 0, FRAME_ACK, ping, sizeof ping - 1);
		wire_end(&w);
		ck_assert_int_eq(told("limit", "too many requests outstanding")
		    != NULL, n > DIALOG_OUTSTANDING);
		collect_free(&got);
	}
}
END_TEST

/* Four connections with as many as each may have; then two of a fifth, which are
 * the first that need room of their own. */
START_TEST(requests_without_a_reply_in_all)
{
	struct wire	 w;
	struct end	 c;
	int		 n, i, flows = DIALOG_OUTSTANDING_ALL / DIALOG_OUTSTANDING;

	for (n = 0; n <= 2; n += 2) {
		wire_open(&w);
		for (i = 0; i < flows * DIALOG_OUTSTANDING + n; i++) {
			if (i % DIALOG_OUTSTANDING == 0) {
				c = end_of((uint32_t)i);
				shake(&w, &c);
			}
			say(&w, &c, 0, FRAME_ACK, ping, sizeof ping - 1);
		}
		wire_end(&w);
		ck_assert_int_eq(told("limit", "too many requests outstanding")
		    != NULL, n > 0);
		collect_free(&got);
	}
}
END_TEST

static void
begin_nodes(struct wire *w, struct end *c, uint32_t i, int bytes)
{
	static const char	 ask[] = "*2\r\n$7\r\nCLUSTER\r\n$5\r\nNODES\r\n";
	char			 head[24];

	*c = end_of(i);
	shake(w, c);
	say(w, c, 0, FRAME_ACK, ask, sizeof ask - 1);
	snprintf(head, sizeof head, "$%d\r\n", bytes);
	say(w, c, 1, FRAME_ACK, head, strlen(head));
}

/* All but the last n bytes of a topology. */
static void
middle_nodes(struct wire *w, struct end *c, int bytes, int n)
{
	static char	 lines[30000];
	int		 line, k;

	memset(lines, '\n', sizeof lines);
	line = snprintf(lines, sizeof lines, "%040x 10.0.0.1:6379@16379 myself,master - 0 0 1"
	    " connected 0-16383", 1);
	lines[line] = '\n';
	for (bytes -= n; bytes > 0; bytes -= k) {
		k = bytes < (int)sizeof lines ? bytes : (int)sizeof lines;
		say(w, c, 1, FRAME_ACK, lines, (size_t)k);
		memset(lines, '\n', (size_t)line);
	}
}

/* Topologies that have come but for their last bytes: as many as fit are read;
 * one more is told and passed over, and those before it are read. */
START_TEST(topologies_at_once)
{
	enum { EACH = 500000, FIT = 15 };	/* 512 KiB of room each */
	struct wire	 w;
	struct end	 c[FIT + 1];
	int		 i, n;

	for (n = FIT; n <= FIT + 1; n++) {
		wire_open(&w);
		for (i = 0; i < n; i++)
			begin_nodes(&w, &c[i], (uint32_t)i, EACH);
		for (i = 0; i < n; i++)
			middle_nodes(&w, &c[i], EACH, 2);
		for (i = 0; i < n; i++)
			say(&w, &c[i], 1, FRAME_ACK, "\n\n\r\n", 4);
		wire_end(&w);
		ck_assert_uint_eq(collect_count(&got, OBS_VIEW), FIT);
		ck_assert_int_eq(told("limit", "more than 8 MiB of replies at once") != NULL,
		    n > FIT);
		collect_free(&got);
	}
}
END_TEST

static int64_t
requests(struct wire *w)
{
	struct err	 e = ERR_INIT;

	ck_assert_int_eq(dialog_settle(w->d, &e), 0);
	return (dialog_counts(w->d)->requests);
}

/* The beginning of a request, on more and more connections. */
START_TEST(messages_that_have_only_begun)
{
	static const char	 set[] = "*3\r\n$3\r\nSET\r\n$3\r\nfoo\r\n$5000\r\n";
	static char		 value[2000];
	struct wire		 w;
	struct end		 c;
	uint32_t		 i, n, full = DIALOG_BEGUN / 1200;

	memset(value, 'v', sizeof value);
	for (n = full / 2; n <= full + 1000; n += full / 2 + 1000) {
		wire_open(&w);
		for (i = 0; i < n; i++) {
			c = end_of(i);
			greet(&w, &c);
			say(&w, &c, 0, FRAME_ACK, set, sizeof set - 1);
			say(&w, &c, 0, FRAME_ACK, value, sizeof value);
		}
		ck_assert_int_eq(requests(&w), n);
		/* It is found again where the next one begins. */
		say(&w, &c, 0, FRAME_ACK, value, sizeof value);
		say(&w, &c, 0, FRAME_ACK, value, 1000);
		say(&w, &c, 0, FRAME_ACK, "\r\n", 2);
		say(&w, &c, 0, FRAME_ACK, ping, sizeof ping - 1);
		ck_assert_int_eq(requests(&w), n > full ? n + 1 : n + 2);
		wire_end(&w);
		ck_assert_int_eq(told("limit", "32 MiB of messages that had only begun") != NULL,
		    n > full);
		collect_free(&got);
	}
}
END_TEST

/* A reply of so many values in arrays: ranges of one slot, of one node. */
static void
put_slots(struct buf *b, int values)
{
	int	 i, left = values % 5, ranges = values / 5;

	b->n = 0;
	buf_fmt(b, "*%d\r\n", ranges + left);
	for (i = 0; i < ranges; i++)
		buf_fmt(b, "*3\r\n:%d\r\n:%d\r\n*3\r\n$1\r\na\r\n:6379\r\n$2\r\n%02x\r\n",
		    i % 16384, i % 16384, i % 7);
	for (i = 0; i < left; i++)
		buf_str(b, ":1\r\n");
}

START_TEST(values_of_a_topology)
{
	static const char	 ask[] = "*2\r\n$7\r\nCLUSTER\r\n$5\r\nSLOTS\r\n";
	struct buf		 b = { 0 };
	struct wire		 w;
	struct end		 c;
	size_t			 at;
	int			 over;

	for (over = 0; over < 2; over++) {
		put_slots(&b, 400000 + over);
		ck_assert_uint_lt(b.n, DIALOG_REPLY);
		wire_open(&w);
		c = end_of(1);
		shake(&w, &c);
		say(&w, &c, 0, FRAME_ACK, ask, sizeof ask - 1);
		for (at = 0; at < b.n; at += 30000)
			say(&w, &c, 1, FRAME_ACK, b.p + at, b.n - at < 30000 ? b.n - at : 30000);
		wire_end(&w);
		ck_assert_int_eq(told("malformed", "of more than 400000 values") != NULL, over);
		ck_assert_uint_eq(collect_count(&got, OBS_VIEW), !over);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

START_TEST(a_topology_in_a_reply)
{
	static const char	 ask[] = "*2\r\n$7\r\nCLUSTER\r\n$5\r\nNODES\r\n";
	struct wire		 w;
	struct end		 c;
	struct buf		 b = { 0 };
	size_t			 at, n;
	int			 over;

	for (over = 0; over < 2; over++) {
		n = DIALOG_REPLY - 13 + (size_t)over;	/* $4194291\r\n ... \r\n */
		b.n = 0;
		buf_fmt(&b, "$%zu\r\n", n);
		at = b.n;
		buf_fmt(&b, "%040x 10.0.0.1:6379@16379 myself,master - 0 0 1"
		    " connected 0-16383\n", 1);
		fill(&b, '\n', at + n - b.n);
		buf_str(&b, "\r\n");
		ck_assert_uint_eq(b.n, DIALOG_REPLY - 1 + (size_t)over);
		wire_open(&w);
		c = end_of(1);
		shake(&w, &c);
		say(&w, &c, 0, FRAME_ACK, ask, sizeof ask - 1);
		for (at = 0; at < b.n; at += 30000)
			say(&w, &c, 1, FRAME_ACK, b.p + at, b.n - at < 30000 ?
			    b.n - at : 30000);
		wire_end(&w);
		ck_assert_int_eq(told("too-long", "reply to cluster nodes") != NULL,
		    over);
		ck_assert_uint_eq(collect_count(&got, OBS_VIEW), !over);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

START_TEST(a_setting_in_a_reply)
{
	static const char	 ask[] = "*3\r\n$6\r\nCONFIG\r\n$3\r\nGET\r\n$20\r\ncluster-node-timeout\r\n";
	struct wire		 w;
	struct end		 c;
	struct buf		 b = { 0 };
	size_t			 at;
	int			 over;

	for (over = 0; over < 2; over++) {
		b.n = 0;
		buf_str(&b, "*4\r\n$20\r\ncluster-node-timeout\r\n$4\r\n5000\r\n$1\r\nx\r\n");
		at = (1 << 16) - 1 + (size_t)over - b.n - 10;
		buf_fmt(&b, "$%zu\r\n", at);
		fill(&b, 'x', at);
		buf_str(&b, "\r\n");
		ck_assert_uint_eq(b.n, (1 << 16) - 1 + (size_t)over);
		wire_open(&w);
		c = end_of(1);
		shake(&w, &c);
		say(&w, &c, 0, FRAME_ACK, ask, sizeof ask - 1);
		for (at = 0; at < b.n; at += 30000)
			say(&w, &c, 1, FRAME_ACK, b.p + at, b.n - at < 30000 ?
			    b.n - at : 30000);
		wire_end(&w);
		ck_assert_int_eq(told("too-long", "reply to config get") != NULL, over);
		ck_assert_uint_eq(collect_count(&got, OBS_SETTING), !over);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

/* Names that no table has: so many are told apart. */
START_TEST(names_of_commands)
{
	struct commands	*all = commands_new();
	struct span	 word;
	unsigned	 number, first = 0, last = 0;
	char		 name[64];
	int		 i;

	for (i = 0; i <= COMMAND_OTHERS + 1; i++) {
		snprintf(name, sizeof name, "NOSUCH%d", i);
		word = span_of(name);
		number = commands_find(all, &word, 1);
		if (i == 0)
			first = number;
		if (i < COMMAND_OTHERS)
			ck_assert_uint_eq(number, first + (unsigned)i);
		if (i == COMMAND_OTHERS)
			last = number;
	}
	ck_assert_uint_eq(number, last);
	ck_assert_str_ne(commands_at(all, last)->name, "nosuch512");
	commands_free(all);
}
END_TEST

START_TEST(clients_and_servers)
{
	struct wire	 w;
	struct end	 c;
	uint32_t	 n, i;

	for (n = PARTY_PAIRS; n <= PARTY_PAIRS + 1; n++) {
		wire_open(&w);
		for (i = 0; i < n; i++) {
			c = end_of(i);
			c.client = 0x0b000000 + i;
			shake(&w, &c);
			say(&w, &c, 0, FRAME_ACK, ping, sizeof ping - 1);
			say(&w, &c, 1, FRAME_ACK, pong, sizeof pong - 1);
			say(&w, &c, 0, FRAME_RST, NULL, 0);
		}
		wire_end(&w);
		ck_assert_int_eq(told("limit", "pairs of client and server") != NULL,
		    n > PARTY_PAIRS);
		collect_free(&got);
	}
}
END_TEST

/* Refused by what may be no Redis. */
START_TEST(failed_connections)
{
	struct wire	 w;
	struct end	 c;
	uint32_t	 n, i;

	for (n = PARTY_PENDING; n <= PARTY_PENDING + 1; n++) {
		wire_open(&w);
		for (i = 0; i < n; i++) {
			c = end_of(i);
			c.service = 9999;
			say(&w, &c, 0, FRAME_SYN, NULL, 0);
			say(&w, &c, 1, FRAME_RST | FRAME_ACK, NULL, 0);
		}
		wire_end(&w);
		ck_assert_int_eq(told("limit", "failed connections to endpoints") != NULL,
		    n > PARTY_PENDING);
		collect_free(&got);
	}
}
END_TEST

/* Each server answers for one slot of each page. */
static void
serve(struct wire *w, uint32_t server)
{
	char		 text[64];
	struct end	 c = end_of(server);
	int		 page, k;

	c.server += server;
	shake(w, &c);
	for (page = 0; page < SLOTS_COUNT / 256; page++) {
		for (k = 0;; k++) {
			snprintf(text, sizeof text, "%06d", k);
			if (slots_of_key(span_of(text)) / 256 == page)
				break;
		}
		snprintf(text, sizeof text, "*2\r\n$3\r\nGET\r\n$6\r\n%06d\r\n", k);
		say(w, &c, 0, FRAME_ACK, text, strlen(text));
		say(w, &c, 1, FRAME_ACK, "$1\r\nx\r\n", 7);
	}
}

START_TEST(pages_of_served_slots)
{
	enum { FIT = SERVED_PAGES / (SLOTS_COUNT / 256) };
	struct wire	 w;
	uint32_t	 n, i;

	for (n = FIT; n <= FIT + 1; n++) {
		wire_open(&w);
		for (i = 0; i < n; i++)
			serve(&w, i);
		wire_end(&w);
		ck_assert_int_eq(collect_problem(&got, "limit", 0) != NULL, n > FIT);
		collect_free(&got);
	}
}
END_TEST

START_TEST(resp_sizes)
{
	static const struct {
		const char	*text;
		int		 good;
	} t[] = {
		{ "$4294967296\r\n", 1 }, { "$4294967297\r\n", 0 },
		{ "*2147483648\r\n", 1 }, { "*2147483649\r\n", 0 },
		{ "$0000000000000000005\r\n", 1 }, { "$00000000000000000005\r\n", 0 },
		{ "*?\r\n*?\r\n*?\r\n*?\r\n", 1 },
		{ "*?\r\n*?\r\n*?\r\n*?\r\n*?\r\n", 0 },
	};
	struct resp	 r;
	size_t		 i, n;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		memset(&r, 0, sizeof r);
		n = strlen(t[i].text);
		ck_assert_int_eq(resp_scan(&r, t[i].text, n), t[i].good ?
		    (ssize_t)n : -1);
	}
}
END_TEST

/* ---- the bus ---- */

static void
be(char *p, uint32_t v, int bytes)
{
	while (bytes-- > 0)
		*p++ = (char)(v >> 8 * bytes & 255);
}

/* A heartbeat of a master without slots, of so many gossip entries. */
static void
heartbeat(struct buf *b, uint32_t sender, int entries)
{
	enum { HEAD = 2256 };
	char	 id[41];
	int	 i;

	b->n = 0;
	fill(b, 0, HEAD + (size_t)entries * BUS_GOSSIP_BYTES);
	memcpy(b->p, "RCmb", 4);
	be(b->p + 4, (uint32_t)b->n, 4);
	be(b->p + 8, 1, 2);
	be(b->p + 10, 6379, 2);
	be(b->p + 14, (uint32_t)entries, 2);
	snprintf(id, sizeof id, "%040x", sender);
	memcpy(b->p + 40, id, 40);
	be(b->p + 2248, 16379, 2);
	be(b->p + 2250, 1, 2);
	for (i = 0; i < entries; i++) {
		snprintf(id, sizeof id, "%040x", i + 1);
		memcpy(b->p + HEAD + (size_t)i * BUS_GOSSIP_BYTES, id, 40);
	}
}

static struct stream_reader *
link_of(struct bus *bus)
{
	const struct stream_ends	 ends = {
		{ "10.0.0.1", 16379 }, { "10.0.0.2", 40001 }, 0, 1, 77
	};

	return (bus_reader(bus, &ends));
}

static void
feed(struct stream_reader *r, const char *p, size_t n)
{
	static int64_t			 at = INT64_C(1796000000000000);
	const struct stream_seen	 seen = {
		.at = at++, .where = { 0, 1, OBS_NO_NUM }, .seq = 1
	};
	struct err			 e = ERR_INIT;

	ck_assert_int_eq(r->feed(r, span_make(p, n), &seen, &e), 0);
}

static void
unlink_all(struct bus *bus, struct stream_reader **r, int n)
{
	struct err	 e = ERR_INIT;

	for (; n > 0; n--, r++) {
		ck_assert_int_eq((*r)->end(*r, &e), 0);
		(*r)->close(*r);
	}
	ck_assert_int_eq(bus_end(bus, &e), 0);
	bus_close(bus);
}

/* Of the view that names the most. */
static size_t
most_nodes(void)
{
	const struct obs	*o;
	size_t			 k, most = 0;

	for (k = 0; (o = collect_nth(&got, OBS_VIEW, k)) != NULL; k++)
		if (o->u.view.nnodes > most)
			most = o->u.view.nnodes;
	return (most);
}

static int64_t
headers(void)
{
	const struct obs	*o;
	int64_t			 samples = 0;
	size_t			 k;

	for (k = 0; (o = collect_nth(&got, OBS_VIEW, k)) != NULL; k++)
		if (o->u.view.kind == VIEW_BUS)
			samples += o->samples;
	return (samples);
}

START_TEST(a_message_of_the_bus)
{
	enum { ENTRIES = (BUS_KEEP_MAX_BYTES - 2256) / BUS_GOSSIP_BYTES };
	struct stream_reader	*r;
	struct buf		 b = { 0 };
	struct bus		*bus;
	int			 n;

	for (n = ENTRIES; n <= ENTRIES + 1; n++) {
		collect_init(&got);
		bus = bus_open(&got.sink);
		r = link_of(bus);
		heartbeat(&b, 1, n);
		ck_assert_int_eq(b.n > BUS_KEEP_MAX_BYTES, n > ENTRIES);
		feed(r, b.p, b.n / 2);
		feed(r, b.p + b.n / 2, b.n - b.n / 2);
		heartbeat(&b, 2, 0);	/* the next one is read in any case */
		feed(r, b.p, b.n);
		unlink_all(bus, &r, 1);
		ck_assert_int_eq(told("malformed", "bytes is too long") != NULL, n > ENTRIES);
		ck_assert_uint_eq(most_nodes(), n > ENTRIES ? 1 : ENTRIES);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

/* Each says the same twice: one span each, and past the limit two. */
START_TEST(nodes_on_the_bus)
{
	struct stream_reader	*r;
	struct buf		 b = { 0 };
	struct bus		*bus;
	uint32_t		 n, i;

	for (n = BUS_SENDERS_MAX; n <= BUS_SENDERS_MAX + 1; n++) {
		collect_init(&got);
		bus = bus_open(&got.sink);
		r = link_of(bus);
		for (i = 0; i < 2 * n; i++) {
			heartbeat(&b, 1 + i % n, 0);
			feed(r, b.p, b.n);
		}
		unlink_all(bus, &r, 1);
		ck_assert_int_eq(headers(), 2 * n);
		ck_assert_int_eq(collect_count(&got, OBS_VIEW) == n, n == BUS_SENDERS_MAX);
		ck_assert_uint_eq(got.nproblems, 0);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

/* Messages that have come but for their last byte: as many as fit are read; one
 * more and that one is told as lost. */
START_TEST(messages_of_the_bus_at_once)
{
	enum { ENTRIES = 4000, FIT = BUS_BEGUN_BYTES / (512 << 10) };	/* 512 KiB of room each */
	struct stream_reader	*r[FIT + 1];
	struct buf		 b = { 0 };
	struct bus		*bus;
	int			 n, i;

	heartbeat(&b, 1, ENTRIES);
	ck_assert_uint_gt(b.n, 256 << 10);
	for (n = FIT; n <= FIT + 1; n++) {
		collect_init(&got);
		bus = bus_open(&got.sink);
		for (i = 0; i < n; i++) {
			r[i] = link_of(bus);
			feed(r[i], b.p, b.n - 1);
		}
		for (i = 0; i < n; i++)
			feed(r[i], b.p + b.n - 1, 1);
		unlink_all(bus, r, n);
		ck_assert_int_eq(told("limit", "16 MiB of bus messages that had only begun") !=
		    NULL, n > FIT);
		ck_assert_int_eq(headers(), FIT);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

static int64_t
links(struct wire *w)
{
	struct err	 e = ERR_INIT;

	ck_assert_int_eq(dialog_settle(w->d, &e), 0);
	return (dialog_counts(w->d)->bus);
}

START_TEST(links_of_the_bus)
{
	struct buf	 b = { 0 };
	struct wire	 w;
	struct end	 c;
	uint32_t	 n, i;

	heartbeat(&b, 1, 0);
	for (n = DIALOG_LINKS; n <= DIALOG_LINKS + 1; n++) {
		wire_open(&w);
		for (i = 0; i < n; i++) {
			c = end_of(i);
			shake(&w, &c);
			say(&w, &c, 0, FRAME_ACK, b.p, b.n);
		}
		ck_assert_int_eq(links(&w), DIALOG_LINKS);
		say(&w, &c, 0, FRAME_RST, NULL, 0);	/* room for one more, or not */
		c = end_of(i);
		shake(&w, &c);
		say(&w, &c, 0, FRAME_ACK, b.p, b.n);
		ck_assert_int_eq(links(&w), DIALOG_LINKS + (n == DIALOG_LINKS));
		wire_end(&w);
		ck_assert_int_eq(told("limit", "more than 32768 links of the cluster bus") !=
		    NULL, n > DIALOG_LINKS);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

static void
le32(struct buf *b, uint32_t v)
{
	buf_add(b, &v, 4);		/* the section says which end is first */
}

static void
blocks_interface(struct buf *b, uint32_t snaplen)
{
	le32(b, 1);
	le32(b, 20);
	le32(b, 101);
	le32(b, snaplen);
	le32(b, 20);
}

/* A section header, interfaces, and an unknown block of so many bytes. */
static void
blocks(struct buf *b, int interfaces, uint32_t length)
{
	int	 i;

	b->n = 0;
	le32(b, 0x0a0d0d0a);
	le32(b, 28);
	le32(b, 0x1a2b3c4d);
	le32(b, 1);
	le32(b, UINT32_MAX);
	le32(b, UINT32_MAX);
	le32(b, 28);
	for (i = 0; i < interfaces; i++)
		blocks_interface(b, 0);
	if (length == 0)
		return;
	le32(b, 0x0bad);
	le32(b, length);
	fill(b, 0, length - 12);
	le32(b, length);
}

START_TEST(interfaces_and_blocks)
{
	struct buf	 b = { 0 };
	int		 over;

	for (over = 0; over < 2; over++) {
		blocks(&b, PCAPNG_INTERFACES + over, 0);
		decode(&format_capture, &b);
		ck_assert_int_eq(told("malformed", "more than 4096 interfaces") !=
		    NULL || told("truncated", "more than 4096 interfaces") != NULL,
		    over);
		collect_free(&got);
		blocks(&b, 1, PCAPNG_BLOCK + 4 * (uint32_t)over);
		decode(&format_capture, &b);
		ck_assert_int_eq(told("malformed", "impossible length") != NULL ||
		    told("truncated", "impossible length") != NULL, over);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

/* As many kinds as can be told apart: each has a snapshot length of its own. */
START_TEST(kinds_of_interfaces)
{
	struct buf	 b = { 0 };
	int		 n, i;

	for (n = PCAPNG_CLASSES; n <= PCAPNG_CLASSES + 1; n++) {
		blocks(&b, 0, 0);
		for (i = 0; i < n; i++) {
			blocks_interface(&b, (uint32_t)i + 100);
			le32(&b, 6);	/* and one packet without bytes */
			le32(&b, 32);
			le32(&b, (uint32_t)i);
			le32(&b, 0);
			le32(&b, 0);
			le32(&b, 0);
			le32(&b, 40);
			le32(&b, 32);
		}
		decode(&format_capture, &b);
		ck_assert_int_eq(told("truncated", "more than 256 kinds") != NULL,
		    n > PCAPNG_CLASSES);
		collect_free(&got);
	}
	buf_free(&b);
}
END_TEST

/* VLAN tags in front of a TCP header. */
START_TEST(layers_of_a_packet)
{
	static const uint8_t	 ip[] = { 0x45, 0, 0, 40, 0, 1, 0, 0, 64, 6, 0, 0, 10, 0, 0, 9,
	    10, 0, 0, 1, 0x9c, 0x40, 0x18, 0xeb, 0, 0, 3, 0xe8, 0, 0, 0, 0, 0x50, 2, 255, 255,
	    0, 0, 0, 0 };
	struct frames		*fs = frames_new();
	struct frame		 f;
	struct buf		 b = { 0 };
	int			 tags, i;

	for (tags = FRAME_LAYERS; tags <= FRAME_LAYERS + 1; tags++) {
		b.n = 0;
		fill(&b, 0, 12);
		for (i = 0; i < tags; i++)
			buf_add(&b, "\x81\x00\x00\x05", 4);
		buf_add(&b, "\x08\x00", 2);
		buf_add(&b, (const char *)ip, sizeof ip);
		frame_decode(fs, 1, (const uint8_t *)b.p, b.n, b.n, &f);
		ck_assert_int_eq(f.kind, tags > FRAME_LAYERS ? FRAME_BAD : FRAME_TCP);
		if (tags > FRAME_LAYERS)
			ck_assert_str_eq(f.why, "too many layers");
	}
	frames_free(fs);
	buf_free(&b);
}
END_TEST

/* A TCP header in two fragments, of datagram id. */
static enum frame_kind
fragment(struct frames *fs, int id, int second)
{
	uint8_t		 p[] = { 0x45, 0, 0, 36, 0, (uint8_t)id, 0x20, 0, 64, 6, 0, 0, 10, 0, 0, 9,
	    10, 0, 0, 1, 0x9c, 0x40, 0x18, 0xeb, 0, 0, 3, 0xe8, 0, 0, 0, 0, 0x50, 2, 255, 255 };
	struct frame	 f;

	if (second) {			/* eight bytes, at 16 */
		p[3] = 28;
		p[6] = 0;
		p[7] = 2;
	}
	frame_decode(fs, 101, p, second ? 28 : 36, second ? 28 : 36, &f);
	return (f.kind);
}

START_TEST(datagrams_in_fragments)
{
	struct frames	*fs;
	int		 n, i;

	for (n = FRAME_FRAGMENTS; n <= FRAME_FRAGMENTS + 1; n++) {
		fs = frames_new();
		for (i = 0; i < n; i++)
			ck_assert_int_eq(fragment(fs, i, 0), FRAME_OTHER);
		ck_assert_int_eq(frames_lost(fs), n > FRAME_FRAGMENTS);
		ck_assert_int_eq(fragment(fs, 0, 1), n > FRAME_FRAGMENTS ? FRAME_OTHER :
		    FRAME_TCP);
		frames_free(fs);
	}
}
END_TEST

/* The same over IPv6, where a header of its own says so. */
START_TEST(fragments_of_ipv6)
{
	static const uint8_t	 tcp[20] = { 0x9c, 0x40, 0x18, 0xeb, 0, 0, 3, 0xe8, 0, 0, 0, 0, 0x50, 2,
	    255, 255, 0, 0, 0, 0 };
	uint8_t			 p[64] = { 0x60, 0, 0, 0, 0, 24, 44, 64 };
	struct frames		*fs = frames_new();
	struct frame		 f;

	p[8] = p[24] = 0xfd;
	p[23] = 9;
	p[39] = 1;
	p[40] = 6;			/* TCP, from 0, more to come */
	p[43] = 1;
	p[47] = 77;
	memcpy(p + 48, tcp, 16);
	frame_decode(fs, 101, p, 64, 64, &f);
	ck_assert_int_eq(f.kind, FRAME_OTHER);
	p[5] = 12;			/* four bytes, from 16 */
	p[43] = 16;
	memcpy(p + 48, tcp + 16, 4);
	frame_decode(fs, 101, p, 52, 52, &f);
	ck_assert_int_eq(f.kind, FRAME_TCP);
	ck_assert_int_eq(f.sport, 40000);
	ck_assert_int_eq(f.dport, 6379);
	ck_assert_int_eq(f.flags, FRAME_SYN);
	frames_free(fs);
}
END_TEST

/* What is complete holds only bytes that came: two ends, or a piece past the end,
 * end the datagram. */
START_TEST(fragments_that_contradict)
{
	static const uint8_t		 bytes[16] = "0123456789abcdef";
	static const struct fragment_key k = { .id = 1 };
	static const struct { size_t offset; int more; size_t n; int lost; } t[] = {
		{ 64, 1, 16, 0 }, { 8, 0, 8, 1 },
		{ 16, 0, 4, 0 }, { 16, 0, 8, 1 },
		{ 0, 0, 16, 0 },		/* that one is whole */
		{ 8, 0, 8, 0 }, { 16, 1, 8, 1 },
	};
	struct fragments		*fs = fragments_new(2);
	const uint8_t			*p;
	size_t				 i, whole;
	int64_t				 lost;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		lost = 0;
		p = fragments_add(fs, &k, t[i].offset, t[i].more, bytes, t[i].n, &whole, &lost);
		ck_assert_int_eq(lost, t[i].lost);
		ck_assert_int_eq(p != NULL, i == 4);
		if (p != NULL)
			ck_assert_mem_eq(p, bytes, whole);
	}
	fragments_free(fs);
}
END_TEST

/* ---- in front of the store ---- */

/* Past the limit spans end early: more rows, the same samples. */
START_TEST(open_spans)
{
	struct spans	*s;
	struct obs	 o;
	char		 name[32];
	int64_t		 samples = 0;
	size_t		 k;
	int		 i;

	collect_init(&got);
	s = spans_open(&got.sink);
	for (i = 0; i <= SPANS_OPEN; i++) {
		ck_assert_uint_eq(got.nobs, 0);
		snprintf(name, sizeof name, "10.0.0.1#%d", i);
		obs_init(&o, OBS_CONTACT);
		o.at = o.last_at = INT64_C(1796000000000000) + i;
		o.observer.kind = WHO_CLIENT;
		o.observer.name = span_of(name);
		o.u.contact.ep.host = span_of("10.0.0.9");
		o.u.contact.ep.port = 6379;
		ck_assert_int_eq(spans_sink(s)->obs(spans_sink(s), &o, NULL), 0);
	}
	ck_assert_uint_eq(got.nobs, SPANS_OPEN);
	ck_assert_int_eq(spans_sink(s)->end(spans_sink(s), NULL), 0);
	for (k = 0; k < got.nobs; k++)
		samples += got.obs[k].samples > 0 ? got.obs[k].samples : 1;
	ck_assert_int_eq(samples, SPANS_OPEN + 1);
	spans_close(s);
	collect_free(&got);
}
END_TEST

Suite *
suite_limits(void)
{
	Suite	*s = suite_create("limits");
	TCase	*t = tcase_create("limits");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, defaults_of_archives);
	tcase_add_test(t, a_line_of_a_log);
	tcase_add_test(t, lines_of_a_record);
	tcase_add_test(t, bytes_of_a_record);
	tcase_add_test(t, members_of_a_json_object);
	tcase_add_test(t, wrappers_of_a_line);
	tcase_add_test(t, lines_of_others);
	tcase_add_test(t, places_of_a_rule);
	tcase_add_test(t, lines_before_a_match);
	tcase_add_test(t, events_without_an_id);
	tcase_add_test(t, zones_that_are_none);
	tcase_add_test(t, a_line_of_a_configuration);
	tcase_add_test(t, an_errors_message);
	tcase_add_test(t, redirects_in_a_message);
	tcase_add_test(t, work_on_a_pattern);
	tcase_add_test(t, length_of_a_match);
	tcase_add_test(t, servers_in_one_log);
	tcase_add_test(t, nodes_of_a_view);
	tcase_add_test(t, slot_ranges_of_a_view);
	tcase_add_test(t, a_line_of_a_dump);
	tcase_add_test(t, dumps_in_each_other);
	tcase_add_test(t, base64_of_a_dump);
	tcase_add_test(t, nodes_of_a_check);
	tcase_add_test(t, without_end);
	tcase_add_test(t, tokens_of_a_reply);
	tcase_add_test(t, observers_in_one_dump);
	tcase_add_test(t, connections_at_once);
	tcase_add_test(t, segments_that_wait);
	tcase_add_test(t, bytes_that_wait);
	tcase_add_test(t, requests_without_a_reply);
	tcase_add_test(t, requests_without_a_reply_in_all);
	tcase_add_test(t, a_topology_in_a_reply);
	tcase_add_test(t, a_setting_in_a_reply);
	tcase_add_test(t, names_of_commands);
	tcase_add_test(t, topologies_at_once);
	tcase_add_test(t, values_of_a_topology);
	tcase_add_test(t, messages_that_have_only_begun);
	tcase_add_test(t, a_message_of_the_bus);
	tcase_add_test(t, nodes_on_the_bus);
	tcase_add_test(t, messages_of_the_bus_at_once);
	tcase_add_test(t, links_of_the_bus);
	tcase_add_test(t, clients_and_servers);
	tcase_add_test(t, failed_connections);
	tcase_add_test(t, pages_of_served_slots);
	tcase_add_test(t, resp_sizes);
	tcase_add_test(t, interfaces_and_blocks);
	tcase_add_test(t, kinds_of_interfaces);
	tcase_add_test(t, layers_of_a_packet);
	tcase_add_test(t, datagrams_in_fragments);
	tcase_add_test(t, fragments_of_ipv6);
	tcase_add_test(t, fragments_that_contradict);
	tcase_add_test(t, open_spans);
	suite_add_tcase(s, t);
	return (s);
}
