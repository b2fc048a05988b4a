#include "text/json.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

enum { MEMBERS_MAX = JSON_MEMBERS };

struct json {
	sqlite3			*db;
	sqlite3_stmt		*walk;
	struct buf		 bytes;
	struct json_member	 member[MEMBERS_MAX];
	size_t			 at[MEMBERS_MAX][2]; /* in bytes, of path and value */
	int			 cut;		/* the last document had more members */
};

/* A real is taken as it stands: SQLite prints 15 digits, epoch seconds with
 * microseconds have 16. */
static const char walk_sql[] =
    "SELECT fullkey, CASE type WHEN 'real' THEN ?1 -> fullkey ELSE atom END, type"
    " FROM json_tree(?1)"
    " WHERE type IN ('text', 'integer', 'real', 'true', 'false') LIMIT 4097";	/* one more than are given */

struct json *
json_open(void)
{
	struct json	*j = mem_zero(1, sizeof *j);

	if (sqlite3_open(":memory:", &j->db) != SQLITE_OK ||
	    sqlite3_prepare_v3(j->db, walk_sql, -1, SQLITE_PREPARE_PERSISTENT, &j->walk,
	    NULL) != SQLITE_OK) {
		/* Only memory can lack here: mem.c's answer is the same. */
		fprintf(stderr, "slotrace: JSON functions: %s\n", sqlite3_errmsg(j->db));
		exit(1);
	}
	return (j);
}

void
json_close(struct json *j)
{
	if (j == NULL)
		return;
	sqlite3_finalize(j->walk);
	sqlite3_close(j->db);
	buf_free(&j->bytes);
	free(j);
}

/* $.err."log.level"[0] -> err.log.level[0] */
static void
add_path(struct buf *b, const char *key)
{
	if (*key == '$')
		key++;
	if (*key == '.')
		key++;
	for (; *key != '\0'; key++)
		if (*key != '"')
			buf_chr(b, *key);
}

const struct json_member *
json_read(struct json *j, struct span s, size_t *n)
{
	size_t	 i;
	int	 rc;

	*n = 0;
	j->cut = 0;
	if (s.n < 2 || s.p[0] != '{' || s.n > INT32_MAX)
		return (NULL);
	j->bytes.n = 0;
	sqlite3_bind_text(j->walk, 1, s.p, (int)s.n, SQLITE_STATIC);
	for (i = 0; (rc = sqlite3_step(j->walk)) == SQLITE_ROW && i < MEMBERS_MAX; i++) {
		j->at[i][0] = j->bytes.n;
		add_path(&j->bytes, (const char *)sqlite3_column_text(j->walk, 0));
		j->at[i][1] = j->bytes.n;
		buf_add(&j->bytes, sqlite3_column_text(j->walk, 1),
		    (size_t)sqlite3_column_bytes(j->walk, 1));
		j->member[i].text = strcmp((const char *)sqlite3_column_text(j->walk, 2),
		    "text") == 0;
	}
	sqlite3_reset(j->walk);
	sqlite3_clear_bindings(j->walk);
	if (rc != SQLITE_DONE && rc != SQLITE_ROW)
		return (NULL);
	*n = i;
	j->cut = rc == SQLITE_ROW;
	for (i = 0; i < *n; i++) {
		size_t	 end = i + 1 < *n ? j->at[i + 1][0] : j->bytes.n;

		j->member[i].path = span_make(j->bytes.p + j->at[i][0], j->at[i][1] - j->at[i][0]);
		j->member[i].value = span_make(j->bytes.p + j->at[i][1], end - j->at[i][1]);
	}
	return (j->member);
}

int
json_cut(const struct json *j)
{
	return (j->cut);
}

struct span
json_get(const struct json_member *m, size_t n, const char *path)
{
	size_t	 i;

	for (i = 0; i < n; i++)
		if (span_is(m[i].path, path))
			return (m[i].value);
	return (span_make(NULL, 0));
}

void
json_lift(struct json *j, size_t n, const char *path)
{
	size_t	 i, k = strlen(path);

	for (i = 0; i < n; i++) {
		struct span	*m = &j->member[i].path;

		if (m->n > k && memcmp(m->p, path, k) == 0)
			*m = span_make(m->p + k, m->n - k);
	}
}
