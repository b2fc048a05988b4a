/*
 * view.c - one CLUSTER NODES answer.
 *
 *	<id> <ip:port@bus[,host]> <flags> <master> <ping> <pong> <epoch> <link> <slot>...
 *
 * The bracketed entries (slots under way) change no owner and are left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

static void
read_slots(struct view *v, int line, char *rest)
{
	char	*word;
	long	 from, to;

	while ((word = strsep(&rest, " ")) != NULL) {
		if (*word == '[' || *word == '\0')
			continue;
		from = to = strtol(word, &word, 10);
		if (*word == '-')
			to = strtol(word + 1, NULL, 10);
		for (long s = from; s >= 0 && s <= to && s < SLOTS; s++)
			v->owner[s] = (int8_t)line;
	}
}

void
view_read(struct view *v, const char *text)
{
	char	*copy = strdup(text), *rest = copy, *line;

	if (copy == NULL)
		die("out of memory");
	v->up = 1;
	v->lines = 0;
	v->self = -1;
	memset(v->owner, -1, sizeof v->owner);
	while ((line = strsep(&rest, "\n")) != NULL && v->lines < MAX_NODES) {
		struct line_of *l = &v->line[v->lines];
		char		link[16], epoch[24];
		int		at = 0;

		line[strcspn(line, "\r")] = '\0';
		if (sscanf(line, "%40s %63s %95s %40s %*s %*s %23s %15s %n", l->id, l->addr,
		    l->flags, l->master, epoch, link, &at) < 6)
			continue;
		l->epoch = strtoll(epoch, NULL, 10);
		l->addr[strcspn(l->addr, "@")] = '\0';
		if (strstr(l->flags, "myself") != NULL)
			v->self = v->lines;
		read_slots(v, v->lines, line + at);
		v->lines++;
	}
	free(copy);
}
