#include "format/format.h"

#include <stdio.h>
#include <string.h>

#include "text/clean.h"

const struct format *const formats[] = {
	&format_capture,
	&format_topology_dump,
	&format_server_log,
	&format_config,
	&format_client_log,
	NULL
};

/* What slotrace itself wrote is no evidence, though it quotes some. */
static const char *
own_output(struct span p)
{
	static const struct {
		const char	*words;
		size_t		 n, within;
		const char	*what;
	} own[] = {
		{ "SQLite format 3", 16, 16, "a database, which is a timeline or none, and no evidence" },
		{ "<title>slotrace report</title>", 30, 1024, "a report of slotrace, no evidence" },
		{ "\"format\": \"slotrace-report\"", 27, 64, "a report of slotrace, no evidence" },
	};
	size_t	 i;

	for (i = 0; i < sizeof own / sizeof own[0]; i++)
		if (memmem(p.p, p.n < own[i].within ? p.n : own[i].within, own[i].words,
		    own[i].n) != NULL)
			return (own[i].what);
	return (NULL);
}

static const struct format *
choose(struct span prefix, const char *name, const struct format **rival,
    char *why, size_t n)
{
	const struct format	*best = NULL;
	char			 text[160];
	int			 i, bits, most = 0;

	*rival = NULL;
	if (n > 0)
		why[0] = '\0';
	if (own_output(prefix) != NULL) {
		snprintf(why, n, "%s", own_output(prefix));
		return (NULL);
	}
	for (i = 0; formats[i] != NULL; i++) {
		text[0] = '\0';
		bits = formats[i]->bid(prefix, name, text, sizeof text);
		if (bits <= 0 || bits < most)
			continue;
		if (bits == most) {
			*rival = formats[i];
			continue;
		}
		most = bits;
		best = formats[i];
		*rival = NULL;
		snprintf(why, n, "%s", text);
		if (bits >= FORMAT_SURE)
			break;
	}
	if (best == NULL)
		snprintf(why, n, "none of the formats that are read");
	return (best);
}

/* Text is bid for as UTF-8. */
const struct format *
format_choose(struct span prefix, const char *name,
    const struct format **rival, char *why, size_t n)
{
	struct buf		 recoded = { NULL, 0, 0 };
	const struct format	*f = choose(clean_prefix(prefix, &recoded), name,
				    rival, why, n);

	buf_free(&recoded);
	return (f);
}

const struct format *
format_find(const char *name)
{
	int	 i;

	for (i = 0; formats[i] != NULL; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return (formats[i]);
	return (NULL);
}
