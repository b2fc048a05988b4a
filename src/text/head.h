/*
 * head.h - the head of a log record: where a record begins, and what stands
 * before its message (time, level, logger, thread, ...), in plain text,
 * logfmt and JSON.
 */
#ifndef TEXT_HEAD_H
#define TEXT_HEAD_H

#include "base/buf.h"
#include "text/json.h"
#include "text/record.h"
#include "text/stamp.h"

enum head_class {
	HEAD_BEGINS,		/* a record of its own */
	HEAD_CONTINUES,		/* joins the record before it */
	HEAD_EXCEPTION,		/* "some.Exception: ...": either */
	HEAD_OTHER		/* begins where records have no stamps, else continues */
};

enum {	/* what a line is, for the line after it */
	HEAD_STAMPED = 1,	/* has a stamp of its own */
	HEAD_TWO_LINES = 2,	/* its message is on the next line */
	HEAD_CALL = 4,		/* "\tat ...": a frame of Java, .NET or Node */
	HEAD_INDENTED = 8,
	HEAD_UNREAD = 16,	/* begins with a time in a form that is not read */
	HEAD_BLANK = 32,
	HEAD_RAISED = 64,	/* an exception at the margin: what a Python trace ends with */
	HEAD_TRACE = 128,	/* a Python trace begins */
	HEAD_RUNTIME = 256	/* what a runtime prints that gives up: a panic */
};
/* The length of a level word at the start of s, any case; 0 none. */
size_t		 head_level(struct span s);
/* What a line (unwrapped, cleaned) is by itself. */
enum head_class	 head_classify(struct span line, unsigned *flags);
/* The flags that count for a line behind one with the flags line, itself behind
 * one with before: a trace may stand behind an empty line. */
unsigned	 head_flags(unsigned before, unsigned line);
/* Whether a line begins a record, given the line before it (flags of it; 0 at
 * the start) and whether the source's records have stamps. */
int		 head_begins(enum head_class, unsigned flags, unsigned before, int stamped);

/* Read the head of r->text (r->line is its first line, in the
 * same bytes) into r.  JSON is
 * flattened: r->text and r->message become the texts in it, one a line, built
 * in out.  When the record has a stamp of its own it is in *own or *epoch. */
void		 head_parse(struct record *, struct json *, struct buf *out,
		    struct stamp *own, int64_t *epoch);

#endif
