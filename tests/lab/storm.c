/*
 * storm.c - clients that all lost their connection and come back at once:
 * each opens a connection, loads the slot map, and reconnects.
 */
#include <sys/socket.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab.h"

struct one {
	int	 fd, sent;
	size_t	 n;
	char	 in[REPLY_BYTES];
};

static void
again(struct one *o, const char *where)
{
	if (o->fd >= 0)
		close(o->fd);
	o->fd = dial(where);
	o->sent = 0;
	o->n = 0;
}

/* 1: this client has its slot map. */
static int
turn(struct one *o, const char *where)
{
	static const char	 q[] = "*2\r\n$7\r\nCLUSTER\r\n$5\r\nSLOTS\r\n";
	ssize_t			 r;

	if (!o->sent) {
		o->sent = send(o->fd, q, sizeof q - 1, MSG_NOSIGNAL) > 0;
		if (!o->sent)
			again(o, where);
		return (0);
	}
	r = recv(o->fd, o->in + o->n, sizeof o->in - o->n, 0);
	if (r <= 0) {
		again(o, where);
		return (0);
	}
	o->n += (size_t)r;
	return (reply_bytes(o->in, o->n) > 0);
}

int
storm_main(int argc, char **argv)
{
	int		 n = argc > 2 ? atoi(argv[2]) : 0;
	int64_t		 end, loaded = 0;
	struct one	*all;
	struct pollfd	*fds;
	char		 text[32];

	if (argc != 4 || n < 1 || n > 1000)
		die("storm ADDRESS CLIENTS SECONDS");
	until_stopped();
	all = calloc((size_t)n, sizeof *all);
	fds = calloc((size_t)n, sizeof *fds);
	if (all == NULL || fds == NULL)
		die("out of memory");
	end = now_us() + (int64_t)(atof(argv[3]) * 1e6);
	printf("%s INFO storm %d clients connect to %s\n", utc(now_us(), text), n, argv[1]);
	for (int i = 0; i < n; i++) {
		all[i].fd = -1;
		again(&all[i], argv[1]);
	}
	while (now_us() < end && !stopped) {
		for (int i = 0; i < n; i++) {
			if (all[i].fd < 0)
				again(&all[i], argv[1]);
			fds[i] = (struct pollfd){all[i].fd, all[i].sent ? POLLIN : POLLOUT, 0};
		}
		if (poll(fds, (nfds_t)n, 10) <= 0)
			continue;
		for (int i = 0; i < n; i++)
			if (fds[i].revents != 0 && turn(&all[i], argv[1])) {
				loaded++;
				again(&all[i], argv[1]);
			}
	}
	printf("%s INFO storm slot map loaded %lld times\n", utc(now_us(), text),
	    (long long)loaded);
	return (0);
}
