#include "builtin-rules.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "store/log-rules.h"
#include "store/store.h"

/* Without Check: fuzz targets use this too. */
static void
must(int ok, const struct err *e)
{
	if (!ok) {
		err_print(e, stderr, "builtin-rules");
		abort();
	}
}

const struct rules *
builtin_rules(void)
{
	static struct rules	*rules;
	struct err		 e = ERR_INIT;
	struct store		*s;

	if (rules != NULL)
		return (rules);
	s = store_open(":memory:", STORE_CREATE, &e);
	must(s != NULL, &e);
	rules = log_rules_read(s, &e);
	must(rules != NULL, &e);
	store_close(s);
	return (rules);
}

void
builtin_rules_each(void (*each)(const struct rule_row *))
{
	struct err	 e = ERR_INIT;
	struct store	*s = store_open(":memory:", STORE_CREATE, &e);
	sqlite3_stmt	*st;
	struct rule_row	 row;

	must(s != NULL, &e);
	must(sqlite3_prepare_v2(store_db(s), "SELECT name, kind, pattern, example"
	    " FROM log_rule", -1, &st, NULL) == SQLITE_OK, &e);
	while (sqlite3_step(st) == SQLITE_ROW) {
		memset(&row, 0, sizeof row);
		row.name = (const char *)sqlite3_column_text(st, 0);
		row.kind = (const char *)sqlite3_column_text(st, 1);
		row.pattern = (const char *)sqlite3_column_text(st, 2);
		row.example = (const char *)sqlite3_column_text(st, 3);
		each(&row);
	}
	sqlite3_finalize(st);
	store_close(s);
}
