/*
 * world.h - timelines written row by row for the tests of the analysis: small
 * invented incidents, many in one database, analysed with the embedded SQL.
 *
 * A world collects rows and loads them into a database in memory when it is
 * complete, so that one world can be loaded shuffled, with other row ids, at
 * another time, or without some of its evidence.  Inside an incident, nodes
 * and clients are small numbers; times are microseconds relative to the
 * world's base.  All nodes own slots [0, 8191] in turn; SLOT is one of them.
 */
#ifndef WORLD_H
#define WORLD_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

enum { NOBODY = -1, UNSTATED = -2, ALL_OTHERS = -3 };
enum { SLOT = 100, NODES = 6, CLIENTS = 4 };	/* of one incident */
enum { SAMPLER = CLIENTS };			/* a client number */
enum { MS = 1000, SECOND = 1000000 };

struct row {
	char	*sql;
	int	 group;		/* evidence that can be taken away; 0: stays */
};

struct world {
	struct row	*rows;
	size_t		 n, cap;
	int64_t		 base;		/* time 0, us UTC */
	int64_t		 salt;		/* of the row ids; 1: as numbered */
	int64_t		 next;		/* running row number */
	int64_t		 incident;
	int		 group;		/* of rows to come */
	int		 epoch[NODES];	/* of the incident's nodes */
	int		 pieces;	/* the owner has every other slot of so many */
};

/* Which rows are left out: nonzero for a group to skip. */
typedef int	 world_skip(void *arg, int group);

void		 world_init(struct world *, int64_t base, int64_t salt);
void		 world_free(struct world *);
/* A new incident; its nodes get these epochs, its clients hosts h0 h0 h2 h3. */
void		 world_incident(struct world *, const char *name,
		    const int epoch[NODES]);
/* Over [from, to] `who` names `owner` (or NOBODY): in a dump; about itself in a
 * bus header; by serving the slot. */
void		 world_dump(struct world *, int who, int owner, int64_t from,
		    int64_t to);
/* The dump of `who` that begins at `from` took so long to be answered. */
void		 world_slow(struct world *, int who, int64_t from, int64_t rtt);
/* An observer of no known node names owner, once. */
void		 world_unnamed(struct world *, int owner, int64_t at);
/* The same, with a silence of gap in it somewhere. */
void		 world_span(struct world *, int who, int owner, int64_t from,
		    int64_t to, int64_t gap);
/* With flags at one node, or at all but itself. */
void		 world_dump_flags(struct world *, int who, int owner, int64_t from,
		    int64_t to, int flagged, const char *flags);
void		 world_bus(struct world *, int who, int64_t from, int64_t to,
		    const char *state);
/* `who` passes on that `replica` follows `master`. */
void		 world_follows(struct world *, int who, int replica, int master);
void		 world_served(struct world *, int who, int64_t from, int64_t to);
/* A redirect that a client was given, asked and target may be UNSTATED. */
void		 world_moved(struct world *, int client, int asked, int target,
		    int64_t at);
/* The same, to host:port as printed; host may be empty. */
void		 world_moved_to(struct world *, int client, int asked,
		    const char *host, int port, int64_t at);
/* A capture that lasts ten minutes each way, and a redirect in it. */
void		 world_capture(struct world *, const char *incident);
void		 world_on_wire(struct world *, int client, int asked, int target,
		    int64_t at);
/* The same, an ASK; and a MOVED that answered after ASKING. */
void		 world_ask(struct world *, int client, int asked, int target,
		    int64_t at);
void		 world_sent_back(struct world *, int client, int asked, int target,
		    int64_t at);
/* The dump of `who` that begins at `from` marks the slot: "migrating" to peer or
 * "importing" from it. */
void		 world_mark(struct world *, int who, int64_t from,
		    const char *state, int peer);
/* A log says that a node has the address of another now. */
void		 world_address(struct world *, int node, int address_of,
		    int64_t at);
void		 world_contact(struct world *, int client, int node,
		    const char *outcome, int64_t from, int64_t to);
/* The same, many times over, with a silence of gap in it somewhere. */
void		 world_contact_span(struct world *, int client, int node,
		    const char *outcome, int64_t from, int64_t to, int64_t gap);
/* One error of client 0.  code: last error that its text names, or NULL. */
void		 world_error(struct world *, int64_t at, const char *code,
		    int timer);
/* The same, and its text names no slot. */
void		 world_slotless(struct world *, int64_t at, int timer);
void		 world_event(struct world *, int who, const char *kind,
		    const char *event, int64_t at);
/* A setting that the log shows. */
void		 world_setting(struct world *, const char *incident,
		    const char *name, const char *value);
/* The timeline, in memory; rows in another order if seed is not 0. */
sqlite3		*world_load(const struct world *, unsigned long seed,
		    world_skip *, void *arg);
/* The same, analysed. */
sqlite3		*world_analyse(const struct world *, unsigned long seed,
		    world_skip *, void *arg);
/* All rows of a query as text, '|' and newline between; to be freed. */
char		*world_query(sqlite3 *, const char *sql);

/* Small and repeatable, the same everywhere. */
unsigned	 random_below(unsigned long *state, unsigned n);

#endif
