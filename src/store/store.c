#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fast.h"
#include "base/mem.h"
#include "store/inside.h"
#include "store/script.h"

/* While a source is read, and otherwise. */
#define UNCHECKED "PRAGMA foreign_keys=OFF; PRAGMA ignore_check_constraints=ON;" \
	" PRAGMA cache_size=-8192;"
#define CHECKED "PRAGMA foreign_keys=ON; PRAGMA ignore_check_constraints=OFF;" \
	" PRAGMA cache_size=-65536;"

enum { BUSY_MS = 20000 };		/* how long another writer is waited for */

static const char *const statements[ST_NSTATEMENTS] = {
	[ST_SOURCE] = "INSERT INTO source (incident, name, kind, status, bytes,"
	    " group_id, group_part, mtime) VALUES (?,?,?,'read',0,?,?,?)",
	[ST_SOURCE_DONE] = "UPDATE source SET kind=?2, status=?3, bytes=?4,"
	    " xxh3=?5, head=?6, records=?7, problems=?8, first_at=?9,"
	    " last_at=?10, at_basis=?11, precision_us=?12, mtime=?13,"
	    " detail=?14 WHERE source_id=?1",
	[ST_PROBLEM] = "INSERT INTO problem (source_id, position, offset, at,"
	    " at_end, code, endpoint_id, bytes, reason)"
	    " VALUES (?,?,?,?,?,?,?,?,?)",
	[ST_PROBLEM_FOLD] = "UPDATE problem SET samples=?2, at=?3, at_end=?4,"
	    " bytes=?5 WHERE problem_id=?1",
	[ST_SETTING] = "INSERT INTO setting (incident, source_id, position, at,"
	    " observer_id, name, value, basis) VALUES (?,?,?,?,?,?,?,'seen')",
	[ST_NODE] = "INSERT INTO node (incident, name) VALUES (?,?)",
	[ST_NODE_FIND] = "SELECT node_id FROM node WHERE incident=?"
	    " AND name=?",
	[ST_ENDPOINT] = "INSERT INTO endpoint (incident, host, port)"
	    " VALUES (?,?,?)",
	[ST_ENDPOINT_FIND] = "SELECT endpoint_id FROM endpoint WHERE incident=?"
	    " AND host=? AND port=?",
	[ST_OBSERVER] = "INSERT INTO observer (incident, kind, name)"
	    " VALUES (?,?,?)",
	[ST_OBSERVER_FIND] = "SELECT observer_id FROM observer"
	    " WHERE incident=? AND kind=? AND name=?",
	[ST_OBSERVER_FILL] = "UPDATE observer SET host=coalesce(host,?2),"
	    " node_id=coalesce(node_id,?3),"
	    " endpoint_id=coalesce(endpoint_id,?4),"
	    " library=coalesce(library,?5) WHERE observer_id=?1",
	[ST_VIEW] = "INSERT INTO view (source_id, position, last_position,"
	    " first_at, last_at, samples, max_gap_us, rtt_us, at_basis,"
	    " precision_us, observer_id, kind, form, complete, partial,"
	    " asked_by, current_epoch, state, connection, tcp_seq)"
	    " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
	[ST_VIEW_NODE] = "INSERT INTO view_node (view_id, ordinal, node_id,"
	    " endpoint_id, hostname, bus_port, role, flags, master_id,"
	    " config_epoch, link_state, myself)"
	    " VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
	[ST_VIEW_SLOTS] = "INSERT OR IGNORE INTO view_slots (view_id,"
	    " slot_from, slot_to, state, ordinal, peer_id)"
	    " VALUES (?,?,?,?,?,?)",
	[ST_REDIRECT] = "INSERT INTO redirect (source_id, position,"
	    " request_position, at, asked_at, precision_us, at_basis,"
	    " observer_id, code, asked_id, slot, target_id, command, context,"
	    " asking, client_error_id, hop, connection, tcp_seq, detail)"
	    " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
	[ST_CONTACT] = "INSERT INTO contact (source_id, position,"
	    " last_position, first_at, last_at, samples, max_gap_us,"
	    " precision_us, at_basis, observer_id, endpoint_id, outcome,"
	    " retries, context, connection, tcp_seq, detail)"
	    " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
	[ST_ERROR] = "INSERT INTO client_error (client_error_id, source_id,"
	    " position, last_position, at, started_at, precision_us, at_basis,"
	    " observer_id, library, kind, error_class, message, slot,"
	    " slot_basis, asked_id, target_id, last_code, attempts, timer,"
	    " context, rule, budget, backoff_ms)"
	    " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
	[ST_SERVER] = "INSERT INTO server_event (source_id, position,"
	    " last_position, at, last_at, samples, precision_us, at_basis,"
	    " observer_id, kind, event, role, subject_id, subject_endpoint_id,"
	    " other_id, epoch, slots, detail)"
	    " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
	[ST_COMMAND] = "INSERT INTO command_rate (source_id, at, endpoint_id,"
	    " observer_id, command, requests, connections)"
	    " VALUES (?,?,?,?,?,?,?) ON CONFLICT DO UPDATE"
	    " SET requests=requests+excluded.requests,"
	    " connections=connections+excluded.connections",
};

static const char not_a_timeline[] = "is not a slotrace timeline; to read it as"
    " evidence: slotrace investigate NEW.db PATH";

int
store_fail(struct store *s, const char *what, struct err *e)
{
	int	 code = sqlite3_errcode(s->db);

	s->failed = 1;
	if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		err_set(e, "another process is writing to it");
	else if (code == SQLITE_NOTADB)
		err_set(e, "%s", not_a_timeline);
	else if (code == SQLITE_CANTOPEN && sqlite3_system_errno(s->db) != 0)
		err_set(e, "%s", strerror(sqlite3_system_errno(s->db)));
	else
		err_set(e, "%s", sqlite3_errmsg(s->db));
	if (what != NULL)
		err_add(e, "%s", what);
	return (err_add(e, "%s", s->path));
}

int
store_exec(struct store *s, const char *sql, struct err *e)
{
	if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return (store_fail(s, NULL, e));
	return (0);
}

static int64_t
pragma(struct store *s, const char *sql, struct err *e)
{
	sqlite3_stmt	*st;
	int64_t		 v = -1;

	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
		return (store_fail(s, NULL, e));
	if (sqlite3_step(st) == SQLITE_ROW)
		v = sqlite3_column_int64(st, 0);
	if (sqlite3_finalize(st) != SQLITE_OK)
		return (store_fail(s, NULL, e));
	return (v);
}

/* What a file says of itself. */
struct marks {
	int64_t	 app, version, tables;
};

static int
read_marks(struct store *s, struct marks *m, struct err *e)
{
	if ((m->app = pragma(s, "PRAGMA application_id", e)) < 0 ||
	    (m->version = pragma(s, "PRAGMA user_version", e)) < 0 ||
	    (m->tables = pragma(s, "SELECT count(*) FROM sqlite_schema",
	    e)) < 0)
		return (-1);
	return (0);
}

/* The base tables and the log rules, inside the caller's transaction. */
static int
create(struct store *s, struct err *e)
{
	static const char *const files[] = { "sql/schema.sql",
	    "sql/log-rule.sql", "sql/schema-2.sql" };
	char	 sql[120];
	size_t	 i;

	for (i = 0; i < sizeof files / sizeof *files; i++)
		if (script_run(s->db, script_find(files[i]), NULL, NULL,
		    e) != 0)
			return (-1);
	snprintf(sql, sizeof sql, "PRAGMA application_id=%d;"
	    " PRAGMA user_version=%d", STORE_APPLICATION_ID, STORE_SCHEMA);
	return (store_exec(s, sql, e));
}

/* Another process may be making the same file: look and make in one. */
static int
create_if_empty(struct store *s, struct marks *m, struct err *e)
{
	if (store_exec(s, "BEGIN IMMEDIATE", e) != 0 ||
	    read_marks(s, m, e) != 0)
		return (-1);
	if (m->app == 0 && m->version == 0 && m->tables == 0) {
		if (create(s, e) != 0)
			return (-1);
		s->fresh = 1;
		s->made = s->was_there ? 2 : 1;
		m->app = STORE_APPLICATION_ID;
		m->version = STORE_SCHEMA;
	}
	return (store_exec(s, "COMMIT", e));
}

/* An older timeline becomes one of today in place. */
static int
upgrade(struct store *s, struct marks *m, struct err *e)
{
	if (store_exec(s, "BEGIN IMMEDIATE", e) != 0 ||
	    read_marks(s, m, e) != 0)
		return (-1);
	if (m->version == 1 && (script_run(s->db, script_find(
	    "sql/schema-2.sql"), NULL, NULL, e) != 0 ||
	    store_exec(s, "PRAGMA user_version=2", e) != 0))
		return (-1);
	return (store_exec(s, "COMMIT", e));
}

static int
check_version(struct store *s, enum store_mode mode, struct err *e)
{
	struct marks	 m;

	if (read_marks(s, &m, e) != 0 ||
	    (mode == STORE_CREATE && m.app == 0 &&
	    create_if_empty(s, &m, e) != 0))
		return (-1);
	if (m.app != STORE_APPLICATION_ID) {
		err_set(e, "%s", not_a_timeline);
		return (err_add(e, "%s", s->path));
	}
	if (m.version > STORE_SCHEMA) {
		err_set(e, "was made by a newer slotrace (schema %d, this one"
		    " knows up to %d)", (int)m.version, STORE_SCHEMA);
		return (err_add(e, "%s", s->path));
	}
	return (mode != STORE_READ && m.version < STORE_SCHEMA ?
	    upgrade(s, &m, e) : 0);
}

/* Readers go on while a source is written; the file is one again at close.
 * SQLite waits for other writers everywhere but at the change of mode. */
static int
let_readers_go_on(struct store *s, struct err *e)
{
	struct timespec	 t;
	time_t		 end;

	clock_gettime(CLOCK_MONOTONIC, &t);
	end = t.tv_sec + BUSY_MS / 1000;
	while (sqlite3_exec(s->db, "PRAGMA journal_mode=WAL", NULL, NULL,
	    NULL) == SQLITE_BUSY && t.tv_sec < end) {
		sqlite3_sleep(20);
		clock_gettime(CLOCK_MONOTONIC, &t);
	}
	return (store_exec(s, "PRAGMA journal_mode=WAL", e));
}

/* The first source of a new file has nothing that a reader could want, and its
 * rows are all new: with a journal of what was there before, pages are written
 * once instead of twice. */
static int
prepare_to_write(struct store *s, struct err *e)
{
	if (!s->fresh && let_readers_go_on(s, e) != 0)
		return (-1);
	return (store_exec(s, "PRAGMA synchronous=NORMAL;"
	    "PRAGMA wal_autocheckpoint=8192;"
	    "PRAGMA cache_size=-65536;"
	    "PRAGMA temp_store=FILE;"	/* past its cache: memory is bounded */
	    "PRAGMA temp.cache_size=-16384", e));
}

/* Whether a file can be made there.  SQLite tries to read what it may not make,
 * and says that it is not there. */
static int
may_make(const char *path, struct err *e)
{
	const char	*slash = strrchr(path, '/');
	struct buf	 dir = { 0 };
	int		 rv;

	if (slash != NULL)
		buf_add(&dir, path, (size_t)(slash - path) + 1);
	rv = access(slash != NULL ? buf_cstr(&dir) : ".", W_OK | X_OK);
	if (rv != 0)
		err_set(e, "%s: %s", path, strerror(errno));
	buf_free(&dir);
	return (rv);
}

static int
open_file(struct store *s, enum store_mode mode, struct err *e)
{
	int		 flags = SQLITE_OPEN_NOMUTEX;
	struct stat	 st;

	if (stat(s->path, &st) != 0) {
		if (mode != STORE_CREATE)
			return (err_set(e, "%s: %s", s->path, strerror(errno)));
		if (may_make(s->path, e) != 0)
			return (-1);
	} else if (!S_ISREG(st.st_mode)) {
		err_set(e, "%s %s", S_ISDIR(st.st_mode) ? "a folder" : "a pipe or a"
		    " device", not_a_timeline);
		return (err_add(e, "%s", s->path));
	} else
		s->was_there = 1;
	flags |= mode == STORE_READ ? SQLITE_OPEN_READONLY :
	    SQLITE_OPEN_READWRITE;
	if (mode == STORE_CREATE)
		flags |= SQLITE_OPEN_CREATE;
	if (sqlite3_open_v2(s->path, &s->db, flags, NULL) != SQLITE_OK)
		return (store_fail(s, NULL, e));
	sqlite3_extended_result_codes(s->db, 0);
	sqlite3_busy_timeout(s->db, BUSY_MS);
	if (store_exec(s, "PRAGMA page_size=8192;"	/* of a new file; a tenth faster */
	    "PRAGMA foreign_keys=ON;"
	    "PRAGMA trusted_schema=OFF", e) != 0 ||
	    check_version(s, mode, e) != 0)
		return (-1);
	return (mode == STORE_READ ? 0 : prepare_to_write(s, e));
}

struct store *
store_open(const char *path, enum store_mode mode, struct err *e)
{
	struct store	*s = mem_zero(1, sizeof *s);

	/* One thread: no locks, and no locked count of all memory.  Too late and
	 * without effect once a database was opened. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	/* No hundred KiB of cache at once for each temporary table: a constraint
	 * that lists words makes one for each row. */
	sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
	s->path = mem_str(path);
	s->writes = mode != STORE_READ;
	s->sink.obs = rows_obs;
	s->sink.problem = problems_add;
	s->sink.end = rows_end;
	s->sink.part = rows_part;
	if (open_file(s, mode, e) != 0) {
		s->writes = 0;
		store_close(s);
		return (NULL);
	}
	return (s);
}

void
store_close(struct store *s)
{
	int	 i;

	if (s == NULL)
		return;
	for (i = 0; i < ST_NSTATEMENTS; i++)
		sqlite3_finalize(s->st[i]);
	batch_close(s);
	/* A reader may keep it from becoming one file; the next writer does. */
	if (s->writes && !sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	if (s->writes)
		sqlite3_exec(s->db, "PRAGMA journal_mode=DELETE", NULL, NULL,
		    NULL);
	sqlite3_close(s->db);
	store_set_end(s);
	rules_free(s->rules);
	intern_forget(s);
	buf_free(&s->clean);
	buf_free(&s->key);
	free(s->incident);
	free(s->path);
	free(s);
}

/* Does nobody else have it open?  Two modes of the journal show that: what
 * another process is reading or writing cannot go back to the first. */
static int
is_alone(struct store *s)
{
	return (sqlite3_exec(s->db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL) == SQLITE_OK &&
	    sqlite3_exec(s->db, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL) == SQLITE_OK);
}

void
store_discard(struct store *s)
{
	char	*path;
	int	 made;

	if (s == NULL)
		return;
	if (!sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	made = is_alone(s) ? s->made : 0;
	path = mem_str(s->path);
	store_close(s);
	if (made == 1)
		(void)unlink(path);
	else if (made == 2 && truncate(path, 0) != 0)
		(void)0;		/* an empty timeline, then */
	free(path);
}

int
store_analyzed(struct store *s, struct err *e)
{
	int64_t	 n = pragma(s, "SELECT count(*) FROM sqlite_schema WHERE"
		    " name='summary'", e);

	if (n < 0)
		return (-1);
	return (n == 1 ? 0 : err_set(e, "%s: has not been analyzed: slotrace"
	    " analyze %s", s->path, s->path));
}

struct sqlite3 *
store_db(struct store *s)
{
	return (s->db);
}

const char *
store_path(const struct store *s)
{
	return (s->path);
}

int
store_failed(const struct store *s)
{
	return (s->failed);
}

struct sink *
store_sink(struct store *s)
{
	return (&s->sink);
}

const char *
store_sql(enum statement which)
{
	return (statements[which]);
}

sqlite3_stmt *
store_statement(struct store *s, enum statement which, struct err *e)
{
	if (s->st[which] == NULL && sqlite3_prepare_v3(s->db, statements[which],
	    -1, SQLITE_PREPARE_PERSISTENT, &s->st[which], NULL) != SQLITE_OK)
		store_fail(s, NULL, e);
	return (s->st[which]);
}

int
store_step(struct store *s, sqlite3_stmt *st, const char *what, struct err *e)
{
	int	 r = sqlite3_step(st);

	if (r != SQLITE_DONE && r != SQLITE_ROW) {
		store_fail(s, what, e);
		sqlite3_reset(st);
		return (-1);
	}
	sqlite3_reset(st);
	return (0);
}

int
store_begin(struct store *s, const char *incident, struct err *e)
{
	if (s->incident == NULL || strcmp(s->incident, incident) != 0) {
		intern_forget(s);
		free(s->incident);
		s->incident = mem_str(incident);
	}
	s->failed = 0;
	s->last_error = -1;
	if (s->fresh == 2) {
		s->fresh = 0;
		if (let_readers_go_on(s, e) != 0)
			return (-1);
	}
	/* Every reference is interned in this transaction's own sight, and every
	 * word and flag is one of this program's: checking each again at each
	 * insert costs half of the time.  (The general code does check words, and
	 * so does slotrace check.)  Rows go to the ends of tables: a small cache
	 * does, and bounds the memory of any input. */
	return (store_exec(s, fast_paths ? UNCHECKED "BEGIN IMMEDIATE" :
	    UNCHECKED "PRAGMA ignore_check_constraints=OFF; BEGIN IMMEDIATE", e));
}

int
store_commit(struct store *s, struct err *e)
{
	store_set_end(s);
	if (batch_flush(s, e) != 0 || store_exec(s, "COMMIT;" CHECKED, e) != 0)
		return (-1);
	if (s->fresh == 1)
		s->fresh = 2;
	return (0);
}

void
store_rollback(struct store *s)
{
	store_set_end(s);
	batch_drop(s);
	intern_forget(s);
	if (!sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	sqlite3_exec(s->db, CHECKED, NULL, NULL, NULL);
}
