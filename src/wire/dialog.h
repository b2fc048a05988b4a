/*
 * dialog.h - the conversations of one capture: each connection is found to be
 * RESP, the cluster bus, TLS or something else by its content, requests are
 * paired with their replies, and what these say is emitted.
 *
 * Pairing is sure on connections seen from their SYN, and elsewhere (begun
 * midway, after missing bytes) again after two exchanges of one request with
 * one reply each.  Before that a redirect is still a redirect, but which
 * request it answers stays unknown.  No reply is paired with a request that
 * its sender had not acknowledged.
 *
 * Limits, reported when they are hit: DIALOG_REPLY bytes of a reply that must
 * be read whole (a topology), DIALOG_HELD in all; DIALOG_BEGUN bytes of messages
 * of any kind of which the end has not come; DIALOG_LINKS links of the bus;
 * DIALOG_OUTSTANDING requests waiting for replies on one connection,
 * DIALOG_OUTSTANDING_ALL in all.
 */
#ifndef WIRE_DIALOG_H
#define WIRE_DIALOG_H

#include "wire/frame.h"
#include "wire/stream.h"

enum {
	DIALOG_REPLY = 4 << 20,
	DIALOG_HELD = 8 << 20,
	DIALOG_BEGUN = 32 << 20,
	DIALOG_LINE = 1024,		/* of any other message, the beginning */
	DIALOG_LINKS = 1 << 15,		/* of the cluster bus, at once */
	DIALOG_OUTSTANDING = 1 << 16,
	DIALOG_OUTSTANDING_ALL = 1 << 18
};
#define DIALOG_SLOW_US	1000000		/* a request unanswered for so long: read-timeout */
#define DIALOG_GAVE_UP_US 100000	/* or for so long when its client hung up */

struct dialog;

struct dialog	*dialog_new(struct sink *, int keep_keys);
void		 dialog_free(struct dialog *);
int		 dialog_segment(struct dialog *, const struct frame *, int64_t at,
		    const struct locus *, struct err *);
/* Segments may be held back a little: read all that were given. */
int		 dialog_settle(struct dialog *, struct err *);
/* A file of the capture ends; the last one does with end. */
int		 dialog_part(struct dialog *, struct err *);
int		 dialog_end(struct dialog *, struct err *);

struct dialog_counts {
	int64_t	 resp, bus, tls;	/* connections */
	int64_t	 midway;		/* of resp and bus: begun before the capture */
	int64_t	 requests, replies, redirects, views;
};
const struct dialog_counts *dialog_counts(const struct dialog *);

#endif
