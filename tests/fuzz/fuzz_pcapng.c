/* The splitter of pcapng files: what it gives must be sound blocks of one kind. */
#include <stdlib.h>

#include "base/input.h"
#include "format/pcapng.h"
#include "fuzz.h"

/* In the byte order of the section that its head shows. */
static uint32_t
get32(const char *p, int swapped)
{
	uint32_t	 v;

	memcpy(&v, p, sizeof v);
	return (swapped ? __builtin_bswap32(v) : v);
}

/* Interfaces in a head; the first of a class begins with a section. */
static uint32_t
interfaces_in(const struct pcapng_run *run, int first, int swapped)
{
	size_t		 at = first ? 28 : 0;
	uint32_t	 n;

	for (n = 0; at < run->head.n; n++, at += 44)
		if (run->head.n - at < 44 || get32(run->head.p + at, swapped) != 1 ||
		    get32(run->head.p + at + 4, swapped) != 44 ||
		    get32(run->head.p + at + 40, swapped) != 44)
			abort();
	return (n);
}

static void
must_be_packets(const struct pcapng_run *run, int swapped, uint32_t interfaces)
{
	size_t		 at;
	uint32_t	 type, len;
	int		 packets = 0;

	for (at = 0; at < run->blocks.n; at += len, packets++) {
		if (run->blocks.n - at < 16)
			abort();
		type = get32(run->blocks.p + at, swapped);
		len = get32(run->blocks.p + at + 4, swapped);
		if (type != 2 && type != 3 && type != 6)
			abort();
		if (len < 16 || len % 4 != 0 || len > run->blocks.n - at ||
		    get32(run->blocks.p + at + len - 4, swapped) != len)
			abort();
		if (type == 6 && get32(run->blocks.p + at + 8, swapped) >= interfaces)
			abort();
	}
	if (packets != run->packets)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct input		*in = input_memory(p, n, "fuzz", n % 4 == 0 ? 5 : 0);
	struct pcapng		*ng = pcapng_open(in);
	struct pcapng_run	 run;
	struct err		 e = ERR_INIT;
	uint32_t		 interfaces[PCAPNG_CLASSES] = { 0 };
	char			 swapped[PCAPNG_CLASSES];
	int			 r, first;

	while ((r = pcapng_next(ng, &run, &e)) == 1) {
		if (run.class < 0 || run.class >= PCAPNG_CLASSES)
			abort();
		first = interfaces[run.class] == 0;
		if (first) {
			if (run.head.n < 28 + 44)
				abort();
			swapped[run.class] = (char)(get32(run.head.p + 8, 0) != 0x1a2b3c4d);
		}
		interfaces[run.class] += interfaces_in(&run, first, swapped[run.class]);
		must_be_packets(&run, swapped[run.class], interfaces[run.class]);
	}
	if ((r == -1) != (e.nframes > 0))
		abort();
	err_clear(&e);
	pcapng_close(ng);
	input_close(in);
	return (0);
}
