/* rows.c - one observation, one row (a view: with its nodes and slots). */
#include "base/escape.h"
#include "model/slots.h"
#include "store/inside.h"

enum { DETAIL_MOST = 500, MESSAGE_MOST = 1000 };

void
bind_num(sqlite3_stmt *st, int i, int64_t v)
{
	if (v == OBS_NO_NUM)
		sqlite3_bind_null(st, i);
	else
		sqlite3_bind_int64(st, i, v);
}

void
bind_id(sqlite3_stmt *st, int i, int64_t id)
{
	bind_num(st, i, id > 0 ? id : OBS_NO_NUM);
}

void
bind_word(sqlite3_stmt *st, int i, const char *s)
{
	sqlite3_bind_text(st, i, s, -1, SQLITE_STATIC);
}

int
text_is_clean(struct span t)
{
	size_t	 i;

	for (i = 0; i < t.n; i++)
		if (t.p[i] <= 0)	/* NUL, or a byte above ASCII */
			return (escape_is_utf8(t));
	return (1);
}

struct span
text_cut(struct span t, size_t max)
{
	if (max > 0 && t.n > max)
		for (t.n = max; t.n > max - 4 && (t.p[t.n] & 0xc0) == 0x80; t.n--)
			;
	return (t);
}

void
bind_text(struct store *s, sqlite3_stmt *st, int i, struct span t, size_t max)
{
	if (t.p == NULL) {
		sqlite3_bind_null(st, i);
		return;
	}
	t = text_cut(t, max);
	if (text_is_clean(t)) {
		sqlite3_bind_text(st, i, t.p, (int)t.n, SQLITE_STATIC);
		return;
	}
	s->clean.n = 0;
	escape_utf8(&s->clean, t);
	sqlite3_bind_text(st, i, s->clean.n > 0 ? s->clean.p : "",
	    (int)s->clean.n, SQLITE_TRANSIENT);
}

/* Earliest and latest time, weakest basis, coarsest resolution of a source. */
static void
tally(struct part_tally *t, const struct obs *o)
{
	int64_t	 end = o->last_at != OBS_NO_TIME ? o->last_at : o->at;
	int64_t	 prec = o->precision_us > 0 ? o->precision_us : 1000;

	if (o->at == OBS_NO_TIME)
		return;
	if (t->first_at == OBS_NO_TIME || o->at < t->first_at)
		t->first_at = o->at;
	if (t->last_at == OBS_NO_TIME || end > t->last_at)
		t->last_at = end;
	if ((int)o->at_basis > t->basis)
		t->basis = (int)o->at_basis;
	if (prec > t->precision_us)	/* OBS_NO_NUM is the least number */
		t->precision_us = prec;
}

static int64_t
last_position(const struct obs *o)
{
	return (o->last_where.position > 0 ? o->last_where.position :
	    o->where.position);
}

static int64_t
last_at(const struct obs *o)
{
	return (o->last_at != OBS_NO_TIME ? o->last_at : o->at);
}

static int64_t
at_least(int64_t v, int64_t least)
{
	return (v > 0 ? v : least);
}

/* What the rows of spans begin with: source_id to samples. */
static void
row_span(struct row *row, int64_t src, const struct obs *o)
{
	row_num(row, 1, src);
	row_num(row, 2, o->where.position);
	row_num(row, 3, last_position(o));
	row_num(row, 4, o->at);
	row_num(row, 5, last_at(o));
	row_num(row, 6, at_least(o->samples, 1));
}

/* A number that is no slot is not stated. */
static int64_t
slot_num(int slot)
{
	return (slot >= 0 && slot < SLOTS_COUNT ? slot : OBS_NO_NUM);
}

/* 0 and OBS_NO_NUM both say that there is no connection. */
static int64_t
connection(const struct obs *o)
{
	return (o->connection != 0 ? o->connection : OBS_NO_NUM);
}

static const char *
role_word(enum node_role r)
{
	return (r == ROLE_MASTER ? "master" : r == ROLE_REPLICA ? "replica" :
	    NULL);
}

static int
put_view_node(struct store *s, int64_t view, int ordinal,
    const struct obs_view_node *n, struct err *e)
{
	int64_t		 node, ep, master;
	struct row	 row;

	if ((node = intern_node(s, n->id, e)) < 0 ||
	    (ep = intern_endpoint(s, n->ep, e)) < 0 ||
	    (master = intern_node(s, n->master, e)) < 0)
		return (-1);
	row_begin(s, &row, ST_VIEW_NODE, "view_node", 12);
	row_num(&row, 1, view);
	row_num(&row, 2, ordinal);
	row_id(&row, 3, node);
	row_id(&row, 4, ep);
	row_text(&row, 5, n->hostname, 0);
	row_num(&row, 6, n->bus_port);
	row_word(&row, 7, role_word(n->role));
	row_text(&row, 8, n->flags, 0);
	row_id(&row, 9, master);
	row_num(&row, 10, n->config_epoch);
	row_text(&row, 11, n->link_state, 0);
	row_num(&row, 12, n->myself != 0);
	return (row_end(s, &row, e));
}

static int
put_view_slots(struct store *s, int64_t view, const struct obs_view_slots *r,
    struct err *e)
{
	static const char *const words[] = { "owned", "migrating",
	    "importing" };
	int64_t			 peer = intern_node(s, r->peer, e);
	struct row		 row;

	if (peer < 0)
		return (-1);
	if (r->from < 0 || r->to < r->from || r->to >= SLOTS_COUNT)
		return (0);		/* as the table itself would ignore it */
	row_begin(s, &row, ST_VIEW_SLOTS, "view_slots", 6);
	row_num(&row, 1, view);
	row_num(&row, 2, r->from);
	row_num(&row, 3, r->to);
	row_word(&row, 4, words[r->state]);
	row_num(&row, 5, r->node);
	row_id(&row, 6, peer);
	return (row_end(s, &row, e));
}

static int
put_view(struct store *s, int64_t src, int64_t who, const struct obs *o,
    struct err *e)
{
	const struct obs_view	*v = &o->u.view;
	const struct who	*by = &v->asked_by;
	int64_t			 asker = 0, view;
	sqlite3_stmt		*st;
	size_t			 i;

	if (by->name.p != NULL && (asker = intern_who(s, by, e)) < 0)
		return (-1);
	if ((st = store_statement(s, ST_VIEW, e)) == NULL)
		return (-1);
	sqlite3_bind_int64(st, 1, src);
	sqlite3_bind_int64(st, 2, o->where.position);
	sqlite3_bind_int64(st, 3, last_position(o));
	bind_num(st, 4, o->at);
	bind_num(st, 5, last_at(o));
	sqlite3_bind_int64(st, 6, at_least(o->samples, 1));
	sqlite3_bind_int64(st, 7, o->max_gap_us);
	bind_num(st, 8, v->rtt_us);
	bind_word(st, 9, at_basis_word(o->at_basis));
	sqlite3_bind_int64(st, 10, at_least(o->precision_us, 1000));
	sqlite3_bind_int64(st, 11, who);
	bind_word(st, 12, view_kind_word(v->kind));
	bind_word(st, 13, v->form);
	sqlite3_bind_int(st, 14, v->complete != 0);
	sqlite3_bind_int(st, 15, v->partial != 0);
	bind_id(st, 16, asker);
	bind_num(st, 17, v->current_epoch);
	bind_word(st, 18, v->state < 0 ? NULL : v->state ? "ok" : "fail");
	bind_num(st, 19, connection(o));
	bind_num(st, 20, o->tcp_seq);
	if (store_step(s, st, "view", e) != 0)
		return (-1);
	view = sqlite3_last_insert_rowid(s->db);
	for (i = 0; i < v->nnodes; i++)
		if (put_view_node(s, view, (int)i, &v->nodes[i], e) != 0)
			return (-1);
	for (i = 0; i < v->nslots; i++)
		if (put_view_slots(s, view, &v->slots[i], e) != 0)
			return (-1);
	return (0);
}

static int
put_redirect(struct store *s, int64_t src, int64_t who, const struct obs *o,
    struct err *e)
{
	const struct obs_redirect	*r = &o->u.redirect;
	int64_t				 asked, target;
	struct row			 row;

	if ((asked = intern_endpoint(s, r->asked, e)) < 0 ||
	    (target = intern_endpoint(s, r->target, e)) < 0)
		return (-1);
	row_begin(s, &row, ST_REDIRECT, "redirect", 20);
	row_num(&row, 1, src);
	row_num(&row, 2, o->where.position);
	row_num(&row, 3, r->request_position);
	row_num(&row, 4, o->at);
	row_num(&row, 5, r->asked_at);
	row_num(&row, 6, at_least(o->precision_us, 1000));
	row_word(&row, 7, at_basis_word(o->at_basis));
	row_num(&row, 8, who);
	row_word(&row, 9, reply_code_word(r->code));
	row_id(&row, 10, asked);
	row_num(&row, 11, slot_num(r->slot));
	row_id(&row, 12, target);
	row_text(&row, 13, r->command, 64);
	row_text(&row, 14, r->context, 200);
	row_num(&row, 15, r->asking != 0);
	row_num(&row, 16, OBS_NO_NUM);
	row_num(&row, 17, OBS_NO_NUM);
	row_num(&row, 18, connection(o));
	row_num(&row, 19, o->tcp_seq);
	row_text(&row, 20, r->detail, DETAIL_MOST);
	return (row_end(s, &row, e));
}

/* A redirect that an error's own text names: its time is not known. */
static int
put_hop(struct store *s, int64_t src, int64_t who, const struct obs *o,
    int64_t error, size_t i, struct err *e)
{
	const struct obs_error	*x = &o->u.error;
	int64_t			 asked, target;
	struct row		 row;
	int			 k;

	if ((asked = intern_endpoint(s, x->hops[i].asked, e)) < 0 ||
	    (target = intern_endpoint(s, x->hops[i].target, e)) < 0)
		return (-1);
	row_begin(s, &row, ST_REDIRECT, "redirect", 20);
	row_num(&row, 1, src);
	row_num(&row, 2, o->where.position);
	for (k = 3; k <= 5; k++)
		row_num(&row, k, OBS_NO_NUM);
	row_num(&row, 6, at_least(o->precision_us, 1000));
	row_word(&row, 7, at_basis_word(AT_NONE));
	row_num(&row, 8, who);
	row_word(&row, 9, reply_code_word(x->kind == ERROR_ASK ? CODE_ASK :
	    CODE_MOVED));
	row_id(&row, 10, asked);
	row_num(&row, 11, slot_num(x->slot));
	row_id(&row, 12, target);
	row_num(&row, 13, OBS_NO_NUM);
	row_text(&row, 14, x->context, 200);
	row_num(&row, 15, 0);
	row_num(&row, 16, error);
	row_num(&row, 17, (int64_t)i);
	for (k = 18; k <= 20; k++)
		row_num(&row, k, OBS_NO_NUM);
	return (row_end(s, &row, e));
}

static int
put_contact(struct store *s, int64_t src, int64_t who, const struct obs *o,
    struct err *e)
{
	const struct obs_contact	*c = &o->u.contact;
	int64_t				 ep = intern_endpoint(s, c->ep, e);
	struct row			 row;

	if (ep < 0)
		return (-1);
	if (ep == 0)
		return (sink_problem(&s->sink, &o->where, "no-endpoint", e,
		    "an attempt (%s) that names no endpoint",
		    contact_outcome_word(c->outcome)));
	row_begin(s, &row, ST_CONTACT, "contact", 17);
	row_span(&row, src, o);
	row_num(&row, 7, o->max_gap_us);
	row_num(&row, 8, at_least(o->precision_us, 1000));
	row_word(&row, 9, at_basis_word(o->at_basis));
	row_num(&row, 10, who);
	row_num(&row, 11, ep);
	row_word(&row, 12, contact_outcome_word(c->outcome));
	row_num(&row, 13, c->retries);
	row_text(&row, 14, c->context, 200);
	row_num(&row, 15, connection(o));
	row_num(&row, 16, o->tcp_seq);
	row_text(&row, 17, c->detail, DETAIL_MOST);
	return (row_end(s, &row, e));
}

static void
row_error(struct row *row, const struct obs *o)
{
	const struct obs_error	*x = &o->u.error;
	struct span		 none = { "", 0 };

	row_num(row, 3, o->where.position);
	row_num(row, 4, last_position(o));
	row_num(row, 5, o->at);
	row_num(row, 6, x->started_at);
	row_num(row, 7, at_least(o->precision_us, 1000));
	row_word(row, 8, at_basis_word(o->at_basis));
	row_text(row, 10, o->observer.library, 0);
	row_word(row, 11, error_kind_word(x->kind));
	row_text(row, 12, x->error_class, 200);
	row_text(row, 13, x->message.p != NULL ? x->message : none, MESSAGE_MOST);
	row_num(row, 14, slot_num(x->slot));
	row_word(row, 15, slot_num(x->slot) == OBS_NO_NUM ? NULL : x->slot_from_key ? "key" : "stated");
	row_text(row, 18, x->last_code, 64);
	row_num(row, 19, x->attempts);
	row_num(row, 20, x->timer != 0);
	row_text(row, 21, x->context, 200);
	row_text(row, 22, x->rule, 0);
	row_num(row, 23, x->budget);
	row_num(row, 24, x->backoff_ms);
}

/* Its hops name it before it is inserted: the number that SQLite would give. */
static int64_t
next_error(struct store *s, struct err *e)
{
	if (s->last_error < 0)
		s->last_error = store_ask(s, "SELECT coalesce(max(client_error_id), 0)"
		    " FROM client_error", NULL, NULL, NULL, OBS_NO_NUM, e);
	return (s->last_error < 0 ? -1 : ++s->last_error);
}

static int
put_error(struct store *s, int64_t src, int64_t who, const struct obs *o,
    struct err *e)
{
	const struct obs_error	*x = &o->u.error;
	int64_t			 asked, target, error;
	struct row		 row;
	size_t			 i;

	if ((asked = intern_endpoint(s, x->asked, e)) < 0 ||
	    (target = intern_endpoint(s, x->target, e)) < 0 ||
	    (error = next_error(s, e)) < 0)
		return (-1);
	row_begin(s, &row, ST_ERROR, "client_error", 24);
	row_num(&row, 1, error);
	row_num(&row, 2, src);
	row_num(&row, 9, who);
	row_id(&row, 16, asked);
	row_id(&row, 17, target);
	row_error(&row, o);
	if (row_end(s, &row, e) != 0)
		return (-1);
	for (i = 0; i < x->nhops; i++)
		if (put_hop(s, src, who, o, error, i, e) != 0)
			return (-1);
	return (0);
}

static int
put_setting(struct store *s, int64_t src, int64_t who, const struct obs *o,
    struct err *e)
{
	sqlite3_stmt	*st = store_statement(s, ST_SETTING, e);

	if (st == NULL)
		return (-1);
	bind_text(s, st, 1, span_of(s->incident), 0);
	sqlite3_bind_int64(st, 2, src);
	sqlite3_bind_int64(st, 3, o->where.position);
	bind_num(st, 4, o->at);
	bind_id(st, 5, o->u.setting.of_observer ? who : 0);
	bind_text(s, st, 6, o->u.setting.name, 200);
	bind_text(s, st, 7, o->u.setting.value, DETAIL_MOST);
	return (store_step(s, st, "setting", e));
}

static int
put_server(struct store *s, int64_t src, int64_t who, const struct obs *o,
    struct err *e)
{
	const struct obs_server	*v = &o->u.server;
	int64_t			 subject, ep, other;
	struct row		 row;

	if ((subject = intern_node(s, v->subject, e)) < 0 ||
	    (ep = intern_endpoint(s, v->subject_ep, e)) < 0 ||
	    (other = intern_node(s, v->other, e)) < 0)
		return (-1);
	row_begin(s, &row, ST_SERVER, "server_event", 18);
	row_span(&row, src, o);
	row_num(&row, 7, at_least(o->precision_us, 1000));
	row_word(&row, 8, at_basis_word(o->at_basis));
	row_num(&row, 9, who);
	row_text(&row, 10, span_of(v->kind), 0);	/* a rule's, perhaps */
	row_text(&row, 11, span_of(v->event), 0);
	row_word(&row, 12, role_word(v->role));
	row_id(&row, 13, subject);
	row_id(&row, 14, ep);
	row_id(&row, 15, other);
	row_num(&row, 16, v->epoch);
	row_text(&row, 17, v->slots, 0);
	row_text(&row, 18, v->detail, DETAIL_MOST);
	return (row_end(s, &row, e));
}

static int
put_command(struct store *s, int64_t src, int64_t who, const struct obs *o,
    struct err *e)
{
	const struct obs_command	*c = &o->u.command;
	int64_t				 ep = intern_endpoint(s, c->ep, e);
	sqlite3_stmt			*st;

	if (ep < 0)
		return (-1);
	if (ep == 0 || o->at == OBS_NO_TIME)
		return (sink_problem(&s->sink, &o->where, "no-endpoint", e,
		    "a command count without endpoint or time"));
	if ((st = store_statement(s, ST_COMMAND, e)) == NULL)
		return (-1);
	sqlite3_bind_int64(st, 1, src);
	sqlite3_bind_int64(st, 2, o->at);
	sqlite3_bind_int64(st, 3, ep);
	sqlite3_bind_int64(st, 4, who);
	bind_text(s, st, 5, c->command, 64);
	sqlite3_bind_int64(st, 6, c->requests);
	sqlite3_bind_int64(st, 7, c->connections);
	return (store_step(s, st, "command_rate", e));
}

int
rows_obs(struct sink *sink, const struct obs *o, struct err *e)
{
	static int (*const put[OBS_NKINDS])(struct store *, int64_t, int64_t,
	    const struct obs *, struct err *) = {
		[OBS_VIEW] = put_view, [OBS_REDIRECT] = put_redirect,
		[OBS_CONTACT] = put_contact, [OBS_ERROR] = put_error,
		[OBS_SETTING] = put_setting, [OBS_SERVER] = put_server,
		[OBS_COMMAND] = put_command
	};
	struct store	*s = (struct store *)sink;
	int64_t		 who;

	if (o->where.part < 0 || o->where.part >= s->nparts)
		return (err_set(e, "an observation outside the open source"));
	tally(&s->part[o->where.part], o);
	if ((who = intern_who(s, &o->observer, e)) < 0)
		return (-1);
	return (put[o->kind](s, s->part[o->where.part].source_id, who, o, e));
}

int
rows_end(struct sink *sink, struct err *e)
{
	return (batch_flush((struct store *)sink, e));
}
