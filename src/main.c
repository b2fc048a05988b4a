/* main.c - finds the command, prints the error, gives the exit status. */
#include <stdlib.h>
#include <string.h>


#include "base/fast.h"
#include "cmd/cmd.h"
#include "config.h"

static int
finish(int status, const struct err *e)
{
	if (status < 0 || e->nframes > 0)
		err_print(e, stderr, "slotrace");
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "slotrace: standard output: write error\n");
		return (FAILED);
	}
	return (status >= 0 ? status : e->usage ? USAGE : FAILED);
}

static int
wants_help(int argc, char **argv)
{
	int	 i;

	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return (1);
	return (0);
}

int
main(int argc, char **argv)
{
	const struct command	*c;
	struct args		 a;
	struct err		 e = ERR_INIT;
	int			 status;

	fast_paths = getenv("SLOTRACE_GENERAL") == NULL;
	if (argc < 2 || strcmp(argv[1], "--help") == 0 ||
	    strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
		if (argc == 3 && (c = command_find(argv[2])) != NULL)
			usage_command(stdout, c);
		else
			usage_print(argc < 2 ? stderr : stdout);
		return (finish(argc < 2 ? USAGE : DONE, &e));
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("%s (schema %d)\nbuilt with %s\n", PACKAGE_STRING,
		    STORE_SCHEMA, BUILT_WITH);
		return (finish(DONE, &e));
	}
	if ((c = command_find(argv[1])) == NULL) {
		err_set(&e, "%s: no such command (see slotrace --help)",
		    argv[1]);
		return (finish(USAGE, &e));
	}
	if (wants_help(argc - 1, argv + 1)) {
		usage_command(stdout, c);
		return (finish(DONE, &e));
	}
	if (args_parse(c, argc - 1, argv + 1, &a, &e) != 0) {
		err_add(&e, "%s", c->name);
		return (finish(USAGE, &e));
	}
	status = c->run(&a, &e);
	if (status < 0)
		err_add(&e, "%s", c->name);
	return (finish(status, &e));
}
