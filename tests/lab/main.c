/* lab_helper - the programs of the lab in one binary. */
#include <stdio.h>
#include <string.h>

#include "lab.h"

static const struct {
	const char	*name, *usage;
	int		(*run)(int, char **);
} programs[] = {
	{"client", "[options] ADDRESS...: the reference client", client_main},
	{"sampler", "FOLDER NAME=ADDRESS...: CLUSTER NODES every 50 ms", sampler_main},
	{"truth", "FOLDER NAME=SOCKET...: every node's own state every 5 ms", truth_main},
	{"storm", "ADDRESS CLIENTS SECONDS: clients that reload the slot map at once", storm_main},
	{"capture", "INTERFACE FILE: its frames as pcap", capture_main},
	{"slot", "< KEYS: the slot of each line's key", slot_main},
	{"say", "SOCKET COMMAND...: one command a word list, replies printed", say_main},
};

int
main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof programs / sizeof *programs; i++)
		if (strcmp(argv[1], programs[i].name) == 0)
			return (programs[i].run(argc - 1, argv + 1));
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		fprintf(stderr, "lab_helper %s %s\n", programs[i].name, programs[i].usage);
	return (2);
}
