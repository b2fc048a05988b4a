/*
 * dump.h - the lines of a topology dump, one after the other: what a line is,
 * whom it is about and what it adds to.  Private to format/dump-*.c and to what
 * hands it lines: topology-dump.c a file's, client-topology.c those of a log.
 *
 *	dump.c		questions, and which of the others takes a line
 *	dump-nodes.c	lines of CLUSTER NODES, wrapped, prefixed, damaged
 *	dump-answer.c	all other answers
 *	dump-links.c	ROLE and CLUSTER LINKS
 *	dump-base64.c	answers wrapped in base64
 */
#ifndef FORMAT_DUMP_H
#define FORMAT_DUMP_H

#include "format/dump-asked.h"
#include "format/dump-check.h"
#include "format/dump-sample.h"
#include "format/dump-tree.h"
#include "format/format.h"
#include "text/envelope.h"

enum {
	DUMP_LINE_BYTES = 4 * 1024 * 1024, /* a longer line is cut */
	DUMP_TRACKS = 64,		/* observers interleaved in one file */
	DUMP_WRAP_MIN = 40,		/* narrower terminals do not exist */
	DUMP_DEEP = 3			/* text in JSON in base64 */
};

struct dump_track {
	struct track	 t;
	struct asked	 asked;
};

struct dump {
	struct sample_ctx c;
	struct dump_track tracks[DUMP_TRACKS];
	size_t		 ntracks;
	struct dump_track *cur;
	struct asked	 asked;
	int		 fresh;		/* nothing came since the header */
	int64_t		 answer_us;	/* rtt_us of the question before */
	struct stamp_clock clock;
	int64_t		 line;
	int		 in_nodes;	/* the line before was part of CLUSTER NODES */
	size_t		 wrap;		/* its length in the file */
	size_t		 width;		/* of the terminal: the longest line that was broken */
	int64_t		 pong_ms;	/* newest of the dump before */
	struct dump_track *first;	/* holds the source's first dump, if that has no header */
	int		 ended;		/* no more lines come */
	size_t		 tree_nodes;	/* of the tree before */
	struct tree	 tree;
	enum tree_kind	 tree_kind;
	int64_t		 tree_from, tree_to;
	struct cluster_info info;
	struct check	 check;
	struct buf	 prefix, clean, base64;
	struct json	*json;
	struct arena	 arena;
	int		 depth;
};

/* The name is the observer's where nothing else says so, and is borrowed. */
struct dump	*dump_open(const struct decode_ctx *, const char *name, int part,
		    struct sink *, struct err *);
void		 dump_free(struct dump *);
/* The next line, as it stands in the source, without its newline. */
void		 dump_line(struct dump *, struct span);
/* No more lines: all that is held is given. */
void		 dump_end(struct dump *);

/* What the parts share. */
void		 dump_too_deep(struct dump *);
void		 dump_problem(struct dump *, int64_t position, const char *code,
		    const char *reason);
void		 dump_nodes_end(struct dump *);
void		 dump_blocks_end(struct dump *);
/* The source's first dump, if it waits, is given; one of so many lines follows
 * (0: none that is like it). */
void		 dump_first_end(struct dump *, size_t lines);
/* Text found inside something else: all of it counts as one line. */
void		 dump_feed(struct dump *, struct span);
/* Go to the track of whoever was asked. */
void		 dump_choose_track(struct dump *, struct span key);

void		 dump_node_line(struct dump *, struct span);
/* 1 when it was a node line behind a wrapper or a host's name. */
int		 dump_prefixed(struct dump *, struct span);
/* 1 when it was the rest of the line before, which a terminal broke. */
int		 dump_wrapped(struct dump *, struct span);
/* Neither whole nor wrapped, but once a node line. */
int		 dump_damaged(struct dump *, struct span);
/* A node line behind a host prefix: *at is where it begins. */
int		 dump_behind_prefix(struct span, size_t *at);

void		 dump_info_end(struct dump *);
void		 dump_check_end(struct dump *);
void		 dump_tree_end(struct dump *);
/* The error text of a reply: the node answered, but not with a topology. */
void		 dump_reply_error(struct dump *, struct span);
/* The tokens begin like SLOTS (two numbers and a host), or are SHARDS. */
int		 dump_is_topology(const struct tree *);
/* How many texts of JSON begin with a node line. */
int		 dump_bundle_nodes(const struct tree *);

/* 1 when the tree was ROLE or CLUSTER LINKS. */
int		 dump_links(struct dump *, const struct tree *);
int		 dump_is_links(const struct tree *);

/* 1 when the line was taken as base64. */
int		 dump_base64_line(struct dump *, struct span);
void		 dump_base64_end(struct dump *);
/* Base64 whose text begins like a node line: 40 hex digits and a blank. */
int		 dump_base64_nodes(struct span);

#endif
