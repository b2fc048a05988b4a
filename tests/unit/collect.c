#include "collect.h"

#include <stdlib.h>

#include "base/mem.h"

static void *
own(struct collect *c, const void *p, size_t n)
{
	void	*copy = mem_alloc(n);

	if (n > 0)
		memcpy(copy, p, n);
	c->owned = mem_more(c->owned, c->nowned, sizeof *c->owned);
	c->owned[c->nowned++] = copy;
	return (copy);
}

static void
keep(struct collect *c, struct span *s)
{
	if (s->p != NULL)
		s->p = own(c, s->p, s->n);
}

static void
keep_who(struct collect *c, struct who *w)
{
	keep(c, &w->name);
	keep(c, &w->node);
	keep(c, &w->ep.host);
	keep(c, &w->host);
	keep(c, &w->library);
}

static void
keep_view(struct collect *c, struct obs_view *v)
{
	struct obs_view_node	*n;
	struct obs_view_slots	*s;
	size_t			 i;

	keep_who(c, &v->asked_by);
	v->nodes = n = own(c, v->nodes, v->nnodes * sizeof *n);
	for (i = 0; i < v->nnodes; i++) {
		keep(c, &n[i].id);
		keep(c, &n[i].ep.host);
		keep(c, &n[i].hostname);
		keep(c, &n[i].flags);
		keep(c, &n[i].master);
		keep(c, &n[i].link_state);
	}
	v->slots = s = own(c, v->slots, v->nslots * sizeof *s);
	for (i = 0; i < v->nslots; i++)
		keep(c, &s[i].peer);
}

static void
keep_error(struct collect *c, struct obs_error *x)
{
	struct obs_hop	*h;
	size_t		 i;

	keep(c, &x->error_class);
	keep(c, &x->message);
	keep(c, &x->asked.host);
	keep(c, &x->target.host);
	keep(c, &x->last_code);
	keep(c, &x->context);
	keep(c, &x->rule);
	x->hops = h = own(c, x->hops, x->nhops * sizeof *h);
	for (i = 0; i < x->nhops; i++) {
		keep(c, &h[i].asked.host);
		keep(c, &h[i].target.host);
	}
}

static void
keep_rest(struct collect *c, struct obs *o)
{
	switch (o->kind) {
	case OBS_REDIRECT:
		keep(c, &o->u.redirect.asked.host);
		keep(c, &o->u.redirect.target.host);
		keep(c, &o->u.redirect.command);
		keep(c, &o->u.redirect.context);
		keep(c, &o->u.redirect.detail);
		break;
	case OBS_CONTACT:
		keep(c, &o->u.contact.ep.host);
		keep(c, &o->u.contact.context);
		keep(c, &o->u.contact.detail);
		break;
	case OBS_SETTING:
		keep(c, &o->u.setting.name);
		keep(c, &o->u.setting.value);
		break;
	case OBS_SERVER:
		keep(c, &o->u.server.subject);
		keep(c, &o->u.server.subject_ep.host);
		keep(c, &o->u.server.other);
		keep(c, &o->u.server.slots);
		keep(c, &o->u.server.detail);
		break;
	case OBS_COMMAND:
		keep(c, &o->u.command.ep.host);
		keep(c, &o->u.command.command);
		break;
	default:
		break;
	}
}

static int
collect_obs(struct sink *s, const struct obs *o, struct err *e)
{
	struct collect	*c = (struct collect *)s;
	struct obs	*copy;

	if (c->fail_after > 0 && c->nobs >= c->fail_after)
		return (err_set(e, "the sink is full"));
	c->obs = mem_more(c->obs, c->nobs, sizeof *c->obs);
	copy = &c->obs[c->nobs++];
	*copy = *o;
	keep_who(c, &copy->observer);
	if (o->kind == OBS_VIEW)
		keep_view(c, &copy->u.view);
	else if (o->kind == OBS_ERROR)
		keep_error(c, &copy->u.error);
	else
		keep_rest(c, copy);
	return (0);
}

static int
collect_add_problem(struct sink *s, const struct problem *p, struct err *e)
{
	struct collect	*c = (struct collect *)s;
	struct problem	*copy;

	(void)e;
	c->problems = mem_more(c->problems, c->nproblems, sizeof *c->problems);
	copy = &c->problems[c->nproblems++];
	*copy = *p;
	keep(c, &copy->ep.host);
	copy->reason = own(c, p->reason, strlen(p->reason) + 1);
	return (0);
}

static int
collect_end(struct sink *s, struct err *e)
{
	(void)e;
	((struct collect *)s)->ended++;
	return (0);
}

void
collect_init(struct collect *c)
{
	memset(c, 0, sizeof *c);
	c->sink.obs = collect_obs;
	c->sink.problem = collect_add_problem;
	c->sink.end = collect_end;
}

void
collect_free(struct collect *c)
{
	size_t	 i;

	for (i = 0; i < c->nowned; i++)
		free(c->owned[i]);
	free(c->owned);
	free(c->obs);
	free(c->problems);
	collect_init(c);
}

const struct obs *
collect_nth(const struct collect *c, enum obs_kind kind, size_t n)
{
	size_t	 i;

	for (i = 0; i < c->nobs; i++)
		if (c->obs[i].kind == kind && n-- == 0)
			return (&c->obs[i]);
	return (NULL);
}

size_t
collect_count(const struct collect *c, enum obs_kind kind)
{
	size_t	 i, n = 0;

	for (i = 0; i < c->nobs; i++)
		n += c->obs[i].kind == kind;
	return (n);
}

const struct problem *
collect_problem(const struct collect *c, const char *code, size_t n)
{
	size_t	 i;

	for (i = 0; i < c->nproblems; i++)
		if ((code == NULL || strcmp(c->problems[i].code, code) == 0) &&
		    n-- == 0)
			return (&c->problems[i]);
	return (NULL);
}
