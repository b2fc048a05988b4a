/*
 * server-message.h - what a line of a Redis or Valkey log proves.
 *
 * A table of the beginnings of messages of Redis 2.8 to 8 and Valkey 7.2 to 9.
 * Node names are "<id>", "<id> (<name>)" and "<id> (<name>) in shard <id>" by
 * version, levels changed as well: therefore only the words, the order of the
 * node ids (those behind "shard " aside) and marked numbers are looked at.
 */
#ifndef FORMAT_SERVER_MESSAGE_H
#define FORMAT_SERVER_MESSAGE_H

#include "base/buf.h"
#include "model/obs.h"

struct server_message {
	const char	*text;		/* how it begins */
	const char	*also;		/* what it contains as well, or NULL */
	const char	*kind, *event;	/* as in model/obs.h */
	const char	*ids;		/* whose ids follow: s subject, o other, - skip */
	const char	*epoch;		/* text before the epoch, or NULL */
	const char	*slots;		/* text before slot ranges, or NULL */
	const char	*address;	/* text before an endpoint, or NULL */
};

/* The row for a message, NULL when it is none of them. */
const struct server_message *server_message_find(struct span message);
/* Fill what the row says and the message states; spans borrow from it
 * and from scratch. */
void	 server_message_read(const struct server_message *, struct span message,
	    struct obs_server *, struct buf *scratch);
/* All rows, for the test that each of them is tried. */
const struct server_message *server_message_rows(size_t *n);
/* The id of "..., I'm <id>", p NULL when the message does not say. */
struct span	 server_message_own_id(struct span message);
/* The version in "Redis version=7.2.4, bits=64, ..." and the like, p NULL when the
 * message does not say. */
struct span	 server_message_version(struct span message);

#endif
