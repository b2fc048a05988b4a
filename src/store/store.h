/*
 * store.h - the timeline file: opening it, and the sink that writes
 * observations into its base tables.
 *
 * One transaction is one source (or one rotated set); whatever happens, the
 * file holds whole sources only.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/err.h"
#include "model/sink.h"

struct sqlite3;
struct store;

enum { STORE_SCHEMA = 2 };		/* user_version of this program */
#define STORE_APPLICATION_ID 0x736c7472	/* "sltr" */

enum store_mode {
	STORE_READ,			/* must exist */
	STORE_WRITE,			/* must exist */
	STORE_CREATE			/* made if it is not there */
};

struct store	*store_open(const char *path, enum store_mode, struct err *);
/* Leaves one file behind; accepts NULL. */
void		 store_close(struct store *);
/* Close after a failure: a file that store_open() made goes again, unless another
 * process has it open; one that was there stays.  Accepts NULL. */
void		 store_discard(struct store *);
struct sqlite3	*store_db(struct store *);
const char	*store_path(const struct store *);
/* -1 with err where no analysis was made of it yet. */
int		 store_analyzed(struct store *, struct err *);
/* One statement or several without results. */
int		 store_exec(struct store *, const char *sql, struct err *);
/* err from the database's last error. */
int		 store_fail(struct store *, const char *what, struct err *);

/* One row of `source`, as ingest fills it. */
struct source {
	const char	*name;
	const char	*kind;		/* static: a format's name, or unknown */
	const char	*status;	/* static */
	int64_t		 bytes;
	const char	*xxh3;		/* NULL: not read */
	const char	*head;		/* same_head(); NULL */
	int64_t		 mtime;		/* OBS_NO_TIME */
	int64_t		 records;
	const char	*detail;	/* NULL */
};

int		 store_begin(struct store *, const char *incident, struct err *);
int		 store_commit(struct store *, struct err *);
void		 store_rollback(struct store *);

/* Open a source inside the transaction: the next part of the set that is being
 * read, 0 first.  Its id, or -1. */
int64_t		 store_source(struct store *, const char *name, const char *kind,
		    int64_t mtime, struct err *);
/* Complete the source of a part. */
int		 store_source_done(struct store *, int part,
		    const struct source *, struct err *);
/* A part that was opened while the set was read: a log inside of its first file.
 * 1, and all but content of its row; 0: there are no more.  Borrowed from the
 * store until the set ends. */
int		 store_inside(const struct store *, int part, struct source *);
/* Forget the parts: the next store_source() opens a new set. */
void		 store_set_end(struct store *);
/* Observations and problems of the open set go here. */
struct sink	*store_sink(struct store *);
/* Has the file itself failed (disk full, ...) since store_begin()? */
int		 store_failed(const struct store *);
/* Problems so far of a part; of these, such as mean damage to the input. */
int64_t		 store_problems(const struct store *, int part);
int64_t		 store_damage(const struct store *, int part);

#endif
