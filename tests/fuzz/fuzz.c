#include "fuzz.h"

#include <stdlib.h>

#define MUST(what)	do { if (!(what)) abort(); } while (0)

static uint64_t	 digest;		/* of all that was emitted */

static void
mix(int64_t v)
{
	digest = (digest ^ (uint64_t)v) * UINT64_C(0x100000001b3);
}

static void
touch(struct span s)
{
	size_t	 i;

	MUST(s.p != NULL || s.n == 0);
	mix((int64_t)s.n);
	for (i = 0; i < s.n; i++)
		mix(s.p[i]);
}

static void
endpoint(struct endpoint ep)
{
	touch(ep.host);
	MUST(ep.port >= -1 && ep.port <= 65535);
	mix(ep.port);
}

static void
who(const struct who *w)
{
	MUST(w->kind >= 0 && w->kind < WHO_NKINDS);
	touch(w->name);
	touch(w->node);
	touch(w->host);
	touch(w->library);
	endpoint(w->ep);
}

static void
view(const struct obs_view *v)
{
	size_t	 i;

	MUST(v->kind >= 0 && v->kind < VIEW_NKINDS);
	MUST(v->state >= -1 && v->state <= 1);
	if (v->asked_by.name.p != NULL)
		who(&v->asked_by);
	for (i = 0; i < v->nnodes; i++) {
		touch(v->nodes[i].id);
		touch(v->nodes[i].hostname);
		touch(v->nodes[i].flags);
		touch(v->nodes[i].master);
		touch(v->nodes[i].link_state);
		endpoint(v->nodes[i].ep);
	}
	for (i = 0; i < v->nslots; i++) {
		MUST(v->slots[i].from >= 0 && v->slots[i].from <= v->slots[i].to);
		MUST(v->slots[i].to <= 16383);
		MUST(v->slots[i].node >= 0 && (size_t)v->slots[i].node < v->nnodes);
		mix(v->slots[i].from);
		mix(v->slots[i].to);
		mix(v->slots[i].node);
		touch(v->slots[i].peer);
	}
}

static void
slot(int s)
{
	MUST(s >= OBS_NO_SLOT && s <= 16383);
	mix(s);
}

static void
redirect(const struct obs_redirect *r)
{
	MUST(r->code > CODE_NONE && r->code < CODE_NCODES);
	slot(r->slot);
	endpoint(r->asked);
	endpoint(r->target);
	touch(r->command);
	touch(r->context);
	touch(r->detail);
}

static void
error(const struct obs_error *x)
{
	size_t	 i;

	MUST(x->kind >= 0 && x->kind < ERROR_NKINDS);
	slot(x->slot);
	touch(x->error_class);
	touch(x->message);
	touch(x->last_code);
	touch(x->context);
	touch(x->rule);
	endpoint(x->asked);
	endpoint(x->target);
	for (i = 0; i < x->nhops; i++) {
		endpoint(x->hops[i].asked);
		endpoint(x->hops[i].target);
	}
}

static void
server(const struct obs_server *s)
{
	MUST(s->kind != NULL && s->event != NULL);
	touch(s->subject);
	touch(s->other);
	touch(s->slots);
	touch(s->detail);
	endpoint(s->subject_ep);
}

static int
take(struct sink *s, const struct obs *o, struct err *e)
{
	(void)s, (void)e;
	MUST(o->at_basis >= 0 && o->at_basis < AT_NBASES);
	MUST(o->where.position >= 0);
	MUST(o->samples >= 0 && o->precision_us >= 0);
	if (o->at != OBS_NO_TIME && o->last_at != OBS_NO_TIME)
		MUST(o->last_at >= o->at);
	mix(o->kind);
	mix(o->at);
	mix(o->last_at);
	mix(o->where.position);
	mix(o->last_where.position);
	mix(o->samples);
	mix(o->max_gap_us);
	mix(o->connection);
	mix(o->tcp_seq);
	who(&o->observer);
	switch (o->kind) {
	case OBS_VIEW:
		view(&o->u.view);
		break;
	case OBS_REDIRECT:
		redirect(&o->u.redirect);
		break;
	case OBS_CONTACT:
		MUST(o->u.contact.outcome < CONTACT_NOUTCOMES);
		mix(o->u.contact.outcome);
		endpoint(o->u.contact.ep);
		touch(o->u.contact.context);
		touch(o->u.contact.detail);
		break;
	case OBS_ERROR:
		error(&o->u.error);
		break;
	case OBS_SETTING:
		touch(o->u.setting.name);
		touch(o->u.setting.value);
		break;
	case OBS_SERVER:
		server(&o->u.server);
		break;
	case OBS_COMMAND:
		endpoint(o->u.command.ep);
		touch(o->u.command.command);
		MUST(o->u.command.requests > 0);
		mix(o->u.command.requests);
		mix(o->u.command.connections);
		break;
	default:
		abort();
	}
	return (0);
}

static int
problem(struct sink *s, const struct problem *p, struct err *e)
{
	(void)s, (void)e;
	MUST(p->code != NULL && p->reason != NULL);
	touch(span_of(p->reason));
	endpoint(p->ep);
	mix(p->where.position);
	mix(p->bytes);
	return (0);
}

static int
end(struct sink *s, struct err *e)
{
	(void)s, (void)e;
	return (0);
}

struct sink *
fuzz_sink(void)
{
	static struct sink	 s = { .obs = take, .problem = problem, .end = end };

	return (&s);
}

uint64_t
fuzz_digest(void)
{
	uint64_t	 d = digest;

	digest = 0;
	return (d);
}

size_t
fuzz_piece(const uint8_t *p, size_t n, size_t at, size_t most)
{
	size_t	 k = 1 + p[(at * 7 + 3) % n] % most;

	return (k < n - at ? k : n - at);
}

void
fuzz_format(const struct format *f, const uint8_t *p, size_t n, size_t max_read)
{
	struct decode_ctx	 ctx = {
		.zone_s = OBS_NO_NUM, .mtime = 1796002941000000,
	};
	struct err		 e = ERR_INIT;
	struct input		*in = input_memory(p, n, "fuzz", max_read);
	struct span		 prefix = span_make((const char *)p, n < 65536 ? n : 65536);
	char			 why[200];

	f->bid(prefix, "fuzz", why, sizeof why);
	if (f->first_at != NULL)
		f->first_at(prefix);
	f->decode(in, &ctx, fuzz_sink(), &e);
	input_close(in);
}
