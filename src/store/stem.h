/*
 * stem.h - what the observer of a source is called where the short names of
 * several are equal.
 *
 * A log that does not say who wrote it is called by its file, and a client's by
 * the folder around it too: web1/logs/app.log is logs/app.  Files of one rotated
 * set are in one folder and share the name.  The log of another folder with the
 * same short name is somebody else's: it takes as many more folders, or the
 * archive, into its name as it needs (web2/logs/app).  Which of two has the short
 * name depends on which was read first; that they differ does not.
 */
#ifndef STORE_STEM_H
#define STORE_STEM_H

#include "base/buf.h"
#include "format/format.h"
#include "store/same.h"

struct store;
struct stems;

/* Of an incident's sources; freed by stems_close(), which accepts NULL. */
struct stems	*stems_open(struct store *, const char *incident);
void		 stems_close(struct stems *);
/* Name the observer of a source that is about to be read.  was: contents that
 * the source replaces in the timeline, the same log when it was shorter: it keeps
 * the name.  out: the name, nothing where the format asks for none. */
int		 stems_name(struct stems *, const struct format *, const char *source,
		    const struct content *was, size_t nwas, struct buf *out,
		    struct err *);
/* Is the observer of a source that was read called by its file?  1, 0, -1. */
int		 stem_is_of_file(struct store *, const char *schema, int64_t source_id,
		    const struct format *, const char *source, struct err *);
/* Before the rows of the attached timeline `shard` come into this one, inside the
 * transaction: temp.take_name, what the observers of its logs are to be called. */
int		 stems_merge(struct store *, struct err *);

#endif
