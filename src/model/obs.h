/*
 * obs.h - the one record that every decoder emits: an observation.
 *
 * One union member per base table of sql/schema.sql.  Unknown is always
 * distinct from zero: OBS_NO_TIME, OBS_NO_NUM and a span with p NULL become
 * NULL.  All spans and arrays are borrowed from the decoder until sink->obs()
 * returns; a sink that keeps them copies.
 */
#ifndef MODEL_OBS_H
#define MODEL_OBS_H

#include <stdint.h>

#include "base/span.h"

#define OBS_NO_TIME	INT64_MIN
#define OBS_NO_NUM	INT64_MIN
#define OBS_NO_SLOT	(-1)
#define OBS_NO_PORT	(-1)

/* How a time is known; the words of view.at_basis, strongest first. */
enum at_basis {
	AT_STATED,		/* epoch, explicit offset, or a capture's clock */
	AT_ENVELOPE,		/* the wrapper's time (docker, journald, ...) */
	AT_ZONE,		/* local time, zone declared by --zone */
	AT_ASSUMED_UTC,		/* local time, no zone anywhere: read as UTC */
	AT_NEIGHBOUR,		/* borrowed from the nearest line that has one */
	AT_FILE_NAME,
	AT_PONG,		/* newest pong-recv of the dump: a lower bound */
	AT_FILE_TIME,
	AT_NONE,
	AT_NBASES
};
const char	*at_basis_word(enum at_basis);

/* Where in the source.  part: which file of a rotated set, 0 otherwise. */
struct locus {
	int		 part;
	int64_t		 position;	/* line or frame, 1 = first */
	int64_t		 offset;	/* byte, or OBS_NO_NUM */
};

/* host without brackets; host.p NULL: no endpoint stated.  host "" with a
 * port means "the host that answered" (as Redis prints it). */
struct endpoint {
	struct span	 host;
	int32_t		 port;		/* OBS_NO_PORT: none stated */
};

enum who_kind { WHO_NODE, WHO_CLIENT, WHO_SAMPLER, WHO_PEER, WHO_NKINDS };

/* Who saw it.  A node is known by its id, else by its endpoint, else by name. */
struct who {
	enum who_kind	 kind;
	struct span	 name;		/* client, sampler: stable name; node: what the source calls it */
	struct span	 node;		/* 40 hex digits */
	struct endpoint	 ep;		/* node: where it was asked */
	struct span	 host;		/* client, sampler: its address or host name */
	struct span	 library;	/* client library */
};

enum obs_kind {
	OBS_VIEW, OBS_REDIRECT, OBS_CONTACT, OBS_ERROR, OBS_SETTING, OBS_SERVER,
	OBS_COMMAND, OBS_NKINDS
};

enum view_kind {
	VIEW_DUMP, VIEW_REPLY, VIEW_CONF, VIEW_BUS, VIEW_GOSSIP, VIEW_UPDATE,
	VIEW_LOG, VIEW_SERVED, VIEW_NKINDS
};
const char	*view_kind_word(enum view_kind);

enum node_role { ROLE_NONE, ROLE_MASTER, ROLE_REPLICA };

struct obs_view_node {
	struct span	 id;		/* 40 hex digits, p NULL: addresses only */
	struct endpoint	 ep;
	struct span	 hostname;
	int64_t		 bus_port;	/* OBS_NO_NUM */
	enum node_role	 role;
	struct span	 flags;		/* without myself, master, slave: 'fail?,noaddr' */
	struct span	 master;	/* id, p NULL: none */
	int64_t		 config_epoch;	/* OBS_NO_NUM */
	struct span	 link_state;
	int		 myself;
};

enum slots_state { SLOTS_OWNED, SLOTS_MIGRATING, SLOTS_IMPORTING };

struct obs_view_slots {
	int		 from, to;	/* inclusive, 0..16383 */
	enum slots_state state;
	int		 node;		/* index into nodes[] */
	struct span	 peer;		/* id of the other side of a migration */
};

struct obs_view {
	enum view_kind	 kind;
	const char	*form;		/* nodes, slots, shards, check; static */
	int		 complete;	/* speaks of all slots */
	int		 partial;	/* damaged: part of it was lost */
	int64_t		 rtt_us;	/* OBS_NO_NUM */
	struct who	 asked_by;	/* .name.p NULL: nobody */
	int64_t		 current_epoch;	/* OBS_NO_NUM */
	int		 state;		/* 1 ok, 0 fail, -1 not stated */
	const struct obs_view_node *nodes;
	size_t		 nnodes;
	const struct obs_view_slots *slots;
	size_t		 nslots;
};

enum reply_code {
	CODE_NONE, CODE_MOVED, CODE_ASK, CODE_TRYAGAIN, CODE_CLUSTERDOWN,
	CODE_READONLY, CODE_LOADING, CODE_MASTERDOWN, CODE_NCODES
};
const char	*reply_code_word(enum reply_code);

struct obs_redirect {
	enum reply_code	 code;
	struct endpoint	 asked;		/* who answered; host.p NULL: not printed */
	int		 slot;		/* OBS_NO_SLOT */
	struct endpoint	 target;
	struct span	 command;
	struct span	 context;	/* thread or request */
	struct span	 detail;
	int64_t		 asked_at;	/* OBS_NO_TIME */
	int64_t		 request_position; /* OBS_NO_NUM */
	int		 asking;
};

enum contact_outcome {
	CONTACT_OK,			/* a reply */
	CONTACT_CONNECTED, CONTACT_REFUSED, CONTACT_CONNECT_TIMEOUT,
	CONTACT_READ_TIMEOUT, CONTACT_RESET, CONTACT_CLOSED,
	CONTACT_UNREACHABLE, CONTACT_NOUTCOMES
};
const char	*contact_outcome_word(enum contact_outcome);

struct obs_contact {
	struct endpoint	 ep;
	enum contact_outcome outcome;
	int64_t		 retries;	/* OBS_NO_NUM */
	struct span	 context;
	struct span	 detail;
};

enum error_kind {
	ERROR_FAILOVER,			/* RedisClusterFailoverError, SlotMapCorruptionError */
	ERROR_EXHAUSTED,		/* redirect budget used up */
	ERROR_LOOP,			/* redirect loop */
	ERROR_MOVED, ERROR_ASK,		/* surfaced to the application */
	ERROR_NKINDS
};
const char	*error_kind_word(enum error_kind);

/* A redirect that the error's own text names. */
struct obs_hop {
	struct endpoint	 asked, target;	/* host.p NULL: not stated */
};

struct obs_error {
	enum error_kind	 kind;
	struct span	 error_class;
	struct span	 message;
	int		 slot;		/* OBS_NO_SLOT */
	int		 slot_from_key;	/* 1: computed from a key in the text */
	struct endpoint	 asked, target;
	struct span	 last_code;
	int64_t		 attempts;	/* OBS_NO_NUM */
	int		 timer;
	int64_t		 started_at;	/* OBS_NO_TIME */
	struct span	 context;
	struct span	 rule;
	int64_t		 budget, backoff_ms; /* OBS_NO_NUM */
	const struct obs_hop *hops;
	size_t		 nhops;
};

struct obs_setting {
	struct span	 name, value;
	int		 of_observer;	/* 0: the whole cluster's */
};

/*
 * A server's deed.  kind is the word of the view `timeline`; event is exact:
 * kind       events
 * promotion  election-won takeover role-master (first M line after S lines)
 * demotion   demoted role-replica sub-replica emptied (by resharding)
 * epoch      epoch-set epoch-collision epoch-bumped
 * election   election-scheduled election-started election-waiting
 *            election-failed manual-accepted force-accepted takeover-accepted
 *            manual-requested manual-offset manual-caught-up manual-timed-out
 *            shutdown-failover
 * vote       vote-granted vote-denied vote-requested (other: the candidate)
 * pfail      possibly-failing failure-report failure-report-withdrawn
 * fail       fail-marked fail-received fail-cleared
 * pause      writes-paused writes-resumed
 * slots-assigned slot-assigned slot-migrated slots-lost slots-removed
 *            migration-moved migration-step write-loss-risk
 * command    cluster-failover setslot meet forget reset replicaof config-set
 * server     started restarted config-loaded state-ok state-fail link-lost
 *            link-failed link-opened resync-partial resync-full resync-refused
 *            replica-lost replica-announced following (other or subject_ep:
 *            its master) replication-id address-changed view-flip shard-changed
 *            update-sent update-received stale-message mismatch shutdown other
 * Of a client: topology-refresh topology-refresh-failed (subject_ep: the node
 * asked), and connect-refused connect-timeout read-timeout reset closed
 * unreachable where no node is named, which makes it no contact; kind and event
 * are the same word.
 */
struct obs_server {
	const char	*kind, *event;	/* static */
	enum node_role	 role;		/* of the logger, from the line */
	struct span	 subject;	/* node id; p NULL: the observer itself */
	struct endpoint	 subject_ep;
	struct span	 other;		/* node id */
	int64_t		 epoch;		/* OBS_NO_NUM */
	struct span	 slots;		/* '0-5460,7000' */
	struct span	 detail;
};

struct obs_command {
	struct endpoint	 ep;
	struct span	 command;	/* lower case, with subcommand */
	int64_t		 requests, connections;	/* in the second that begins at obs.at */
};

struct obs {
	enum obs_kind	 kind;		/* selects the member of u */
	int64_t		 at;		/* microseconds UTC */
	int64_t		 last_at;	/* end of a span or an attempt; OBS_NO_TIME: at */
	enum at_basis	 at_basis;
	int64_t		 precision_us;	/* resolution of at; 0: 1000 */
	struct locus	 where, last_where; /* last_where.position 0: where */
	int64_t		 samples;	/* 0: 1 */
	int64_t		 max_gap_us;	/* longest silence inside; 0: none */
	int64_t		 connection;	/* OBS_NO_NUM, or 0 when never set */
	int64_t		 tcp_seq;	/* OBS_NO_NUM */
	struct who	 observer;
	union {
		struct obs_view		view;
		struct obs_redirect	redirect;
		struct obs_contact	contact;
		struct obs_error	error;
		struct obs_setting	setting;
		struct obs_server	server;
		struct obs_command	command;
	} u;
};

/* Everything "not stated" for an observation of this kind. */
void	 obs_init(struct obs *, enum obs_kind);
void	 obs_view_node_init(struct obs_view_node *);
struct endpoint	 endpoint_none(void);

struct buf;
/* What an observer is called: a node by its id, else its address; others by the
 * name that the source gives.  Appended. */
void	 who_name(struct buf *, const struct who *);

#endif
