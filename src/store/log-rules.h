/*
 * log-rules.h - the table log_rule: read into compiled rules, and added to
 * from a user's file of INSERTs.
 */
#ifndef STORE_LOG_RULES_H
#define STORE_LOG_RULES_H

#include "base/err.h"
#include "text/rule.h"

struct store;

/* All rules of the timeline, in the order of the table; NULL with err. */
struct rules	*log_rules_read(struct store *, struct err *);
/* The same, read at the first call and kept until the timeline is closed. */
const struct rules *log_rules(struct store *, struct err *);

/*
 * The rules of a file (--rules FILE) go before those that are there; one of
 * the same name is replaced.  The file runs on a scratch database where
 * nothing but INSERT INTO log_rule is allowed.  An error names file and line.
 */
int		 log_rules_add(struct store *, const char *path, struct err *);

#endif
