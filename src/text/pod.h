/*
 * pod.h - lines that stern prints: "web-7d9f-x2k app text", the pod and its
 * container before each, and nothing that ends them.  The lines of a source begin
 * so or none does; which two words are a prefix is learned from lines behind which a
 * record begins.
 */
#ifndef TEXT_POD_H
#define TEXT_POD_H

#include "base/buf.h"
#include "base/span.h"
#include "base/table.h"

struct pods {
	int		 used;		/* the source's lines begin so */
	struct table	 known;		/* prefixes */
	struct buf	 name;
};

/* Whether lines begin so, by the first of them. */
void		 pod_learn(struct pods *, struct span block);
/* The line behind its prefix; *pod is that as kubectl writes it, "pod/container" (n 0:
 * there is none), valid until the next call. */
struct span	 pod_undo(struct pods *, struct span line, struct span *pod);
void		 pod_clear(struct pods *);

#endif
