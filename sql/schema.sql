-- schema.sql - the base tables of a timeline, written by ingest.
--
-- One row of a base table is one observation (or one span of equal
-- observations) as it was found: ingest never interprets and never corrects.
-- Times are integer microseconds since 1970-01-01T00:00:00Z; NULL means "not
-- known", which is never the same as 0.  Durations carry their unit in the
-- name.  `position` is a line number in a text (1 = first line) or a frame
-- number in a capture, counted as Wireshark counts them.  Every interned name
-- (node, endpoint, observer) belongs to one incident: nothing is shared
-- across incidents.
--
-- Words that a column may hold are compared one by one: for a list of three and
-- more behind IN, SQLite makes and searches a temporary index at each row.
--
-- The derived tables (sql/1xx to 3xx) are rebuilt from these at each analysis.

-- One row: one input, whole.  A member of an archive is a source of its own,
-- named "bundle.tar.gz:path/in/it".
CREATE TABLE source (
	source_id	INTEGER PRIMARY KEY,
	incident	TEXT NOT NULL,		-- the incident it is evidence of
	name		TEXT NOT NULL,		-- as given, relative names kept
	kind		TEXT NOT NULL CHECK (kind = 'client-log' OR kind = 'server-log'
			OR kind = 'topology-dump' OR kind = 'capture' OR kind = 'config'
			OR kind = 'unknown'),
	status		TEXT NOT NULL CHECK (status = 'read' OR status = 'partial'
			OR status = 'skipped' OR status = 'duplicate' OR status = 'failed'),
	bytes		INTEGER NOT NULL,	-- decompressed length
	xxh3		TEXT,			-- 128-bit XXH3 of the bytes, hex
	head		TEXT,			-- the same of the first 1024 bytes (of all, if shorter)
	group_id	INTEGER,		-- source_id of the first file of its rotated set
	group_part	INTEGER NOT NULL DEFAULT 0, -- place in that set, 0 first
	records		INTEGER NOT NULL DEFAULT 0, -- lines, dumps or packets decoded
	problems	INTEGER NOT NULL DEFAULT 0,
	first_at	INTEGER,		-- earliest time inside, as found
	last_at		INTEGER,		-- latest time inside, as found
	at_basis	TEXT,			-- weakest basis of its times, see view.at_basis
	precision_us	INTEGER,		-- resolution of its times
	mtime		INTEGER,		-- file time, us
	detail		TEXT			-- format details: link type, snaplen, client library
) STRICT;

-- A source is known by its content.
CREATE INDEX source_content ON source (incident, xxh3);

-- One row: one thing that was malformed, skipped, cut or lost.
CREATE TABLE problem (
	problem_id	INTEGER PRIMARY KEY,
	source_id	INTEGER REFERENCES source ON DELETE CASCADE,
	position	INTEGER,		-- line or frame
	offset		INTEGER,		-- byte in the decompressed source
	at		INTEGER,		-- time of the loss, if known
	at_end		INTEGER,		-- end of the stretch that was lost
	code		TEXT NOT NULL,		-- stable word: gap, snaplen, tls, malformed, ...
	endpoint_id	INTEGER REFERENCES endpoint, -- the server whose words were lost
	bytes		INTEGER,		-- how much was lost
	samples		INTEGER NOT NULL DEFAULT 1, -- repeats folded into this row
	reason		TEXT NOT NULL		-- for people
) STRICT;

-- One row: one setting of a cluster, a node or a client, seen or declared.
CREATE TABLE setting (
	setting_id	INTEGER PRIMARY KEY,
	incident	TEXT NOT NULL,
	source_id	INTEGER REFERENCES source ON DELETE CASCADE, -- NULL: declared
	position	INTEGER,
	at		INTEGER,
	observer_id	INTEGER REFERENCES observer, -- whose setting; NULL: the cluster's
	name		TEXT NOT NULL,		-- as redis.conf spells it
	value		TEXT NOT NULL,
	basis		TEXT NOT NULL CHECK (basis IN ('seen', 'declared'))
) STRICT;

-- One row: one limit of the analysis.  Rows may be changed by UPDATE; a new
-- analysis then uses them.
CREATE TABLE parameter (
	name		TEXT PRIMARY KEY,
	value		INTEGER NOT NULL,
	unit		TEXT NOT NULL,
	meaning		TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO parameter (name, value, unit, meaning) VALUES
	('age_limit_us', 2000000, 'us', 'oldest one-sided view that proves agreement (rules 3 and 6)'),
	('contact_window_us', 2000000, 'us', 'how far before and after an episode a contact counts'),
	('episode_us', 200000, 'us', 'episode before the raise where no redirect line shows its start'),
	('clock_floor_us', 5000, 'us', 'least clock uncertainty of a source'),
	('clock_correction', 1, 'bool', 'apply clock offsets that are declared, or measured beyond doubt'),
	('dump_rtt_us', 3000, 'us', 'time a dump may have taken to be answered when it is not printed'),
	('node_timeout_us', 15000000, 'us', 'cluster-node-timeout where nothing shows it'),
	('full_coverage', 1, 'bool', 'cluster-require-full-coverage where nothing shows it'),
	('chain_us', 2000000, 'us', 'longest time from the first redirect of a chain to the raise'),
	('storm_factor', 8, 'times', 'requests a second above the endpoint''s own baseline that make a storm'),
	('storm_floor', 20, 'requests', 'least requests in a second that make a storm');

-- One row: one pattern that reads client logs.  The rows are written by
-- sql/log-rule.sql, so a timeline says how it was made.
CREATE TABLE log_rule (
	name		TEXT PRIMARY KEY,
	client		TEXT NOT NULL,		-- library, or 'any'
	versions	TEXT NOT NULL,		-- of the library, for people
	kind		TEXT NOT NULL,		-- event kind as in the view timeline
	pattern		TEXT NOT NULL,		-- PCRE2; named groups: slot host port endpoint key node code attempts ms id
	budget		INTEGER,		-- the library's redirect budget, redirects
	backoff_ms	INTEGER,		-- its pause between redirects
	example		TEXT NOT NULL,		-- a line that the pattern matches
	example_expect	TEXT NOT NULL		-- what it yields: 'kind slot endpoint'
) STRICT;

-- One row: one Redis node of an incident.
CREATE TABLE node (
	node_id		INTEGER PRIMARY KEY,
	incident	TEXT NOT NULL,
	name		TEXT NOT NULL,		-- 40 hex digits
	UNIQUE (incident, name)
) STRICT;

-- One row: one host and port of an incident.
CREATE TABLE endpoint (
	endpoint_id	INTEGER PRIMARY KEY,
	incident	TEXT NOT NULL,
	host		TEXT NOT NULL,		-- as found, IPv6 without brackets; '' for "same host"
	port		INTEGER NOT NULL,	-- 0: not stated
	UNIQUE (incident, host, port)
) STRICT;

-- One row: one party that saw something.
CREATE TABLE observer (
	observer_id	INTEGER PRIMARY KEY,
	incident	TEXT NOT NULL,
	kind		TEXT NOT NULL CHECK (kind = 'node' OR kind = 'client' OR kind = 'sampler'
			OR kind = 'peer'),
	name		TEXT NOT NULL,		-- node: id or address; client: file, app or address
	host		TEXT,			-- host it ran on, if known
	node_id		INTEGER REFERENCES node, -- kind node: who it is, if known
	endpoint_id	INTEGER REFERENCES endpoint, -- kind node: where it was asked
	library		TEXT,			-- kind client: client library
	UNIQUE (incident, kind, name)
) STRICT;

-- One row: a span over which one observer gave one and the same view.
CREATE TABLE view (
	view_id		INTEGER PRIMARY KEY,
	source_id	INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
	position	INTEGER NOT NULL,	-- of the first sample
	last_position	INTEGER NOT NULL,
	first_at	INTEGER,		-- of the first sample (dump: when it was asked)
	last_at		INTEGER,
	samples		INTEGER NOT NULL DEFAULT 1,
	max_gap_us	INTEGER,		-- longest silence inside
	rtt_us		INTEGER,		-- longest time from asking to answer, if printed, captured or known from the next question
	at_basis	TEXT NOT NULL DEFAULT 'stated' CHECK (at_basis = 'none'
			OR at_basis = 'stated' OR at_basis = 'envelope' OR at_basis = 'zone'
			OR at_basis = 'assumed-utc' OR at_basis = 'neighbour'
			OR at_basis = 'file-name' OR at_basis = 'pong' OR at_basis = 'file-time'),
	precision_us	INTEGER NOT NULL DEFAULT 1000, -- resolution of its times
	observer_id	INTEGER NOT NULL REFERENCES observer, -- whose view it is
	kind		TEXT NOT NULL CHECK (
			kind = 'dump'		-- an answer saved in a file
			OR kind = 'reply'	-- an answer seen in a capture
			OR kind = 'conf'	-- nodes.conf
			OR kind = 'bus'		-- bus header: the sender about itself
			OR kind = 'gossip'	-- bus gossip: the sender about others, no slots
			OR kind = 'update'	-- bus UPDATE: the sender about one other node, with slots
			OR kind = 'log'		-- server log line that states ownership
			OR kind = 'served'),	-- it answered keyed commands of these slots with data
	form		TEXT,			-- nodes, slots, shards, check, ...
	complete	INTEGER NOT NULL CHECK (complete IN (0, 1)), -- 1: speaks of all slots, so a slot not listed is nobody's
	partial		INTEGER NOT NULL DEFAULT 0 CHECK (partial IN (0, 1)), -- 1: damaged, part of it was lost
	asked_by	INTEGER REFERENCES observer, -- the client that was given this answer
	current_epoch	INTEGER,
	state		TEXT CHECK (state IN ('ok', 'fail')), -- cluster state as the observer says
	connection	INTEGER,		-- of the reply: hash of the 4-tuple
	tcp_seq		INTEGER			-- of the reply's first byte
) STRICT;

-- One row: one node inside a view.
CREATE TABLE view_node (
	view_id		INTEGER NOT NULL REFERENCES view ON DELETE CASCADE,
	ordinal		INTEGER NOT NULL,	-- place in the view, 0 first
	node_id		INTEGER REFERENCES node, -- NULL: the view names addresses only
	endpoint_id	INTEGER REFERENCES endpoint, -- NULL: no address
	hostname	TEXT,
	bus_port	INTEGER,
	role		TEXT CHECK (role IN ('master', 'replica')),
	flags		TEXT,			-- as Redis spells them, e.g. 'fail?,noaddr'
	master_id	INTEGER REFERENCES node, -- of a replica
	config_epoch	INTEGER,
	link_state	TEXT,
	myself		INTEGER NOT NULL DEFAULT 0 CHECK (myself IN (0, 1)),
	PRIMARY KEY (view_id, ordinal)
) STRICT, WITHOUT ROWID;

-- One row: one slot range inside a view.
CREATE TABLE view_slots (
	view_id		INTEGER NOT NULL REFERENCES view ON DELETE CASCADE,
	slot_from	INTEGER NOT NULL CHECK (slot_from BETWEEN 0 AND 16383),
	slot_to		INTEGER NOT NULL CHECK (slot_to BETWEEN slot_from AND 16383),
	state		TEXT NOT NULL CHECK (state = 'owned' OR state = 'migrating' OR state = 'importing'),
	ordinal		INTEGER NOT NULL,	-- the view_node that owns, migrates or imports
	peer_id		INTEGER REFERENCES node, -- the other side of a migration
	PRIMARY KEY (view_id, slot_from, state, ordinal)
) STRICT, WITHOUT ROWID;

-- One row: one cluster error reply that a client was given: a redirect (MOVED,
-- ASK) or a refusal (TRYAGAIN, CLUSTERDOWN, READONLY, LOADING, MASTERDOWN).
CREATE TABLE redirect (
	redirect_id	INTEGER PRIMARY KEY,
	source_id	INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
	position	INTEGER NOT NULL,	-- of the reply
	request_position INTEGER,		-- of the request
	at		INTEGER,		-- of the reply
	asked_at	INTEGER,		-- of the request
	precision_us	INTEGER NOT NULL DEFAULT 1000,
	at_basis	TEXT NOT NULL DEFAULT 'stated',
	observer_id	INTEGER NOT NULL REFERENCES observer, -- the client
	code		TEXT NOT NULL CHECK (code = 'MOVED' OR code = 'ASK' OR code = 'TRYAGAIN'
			OR code = 'CLUSTERDOWN' OR code = 'READONLY' OR code = 'LOADING' OR code = 'MASTERDOWN'),
	asked_id	INTEGER REFERENCES endpoint, -- who answered; NULL: not printed
	slot		INTEGER CHECK (slot BETWEEN 0 AND 16383),
	target_id	INTEGER REFERENCES endpoint, -- where the client is sent
	command		TEXT,
	context		TEXT,			-- thread or request, where printed
	asking		INTEGER NOT NULL DEFAULT 0 CHECK (asking IN (0, 1)), -- 1: after ASKING
	client_error_id	INTEGER REFERENCES client_error ON DELETE SET NULL, -- the error whose own text names it
	hop		INTEGER,		-- place in that error's chain, 0 first
	connection	INTEGER,		-- hash of the 4-tuple
	tcp_seq		INTEGER,		-- of the reply's first byte
	detail		TEXT			-- the text, where it says more
) STRICT;

-- One row: a span over which one observer's attempts to reach one endpoint
-- ended alike.
CREATE TABLE contact (
	contact_id	INTEGER PRIMARY KEY,
	source_id	INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
	position	INTEGER NOT NULL,
	last_position	INTEGER NOT NULL,
	first_at	INTEGER,		-- beginning of the first attempt
	last_at		INTEGER,		-- end of the last one
	samples		INTEGER NOT NULL DEFAULT 1,
	max_gap_us	INTEGER,
	precision_us	INTEGER NOT NULL DEFAULT 1000,
	at_basis	TEXT NOT NULL DEFAULT 'stated',
	observer_id	INTEGER NOT NULL REFERENCES observer,
	endpoint_id	INTEGER NOT NULL REFERENCES endpoint,
	outcome		TEXT NOT NULL CHECK (outcome = 'ok' OR outcome = 'connected'
			OR outcome = 'refused' OR outcome = 'connect-timeout' OR outcome = 'read-timeout'
			OR outcome = 'reset' OR outcome = 'closed' OR outcome = 'unreachable'),
	retries		INTEGER,		-- SYNs sent again
	context		TEXT,
	connection	INTEGER,
	tcp_seq		INTEGER,
	detail		TEXT
) STRICT;

-- One row: one error that a client raised to its caller, or gave up with,
-- because of redirects (a failover error).
CREATE TABLE client_error (
	client_error_id	INTEGER PRIMARY KEY,
	source_id	INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
	position	INTEGER NOT NULL,	-- line that raises
	last_position	INTEGER NOT NULL,	-- last line of its record
	at		INTEGER,		-- the raise
	started_at	INTEGER,		-- the command's start, where the text proves it
	precision_us	INTEGER NOT NULL DEFAULT 1000,
	at_basis	TEXT NOT NULL DEFAULT 'stated',
	observer_id	INTEGER NOT NULL REFERENCES observer,
	library		TEXT,			-- client library
	kind		TEXT NOT NULL CHECK (kind = 'failover-error' OR kind = 'redirects-exhausted'
			OR kind = 'redirect-loop' OR kind = 'moved' OR kind = 'ask'), -- the last two: surfaced
	error_class	TEXT,			-- exception or error name as printed
	message		TEXT NOT NULL,		-- at most 1000 bytes, no values
	slot		INTEGER CHECK (slot BETWEEN 0 AND 16383),
	slot_basis	TEXT CHECK (slot_basis IN ('stated', 'key')),
	asked_id	INTEGER REFERENCES endpoint, -- who was asked last, if printed
	target_id	INTEGER REFERENCES endpoint, -- where the last redirect pointed
	last_code	TEXT,			-- last error named: MOVED, ASK, CLUSTERDOWN, TRYAGAIN, closed, ...
	attempts	INTEGER,		-- redirects or attempts the text states
	timer		INTEGER NOT NULL DEFAULT 0 CHECK (timer IN (0, 1)), -- 1: the text proves a timer ran out
	context		TEXT,			-- thread or request, where printed
	rule		TEXT,			-- log_rule that read it
	budget		INTEGER,		-- redirects the library allows
	backoff_ms	INTEGER			-- its pause between redirects
) STRICT;

-- One row: one thing that a server did or said about the cluster.
CREATE TABLE server_event (
	server_event_id	INTEGER PRIMARY KEY,
	source_id	INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
	position	INTEGER NOT NULL,
	last_position	INTEGER NOT NULL,
	at		INTEGER,
	last_at		INTEGER,
	samples		INTEGER NOT NULL DEFAULT 1,
	precision_us	INTEGER NOT NULL DEFAULT 1000,
	at_basis	TEXT NOT NULL DEFAULT 'stated',
	observer_id	INTEGER NOT NULL REFERENCES observer, -- who logged or sent it
	kind		TEXT NOT NULL,		-- as in the view timeline: promotion, demotion, vote, ...
	event		TEXT NOT NULL,		-- exact event, e.g. election-won; listed in src/model/obs.h
	role		TEXT CHECK (role IN ('master', 'replica')), -- the logger's, from the line itself
	subject_id	INTEGER REFERENCES node, -- whom it is about; NULL: the observer itself or unknown
	subject_endpoint_id INTEGER REFERENCES endpoint,
	other_id	INTEGER REFERENCES node, -- the other party: new master, candidate, reporter
	epoch		INTEGER,
	slots		TEXT,			-- slot ranges named, '0-5460,7000'
	detail		TEXT			-- the message, at most 500 bytes
) STRICT;

-- One row: requests of one second.
CREATE TABLE command_rate (
	source_id	INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
	at		INTEGER NOT NULL,	-- beginning of the second
	endpoint_id	INTEGER NOT NULL REFERENCES endpoint,
	observer_id	INTEGER NOT NULL REFERENCES observer, -- the client host
	command		TEXT NOT NULL,		-- lower case, with subcommand: 'cluster slots'; 'connect' for a SYN
	requests	INTEGER NOT NULL,
	connections	INTEGER NOT NULL,	-- distinct connections
	PRIMARY KEY (at, endpoint_id, observer_id, command, source_id)
) STRICT, WITHOUT ROWID;

-- One row: one declared clock offset of a source (measured ones are derived).
CREATE TABLE clock_declared (
	source_id	INTEGER PRIMARY KEY REFERENCES source ON DELETE CASCADE,
	offset_us	INTEGER NOT NULL	-- added to the source's times
) STRICT;
