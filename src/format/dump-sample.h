/*
 * dump-sample.h - samples of CLUSTER NODES, folded as they are read.
 *
 * A sampler asks a node every few milliseconds for hours, and nearly every
 * answer is the one before but for the ping and pong times.  Lines are
 * therefore compared, raw, with the line at the same place of the sample
 * before; only a sample that differs is parsed.  A file that interleaves
 * observers has one track for each.
 */
#ifndef FORMAT_DUMP_SAMPLE_H
#define FORMAT_DUMP_SAMPLE_H

#include "base/buf.h"
#include "base/table.h"
#include "format/dump-asked.h"
#include "format/format.h"
#include "model/topology.h"

struct sample_line {
	size_t		 at, ping, tail, end;	/* [ping, tail): ping and pong times */
	int64_t		 position;
};

struct sample {
	struct buf	 text;		/* the lines, each with a newline */
	struct sample_line *lines;
	size_t		 n, cap;
};

/* A span of equal answers that is not emitted yet. */
struct held {
	int64_t		 samples;	/* 0: nothing held */
	int64_t		 first_at, last_at, max_gap, min_gap;
	int64_t		 first_position, last_position;
	int		 incomplete;
	struct asked	 asked;
};

struct track {
	struct buf	 key;		/* what follows the time in the header */
	struct sample	 now, last;
	size_t		 matched;	/* lines of last that came again so far */
	struct table	 ids;		/* of now, its first so many lines */
	size_t		 indexed;
	struct topology	 topology;	/* of last */
	struct held	 held;
	int64_t		 used;		/* when it was used last, in headers */
};

/* What all samples of a source share. */
struct sample_ctx {
	struct sink	*sink;
	struct err	*e;
	int		 part;
	const char	*name;		/* of the observer, from the file name */
	int64_t		 name_at, name_precision_us; /* from the file name */
	int64_t		 mtime;
	const struct who *asker;	/* who was answered; NULL: the sampler, nobody in particular */
	int		 incomplete;	/* what is read may be a part of the answer */
	int		 waits;		/* without a time: flushed by the caller, not at once */
	int		 at_end;	/* the sample's last line is the source's last one, */
	int		 unended;	/* which has no newline */
	size_t		 lines_before;	/* of the sample before, in any track */
	int64_t		 views;		/* emitted or folded */
	int		 failed;	/* a sink said no */
};

/* The line is the next one of the sample before, times aside. */
int	 sample_same(struct track *, const char *p, size_t n);
/* Any other line of the sample. */
void	 sample_add(struct track *, struct span, int64_t position);
/* Append to the line added last (a wrapped one). */
void	 sample_extend(struct track *, struct span);
int	 sample_empty(const struct track *);
size_t	 sample_lines(const struct track *);
/* The sample is complete: fold it or emit what was held and hold it. */
void	 sample_end(struct track *, const struct asked *, struct sample_ctx *);
/* Emit what is held. */
void	 sample_flush(struct track *, struct sample_ctx *);
void	 track_free(struct track *);

/* The sampler's own contact with a, of samples attempts. */
void	 sample_contact(const struct asked *a, enum contact_outcome, int64_t samples,
	    int64_t last_at, int64_t last_position, struct sample_ctx *);
/* Emit a view of another form. */
void	 sample_view(const struct asked *, const struct topology *, const char *form,
	    int64_t position, int64_t last_position, int state, int64_t epoch,
	    struct sample_ctx *);

#endif
