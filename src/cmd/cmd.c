#include "cmd/cmd.h"

#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "report/scope.h"

const struct command *const commands[] = {
	&cmd_investigate, &cmd_ingest, &cmd_analyze, &cmd_report, &cmd_explain, &cmd_inspect,
	&cmd_timeline, &cmd_whois, &cmd_query, &cmd_set, &cmd_clock,
	&cmd_check, &cmd_rules, &cmd_forget, &cmd_merge, &cmd_completion, NULL
};

/* Every option; its value in struct args is set by args_set(). */
static const struct option_row {
	char		 letter;
	const char	*name, *value, *summary;
	int		 group;
} rows[] = {
	{ 'i', "incident", "NAME", "name of the incident (default: the file's)",
	    TAKES_INGEST | TAKES_REPORT | TAKES_INCIDENT },
	{ 'z', "zone", "ZONE", "of log times that state none: +HH:MM or a name",
	    TAKES_INGEST },
	{ 'y', "year", "YYYY", "year of log times that state none",
	    TAKES_INGEST },
	{ 'O', "observer", "NAME", "who wrote what is read", TAKES_INGEST },
	{ 'S', "set", "NAME=VALUE", "a setting of the cluster", TAKES_INGEST },
	{ 'K', "keep-keys", NULL, "store key names", TAKES_INGEST },
	{ 'R', "rules", "FILE", "further log rules", TAKES_INGEST },
	{ 'A', "as", "KIND", "read everything as this kind", TAKES_INGEST },
	{ 'L', "limit", "NAME=N", "of archives: depth members bytes ratio spool",
	    TAKES_INGEST },
	{ 'B', "batch", NULL, "each entry of a folder is an incident",
	    TAKES_INGEST },
	{ 'f', "format", "FORMAT", "of the report", TAKES_REPORT },
	{ 'o', "output", "FILE", "write there", TAKES_REPORT },
	{ 'F', "since", "TIME", "from then on; start+10m, end-2h too",
	    TAKES_REPORT },
	{ 'T', "until", "TIME", "up to then", TAKES_REPORT },
	{ 's', "slot", "N", "this slot", TAKES_REPORT },
	{ 'c', "client", "TEXT", "clients with this in their name",
	    TAKES_REPORT },
	{ 'n', "node", "TEXT", "nodes with this in address or id",
	    TAKES_REPORT },
	{ 'd', "verdict", "VERDICT", "errors with this verdict", TAKES_REPORT },
	{ 'V', "view", "NAME", "of csv, tsv, json, ndjson: which view",
	    TAKES_REPORT },
	{ 'w', "width", "N", "columns of a text report", TAKES_TERMINAL },
	{ 'C', "color", NULL, "in colour, terminal or not; =never, =auto",
	    TAKES_TERMINAL },
	{ 'J', "summary-json", NULL, "one line of JSON instead of the report",
	    TAKES_SUMMARY },
	{ 'q', "quiet", NULL, "say nothing of each input", TAKES_INGEST },
	{ 'v', "verbose", NULL, "say what each input gave", TAKES_INGEST },
	{ 'N', "no-clock-correction", NULL, "leave all times as found",
	    TAKES_ANALYSIS },
};
enum { NROWS = sizeof rows / sizeof *rows };

/* The letters that are options too. */
static int
is_short(int row)
{
	return (strchr("ifocnsqvw", rows[row].letter) != NULL);
}

const struct command *
command_find(const char *name)
{
	int	 i;

	for (i = 0; commands[i] != NULL; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return (commands[i]);
	return (NULL);
}

static int
number(const char *text, const char *what, int least, int most, int *v,
    struct err *e)
{
	char	*end;
	long	 n = strtol(text, &end, 10);

	if (*text == '\0' || *end != '\0' || n < least || n > most)
		return (err_set(e, "--%s %s: not a number from %d to %d", what,
		    text, least, most));
	*v = (int)n;
	return (0);
}

static int
set_ingest(struct args *a, int letter, const char *v, struct err *e)
{
	switch (letter) {
	case 'z':
		return (ingest_zone(v, &a->ingest.ctx, e));
	case 'y':
		return (number(v, "year", 1970, 9999, &a->ingest.ctx.year, e));
	case 'O':
		a->ingest.ctx.observer = v;
		return (0);
	case 'S':
		if (strchr(v, '=') == NULL || a->nset == SETS_MOST)
			return (err_set(e, "--set %s: not NAME=VALUE, or too"
			    " many", v));
		a->set[a->nset++] = v;
		return (0);
	case 'K':
		a->ingest.ctx.keep_keys = 1;
		return (0);
	case 'R':
		a->rules = v;
		return (0);
	case 'A':
		a->ingest.as = format_find(v);
		return (a->ingest.as != NULL ? 0 : err_set(e, "--as %s: no such"
		    " kind (see slotrace --help)", v));
	case 'L':
		return (walk_limit_set(&a->ingest.limits, v, e));
	case 'B':
		a->batch = 1;
		return (0);
	case 'v':
		a->verbose = 1;
		return (0);
	default:
		a->quiet = 1;
		return (0);
	}
}

static int
set_report(struct args *a, int letter, const char *v, struct err *e)
{
	struct report_opts	*r = &a->report;

	switch (letter) {
	case 'f':
		a->format = v;
		return (output_find(v) != NULL ? 0 : err_set(e, "-f %s: no such"
		    " format (see slotrace --help)", v));
	case 'o': a->out = v; return (0);
	case 'F': r->since = v; return (0);
	case 'T': r->until = v; return (0);
	case 's': r->slot = v; return (0);
	case 'c': r->client = v; return (0);
	case 'n': r->node = v; return (0);
	case 'd': r->verdict = v; return (0);
	case 'V':
		r->view = v;
		return (report_view_find(v) != NULL ? 0 : err_set(e, "--view"
		    " %s: no such view", v));
	default:
		return (number(v, "width", 20, 1000, &r->width, e));
	}
}

/* v NULL: always. */
static int
set_colour(struct args *a, const char *v, struct err *e)
{
	if (v == NULL || strcmp(v, "always") == 0)
		a->colour = 1;
	else if (strcmp(v, "never") == 0)
		a->colour = -1;
	else if (strcmp(v, "auto") == 0)
		a->colour = 0;
	else
		return (err_set(e, "--color=%s: not always, never or auto", v));
	return (0);
}

static int
args_set(struct args *a, int letter, const char *v, struct err *e)
{
	if (letter == 'i') {
		a->incident = v;
		a->report.incident = v;
		return (*v != '\0' ? 0 : err_set(e, "--incident: empty"));
	}
	if (letter == 'J') {
		a->summary_json = 1;
		return (0);
	}
	if (letter == 'N') {
		a->no_clock = 1;
		return (0);
	}
	if (letter == 'C')
		return (set_colour(a, v, e));
	if (strchr("zyOSKRALBqv", letter) != NULL)
		return (set_ingest(a, letter, v, e));
	return (set_report(a, letter, v, e));
}

static int
goes_with(const char *option, int takes, struct err *e)
{
	char	 list[200] = "";
	int	 i;

	for (i = 0; outputs[i] != NULL; i++)
		if (outputs[i]->takes & takes)
			snprintf(list + strlen(list), sizeof list - strlen(list),
			    "%s%s", *list != '\0' ? ", " : "", outputs[i]->name);
	return (err_usage(e, "--%s: goes with these formats only: %s", option,
	    list));
}

/* Options that the format that was chosen has no use for. */
static int
check_format(const struct args *a, struct err *e)
{
	const struct output	*o = output_find(a->format != NULL ? a->format :
				    outputs[0]->name);
	int			 needs;

	if (a->summary_json && (a->format != NULL || a->out != NULL))
		return (err_usage(e, "--summary-json: prints no report, so -f"
		    " and -o say nothing"));
	needs = (a->report.view != NULL ? OUTPUT_VIEW : 0) |
	    (a->report.width != 0 ? OUTPUT_WIDTH : 0) |
	    (a->colour > 0 ? OUTPUT_COLOUR : 0);
	needs &= ~o->takes;
	if (needs & OUTPUT_VIEW)
		return (goes_with("view", OUTPUT_VIEW, e));
	if (needs & OUTPUT_WIDTH)
		return (goes_with("width", OUTPUT_WIDTH, e));
	return (needs == 0 ? 0 : goes_with("color", OUTPUT_COLOUR, e));
}

int
args_parse(const struct command *c, int argc, char **argv, struct args *a,
    struct err *e)
{
	struct option	 longs[NROWS + 1];
	char		 letters[3 * NROWS + 2] = "";
	int		 i, n = 0, letter;

	memset(a, 0, sizeof *a);
	memset(longs, 0, sizeof longs);
	ingest_opts_init(&a->ingest);
	if (c->takes == 0)		/* -1.7s is an operand */
		strcpy(letters, "+");
	for (i = 0; i < NROWS; i++) {
		if ((rows[i].group & c->takes) == 0)
			continue;
		longs[n].name = rows[i].name;
		longs[n].has_arg = rows[i].letter == 'C' ? optional_argument :
		    rows[i].value != NULL ? required_argument : no_argument;
		longs[n++].val = (unsigned char)rows[i].letter;
		if (is_short(i))
			snprintf(letters + strlen(letters), 3, "%c%s",
			    rows[i].letter, rows[i].value != NULL ? ":" : "");
	}
	opterr = 0;
	optind = 1;
	while ((letter = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (letter == '?')
			return (err_set(e, "%s: unknown option, or its value is"
			    " missing", argv[optind - 1]));
		if (args_set(a, letter, optarg, e) != 0)
			return (-1);
	}
	a->rest = argv + optind;
	a->nrest = argc - optind;
	if (a->nrest < c->least || (c->most >= 0 && a->nrest > c->most))
		return (err_set(e, "usage: slotrace %s %s", c->name,
		    c->operands));
	if (c->takes & TAKES_REPORT && (check_format(a, e) != 0 ||
	    scope_check(&a->report, e) != 0))
		return (-1);
	return (0);
}

int
option_at(int i, const char **name, const char **value, int *groups)
{
	if (i < 0 || i >= NROWS)
		return (-1);
	*name = rows[i].name;
	*value = rows[i].value;
	*groups = rows[i].group;
	return (0);
}

const char *
option_summary(int i, char *letter)
{
	*letter = (char)(is_short(i) ? rows[i].letter : '\0');
	return (rows[i].summary);
}

static void
print_options(FILE *f, int takes)
{
	char	 left[64];
	int	 i;

	for (i = 0; i < NROWS; i++) {
		if ((rows[i].group & takes) == 0)
			continue;
		snprintf(left, sizeof left, "%c%c%c --%s%s%s",
		    is_short(i) ? '-' : ' ', is_short(i) ? rows[i].letter : ' ',
		    is_short(i) ? ',' : ' ',
		    rows[i].name, rows[i].value != NULL ? " " : "",
		    rows[i].value != NULL ? rows[i].value : "");
		fprintf(f, "  %-26s %s\n", left, rows[i].summary);
	}
}

void
usage_command(FILE *f, const struct command *c)
{
	fprintf(f, "usage: slotrace %s %s%s\n  %s\n", c->name,
	    c->takes != 0 ? "[options] " : "", c->operands, c->summary);
	print_options(f, c->takes);
}

void
usage_print(FILE *f)
{
	int	 i;

	fprintf(f, "usage: slotrace COMMAND [options] ...\n\n"
	    "Reads logs, topology dumps and captures of a Redis Cluster"
	    " incident into one\nSQLite timeline and judges every failover"
	    " error in it.  Start with:\n\n"
	    "  slotrace investigate incident.db FOLDER\n\ncommands:\n");
	for (i = 0; commands[i] != NULL; i++)
		fprintf(f, "  %-12s %s\n", commands[i]->name,
		    commands[i]->summary);
	fprintf(f, "\nkinds of input:");
	for (i = 0; formats[i] != NULL; i++)
		fprintf(f, " %s", formats[i]->name);
	fprintf(f, "\nformats of a report:");
	for (i = 0; outputs[i] != NULL; i++)
		fprintf(f, " %s", outputs[i]->name);
	fprintf(f, "\n\noptions (slotrace COMMAND -h: which it takes):\n");
	print_options(f, TAKES_INGEST | TAKES_REPORT | TAKES_SUMMARY |
	    TAKES_TERMINAL | TAKES_ANALYSIS);
	fprintf(f, "\nexit status: 0 done, 1 failed, 2 usage, 3 done but some"
	    " input was damaged\n");
}
