/*
 * sink.h - the one interface that decoders emit into.  Sinks stack: spans.c
 * folds repeats in front of the store; tests collect into an array.
 *
 * obs() and problem() borrow everything until they return.  They return 0, or
 * -1 with err when nothing further can be taken (the decoder then returns -1).
 */
#ifndef MODEL_SINK_H
#define MODEL_SINK_H

#include "base/err.h"
#include "model/obs.h"

/* Something malformed, skipped, cut or lost.  Code is a stable word:
 * malformed, truncated, too-long, gap, snaplen, tls, limit, no-time, encoding,
 * unsupported, mid-stream, regex-limit, archive, empty, unreadable, ... */
struct problem {
	struct locus	 where;
	int64_t		 at, at_end;	/* OBS_NO_TIME */
	const char	*code;		/* static */
	struct endpoint	 ep;		/* server whose words were lost, or none */
	int64_t		 bytes;		/* lost; OBS_NO_NUM */
	const char	*reason;	/* for people, one sentence without full stop */
};

/* One log of several that stand in one file. */
struct sink_part {
	const char	*name;		/* borrowed; what tells it from the others */
	const char	*kind;		/* static: word of source.kind */
	int		 other;		/* 1: of a second kind under this name */
	int		 number;	/* for locus.part; -1: to be opened */
	int64_t		 records;	/* lines read */
};

struct sink {
	int	(*obs)(struct sink *, const struct obs *, struct err *);
	int	(*problem)(struct sink *, const struct problem *, struct err *);
	/* Flush what is held back; called once at the end of a source. */
	int	(*end)(struct sink *, struct err *);
	/* Open a part beside the one that is read, and number it; called once more
	 * at its end, to take its count.  NULL: there are no parts, all is 0. */
	int	(*part)(struct sink *, struct sink_part *, struct err *);
};

/* Report a problem at a locus without time, server or bytes; printf-like. */
int	 sink_problem(struct sink *, const struct locus *, const char *code,
	    struct err *, const char *fmt, ...)
	    __attribute__((format(printf, 5, 6)));

#endif
