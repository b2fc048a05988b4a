/*
 * server-event.h - what the records of a server's log say -> the observations
 * that they stand for: one log of one server, or of several that it tells apart
 * by pid or label.
 */
#ifndef FORMAT_SERVER_EVENT_H
#define FORMAT_SERVER_EVENT_H

#include "format/format.h"
#include "text/record.h"

struct server_events;

/* prefix: the beginning of the log, for what only a look ahead shows (several
 * servers at a time, the clock's zone); may be empty. */
struct server_events	*server_events_open(const char *stem, const struct decode_ctx *,
			    struct span prefix, struct sink *);
/* The record's time may be put right.  Records that no server wrote are left
 * alone. */
int			 server_events_take(struct server_events *, struct record *,
			    struct err *);
/* No more records: what is held is given. */
int			 server_events_end(struct server_events *, struct err *);
void			 server_events_close(struct server_events *);

#endif
