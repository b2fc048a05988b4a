/*
 * rule.h - the rules that read client logs: rows of log_rule, compiled.
 *
 * The rows are handed over by the caller (from the table, or from the SQL
 * before there is one).  A struct rules is used by one thread at a time.
 */
#ifndef TEXT_RULE_H
#define TEXT_RULE_H

#include "base/err.h"
#include "model/obs.h"

struct rule_row {			/* one row of log_rule, borrowed */
	const char	*name, *client, *versions, *kind, *pattern;
	int64_t		 budget, backoff_ms;	/* OBS_NO_NUM */
	const char	*example, *example_expect;
};

enum rule_class {
	RULE_REDIRECT,			/* a reply: code */
	RULE_CONTACT,			/* outcome */
	RULE_REFRESH, RULE_REFRESH_FAILED, /* of the client's slot map */
	RULE_CHOSEN,			/* no event: whom the next attempt is made at */
	RULE_VIEW,			/* the text of a topology */
	RULE_HANDED_ON,			/* no event: told by who raises it, too */
	RULE_ERROR,			/* error */
	RULE_SCOPE			/* no cluster: named, never judged */
};

struct rule {
	char			*name, *client, *kind;
	int64_t			 budget, backoff_ms;
	enum rule_class		 class;
	enum reply_code		 code;
	enum contact_outcome	 outcome;
	enum error_kind		 error;
	int			 raised;	/* given to the caller */
	int			 timer;		/* a clock ran out */
	int			 number;	/* in the order of addition */
};

/* One place of a text that a rule claims; spans borrow from the text. */
struct rule_match {
	const struct rule	*rule;
	struct span		 all;
	int			 slot;		/* OBS_NO_SLOT */
	struct endpoint		 ep, node;	/* host.p NULL: not stated */
	struct span		 key, code, command;
	int64_t			 attempts;	/* OBS_NO_NUM */
	int64_t			 duration_us;	/* OBS_NO_NUM */
};

struct rules;

struct rules	*rules_new(void);
void		 rules_free(struct rules *);
/* -1 with err: the pattern does not compile or holds no literal, the kind is
 * none, the example does not match or yields something else. */
int		 rules_add(struct rules *, const struct rule_row *, struct err *);
size_t		 rules_count(const struct rules *);

/* Matches in the order in which they stand, at most max; *limited names a
 * rule that ran into the match limit, NULL if none did. */
size_t		 rules_match(const struct rules *, struct span text,
		    struct rule_match *, size_t max, const char **limited);
/* A record_filter: the first place in raw bytes that may matter. */
size_t		 rules_filter(const void *rules, const char *p, size_t n);

#endif
