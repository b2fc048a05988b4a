/*
 * truth.c - what every node itself said, every 5 ms, over its unix socket and
 * so in no capture.
 *
 * Writes into FOLDER, when stopped:
 *	truth.part	the members topology, transitions, windows and poller
 *			of truth.json
 *	edges.tsv	a window a line, for the labels: kind, start_before,
 *			start, end_before, end (all UTC), slots, claimants
 * A change lies between t_before (the last answer without it was asked for)
 * and t (the first answer with it came).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

enum { DOUBLE_CLAIM, NO_CLAIM, VIEW_DIVERGENCE, KINDS };
enum { BELOW_RESOLUTION_US = 10000, STALLED_MS = 250 };
#define NAMES_NOBODY (1u << 31)

static const char *const	 kind_name[] = {"double-claim", "no-claim", "view-divergence"};

/* Compared with memcmp: cleared before it is filled. */
struct scalars {
	int	 up, master, of, nslots;	/* of: the master's index, -1 */
	unsigned fail, pfail;			/* bits of nodes */
	int64_t	 epoch;
};

struct node {
	const char	*name, *where;
	char		 id[41], addr[64];
	int		 known;
	struct scalars	 first, now;
	int		 first_slots[2];	/* the first range, for the topology */
	int8_t		 owner[SLOTS];		/* index of a node, -1 */
	int64_t		 claim_epoch;		/* while it last claimed slots */
	int64_t		 last_asked;		/* of the last answer, microseconds */
};

struct instant { int64_t before, at; };

static struct node	 node[MAX_NODES];
static int		 nodes;
static struct instant	*starts;
static int		 nstarts;
static int		 open_since[KINDS][SLOTS];	/* index into starts, -1 */
static uint16_t		 claimants[KINDS][SLOTS];
static FILE		*transitions, *windows, *edges;
static int		 ntransitions, nwindows;
static long		 samples, slow;

static int
by_id(const char *id)
{
	for (int i = 0; i < nodes; i++)
		if (strcmp(node[i].id, id) == 0)
			return (i);
	return (-1);
}

static void
names(FILE *f, unsigned mask)
{
	const char	*comma = "";

	fputc('[', f);
	for (int i = 0; i < nodes; i++)
		if (mask & 1u << i) {
			fprintf(f, "%s\"%s\"", comma, node[i].name);
			comma = ",";
		}
	fputc(']', f);
}

static void
put_state(FILE *f, const struct scalars *s)
{
	if (!s->up) {
		fputs("{\"state\":\"DOWN\"}", f);
		return;
	}
	fprintf(f, "{\"state\":\"up\",\"role\":\"%s\",\"epoch\":%lld,\"master\":",
	    s->master ? "master" : "replica", (long long)s->epoch);
	if (s->of >= 0)
		fprintf(f, "\"%s\"", node[s->of].name);
	else
		fputs("null", f);
	fprintf(f, ",\"nslots\":%d,\"currently_fail\":", s->nslots);
	names(f, s->fail);
	fputs(",\"pfail\":", f);
	names(f, s->pfail);
	fputc('}', f);
}

static void
put_transition(const struct node *n, const struct scalars *was, const struct instant *t)
{
	char	 a[32], b[32];

	fprintf(transitions, "%s\n{\"t_before\":\"%s\",\"t\":\"%s\",\"node\":\"%s\","
	    "\"addr\":\"%s\",\"id\":\"%s\",\"old\":", ntransitions++ ? "," : "",
	    utc(t->before, a), utc(t->at, b), n->name, n->addr, n->id);
	put_state(transitions, was);
	fputs(",\"new\":", transitions);
	put_state(transitions, &n->now);
	fputc('}', transitions);
}

/* The slots marked in member as ranges: JSON pairs, or 0-5460,5462. */
static void
put_slots(FILE *f, const uint8_t *member, int json)
{
	const char	*comma = "";

	for (int s = 0, e; s < SLOTS; s = e + 1) {
		e = s;
		if (!member[s])
			continue;
		while (e + 1 < SLOTS && member[e + 1])
			e++;
		fprintf(f, json ? "%s[%d,%d]" : s == e ? "%s%d" : "%s%d-%d", comma, s, e);
		comma = ",";
	}
}

static void
put_claimants(FILE *f, unsigned mask, int json)
{
	const char	*comma = "";

	for (int i = 0; i < nodes; i++) {
		if ((mask & 1u << i) == 0)
			continue;
		if (json)
			fprintf(f, "%s\"%s\":{\"id\":\"%s\",\"epoch\":%lld}", comma, node[i].name,
			    node[i].id, (long long)node[i].claim_epoch);
		else
			fprintf(f, "%s%s:%lld", comma, node[i].name,
			    (long long)node[i].claim_epoch);
		comma = ",";
	}
}

static void
put_window(int kind, const struct instant *from, const struct instant *to,
    const uint8_t *member, unsigned mask, int still_open)
{
	char	 t[4][32];
	int64_t	 length = to->at - from->at;

	utc(from->before, t[0]), utc(from->at, t[1]), utc(to->before, t[2]), utc(to->at, t[3]);
	fprintf(windows, "%s\n{\"kind\":\"%s\",\"slots\":[", nwindows++ ? "," : "",
	    kind_name[kind]);
	put_slots(windows, member, 1);
	fprintf(windows, "],\"start_before\":\"%s\",\"start\":\"%s\",\"open_at_start\":%s,"
	    "\"claimants\":{", t[0], t[1], from->before == 0 ? "true" : "false");
	put_claimants(windows, mask, 1);
	fprintf(windows, "},\"end_before\":\"%s\",\"end\":\"%s\",\"ms\":%lld,\"open_at_end\":%s%s}",
	    t[2], t[3], (long long)length / 1000, still_open ? "true" : "false",
	    length <= BELOW_RESOLUTION_US ? ",\"below_resolution\":true" : "");
	fprintf(edges, "%s\t%s\t%s\t%s\t%s\t", kind_name[kind], t[0], t[1], t[2], t[3]);
	put_slots(edges, member, 0);
	fputc('\t', edges);
	put_claimants(edges, mask, 0);
	fputc('\n', edges);
}

/* Writes the windows of one kind that end for the marked slots, grouped. */
static void
close_windows(int kind, uint8_t *closing, const struct instant *t, int still_open)
{
	static uint8_t	 member[SLOTS];

	for (int s = 0; s < SLOTS; s++) {
		int		 since = open_since[kind][s];
		unsigned	 mask = claimants[kind][s];

		if (!closing[s])
			continue;
		memset(member, 0, sizeof member);
		for (int o = s; o < SLOTS; o++)
			if (closing[o] && open_since[kind][o] == since &&
			    claimants[kind][o] == mask) {
				member[o] = 1;
				closing[o] = 0;
				open_since[kind][o] = -1;
			}
		put_window(kind, &starts[since], t, member, mask, still_open);
	}
}

/* What holds of one slot now: bits of kinds; *mask: who claims it. */
static unsigned
slot_state(int s, unsigned *mask)
{
	unsigned	 owners = 0, kinds = 0, own;

	*mask = 0;
	for (int i = 0; i < nodes; i++) {
		if (!node[i].now.up)
			continue;
		/* to name nobody is a view of its own */
		own = node[i].owner[s] < 0 ? NAMES_NOBODY : 1u << node[i].owner[s];
		owners |= own;
		if (node[i].owner[s] == i && node[i].now.master)
			*mask |= own;
	}
	if (*mask & (*mask - 1))
		kinds |= 1u << DOUBLE_CLAIM;
	if (*mask == 0)
		kinds |= 1u << NO_CLAIM;
	if (owners & (owners - 1))
		kinds |= 1u << VIEW_DIVERGENCE;
	/* it begins with a second owner, and lasts until all name one */
	if ((owners & ~NAMES_NOBODY & ((owners & ~NAMES_NOBODY) - 1)) == 0 &&
	    open_since[VIEW_DIVERGENCE][s] < 0)
		kinds &= ~(1u << VIEW_DIVERGENCE);
	return (kinds);
}

/*
 * A change may show in one node's answer before another's, which has changed
 * earlier, is due: nothing is sure after the oldest of the last questions.
 */
static int64_t
oldest_asked(int64_t before)
{
	for (int i = 0; i < nodes; i++)
		if (node[i].last_asked < before)
			before = node[i].last_asked;
	return (before);
}

static void
update_windows(const struct instant *t)
{
	static uint8_t	 closing[KINDS][SLOTS];
	unsigned	 mask, kinds;
	int		 any[KINDS] = {0}, since = -1;

	for (int s = 0; s < SLOTS; s++) {
		kinds = slot_state(s, &mask);
		for (int k = 0; k < KINDS; k++) {
			closing[k][s] = 0;
			if ((kinds & 1u << k) == 0) {
				closing[k][s] = open_since[k][s] >= 0;
				any[k] |= closing[k][s];
				claimants[k][s] |= (uint16_t)mask;
				continue;
			}
			if (open_since[k][s] < 0) {
				if (since < 0) {
					starts = realloc(starts, sizeof *starts * (size_t)(nstarts + 1));
					if (starts == NULL)
						die("out of memory");
					starts[nstarts].before = oldest_asked(t->before);
					starts[nstarts].at = t->at;
					since = nstarts++;
				}
				open_since[k][s] = since;
				claimants[k][s] = 0;
			}
			claimants[k][s] |= (uint16_t)mask;
		}
	}
	for (int k = 0; k < KINDS; k++)
		if (any[k])
			close_windows(k, closing[k], t, 0);
}

static int
all_known(void)
{
	for (int i = 0; i < nodes; i++)
		if (!node[i].known)
			return (0);
	return (1);
}

static int
flagged(const char *flags, const char *word)
{
	size_t	 n = strlen(word);

	for (const char *p = flags; p != NULL; p = strchr(p, ',')) {
		p += *p == ',';
		if (strncmp(p, word, n) == 0 && (p[n] == ',' || p[n] == '\0'))
			return (1);
	}
	return (0);
}

/* A view in terms of node indexes; its scalars are returned. */
static struct scalars
translate(const struct view *v, int self, int8_t *owner)
{
	struct scalars	 s;
	int		 index[MAX_NODES];

	memset(&s, 0, sizeof s);
	s.up = 1;
	s.of = -1;
	for (int i = 0; i < v->lines; i++) {
		index[i] = by_id(v->line[i].id);
		if (index[i] >= 0 && flagged(v->line[i].flags, "fail?"))
			s.pfail |= 1u << index[i];
		if (index[i] >= 0 && flagged(v->line[i].flags, "fail"))
			s.fail |= 1u << index[i];
	}
	for (int i = 0; i < SLOTS; i++) {
		owner[i] = v->owner[i] < 0 ? -1 : (int8_t)index[v->owner[i]];
		s.nslots += owner[i] == self;
	}
	if (v->self >= 0) {
		s.master = flagged(v->line[v->self].flags, "master");
		s.epoch = v->line[v->self].epoch;
		if (!s.master)
			s.of = by_id(v->line[v->self].master);
	}
	return (s);
}

/* The first answers tell the ids; the topology is as of these. */
static void
introduce(struct node *n, const struct view *v)
{
	if (v->self < 0)
		return;
	strcpy(n->id, v->line[v->self].id);
	strcpy(n->addr, v->line[v->self].addr);
	n->known = 1;
	n->first_slots[0] = -1;
	for (int s = 0; s < SLOTS; s++)
		if (v->owner[s] == v->self) {
			if (n->first_slots[0] < 0)
				n->first_slots[0] = s;
			n->first_slots[1] = s;
		}
}

static void
seen(void *ctx, const struct polled *p)
{
	static struct view	 v;
	static int8_t		 owner[SLOTS];
	struct node		*n = &node[p->node];
	struct scalars		 was = n->now, is;
	struct instant		 t = {n->last_asked, p->answered};
	int			 first = n->last_asked == 0;

	(void)ctx;
	samples++;
	slow += p->answered - p->asked > 5000;
	memset(&is, 0, sizeof is);
	memset(owner, -1, sizeof owner);
	if (p->text != NULL) {
		view_read(&v, p->text);
		if (!n->known)
			introduce(n, &v);
		if (!all_known())
			return;
		is = translate(&v, p->node, owner);
	} else if (!all_known())
		return;
	n->last_asked = p->asked;
	if (memcmp(&is, &was, sizeof is) == 0 && memcmp(owner, n->owner, sizeof owner) == 0)
		return;
	n->now = is;
	memcpy(n->owner, owner, sizeof owner);
	if (is.master && is.nslots > 0)
		n->claim_epoch = is.epoch;
	if (first)
		n->first = is;
	else if (memcmp(&is, &was, sizeof is) != 0)
		put_transition(n, &was, &t);
	for (int i = 0; i < nodes; i++)
		if (node[i].last_asked == 0)
			return;
	update_windows(&t);
}

static void
put_topology(FILE *f)
{
	for (int i = 0; i < nodes; i++) {
		const struct node *n = &node[i];
		const char	*colon = strrchr(n->addr, ':');

		fprintf(f, "%s\n \"%s\":{\"addr\":\"%s\",\"bus\":\"%.*s:%d\",\"id\":\"%s\","
		    "\"initial_role\":\"%s\",\"initial_slots\":", i ? "," : "", n->name, n->addr,
		    colon ? (int)(colon - n->addr) : 0, n->addr,
		    colon ? atoi(colon + 1) + 10000 : 0, n->id,
		    n->first.master ? "master" : "replica");
		if (n->first_slots[0] >= 0)
			fprintf(f, "[%d,%d]", n->first_slots[0], n->first_slots[1]);
		else
			fputs("null", f);
		fprintf(f, n->first.of >= 0 ? ",\"replica_of\":\"%s\"}" : ",\"replica_of\":null}",
		    n->first.of >= 0 ? node[n->first.of].name : "");
	}
}

static void
copy(FILE *to, FILE *from)
{
	int	 c;

	rewind(from);
	while ((c = getc(from)) != EOF)
		putc(c, to);
}

static FILE *
create(const char *folder, const char *name)
{
	char	 path[512];
	FILE	*f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	if ((f = fopen(path, "w")) == NULL)
		die("%s: cannot write", path);
	return (f);
}

static void
finish(FILE *out)
{
	static uint8_t	 closing[SLOTS];
	struct instant	 t = {now_us(), now_us()};

	for (int k = 0; k < KINDS; k++) {
		for (int s = 0; s < SLOTS; s++)
			closing[s] = open_since[k][s] >= 0;
		close_windows(k, closing, &t, 1);
	}
	fputs("\"topology\":{", out);
	put_topology(out);
	fputs("},\n\"transitions\":[", out);
	copy(out, transitions);
	fputs("],\n\"windows\":[", out);
	copy(out, windows);
	fprintf(out, "],\n\"poller\":{\"samples\":%ld,\"replies_over_5ms\":%ld}\n", samples, slow);
	if (fclose(out) != 0 || fclose(edges) != 0)
		die("cannot write the truth");
}

int
truth_main(int argc, char **argv)
{
	const char	*where[MAX_NODES];
	FILE		*out;

	nodes = argc - 2;
	if (nodes < 1 || nodes > MAX_NODES)
		die("truth FOLDER NAME=SOCKET...");
	for (int i = 0; i < nodes; i++) {
		char *equals = strchr(argv[i + 2], '=');

		if (equals == NULL)
			die("%s: not NAME=SOCKET", argv[i + 2]);
		*equals = '\0';
		node[i].name = argv[i + 2];
		where[i] = equals + 1;
		memset(node[i].owner, -1, sizeof node[i].owner);
	}
	memset(open_since, -1, sizeof open_since);
	out = create(argv[1], "truth.part");
	edges = create(argv[1], "edges.tsv");
	transitions = tmpfile();
	windows = tmpfile();
	if (transitions == NULL || windows == NULL)
		die("no temporary files");
	until_stopped();
	poll_nodes(where, nodes, 5, STALLED_MS, seen, NULL);
	finish(out);
	return (0);
}
