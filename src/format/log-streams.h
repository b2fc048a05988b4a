/*
 * log-streams.h - a log file, and the logs that stand in it side by side.
 *
 * What `docker compose logs`, `kubectl logs --prefix`, `stern`, `docker service
 * logs`, syslog and the journal give holds the lines of several programs, each
 * behind a prefix that names its own: servers and clients of the cluster among
 * them.  Each of these is a log by itself, with an observer and (in front of a
 * sink that has parts) a source of its own, in the order of the file.  Lines that
 * no prefix tells apart are of one log.
 */
#ifndef FORMAT_LOG_STREAMS_H
#define FORMAT_LOG_STREAMS_H

#include "format/format.h"

/* Whose log the file is for the most part. */
enum log_of { LOG_OF_SERVER, LOG_OF_CLIENT };

/* As a format's decode(). */
int	 log_streams_decode(struct input *, struct decode_ctx *, struct sink *,
	    enum log_of, struct err *);

#endif
