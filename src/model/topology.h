/*
 * topology.h - one parser for views of the cluster, whether they come from a
 * file or from a reply in a capture.
 *
 * CLUSTER NODES and nodes.conf are text, a line a node:
 *
 *	<id> <ip>:<port>[@<bus>[,<hostname>[,<aux>=<v>]...]] <flags> <master|->
 *	    <ping-sent> <pong-recv> <config-epoch> <link-state>[ <slots>]...
 *
 * CLUSTER SLOTS and CLUSTER SHARDS are trees.  Every rendering of a tree
 * (RESP2, RESP3, redis-cli's tty, --raw, --json, --csv) gives the same scalars
 * in the same order, map keys included, so the parser takes just these
 * ("tokens") and the nesting is not needed.
 *
 * All spans of the view borrow from the text or tokens that were parsed.
 */
#ifndef MODEL_TOPOLOGY_H
#define MODEL_TOPOLOGY_H

#include "model/obs.h"
#include "model/slots.h"

enum { TOPOLOGY_NODES_MAX = 20000, TOPOLOGY_SLOTS_MAX = 200000 };

/* Told of each damaged thing: the line of the text or the token, 0 first. */
typedef void	topology_bad(void *arg, size_t at, const char *reason);

struct topology {
	struct obs_view_node *nodes;
	size_t		 nnodes, nodes_cap;
	struct obs_view_slots *slots;
	size_t		 nslots, slots_cap;
	struct slots	 owned;
	int		 myself;	/* index into nodes, -1: not stated */
	int		 partial;	/* something was damaged */
	int		 slots_lost;	/* and it may have listed slots */
	int		 conf;		/* it is a nodes.conf */
	int64_t		 newest_pong_ms; /* 0: none */
	int64_t		 current_epoch;	/* nodes.conf: OBS_NO_NUM */
	topology_bad	*bad;		/* NULL: nobody listens */
	void		*bad_arg;
	size_t		 at;		/* line or token being read */
};

enum topology_form { TOPOLOGY_SLOTS, TOPOLOGY_SHARDS };

/* Zero-fill first; topology_reset() keeps the arrays and bad. */
void	 topology_reset(struct topology *);
void	 topology_free(struct topology *);

/* A whole CLUSTER NODES reply or nodes.conf.  Blank lines are passed over. */
void	 topology_nodes_text(struct topology *, struct span text);
/* One line of it, without the line end. */
void	 topology_nodes_line(struct topology *, struct span line);
/* Report what shows that the text, read to its end, is only a part of an answer:
 * every node lists itself, and the master of every replica. */
void	 topology_nodes_check(struct topology *);
/* Report that it is cut: slots that it does not list may have an owner. */
void	 topology_cut(struct topology *, const char *how);
/* The text ended inside a line, perhaps: unless all slots have an owner, the
 * last node's last range is left out, for it may have lost digits. */
void	 topology_unended(struct topology *);
/* The scalars of a CLUSTER SLOTS or SHARDS reply; integers as decimal text,
 * nil as a span with p NULL. */
void	 topology_tokens(struct topology *, enum topology_form,
	    const struct span *tokens, size_t n);

/* One owned range for nodes[node]; what another node owns already is reported
 * and left out. */
void	 topology_own(struct topology *, int node, int from, int to);
/* A new node "not stated", its index; -1 when there are too many. */
int	 topology_add_node(struct topology *);

/* Fill nodes, slots, complete, partial and current_epoch of a view. */
void	 topology_view(const struct topology *, struct obs_view *);

/* The text begins with a node line: 40 hex digits, a blank, an address. */
int	 topology_is_node_line(struct span);
/* 40 lower-case hex digits and nothing else. */
int	 topology_is_id(struct span);

#endif
