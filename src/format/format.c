#include "format/format.h"

#include <stdio.h>

const struct format *const formats[] = {
	&format_capture,
	&format_topology_dump,
	&format_server_log,
	&format_config,
	&format_client_log,
	NULL
};

const struct format *
format_choose(struct span prefix, const char *name,
    const struct format **rival, char *why, size_t n)
{
	const struct format	*best = NULL;
	char			 text[160];
	int			 i, bits, most = 0;

	*rival = NULL;
	if (n > 0)
		why[0] = '\0';
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
	}
	return (best);
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
