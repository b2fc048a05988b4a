#include "model/obs.h"

#include "base/buf.h"

static const char *const basis_words[AT_NBASES] = {
	"stated", "envelope", "zone", "assumed-utc", "neighbour", "file-name",
	"pong", "file-time", "none"
};
static const char *const view_words[VIEW_NKINDS] = {
	"dump", "reply", "conf", "bus", "gossip", "update", "log", "served"
};
static const char *const code_words[CODE_NCODES] = {
	"", "MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "READONLY", "LOADING",
	"MASTERDOWN"
};
static const char *const outcome_words[CONTACT_NOUTCOMES] = {
	"ok", "connected", "refused", "connect-timeout", "read-timeout", "reset",
	"closed", "unreachable"
};
static const char *const error_words[ERROR_NKINDS] = {
	"failover-error", "redirects-exhausted", "redirect-loop", "moved", "ask"
};

const char *
at_basis_word(enum at_basis b)
{
	return (basis_words[b]);
}

const char *
view_kind_word(enum view_kind k)
{
	return (view_words[k]);
}

const char *
reply_code_word(enum reply_code c)
{
	return (code_words[c]);
}

const char *
contact_outcome_word(enum contact_outcome o)
{
	return (outcome_words[o]);
}

const char *
error_kind_word(enum error_kind k)
{
	return (error_words[k]);
}

struct endpoint
endpoint_none(void)
{
	struct endpoint	 ep = { { NULL, 0 }, OBS_NO_PORT };

	return (ep);
}

void
obs_view_node_init(struct obs_view_node *n)
{
	memset(n, 0, sizeof *n);
	n->ep = endpoint_none();
	n->bus_port = n->config_epoch = OBS_NO_NUM;
}

void
obs_init(struct obs *o, enum obs_kind kind)
{
	memset(o, 0, sizeof *o);
	o->kind = kind;
	o->at = o->last_at = OBS_NO_TIME;
	o->at_basis = AT_NONE;
	o->where.offset = o->last_where.offset = OBS_NO_NUM;
	o->connection = o->tcp_seq = OBS_NO_NUM;
	o->observer.ep = endpoint_none();
	switch (kind) {
	case OBS_VIEW:
		o->u.view.rtt_us = o->u.view.current_epoch = OBS_NO_NUM;
		o->u.view.state = -1;
		o->u.view.asked_by.ep = endpoint_none();
		break;
	case OBS_REDIRECT:
		o->u.redirect.asked = o->u.redirect.target = endpoint_none();
		o->u.redirect.slot = OBS_NO_SLOT;
		o->u.redirect.asked_at = OBS_NO_TIME;
		o->u.redirect.request_position = OBS_NO_NUM;
		break;
	case OBS_CONTACT:
		o->u.contact.ep = endpoint_none();
		o->u.contact.retries = OBS_NO_NUM;
		break;
	case OBS_ERROR:
		o->u.error.slot = OBS_NO_SLOT;
		o->u.error.asked = o->u.error.target = endpoint_none();
		o->u.error.attempts = OBS_NO_NUM;
		o->u.error.started_at = OBS_NO_TIME;
		o->u.error.budget = o->u.error.backoff_ms = OBS_NO_NUM;
		break;
	case OBS_SERVER:
		o->u.server.subject_ep = endpoint_none();
		o->u.server.epoch = OBS_NO_NUM;
		break;
	case OBS_COMMAND:
		o->u.command.ep = endpoint_none();
		break;
	default:
		break;
	}
}

static void
put_address(struct buf *b, const struct endpoint *ep)
{
	buf_fmt(b, "%.*s:%d", (int)ep->host.n, ep->host.p,
	    ep->port > 0 ? ep->port : 0);
}

void
who_name(struct buf *b, const struct who *w)
{
	if (w->kind == WHO_NODE && w->node.n > 0)
		buf_add(b, w->node.p, w->node.n);
	else if (w->kind == WHO_NODE && w->ep.host.n > 0)
		put_address(b, &w->ep);
	else if (w->name.n > 0)
		buf_add(b, w->name.p, w->name.n);
	else if (w->host.n > 0)
		buf_add(b, w->host.p, w->host.n);
	else if (w->ep.host.n > 0)
		put_address(b, &w->ep);
	else
		buf_str(b, "unknown");
}
