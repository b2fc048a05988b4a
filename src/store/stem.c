#include "store/stem.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "format/client-name.h"
#include "store/inside.h"

/* Where a source lies: its folders, and its file without what rotation adds. */
struct key {
	struct buf	 text;
	size_t		 brief;		/* where its short name begins */
};

struct named {
	const struct format *format;
	char		*key;
	char		*stem;		/* NULL: not looked for */
	int64_t		 source_id;	/* 0: read by this command */
	size_t		 next;		/* of the same short name, plus one */
};

struct stems {
	struct store	*store;
	char		*incident;
	int		 loaded;
	struct named	*all;
	size_t		 n;
	struct table	 by_brief;	/* num: the last one, plus one */
};

/* A log inside of a file, which is a source too: the file's name is its own. */
#define INSIDE(schema)	"(instr(o.name,':') AND EXISTS (SELECT 1 FROM " schema ".source f" \
	" WHERE f.incident=o.incident AND f.xxh3=o.xxh3 AND f.bytes=o.bytes AND" \
	" substr(o.name,1,length(f.name)+1)=f.name||':'))"

/* --- keys --- */

/* A folder of one day or one round (2026-11-30, 20261130T1200) is no host's. */
static int
is_date(struct span s)
{
	size_t	 i, digits = 0;

	for (i = 0; i < s.n; i++) {
		if (strchr("0123456789-_:.T", s.p[i]) == NULL)
			return (0);
		digits += s.p[i] >= '0' && s.p[i] <= '9';
	}
	return (digits >= 8 && s.p[0] == '2');
}

static void
add_folder(struct buf *b, struct span s)
{
	if (s.n == 0 || span_is(s, ".") || is_date(s))
		return;
	buf_add(b, s.p, s.n);
	buf_chr(b, '/');
}

static void
add_folders(struct buf *b, struct span s)
{
	const char	*slash;

	if (s.n > 0 && s.p[0] == '/')
		buf_chr(b, '/');
	while (s.n > 0 && (slash = memchr(s.p, '/', s.n)) != NULL) {
		add_folder(b, span_make(s.p, (size_t)(slash - s.p)));
		s.n -= (size_t)(slash + 1 - s.p);
		s.p = slash + 1;
	}
	add_folder(b, s);
}

static void
key_of(const struct format *f, const char *name, struct key *k)
{
	struct buf	 brief = { 0 };
	size_t		 n = f->stem(name, &brief);
	int		 root = n > 0 && name[n - 1] == ':';	/* of an archive */

	k->text.n = 0;
	add_folders(&k->text, span_make(name, n - (size_t)root));
	if (root && k->text.n > 0)
		k->text.p[k->text.n - 1] = ':';
	k->brief = k->text.n;
	buf_add(&k->text, brief.p, brief.n);
	buf_cstr(&k->text);
	buf_free(&brief);
}

static int
is_joint(char c)
{
	return (c == '/' || c == ':');
}

/* Where the end of a key begins that has one more folder; at is not 0. */
static size_t
longer_end(const struct key *k, size_t at)
{
	for (at--; at > 0 && !is_joint(k->text.p[at - 1]); at--)
		;
	return (at);
}

static int
ends_in(const char *key, struct span end)
{
	size_t	 n = strlen(key);

	return (n >= end.n && memcmp(key + n - end.n, end.p, end.n) == 0 &&
	    (n == end.n || is_joint(key[n - end.n - 1])));
}

/* --- what is known --- */

struct stems *
stems_open(struct store *s, const char *incident)
{
	struct stems	*t = mem_zero(1, sizeof *t);

	t->store = s;
	t->incident = mem_str(incident);
	return (t);
}

void
stems_close(struct stems *t)
{
	size_t	 i;

	if (t == NULL)
		return;
	for (i = 0; i < t->n; i++) {
		free(t->all[i].key);
		free(t->all[i].stem);
	}
	free(t->all);
	free(t->incident);
	table_clear(&t->by_brief);
	free(t);
}

/* The newest one of this short name, plus one; 0: none. */
static size_t
first_of(struct stems *t, const struct key *k)
{
	struct table_entry	*n = table_get(&t->by_brief, k->text.p + k->brief,
	    k->text.n - k->brief);

	return (n != NULL ? (size_t)n->num : 0);
}

static void
add(struct stems *t, const struct format *f, const struct key *k, int64_t id,
    struct span stem)
{
	struct table_entry	*n = table_put(&t->by_brief, k->text.p + k->brief,
	    k->text.n - k->brief);
	struct named		*a;

	t->all = mem_more(t->all, t->n, sizeof *t->all);
	a = &t->all[t->n++];
	a->format = f;
	a->key = mem_strn(k->text.p, k->text.n);
	a->stem = stem.p != NULL ? mem_strn(stem.p, stem.n) : NULL;
	a->source_id = id;
	a->next = (size_t)n->num;
	n->num = (int64_t)t->n;
}

static int
load(struct stems *t, struct err *e)
{
	const struct format	*f;
	struct key		 k = { { 0 }, 0 };
	sqlite3_stmt		*st;
	int			 got;

	if (t->loaded)
		return (0);
	t->loaded = 1;
	if (sqlite3_prepare_v2(store_db(t->store), "SELECT source_id, name, kind FROM"
	    " main.source o WHERE incident=?1 AND kind<>'unknown' AND NOT " INSIDE("main")
	    " ORDER BY source_id", -1, &st, NULL) != SQLITE_OK)
		return (store_fail(t->store, NULL, e));
	bind_word(st, 1, t->incident);
	while ((got = sqlite3_step(st)) == SQLITE_ROW) {
		f = format_find((const char *)sqlite3_column_text(st, 2));
		if (f == NULL || f->stem == NULL)
			continue;
		key_of(f, (const char *)sqlite3_column_text(st, 1), &k);
		add(t, f, &k, sqlite3_column_int64(st, 0), span_of(NULL));
	}
	sqlite3_finalize(st);
	buf_free(&k.text);
	return (got != SQLITE_DONE ? store_fail(t->store, NULL, e) : 0);
}

/* The longest end of the key that an observer's name is or begins with: p NULL if
 * it is none of its. */
static struct span
stem_in(const char *name, const struct key *k)
{
	size_t	 at = 0, n;

	if (strncmp(name, "./", 2) == 0 && strncmp(name + 2, k->text.p, k->text.n) == 0)
		return (span_make(name, k->text.n + 2));
	for (;; ) {
		n = k->text.n - at;
		if (strncmp(name, k->text.p + at, n) == 0 &&
		    (name[n] == '\0' || is_joint(name[n])))
			return (span_make(name, n));
		if (at >= k->brief)
			return (span_make(NULL, 0));
		for (at++; at < k->brief && !is_joint(k->text.p[at - 1]); at++)
			;
	}
}

/* What the observer of a source that was read is called: NULL if no row of it
 * tells (or it named itself). */
static int
read_stem(struct store *s, const char *schema, int64_t id, const struct key *k,
    char **stem, struct err *e)
{
	static const char *const tables[] = { "client_error", "redirect", "contact",
		"server_event", "view", "setting" };
	struct buf	 sql = { 0 };
	sqlite3_stmt	*st;
	struct span	 found;
	size_t		 i;
	int		 got;

	*stem = NULL;
	/* A file's logs are sources of their own, of its name and content. */
	buf_fmt(&sql, "WITH it AS (SELECT source_id, incident, name, xxh3, bytes FROM"
	    " %s.source WHERE source_id=?1), mine AS (SELECT source_id FROM it UNION SELECT"
	    " s.source_id FROM it JOIN %s.source s ON s.incident=it.incident AND"
	    " s.xxh3=it.xxh3 AND s.bytes=it.bytes AND substr(s.name,1,length(it.name)+1)="
	    "it.name||':') SELECT name FROM %s.observer WHERE observer_id IN (", schema, schema,
	    schema);
	for (i = 0; i < sizeof tables / sizeof *tables; i++)
		buf_fmt(&sql, "%sSELECT observer_id FROM %s.%s WHERE source_id IN (SELECT"
		    " source_id FROM mine)", i > 0 ? " UNION " : "", schema, tables[i]);
	buf_str(&sql, ") ORDER BY observer_id");
	got = sqlite3_prepare_v2(store_db(s), buf_cstr(&sql), -1, &st, NULL);
	buf_free(&sql);
	if (got != SQLITE_OK)
		return (store_fail(s, NULL, e));
	sqlite3_bind_int64(st, 1, id);
	while ((got = sqlite3_step(st)) == SQLITE_ROW && *stem == NULL) {
		found = stem_in((const char *)sqlite3_column_text(st, 0), k);
		if (found.p != NULL)
			*stem = mem_strn(found.p, found.n);
	}
	sqlite3_finalize(st);
	return (got != SQLITE_DONE && got != SQLITE_ROW ? store_fail(s, NULL, e) : 0);
}

int
stem_is_of_file(struct store *s, const char *schema, int64_t id, const struct format *f,
    const char *source, struct err *e)
{
	struct key	 k = { { 0 }, 0 };
	char		*stem = NULL;
	int		 r;

	key_of(f, source, &k);
	r = read_stem(s, schema, id, &k, &stem, e);
	r = r != 0 ? -1 : stem != NULL;
	buf_free(&k.text);
	free(stem);
	return (r);
}

/* --- naming --- */

/* Is this the end of another's key, who may be called so? */
static int
is_taken(struct stems *t, const struct format *f, const struct key *k, struct span end)
{
	const struct named	*a;
	size_t			 i;

	for (i = first_of(t, k); i > 0; i = a->next) {
		a = &t->all[i - 1];
		if (a->format == f && ends_in(a->key, end) &&
		    strcmp(a->key, k->text.p) != 0)
			return (1);
	}
	return (0);
}

/* The name of what lies in the same folder under the same name: of this format, or
 * (both are of a node) of another one, if no other node may be called so.  1: found. */
static int
of_sibling(struct stems *t, const struct format *f, const struct key *k, int other,
    struct buf *out, struct err *e)
{
	struct named	*a;
	size_t		 i;

	for (i = first_of(t, k); i > 0; i = a->next) {
		a = &t->all[i - 1];
		if ((a->format == f) == other || strcmp(a->key, k->text.p) != 0 ||
		    a->format->stem != f->stem)
			continue;
		if (a->stem == NULL && a->source_id != 0) {
			if (read_stem(t->store, "main", a->source_id, k, &a->stem, e) != 0)
				return (-1);
			a->source_id = 0;
		}
		if (a->stem == NULL || (other && is_taken(t, f, k, span_of(a->stem))))
			continue;
		buf_str(out, a->stem);
		return (1);
	}
	return (0);
}

/* The name of what had this content: of several, of what was called as the source
 * is.  1: found. */
static int
of_content(struct stems *t, const struct format *f, const char *source,
    const struct content *was, struct buf *out, struct err *e)
{
	struct key	 k = { { 0 }, 0 };
	sqlite3_stmt	*st;
	char		*stem = NULL;
	int		 got, r = 0;

	if (sqlite3_prepare_v2(store_db(t->store), "SELECT source_id, name FROM main.source o"
	    " WHERE incident=?1 AND xxh3=?2 AND bytes=?3 AND status<>'duplicate' AND"
	    " kind=?4 AND NOT " INSIDE("main") " ORDER BY name<>?5, source_id", -1, &st,
	    NULL) != SQLITE_OK)
		return (store_fail(t->store, NULL, e));
	bind_word(st, 1, t->incident);
	bind_word(st, 2, was->hex);
	sqlite3_bind_int64(st, 3, was->bytes);
	bind_word(st, 4, f->name);
	bind_text(t->store, st, 5, span_of(source), 0);
	if ((got = sqlite3_step(st)) == SQLITE_ROW) {
		key_of(f, (const char *)sqlite3_column_text(st, 1), &k);
		r = read_stem(t->store, "main", sqlite3_column_int64(st, 0), &k, &stem, e);
	}
	sqlite3_finalize(st);
	if (stem != NULL)
		buf_str(out, stem);
	r = got != SQLITE_ROW && got != SQLITE_DONE ? store_fail(t->store, NULL, e) :
	    r != 0 ? -1 : stem != NULL;
	free(stem);
	buf_free(&k.text);
	return (r);
}

static void
shortest(struct stems *t, const struct format *f, const struct key *k, struct buf *out)
{
	size_t		 at = k->brief;
	struct span	 end;

	for (;; ) {
		end = span_make(k->text.p + at, k->text.n - at);
		if (!is_taken(t, f, k, end))
			break;
		if (at == 0) {		/* another one's folders end in these */
			buf_str(out, "./");
			break;
		}
		at = longer_end(k, at);
	}
	buf_add(out, end.p, end.n);
}

int
stems_name(struct stems *t, const struct format *f, const char *source,
    const struct content *was, size_t nwas, struct buf *out, struct err *e)
{
	struct key	 k = { { 0 }, 0 };
	size_t		 i;
	int		 got = 0;

	out->n = 0;
	if (f->stem == NULL)
		return (0);
	if (load(t, e) != 0)
		return (-1);
	key_of(f, source, &k);
	for (i = 0; i < nwas && got == 0; i++)
		got = of_content(t, f, source, &was[i], out, e);
	if (got == 0)
		got = of_sibling(t, f, &k, 0, out, e);
	if (got == 0)
		got = of_sibling(t, f, &k, 1, out, e);
	if (got == 0)
		shortest(t, f, &k, out);
	buf_cstr(out);
	if (got >= 0)
		add(t, f, &k, 0, span_make(out->p, out->n));
	buf_free(&k.text);
	return (got < 0 ? -1 : 0);
}

/* --- merging --- */

static int
put_name(struct stems *t, sqlite3_stmt *put, const char *kind, const char *old,
    struct span name, struct err *e)
{
	bind_word(put, 1, t->incident);
	bind_word(put, 2, kind);
	bind_text(t->store, put, 3, span_of(old), 0);
	bind_text(t->store, put, 4, name, 0);
	return (store_step(t->store, put, "take_name", e));
}

/* A source of the shard, as if it were read now: its observer's name there and the
 * one that it is to have. */
static int
take(struct stems *t, const struct format *f, sqlite3_stmt *source, sqlite3_stmt *put,
    struct err *e)
{
	struct key	 k = { { 0 }, 0 };
	struct buf	 name = { 0 };
	struct content	 was = { "", 0 };
	const char	*text = (const char *)sqlite3_column_text(source, 1);
	const char	*hex = (const char *)sqlite3_column_text(source, 3);
	char		*stem = NULL;
	int64_t		 inside = 0;
	int		 r = 0, client = f->stem == client_name;

	key_of(f, text, &k);
	if (first_of(t, &k) != 0)	/* else nobody here is called so */
		r = read_stem(t->store, "shard", sqlite3_column_int64(source, 0), &k,
		    &stem, e);
	if (r == 0 && stem != NULL) {
		snprintf(was.hex, sizeof was.hex, "%s", hex != NULL ? hex : "");
		was.bytes = sqlite3_column_int64(source, 4);
		r = stems_name(t, f, text, &was, hex != NULL, &name, e);
	}
	if (r == 0 && stem != NULL)
		r = put_name(t, put, client ? "client" : "node", stem,
		    span_make(name.p, name.n), e);
	if (r == 0 && stem != NULL && hex != NULL)	/* both kinds may stand in it */
		inside = store_ask(t->store, "SELECT 1 FROM shard.source WHERE incident=?1 AND"
		    " xxh3=?3 AND bytes=?4 AND substr(name,1,length(?2)+1)=?2||':' LIMIT 1",
		    t->incident, text, hex, was.bytes, e);
	if (r == 0 && inside > 0)
		r = put_name(t, put, client ? "node" : "client", stem,
		    span_make(name.p, name.n), e);
	r = inside < 0 ? -1 : r;
	free(stem);
	buf_free(&name);
	buf_free(&k.text);
	return (r);
}

static int
take_all(struct store *s, sqlite3_stmt *source, sqlite3_stmt *put, struct err *e)
{
	const struct format	*f;
	const char		*incident;
	struct stems		*t = NULL;
	int			 got, r = 0;

	while (r == 0 && (got = sqlite3_step(source)) == SQLITE_ROW) {
		f = format_find((const char *)sqlite3_column_text(source, 2));
		incident = (const char *)sqlite3_column_text(source, 5);
		if (f == NULL || f->stem == NULL)
			continue;
		if (t == NULL || strcmp(t->incident, incident) != 0) {
			stems_close(t);
			t = stems_open(s, incident);
			r = load(t, e);
		}
		if (r == 0)
			r = take(t, f, source, put, e);
	}
	stems_close(t);
	return (r == 0 && got != SQLITE_DONE ? store_fail(s, NULL, e) : r);
}

int
stems_merge(struct store *s, struct err *e)
{
	sqlite3_stmt	*source = NULL, *put = NULL;
	int		 r;

	if (store_exec(s, "CREATE TEMP TABLE take_name (incident TEXT NOT NULL, kind TEXT"
	    " NOT NULL, old TEXT NOT NULL, new TEXT NOT NULL, PRIMARY KEY (incident, kind,"
	    " old)) WITHOUT ROWID", e) != 0)
		return (-1);
	if (sqlite3_prepare_v2(store_db(s), "SELECT source_id, name, kind, xxh3, bytes,"
	    " incident FROM shard.source o WHERE kind<>'unknown' AND status<>'duplicate'"
	    " AND NOT " INSIDE("shard") " ORDER BY incident, source_id", -1, &source,
	    NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(store_db(s), "INSERT OR IGNORE INTO temp.take_name VALUES"
	    " (?1,?2,?3,?4)", -1, &put, NULL) != SQLITE_OK)
		r = store_fail(s, NULL, e);
	else
		r = take_all(s, source, put, e);
	sqlite3_finalize(source);
	sqlite3_finalize(put);
	return (r);
}
