#include "world.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "store/script.h"

enum { ID_PRIME = 99999989 };	/* above every row number */

unsigned
random_below(unsigned long *state, unsigned n)
{
	*state = (*state * 6364136223846793005UL + 1442695040888963407UL) &
	    0xffffffffffffffffUL;
	return ((unsigned)(*state >> 33) % n);
}

void
world_init(struct world *w, int64_t base, int64_t salt)
{
	*w = (struct world){ .base = base, .salt = salt };
}

void
world_free(struct world *w)
{
	size_t	 i;

	for (i = 0; i < w->n; i++)
		sqlite3_free(w->rows[i].sql);
	free(w->rows);
}

static void
row(struct world *w, const char *fmt, ...)
{
	va_list	 ap;

	if (w->n == w->cap) {
		w->cap = w->cap * 2 + 64;
		w->rows = mem_grow(w->rows, w->cap, sizeof *w->rows);
	}
	va_start(ap, fmt);
	w->rows[w->n].sql = sqlite3_vmprintf(fmt, ap);
	va_end(ap);
	w->rows[w->n++].group = w->group;
}

/* Row numbers become ids in an order that the salt mixes. */
static int64_t
id(const struct world *w, int64_t number)
{
	return (number * w->salt % ID_PRIME);
}

/* Nodes, endpoints, observers and sources are numbered by incident. */
static int64_t
node(const struct world *w, int k)
{
	return (id(w, w->incident * 20 + k));
}

static int64_t
client(const struct world *w, int c)
{
	return (id(w, w->incident * 20 + NODES + c));
}

enum { LOG, DUMPS, WIRE };

static int64_t
source(const struct world *w, int which)
{
	return (id(w, w->incident * 20 + which));
}

void
world_incident(struct world *w, const char *name, const int epoch[NODES])
{
	static const int hosts[CLIENTS] = { 0, 0, 2, 3 };
	int		 i;

	w->incident++;
	w->group = 0;
	for (i = 0; i < NODES; i++)
		w->epoch[i] = epoch[i];
	for (i = LOG; i <= DUMPS; i++)
		row(w, "INSERT INTO source(source_id,incident,name,kind,status,"
		    "bytes,first_at,last_at) VALUES(%lld,'%q','%q.%s','%s',"
		    "'read',999999,%lld,%lld)", source(w, i), name, name,
		    i == LOG ? "log" : "nodes", i == LOG ? "client-log" :
		    "topology-dump", w->base - 7200 * (int64_t)SECOND,
		    w->base + 60 * SECOND);
	for (i = 0; i < NODES; i++) {
		row(w, "INSERT INTO node VALUES(%lld,'%q','%040d')", node(w, i),
		    name, i + 1);
		row(w, "INSERT INTO endpoint VALUES(%lld,'%q','10.0.0.%d',6379)",
		    node(w, i), name, i + 1);
		row(w, "INSERT INTO observer(observer_id,incident,kind,name,"
		    "node_id,endpoint_id) VALUES(%lld,'%q','node','%040d',%lld,"
		    "%lld)", node(w, i), name, i + 1, node(w, i), node(w, i));
	}
	for (i = 0; i < CLIENTS; i++)
		row(w, "INSERT INTO observer(observer_id,incident,kind,name,host)"
		    " VALUES(%lld,'%q','client','client%d','h%d')",
		    client(w, i), name, i, hosts[i]);
	row(w, "INSERT INTO observer(observer_id,incident,kind,name)"
	    " VALUES(%lld,'%q','sampler','sampler')", client(w, SAMPLER), name);
}

static int64_t
view(struct world *w, int who, const char *kind, const char *form, int complete,
    const char *state, int64_t from, int64_t to)
{
	int64_t	 v = id(w, ++w->next), position = w->next;

	row(w, "INSERT INTO view(view_id,source_id,position,last_position,"
	    "first_at,last_at,samples,max_gap_us,rtt_us,observer_id,kind,form,"
	    "complete,state) VALUES(%lld,%lld,%lld,%lld,%lld,%lld,9,50000,0,"
	    "%lld,'%s',%Q,%d,%Q)", v, source(w, DUMPS), position, position,
	    w->base + from, w->base + to, node(w, who), kind, form, complete,
	    state);
	return (v);
}

static void
view_node(struct world *w, int64_t v, int k, int myself, const char *flags)
{
	row(w, "INSERT INTO view_node(view_id,ordinal,node_id,endpoint_id,role,"
	    "flags,config_epoch,myself) VALUES(%lld,%d,%lld,%lld,'master',%Q,"
	    "%d,%d)", v, k, node(w, k), node(w, k), flags, w->epoch[k], myself);
}

static void
view_slots(struct world *w, int64_t v, int from, int to, int k)
{
	row(w, "INSERT INTO view_slots VALUES(%lld,%d,%d,'owned',%d,NULL)", v,
	    from, to, k);
}

void
world_dump_flags(struct world *w, int who, int owner, int64_t from, int64_t to,
    int flagged, const char *flags)
{
	int64_t	 v = view(w, who, "dump", "nodes", 1, NULL, from, to);
	int	 k;

	for (k = 0; k < NODES; k++)
		view_node(w, v, k, k == who, k == flagged ||
		    (flagged == ALL_OTHERS && k != who) ? flags : NULL);
	for (k = 0; k < w->pieces; k++)
		view_slots(w, v, k, k, k % 2 ? NODES - 2 : owner);
	if (owner != NOBODY)
		view_slots(w, v, w->pieces, 8191, owner);
	view_slots(w, v, 8192, 16383, NODES - 1);
}

void
world_dump(struct world *w, int who, int owner, int64_t from, int64_t to)
{
	world_dump_flags(w, who, owner, from, to, NOBODY, NULL);
}

void
world_slow(struct world *w, int who, int64_t from, int64_t rtt)
{
	row(w, "UPDATE view SET rtt_us = %lld WHERE observer_id = %lld AND"
	    " first_at = %lld", rtt, node(w, who), w->base + from);
}

void
world_unnamed(struct world *w, int owner, int64_t at)
{
	int64_t	 r = id(w, ++w->next);

	row(w, "INSERT INTO observer(observer_id,incident,kind,name) SELECT"
	    " %lld,incident,'node','unnamed-%lld' FROM node WHERE node_id=%lld", r,
	    (long long)w->next, node(w, owner));
	world_dump(w, owner, owner, at, at);
	row(w, "UPDATE view SET observer_id = %lld WHERE observer_id = %lld"
	    " AND first_at = %lld", r, node(w, owner), w->base + at);
	row(w, "UPDATE view_node SET myself = 0 WHERE view_id IN (SELECT view_id"
	    " FROM view WHERE observer_id = %lld)", r);
}

void
world_span(struct world *w, int who, int owner, int64_t from, int64_t to,
    int64_t gap)
{
	world_dump(w, who, owner, from, to);
	row(w, "UPDATE view SET max_gap_us = %lld WHERE observer_id = %lld"
	    " AND first_at = %lld", gap, node(w, who), w->base + from);
}

void
world_bus(struct world *w, int who, int64_t from, int64_t to, const char *state)
{
	int64_t	 v = view(w, who, "bus", NULL, 0, state, from, to);

	view_node(w, v, who, 1, NULL);
	view_slots(w, v, 0, 8191, who);
}

void
world_follows(struct world *w, int who, int replica, int master)
{
	int64_t	 v = view(w, who, "gossip", NULL, 0, NULL, SECOND, SECOND);

	row(w, "INSERT INTO view_node(view_id,ordinal,node_id,endpoint_id,role,"
	    "master_id,myself) VALUES(%lld,0,%lld,%lld,'replica',%lld,0)", v,
	    node(w, replica), node(w, replica), node(w, master));
}

void
world_served(struct world *w, int who, int64_t from, int64_t to)
{
	int64_t	 v = view(w, who, "served", NULL, 0, NULL, from, to);

	view_node(w, v, who, 1, NULL);
	view_slots(w, v, SLOT, SLOT, who);
}

/* A node's endpoint has the node's id. */
static void
endpoint_or_null(const struct world *w, int k, char text[24])
{
	snprintf(text, 24, k == UNSTATED ? "NULL" : "%lld",
	    k == UNSTATED ? 0LL : (long long)node(w, k));
}

void
world_moved(struct world *w, int c, int asked, int target, int64_t at)
{
	int64_t	 r = id(w, ++w->next), position = w->next;
	char	 a[24], t[24];

	endpoint_or_null(w, asked, a);
	endpoint_or_null(w, target, t);
	row(w, "INSERT INTO redirect(redirect_id,source_id,position,at,"
	    "observer_id,code,asked_id,slot,target_id) VALUES(%lld,%lld,%lld,"
	    "%lld,%lld,'MOVED',%s,%d,%s)", r, source(w, LOG), position,
	    w->base + at, client(w, c), a, SLOT, t);
}

void
world_capture(struct world *w, const char *incident)
{
	row(w, "INSERT INTO source(source_id,incident,name,kind,status,bytes,"
	    "first_at,last_at) VALUES(%lld,'%q','%q.pcap','capture','read',"
	    "999999,%lld,%lld)", source(w, WIRE), incident, incident, w->base -
	    600 * (int64_t)SECOND, w->base + 600 * (int64_t)SECOND);
}

static void
on_wire(struct world *w, const char *code, int asking, int c, int asked,
    int target, int64_t at)
{
	int64_t	 r = id(w, ++w->next), position = w->next;

	row(w, "INSERT INTO redirect(redirect_id,source_id,position,at,"
	    "observer_id,code,asked_id,slot,target_id,asking) VALUES(%lld,%lld,"
	    "%lld,%lld,%lld,'%s',%lld,%d,%lld,%d)", r, source(w, WIRE), position,
	    w->base + at, client(w, c), code, node(w, asked), SLOT,
	    node(w, target), asking);
}

void
world_on_wire(struct world *w, int c, int asked, int target, int64_t at)
{
	on_wire(w, "MOVED", 0, c, asked, target, at);
}

void
world_ask(struct world *w, int c, int asked, int target, int64_t at)
{
	on_wire(w, "ASK", 0, c, asked, target, at);
}

void
world_sent_back(struct world *w, int c, int asked, int target, int64_t at)
{
	on_wire(w, "MOVED", 1, c, asked, target, at);
}

void
world_mark(struct world *w, int who, int64_t from, const char *state, int peer)
{
	row(w, "INSERT INTO view_slots SELECT view_id,%d,%d,'%s',%d,%lld FROM"
	    " view WHERE observer_id=%lld AND first_at=%lld", SLOT, SLOT, state,
	    who, node(w, peer), node(w, who), w->base + from);
}

void
world_moved_to(struct world *w, int c, int asked, const char *host, int port,
    int64_t at)
{
	int64_t	 r = id(w, ++w->next), position = w->next;

	row(w, "INSERT INTO endpoint SELECT %lld,incident,'%q',%d FROM endpoint"
	    " WHERE endpoint_id=%lld", r, host, port, node(w, asked));
	row(w, "INSERT INTO redirect(redirect_id,source_id,position,at,"
	    "observer_id,code,asked_id,slot,target_id) VALUES(%lld,%lld,%lld,"
	    "%lld,%lld,'MOVED',%lld,%d,%lld)", r, source(w, LOG), position,
	    w->base + at, client(w, c), node(w, asked), SLOT, r);
}

void
world_address(struct world *w, int k, int address_of, int64_t at)
{
	int64_t	 r = id(w, ++w->next), position = w->next;

	row(w, "INSERT INTO server_event(server_event_id,source_id,position,"
	    "last_position,at,observer_id,kind,event,subject_id,"
	    "subject_endpoint_id) VALUES(%lld,%lld,%lld,%lld,%lld,%lld,"
	    "'server','address-changed',%lld,%lld)", r, source(w, DUMPS),
	    position, position, w->base + at, node(w, NODES - 1), node(w, k),
	    node(w, address_of));
}

void
world_contact_span(struct world *w, int c, int k, const char *outcome,
    int64_t from, int64_t to, int64_t gap)
{
	int64_t	 r = id(w, ++w->next), position = w->next;

	row(w, "INSERT INTO contact(contact_id,source_id,position,last_position,"
	    "first_at,last_at,samples,max_gap_us,observer_id,endpoint_id,outcome)"
	    " VALUES(%lld,%lld,%lld,%lld,%lld,%lld,%d,%lld,%lld,%lld,'%s')", r,
	    source(w, c == SAMPLER ? DUMPS : LOG), position, position,
	    w->base + from, w->base + to, gap > 0 ? 9 : 1, gap, client(w, c),
	    node(w, k), outcome);
}

void
world_contact(struct world *w, int c, int k, const char *outcome, int64_t from,
    int64_t to)
{
	world_contact_span(w, c, k, outcome, from, to, 0);
}

void
world_error(struct world *w, int64_t at, const char *code, int timer)
{
	int64_t	 r = id(w, ++w->next), position = w->next;

	row(w, "INSERT INTO client_error(client_error_id,source_id,position,"
	    "last_position,at,observer_id,kind,message,slot,slot_basis,"
	    "last_code,timer) VALUES(%lld,%lld,%lld,%lld,%lld,%lld,"
	    "'failover-error','x',%d,'stated',%Q,%d)", r, source(w, LOG),
	    position, position, w->base + at, client(w, 0), SLOT, code, timer);
}

void
world_slotless(struct world *w, int64_t at, int timer)
{
	world_error(w, at, NULL, timer);
	row(w, "UPDATE client_error SET slot=NULL,slot_basis=NULL WHERE"
	    " source_id=%lld AND at=%lld", source(w, LOG), w->base + at);
}

void
world_event(struct world *w, int who, const char *kind, const char *event,
    int64_t at)
{
	int64_t	 r = id(w, ++w->next), position = w->next;

	row(w, "INSERT INTO server_event(server_event_id,source_id,position,"
	    "last_position,at,observer_id,kind,event) VALUES(%lld,%lld,%lld,"
	    "%lld,%lld,%lld,'%s','%s')", r, source(w, DUMPS), position, position,
	    w->base + at, node(w, who), kind, event);
}

void
world_setting(struct world *w, const char *incident, const char *name, const char *value)
{
	row(w, "INSERT INTO setting(setting_id,incident,source_id,position,name,"
	    "value,basis) VALUES(%lld,'%q',%lld,1,'%q','%q','seen')",
	    id(w, ++w->next), incident, source(w, LOG), name, value);
}

static void
shuffle(struct row *rows, size_t n, unsigned long seed)
{
	struct row	 t;
	size_t		 i, j;

	for (i = n; i > 1; i--) {
		j = random_below(&seed, (unsigned)i);
		t = rows[i - 1];
		rows[i - 1] = rows[j];
		rows[j] = t;
	}
}

static void
run(sqlite3 *db, const char *sql)
{
	char	*why = NULL;

	ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, &why) == SQLITE_OK,
	    "%s: %s", why, sql);
}

sqlite3 *
world_load(const struct world *w, unsigned long seed, world_skip *skip,
    void *arg)
{
	struct row	*rows = mem_zero(w->n + 1, sizeof *rows);
	struct err	 e = ERR_INIT;
	sqlite3		*db;
	size_t		 i;

	for (i = 0; i < w->n; i++)
		rows[i] = w->rows[i];
	if (seed != 0)
		shuffle(rows, w->n, seed);
	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_int_eq(script_run(db, script_find("sql/schema.sql"), NULL,
	    NULL, &e), 0);
	ck_assert_int_eq(script_run(db, script_find("sql/schema-2.sql"), NULL,
	    NULL, &e), 0);
	run(db, "BEGIN");
	for (i = 0; i < w->n; i++)
		if (skip == NULL || rows[i].group == 0 ||
		    !skip(arg, rows[i].group))
			run(db, rows[i].sql);
	run(db, "COMMIT");
	free(rows);
	return (db);
}

sqlite3 *
world_analyse(const struct world *w, unsigned long seed, world_skip *skip,
    void *arg)
{
	sqlite3		*db = world_load(w, seed, skip, arg);
	struct err	 e = ERR_INIT;
	char		 why[600] = "";

	if (script_analyze(db, &e) != 0)
		err_text(&e, why, sizeof why);
	ck_assert_str_eq(why, "");
	return (db);
}

char *
world_query(sqlite3 *db, const char *sql)
{
	struct buf	 b = { 0 };
	sqlite3_stmt	*st;
	const char	*v;
	int		 i;

	ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK,
	    "%s", sqlite3_errmsg(db));
	buf_cstr(&b);
	while (sqlite3_step(st) == SQLITE_ROW) {
		for (i = 0; i < sqlite3_column_count(st); i++) {
			v = (const char *)sqlite3_column_text(st, i);
			buf_fmt(&b, "%s%s", i > 0 ? "|" : "", v ? v : "-");
		}
		buf_chr(&b, '\n');
	}
	buf_cstr(&b);
	sqlite3_finalize(st);
	return (b.p);
}
