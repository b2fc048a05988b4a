/*
 * Conversations made by hand, segment by segment: what is paired with what,
 * how contacts end, and what is no evidence.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fast.h"
#include "collect.h"
#include "wire/dialog.h"

Suite	*suite_dialog(void);

/* One connection of 10.0.0.9:40000 to 10.0.0.1:6379. */
struct talkers {
	struct collect	 c;
	struct dialog	*d;
	int64_t		 at;		/* of the next segment, us */
	int64_t		 frame;
	uint32_t	 seq[2];	/* 0 client, 1 server */
};

enum { CLIENT, SERVER, STEP_US = 1000 };
#define BEGIN	INT64_C(1700000000000000)

static void
segment(struct talkers *t, int from, int flags, const char *p, size_t n)
{
	static const uint8_t	 ends[2][4] = { { 10, 0, 0, 9 }, { 10, 0, 0, 1 } };
	static const uint16_t	 ports[2] = { 40000, 6379 };
	struct locus		 where = { 0, ++t->frame, OBS_NO_NUM };
	struct err		 e = ERR_INIT;
	struct frame		 f;

	memset(&f, 0, sizeof f);
	f.kind = FRAME_TCP;
	memset(f.src.b + 10, 0xff, 2);
	memset(f.dst.b + 10, 0xff, 2);
	memcpy(f.src.b + 12, ends[from], 4);
	memcpy(f.dst.b + 12, ends[!from], 4);
	f.sport = ports[from];
	f.dport = ports[!from];
	f.seq = t->seq[from];
	f.ack = t->seq[!from];
	f.flags = (uint8_t)flags;
	f.data = (const uint8_t *)p;
	f.cap = f.len = (uint32_t)n;
	ck_assert_int_eq(dialog_segment(t->d, &f, t->at, &where, &e), 0);
	t->at += STEP_US;
	t->seq[from] += (uint32_t)n + ((flags & (FRAME_SYN | FRAME_FIN)) != 0);
}

static void
says(struct talkers *t, int from, const char *text)
{
	segment(t, from, FRAME_ACK | FRAME_PSH, text, strlen(text));
}

/* The capture lost it. */
static void
lost(struct talkers *t, int from, const char *text)
{
	t->seq[from] += (uint32_t)strlen(text);
	t->frame++;
	t->at += STEP_US;
}

static void
meet(struct talkers *t, int midway)
{
	memset(t, 0, sizeof *t);
	collect_init(&t->c);
	t->d = dialog_new(&t->c.sink, 0);
	t->at = BEGIN;
	t->seq[CLIENT] = 0xfffffff0;	/* wraps */
	t->seq[SERVER] = 77;
	if (midway)
		return;
	segment(t, CLIENT, FRAME_SYN, NULL, 0);
	segment(t, SERVER, FRAME_SYN | FRAME_ACK, NULL, 0);
	segment(t, CLIENT, FRAME_ACK, NULL, 0);
}

static void
part(struct talkers *t)
{
	struct err	 e = ERR_INIT;

	ck_assert_int_eq(dialog_end(t->d, &e), 0);
	dialog_free(t->d);
}

static const struct obs *
contact(const struct talkers *t, enum contact_outcome k)
{
	const struct obs	*o;
	size_t			 i;

	for (i = 0; (o = collect_nth(&t->c, OBS_CONTACT, i)) != NULL; i++)
		if (o->u.contact.outcome == k)
			return (o);
	return (NULL);
}

static const struct obs *
served(const struct talkers *t, int slot)
{
	const struct obs	*o;
	size_t			 i;

	for (i = 0; (o = collect_nth(&t->c, OBS_VIEW, i)) != NULL; i++)
		if (o->u.view.kind == VIEW_SERVED && o->u.view.slots[0].from == slot)
			return (o);
	return (NULL);
}

#define GET_FOO		"*2\r\n$3\r\nGET\r\n$3\r\nfoo\r\n"
#define SET_FOO		"*3\r\n$3\r\nSET\r\n$3\r\nfoo\r\n$1\r\n1\r\n"
#define ASKING		"*1\r\n$6\r\nASKING\r\n"
#define PING		"*1\r\n$4\r\nPING\r\n"
#define MOVED		"-MOVED 12182 10.0.0.2:6379\r\n"
#define FOO		12182

START_TEST(pipelined)
{
	struct talkers		 t;
	const struct obs	*o;

	meet(&t, 0);
	says(&t, CLIENT, PING GET_FOO SET_FOO);
	says(&t, SERVER, "+PONG\r\n" "$12\r\n-MOVED 1 a:1\r\n" MOVED);
	part(&t);
	ck_assert_uint_eq(collect_count(&t.c, OBS_REDIRECT), 1);
	o = collect_nth(&t.c, OBS_REDIRECT, 0);
	ck_assert(span_is(o->u.redirect.command, "set"));
	ck_assert(span_is(o->u.redirect.target.host, "10.0.0.2"));
	ck_assert_int_eq(o->u.redirect.slot, FOO);
	ck_assert_int_eq(o->u.redirect.asked_at, BEGIN + 3 * STEP_US);
	ck_assert_int_eq(o->u.redirect.request_position, 4);
	ck_assert_int_eq(o->where.position, 5);
	ck_assert_int_eq(o->tcp_seq, 78 + 7 + 19);
	ck_assert_ptr_nonnull(served(&t, FOO));	/* the GET was answered with data */
	ck_assert_int_eq(served(&t, FOO)->at, BEGIN + 4 * STEP_US);
	collect_free(&t.c);
}
END_TEST

START_TEST(split_anywhere)
{
	static const char	 ask[] = PING SET_FOO, tell[] = "+PONG\r\n" MOVED;
	struct talkers		 t;
	const struct obs	*o;
	char			 one[2] = "";
	size_t			 i;

	meet(&t, 0);
	for (i = 0; i < sizeof ask - 1; i++) {
		one[0] = ask[i];
		if (i == 0)		/* a lone byte could be a keep-alive */
			says(&t, CLIENT, "*1");
		else if (i > 1)
			says(&t, CLIENT, one);
	}
	for (i = 0; i < sizeof tell - 1; i++) {
		one[0] = tell[i];
		says(&t, SERVER, one);
	}
	part(&t);
	o = collect_nth(&t.c, OBS_REDIRECT, 0);
	ck_assert_ptr_nonnull(o);
	ck_assert(span_is(o->u.redirect.command, "set"));
	ck_assert_int_eq(o->tcp_seq, 78 + 7);
	collect_free(&t.c);
}
END_TEST

/* An inline command is one line, wherever TCP cut it. */
START_TEST(inline_in_two)
{
	static const char	 ask[] = "PING\r\nSET foo 1\r\n";
	struct talkers		 t;
	const struct obs	*o;
	char			 first[sizeof ask];
	size_t			 cut;

	for (cut = 2; cut < sizeof ask - 2; cut++) {
		meet(&t, 0);
		says(&t, CLIENT, PING);
		says(&t, SERVER, "+PONG\r\n");
		memcpy(first, ask, cut);
		first[cut] = '\0';
		says(&t, CLIENT, first);
		says(&t, CLIENT, ask + cut);
		says(&t, SERVER, "+PONG\r\n" MOVED);
		part(&t);
		o = collect_nth(&t.c, OBS_REDIRECT, 0);
		ck_assert_ptr_nonnull(o);
		ck_assert(span_is(o->u.redirect.command, "set"));
		ck_assert_uint_eq(t.c.nproblems, 0);
		collect_free(&t.c);
	}
}
END_TEST

START_TEST(asking_and_transactions)
{
	struct talkers		 t;
	const struct obs	*o;

	meet(&t, 0);
	says(&t, CLIENT, ASKING);
	says(&t, SERVER, "+OK\r\n");
	says(&t, CLIENT, SET_FOO);
	says(&t, SERVER, "+OK\r\n");	/* served only because of ASKING: no claim */
	says(&t, CLIENT, "*1\r\n$5\r\nMULTI\r\n" SET_FOO "*1\r\n$4\r\nEXEC\r\n");
	says(&t, SERVER, "+OK\r\n" MOVED
	    "-EXECABORT Transaction discarded because of previous errors.\r\n");
	says(&t, CLIENT, ASKING SET_FOO);
	says(&t, SERVER, "+OK\r\n-TRYAGAIN Multiple keys request during rehashing of slot\r\n");
	part(&t);
	ck_assert_uint_eq(collect_count(&t.c, OBS_REDIRECT), 2);
	o = collect_nth(&t.c, OBS_REDIRECT, 0);
	ck_assert_int_eq(o->u.redirect.asking, 0);
	o = collect_nth(&t.c, OBS_REDIRECT, 1);
	ck_assert_int_eq(o->u.redirect.code, CODE_TRYAGAIN);
	ck_assert_int_eq(o->u.redirect.asking, 1);
	ck_assert_int_eq(o->u.redirect.slot, FOO);
	ck_assert_ptr_null(served(&t, FOO));
	collect_free(&t.c);
}
END_TEST

START_TEST(replica_reads)
{
	struct talkers	 t;

	meet(&t, 0);
	says(&t, CLIENT, "*1\r\n$8\r\nREADONLY\r\n" GET_FOO);
	says(&t, SERVER, "+OK\r\n$1\r\n1\r\n");
	says(&t, CLIENT, SET_FOO);
	says(&t, SERVER, MOVED);
	part(&t);
	ck_assert_ptr_null(served(&t, FOO));
	ck_assert_uint_eq(collect_count(&t.c, OBS_REDIRECT), 1);
	collect_free(&t.c);
}
END_TEST

START_TEST(reply_off_and_skip)
{
	struct talkers		 t;
	const struct obs	*o;

	meet(&t, 0);
	says(&t, CLIENT, "*3\r\n$6\r\nCLIENT\r\n$5\r\nREPLY\r\n$3\r\nOFF\r\n" PING PING);
	says(&t, CLIENT, "*3\r\n$6\r\nCLIENT\r\n$5\r\nREPLY\r\n$2\r\nON\r\n");
	says(&t, SERVER, "+OK\r\n");
	says(&t, CLIENT, "*3\r\n$6\r\nCLIENT\r\n$5\r\nREPLY\r\n$4\r\nSKIP\r\n" PING SET_FOO);
	says(&t, SERVER, MOVED);
	part(&t);
	o = collect_nth(&t.c, OBS_REDIRECT, 0);
	ck_assert(span_is(o->u.redirect.command, "set"));
	collect_free(&t.c);
}
END_TEST

START_TEST(published_messages)
{
	struct talkers		 t;
	const struct obs	*o;

	meet(&t, 0);
	says(&t, CLIENT, "*3\r\n$9\r\nSUBSCRIBE\r\n$1\r\na\r\n$1\r\nb\r\n");
	says(&t, SERVER, "*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n");
	says(&t, SERVER, "*3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:2\r\n");
	says(&t, SERVER, "*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$12\r\n-MOVED 1 a:1\r\n");
	says(&t, CLIENT, "*2\r\n$10\r\nSSUBSCRIBE\r\n$3\r\nfoo\r\n");
	says(&t, SERVER, ">2\r\n+invalidate\r\n*1\r\n$1\r\na\r\n" MOVED);
	part(&t);
	ck_assert_uint_eq(collect_count(&t.c, OBS_REDIRECT), 1);
	o = collect_nth(&t.c, OBS_REDIRECT, 0);
	ck_assert(span_is(o->u.redirect.command, "ssubscribe"));
	collect_free(&t.c);
}
END_TEST

START_TEST(replication_is_no_client)
{
	struct talkers	 t;

	meet(&t, 0);
	says(&t, CLIENT, "*3\r\n$5\r\nPSYNC\r\n$1\r\n?\r\n$2\r\n-1\r\n");
	says(&t, SERVER, "+CONTINUE\r\n" SET_FOO "*1\r\n$4\r\nPING\r\n");
	part(&t);
	ck_assert_uint_eq(collect_count(&t.c, OBS_VIEW), 0);
	ck_assert_ptr_null(contact(&t, CONTACT_OK));
	collect_free(&t.c);
}
END_TEST

START_TEST(midway_pairs_after_two_exchanges)
{
	struct talkers		 t;
	const struct obs	*o;
	int			 i;

	meet(&t, 1);
	for (i = 0; i < 4; i++) {
		says(&t, CLIENT, SET_FOO);
		says(&t, SERVER, MOVED);
	}
	part(&t);
	ck_assert_uint_eq(collect_count(&t.c, OBS_REDIRECT), 4);
	for (i = 0; i < 4; i++) {
		o = collect_nth(&t.c, OBS_REDIRECT, (size_t)i);
		ck_assert_int_eq(o->u.redirect.command.p != NULL, i >= 1);
		ck_assert_int_eq(o->u.redirect.slot, FOO);
	}
	collect_free(&t.c);
}
END_TEST

START_TEST(a_gap_loses_pairing_not_redirects)
{
	struct talkers		 t;
	const struct problem	*p;
	int			 i;

	meet(&t, 0);
	says(&t, CLIENT, SET_FOO);
	lost(&t, SERVER, MOVED);
	for (i = 0; i < 200; i++) {
		says(&t, CLIENT, SET_FOO);
		says(&t, SERVER, MOVED);
	}
	part(&t);
	p = collect_problem(&t.c, "gap", 0);
	ck_assert_ptr_nonnull(p);
	ck_assert_int_eq(p->bytes, sizeof MOVED - 1);
	ck_assert(span_is(p->ep.host, "10.0.0.1"));
	ck_assert_int_eq(p->ep.port, 6379);
	ck_assert_uint_ge(collect_count(&t.c, OBS_REDIRECT), 199);
	ck_assert_uint_le(collect_count(&t.c, OBS_REDIRECT), 200);
	ck_assert_ptr_null(contact(&t, CONTACT_READ_TIMEOUT));
	collect_free(&t.c);
}
END_TEST

START_TEST(refused)
{
	struct talkers		 t;
	const struct obs	*o;

	meet(&t, 1);
	segment(&t, CLIENT, FRAME_SYN, NULL, 0);
	segment(&t, SERVER, FRAME_RST | FRAME_ACK, NULL, 0);
	part(&t);
	o = contact(&t, CONTACT_REFUSED);
	ck_assert_ptr_nonnull(o);
	ck_assert_int_eq(o->at, BEGIN);
	ck_assert_int_eq(o->last_at, BEGIN + STEP_US);
	ck_assert_uint_eq(collect_count(&t.c, OBS_CONTACT), 1);
	collect_free(&t.c);
}
END_TEST

START_TEST(connect_timeout)
{
	struct talkers		 t;
	const struct obs	*o;
	int			 i;

	meet(&t, 1);
	for (i = 0; i < 3; i++) {
		segment(&t, CLIENT, FRAME_SYN, NULL, 0);
		t.seq[CLIENT]--;
		t.at += 1000000 - STEP_US;
	}
	part(&t);
	o = contact(&t, CONTACT_CONNECT_TIMEOUT);
	ck_assert_ptr_nonnull(o);
	ck_assert_int_eq(o->u.contact.retries, 2);
	ck_assert_int_eq(o->last_at - o->at, 2000000);
	collect_free(&t.c);
}
END_TEST

START_TEST(unanswered)
{
	struct talkers		 t;
	const struct obs	*o;

	meet(&t, 0);
	says(&t, CLIENT, PING);
	says(&t, SERVER, "+PONG\r\n");
	says(&t, CLIENT, SET_FOO);
	t.at += 300000;
	segment(&t, CLIENT, FRAME_FIN | FRAME_ACK, NULL, 0);
	part(&t);
	o = contact(&t, CONTACT_READ_TIMEOUT);
	ck_assert_ptr_nonnull(o);
	ck_assert_int_eq(o->at, BEGIN + 5 * STEP_US);
	ck_assert_int_eq(o->last_at, BEGIN + 6 * STEP_US + 300000);
	ck_assert_ptr_null(contact(&t, CONTACT_CLOSED));
	collect_free(&t.c);
}
END_TEST

START_TEST(reset_by_server)
{
	struct talkers	 t;

	meet(&t, 0);
	says(&t, CLIENT, SET_FOO);
	segment(&t, SERVER, FRAME_RST, NULL, 0);
	part(&t);
	ck_assert_ptr_nonnull(contact(&t, CONTACT_RESET));
	ck_assert_ptr_null(contact(&t, CONTACT_CONNECTED));
	collect_free(&t.c);
}
END_TEST

START_TEST(settings_and_secrets)
{
	struct talkers		 t;
	const struct obs	*o;

	meet(&t, 0);
	says(&t, CLIENT, "*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n"
	    "*3\r\n$6\r\nCONFIG\r\n$3\r\nGET\r\n$1\r\n*\r\n"
	    "*6\r\n$6\r\nCONFIG\r\n$3\r\nSET\r\n$20\r\ncluster-node-timeout\r\n$4\r\n2000\r\n"
	    "$11\r\nrequirepass\r\n$6\r\nsecret\r\n");
	says(&t, SERVER, "+OK\r\n*4\r\n$11\r\nrequirepass\r\n$6\r\nsecret\r\n"
	    "$29\r\ncluster-require-full-coverage\r\n$2\r\nno\r\n+OK\r\n");
	part(&t);
	ck_assert_uint_eq(collect_count(&t.c, OBS_SETTING), 2);
	o = collect_nth(&t.c, OBS_SETTING, 0);
	ck_assert(span_is(o->u.setting.name, "cluster-require-full-coverage"));
	ck_assert(span_is(o->u.setting.value, "no"));
	o = collect_nth(&t.c, OBS_SETTING, 1);
	ck_assert(span_is(o->u.setting.value, "2000"));
	o = collect_nth(&t.c, OBS_SERVER, 0);
	ck_assert_str_eq(o->u.server.event, "config-set");
	ck_assert_ptr_null(memmem(o->u.server.detail.p, o->u.server.detail.n, "secret", 6));
	collect_free(&t.c);
}
END_TEST

/* A view by its form. */
static const struct obs *
view_of(const struct talkers *t, const char *form)
{
	const struct obs	*o;
	size_t			 i;

	for (i = 0; (o = collect_nth(&t->c, OBS_VIEW, i)) != NULL; i++)
		if (o->u.view.form != NULL && strcmp(o->u.view.form, form) == 0)
			return (o);
	return (NULL);
}

#define CLUSTER_INFO	"*2\r\n$7\r\nCLUSTER\r\n$4\r\nINFO\r\n"
#define CLUSTER_MYID	"*2\r\n$7\r\nCLUSTER\r\n$4\r\nMYID\r\n"
#define ID		"0123456789abcdef0123456789abcdef01234567"

START_TEST(what_a_node_says_of_itself)
{
	struct talkers		 t;
	const struct obs	*o;

	meet(&t, 0);
	says(&t, CLIENT, CLUSTER_INFO CLUSTER_MYID);
	says(&t, SERVER, "$51\r\ncluster_state:fail\r\ncluster_current_epoch:41\r\nx:1\r\n"
	    "\r\n" "$40\r\n" ID "\r\n");
	part(&t);
	ck_assert_ptr_nonnull(o = view_of(&t, "info"));
	ck_assert_int_eq(o->u.view.state, 0);
	ck_assert_int_eq(o->u.view.current_epoch, 41);
	ck_assert_uint_eq(o->u.view.nnodes, 0);
	ck_assert_ptr_nonnull(o = view_of(&t, "myid"));
	ck_assert(span_is(o->observer.node, ID));
	ck_assert_uint_eq(o->u.view.nnodes, 1);
	ck_assert_int_eq(o->u.view.nodes[0].myself, 1);
	ck_assert_int_eq(o->u.view.nodes[0].ep.port, 6379);
	ck_assert_uint_eq(t.c.nproblems, 0);
	collect_free(&t.c);

	meet(&t, 0);			/* without an epoch; no id; no INFO of a cluster */
	says(&t, CLIENT, CLUSTER_INFO CLUSTER_MYID CLUSTER_INFO);
	says(&t, SERVER, "$16\r\ncluster_state:ok\r\n$3\r\nabc\r\n$3\r\nx:1\r\n");
	part(&t);
	ck_assert_ptr_nonnull(o = view_of(&t, "info"));
	ck_assert_int_eq(o->u.view.state, 1);
	ck_assert_int_eq(o->u.view.current_epoch, OBS_NO_NUM);
	ck_assert_ptr_null(view_of(&t, "myid"));
	ck_assert_uint_eq(collect_count(&t.c, OBS_VIEW), 1);
	collect_free(&t.c);
}
END_TEST

/* So many connections that segments wait for their flows: each is opened, asks
 * and is redirected, all of them in turn, through one buffer. */
static void
crowd(struct collect *c)
{
	enum { CONNECTIONS = 5000, STEPS = 5 };
	static const char	 ask[] = "*2\r\n$3\r\nGET\r\n$3\r\nfoo\r\n";
	struct dialog		*d;
	struct locus		 where = { 0, 0, OBS_NO_NUM };
	struct err		 e = ERR_INIT;
	struct frame		 f;
	char			 data[64];
	int			 step, i, n, failed = 0;

	collect_init(c);
	d = dialog_new(&c->sink, 0);
	for (step = 0; step < STEPS; step++)
		for (i = 0; i < CONNECTIONS; i++) {
			int	 server = step == 1 || step == 4;

			memset(&f, 0, sizeof f);
			f.kind = FRAME_TCP;
			memset(f.src.b + 10, 0xff, 2);
			memset(f.dst.b + 10, 0xff, 2);
			f.src.b[15] = server ? 1 : 9;
			f.dst.b[15] = server ? 9 : 1;
			f.sport = (uint16_t)(server ? 6379 : 20000 + i);
			f.dport = (uint16_t)(server ? 20000 + i : 6379);
			f.seq = step == 0 || step == 1 ? 0 : 1;
			f.ack = step < 2 ? (uint32_t)step : step < 4 ? 1 : sizeof ask;
			f.flags = step == 0 ? FRAME_SYN : step == 1 ? FRAME_SYN | FRAME_ACK : FRAME_ACK;
			n = step == 3 ? snprintf(data, sizeof data, "%s", ask) :
			    step == 4 ? snprintf(data, sizeof data, "-MOVED %d 10.0.0.2:6379\r\n", i) : 0;
			f.data = (const uint8_t *)data;
			f.cap = f.len = (uint32_t)n;
			where.position++;
			failed += dialog_segment(d, &f, BEGIN + where.position, &where, &e) != 0;
			memset(data, 'x', sizeof data);
		}
	ck_assert_int_eq(failed, 0);
	ck_assert_int_eq(dialog_end(d, &e), 0);
	dialog_free(d);
}

START_TEST(a_crowd_is_read_in_order)
{
	struct collect		 short_way, general;
	const struct obs	*a, *b;
	size_t			 i, differ = 0;

	crowd(&short_way);
	fast_paths = 0;
	crowd(&general);
	fast_paths = 1;
	ck_assert_uint_eq(collect_count(&short_way, OBS_REDIRECT), 5000);
	ck_assert_uint_eq(short_way.nobs, general.nobs);
	ck_assert_uint_eq(short_way.nproblems, general.nproblems);
	for (i = 0; i < short_way.nobs; i++) {
		a = &short_way.obs[i];
		b = &general.obs[i];
		differ += a->kind != b->kind || a->at != b->at || a->connection != b->connection ||
		    a->where.position != b->where.position || (a->kind == OBS_REDIRECT &&
		    (a->u.redirect.slot != b->u.redirect.slot ||
		    a->u.redirect.asked_at != b->u.redirect.asked_at));
	}
	ck_assert_uint_eq(differ, 0);
	collect_free(&short_way);
	collect_free(&general);
}
END_TEST

/* A reply from before its request: when that was asked is not known, and no time
 * in between is less than none. */
START_TEST(clocks_that_step_back)
{
	static const char	 nodes[] = "$87\r\n0000000000000000000000000000000000000001 10.0.0.1:6379"
	    " myself,master - 0 0 1 connected\n\r\n";
	struct talkers		 t;
	const struct obs	*o;

	meet(&t, 0);
	says(&t, CLIENT, GET_FOO);
	t.at -= INT64_C(3600000000);
	says(&t, SERVER, MOVED);
	t.at += INT64_C(3600000000);
	says(&t, CLIENT, "*2\r\n$7\r\nCLUSTER\r\n$5\r\nNODES\r\n");
	t.at -= INT64_C(3600000000);
	says(&t, SERVER, nodes);
	part(&t);
	o = collect_nth(&t.c, OBS_REDIRECT, 0);
	ck_assert_ptr_nonnull(o);
	ck_assert_int_eq(o->u.redirect.asked_at, OBS_NO_TIME);
	ck_assert_int_eq(o->u.redirect.slot, FOO);
	o = collect_nth(&t.c, OBS_VIEW, 0);
	ck_assert_ptr_nonnull(o);
	ck_assert_int_eq(o->u.view.rtt_us, 0);
	collect_free(&t.c);
}
END_TEST

Suite *
suite_dialog(void)
{
	Suite	*s = suite_create("dialog");
	TCase	*t = tcase_create("dialog");

	tcase_add_test(t, pipelined);
	tcase_add_test(t, split_anywhere);
	tcase_add_test(t, inline_in_two);
	tcase_add_test(t, asking_and_transactions);
	tcase_add_test(t, replica_reads);
	tcase_add_test(t, reply_off_and_skip);
	tcase_add_test(t, published_messages);
	tcase_add_test(t, replication_is_no_client);
	tcase_add_test(t, midway_pairs_after_two_exchanges);
	tcase_add_test(t, a_gap_loses_pairing_not_redirects);
	tcase_add_test(t, refused);
	tcase_add_test(t, connect_timeout);
	tcase_add_test(t, unanswered);
	tcase_add_test(t, reset_by_server);
	tcase_add_test(t, settings_and_secrets);
	tcase_add_test(t, what_a_node_says_of_itself);
	tcase_add_test(t, a_crowd_is_read_in_order);
	tcase_add_test(t, clocks_that_step_back);
	tcase_set_timeout(t, 60);	/* sanitizers */
	suite_add_tcase(s, t);
	return (s);
}
