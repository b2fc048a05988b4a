#include "store/same.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <xxhash.h>

#include "base/mem.h"
#include "store/inside.h"

enum {
	HEAD_BYTES = 1024,		/* as in sql/schema-2.sql */
	LONGER_MOST = 8			/* longer sources that are looked at */
};

/* One question, and how far it is answered. */
struct look {
	struct store	*store;
	struct visit	*visit;
	const char	*incident;
	char		 head[33];
	int64_t		*length;	/* of sources that may be its beginning */
	size_t		 nlengths;
	int		 alike;		/* some source has the same head */
	sqlite3_stmt	*known;		/* asked once a length */
	struct same	*same;
};

void
same_head(struct span p, char hex[33])
{
	XXH128_hash_t	 h = XXH3_128bits(p.p, p.n < HEAD_BYTES ? p.n :
	    HEAD_BYTES);

	snprintf(hex, 33, "%016llx%016llx", (unsigned long long)h.high64,
	    (unsigned long long)h.low64);
}

void
same_done(struct same *same)
{
	free(same->grown);
	same->grown = NULL;
	same->ngrown = 0;
}

/* Lengths of the sources that begin alike, and of those that are shorter than a
 * head (each length once: a seek in source_short). */
static int
find_lengths(struct look *l, struct err *e)
{
	static const char	 sql[] = "WITH RECURSIVE short (n) AS (VALUES (0)"
	    " UNION ALL SELECT (SELECT min(bytes) FROM source WHERE incident=?1"
	    " AND bytes>n AND bytes<1024) FROM short WHERE n IS NOT NULL)"
	    " SELECT n, 0 FROM short WHERE n>0 UNION SELECT bytes, 1 FROM source"
	    " WHERE incident=?1 AND head=?2 AND status<>'duplicate' ORDER BY 1";
	struct sqlite3	*db = store_db(l->store);
	sqlite3_stmt	*st;
	int		 got;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
		return (store_fail(l->store, NULL, e));
	bind_text(l->store, st, 1, span_of(l->incident), 0);
	bind_word(st, 2, l->head);
	while ((got = sqlite3_step(st)) == SQLITE_ROW) {
		l->length = mem_more(l->length, l->nlengths, sizeof *l->length);
		l->length[l->nlengths++] = sqlite3_column_int64(st, 0);
		l->alike |= sqlite3_column_int(st, 1);
	}
	sqlite3_finalize(st);
	return (got != SQLITE_DONE ? store_fail(l->store, NULL, e) : 0);
}

/* The source of just these bytes; 0 or -1. */
static int64_t
source_of(struct look *l, const char *hex, int64_t bytes, struct err *e)
{
	int64_t	 id = 0;
	int	 got;

	if (l->known == NULL && sqlite3_prepare_v2(store_db(l->store), "SELECT source_id"
	    " FROM source WHERE incident=?1 AND xxh3=?2 AND bytes=?3 AND"
	    " status<>'duplicate'", -1, &l->known, NULL) != SQLITE_OK)
		return (store_fail(l->store, NULL, e));
	bind_text(l->store, l->known, 1, span_of(l->incident), 0);
	bind_word(l->known, 2, hex);
	sqlite3_bind_int64(l->known, 3, bytes);
	if ((got = sqlite3_step(l->known)) == SQLITE_ROW)
		id = sqlite3_column_int64(l->known, 0);
	sqlite3_reset(l->known);
	return (got == SQLITE_ROW || got == SQLITE_DONE ? id : store_fail(l->store, NULL, e));
}

/* The source that is what was consumed of the input, or began so; 0 or -1. */
static int64_t
probe(struct look *l, const char *hex, int64_t bytes, int whole, struct err *e)
{
	int64_t	 id = source_of(l, hex, bytes, e);

	if (id != 0 || !whole)
		return (id);
	id = store_ask(l->store, "SELECT source_id FROM source_prefix p JOIN"
	    " source s USING (source_id) WHERE s.incident=?1 AND p.xxh3=?3 AND"
	    " p.bytes=?4", l->incident, NULL, hex, bytes, e);
	l->same->longer = id > 0;
	return (id);
}

static int
consume_to(struct input *in, int64_t length, struct err *why)
{
	char	 block[16384];
	ssize_t	 n = 1;
	int64_t	 left;

	while (n > 0 && (left = length - input_offset(in)) > 0)
		n = input_read(in, block, left < (int64_t)sizeof block ?
		    (size_t)left : sizeof block, why);
	return (n < 0 ? -1 : 0);
}

/* Hash an input from its first byte, and probe at each length; at its end too,
 * if whole is set.  -1 with e, 1 with why. */
static int
compare(struct look *l, struct input *in, int whole, struct err *why,
    struct err *e)
{
	struct same	*same = l->same;
	int64_t		 id, bytes;
	size_t		 i;

	input_hash(in);
	for (i = 0; i < l->nlengths; i++) {
		if (consume_to(in, l->length[i], why) != 0)
			return (1);
		input_digest(in, 0, same->hex, &bytes);
		if (bytes < l->length[i])
			break;
		if ((id = probe(l, same->hex, bytes, 0, e)) < 0)
			return (-1);
		if (id == 0)
			continue;
		same->grown = mem_more(same->grown, same->ngrown, sizeof *same->grown);
		memcpy(same->grown[same->ngrown].hex, same->hex, sizeof same->hex);
		same->grown[same->ngrown++].bytes = bytes;
	}
	if (!whole)
		return (0);
	if (consume_to(in, INT64_MAX, why) != 0)
		return (1);
	input_digest(in, 0, same->hex, &same->bytes);
	same->known = probe(l, same->hex, same->bytes, 1, e);
	return (same->known < 0 ? -1 : 0);
}

/* What is in memory, under one lock of the timeline: a small input is compared
 * with up to a thousand lengths. */
static int
compare_at_once(struct look *l, struct input *in, int whole, struct err *why,
    struct err *e)
{
	int	 own = sqlite3_get_autocommit(store_db(l->store)), got;

	if (own && store_exec(l->store, "BEGIN", e) != 0)
		return (-1);
	got = compare(l, in, whole, why, e);
	if (own && store_exec(l->store, "COMMIT", got < 0 ? NULL : e) != 0)
		return (-1);
	return (got);
}

/* Is a file still what was read as a source of so many bytes, and does it begin
 * with the bytes in question? */
static int
begins_so(struct look *l, const char *path, const char *hex, int64_t bytes)
{
	struct err	 why = ERR_INIT;
	struct stat	 st;
	struct input	*in;
	char		 now[33];
	int64_t		 n;
	int		 same = 0;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    (in = input_file(path, &why)) == NULL ||
	    (in = unpack_filters(&l->visit->budget, in, &why)) == NULL)
		return (0);
	input_hash(in);
	if (consume_to(in, l->same->bytes, &why) == 0) {
		input_digest(in, 0, now, &n);
		same = n == l->same->bytes && strcmp(now, l->same->hex) == 0;
	}
	if (same && consume_to(in, INT64_MAX, &why) == 0) {
		input_digest(in, 0, now, &n);
		same = n == bytes && strcmp(now, hex) == 0;
	}
	input_close(in);
	return (same);
}

/* An older copy of what is there already, seen for the first time: the longer
 * one tells, if it is a file that can still be opened. */
static int
find_longer(struct look *l, struct err *e)
{
	struct sqlite3	*db = store_db(l->store);
	sqlite3_stmt	*st;
	int		 got, left = LONGER_MOST;

	if (sqlite3_prepare_v2(db, "SELECT source_id, name, xxh3, bytes FROM"
	    " source WHERE incident=?1 AND head=?2 AND bytes>?3 AND"
	    " status<>'duplicate' ORDER BY bytes", -1, &st, NULL) != SQLITE_OK)
		return (store_fail(l->store, NULL, e));
	bind_text(l->store, st, 1, span_of(l->incident), 0);
	bind_word(st, 2, l->head);
	sqlite3_bind_int64(st, 3, l->same->bytes);
	while ((got = sqlite3_step(st)) == SQLITE_ROW && left-- > 0 &&
	    l->same->known == 0)
		if (begins_so(l, (const char *)sqlite3_column_text(st, 1),
		    (const char *)sqlite3_column_text(st, 2),
		    sqlite3_column_int64(st, 3))) {
			l->same->known = sqlite3_column_int64(st, 0);
			l->same->longer = 1;
		}
	sqlite3_finalize(st);
	return (got != SQLITE_DONE && got != SQLITE_ROW ?
	    store_fail(l->store, NULL, e) : 0);
}

/* The whole is hashed before anything is decoded only if something begins alike
 * (or it is short): it costs a pass over the bytes, and a temporary file where
 * they cannot be read twice. */
static int
look(struct look *l, struct input **in, struct err *why, struct err *e)
{
	struct span	 p = input_peek(*in, INPUT_PEEK);
	struct input	*use = NULL;
	int		 whole = p.n < INPUT_PEEK, got;

	if (!whole && l->alike) {
		if ((use = input_keep(l->visit, *in, why)) == NULL)
			return (1);
		*in = use;
		got = compare(l, use, 1, why, e);
		if (got > 0)			/* the decoder meets it again */
			same_done(l->same);
		return (got < 0 || input_rewind(use, e) != 0 ? -1 : 0);
	}
	use = input_memory(p.p, p.n, input_name(*in), 0);
	got = compare_at_once(l, use, whole, why, e);
	input_close(use);
	return (got);
}

int
same_find(struct store *s, struct visit *v, const char *incident,
    struct input **in, struct same *same, struct err *why, struct err *e)
{
	struct look	 l;
	int		 got;

	memset(same, 0, sizeof *same);
	memset(&l, 0, sizeof l);
	l.store = s;
	l.visit = v;
	l.incident = incident;
	l.same = same;
	same_head(input_peek(*in, INPUT_PEEK), l.head);
	got = find_lengths(&l, e);
	if (got == 0)
		got = look(&l, in, why, e);
	if (got == 0 && same->known == 0 && same->bytes > 0 && l.alike)
		got = find_longer(&l, e);
	sqlite3_finalize(l.known);
	free(l.length);
	if (got != 0 || same->known != 0)
		same_done(same);
	return (got);
}

struct evidence {
	struct visit	 visit;		/* first */
	struct store	*store;
	int		 found;
};

/* Is what was consumed until now some source? */
static int
is_source(struct evidence *v, struct input *in, struct err *e)
{
	char	 hex[33];
	int64_t	 bytes, got;

	input_digest(in, 0, hex, &bytes);
	got = bytes == 0 ? 0 : store_ask(v->store, "SELECT 1 FROM source WHERE xxh3=?3"
	    " AND bytes=?4 LIMIT 1", NULL, NULL, hex, bytes, e);
	v->found |= got > 0;
	return (got < 0 ? -1 : 0);
}

static int
compare_member(struct visit *visit, struct input *in, struct err *e)
{
	struct evidence	*v = (struct evidence *)visit;
	struct err	 why = ERR_INIT;
	sqlite3_stmt	*st;
	char		 head[33];
	int		 r = 0;

	if (v->found)
		return (0);
	same_head(input_peek(in, INPUT_PEEK), head);
	if (sqlite3_prepare_v2(store_db(v->store), "SELECT DISTINCT bytes FROM source"
	    " WHERE xxh3 NOT NULL AND (head=?1 OR bytes<1024) ORDER BY 1", -1, &st,
	    NULL) != SQLITE_OK)
		return (store_fail(v->store, NULL, e));
	bind_word(st, 1, head);
	input_hash(in);
	while (r == 0 && !v->found && sqlite3_step(st) == SQLITE_ROW)
		if (consume_to(in, sqlite3_column_int64(st, 0), &why) != 0)
			break;		/* damaged: what was read of it counts */
		else
			r = is_source(v, in, e);
	sqlite3_finalize(st);
	if (r == 0 && !v->found) {
		consume_to(in, INT64_MAX, &why);
		r = is_source(v, in, e);
	}
	return (r);
}

static int
not_compared(struct visit *visit, const char *name, const char *code, const char *reason,
    struct err *e)
{
	(void)visit;
	(void)name;
	(void)code;
	(void)reason;
	(void)e;
	return (0);
}

int
same_in_file(struct store *s, const char *path, struct err *e)
{
	struct walk_limits	 limits = WALK_LIMITS;
	struct evidence		 v;
	int			 r;

	memset(&v, 0, sizeof v);
	visit_init(&v.visit);
	v.visit.budget.limits = limits;
	v.visit.member = compare_member;
	v.visit.problem = not_compared;
	v.store = s;
	r = walk_path(&v.visit, path, e);
	visit_done(&v.visit);
	return (r != 0 ? -1 : v.found);
}
