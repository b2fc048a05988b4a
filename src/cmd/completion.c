/*
 * completion.c - completion for a shell, made from the tables of commands,
 * options, formats and views, so it cannot differ from them.
 */
#include <string.h>

#include "cmd/cmd.h"
#include "format/format.h"
#include "store/script.h"

static void
put_commands(void)
{
	int	 i;

	for (i = 0; commands[i] != NULL; i++)
		printf("%s%s", i > 0 ? " " : "", commands[i]->name);
}

static void
put_options(int takes)
{
	const char	*name, *value;
	int		 i, group, n = 0;

	for (i = 0; option_at(i, &name, &value, &group) == 0; i++) {
		if (group & takes)
			printf("%s--%s", n++ > 0 ? " " : "", name);
	}
}

/* The words that an operand may be, where there is a list of them. */
static const struct words {
	const char	*command;
	int		 place;		/* 1: the first operand */
	const char	*words;		/* NULL: the documented questions */
} operands[] = {
	{ "explain", 2, "error window" },
	{ "query", 2, NULL },
	{ "completion", 1, "bash zsh" },
};

static void
put_operands(const struct words *w)
{
	const struct sql_file	*f;

	if (w->words != NULL) {
		fputs(w->words, stdout);
		return;
	}
	for (f = sql_files; f->name != NULL; f++)
		if (strncmp(f->name, "sql/queries/", 12) == 0)
			printf("%.*s ", (int)strlen(f->name) - 16, f->name + 12);
}

/* The values that an option may have, where there is a list of them. */
static void
put_values(const char *option)
{
	int	 i;

	if (strcmp(option, "format") == 0)
		for (i = 0; outputs[i] != NULL; i++)
			printf("%s ", outputs[i]->name);
	else if (strcmp(option, "view") == 0)
		for (i = 0; report_views[i].name != NULL; i++)
			printf("%s ", report_views[i].name);
	else if (strcmp(option, "as") == 0)
		for (i = 0; formats[i] != NULL; i++)
			printf("%s ", formats[i]->name);
	else if (strcmp(option, "verdict") == 0)
		printf("genuine spurious corruption undetermined");
}

static void
put_bash(void)
{
	static const char *const	 listed[] = { "format", "view", "as", "verdict" };
	size_t				 n;
	int				 i;

	puts("# slotrace(1) completion for bash\n_slotrace()\n{\n"
	    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=\n"
	    "\tCOMPREPLY=()\n\tcase $prev in");
	for (n = 0; n < sizeof listed / sizeof *listed; n++) {
		printf("\t--%s%s) words='", listed[n], n == 0 ? "|-f" : "");
		put_values(listed[n]);
		puts("' ;;");
	}
	puts("\tesac\n\tif [[ -z $words && $COMP_CWORD -eq 1 ]]; then");
	printf("\t\twords='");
	put_commands();
	puts(" --help --version'\n\telif [[ -z $words && $cur == -* ]]; then\n"
	    "\t\tcase ${COMP_WORDS[1]} in");
	for (i = 0; commands[i] != NULL; i++) {
		printf("\t\t%s) words='", commands[i]->name);
		put_options(commands[i]->takes);
		puts("' ;;");
	}
	puts("\t\tesac\n\telif [[ -z $words ]]; then\n\t\tcase ${COMP_WORDS[1]}:$COMP_CWORD in");
	for (n = 0; n < sizeof operands / sizeof *operands; n++) {
		printf("\t\t%s:%d) words='", operands[n].command, operands[n].place + 1);
		put_operands(&operands[n]);
		puts("' ;;");
	}
	puts("\t\tesac\n\tfi\n\tif [[ -n $words ]]; then\n"
	    "\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n\tfi\n}\n"
	    "complete -o default -F _slotrace slotrace");
}

/* Inside '...' of a shell. */
static void
put_quoted(const char *s)
{
	for (; *s != '\0'; s++)
		if (*s == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*s);
}

static void
put_zsh_option(int i)
{
	const char	*name, *value, *summary;
	int		 group;
	char		 letter;

	option_at(i, &name, &value, &group);
	summary = option_summary(i, &letter);
	if (letter != '\0')
		printf("'(-%c --%s)'{-%c,--%s%s}'", letter, name, letter, name,
		    value != NULL ? "=" : "");
	else
		printf("'--%s%s", name, value != NULL ? "=" : "");
	putchar('[');
	put_quoted(summary);
	putchar(']');
	if (value != NULL) {
		printf(":%s:", name);
		if (strcmp(value, "FILE") == 0) {
			fputs("_files", stdout);
		} else {
			putchar('(');
			put_values(name);
			putchar(')');
		}
	}
	fputs("' ", stdout);
}

static void
put_zsh(void)
{
	const char	*name, *value;
	int		 i, j, group;
	size_t		 n;

	puts("#compdef slotrace\n_slotrace()\n{\n\tlocal -a cmds\n\tcmds=(");
	for (i = 0; commands[i] != NULL; i++) {
		printf("\t\t'%s:", commands[i]->name);
		put_quoted(commands[i]->summary);
		puts("'");
	}
	puts("\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe command cmds\n\t\treturn\n\tfi\n"
	    "\tlocal cmd=$words[2]\n\tshift words\n\t(( CURRENT-- ))\n\tcase $cmd in");
	for (i = 0; commands[i] != NULL; i++) {
		printf("\t%s) _arguments -s ", commands[i]->name);
		for (j = 0; option_at(j, &name, &value, &group) == 0; j++)
			if (group & commands[i]->takes)
				put_zsh_option(j);
		for (n = 0; n < sizeof operands / sizeof *operands; n++) {
			if (strcmp(operands[n].command, commands[i]->name) != 0)
				continue;
			printf("'%d:word:(", operands[n].place);
			put_operands(&operands[n]);
			fputs(")' ", stdout);
		}
		puts("'*:file:_files' ;;");
	}
	puts("\tesac\n}\n_slotrace \"$@\"");
}

static int
run(struct args *a, struct err *e)
{
	if (strcmp(a->rest[0], "bash") == 0)
		put_bash();
	else if (strcmp(a->rest[0], "zsh") == 0)
		put_zsh();
	else
		return (err_usage(e, "bash or zsh, not %s", a->rest[0]));
	return (DONE);
}

const struct command cmd_completion = {
	"completion", "bash|zsh", "print completion for a shell", 1, 1, 0, run
};
