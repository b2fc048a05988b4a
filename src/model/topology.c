#include "model/topology-part.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

void
topology_report(struct topology *t, const char *fmt, ...)
{
	char	 text[300];
	va_list	 ap;

	t->partial = 1;
	if (t->bad == NULL)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	t->bad(t->bad_arg, t->at, text);
}

void
topology_reset(struct topology *t)
{
	t->nnodes = t->nslots = 0;
	memset(&t->owned, 0, sizeof t->owned);
	t->myself = -1;
	t->partial = t->slots_lost = t->conf = 0;
	t->newest_pong_ms = 0;
	t->current_epoch = OBS_NO_NUM;
	t->at = 0;
}

void
topology_free(struct topology *t)
{
	free(t->nodes);
	free(t->slots);
	memset(t, 0, sizeof *t);
}

static int
is_hex(char c)
{
	return ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
}

static size_t
hex_run(struct span s)
{
	size_t	 n = 0;

	while (n < s.n && is_hex(s.p[n]))
		n++;
	return (n);
}

int
topology_is_id(struct span s)
{
	return (s.p != NULL && s.n == TOPOLOGY_ID_LEN && hex_run(s) == TOPOLOGY_ID_LEN);
}

int
topology_is_node_line(struct span s)
{
	size_t	 end;

	if (s.n < TOPOLOGY_ID_LEN + 4 || s.p[TOPOLOGY_ID_LEN] != ' ' || hex_run(s) != TOPOLOGY_ID_LEN)
		return (0);
	for (end = TOPOLOGY_ID_LEN + 1; end < s.n && s.p[end] != ' '; end++)
		if (s.p[end] == ':')
			return (1);
	return (0);
}

/* Digits only, at most 18 of them; -1 when it is no number. */
int64_t
topology_number(struct span s)
{
	int64_t	 v = 0;
	size_t	 i;

	if (s.p == NULL || s.n == 0 || s.n > 18)
		return (-1);
	for (i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return (-1);
		v = v * 10 + (s.p[i] - '0');
	}
	return (v);
}

int
topology_add_node(struct topology *t)
{
	if (t->nnodes >= TOPOLOGY_NODES_MAX) {
		t->slots_lost = 1;
		topology_report(t, "more than %d nodes in one view", TOPOLOGY_NODES_MAX);
		return (-1);
	}
	if (t->nnodes == t->nodes_cap) {
		t->nodes_cap = t->nodes_cap != 0 ? t->nodes_cap * 2 : 16;
		t->nodes = mem_grow(t->nodes, t->nodes_cap, sizeof *t->nodes);
	}
	obs_view_node_init(&t->nodes[t->nnodes]);
	return ((int)t->nnodes++);
}

struct obs_view_slots *
topology_add_slots(struct topology *t, int node, int from, int to)
{
	struct obs_view_slots	*s;

	if (t->nslots >= TOPOLOGY_SLOTS_MAX) {
		t->slots_lost = 1;
		topology_report(t, "more than %d slot ranges in one view", TOPOLOGY_SLOTS_MAX);
		return (NULL);
	}
	if (t->nslots == t->slots_cap) {
		t->slots_cap = t->slots_cap != 0 ? t->slots_cap * 2 : 16;
		t->slots = mem_grow(t->slots, t->slots_cap, sizeof *t->slots);
	}
	s = &t->slots[t->nslots++];
	memset(s, 0, sizeof *s);
	s->from = from;
	s->to = to;
	s->node = node;
	return (s);
}

void
topology_own(struct topology *t, int node, int from, int to)
{
	int	 at, end, clash = 0;

	if (!slots_any(&t->owned, from, to)) {
		topology_add_slots(t, node, from, to);
		slots_add(&t->owned, from, to);
		return;
	}
	for (at = from; at <= to; at = end + 1) {
		end = at;
		if (slots_has(&t->owned, at)) {
			while (end < to && slots_has(&t->owned, end + 1))
				end++;
			clash = 1;
			topology_report(t, "slots %d-%d are listed a second time", at, end);
			continue;
		}
		while (end < to && !slots_has(&t->owned, end + 1))
			end++;
		topology_add_slots(t, node, at, end);
	}
	if (clash)
		t->slots_lost = 1;
	slots_add(&t->owned, from, to);
}

void
topology_cut(struct topology *t, const char *how)
{
	t->slots_lost = 1;
	topology_report(t, "the answer is cut: %s", how);
}

void
topology_unended(struct topology *t)
{
	if (t->nnodes == 0 || t->current_epoch != OBS_NO_NUM ||
	    slots_count(&t->owned) == SLOTS_COUNT)
		return;
	if (t->nslots > 0 && t->slots[t->nslots - 1].node == (int)t->nnodes - 1)
		t->nslots--;
	topology_cut(t, "the last line has no end");
}

void
topology_view(const struct topology *t, struct obs_view *v)
{
	v->nodes = t->nodes;
	v->nnodes = t->nnodes;
	v->slots = t->slots;
	v->nslots = t->nslots;
	v->complete = !t->slots_lost;
	v->partial = t->partial;
	v->current_epoch = t->current_epoch;
}
