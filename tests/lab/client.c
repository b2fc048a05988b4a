/*
 * client.c - the reference client.  It keeps the rule of the analysis that the
 * project came from: a command follows up to three redirects; then, if they
 * came back to a node already asked, RedisClusterFailoverError.  With a gate
 * (-g) it asks gate.c first.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client.h"

enum { MAX_CONTACTS = 7, PROBES = 6 };

/* One command on its way. */
struct trip {
	int	 slot, redirects, contacts, asking, again;
	int	 asked[MAX_CONTACTS];		/* endpoints, in order */
	char	 chain[CHAIN];
};
enum outcome { SERVED, CYCLE, EXHAUSTED, NOBODY, REFUSED };

void
client_log(const struct client *c, const char *level, const char *fmt, ...)
{
	char	 text[32];
	va_list	 ap;

	printf("%s %s %s ", utc(now_us(), text), level, c->name);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

int
client_endpoint(struct client *c, const char *addr)
{
	struct endpoint	*e;

	for (int i = 0; i < c->endpoints; i++)
		if (strcmp(c->at[i].addr, addr) == 0)
			return (i);
	if (c->endpoints == MAX_ENDPOINTS)
		return (-1);
	e = &c->at[c->endpoints];
	snprintf(e->addr, sizeof e->addr, "%s", addr);
	snprintf(e->dialled, sizeof e->dialled, "%s",
	    c->map_from != NULL && strcmp(addr, c->map_from) == 0 ? c->map_to : addr);
	e->link.fd = -1;
	return (c->endpoints++);
}

/* Connects if need be; -1 and errno: EPIPE closed, EINPROGRESS no reply in time. */
int
client_ask(struct client *c, int endpoint, const char *command)
{
	struct endpoint	*e = &c->at[endpoint];
	int		 saved;

	if (e->link.fd < 0 && link_open(&e->link, e->dialled, TIMEOUT_MS) < 0)
		return (-1);
	if (link_ask(&e->link, command, TIMEOUT_MS) == 0)
		return (0);
	saved = errno == ETIMEDOUT ? EINPROGRESS : errno;
	link_close(&e->link);
	errno = saved;
	return (-1);
}

static const char *
reason(int error)
{
	switch (error) {
	case ECONNREFUSED:
		return ("ECONNREFUSED");
	case ECONNRESET:
		return ("ECONNRESET");
	case ETIMEDOUT:
		return ("ETIMEDOUT");
	case EHOSTUNREACH:
		return ("EHOSTUNREACH");
	case EINPROGRESS:
		return ("read timed out");
	default:
		return ("connection closed by peer");
	}
}

/* Loads the slot map from a node picked at random; 0, or -1: none answered. */
int
client_refresh(struct client *c)
{
	static struct view	 v;
	char			 masters[CHAIN] = "";
	size_t			 n = 0;
	int			 i, slots = 0, index[MAX_NODES];

	for (int tries = 0; tries < 3; tries++) {
		i = rand() % c->endpoints;
		if (client_ask(c, i, "CLUSTER NODES") == 0 && *c->at[i].link.reply == '$')
			break;
		client_log(c, "WARNING", "slot map refresh from %s failed: %s",
		    c->at[i].dialled, reason(errno));
		i = -1;
	}
	if (i < 0)
		return (-1);
	view_read(&v, strchr(c->at[i].link.reply, '\n') + 1);
	for (int k = 0; k < v.lines; k++)
		index[k] = -1;
	for (int s = 0; s < SLOTS; s++) {
		int owner = v.owner[s];

		c->owner[s] = -1;
		if (owner < 0)
			continue;
		if (index[owner] < 0) {
			index[owner] = client_endpoint(c, v.line[owner].addr);
			if (index[owner] >= 0 && n < sizeof masters - 70)
				n += (size_t)snprintf(masters + n, sizeof masters - n, " %s",
				    c->at[index[owner]].dialled);
		}
		c->owner[s] = index[owner];
		slots++;
	}
	client_log(c, "INFO", "slot map refreshed from %s: %d slots, masters%s",
	    c->at[i].dialled, slots, masters);
	return (0);
}

static int
other_than(const struct client *c, int endpoint)
{
	return ((endpoint + 1 + rand() % (c->endpoints - 1)) % c->endpoints);
}

/* MOVED and ASK: "-MOVED 3999 127.0.0.1:6381"; the next endpoint, or -1. */
static int
redirected(struct client *c, struct trip *t, int from)
{
	char	 word[8], addr[64];
	int	 slot, to;

	if (sscanf(c->at[from].link.reply, "-%7s %d %63s", word, &slot, addr) != 3 ||
	    (to = client_endpoint(c, addr)) < 0)
		return (-1);
	if (strcmp(c->at[to].addr, c->at[to].dialled) == 0)
		client_log(c, "DEBUG", "slot %d: %s answered %s %d %s", t->slot,
		    c->at[from].dialled, word, slot, addr);
	else
		client_log(c, "DEBUG", "slot %d: %s answered %s %d %s (mapped to %s)", t->slot,
		    c->at[from].dialled, word, slot, addr, c->at[to].dialled);
	t->asking = strcmp(word, "ASK") == 0;
	t->redirects++;
	return (to);
}

/* Whether the trip came, or would come next, to a node already asked. */
static int
came_back(const struct client *c, const struct trip *t, int next)
{
	for (int i = 0; i < t->contacts; i++) {
		if (strcmp(c->at[t->asked[i]].dialled, c->at[next].dialled) == 0)
			return (1);
		for (int k = 0; k < i; k++)
			if (t->asked[k] == t->asked[i])
				return (1);
	}
	return (0);
}

static void
visit(const struct client *c, struct trip *t, int endpoint)
{
	size_t	 n = strlen(t->chain);

	t->asked[t->contacts++] = endpoint;
	snprintf(t->chain + n, sizeof t->chain - n, "%s%s", n ? " -> " : "",
	    c->at[endpoint].dialled);
}

/* One reply to a command at an endpoint: where to go next, or the outcome. */
static int
judge(struct client *c, struct trip *t, int endpoint, enum outcome *outcome)
{
	const char	*reply = c->at[endpoint].link.reply;
	int		 next;

	if (*reply != '-') {
		*outcome = SERVED;
		c->owner[t->slot] = endpoint;
		return (-1);
	}
	if (strncmp(reply, "-TRYAGAIN", 9) == 0 && t->again++ < 5) {
		sleep_us(20000);
		return (endpoint);
	}
	if ((strncmp(reply, "-MOVED ", 7) != 0 && strncmp(reply, "-ASK ", 5) != 0) ||
	    (next = redirected(c, t, endpoint)) < 0) {
		*outcome = REFUSED;
		client_log(c, "ERROR", "ReplyError: %.*s", (int)strcspn(reply + 1, "\r"), reply + 1);
		return (-1);
	}
	if (t->redirects < c->budget)
		return (next);
	*outcome = came_back(c, t, next) ? CYCLE : EXHAUSTED;
	return (-1);
}

static enum outcome
travel(struct client *c, struct trip *t, const char *command)
{
	int		 at = c->owner[t->slot], r;
	enum outcome	 outcome = NOBODY;

	if (at < 0)
		at = rand() % c->endpoints;
	while (at >= 0 && t->contacts < MAX_CONTACTS) {
		visit(c, t, at);
		r = t->asking ? client_ask(c, at, "ASKING") : 0;
		t->asking = 0;
		if (r == 0)
			r = client_ask(c, at, command);
		if (r == 0) {
			at = judge(c, t, at, &outcome);
			continue;
		}
		client_log(c, "WARNING", "slot %d: %s unreachable: %s", t->slot,
		    c->at[at].dialled, reason(errno));
		at = other_than(c, at);
	}
	return (outcome);
}

static void
raise_error(struct client *c, const struct trip *t, enum outcome o)
{
	if (o == NOBODY) {
		c->failed++;
		client_log(c, "ERROR", "ConnFail: no node reachable for slot %d after %s",
		    t->slot, t->chain);
		return;
	}
	c->raised++;
	client_log(c, "ERROR", "RedisClusterFailoverError: %s for slot %d: %s (%d redirects)",
	    o == CYCLE ? "redirect cycle" : "redirections exhausted", t->slot, t->chain,
	    t->redirects);
}

/* One command to its end; with a gate the end may take several trips. */
static void
command(struct client *c, const char *key)
{
	char		 text[96];
	struct trip	 t;
	enum outcome	 o;
	enum gate	 g = GATE_RAISE;
	int		 agreed = 0;

	c->commands++;
	snprintf(text, sizeof text, "GET %s", key);
	for (;;) {
		memset(&t, 0, sizeof t);
		t.slot = key_slot(key);
		o = travel(c, &t, text);
		if (o == SERVED || o == REFUSED)
			break;
		if (c->cycling_since[t.slot] == 0)
			c->cycling_since[t.slot] = now_us();
		if (c->gate_ms == 0 || o == NOBODY)
			break;
		/* Agreement may be news: one more trip with a fresh map proves it. */
		g = gate_decide(c, t.slot);
		if (g == GATE_RAISE || (g == GATE_CORRUPT && agreed++ > 0))
			break;
		client_refresh(c);
	}
	if (o == SERVED) {
		c->done++;
		c->cycling_since[t.slot] = 0;
		return;
	}
	if (o == REFUSED)
		c->failed++;
	else if (g == GATE_CORRUPT) {
		c->raised++;
		client_log(c, "ERROR", "SlotMapCorruptionError: slot %d: %s although all nodes agree",
		    t.slot, t.chain);
	} else
		raise_error(c, &t, o);
	if (c->refresh_on_error)
		client_refresh(c);
}

/* Half the keys hit few slots of one range (-k), the others are everywhere. */
static void
choose_key(char *key, size_t cap, int from, int to)
{
	static char	 probe[PROBES][32];
	static int	 probes;

	for (int i = 0; probes < PROBES && from >= 0; i++) {
		snprintf(probe[probes], sizeof probe[0], "probe:1:%d", i);
		if (key_slot(probe[probes]) >= from && key_slot(probe[probes]) <= to)
			probes++;
	}
	if (from >= 0 && rand() % 2 == 0)
		snprintf(key, cap, "%s", probe[rand() % PROBES]);
	else
		snprintf(key, cap, "user:%d", rand() % 100000);
}

static void
run(struct client *c, int per_second, double seconds, int from, int to)
{
	int64_t	 end = now_us() + (int64_t)(seconds * 1e6), next = now_us(), refresh = 0;
	char	 key[32];

	while (!stopped && now_us() < end) {
		if (now_us() >= refresh) {
			client_refresh(c);
			refresh = now_us() + 700000;
		}
		choose_key(key, sizeof key, from, to);
		command(c, key);
		next += 1000000 / per_second;
		if (next < now_us())
			next = now_us();
		sleep_us(next - now_us());
	}
	client_log(c, "INFO", "done: %ld commands, %ld ok, errors {'RedisClusterFailoverError': %ld, "
	    "'Exception': %ld}, backed off %ld times", c->commands, c->done, c->raised, c->failed,
	    c->backed_off);
}

static void
seeds(struct client *c, int argc, char **argv)
{
	char	 list[CHAIN] = "";
	size_t	 n = 0;

	for (int i = 0; i < argc && n < sizeof list - 70; i++) {
		client_endpoint(c, argv[i]);
		n += (size_t)snprintf(list + n, sizeof list - n, " %s", argv[i]);
	}
	if (c->endpoints < 2)
		die("client needs two addresses or more");
	client_log(c, "INFO", "starting, seeds%s, redirect budget %d%s%s%s%s", list, c->budget,
	    c->map_from ? ", address map " : "", c->map_from ? c->map_from : "",
	    c->map_from ? "=" : "", c->map_from ? c->map_to : "");
}

int
client_main(int argc, char **argv)
{
	static struct client	 c = {.name = "refclient", .budget = 3, .refresh_on_error = 1};
	int			 o, rate = 50, from = -1, to = -1;
	double			 seconds = 60;
	char			*equals;

	while ((o = getopt(argc, argv, "n:r:s:k:m:g:q")) != -1)
		switch (o) {
		case 'n':
			c.name = optarg;
			break;
		case 'r':
			rate = atoi(optarg);
			break;
		case 's':
			seconds = atof(optarg);
			break;
		case 'k':
			if (sscanf(optarg, "%d-%d", &from, &to) != 2)
				die("-k FROM-TO");
			break;
		case 'm':
			if ((equals = strchr(optarg, '=')) == NULL)
				die("-m ADDRESS=ADDRESS");
			*equals = '\0';
			c.map_from = optarg;
			c.map_to = equals + 1;
			break;
		case 'g':
			c.gate_ms = atoi(optarg);
			break;
		case 'q':
			c.refresh_on_error = 0;
			break;
		default:
			return (2);
		}
	until_stopped();
	srand((unsigned)now_us() ^ (unsigned)getpid());
	memset(c.owner, -1, sizeof c.owner);
	seeds(&c, argc - optind, argv + optind);
	run(&c, rate > 0 ? rate : 1, seconds, from, to);
	return (0);
}
