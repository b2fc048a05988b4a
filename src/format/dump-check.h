/*
 * dump-check.h - two line-wise outputs beside CLUSTER NODES.
 *
 *	cluster_state:ok		CLUSTER INFO
 *	cluster_current_epoch:7
 *
 *	M: <id> 10.0.0.1:6379		redis-cli --cluster check
 *	   slots:[0-5460],[7000] (5462 slots) master
 *	S: <id> 10.0.0.4:6379
 *	   replicates <id>
 *
 * --cluster check asks every node for its own line, so it states no epochs
 * and no one observer's view; it is kept as the view of the node asked first.
 */
#ifndef FORMAT_DUMP_CHECK_H
#define FORMAT_DUMP_CHECK_H

#include "model/topology.h"

struct cluster_info {
	int64_t		 first, last;	/* lines; first 0: none seen */
	int		 state;		/* 1 ok, 0 fail, -1 not stated */
	int64_t		 current_epoch;	/* OBS_NO_NUM */
};

void	 cluster_info_reset(struct cluster_info *);
/* 1 when the line is one of CLUSTER INFO. */
int	 cluster_info_line(struct cluster_info *, struct span, int64_t position);

struct check {
	struct topology	 topology;
	struct buf	 text;		/* what the topology's spans borrow from */
	int64_t		 first, last;
	int		 node;		/* the one being described, -1 */
};

void	 check_reset(struct check *);
int	 check_line(struct check *, struct span, int64_t position);
void	 check_free(struct check *);

#endif
