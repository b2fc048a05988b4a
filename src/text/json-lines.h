/*
 * json-lines.h - JSON whose records do not stand one in a line, made so in place.
 *
 *	[{...}, {...}]  and the same printed over many lines
 *	{"hits": {"hits": [{...}, {...}]}}	what Elasticsearch answers
 *	{"events": [{...}, {...}]}		what CloudWatch Logs answers
 *	{<newline>...}<newline>{...}		printed objects, one behind another
 *
 * Each byte stays where it is, so that offsets hold: what stands around the
 * records becomes blanks, a newline inside a record a CR, and a comma between two
 * records of one line a newline.  Lines are then counted by newlines and CRs: the
 * file's own, or records where several stand in a line.
 */
#ifndef TEXT_JSON_LINES_H
#define TEXT_JSON_LINES_H

#include <stdint.h>

#include "base/buf.h"

struct json_lines {
	int	 on;		/* 0: the source is none of these */
	int	 single;	/* objects behind another, without an array */
	int	 ended;		/* the array is closed */
	int64_t	 skip;		/* bytes before the first record, still to come */
	int	 depth;		/* of brackets, 0 between records */
	int	 in_string, escaped;
	int	 blank;		/* nothing but blanks since the newline */
	int64_t	 newline;	/* offset of the last one, -1: none */
	int64_t	 comma;		/* offset of one that no newline followed yet, -1 */
	int64_t	 column;	/* where records begin in their lines, -1: anywhere */
};

/* Whether the source with this beginning is such a one; sets it up. */
int	 json_lines_begin(struct json_lines *, struct span prefix);
/* Edit the next n bytes of the source, which stand at block[at]; block[0] is its
 * byte number base, and what is before at may be edited as well. */
void	 json_lines_edit(struct json_lines *, char *block, size_t at, size_t n, int64_t base);
/* The beginning of a source as it will be, appended to the buffer; itself, where
 * it is no such source. */
struct span json_lines_prefix(struct span, struct buf *);

/* Whether the source may hold what journald says of bytes that are no text:
 * "MESSAGE" as an array of them. */
int	 json_lines_have_bytes(struct span prefix);
/* Write these as text, in place, in lines of n bytes. */
void	 json_lines_bytes(char *, size_t n);

#endif
