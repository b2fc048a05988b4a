/* A capture file: containers, frames, TCP, RESP, the bus; and the short ways
 * through them, which must give what the general code gives. */
#include "fuzz.h"

#include <stdlib.h>

#include "base/fast.h"

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	size_t		 max_read = n > 0 && p[n - 1] % 2 != 0 ? 1 + p[n - 1] : 0;
	uint64_t	 general;

	fast_paths = 0;
	fuzz_format(&format_capture, p, n, max_read);
	general = fuzz_digest();
	fast_paths = 1;
	fuzz_format(&format_capture, p, n, max_read);
	if (fuzz_digest() != general)
		abort();
	return (0);
}
