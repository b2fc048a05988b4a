/*
 * poll.c - asks many nodes at a steady pace, none held up by another.
 *
 * A node has at most one question open.  One that does not answer in time is
 * reported once a pace, and its connection is given up: a stopped process
 * would answer all that was queued when it resumes.
 */
#include <sys/socket.h>

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab.h"

struct asked {
	int	 fd;			/* -1: not connected */
	int	 sent;			/* the question went out */
	int64_t	 next, at;		/* when to ask next; when asked */
	size_t	 n;
	char	 in[REPLY_BYTES];
};

static void
give_up(struct asked *a, int node, const char *error, polled_fn *fn, void *ctx)
{
	struct polled	 p = {.node = node, .asked = a->at, .answered = now_us(), .error = error};

	if (a->fd >= 0)
		close(a->fd);
	a->fd = -1;
	a->at = 0;
	fn(ctx, &p);
}

static void
answer(struct asked *a, int node, polled_fn *fn, void *ctx)
{
	struct polled	 p = {.node = node, .asked = a->at, .answered = now_us()};
	char		*text = strchr(a->in, '\n');

	a->in[a->n] = '\0';
	a->at = 0;
	if (a->in[0] == '$' && text != NULL)
		p.text = text + 1;
	else
		p.error = "an error reply";
	fn(ctx, &p);
}

static const char *
spoken(int error)
{
	return (error == ECONNREFUSED || error == ENOENT ? "connection refused" :
	    error == ETIMEDOUT ? "timeout" : error == EHOSTUNREACH ? "no route to host" :
	    "connection reset");
}

/* Sends what is to be sent, reads what came. */
static void
serve(struct asked *a, short events, int node, polled_fn *fn, void *ctx)
{
	static const char	 q[] = "*2\r\n$7\r\nCLUSTER\r\n$5\r\nNODES\r\n";
	int			 error = 0;
	socklen_t		 size = sizeof error;
	ssize_t			 r;

	if (!a->sent && events != 0) {
		getsockopt(a->fd, SOL_SOCKET, SO_ERROR, &error, &size);
		if (error == 0 && send(a->fd, q, sizeof q - 1, MSG_NOSIGNAL) < 0)
			error = errno;
		if (error != 0) {
			give_up(a, node, spoken(error), fn, ctx);
			return;
		}
		a->sent = 1;
		return;
	}
	if ((events & (POLLIN | POLLHUP | POLLERR)) == 0)
		return;
	r = recv(a->fd, a->in + a->n, sizeof a->in - 1 - a->n, 0);
	if (r < 0 && errno == EAGAIN)
		return;
	if (r <= 0) {
		give_up(a, node, "connection reset", fn, ctx);
		return;
	}
	a->n += (size_t)r;
	a->in[a->n] = '\0';
	if (reply_bytes(a->in, a->n) > 0)
		answer(a, node, fn, ctx);
}

static void
ask(struct asked *a, const char *where, int every_ms, int node, polled_fn *fn, void *ctx)
{
	int64_t	 t = now_us();

	a->next += every_ms * 1000LL;
	if (a->next <= t)
		a->next = t + every_ms * 1000LL;
	a->at = t;
	a->n = 0;
	a->sent = 0;
	if (a->fd < 0 && (a->fd = dial(where)) < 0)
		give_up(a, node, spoken(errno), fn, ctx);
}

void
poll_nodes(const char *const *where, int n, int every_ms, int timeout_ms, polled_fn *fn, void *ctx)
{
	static struct asked	 all[MAX_NODES];
	struct pollfd		 fds[MAX_NODES];
	int64_t			 t;

	for (int i = 0; i < n; i++) {
		all[i].fd = -1;
		all[i].next = now_us() + (int64_t)every_ms * 1000 * i / n;
	}
	while (!stopped) {
		for (int i = 0; i < n; i++) {
			struct asked *a = &all[i];

			t = now_us();
			if (a->at != 0 && t - a->at > timeout_ms * 1000LL)
				give_up(a, i, "timeout", fn, ctx);
			if (a->at == 0 && t >= a->next)
				ask(a, where[i], every_ms, i, fn, ctx);
			fds[i].fd = a->at != 0 ? a->fd : -1;
			fds[i].events = a->sent ? POLLIN : POLLOUT;
			fds[i].revents = 0;
		}
		if (poll(fds, (nfds_t)n, 1) > 0)
			for (int i = 0; i < n; i++)
				if (fds[i].revents != 0)
					serve(&all[i], fds[i].revents, i, fn, ctx);
	}
}
