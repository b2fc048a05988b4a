#include <ctype.h>
#include <string.h>

#include "cmd/cmd.h"
#include "store/edit.h"

static int
do_set(struct store *s, const char *incident, const char *text, struct err *e)
{
	size_t	 n = strcspn(text, "="), i;
	char	 name[100];

	if (n == 0 || text[n] == '\0' || text[n + 1] == '\0' ||
	    n >= sizeof name)
		return (err_usage(e, "%s: not NAME=VALUE", text));
	for (i = 0; i < n; i++) {
		if (!isalnum((unsigned char)text[i]) &&
		    strchr("-_.", text[i]) == NULL)
			return (err_usage(e, "%s: not NAME=VALUE", text));
		name[i] = (char)tolower((unsigned char)text[i]);
	}
	name[n] = '\0';
	return (edit_set(s, incident, name, text + n + 1, e));
}

int
do_sets(struct store *s, const char *incident, const char *const *text, int n,
    struct err *e)
{
	int	 i, r = edit_begin(s, e);

	if (r != 0)
		return (-1);
	for (i = 0; i < n && r == 0; i++)
		r = do_set(s, incident, text[i], e);
	return (edit_end(s, r, e));
}

static int
run(struct args *a, struct err *e)
{
	struct store	*s = store_open(a->rest[0], STORE_CREATE, e);
	const char	*incident;
	int		 r;

	if (s == NULL)
		return (-1);
	incident = a->incident != NULL ? a->incident :
	    default_incident(s, a->rest[0]);
	r = do_sets(s, incident, (const char *const *)(a->rest + 1), a->nrest - 1, e);
	if (r != 0)
		store_discard(s);
	else
		store_close(s);
	return (r);
}

const struct command cmd_set = {
	"set", "DB NAME=VALUE...", "declare a setting, or change a limit of the"
	    " analysis", 2, -1, TAKES_INCIDENT, run
};
