/*
 * topology-part.h - what the readers of a view share: private to
 * model/topology*.c.
 */
#ifndef MODEL_TOPOLOGY_PART_H
#define MODEL_TOPOLOGY_PART_H

#include "model/topology.h"

enum { TOPOLOGY_ID_LEN = 40 };

/* For "%.*s": a token, cut. */
#define TOPOLOGY_SHOW(s)	(int)((s).n < 60 ? (s).n : 60), ((s).p != NULL ? (s).p : "")

/* The view is damaged: whoever listens is told, with the place at hand. */
void	 topology_report(struct topology *, const char *fmt, ...)
	     __attribute__((format(printf, 2, 3)));
/* Digits only, at most 18 of them; -1 when it is no number. */
int64_t	 topology_number(struct span);
/* A range of nodes[node], owned as long as nobody says otherwise; NULL when
 * there are too many. */
struct obs_view_slots	*topology_add_slots(struct topology *, int node, int from, int to);

#endif
