/* A bus stream, cut into segments; a byte 0xff in its place is a gap. */
#include "fuzz.h"
#include "wire/bus.h"

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct bus		*bus = bus_open(fuzz_sink());
	struct stream_ends	 ends = {
		{ "10.0.0.1", 40001 }, { "10.0.0.2", 16379 }, -1, 0, 7
	};
	struct stream_reader	*r;
	struct stream_seen	 seen = { .at = 1000, .where = { 0, 1, OBS_NO_NUM } };
	struct err		 e = ERR_INIT;
	size_t			 at, k;

	ends.at_start = n > 0 && p[0] == 'R';
	r = bus_reader(bus, &ends);
	bus_find(span_make((const char *)p, n));
	for (at = 0; at < n; at += k) {
		k = fuzz_piece(p, n, at, at % 3 == 0 ? 4000 : 9);
		seen.seq = (uint32_t)at;
		seen.unacked = p[at] & 1;
		seen.at += p[at] * 10000;
		seen.where.position++;
		if (p[at] == 0xff)
			r->gap(r, k, &seen, &e);
		else
			r->feed(r, span_make((const char *)p + at, k), &seen, &e);
	}
	r->end(r, &e);
	r->close(r);
	bus_end(bus, &e);
	bus_close(bus);
	return (0);
}
