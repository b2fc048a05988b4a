#include "store/edit.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "store/inside.h"
#include "store/script.h"

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

static int
is_number(const char *v)
{
	char	*end;

	errno = 0;
	strtoll(v, &end, 10);
	return (*v != '\0' && *end == '\0' && errno == 0);
}

int
edit_set(struct store *s, const char *incident, const char *name,
    const char *value, struct err *e)
{
	int	 r;

	if (store_exec(s, "BEGIN IMMEDIATE", e) != 0)
		return (-1);
	r = change(s, "UPDATE parameter SET name=name WHERE name=?1", name,
	    NULL, NULL, e);
	if (r > 0 && !is_number(value))
		r = err_set(e, "%s=%s: not a whole number", name, value);
	else if (r > 0)
		r = change(s, "UPDATE parameter SET value=CAST(?2 AS INTEGER)"
		    " WHERE name=?1", name, value, NULL, e);
	else if (r == 0 && (r = change(s, "DELETE FROM setting WHERE"
	    " incident=?1 AND name=?2 AND basis='declared' AND observer_id IS"
	    " NULL", incident, name, NULL, e)) >= 0)
		r = change(s, "INSERT INTO setting (incident, name, value,"
		    " basis) VALUES (?1,?2,?3,'declared')", incident, name,
		    value, e);
	return (done(s, r, e) < 0 ? -1 : 0);
}

/* Sources that ?1 names: itself, its rotated set, what is inside of it. */
#define NAMED "SELECT source_id FROM source WHERE name=?1" \
	" OR substr(name,1,length(?1)+1) IN (?1||'/', ?1||':')" \
	" OR group_id IN (SELECT source_id FROM source WHERE name=?1)" \
	" OR source_id IN (SELECT group_id FROM source WHERE name=?1)" \
	" OR group_id IN (SELECT group_id FROM source WHERE name=?1)"

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
	    " WHERE name GLOB ?1 OR source_id IN (" NAMED ")", source, text,
	    NULL, e);
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
	"clock_declared", "source"
};

static int
forget_rows(struct store *s, struct err *e)
{
	char	 sql[200];
	size_t	 i;
	int	 n = 0;

	for (i = 0; i < sizeof owned / sizeof *owned; i++) {
		snprintf(sql, sizeof sql, strncmp(owned[i], "view_", 5) == 0 ?
		    "DELETE FROM %s WHERE view_id IN (SELECT view_id FROM view"
		    " WHERE source_id IN gone)" :
		    "DELETE FROM %s WHERE source_id IN gone", owned[i]);
		if ((n = change(s, sql, NULL, NULL, NULL, e)) < 0)
			return (-1);
	}
	for (i = 0; i < sizeof leftovers / sizeof *leftovers; i++)
		if (change(s, leftovers[i], NULL, NULL, NULL, e) < 0)
			return (-1);
	return (n);			/* of source, the last one */
}

int
edit_forget(struct store *s, const char *source, struct err *e)
{
	int	 r;

	/* The derived tables refer to what goes; the next analysis makes them
	 * anew. */
	if (store_exec(s, "PRAGMA foreign_keys=OFF; BEGIN IMMEDIATE;"
	    "CREATE TEMP TABLE gone (source_id INTEGER PRIMARY KEY)", e) != 0)
		return (-1);
	r = change(s, "INSERT INTO gone " NAMED, source, NULL, NULL, e);
	if (r > 0)
		r = forget_rows(s, e);
	if (r >= 0 && store_exec(s, "DROP TABLE gone", e) != 0)
		r = -1;
	return (done(s, r, e));
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
	if (store_exec(s, "PRAGMA foreign_keys=OFF; BEGIN IMMEDIATE", e) != 0)
		return (-1);
	r = script_run(s->db, f, NULL, NULL, e);
	r = done(s, r, e);
	if (r < 0)
		err_add(e, "%s", shard);
	sqlite3_exec(s->db, "PRAGMA foreign_keys=ON; DETACH shard", NULL, NULL,
	    NULL);
	return (r);
}
