#include "format/client-event.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "format/client-match.h"
#include "format/client-name.h"
#include "format/client-text.h"
#include "format/client-topology.h"
#include "model/endpoint.h"
#include "model/slots.h"
#include "text/rule.h"

enum {
	MATCHES_MAX = 128,
	HOPS_MAX = 64,
	RECENT = 32,			/* errors remembered to find one told twice */
	CHOICES = 64,			/* threads whose choice of a node is remembered */
	HOST_BYTES = 256,		/* a host has 255 at most, else it is no endpoint */
	MESSAGE_BYTES = 1000,
	DETAIL_BYTES = 200
};
#define TWICE_US	INT64_C(1000000)
#define NEAR_REDIRECT_US	INT64_C(1000000)
#define CHOICE_US	INT64_C(120000000)	/* no attempt takes longer */

/* An error already given: enough to know it again when another logger of the
 * same request tells it a second time. */
struct told {
	int64_t	 at;
	size_t	 message, logger, context;	/* hashes */
	int	 slot;
};

/* The node that a thread or request said it would ask. */
struct choice {
	size_t		 context;	/* hash */
	int64_t		 at;
	struct endpoint	 ep;		/* its host is below; host.p NULL: none */
	char		 host[HOST_BYTES];
};

struct client_events {
	const struct decode_ctx	*ctx;
	struct sink		*sink;
	struct buf		 stem, name, message, detail;
	char			*library;	/* last one that a rule named */
	char			*first_party;	/* host and app of the first record */
	struct told		 told[RECENT];
	size_t			 ntold;
	struct choice		 choice[CHOICES];
	size_t			 nchoices;
	struct client_topology	*topology;
	struct rule_match	 match[MATCHES_MAX];
	size_t			 n;
	struct obs_hop		 hop[HOPS_MAX];
	const char		*limited;
	int			 many_hops;	/* a message named more than HOPS_MAX */
};

struct client_events *
client_events_open(const char *source, const struct decode_ctx *ctx, struct sink *sink)
{
	struct client_events	*c = mem_zero(1, sizeof *c);

	c->ctx = ctx;
	c->sink = sink;
	if (ctx->observer != NULL)
		buf_str(&c->stem, ctx->observer);
	else
		client_name(source, &c->stem);
	c->topology = client_topology_open(ctx, sink);
	return (c);
}

void
client_events_close(struct client_events *c)
{
	if (c == NULL)
		return;
	client_topology_close(c->topology);
	buf_free(&c->stem);
	buf_free(&c->name);
	buf_free(&c->message);
	buf_free(&c->detail);
	free(c->library);
	free(c->first_party);
	free(c);
}

static size_t
hash(struct span s)
{
	size_t	 h = 1469598103u, i;

	for (i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 16777619u;
	return (h);
}

/* --- who ----------------------------------------------------------------- */

/*
 * A wrapper that names host and program holds several clients: they become
 * part of the name.  Fields of the record itself do so only where they differ
 * from those of the first record.
 */
static void
set_observer(struct client_events *c, const struct record *r, struct who *w)
{
	struct buf	 party = { NULL, 0, 0 };
	int		 named;

	if (r->app.p != NULL)
		buf_add(&party, r->app.p, r->app.n);
	if (r->host.p != NULL) {
		buf_chr(&party, '@');
		buf_add(&party, r->host.p, r->host.n);
	}
	named = r->wrapped && party.n > 0;
	if (!r->wrapped && party.n > 0) {
		if (c->first_party == NULL)
			c->first_party = mem_str(buf_cstr(&party));
		named = strcmp(c->first_party, buf_cstr(&party)) != 0;
	}
	c->name.n = 0;
	buf_add(&c->name, c->stem.p, c->stem.n);
	if (named) {
		buf_chr(&c->name, ':');
		buf_add(&c->name, party.p, party.n);
	}
	buf_free(&party);
	w->kind = WHO_CLIENT;
	w->name = span_make(c->name.p, c->name.n);
	w->host = r->host;
	w->library = span_of(c->library);
}

static void
note_library(struct client_events *c, const struct rule *rule)
{
	if (strcmp(rule->client, "any") == 0 ||
	    (c->library != NULL && strcmp(c->library, rule->client) == 0))
		return;
	free(c->library);
	c->library = mem_str(rule->client);
}

static void
start(struct client_events *c, const struct record *r, const struct rule_match *m,
    struct obs *o, enum obs_kind kind)
{
	record_obs(r, kind, o);
	note_library(c, m->rule);
	set_observer(c, r, &o->observer);
}

static struct span
context(const struct record *r)
{
	return (r->request.p != NULL ? r->request : r->thread);
}

/* --- observations ---------------------------------------------------------- */

static int
give_redirect(struct client_events *c, const struct record *r, const struct rule_match *m,
    struct err *e)
{
	struct obs	 o;

	start(c, r, m, &o, OBS_REDIRECT);
	if (o.at_basis == AT_NEIGHBOUR && o.precision_us > NEAR_REDIRECT_US) {
		o.at = OBS_NO_TIME;	/* it is a view of that very instant, or none */
		o.at_basis = AT_NONE;
	}
	o.u.redirect.code = m->rule->code;
	o.u.redirect.slot = m->slot;
	if (m->rule->code == CODE_MOVED || m->rule->code == CODE_ASK) {
		o.u.redirect.target = m->ep;
		o.u.redirect.asked = m->node;
	} else {
		o.u.redirect.asked = m->ep.host.p != NULL ? m->ep : m->node;
	}
	o.u.redirect.command = m->command;
	o.u.redirect.context = context(r);
	return (c->sink->obs(c->sink, &o, e));
}

/* --- the node that was to be asked ----------------------------------------- */

static struct choice *
choice_of(struct client_events *c, size_t context)
{
	size_t	 i;

	for (i = 0; i < CHOICES && i < c->nchoices; i++)
		if (c->choice[i].context == context)
			return (&c->choice[i]);
	return (NULL);
}

/* Without a thread or request another one's choice may have come between. */
static void
choose(struct client_events *c, const struct record *r, const struct rule_match *m)
{
	size_t		 context_hash = hash(context(r));
	struct choice	*x;

	if (context(r).p == NULL || m->ep.host.n > HOST_BYTES)
		return;
	x = choice_of(c, context_hash);
	if (x == NULL)
		x = &c->choice[c->nchoices++ % CHOICES];
	x->context = context_hash;
	x->at = r->at;
	x->ep = m->ep;
	memcpy(x->host, m->ep.host.p, m->ep.host.n);
	x->ep.host.p = x->host;
}

/* Whom an attempt without a name was made at, and since when. */
static const struct choice *
chosen(struct client_events *c, const struct record *r)
{
	const struct choice	*x = context(r).p != NULL ? choice_of(c, hash(context(r))) : NULL;

	if (x == NULL || x->at == OBS_NO_TIME || r->at < x->at || r->at - x->at > CHOICE_US)
		return (NULL);
	return (x);
}

/* Choices are noted and taken out, and so is topology: *views tells whether
 * there was any.  An attempt in the same record is at the node chosen in it. */
static void
take_choices(struct client_events *c, const struct record *r, int *views)
{
	struct endpoint	 here = endpoint_none();
	size_t		 i, n = 0;

	*views = 0;
	for (i = 0; i < c->n; i++) {
		if (c->match[i].rule->class == RULE_CHOSEN) {
			here = c->match[i].ep;
			choose(c, r, &c->match[i]);
		} else if (c->match[i].rule->class == RULE_VIEW)
			*views = 1;
		else
			c->match[n++] = c->match[i];
	}
	c->n = n;
	for (i = 0; i < n; i++)
		if (c->match[i].rule->class == RULE_CONTACT && c->match[i].ep.host.p == NULL)
			c->match[i].ep = here;
}

/* Whoever the record says was asked for its topology. */
static int
give_views(struct client_events *c, const struct record *r, struct err *e)
{
	struct endpoint	 asked = endpoint_none();
	struct who	 who;
	size_t		 i;

	memset(&who, 0, sizeof who);
	for (i = 0; i < c->n; i++) {
		if (c->match[i].rule->class != RULE_REFRESH)
			continue;
		note_library(c, c->match[i].rule);
		if (asked.host.p == NULL)
			asked = c->match[i].ep;
	}
	set_observer(c, r, &who);
	return (client_topology_take(c->topology, r, &who, &asked, e));
}

/* The node may stand in members of its own: "addr", or "address" and "port". */
static struct endpoint
peer(const struct record *r)
{
	struct endpoint	 ep;

	if (r->peer.p == NULL || (endpoint_parse(r->peer, &ep) != 0 &&
	    (r->port.p == NULL || endpoint_pair(r->peer, r->port, &ep) != 0)))
		return (endpoint_none());
	return (ep);
}

/* An attempt at a node that the text does not name is no contact: it proves
 * nothing about anybody, but it did happen. */
static int
give_unnamed(struct client_events *c, const struct record *r, const struct rule_match *m,
    struct err *e)
{
	struct obs	 o;

	start(c, r, m, &o, OBS_SERVER);
	o.u.server.kind = o.u.server.event = m->rule->kind;
	o.u.server.detail = client_text(&c->detail, r->text, m->all.p, m->key,
	    c->ctx->keep_keys, DETAIL_BYTES);
	if (m->duration_us != OBS_NO_NUM && o.at != OBS_NO_TIME) {
		o.last_at = o.at;
		o.at -= m->duration_us;
	}
	return (c->sink->obs(c->sink, &o, e));
}

static int
give_contact(struct client_events *c, const struct record *r, const struct rule_match *m,
    struct err *e)
{
	struct endpoint		 ep = m->ep.host.p != NULL ? m->ep : peer(r);
	const struct choice	*x = ep.host.p == NULL ? chosen(c, r) : NULL;
	struct obs		 o;

	if (x != NULL)
		ep = x->ep;
	if (ep.host.p == NULL)
		return (give_unnamed(c, r, m, e));
	start(c, r, m, &o, OBS_CONTACT);
	o.u.contact.ep = ep;
	o.u.contact.outcome = m->rule->outcome;
	o.u.contact.context = context(r);
	o.u.contact.detail = client_text(&c->detail, r->text, m->all.p, m->key,
	    c->ctx->keep_keys, DETAIL_BYTES);
	if (m->duration_us != OBS_NO_NUM && o.at != OBS_NO_TIME) {
		o.last_at = o.at;	/* logged when it ended */
		o.at -= m->duration_us;
	} else if (x != NULL) {
		o.last_at = o.at;
		o.at = x->at;
	}
	return (c->sink->obs(c->sink, &o, e));
}

static int
give_refresh(struct client_events *c, const struct record *r, const struct rule_match *m,
    struct err *e)
{
	struct obs	 o;
	char		 slot[16];

	start(c, r, m, &o, OBS_SERVER);
	if (m->slot != OBS_NO_SLOT) {
		snprintf(slot, sizeof slot, "%d", m->slot);
		o.u.server.slots = span_of(slot);
	}
	o.u.server.kind = o.u.server.event = m->rule->class == RULE_REFRESH ?
	    "topology-refresh" : "topology-refresh-failed";
	o.u.server.subject_ep = m->ep.host.p != NULL ? m->ep : peer(r);
	o.u.server.detail = client_text(&c->detail, r->text, m->all.p, m->key,
	    c->ctx->keep_keys, DETAIL_BYTES);
	return (c->sink->obs(c->sink, &o, e));
}

/* The number before " redirects)", OBS_NO_NUM. */
static int64_t
stated_redirects(struct span line)
{
	const char	*p = line.n > 0 ? memmem(line.p, line.n, " redirects", 10) : NULL, *q;
	int64_t		 v = 0;

	if (p == NULL)
		return (OBS_NO_NUM);
	for (q = p; q > line.p && q[-1] >= '0' && q[-1] <= '9'; q--)
		;
	if (q == p || p - q > 6)
		return (OBS_NO_NUM);
	for (; q < p; q++)
		v = v * 10 + (*q - '0');
	return (v);
}

/*
 * "a -> b -> c (3 redirects)": the nodes asked, one after the other.  Each
 * arrow is a redirect only when there are as many as redirects (less the last,
 * which is the one that closed the circle); more arrows mean that some step
 * was the client's own choice after a failure, and nobody's word.
 */
static size_t
read_chain(struct client_events *c, struct span line, struct obs_error *err)
{
	struct endpoint	 ep, before = endpoint_none();
	const char	*p = line.p, *end = line.p + line.n, *q, *w;
	size_t		 n = 0, arrows = 0;
	int		 last = 0;

	while (!last && p < end && n < HOPS_MAX) {
		q = memmem(p, (size_t)(end - p), " -> ", 4);
		last = q == NULL;
		if (last && before.host.p == NULL)
			return (0);
		if (last) {
			for (q = p; q < end && *q != ' ' && *q != ','; q++)
				;
		}
		for (w = q; w > p && w[-1] != ' '; w--)
			;
		if (endpoint_parse(span_make(w, (size_t)(q - w)), &ep) != 0)
			return (0);
		if (before.host.p != NULL) {
			c->hop[n].asked = before;
			c->hop[n++].target = ep;
			arrows++;
		}
		before = ep;
		p = last ? end : q + 4;
	}
	if (p < end) {			/* its end would not be the chain's */
		c->many_hops = 1;
		return (0);
	}
	err->attempts = stated_redirects(line);
	err->asked = before;
	if (err->attempts != OBS_NO_NUM && (int64_t)arrows != err->attempts &&
	    (int64_t)arrows != err->attempts - 1)
		return (0);
	return (n);
}

/* The last error named, as a word: a reply's code, or how a contact ended. */
static struct span
last_code(const struct client_events *c, const struct rule_match *m)
{
	size_t	 i;

	if (m->rule->class == RULE_REDIRECT)
		return (span_of(reply_code_word(m->rule->code)));
	if (m->code.p != NULL)
		return (m->code.n > 10 && m->code.p[0] == 'C' && m->code.p[10] == ' ' ?
		    span_of("closed") : m->code);
	for (i = 0; i < c->n; i++) {
		if (c->match[i].rule->class == RULE_REDIRECT)
			return (span_of(reply_code_word(c->match[i].rule->code)));
		if (c->match[i].rule->class == RULE_CONTACT)
			return (span_of(contact_outcome_word(c->match[i].rule->outcome)));
	}
	return (span_make(NULL, 0));
}

/* What the causes below the error name: slot, target, the node asked last. */
static void
add_causes(const struct client_events *c, struct rule_match *m)
{
	const struct rule_match	*x;
	size_t			 i;

	for (i = 0; i < c->n; i++) {
		x = &c->match[i];
		if (x->all.p == m->all.p)
			continue;
		if (x->rule->class == RULE_REDIRECT && m->ep.host.p == NULL) {
			client_match_fill(m, x);
		} else if (x->rule->class == RULE_CONTACT && m->node.host.p == NULL) {
			m->node = x->ep;
		}
	}
}

static int
told_before(struct client_events *c, const struct record *r, const struct obs_error *err,
    int64_t at)
{
	struct told	 t = { at, hash(err->message), hash(r->logger), hash(context(r)),
	    err->slot }, *o;
	size_t		 i;

	if (at == OBS_NO_TIME || r->logger.p == NULL || context(r).p == NULL)
		return (0);
	for (i = 0; i < RECENT && i < c->ntold; i++) {
		o = &c->told[i];
		if (o->message == t.message && o->context == t.context && o->slot == t.slot &&
		    o->logger != t.logger && t.at - o->at <= TWICE_US && t.at >= o->at)
			return (1);
	}
	c->told[c->ntold++ % RECENT] = t;
	return (0);
}

static void
set_slot(struct client_events *c, const struct record *r, struct rule_match *m,
    struct obs_error *err)
{
	struct span	 line = r->line;
	const char	*nl;

	(void)c;
	err->slot = m->slot;
	if (m->key.p != NULL)
		err->slot_from_key = 1;
	if (err->slot != OBS_NO_SLOT)
		return;
	if (r->key.p != NULL) {
		m->key = r->key;
	} else {
		if (r->json) {
			nl = r->text.n > 0 ? memchr(r->text.p, '\n', r->text.n) : NULL;
			line = span_make(r->text.p, nl != NULL ? (size_t)(nl - r->text.p) :
			    r->text.n);
		}
		m->key = client_key(line);
	}
	if (m->key.p != NULL && m->key.n > 0) {
		err->slot = slots_of_key(m->key);
		err->slot_from_key = 1;
	}
}

static int
give_error(struct client_events *c, const struct record *r, struct rule_match m,
    struct err *e)
{
	struct obs	 o;
	struct obs_error *err = &o.u.error;
	const char	*from = m.all.p, *nl;
	size_t		 nhops;

	start(c, r, &m, &o, OBS_ERROR);
	if (m.rule->class == RULE_REDIRECT)
		err->kind = m.rule->code == CODE_MOVED ? ERROR_MOVED : ERROR_ASK;
	else
		err->kind = m.rule->error;
	err->error_class = client_text_class(r->text, m.all, &from);
	err->last_code = last_code(c, &m);
	err->attempts = m.attempts;
	nl = memchr(from, '\n', (size_t)(r->text.p + r->text.n - from));
	nhops = read_chain(c, span_make(from, (size_t)((nl != NULL ? nl :
	    r->text.p + r->text.n) - from)), err);
	add_causes(c, &m);
	set_slot(c, r, &m, err);
	if (m.rule->error == ERROR_LOOP && m.rule->class == RULE_ERROR &&
	    m.node.host.p == NULL)
		m.node = endpoint_none();
	err->target = m.ep;
	if (err->asked.host.p == NULL)
		err->asked = m.node;
	if (nhops == 0 && err->target.host.p != NULL) {
		c->hop[0].asked = m.node;
		c->hop[0].target = m.ep;
		nhops = 1;
	}
	err->hops = c->hop;
	err->nhops = nhops;
	err->timer = m.rule->timer;
	if (m.duration_us != OBS_NO_NUM && o.at != OBS_NO_TIME)
		err->started_at = o.at - m.duration_us;
	err->context = context(r);
	err->rule = span_of(m.rule->name);
	err->budget = m.rule->budget;
	err->backoff_ms = m.rule->backoff_ms;
	err->message = client_text(&c->message, r->text, from, m.key, c->ctx->keep_keys,
	    MESSAGE_BYTES);
	if (told_before(c, r, err, o.at))
		return (0);
	return (c->sink->obs(c->sink, &o, e));
}

/* Attempts that the event's causes tell of are evidence of their own. */
static int
give_causes(struct client_events *c, const struct record *r, const struct rule_match *p,
    struct err *e)
{
	const struct rule_match	*m;
	size_t			 i, k;

	for (i = 0; i < c->n; i++) {
		m = &c->match[i];
		if (m == p || m->rule->class != RULE_CONTACT || m->ep.host.p == NULL)
			continue;
		for (k = 0; k < i; k++)
			if (c->match[k].rule->class == RULE_CONTACT &&
			    c->match[k].rule->outcome == m->rule->outcome &&
			    endpoint_eq(&c->match[k].ep, &m->ep))
				break;
		if (k == i && give_contact(c, r, m, e) != 0)
			return (-1);
	}
	return (0);
}

/* A client of something else: said, so that nobody waits for a verdict. */
static int
give_scope(struct client_events *c, const struct record *r, const struct rule_match *m,
    struct err *e)
{
	static const struct { const char *kind, *says; } words[] = {
		{ "sentinel", "asks Sentinel" }, { "sharding", "shards by itself" },
		{ "standalone", "asks a server without a cluster" }
	};
	size_t	 i = 0;

	while (i + 1 < sizeof words / sizeof words[0] && strcmp(words[i].kind, m->rule->kind) != 0)
		i++;
	return (sink_problem(c->sink, &r->where, "out-of-scope", e, "a client%s%s %s: out of scope,"
	    " not judged", strcmp(m->rule->client, "any") != 0 ? " by " : "",
	    strcmp(m->rule->client, "any") != 0 ? m->rule->client : "", words[i].says));
}

static int
give(struct client_events *c, const struct record *r, const struct rule_match *p,
    struct err *e)
{
	switch (p->rule->class) {
	case RULE_ERROR:
		return (give_error(c, r, *p, e) != 0 ? -1 : give_causes(c, r, p, e));
	case RULE_REFRESH_FAILED:
		return (give_refresh(c, r, p, e) != 0 ? -1 : give_causes(c, r, p, e));
	case RULE_REFRESH:
		return (give_refresh(c, r, p, e));
	case RULE_SCOPE:
		return (give_scope(c, r, p, e));
	case RULE_HANDED_ON:
		return (0);
	case RULE_REDIRECT:
		if (p->rule->raised && !client_match_in_passing(r) &&
		    !client_match_goes_on(r, p))
			return (give_error(c, r, *p, e));
		return (give_redirect(c, r, p, e));
	default:
		if (give_contact(c, r, p, e) != 0)
			return (-1);
		if (memmem(r->text.p, r->text.n, "Traceback (most recent", 22) != NULL)
			return (0);
		return (give_causes(c, r, p, e));
	}
}

int
client_events_take(struct client_events *c, const struct record *r, struct err *e)
{
	const struct rule_match	*p;
	int			 views;

	c->n = rules_match(c->ctx->rules, r->text, c->match, MATCHES_MAX, &c->limited);
	if (c->limited != NULL && sink_problem(c->sink, &r->where, "regex-limit", e,
	    "rule %s gave up on this record: too much backtracking", c->limited) != 0)
		return (-1);
	c->n = client_match_drop_foreign(c->match, c->n, r->text);
	c->n = client_match_drop_mentions(c->match, c->n, r);
	take_choices(c, r, &views);
	if (views && give_views(c, r, e) != 0)
		return (-1);
	c->n = client_match_drop_overlaps(c->match, c->n);
	if ((p = client_match_primary(c->match, c->n, r->text)) == NULL)
		return (0);
	c->many_hops = 0;
	if (give(c, r, p, e) != 0)
		return (-1);
	return (!c->many_hops ? 0 : sink_problem(c->sink, &r->where, "limit", e,
	    "more than %d redirects in a message: none of them is read", HOPS_MAX));
}

int
client_events_end(struct client_events *c, struct err *e)
{
	return (client_topology_end(c->topology, e));
}
