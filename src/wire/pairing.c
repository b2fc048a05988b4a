#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "wire/talk.h"

struct request *
talk_head(struct talk *t)
{
	if (t->count == 0)
		return (NULL);
	return (t->ring != NULL ? &t->ring[t->head] : &t->one);
}

static void
pop(struct dialog *d, struct talk *t)
{
	struct request	*r = talk_head(t);

	if (r == NULL)
		return;
	free(r->note);
	r->note = NULL;
	t->count--;
	if (t->ring == NULL)
		return;
	t->head = (t->head + 1) & (t->cap - 1);
	if (t->count == 0 && t->cap > TALK_RING_KEPT) {
		d->outstanding -= t->cap;
		free(t->ring);
		t->ring = NULL;
		t->cap = t->head = 0;
	}
}

void
talk_forget(struct dialog *d, struct talk *t)
{
	while (t->count > 0)
		pop(d, t);
	if (t->ring != NULL) {
		d->outstanding -= t->cap;
		free(t->ring);
		t->ring = NULL;
		t->cap = t->head = 0;
	}
	t->exchanges = 0;
	t->flags &= (uint16_t)~(T_SURE | T_ASKING | T_MULTI | T_SKIP);
	t->flags |= T_MAY_READ;
}

/* Room for one more; false past the limits. */
static int
grow(struct dialog *d, struct talk *t)
{
	uint32_t	 cap = t->cap == 0 ? 8 : t->cap * 2, i;
	struct request	*ring;

	if (cap > DIALOG_OUTSTANDING || d->outstanding - t->cap + cap > DIALOG_OUTSTANDING_ALL)
		return (0);
	ring = mem_alloc(cap * sizeof *ring);
	if (t->ring == NULL)
		ring[0] = t->one;
	for (i = 0; t->ring != NULL && i < t->count; i++)
		ring[i] = t->ring[(t->head + i) & (t->cap - 1)];
	d->outstanding += cap - t->cap;
	free(t->ring);
	t->ring = ring;
	t->cap = cap;
	t->head = 0;
	return (1);
}

static struct request *
push(struct dialog *d, struct talk *t)
{
	if (t->ring == NULL && t->count == 0) {
		t->count = 1;
		return (&t->one);
	}
	if (t->count >= t->cap && !grow(d, t)) {
		d->limits++;
		talk_forget(d, t);
		return (NULL);
	}
	return (&t->ring[(t->head + t->count++) & (t->cap - 1)]);
}

static enum rate
rate_of(const struct command *c)
{
	switch (c->role) {
	case CMD_SLOTS:
		return (RATE_SLOTS);
	case CMD_SHARDS:
		return (RATE_SHARDS);
	case CMD_NODES:
		return (RATE_NODES);
	case CMD_ASKING:
		return (RATE_ASKING);
	case CMD_SETUP:
	case CMD_READONLY:
		return (RATE_SETUP);
	default:
		return (RATE_OTHER);
	}
}

static int
is_word(struct span s, const char *word)
{
	size_t	 i;

	if (s.n != strlen(word))
		return (0);
	for (i = 0; i < s.n; i++)
		if ((s.p[i] | 32) != word[i])
			return (0);
	return (1);
}

/* CLIENT REPLY ON|OFF|SKIP: whether the command itself is answered. */
static int
reply_mode(struct talk *t, const struct span *words, int n)
{
	if (n < 3 || is_word(words[2], "on")) {
		t->flags &= (uint16_t)~(T_REPLY_OFF | T_SKIP);
		return (1);
	}
	if (is_word(words[2], "off"))
		t->flags |= T_REPLY_OFF;
	else if (is_word(words[2], "skip") && !(t->flags & T_REPLY_OFF))
		t->flags |= T_SKIP;
	return (0);
}

/* What a command does to the ones after it, at the time it is sent. */
static void
after(struct talk *t, const struct command *c)
{
	switch (c->role) {
	case CMD_ASKING:
		t->flags |= T_ASKING;
		return;
	case CMD_MULTI:
		t->flags |= T_MULTI;	/* ASKING then lasts to the EXEC */
		return;
	case CMD_RESET:
		t->flags &= (uint16_t)~(T_MULTI | T_ASKING | T_MAY_READ | T_PUBSUB | T_MONITOR);
		return;
	case CMD_EXEC:
	case CMD_DISCARD:
		t->flags &= (uint16_t)~(T_MULTI | T_ASKING);
		return;
	case CMD_READONLY:
		t->flags |= T_MAY_READ;
		break;
	case CMD_READWRITE:
		t->flags &= (uint16_t)~T_MAY_READ;
		break;
	case CMD_SUBSCRIBE:
		t->flags |= T_PUBSUB;
		break;
	default:
		break;
	}
	if (!(t->flags & T_MULTI))
		t->flags &= (uint16_t)~T_ASKING;
}

/* Whether a reply is owed, from CLIENT REPLY and its like. */
static int
is_answered(struct talk *t, const struct command *c, const struct span *words, int n)
{
	int	 skip = t->flags & T_SKIP;

	if (c->role == CMD_REPLY)
		return (reply_mode(t, words, n));
	t->flags &= (uint16_t)~T_SKIP;
	return (!skip && !(t->flags & T_REPLY_OFF));
}

int
talk_request(struct dialog *d, struct tcp_flow *f, const struct span *words, int n,
    int count, const struct stream_seen *seen, uint32_t end, struct err *e)
{
	struct talk		*t = talk_of(f);
	unsigned		 number = commands_find(d->commands, words, n);
	const struct command	*c = commands_at(d->commands, number);
	struct request		*r;

	(void)count;
	d->counts.requests++;
	if (c->role == CMD_REPLICA) {
		talk_forget(d, t);
		t->kind = TALK_REPLICATION;
		return (0);
	}
	if (t->pair != NULL && talk_count(d, t, rate_of(c), seen->at, &seen->where, e) == -1)
		return (-1);
	if (is_answered(t, c, words, n) && (r = push(d, t)) != NULL) {
		memset(r, 0, sizeof *r);
		r->at = seen->at;
		r->position = (uint32_t)seen->where.position;
		r->part = (uint16_t)seen->where.part;
		r->end = end;
		r->command = (uint16_t)number;
		r->slot = OBS_NO_SLOT;
		if (c->first_key > 0 && c->first_key < n)
			r->slot = (int16_t)slots_of_key(words[c->first_key]);
		if (r->slot != OBS_NO_SLOT && t->pair != NULL)
			served_expect(t->pair->server, r->slot);
		if (t->flags & T_ASKING)
			r->flags |= REQ_ASKING;
		else if ((c->flags & COMMAND_WRITE) || !(t->flags & T_MAY_READ))
			r->flags |= REQ_CLAIMS;
		if (c->role >= CMD_NODES && c->role <= CMD_CONFIG_GET)
			r->flags |= REQ_KEPT;
		r->note = answer_note(d, c, words, n);
		if (c->role == CMD_PLAIN && r->note == NULL)
			r->flags |= REQ_PLAIN;
	}
	after(t, c);
	return (0);
}

/* The element that says what an array or a push is about, if it is a string. */
static struct span
first_word(struct span text)
{
	struct resp_item	 it;
	struct span		 none = { NULL, 0 };

	if (resp_item(&text, &it) != 1 || (it.type != '*' && it.type != '>') ||
	    resp_item(&text, &it) != 1 || (it.type != '$' && it.type != '+'))
		return (none);
	return (it.text);
}

/* Published messages, and confirmations of which only the first answers. */
static int
is_published(const struct talk *t, struct span text)
{
	static const char *const words[] = { "message", "pmessage", "smessage", "subscribe",
	    "psubscribe", "ssubscribe", "unsubscribe", "punsubscribe", "sunsubscribe" };
	struct span	 word;
	size_t		 i;

	if (text.p[0] != '>' && (text.p[0] != '*' || !(t->flags & T_PUBSUB)))
		return (0);
	word = first_word(text);
	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (span_is(word, words[i]))
			return (i < 3 ? 1 : 2);
	return (text.p[0] == '>');
}

/* Attributes come before what they belong to. */
static struct span
without_attributes(struct span text)
{
	struct resp		 scan;
	struct resp_item	 it;
	struct span		 rest;
	int64_t			 i;
	ssize_t			 used;

	while (text.n > 0 && text.p[0] == '|') {
		rest = text;
		if (resp_item(&rest, &it) != 1)
			return (rest);
		for (i = 0; i < it.count * 2; i++) {
			memset(&scan, 0, sizeof scan);
			used = resp_scan(&scan, rest.p, rest.n);
			if (used <= 0 || !resp_done(&scan))
				return (span_make(rest.p, 0));
			rest.p += used;
			rest.n -= (size_t)used;
		}
		text = rest;
	}
	return (text);
}

/* The text of an error reply: a line, or a string of RESP3. */
static struct span
error_text(struct span text)
{
	struct span		 rest = text;
	struct resp_item	 it;
	const char		*cr;

	if (text.p[0] == '!' && resp_item(&rest, &it) == 1)
		return (it.text);
	cr = memchr(text.p, '\r', text.n);
	return (span_make(text.p + 1, (cr != NULL ? (size_t)(cr - text.p) : text.n) - 1));
}

/* A reply came late: the contact was slow meanwhile. */
static int
slow(struct dialog *d, struct tcp_flow *f, const struct request *r, int64_t until,
    const struct locus *where, const char *detail, struct err *e)
{
	struct talk	*t = talk_of(f);
	struct attempt	 a = { CONTACT_READ_TIMEOUT, r->at, until, OBS_NO_NUM,
	    f->connection, { r->part, r->position, OBS_NO_NUM }, *where, "" };

	if (r->at < t->slow_until || t->pair == NULL)
		return (0);
	t->slow_until = until;
	strncpy(a.detail, detail, sizeof a.detail - 1);
	return (pair_attempt(d->parties, t->pair, &a, e));
}

/* One request, one reply, nothing else under way: pairing is proven by two. */
static void
clean_exchange(struct talk *t)
{
	if (t->flags & T_SURE)
		return;
	if (t->count != 1)
		t->exchanges = 0;
	else if (++t->exchanges >= 2)
		t->flags |= T_SURE;
}

static int
data_reply(struct dialog *d, struct tcp_flow *f, const struct request *r,
    const struct reply *reply, struct err *e)
{
	struct talk	*t = talk_of(f);

	if (r->slot != OBS_NO_SLOT && (r->flags & REQ_CLAIMS) && (t->flags & T_SURE) &&
	    t->pair != NULL && served_data(d->served, t->pair->server, r->slot,
	    reply->seen->at, &reply->seen->where, e) == -1)
		return (-1);
	return (0);
}

static int
unpaired(struct dialog *d, struct tcp_flow *f, const struct reply *reply, struct span text,
    struct err *e)
{
	talk_forget(d, talk_of(f));
	if (text.n > 0 && (text.p[0] == '-' || text.p[0] == '!'))
		return (answer_redirect(d, f, NULL, error_text(text), reply->seen, e));
	return (0);
}

static int
paired(struct dialog *d, struct tcp_flow *f, struct request *r, const struct reply *reply,
    struct span text, struct err *e)
{
	struct talk		*t = talk_of(f);
	const struct command	*c = commands_at(d->commands, r->command);
	int			 sure = (t->flags & T_SURE) != 0;

	if (sure && !(c->flags & COMMAND_BLOCKS) && reply->seen->at - r->at > DIALOG_SLOW_US &&
	    slow(d, f, r, reply->seen->at, &reply->seen->where, "answered late", e) == -1)
		return (-1);
	if ((r->flags & REQ_KEPT || r->note != NULL) && (sure || t->count == 1) &&
	    answer_read(d, f, r, reply, e) == -1)
		return (-1);
	if (text.p[0] == '-' || text.p[0] == '!')
		return (answer_redirect(d, f, sure ? r : NULL, error_text(text), reply->seen, e));
	if (c->role == CMD_MONITOR)
		t->flags |= T_MONITOR;
	return (data_reply(d, f, r, reply, e));
}

int
talk_reply(struct dialog *d, struct tcp_flow *f, const struct reply *reply, struct err *e)
{
	struct talk	*t = talk_of(f);
	struct span	 text = without_attributes(reply->text);
	struct request	*r = talk_head(t);
	int		 published, ret;

	d->counts.replies++;
	if (reply->text.n > 0 && (reply->text.p[0] == '*' || reply->text.p[0] == '>') &&
	    is_word(first_word(reply->text), "replconf")) {
		talk_forget(d, t);
		t->kind = TALK_REPLICATION;	/* a replica's words to its master */
		return (0);
	}
	t->replies++;
	if (t->pair != NULL && (parties_redis(d->parties, t->pair->server, e) == -1 ||
	    pair_reply(d->parties, t->pair, reply->seen->at, &reply->seen->where,
	    &f->connection, e) == -1))
		return (-1);
	if ((t->flags & T_MONITOR) || text.n == 0)
		return (0);
	published = is_published(t, text);
	if (published == 2 && r != NULL &&
	    commands_at(d->commands, r->command)->role == CMD_SUBSCRIBE)
		pop(d, t);
	if (published)
		return (0);
	if (r == NULL || seq_before(reply->seen->ack, r->end))
		return (unpaired(d, f, reply, text, e));
	clean_exchange(t);
	ret = paired(d, f, r, reply, text, e);
	if (t->count > 0 && talk_head(t) == r)
		pop(d, t);
	return (ret);
}

int
talk_unanswered(struct dialog *d, struct tcp_flow *f, int64_t at, const struct locus *where,
    int hung_up, struct err *e)
{
	struct talk		*t = talk_of(f);
	struct request		*r = talk_head(t);
	const struct command	*c;
	int			 ret = 0;

	if (r == NULL || t->pair == NULL)
		return (0);
	c = commands_at(d->commands, r->command);
	if ((t->flags & T_SURE) && !(c->flags & COMMAND_BLOCKS) && c->role != CMD_SUBSCRIBE &&
	    !(t->flags & T_MONITOR) &&
	    at - r->at > (hung_up ? DIALOG_GAVE_UP_US : DIALOG_SLOW_US))
		ret = slow(d, f, r, at, where, hung_up ? "the client hung up" : "never answered",
		    e);
	talk_forget(d, t);
	return (ret);
}
