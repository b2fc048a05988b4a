/*
 * dump-asked.h - who was asked for a topology, when, and whether it answered:
 * what stands around the dumps of a file.
 *
 *	# 2026-11-30T01:02:03.456Z 10.0.0.11:6379 [rtt 0.8 ms]
 *	=== node-1 Mon Nov 30 01:02:03 UTC 2026 ===	1796000523456 10.0.0.11:6379
 *	10.0.0.11:6379> cluster nodes		$ redis-cli -h 10.0.0.11 cluster nodes
 *	$ kubectl exec redis-0 -- redis-cli cluster nodes
 *	redis-1 | CHANGED | rc=0 >>		[1] 01:02:03 [SUCCESS] redis-1
 *	# <time> <observer> ERROR connection refused
 *	Could not connect to Redis at 10.0.0.11:6379: Connection refused
 */
#ifndef FORMAT_DUMP_ASKED_H
#define FORMAT_DUMP_ASKED_H

#include "model/obs.h"
#include "text/stamp.h"

enum { ASKED_TEXT = 256 };

/* Owns its texts; ep.host points into host, so copy with asked_copy(). */
struct asked {
	int64_t		 at;		/* OBS_NO_TIME: no header said */
	enum at_basis	 at_basis;
	int64_t		 precision_us;
	int64_t		 rtt_us;	/* at most; OBS_NO_NUM: not known */
	int		 alone;		/* the time stood on a line of its own */
	int64_t		 position;	/* line of the header, 0: none */
	struct endpoint	 ep;		/* who was asked */
	char		 host[ASKED_TEXT];
	char		 name[ASKED_TEXT]; /* "" or what the source calls it */
	char		 id[41];	/* "" or as CLUSTER MYID said */
};

enum asked_kind {
	ASKED_NOTHING,		/* the line is something else */
	ASKED_HEADER,		/* a new question begins */
	ASKED_FAILED,		/* one, and this was the end of it: *outcome */
	ASKED_REPLY_ERROR	/* it was answered with an error reply */
};

void	 asked_init(struct asked *);
void	 asked_copy(struct asked *, const struct asked *);
void	 asked_set_ep(struct asked *, const struct endpoint *);
/* The next question was put at next: this one was answered by then.  What says
 * so is a loop of "date; redis-cli ...", whose stamp stands before redis-cli even
 * starts; a program that puts time and address on one line asks at once. */
void	 asked_until(struct asked *, int64_t next);

/* What a clean line says.  A header or failure replaces what *a held, but a
 * header that adds to one just read (fresh) completes it. */
enum asked_kind asked_line(struct asked *a, struct span line, int64_t position,
	    int fresh, struct stamp_clock *, enum contact_outcome *outcome);
/* "YYYY-MM-DDThh:mm:ss.mmmZ" at the beginning: bytes used, else 0. */
size_t	 asked_iso(struct span, int64_t *at);
/* The endpoint or name in what stands before a line (pssh, ansible, compose,
 * redis-cli --cluster call); 0 when there is neither. */
int	 asked_prefix(struct asked *, struct span);
/* A time in a file name; OBS_NO_TIME when it has none. */
int64_t	 asked_name_time(const char *name, struct stamp_clock *, int64_t *precision_us);

#endif
