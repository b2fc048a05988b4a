#include "wire/frame.h"

#include <arpa/inet.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/fast.h"
#include "base/mem.h"
#include "wire/fragment.h"

/*
 * Bytes of one layer.  cap are at hand, len were sent; every read goes through
 * a getter that checks cap, every step forward through skip().
 */
struct layer {
	const uint8_t	*p;
	size_t		 cap, len;
};

enum { TCP_BYTES = 1 << 20 };		/* more than any offload sends at once */

struct frames {
	struct fragments *fragments;
	int64_t		 lost;
	const struct link *last;	/* of a frame before; NULL: none */
	int		 last_type;
};

static void	 ethertype(struct frames *, unsigned type, struct layer, int depth,
		    struct frame *);
static void	 ethernet(struct frames *, struct layer, int depth, struct frame *);
static void	 ip(struct frames *, struct layer, int depth, struct frame *);
static void	 protocol(struct frames *, unsigned proto, struct layer, int depth,
		    struct frame *);

static int
has(const struct layer *l, size_t n)
{
	return (l->cap >= n);
}

static unsigned
get16(const struct layer *l, size_t at)
{
	return ((unsigned)l->p[at] << 8 | l->p[at + 1]);
}

static uint32_t
get32(const struct layer *l, size_t at)
{
	return ((uint32_t)get16(l, at) << 16 | get16(l, at + 2));
}

static void
bad(struct frame *f, const char *why)
{
	f->kind = FRAME_BAD;
	f->why = why;
}

/* Too few bytes for a header: cut by the capture, or sent too short. */
static void
cut(struct frame *f, const struct layer *l, size_t need, const char *why)
{
	bad(f, why);
	if (l->len >= need)
		f->kind = FRAME_CUT;
}

static struct layer
skip(struct layer l, size_t n)
{
	if (n > l.cap)
		n = l.cap;
	l.p += n;
	l.cap -= n;
	l.len -= n;
	return (l);
}

static void
tcp(struct layer l, struct frame *f)
{
	size_t	 head;

	if (!has(&l, 20)) {
		cut(f, &l, 20, "TCP header is cut short");
		return;
	}
	head = (size_t)(l.p[12] >> 4) * 4;
	if (head < 20 || head > l.len || l.len > TCP_BYTES) {
		bad(f, "TCP lengths are impossible");
		return;
	}
	f->kind = FRAME_TCP;
	f->sport = (uint16_t)get16(&l, 0);
	f->dport = (uint16_t)get16(&l, 2);
	f->seq = get32(&l, 4);
	f->ack = get32(&l, 8);
	f->flags = l.p[13];
	f->len = (uint32_t)(l.len - head);
	f->cap = l.cap > head ? (uint32_t)(l.cap - head) : 0;
	f->data = f->cap > 0 ? l.p + head : NULL;
}

/* An ICMP error quotes the IP header and 8 bytes of what could not be sent. */
static void
unreachable(struct layer l, int six, struct frame *f)
{
	struct frame	 quoted;
	struct layer	 in;
	size_t		 head;

	f->kind = FRAME_OTHER;
	if (!has(&l, 8) || l.p[0] != (six ? 1 : 3) || (!six && l.p[1] == 4))
		return;			/* not "unreachable", or only too big */
	memset(&quoted, 0, sizeof quoted);
	quoted.icmp_type = l.p[0];
	quoted.icmp_code = l.p[1];
	in = skip(l, 8);
	if (six) {
		if (!has(&in, 48) || in.p[0] >> 4 != 6 || in.p[6] != 6)
			return;
		memcpy(quoted.src.b, in.p + 8, 16);
		memcpy(quoted.dst.b, in.p + 24, 16);
		head = 40;
	} else {
		if (!has(&in, 28) || in.p[0] >> 4 != 4 || in.p[9] != 6)
			return;
		head = (size_t)(in.p[0] & 15) * 4;
		if (head < 20 || !has(&in, head + 8))
			return;
		memset(quoted.src.b + 10, 0xff, 2);
		memset(quoted.dst.b + 10, 0xff, 2);
		memcpy(quoted.src.b + 12, in.p + 12, 4);
		memcpy(quoted.dst.b + 12, in.p + 16, 4);
	}
	quoted.kind = FRAME_UNREACHABLE;
	quoted.sport = (uint16_t)get16(&in, head);
	quoted.dport = (uint16_t)get16(&in, head + 2);
	quoted.seq = get32(&in, head + 4);
	*f = quoted;
}

/* NOLINTBEGIN(misc-no-recursion): layers in layers, FRAME_LAYERS at most */

/* GRE (RFC 2784, 2890), and ERSPAN I, II and III inside it. */
static void
gre(struct frames *fs, struct layer l, int depth, struct frame *f)
{
	unsigned	 flags, type;
	size_t		 head = 4;

	if (!has(&l, 4)) {
		cut(f, &l, 4, "GRE header is cut short");
		return;
	}
	flags = get16(&l, 0);
	type = get16(&l, 2);
	if ((flags & 7) != 0 || (flags & 0x4000) != 0)
		return;			/* PPTP, or source routing */
	head += (flags & 0x8000 ? 4 : 0) + (flags & 0x2000 ? 4 : 0) + (flags & 0x1000 ? 4 : 0);
	if (type == 0x88be && (flags & 0x1000) != 0)
		head += 8;
	else if (type == 0x22eb) {
		if (!has(&l, head + 12)) {
			cut(f, &l, head + 12, "ERSPAN header is cut short");
			return;
		}
		head += 12 + (l.p[head + 11] & 1 ? 8 : 0);
	}
	if (!has(&l, head)) {
		cut(f, &l, head, "GRE header is cut short");
		return;
	}
	l = skip(l, head);
	if (type == 0x6558 || type == 0x88be || type == 0x22eb)
		ethernet(fs, l, depth + 1, f);
	else
		ethertype(fs, type, l, depth + 1, f);
}

/* VXLAN (RFC 7348; 8472 is Linux' old port) and Geneve (RFC 8926). */
static void
udp(struct frames *fs, struct layer l, int depth, struct frame *f)
{
	unsigned	 port;
	size_t		 head;

	if (!has(&l, 16))
		return;
	port = get16(&l, 2);
	l = skip(l, 8);
	if ((port == 4789 || port == 8472) && (l.p[0] & 0x08) != 0)
		ethernet(fs, skip(l, 8), depth + 1, f);
	else if (port == 6081 && l.p[0] >> 6 == 0) {
		unsigned type = get16(&l, 2);

		head = 8 + (size_t)(l.p[0] & 0x3f) * 4;
		if (!has(&l, head))
			cut(f, &l, head, "Geneve header is cut short");
		else if (type == 0x6558)
			ethernet(fs, skip(l, head), depth + 1, f);
		else
			ethertype(fs, type, skip(l, head), depth + 1, f);
	}
}

static void
protocol(struct frames *fs, unsigned proto, struct layer l, int depth, struct frame *f)
{
	switch (proto) {
	case 6:
		tcp(l, f);
		break;
	case 17:
		udp(fs, l, depth, f);
		break;
	case 1:
	case 58:
		unreachable(l, proto == 58, f);
		break;
	case 47:
		gre(fs, l, depth, f);
		break;
	case 4:
	case 41:
		ip(fs, l, depth + 1, f);
		break;
	case 137:
		ethertype(fs, 0x8847, l, depth + 1, f);
		break;
	default:
		break;
	}
}

/* One piece of a datagram; goes on with the whole once the last one came. */
static void
piece(struct frames *fs, const struct fragment_key *k, size_t offset, int more,
    struct layer l, int depth, struct frame *f)
{
	struct layer	 whole;

	if (l.cap < l.len) {
		f->kind = FRAME_CUT;
		f->why = "a fragment is cut short";
		return;
	}
	whole.p = fragments_add(fs->fragments, k, offset, more, l.p, l.cap, &whole.cap,
	    &fs->lost);
	whole.len = whole.cap;
	if (whole.p != NULL)
		protocol(fs, k->proto, whole, depth, f);
}

static void
ip4(struct frames *fs, struct layer l, int depth, struct frame *f)
{
	struct fragment_key	 k;
	size_t			 head, total;
	unsigned		 frag;

	if (!has(&l, 20)) {
		cut(f, &l, 20, "IPv4 header is cut short");
		return;
	}
	head = (size_t)(l.p[0] & 15) * 4;
	total = get16(&l, 2);
	if (total == 0)
		total = l.len;		/* segmentation offload */
	if (head < 20 || total < head) {
		bad(f, "IPv4 lengths are impossible");
		return;
	}
	l.len = total;			/* without the link layer's padding */
	if (l.cap > total)
		l.cap = total;
	memset(f->src.b, 0, 10);
	memset(f->dst.b, 0, 10);
	f->src.b[10] = f->src.b[11] = f->dst.b[10] = f->dst.b[11] = 0xff;
	memcpy(f->src.b + 12, l.p + 12, 4);
	memcpy(f->dst.b + 12, l.p + 16, 4);
	if (!has(&l, head)) {
		cut(f, &l, head, "IPv4 options are cut short");
		return;
	}
	frag = get16(&l, 6);
	if ((frag & 0x3fff) == 0) {
		protocol(fs, l.p[9], skip(l, head), depth, f);
		return;
	}
	memset(&k, 0, sizeof k);
	k.src = f->src;
	k.dst = f->dst;
	k.id = get16(&l, 4);
	k.proto = l.p[9];
	piece(fs, &k, (size_t)(frag & 0x1fff) * 8, (frag & 0x2000) != 0, skip(l, head), depth, f);
}

/* Extension headers up to the first that is none. */
static void
ip6_extensions(struct frames *fs, unsigned next, struct layer l, int depth, struct frame *f)
{
	struct fragment_key	 k;
	size_t			 head;
	int			 i;

	for (i = 0; i < FRAME_LAYERS; i++) {
		if (next != 0 && next != 43 && next != 44 && next != 51 && next != 60 &&
		    next != 135 && next != 139 && next != 140) {
			protocol(fs, next, l, depth, f);
			return;
		}
		if (!has(&l, 8)) {
			cut(f, &l, 8, "IPv6 extension header is cut short");
			return;
		}
		if (next == 44 && (get16(&l, 2) & 0xfff9) != 0) {
			memset(&k, 0, sizeof k);
			k.src = f->src;
			k.dst = f->dst;
			k.id = get32(&l, 4);
			k.proto = l.p[0];
			piece(fs, &k, get16(&l, 2) & 0xfff8, l.p[3] & 1, skip(l, 8), depth, f);
			return;
		}
		head = next == 44 ? 8 : next == 51 ? ((size_t)l.p[1] + 2) * 4 :
		    ((size_t)l.p[1] + 1) * 8;
		if (!has(&l, head)) {
			cut(f, &l, head, "IPv6 extension header is cut short");
			return;
		}
		next = l.p[0];
		l = skip(l, head);
	}
	bad(f, "too many IPv6 extension headers");
}

static void
ip6(struct frames *fs, struct layer l, int depth, struct frame *f)
{
	size_t	 total;

	if (!has(&l, 40)) {
		cut(f, &l, 40, "IPv6 header is cut short");
		return;
	}
	total = get16(&l, 4);
	if (total != 0) {		/* 0: offload or a jumbogram */
		l.len = total + 40;
		if (l.cap > l.len)
			l.cap = l.len;
	}
	memcpy(f->src.b, l.p + 8, 16);
	memcpy(f->dst.b, l.p + 24, 16);
	ip6_extensions(fs, l.p[6], skip(l, 40), depth, f);
}

static void
ip(struct frames *fs, struct layer l, int depth, struct frame *f)
{
	if (depth > FRAME_LAYERS)
		bad(f, "too many layers");
	else if (!has(&l, 1))
		cut(f, &l, 1, "IP header is cut short");
	else if (l.p[0] >> 4 == 4)
		ip4(fs, l, depth, f);
	else if (l.p[0] >> 4 == 6)
		ip6(fs, l, depth, f);
}

/* PPP after its flag and address bytes: a protocol number of one or two bytes. */
static void
ppp(struct frames *fs, struct layer l, int depth, struct frame *f)
{
	unsigned	 type;

	if (has(&l, 2) && l.p[0] == 0xff && l.p[1] == 0x03)
		l = skip(l, 2);
	if (!has(&l, 2)) {
		cut(f, &l, 2, "PPP header is cut short");
		return;
	}
	type = l.p[0] & 1 ? l.p[0] : get16(&l, 0);
	l = skip(l, l.p[0] & 1 ? 1 : 2);
	if (type == 0x21 || type == 0x57)
		ip(fs, l, depth + 1, f);
	else if (type == 0x281)
		ethertype(fs, 0x8847, l, depth + 1, f);
}

/* Labels to the bottom of the stack; what follows is IP, or Ethernet behind a
 * control word. */
static void
mpls(struct frames *fs, struct layer l, int depth, struct frame *f)
{
	int	 i, bottom = 0;

	for (i = 0; i < FRAME_LAYERS && !bottom; i++) {
		if (!has(&l, 4)) {
			cut(f, &l, 4, "MPLS label is cut short");
			return;
		}
		bottom = l.p[2] & 1;
		l = skip(l, 4);
	}
	if (has(&l, 1) && l.p[0] >> 4 == 0)
		ethernet(fs, skip(l, 4), depth + 1, f);
	else
		ip(fs, l, depth + 1, f);
}

static void
ethertype(struct frames *fs, unsigned type, struct layer l, int depth, struct frame *f)
{
	for (; depth <= FRAME_LAYERS; depth++) {
		switch (type) {
		case 0x0800:
		case 0x86dd:
			ip(fs, l, depth, f);
			return;
		case 0x8100:		/* VLAN tags: 802.1Q, 802.1ad, older QinQ */
		case 0x88a8:
		case 0x9100:
		case 0x9200:
			if (!has(&l, 4)) {
				cut(f, &l, 4, "VLAN tag is cut short");
				return;
			}
			type = get16(&l, 2);
			l = skip(l, 4);
			continue;
		case 0x8847:
		case 0x8848:
			mpls(fs, l, depth, f);
			return;
		case 0x8864:		/* PPPoE session: 6 bytes */
			if (has(&l, 6))
				ppp(fs, skip(l, 6), depth + 1, f);
			return;
		default:
			if (type < 0x600 && has(&l, 8) && l.p[0] == 0xaa && l.p[1] == 0xaa) {
				type = get16(&l, 6);	/* LLC and SNAP */
				l = skip(l, 8);
				continue;
			}
			return;
		}
	}
	bad(f, "too many layers");
}

static void
ethernet(struct frames *fs, struct layer l, int depth, struct frame *f)
{
	if (depth > FRAME_LAYERS)
		bad(f, "too many layers");
	else if (!has(&l, 14))
		cut(f, &l, 14, "Ethernet header is cut short");
	else
		ethertype(fs, get16(&l, 12), skip(l, 14), depth, f);
}

/* NOLINTEND(misc-no-recursion) */

static void
link_ethernet(struct frames *fs, struct layer l, struct frame *f)
{
	ethernet(fs, l, 0, f);
}

static void
link_raw(struct frames *fs, struct layer l, struct frame *f)
{
	ip(fs, l, 0, f);
}

/* BSD loopback: an address family of four bytes, in the byte order of the
 * host that captured; the packet itself says which IP it is. */
static void
link_loop(struct frames *fs, struct layer l, struct frame *f)
{
	if (!has(&l, 4))
		cut(f, &l, 4, "loopback header is cut short");
	else
		ip(fs, skip(l, 4), 0, f);
}

static void
link_sll(struct frames *fs, struct layer l, struct frame *f)
{
	if (!has(&l, 16))
		cut(f, &l, 16, "cooked header is cut short");
	else
		ethertype(fs, get16(&l, 14), skip(l, 16), 0, f);
}

static void
link_sll2(struct frames *fs, struct layer l, struct frame *f)
{
	if (!has(&l, 20))
		cut(f, &l, 20, "cooked header is cut short");
	else
		ethertype(fs, get16(&l, 0), skip(l, 20), 0, f);
}

static void
link_ppp(struct frames *fs, struct layer l, struct frame *f)
{
	ppp(fs, l, 0, f);
}

static void
link_pppoe(struct frames *fs, struct layer l, struct frame *f)
{
	ethertype(fs, 0x8864, l, 0, f);
}

/* Cisco HDLC: address, control, ethertype. */
static void
link_chdlc(struct frames *fs, struct layer l, struct frame *f)
{
	if (!has(&l, 4))
		cut(f, &l, 4, "HDLC header is cut short");
	else if (l.p[0] == 0xff)
		ppp(fs, l, 0, f);
	else
		ethertype(fs, get16(&l, 2), skip(l, 4), 0, f);
}

/* What an IPv4 packet stands behind: so many bytes, at type_at of them its
 * ethertype; -1: the bytes name no type, -2: it is not always there. */
static const struct link {
	int		 type;
	const char	*name;
	void		(*decode)(struct frames *, struct layer, struct frame *);
	int		 type_at, ip_at;
} links[] = {
	{ 1, "Ethernet", link_ethernet, 12, 14 },
	{ 113, "Linux cooked v1", link_sll, 14, 16 },
	{ 276, "Linux cooked v2", link_sll2, 0, 20 },
	{ 0, "BSD loopback", link_loop, -1, 4 },
	{ 108, "OpenBSD loopback", link_loop, -1, 4 },
	{ 101, "raw IP", link_raw, -1, 0 },
	{ 12, "raw IP", link_raw, -1, 0 },
	{ 14, "raw IP", link_raw, -1, 0 },
	{ 228, "raw IPv4", link_raw, -1, 0 },
	{ 229, "raw IPv6", link_raw, -1, 0 },
	{ 9, "PPP", link_ppp, -2, 0 },
	{ 50, "PPP in HDLC", link_chdlc, -2, 0 },
	{ 104, "Cisco HDLC", link_chdlc, -2, 0 },
	{ 51, "PPPoE", link_pppoe, -2, 0 },
};
enum { NLINKS = sizeof links / sizeof links[0] };

static const struct link *
find(int type)
{
	size_t	 i;

	for (i = 0; i < NLINKS; i++)
		if (links[i].type == type)
			return (&links[i]);
	return (NULL);
}

const char *
frame_link_name(int type)
{
	const struct link	*l = find(type);

	return (l != NULL ? l->name : NULL);
}

static inline uint32_t
word(const uint8_t *p)
{
	uint32_t	 v;

	memcpy(&v, p, sizeof v);
	return (be32toh(v));
}

static inline uint16_t
half(const uint8_t *p)
{
	uint16_t	 v;

	memcpy(&v, p, sizeof v);
	return (be16toh(v));
}

/* Nearly every packet: TCP in IPv4 without options, in one piece, right behind
 * the link layer.  Gives what the layers would give, or nothing. */
static inline int
shortcut(const struct link *k, const uint8_t *p, size_t cap, struct frame *f)
{
	const uint8_t	*ip = p + k->ip_at, *tcp = ip + 20;
	size_t		 total, head;

	if (cap < (size_t)k->ip_at + 40 || ip[0] != 0x45 || ip[9] != 6 ||
	    (half(ip + 6) & 0x3fff) != 0 || (k->type_at >= 0 && half(p + k->type_at) != 0x0800) ||
	    k->type_at == -2)
		return (0);
	total = half(ip + 2);
	head = 20 + (size_t)(tcp[12] >> 4) * 4;
	if (head < 40 || head > total)
		return (0);
	cap -= (size_t)k->ip_at;
	if (cap > total)
		cap = total;
	f->kind = FRAME_TCP;
	f->src.w[0] = f->dst.w[0] = 0;	/* whole words: they are read as such soon */
	f->src.w[1] = htobe64(UINT64_C(0xffff00000000) | word(ip + 12));
	f->dst.w[1] = htobe64(UINT64_C(0xffff00000000) | word(ip + 16));
	f->sport = half(tcp);
	f->dport = half(tcp + 2);
	f->seq = word(tcp + 4);
	f->ack = word(tcp + 8);
	f->flags = tcp[13];
	f->len = (uint32_t)(total - head);
	f->cap = cap > head ? (uint32_t)(cap - head) : 0;
	f->data = f->cap > 0 ? ip + head : NULL;
	f->why = NULL;
	return (1);
}

/* Layer by layer. */
static void
decode(struct frames *fs, int type, const uint8_t *p, size_t cap, size_t len, struct frame *f)
{
	const struct link	*k = find(type);
	struct layer		 l = { p, cap, len < cap ? cap : len };

	fs->last = fast_paths ? k : NULL;
	fs->last_type = type;
	f->kind = FRAME_OTHER;
	f->data = NULL;
	f->cap = f->len = 0;
	f->why = NULL;
	if (k != NULL)
		k->decode(fs, l, f);
}

void
frame_decode(struct frames *fs, int type, const uint8_t *p, size_t cap, size_t len,
    struct frame *f)
{
	const struct link	*k = fs->last;

	if (k == NULL || fs->last_type != type || !shortcut(k, p, cap, f))
		decode(fs, type, p, cap, len, f);
}

struct frames *
frames_new(void)
{
	struct frames	*fs = mem_zero(1, sizeof *fs);

	fs->fragments = fragments_new(FRAME_FRAGMENTS);
	return (fs);
}

void
frames_free(struct frames *fs)
{
	if (fs == NULL)
		return;
	fragments_free(fs->fragments);
	free(fs);
}

int64_t
frames_lost(struct frames *fs)
{
	int64_t	 n = fs->lost;

	fs->lost = 0;
	return (n);
}

int
frame_addr_is4(const struct frame_addr *a)
{
	static const uint8_t	 mapped[12] = { [10] = 0xff, [11] = 0xff };

	return (memcmp(a->b, mapped, sizeof mapped) == 0);
}

void
frame_addr_text(const struct frame_addr *a, char *buf, size_t n)
{
	if (frame_addr_is4(a))
		inet_ntop(AF_INET, a->b + 12, buf, (socklen_t)n);
	else
		inet_ntop(AF_INET6, a->b, buf, (socklen_t)n);
}
