/*
 * Frames behind every link layer and tunnel.  Each is a head of four bytes, the
 * link type's place in the list below, what the capture cut off and how long
 * what follows is, then its bytes.  The short way must give what the layers give.
 */
#include <stdlib.h>

#include "base/fast.h"
#include "base/mem.h"
#include "fuzz.h"
#include "wire/frame.h"

static const int	 links[] = {
	1, 113, 276, 0, 108, 101, 12, 14, 228, 229, 9, 50, 104, 51, 147
};
enum { HEAD = 4, NLINKS = sizeof links / sizeof links[0] };

static void
must_hold(const struct frame *f, const uint8_t *p, size_t n)
{
	if (f->kind > FRAME_CUT || (f->kind >= FRAME_BAD) != (f->why != NULL))
		abort();
	if (f->kind != FRAME_TCP)
		return;
	if (f->cap > f->len || (f->data != NULL) != (f->cap > 0))
		abort();
	if (f->data >= p && f->data < p + n && f->cap > (size_t)(p + n - f->data))
		abort();
}

static void
must_agree(const struct frame *a, const struct frame *b)
{
	if (a->kind != b->kind)
		abort();
	if (a->kind != FRAME_TCP && a->kind != FRAME_UNREACHABLE)
		return;
	if (memcmp(&a->src, &b->src, sizeof a->src) != 0 ||
	    memcmp(&a->dst, &b->dst, sizeof a->dst) != 0 || a->sport != b->sport ||
	    a->dport != b->dport || a->seq != b->seq)
		abort();
	if (a->kind == FRAME_TCP && (a->ack != b->ack || a->flags != b->flags ||
	    a->len != b->len || a->cap != b->cap ||
	    (a->cap > 0 && memcmp(a->data, b->data, a->cap) != 0)))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct frames	*both[2] = { frames_new(), frames_new() };
	struct frame	 f[2];
	uint8_t		*exact;		/* so that reading past it is seen */
	size_t		 cap, len, at, i;
	int64_t		 lost;

	for (at = 0; at + HEAD <= n; at += cap) {
		int link = links[p[at] % NLINKS];

		cap = (size_t)p[at + 2] << 8 | p[at + 3];
		len = cap + p[at + 1];
		at += HEAD;
		if (cap > n - at)
			cap = n - at;
		exact = mem_alloc(cap + 1);
		memcpy(exact + 1, p + at, cap);
		for (i = 0; i < 2; i++) {
			fast_paths = i == 0;
			frame_decode(both[i], link, exact + 1, cap, len, &f[i]);
			must_hold(&f[i], exact + 1, cap);
		}
		must_agree(&f[0], &f[1]);
		free(exact);
	}
	fast_paths = 1;
	lost = frames_lost(both[0]);
	if (lost < 0 || lost != frames_lost(both[1]))
		abort();
	frames_free(both[0]);
	frames_free(both[1]);
	return (0);
}
