/* link.c - one connection to one node: connect, ask, read one reply. */
#include <sys/socket.h>
#include <sys/un.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab.h"

static int
dial_path(const char *path)
{
	struct sockaddr_un	 un = {.sun_family = AF_UNIX};
	int			 fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || strlen(path) >= sizeof un.sun_path)
		die("%s: cannot open", path);
	strcpy(un.sun_path, path);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	if (connect(fd, (struct sockaddr *)&un, sizeof un) == 0)
		return (fd);
	close(fd);
	return (-1);
}

int
dial(const char *where)
{
	struct sockaddr_in	 in = {.sin_family = AF_INET};
	const char		*colon = strrchr(where, ':');
	char			 host[64];
	int			 fd, one = 1, saved;

	if (*where == '/')
		return (dial_path(where));
	errno = EHOSTUNREACH;		/* ":0": a node whose address the cluster lost */
	if (colon == NULL || (size_t)(colon - where) >= sizeof host)
		return (-1);
	memcpy(host, where, (size_t)(colon - where));
	host[colon - where] = '\0';
	in.sin_port = htons((uint16_t)atoi(colon + 1));
	if (inet_pton(AF_INET, host, &in.sin_addr) != 1)
		return (-1);
	if ((fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) < 0)
		return (-1);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	if (connect(fd, (struct sockaddr *)&in, sizeof in) == 0 || errno == EINPROGRESS)
		return (fd);
	saved = errno;
	close(fd);
	errno = saved;
	return (-1);
}

/* Waits until fd is ready for events or until is reached. */
static int
ready(int fd, short events, int64_t until)
{
	struct pollfd	 p = {.fd = fd, .events = events};
	int64_t		 left = until - now_us();
	int		 r = poll(&p, 1, left > 0 ? (int)((left + 999) / 1000) : 0);

	if (r == 0)
		errno = ETIMEDOUT;
	return (r > 0 ? 0 : -1);
}

void
link_close(struct link *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}

int
link_open(struct link *l, const char *where, int timeout_ms)
{
	int		 error = 0;
	socklen_t	 n = sizeof error;

	if ((l->fd = dial(where)) < 0)
		return (-1);
	if (ready(l->fd, POLLOUT, now_us() + timeout_ms * 1000LL) == 0 &&
	    getsockopt(l->fd, SOL_SOCKET, SO_ERROR, &error, &n) == 0 && error == 0)
		return (0);
	if (error == 0)
		error = errno;
	link_close(l);
	errno = error;
	return (-1);
}

size_t
encode(const char *command, char *out, size_t cap)
{
	char	*copy = strdup(command), *rest = copy, *word;
	char	 words[4096];
	size_t	 n = 0, count = 0;

	if (copy == NULL || strlen(command) * 2 + 64 > sizeof words)
		die("command too long");
	while ((word = strsep(&rest, " ")) != NULL)
		if (*word != '\0') {
			n += (size_t)snprintf(words + n, sizeof words - n, "$%zu\r\n%s\r\n",
			    strlen(word), word);
			count++;
		}
	free(copy);
	n = (size_t)snprintf(out, cap, "*%zu\r\n%.*s", count, (int)n, words);
	if (n >= cap)
		die("command too long");
	return (n);
}

size_t
reply_bytes(const char *p, size_t n)
{
	const char	*end = n < 3 ? NULL : memchr(p, '\n', n);
	size_t		 at, part;
	long		 count;

	if (end == NULL)
		return (0);
	at = (size_t)(end - p) + 1;
	count = strtol(p + 1, NULL, 10);
	if (*p == '$' && count >= 0)
		return (n >= at + (size_t)count + 2 ? at + (size_t)count + 2 : 0);
	if (*p != '*')
		return (at);
	for (; count > 0; count--, at += part)
		if ((part = reply_bytes(p + at, n - at)) == 0)
			return (0);
	return (at);
}

int
link_ask(struct link *l, const char *command, int timeout_ms)
{
	int64_t	 until = now_us() + timeout_ms * 1000LL;
	char	 out[4200];
	size_t	 n = encode(command, out, sizeof out);
	ssize_t	 r;

	l->n = 0;
	if (send(l->fd, out, n, MSG_NOSIGNAL) != (ssize_t)n)
		return (-1);
	for (;;) {
		if (ready(l->fd, POLLIN, until) < 0)
			return (-1);
		r = recv(l->fd, l->reply + l->n, sizeof l->reply - 1 - l->n, 0);
		if (r == 0)
			errno = EPIPE;
		if (r <= 0)
			return (-1);
		l->n += (size_t)r;
		l->reply[l->n] = '\0';
		if (reply_bytes(l->reply, l->n) > 0)
			return (0);
	}
}
