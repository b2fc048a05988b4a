/*
 * served.h - which server answered keyed commands of which slot with data: by
 * that it claims the slot.
 *
 * Millions of such answers say nothing new, so they are kept as spans and only
 * those of slots with a question are emitted: slots for which a redirect was
 * seen, or that two servers served.
 *
 * Limit, reported when it is hit: SERVED_PAGES pages of 256 slots.
 */
#ifndef WIRE_SERVED_H
#define WIRE_SERVED_H

#include "wire/party.h"

enum { SERVED_PAGES = 1024 };

struct served;

struct served	*served_new(struct parties *, struct sink *);
void		 served_free(struct served *);
/* An answer is expected soon: into the cache with what it will change. */
void		 served_expect(const struct server *, int slot);
int		 served_data(struct served *, struct server *, int slot, int64_t at,
		    const struct locus *, struct err *);
/* A redirect for the slot; moved: it ends what the server itself claimed. */
int		 served_redirect(struct served *, struct server *, int slot, int moved,
		    struct err *);
int		 served_end(struct served *, struct err *);

#endif
