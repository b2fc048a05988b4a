#include "store/rotation.h"

static size_t
digits(const char *p)
{
	size_t	 n = 0;

	while (is_digit(p[n]))
		n++;
	return (n);
}

/* Length of 2026-11-30T01:02:03 and the like (separators -_:.T and none, the
 * time optional) at p, or 0. */
static size_t
stamp(const char *p)
{
	static const char	 shape[] = "dddd-dd-ddTdd-dd-dd";
	size_t			 i = 0, k;

	for (k = 0; shape[k] != '\0'; k++) {
		if (shape[k] == 'd' && is_digit(p[i]))
			i++;
		else if (shape[k] == 'd')
			break;
		else if (p[i] != '\0' && strchr("-_:.T", p[i]) != NULL &&
		    is_digit(p[i + 1]))
			i++;
	}
	return (k >= 10 && p[0] >= '1' && p[0] <= '2' && !is_digit(p[i]) ?
	    i : 0);
}

static int
follows_suffix(const char *name, const char *p)
{
	static const char *const	 suffix[] = { ".pcap", ".pcapng",
	    ".cap", ".dmp", ".trace" };
	size_t				 i, n;

	for (i = 0; i < sizeof suffix / sizeof *suffix; i++) {
		n = strlen(suffix[i]);
		if ((size_t)(p - name) >= n &&
		    strncmp(p - n, suffix[i], n) == 0)
			return (1);
	}
	return (0);
}

/* Length of a rotation part at p, which is at a digit, or 0. */
static size_t
rotation_part(const char *name, const char *p)
{
	size_t	 n = digits(p), s;

	if (p > name && is_digit(p[-1]))
		return (0);
	if ((s = stamp(p)) > 0)
		return (s);
	if (follows_suffix(name, p) && (p[n] == '\0' || p[n] == '.'))
		return (n);
	if (n >= 9 || (n >= 3 && p[0] == '0'))	/* epoch; 00001 */
		return (n);
	return (0);
}

void
rotation_key(struct buf *b, const char *name)
{
	const char	*base = strrchr(name, '/'), *p;
	size_t		 n;

	base = base != NULL ? base + 1 : name;
	buf_add(b, name, (size_t)(base - name));
	for (p = base; *p != '\0'; ) {
		n = is_digit(*p) ? rotation_part(base, p) : 0;
		if (n == 0) {
			buf_chr(b, *p++);
			continue;
		}
		p += n;
		while (b->n > 0 && strchr("-_.", b->p[b->n - 1]) != NULL &&
		    *p != '\0' && strchr("-_.", *p) != NULL)
			b->n--;		/* a_1_b and a_b are alike */
		if (*p != '\0' && strchr("-_.", *p) == NULL)
			buf_chr(b, '#');
	}
	while (b->n > 0 && strchr("-_", b->p[b->n - 1]) != NULL)
		b->n--;
}
