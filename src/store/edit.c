#include "store/edit.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "store/inside.h"
#include "store/script.h"
#include "store/stem.h"
#include "store/twin.h"

/* One statement with text parameters; rows changed, or -1. */
static int
change(struct store *s, const char *sql, const char *p1, const char *p2,
    const char *p3, struct err *e)
{
	const char	*p[3] = { p1, p2, p3 };
	sqlite3_stmt	*st;
	int		 i, r;

	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
		return (store_fail(s, NULL, e));
	for (i = 0; i < 3; i++)
		if (p[i] != NULL)
			bind_text(s, st, i + 1, span_of(p[i]), 0);
	r = sqlite3_step(st);
	sqlite3_finalize(st);
	if (r != SQLITE_DONE && r != SQLITE_ROW)
		return (store_fail(s, NULL, e));
	return (sqlite3_changes(s->db));
}

static int
done(struct store *s, int r, struct err *e)
{
	if (r < 0 || store_exec(s, "COMMIT", e) != 0) {
		if (!sqlite3_get_autocommit(s->db))
			sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
		return (-1);
	}
	return (r);
}

int
edit_begin(struct store *s, struct err *e)
{
	/* The derived tables refer to what goes; the next analysis makes them
	 * anew. */
	return (store_exec(s, "PRAGMA foreign_keys=OFF; BEGIN IMMEDIATE", e));
}

int
edit_end(struct store *s, int result, struct err *e)
{
	int	 r = done(s, result, e);

	sqlite3_exec(s->db, "PRAGMA foreign_keys=ON", NULL, NULL, NULL);
	return (r);
}

static int
is_number(const char *v)
{
	char	*end;

	errno = 0;
	strtoll(v, &end, 10);
	return (*v != '\0' && *end == '\0' && errno == 0);
}

/* What a declared setting may be: what the analysis and the report read. */
static int
is_setting(const char *name, const char *value, struct err *e)
{
	static const struct {
		const char	*name;
		int		 number, least;
	} known[] = {
		{ "cluster-node-timeout", 1, 1 },
		{ "cluster-require-full-coverage", 0, 0 },
		{ "cluster-allow-reads-when-down", 0, 0 },
		{ "cluster-replica-validity-factor", 1, 0 },
	};
	size_t	 i;

	for (i = 0; i < sizeof known / sizeof known[0]; i++) {
		if (strcmp(known[i].name, name) != 0)
			continue;
		if (known[i].number && (!is_number(value) || strtoll(value, NULL, 10) < known[i].least))
			return (err_usage(e, "%s=%s: not a whole number%s", name, value,
			    known[i].least > 0 ? " of milliseconds" : ""));
		if (!known[i].number && strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
			return (err_usage(e, "%s=%s: not yes or no", name, value));
		return (0);
	}
	return (err_usage(e, "%s: no setting that the analysis knows: cluster-node-timeout, "
	    "cluster-require-full-coverage, cluster-allow-reads-when-down, "
	    "cluster-replica-validity-factor, or a row of parameter", name));
}

/* Results of an earlier analysis no longer follow from what is in the timeline.
 * What was read or declared since shows by itself (sql/report/stale.sql); a row of
 * source_clock that is of no source says the rest, until the next analysis makes
 * that table anew.  1: there is an analysis; 0: none. */
static int
mark_stale(struct store *s, const char *what, struct err *e)
{
	int64_t	 n = store_ask(s, "SELECT count(*) FROM sqlite_schema WHERE"
		    " name='source_clock'", NULL, NULL, NULL, OBS_NO_NUM, e);

	if (n <= 0)
		return ((int)n);
	return (change(s, "INSERT INTO source_clock (source_id, offset_us,"
	    " uncertainty_us, basis, applied, detail) SELECT min(0,"
	    " min(source_id)) - 1, 0, 0, 'as-found', 0, ?1 FROM"
	    " source_clock HAVING count(*) > 0", what, NULL, NULL, e) < 0 ? -1 : 1);
}

int
edit_set(struct store *s, const char *incident, const char *name,
    const char *value, struct err *e)
{
	char	 what[140];
	int	 r;

	r = change(s, "UPDATE parameter SET name=name WHERE name=?1", name,
	    NULL, NULL, e);
	if (r > 0 && (!is_number(value) || *value == '-'))
		r = err_usage(e, "%s=%s: not a whole number", name, value);
	else if (r > 0)
		r = change(s, "UPDATE parameter SET value=CAST(?2 AS INTEGER)"
		    " WHERE name=?1", name, value, NULL, e);
	else if (r == 0 && (r = is_setting(name, value, e)) == 0 &&
	    (r = change(s, "DELETE FROM setting WHERE"
	    " incident=?1 AND name=?2 AND basis='declared' AND observer_id IS"
	    " NULL", incident, name, NULL, e)) >= 0)
		r = change(s, "INSERT INTO setting (incident, name, value,"
		    " basis) VALUES (?1,?2,?3,'declared')", incident, name,
		    value, e);
	snprintf(what, sizeof what, "%s was set", name);
	if (r > 0)
		r = mark_stale(s, what, e);
	return (r < 0 ? -1 : 0);
}

/* Sources that ?1 names: itself, or all that it matches as a pattern where none
 * is called so; their rotated sets, what is inside of them. */
#define NAMED "WITH named AS (SELECT source_id, name, group_id FROM source" \
	" WHERE name=?1 OR name GLOB ?1 AND NOT EXISTS (SELECT 1 FROM source" \
	" WHERE name=?1)) SELECT source_id FROM named" \
	" UNION SELECT source_id FROM source WHERE" \
	" substr(name,1,length(?1)+1) IN (?1||'/', ?1||':')" \
	" UNION SELECT source_id FROM source WHERE group_id IN (SELECT source_id FROM named)" \
	" UNION SELECT group_id FROM named WHERE group_id NOT NULL" \
	" UNION SELECT source_id FROM source WHERE group_id IN (SELECT group_id FROM named)"

int
edit_clock(struct store *s, const char *source, int64_t offset_us,
    struct err *e)
{
	char	 text[32];
	int	 r;

	snprintf(text, sizeof text, "%lld", (long long)offset_us);
	if (store_exec(s, "BEGIN IMMEDIATE", e) != 0)
		return (-1);
	r = change(s, "INSERT OR REPLACE INTO clock_declared (source_id,"
	    " offset_us) SELECT source_id, CAST(?2 AS INTEGER) FROM source"
	    " WHERE source_id IN (" NAMED ")", source, text, NULL, e);
	return (done(s, r, e));
}

/* Names that no base row refers to any more are as if never seen. */
static const char *const leftovers[] = {
	"DELETE FROM observer WHERE observer_id NOT IN ("
	    "SELECT observer_id FROM view UNION SELECT asked_by FROM view"
	    " WHERE asked_by IS NOT NULL UNION SELECT observer_id FROM redirect"
	    " UNION SELECT observer_id FROM contact"
	    " UNION SELECT observer_id FROM client_error"
	    " UNION SELECT observer_id FROM server_event"
	    " UNION SELECT observer_id FROM command_rate"
	    " UNION SELECT observer_id FROM setting WHERE observer_id NOT NULL)",
	"DELETE FROM node WHERE node_id NOT IN ("
	    "SELECT node_id FROM observer WHERE node_id NOT NULL"
	    " UNION SELECT node_id FROM view_node WHERE node_id NOT NULL"
	    " UNION SELECT master_id FROM view_node WHERE master_id NOT NULL"
	    " UNION SELECT peer_id FROM view_slots WHERE peer_id NOT NULL"
	    " UNION SELECT subject_id FROM server_event WHERE subject_id NOT NULL"
	    " UNION SELECT other_id FROM server_event WHERE other_id NOT NULL)",
	"DELETE FROM endpoint WHERE endpoint_id NOT IN ("
	    "SELECT endpoint_id FROM observer WHERE endpoint_id NOT NULL"
	    " UNION SELECT endpoint_id FROM view_node WHERE endpoint_id NOT NULL"
	    " UNION SELECT asked_id FROM redirect WHERE asked_id NOT NULL"
	    " UNION SELECT target_id FROM redirect WHERE target_id NOT NULL"
	    " UNION SELECT endpoint_id FROM contact"
	    " UNION SELECT asked_id FROM client_error WHERE asked_id NOT NULL"
	    " UNION SELECT target_id FROM client_error WHERE target_id NOT NULL"
	    " UNION SELECT subject_endpoint_id FROM server_event"
	    " WHERE subject_endpoint_id NOT NULL"
	    " UNION SELECT endpoint_id FROM command_rate"
	    " UNION SELECT endpoint_id FROM problem WHERE endpoint_id NOT NULL)",
};

static const char *const owned[] = {
	"view_slots", "view_node", "view", "redirect", "contact",
	"client_error", "server_event", "command_rate", "setting", "problem",
	"clock_declared", "source_prefix", "source"
};

/* Sources that go, and which one takes their place, if one does. */
#define GONE	"CREATE TEMP TABLE IF NOT EXISTS gone (" \
	"source_id INTEGER PRIMARY KEY, successor INTEGER, whole INTEGER)"

/* All rows of the sources in `gone`: how many sources, or -1. */
static int
forget_rows(struct store *s, struct err *e)
{
	char	 sql[200];
	size_t	 i;
	int	 n = 0;

	for (i = 0; i < sizeof owned / sizeof *owned; i++) {
		snprintf(sql, sizeof sql, strncmp(owned[i], "view_", 5) == 0 ?
		    "DELETE FROM %s WHERE view_id IN (SELECT view_id FROM view"
		    " WHERE source_id IN (SELECT source_id FROM gone))" :
		    "DELETE FROM %s WHERE source_id IN (SELECT source_id FROM"
		    " gone)", owned[i]);
		if ((n = change(s, sql, NULL, NULL, NULL, e)) < 0)
			return (-1);
	}
	return (n);			/* of source, the last one */
}

static int
forget_names(struct store *s, struct err *e)
{
	size_t	 i;

	for (i = 0; i < sizeof leftovers / sizeof *leftovers; i++)
		if (change(s, leftovers[i], NULL, NULL, NULL, e) < 0)
			return (-1);
	return (store_exec(s, "DROP TABLE gone", e));
}

int
edit_forget(struct store *s, const char *source, struct err *e)
{
	int	 r, analyzed;

	if (edit_begin(s, e) != 0)
		return (-1);
	r = store_exec(s, GONE, e);
	if (r == 0)
		r = change(s, "INSERT INTO gone (source_id) " NAMED, source, NULL, NULL, e);
	if (r > 0 && (analyzed = mark_stale(s, "sources were removed", e)) != 0)
		r = analyzed < 0 ? -1 : change(s, "DELETE FROM source_clock WHERE"
		    " source_id IN (SELECT source_id FROM gone)", NULL, NULL, NULL, e);
	if (r >= 0)
		r = forget_rows(s, e);
	if (r >= 0 && forget_names(s, e) != 0)
		r = -1;
	return (edit_end(s, r, e));
}

int
edit_prefix(struct store *s, int64_t longer, const char *hex, int64_t bytes,
    struct err *e)
{
	char	 sql[200];

	snprintf(sql, sizeof sql, "INSERT OR IGNORE INTO source_prefix"
	    " VALUES (%lld,%lld,?1)", (long long)longer, (long long)bytes);
	return (change(s, sql, hex, NULL, NULL, e) < 0 ? -1 : 0);
}

int
edit_unread(struct store *s, const char *incident, const char *name,
    int64_t before, struct err *e)
{
	char	 sql[300];
	int	 n;

	if (strcmp(name, "-") == 0)	/* another one each time */
		return (0);
	snprintf(sql, sizeof sql, "DELETE FROM source WHERE incident=?1 AND"
	    " name=?2 AND source_id<=%lld AND (status='duplicate' OR xxh3 IS"
	    " NULL AND status IN ('skipped','failed'))", (long long)before);
	if ((n = change(s, sql, incident, name, NULL, e)) <= 0)
		return (n);
	return (change(s, "DELETE FROM problem WHERE source_id NOT IN (SELECT"
	    " source_id FROM source)", NULL, NULL, NULL, e) < 0 ? -1 : 0);
}

/* No log inside of a file of the same content. */
#define IS_FILE	"NOT EXISTS (SELECT 1 FROM source f WHERE" \
	" f.incident=o.incident AND f.xxh3=o.xxh3 AND f.bytes=o.bytes AND" \
	" f.status<>'duplicate' AND substr(o.name,1,length(f.name)+1)=f.name||':')"

int
edit_replace(struct store *s, const char *incident, int64_t successor, const char *name,
    const char *hex, int64_t bytes, int whole, struct err *e)
{
	char	 sql[900];

	/* Of answers of several nodes that are the same bytes, the one of this name. */
	snprintf(sql, sizeof sql, "INSERT OR IGNORE INTO gone SELECT source_id,"
	    " %lld, %d FROM source WHERE incident=?1 AND xxh3=?2 AND bytes=%lld"
	    " AND status<>'duplicate' AND (name=?3 OR substr(name,1,length(?3)+1)=?3||':'"
	    " OR 2>(SELECT count(*) FROM source o WHERE incident=?1 AND xxh3=?2 AND"
	    " bytes=%lld AND status<>'duplicate' AND source_id<>%lld AND " IS_FILE "))",
	    (long long)successor, whole, (long long)bytes, (long long)bytes,
	    (long long)successor);
	if (store_exec(s, GONE, e) != 0)
		return (-1);
	return (change(s, sql, incident, hex, name, e) < 0 ? -1 : 0);
}

int
edit_replaced(struct store *s, int64_t before, struct err *e)
{
	static const char *const	 moves[] = {
	    /* A log inside of the file finds its clock again by its name. */
	    "CREATE TEMP TABLE IF NOT EXISTS gone_clock (successor INTEGER, rest"
	    " TEXT, offset_us INTEGER)",
	    "INSERT INTO temp.gone_clock SELECT successor, substr(o.name,"
	    " length(f.name)+1), offset_us FROM temp.gone JOIN clock_declared"
	    " USING (source_id) JOIN source o USING (source_id) JOIN source f ON"
	    " f.incident=o.incident AND f.xxh3=o.xxh3 AND f.bytes=o.bytes AND"
	    " substr(o.name,1,length(f.name)+1)=f.name||':'",
	    "DELETE FROM clock_declared WHERE source_id IN (SELECT o.source_id FROM"
	    " temp.gone JOIN source o USING (source_id) JOIN source f ON"
	    " f.incident=o.incident AND f.xxh3=o.xxh3 AND f.bytes=o.bytes AND"
	    " substr(o.name,1,length(f.name)+1)=f.name||':')",
	    /* What was read once stays known by its content. */
	    "INSERT OR IGNORE INTO source_prefix SELECT successor, bytes, xxh3"
	    " FROM temp.gone JOIN source USING (source_id) WHERE NOT whole",
	    "UPDATE OR REPLACE source_prefix SET source_id=(SELECT successor"
	    " FROM temp.gone WHERE gone.source_id=source_prefix.source_id)"
	    " WHERE source_id IN (SELECT source_id FROM temp.gone)",
	    "UPDATE OR REPLACE clock_declared SET source_id=(SELECT successor"
	    " FROM temp.gone WHERE gone.source_id=clock_declared.source_id)"
	    " WHERE source_id IN (SELECT source_id FROM temp.gone)",
	};
	size_t	 i;
	char	 sql[700];

	for (i = 0; i < sizeof moves / sizeof *moves; i++)
		if (change(s, moves[i], NULL, NULL, NULL, e) < 0)
			return (-1);
	/* Of two files of one command the shorter one is told as a copy. */
	snprintf(sql, sizeof sql, "INSERT INTO source (incident, name, kind,"
	    " status, bytes, xxh3) SELECT o.incident, o.name, 'unknown',"
	    " 'duplicate', o.bytes, o.xxh3 FROM temp.gone JOIN source o USING"
	    " (source_id) JOIN source n ON n.source_id=successor WHERE"
	    " o.source_id>%lld AND o.name<>n.name AND " IS_FILE
	    " ORDER BY o.source_id",
	    (long long)before);
	if (change(s, sql, NULL, NULL, NULL, e) < 0)
		return (-1);
	return (forget_rows(s, e) < 0 ? -1 : 0);
}

int
edit_names(struct store *s, struct err *e)
{
	intern_forget(s);		/* ids that may go */
	if (change(s, "INSERT OR REPLACE INTO clock_declared SELECT n.source_id,"
	    " g.offset_us FROM temp.gone_clock g JOIN source f ON"
	    " f.source_id=g.successor JOIN source n ON n.incident=f.incident AND"
	    " n.xxh3=f.xxh3 AND n.bytes=f.bytes AND n.name=f.name||g.rest", NULL, NULL,
	    NULL, e) < 0 || store_exec(s, "DROP TABLE temp.gone_clock", e) != 0)
		return (-1);
	return (forget_names(s, e));
}

/* Sources of which a longer state came with a shard. */
static int
outgrown(struct store *s, struct err *e)
{
	int	 n;

	if (store_exec(s, GONE, e) != 0)
		return (-1);
	n = change(s, "INSERT OR IGNORE INTO gone SELECT o.source_id,"
	    " (SELECT min(n.source_id) FROM main.source n WHERE"
	    " n.incident=t.incident AND n.xxh3=t.xxh3 AND n.bytes=t.bytes AND"
	    " n.status<>'duplicate') AS successor, 0 FROM shard.source_prefix p"
	    " JOIN shard.source t USING (source_id) JOIN main.source o ON"
	    " o.incident=t.incident AND o.xxh3=p.xxh3 AND o.bytes=p.bytes AND"
	    " o.status<>'duplicate' WHERE successor NOT NULL", NULL, NULL, NULL, e);
	if (n <= 0)
		return (n < 0 ? -1 : store_exec(s, "DROP TABLE gone", e));
	return (edit_replaced(s, INT64_MAX, e) != 0 ? -1 : edit_names(s, e));
}

static int
is_older(struct store *s, const char *shard, struct err *e)
{
	int64_t	 version = store_ask(s, "PRAGMA shard.user_version", NULL, NULL,
	    NULL, OBS_NO_NUM, e);

	if (version < 0 || version >= STORE_SCHEMA)
		return (version < 0 ? -1 : 0);
	return (err_set(e, "%s: was made by an older slotrace; slotrace analyze"
	    " brings it up to date", shard));
}

int
edit_merge(struct store *s, const char *shard, struct err *e)
{
	const struct sql_file	*f = script_find("sql/merge.sql");
	struct store		*other = store_open(shard, STORE_READ, e);
	struct stat		 here, there;
	int			 r;

	if (other == NULL)		/* says what is wrong with it */
		return (-1);
	store_close(other);
	if (stat(shard, &there) == 0 && stat(s->path, &here) == 0 &&
	    there.st_dev == here.st_dev && there.st_ino == here.st_ino)
		return (0);		/* all of it is here */
	if (change(s, "ATTACH ?1 AS shard", shard, NULL, NULL, e) < 0)
		return (-1);
	if (is_older(s, shard, e) != 0 || edit_begin(s, e) != 0)
		return (-1);
	r = stems_merge(s, e);
	if (r == 0)
		r = twin_merge(s, e);
	if (r == 0)
		r = script_run(s->db, f, NULL, NULL, e);
	if (r == 0)
		r = outgrown(s, e);
	r = edit_end(s, r, e);
	if (r < 0)
		err_add(e, "%s", shard);
	sqlite3_exec(s->db, "DETACH shard", NULL, NULL, NULL);
	return (r);
}
