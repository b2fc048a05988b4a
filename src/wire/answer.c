#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "model/endpoint.h"
#include "model/redis-error.h"
#include "wire/talk.h"

enum { NOTE_BYTES = 240, TOKENS_MOST = 400000, CONFIG_BYTES = 1 << 16 };

/* Settings that bear on failovers.  No other value is ever stored. */
static const char *const settings[] = {
	"cluster-node-timeout", "cluster-require-full-coverage",
	"cluster-allow-reads-when-down", "cluster-migration-barrier",
	"cluster-allow-replica-migration", "cluster-replica-validity-factor",
	"cluster-slave-validity-factor", "cluster-replica-no-failover",
	"cluster-slave-no-failover", "cluster-enabled", "cluster-announce-ip",
	"cluster-announce-port", "cluster-announce-tls-port", "cluster-announce-bus-port",
	"cluster-announce-hostname", "cluster-preferred-endpoint-type",
	"cluster-allow-pubsubshard-when-down", "replica-serve-stale-data",
	"slave-serve-stale-data", "min-replicas-to-write", "min-slaves-to-write",
	"repl-timeout", "timeout", "tcp-keepalive",
};

static const char *
setting(struct span name)
{
	size_t	 i;

	for (i = 0; i < sizeof settings / sizeof settings[0]; i++)
		if (name.n == strlen(settings[i]) &&
		    strncasecmp(name.p, settings[i], name.n) == 0)
			return (settings[i]);
	return (NULL);
}

/* Words joined by one character each, printable; at most NOTE_BYTES. */
static char *
join(const struct span *words, int n, const char *between)
{
	char	*note = mem_alloc(NOTE_BYTES + 1), c;
	size_t	 at = 0, k;
	int	 i;

	for (i = 0; i < n; i++) {
		if (i > 0 && at < NOTE_BYTES)
			note[at++] = between[i % 2];
		for (k = 0; k < words[i].n && at < NOTE_BYTES; k++) {
			c = words[i].p[k];
			note[at++] = (char)(c >= 0x20 && c < 0x7f ? c : '?');
		}
	}
	note[at] = '\0';
	return (note);
}

/* "name value" lines of a CONFIG SET, known settings only. */
static char *
config_note(const struct span *words, int n)
{
	struct span	 kept[16];
	int		 i, k = 0;

	for (i = 2; i + 1 < n && k + 2 <= 16; i += 2)
		if (setting(words[i]) != NULL) {
			kept[k++] = words[i];
			kept[k++] = words[i + 1];
		}
	return (k > 0 ? join(kept, k, "\n ") : NULL);
}

char *
answer_note(const struct dialog *d, const struct command *c, const struct span *words, int n)
{
	if (c->role >= CMD_FAILOVER)
		return (join(words, n, "  "));
	if (c->role == CMD_CONFIG_SET)
		return (config_note(words, n));
	if (d->keep_keys && c->first_key > 0 && c->first_key < n)
		return (join(words + c->first_key, 1, "  "));
	return (NULL);
}

size_t
answer_most(const struct dialog *d, const struct request *r)
{
	if (r == NULL || !(r->flags & REQ_KEPT))
		return (DIALOG_LINE);
	return (commands_at(d->commands, r->command)->role == CMD_CONFIG_GET ? CONFIG_BYTES :
	    DIALOG_REPLY);
}

static void
stamp(struct obs *o, const struct tcp_flow *f, const struct stream_seen *seen)
{
	o->at = seen->at;
	o->at_basis = AT_STATED;
	o->precision_us = 1;
	o->where = seen->where;
	o->connection = f->connection;
	o->tcp_seq = seen->seq;
}

int
answer_redirect(struct dialog *d, struct tcp_flow *f, const struct request *r,
    struct span text, const struct stream_seen *seen, struct err *e)
{
	struct talk		*t = talk_of(f);
	struct redis_error	 re;
	struct obs		 o;

	if (t->pair == NULL || redis_error_parse(text, &re) == -1)
		return (0);
	d->counts.redirects++;
	obs_init(&o, OBS_REDIRECT);
	stamp(&o, f, seen);
	o.observer = party_client(t->pair->client);
	o.u.redirect.code = re.code;
	o.u.redirect.asked = party_endpoint(t->pair->server);
	o.u.redirect.slot = re.slot;
	o.u.redirect.target = re.target;
	if (r != NULL) {
		if (re.slot == OBS_NO_SLOT)
			o.u.redirect.slot = r->slot;
		o.u.redirect.command = span_of(commands_at(d->commands, r->command)->name);
		if (r->at <= seen->at)	/* clocks step back */
			o.u.redirect.asked_at = r->at;
		if (r->part == seen->where.part)
			o.u.redirect.request_position = r->position;
		o.u.redirect.asking = (r->flags & REQ_ASKING) != 0;
		if (r->note != NULL && commands_at(d->commands, r->command)->role == CMD_PLAIN)
			o.u.redirect.detail = span_of(r->note);
	}
	if (re.code == CODE_MOVED || re.code == CODE_ASK)
		if (parties_named(d->parties, &re.target, e) == -1 ||
		    served_redirect(d->served, t->pair->server, re.slot,
		    re.code == CODE_MOVED, e) == -1)
			return (-1);
	return (d->sink->obs(d->sink, &o, e));
}

/* A view by the server that answers, as of when it was asked. */
static void
view_init(struct obs *o, struct tcp_flow *f, const struct request *r,
    const struct reply *reply, const char *form)
{
	struct talk	*t = talk_of(f);

	obs_init(o, OBS_VIEW);
	stamp(o, f, reply->seen);
	o->at = r->at;
	o->observer = party_node(t->pair->server);
	o->u.view.kind = VIEW_REPLY;
	o->u.view.form = form;
	o->u.view.rtt_us = reply->seen->at > r->at ? reply->seen->at - r->at : 0;
	o->u.view.asked_by = party_client(t->pair->client);
}

struct bad {
	size_t		 count, at;
	char		 reason[200];	/* of the first */
};

static void
note_bad(void *arg, size_t at, const char *reason)
{
	struct bad	*b = arg;

	if (b->count++ == 0) {
		b->at = at;
		snprintf(b->reason, sizeof b->reason, "%s", reason);
	}
}

/* The text of a bulk, verbatim or simple string. */
static struct span
string_of(struct span text)
{
	struct resp_item	 it;

	if (resp_item(&text, &it) != 1 || (it.type != '$' && it.type != '=' && it.type != '+') ||
	    it.text.p == NULL)
		return (span_make("", 0));
	if (it.type == '=' && it.text.n >= 4)
		it.text = span_make(it.text.p + 4, it.text.n - 4);
	return (it.text);
}

static int
topology_reply(struct dialog *d, struct tcp_flow *f, const struct request *r,
    const struct reply *reply, enum command_role role, struct err *e)
{
	struct topology	*tp = &d->topology;
	struct bad	 bad = { 0, 0, "" };
	struct obs	 o;
	size_t		 most, i;
	ssize_t		 n;

	view_init(&o, f, r, reply, role == CMD_NODES ? "nodes" :
	    role == CMD_SLOTS ? "slots" : "shards");
	topology_reset(tp);
	tp->bad = note_bad;
	tp->bad_arg = &bad;
	if (role == CMD_NODES) {
		topology_nodes_text(tp, string_of(reply->text));
		if (tp->myself >= 0)
			o.observer.node = tp->nodes[tp->myself].id;
	} else {
		most = reply->text.n / 3 + 1 < TOKENS_MOST ? reply->text.n / 3 + 1 : TOKENS_MOST;
		if (most > d->tokens_cap) {
			d->tokens = mem_grow(d->tokens, most, sizeof *d->tokens);
			d->tokens_cap = most;
		}
		n = resp_tokens(reply->text, d->tokens, most);
		if (n < 0 && sink_problem(d->sink, &reply->seen->where, "malformed", e,
		    "CLUSTER %s reply: not sound, or of more than %d values", o.u.view.form,
		    TOKENS_MOST) == -1)
			return (-1);
		if (n > 0)
			topology_tokens(tp, role == CMD_SLOTS ? TOPOLOGY_SLOTS :
			    TOPOLOGY_SHARDS, d->tokens, (size_t)n);
	}
	if (bad.count > 0 && sink_problem(d->sink, &reply->seen->where, "malformed", e,
	    "CLUSTER %s reply: item %zu: %s%s", o.u.view.form, bad.at + 1, bad.reason,
	    bad.count > 1 ? " (and more)" : "") == -1)
		return (-1);
	if (tp->nnodes == 0)
		return (0);
	for (i = 0; i < tp->nnodes; i++)
		if (parties_named(d->parties, &tp->nodes[i].ep, e) == -1)
			return (-1);
	topology_view(tp, &o.u.view);
	d->counts.views++;
	return (d->sink->obs(d->sink, &o, e));
}

/* The number after a name in CLUSTER INFO; OBS_NO_NUM if it is not there. */
static int64_t
info_number(struct span text, const char *name)
{
	size_t		 len = strlen(name);
	const char	*p = memmem(text.p, text.n, name, len), *end = text.p + text.n;
	int64_t		 v = 0;

	if (p == NULL || p + len == end || !isdigit((unsigned char)p[len]))
		return (OBS_NO_NUM);
	for (p += len; p < end && isdigit((unsigned char)*p) && v < INT64_MAX / 20; p++)
		v = v * 10 + (*p - '0');
	return (v);
}

static int
info_reply(struct dialog *d, struct tcp_flow *f, const struct request *r,
    const struct reply *reply, struct err *e)
{
	struct span	 text = string_of(reply->text);
	struct obs	 o;

	if (text.n == 0 || memmem(text.p, text.n, "cluster_state:", 14) == NULL)
		return (0);
	view_init(&o, f, r, reply, "info");
	o.u.view.current_epoch = info_number(text, "cluster_current_epoch:");
	if (memmem(text.p, text.n, "cluster_state:ok", 16) != NULL)
		o.u.view.state = 1;
	else if (memmem(text.p, text.n, "cluster_state:fail", 18) != NULL)
		o.u.view.state = 0;
	d->counts.views++;
	return (d->sink->obs(d->sink, &o, e));
}

static int
myid_reply(struct dialog *d, struct tcp_flow *f, const struct request *r,
    const struct reply *reply, struct err *e)
{
	struct span		 id = string_of(reply->text);
	struct obs_view_node	 node;
	struct obs		 o;

	if (!topology_is_id(id))
		return (0);
	view_init(&o, f, r, reply, "myid");
	obs_view_node_init(&node);
	node.id = o.observer.node = id;
	node.ep = o.observer.ep;
	node.myself = 1;
	o.u.view.nodes = &node;
	o.u.view.nnodes = 1;
	d->counts.views++;
	return (d->sink->obs(d->sink, &o, e));
}

static int
emit_setting(struct dialog *d, struct tcp_flow *f, const struct reply *reply,
    const char *name, struct span value, struct err *e)
{
	struct obs	 o;

	obs_init(&o, OBS_SETTING);
	stamp(&o, f, reply->seen);
	o.observer = party_node(talk_of(f)->pair->server);
	o.u.setting.name = span_of(name);
	o.u.setting.value = value;
	o.u.setting.of_observer = 1;
	return (d->sink->obs(d->sink, &o, e));
}

static int
config_reply(struct dialog *d, struct tcp_flow *f, const struct reply *reply, struct err *e)
{
	struct span	 words[512];
	ssize_t		 n = resp_tokens(reply->text, words, 512), i;
	const char	*name;

	for (i = 0; i + 1 < n; i += 2) {
		name = words[i].p != NULL ? setting(words[i]) : NULL;
		if (name != NULL && words[i + 1].p != NULL &&
		    emit_setting(d, f, reply, name, words[i + 1], e) == -1)
			return (-1);
	}
	return (0);
}

static int
config_set(struct dialog *d, struct tcp_flow *f, const struct request *r,
    const struct reply *reply, struct err *e)
{
	char		*p = r->note, *value, *end;
	const char	*name;

	for (; p != NULL && *p != '\0'; p = end) {
		end = p + strcspn(p, "\n");
		if (*end != '\0')
			*end++ = '\0';
		value = strchr(p, ' ');
		if (value == NULL)
			continue;
		name = setting(span_make(p, (size_t)(value - p)));
		if (name != NULL && emit_setting(d, f, reply, name, span_of(value + 1), e) == -1)
			return (-1);
	}
	return (0);
}

/* The n-th word of a note, 0 first. */
static struct span
word(const char *note, int n)
{
	const char	*p = note;

	while (n-- > 0 && *p != '\0') {
		p += strcspn(p, " ");
		p += strspn(p, " ");
	}
	return (span_make(p, strcspn(p, " ")));
}

static struct span
id_or_none(struct span s)
{
	return (topology_is_id(s) ? s : span_make(NULL, 0));
}

static void
command_words(struct obs *o, enum command_role role, const char *note)
{
	struct obs_server	*s = &o->u.server;
	int			 from, to;

	switch (role) {
	case CMD_FAILOVER:
		s->event = "cluster-failover";
		break;
	case CMD_SETSLOT:
		s->event = "setslot";
		if (slots_parse_range(word(note, 2), &from, &to) == 0)
			s->slots = word(note, 2);
		s->other = id_or_none(word(note, 4));
		break;
	case CMD_MEET:
		s->event = "meet";
		(void)endpoint_pair(word(note, 2), word(note, 3), &s->subject_ep);
		break;
	case CMD_FORGET:
		s->event = "forget";
		s->subject = id_or_none(word(note, 2));
		break;
	case CMD_CLUSTER_RESET:
		s->event = "reset";
		break;
	case CMD_REPLICATE:
		s->event = "replicaof";
		s->other = id_or_none(word(note, 2));
		break;
	default:
		s->event = role == CMD_CONFIG_SET ? "config-set" : "replicaof";
	}
}

static int
command_event(struct dialog *d, struct tcp_flow *f, const struct request *r,
    const struct reply *reply, enum command_role role, struct err *e)
{
	struct talk	*t = talk_of(f);
	struct obs	 o;
	char		 detail[NOTE_BYTES + 200];
	const char	*cr;
	size_t		 len = 0, shown;

	if (role == CMD_CONFIG_SET)
		snprintf(detail, sizeof detail, "CONFIG SET %s", r->note);
	else
		snprintf(detail, sizeof detail, "%s", r->note);
	for (; detail[len] != '\0'; len++)
		if (detail[len] == '\n')
			detail[len] = ' ';
	cr = memchr(reply->text.p, '\r', reply->text.n);
	shown = cr != NULL ? (size_t)(cr - reply->text.p) : reply->text.n;
	snprintf(detail + len, sizeof detail - len, " from %s: %.*s", t->pair->client->text,
	    (int)(shown < 100 ? shown : 100), reply->text.p);
	obs_init(&o, OBS_SERVER);
	stamp(&o, f, reply->seen);
	o.at = r->at;
	o.last_at = reply->seen->at > r->at ? reply->seen->at : r->at;
	if (r->part == reply->seen->where.part) {
		o.where.position = r->position;
		o.last_where = reply->seen->where;
	}
	o.observer = party_node(t->pair->server);
	o.u.server.kind = "command";
	command_words(&o, role, r->note);
	o.u.server.detail = span_of(detail);
	return (d->sink->obs(d->sink, &o, e));
}

int
answer_read(struct dialog *d, struct tcp_flow *f, const struct request *r,
    const struct reply *reply, struct err *e)
{
	enum command_role	 role = commands_at(d->commands, r->command)->role;
	int			 refused;

	if (talk_of(f)->pair == NULL || role == CMD_PLAIN)
		return (0);
	if (reply->lost)
		return (0);
	if (reply->crowded)
		return (sink_problem(d->sink, &reply->seen->where, "limit", e,
		    "reply to %s was passed over: more than %d MiB of replies at once",
		    commands_at(d->commands, r->command)->name, DIALOG_HELD >> 20));
	if (!reply->whole)
		return (sink_problem(d->sink, &reply->seen->where, "too-long", e,
		    "reply to %s is longer than %zu bytes and was passed over",
		    commands_at(d->commands, r->command)->name, answer_most(d, r)));
	refused = reply->text.n == 0 || reply->text.p[0] == '-' || reply->text.p[0] == '!';
	if (role >= CMD_FAILOVER || (role == CMD_CONFIG_SET && r->note != NULL))
		if (reply->text.n > 0 && command_event(d, f, r, reply, role, e) == -1)
			return (-1);
	if (refused || span_is(reply->text, "+QUEUED\r\n"))
		return (0);
	switch (role) {
	case CMD_NODES:
	case CMD_SLOTS:
	case CMD_SHARDS:
		return (topology_reply(d, f, r, reply, role, e));
	case CMD_INFO:
		return (info_reply(d, f, r, reply, e));
	case CMD_MYID:
		return (myid_reply(d, f, r, reply, e));
	case CMD_CONFIG_GET:
		return (config_reply(d, f, reply, e));
	case CMD_CONFIG_SET:
		return (config_set(d, f, r, reply, e));
	default:
		return (0);
	}
}
