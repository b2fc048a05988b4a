/*
 * command.h - what a command is: its name, where its key stands, and what it
 * does to the conversation.
 */
#ifndef WIRE_COMMAND_H
#define WIRE_COMMAND_H

#include <stdint.h>

#include "base/span.h"

enum { COMMAND_WRITE = 1, COMMAND_BLOCKS = 2 };

/* Commands that change how a connection is read, or are evidence themselves. */
enum command_role {
	CMD_PLAIN, CMD_ASKING, CMD_READONLY, CMD_READWRITE, CMD_MULTI, CMD_EXEC,
	CMD_DISCARD, CMD_REPLY, CMD_SUBSCRIBE, CMD_MONITOR, CMD_REPLICA, CMD_RESET,
	CMD_SETUP,			/* what a client sends when it connects */
	CMD_NODES, CMD_SLOTS, CMD_SHARDS, CMD_INFO, CMD_MYID,
	CMD_CONFIG_GET, CMD_CONFIG_SET,
	CMD_FAILOVER, CMD_SETSLOT, CMD_MEET, CMD_FORGET, CMD_CLUSTER_RESET,
	CMD_REPLICATE, CMD_REPLICAOF
};

struct command {
	const char	*name;		/* lower case, with its subcommand */
	uint8_t		 first_key;	/* which word, 0: none that can be told */
	uint8_t		 flags;
	uint8_t		 role;		/* enum command_role */
	uint8_t		 known;		/* 0: a name that Redis 7.0 does not have */
};

struct commands;

/* Limit: this many names that are not in the table are kept, the rest are one. */
enum { COMMAND_OTHERS = 512, COMMAND_NAME_BYTES = 32 };

struct commands	*commands_new(void);
void		 commands_free(struct commands *);
/* The number of a command by its first words; any case. */
unsigned	 commands_find(struct commands *, const struct span *words, int n);
/* What a word of at most seven bytes was found to be before, if it is a command
 * by itself, and its number; else NULL.  At least seven bytes must be readable
 * before it. */
const struct command *commands_seen(const struct commands *, struct span word,
		    unsigned *number);
/* The number of a word that is a command by itself, or -1. */
int		 commands_known(const struct commands *, struct span word);
const struct command *commands_at(const struct commands *, unsigned);
/* Is a word, in any case, a command by itself whose first key's place is known? */
int		 command_has_key(struct span word);

#endif
