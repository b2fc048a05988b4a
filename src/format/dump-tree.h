/*
 * dump-tree.h - the scalars of a nested reply as redis-cli prints it, in order:
 *
 *	tty, --no-raw	1) 1) (integer) 0		1# "slots" =>
 *	--raw, pipe	one scalar a line, no structure
 *	--csv		0,5460,"10.0.0.1",6379,"<id>",
 *	--json		[[0,5460,["10.0.0.1",6379,"<id>",[]]]]
 *
 * Nothing else of the structure is needed to read SLOTS, SHARDS, LINKS, ROLE.
 */
#ifndef FORMAT_DUMP_TREE_H
#define FORMAT_DUMP_TREE_H

#include <stdint.h>

#include "base/buf.h"

enum { TREE_TOKENS_MAX = 400000 };

struct tree_token {
	size_t		 at, n;		/* in text; at SIZE_MAX: nil */
	int64_t		 position;	/* line */
};

struct tree {
	struct buf	 text;
	struct tree_token *tokens;
	size_t		 n, cap;
	int		 depth;		/* JSON: open brackets */
	int		 quoted;	/* JSON: inside a string that a line ended */
	int		 full;		/* more tokens than allowed: the rest was left */
};

enum tree_kind { TREE_NONE, TREE_TTY, TREE_RAW, TREE_CSV, TREE_JSON };

/* What a line is that may begin a tree. */
enum tree_kind	 tree_begins(struct span line);
/* Take a line of a tree: 1 taken, 0 it does not belong to it. */
int		 tree_line(struct tree *, enum tree_kind, struct span line, int64_t position);
/* JSON: all brackets are closed. */
int		 tree_closed(const struct tree *);
struct span	 tree_span(const struct tree *, size_t i);
void		 tree_reset(struct tree *);
void		 tree_free(struct tree *);

#endif
