/*
 * gate.c - the advice that the product gives, followed by a live client:
 * views disagree and the claimant is reachable: back off
 * min(2 * divergence, node timeout), then re-resolve the slot map.
 */
#include <stdio.h>
#include <string.h>

#include "client.h"

struct opinion {
	int	 views, owners;		/* how many answered; how many owners they name */
	char	 claimant[64], id[41];
	int64_t	 epoch;
};

static void
ask_all(struct client *c, int slot, struct opinion *o)
{
	static struct view	 v;
	char			 ids[MAX_ENDPOINTS][41];

	memset(o, 0, sizeof *o);
	o->epoch = -1;
	for (int i = 0; i < c->endpoints; i++) {
		const struct line_of	*l;
		int			 known = 0;

		if (client_ask(c, i, "CLUSTER NODES") < 0 || *c->at[i].link.reply != '$')
			continue;
		view_read(&v, strchr(c->at[i].link.reply, '\n') + 1);
		if (v.owner[slot] < 0)
			continue;
		l = &v.line[v.owner[slot]];
		o->views++;
		for (int k = 0; k < o->owners; k++)
			known |= strcmp(ids[k], l->id) == 0;
		if (!known)
			strcpy(ids[o->owners++], l->id);
		if (l->epoch > o->epoch) {
			o->epoch = l->epoch;
			strcpy(o->claimant, l->addr);
		}
	}
}

enum gate
gate_decide(struct client *c, int slot)
{
	struct opinion	 o;
	int64_t		 ms = (now_us() - c->cycling_since[slot]) / 1000 + 1, wait;
	int		 claimant;

	ask_all(c, slot, &o);
	claimant = o.views > 0 ? client_endpoint(c, o.claimant) : -1;
	if (claimant < 0 || client_ask(c, claimant, "PING") < 0) {
		client_log(c, "INFO", "gate: slot %d: claimant %s gives no answer", slot,
		    claimant < 0 ? "unknown" : o.claimant);
		return (GATE_RAISE);
	}
	if (o.owners < 2) {
		client_log(c, "INFO", "gate: slot %d: %d views agree on %s", slot, o.views,
		    o.claimant);
		return (GATE_CORRUPT);
	}
	if (ms > c->gate_ms)
		return (GATE_RAISE);
	wait = 2 * ms < c->gate_ms ? 2 * ms : c->gate_ms;
	client_log(c, "INFO", "gate: slot %d: %d views name %d owners, claimant %s at epoch %lld "
	    "answers, %lld ms so far, wait %lld ms", slot, o.views, o.owners, o.claimant,
	    (long long)o.epoch, (long long)ms, (long long)wait);
	c->backed_off++;
	sleep_us(wait * 1000);
	client_refresh(c);
	return (GATE_RETRY);
}
