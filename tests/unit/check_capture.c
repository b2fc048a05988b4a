/*
 * Whole captures through format_capture: what they say, that the container
 * and the link layer do not matter, and that damage never invents.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "packets.h"
#include "base/mem.h"
#include "format/format.h"

Suite	*suite_capture(void);

static struct decode_ctx ctx;

static void
decode(struct collect *c, const void *p, size_t n)
{
	struct err	 e = ERR_INIT;
	struct input	*in = input_memory(p, n, "capture", 0);

	collect_init(c);
	memset(&ctx, 0, sizeof ctx);
	ck_assert_int_eq(format_capture.decode(in, &ctx, &c->sink, &e), 0);
	input_close(in);
}

static void
decode_file(struct collect *c, const char *name)
{
	size_t	 n;
	char	*p = packets_file(name, &n);

	decode(c, p, n);
	free(p);
}

static void
decode_packets(struct collect *c, const struct packets *ps, enum container as)
{
	struct buf	 b = { 0 };

	packets_write(ps, 0, ps->n, as, &b);
	decode(c, b.p, b.n);
	buf_free(&b);
}

/* ---- observations as text ---- */

static void
put_span(struct buf *b, struct span s)
{
	buf_chr(b, ' ');
	if (s.p == NULL)
		buf_chr(b, '-');
	buf_add(b, s.p, s.n);
}

static void
put_endpoint(struct buf *b, const struct endpoint *ep)
{
	put_span(b, ep->host);
	buf_fmt(b, ":%d", ep->port);
}

static void
put_view(struct buf *b, const struct obs_view *v)
{
	size_t	 i;

	buf_fmt(b, " %s %s %zu", view_kind_word(v->kind), v->form != NULL ? v->form : "-",
	    v->nnodes);
	put_span(b, v->asked_by.name);
	for (i = 0; i < v->nnodes; i++) {
		put_span(b, v->nodes[i].id);
		buf_fmt(b, "/%d/%lld", v->nodes[i].role, (long long)v->nodes[i].config_epoch);
	}
	for (i = 0; i < v->nslots; i++)
		buf_fmt(b, " %d-%d=%d", v->slots[i].from, v->slots[i].to, v->slots[i].node);
}

/* One line; sure: only what damage cannot take away, and no frame numbers. */
static void
put_obs(struct buf *b, const struct obs *o, int sure)
{
	const struct obs_redirect	*r = &o->u.redirect;

	buf_fmt(b, "%d %lld", o->kind, (long long)o->at);
	put_span(b, o->observer.name);
	put_endpoint(b, &o->observer.ep);
	if (!sure)
		buf_fmt(b, " @%lld-%lld n%lld", (long long)o->where.position,
		    (long long)o->last_where.position, (long long)o->samples);
	switch (o->kind) {
	case OBS_REDIRECT:
		buf_fmt(b, " %s %d %llx %lld", reply_code_word(r->code), r->slot,
		    (unsigned long long)o->connection, (long long)o->tcp_seq);
		put_endpoint(b, &r->asked);
		put_endpoint(b, &r->target);
		if (sure)
			break;
		put_span(b, r->command);
		buf_fmt(b, " %lld %lld %d", (long long)r->asked_at,
		    (long long)r->request_position, r->asking);
		break;
	case OBS_VIEW:
		put_view(b, &o->u.view);
		break;
	case OBS_CONTACT:
		put_endpoint(b, &o->u.contact.ep);
		buf_fmt(b, " %s %lld", contact_outcome_word(o->u.contact.outcome),
		    (long long)o->last_at);
		break;
	case OBS_SERVER:
		put_span(b, o->u.server.detail);
		break;
	case OBS_COMMAND:
		put_span(b, o->u.command.command);
		put_endpoint(b, &o->u.command.ep);
		buf_fmt(b, " %lld %lld", (long long)o->u.command.requests,
		    (long long)o->u.command.connections);
		break;
	default:
		break;
	}
}

struct lines {
	char	**all;
	size_t	 n;
};

static int
compare(const void *a, const void *b)
{
	return (strcmp(*(char *const *)a, *(char *const *)b));
}

static int
any(const struct obs *o)
{
	return (o->kind != OBS_NKINDS);
}

/* Sorted, because damage may delay what is told. */
static struct lines
lines_of(const struct collect *c, int (*wanted)(const struct obs *), int sure)
{
	struct lines	 l = { mem_alloc((c->nobs + 1) * sizeof(char *)), 0 };
	size_t		 i;

	for (i = 0; i < c->nobs; i++) {
		struct buf b = { 0 };

		if (!wanted(&c->obs[i]))
			continue;
		put_obs(&b, &c->obs[i], sure);
		l.all[l.n++] = mem_str(buf_cstr(&b));
		buf_free(&b);
	}
	qsort(l.all, l.n, sizeof *l.all, compare);
	return (l);
}

static void
lines_free(struct lines *l)
{
	while (l->n > 0)
		free(l->all[--l->n]);
	free(l->all);
}

/* Each line of part is in whole, as often at most. */
static void
assert_part(const struct lines *part, const struct lines *whole, const char *what)
{
	size_t	 i, k = 0;

	for (i = 0; i < part->n; i++, k++) {
		while (k < whole->n && strcmp(whole->all[k], part->all[i]) < 0)
			k++;
		ck_assert_msg(k < whole->n && strcmp(whole->all[k], part->all[i]) == 0,
		    "%s: invented: %s", what, part->all[i]);
	}
}

static void
assert_same(const struct collect *a, const struct collect *b, int sure, const char *what)
{
	struct lines	 x = lines_of(a, any, sure), y = lines_of(b, any, sure);

	assert_part(&x, &y, what);
	ck_assert_uint_eq(x.n, y.n);
	ck_assert_uint_gt(x.n, 0);
	lines_free(&x);
	lines_free(&y);
}

/* ---- what captures say ---- */

START_TEST(redirects_and_views)
{
	struct collect		 c;
	const struct obs	*o;

	decode_file(&c, "failover.pcap");
	ck_assert_int_eq(ctx.records, 1800);
	ck_assert_uint_eq(collect_count(&c, OBS_REDIRECT), 765);
	o = collect_nth(&c, OBS_VIEW, 0);
	ck_assert_int_eq(o->u.view.kind, VIEW_REPLY);
	ck_assert(span_is(o->u.view.asked_by.name, "10.77.0.101") ||
	    span_is(o->u.view.asked_by.name, "10.77.0.100"));
	ck_assert_int_ge(o->u.view.rtt_us, 0);
	ck_assert_ptr_nonnull(collect_problem(&c, "mid-stream", 0));
	ck_assert_ptr_null(collect_problem(&c, "gap", 0));
	collect_free(&c);
}
END_TEST

START_TEST(manual_failover)
{
	struct collect		 c;
	const struct obs	*o = NULL;
	size_t			 i, n = 0;

	decode_file(&c, "manual.pcap");
	for (i = 0; i < c.nobs; i++)
		if (c.obs[i].kind == OBS_SERVER && strcmp(c.obs[i].u.server.kind, "command") == 0) {
			o = &c.obs[i];
			n++;
		}
	ck_assert_uint_eq(n, 1);
	ck_assert_str_eq(o->u.server.event, "cluster-failover");
	ck_assert_int_eq(o->observer.ep.port, 21005);
	ck_assert(span_is(o->u.server.detail, "CLUSTER FAILOVER from 127.0.0.1: +OK"));
	ck_assert_int_eq(o->at, INT64_C(1796002947418285));
	collect_free(&c);
}
END_TEST

static const struct {
	const char	*name;
	int64_t		 packets;
	int		 replies, malformed, midway, empty, tls;
} known[] = {
	{ "almost-resp.pcap", 12, 1, 1, 0, 0, 0 },
	{ "array-element-object-exhaustion.pcap", 9, 1, 0, 0, 0, 0 },
	{ "attr.pcap", 28, 0, 2, 0, 1, 0 },
	{ "auth.pcap", 12, 1, 0, 1, 0, 0 },
	{ "benchmark.pcap", 150, 1, 0, 0, 0, 0 },
	{ "bulk-loading.pcap", 32, 1, 0, 0, 0, 0 },
	{ "client-skip-while-off.pcap", 12, 1, 0, 0, 0, 0 },
	{ "command-docs.pcap", 39, 1, 0, 0, 0, 0 },
	{ "django-cloud.pcapng", 474, 1, 0, 1, 0, 0 },
	{ "infiniteloop.pcapng", 1, 0, 0, 0, 1, 0 },
	{ "inline.pcap", 14, 1, 0, 0, 0, 0 },
	{ "malicious.pcap", 163, 1, 11, 0, 0, 0 },
	{ "pipeline-quotes.pcap", 12, 1, 0, 0, 0, 0 },
	{ "pubsub.pcap", 60, 1, 0, 1, 0, 0 },
	{ "redis-50-pings.pcap", 116, 1, 0, 0, 0, 0 },
	{ "redis-debug.pcap", 10, 1, 0, 0, 0, 0 },
	{ "redis-error.pcap", 3, 1, 0, 1, 0, 0 },
	{ "reply-off-on.pcap", 12, 1, 0, 0, 0, 0 },
	{ "set.pcap", 12, 1, 0, 1, 0, 0 },
	{ "start-with-server.pcapng", 6, 1, 0, 1, 0, 0 },
	{ "tls.pcapng", 82, 0, 0, 0, 0, 1 },
};

static int
problems_of(const struct collect *c, const char *code)
{
	int	 n = 0;

	while (collect_problem(c, code, (size_t)n) != NULL)
		n++;
	return (n);
}

static int
replies_of(const struct collect *c)
{
	size_t	 i;

	for (i = 0; i < c->nobs; i++)
		if (c->obs[i].kind == OBS_CONTACT && c->obs[i].u.contact.outcome == CONTACT_OK)
			return (1);
	return (0);
}

START_TEST(public_captures)
{
	struct collect	 c;

	decode_file(&c, known[_i].name);
	ck_assert_int_eq(ctx.records, known[_i].packets);
	ck_assert_int_eq(replies_of(&c), known[_i].replies);
	ck_assert_int_eq(problems_of(&c, "malformed"), known[_i].malformed);
	ck_assert_int_eq(problems_of(&c, "mid-stream"), known[_i].midway);
	ck_assert_int_eq(problems_of(&c, "empty"), known[_i].empty);
	ck_assert_int_eq(problems_of(&c, "tls"), known[_i].tls);
	ck_assert_uint_eq(collect_count(&c, OBS_REDIRECT), 0);
	ck_assert_uint_eq(collect_count(&c, OBS_VIEW), 0);
	collect_free(&c);
}
END_TEST

static const char *const twins[] = { "almost-resp", "bulk-loading", "client-skip-while-off",
    "excessive-pipelining", "pipeline-quotes", "pipeline-with-commands", "pipelining-example",
    "reply-off-on-2conn", "reply-off-on", "set", "stream" };

START_TEST(containers_of_others)
{
	struct collect	 a, b;
	char		 name[64];

	snprintf(name, sizeof name, "%s.pcap", twins[_i]);
	decode_file(&a, name);
	snprintf(name, sizeof name, "%s.pcapng", twins[_i]);
	decode_file(&b, name);
	assert_same(&a, &b, 0, name);
	collect_free(&a);
	collect_free(&b);
}
END_TEST

/* ---- containers and link layers ---- */

static const char *const ours[] = { "failover.pcap", "manual.pcap" };

static void
variant(const char *file, int cooked, const void *head, size_t n, size_t lose, int link,
    enum container as)
{
	struct packets	 ps;
	struct collect	 a, b;

	packets_load(&ps, file);
	decode_packets(&a, &ps, AS_PCAP);
	if (cooked)
		packets_wrap(&ps, head, n, lose, link);
	decode_packets(&b, &ps, as);
	assert_same(&a, &b, 0, file);
	collect_free(&a);
	collect_free(&b);
	packets_free(&ps);
}

START_TEST(containers)
{
	variant(ours[_i], 0, NULL, 0, 0, 0, AS_PCAP_NS);
	variant(ours[_i], 0, NULL, 0, 0, 0, AS_PCAP_SWAPPED);
	variant(ours[_i], 0, NULL, 0, 0, 0, AS_PCAPNG);
	variant(ours[_i], 0, NULL, 0, 0, 0, AS_PCAPNG_TWO);
}
END_TEST

/* NOLINTBEGIN(bugprone-macro-parentheses): bytes are { 1, 2 } */
#define WRAP(link, lose, bytes)						\
	variant(ours[_i], 1, (const uint8_t []) bytes,			\
	    sizeof((const uint8_t []) bytes), lose, link, AS_PCAP)
/* NOLINTEND(bugprone-macro-parentheses) */
#define B(...) { __VA_ARGS__ }
#define MAC 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
/* IPv4 without a total length, as offload leaves it */
#define IP4(proto) 0x45, 0, 0, 0, 0, 0, 0, 0, 64, proto, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2
#define SIX(n) 0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, n
/* IPv6 without a length: options, authentication, a fragment that is all, IPv4 */
#define IP6_EXTENDED 0x60, 0, 0, 0, 0, 0, 60, 64, SIX(9), SIX(1), 51, 0, 0, 0, 0, 0, 0, 0, \
	44, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 7
#define UDP(port) 0x80, 0, (port) >> 8, (port) & 255, 0, 0, 0, 0

START_TEST(link_layers)
{
	WRAP(276, 14, B(8, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0));
	WRAP(113, 14, B(0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, 8, 0));
	WRAP(0, 14, B(2, 0, 0, 0));
	WRAP(108, 14, B(0, 0, 0, 2));
	WRAP(9, 14, B(0xff, 3, 0, 0x21));
	WRAP(9, 14, B(0x21));		/* a protocol number of one byte */
	WRAP(9, 14, B(0xff, 3, 2, 0x81, 0, 1, 0x01, 64));
	WRAP(50, 14, B(0xff, 3, 0, 0x21));
	WRAP(50, 14, B(0x0f, 0, 8, 0));
	WRAP(104, 14, B(0x0f, 0, 8, 0));
	WRAP(51, 14, B(0x11, 0, 0, 1, 0, 0, 0, 0x21));
	variant(ours[_i], 1, "", 0, 14, 101, AS_PCAP);
	variant(ours[_i], 1, "", 0, 14, 101, AS_PCAPNG);
	variant(ours[_i], 1, "", 0, 14, 101, AS_PCAPNG_TWO);
	variant(ours[_i], 1, "", 0, 14, 12, AS_PCAPNG_TWO);
}
END_TEST

START_TEST(tunnels)
{
	WRAP(1, 12, B(MAC, 0x81, 0, 0, 5));
	WRAP(1, 12, B(MAC, 0x88, 0xa8, 0, 5, 0x81, 0, 0, 6));
	WRAP(1, 14, B(MAC, 0x88, 0x47, 0, 1, 0x01, 64));
	WRAP(1, 14, B(MAC, 0x88, 0x64, 0x11, 0, 0, 1, 0, 0, 0, 0x21));
	WRAP(1, 0, B(MAC, 8, 0, IP4(17), UDP(4789), 8, 0, 0, 0, 0, 0, 9, 0));
	WRAP(1, 0, B(MAC, 8, 0, IP4(17), UDP(6081), 1, 0, 0x65, 0x58, 0, 0, 9, 0, 1, 2, 3, 4));
	WRAP(1, 0, B(MAC, 8, 0, IP4(47), 0x20, 0, 0x65, 0x58, 0, 0, 0, 7));
	WRAP(1, 14, B(MAC, 8, 0, IP4(47), 0, 0, 8, 0));
	WRAP(1, 0, B(MAC, 8, 0, IP4(47), 0x10, 0, 0x88, 0xbe, 0, 0, 0, 1, 0x10, 0, 0, 0, 0, 0, 0, 0));
	WRAP(1, 0, B(MAC, 8, 0, IP4(47), 0x10, 0, 0x22, 0xeb, 0, 0, 0, 1,
	    0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
	WRAP(1, 14, B(MAC, 8, 0, IP4(4)));
	WRAP(1, 14, B(MAC, 0x86, 0xdd, IP6_EXTENDED));
	WRAP(1, 14, B(MAC, 0, 100, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0));
	WRAP(1, 0, B(MAC, 0x88, 0x47, 0, 1, 0x01, 64, 0, 0, 0, 0));
}
END_TEST

/* ---- frames made by hand ---- */

#define FROM_9_TO_1 10, 0, 0, 9, 10, 0, 0, 1
#define SYN_40000_TO_6379 0x9c, 0x40, 0x18, 0xeb, 0, 0, 3, 0xe8, 0, 0, 0, 0, 0x50, 2, 255, 255, 0, 0, 0, 0
enum { SYN4 = 40, QUOTED4 = 28, SYN6 = 60, QUOTED6 = 48, AT_SYN = 1000, AT_ICMP = 6000 };

/* A SYN, and a router's answer that quotes the beginning of it. */
static void
syn_and_icmp(struct collect *c, const uint8_t *syn, size_t n, const uint8_t *head, size_t nhead,
    size_t quoted)
{
	struct buf	 icmp = { 0 };
	char		 sent[SYN6];
	struct packet	 all[2];
	struct packets	 ps = { all, 2, 101 };

	memcpy(sent, syn, n);
	buf_add(&icmp, (const char *)head, nhead);
	buf_add(&icmp, (const char *)syn, quoted);
	all[0] = (struct packet){ AT_SYN, (uint32_t)n, (uint32_t)n, sent };
	all[1] = (struct packet){ AT_ICMP, (uint32_t)icmp.n, (uint32_t)icmp.n, icmp.p };
	decode_packets(c, &ps, AS_PCAP);
	buf_free(&icmp);
}

static const struct obs *
unreachable_in(const struct collect *c)
{
	const struct obs	*o;
	size_t			 i;

	for (i = 0; (o = collect_nth(c, OBS_CONTACT, i)) != NULL; i++)
		if (o->u.contact.outcome == CONTACT_UNREACHABLE)
			return (o);
	return (NULL);
}

static void
assert_unreachable(const struct collect *c, const char *host, const char *detail)
{
	const struct obs	*o = unreachable_in(c);

	ck_assert_ptr_nonnull(o);
	ck_assert(span_is(o->u.contact.ep.host, host));
	ck_assert_int_eq(o->u.contact.ep.port, 6379);
	ck_assert(span_is(o->u.contact.detail, detail));
	ck_assert_int_eq(o->at, AT_SYN);
	ck_assert_int_eq(o->last_at, AT_ICMP);
	ck_assert_int_eq(o->where.position, 1);
}

START_TEST(unreachable)
{
	static const uint8_t	 syn4[] = { 0x45, 0, 0, 40, 0, 1, 0, 0, 64, 6, 0, 0,
	    FROM_9_TO_1, SYN_40000_TO_6379 };
	static const uint8_t	 syn6[] = { 0x60, 0, 0, 0, 0, 20, 6, 64, SIX(9), SIX(1),
	    SYN_40000_TO_6379 };
	uint8_t			 icmp4[] = { 0x45, 0, 0, 56, 0, 2, 0, 0, 64, 1, 0, 0,
	    10, 0, 0, 254, 10, 0, 0, 9, 3, 1, 0, 0, 0, 0, 0, 0 };
	uint8_t			 icmp6[] = { 0x60, 0, 0, 0, 0, 56, 58, 64, SIX(254), SIX(9),
	    1, 3, 0, 0, 0, 0, 0, 0 };
	struct collect		 c;

	syn_and_icmp(&c, syn4, SYN4, icmp4, sizeof icmp4, QUOTED4);
	assert_unreachable(&c, "10.0.0.1", "icmp 3/1");
	collect_free(&c);
	syn_and_icmp(&c, syn6, SYN6, icmp6, sizeof icmp6, QUOTED6);
	assert_unreachable(&c, "2001:db8::1", "icmp 1/3");
	collect_free(&c);
	icmp4[21] = 4;			/* only too big: TCP sends smaller ones */
	syn_and_icmp(&c, syn4, SYN4, icmp4, sizeof icmp4, QUOTED4);
	ck_assert_ptr_null(unreachable_in(&c));
	collect_free(&c);
	icmp4[20] = 8;			/* an echo */
	syn_and_icmp(&c, syn4, SYN4, icmp4, sizeof icmp4, QUOTED4);
	ck_assert_ptr_null(unreachable_in(&c));
	collect_free(&c);
	icmp4[20] = 3, icmp4[21] = 1;	/* quotes too little to tell whom */
	syn_and_icmp(&c, syn4, SYN4, icmp4, sizeof icmp4, QUOTED4 - 1);
	ck_assert_ptr_null(unreachable_in(&c));
	collect_free(&c);
}
END_TEST

/* Frames that cannot be read are told by reason, with the first and their number. */
START_TEST(odd_frames_are_told)
{
	char		 good[] = { 0x45, 0, 0, 40, 0, 1, 0, 0, 64, 6, 0, 0,
	    FROM_9_TO_1, (char)0x9c, 0x40, 0x18, (char)0xeb, 0, 0, 3, 0, 0, 0, 0, 0, 0x50, 2,
	    1, 1, 0, 0, 0, 0 };
	char		 bad[SYN4];
	struct packet	 all[4];
	struct packets	 ps = { all, 4, 101 };
	struct collect	 c;
	int		 i;

	memcpy(bad, good, SYN4);
	bad[32] = 0x40;			/* a TCP header of 16 bytes */
	for (i = 0; i < 4; i++)
		all[i] = (struct packet){ AT_SYN, SYN4, SYN4, i == 0 ? good : bad };
	all[3].cap = 30;		/* cut inside the TCP header */
	decode_packets(&c, &ps, AS_PCAP);
	ck_assert_int_eq(ctx.records, 4);
	ck_assert_str_eq(collect_problem(&c, "malformed", 0)->reason,
	    "TCP lengths are impossible (2 packets)");
	ck_assert_int_eq(collect_problem(&c, "malformed", 0)->where.position, 2);
	ck_assert_str_eq(collect_problem(&c, "snaplen", 0)->reason,
	    "TCP header is cut short (1 packets)");
	ck_assert_int_eq(collect_problem(&c, "snaplen", 0)->where.position, 4);
	collect_free(&c);
}
END_TEST

/* ---- damage ---- */

static unsigned
next(unsigned *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return (*seed >> 16 & 0x7fff);
}

static int
is_redirect(const struct obs *o)
{
	return (o->kind == OBS_REDIRECT);
}

static int
is_reply_view(const struct obs *o)
{
	return (o->kind == OBS_VIEW && o->u.view.kind == VIEW_REPLY);
}

/* A connection whose reply was lost was still accepted: no invention. */
static int
is_bad_contact(const struct obs *o)
{
	return (o->kind == OBS_CONTACT && o->u.contact.outcome != CONTACT_OK &&
	    o->u.contact.outcome != CONTACT_CONNECTED);
}

/* A redirect that says which request it answers says it as the whole does. */
static void
assert_paired(const struct collect *part, const struct collect *whole)
{
	const struct obs	*a, *b;
	size_t			 i, k = 0, n = collect_count(whole, OBS_REDIRECT);

	for (i = 0; (a = collect_nth(part, OBS_REDIRECT, i)) != NULL; i++) {
		if (a->u.redirect.command.p == NULL)
			continue;
		for (k = 0; k < n; k++) {
			b = collect_nth(whole, OBS_REDIRECT, k);
			if (b->connection == a->connection && b->tcp_seq == a->tcp_seq)
				break;
		}
		b = collect_nth(whole, OBS_REDIRECT, k);
		ck_assert_ptr_nonnull(b);
		if (b->u.redirect.command.p == NULL)
			continue;	/* the damaged one began later, nearer */
		ck_assert(span_eq(a->u.redirect.command, b->u.redirect.command));
		ck_assert_int_eq(a->u.redirect.asked_at, b->u.redirect.asked_at);
	}
}

static void
assert_subset(const struct collect *part, const struct collect *whole, const char *what)
{
	static int	(*const kinds[])(const struct obs *) = { is_redirect, is_reply_view,
	    is_bad_contact };
	struct lines	 a, b;
	size_t		 i;

	for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		a = lines_of(part, kinds[i], 1);
		b = lines_of(whole, kinds[i], 1);
		assert_part(&a, &b, what);
		lines_free(&a);
		lines_free(&b);
	}
	assert_paired(part, whole);
}

enum damage { DROPPED, CUT, BEGUN_MIDWAY, NDAMAGES };

START_TEST(damage_never_invents)
{
	struct packets	 ps;
	struct collect	 a, b;
	unsigned	 seed = (unsigned)_i + 1;
	size_t		 i;

	packets_load(&ps, ours[_i % 2]);
	decode_packets(&a, &ps, AS_PCAP);
	switch (_i / 2 % NDAMAGES) {
	case DROPPED:
		for (i = ps.n; i-- > 0; )
			if (next(&seed) % 100 == 0)
				packets_drop(&ps, i);
		break;
	case CUT:
		packets_cut(&ps, 96);
		break;
	default:
		for (i = next(&seed) % ps.n; i-- > 0; )
			packets_drop(&ps, 0);
	}
	decode_packets(&b, &ps, AS_PCAP);
	assert_subset(&b, &a, ours[_i % 2]);
	if (_i / 2 % NDAMAGES == CUT)
		ck_assert_ptr_nonnull(collect_problem(&b, "snaplen", 0));
	collect_free(&a);
	collect_free(&b);
	packets_free(&ps);
}
END_TEST

/* Written twice or in another order, a capture says the same. */
START_TEST(order_and_copies)
{
	struct packets	 ps;
	struct collect	 a, b;
	unsigned	 seed = (unsigned)_i + 1;
	size_t		 i;

	packets_load(&ps, ours[_i % 2]);
	decode_packets(&a, &ps, AS_PCAP);
	for (i = ps.n - 1; i-- > 1; )
		if (next(&seed) % 50 == 0) {
			if (_i / 2 % 2 == 0)
				packets_again(&ps, i);
			else
				packets_swap(&ps, i);
		}
	decode_packets(&b, &ps, AS_PCAP);
	if (_i / 2 % 2 == 0)
		assert_same(&b, &a, 2, ours[_i % 2]);
	else
		assert_subset(&b, &a, ours[_i % 2]);
	ck_assert_ptr_null(collect_problem(&b, "gap", 0));
	collect_free(&a);
	collect_free(&b);
	packets_free(&ps);
}
END_TEST

START_TEST(truncated_file)
{
	struct collect	 c;
	size_t		 n;
	char		*p = packets_file("failover.pcap", &n);

	decode(&c, p, n / 2);
	ck_assert_int_gt(ctx.records, 800);
	ck_assert_uint_gt(collect_count(&c, OBS_REDIRECT), 300);
	ck_assert_ptr_nonnull(collect_problem(&c, "truncated", 0));
	collect_free(&c);
	free(p);
}
END_TEST

START_TEST(bids)
{
	char	 why[80];
	size_t	 n;
	char	*p = packets_file("failover.pcap", &n);

	ck_assert_int_gt(format_capture.bid(span_make(p, n), "x", why, sizeof why), 0);
	ck_assert_int_eq(format_capture.first_at(span_make(p, 65536)),
	    INT64_C(1796004557803437));
	ck_assert_int_eq(format_capture.bid(span_make(p + 1, n - 1), "x.pcap", why, sizeof why), 0);
	free(p);
	p = packets_file("set.pcapng", &n);
	ck_assert_int_gt(format_capture.bid(span_make(p, n), "x", why, sizeof why), 0);
	free(p);
}
END_TEST

Suite *
suite_capture(void)
{
	Suite	*s = suite_create("capture");
	TCase	*t = tcase_create("capture");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, redirects_and_views);
	tcase_add_test(t, manual_failover);
	tcase_add_loop_test(t, public_captures, 0, (int)(sizeof known / sizeof known[0]));
	tcase_add_loop_test(t, containers_of_others, 0, (int)(sizeof twins / sizeof twins[0]));
	tcase_add_loop_test(t, containers, 0, 2);
	tcase_add_loop_test(t, link_layers, 0, 2);
	tcase_add_loop_test(t, tunnels, 0, 2);
	tcase_add_test(t, unreachable);
	tcase_add_test(t, odd_frames_are_told);
	tcase_add_loop_test(t, damage_never_invents, 0, 24);
	tcase_add_loop_test(t, order_and_copies, 0, 16);
	tcase_add_test(t, truncated_file);
	tcase_add_test(t, bids);
	suite_add_tcase(s, t);
	return (s);
}
