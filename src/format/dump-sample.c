#include "format/dump-sample.h"

#include <stdlib.h>

#include "base/mem.h"

enum {
	SECOND = 1000000,
	SPAN_MAX_US = 60 * SECOND,
	/* How far a dump may be from its newest pong: half of the default node
	 * timeout, after which every node is pinged, and the second's tick. */
	PONG_US = 8500000
};

/* Behind "<digits> <digits>", or NULL. */
static const char *
skip_times(const char *p, const char *end)
{
	const char	*q = p;

	while (q < end && is_digit(*q))
		q++;
	if (q == p || q == end || *q++ != ' ')
		return (NULL);
	for (p = q; q < end && is_digit(*q); q++)
		;
	return (q > p && q < end && *q == ' ' ? q : NULL);
}

int
sample_same(struct track *t, const char *p, size_t n)
{
	const struct sample_line	*l;
	const char			*old, *q;
	size_t				 head, tail;

	if (t->now.n > 0 || t->matched >= t->last.n)
		return (0);
	l = &t->last.lines[t->matched];
	old = t->last.text.p;
	head = l->ping - l->at;
	tail = l->end - l->tail;
	if (n < head + tail || memcmp(p, old + l->at, head) != 0)
		return (0);
	q = p + head;
	if (l->tail > l->ping && (q = skip_times(q, p + n)) == NULL)
		return (0);
	if ((size_t)(p + n - q) != tail || memcmp(q, old + l->tail, tail) != 0)
		return (0);
	t->matched++;
	return (1);
}

/* Where the times of a line stand: fields 4 and 5. */
static void
find_times(struct sample *s, struct sample_line *l)
{
	const char	*p = s->text.p + l->at, *end = s->text.p + l->end, *q;
	int		 i;

	l->ping = l->tail = l->end;
	for (i = 0; i < 4; i++) {
		q = p < end ? memchr(p, ' ', (size_t)(end - p)) : NULL;
		if (q == NULL)
			return;
		p = q + 1;
	}
	if ((q = skip_times(p, end)) == NULL)
		return;
	l->ping = (size_t)(p - s->text.p);
	l->tail = (size_t)(q - s->text.p);
}

static void
add_line(struct sample *s, struct span line, int64_t position)
{
	struct sample_line	*l;

	if (s->n == s->cap) {
		s->cap = s->cap != 0 ? s->cap * 2 : 16;
		s->lines = mem_grow(s->lines, s->cap, sizeof *s->lines);
	}
	l = &s->lines[s->n++];
	l->at = s->text.n;
	buf_add(&s->text, line.p, line.n);
	l->end = s->text.n;
	l->position = position;
	buf_chr(&s->text, '\n');
	find_times(s, l);
}

/* Lines that had matched join the sample that turned out to differ. */
static void
unmatch(struct track *t)
{
	const struct sample_line	*l;
	size_t				 i;

	for (i = 0; i < t->matched; i++) {
		l = &t->last.lines[i];
		add_line(&t->now, span_make(t->last.text.p + l->at, l->end - l->at),
		    l->position);
	}
	t->matched = 0;
}

void
sample_add(struct track *t, struct span line, int64_t position)
{
	unmatch(t);
	if (t->now.n < TOPOLOGY_NODES_MAX + 2)
		add_line(&t->now, line, position);
}

void
sample_extend(struct track *t, struct span more)
{
	struct sample_line	*l = &t->now.lines[t->now.n - 1];

	t->now.text.n--;
	buf_add(&t->now.text, more.p, more.n);
	l->end = t->now.text.n;
	buf_chr(&t->now.text, '\n');
	find_times(&t->now, l);
}

int
sample_empty(const struct track *t)
{
	return (t->now.n == 0 && t->matched == 0);
}

size_t
sample_lines(const struct track *t)
{
	return (t->matched + t->now.n);
}

static void
emit(struct sample_ctx *c, const struct obs *o)
{
	if (!c->failed && c->sink->obs(c->sink, o, c->e) != 0)
		c->failed = 1;
}

void
sample_contact(const struct asked *a, enum contact_outcome outcome, int64_t samples,
    int64_t last_at, int64_t last_position, struct sample_ctx *c)
{
	struct obs	 o;

	if (a->ep.host.p == NULL)
		return;
	obs_init(&o, OBS_CONTACT);
	o.at = a->at;
	o.last_at = last_at;
	o.at_basis = a->at_basis;
	o.precision_us = a->precision_us;
	o.samples = samples;
	o.where.part = o.last_where.part = c->part;
	o.where.position = a->position;
	o.last_where.position = last_position;
	o.observer.kind = WHO_SAMPLER;
	o.observer.name = span_of("sampler");
	if (c->asker != NULL)
		o.observer = *c->asker;
	o.u.contact.ep = a->ep;
	o.u.contact.outcome = outcome;
	emit(c, &o);
}

/* The best that is known of when this dump was asked for. */
static void
view_time(struct obs *o, const struct asked *a, const struct topology *t,
    const struct sample_ctx *c)
{
	if (a->at != OBS_NO_TIME) {
		o->at = a->at;
		o->at_basis = a->at_basis;
		o->precision_us = a->precision_us;
	} else if (c->name_at != OBS_NO_TIME) {
		o->at = c->name_at;
		o->at_basis = AT_FILE_NAME;
		o->precision_us = c->name_precision_us;
	} else if (t->newest_pong_ms > 0) {
		o->at = t->newest_pong_ms * 1000;
		o->at_basis = AT_PONG;
		o->precision_us = PONG_US;
	} else if (c->mtime != OBS_NO_TIME) {
		o->at = c->mtime;
		o->at_basis = AT_FILE_TIME;
		o->precision_us = SECOND;
	}
}

static void
view_observer(struct who *w, const struct asked *a, const struct topology *t,
    const struct sample_ctx *c)
{
	const struct obs_view_node	*me = NULL;

	if (t->myself >= 0)
		me = &t->nodes[t->myself];
	w->kind = WHO_NODE;
	w->name = span_of(a->name[0] != '\0' ? a->name : c->name);
	if (me != NULL)
		w->node = me->id;
	else if (a->id[0] != '\0')
		w->node = span_of(a->id);
	w->ep = a->ep;
	if (w->ep.host.p == NULL && me != NULL)
		w->ep = me->ep;
}

static void
fill_view(struct obs *o, const struct asked *a, const struct topology *t,
    const char *form, int incomplete, const struct sample_ctx *c)
{
	obs_init(o, OBS_VIEW);
	view_time(o, a, t, c);
	view_observer(&o->observer, a, t, c);
	o->where.part = o->last_where.part = c->part;
	topology_view(t, &o->u.view);
	o->u.view.kind = t->conf ? VIEW_CONF : VIEW_DUMP;
	o->u.view.form = form;
	o->u.view.rtt_us = a->rtt_us;
	if (c->asker != NULL)
		o->u.view.asked_by = *c->asker;
	if (incomplete)
		o->u.view.complete = 0;
}

void
sample_view(const struct asked *a, const struct topology *t, const char *form,
    int64_t position, int64_t last_position, int state, int64_t epoch,
    struct sample_ctx *c)
{
	struct obs	 o;

	fill_view(&o, a, t, form, c->incomplete, c);
	o.where.position = position;
	o.last_where.position = last_position;
	o.u.view.state = state;
	if (epoch != OBS_NO_NUM)
		o.u.view.current_epoch = epoch;
	if (t->nnodes == 0)
		o.u.view.complete = 0;
	c->views++;
	emit(c, &o);
	if (a->at != OBS_NO_TIME)
		sample_contact(a, CONTACT_OK, 1, a->at, a->position, c);
}

void
sample_flush(struct track *t, struct sample_ctx *c)
{
	struct held	*h = &t->held;
	struct obs	 o;

	if (h->samples == 0)
		return;
	fill_view(&o, &h->asked, &t->topology, "nodes", h->incomplete, c);
	if (h->asked.at != OBS_NO_TIME)
		o.last_at = h->last_at;
	o.where.position = h->first_position;
	o.last_where.position = h->last_position;
	o.samples = h->samples;
	o.max_gap_us = h->max_gap;
	emit(c, &o);
	if (h->asked.at != OBS_NO_TIME)
		sample_contact(&h->asked, CONTACT_OK, h->samples, h->last_at,
		    h->last_position, c);
	h->samples = 0;
}

static void
hold(struct track *t, const struct asked *a, int64_t position, int incomplete)
{
	struct held	*h = &t->held;

	asked_copy(&h->asked, a);
	h->samples = 1;
	h->first_at = h->last_at = a->at;
	h->first_position = h->last_position = position;
	h->max_gap = 0;
	h->min_gap = INT64_MAX;
	h->incomplete = incomplete;
}

/* Time since the last answer, -1 when only one of the two has a time. */
static int64_t
gap_to(const struct held *h, int64_t at)
{
	if (at == h->last_at)
		return (0);
	if (at == OBS_NO_TIME || h->last_at == OBS_NO_TIME)
		return (-1);
	return (at - h->last_at);
}

/* The same answer once more: lengthen the span, or begin a new one where a
 * span has to end (60 s, or a silence out of proportion). */
static void
fold(struct track *t, const struct asked *a, struct sample_ctx *c)
{
	struct held	*h = &t->held;
	int64_t		 gap = gap_to(h, a->at), most;

	if (t->topology.nnodes == 0)
		return;
	most = h->min_gap == INT64_MAX ? INT64_MAX : h->min_gap * 10;
	if (most < SECOND)
		most = SECOND;
	if (h->samples == 0 || gap < 0 || gap > most ||
	    a->at - h->first_at > SPAN_MAX_US) {
		sample_flush(t, c);
		hold(t, a, a->position, c->incomplete);
		return;
	}
	h->samples++;
	h->last_at = a->at;
	h->last_position = a->position;
	if (gap > h->max_gap)
		h->max_gap = gap;
	if (gap > 0 && gap < h->min_gap)
		h->min_gap = gap;
}

struct bad_ctx {
	const struct sample	*sample;
	struct sample_ctx	*c;
};

static void
bad_line(void *arg, size_t line, const char *reason)
{
	struct bad_ctx	*b = arg;
	struct locus	 l = { b->c->part, 0, OBS_NO_NUM };

	l.position = line < b->sample->n ? b->sample->lines[line].position : 0;
	if (!b->c->failed && sink_problem(b->c->sink, &l, "malformed", b->c->e,
	    "%s", reason) != 0)
		b->c->failed = 1;
}

/* What shows that the sample is only a part of an answer.  The last one of a
 * source may be cut where no line shows it: it has fewer than the one before. */
static void
look_for_cut(struct track *t, size_t before, const struct sample_ctx *c)
{
	if (c->incomplete)
		return;
	topology_nodes_check(&t->topology);
	if (!c->at_end)
		return;
	t->topology.at = t->last.n - 1;
	if (t->last.n < before && !t->topology.slots_lost)
		topology_cut(&t->topology, "the one before it has more lines");
	if (c->unended)
		topology_unended(&t->topology);
}

void
sample_end(struct track *t, const struct asked *a, struct sample_ctx *c)
{
	struct sample	 swap;
	struct bad_ctx	 b = { &t->last, c };
	size_t		 before = t->last.n > 0 ? t->last.n : c->lines_before;

	if (sample_empty(t))
		return;
	c->views++;
	c->lines_before = sample_lines(t);
	if (t->now.n == 0 && t->matched == t->last.n && a->at != OBS_NO_TIME) {
		t->matched = 0;
		fold(t, a, c);
		return;
	}
	unmatch(t);
	sample_flush(t, c);
	swap = t->last;
	t->last = t->now;
	t->now = swap;
	t->now.n = t->now.text.n = 0;
	table_clear(&t->ids);
	t->indexed = 0;
	topology_reset(&t->topology);
	t->topology.bad = bad_line;
	t->topology.bad_arg = &b;
	topology_nodes_text(&t->topology, span_make(t->last.text.p, t->last.text.n));
	look_for_cut(t, before, c);
	t->topology.bad = NULL;
	if (t->topology.nnodes == 0)
		return;			/* only damage, which was reported */
	hold(t, a, a->position > 0 ? a->position : t->last.lines[0].position,
	    c->incomplete);
	if (a->at == OBS_NO_TIME) {
		t->held.last_position = t->last.lines[t->last.n - 1].position;
		if (!c->waits)
			sample_flush(t, c);
	}
}

void
track_free(struct track *t)
{
	buf_free(&t->key);
	buf_free(&t->now.text);
	buf_free(&t->last.text);
	table_clear(&t->ids);
	free(t->now.lines);
	free(t->last.lines);
	topology_free(&t->topology);
}
