/*
 * format.h - what a source can be, and how it is read into observations.
 *
 * One const struct per file of this folder, one row in format.c.  The highest
 * bid wins; a tie is a problem that names both.  A decoder sees neither the
 * database nor the file system.  It returns -1 only when the source cannot go
 * on: a record that cannot be read is a problem, and decoding goes on.
 */
#ifndef FORMAT_FORMAT_H
#define FORMAT_FORMAT_H

#include "base/err.h"
#include "base/input.h"
#include "base/zone.h"
#include "model/sink.h"

struct rules;				/* text/rule.h: compiled log rules */

/* What the user or the surroundings say about a source. */
struct decode_ctx {
	int64_t		 zone_s;	/* --zone, seconds east of UTC; OBS_NO_NUM: none */
	const struct zone *zone;	/* --zone by name; NULL: none */
	int		 year;		/* --year; 0: none */
	int64_t		 mtime;		/* file time, us UTC; OBS_NO_TIME */
	const char	*observer;	/* --observer: who wrote it; NULL */
	int		 keep_keys;	/* --keep-keys */
	const struct rules *rules;	/* client log rules; may be NULL without by_rules */
	int64_t		 records;	/* out: lines, dumps or packets decoded */
	char		 detail[128];	/* out: source.detail */
};

/* A bid that no other outbids: the others are not asked. */
enum { FORMAT_SURE = 1000 };

struct format {
	const char	*name;		/* word of source.kind */
	const char	*summary;	/* for usage and the manual */
	/* Bits of evidence that the prefix (up to 64 KiB) is of this format, 0:
	 * none.  name is a hint only.  why, when not NULL, gets a short static
	 * or formatted reason of at most n bytes (slotrace inspect). */
	int		(*bid)(struct span prefix, const char *name, char *why, size_t n);
	int		(*decode)(struct input *, struct decode_ctx *, struct sink *,
			    struct err *);
	/* What the observer of a source of this name is called if it does not name
	 * itself; where in the name that begins.  NULL: it always does. */
	size_t		(*stem)(const char *name, struct buf *);
	/* Captures only, else NULL: time (us) of the first packet in the prefix,
	 * and a key such that files of one rotated set have equal keys. */
	int64_t		(*first_at)(struct span prefix);
	int		 by_rules;	/* decode wants decode_ctx.rules */
};

extern const struct format format_client_log, format_server_log,
    format_topology_dump, format_capture, format_config;

/* All formats, NULL-terminated. */
extern const struct format *const formats[];

/* The format of a prefix, or NULL.  *rival is a second one that bid as much,
 * or NULL. */
const struct format *format_choose(struct span prefix, const char *name,
	    const struct format **rival, char *why, size_t n);
/* By name; NULL if there is none. */
const struct format *format_find(const char *name);

#endif
