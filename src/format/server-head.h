/*
 * server-head.h - what stands before the message in a line of a server's log:
 *
 *	[4018] 26 Mar 12:34:56.789 * message			2.6, 2.8
 *	4018:M 26 Mar 12:34:56.789 * message			3.0 to 4.0
 *	4018:M 26 Mar 2026 12:34:56.789 * message		5.0 on
 *	4018:signal-handler (1449128495) Received SIGTERM ...	absolute time
 *	pid=1 role=primary timestamp="..." level=notice message="..."
 *	{"pid":1,"role":"primary","timestamp":"...","level":"...","message":"..."}
 *
 * The letter is M S, or C for a forked child.
 */
#ifndef FORMAT_SERVER_HEAD_H
#define FORMAT_SERVER_HEAD_H

#include "format/format.h"
#include "text/record.h"
#include "text/stamp.h"

/* Spans borrow from the record. */
struct server_head {
	enum node_role	 role;
	int		 child;		/* a forked child wrote it */
	int		 sentinel;	/* the letter is X */
	struct span	 pid, label, message;
};

/* A wrapper that looks like a log of its own may have hidden the line's time
 * from the record's reader: then it is put right in the record. */
void	 server_head_read(struct record *, struct stamp_clock *, struct server_head *);
/* Whether it is a line of a server, by its head or, in syslog, by its words. */
int	 server_head_is_line(struct span);
/* A pid that writes again after another one: several servers at a time. */
int	 server_head_interleaved(struct span prefix);
/* A signal handler's line tells the absolute time; its neighbour's local time
 * then tells the zone, and the year where that is missing: set in the context
 * where nobody declared them. */
void	 server_head_clock(struct span prefix, struct decode_ctx *);

#endif
