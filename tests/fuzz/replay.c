/* Give a fuzz target the files named, where there is no libFuzzer. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "fuzz.h"

static int
replay(const char *name)
{
	FILE		*f = fopen(name, "rb");
	struct buf	 b = { 0 };
	uint8_t		*exact;
	size_t		 n;

	if (f == NULL) {
		perror(name);
		return (1);
	}
	do {
		buf_need(&b, 65536);
		n = fread(b.p + b.n, 1, 65536, f);
		b.n += n;
	} while (n > 0);
	fclose(f);
	/* Of its exact length, so that reading past it is seen. */
	exact = malloc(b.n > 0 ? b.n : 1);
	if (exact == NULL)
		abort();
	memcpy(exact, b.p, b.n);
	LLVMFuzzerTestOneInput(exact, b.n);
	free(exact);
	buf_free(&b);
	return (0);
}

int
main(int argc, char **argv)
{
	int	 i, bad = 0;

	for (i = 1; i < argc; i++)
		bad |= replay(argv[i]);
	return (bad);
}
