/*
 * lab.h - what the programs of the lab share: time, slots, a blocking RESP
 * client and a poller of many nodes.
 *
 * Nothing here comes from the product: what it is measured against must not
 * be made by its own decoders.
 */
#ifndef LAB_H
#define LAB_H

#include <stddef.h>
#include <stdint.h>

enum { SLOTS = 16384, MAX_NODES = 16, REPLY_BYTES = 1 << 16 };

/* util.c: time is milliseconds or microseconds UTC since the epoch. */
int64_t	 now_us(void);
const char *utc(int64_t us, char text[static 32]);	/* 2026-11-30T01:02:03.456Z */
void	 sleep_us(int64_t us);
void	 die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
int	 key_slot(const char *key);
void	 until_stopped(void);		/* SIGTERM and SIGINT set stopped */
extern volatile int stopped;

/* link.c: one connection, "10.77.0.11:6379" or a path; -1 and errno on failure. */
struct link {
	int	 fd;			/* -1: not connected */
	char	 reply[REPLY_BYTES];	/* the last reply, NUL-terminated */
	size_t	 n;
};

int	 dial(const char *where);	/* starts to connect; a non-blocking fd, -1 and errno */
int	 link_open(struct link *, const char *where, int timeout_ms);
int	 link_ask(struct link *, const char *command, int timeout_ms);
void	 link_close(struct link *);
size_t	 encode(const char *command, char *out, size_t cap);	/* words to RESP */
size_t	 reply_bytes(const char *p, size_t n);	/* whole reply's length, 0: more to come */

/* poll.c: asks every node for CLUSTER NODES, each on a connection of its own. */
struct polled {
	int	 node;			/* index into where[] */
	int64_t	 asked, answered;	/* microseconds */
	const char *text;		/* without the RESP frame; NULL: no answer */
	const char *error;		/* timeout, connection refused, connection reset */
};
typedef void polled_fn(void *, const struct polled *);
void	 poll_nodes(const char *const *where, int n, int every_ms, int timeout_ms,
	    polled_fn *, void *);

/* view.c: what one CLUSTER NODES answer says. */
struct line_of {
	char	 id[41], addr[64], master[41];
	char	 flags[96];
	int64_t	 epoch;
};
struct view {
	int	 up;
	struct line_of line[MAX_NODES];
	int	 lines, self;		/* self: the line marked myself, -1 none */
	int8_t	 owner[SLOTS];		/* line index, -1 nobody */
};
void	 view_read(struct view *, const char *text);

/* The entries, one a file. */
int	 client_main(int, char **);
int	 sampler_main(int, char **);
int	 truth_main(int, char **);
int	 storm_main(int, char **);
int	 capture_main(int, char **);
int	 slot_main(int, char **);
int	 say_main(int, char **);

#endif
