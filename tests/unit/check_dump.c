/*
 * check_dump.c - topology dumps: all renderings of one topology give one view,
 * whatever stands around them; samples fold; damage is said.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "collect.h"
#include "format/format.h"

Suite	*suite_dump(void);

#define A	"9aa810bbfced7047bcc61adc51e0c42d0a451c43"
#define B	"b9729f512240ae1a88ff30659fe47026a4b20398"
#define DUMP	B " 127.0.0.1:21702@31702 slave " A " 0 1796015564672 1 connected\n" \
		A " 127.0.0.1:21701@31701 myself,master - 0 1796015563000 1 connected " \
		"0-100 200 300-16383\n"
#define T0	INT64_C(1796000523456000)	/* 2026-11-30T01:02:03.456Z */

static struct collect	 got;
static struct decode_ctx ctx;

static void
setup(void)
{
	collect_init(&got);
	memset(&ctx, 0, sizeof ctx);
	ctx.zone_s = OBS_NO_NUM;
	ctx.mtime = OBS_NO_TIME;
}

static void
teardown(void)
{
	collect_free(&got);
}

static void
decode_named(const char *text, size_t n, const char *name)
{
	struct err	 e = ERR_INIT;
	struct input	*in = input_memory(text, n, name, 0);

	ck_assert_int_eq(format_topology_dump.decode(in, &ctx, &got.sink, &e), 0);
	input_close(in);
}

static void
decode(const char *text)
{
	decode_named(text, strlen(text), "views/n1.txt");
}

static const struct obs *
nth_view(size_t n)
{
	const struct obs	*o = collect_nth(&got, OBS_VIEW, n);

	ck_assert_ptr_nonnull(o);
	return (o);
}

/* The topology of DUMP: two nodes of which A owns three ranges. */
static void
is_the_topology(const struct obs *o, size_t nnodes)
{
	const struct obs_view	*v = &o->u.view;
	static const int	 ranges[3][2] = { { 0, 100 }, { 200, 200 }, { 300, 16383 } };
	size_t			 i;

	ck_assert_uint_eq(v->nnodes, nnodes);
	ck_assert_uint_eq(v->nslots, 3);
	ck_assert(v->complete);
	ck_assert(!v->partial);
	for (i = 0; i < 3; i++) {
		ck_assert_int_eq(v->slots[i].from, ranges[i][0]);
		ck_assert_int_eq(v->slots[i].to, ranges[i][1]);
		ck_assert(span_is(v->nodes[v->slots[i].node].id, A));
		ck_assert_int_eq(v->nodes[v->slots[i].node].ep.port, 21701);
		ck_assert(span_is(v->nodes[v->slots[i].node].ep.host, "127.0.0.1"));
	}
	for (i = 0; i < nnodes; i++)
		if (!span_is(v->nodes[i].id, A)) {
			ck_assert(span_is(v->nodes[i].id, B));
			ck_assert_int_eq(v->nodes[i].role, ROLE_REPLICA);
			ck_assert(span_is(v->nodes[i].master, A));
		}
	ck_assert_uint_eq(got.nproblems, 0);
}

static const struct rendering {
	const char	*file, *form;
	size_t		 nnodes;
} renderings[] = {
	{ "nodes-raw", "nodes", 2 },
	{ "slots-raw", "slots", 1 }, { "slots-no-raw", "slots", 1 },
	{ "slots-json", "slots", 1 }, { "slots-csv", "slots", 1 },
	{ "slots-resp3", "slots", 1 },
	{ "shards-raw", "shards", 2 }, { "shards-no-raw", "shards", 2 },
	{ "shards-json", "shards", 2 }, { "shards-csv", "shards", 2 },
	{ "shards-resp3", "shards", 2 }, { "shards-resp3-raw", "shards", 2 },
	{ "check", "check", 2 },
};

static void
read_file(const char *name, struct buf *b)
{
	const char	*dir = getenv("srcdir");
	char		 path[512];
	size_t		 n;
	FILE		*f;

	snprintf(path, sizeof path, "%s/tests/%s", dir != NULL ? dir : ".", name);
	f = fopen(path, "rb");
	ck_assert_msg(f != NULL, "%s", path);
	do {
		buf_need(b, 65536);
		n = fread(b->p + b->n, 1, 65536, f);
		b->n += n;
	} while (n > 0);
	fclose(f);
}

START_TEST(every_rendering_gives_the_same_view)
{
	const struct rendering	*r = &renderings[_i];
	const struct format	*rival;
	struct buf		 b = { 0 };
	char			 name[64], why[160];

	snprintf(name, sizeof name, "renderings/%s.txt", r->file);
	read_file(name, &b);
	ck_assert_ptr_eq(format_choose(span_make(b.p, b.n), name, &rival, why,
	    sizeof why), &format_topology_dump);
	decode_named(b.p, b.n, name);
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 1);
	ck_assert_str_eq(nth_view(0)->u.view.form, r->form);
	is_the_topology(nth_view(0), r->nnodes);
	buf_free(&b);
}
END_TEST

/* What people put around a dump, and who was asked by it. */
static const struct around {
	const char	*before, *after, *host, *name;
	int		 port;
	int64_t		 at;
} arounds[] = {
	{ "# 2026-11-30T01:02:03.456Z 10.0.0.11:6379\n", "", "10.0.0.11", "n1", 6379, T0 },
	{ "# 2026-11-30T01:02:03.456Z [2001:db8::5]:6379\n", "", "2001:db8::5", "n1", 6379, T0 },
	{ "=== node-1 2026-11-30 01:02:03.456 ===\n", "", "127.0.0.1", "node-1", 21701, T0 },
	{ "1796000523456 10.0.0.11:6379\n", "", "10.0.0.11", "n1", 6379, T0 },
	{ "Mon Nov 30 01:02:03 UTC 2026\n10.0.0.11:6379\n", "", "10.0.0.11", "n1", 6379,
	    T0 - 456000 },
	{ "10.0.0.11:6379> cluster nodes\n", "10.0.0.11:6379> exit\n", "10.0.0.11", "n1", 6379, 0 },
	{ "10.0.0.11:6379(TX)> cluster nodes\n", "", "10.0.0.11", "n1", 6379, 0 },
	{ "$ redis-cli -h 10.0.0.11 -p 6380 cluster nodes\n", "", "10.0.0.11", "n1", 6380, 0 },
	{ "$ kubectl exec redis-0 -n cache -- redis-cli cluster nodes\n"
	    "Defaulted container \"redis\" out of: redis, exporter\n", "", "127.0.0.1",
	    "redis-0", 21701, 0 },
	{ "redis-1 | CHANGED | rc=0 >>\n", "", "127.0.0.1", "redis-1", 21701, 0 },
	{ "[1] 01:02:03 [SUCCESS] redis-7\n", "", "127.0.0.1", "redis-7", 21701, 0 },
	{ "Node 1:\n```\n", "```\n", "127.0.0.1", "n1", 21701, 0 },
	{ "\033[32m10.0.0.11:6379>\033[0m cluster nodes\r\n", "", "10.0.0.11", "n1", 6379, 0 },
	{ "-> Redirected to slot [12182] located at 10.0.0.12:6379\n", "", "10.0.0.12", "n1",
	    6379, 0 },
};

START_TEST(what_stands_around_a_dump)
{
	const struct around	*r = &arounds[_i];
	const struct obs	*o;
	struct buf		 b = { 0 };

	buf_fmt(&b, "%s%s%s", r->before, DUMP, r->after);
	decode(buf_cstr(&b));
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 1);
	o = nth_view(0);
	is_the_topology(o, 2);
	ck_assert_int_eq(o->observer.kind, WHO_NODE);
	ck_assert(span_is(o->observer.node, A));
	ck_assert(span_is(o->observer.name, r->name));
	ck_assert(span_is(o->observer.ep.host, r->host));
	ck_assert_int_eq(o->observer.ep.port, r->port);
	if (r->at != 0)
		ck_assert_int_eq(o->at, r->at);
	else {
		ck_assert_int_eq(o->at_basis, AT_PONG);
		ck_assert_int_eq(o->at, INT64_C(1796015564672000));
	}
	buf_free(&b);
}
END_TEST

/* "date; redis-cli cluster nodes" in a loop: the answer came before the next
 * stamp, a second later at most.  A program's stamp with the address is close. */
START_TEST(a_stamp_on_a_line_of_its_own_is_early)
{
	static const struct {
		const char	*before, *other, *behind;
		int64_t		 rtt[2];
	} loops[] = {
		{ "2026-11-30T01:02:03.456Z\n", "2026-11-30T01:02:03.856Z\n",
		    "2026-11-30T01:02:04.106Z\n", { 400000, 250000 } },
		{ "2026-11-30T01:02:03.456Z\n", "2026-11-30T01:02:33.456Z\n", "",
		    { 1000000, 1000000 } },
		{ "2026-11-30T01:02:03.456Z\n10.0.0.11:6379\n",
		    "2026-11-30T01:02:03.556Z\n10.0.0.11:6379\n", "", { 100000, 100000 } },
		{ "# 2026-11-30T01:02:03.456Z 10.0.0.11:6379\n",
		    "# 2026-11-30T01:02:03.556Z 10.0.0.11:6379\n", "",
		    { OBS_NO_NUM, OBS_NO_NUM } },
		{ "# 2026-11-30T01:02:03.456Z 10.0.0.11:6379 rtt=2ms\n",
		    "# 2026-11-30T01:02:03.556Z 10.0.0.11:6379 rtt=3ms\n", "",
		    { 2000, 3000 } },
		{ "2026-11-30T01:02:03.456Z\n", "2026-11-30T01:02:03.156Z\n", "",
		    { OBS_NO_NUM, OBS_NO_NUM } },
	};
	static const char	 line[] = A " 127.0.0.1:21701@31701 myself,master - 0 0 1"
				    " connected 0-546";
	struct buf		 b = { 0 };
	int			 i;

	buf_fmt(&b, "%s%s0\n%s%s1\n%s", loops[_i].before, line, loops[_i].other, line,
	    loops[_i].behind);
	decode(buf_cstr(&b));
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 2);
	for (i = 0; i < 2; i++)
		ck_assert_int_eq(nth_view((size_t)i)->u.view.rtt_us, loops[_i].rtt[i]);
	buf_free(&b);
}
END_TEST

START_TEST(prefixes_part_interleaved_hosts)
{
	decode("redis-1: " B " 127.0.0.1:21702@31702 slave " A " 0 1796015564672 1 connected\n"
	    "redis-1: " A " 127.0.0.1:21701@31701 myself,master - 0 1796015563000 1 connected "
	    "0-100 200 300-16383\n"
	    "redis-2: " B " 127.0.0.1:21702@31702 myself,slave " A " 0 0 1 connected\n"
	    "redis-2: " A " 127.0.0.1:21701@31701 master - 0 1796015563000 1 connected "
	    "0-100 200 300-16383\n");
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 2);
	is_the_topology(nth_view(0), 2);
	is_the_topology(nth_view(1), 2);
	ck_assert(span_is(nth_view(0)->observer.name, "redis-1"));
	ck_assert(span_is(nth_view(1)->observer.node, B));
}
END_TEST

START_TEST(dumps_without_headers_part_at_a_known_id)
{
	decode(DUMP B " 127.0.0.1:21702@31702 myself,slave " A " 0 0 1 connected\n"
	    A " 127.0.0.1:21701@31701 master - 0 1796015563000 1 connected "
	    "0-100 200 300-16383\n");
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 2);
	is_the_topology(nth_view(1), 2);
}
END_TEST

START_TEST(json_and_base64_bundles)
{
	decode("{\"time\": \"2026-11-30T01:02:03.456Z\", \"node\": \"10.0.0.11:6379\", "
	    "\"cluster_nodes\": \"" B " 127.0.0.1:21702@31702 slave " A " 0 1796015564672 1 "
	    "connected\\n" A " 127.0.0.1:21701@31701 myself,master - 0 1796015563000 1 "
	    "connected 0-100 200 300-16383\\n\"}\n"
	    "OWFhODEwYmJmY2VkNzA0N2JjYzYxYWRjNTFlMGM0MmQwYTQ1MWM0MyAxMjcuMC4wLjE6MjE3MDFA\n"
	    "MzE3MDEgbXlzZWxmLG1hc3RlciAtIDAgMTc5NjAxNTU2MzAwMCAxIGNvbm5lY3RlZCAwLTEwMCAy\n"
	    "MDAgMzAwLTE2MzgzCmI5NzI5ZjUxMjI0MGFlMWE4OGZmMzA2NTlmZTQ3MDI2YTRiMjAzOTggMTI3\n"
	    "LjAuMC4xOjIxNzAyQDMxNzAyIHNsYXZlIDlhYTgxMGJiZmNlZDcwNDdiY2M2MWFkYzUxZTBjNDJk\n"
	    "MGE0NTFjNDMgMCAxNzk2MDE1NTY0NjcyIDEgY29ubmVjdGVkCg==\n");
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 2);
	is_the_topology(nth_view(0), 2);
	ck_assert_int_eq(nth_view(0)->at, T0);
	ck_assert(span_is(nth_view(0)->observer.ep.host, "10.0.0.11"));
	is_the_topology(nth_view(1), 2);
}
END_TEST

/* n samples, gap ms apart, whose pings and pongs differ. */
static void
samples(struct buf *b, int from, int n, int gap_ms, const char *slots)
{
	int	 i, ms;

	for (i = 0; i < n; i++) {
		ms = from + i * gap_ms;
		buf_fmt(b, "# 2026-11-30T01:%02d:%02d.%03dZ 10.0.0.11:6379\n",
		    ms / 60000, ms / 1000 % 60, ms % 1000);
		buf_fmt(b, "%s 10.0.0.11:6379@16379 myself,master - 0 17960155%05d 1 "
		    "connected %s\n", A, ms, slots);
		buf_fmt(b, "%s 10.0.0.12:6379@16379 slave %s %d 1796015500000 1 connected\n",
		    B, A, i % 7);
	}
}

START_TEST(equal_samples_are_one_span)
{
	struct buf		 b = { 0 };
	const struct obs	*o;

	samples(&b, 0, 20, 50, "0-16383");
	samples(&b, 1000, 10, 50, "0-5460");
	decode(buf_cstr(&b));
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 2);
	o = nth_view(0);
	ck_assert_int_eq(o->samples, 20);
	ck_assert_int_eq(o->at, T0 - 123456000);
	ck_assert_int_eq(o->last_at - o->at, 950000);
	ck_assert_int_eq(o->max_gap_us, 50000);
	ck_assert_int_eq(o->where.position, 1);
	ck_assert_int_eq(o->last_where.position, 58);
	o = nth_view(1);
	ck_assert_int_eq(o->samples, 10);
	ck_assert_int_eq(o->u.view.slots[0].to, 5460);
	o = collect_nth(&got, OBS_CONTACT, 0);
	ck_assert_int_eq(o->u.contact.outcome, CONTACT_OK);
	ck_assert_int_eq(o->observer.kind, WHO_SAMPLER);
	ck_assert_int_eq(o->samples, 20);
	buf_free(&b);
}
END_TEST

START_TEST(silence_and_age_end_a_span)
{
	struct buf	 b = { 0 };

	samples(&b, 0, 10, 50, "0-16383");
	samples(&b, 3000, 10, 50, "0-16383");	/* more than ten times 50 ms */
	decode(buf_cstr(&b));
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 2);
	b.n = 0;
	samples(&b, 0, 99, 1000, "0-16383");
	decode(buf_cstr(&b));
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 4);
	ck_assert_int_eq(nth_view(2)->samples, 61);
	ck_assert_int_eq(nth_view(2)->last_at - nth_view(2)->at, 60000000);
	buf_free(&b);
}
END_TEST

static const struct failed {
	const char		*line;
	enum contact_outcome	 outcome;
	const char		*host;
} faileds[] = {
	{ "# 2026-11-30T01:00:00.500Z 10.0.0.11:6379 ERROR connection refused", CONTACT_REFUSED,
	    "10.0.0.11" },
	{ "# 2026-11-30T01:00:00.500Z 10.0.0.11:6379 ERROR timeout", CONTACT_READ_TIMEOUT,
	    "10.0.0.11" },
	{ "# 2026-11-30T01:00:00.500Z 10.0.0.11:6379 ERROR connection reset", CONTACT_RESET,
	    "10.0.0.11" },
	{ "Could not connect to Redis at 10.0.0.12:6379: Connection refused", CONTACT_REFUSED,
	    "10.0.0.12" },
	{ "Could not connect to Valkey at 10.0.0.12:6379: No route to host",
	    CONTACT_UNREACHABLE, "10.0.0.12" },
	{ "Could not connect to Redis at 10.0.0.12:6379: Connection timed out",
	    CONTACT_CONNECT_TIMEOUT, "10.0.0.12" },
	{ "Error: Server closed the connection", CONTACT_CLOSED, "10.0.0.11" },
};

START_TEST(failed_samples_are_contacts_and_end_the_span)
{
	const struct failed	*f = &faileds[_i];
	const struct obs	*o;
	struct buf		 b = { 0 };

	samples(&b, 0, 10, 50, "0-16383");
	buf_fmt(&b, "%s\n", f->line);
	samples(&b, 550, 10, 50, "0-16383");
	decode(buf_cstr(&b));
	o = collect_nth(&got, OBS_CONTACT, f->host[8] == '2' ? 0 : 1);
	if (f->host[8] == '2' && o->u.contact.outcome == CONTACT_OK)
		o = collect_nth(&got, OBS_CONTACT, 1);
	ck_assert_int_eq(o->u.contact.outcome, f->outcome);
	ck_assert(span_is(o->u.contact.ep.host, f->host));
	ck_assert_int_eq(o->where.position, 31);
	if (f->host[8] != '2')
		ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 2);
	ck_assert_int_eq(nth_view(0)->samples, f->host[8] != '2' ? 10 :
	    nth_view(0)->samples);
	buf_free(&b);
}
END_TEST

START_TEST(a_wrapped_line_is_rejoined)
{
	char	 text[1000];

	/* an 80 column terminal broke the lines of DUMP */
	snprintf(text, sizeof text, "%.80s\n%.*s\n%.80s\n%s", DUMP,
	    (int)(strchr(DUMP, '\n') - DUMP - 80), &DUMP[80], strchr(DUMP, '\n') + 1,
	    strchr(DUMP, '\n') + 81);
	decode(text);
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 1);
	is_the_topology(nth_view(0), 2);
}
END_TEST

/* text as a terminal of this width shows it, copied without trailing blanks */
static void
wrap(struct buf *out, const char *text, size_t width)
{
	size_t	 column = 0, i;

	out->n = 0;
	for (i = 0; text[i] != '\0'; i++) {
		if (column == width && text[i] != '\n') {
			while (out->n > 0 && out->p[out->n - 1] == ' ')
				out->n--;
			buf_chr(out, '\n');
			column = 0;
		}
		buf_chr(out, text[i]);
		column = text[i] == '\n' ? 0 : column + 1;
	}
}

START_TEST(blanks_that_a_terminal_broke_at_come_back)
{
	struct buf		 b = { 0 };
	const struct obs_view	*v;
	size_t			 width;

	for (width = 60; width <= 200; width++) {
		wrap(&b, DUMP, width);
		teardown();
		setup();
		decode_named(b.p, b.n, "views/n1.txt");
		v = &nth_view(0)->u.view;
		ck_assert_msg(got.nproblems == 0 && v->nslots == 3 && v->slots[0].to == 100 &&
		    v->slots[1].from == 200 && v->slots[1].to == 200 && v->slots[2].from == 300 &&
		    v->nodes[0].config_epoch == 1 && v->nodes[1].config_epoch == 1 &&
		    v->nodes[1].ep.port == 21701 && v->nodes[1].bus_port == 31701, "width %zu", width);
		is_the_topology(nth_view(0), 2);
	}
	buf_free(&b);
}
END_TEST

/* ROLE in every rendering: who the node follows, and how that goes. */
START_TEST(role_is_a_view_without_slots)
{
	static const char *const	 replica[] = {
		"1) \"slave\"\n2) \"10.0.0.1\"\n3) (integer) 6379\n4) \"connected\"\n5) (integer) 3167038\n",
		"slave\n10.0.0.1\n6379\nconnected\n3167038\n\n",
		"\"slave\",\"10.0.0.1\",6379,\"connected\",3167038\n",
		"[\"slave\",\"10.0.0.1\",6379,\"connected\",3167038]\n",
		"1) \"slave\"\n2) \"10.0.0.1\"\n3) (integer) 6379\n4) \"connected\"\n5) (integer) 3167038"
	};
	const struct obs_view		*v;
	struct buf			 b = { 0 };
	size_t				 i;

	for (i = 0; i < sizeof replica / sizeof replica[0]; i++) {
		teardown();
		setup();
		ck_assert_msg(format_topology_dump.bid(span_of(replica[i]), "x", NULL, 0) > 0, "%zu", i);
		b.n = 0;
		buf_str(&b, "# 2026-11-30T01:02:03.456Z 10.0.0.4:6379\n");
		buf_str(&b, replica[i]);
		decode(buf_cstr(&b));
		v = &nth_view(0)->u.view;
		ck_assert_str_eq(v->form, "role");
		ck_assert_int_eq(nth_view(0)->at, T0);
		ck_assert_int_eq(nth_view(0)->where.position, 2);
		ck_assert(span_is(nth_view(0)->observer.ep.host, "10.0.0.4"));
		ck_assert_int_eq(v->complete, 0);
		ck_assert_uint_eq(v->nslots, 0);
		ck_assert_uint_eq(v->nnodes, 2);
		ck_assert_int_eq(v->nodes[0].myself, 1);
		ck_assert_int_eq(v->nodes[0].role, ROLE_REPLICA);
		ck_assert(span_is(v->nodes[0].link_state, "connected"));
		ck_assert_int_eq(v->nodes[1].role, ROLE_MASTER);
		ck_assert(span_is(v->nodes[1].ep.host, "10.0.0.1"));
		ck_assert_int_eq(v->nodes[1].ep.port, 6379);
		ck_assert_uint_eq(got.nproblems, 0);
	}
	buf_free(&b);
}
END_TEST

START_TEST(a_master_names_its_replicas)
{
	const struct obs_view	*v;

	decode("10.0.0.1:6379> cluster myid\n\"" A "\"\n10.0.0.1:6379> role\n1) \"master\"\n"
	    "2) (integer) 3129659\n3) 1) 1) \"10.0.0.4\"\n      2) \"6379\"\n      3) \"3129242\"\n"
	    "   2) 1) \"10.0.0.5\"\n      2) \"6380\"\n      3) \"3129543\"\n10.0.0.1:6379> role\n"
	    "1) \"master\"\n2) (integer) 0\n3) (empty array)\n");
	v = &nth_view(0)->u.view;
	ck_assert(span_is(nth_view(0)->observer.node, A));
	ck_assert_uint_eq(v->nnodes, 3);
	ck_assert(span_is(v->nodes[0].id, A));
	ck_assert_int_eq(v->nodes[0].role, ROLE_MASTER);
	ck_assert_int_eq(v->nodes[2].role, ROLE_REPLICA);
	ck_assert_int_eq(v->nodes[2].ep.port, 6380);
	ck_assert_uint_eq(nth_view(1)->u.view.nnodes, 1);
	ck_assert_uint_eq(got.nproblems, 0);
}
END_TEST

#define LINK(n, way, id) n ")  1) \"direction\"\n    2) \"" way "\"\n    3) \"node\"\n    4) \"" id "\"\n" \
	"    5) \"create-time\"\n    6) (integer) 1796000000000\n    7) \"events\"\n    8) \"rw\"\n" \
	"    9) \"send-buffer-allocated\"\n   10) (integer) 4512\n   11) \"send-buffer-used\"\n" \
	"   12) (integer) 0\n"

/* A link that the node opened is one; what others opened proves no way there. */
START_TEST(links_are_whom_a_node_is_connected_to)
{
	static const char	 text[] = "# 2026-11-30T01:02:03.456Z 10.0.0.1:6379\n"
	    LINK("1", "to", A) LINK("2", "from", A) LINK("3", "from", B);
	const struct obs_view	*v;

	ck_assert_int_gt(format_topology_dump.bid(span_of(text), "x", NULL, 0), 0);
	decode(text);
	v = &nth_view(0)->u.view;
	ck_assert_str_eq(v->form, "links");
	ck_assert_uint_eq(v->nnodes, 2);
	ck_assert_int_eq(v->nodes[0].myself, 1);
	ck_assert(span_is(v->nodes[1].id, A));
	ck_assert(span_is(v->nodes[1].link_state, "connected"));
	ck_assert_int_eq(v->complete, 0);
	ck_assert_uint_eq(got.nproblems, 0);
	teardown();
	setup();
	decode("[{\"direction\":\"to\",\"node\":\"" B "\",\"create-time\":1796000000000,\"events\":\"rw\","
	    "\"send-buffer-allocated\":0,\"send-buffer-used\":0},{\"direction\":\"to\",\"node\":\"12\"}]\n");
	ck_assert_uint_eq(nth_view(0)->u.view.nnodes, 2);
	ck_assert(span_is(nth_view(0)->u.view.nodes[1].id, B));
	ck_assert_uint_eq(got.nproblems, 1);
}
END_TEST

START_TEST(a_line_cut_in_half_is_said)
{
	decode("# 2026-11-30T01:02:03.456Z 10.0.0.11:6379\n"
	    A " 10.0.0.11:6379@16379 myself,master - 0 0 1 connected 0-5460\n"
	    B " 10.0.0.12:63\n"
	    "# 2026-11-30T01:02:03.506Z 10.0.0.11:6379\n"
	    A " 10.0.0.11:6379@16379 myself,master - 0 0 1 connected 0-5460\n"
	    B " 10.0.0.12:6379@16379 master - 0 0 2 connected\n");
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 2);
	ck_assert(nth_view(0)->u.view.partial);
	ck_assert(!nth_view(0)->u.view.complete);
	ck_assert(!nth_view(1)->u.view.partial);
	ck_assert_uint_eq(got.nproblems, 1);
	ck_assert_int_eq(got.problems[0].where.position, 3);
}
END_TEST

#define C	"c9729f512240ae1a88ff30659fe47026a4b20398"
#define NODE_A	A " 10.0.0.1:6379@16379 myself,master - 0 0 1 connected 0-5460\n"
#define NODE_B	B " 10.0.0.2:6379@16379 master - 0 0 2 connected 6000-16383\n"
#define NODE_C	C " 10.0.0.3:6379@16379 slave " B " 0 0 2 connected\n"
#define AT(s)	"# 2026-11-30T01:02:0" s "Z 10.0.0.1:6379\n"
#define WHOLE	NODE_C NODE_A NODE_B

/* Which views of the source are of a cut answer, as bits. */
static const struct cut {
	const char	*text;
	size_t		 views;
	unsigned int	 cut;
} cuts[] = {
	{ WHOLE, 1, 0 },
	{ AT("3") WHOLE AT("4") WHOLE AT("5") NODE_C, 2, 2 },	/* no myself */
	{ AT("3") WHOLE AT("4") NODE_C NODE_A, 2, 2 },		/* a master unknown */
	{ AT("3") NODE_A NODE_B NODE_C AT("4") NODE_A NODE_B, 2, 2 }, /* fewer */
	{ NODE_A NODE_B AT("4") WHOLE, 2, 1 },
	{ NODE_B AT("4") WHOLE AT("5") WHOLE, 2, 1 },
	{ "13 10.0.0.9:6379@16379 master - 0 1796004318187 3 connected 5461-5999\n" NODE_A NODE_B
	    AT("4") WHOLE, 2, 1 },
	{ NODE_A, 1, 1 },			/* alone with some slots */
	{ A " 10.0.0.1:6379@16379 myself,master - 0 0 0 connected\n", 1, 0 },
	{ NODE_C NODE_A B " 10.0.0.2:6379@16379 master - 0 0 2 connected 6000-7000 9", 1, 1 },
	{ AT("3") WHOLE AT("4") NODE_A NODE_C NODE_B "c6e15e", 2, 2 },
	{ AT("3") WHOLE AT("4") NODE_A NODE_C NODE_B "6", 2, 2 },
	{ AT("3") WHOLE AT("4") NODE_A NODE_B NODE_C "# 2026-1", 2, 0 },
	/* All slots have an owner: no line is lost that matters. */
	{ NODE_A B " 10.0.0.2:6379@16379 master - 0 0 2 connected 5461-16383", 1, 0 },
	/* Fewer nodes than before, but not where the source ends: forgotten. */
	{ AT("3") WHOLE AT("4") NODE_A NODE_B AT("5") NODE_A NODE_B, 2, 0 },
	/* Aux fields without vars; vars. */
	{ A " 10.0.0.1:6379@16379,,shard-id=" B " myself,master - 0 0 1 connected 0-9\n"
	    B " 10.0.0.2:6379@16379,,shard-id=" A " master - 0 0 2 connected\n", 1, 1 },
	{ NODE_A NODE_B "vars currentEpoch 2 lastVoteEpoch 0", 1, 0 },
	{ NODE_B NODE_C "vars currentEpoch 2 lastVoteEpoch 0\n", 1, 1 },
	/* SLOTS: its last node without an id; fewer nodes than before. */
	{ "0\n5460\n10.0.0.1\n6379\n" A "\n6000\n16383\n10.0.0.2\n6379\n" B "\n", 1, 0 },
	{ "0\n5460\n10.0.0.1\n6379\n" A "\n6000\n16383\n10.0.0.2\n637\n", 1, 1 },
	{ "0\n5460\n10.0.0.1\n6379\n" A "\n6000\n16383\n10.0.0.2\n", 1, 1 },
	{ AT("3") "0\n5460\n10.0.0.1\n6379\n" A "\n6000\n16383\n10.0.0.2\n6379\n" B "\n"
	    AT("4") "0\n5460\n10.0.0.1\n6379\n" A "\n", 2, 2 },
	{ "slots\n0\n5460\nnodes\nid\n" A "\nport\n6379\nip\n10.0.0.1\nrole\nmaster\n"
	    "health\nonline\nslots\n6000\n16383\nnodes\nid\n" B "\nport\n6379\nip\n10.0.0.2\n"
	    "role\nmaster\nhealth\nonline\n", 1, 0 },
	{ "slots\n0\n5460\nnodes\nid\n" A "\nport\n6379\nip\n10.0.0.1\nrole\nmaster\n"
	    "health\nonline\nslots\n6000\n16383\nnodes\nid\n" B "\nport\n6379\nip\n10.0.0.2\n"
	    "role\nmaster\n", 1, 1 },
};

START_TEST(an_answer_that_is_cut_speaks_of_what_it_lists)
{
	const struct cut	*c = &cuts[_i];
	size_t			 i, n = 0;
	int			 cut;

	decode(c->text);
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), c->views);
	for (i = 0; i < c->views; i++) {
		cut = (int)((c->cut >> i) & 1);
		n += (size_t)cut;
		ck_assert_int_eq(nth_view(i)->u.view.partial, cut);
		ck_assert_int_eq(nth_view(i)->u.view.complete, !cut);
	}
	ck_assert_uint_eq(got.nproblems > 0, n > 0);
}
END_TEST

START_TEST(a_range_at_the_very_end_may_have_lost_digits)
{
	decode(NODE_C A " 10.0.0.1:6379@16379 myself,master - 0 0 1 connected 1000-5460\n"
	    B " 10.0.0.2:6379@16379 master - 0 0 2 connected 6000-7000 9");
	ck_assert_uint_eq(nth_view(0)->u.view.nslots, 2);
	ck_assert_int_eq(nth_view(0)->u.view.slots[1].to, 7000);
}
END_TEST

START_TEST(times_of_last_resort)
{
	static const char	 bare[] = A " :0 myself,master - 0 0 1 connected 0\n";

	decode_named(bare, sizeof bare - 1, "nodes-2026-11-30_01-02-03.txt");
	ck_assert_int_eq(nth_view(0)->at_basis, AT_FILE_NAME);
	ck_assert_int_eq(nth_view(0)->at, T0 - 456000);
	ctx.mtime = T0;
	decode(bare);
	ck_assert_int_eq(nth_view(1)->at_basis, AT_FILE_TIME);
	ck_assert_int_eq(nth_view(1)->at, T0);
	ctx.mtime = OBS_NO_TIME;
	decode(bare);
	ck_assert_int_eq(nth_view(2)->at, OBS_NO_TIME);
	ck_assert_int_eq(nth_view(2)->at_basis, AT_NONE);
}
END_TEST

START_TEST(a_session_of_two_nodes_that_disagree)
{
	const struct obs	*o;
	struct buf		 b = { 0 };

	read_file("cases/017/session.txt", &b);
	decode_named(b.p, b.n, "session.txt");
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 4);
	o = nth_view(1);
	ck_assert_str_eq(o->u.view.form, "info");
	ck_assert_int_eq(o->u.view.state, 0);
	ck_assert_int_eq(o->u.view.current_epoch, 1);
	ck_assert(!o->u.view.complete);
	ck_assert(memcmp(o->observer.node.p, "722a8a47", 8) == 0);
	ck_assert_int_eq(nth_view(2)->observer.ep.port, 7003);
	o = collect_nth(&got, OBS_REDIRECT, 0);
	ck_assert_int_eq(o->u.redirect.code, CODE_CLUSTERDOWN);
	ck_assert_int_eq(o->u.redirect.asked.port, 7001);
	ck_assert_uint_eq(got.nproblems, 0);
	buf_free(&b);
}
END_TEST

START_TEST(slots_that_dangle_in_wrapped_lines)
{
	const struct obs	*o;
	struct buf		 b = { 0 };
	size_t			 i, importing = 0;

	read_file("cases/019/node1-cluster-nodes.txt", &b);
	decode_named(b.p, b.n, "node1.txt");
	o = nth_view(0);
	ck_assert_uint_eq(o->u.view.nnodes, 6);
	for (i = 0; i < o->u.view.nslots; i++)
		importing += o->u.view.slots[i].state == SLOTS_IMPORTING;
	ck_assert_uint_eq(importing, 34);
	ck_assert_uint_eq(got.nproblems, 0);
	buf_free(&b);
}
END_TEST

START_TEST(utf16_is_read)
{
	const char	*text = DUMP;
	struct buf	 b = { 0 };

	buf_add(&b, "\377\376", 2);
	for (; *text != '\0'; text++) {
		buf_chr(&b, *text);
		buf_chr(&b, 0);
	}
	decode_named(b.p, b.n, "n1.txt");
	is_the_topology(nth_view(0), 2);
	buf_free(&b);
}
END_TEST

Suite *
suite_dump(void)
{
	Suite	*s = suite_create("dump");
	TCase	*c = tcase_create("all");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, every_rendering_gives_the_same_view, 0,
	    (int)(sizeof renderings / sizeof *renderings));
	tcase_add_loop_test(c, what_stands_around_a_dump, 0,
	    (int)(sizeof arounds / sizeof *arounds));
	tcase_add_loop_test(c, a_stamp_on_a_line_of_its_own_is_early, 0, 6);
	tcase_add_test(c, prefixes_part_interleaved_hosts);
	tcase_add_test(c, dumps_without_headers_part_at_a_known_id);
	tcase_add_test(c, json_and_base64_bundles);
	tcase_add_test(c, equal_samples_are_one_span);
	tcase_add_test(c, silence_and_age_end_a_span);
	tcase_add_loop_test(c, failed_samples_are_contacts_and_end_the_span, 0,
	    (int)(sizeof faileds / sizeof *faileds));
	tcase_add_test(c, a_wrapped_line_is_rejoined);
	tcase_add_test(c, blanks_that_a_terminal_broke_at_come_back);
	tcase_add_test(c, role_is_a_view_without_slots);
	tcase_add_test(c, a_master_names_its_replicas);
	tcase_add_test(c, links_are_whom_a_node_is_connected_to);
	tcase_add_test(c, a_line_cut_in_half_is_said);
	tcase_add_loop_test(c, an_answer_that_is_cut_speaks_of_what_it_lists, 0,
	    (int)(sizeof cuts / sizeof *cuts));
	tcase_add_test(c, a_range_at_the_very_end_may_have_lost_digits);
	tcase_add_test(c, times_of_last_resort);
	tcase_add_test(c, a_session_of_two_nodes_that_disagree);
	tcase_add_test(c, slots_that_dangle_in_wrapped_lines);
	tcase_add_test(c, utf16_is_read);
	suite_add_tcase(s, c);
	return (s);
}
