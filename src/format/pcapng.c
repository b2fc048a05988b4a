#include "format/pcapng.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

enum { SECTION = 0x0a0d0d0a, MAGIC = 0x1a2b3c4d, OPT_TSRESOL = 9, OPT_TSOFFSET = 14 };

/* Of raw IP libpcap has a number of its own, with which it compares what the
 * second interface says: only that one can be said by both. */
enum { LINKTYPE_RAW = 101, LIBPCAP_RAW = 12 };

/* What two interfaces share when libpcap can read their packets as one. */
struct class {
	int		 swapped;
	uint16_t	 link;
	uint32_t	 snaplen;
	uint8_t		 tsresol;
	uint8_t		 tsoffset[8];
};

struct pcapng {
	struct input	*in;
	struct buf	 block, head;
	int		 swapped, started;
	char		 version[4];		/* of this section */
	struct class	 class[PCAPNG_CLASSES];
	int		 told[PCAPNG_CLASSES];	/* interfaces in the heads of each so far */
	int		 nclasses;
	int		*interface;		/* class of each, of this section */
	int		 ninterfaces;
};

struct pcapng *
pcapng_open(struct input *in)
{
	struct pcapng	*ng = mem_zero(1, sizeof *ng);

	ng->in = in;
	ng->interface = mem_zero(PCAPNG_INTERFACES, sizeof *ng->interface);
	return (ng);
}

void
pcapng_close(struct pcapng *ng)
{
	if (ng == NULL)
		return;
	buf_free(&ng->block);
	buf_free(&ng->head);
	free(ng->interface);
	free(ng);
}

static uint32_t
get32(const struct pcapng *ng, const char *p)
{
	uint32_t	 v;

	memcpy(&v, p, sizeof v);
	return (ng->swapped ? __builtin_bswap32(v) : v);
}

static uint16_t
get16(const struct pcapng *ng, const char *p)
{
	uint16_t	 v;

	memcpy(&v, p, sizeof v);
	return (ng->swapped ? __builtin_bswap16(v) : v);
}

/* Exactly n more bytes of the block: 1, 0 at the end before the first, -1. */
static int
more(struct pcapng *ng, size_t n, struct err *e)
{
	size_t	 got = 0;
	ssize_t	 r;

	buf_need(&ng->block, n);
	while (got < n) {
		r = input_read(ng->in, ng->block.p + ng->block.n, n - got, e);
		if (r == -1)
			return (-1);
		if (r == 0) {
			if (got == 0 && ng->block.n == 0)
				return (0);
			return (err_set(e, "the file ends inside a block"));
		}
		got += (size_t)r;
		ng->block.n += (size_t)r;
	}
	return (1);
}

/* The next block whole: 1, 0 at the end, -1. */
static int
read_block(struct pcapng *ng, struct err *e)
{
	uint32_t	 magic, len;
	int		 r;

	ng->block.n = 0;
	r = more(ng, 12, e);
	if (r <= 0)
		return (r);
	memcpy(&magic, ng->block.p, sizeof magic);
	if (magic == SECTION) {
		memcpy(&magic, ng->block.p + 8, sizeof magic);
		if (magic != MAGIC && magic != __builtin_bswap32(MAGIC))
			return (err_set(e, "a section has no byte order"));
		ng->swapped = magic != MAGIC;
	}
	len = get32(ng, ng->block.p + 4);
	if (len < 12 || len % 4 != 0 || len > PCAPNG_BLOCK)
		return (err_set(e, "a block has the impossible length %u", len));
	if (len > 12 && more(ng, len - 12, e) == -1)
		return (-1);
	if (get32(ng, ng->block.p + len - 4) != len)
		return (err_set(e, "the two lengths of a block differ"));
	return (1);
}

static int
section(struct pcapng *ng, struct err *e)
{
	if (ng->block.n < 28)
		return (err_set(e, "a section header is too short"));
	memcpy(ng->version, ng->block.p + 12, sizeof ng->version);
	ng->ninterfaces = 0;
	ng->started = 1;
	return (0);
}

/* The two options of an interface that change what its times mean. */
static void
time_options(const struct pcapng *ng, struct class *c)
{
	const char	*p = ng->block.p + 16, *end = ng->block.p + ng->block.n - 4;
	unsigned	 code, len;

	c->tsresol = 6;
	while (end - p >= 4) {
		code = get16(ng, p);
		len = get16(ng, p + 2);
		p += 4;
		if (code == 0 || (size_t)(end - p) < len)
			return;
		if (code == OPT_TSRESOL && len == 1)
			c->tsresol = (uint8_t)p[0];
		else if (code == OPT_TSOFFSET && len == 8)
			memcpy(c->tsoffset, p, 8);
		p += (len + 3) & ~3u;
	}
}

static int
interface(struct pcapng *ng, struct err *e)
{
	struct class	 c;
	int		 i;

	if (!ng->started || ng->block.n < 20)
		return (err_set(e, "an interface block stands where none can be"));
	if (ng->ninterfaces == PCAPNG_INTERFACES)
		return (err_set(e, "more than %d interfaces", PCAPNG_INTERFACES));
	memset(&c, 0, sizeof c);
	c.swapped = ng->swapped;
	c.link = get16(ng, ng->block.p + 8);
	if (c.link == LINKTYPE_RAW)
		c.link = LIBPCAP_RAW;
	c.snaplen = get32(ng, ng->block.p + 12);
	time_options(ng, &c);
	for (i = 0; i < ng->nclasses; i++)
		/* NOLINTNEXTLINE(*-memory-comparison,cert-exp42-c,cert-flp37-c): both were all zero */
		if (memcmp(&ng->class[i], &c, sizeof c) == 0)
			break;
	if (i == ng->nclasses) {
		if (i == PCAPNG_CLASSES)
			return (err_set(e, "more than %d kinds of interfaces", PCAPNG_CLASSES));
		ng->class[ng->nclasses++] = c;
	}
	ng->interface[ng->ninterfaces++] = i;
	return (0);
}

static size_t
least_bytes(uint32_t type)
{
	return (12 + (type == 3 ? 4u : 20u));
}

static int
is_packet(uint32_t type)
{
	return (type == 2 || type == 3 || type == 6);
}

static void
put16(struct pcapng *ng, unsigned v)
{
	uint16_t	 w = (uint16_t)v;

	w = ng->swapped ? __builtin_bswap16(w) : w;
	buf_add(&ng->head, &w, sizeof w);
}

static void
put32(struct pcapng *ng, uint32_t v)
{
	v = ng->swapped ? __builtin_bswap32(v) : v;
	buf_add(&ng->head, &v, sizeof v);
}

static void
put_section(struct pcapng *ng)
{
	put32(ng, SECTION);
	put32(ng, 28);
	put32(ng, MAGIC);
	buf_add(&ng->head, ng->version, sizeof ng->version);
	put32(ng, UINT32_MAX);		/* of unknown length */
	put32(ng, UINT32_MAX);
	put32(ng, 28);
}

static void
put_interface(struct pcapng *ng, const struct class *c)
{
	char	 tsresol[4] = { (char)c->tsresol };

	put32(ng, 1);
	put32(ng, 44);
	put16(ng, c->link);
	put16(ng, 0);
	put32(ng, c->snaplen);
	put16(ng, OPT_TSRESOL);
	put16(ng, 1);
	buf_add(&ng->head, tsresol, sizeof tsresol);
	put16(ng, OPT_TSOFFSET);
	put16(ng, sizeof c->tsoffset);
	buf_add(&ng->head, c->tsoffset, sizeof c->tsoffset);
	put32(ng, 0);			/* no more options */
	put32(ng, 44);
}

/* What the stream of a class lacks before its packets: it has an interface for
 * each of the file, all of this class, so that blocks keep their numbers. */
static struct span
head_of(struct pcapng *ng, int class)
{
	ng->head.n = 0;
	if (ng->told[class] == 0)
		put_section(ng);
	for (; ng->told[class] < ng->ninterfaces; ng->told[class]++)
		put_interface(ng, &ng->class[class]);
	return (span_make(ng->head.p, ng->head.n));
}

/* The interface that a packet block names. */
static inline uint32_t
interface_of(const struct pcapng *ng, uint32_t type, const char *block)
{
	return (type == 6 ? get32(ng, block + 8) : type == 2 ? get16(ng, block + 8) : 0);
}

/* The length of the packet block at p and its class, if it is all there and
 * sound; else 0, and it is read the long way. */
static inline size_t
packet_at(const struct pcapng *ng, const char *p, size_t n, int *class)
{
	uint32_t	 type, len, i;

	if (n < 12)
		return (0);
	type = get32(ng, p);
	len = get32(ng, p + 4);
	if (!is_packet(type) || len > n || len % 4 != 0 || len < least_bytes(type) ||
	    get32(ng, p + len - 4) != len)
		return (0);
	i = interface_of(ng, type, p);
	if (i >= (uint32_t)ng->ninterfaces)
		return (0);
	*class = ng->interface[i];
	return (len);
}

/* Packet blocks of one class, as far as they are at hand; 0: none. */
static int
run_at(const struct pcapng *ng, struct span s, struct pcapng_run *run)
{
	size_t	 n = 0, len;
	int	 class;

	run->packets = 0;
	while ((len = packet_at(ng, s.p + n, s.n - n, &class)) > 0 &&
	    (run->packets == 0 || class == run->class)) {
		run->class = class;
		run->packets++;
		n += len;
	}
	run->blocks = span_make(s.p, n);
	return (run->packets > 0);
}

/* A packet block that was read the long way. */
static int
packet(const struct pcapng *ng, uint32_t type, struct pcapng_run *run, struct err *e)
{
	if (run_at(ng, span_make(ng->block.p, ng->block.n), run))
		return (1);
	if (ng->block.n < least_bytes(type))
		return (err_set(e, "a packet block is too short"));
	return (err_set(e, "a packet names interface %u, which does not exist",
	    interface_of(ng, type, ng->block.p)));
}

int
pcapng_next(struct pcapng *ng, struct pcapng_run *run, struct err *e)
{
	uint32_t	 type;
	int		 r;

	if (ng->ninterfaces > 0 && run_at(ng, input_peek(ng->in, INPUT_PEEK), run)) {
		input_skip(ng->in, run->blocks.n);
		run->head = head_of(ng, run->class);
		return (1);
	}
	while ((r = read_block(ng, e)) == 1) {
		type = get32(ng, ng->block.p);
		if (type == SECTION)
			r = section(ng, e);
		else if (type == 1)
			r = interface(ng, e);
		else if (is_packet(type)) {
			r = packet(ng, type, run, e);
			if (r == 1)
				run->head = head_of(ng, run->class);
			return (r);
		}
		if (r == -1)
			return (-1);
	}
	return (r);
}
