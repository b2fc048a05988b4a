#include "format/server-message.h"

#include "model/endpoint.h"
#include "model/slots.h"
#include "model/topology.h"

/* The first row that fits counts, so the special ones stand first. */
static const struct server_message messages[] = {
	/* start, identity, stop */
	{ "oO0OoO0OoO0Oo", " is starting ", "server", "started", NULL, NULL, NULL, NULL },
	{ "Server started, Redis version", NULL, "server", "started", NULL, NULL, NULL, NULL },
	{ "Server initialized", NULL, "server", "started", NULL, NULL, NULL, NULL },
	{ "Node configuration loaded, I'm ", NULL, "server", "config-loaded", "s", NULL, NULL, NULL },
	{ "No cluster configuration found, I'm ", NULL, "server", "config-loaded", "s", NULL, NULL, NULL },
	{ "Node hard reset, now I'm ", NULL, "command", "reset", "s", NULL, NULL, NULL },
	{ "User requested shutdown", NULL, "server", "shutdown", NULL, NULL, NULL, NULL },
	{ "Received SIG", NULL, "server", "shutdown", NULL, NULL, NULL, NULL },
	{ "Received shutdown signal", NULL, "server", "shutdown", NULL, NULL, NULL, NULL },
	{ "Redis is now ready to exit", NULL, "server", "shutdown", NULL, NULL, NULL, NULL },
	{ "Valkey is now ready to exit", NULL, "server", "shutdown", NULL, NULL, NULL, NULL },
	{ "Unrecoverable error", NULL, "server", "other", NULL, NULL, NULL, NULL },

	/* unreachability */
	{ "*** NODE ", " possibly failing", "pfail", "possibly-failing", "s", NULL, NULL, NULL },
	{ "NODE ", " possibly failing", "pfail", "possibly-failing", "s", NULL, NULL, NULL },
	{ "Node ", " as not reachable", "pfail", "failure-report", "os", NULL, NULL, NULL },
	{ "Node ", " is back online", "pfail", "failure-report-withdrawn", "os", NULL, NULL, NULL },
	{ "Marking node ", " as failing", "fail", "fail-marked", "s", NULL, NULL, NULL },
	{ "FAIL message received from ", " about ", "fail", "fail-received", "os", NULL, NULL, NULL },
	{ "Ignoring FAIL message from unknown node ", NULL, "server", "other", "os", NULL, NULL, NULL },
	{ "Clear FAIL state for node ", NULL, "fail", "fail-cleared", "s", NULL, NULL, NULL },
	{ "Connection with Node ", " failed", "server", "link-failed", "s", NULL, NULL, " at " },
	{ "Connecting with Node ", NULL, "server", "link-opened", "s", NULL, NULL, " at " },

	/* election, at the candidate */
	{ "Start of election delayed for ", NULL, "election", "election-scheduled", NULL, NULL, NULL, NULL },
	{ "Slave rank updated to ", NULL, "election", "election-scheduled", NULL, NULL, NULL, NULL },
	{ "Replica rank updated to ", NULL, "election", "election-scheduled", NULL, NULL, NULL, NULL },
	{ "Failed primary rank updated to ", NULL, "election", "election-scheduled", NULL, NULL, NULL, NULL },
	{ "This is the best ranked replica", NULL, "election", "election-scheduled", NULL, NULL, NULL, NULL },
	{ "Myself become the best ranked replica", NULL, "election", "election-scheduled", NULL, NULL, NULL, NULL },
	{ "Starting a failover election for epoch ", NULL, "election", "election-started", NULL, "for epoch ", NULL, NULL },
	{ "Currently unable to failover: ", "attempt expired", "election", "election-failed", NULL, NULL, NULL, NULL },
	{ "Currently unable to failover: ", NULL, "election", "election-waiting", NULL, NULL, NULL, NULL },
	{ "Needed quorum: ", NULL, "election", "election-waiting", NULL, NULL, NULL, NULL },
	{ "Failover election won", NULL, "promotion", "election-won", NULL, NULL, NULL, NULL },
	{ "Failover election in progress for epoch ", NULL, "election", "election-failed", "o", "for epoch ", NULL, NULL },
	{ "Setting myself to primary in shard ", NULL, "promotion", "takeover", "o", NULL, NULL, NULL },

	/* votes, at the masters */
	{ "Failover auth granted to ", NULL, "vote", "vote-granted", "o", "for epoch ", NULL, NULL },
	{ "Failover auth denied to ", "reqEpoch (", "vote", "vote-denied", "o", "reqEpoch (", NULL, NULL },
	{ "Failover auth denied to ", "reqConfigEpoch (", "vote", "vote-denied", "o", "reqConfigEpoch (", NULL, NULL },
	{ "Failover auth denied to ", NULL, "vote", "vote-denied", "o", "for epoch ", NULL, NULL },

	/* manual failover */
	{ "Manual failover user request accepted", NULL, "election", "manual-accepted", NULL, NULL, NULL, NULL },
	{ "Forced failover user request accepted", NULL, "election", "force-accepted", NULL, NULL, NULL, NULL },
	{ "Forced failover primary request accepted", NULL, "election", "force-accepted", NULL, NULL, NULL, NULL },
	{ "Taking over the master", NULL, "election", "takeover-accepted", NULL, NULL, NULL, NULL },
	{ "Taking over the primary", NULL, "election", "takeover-accepted", NULL, NULL, NULL, NULL },
	{ "Manual failover requested by ", NULL, "election", "manual-requested", "o", NULL, NULL, NULL },
	{ "Received replication offset for paused ", NULL, "election", "manual-offset", NULL, NULL, NULL, NULL },
	{ "All master replication stream processed", NULL, "election", "manual-caught-up", NULL, NULL, NULL, NULL },
	{ "All primary replication stream processed", NULL, "election", "manual-caught-up", NULL, NULL, NULL, NULL },
	{ "Manual failover timed out", NULL, "election", "manual-timed-out", NULL, NULL, NULL, NULL },
	{ "Perform auto failover to replica ", NULL, "election", "shutdown-failover", "o", NULL, NULL, NULL },
	{ "Unable to find a replica to perform the auto failover", NULL, "election", "election-failed", NULL, NULL, NULL, NULL },

	/* demotion, and who owns what */
	{ "Configuration change detected. Reconfiguring myself as a replica of ", NULL, "demotion", "demoted", "o", NULL, NULL, NULL },
	{ "I'm a sub-replica! Reconfiguring myself as a replica of ", NULL, "demotion", "sub-replica", "o", NULL, NULL, NULL },
	{ "Lost my last slot during slot migration. Reconfiguring myself as a replica of ", NULL, "demotion", "emptied", "o", NULL, NULL, NULL },
	{ "My last slot was migrated to node ", NULL, "slots-assigned", "slots-lost", "o", NULL, NULL, NULL },
	{ "A failover occurred in migration ", NULL, "slots-assigned", "migration-moved", "o", NULL, NULL, NULL },
	{ "Failover occurred in migration ", NULL, "slots-assigned", "migration-moved", "o", NULL, "lot ", NULL },
	{ "A failover occurred in shard ", NULL, "slots-assigned", "slots-lost", "so", "config epoch of ", NULL, NULL },
	{ "Node ", " is no longer master of shard ", "slots-assigned", "slots-removed", "s", NULL, NULL, NULL },
	{ "Node ", " is no longer primary of shard ", "slots-assigned", "slots-removed", "s", NULL, NULL, NULL },
	{ "Reconfiguring node ", NULL, "server", "view-flip", "s", NULL, NULL, NULL },
	{ "Mismatch in topology information for sender node ", NULL, "server", "mismatch", "s", NULL, NULL, NULL },
	{ "Node ", " is now a replica of node ", "server", "replica-announced", "so", NULL, NULL, NULL },
	{ "Node ", " is now part of shard ", "server", "shard-changed", "s", NULL, NULL, NULL },
	{ "Ignore stale message from ", NULL, "server", "stale-message", "s", "current config epoch: ", NULL, NULL },
	{ "Processing UPDATE message received from ", NULL, "server", "update-received", "os", "new configEpoch ", NULL, NULL },
	{ "Node ", " has old slots configuration, sending an UPDATE", "server", "update-sent", "so", NULL, NULL, NULL },
	{ "Discarding UPDATE message about myself", NULL, "server", "other", NULL, NULL, NULL, NULL },
	{ "Migrating to orphaned ", NULL, "server", "following", "o", NULL, NULL, NULL },

	/* epochs, addresses, state */
	{ "configEpoch set to ", "after successful failover", "epoch", "epoch-set", NULL, "set to ", NULL, NULL },
	{ "New configEpoch set to ", NULL, "epoch", "epoch-bumped", NULL, "set to ", NULL, NULL },
	{ "WARNING: configEpoch collision with node ", NULL, "epoch", "epoch-collision", "o", "set to ", NULL, NULL },
	{ "configEpoch collision with node ", NULL, "epoch", "epoch-collision", "o", "set to ", NULL, NULL },
	{ "configEpoch set to ", NULL, "epoch", "epoch-set", NULL, "set to ", NULL, NULL },
	{ "configEpoch updated after importing slot ", NULL, "epoch", "epoch-bumped", NULL, NULL, "slot ", NULL },
	{ "ConfigEpoch updated after importing slot ", NULL, "epoch", "epoch-bumped", NULL, NULL, "slot ", NULL },
	{ "Address updated for node ", NULL, "server", "address-changed", "s", NULL, NULL, ", now " },
	{ "IP address for this node updated to ", NULL, "server", "address-changed", NULL, NULL, NULL, NULL },
	{ "Cluster state changed: ok", NULL, "server", "state-ok", NULL, NULL, NULL, NULL },
	{ "Cluster state changed: fail", NULL, "server", "state-fail", NULL, NULL, NULL, NULL },
	{ "Cluster is currently down: ", NULL, "server", "other", NULL, NULL, NULL, NULL },

	/* slots on the move */
	{ "Migrating slot ", " to node ", "command", "setslot", "o", NULL, "slot ", NULL },
	{ "Importing slot ", " from node ", "command", "setslot", "o", NULL, "slot ", NULL },
	{ "Marking slot ", " stable", "command", "setslot", NULL, NULL, "slot ", NULL },
	{ "Assigning slot ", NULL, "slots-assigned", "slot-assigned", "o", NULL, "slot ", NULL },
	{ "Slot range ", " is migrated from node ", "slots-assigned", "slot-migrated", "so", NULL, "range [", NULL },
	{ "Slot migration ", " slots are now owned by target", "slots-assigned", "slot-migrated", "--", NULL, NULL, NULL },
	{ "Slot migration ", NULL, "slots-assigned", "migration-step", "--", NULL, NULL, NULL },
	{ "Write loss risk! During slot migration ", NULL, "slots-assigned", "write-loss-risk", "--", NULL, NULL, NULL },
	{ "Slot ", " is migrated from node ", "slots-assigned", "slot-migrated", "so", NULL, "Slot ", NULL },
	{ "Slot ", " is no longer being ", "command", "setslot", "o", NULL, "Slot ", NULL },
	{ "I have keys for unassigned slot ", NULL, "slots-assigned", "slot-assigned", NULL, NULL, "slot ", NULL },
	{ "I have keys for slot ", NULL, "server", "other", NULL, NULL, "slot ", NULL },
	{ "Import task ", " completed for slots: ", "slots-assigned", "slot-migrated", NULL, NULL, "slots: ", NULL },
	{ "Import task ", " is ready to takeover slots: ", "slots-assigned", "migration-step", NULL, NULL, "slots: ", NULL },
	{ "Migrate task ", " completed for slots: ", "slots-assigned", "slot-migrated", NULL, NULL, "slots: ", NULL },
	{ "Migrate task ", " handoff for slots: ", "slots-assigned", "migration-step", NULL, NULL, "slots: ", NULL },
	{ "Pausing writes ", NULL, "pause", "writes-paused", NULL, NULL, NULL, NULL },

	/* replication */
	{ "Connection with master lost", NULL, "server", "link-lost", NULL, NULL, NULL, NULL },
	{ "Connection with primary lost", NULL, "server", "link-lost", NULL, NULL, NULL, NULL },
	{ "Connection with replica (rdbchannel)", NULL, "server", "other", NULL, NULL, NULL, NULL },
	{ "Connection with replica ", " lost", "server", "replica-lost", NULL, NULL, NULL, "replica " },
	{ "Connection with slave ", " lost", "server", "replica-lost", NULL, NULL, NULL, "slave " },
	{ "MASTER timeout: no data nor PING received", NULL, "server", "link-lost", NULL, NULL, NULL, NULL },
	{ "PRIMARY timeout: no data nor PING received", NULL, "server", "link-lost", NULL, NULL, NULL, NULL },
	{ "Disconnecting timedout replica ", NULL, "server", "replica-lost", NULL, NULL, NULL, NULL },
	{ "Setting secondary replication ID to ", NULL, "server", "replication-id", NULL, NULL, NULL, NULL },
	{ "Connecting to MASTER ", NULL, "server", "following", NULL, NULL, NULL, "MASTER " },
	{ "Connecting to PRIMARY ", NULL, "server", "following", NULL, NULL, NULL, "PRIMARY " },
	{ "Partial resynchronization not accepted: ", NULL, "server", "resync-refused", NULL, NULL, NULL, NULL },
	{ "Partial resynchronization request from ", NULL, "server", "resync-partial", NULL, NULL, NULL, "from " },
	{ "Successful partial resynchronization with ", NULL, "server", "resync-partial", NULL, NULL, NULL, NULL },
	{ "Full resync from ", NULL, "server", "resync-full", NULL, NULL, NULL, NULL },
	{ "Error condition on socket for SYNC: ", NULL, "server", "link-failed", NULL, NULL, NULL, NULL },
	{ "MASTER MODE enabled", NULL, "command", "replicaof", NULL, NULL, NULL, NULL },
	{ "REPLICAOF ", " enabled", "command", "replicaof", NULL, NULL, NULL, "REPLICAOF " },
	{ "SLAVE OF ", " enabled", "command", "replicaof", NULL, NULL, NULL, "SLAVE OF " },
	{ "FAILOVER requested to ", NULL, "command", "replicaof", NULL, NULL, NULL, "to " },
};

static const char *
find(struct span s, const char *what)
{
	return (s.n > 0 ? memmem(s.p, s.n, what, strlen(what)) : NULL);
}

static struct span
behind(struct span s, const char *p)
{
	return (span_make(p, (size_t)(s.p + s.n - p)));
}

const struct server_message *
server_message_find(struct span s)
{
	const struct server_message	*m;
	size_t				 i, n;

	if (s.n == 0)
		return (NULL);
	for (i = 0; i < sizeof messages / sizeof *messages; i++) {
		m = &messages[i];
		n = strlen(m->text);
		if (*m->text == *s.p && s.n >= n && memcmp(m->text, s.p, n) == 0 &&
		    (m->also == NULL || find(s, m->also) != NULL))
			return (m);
	}
	return (NULL);
}

const struct server_message *
server_message_rows(size_t *n)
{
	*n = sizeof messages / sizeof *messages;
	return (messages);
}

static int
is_hex(char c)
{
	return ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
}

/* The next run of exactly 40 hex digits that is no shard's; *rest is set
 * behind it. */
static struct span
next_id(struct span *rest)
{
	const char	*p = rest->p, *end = rest->p + rest->n, *q, *start = rest->p;
	struct span	 id = { NULL, 0 };

	for (; p < end; p = q + 1) {
		for (q = p; q < end && is_hex(*q); q++)
			;
		if (q - p != 40 || (q < end && ((*q >= 'g' && *q <= 'z') || *q == '_')))
			continue;
		if (p > start && ((p[-1] >= 'g' && p[-1] <= 'z') || p[-1] == '\''))
			continue;	/* part of a word; a quoted replication id */
		if (p - start >= 6 && memcmp(p - 6, "shard ", 6) == 0)
			continue;
		id = span_make(p, 40);
		*rest = behind(*rest, q);
		return (id);
	}
	return (id);
}

static int64_t
number_behind(struct span s, const char *mark)
{
	const char	*p = find(s, mark), *end = s.p + s.n;
	int64_t		 v = 0;
	int		 n = 0;

	if (p == NULL)
		return (OBS_NO_NUM);
	for (p += strlen(mark); p < end && *p >= '0' && *p <= '9' && n < 18; p++, n++)
		v = v * 10 + (*p - '0');
	return (n > 0 ? v : OBS_NO_NUM);
}

/* "12", "0-100 200-300" as it is written; "[1, 5]" as "1-5" in scratch. */
static struct span
slots_behind(struct span s, const char *mark, struct buf *scratch)
{
	const char	*p = find(s, mark), *end = s.p + s.n, *q;
	struct slots	 set = { { 0 } };
	struct span	 r;
	int		 from, to;

	if (p == NULL)
		return (span_make(NULL, 0));
	p += strlen(mark);
	for (q = p; q < end && ((*q >= '0' && *q <= '9') || (q > p &&
	    (*q == '-' || *q == ',' || *q == ' '))); q++)
		;
	while (q > p && (q[-1] < '0' || q[-1] > '9'))
		q--;
	r = span_make(p, (size_t)(q - p));
	scratch->n = 0;
	if (p[-1] == '[' && memchr(p, ',', r.n) != NULL) {
		for (; p < q; p++)
			if (*p != ' ')
				buf_chr(scratch, *p == ',' ? '-' : *p);
		r = span_make(scratch->p, scratch->n);
		return (slots_parse_range(r, &from, &to) == 0 ? r : span_make(NULL, 0));
	}
	if (r.n == 0 || slots_parse_list(r, &set) != 0)
		return (span_make(NULL, 0));
	return (r);
}

static struct endpoint
endpoint_behind(struct span s, const char *mark)
{
	const char	*p = find(s, mark);
	struct endpoint	 ep = endpoint_none();
	size_t		 n;

	if (p == NULL)
		return (ep);
	s = behind(s, p + strlen(mark));
	for (n = 0; n < s.n && s.p[n] != ' '; n++)
		;
	while (n > 0 && strchr(".:,;", s.p[n - 1]) != NULL)
		n--;
	if (endpoint_parse(span_make(s.p, n), &ep) != 0)
		return (endpoint_none());
	return (ep);
}

void
server_message_read(const struct server_message *m, struct span s,
    struct obs_server *o, struct buf *scratch)
{
	struct span	 rest = s, id;
	const char	*p;

	o->kind = m->kind;
	o->event = m->event;
	for (p = m->ids; p != NULL && *p != '\0'; p++) {
		id = next_id(&rest);
		if (*p == 's')
			o->subject = id;
		else if (*p == 'o')
			o->other = id;
	}
	if (m->epoch != NULL)
		o->epoch = number_behind(s, m->epoch);
	if (m->slots != NULL)
		o->slots = slots_behind(s, m->slots, scratch);
	if (m->address != NULL)
		o->subject_ep = endpoint_behind(s, m->address);
	o->detail = span_make(s.p, s.n < 500 ? s.n : 500);
}

struct span
server_message_own_id(struct span s)
{
	const char	*p = find(s, "I'm ");
	struct span	 id = { NULL, 0 };

	if (p == NULL || s.n - (size_t)(p - s.p) < 44)
		return (id);
	id = span_make(p + 4, 40);
	return (topology_is_id(id) ? id : span_make(NULL, 0));
}

struct span
server_message_version(struct span m)
{
	static const char *const	 marks[] = {
		"Redis version=", "Valkey version=", "Server started, Redis version "
	};
	size_t				 i, k, n;

	for (i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		k = strlen(marks[i]);
		if (m.n <= k || memcmp(m.p, marks[i], k) != 0)
			continue;
		for (n = 0; k + n < m.n && strchr("0123456789.", m.p[k + n]) != NULL &&
		    m.p[k + n] != '\0'; n++)
			;
		return (span_make(n > 0 ? m.p + k : NULL, n));
	}
	return (span_make(NULL, 0));
}
