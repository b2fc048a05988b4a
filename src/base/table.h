/*
 * table.h - a hash table from bytes to one number or pointer.  Seeded, so that
 * hostile keys cannot make it slow.  Entries move when the table grows.
 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct table_entry {
	char		*key;		/* owned; NULL: free */
	size_t		 n;
	int64_t		 num;		/* 0 in a new entry */
	void		*ptr;		/* NULL in a new entry; the user's */
	int		 flags;
};

struct table {
	struct table_entry *slot;
	size_t		 cap, used;
	uint64_t	 seed;
};

/* The entry of a key, made if it is not there. */
struct table_entry *table_put(struct table *, const void *key, size_t n);
/* NULL if it is not there. */
struct table_entry *table_get(struct table *, const void *key, size_t n);
/* Every entry, freed; the table can be used again. */
void		 table_clear(struct table *);

#endif
