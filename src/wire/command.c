#include "wire/command.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/fast.h"
#include "base/mem.h"

static const struct row {
	const char	*name;
	uint8_t		 first_key, flags;
} table[] = {
#include "wire/command-table.h"
};

static const struct {
	const char	*name;
	enum command_role role;
} roles[] = {
	{ "asking", CMD_ASKING }, { "readonly", CMD_READONLY }, { "readwrite", CMD_READWRITE },
	{ "multi", CMD_MULTI }, { "exec", CMD_EXEC }, { "discard", CMD_DISCARD },
	{ "client reply", CMD_REPLY }, { "monitor", CMD_MONITOR }, { "reset", CMD_RESET },
	{ "subscribe", CMD_SUBSCRIBE }, { "psubscribe", CMD_SUBSCRIBE },
	{ "ssubscribe", CMD_SUBSCRIBE }, { "unsubscribe", CMD_SUBSCRIBE },
	{ "punsubscribe", CMD_SUBSCRIBE }, { "sunsubscribe", CMD_SUBSCRIBE },
	{ "psync", CMD_REPLICA }, { "sync", CMD_REPLICA }, { "replconf", CMD_REPLICA },
	{ "hello", CMD_SETUP }, { "auth", CMD_SETUP }, { "select", CMD_SETUP },
	{ "client setname", CMD_SETUP }, { "client setinfo", CMD_SETUP },
	{ "client id", CMD_SETUP }, { "client tracking", CMD_SETUP },
	{ "cluster nodes", CMD_NODES }, { "cluster slots", CMD_SLOTS },
	{ "cluster shards", CMD_SHARDS }, { "cluster info", CMD_INFO },
	{ "cluster myid", CMD_MYID },
	{ "config get", CMD_CONFIG_GET }, { "config set", CMD_CONFIG_SET },
	{ "cluster failover", CMD_FAILOVER }, { "cluster setslot", CMD_SETSLOT },
	{ "cluster meet", CMD_MEET }, { "cluster forget", CMD_FORGET },
	{ "cluster reset", CMD_CLUSTER_RESET }, { "cluster replicate", CMD_REPLICATE },
	{ "replicaof", CMD_REPLICAOF }, { "slaveof", CMD_REPLICAOF },
};

enum {
	KNOWN = sizeof table / sizeof table[0],
	MOST = KNOWN + COMMAND_OTHERS + 1,
	BUCKETS = 2048,
	WORDS_KNOWN = 64
};

struct commands {
	struct command	 all[MOST];
	unsigned	 n;
	uint16_t	 bucket[BUCKETS];	/* number + 1 */
	uint16_t	 next[MOST];
	unsigned char	 parent[MOST];		/* has subcommands */
	struct {
		uint64_t word;			/* as it was sent, 0: nothing */
		unsigned number;
	}		 known[WORDS_KNOWN];	/* what short words were found to be */
	char		*names[COMMAND_OTHERS];
};

static unsigned
hash(const char *p, size_t n)
{
	unsigned	 h = 2166136261u;

	while (n-- > 0)
		h = (h ^ (unsigned char)*p++) * 16777619u;
	return ((h ^ h >> 15) % BUCKETS);
}

static int
lookup(const struct commands *c, const char *p, size_t n)
{
	unsigned	 i;

	for (i = c->bucket[hash(p, n)]; i != 0; i = c->next[i - 1])
		if (strncmp(c->all[i - 1].name, p, n) == 0 && c->all[i - 1].name[n] == '\0')
			return ((int)i - 1);
	return (-1);
}

static unsigned
add(struct commands *c, const char *name, size_t n)
{
	unsigned	 h = hash(name, n);

	c->all[c->n].name = name;
	c->next[c->n] = c->bucket[h];
	c->bucket[h] = (uint16_t)(c->n + 1);
	return (c->n++);
}

struct commands *
commands_new(void)
{
	struct commands	*c = mem_zero(1, sizeof *c);
	const char	*blank;
	size_t		 i;
	int		 at;

	for (i = 0; i < KNOWN; i++) {
		add(c, table[i].name, strlen(table[i].name));
		c->all[i].first_key = table[i].first_key;
		c->all[i].flags = table[i].flags;
		c->all[i].known = 1;
	}
	for (i = 0; i < KNOWN; i++) {
		blank = strchr(table[i].name, ' ');
		at = blank == NULL ? -1 :
		    lookup(c, table[i].name, (size_t)(blank - table[i].name));
		if (at >= 0)
			c->parent[at] = 1;
	}
	for (i = 0; i < sizeof roles / sizeof roles[0]; i++) {
		at = lookup(c, roles[i].name, strlen(roles[i].name));
		if (at >= 0)
			c->all[at].role = (uint8_t)roles[i].role;
	}
	add(c, "other", 5);		/* what no longer fits */
	return (c);
}

void
commands_free(struct commands *c)
{
	size_t	 i;

	if (c == NULL)
		return;
	for (i = 0; i < COMMAND_OTHERS; i++)
		free(c->names[i]);
	free(c);
}

/* A word in lower case after what is in buf; 0 when it cannot be a name. */
static size_t
lower(char *buf, size_t at, struct span word)
{
	size_t	 i;
	char	 c;

	if (word.n == 0 || at + word.n >= COMMAND_NAME_BYTES * 2)
		return (0);
	for (i = 0; i < word.n; i++) {
		c = word.p[i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c + 32);
		else if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '.' &&
		    c != '_' && c != '-')
			return (0);
		buf[at + i] = c;
	}
	return (at + word.n);
}

/* The number of a name that the table lacks (a module's, a newer version's). */
static unsigned
other(struct commands *c, const char *name, size_t n)
{
	unsigned	 i = c->n - KNOWN - 1;

	if (i >= COMMAND_OTHERS || n > COMMAND_NAME_BYTES)
		return (KNOWN);
	c->names[i] = mem_strn(name, n);
	return (add(c, c->names[i], n));
}

static unsigned
find(struct commands *c, const struct span *words, int n, int *by_first)
{
	char	 name[COMMAND_NAME_BYTES * 2];
	size_t	 len, sub;
	int	 at;

	len = n > 0 ? lower(name, 0, words[0]) : 0;
	if (len == 0)
		return (KNOWN);
	at = lookup(c, name, len);
	*by_first = at != -1 && !c->parent[at];
	if (at == -1)
		return (other(c, name, len));
	if (!c->parent[at] || n < 2)
		return ((unsigned)at);
	name[len] = ' ';
	sub = lower(name, len + 1, words[1]);
	if (sub == 0)
		return ((unsigned)at);
	len = sub;
	sub = (size_t)lookup(c, name, len) + 1;
	return (sub > 0 ? (unsigned)sub - 1 : other(c, name, len));
}

/* A word of at most seven bytes and its length. */
static inline uint64_t
pack(struct span s)
{
	uint64_t	 v = s.n;
	size_t		 i;

	for (i = 0; i < s.n; i++)
		v = v << 8 | (unsigned char)s.p[i];
	return (v);
}

/* Where a packed word is kept. */
static inline unsigned
known_at(uint64_t word)
{
	return ((unsigned)(word * UINT64_C(0x9e3779b97f4a7c15) >> 58) % WORDS_KNOWN);
}

const struct command *
commands_seen(const struct commands *c, struct span word, unsigned *number)
{
	uint64_t	 v;
	unsigned	 i;

	if (word.n < 1 || word.n > 7)
		return (NULL);
	memcpy(&v, word.p + word.n - 8, sizeof v);	/* as pack() has it, at once */
	v = (be64toh(v) & ((UINT64_C(1) << word.n * 8) - 1)) | (uint64_t)word.n << word.n * 8;
	i = known_at(v);
	if (c->known[i].word != v)
		return (NULL);
	*number = c->known[i].number;
	return (&c->all[*number]);
}

unsigned
commands_find(struct commands *c, const struct span *words, int n)
{
	uint64_t	 word;
	unsigned	 number, i;
	int		 by_first = 0;

	if (!fast_paths || n < 1 || words[0].n < 1 || words[0].n > 7)
		return (find(c, words, n, &by_first));
	word = pack(words[0]);
	i = known_at(word);
	if (c->known[i].word == word)
		return (c->known[i].number);
	number = find(c, words, n, &by_first);
	if (by_first) {
		c->known[i].word = word;
		c->known[i].number = number;
	}
	return (number);
}

int
commands_known(const struct commands *c, struct span word)
{
	char	 name[COMMAND_NAME_BYTES * 2];
	size_t	 len = lower(name, 0, word);
	int	 at = len > 0 ? lookup(c, name, len) : -1;

	return (at >= 0 && c->all[at].known ? at : -1);
}

const struct command *
commands_at(const struct commands *c, unsigned i)
{
	return (&c->all[i]);
}

int
command_has_key(struct span word)
{
	size_t	 i, low = 0, high = KNOWN;
	char	 c = '\0';

	if (word.n > 0)
		c = (char)(word.p[0] | 32);
	while (low < high) {		/* the table is sorted */
		i = (low + high) / 2;
		if (table[i].name[0] < c)
			low = i + 1;
		else
			high = i;
	}
	for (i = low; i < KNOWN && table[i].name[0] == c; i++)
		if (table[i].first_key > 0 &&
		    (word.n < 2 || table[i].name[1] == (word.p[1] | 32)) &&
		    strncasecmp(table[i].name, word.p, word.n) == 0 &&
		    table[i].name[word.n] == '\0')
			return (1);
	return (0);
}
