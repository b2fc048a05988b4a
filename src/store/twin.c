#include "store/twin.h"

#include <stdlib.h>

#include "base/mem.h"
#include "format/format.h"
#include "store/inside.h"
#include "store/stem.h"

/* Equal but for the numbers in them, of which one differs. */
static int
differ_in_number(struct span a, struct span b)
{
	size_t	 i = 0, k = 0, na, nb;
	int	 differ = 0;

	while (i < a.n && k < b.n) {
		if (!is_digit(a.p[i]) || !is_digit(b.p[k])) {
			if (a.p[i++] != b.p[k++])
				return (0);
			continue;
		}
		for (na = 0; i + na < a.n && is_digit(a.p[i + na]); na++)
			;
		for (nb = 0; k + nb < b.n && is_digit(b.p[k + nb]); nb++)
			;
		differ |= na != nb || memcmp(a.p + i, b.p + k, na) != 0;
		i += na;
		k += nb;
	}
	return (i == a.n && k == b.n && differ);
}

static int
has_number(struct span s)
{
	size_t	 i;

	for (i = 0; i < s.n; i++)
		if (is_digit(s.p[i]))
			return (1);
	return (0);
}

struct parts {
	struct span	 folders, stem;
	struct buf	 text;
};

static void
split(const char *name, struct parts *p)
{
	size_t	 at;

	memset(p, 0, sizeof *p);
	at = input_name_stem(name, &p->text);
	p->folders = span_make(name, at);
	p->stem = span_make(p->text.p, p->text.n);
}

/* A folder tells nodes apart where the files do not. */
int
twin_names(const char *a, const char *b)
{
	struct parts	 x, y;
	int		 r;

	split(a, &x);
	split(b, &y);
	if (span_eq(x.stem, y.stem))
		r = !has_number(x.stem) && differ_in_number(x.folders, y.folders);
	else
		r = span_eq(x.folders, y.folders) && differ_in_number(x.stem, y.stem);
	buf_free(&x.text);
	buf_free(&y.text);
	return (r);
}

/* 1: a source of this name is called after a node that the views of the source
 * list. */
static int
is_listed(struct store *s, const char *schema, int64_t id, const char *name, struct err *e)
{
	struct parts	 p;
	struct buf	 sql = { 0 };
	sqlite3_stmt	*st;
	int		 got;

	split(name, &p);
	buf_fmt(&sql, "SELECT 1 FROM %s.view v JOIN %s.view_node n USING (view_id) LEFT JOIN"
	    " %s.endpoint p USING (endpoint_id) WHERE v.source_id=?1 AND length(?2)>1 AND (?2 IN"
	    " (n.hostname, p.host) OR substr(n.hostname,1,length(?2)+1)=?2||'.' OR"
	    " substr(p.host,1,length(?2)+1)=?2||'.') LIMIT 1", schema, schema, schema);
	got = sqlite3_prepare_v2(store_db(s), buf_cstr(&sql), -1, &st, NULL);
	buf_free(&sql);
	if (got != SQLITE_OK) {
		buf_free(&p.text);
		return (store_fail(s, NULL, e));
	}
	sqlite3_bind_int64(st, 1, id);
	bind_text(s, st, 2, p.stem, 0);
	got = sqlite3_step(st);
	sqlite3_finalize(st);
	buf_free(&p.text);
	return (got == SQLITE_ROW ? 1 : got == SQLITE_DONE ? 0 : store_fail(s, NULL, e));
}

/* Whether the answers of a source leave open who gave them: forms that do not say
 * it, and an observer that is called by the file. */
static int
is_open(struct store *s, const char *schema, int64_t id, const char *name, struct err *e)
{
	struct buf	 sql = { 0 };
	sqlite3_stmt	*st;
	int		 got, open = 0;

	buf_fmt(&sql, "SELECT count(*)>0 AND min(form IN ('slots','shards')) AND"
	    " count(DISTINCT observer_id)=1 FROM %s.view WHERE source_id=?1", schema);
	got = sqlite3_prepare_v2(store_db(s), buf_cstr(&sql), -1, &st, NULL);
	buf_free(&sql);
	if (got != SQLITE_OK)
		return (store_fail(s, NULL, e));
	sqlite3_bind_int64(st, 1, id);
	if ((got = sqlite3_step(st)) == SQLITE_ROW)
		open = sqlite3_column_int(st, 0);
	sqlite3_finalize(st);
	if (got != SQLITE_ROW)
		return (store_fail(s, NULL, e));
	return (open ? stem_is_of_file(s, schema, id, &format_topology_dump, name, e) : 0);
}

/* Whether a source of the schema, known under a name, is another node's answer than
 * what is called so. */
static int
is_other(struct store *s, const char *schema, int64_t id, const char *known,
    const char *name, struct err *e)
{
	struct parts	 x, y;
	int		 r = is_open(s, schema, id, known, e), listed, alike;

	if (r <= 0 || twin_names(known, name))
		return (r);
	split(known, &x);
	split(name, &y);
	alike = span_eq(x.stem, y.stem) || !span_eq(x.folders, y.folders);
	buf_free(&x.text);
	buf_free(&y.text);
	if (alike || (listed = is_listed(s, schema, id, known, e)) <= 0)
		return (alike ? 0 : listed);
	return (is_listed(s, schema, id, name, e));
}

int
twin_is(struct store *s, const char *incident, const struct content *c, const char *name,
    struct err *e)
{
	sqlite3_stmt	*st;
	int		 got, r = 1, n = 0;

	if (sqlite3_prepare_v2(store_db(s), "SELECT source_id, name, kind FROM main.source WHERE"
	    " incident=?1 AND xxh3=?2 AND bytes=?3 AND status<>'duplicate'", -1, &st,
	    NULL) != SQLITE_OK)
		return (store_fail(s, NULL, e));
	bind_text(s, st, 1, span_of(incident), 0);
	bind_word(st, 2, c->hex);
	sqlite3_bind_int64(st, 3, c->bytes);
	while (r == 1 && (got = sqlite3_step(st)) == SQLITE_ROW) {
		n++;
		r = strcmp((const char *)sqlite3_column_text(st, 2), "topology-dump") != 0 ? 0 :
		    is_other(s, "main", sqlite3_column_int64(st, 0),
		    (const char *)sqlite3_column_text(st, 1), name, e);
	}
	sqlite3_finalize(st);
	if (r == 1 && got != SQLITE_DONE)
		return (store_fail(s, NULL, e));
	return (r == 1 ? n > 0 : r);
}

int
twin_merge(struct store *s, struct err *e)
{
	sqlite3_stmt	*st = NULL, *put = NULL;
	struct content	 c;
	int		 got = SQLITE_DONE, r = 0;

	if (store_exec(s, "CREATE TEMP TABLE take_twin (source_id INTEGER PRIMARY KEY)", e) != 0)
		return (-1);
	if (sqlite3_prepare_v2(store_db(s), "SELECT source_id, name, incident, xxh3, bytes FROM"
	    " shard.source s WHERE kind='topology-dump' AND status<>'duplicate' AND EXISTS"
	    " (SELECT 1 FROM main.source m WHERE m.incident=s.incident AND m.xxh3=s.xxh3 AND"
	    " m.bytes=s.bytes AND m.kind=s.kind)", -1, &st, NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(store_db(s), "INSERT INTO temp.take_twin VALUES (?1)", -1, &put,
	    NULL) != SQLITE_OK)
		r = store_fail(s, NULL, e);
	while (r >= 0 && st != NULL && put != NULL && (got = sqlite3_step(st)) == SQLITE_ROW) {
		snprintf(c.hex, sizeof c.hex, "%s", (const char *)sqlite3_column_text(st, 3));
		c.bytes = sqlite3_column_int64(st, 4);
		r = twin_is(s, (const char *)sqlite3_column_text(st, 2), &c,
		    (const char *)sqlite3_column_text(st, 1), e);
		if (r != 1)
			continue;
		sqlite3_bind_int64(put, 1, sqlite3_column_int64(st, 0));
		r = store_step(s, put, "take_twin", e);
	}
	if (r >= 0 && got != SQLITE_DONE)
		r = store_fail(s, NULL, e);
	sqlite3_finalize(st);
	sqlite3_finalize(put);
	return (r < 0 ? -1 : 0);
}
