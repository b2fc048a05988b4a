/*
 * client-topology.h - topology that a client wrote into its log: the text of
 * CLUSTER NODES (Redisson's "cluster nodes configuration got from", a member of
 * JSON, a paste), and CLUSTER SLOTS or SHARDS as redis-cli prints them.
 *
 * What a library prints in words of its own, addresses translated for the
 * client (ioredis' "slots 0~5460 served by"), is the client's map and no
 * server's word: it is left alone.
 */
#ifndef FORMAT_CLIENT_TOPOLOGY_H
#define FORMAT_CLIENT_TOPOLOGY_H

#include "format/format.h"
#include "text/record.h"

struct client_topology;

struct client_topology	*client_topology_open(const struct decode_ctx *, struct sink *);
void			 client_topology_close(struct client_topology *);
/* The views in a record that client was given by asked (host.p NULL: the
 * record does not say).  0, -1 the sink takes no more. */
int	 client_topology_take(struct client_topology *, const struct record *,
	    const struct who *client, const struct endpoint *asked, struct err *);
/* All that is held is given. */
int	 client_topology_end(struct client_topology *, struct err *);

#endif
