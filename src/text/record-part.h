/*
 * record-part.h - a log being read into records: private to text/record*.c.
 *
 *	record.c	lines, and which of them are one record
 *	record-time.c	when a record was written
 */
#ifndef TEXT_RECORD_PART_H
#define TEXT_RECORD_PART_H

#include "base/buf.h"
#include "base/table.h"
#include "text/arena.h"
#include "text/clean.h"
#include "text/envelope.h"
#include "text/head.h"
#include "text/json.h"
#include "text/json-lines.h"
#include "text/pod.h"
#include "text/record.h"
#include "text/stamp.h"

enum { NEAR_BYTES = 16 * 1024 };	/* how far back the block keeps lines for their times */

/*
 * The block holds whole lines [0, whole) and the beginning of one behind it.
 * Lines before done belong to records already given or skipped; taken lists
 * lines behind done that do (streams may be interleaved).
 */
struct records {
	struct input		*in;
	struct sink		*sink;
	record_filter		 filter;
	const void		*arg;
	struct stamp_clock	 clock;
	struct json		*json;
	struct arena		 arena;
	struct buf		 block, raw, text, flat, scratch;
	size_t			 whole, done, scanned;
	size_t			*taken, ntaken;
	size_t			 counted;	/* lines are counted up to here: */
	int64_t			 line;		/* number of the line at counted */
	int64_t			 base;		/* source offset of the block's first byte */
	int64_t			 bad;		/* undecodable UTF-16 units */
	enum clean_utf		 encoding;
	int			 looked, started, ended, failed, skipping, stamped, export_form;
	int			 have_bytes;	/* texts may stand in it as arrays of numbers */
	struct json_lines	 json_lines;
	struct table		 streams;	/* num: of a stream of the first block, what stamped is */
	struct pods		 pods;
	int			 uncaught;	/* the record at hand has a trace that nobody logged */
	int			 too_long;	/* so it was cut */
	unsigned		 doubts;	/* what was said of times already: flags of stamps */
	const char		*doubt;		/* to be said of the record at hand; NULL */
	const char		*doubt_code;	/* and the problem's code */
	char			 unread[240];	/* what is said of a time in no form that is read */
};

/* One line of the block, unwrapped. */
struct line {
	size_t			 at, end;	/* in the block, end behind its newline */
	struct envelope		 e;
	struct span		 text;		/* cleaned */
	enum head_class		 class;
	unsigned		 flags;
};

/* The line of the block that begins at at. */
void	 record_read_line(struct records *, size_t at, struct line *);
size_t	 record_line_end(const struct records *, size_t at);
/* The start of the line before the one at at. */
size_t	 record_line_before(const struct records *, size_t at);
int	 record_same_stream(const struct envelope *, const struct envelope *);

/* The record's own time wins, the wrapper's bounds it. */
void	 record_set_times(struct records *, struct record *, struct envelope *,
	    struct stamp *own, int64_t epoch);
/* What is doubtful about a stamp is said once a source; a date that does not
 * exist is said of each record. */
void	 record_note_doubt(struct records *, const struct stamp *);
/* That a record without a time begins with what looks like one. */
void	 record_note_unread(struct records *, const struct record *);
/* Whether a line that neither itself nor a wrapper dates may be dated by those
 * around it. */
int	 record_is_undated(const struct records *, const struct line *);
/* The time of the nearest stamped line behind the one at last: 0 when the block
 * ends before one is found and there is more to come. */
int	 record_time_behind(struct records *, const struct line *, size_t last, int64_t *);
/* Whether the joined line begins what a runtime prints of its own, as it may be
 * behind an empty line. */
int	 record_is_uncaught(const struct line *, int blank);
/* An uncaught trace joined to a record at the level of information happened
 * behind it: at some time before the one behind. */
void	 record_date_uncaught(struct record *, const struct line *first, int64_t behind);
/* Date the record by the line before it and the time behind it. */
void	 record_between(struct records *, struct record *, const struct line *first,
	    int64_t behind);

#endif
