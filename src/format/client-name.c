#include "format/client-name.h"

#include <strings.h>

/* Suffixes that say how a log is stored, not whose it is. */
static int
is_storage_suffix(struct span s)
{
	static const char *const	 words[] = { "gz", "bz2", "xz", "zst", "zstd", "lz4",
		"log", "txt", "json", "ndjson", "jsonl", "out", "err", "old", "bak", "current" };
	size_t				 i, digits = 0;

	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (s.n == strlen(words[i]) && strncasecmp(s.p, words[i], s.n) == 0)
			return (1);
	for (i = 0; i < s.n; i++) {
		if (!is_digit(s.p[i]) && s.p[i] != '-' && s.p[i] != '_' && s.p[i] != 'T')
			return (0);
		digits += (size_t)is_digit(s.p[i]);
	}
	return (digits > 0);
}

/* "-2026-03-14", "_20260314", "-1" at the end of a name. */
static size_t
date_suffix(struct span s)
{
	size_t	 i = s.n, digits = 0;

	while (i > 0 && (is_digit(s.p[i - 1]) || strchr("-_T", s.p[i - 1]) != NULL)) {
		digits += (size_t)is_digit(s.p[i - 1]);
		i--;
	}
	if (i == 0)
		return (0);	/* the whole name is a date */
	while (i < s.n && is_digit(s.p[i]))
		i++;	/* digits glued to the name belong to it: refclient2 */
	return (i < s.n && digits >= 6 ? s.n - i : 0);
}

size_t
client_name(const char *source, struct buf *out)
{
	struct span	 s = span_of(source), file;
	const char	*p = s.n > 0 ? memrchr(s.p, ':', s.n) : NULL, *slash, *at;
	size_t		 cut;

	if (p != NULL && p + 1 < s.p + s.n)	/* a member of an archive */
		s = span_make(p + 1, (size_t)(s.p + s.n - p - 1));
	slash = memrchr(s.p, '/', s.n);
	file = slash != NULL ? span_make(slash + 1, (size_t)(s.p + s.n - slash - 1)) : s;
	at = file.p;
	do {
		cut = date_suffix(file);
		p = file.n > 0 ? memrchr(file.p, '.', file.n) : NULL;
		if (cut == 0 && p != NULL && p > file.p &&
		    is_storage_suffix(span_make(p + 1, (size_t)(file.p + file.n - p - 1))))
			cut = (size_t)(file.p + file.n - p);
		file.n -= cut;
	} while (cut > 0);
	if (slash != NULL && slash > s.p) {
		for (p = slash; p > s.p && p[-1] != '/'; p--)
			;
		if (!(slash - p == 1 && *p == '.')) {
			buf_add(out, p, (size_t)(slash - p));
			buf_chr(out, '/');
			at = p;
		}
	}
	buf_add(out, file.p, file.n);
	return ((size_t)(at - source));
}

static int
is_key(char c)
{
	return (is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
	    (c != '\0' && strchr(":{}._-@#|/", c) != NULL));
}

/* The word at p: a key has a letter, and a digit or a hash tag in it; English
 * words, numbers and addresses have not both. */
static struct span
key_at(const char *p, const char *end)
{
	struct span	 k = { p, 0 };
	size_t		 i;
	int		 mark = 0, letter = 0;

	while (p + k.n < end && is_key(p[k.n]))
		k.n++;
	while (k.n > 0 && strchr(":.-", k.p[k.n - 1]) != NULL)
		k.n--;
	for (i = 0; i < k.n; i++)
		if (is_digit(k.p[i]) || k.p[i] == '{')
			mark = 1;
		else if ((k.p[i] | 32) >= 'a' && (k.p[i] | 32) <= 'z')
			letter = 1;
	return (mark && letter ? k : span_make(NULL, 0));
}

struct span
client_key(struct span line)
{
	static const char *const	 before[] = { "command on key ", "command on ", "(key ",
		"key ", "key=", "key: ", "\"key\":\"", "key '", "key \"", "get ", "set ", "GET ",
		"SET ", "del ", "DEL ", "incr ", "INCR ", "hget ", "HGET ", "hset ", "HSET ",
		"mget ", "MGET ", "expire ", "EXPIRE ", "setex ", "SETEX " };
	const char			*p, *end = line.p + line.n;
	struct span			 k;
	size_t				 i;

	for (i = 0; line.n > 0 && i < sizeof before / sizeof before[0]; i++) {
		p = memmem(line.p, line.n, before[i], strlen(before[i]));
		if (p == NULL || (p > line.p && is_key(p[-1])))
			continue;
		k = key_at(p + strlen(before[i]), end);
		if (k.p != NULL)
			return (k);
	}
	return (span_make(NULL, 0));
}
