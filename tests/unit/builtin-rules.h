/*
 * builtin-rules.h - the rules of sql/log-rule.sql, compiled once for all tests.
 */
#ifndef UNIT_BUILTIN_RULES_H
#define UNIT_BUILTIN_RULES_H

#include "text/rule.h"

const struct rules *builtin_rules(void);
/* One call for each row of the table. */
void	 builtin_rules_each(void (*)(const struct rule_row *));

#endif
