#include "model/spans.h"

#include <stdlib.h>

#include <xxhash.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/table.h"

enum contact_class { CLASS_OK, CLASS_CONNECTED, CLASS_CLOSED, CLASS_FAILURE };

/* One open span: the first observation, copied, and what was folded into it. */
struct span_open {
	struct span_open *prev, *next;	/* in the order of opening */
	struct obs	 o;
	XXH128_hash_t	 digest;
	int64_t		 shortest;	/* spacing so far; OBS_NO_NUM */
	int64_t		 sample_at;	/* start of the last sample */
	int64_t		 failures, restarts; /* of the node when it was opened */
	struct span_open **home;	/* where the table points to it */
	size_t		 bytes;
	char		 text[];	/* copies of all that o points to */
};

struct slots_of_contact {
	struct span_open *open[CLASS_FAILURE + 1];
};

struct spans {
	struct sink	 sink;		/* first */
	struct sink	*next;
	struct span_open *first, *last;
	size_t		 nopen, bytes;
	struct table	 views;		/* ptr: struct span_open ** */
	struct table	 contacts;	/* ptr: struct slots_of_contact */
	struct table	 failures;	/* num: failed attempts, by endpoint */
	struct table	 restarts;	/* num, by observer's name */
	struct buf	 key;
	struct buf	 content;
};

/* Where copies go: first pass only counts. */
struct copier {
	char		*p;		/* NULL: count */
	size_t		 n;
};

static void *
copy(struct copier *c, const void *p, size_t n, size_t align)
{
	void	*at;

	c->n = (c->n + align - 1) / align * align;
	at = c->p != NULL ? c->p + c->n : NULL;
	if (at != NULL && n > 0)
		memcpy(at, p, n);
	c->n += n;
	return (at);
}

static void
copy_span(struct copier *c, struct span *s)
{
	const char	*at;

	if (s->p == NULL)
		return;
	at = copy(c, s->p, s->n, 1);
	if (at != NULL)
		s->p = at;
}

static void
copy_who(struct copier *c, struct who *w)
{
	copy_span(c, &w->name);
	copy_span(c, &w->node);
	copy_span(c, &w->ep.host);
	copy_span(c, &w->host);
	copy_span(c, &w->library);
}

static void
copy_view(struct copier *c, struct obs_view *v)
{
	struct obs_view_node	 n, *nodes;
	struct obs_view_slots	 r, *slots;
	size_t			 i;

	nodes = copy(c, v->nodes, v->nnodes * sizeof n, sizeof(void *));
	slots = copy(c, v->slots, v->nslots * sizeof r, sizeof(void *));
	copy_who(c, &v->asked_by);
	for (i = 0; i < v->nnodes; i++) {
		n = v->nodes[i];
		copy_span(c, &n.id);
		copy_span(c, &n.ep.host);
		copy_span(c, &n.hostname);
		copy_span(c, &n.flags);
		copy_span(c, &n.master);
		copy_span(c, &n.link_state);
		if (nodes != NULL)
			nodes[i] = n;
	}
	for (i = 0; i < v->nslots; i++) {
		r = v->slots[i];
		copy_span(c, &r.peer);
		if (slots != NULL)
			slots[i] = r;
	}
	if (c->p != NULL) {
		v->nodes = nodes;
		v->slots = slots;
	}
}

static void
copy_obs(struct copier *c, struct obs *o)
{
	copy_who(c, &o->observer);
	if (o->kind == OBS_VIEW) {
		copy_view(c, &o->u.view);
		return;
	}
	copy_span(c, &o->u.contact.ep.host);
	copy_span(c, &o->u.contact.context);
	copy_span(c, &o->u.contact.detail);
}

/* The mean spacing inside an observation that a decoder has folded already. */
static int64_t
spacing(const struct obs *o)
{
	if (o->samples < 2 || o->at == OBS_NO_TIME || o->last_at == OBS_NO_TIME ||
	    o->last_at <= o->at)
		return (OBS_NO_NUM);
	return ((o->last_at - o->at) / (o->samples - 1));
}

static void
note_spacing(struct span_open *s, int64_t step)
{
	if (step != OBS_NO_NUM && (s->shortest == OBS_NO_NUM || step < s->shortest))
		s->shortest = step;
}

static struct span_open *
span_new(const struct obs *o)
{
	struct obs		 o2 = *o;
	struct copier		 c = { NULL, 0 };
	struct span_open	*s;

	copy_obs(&c, &o2);
	s = mem_zero(1, sizeof *s + c.n + sizeof(void *));
	s->bytes = sizeof *s + c.n;
	c.p = s->text + (-(uintptr_t)s->text & (sizeof(void *) - 1));
	c.n = 0;
	s->o = *o;
	copy_obs(&c, &s->o);
	s->shortest = spacing(o);
	s->sample_at = o->at;
	if (s->o.last_where.position <= 0)
		s->o.last_where = s->o.where;
	if (s->o.last_at == OBS_NO_TIME)
		s->o.last_at = s->o.at;
	if (s->o.samples <= 0)
		s->o.samples = 1;
	return (s);
}

/* Take a span out of the list and hand it on. */
static int
span_end(struct spans *f, struct span_open *s, struct err *e)
{
	int	 r;

	if (s->prev != NULL)
		s->prev->next = s->next;
	else
		f->first = s->next;
	if (s->next != NULL)
		s->next->prev = s->prev;
	else
		f->last = s->prev;
	*s->home = NULL;
	f->nopen--;
	f->bytes -= s->bytes;
	r = f->next->obs(f->next, &s->o, e);
	free(s);
	return (r);
}

static int
end_all(struct spans *f, struct err *e)
{
	while (f->first != NULL)	/* NOLINTNEXTLINE(*-unix.Malloc): the first has no prev */
		if (span_end(f, f->first, e) != 0)
			return (-1);
	return (0);
}

static void
free_tables(struct spans *f)
{
	struct table	*t[] = { &f->views, &f->contacts };
	size_t		 i, k;

	for (k = 0; k < 2; k++)
		for (i = 0; i < t[k]->cap; i++)
			free(t[k]->slot[i].ptr);
	table_clear(&f->views);
	table_clear(&f->contacts);
}

static int
span_begin(struct spans *f, const struct obs *o, struct span_open **home,
    struct span_open **made, struct err *e)
{
	struct span_open	*s;

	if ((f->nopen >= SPANS_OPEN || f->bytes >= SPANS_BYTES) &&
	    end_all(f, e) != 0)
		return (-1);
	s = span_new(o);
	s->home = home;
	*home = s;
	s->prev = f->last;
	if (f->last != NULL)
		f->last->next = s;
	else
		f->first = s;
	f->last = s;
	f->nopen++;
	f->bytes += s->bytes;
	*made = s;
	return (0);
}

/* Does time allow o to be one more sample of s? */
static int
in_time(const struct span_open *s, const struct obs *o)
{
	int64_t	 end = o->last_at != OBS_NO_TIME ? o->last_at : o->at;
	int64_t	 last = o->last_where.position > 0 ? o->last_where.position :
	    o->where.position;
	int64_t	 gap, most;

	/* What two questions of one file ask in turn is handed on one question
	 * after the other: a later sample may stand before the span. */
	if (o->where.part != s->o.where.part || last < s->o.where.position ||
	    o->at_basis != s->o.at_basis ||
	    o->precision_us != s->o.precision_us ||
	    (o->at == OBS_NO_TIME) != (s->o.at == OBS_NO_TIME))
		return (0);
	if (o->at == OBS_NO_TIME)
		return (1);
	if (o->at < s->o.at || end - s->o.at > SPAN_LONGEST_US)
		return (0);
	gap = o->at - s->o.last_at;
	most = s->shortest == OBS_NO_NUM ? SPAN_LONGEST_US :
	    s->shortest * SPAN_SILENCE_FACTOR;
	return (gap <= (most > SPAN_SILENCE_US ? most : SPAN_SILENCE_US));
}

static void
fold(struct span_open *s, const struct obs *o)
{
	int64_t	 end = o->last_at != OBS_NO_TIME ? o->last_at : o->at;
	int64_t	 step;

	s->o.samples += o->samples > 0 ? o->samples : 1;
	s->o.last_where = o->last_where.position > 0 ? o->last_where : o->where;
	if (o->max_gap_us > s->o.max_gap_us)
		s->o.max_gap_us = o->max_gap_us;
	if (o->at == OBS_NO_TIME)
		return;
	if (o->at - s->o.last_at > s->o.max_gap_us)
		s->o.max_gap_us = o->at - s->o.last_at;
	step = o->at - s->sample_at;
	if (step > 0)
		note_spacing(s, step);
	note_spacing(s, spacing(o));
	s->sample_at = o->at;
	if (end > s->o.last_at)
		s->o.last_at = end;
}

static void
put_num(struct buf *b, int64_t v)
{
	buf_add(b, &v, sizeof v);
}

/* Length first, so that no two contents run together alike. */
static void
put_span(struct buf *b, struct span s)
{
	put_num(b, s.p == NULL ? -1 : (int64_t)s.n);
	buf_add(b, s.p, s.p == NULL ? 0 : s.n);
}

static void
put_endpoint(struct buf *b, const struct endpoint *ep)
{
	put_num(b, ep->port);
	put_span(b, ep->host);
}

static int64_t
counter(struct spans *f, struct table *t)
{
	struct table_entry	*e = table_get(t, f->key.p, f->key.n);

	return (e != NULL ? e->num : 0);
}

static void
count_one(struct spans *f, struct table *t)
{
	if (t->used >= SPANS_OPEN && table_get(t, f->key.p, f->key.n) == NULL)
		return;
	table_put(t, f->key.p, f->key.n)->num++;
}

static void
key_of_who(struct spans *f, const struct who *w)
{
	f->key.n = 0;
	buf_chr(&f->key, w->kind);
	who_name(&f->key, w);
}

static void
key_of_endpoint(struct spans *f, const struct endpoint *ep)
{
	f->key.n = 0;
	put_endpoint(&f->key, ep);
}

static int
span_cmp(struct span a, struct span b)
{
	size_t	 n = a.n < b.n ? a.n : b.n;
	int	 r = n > 0 ? memcmp(a.p, b.p, n) : 0;

	return (r != 0 ? r : a.n < b.n ? -1 : a.n > b.n);
}

struct order {
	const struct obs_view_node *n;
	int		 at;
};

static int
by_id(const void *pa, const void *pb)
{
	const struct order	*a = pa, *b = pb;
	int			 r = span_cmp(a->n->id, b->n->id);

	if (r == 0)
		r = span_cmp(a->n->ep.host, b->n->ep.host);
	if (r == 0)
		r = (a->n->ep.port > b->n->ep.port) -
		    (a->n->ep.port < b->n->ep.port);
	return (r != 0 ? r : a->at - b->at);
}

static int
by_slot(const void *pa, const void *pb)
{
	const struct obs_view_slots	*a = pa, *b = pb;

	if (a->from != b->from)
		return (a->from - b->from);
	if (a->to != b->to)
		return (a->to - b->to);
	if (a->state != b->state)
		return ((int)a->state - (int)b->state);
	return (a->node != b->node ? a->node - b->node :
	    span_cmp(a->peer, b->peer));
}

static void
put_nodes(struct buf *b, const struct order *order, size_t n)
{
	const struct obs_view_node	*v;
	size_t				 i;

	for (i = 0; i < n; i++) {
		v = order[i].n;
		put_span(b, v->id);
		put_endpoint(b, &v->ep);
		put_span(b, v->hostname);
		put_num(b, v->bus_port);
		put_num(b, (int64_t)v->role << 1 | (v->myself != 0));
		put_span(b, v->flags);
		put_span(b, v->master);
		put_num(b, v->config_epoch);
		put_span(b, v->link_state);
	}
}

/* What a view says, whatever the order in which it lists the nodes. */
static XXH128_hash_t
view_digest(struct spans *f, const struct obs_view *v)
{
	struct order		*order = mem_zero(v->nnodes, sizeof *order);
	int			*place = mem_zero(v->nnodes, sizeof *place);
	struct obs_view_slots	*slots = mem_zero(v->nslots, sizeof *slots);
	struct buf		*b = &f->content;
	size_t			 i;

	for (i = 0; i < v->nnodes; i++)
		order[i] = (struct order){ &v->nodes[i], (int)i };
	qsort(order, v->nnodes, sizeof *order, by_id);
	for (i = 0; i < v->nnodes; i++)
		place[order[i].at] = (int)i;
	for (i = 0; i < v->nslots; i++) {
		slots[i] = v->slots[i];
		slots[i].node = place[v->slots[i].node];
	}
	qsort(slots, v->nslots, sizeof *slots, by_slot);
	b->n = 0;
	put_num(b, v->complete << 8 | v->partial << 4 | (v->state + 1));
	put_num(b, v->current_epoch);
	put_num(b, (int64_t)v->nnodes);
	put_nodes(b, order, v->nnodes);
	for (i = 0; i < v->nslots; i++) {
		put_num(b, (int64_t)slots[i].from << 32 | slots[i].to);
		put_num(b, (int64_t)slots[i].node << 2 | slots[i].state);
		put_span(b, slots[i].peer);
	}
	free(order);
	free(place);
	free(slots);
	return (XXH3_128bits(b->p, b->n));
}

static int
take_view(struct spans *f, const struct obs *o, struct err *e)
{
	const struct obs_view	*v = &o->u.view;
	XXH128_hash_t		 digest = view_digest(f, v);
	struct table_entry	*t;
	struct span_open	**home, *s;
	int64_t			 failures, restarts;

	if (f->views.used >= SPANS_OPEN || f->contacts.used >= SPANS_OPEN) {
		if (end_all(f, e) != 0)
			return (-1);
		free_tables(f);
	}
	key_of_endpoint(f, &o->observer.ep);
	failures = o->observer.ep.host.n > 0 ? counter(f, &f->failures) : 0;
	key_of_who(f, &o->observer);
	restarts = counter(f, &f->restarts);
	buf_fmt(&f->key, "%c%d %s", 0, (int)v->kind,
	    v->form != NULL ? v->form : "");
	if (v->asked_by.name.p != NULL) {
		buf_chr(&f->key, v->asked_by.kind);
		who_name(&f->key, &v->asked_by);
	}
	t = table_put(&f->views, f->key.p, f->key.n);
	if (t->ptr == NULL)
		t->ptr = mem_zero(1, sizeof(struct span_open *));
	home = t->ptr;
	s = *home;
	if (s != NULL && s->failures == failures && s->restarts == restarts &&
	    XXH128_isEqual(s->digest, digest) && in_time(s, o)) {
		fold(s, o);
		if (v->rtt_us > s->o.u.view.rtt_us)
			s->o.u.view.rtt_us = v->rtt_us;
		return (0);
	}
	if ((s != NULL && span_end(f, s, e) != 0) ||
	    span_begin(f, o, home, &s, e) != 0)
		return (-1);
	s->digest = digest;
	s->failures = failures;
	s->restarts = restarts;
	return (0);
}

static enum contact_class
class_of(enum contact_outcome o)
{
	switch (o) {
	case CONTACT_OK: return (CLASS_OK);
	case CONTACT_CONNECTED: return (CLASS_CONNECTED);
	case CONTACT_CLOSED: return (CLASS_CLOSED);
	default: return (CLASS_FAILURE);
	}
}

/* Does an attempt that ended as class end the open span of class other? */
static int
contradicts(enum contact_class class, enum contact_class other)
{
	if (class == CLASS_FAILURE)
		return (other == CLASS_OK || other == CLASS_CONNECTED);
	return (other == CLASS_FAILURE && class != CLASS_CLOSED);
}

static int
take_contact(struct spans *f, const struct obs *o, struct err *e)
{
	const struct obs_contact	*c = &o->u.contact;
	enum contact_class		 class = class_of(c->outcome);
	struct slots_of_contact		*at;
	struct table_entry		*t;
	struct span_open		*s;
	int				 i;

	if (f->views.used >= SPANS_OPEN || f->contacts.used >= SPANS_OPEN) {
		if (end_all(f, e) != 0)
			return (-1);
		free_tables(f);
	}
	if (class == CLASS_FAILURE) {
		key_of_endpoint(f, &c->ep);
		count_one(f, &f->failures);
	}
	key_of_who(f, &o->observer);
	put_endpoint(&f->key, &c->ep);
	t = table_put(&f->contacts, f->key.p, f->key.n);
	if (t->ptr == NULL)
		t->ptr = mem_zero(1, sizeof *at);
	at = t->ptr;
	for (i = 0; i <= CLASS_FAILURE; i++)
		if (at->open[i] != NULL &&
		    contradicts(class, (enum contact_class)i) &&
		    span_end(f, at->open[i], e) != 0)
			return (-1);
	s = at->open[class];
	if (s != NULL && s->o.u.contact.outcome == c->outcome &&
	    in_time(s, o)) {
		fold(s, o);
		if (c->retries > s->o.u.contact.retries)
			s->o.u.contact.retries = c->retries;
		if (!span_eq(c->context, s->o.u.contact.context))
			s->o.u.contact.context.p = NULL;
		return (0);
	}
	if (s != NULL && span_end(f, s, e) != 0)
		return (-1);
	return (span_begin(f, o, &at->open[class], &s, e));
}

static int
take(struct sink *sink, const struct obs *o, struct err *e)
{
	struct spans	*f = (struct spans *)sink;

	if (o->kind == OBS_VIEW)
		return (take_view(f, o, e));
	if (o->kind == OBS_CONTACT)
		return (take_contact(f, o, e));
	if (o->kind == OBS_SERVER &&
	    (strcmp(o->u.server.event, "started") == 0 ||
	    strcmp(o->u.server.event, "restarted") == 0)) {
		key_of_who(f, &o->observer);
		count_one(f, &f->restarts);
	}
	return (f->next->obs(f->next, o, e));
}

static int
pass_problem(struct sink *sink, const struct problem *p, struct err *e)
{
	struct sink	*next = ((struct spans *)sink)->next;

	return (next->problem(next, p, e));
}

static int
pass_part(struct sink *sink, struct sink_part *p, struct err *e)
{
	struct sink	*next = ((struct spans *)sink)->next;

	return (next->part(next, p, e));
}

static int
end(struct sink *sink, struct err *e)
{
	struct spans	*f = (struct spans *)sink;

	if (end_all(f, e) != 0)
		return (-1);
	return (f->next->end(f->next, e));
}

struct spans *
spans_open(struct sink *next)
{
	struct spans	*f = mem_zero(1, sizeof *f);

	f->sink.obs = take;
	f->sink.problem = pass_problem;
	f->sink.end = end;
	f->sink.part = next->part != NULL ? pass_part : NULL;
	f->next = next;
	return (f);
}

struct sink *
spans_sink(struct spans *f)
{
	return (&f->sink);
}

void
spans_close(struct spans *f)
{
	struct span_open	*s, *next;

	if (f == NULL)
		return;
	for (s = f->first; s != NULL; s = next) {
		next = s->next;
		free(s);
	}
	free_tables(f);
	table_clear(&f->failures);
	table_clear(&f->restarts);
	buf_free(&f->key);
	buf_free(&f->content);
	free(f);
}
