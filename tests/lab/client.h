/* client.h - the reference client: its state, and what the gate asks of it. */
#ifndef CLIENT_H
#define CLIENT_H

#include "lab.h"

enum { MAX_ENDPOINTS = 32, TIMEOUT_MS = 250, CHAIN = 640 };

struct endpoint {
	char		 addr[64];		/* as announced */
	char		 dialled[64];		/* as the address map says */
	struct link	 link;
};

struct client {
	const char	*name;
	int		 budget;		/* redirects a command may follow */
	int		 refresh_on_error;
	const char	*map_from, *map_to;	/* the corrupt address map, or NULL */
	int64_t		 gate_ms;		/* node timeout for the gate; 0: raise */
	struct endpoint	 at[MAX_ENDPOINTS];
	int		 endpoints;
	int		 owner[SLOTS];		/* index into at, -1 */
	int64_t		 cycling_since[SLOTS];	/* first failure since it last worked */
	long		 commands, done, raised, failed, backed_off;
};

void	 client_log(const struct client *, const char *level, const char *fmt, ...)
	    __attribute__((format(printf, 3, 4)));
int	 client_endpoint(struct client *, const char *addr);
int	 client_ask(struct client *, int endpoint, const char *command);
int	 client_refresh(struct client *);

/*
 * gate.c: what to do instead of raising for slot.  GATE_RAISE: the claimant is
 * unreachable, or the disagreement outlasts the node timeout; GATE_RETRY: it
 * waited, the slot map is fresh; GATE_CORRUPT: the nodes agree and are
 * reachable, so the map is what is wrong.
 */
enum gate { GATE_RAISE, GATE_RETRY, GATE_CORRUPT };
enum gate gate_decide(struct client *, int slot);

#endif
