#include "wire/bus-opinion.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { FIRST_SIZE = 1024, PROBES = 16 };

uint64_t
opinion_hash(uint64_t h, const void *p, size_t n)
{
	const unsigned char	*b = p;
	size_t			 i;

	for (i = 0; i < n; i++)
		h = (h ^ b[i]) * 0x100000001b3ULL;
	return (h);
}

void
opinions_init(struct opinions *o, size_t max)
{
	o->at = NULL;
	o->size = o->used = 0;
	o->max = max;
}

void
opinions_free(struct opinions *o)
{
	free(o->at);
	opinions_init(o, o->max);
}

/* FNV's low bits alone are poor for short differences. */
static size_t
place(const struct opinions *o, uint64_t key, size_t probe)
{
	return ((size_t)((key ^ key >> 29) + probe) & (o->size - 1));
}

static struct opinion *
probe(struct opinions *o, uint64_t key)
{
	struct opinion	*p, *oldest = NULL;
	size_t		 i;

	for (i = 0; i < PROBES; i++) {
		p = &o->at[place(o, key, i)];
		if (p->key == key || p->key == 0)
			return (p);
		if (oldest == NULL || p->at < oldest->at)
			oldest = p;
	}
	return (oldest);
}

static void
grow(struct opinions *o)
{
	struct opinions	 old = *o;
	struct opinion	*p;
	size_t		 i;

	o->size = old.size == 0 ? FIRST_SIZE : old.size * 2;
	o->at = mem_zero(o->size, sizeof *o->at);
	o->used = 0;
	for (i = 0; i < old.size; i++) {
		if (old.at[i].key == 0)
			continue;
		p = probe(o, old.at[i].key);
		o->used += p->key == 0;
		*p = old.at[i];
	}
	free(old.at);
}

struct opinion *
opinions_find(struct opinions *o, uint64_t key, int *fresh)
{
	struct opinion	*p;

	if (key == 0)
		key = 1;		/* 0 marks what is free */
	if (o->used * 2 >= o->size && (o->size < o->max || o->size == 0))
		grow(o);
	p = probe(o, key);
	*fresh = p->key != key;
	if (*fresh) {
		o->used += p->key == 0;
		memset(p, 0, sizeof *p);
		p->key = key;
	}
	return (p);
}
