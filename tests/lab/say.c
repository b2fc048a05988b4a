/* say.c - commands to one node over its socket, one connection, no fork each. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lab.h"

int
say_main(int argc, char **argv)
{
	static struct link	 l;

	if (argc < 3)
		die("say SOCKET COMMAND...");
	if (link_open(&l, argv[1], 1000) < 0)
		die("%s: %s", argv[1], strerror(errno));
	for (int i = 2; i < argc; i++) {
		if (link_ask(&l, argv[i], 2000) < 0)
			die("%s: %s: %s", argv[1], argv[i], strerror(errno));
		fputs(l.reply, stdout);
		if (*l.reply == '-')
			return (1);
	}
	link_close(&l);
	return (0);
}
