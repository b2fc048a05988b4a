/* redis.conf and CONFIG GET. */
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	fuzz_format(&format_config, p, n, n > 0 && p[n - 1] % 2 != 0 ? 1 + p[n - 1] : 0);
	return (0);
}
