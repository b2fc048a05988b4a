/*
 * client-event.h - what the rules found in one record of a client log -> the
 * observations that it stands for: one trace is one event.
 */
#ifndef FORMAT_CLIENT_EVENT_H
#define FORMAT_CLIENT_EVENT_H

#include "format/format.h"
#include "text/record.h"

struct client_events;

struct client_events	*client_events_open(const char *source_name,
			    const struct decode_ctx *, struct sink *);
int			 client_events_take(struct client_events *, const struct record *,
			    struct err *);
/* No more records: what is held is given. */
int			 client_events_end(struct client_events *, struct err *);
void			 client_events_close(struct client_events *);

#endif
