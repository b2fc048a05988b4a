/*
 * cmd.h - the commands: one const struct and one file each, and the options
 * that they share.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stdio.h>

#include "base/err.h"
#include "cmd/progress.h"
#include "report/output.h"
#include "store/ingest.h"
#include "store/store.h"

enum { DONE = 0, FAILED = 1, USAGE = 2, DAMAGED = 3 };

/* Groups of options; a command takes some of them. */
enum { TAKES_INGEST = 1, TAKES_REPORT = 2, TAKES_SUMMARY = 4,
	TAKES_INCIDENT = 8, TAKES_TERMINAL = 16, TAKES_ANALYSIS = 32 };

enum { SETS_MOST = 64 };

struct args {
	struct ingest_opts	 ingest;
	struct report_opts	 report;
	const char		*incident;	/* NULL: not given */
	const char		*format;	/* -f; NULL */
	const char		*out;		/* -o; NULL: standard output */
	const char		*rules;		/* --rules FILE; NULL */
	const char		*set[SETS_MOST]; /* --set NAME=VALUE */
	int			 nset;
	int			 batch;		/* one incident per entry of a folder */
	int			 summary_json;
	int			 quiet, verbose;
	struct progress		 progress;
	int			 no_clock;	/* --no-clock-correction */
	int			 colour;	/* --color: 1 always, -1 never, 0 on a terminal */
	char			**rest;		/* what is no option */
	int			 nrest;
};

struct command {
	const char	*name, *operands, *summary;
	int		 least, most;	/* operands; most -1: any number */
	int		 takes;		/* groups of options */
	/* An exit status, or -1 with err. */
	int		(*run)(struct args *, struct err *);
};

extern const struct command cmd_analyze, cmd_check, cmd_clock,
    cmd_completion, cmd_explain,
    cmd_forget, cmd_ingest, cmd_inspect, cmd_investigate, cmd_merge, cmd_query,
    cmd_report, cmd_rules, cmd_set, cmd_timeline, cmd_whois;

/* All commands in the order of the help, ended by NULL. */
extern const struct command *const commands[];
const struct command *command_find(const char *name);	/* NULL: none */

/* Options of a command from argv[0] on; -1 with err if they are wrong. */
int	 args_parse(const struct command *, int argc, char **argv, struct args *,
	    struct err *);
/* The option of a place in the table, 0 first; -1: none there. */
int	 option_at(int, const char **name, const char **value, int *groups);
/* What such an option is for; letter: its short form, or 0. */
const char *option_summary(int, char *letter);
void	 usage_print(FILE *);
void	 usage_command(FILE *, const struct command *);

/* Shared steps of ingest, investigate and report.  -1 with err.  What -v says
 * of each source goes to the stream. */
int	 do_ingest(struct store *, struct args *, struct ingest_result *,
	    FILE *, struct err *);
/* Width and colour of standard output, where no option says them. */
void	 terminal_opts(struct args *);
int	 do_report(struct store *, struct args *, struct err *);
/* -1 with err (usage) when -o names an input or a source of the timeline. */
int	 spare_evidence(struct store *, const struct args *, struct err *);
/* The analysis, and --no-clock-correction before it. */
int	 do_analyze(struct store *, const struct args *, struct err *);
/* NAME=VALUE each; all of them or, with -1 and err, none. */
int	 do_sets(struct store *, const char *incident, const char *const *text, int n,
	    struct err *);
/* The incident unless one is given: the only one that the timeline has, else the
 * name of its file without .db. */
const char *default_incident(struct store *, const char *path);
/* Exit status of an ingest; says on standard error what was not read. */
int	 ingest_status(const struct ingest_result *, struct err *);

#endif
