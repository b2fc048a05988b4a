#include "packets.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#ifndef CAPTURES
#error "CAPTURES is the folder of the captures"
#endif

char *
packets_file(const char *name, size_t *n)
{
	char	 path[500], *p = mem_alloc(4 << 20);
	FILE	*fp;

	snprintf(path, sizeof path, "%s/%s", CAPTURES, name);
	fp = fopen(path, "rb");
	ck_assert_msg(fp != NULL, "%s", path);
	*n = fread(p, 1, 4 << 20, fp);
	fclose(fp);
	return (p);
}

static uint32_t
get32(const char *p)
{
	uint32_t	 v;

	memcpy(&v, p, sizeof v);
	return (v);
}

static void
add(struct packets *ps, int64_t at, const char *p, uint32_t cap, uint32_t len)
{
	struct packet	*k;

	ps->all = mem_grow(ps->all, ps->n + 2, sizeof *ps->all);
	k = &ps->all[ps->n++];
	k->at = at;
	k->cap = cap;
	k->len = len;
	k->data = mem_alloc(cap + 1);
	memcpy(k->data, p, cap);
}

void
packets_load(struct packets *ps, const char *name)
{
	size_t	 n, at = 24;
	char	*p = packets_file(name, &n);

	memset(ps, 0, sizeof *ps);
	ck_assert_uint_eq(get32(p), 0xa1b2c3d4);
	ps->link = (int)get32(p + 20);
	while (at + 16 <= n) {
		add(ps, (int64_t)get32(p + at) * 1000000 + get32(p + at + 4), p + at + 16,
		    get32(p + at + 8), get32(p + at + 12));
		at += 16 + get32(p + at + 8);
	}
	ck_assert_uint_eq(at, n);
	free(p);
}

void
packets_free(struct packets *ps)
{
	size_t	 i;

	for (i = 0; i < ps->n; i++)
		free(ps->all[i].data);
	free(ps->all);
}

void
packets_drop(struct packets *ps, size_t i)
{
	free(ps->all[i].data);
	memmove(&ps->all[i], &ps->all[i + 1], (--ps->n - i) * sizeof *ps->all);
}

void
packets_swap(struct packets *ps, size_t i)
{
	struct packet	 k = ps->all[i];

	ps->all[i] = ps->all[i + 1];
	ps->all[i + 1] = k;
}

void
packets_again(struct packets *ps, size_t i)
{
	struct packet	 k = ps->all[i];

	add(ps, k.at, k.data, k.cap, k.len);
	k = ps->all[ps->n - 1];
	memmove(&ps->all[i + 2], &ps->all[i + 1], (ps->n - 2 - i) * sizeof *ps->all);
	ps->all[i + 1] = k;
}

void
packets_cut(struct packets *ps, uint32_t snaplen)
{
	size_t	 i;

	for (i = 0; i < ps->n; i++)
		if (ps->all[i].cap > snaplen)
			ps->all[i].cap = snaplen;
}

void
packets_wrap(struct packets *ps, const void *head, size_t n, size_t lose, int link)
{
	struct packet	*k;
	char		*p;
	size_t		 i;

	ps->link = link;
	for (i = 0; i < ps->n; i++) {
		k = &ps->all[i];
		p = mem_alloc(n + k->cap);
		memcpy(p, head, n);
		memcpy(p + n, k->data + lose, k->cap - lose);
		free(k->data);
		k->data = p;
		k->cap += (uint32_t)(n - lose);
		k->len += (uint32_t)(n - lose);
	}
}

static void
put32(struct buf *b, uint32_t v, int swapped)
{
	v = swapped ? __builtin_bswap32(v) : v;
	buf_add(b, &v, 4);
}

static void
write_pcap(const struct packets *ps, size_t from, size_t to, enum container c, struct buf *b)
{
	int	 s = c == AS_PCAP_SWAPPED, ns = c == AS_PCAP_NS;
	size_t	 i;

	put32(b, ns ? 0xa1b23c4d : 0xa1b2c3d4, s);
	put32(b, s ? 0x00020004 : 0x00040002, s);
	put32(b, 0, s);
	put32(b, 0, s);
	put32(b, 262144, s);
	put32(b, (uint32_t)ps->link, s);
	for (i = from; i < to; i++) {
		const struct packet *k = &ps->all[i];

		put32(b, (uint32_t)(k->at / 1000000), s);
		put32(b, (uint32_t)(k->at % 1000000) * (ns ? 1000 : 1), s);
		put32(b, k->cap, s);
		put32(b, k->len, s);
		buf_add(b, k->data, k->cap);
	}
}

/* An interface in nanoseconds if it is the second. */
static void
write_interface(struct buf *b, int link, int second)
{
	put32(b, 1, 0);
	put32(b, second ? 32 : 20, 0);
	put32(b, (uint32_t)link, 0);
	put32(b, second ? 65535 : 262144, 0);
	if (second) {
		put32(b, 0x00010009, 0);
		put32(b, 9, 0);
		put32(b, 0, 0);
	}
	put32(b, second ? 32 : 20, 0);
}

static void
write_pcapng(const struct packets *ps, size_t from, size_t to, int two, struct buf *b)
{
	size_t		 i, padded;
	uint64_t	 at;

	put32(b, 0x0a0d0d0a, 0);
	put32(b, 28, 0);
	put32(b, 0x1a2b3c4d, 0);
	put32(b, 1, 0);
	put32(b, 0xffffffff, 0);
	put32(b, 0xffffffff, 0);
	put32(b, 28, 0);
	write_interface(b, ps->link, 0);
	if (two)
		write_interface(b, ps->link, 1);
	for (i = from; i < to; i++) {
		const struct packet *k = &ps->all[i];
		int second = two && i % 2;

		padded = (k->cap + 3) & ~3u;
		at = (uint64_t)k->at * (second ? 1000 : 1);
		put32(b, 6, 0);
		put32(b, (uint32_t)(32 + padded), 0);
		put32(b, (uint32_t)second, 0);
		put32(b, (uint32_t)(at >> 32), 0);
		put32(b, (uint32_t)at, 0);
		put32(b, k->cap, 0);
		put32(b, k->len, 0);
		buf_add(b, k->data, k->cap);
		buf_add(b, "\0\0\0", padded - k->cap);
		put32(b, (uint32_t)(32 + padded), 0);
	}
}

void
packets_write(const struct packets *ps, size_t from, size_t to, enum container c,
    struct buf *b)
{
	b->n = 0;
	if (c == AS_PCAPNG || c == AS_PCAPNG_TWO)
		write_pcapng(ps, from, to, c == AS_PCAPNG_TWO, b);
	else
		write_pcap(ps, from, to, c, b);
}
