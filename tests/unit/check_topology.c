#include <check.h>
#include <stdio.h>

#include "model/slots.h"
#include "model/topology.h"

Suite	*suite_topology(void);

#define A	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B	"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define C	"cccccccccccccccccccccccccccccccccccccccc"

static struct topology	 t;
static char		 reasons[2000];
static size_t		 where[20];
static int		 nbad;

static void
note(void *arg, size_t at, const char *reason)
{
	(void)arg;
	if (nbad < 20)
		where[nbad] = at;
	nbad++;
	snprintf(reasons + strlen(reasons), sizeof reasons - strlen(reasons), "%s\n", reason);
}

static void
setup(void)
{
	memset(&t, 0, sizeof t);
	topology_reset(&t);
	t.bad = note;
	nbad = 0;
	reasons[0] = '\0';
}

static void
teardown(void)
{
	topology_free(&t);
}

static void
nodes(const char *text)
{
	topology_nodes_text(&t, span_of(text));
}

START_TEST(a_line_of_every_version)
{
	nodes(A " 10.0.0.1:6379 myself,master - 0 0 3 connected 0-5 7\n"	/* 3.x */
	    B " 10.0.0.2:6379@16379 slave " A " 0 1796004375629 3 connected\n"	/* 4.0 */
	    C " 2001:db8::1:7000@17000,host-c master,fail? - 5 1796004374000 4 "
	    "disconnected 8-9\n");						/* 7.0 */
	ck_assert_int_eq(nbad, 0);
	ck_assert_uint_eq(t.nnodes, 3);
	ck_assert_int_eq(t.myself, 0);
	ck_assert(!t.conf);
	ck_assert_int_eq(t.nodes[0].bus_port, OBS_NO_NUM);
	ck_assert_int_eq(t.nodes[0].role, ROLE_MASTER);
	ck_assert_int_eq(t.nodes[1].role, ROLE_REPLICA);
	ck_assert(span_is(t.nodes[1].master, A));
	ck_assert_int_eq(t.nodes[1].bus_port, 16379);
	ck_assert(span_is(t.nodes[2].ep.host, "2001:db8::1"));
	ck_assert_int_eq(t.nodes[2].ep.port, 7000);
	ck_assert(span_is(t.nodes[2].hostname, "host-c"));
	ck_assert(span_is(t.nodes[2].flags, "fail?"));
	ck_assert(span_is(t.nodes[2].link_state, "disconnected"));
	ck_assert_int_eq(t.newest_pong_ms, 1796004375629);
	ck_assert_uint_eq(t.nslots, 3);
	ck_assert_int_eq(t.slots[1].from, 7);
	ck_assert_int_eq(t.slots[1].to, 7);
	ck_assert_int_eq(t.slots[2].node, 2);
}
END_TEST

START_TEST(empty_addresses_and_handshakes)
{
	nodes(A " :0@0 myself,master,noaddr - 0 0 1 connected 0\n"
	    B " :6379@16379 slave,noaddr " A " 0 0 1 disconnected\n"
	    C " 10.0.0.3:6379@16379 handshake - 1675410597900 0 0 disconnected\n");
	ck_assert_int_eq(nbad, 0);
	ck_assert_ptr_null(t.nodes[0].ep.host.p);
	ck_assert(span_is(t.nodes[1].ep.host, ""));
	ck_assert_int_eq(t.nodes[1].ep.port, 6379);
	ck_assert_int_eq(t.nodes[2].role, ROLE_NONE);
	ck_assert(span_is(t.nodes[2].flags, "handshake"));
}
END_TEST

START_TEST(nodes_conf_has_aux_fields_and_vars)
{
	nodes(A " 10.0.0.1:6379@16379,,tls-port=0,shard-id=" B " myself,master - 0 0 11 "
	    "connected 0-8191\n"
	    B " 10.0.0.2:6379@16379,name-b,tls-port=0,shard-id=" C " slave " A
	    " 0 1727755862000 12 connected\n"
	    "vars currentEpoch 12 lastVoteEpoch 11\n");
	ck_assert_int_eq(nbad, 0);
	ck_assert(t.conf);
	ck_assert_int_eq(t.current_epoch, 12);
	ck_assert_ptr_null(t.nodes[0].hostname.p);
	ck_assert(span_is(t.nodes[1].hostname, "name-b"));
}
END_TEST

START_TEST(open_slots)
{
	nodes(A " 10.0.0.1:6379@16379 myself,master - 0 0 1 connected 0-99 [93->-" B
	    "] [5000-<-" C "]\n");
	ck_assert_int_eq(nbad, 0);
	ck_assert_uint_eq(t.nslots, 3);
	ck_assert_int_eq(t.slots[1].state, SLOTS_MIGRATING);
	ck_assert_int_eq(t.slots[1].from, 93);
	ck_assert(span_is(t.slots[1].peer, B));
	ck_assert_int_eq(t.slots[2].state, SLOTS_IMPORTING);
	ck_assert(span_is(t.slots[2].peer, C));
}
END_TEST

START_TEST(damage_costs_what_it_touches)
{
	struct obs_view	 v = { 0 };

	nodes(A " 10.0.0.1:6379@16379 myself,master - 0 0 1 connected 0-10 12000-16390\n"
	    B " 10.0.0.2:6379@16379 myself,master - 0 0 2 connected 5-20\n"
	    "cccc 10.0.0.3:6379@16379 master - 0 0 3 connected 30\n"
	    C " 10.0.0.4:6379@16379,,tls-port=0,shard-id=d795\n");
	ck_assert_str_eq(reasons,
	    "slot range 12000-16390: end is above 16383\n"
	    "a second node is marked myself\n"
	    "slots 5-10 are listed a second time\n"
	    "\"cccc\" (4 characters) is no node id\n"
	    "line of node " C " is cut after 2 fields\n");
	ck_assert_uint_eq(where[3], 2);
	ck_assert_uint_eq(where[4], 3);
	ck_assert_uint_eq(t.nnodes, 2);
	ck_assert_uint_eq(t.nslots, 2);
	ck_assert_int_eq(t.slots[1].from, 11);
	ck_assert_int_eq(t.slots[1].to, 20);
	ck_assert_int_eq(t.myself, 0);
	topology_view(&t, &v);
	ck_assert(v.partial);
	ck_assert(!v.complete);
}
END_TEST

START_TEST(merged_fields_are_not_shifted)
{
	nodes(A " 10.0.0.1:6379@16379 slave " B " 01640595806350 9 connected\n");
	ck_assert_int_eq(nbad, 1);
	ck_assert_int_eq(t.nodes[0].role, ROLE_REPLICA);
	ck_assert_int_eq(t.nodes[0].config_epoch, OBS_NO_NUM);
	ck_assert_int_eq(t.newest_pong_ms, 0);
	ck_assert(!t.slots_lost);
}
END_TEST

START_TEST(merged_lines_are_parted)
{
	nodes(A " 10.0.0.1:6379@16379 myself,slave " B " 0 0 2 connected" B
	    " 10.0.0.2:6379@16379 master - 0 0 2 connected 0-5460" C
	    " 10.0.0.3:6379@16379 master - 0 0 3 connected 5461\n");
	ck_assert_str_eq(reasons, "two lines are merged into one\n"
	    "two lines are merged into one\n");
	ck_assert_uint_eq(t.nnodes, 3);
	ck_assert_uint_eq(t.nslots, 2);
	ck_assert_int_eq(t.slots[0].to, 5460);
	ck_assert_int_eq(t.slots[1].node, 2);
}
END_TEST

START_TEST(an_address_is_never_cut_to_fit)
{
	nodes(A " 10.218.40.1291:6379@16379 myself,slave " B " 0 0 10 connected\n");
	ck_assert_int_eq(nbad, 1);
	ck_assert_ptr_null(t.nodes[0].ep.host.p);
	ck_assert_int_eq(t.nodes[0].bus_port, 16379);
}
END_TEST

static void
tokens(enum topology_form form, const char *const *words, size_t n)
{
	struct span	 k[64];
	size_t		 i;

	for (i = 0; i < n; i++)
		k[i] = span_of(words[i]);
	topology_tokens(&t, form, k, n);
}
#define TOKENS(form, w) tokens(form, w, sizeof(w) / sizeof *(w))

START_TEST(slots_of_3_0_have_no_ids)
{
	static const char *const	 w[] = { "0", "99", "10.0.0.1", "6379",
	    "10.0.0.2", "6379", "100", "16383", "10.0.0.3", "6379" };

	TOKENS(TOPOLOGY_SLOTS, w);
	ck_assert_int_eq(nbad, 0);
	ck_assert_uint_eq(t.nnodes, 3);
	ck_assert_ptr_null(t.nodes[0].id.p);
	ck_assert_int_eq(t.nodes[1].role, ROLE_REPLICA);
	ck_assert_int_eq(t.slots[1].node, 2);
}
END_TEST

START_TEST(slots_metadata_and_unknown_endpoints)
{
	static const char *const	 w[] = { "0", "99", NULL, "6379", A, "hostname",
	    "a.example.test", "", "6380", B, "", "100", "100", "?", "6381", C };

	TOKENS(TOPOLOGY_SLOTS, w);
	ck_assert_int_eq(nbad, 0);
	ck_assert_uint_eq(t.nnodes, 3);
	ck_assert_ptr_null(t.nodes[0].ep.host.p);
	ck_assert(span_is(t.nodes[0].hostname, "a.example.test"));
	ck_assert(span_is(t.nodes[1].ep.host, ""));
	ck_assert(span_is(t.nodes[1].master, A));
	ck_assert_int_eq(t.slots[1].from, 100);
	ck_assert(span_is(t.nodes[2].ep.host, "?"));
}
END_TEST

START_TEST(damaged_slots_go_on_with_the_next_range)
{
	static const char *const	 w[] = { "0", "99999", "10.0.0.1", "6379", A,
	    "100", "200", "10.0.0.2", "6379", B };

	TOKENS(TOPOLOGY_SLOTS, w);
	ck_assert_int_eq(nbad, 1);
	ck_assert(t.slots_lost);
	ck_assert_uint_eq(t.nslots, 1);
	ck_assert(span_is(t.nodes[t.slots[0].node].id, B));
}
END_TEST

START_TEST(shards_in_any_order_of_keys)
{
	static const char *const	 w[] = { "nodes", "endpoint", "10.0.0.1", "health",
	    "failed", "id", A, "port", "6379", "role", "master", "endpoint", "10.0.0.2",
	    "health", "online", "id", B, "port", "6379", "role", "master", "slots", "0",
	    "9", "id", C, "nodes", "id", C, "tls-port", "6380", "ip", "10.0.0.3",
	    "role", "replica", "slots" };

	TOKENS(TOPOLOGY_SHARDS, w);
	ck_assert_int_eq(nbad, 0);
	ck_assert_uint_eq(t.nnodes, 3);
	ck_assert_uint_eq(t.nslots, 1);
	ck_assert(span_is(t.nodes[t.slots[0].node].id, B));	/* the live one */
	ck_assert(span_is(t.nodes[0].flags, "fail"));
	ck_assert_int_eq(t.nodes[2].ep.port, 6380);
}
END_TEST

START_TEST(a_shard_without_master_owns_nothing)
{
	static const char *const	 w[] = { "slots", "0", "9", "7", "nodes", "id", A,
	    "port", "1", "ip", "10.0.0.1", "role", "replica" };

	TOKENS(TOPOLOGY_SHARDS, w);
	ck_assert_str_eq(reasons, "slots 0-9: the shard names no master\n"
	    "a slot range of the shard has no end\n");
	ck_assert_uint_eq(t.nslots, 0);
	ck_assert(t.slots_lost);
}
END_TEST

/* CRC16 bit by bit. */
static int
slow_slot(const char *p, size_t n)
{
	unsigned	 crc = 0;
	int		 bit;

	for (; n > 0; n--, p++)
		for (crc ^= (unsigned)(unsigned char)*p << 8, bit = 0; bit < 8; bit++)
			crc = (crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1) & 0xffff;
	return ((int)(crc % SLOTS_COUNT));
}

START_TEST(keys_hash_to_slots)
{
	char	 key[64];
	size_t	 i, n;

	ck_assert_int_eq(slots_of_key(span_of("123456789")), 0x31c3 % SLOTS_COUNT);
	ck_assert_int_eq(slots_of_key(span_of("foo")), 12182);
	ck_assert_int_eq(slots_of_key(span_of("x{foo}{bar}")), 12182);
	ck_assert_int_eq(slots_of_key(span_of("")), 0);
	for (n = 0; n <= sizeof key; n++) {
		for (i = 0; i < n; i++)
			key[i] = (char)(i * 37 + n * 11 == '{' ? 0 : i * 37 + n * 11);
		ck_assert_int_eq(slots_of_key(span_make(key, n)), slow_slot(key, n));
	}
}
END_TEST

Suite *
suite_topology(void)
{
	Suite	*s = suite_create("topology");
	TCase	*c = tcase_create("all");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, keys_hash_to_slots);
	tcase_add_test(c, a_line_of_every_version);
	tcase_add_test(c, empty_addresses_and_handshakes);
	tcase_add_test(c, nodes_conf_has_aux_fields_and_vars);
	tcase_add_test(c, open_slots);
	tcase_add_test(c, damage_costs_what_it_touches);
	tcase_add_test(c, merged_fields_are_not_shifted);
	tcase_add_test(c, merged_lines_are_parted);
	tcase_add_test(c, an_address_is_never_cut_to_fit);
	tcase_add_test(c, slots_of_3_0_have_no_ids);
	tcase_add_test(c, slots_metadata_and_unknown_endpoints);
	tcase_add_test(c, damaged_slots_go_on_with_the_next_range);
	tcase_add_test(c, shards_in_any_order_of_keys);
	tcase_add_test(c, a_shard_without_master_owns_nothing);
	suite_add_tcase(s, c);
	return (s);
}
