/*
 * inside.h - what the files of store/ share: the open timeline, its prepared
 * statements and its interned names.
 */
#ifndef STORE_INSIDE_H
#define STORE_INSIDE_H

#include <sqlite3.h>

#include "base/buf.h"
#include "base/table.h"
#include "store/store.h"
#include "text/rule.h"

enum statement {
	ST_SOURCE, ST_SOURCE_DONE, ST_PROBLEM, ST_PROBLEM_FOLD, ST_SETTING,
	ST_NODE, ST_NODE_FIND, ST_ENDPOINT, ST_ENDPOINT_FIND, ST_OBSERVER,
	ST_OBSERVER_FIND, ST_OBSERVER_FILL, ST_VIEW, ST_VIEW_NODE,
	ST_VIEW_SLOTS, ST_REDIRECT, ST_CONTACT, ST_ERROR, ST_SERVER, ST_COMMAND,
	ST_NSTATEMENTS
};

enum name_kind { NAME_NODE, NAME_ENDPOINT, NAME_OBSERVER };

/* What is known to be in an interned observer's row. */
enum { FILLED_HOST = 1, FILLED_NODE = 2, FILLED_ENDPOINT = 4, FILLED_LIBRARY = 8 };

enum { PROBLEM_CODES = 48, PROBLEM_ROWS = 100, PROBLEM_TIMED_ROWS = 10000 };

/* Problems of one code in one part: rows are written up to a limit, the rest
 * is folded into one more. */
struct folded {
	const char	*code;
	int64_t		 rows, samples, row_id, at, at_end, bytes;
};

struct part_tally {
	char		*name;		/* of the source */
	const char	*kind;
	int64_t		 mtime, records;
	int64_t		 source_id, problems, damage, first_at, last_at;
	int64_t		 precision_us;
	int		 basis;		/* enum at_basis, -1: no time seen */
	struct folded	*folded;
	int		 nfolded;
};

/* What short names were found to be last: in a capture, the same few ones. */
struct memo {
	int64_t		 id;		/* 0: nothing */
	int32_t		 port;		/* of an endpoint */
	int		 flags;		/* FILLED_... of a client */
	uint8_t		 n;
	char		 text[47];
};

enum { BATCH_ROWS = 48, MEMOS = 64, SHORT_TEXT = 16 };

struct batch;

/* A column of a collected row. */
enum value_kind { IS_NULL, IS_NUM, IS_WORD, IS_SHORT, IS_TEXT };

struct value {
	enum value_kind	 kind;
	int		 n;		/* of a text */
	union {
		int64_t	 num;
		const char *word;	/* static */
		char	 text[SHORT_TEXT];	/* IS_SHORT */
		size_t	 at;		/* IS_TEXT: in batch.text */
	} u;
};

/* A row being collected. */
struct row {
	struct batch	*batch;
	struct value	*v;
	uint32_t	*unbound;	/* columns as bits */
};

struct store {
	struct sink	 sink;		/* first */
	sqlite3		*db;
	char		*path, *incident;
	int		 writes, failed;
	int		 fresh;		/* made now: 1 without a source, 2 with one */
	int		 was_there;	/* the file, before it was opened */
	int		 made;		/* by this store, out of nothing; 2: of an empty file */
	sqlite3_stmt	*st[ST_NSTATEMENTS];
	struct batch	*batch[ST_NSTATEMENTS];	/* NULL until it is used */
	struct rules	*rules;		/* NULL until log_rules() */
	struct table	 names;		/* flags: FILLED_... */
	struct memo	 endpoints[MEMOS], clients[MEMOS];
	int64_t		 last_error;	/* number of the last one's row, -1: not known */
	struct buf	 key;		/* scratch of the interning functions */
	struct buf	 clean;		/* scratch of bind_text() */
	struct part_tally *part;
	int		 nparts;
};

const char	*store_sql(enum statement);
/* Prepared on first use; NULL with err. */
sqlite3_stmt	*store_statement(struct store *, enum statement, struct err *);
/* Step a statement that returns no row and reset it. */
int		 store_step(struct store *, sqlite3_stmt *, const char *what,
		    struct err *);
void		 bind_num(sqlite3_stmt *, int, int64_t);	/* OBS_NO_NUM: NULL */
/* p NULL: NULL; at most max bytes (0: all), made valid UTF-8. */
void		 bind_text(struct store *, sqlite3_stmt *, int, struct span,
		    size_t max);
void		 bind_word(sqlite3_stmt *, int, const char *);	/* static; NULL */
void		 bind_id(sqlite3_stmt *, int, int64_t id);	/* 0: NULL */

/* Run one statement about a source: ?1 incident, ?2 name, ?3 hash, ?4 length, NULL
 * and OBS_NO_NUM not bound.  The first column of its first row, 0 without one,
 * -1 with err. */
int64_t		 store_ask(struct store *, const char *sql, const char *incident,
		    const char *name, const char *hex, int64_t bytes,
		    struct err *);

/* The beginning of a text that fits into max bytes (0: all of it). */
struct span	 text_cut(struct span, size_t max);
int		 text_is_clean(struct span);	/* UTF-8 without NUL */

/* batch.c: rows that are inserted many at a time.  Begin, set each column (1
 * first) as by the bind functions of the same names, end.  Texts are copied. */
void		 row_begin(struct store *, struct row *, enum statement, const char *what,
		    int columns);
int		 row_end(struct store *, struct row *, struct err *);
static inline void row_num(struct row *, int, int64_t);
static inline void row_id(struct row *, int, int64_t id);
static inline void row_word(struct row *, int, const char *);
void		 row_text(struct row *, int, struct span, size_t max);
/* Insert what is collected: before the end of a transaction, and before rows
 * are read. */
int		 batch_flush(struct store *, struct err *);
void		 batch_drop(struct store *);
void		 batch_close(struct store *);

/* Ids of names in the current incident; 0: not stated, -1: err. */
int64_t		 intern_node(struct store *, struct span id, struct err *);
int64_t		 intern_endpoint(struct store *, struct endpoint, struct err *);
int64_t		 intern_who(struct store *, const struct who *, struct err *);

void		 intern_forget(struct store *);	/* all of them */

/* The value is another than that of the row which stood there. */
static inline void
row_new(struct row *r, int i)
{
	*r->unbound |= UINT32_C(1) << (i - 1);
}

static inline void
row_num(struct row *r, int i, int64_t num)
{
	struct value	*v = &r->v[i - 1];
	enum value_kind	 kind = num == OBS_NO_NUM ? IS_NULL : IS_NUM;

	if (v->kind == kind && (kind == IS_NULL || v->u.num == num))
		return;
	v->kind = kind;
	v->u.num = num;
	row_new(r, i);
}

static inline void
row_id(struct row *r, int i, int64_t id)
{
	row_num(r, i, id > 0 ? id : OBS_NO_NUM);
}

static inline void
row_word(struct row *r, int i, const char *word)
{
	struct value	*v = &r->v[i - 1];

	if (word == NULL) {
		row_num(r, i, OBS_NO_NUM);
		return;
	}
	if (v->kind == IS_WORD && v->u.word == word)
		return;
	v->kind = IS_WORD;
	v->u.word = word;
	row_new(r, i);
}

/* rows.c: the sink's functions. */
int		 rows_obs(struct sink *, const struct obs *, struct err *);
int		 rows_end(struct sink *, struct err *);
int		 rows_part(struct sink *, struct sink_part *, struct err *);
/* problems.c */
int		 problems_add(struct sink *, const struct problem *, struct err *);
int		 problems_flush(struct store *, struct part_tally *, struct err *);

#endif
