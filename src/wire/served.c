#include "wire/served.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { SPAN_US = 60000000, SILENCE_US = 1000000, PAGE = 256 };

/* What each answer touches: half a line of the cache. */
struct span_of_data {
	int64_t		 last_at, max_gap;
	uint32_t	 samples : 31;
	uint32_t	 quiet : 1;		/* begun without a question: a question
						 * ends it */
	uint32_t	 first, last;		/* positions */
	uint16_t	 first_part, last_part;
};
_Static_assert(sizeof(struct span_of_data) == 32, "a half");

struct served_page {
	struct span_of_data slot[PAGE];
	int64_t		 first_at[PAGE];
};

/* Slots come in no order, so that a page of the system for a few each is a miss of its
 * table at nearly every answer: large ones. */
enum { SLAB = 204, SLABS = SERVED_PAGES / SLAB + 1 };	/* 2 MiB */

struct served {
	struct parties	*parties;
	struct sink	*sink;
	struct slots	 asked;			/* slots with a question */
	uint16_t	 by[SLOTS_COUNT];	/* number of the server, 0: none */
	struct served_page *slab[SLABS];
	int		 npages, refused;
};

struct served *
served_new(struct parties *ps, struct sink *sink)
{
	struct served	*sv = mem_zero(1, sizeof *sv);

	sv->parties = ps;
	sv->sink = sink;
	return (sv);
}

void
served_free(struct served *sv)
{
	int	 i;

	if (sv == NULL)
		return;
	for (i = 0; i < SLABS; i++)
		free(sv->slab[i]);
	free(sv);
}

static struct served_page *
make_page(struct served *sv)
{
	struct served_page	**slab = &sv->slab[sv->npages / SLAB], *page;

	if (*slab == NULL)
		*slab = mem_large(SLAB * sizeof **slab);
	page = *slab + sv->npages++ % SLAB;
	memset(page, 0, sizeof *page);
	return (page);
}

static struct span_of_data *
find(struct served *sv, struct server *s, int slot, int make)
{
	struct served_page	**page = &s->page[slot / PAGE];

	if (*page == NULL) {
		if (!make)
			return (NULL);
		if (sv->npages == SERVED_PAGES) {
			sv->refused++;
			return (NULL);
		}
		*page = make_page(sv);
	}
	return (&(*page)->slot[slot % PAGE]);
}

static int64_t *
first_at(const struct server *s, int slot)
{
	return (&s->page[slot / PAGE]->first_at[slot % PAGE]);
}

static int
emit(struct served *sv, const struct server *s, int slot, struct span_of_data *d, struct err *e)
{
	struct obs_view_node	 node;
	struct obs_view_slots	 range = { slot, slot, SLOTS_OWNED, 0, { NULL, 0 } };
	struct obs		 o;

	if (d->samples == 0)
		return (0);
	obs_view_node_init(&node);
	node.ep = party_endpoint(s);
	obs_init(&o, OBS_VIEW);
	o.at = *first_at(s, slot);
	o.last_at = d->last_at;
	o.at_basis = AT_STATED;
	o.precision_us = 1;
	o.where.part = d->first_part;
	o.where.position = d->first;
	if (d->first_part == d->last_part) {
		o.last_where.part = d->last_part;
		o.last_where.position = d->last;
	}
	o.samples = d->samples;
	o.max_gap_us = d->max_gap;
	o.observer = party_node(s);
	o.u.view.kind = VIEW_SERVED;
	o.u.view.nodes = &node;
	o.u.view.nnodes = 1;
	o.u.view.slots = &range;
	o.u.view.nslots = 1;
	d->samples = 0;
	return (sv->sink->obs(sv->sink, &o, e));
}

/* Emit what every server is known to have served of a slot. */
static int
emit_all(struct served *sv, int slot, struct err *e)
{
	struct span_of_data	*d;
	struct server		*s;

	for (s = parties_servers(sv->parties); s != NULL; s = s->all) {
		d = find(sv, s, slot, 0);
		if (d != NULL && emit(sv, s, slot, d, e) == -1)
			return (-1);
	}
	return (0);
}

void
served_expect(const struct server *s, int slot)
{
	const struct served_page	*page = s->page[(unsigned)slot / PAGE];

	if (page != NULL)
		__builtin_prefetch(&page->slot[(unsigned)slot % PAGE], 1);
}

static inline void
one_more(struct span_of_data *d, int64_t at, const struct locus *where)
{
	if (at - d->last_at > d->max_gap)
		d->max_gap = at - d->last_at;
	if (at > d->last_at)
		d->last_at = at;
	d->last = (uint32_t)where->position;
	d->last_part = (uint16_t)where->part;
	d->samples++;
}

/* The first answer of a span, or one to a slot with a question. */
static int
notable(struct served *sv, struct server *s, int slot, int64_t at, const struct locus *where,
    struct err *e)
{
	struct span_of_data	*d = find(sv, s, slot, 1);

	if (d == NULL)
		return (0);
	if (sv->by[slot] == 0)
		sv->by[slot] = s->number;
	else if (sv->by[slot] != s->number && !slots_has(&sv->asked, slot)) {
		slots_add(&sv->asked, slot, slot);
		if (emit_all(sv, slot, e) == -1)
			return (-1);
	}
	if (d->samples > 0 && slots_has(&sv->asked, slot) &&
	    (at - d->last_at > SILENCE_US || at - *first_at(s, slot) > SPAN_US || at < *first_at(s, slot) ||
	    d->first_part != where->part) && emit(sv, s, slot, d, e) == -1)
		return (-1);
	if (d->samples == 0) {
		d->quiet = !slots_has(&sv->asked, slot);
		*first_at(s, slot) = d->last_at = at;
		d->max_gap = 0;
		d->first = (uint32_t)where->position;
		d->first_part = (uint16_t)where->part;
	}
	one_more(d, at, where);
	return (0);
}

int
served_data(struct served *sv, struct server *s, int slot, int64_t at,
    const struct locus *where, struct err *e)
{
	struct served_page	*page = s->page[(unsigned)slot / PAGE];
	struct span_of_data	*d = page != NULL ? &page->slot[(unsigned)slot % PAGE] : NULL;

	if (d == NULL || d->samples == 0 || !d->quiet)
		return (notable(sv, s, slot, at, where, e));
	one_more(d, at, where);
	return (0);
}

int
served_redirect(struct served *sv, struct server *s, int slot, int moved, struct err *e)
{
	struct span_of_data	*d;

	if (!slots_has(&sv->asked, slot)) {
		slots_add(&sv->asked, slot, slot);
		return (emit_all(sv, slot, e));
	}
	d = moved ? find(sv, s, slot, 0) : NULL;
	return (d != NULL ? emit(sv, s, slot, d, e) : 0);
}

int
served_end(struct served *sv, struct err *e)
{
	struct locus	 none = { 0, 0, OBS_NO_NUM };
	int		 slot, to;

	for (slot = 0; slots_next(&sv->asked, slot, &slot, &to); slot++)
		if (emit_all(sv, slot, e) == -1)
			return (-1);
	if (sv->refused > 0)
		return (sink_problem(sv->sink, &none, "limit", e,
		    "too many servers and slots; %d answers with data were not kept",
		    sv->refused));
	return (0);
}
