/*
 * redis-error.h - an error reply's text -> what it says about the cluster.
 *
 *	[-]MOVED <slot> <host>:<port>[ more]	[-]ASK <slot> <host>:<port>
 *	TRYAGAIN ..., CLUSTERDOWN ..., READONLY ..., LOADING ..., MASTERDOWN ...
 */
#ifndef MODEL_REDIS_ERROR_H
#define MODEL_REDIS_ERROR_H

#include "model/obs.h"

struct redis_error {
	enum reply_code	 code;
	int		 slot;		/* OBS_NO_SLOT */
	struct endpoint	 target;	/* borrows from the text */
};

/* The text begins with the reply: 0, or -1 when it is none of these.  A MOVED
 * whose slot is no slot or whose address is none is -1. */
int		 redis_error_parse(struct span, struct redis_error *);
/* "<slot> <endpoint>[ more]", as libraries print it without the first word. */
int		 redis_error_parse_target(struct span, struct redis_error *);
/* The word as Redis spells it; CODE_NONE when it is another. */
enum reply_code	 redis_error_code(struct span word);

#endif
