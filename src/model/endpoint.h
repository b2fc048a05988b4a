/*
 * endpoint.h - the notations in which logs and replies print a host and port.
 *
 *	10.0.0.1:6379			IPv4, and any host name
 *	2001:db8::5:6379		IPv6 as Redis prints it: the last colon is the port's
 *	[2001:db8::5]:6379		IPv6 as Go, .NET and Ruby print it
 *	:6379  ?:6379			"the host that answered"; a name never announced
 *	10.0.0.1:6379@16379,name	CLUSTER NODES: bus port and host name are cut
 *	redis://user:pw@10.0.0.1:6379/0	and tcp:// tls:// rediss:// valkey://
 *	name/10.0.0.1:6379  /10.0.0.1:6379  name/<unresolved>:6379	Java
 *	Unspecified/name:6379		.NET
 *	('10.0.0.1', 6379)  '10.0.0.1', 6379, 0, 0	Python
 *	[2001:db8::5:6379]:0		.NET given an IPv6 without brackets
 */
#ifndef MODEL_ENDPOINT_H
#define MODEL_ENDPOINT_H

#include "base/buf.h"
#include "model/obs.h"

/* The whole text is one endpoint: 0, or -1 and *ep is none.  The host borrows
 * from the text. */
int	 endpoint_parse(struct span, struct endpoint *);
/* Host and port given apart (JSON members); -1 when the port is none. */
int	 endpoint_pair(struct span host, struct span port, struct endpoint *);
/* "host:port", IPv6 in brackets, appended; nothing for none. */
void	 endpoint_format(const struct endpoint *, struct buf *);
int	 endpoint_eq(const struct endpoint *, const struct endpoint *);

#endif
