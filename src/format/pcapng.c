#include "format/pcapng.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

enum { SECTION = 0x0a0d0d0a, MAGIC = 0x1a2b3c4d, OPT_TSRESOL = 9, OPT_TSOFFSET = 14 };

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
	struct class	 class[PCAPNG_CLASSES];
	char		 seen[PCAPNG_CLASSES];	/* its head was given */
	struct buf	 heads[PCAPNG_CLASSES];
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
	int	 i;

	if (ng == NULL)
		return;
	for (i = 0; i < ng->nclasses; i++)
		buf_free(&ng->heads[i]);
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
	ng->head.n = 0;
	buf_add(&ng->head, ng->block.p, ng->block.n);
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
	c.snaplen = get32(ng, ng->block.p + 12);
	time_options(ng, &c);
	for (i = 0; i < ng->nclasses; i++)
		if (memcmp(&ng->class[i], &c, sizeof c) == 0)
			break;
	if (i == ng->nclasses) {
		if (i == PCAPNG_CLASSES)
			return (err_set(e, "more than %d kinds of interfaces", PCAPNG_CLASSES));
		ng->class[ng->nclasses++] = c;
		buf_add(&ng->heads[i], ng->head.p, ng->head.n);
		buf_add(&ng->heads[i], ng->block.p, ng->block.n);
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

/* The interface that a packet block names: its bytes in *n, 0 when it names
 * none. */
static uint32_t
interface_of(const struct pcapng *ng, uint32_t type, const char *block, size_t *n)
{
	*n = type == 6 ? 4 : type == 2 ? 2 : 0;
	return (*n == 4 ? get32(ng, block + 8) : *n == 2 ? get16(ng, block + 8) : 0);
}

/* A packet block: find its class, make it the only interface of that class. */
static int
packet(struct pcapng *ng, uint32_t type, struct pcapng_run *run, struct err *e)
{
	size_t		 n;
	uint32_t	 i;

	if (ng->block.n < least_bytes(type))
		return (err_set(e, "a packet block is too short"));
	i = interface_of(ng, type, ng->block.p, &n);
	if (i >= (uint32_t)ng->ninterfaces)
		return (err_set(e, "a packet names interface %u, which does not exist", i));
	memset(ng->block.p + 8, 0, n);
	run->class = ng->interface[i];
	run->packets = 1;
	run->head = span_make(NULL, 0);
	if (!ng->seen[run->class]) {
		ng->seen[run->class] = 1;
		run->head = span_make(ng->heads[run->class].p, ng->heads[run->class].n);
	}
	return (1);
}

/* The length of the packet block at p, if it is all there, sound and of that
 * class; else 0, and it is read the long way. */
static size_t
goes_on(const struct pcapng *ng, const char *p, size_t n, int class)
{
	uint32_t	 type, len, i;
	size_t		 unused;

	if (n < 12)
		return (0);
	type = get32(ng, p);
	len = get32(ng, p + 4);
	if (!is_packet(type) || len > n || len % 4 != 0 || len < least_bytes(type) ||
	    get32(ng, p + len - 4) != len)
		return (0);
	i = interface_of(ng, type, p, &unused);
	return (i < (uint32_t)ng->ninterfaces && ng->interface[i] == class ? len : 0);
}

/* Take what follows and is of the same class, as far as it is at hand. */
static int
extend(struct pcapng *ng, struct pcapng_run *run, struct err *e)
{
	struct span	 s = input_peek(ng->in, INPUT_PEEK);
	size_t		 n = 0, len, id, at = ng->block.n;

	while ((len = goes_on(ng, s.p + n, s.n - n, run->class)) > 0) {
		n += len;
		run->packets++;
	}
	if (n > 0 && more(ng, n, e) == -1)
		return (-1);
	for (; at < ng->block.n; at += get32(ng, ng->block.p + at + 4)) {
		(void)interface_of(ng, get32(ng, ng->block.p + at), ng->block.p + at, &id);
		memset(ng->block.p + at + 8, 0, id);
	}
	run->blocks = span_make(ng->block.p, ng->block.n);
	return (1);
}

int
pcapng_next(struct pcapng *ng, struct pcapng_run *run, struct err *e)
{
	uint32_t	 type;
	int		 r;

	while ((r = read_block(ng, e)) == 1) {
		type = get32(ng, ng->block.p);
		if (type == SECTION)
			r = section(ng, e);
		else if (type == 1)
			r = interface(ng, e);
		else if (is_packet(type)) {
			r = packet(ng, type, run, e);
			return (r == 1 ? extend(ng, run, e) : r);
		}
		if (r == -1)
			return (-1);
	}
	return (r);
}
