/* slot.c - the slot of each key, for labels. */
#include <stdio.h>
#include <string.h>

#include "lab.h"

int
slot_main(int argc, char **argv)
{
	char	 key[1024];

	(void)argc;
	(void)argv;
	while (fgets(key, sizeof key, stdin) != NULL) {
		key[strcspn(key, "\n")] = '\0';
		printf("%d\n", key_slot(key));
	}
	return (0);
}
