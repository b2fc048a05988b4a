#include "base/table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <xxhash.h>

#include "base/mem.h"

void
table_clear(struct table *t)
{
	size_t	 i;

	for (i = 0; i < t->cap; i++)
		free(t->slot[i].key);
	free(t->slot);
	memset(t, 0, sizeof *t);
}

static struct table_entry *
probe(struct table *t, const void *key, size_t n)
{
	size_t	 i = XXH3_64bits_withSeed(key, n, t->seed) & (t->cap - 1);

	while (t->slot[i].key != NULL && (t->slot[i].n != n ||
	    memcmp(t->slot[i].key, key, n) != 0))
		i = (i + 1) & (t->cap - 1);
	return (&t->slot[i]);
}

static void
grow(struct table *t)
{
	struct table_entry	*old = t->slot;
	size_t			 i, cap = t->cap;

	if (cap == 0 && getrandom(&t->seed, sizeof t->seed, GRND_NONBLOCK) < 0)
		t->seed = (uintptr_t)t;
	t->cap = cap == 0 ? 256 : cap * 2;
	t->slot = mem_zero(t->cap, sizeof *t->slot);
	for (i = 0; i < cap; i++)
		if (old[i].key != NULL)
			*probe(t, old[i].key, old[i].n) = old[i];
	free(old);
}

struct table_entry *
table_get(struct table *t, const void *key, size_t n)
{
	struct table_entry	*e = t->cap > 0 ? probe(t, key, n) : NULL;

	return (e != NULL && e->key != NULL ? e : NULL);
}

struct table_entry *
table_put(struct table *t, const void *key, size_t n)
{
	struct table_entry	*e;

	if ((t->used + 1) * 2 > t->cap)
		grow(t);
	e = probe(t, key, n);
	if (e->key == NULL) {
		memset(e, 0, sizeof *e);
		e->key = mem_strn(key, n);
		e->n = n;
		t->used++;
	}
	return (e);
}
