/*
 * exchange.c - the usual exchange, the short way: a segment that is exactly one
 * plain request, exactly the plain reply to the oldest one, or an error, on a connection
 * where everything is as it should be.  Nearly all packets of a capture are
 * such, and this is what they cost.
 *
 * Each half first looks and changes nothing; whatever is out of the ordinary
 * is left to the general code, tcp.c to pairing.c, which would have come to the
 * same.  tests/general.sh and the fuzzer compare the two.
 */
#include <string.h>

#include "wire/talk.h"

/* None of these may be set: they change what a message means. */
enum {
	ODD_FOR_REQUEST = T_MULTI | T_ASKING | T_REPLY_OFF | T_SKIP,
	ODD_FOR_REPLY = T_MONITOR
};

/* Where the next request goes, NULL: it takes more than to put it there. */
static inline struct request *
room(struct talk *t)
{
	if (t->ring == NULL)
		return (t->count == 0 ? &t->one : NULL);
	return (t->count < t->cap ? &t->ring[(t->head + t->count) & (t->cap - 1)] : NULL);
}

static int
request(struct dialog *d, struct tcp_flow *f, const struct frame *fr, int64_t at,
    const struct locus *where, struct err *e)
{
	struct talk		*t = talk_of(f);
	struct span		 words[RESP_PLAIN_WORDS];
	const struct command	*c;
	struct request		*r = room(t);
	unsigned		 number;
	int			 n;

	if (r == NULL || (t->flags & ODD_FOR_REQUEST) != 0 || t->pair == NULL || d->keep_keys ||
	    (n = resp_plain_request((const char *)fr->data, fr->len, words)) == 0 ||
	    (c = commands_seen(d->commands, words[0], &number)) == NULL ||
	    c->role != CMD_PLAIN || c->first_key >= RESP_PLAIN_WORDS)
		return (talk_segment(d, fr, at, where, e));
	tcp_took(f, t->client, fr, at, where);
	if (at > d->now)
		d->now = at;
	d->counts.requests++;
	t->count++;
	r->at = at;
	r->note = NULL;
	r->position = (uint32_t)where->position;
	r->end = fr->seq + fr->len;
	r->part = (uint16_t)where->part;
	r->command = (uint16_t)number;
	r->slot = OBS_NO_SLOT;
	r->flags = REQ_PLAIN;
	if ((c->flags & COMMAND_WRITE) || !(t->flags & T_MAY_READ))
		r->flags |= REQ_CLAIMS;
	if (c->first_key > 0 && c->first_key < n) {
		r->slot = (int16_t)slots_of_key(words[c->first_key]);
		served_expect(t->pair->server, r->slot);
	}
	return (talk_count(d, t, RATE_OTHER, at, where, e));
}

/* An error changes nothing of how bytes and messages are found: only that. */
static int
error(struct dialog *d, struct tcp_flow *f, const struct frame *fr, int64_t at,
    const struct locus *where, struct err *e)
{
	struct talk			*t = talk_of(f);
	const struct stream_seen	 seen = {
		.at = at, .where = *where, .seq = fr->seq, .ack = fr->ack
	};
	const struct reply		 reply = {
		span_make((const char *)fr->data, fr->len), 1, 0, &seen, 0
	};

	tcp_took(f, !t->client, fr, at, where);
	if (at > d->now)
		d->now = at;
	t->heard = fr->ack;
	t->heard_known = 1;
	return (talk_reply(d, f, &reply, e));
}

static int
reply(struct dialog *d, struct tcp_flow *f, const struct frame *fr, int64_t at,
    const struct locus *where, struct err *e)
{
	struct talk		*t = talk_of(f);
	const struct request	*r = t->ring != NULL ? &t->ring[t->head] : &t->one;
	struct pair		*pair = t->pair;

	if (t->count == 0 || (t->flags & (T_SURE | ODD_FOR_REPLY)) != T_SURE || pair == NULL ||
	    !pair->server->redis || (r->flags & REQ_PLAIN) == 0 || seq_before(fr->ack, r->end) ||
	    at - r->at > DIALOG_SLOW_US || (t->count == 1 && t->cap > TALK_RING_KEPT) ||
	    !resp_is_plain_reply((const char *)fr->data, fr->len)) {
		if (resp_is_plain_error((const char *)fr->data, fr->len))
			return (error(d, f, fr, at, where, e));
		return (talk_segment(d, fr, at, where, e));
	}
	tcp_took(f, !t->client, fr, at, where);
	if (at > d->now)
		d->now = at;
	t->heard = fr->ack;
	t->heard_known = 1;
	d->counts.replies++;
	t->replies++;
	t->count--;
	if (t->ring != NULL)
		t->head = (t->head + 1) & (t->cap - 1);
	if (pair_reply(d->parties, pair, at, where, &f->connection, e) == -1)
		return (-1);
	if (r->slot == OBS_NO_SLOT || !(r->flags & REQ_CLAIMS))
		return (0);
	return (served_data(d->served, pair->server, r->slot, at, where, e));
}

int
exchange_segment(struct dialog *d, const struct frame *fr, int64_t at,
    const struct locus *where, struct err *e)
{
	int			 side;
	struct tcp_flow		*f = tcp_usual(d->near, fr, &side);
	const struct talk	*t = f != NULL ? talk_of(f) : NULL;

	if (t == NULL || t->kind != TALK_RESP || !t->synced[0] || !t->synced[1] ||
	    t->part[side] != NULL)
		return (talk_segment(d, fr, at, where, e));
	if (side == t->client)
		return (request(d, f, fr, at, where, e));
	return (reply(d, f, fr, at, where, e));
}
