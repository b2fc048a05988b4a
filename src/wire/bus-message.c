#include "wire/bus-message.h"

#include <stdarg.h>
#include <stdio.h>

/* Where the fields are that moved after version 0. */
struct layout {
	size_t	 head, port, flags, state, mflags;
};
static const struct layout layouts[2] = {
	{ 2208, 2200, 2202, 2204, 2205 },
	{ 2256, 10, 2250, 2252, 2253 },
};
enum { V1_IP = 2168, IP_BYTES = 46, V1_EXTENSIONS = 2214, V1_RESERVED = 2216,
	RESERVED_BYTES = 30, V1_PPORT = 2246, V1_CPORT = 2248 };

/* What must follow the header, by type; fixed: and nothing else. */
static const struct { const char *name; unsigned least; int fixed; } types[BUS_NTYPES] = {
	[BUS_PING] = { "PING", 0, 0 },
	[BUS_PONG] = { "PONG", 0, 0 },
	[BUS_MEET] = { "MEET", 0, 0 },
	[BUS_FAIL] = { "FAIL", BUS_ID_BYTES, 1 },
	[BUS_PUBLISH] = { "PUBLISH", 8, 0 },
	[BUS_AUTH_REQUEST] = { "FAILOVER_AUTH_REQUEST", 0, 1 },
	[BUS_AUTH_ACK] = { "FAILOVER_AUTH_ACK", 0, 1 },
	[BUS_UPDATE] = { "UPDATE", 8 + BUS_ID_BYTES + BUS_SLOT_BYTES, 1 },
	[BUS_MFSTART] = { "MFSTART", 0, 1 },
	[BUS_MODULE] = { "MODULE", 13, 0 },
	[BUS_PUBLISHSHARD] = { "PUBLISHSHARD", 8, 0 },
};

static unsigned
get16(const unsigned char *p)
{
	return ((unsigned)p[0] << 8 | p[1]);
}

static uint32_t
get32(const unsigned char *p)
{
	return ((uint32_t)get16(p) << 16 | get16(p + 2));
}

static uint64_t
get64(const unsigned char *p)
{
	return ((uint64_t)get32(p) << 32 | get32(p + 4));
}

static enum bus_fit
bad(struct bus_why *why, const char *fmt, ...)
{
	va_list	 ap;

	va_start(ap, fmt);
	vsnprintf(why->text, sizeof why->text, fmt, ap);
	va_end(ap);
	return (BUS_BAD);
}

static int
is_id(const unsigned char *p)
{
	int	 i;

	for (i = 0; i < BUS_ID_BYTES; i++)
		if (!((p[i] >= '0' && p[i] <= '9') || (p[i] >= 'a' && p[i] <= 'f')))
			return (0);
	return (1);
}

static int
is_nul(const unsigned char *p, size_t n)
{
	size_t	 i;

	for (i = 0; i < n; i++)
		if (p[i] != 0)
			return (0);
	return (1);
}

/* Text up to the first NUL or n bytes: 0, or -1 when it holds anything that is
 * no part of an address or host name.  Empty text is none. */
static int
text(const unsigned char *p, size_t n, struct span *s)
{
	size_t	 i;

	for (i = 0; i < n && p[i] != 0; i++)
		if (p[i] <= ' ' || p[i] > '~')
			return (-1);
	*s = span_make(i != 0 ? (const char *)p : NULL, i);
	return (0);
}

static int
is_heartbeat(unsigned type)
{
	return (type <= BUS_MEET);
}

/* The first 16 bytes: version, type and what the length may be. */
static enum bus_fit
first_look(const unsigned char *p, struct bus_message *m, struct bus_why *why)
{
	uint64_t	 least;

	m->total = get32(p + 4);
	m->version = get16(p + 8);
	m->type = get16(p + 12);
	m->count = get16(p + 14);
	if (m->version > 1)
		return (bad(why, "protocol version %u is not known", m->version));
	m->light = m->version == 1 && (m->type & 0x8000) != 0;
	if (m->light)
		m->type &= 0x7fff;
	m->head = m->light ? BUS_MIN_BYTES : layouts[m->version].head;
	if (m->total < m->head)
		return (bad(why, "length %u is less than the header's %zu", m->total,
		    m->head));
	if (m->type >= BUS_NTYPES) {
		if (m->total > BUS_KEEP_MAX_BYTES)
			return (bad(why, "type %u is not known and its length %u too great",
			    m->type, m->total));
		return (BUS_UNKNOWN);
	}
	least = (uint64_t)m->head + types[m->type].least;
	if (is_heartbeat(m->type)) {
		if (m->light)
			return (bad(why, "%s with a light header", types[m->type].name));
		least += (uint64_t)m->count * BUS_GOSSIP_BYTES;
		if (m->total > BUS_KEEP_MAX_BYTES)
			return (bad(why, "%s of %u bytes is too long", types[m->type].name,
			    m->total));
	}
	if (m->total < least)
		return (bad(why, "length %u is too short for %s with %u entries",
		    m->total, types[m->type].name, m->count));
	if (types[m->type].fixed && m->total != least)
		return (bad(why, "length %u is not that of %s", m->total,
		    types[m->type].name));
	return (BUS_WHOLE);
}

static enum bus_fit
header(const unsigned char *p, int strict, struct bus_message *m, struct bus_why *why)
{
	const struct layout	*l = &layouts[m->version];

	m->current_epoch = get64(p + 16);
	m->config_epoch = get64(p + 24);
	m->sender = span_make((const char *)p + 40, BUS_ID_BYTES);
	m->slots = p + 80;
	m->flags = get16(p + l->flags);
	m->state = p[l->state];
	m->mflags = p[l->mflags];
	m->port = (int)get16(p + l->port);
	m->data = p + m->head;
	if (m->current_epoch > INT64_MAX || m->config_epoch > INT64_MAX)
		return (bad(why, "epoch is above 2^63"));
	if (!is_id(p + 40))
		return (bad(why, "sender is not 40 hex digits"));
	if (is_id(p + 2128))
		m->replicaof = span_make((const char *)p + 2128, BUS_ID_BYTES);
	else if (!is_nul(p + 2128, BUS_ID_BYTES))
		return (bad(why, "replicaof is neither empty nor 40 hex digits"));
	if ((m->flags & BUS_MASTER) != 0 && (m->flags & BUS_REPLICA) != 0)
		return (bad(why, "sender is master and replica"));
	if ((m->flags & BUS_MASTER) != 0 && m->replicaof.p != NULL)
		return (bad(why, "sender is a master that follows another"));
	if (m->state > 1)
		return (bad(why, "cluster state %u is not known", m->state));
	if (m->version == 0)
		return (BUS_WHOLE);
	if (text(p + V1_IP, IP_BYTES, &m->ip) == -1)
		return (bad(why, "announced address is no text"));
	if (strict && !is_nul(p + V1_RESERVED, RESERVED_BYTES))
		return (bad(why, "reserved bytes are set"));
	m->extensions = get16(p + V1_EXTENSIONS);
	m->cport = (int)get16(p + V1_CPORT);
	if (m->port == 0)
		m->port = (int)get16(p + V1_PPORT);
	return (BUS_WHOLE);
}

/* Length-prefixed parts must fill the message exactly.  A light MODULE holds a
 * table of payloads (Valkey 8.1), so nothing is said about its length. */
static enum bus_fit
payload(const unsigned char *p, struct bus_message *m, struct bus_why *why)
{
	const unsigned char	*d = p + m->head;
	uint64_t		 want = m->total;

	if (m->type == BUS_MODULE && !m->light)
		want = (uint64_t)m->head + 13 + get32(d + 8);
	else if (m->type != BUS_MODULE)
		want = (uint64_t)m->head + 8 + get32(d) + get32(d + 4);
	if (want != m->total)
		return (bad(why, "length %u, but the parts of %s add up to %llu", m->total,
		    types[m->type].name, (unsigned long long)want));
	return (BUS_SKIP);
}

/* Extensions (7.0): u32 length with these 8 bytes, u16 type, u16 zero, data.
 * Type 4 is a secret in Redis 8: it is never looked into. */
static enum bus_fit
extensions(const unsigned char *p, struct bus_message *m, struct bus_why *why)
{
	size_t	 at = m->head + (size_t)m->count * BUS_GOSSIP_BYTES, left, len;
	unsigned i, type;

	for (i = 0; i < m->extensions; i++, at += len) {
		left = m->total - at;
		if (left < 8)
			return (bad(why, "extension %u of %u is missing", i + 1,
			    m->extensions));
		len = get32(p + at);
		type = get16(p + at + 4);
		if (len < 8 || len % 8 != 0 || len > left)
			return (bad(why, "extension %u (type %u): length %zu of %zu left",
			    i + 1, type, len, left));
		if (type == 0 && (text(p + at + 8, len - 8, &m->hostname) == -1 ||
		    m->hostname.n > BUS_HOSTNAME_MAX))
			return (bad(why, "extension %u: no host name", i + 1));
		if (type == 2 && (len != 56 || !is_id(p + at + 8)))
			return (bad(why, "extension %u: no forgotten node", i + 1));
		if (type == 2) {
			m->forgotten = span_make((const char *)p + at + 8, BUS_ID_BYTES);
			m->forgotten_s = get64(p + at + 48);
		}
	}
	if (at != m->total)
		return (bad(why, "%zu bytes after the last extension", m->total - at));
	return (BUS_WHOLE);
}

static enum bus_fit
heartbeat(const unsigned char *p, struct bus_message *m, struct bus_why *why)
{
	const unsigned char	*g = p + m->head;
	struct span		 ip;
	unsigned		 i;

	for (i = 0; i < m->count; i++, g += BUS_GOSSIP_BYTES) {
		if (!is_id(g))
			return (bad(why, "gossip entry %u: node id is not 40 hex digits",
			    i + 1));
		if (text(g + 48, IP_BYTES, &ip) == -1)
			return (bad(why, "gossip entry %u: address is no text", i + 1));
	}
	return (extensions(p, m, why));
}

static enum bus_fit
body(const unsigned char *p, struct bus_message *m, struct bus_why *why)
{
	const unsigned char	*id;

	if (is_heartbeat(m->type))
		return (heartbeat(p, m, why));
	if (m->type != BUS_FAIL && m->type != BUS_UPDATE)
		return (BUS_WHOLE);
	id = m->type == BUS_FAIL ? m->data : m->data + 8;
	if (!is_id(id))
		return (bad(why, "%s: node id is not 40 hex digits", types[m->type].name));
	m->subject = span_make((const char *)id, BUS_ID_BYTES);
	if (m->type == BUS_UPDATE) {
		m->subject_epoch = get64(m->data);
		if (m->subject_epoch > INT64_MAX)
			return (bad(why, "UPDATE: epoch is above 2^63"));
		m->subject_slots = id + BUS_ID_BYTES;
	}
	return (BUS_WHOLE);
}

enum bus_fit
bus_message(const unsigned char *p, size_t n, int strict, struct bus_message *m,
    size_t *need, struct bus_why *why)
{
	enum bus_fit	 fit;

	memset(m, 0, sizeof *m);
	if (n < BUS_MIN_BYTES) {
		*need = BUS_MIN_BYTES;
		return (BUS_MORE);
	}
	if (memcmp(p, "RCmb", 4) != 0)
		return (bad(why, "no bus message where one was due"));
	if ((fit = first_look(p, m, why)) != BUS_WHOLE)
		return (fit);
	*need = m->head + types[m->type].least;
	if (n < *need)
		return (BUS_MORE);
	if (!m->light && (fit = header(p, strict, m, why)) != BUS_WHOLE)
		return (fit);
	if (m->type == BUS_PUBLISH || m->type == BUS_PUBLISHSHARD ||
	    m->type == BUS_MODULE)
		return (payload(p, m, why));
	if (m->light)
		return (bad(why, "%s with a light header", types[m->type].name));
	/* Without extensions the length is known now: do not wait for a lie. */
	if (is_heartbeat(m->type) && m->extensions == 0 && m->total != m->head +
	    (size_t)m->count * BUS_GOSSIP_BYTES)
		return (bad(why, "length %u is not that of %s with %u entries", m->total,
		    types[m->type].name, m->count));
	*need = m->total;
	if (n < *need)
		return (BUS_MORE);
	m->checked = 1;
	return (body(p, m, why));
}

void
bus_gossip(const struct bus_message *m, unsigned i, struct bus_gossip *g)
{
	const unsigned char	*p = m->data + (size_t)i * BUS_GOSSIP_BYTES;

	memset(g, 0, sizeof *g);
	g->id = span_make((const char *)p, BUS_ID_BYTES);
	text(p + 48, IP_BYTES, &g->ip);
	g->port = (int)get16(p + 94);
	if (m->version == 0) {
		g->flags = get16(p + 96);
		return;
	}
	g->cport = (int)get16(p + 96);
	g->flags = get16(p + 98);
	if (g->port == 0)
		g->port = (int)get16(p + 100);
}
