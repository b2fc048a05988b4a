/*
 * client-match.h - of all that the rules found in one record: which match is
 * the event.
 */
#ifndef FORMAT_CLIENT_MATCH_H
#define FORMAT_CLIENT_MATCH_H

#include "text/record.h"
#include "text/rule.h"

/* Network errors that do not say Redis go: other services have them too.  How
 * many matches stay. */
size_t	 client_match_drop_foreign(struct rule_match *, size_t n, struct span text);
/* Two rules that claim the same words say the same thing: the one that stands
 * first in the table, or the error that contains the reply, keeps them. */
size_t	 client_match_drop_overlaps(struct rule_match *, size_t n);
/* NULL when there is none. */
const struct rule_match	*client_match_primary(const struct rule_match *, size_t n,
		    struct span text);
/* What to does not say and from does. */
void	 client_match_fill(struct rule_match *to, const struct rule_match *from);
/* A library that tells what it does itself, and debugging, surface nothing. */
int	 client_match_in_passing(const struct record *);
/* A bare redirect that a line below the level of errors tells of, or one that it
 * says was followed: without an exception or a trace nobody was given it. */
int	 client_match_goes_on(const struct record *, const struct rule_match *);
/* At the level of information a sentence may speak of an error (its bare name) or
 * quote one: such matches go.  How many stay. */
size_t	 client_match_drop_mentions(struct rule_match *, size_t n, const struct record *);

#endif
