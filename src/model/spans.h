/*
 * spans.h - a sink in front of a sink that folds repeats into spans: a view
 * that one observer gives again and again, attempts that end alike.
 *
 * A span of views ends at a different view, a failed attempt to reach that
 * node, a restart of it, after 60 s, or at a silence of more than ten times the
 * shortest spacing so far (at least 1 s); a span of contacts at another outcome
 * and the same limits.  `connected` and `closed` contradict no reply: they are
 * spans of their own beside it.
 */
#ifndef MODEL_SPANS_H
#define MODEL_SPANS_H

#include "model/sink.h"

#define SPAN_LONGEST_US	60000000
#define SPAN_SILENCE_US	1000000
enum { SPAN_SILENCE_FACTOR = 10, SPANS_OPEN = 65536, SPANS_BYTES = 64 << 20 };

struct spans;

/* next is borrowed.  spans_sink()'s end() hands on what is held, oldest first,
 * then calls next's. */
struct spans	*spans_open(struct sink *next);
struct sink	*spans_sink(struct spans *);
void		 spans_close(struct spans *);	/* drops what is held */

#endif
