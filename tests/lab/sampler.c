/*
 * sampler.c - what an operator's cron job would keep: CLUSTER NODES of every
 * node over its client port, a header line before each answer.
 */
#include <stdio.h>
#include <string.h>

#include "lab.h"

static const char	*address[MAX_NODES];
static FILE		*out[MAX_NODES];

static void
sample(void *ctx, const struct polled *p)
{
	char	 text[32];
	size_t	 n;

	(void)ctx;
	fprintf(out[p->node], "# %s %s", utc(p->asked, text), address[p->node]);
	if (p->text == NULL) {
		fprintf(out[p->node], " ERROR %s\n", p->error);
		return;
	}
	n = strlen(p->text);
	while (n > 0 && (p->text[n - 1] == '\n' || p->text[n - 1] == '\r'))
		n--;
	fprintf(out[p->node], "\n%.*s\n", (int)n, p->text);
}

int
sampler_main(int argc, char **argv)
{
	char	 path[512];
	int	 n = argc - 2;

	if (n < 1 || n > MAX_NODES)
		die("sampler FOLDER NAME=ADDRESS...");
	for (int i = 0; i < n; i++) {
		char *equals = strchr(argv[i + 2], '=');

		if (equals == NULL)
			die("%s: not NAME=ADDRESS", argv[i + 2]);
		*equals = '\0';
		address[i] = equals + 1;
		snprintf(path, sizeof path, "%s/%s.txt", argv[1], argv[i + 2]);
		if ((out[i] = fopen(path, "w")) == NULL)
			die("%s: cannot write", path);
	}
	until_stopped();
	poll_nodes(address, n, 50, 40, sample, NULL);
	for (int i = 0; i < n; i++)
		fclose(out[i]);
	return (0);
}
