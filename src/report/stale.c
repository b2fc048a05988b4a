/*
 * stale.c - says at the head of whatever shows results that they are out of date.
 */
#include "report/stale.h"

#include "report/page.h"
#include "store/query.h"
#include "store/script.h"
#include "store/store.h"

int
stale_find(struct store *s, struct err *err)
{
	return (script_run(store_db(s), script_find("sql/report/stale.sql"), NULL, NULL, err));
}

/* 1: *q is at the sentence; 0: nothing changed. */
static int
sentence(struct query **q, struct store *s, struct err *err)
{
	return (query_open(q, s, err, "SELECT sentence FROM temp.stale") == -1 ? -1 :
	    query_next(*q, err));
}

int
stale_tell(struct store *s, FILE *f, struct err *err)
{
	struct query	*q = NULL;
	int		 got = stale_find(s, err) == -1 ? -1 : sentence(&q, s, err);

	if (got == 1)
		fprintf(f, "slotrace: %s\n", query_text(q, 0));
	query_close(q);
	return (got);
}

int
stale_head(struct page *p, struct store *s, struct err *err)
{
	struct query	*q = NULL;
	int		 got = sentence(&q, s, err);

	if (got == 1) {
		page_para(p, 0, 0, "%s", query_text(q, 0));
		page_line(p);
	}
	query_close(q);
	return (got == -1 ? -1 : 0);
}
