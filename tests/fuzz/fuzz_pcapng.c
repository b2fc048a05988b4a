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

static void
must_be_packets(const struct pcapng_run *run, int swapped)
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
		if (type == 6 && get32(run->blocks.p + at + 8, swapped) != 0)
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
	char			 seen[PCAPNG_CLASSES] = "", swapped[PCAPNG_CLASSES];
	int			 r;

	while ((r = pcapng_next(ng, &run, &e)) == 1) {
		if (run.class < 0 || run.class >= PCAPNG_CLASSES ||
		    (run.head.p != NULL) == seen[run.class])
			abort();
		if (run.head.p != NULL) {
			if (run.head.n < 48)
				abort();
			seen[run.class] = 1;
			swapped[run.class] = get32(run.head.p + 8, 0) != 0x1a2b3c4d;
		}
		must_be_packets(&run, swapped[run.class]);
	}
	if ((r == -1) != (e.nframes > 0))
		abort();
	err_clear(&e);
	pcapng_close(ng);
	input_close(in);
	return (0);
}
