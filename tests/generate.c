/*
 * generate.c - hostile and endless inputs, written to standard output:
 *
 *	generate KIND N
 *
 * Never on disk: attack.sh and soak.sh pipe it into slotrace.  What each kind is
 * made to hurt is said at its row of the table.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SYN = 2, RST = 4, PSH = 8, ACK = 16, FIN = 1 };

/* Ends of a connection, and where each is in its bytes. */
struct ends {
	uint32_t	 ip[2];
	uint16_t	 port[2];
	uint32_t	 seq[2];
};

static uint64_t	 now = UINT64_C(1796000000000000);	/* us */

static void
put(const void *p, size_t n)
{
	if (n > 0 && fwrite(p, 1, n, stdout) != n)
		exit(1);		/* the reader had enough */
}

static void
put_str(const char *s)
{
	put(s, strlen(s));
}

static void
le32(uint32_t v)
{
	unsigned char	 b[4] = { v & 255, v >> 8 & 255, v >> 16 & 255, v >> 24 };

	put(b, 4);
}

static unsigned char *
be(unsigned char *p, uint32_t v, int bytes)
{
	while (bytes-- > 0)
		*p++ = (unsigned char)(v >> 8 * bytes);
	return (p);
}

static void
capture(void)
{
	le32(0xa1b2c3d4);
	le32(4 << 16 | 2);		/* version 2.4 */
	le32(0);
	le32(0);
	le32(262144);
	le32(101);			/* raw IP */
}

static void
segment(struct ends *e, int from, int flags, const void *data, size_t n)
{
	unsigned char	 h[40], *p = h;
	uint32_t	 len = (uint32_t)(40 + n);

	p = be(p, 0x4500, 2);
	p = be(p, len, 2);
	p = be(p, 0x4000, 4);		/* id, do not fragment */
	p = be(p, 64 << 24 | 6 << 16, 4);
	p = be(p, e->ip[from], 4);
	p = be(p, e->ip[!from], 4);
	p = be(p, e->port[from], 2);
	p = be(p, e->port[!from], 2);
	p = be(p, e->seq[from], 4);
	p = be(p, flags & ACK ? e->seq[!from] : 0, 4);
	p = be(p, (uint32_t)(0x5000 | flags), 2);
	p = be(p, 0xffff, 2);
	be(p, 0, 4);
	le32((uint32_t)(now / 1000000));
	le32((uint32_t)(now % 1000000));
	le32(len);
	le32(len);
	put(h, 40);
	put(data, n);
	e->seq[from] += (uint32_t)n + ((flags & (SYN | FIN)) != 0);
	now += 10;
}

static void
says(struct ends *e, int from, const char *text)
{
	segment(e, from, ACK | PSH, text, strlen(text));
}

static struct ends
ends_of(uint64_t client, uint32_t server)
{
	struct ends	 e = { { (uint32_t)(0x0b000000 + client / 50000),
	    0x0a000001 + server }, { (uint16_t)(10000 + client % 50000), 6379 },
	    { (uint32_t)client * 77, (uint32_t)client * 99 } };

	return (e);
}

static void
shake(struct ends *e)
{
	segment(e, 0, SYN, NULL, 0);
	segment(e, 1, SYN | ACK, NULL, 0);
	segment(e, 0, ACK, NULL, 0);
}

static void
syns(uint64_t n)
{
	struct ends	 e;
	uint64_t	 i;

	capture();
	for (i = 0; i < n; i++) {
		e = ends_of(i, 0);
		segment(&e, 0, SYN, NULL, 0);
	}
}

static void
flows(uint64_t n)
{
	struct ends	 e;
	uint64_t	 i;

	capture();
	for (i = 0; i < n; i++) {
		e = ends_of(i, (uint32_t)(i % 6));
		shake(&e);
		says(&e, 0, "*1\r\n$4\r\nPING\r\n");
		says(&e, 1, "+PONG\r\n");
	}
}

static void
hosts(uint64_t n)
{
	struct ends	 e;
	uint64_t	 i;

	capture();
	for (i = 0; i < n; i++) {
		e = ends_of(i, 0);
		e.ip[0] = (uint32_t)(0x0b000000 + i);
		e.ip[1] = (uint32_t)(0x0a000000 + i % 1000);
		shake(&e);
		says(&e, 0, "*1\r\n$4\r\nPING\r\n");
		says(&e, 1, "+PONG\r\n");
	}
}

static void
bytes(uint64_t n)
{
	static const char	 text[] = "*3\r\n$3\r\nSET\r\n$3\r\nfoo\r\n$4\r\n"
	    "barr\r\n", reply[] = "+OK\r\n";
	struct ends		 e = ends_of(1, 0);
	uint64_t		 i;

	capture();
	shake(&e);
	for (i = 0; i < n; i++) {
		segment(&e, 0, ACK | PSH, text + i % (sizeof text - 1), 1);
		if ((i + 1) % (sizeof text - 1) == 0)
			says(&e, 1, reply);
	}
}

static void
backwards(uint64_t n)
{
	struct ends	 e = ends_of(1, 0);
	uint32_t	 at;
	uint64_t	 i;

	capture();
	shake(&e);
	at = e.seq[0];
	for (i = n; i > 0; i--) {
		e.seq[0] = at + (uint32_t)i;
		segment(&e, 0, ACK | PSH, "x", 1);
	}
}

static void
holes(uint64_t n)
{
	struct ends	 e;
	uint64_t	 i;

	capture();
	for (i = 0; i < n; i++) {
		e = ends_of(i / 64, 0);	/* 64 pieces each, none wanted next */
		if (i % 64 == 0)
			shake(&e);
		else
			e.seq[0]++, e.seq[1]++;
		e.seq[0] += (uint32_t)(1 + i % 64 * 2000);
		segment(&e, 0, ACK | PSH, "..................................................", 50);
	}
}

static void
deep(uint64_t n)
{
	struct ends	 e = ends_of(1, 0);
	char		 block[1024];
	uint64_t	 i;

	for (i = 0; i < sizeof block; i++)
		block[i] = "*1\r\n"[i % 4];
	capture();
	shake(&e);
	says(&e, 0, "*2\r\n$7\r\nCLUSTER\r\n$5\r\nSLOTS\r\n");
	for (i = 0; i < n; i += sizeof block / 4)
		segment(&e, 1, ACK | PSH, block, sizeof block);
}

static void
pipeline(uint64_t n)
{
	struct ends	 e = ends_of(1, 0);
	uint64_t	 i;

	capture();
	shake(&e);
	for (i = 0; i < n; i++)
		says(&e, 0, "*2\r\n$3\r\nGET\r\n$3\r\nfoo\r\n");
}

static void
reply(uint64_t n)
{
	struct ends	 e = ends_of(1, 0);
	char		 text[1200];
	uint64_t	 i;

	capture();
	shake(&e);
	says(&e, 0, "*2\r\n$7\r\nCLUSTER\r\n$5\r\nNODES\r\n");
	snprintf(text, sizeof text, "$%" PRIu64 "\r\n", n);
	says(&e, 1, text);
	memset(text, 'x', sizeof text);
	for (i = 0; i < n; i += sizeof text)
		segment(&e, 1, ACK | PSH, text, n - i < sizeof text ? (size_t)(n - i) :
		    sizeof text);
	says(&e, 1, "\r\n");
}

/* n connections, each in the middle of a topology of a megabyte. */
static void
replies(uint64_t n)
{
	static char	 text[1400];
	struct ends	*e = malloc((size_t)n * sizeof *e);
	uint64_t	 i;
	int		 k;

	if (e == NULL)
		exit(1);
	capture();
	memset(text, 'x', sizeof text);
	for (i = 0; i < n; i++) {
		e[i] = ends_of(i, (uint32_t)(i % 6));
		shake(&e[i]);
		says(&e[i], 0, "*2\r\n$7\r\nCLUSTER\r\n$5\r\nNODES\r\n");
		says(&e[i], 1, "$1048576\r\n");
	}
	for (k = 0; k < 700; k++)
		for (i = 0; i < n; i++)
			segment(&e[i], 1, ACK | PSH, text, sizeof text);
	free(e);
}

/* n connections, each in the middle of a request and of a reply. */
static void
halves(uint64_t n)
{
	static char	 value[1400];
	struct ends	 e;
	uint64_t	 i;

	capture();
	memset(value, 'v', sizeof value);
	for (i = 0; i < n; i++) {
		e = ends_of(i, (uint32_t)(i % 6));
		shake(&e);
		says(&e, 0, "*2\r\n$3\r\nGET\r\n$3\r\nfoo\r\n*3\r\n$3\r\nSET\r\n$3\r\nfoo\r\n$9000\r\n");
		segment(&e, 0, ACK | PSH, value, sizeof value);
		says(&e, 1, "$9000\r\n");
		segment(&e, 1, ACK | PSH, value, sizeof value);
	}
}

/* n links of the bus, each in the middle of a heartbeat of a megabyte. */
static void
links(uint64_t n)
{
	static unsigned char	 text[2256 + 10000 * 104];
	struct ends		*e = malloc((size_t)n * sizeof *e);
	uint64_t		 i;
	size_t			 at;

	if (e == NULL)
		exit(1);
	capture();
	memcpy(text, "RCmb", 4);
	be(text + 4, sizeof text, 4);
	be(text + 8, 1, 2);
	be(text + 10, 6379, 2);
	be(text + 14, 10000, 2);
	memset(text + 40, 'a', 40);
	be(text + 2248, 16379, 2);
	be(text + 2250, 1, 2);
	for (i = 0; i < n; i++) {
		e[i] = ends_of(i, (uint32_t)(i % 6));
		e[i].port[1] = 16379;
		shake(&e[i]);
	}
	for (at = 0; at + 1400 < sizeof text; at += 1400)
		for (i = 0; i < n; i++)
			segment(&e[i], 0, ACK | PSH, text + at, 1400);
	free(e);
}

/* n links of the bus that do not end, a whole heartbeat each. */
static void
pings(uint64_t n)
{
	static unsigned char	 text[2256];
	struct ends		 e;
	uint64_t		 i;

	capture();
	memcpy(text, "RCmb", 4);
	be(text + 4, sizeof text, 4);
	be(text + 8, 1, 2);
	be(text + 10, 6379, 2);
	memset(text + 40, 'a', 40);
	be(text + 2248, 16379, 2);
	be(text + 2250, 1, 2);
	for (i = 0; i < n; i++) {
		e = ends_of(i, (uint32_t)(i % 6));
		e.port[1] = 16379;
		shake(&e);
		be(text + 40 + 32, 0x61616161 + (uint32_t)(i % 5), 4);
		segment(&e, 0, ACK | PSH, text, sizeof text);
	}
}

static void
fragments(uint64_t n)
{
	unsigned char	 h[60], *p;
	uint64_t	 i;

	capture();
	for (i = 0; i < n; i++, now += 10) {
		p = be(h, 0x4500, 2);
		p = be(p, 44, 2);
		p = be(p, (uint32_t)(i & 0xffff), 2);
		p = be(p, 0x2000 | (uint32_t)(i % 3000), 2);	/* more to come */
		p = be(p, 64 << 24 | 6 << 16, 4);
		p = be(p, (uint32_t)(0x0b000000 + (i >> 16)), 4);
		p = be(p, 0x0a000001, 4);
		memset(p, 'x', 24);
		le32((uint32_t)(now / 1000000));
		le32((uint32_t)(now % 1000000));
		le32(44);
		le32(44);
		put(h, 44);
	}
}

static void
node_line(uint64_t i, const char *flags)
{
	char	 line[200];

	snprintf(line, sizeof line, "%040" PRIx64 " 10.%d.%d.%d:6379@16379 %s -"
	    " 0 1796000000000 %" PRIu64 " connected %d\n", i, (int)(i >> 16 & 255),
	    (int)(i >> 8 & 255), (int)(i & 255), flags, i, (int)(i % 16384));
	put_str(line);
}

static void
nodes(uint64_t n)
{
	uint64_t	 i;

	for (i = 0; i < n; i++)
		node_line(i, i == 0 ? "myself,master" : "master");
}

static void
merged(uint64_t n)
{
	uint64_t	 i;

	for (i = 0; i < n; i++)
		printf("%040" PRIx64 " 10.0.0.1:6379@16379 master - 0 0 1 connected", i);
	put_str("\n");
}

static void
pairs(uint64_t n)
{
	put_str("slots\n0\n16383\nnodes id x\nport 6379\nip 10.0.0.1\n");
	while (n-- > 0)
		put_str("id ");
	put_str("x\n");
}

static void
brackets(uint64_t n)
{
	uint64_t	 i;

	put_str("[[0,5460,[\"10.0.0.1\",6379,\"a\"],");
	for (i = 0; i < n; i++)
		put("[", 1);
	put("\n", 1);
}

static void
line(uint64_t n)
{
	char		 block[65536];
	uint64_t	 i;

	put_str("2026-11-30 01:02:03,456 ERROR MOVED 1 10.0.0.1:6379 ");
	memset(block, 'x', sizeof block);
	for (i = 0; i < n; i += sizeof block)
		put(block, n - i < sizeof block ? (size_t)(n - i) : sizeof block);
	put("\n2026-11-30 01:02:04,456 ERROR MOVED 2 10.0.0.1:6379\n", 54);
}

/* Lines of the words that patterns begin with, over and over. */
static void
words(uint64_t n)
{
	static const char *const	 said[] = { "MOVED 1 10.0.0.1:6379 ",
	    "RedisClusterFailoverError(", "CLUSTERDOWN ",
	    "Too many Cluster redirections? ", "ASK 1 ", "redirect to ", "TTL exhausted. ",
	    "slot 1 1 1 1 1 1 1 ", "((((((((", "connection to 10.0.0.1:6379: " };
	uint64_t			 i;
	int				 k;

	for (i = 0; i < n; i++) {
		put_str("2026-11-30 01:02:03,456 ERROR ");
		for (k = 0; k < 200; k++)
			put_str(said[(i + (uint64_t)k * (k % 3)) % 10]);
		put("\n", 1);
	}
}

/* A line of n bytes, over and over what patterns begin with that look ahead. */
static void
beginnings(uint64_t n)
{
	static const char	 text[] = "slot 1: 10.0.0.1:6379 unreachable: ";
	uint64_t		 i;

	put_str("2026-11-30 01:02:03,456 WARN ");
	for (i = 0; i < n; i += sizeof text - 1)
		put(text, sizeof text - 1);
	put("\n", 1);
}

/* docker compose logs: of each of n containers a server's lines, of several pids
 * that do not say which node they are, and a client's. */
static void
containers(uint64_t n)
{
	uint64_t	 i;
	int		 k, pid;

	for (k = 0; k < 3; k++)
		for (i = 0; i < n; i++) {
			for (pid = 1; pid <= 60; pid++)
				printf("redis-%" PRIu64 "  | %d:M 30 Nov 2026 01:02:%02d.%03d # "
				    "Cluster state changed: %s\n", i, pid, k, pid,
				    k % 2 == 0 ? "fail" : "ok");
			printf("app-%" PRIu64 "  | 2026-11-30T01:02:%02d.000Z ERROR shop "
			    "RedisClusterFailoverError: redirect cycle for slot 2381\n", i, k);
		}
}

/* A tar of n small logs, each of its own. */
static void
members(uint64_t n)
{
	static char	 block[1024];		/* a header, and the file */
	unsigned	 sum;
	uint64_t	 i;
	int		 k;

	for (i = 0; i < n; i++) {
		memset(block, 0, sizeof block);
		snprintf(block, 100, "logs/%08" PRIu64 ".log", i);
		snprintf(block + 100, 8, "0000644");
		snprintf(block + 108, 8, "0000000");
		snprintf(block + 116, 8, "0000000");
		snprintf(block + 136, 12, "13600000000");
		block[156] = '0';
		memcpy(block + 257, "ustar\00000", 8);
		k = snprintf(block + 512, 512, "2026-11-30 01:02:03,456 ERROR MOVED 1 10.0.0.1:6379"
		    " %08" PRIu64 "\n", i);
		snprintf(block + 124, 12, "%011o", (unsigned)k);
		memset(block + 148, ' ', 8);
		for (k = 0, sum = 0; k < 512; k++)
			sum += (unsigned char)block[k];
		snprintf(block + 148, 8, "%06o", sum);
		put(block, sizeof block);
	}
	memset(block, 0, sizeof block);
	put(block, sizeof block);
}

static void
trace(uint64_t n)
{
	uint64_t	 i;

	put_str("2026-11-30 01:02:03,456 ERROR [main] redis.exceptions.ClusterError"
	    ": TTL exhausted.\n");
	for (i = 0; i < n; i++)
		put_str("\tat com.example.Foo.bar(Foo.java:12)\n");
}

static void
partials(uint64_t n)
{
	uint64_t	 i;

	for (i = 0; i < n; i++)
		put_str("2026-11-30T01:02:03.000000000Z stdout P 2026-11-30 01:02:03,456"
		    " ERROR MOVED 1 10.0.0.1:6379\n");
}

static void
threads(uint64_t n)
{
	char		 text[200];
	uint64_t	 i;

	for (i = 0; i < n; i++) {
		snprintf(text, sizeof text, "2026-11-30 01:02:03,%03d ERROR [t-%" PRIu64
		    "] redis.exceptions.ClusterError: TTL exhausted. MOVED %d"
		    " 10.%d.%d.%d:%d\n", (int)(i % 1000), i, (int)(i % 16384),
		    (int)(i >> 16 & 255), (int)(i >> 8 & 255), (int)(i & 255),
		    (int)(1024 + i % 60000));
		put_str(text);
	}
}

/* n bytes of ordinary traffic: connections that come and go, a redirect now and
 * then, a topology, large values. */
static void
traffic(uint64_t n)
{
	static char	 value[1400];
	struct ends	 e[64];
	uint64_t	 i, done = 0;
	int		 k;

	capture();
	memset(value, 'v', sizeof value);
	for (i = 0; done < n; i++) {
		k = (int)(i % 64);
		if (i < 64 || i % 6400 < 64) {
			if (i >= 64) {
				segment(&e[k], 0, ACK | FIN, NULL, 0);
				segment(&e[k], 1, ACK | FIN, NULL, 0);
			}
			e[k] = ends_of(i, (uint32_t)(i % 6));
			shake(&e[k]);
		}
		says(&e[k], 0, "*2\r\n$3\r\nGET\r\n$3\r\nfoo\r\n");
		if (i % 100000 == 0)
			says(&e[k], 1, "-MOVED 12182 10.0.0.3:6379\r\n");
		else {
			says(&e[k], 1, "$2800\r\n");
			segment(&e[k], 1, ACK | PSH, value, sizeof value);
			segment(&e[k], 1, ACK | PSH, value, sizeof value);
			says(&e[k], 1, "\r\n");
		}
		done += 3100;
		now += 500;
	}
}

/* n bytes of an ordinary log. */
static void
lines(uint64_t n)
{
	char		 text[300];
	uint64_t	 i, done = 0;
	time_t		 at;
	struct tm	 tm;

	for (i = 0; done < n; i++) {
		at = (time_t)(1796000000 + i / 1000);
		gmtime_r(&at, &tm);
		done += strftime(text, sizeof text, "%F %T,", &tm);
		put_str(text);
		if (i % 200000 == 0)
			snprintf(text, sizeof text, "%03d ERROR [t-%d] redis.exceptions"
			    ".ClusterError: TTL exhausted.\n", (int)(i % 1000), (int)(i % 64));
		else if (i % 7 == 0)
			snprintf(text, sizeof text, "%03d WARN [t-%d] slow request %" PRIu64
			    " to 10.0.0.%d:6379 took 17 ms, is the cluster busy?\n",
			    (int)(i % 1000), (int)(i % 64), i, (int)(i % 6));
		else
			snprintf(text, sizeof text, "%03d INFO [t-%d] GET /orders/%" PRIu64
			    " 200 in 12 ms\n", (int)(i % 1000), (int)(i % 64), i);
		put_str(text);
		done += strlen(text);
	}
}

static const struct {
	const char	*name;
	void		(*write)(uint64_t);
	const char	*what;
} kinds[] = {
	{ "syns", syns, "connections that are never answered: the table of flows" },
	{ "flows", flows, "connections that never end" },
	{ "hosts", hosts, "each connection of another host" },
	{ "bytes", bytes, "one-byte segments" },
	{ "backwards", backwards, "one-byte segments, the last first: reassembly" },
	{ "holes", holes, "segments that wait for others that never come" },
	{ "deep", deep, "nested arrays" },
	{ "pipeline", pipeline, "requests without replies" },
	{ "reply", reply, "one topology of n bytes" },
	{ "replies", replies, "topologies of a megabyte, all at once, none to its end" },
	{ "halves", halves, "requests and replies that were only begun" },
	{ "links", links, "heartbeats of a megabyte, all at once, none to its end" },
	{ "pings", pings, "links of the bus that do not end" },
	{ "fragments", fragments, "IP fragments of which the rest never comes" },
	{ "nodes", nodes, "a dump of n nodes" },
	{ "merged", merged, "a dump's lines, all run together" },
	{ "pairs", pairs, "a reply's keys without values" },
	{ "brackets", brackets, "nested JSON" },
	{ "line", line, "a line of n bytes" },
	{ "words", words, "lines that nearly match all patterns" },
	{ "beginnings", beginnings, "a line of n bytes that nearly matches at many places" },
	{ "containers", containers, "a log of n containers' lines, taking turns" },
	{ "members", members, "an archive of n small files" },
	{ "trace", trace, "a stack trace of n lines" },
	{ "partials", partials, "a container's line in n parts" },
	{ "threads", threads, "names that are all different" },
	{ "traffic", traffic, "n bytes of a capture" },
	{ "lines", lines, "n bytes of a log" },
};

int
main(int argc, char **argv)
{
	size_t	 i;

	for (i = 0; argc == 3 && i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].name, argv[1]) == 0) {
			kinds[i].write(strtoull(argv[2], NULL, 10));
			return (fflush(stdout) != 0);
		}
	fprintf(stderr, "usage: generate KIND N\n");
	for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
		fprintf(stderr, "  %-10s %s\n", kinds[i].name, kinds[i].what);
	return (2);
}
