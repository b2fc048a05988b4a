/*
 * capture.c - a capture of what redis-benchmark -t set,get -d 100 -r 1000 does to a
 * cluster of three masters: each connection sends one request and waits for
 * its reply, as frames of the loopback interface (Ethernet, TCP with the time
 * stamp option).  A share of the replies are redirects: their key belongs to
 * another master.
 *
 * Made here and not recorded: the share of redirects and the number of
 * connections have to be exact, and a recording differs at each run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "model/slots.h"

enum { MASTERS = 3, HEAD = 66, VALUE = 100, PORTS = 28000, KEYS = 1000 };

struct connection {
	uint32_t	 seq[2];	/* next byte of client and server */
	uint32_t	 host;
	uint16_t	 port;
	uint8_t		 master, state;
};

struct key {
	char		 text[20];
	int		 slot, master;
};

struct making {
	struct connection *connections;
	struct key	*keys;
	uint32_t	 nconnections;
	uint32_t	 redirects;	/* of 2000 requests */
	int		 interfaces;	/* 0: pcap, else pcapng */
	int64_t		 at;		/* us */
	int64_t		 left;		/* bytes to write */
};

static void
put16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void
put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v & 0xffff);
}

static void
write_out(struct making *m, const void *p, size_t n)
{
	if (fwrite(p, 1, n, stdout) != n)
		die("cannot write");
	m->left -= (int64_t)n;
}

static void
head(struct making *m)
{
	static const uint32_t	 pcap[6] = { 0xa1b2c3d4, 4 << 16 | 2, 0, 0, 262144, 1 };
	static const uint32_t	 section[7] = { 0x0a0d0d0a, 28, 0x1a2b3c4d, 1, 0xffffffff,
		0xffffffff, 28 };
	static const uint32_t	 interface[5] = { 1, 20, 1, 262144, 20 };
	int			 i;

	if (m->interfaces == 0) {
		write_out(m, pcap, sizeof pcap);
		return;
	}
	write_out(m, section, sizeof section);
	for (i = 0; i < m->interfaces; i++)
		write_out(m, interface, sizeof interface);
}

static void
frame(struct making *m, uint32_t interface, const uint8_t *p, uint32_t n)
{
	uint32_t	 record[4] = { (uint32_t)(m->at / 1000000), (uint32_t)(m->at % 1000000), n,
		n };
	uint32_t	 total = 32 + (n + 3) / 4 * 4;
	uint32_t	 block[7] = { 6, total, interface, (uint32_t)(m->at >> 32),
		(uint32_t)m->at, n, n };
	static const uint8_t zeros[4];

	m->at += 5;
	if (m->interfaces == 0) {
		write_out(m, record, sizeof record);
		write_out(m, p, n);
		return;
	}
	write_out(m, block, sizeof block);
	write_out(m, p, n);
	write_out(m, zeros, (4 - n % 4) % 4);
	write_out(m, &total, sizeof total);
}

/* One segment by the client (side 0) or the server (1). */
static void
segment(struct making *m, struct connection *c, int side, unsigned flags, const char *data,
    uint32_t n)
{
	static const uint8_t	 fixed[HEAD] = { [12] = 8, [14] = 0x45, [20] = 0x40, [22] = 64,
		[23] = 6, [46] = 0x80, [48] = 2, [54] = 1, [55] = 1, [56] = 8, [57] = 10 };
	uint8_t			 b[HEAD + 512];
	uint8_t			*ip = b + 14, *tcp = b + 34;
	int			 from = 12, to = 16;

	memcpy(b, fixed, HEAD);
	put16(ip + 2, 52 + n);
	put32(ip + (side == 0 ? from : to), 0x0a000100 + c->host);
	put32(ip + (side == 0 ? to : from), 0x0a00000b + c->master);
	put16(tcp + (side == 0 ? 0 : 2), c->port);
	put16(tcp + (side == 0 ? 2 : 0), 6379);
	put32(tcp + 4, c->seq[side]);
	put32(tcp + 8, flags & 16 ? c->seq[!side] : 0);
	tcp[13] = (uint8_t)flags;
	put32(tcp + 24, (uint32_t)(m->at / 1000));
	memcpy(b + HEAD, data, n);
	frame(m, m->interfaces > 1 ? c->master % (unsigned)m->interfaces : 0, b, HEAD + n);
	c->seq[side] += n + ((flags & 3) != 0);
}

static void
shake_hands(struct making *m, struct connection *c)
{
	segment(m, c, 0, 2, "", 0);
	segment(m, c, 1, 18, "", 0);
	segment(m, c, 0, 16, "", 0);
	c->state = 1;
}

static const struct key *
key_for(const struct making *m, const struct connection *c, int redirected)
{
	const struct key	*k;

	do {
		k = &m->keys[random_below(KEYS)];
	} while ((k->master != c->master) != redirected);
	return (k);
}

static void
exchange(struct making *m, struct connection *c)
{
	static const char	 value[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
	    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
	int			 redirected = random_below(2000) < m->redirects;
	const struct key	*k = key_for(m, c, redirected);
	int			 set = random_below(2) == 0, n;
	char			 text[512];

	if (set)
		n = snprintf(text, sizeof text, "*3\r\n$3\r\nSET\r\n$16\r\n%s\r\n$%d\r\n%.*s\r\n",
		    k->text, VALUE, VALUE, value);
	else
		n = snprintf(text, sizeof text, "*2\r\n$3\r\nGET\r\n$16\r\n%s\r\n", k->text);
	segment(m, c, 0, 24, text, (uint32_t)n);
	if (redirected)
		n = snprintf(text, sizeof text, "-MOVED %d 10.0.0.%d:6379\r\n", k->slot,
		    11 + k->master);
	else if (set)
		n = snprintf(text, sizeof text, "+OK\r\n");
	else
		n = snprintf(text, sizeof text, "$%d\r\n%.*s\r\n", VALUE, VALUE, value);
	segment(m, c, 1, 24, text, (uint32_t)n);
}

static void
prepare(struct making *m)
{
	struct connection	*c;
	struct span		 s;
	uint32_t		 i;

	m->keys = calloc(KEYS, sizeof *m->keys);
	m->connections = calloc(m->nconnections, sizeof *m->connections);
	if (m->keys == NULL || m->connections == NULL)
		die("out of memory");
	for (i = 0; i < KEYS; i++) {
		s.p = m->keys[i].text;
		s.n = (size_t)snprintf(m->keys[i].text, sizeof m->keys[i].text, "key:%012u", i);
		m->keys[i].slot = slots_of_key(s);
		m->keys[i].master = m->keys[i].slot / 5462;
	}
	for (i = 0; i < m->nconnections; i++) {
		c = &m->connections[i];
		c->host = 1 + i / PORTS;
		c->port = (uint16_t)(32768 + i % PORTS);
		c->master = (uint8_t)(i % MASTERS);
		c->seq[0] = random_below(UINT32_MAX);
		c->seq[1] = random_below(UINT32_MAX);
	}
}

int
make_capture(int argc, char **argv)
{
	struct making		 m = { .at = INT64_C(1796004000000000) };
	struct connection	*c;

	if (argc != 4)
		die("capture: four numbers are needed");
	m.left = atoll(argv[0]);
	m.redirects = (uint32_t)atoi(argv[1]) * 4;	/* of packets to of requests */
	m.nconnections = (uint32_t)atoi(argv[2]);
	m.interfaces = atoi(argv[3]);
	prepare(&m);
	head(&m);
	while (m.left > 0) {
		c = &m.connections[random_below(m.nconnections)];
		if (c->state == 0)
			shake_hands(&m, c);
		else
			exchange(&m, c);
	}
	free(m.keys);
	free(m.connections);
	return (fflush(stdout) != 0);
}
