/*
 * intern.c - nodes, endpoints and observers by name: one row each in an
 * incident, found again through a hash table.
 */
#include "base/fast.h"
#include "store/inside.h"

enum { NAMES_MOST = 1 << 18 };		/* then the table starts anew */

void
intern_forget(struct store *s)
{
	table_clear(&s->names);
	memset(s->endpoints, 0, sizeof s->endpoints);
	memset(s->clients, 0, sizeof s->clients);
}

/* Where a name is kept, NULL if it is too long for that; *hit: it is there. */
static struct memo *
memo_of(struct memo *all, struct span name, int32_t port, int *hit)
{
	struct memo	*m;

	if (!fast_paths || name.n < 2 || name.n > sizeof m->text)
		return (NULL);
	m = &all[((unsigned)port + (unsigned)name.p[name.n - 1] * 5 +
	    (unsigned)name.p[name.n - 2] * 3 + (unsigned)name.n) % MEMOS];
	*hit = m->id > 0 && m->port == port && m->n == name.n &&
	    memcmp(m->text, name.p, name.n) == 0;
	return (m);
}

static void
memo_keep(struct memo *m, struct span name, int32_t port, int64_t id, int flags)
{
	if (m == NULL || id <= 0)
		return;
	m->id = id;
	m->port = port;
	m->flags = flags;
	m->n = (uint8_t)name.n;
	memcpy(m->text, name.p, name.n);
}

/* The entry of the key in s->key, num 0 if it is new. */
static struct table_entry *
lookup(struct store *s)
{
	if (s->names.used >= NAMES_MOST)
		intern_forget(s);
	return (table_put(&s->names, s->key.p, s->key.n));
}

static void
start_key(struct store *s, int kind)
{
	s->key.n = 0;
	buf_chr(&s->key, kind);
}

/* Find a row, or insert it: both statements take the same parameters. */
static int64_t
find_or_insert(struct store *s, sqlite3_stmt *find, sqlite3_stmt *insert,
    struct err *e)
{
	int64_t	 id = 0;
	int	 r = sqlite3_step(find);

	if (r == SQLITE_ROW)
		id = sqlite3_column_int64(find, 0);
	else if (r != SQLITE_DONE)
		store_fail(s, NULL, e);
	sqlite3_reset(find);
	if (r == SQLITE_ROW || r != SQLITE_DONE)
		return (r == SQLITE_ROW ? id : -1);
	if (store_step(s, insert, NULL, e) != 0)
		return (-1);
	return (sqlite3_last_insert_rowid(s->db));
}

int64_t
intern_node(struct store *s, struct span id, struct err *e)
{
	sqlite3_stmt	*st[2];
	struct table_entry *n;
	int		 i;

	if (id.p == NULL || id.n == 0)
		return (0);
	start_key(s, NAME_NODE);
	buf_add(&s->key, id.p, id.n);
	n = lookup(s);
	if (n->num > 0)
		return (n->num);
	if ((st[0] = store_statement(s, ST_NODE_FIND, e)) == NULL ||
	    (st[1] = store_statement(s, ST_NODE, e)) == NULL)
		return (-1);
	for (i = 0; i < 2; i++) {
		bind_text(s, st[i], 1, span_of(s->incident), 0);
		bind_text(s, st[i], 2, id, 0);
	}
	return (n->num = find_or_insert(s, st[0], st[1], e));
}

static int64_t
find_endpoint(struct store *s, struct endpoint ep, struct err *e)
{
	sqlite3_stmt	*st[2];
	struct table_entry *n;
	int		 i;

	start_key(s, NAME_ENDPOINT);
	buf_add(&s->key, &ep.port, sizeof ep.port);
	buf_add(&s->key, ep.host.p, ep.host.n);
	n = lookup(s);
	if (n->num > 0)
		return (n->num);
	if ((st[0] = store_statement(s, ST_ENDPOINT_FIND, e)) == NULL ||
	    (st[1] = store_statement(s, ST_ENDPOINT, e)) == NULL)
		return (-1);
	for (i = 0; i < 2; i++) {
		bind_text(s, st[i], 1, span_of(s->incident), 0);
		bind_text(s, st[i], 2, ep.host, 0);
		sqlite3_bind_int(st[i], 3, ep.port);
	}
	return (n->num = find_or_insert(s, st[0], st[1], e));
}

int64_t
intern_endpoint(struct store *s, struct endpoint ep, struct err *e)
{
	struct memo	*m;
	int64_t		 id;
	int		 hit = 0;

	if (ep.host.p == NULL)
		return (0);
	if (ep.port < 0)
		ep.port = 0;
	m = memo_of(s->endpoints, ep.host, ep.port, &hit);
	if (hit)
		return (m->id);
	id = find_endpoint(s, ep, e);
	memo_keep(m, ep.host, ep.port, id, 0);
	return (id);
}

static const char *const who_words[WHO_NKINDS] = {
	"node", "client", "sampler", "peer"
};

static int
stated(const struct who *w)
{
	return ((w->host.n > 0 ? FILLED_HOST : 0) |
	    (w->kind == WHO_NODE && w->node.n > 0 ? FILLED_NODE : 0) |
	    (w->ep.host.n > 0 ? FILLED_ENDPOINT : 0) |
	    (w->library.n > 0 ? FILLED_LIBRARY : 0));
}

/* Complete an observer's row with what was not known when it was made. */
static int
fill(struct store *s, int64_t id, const struct who *w, struct err *e)
{
	struct endpoint	 none = endpoint_none();
	int64_t		 node, ep;
	sqlite3_stmt	*st;

	node = w->kind == WHO_NODE ? intern_node(s, w->node, e) : 0;
	ep = intern_endpoint(s, w->ep.host.n > 0 ? w->ep : none, e);
	if (node < 0 || ep < 0 ||
	    (st = store_statement(s, ST_OBSERVER_FILL, e)) == NULL)
		return (-1);
	sqlite3_bind_int64(st, 1, id);
	bind_text(s, st, 2, w->host.n > 0 ? w->host : span_of(NULL), 0);
	bind_id(st, 3, node);
	bind_id(st, 4, ep);
	bind_text(s, st, 5, w->library.n > 0 ? w->library : span_of(NULL), 0);
	return (store_step(s, st, "observer", e));
}

static int
make_observer(struct store *s, const struct who *w, struct span name,
    struct table_entry *n, struct err *e)
{
	sqlite3_stmt	*st[2];
	int		 i;

	if ((st[0] = store_statement(s, ST_OBSERVER_FIND, e)) == NULL ||
	    (st[1] = store_statement(s, ST_OBSERVER, e)) == NULL)
		return (-1);
	for (i = 0; i < 2; i++) {
		bind_text(s, st[i], 1, span_of(s->incident), 0);
		bind_word(st[i], 2, who_words[w->kind]);
		bind_text(s, st[i], 3, name, 0);
	}
	n->num = find_or_insert(s, st[0], st[1], e);
	return (n->num < 0 ? -1 : 0);
}

int64_t
intern_who(struct store *s, const struct who *w, struct err *e)
{
	struct table_entry *n;
	struct memo	*m = NULL;
	struct span	 name;
	int64_t		 id;
	int		 has = stated(w), hit = 0;

	if (w->kind == WHO_CLIENT)
		m = memo_of(s->clients, w->name, 0, &hit);
	if (hit && (has & ~m->flags) == 0)
		return (m->id);
	start_key(s, NAME_OBSERVER);
	buf_chr(&s->key, w->kind);
	who_name(&s->key, w);
	n = lookup(s);
	name = span_make(n->key + 2, n->n - 2);
	if (n->num <= 0 && make_observer(s, w, name, n, e) != 0)
		return (-1);
	id = n->num;
	memo_keep(m, w->name, 0, id, n->flags | has);
	if ((has & ~n->flags) == 0)
		return (id);
	n->flags |= has;		/* n may move when others are interned */
	return (fill(s, id, w, e) != 0 ? -1 : id);
}
