/*
 * check_server_log.c - a line of every message, in the forms of the versions;
 * heads, clocks, roles and who a line belongs to.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "collect.h"
#include "format/format.h"
#include "format/server-message.h"

Suite	*suite_server_log(void);

#define A	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B	"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define S	"5555555555555555555555555555555555555555"
#define NONE	OBS_NO_NUM

static const struct line {
	const char	*text, *kind, *event;
	char		 subject, other;	/* 'A', 'B' or 0 */
	int64_t		 epoch;
	const char	*slots, *address;
} lines[] = {
	{ "oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo", "server", "started", 0, 0, NONE, NULL, NULL },
	{ "oO0OoO0OoO0Oo Valkey is starting oO0OoO0OoO0Oo", "server", "started", 0, 0, NONE, NULL, NULL },
	{ "Server started, Redis version 3.0.7", "server", "started", 0, 0, NONE, NULL, NULL },
	{ "Server initialized", "server", "started", 0, 0, NONE, NULL, NULL },
	{ "Node configuration loaded, I'm " A, "server", "config-loaded", 'A', 0, NONE, NULL, NULL },
	{ "No cluster configuration found, I'm " A, "server", "config-loaded", 'A', 0, NONE, NULL, NULL },
	{ "Node hard reset, now I'm " A, "command", "reset", 'A', 0, NONE, NULL, NULL },
	{ "User requested shutdown...", "server", "shutdown", 0, 0, NONE, NULL, NULL },
	{ "Received SIGTERM scheduling shutdown...", "server", "shutdown", 0, 0, NONE, NULL, NULL },
	{ "Received shutdown signal during loading, exiting now.", "server", "shutdown", 0, 0, NONE, NULL, NULL },
	{ "Redis is now ready to exit, bye bye...", "server", "shutdown", 0, 0, NONE, NULL, NULL },
	{ "Valkey is now ready to exit, bye bye...", "server", "shutdown", 0, 0, NONE, NULL, NULL },
	{ "Unrecoverable error: corrupted cluster config file \"nodes.conf\".", "server", "other", 0, 0, NONE, NULL, NULL },

	{ "*** NODE " A " possibly failing", "pfail", "possibly-failing", 'A', 0, NONE, NULL, NULL },
	{ "NODE " A " (10.0.0.1:6379) possibly failing.", "pfail", "possibly-failing", 'A', 0, NONE, NULL, NULL },
	{ "Node " B " reported node " A " as not reachable.", "pfail", "failure-report", 'A', 'B', NONE, NULL, NULL },
	{ "Node " B " () reported node " A " () is back online.", "pfail", "failure-report-withdrawn", 'A', 'B', NONE, NULL, NULL },
	{ "Marking node " A " as failing (quorum reached).", "fail", "fail-marked", 'A', 0, NONE, NULL, NULL },
	{ "FAIL message received from " B " about " A, "fail", "fail-received", 'A', 'B', NONE, NULL, NULL },
	{ "FAIL message received from " B " (n2) about " A " (n1)", "fail", "fail-received", 'A', 'B', NONE, NULL, NULL },
	{ "Ignoring FAIL message from unknown node " B " about " A, "server", "other", 'A', 'B', NONE, NULL, NULL },
	{ "Clear FAIL state for node " A ": slave is reachable again.", "fail", "fail-cleared", 'A', 0, NONE, NULL, NULL },
	{ "Clear FAIL state for node " A " ():replica is reachable again.", "fail", "fail-cleared", 'A', 0, NONE, NULL, NULL },
	{ "Clear FAIL state for node " A " (): is reachable again and nobody is serving its slots after some time.", "fail", "fail-cleared", 'A', 0, NONE, NULL, NULL },
	{ "Connection with Node " A " at 10.0.0.1:16379 failed: Connection refused", "server", "link-failed", 'A', 0, NONE, NULL, "10.0.0.1" },
	{ "Connecting with Node " A " at 10.0.0.1:16379", "server", "link-opened", 'A', 0, NONE, NULL, "10.0.0.1" },

	{ "Start of election delayed for 571 milliseconds (rank #0, offset 11802).", "election", "election-scheduled", 0, 0, NONE, NULL, NULL },
	{ "Start of election delayed for 0 milliseconds (rank #0, primary rank #0, offset 1).", "election", "election-scheduled", 0, 0, NONE, NULL, NULL },
	{ "Slave rank updated to #1, added 1000 milliseconds of delay.", "election", "election-scheduled", 0, 0, NONE, NULL, NULL },
	{ "Replica rank updated to #1, added 1000 milliseconds of delay.", "election", "election-scheduled", 0, 0, NONE, NULL, NULL },
	{ "Failed primary rank updated to #1, added -20 milliseconds of delay.", "election", "election-scheduled", 0, 0, NONE, NULL, NULL },
	{ "This is the best ranked replica and can initiate the election immediately.", "election", "election-scheduled", 0, 0, NONE, NULL, NULL },
	{ "Myself become the best ranked replica, initiate the election immediately.", "election", "election-scheduled", 0, 0, NONE, NULL, NULL },
	{ "Starting a failover election for epoch 7.", "election", "election-started", 0, 0, 7, NULL, NULL },
	{ "Starting a failover election for epoch 8, node config epoch is 1", "election", "election-started", 0, 0, 8, NULL, NULL },
	{ "Currently unable to failover: Failover attempt expired.", "election", "election-failed", 0, 0, NONE, NULL, NULL },
	{ "Currently unable to failover: Waiting for votes, but majority still not reached.", "election", "election-waiting", 0, 0, NONE, NULL, NULL },
	{ "Needed quorum: 2. Number of votes received so far: 1", "election", "election-waiting", 0, 0, NONE, NULL, NULL },
	{ "Failover election won: I'm the new master.", "promotion", "election-won", 0, 0, NONE, NULL, NULL },
	{ "Failover election won: I'm the new primary.", "promotion", "election-won", 0, 0, NONE, NULL, NULL },
	{ "Failover election in progress for epoch 9, but received a claim from node " B " () with an equal or higher epoch 9. Resetting the election since we cannot win an election in the past.", "election", "election-failed", 0, 'B', 9, NULL, NULL },
	{ "Setting myself to primary in shard " S " after failover; my old primary is " B " ()", "promotion", "takeover", 0, 'B', NONE, NULL, NULL },

	{ "Failover auth granted to " B " for epoch 6", "vote", "vote-granted", 0, 'B', 6, NULL, NULL },
	{ "Failover auth denied to " B ": reqEpoch (3) < curEpoch(5)", "vote", "vote-denied", 0, 'B', 3, NULL, NULL },
	{ "Failover auth denied to " B " (): slot 5 epoch (9) > reqConfigEpoch (4)", "vote", "vote-denied", 0, 'B', 4, NULL, NULL },
	{ "Failover auth denied to " B ": already voted for epoch 412", "vote", "vote-denied", 0, 'B', 412, NULL, NULL },
	{ "Failover auth denied to " B ": its master is up", "vote", "vote-denied", 0, 'B', NONE, NULL, NULL },

	{ "Manual failover user request accepted.", "election", "manual-accepted", 0, 0, NONE, NULL, NULL },
	{ "Manual failover user request accepted (user request from 'id=14 addr=10.0.0.9:5 ').", "election", "manual-accepted", 0, 0, NONE, NULL, NULL },
	{ "Forced failover user request accepted.", "election", "force-accepted", 0, 0, NONE, NULL, NULL },
	{ "Forced failover primary request accepted (primary request from 'x').", "election", "force-accepted", 0, 0, NONE, NULL, NULL },
	{ "Taking over the master (user request).", "election", "takeover-accepted", 0, 0, NONE, NULL, NULL },
	{ "Taking over the primary (user request from 'id=3').", "election", "takeover-accepted", 0, 0, NONE, NULL, NULL },
	{ "Manual failover requested by slave " B ".", "election", "manual-requested", 0, 'B', NONE, NULL, NULL },
	{ "Manual failover requested by replica " B " ().", "election", "manual-requested", 0, 'B', NONE, NULL, NULL },
	{ "Received replication offset for paused master manual failover: 104950", "election", "manual-offset", 0, 0, NONE, NULL, NULL },
	{ "All master replication stream processed, manual failover can start.", "election", "manual-caught-up", 0, 0, NONE, NULL, NULL },
	{ "All primary replication stream processed, manual failover can start.", "election", "manual-caught-up", 0, 0, NONE, NULL, NULL },
	{ "Manual failover timed out.", "election", "manual-timed-out", 0, 0, NONE, NULL, NULL },
	{ "Perform auto failover to replica " B " on shutdown.", "election", "shutdown-failover", 0, 'B', NONE, NULL, NULL },
	{ "Unable to find a replica to perform the auto failover on shutdown.", "election", "election-failed", 0, 0, NONE, NULL, NULL },

	{ "Configuration change detected. Reconfiguring myself as a replica of " B, "demotion", "demoted", 0, 'B', NONE, NULL, NULL },
	{ "Configuration change detected. Reconfiguring myself as a replica of " B " ()", "demotion", "demoted", 0, 'B', NONE, NULL, NULL },
	{ "Configuration change detected. Reconfiguring myself as a replica of node " B " () in shard " S, "demotion", "demoted", 0, 'B', NONE, NULL, NULL },
	{ "I'm a sub-replica! Reconfiguring myself as a replica of grandmaster " B, "demotion", "sub-replica", 0, 'B', NONE, NULL, NULL },
	{ "Lost my last slot during slot migration. Reconfiguring myself as a replica of " B " () in shard " S, "demotion", "emptied", 0, 'B', NONE, NULL, NULL },
	{ "My last slot was migrated to node " B " () in shard " S ". I am now an empty primary.", "slots-assigned", "slots-lost", 0, 'B', NONE, NULL, NULL },
	{ "A failover occurred in migration source. Update importing source of 3 slot(s) to node " B " () in shard " S ".", "slots-assigned", "migration-moved", 0, 'B', NONE, NULL, NULL },
	{ "Failover occurred in migration source. Update importing source for slot 7 to node " B " () in shard " S ".", "slots-assigned", "migration-moved", 0, 'B', NONE, "7", NULL },
	{ "A failover occurred in shard " S "; node " A " () lost 0 slot(s) to node " B " () with a config epoch of 12", "slots-assigned", "slots-lost", 'A', 'B', 12, NULL, NULL },
	{ "Node " A " () is no longer master of shard " S "; removed all 5461 slot(s) it used to own", "slots-assigned", "slots-removed", 'A', 0, NONE, NULL, NULL },
	{ "Node " A " () is no longer primary of shard " S "; removed all 5461 slot(s) it used to own", "slots-assigned", "slots-removed", 'A', 0, NONE, NULL, NULL },
	{ "Reconfiguring node " A " (10.0.0.1:6379) as primary for shard " S, "server", "view-flip", 'A', 0, NONE, NULL, NULL },
	{ "Mismatch in topology information for sender node " A " () in shard " S, "server", "mismatch", 'A', 0, NONE, NULL, NULL },
	{ "Node " A " () is now a replica of node " B " () in shard " S, "server", "replica-announced", 'A', 'B', NONE, NULL, NULL },
	{ "Node " A " () is now part of shard " S, "server", "shard-changed", 'A', 0, NONE, NULL, NULL },
	{ "Ignore stale message from " A " () in shard " S "; gossip config epoch: 3, current config epoch: 4", "server", "stale-message", 'A', 0, 4, NULL, NULL },
	{ "Processing UPDATE message received from " B " () in shard " S " about node " A " () in shard " S ". old configEpoch 3, new configEpoch 5", "server", "update-received", 'A', 'B', 5, NULL, NULL },
	{ "Node " A " has old slots configuration, sending an UPDATE message about " B, "server", "update-sent", 'A', 'B', NONE, NULL, NULL },
	{ "Discarding UPDATE message about myself.", "server", "other", 0, 0, NONE, NULL, NULL },
	{ "Migrating to orphaned master " B, "server", "following", 0, 'B', NONE, NULL, NULL },

	{ "configEpoch set to 7 after successful failover", "epoch", "epoch-set", 0, 0, 7, NULL, NULL },
	{ "New configEpoch set to 8", "epoch", "epoch-bumped", 0, 0, 8, NULL, NULL },
	{ "WARNING: configEpoch collision with node " B ". configEpoch set to 9", "epoch", "epoch-collision", 0, 'B', 9, NULL, NULL },
	{ "configEpoch collision with node " B " (). configEpoch set to 10", "epoch", "epoch-collision", 0, 'B', 10, NULL, NULL },
	{ "configEpoch set to 1 via CLUSTER SET-CONFIG-EPOCH", "epoch", "epoch-set", 0, 0, 1, NULL, NULL },
	{ "configEpoch updated after importing slot 77", "epoch", "epoch-bumped", 0, 0, NONE, "77", NULL },
	{ "ConfigEpoch updated after importing slot 77", "epoch", "epoch-bumped", 0, 0, NONE, "77", NULL },
	{ "Address updated for node " A ", now 127.0.0.1:6379", "server", "address-changed", 'A', 0, NONE, NULL, "127.0.0.1" },
	{ "IP address for this node updated to 10.0.0.9", "server", "address-changed", 0, 0, NONE, NULL, NULL },
	{ "Cluster state changed: ok", "server", "state-ok", 0, 0, NONE, NULL, NULL },
	{ "Cluster state changed: fail", "server", "state-fail", 0, 0, NONE, NULL, NULL },
	{ "Cluster is currently down: I am part of a minority partition.", "server", "other", 0, 0, NONE, NULL, NULL },

	{ "Migrating slot 5 to node " B " () in shard " S, "command", "setslot", 0, 'B', NONE, "5", NULL },
	{ "Importing slot 5 from node " B " () in shard " S, "command", "setslot", 0, 'B', NONE, "5", NULL },
	{ "Marking slot 5 stable", "command", "setslot", 0, 0, NONE, "5", NULL },
	{ "Assigning slot 5 to node " B " () in shard " S, "slots-assigned", "slot-assigned", 0, 'B', NONE, "5", NULL },
	{ "Slot range [100, 200] is migrated from node " A " () in shard " S " to node " B " () in shard " S ".", "slots-assigned", "slot-migrated", 'A', 'B', NONE, "100-200", NULL },
	{ "Slot migration x slots are now owned by target node.", "slots-assigned", "slot-migrated", 0, 0, NONE, NULL, NULL },
	{ "Slot migration x state transition: a -> b", "slots-assigned", "migration-step", 0, 0, NONE, NULL, NULL },
	{ "Write loss risk! During slot migration x, new owner did not broadcast ownership before we unpaused ourselves.", "slots-assigned", "write-loss-risk", 0, 0, NONE, NULL, NULL },
	{ "Slot 5 is migrated from node " A " () in shard " S " to node " B " () in shard " S ".", "slots-assigned", "slot-migrated", 'A', 'B', NONE, "5", NULL },
	{ "Slot 5 is no longer being migrated to node " B " () in shard " S ".", "command", "setslot", 0, 'B', NONE, "5", NULL },
	{ "I have keys for unassigned slot 5. Taking responsibility for it.", "slots-assigned", "slot-assigned", 0, 0, NONE, "5", NULL },
	{ "I have keys for slot 5, but the slot is assigned to another node. Setting it to importing state.", "server", "other", 0, 0, NONE, "5", NULL },
	{ "Import task t1 completed for slots: 0-100 200-300 (imported 5 keys)", "slots-assigned", "slot-migrated", 0, 0, NONE, "0-100 200-300", NULL },
	{ "Import task t1 is ready to takeover slots: 0-100", "slots-assigned", "migration-step", 0, 0, NONE, "0-100", NULL },
	{ "Migrate task t1 completed for slots: 0-100", "slots-assigned", "slot-migrated", 0, 0, NONE, "0-100", NULL },
	{ "Migrate task t1 preparing to handoff for slots: 0-100", "slots-assigned", "migration-step", 0, 0, NONE, "0-100", NULL },
	{ "Pausing writes to allow slot migration to finalize failover.", "pause", "writes-paused", 0, 0, NONE, NULL, NULL },

	{ "Connection with master lost.", "server", "link-lost", 0, 0, NONE, NULL, NULL },
	{ "Connection with primary lost.", "server", "link-lost", 0, 0, NONE, NULL, NULL },
	{ "Connection with replica (rdbchannel) 10.0.0.1:6379 lost.", "server", "other", 0, 0, NONE, NULL, NULL },
	{ "Connection with replica 10.0.0.1:6379 lost.", "server", "replica-lost", 0, 0, NONE, NULL, "10.0.0.1" },
	{ "Connection with replica client id #7 lost.", "server", "replica-lost", 0, 0, NONE, NULL, NULL },
	{ "Connection with slave 10.0.0.1:6379 lost.", "server", "replica-lost", 0, 0, NONE, NULL, "10.0.0.1" },
	{ "MASTER timeout: no data nor PING received...", "server", "link-lost", 0, 0, NONE, NULL, NULL },
	{ "PRIMARY timeout: no data nor PING received...", "server", "link-lost", 0, 0, NONE, NULL, NULL },
	{ "Disconnecting timedout replica (streaming sync): 10.0.0.1:6379", "server", "replica-lost", 0, 0, NONE, NULL, NULL },
	{ "Setting secondary replication ID to " S ", valid up to offset: 104951. New replication ID is " S, "server", "replication-id", 0, 0, NONE, NULL, NULL },
	{ "Connecting to MASTER 10.0.0.1:6379", "server", "following", 0, 0, NONE, NULL, "10.0.0.1" },
	{ "Connecting to PRIMARY 10.0.0.1:6379", "server", "following", 0, 0, NONE, NULL, "10.0.0.1" },
	{ "Partial resynchronization not accepted: Requested offset for second ID was 120, but I can reply up to 101", "server", "resync-refused", 0, 0, NONE, NULL, NULL },
	{ "Partial resynchronization request from 10.0.0.1:6379 accepted. Sending 0 bytes of backlog starting from offset 5.", "server", "resync-partial", 0, 0, NONE, NULL, "10.0.0.1" },
	{ "Successful partial resynchronization with master.", "server", "resync-partial", 0, 0, NONE, NULL, NULL },
	{ "Full resync from master: " S ":5", "server", "resync-full", 0, 0, NONE, NULL, NULL },
	{ "Error condition on socket for SYNC: Connection refused", "server", "link-failed", 0, 0, NONE, NULL, NULL },
	{ "MASTER MODE enabled (user request from 'id=3')", "command", "replicaof", 0, 0, NONE, NULL, NULL },
	{ "REPLICAOF 10.0.0.1:6379 enabled (user request from 'id=3')", "command", "replicaof", 0, 0, NONE, NULL, "10.0.0.1" },
	{ "SLAVE OF 10.0.0.1:6379 enabled (user request)", "command", "replicaof", 0, 0, NONE, NULL, "10.0.0.1" },
	{ "FAILOVER requested to 10.0.0.1:6379.", "command", "replicaof", 0, 0, NONE, NULL, "10.0.0.1" },
};
enum { LINES = sizeof lines / sizeof *lines };

static void
is_id(struct span id, char which)
{
	if (which == 0)
		ck_assert_ptr_null(id.p);
	else
		ck_assert(span_is(id, which == 'A' ? A : B));
}

START_TEST(a_line_of_every_message)
{
	const struct line		*l = &lines[_i];
	const struct server_message	*m = server_message_find(span_of(l->text));
	struct obs			 o;
	struct buf			 scratch = { 0 };

	ck_assert_msg(m != NULL, "%s", l->text);
	obs_init(&o, OBS_SERVER);
	server_message_read(m, span_of(l->text), &o.u.server, &scratch);
	ck_assert_str_eq(o.u.server.kind, l->kind);
	ck_assert_str_eq(o.u.server.event, l->event);
	is_id(o.u.server.subject, l->subject);
	is_id(o.u.server.other, l->other);
	ck_assert_int_eq(o.u.server.epoch, l->epoch);
	ck_assert(l->slots != NULL ? span_is(o.u.server.slots, l->slots) :
	    o.u.server.slots.p == NULL);
	ck_assert(l->address != NULL ? span_is(o.u.server.subject_ep.host, l->address) :
	    o.u.server.subject_ep.host.p == NULL);
	buf_free(&scratch);
}
END_TEST

START_TEST(no_message_is_without_a_line)
{
	const struct server_message	*rows;
	size_t				 n, i, k;

	rows = server_message_rows(&n);
	for (i = 0; i < n; i++) {
		for (k = 0; k < LINES; k++)
			if (server_message_find(span_of(lines[k].text)) == &rows[i])
				break;
		ck_assert_msg(k < LINES, "%s", rows[i].text);
	}
}
END_TEST

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
decode(const char *text)
{
	struct err	 e = ERR_INIT;
	struct input	*in = input_memory(text, strlen(text), "server/n1.log", 0);

	ck_assert_int_eq(format_server_log.decode(in, &ctx, &got.sink, &e), 0);
	input_close(in);
}

static const struct obs *
event(const char *word, size_t n)
{
	const struct obs	*o;
	size_t			 i;

	for (i = 0; (o = collect_nth(&got, OBS_SERVER, i)) != NULL; i++)
		if (strcmp(o->u.server.event, word) == 0 && n-- == 0)
			return (o);
	return (NULL);
}

#define T0	INT64_C(1796000523456000)	/* 2026-11-30T01:02:03.456Z */
#define WON	"Failover election won: I'm the new master."

static const struct head {
	const char	*text;
	enum node_role	 role;
	int64_t		 at;
	enum at_basis	 basis;
	const char	*name;
} heads[] = {
	{ "4018:S 30 Nov 2026 01:02:03.456 # " WON "\n", ROLE_REPLICA, T0, AT_ASSUMED_UTC, "n1" },
	{ "pid=23265 role=replica timestamp=\"2026-11-30T06:32:03.456+05:30\" level=notice "
	    "message=\"" WON "\"\n", ROLE_REPLICA, T0, AT_STATED, "n1" },
	{ "pid=23265 role=primary timestamp=\"1796000523456\" level=notice message=\"" WON
	    "\"\n", ROLE_MASTER, T0, AT_STATED, "n1" },
	{ "{\"pid\":25076,\"role\":\"primary\",\"timestamp\":\"1796000523456\",\"level\":"
	    "\"notice\",\"message\":\"" WON "\"}\n", ROLE_MASTER, T0, AT_STATED, "n1" },
	{ "4018:S 1796000523456 # " WON "\n", ROLE_REPLICA, T0, AT_STATED, "n1" },
	{ "4018:S 2026-11-30T03:02:03.456+02:00 * " WON "\n", ROLE_REPLICA, T0, AT_STATED, "n1" },
	{ "{\"log\":\"4018:S 30 Nov 2026 01:02:03.456 # " WON "\\n\",\"stream\":\"stdout\","
	    "\"time\":\"2026-11-30T01:02:03.457000000Z\"}\n", ROLE_REPLICA, T0, AT_ENVELOPE, "n1" },
	{ "cache-2 - 4018:S 30 Nov 2026 01:02:03.456 # " WON "\n", ROLE_REPLICA, T0,
	    AT_ASSUMED_UTC, "n1/cache-2" },
	{ "I1130 01:02:03.456756       1 log.go:16] 22:M 30 Nov 2026 01:02:03.456 # " WON "\n",
	    ROLE_MASTER, T0, AT_ASSUMED_UTC, "n1" },
};

START_TEST(heads_of_all_versions_and_wrappers)
{
	const struct head	*h = &heads[_i];
	const struct obs	*o;

	decode(h->text);
	o = event("election-won", 0);
	ck_assert_ptr_nonnull(o);
	ck_assert_int_eq(o->u.server.role, h->role);
	ck_assert_int_eq(o->at, h->at);
	ck_assert_int_eq(o->at_basis, h->basis);
	ck_assert(span_is(o->observer.name, h->name));
	ck_assert_int_eq(o->observer.kind, WHO_NODE);
}
END_TEST

START_TEST(a_signal_handler_tells_year_and_zone)
{
	const struct obs	*o;

	/* 1449128495 is 2015-12-03T07:41:35Z; the server's clock is at +02:00 */
	decode("2411:S 03 Dec 09:41:06.755 # " WON "\n"
	    "2411:M 03 Dec 09:41:33.244 * Cluster state changed: ok\n"
	    "2411:signal-handler (1449128495) Received SIGTERM scheduling shutdown...\n");
	o = event("election-won", 0);
	ck_assert_int_eq(o->at, INT64_C(1449128466755000));
	ck_assert_int_eq(o->at_basis, AT_ZONE);
	o = event("shutdown", 0);
	ck_assert_int_eq(o->at, INT64_C(1449128495000000));
	ck_assert_int_eq(o->at_basis, AT_STATED);
	ck_assert_int_eq(o->where.position, 3);
}
END_TEST

START_TEST(the_node_is_known_from_a_later_line)
{
	decode("1:C 30 Nov 2026 01:02:03.000 * oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo\n"
	    "1:M 30 Nov 2026 01:02:03.001 * Node configuration loaded, I'm " A "\n"
	    "1:M 30 Nov 2026 01:02:03.002 # Server initialized\n"
	    "1:S 30 Nov 2026 01:02:03.003 * Connecting to MASTER 10.0.0.1:6379\n"
	    "1:S 30 Nov 2026 01:05:03.003 # " WON "\n"
	    "1:M 30 Nov 2026 01:05:03.004 # Cluster state changed: ok\n"
	    "2:C 30 Nov 2026 01:06:03.000 * oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo\n");
	ck_assert(span_is(event("started", 0)->observer.node, A));
	ck_assert_ptr_null(event("started", 1));	/* one start, two lines */
	ck_assert_ptr_nonnull(event("restarted", 0));
	ck_assert(span_is(event("election-won", 0)->observer.node, A));
	/* Roles settle after a start, and a promotion said in words is one. */
	ck_assert_ptr_null(event("role-replica", 0));
	ck_assert_ptr_null(event("role-master", 0));
}
END_TEST

START_TEST(a_start_tells_the_version)
{
	const struct obs	*o;

	decode("1:C 30 Nov 2026 01:02:03.000 # Redis version=7.2.4, bits=64, commit=0, pid=1, just started\n"
	    "1:M 30 Nov 2026 01:02:03.001 * Node configuration loaded, I'm " A "\n"
	    "1:M 30 Nov 2026 01:02:03.002 # Server started, Redis version 3.0.7\n"
	    "1:M 30 Nov 2026 01:02:03.003 # Redis version=unknown\n");
	o = collect_nth(&got, OBS_SETTING, 0);
	ck_assert_ptr_nonnull(o);
	ck_assert(span_is(o->u.setting.name, "version"));
	ck_assert(span_is(o->u.setting.value, "7.2.4"));
	ck_assert(span_is(o->observer.node, A));	/* it waited for the id */
	ck_assert_int_eq(o->u.setting.of_observer, 1);
	ck_assert(span_is(collect_nth(&got, OBS_SETTING, 1)->u.setting.value, "3.0.7"));
	ck_assert_ptr_null(collect_nth(&got, OBS_SETTING, 2));
}
END_TEST

START_TEST(letters_alone_tell_of_role_changes)
{
	const struct obs	*o;

	decode("1:S 30 Nov 2026 01:02:03.000 * Background saving started by pid 7\n"
	    "7:C 30 Nov 2026 01:02:03.100 * DB saved on disk\n"
	    "1:M 30 Nov 2026 01:02:09.000 * Background saving terminated with success\n"
	    "1:S 30 Nov 2026 01:03:09.000 * Something else\n");
	o = event("role-master", 0);
	ck_assert_ptr_nonnull(o);
	ck_assert_str_eq(o->u.server.kind, "promotion");
	ck_assert_int_eq(o->at, T0 + 5544000);
	ck_assert_ptr_nonnull(event("role-replica", 0));
	ck_assert_uint_eq(collect_count(&got, OBS_SERVER), 2);
}
END_TEST

START_TEST(a_replica_that_follows_another_master_is_no_demotion)
{
	decode("1:S 30 Nov 2026 01:02:03.456 # Configuration change detected. Reconfiguring "
	    "myself as a replica of " B "\n"
	    "1:M 30 Nov 2026 01:09:03.456 # Configuration change detected. Reconfiguring "
	    "myself as a replica of " B "\n"
	    "1:S 30 Nov 2026 01:09:04.456 * Connecting to MASTER 10.0.0.1:6379\n");
	ck_assert_str_eq(event("following", 0)->u.server.kind, "server");
	ck_assert(span_is(event("demoted", 0)->u.server.other, B));
	ck_assert_ptr_null(event("demoted", 1));
	ck_assert_ptr_null(event("role-replica", 0));
}
END_TEST

START_TEST(a_takeover_is_one_promotion)
{
	decode("1:S 30 Nov 2026 01:02:03.456 * Taking over the primary (user request).\n"
	    "1:S 30 Nov 2026 01:02:03.457 * New configEpoch set to 9\n"
	    "1:S 30 Nov 2026 01:02:03.457 * Setting myself to primary in shard " S
	    " after failover; my old primary is " B " ()\n"
	    "1:M 30 Nov 2026 01:02:03.460 * Cluster state changed: ok\n");
	ck_assert_str_eq(event("takeover", 0)->u.server.kind, "promotion");
	ck_assert_ptr_null(event("takeover", 1));
	ck_assert_str_eq(event("takeover-accepted", 0)->u.server.kind, "election");
	ck_assert_int_eq(event("epoch-bumped", 0)->u.server.epoch, 9);
	ck_assert_ptr_null(event("role-master", 0));
}
END_TEST

START_TEST(servers_of_one_file_are_told_apart)
{
	const struct obs	*o;

	decode("15120:M 12 Sep 2024 03:21:58.994 * Connection with replica 127.0.0.1:28731 lost.\n"
	    "15133:M 12 Sep 2024 03:21:59.006 * Configuration change detected. Reconfiguring "
	    "myself as a replica of node " B " () in shard " S "\n"
	    "15120:M 12 Sep 2024 03:21:59.100 * Cluster state changed: ok\n"
	    "15133:S 12 Sep 2024 03:21:59.106 * Connecting to PRIMARY 127.0.0.1:28744\n");
	o = event("state-ok", 0);
	ck_assert(span_is(o->observer.name, "n1/15120"));
	ck_assert(span_is(event("demoted", 0)->observer.name, "n1/15133"));
	ck_assert(span_is(event("following", 0)->observer.name, "n1/15133"));
	ck_assert_ptr_null(event("role-replica", 0));
}
END_TEST

START_TEST(lines_left_out_are_said)
{
	decode("1:S 04 Mar 2014 10:41:14.743 # Start of election delayed for 0 milliseconds (rank "
	    "#0, offset 5).\n.\n.\n.\n"
	    "1:S 04 Mar 2014 10:41:19.658 # Manual failover timed out.\n");
	ck_assert_ptr_nonnull(collect_problem(&got, "gap", 0));
	ck_assert_ptr_nonnull(event("manual-timed-out", 0));
}
END_TEST

Suite *
suite_server_log(void)
{
	Suite	*s = suite_create("server_log");
	TCase	*c = tcase_create("all");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, a_line_of_every_message, 0, LINES);
	tcase_add_test(c, no_message_is_without_a_line);
	tcase_add_loop_test(c, heads_of_all_versions_and_wrappers, 0,
	    (int)(sizeof heads / sizeof *heads));
	tcase_add_test(c, a_signal_handler_tells_year_and_zone);
	tcase_add_test(c, the_node_is_known_from_a_later_line);
	tcase_add_test(c, a_start_tells_the_version);
	tcase_add_test(c, letters_alone_tell_of_role_changes);
	tcase_add_test(c, a_replica_that_follows_another_master_is_no_demotion);
	tcase_add_test(c, a_takeover_is_one_promotion);
	tcase_add_test(c, servers_of_one_file_are_told_apart);
	tcase_add_test(c, lines_left_out_are_said);
	suite_add_tcase(s, c);
	return (s);
}
