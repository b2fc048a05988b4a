/*
 * twin.h - answers of different nodes that are the same bytes.
 *
 * CLUSTER SLOTS and CLUSTER SHARDS do not say who answers: in a healthy cluster
 * all nodes give one and the same.  Saved a file a node, each is a view of its own,
 * though the content is known.  Only names can tell: n1.txt and n2.txt, or
 * n1/slots.txt and n2/slots.txt, are called alike but for a number, or after two
 * nodes that the answer lists; copy-of-n1.txt and backup/n1.txt are copies.
 */
#ifndef STORE_TWIN_H
#define STORE_TWIN_H

#include "store/same.h"

/* May names be those of the answers of two nodes: alike but for a number in what
 * names the observer? */
int	 twin_names(const char *, const char *);
/* Is an input of this name, of a content that sources of the incident have, the
 * answer of a node that none of them is of?  1, 0, -1 with err. */
int	 twin_is(struct store *, const char *incident, const struct content *,
	    const char *name, struct err *);
/* Before the rows of the attached timeline `shard` come into this one:
 * temp.take_twin, the sources of the shard that are to be taken though their content
 * is here. */
int	 twin_merge(struct store *, struct err *);

#endif
