/*
 * envelope.h - the wrappers around a log line, undone one after the other:
 * docker json-file, CRI, kubectl, compose, journald, syslog 3164 and 5424,
 * Cloud Foundry, and any stamp that stands before another one.
 */
#ifndef TEXT_ENVELOPE_H
#define TEXT_ENVELOPE_H

#include "text/arena.h"
#include "text/json.h"
#include "text/stamp.h"

struct envelope {
	struct span	 text;		/* what was inside; borrows from the line or the arena */
	struct stamp	 stamp;		/* the innermost wrapper's time; has 0: none */
	int64_t		 epoch_us;	/* or as an epoch; OBS_NO_TIME */
	struct span	 host, app, pid, stream; /* p NULL: not stated */
	int		 partial;	/* the next line of this stream continues it */
	int		 undone;	/* how many wrappers there were */
	int		 cut;		/* one was JSON of too many members */
};

/* One line without its newline. */
void	 envelope_undo(struct span line, struct json *, struct arena *, struct envelope *);
/* The fields of one journald export block (lines of KEY=value). */
void	 envelope_export(struct span block, struct envelope *);

#endif
