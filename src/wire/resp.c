#include "wire/resp.h"

#include <string.h>

/* Where a message stands between two reads. */
enum { AT_TYPE, AT_NUMBER, AT_NUMBER_LF, AT_LINE, AT_LINE_LF, AT_PAYLOAD, AT_CR, AT_LF };

enum { DIGITS = 19 };			/* of a number: all of 64 bits, without wrapping */

/* "left" inside an aggregate without count: never reaches zero by counting. */
#define WITHOUT_COUNT	(UINT64_C(1) << 62)

static int
is_line(int c)
{
	return (c == '+' || c == '-' || c == ',' || c == '#' || c == '(' || c == '_');
}

static int
is_string(int c)
{
	return (c == '$' || c == '=' || c == '!' || c == ';');
}

static int
is_aggregate(int c)
{
	return (c == '*' || c == '~' || c == '>' || c == '%' || c == '|');
}

static int
begin(struct resp *r, int c)
{
	r->type = (uint8_t)c;
	r->num = 0;
	r->digits = r->neg = 0;
	if (is_line(c))
		r->state = AT_LINE;
	else if (c == ':' || is_string(c) || is_aggregate(c))
		r->state = AT_NUMBER;
	else if (c == '.' && r->nstreams > 0)
		r->state = AT_LINE;
	else
		return (-1);
	return (0);
}

/* An aggregate or string without count ends. */
static int
close_stream(struct resp *r)
{
	if (r->nstreams == 0)
		return (-1);
	r->left = r->outer[--r->nstreams];
	r->state = AT_TYPE;
	return (0);
}

static int
open_stream(struct resp *r)
{
	if (r->nstreams == RESP_STREAMS || r->type == ':' || r->type == ';' || r->type == '>')
		return (-1);
	r->outer[r->nstreams++] = r->left - 1;
	r->left = WITHOUT_COUNT;
	return (0);
}

/* The number of a header is complete. */
static int
apply(struct resp *r)
{
	uint64_t	 n = r->num;

	r->state = AT_TYPE;
	if (r->digits == UINT8_MAX)
		return (open_stream(r));
	if (r->digits == 0)
		return (-1);
	if (r->type == ':') {
		r->left--;
		return (0);
	}
	if (r->neg) {			/* nil */
		if (n != 1 || (r->type != '$' && r->type != '*'))
			return (-1);
		r->left--;
		return (0);
	}
	if (is_string(r->type)) {
		if (n > (uint64_t)RESP_BULK_MAX)
			return (-1);
		if (r->type == ';' && (n == 0 || r->nstreams == 0))
			return (n == 0 ? close_stream(r) : -1);
		r->skip = n;
		r->state = n > 0 ? AT_PAYLOAD : AT_CR;
		return (0);
	}
	if (n > (uint64_t)RESP_COUNT_MAX)
		return (-1);
	if (r->type == '%' || r->type == '|')
		n *= 2;
	r->left += n - (r->type != '|');
	return (r->left > WITHOUT_COUNT * 2 ? -1 : 0);
}

static int
number(struct resp *r, int c)
{
	if (c == '\r' && (r->digits > 0))
		r->state = AT_NUMBER_LF;
	else if (c >= '0' && c <= '9' && r->digits < DIGITS) {
		r->num = r->num * 10 + (uint64_t)(c - '0');
		r->digits++;
	} else if ((c == '-' || (c == '+' && r->type == ':')) && r->digits == 0 && !r->neg)
		r->neg = c == '-';
	else if (c == '?' && r->digits == 0 && !r->neg)
		r->digits = UINT8_MAX;
	else
		return (-1);
	return (0);
}

/* The text of a line up to its CR: bytes used, -1 if it holds a bare LF. */
static ssize_t
line(struct resp *r, const char *p, size_t n)
{
	const char	*cr = memchr(p, '\r', n);
	size_t		 len = cr != NULL ? (size_t)(cr - p) : n;

	if (memchr(p, '\n', len) != NULL)
		return (-1);
	if (cr == NULL)
		return ((ssize_t)n);
	r->state = AT_LINE_LF;
	return ((ssize_t)len + 1);
}

static int
one(struct resp *r, int c)
{
	switch (r->state) {
	case AT_TYPE:
		return (begin(r, c));
	case AT_NUMBER:
		return (number(r, c));
	case AT_NUMBER_LF:
		return (c == '\n' ? apply(r) : -1);
	case AT_LINE_LF:
		if (c != '\n')
			return (-1);
		if (r->type == '.')
			return (close_stream(r));
		r->left--;
		r->state = AT_TYPE;
		return (0);
	case AT_CR:
		r->state = AT_LF;
		return (c == '\r' ? 0 : -1);
	case AT_LF:
		r->state = AT_TYPE;
		r->left -= r->type != ';';	/* a chunk is no element */
		return (c == '\n' ? 0 : -1);
	default:
		return (-1);
	}
}

ssize_t
resp_scan(struct resp *r, const char *p, size_t n)
{
	size_t	 at = 0, len;
	ssize_t	 used;

	if (r->left == 0)
		r->left = 1;
	while (at < n && r->left > 0) {
		if (r->state == AT_PAYLOAD) {
			len = n - at < r->skip ? n - at : (size_t)r->skip;
			at += len;
			r->skip -= len;
			if (r->skip == 0)
				r->state = AT_CR;
		} else if (r->state == AT_LINE) {
			used = line(r, p + at, n - at);
			if (used == -1)
				return (-1);
			at += (size_t)used;
		} else if (one(r, (unsigned char)p[at++]) == -1)
			return (-1);
	}
	return ((ssize_t)at);
}

static inline unsigned
digit(char c)
{
	return ((unsigned)(unsigned char)c - '0');
}

/* Any decimal up to CRLF: bytes with the CRLF, 0 not all there, -1 bad. */
static ssize_t
any_decimal(const char *p, size_t n, int64_t *value)
{
	size_t	 i = 0;
	int64_t	 v = 0;
	int	 neg = 0;

	if (n > 0 && p[0] == '-') {
		neg = 1;
		i = 1;
	}
	for (; i < n && p[i] >= '0' && p[i] <= '9'; i++) {
		if (v > (INT64_MAX - 9) / 10 || i == (size_t)neg + DIGITS)
			return (-1);
		v = v * 10 + (p[i] - '0');
	}
	if (i == (size_t)neg && i < n)
		return (-1);
	if (i < n && p[i] != '\r')
		return (-1);
	if (i + 1 < n && p[i + 1] != '\n')
		return (-1);
	if (i + 1 >= n)
		return (0);
	*value = neg ? -v : v;
	return ((ssize_t)i + 2);
}

/* The same; most have one digit, or two or three. */
static inline ssize_t
decimal(const char *p, size_t n, int64_t *value)
{
	if (n >= 5 && digit(p[0]) < 10) {
		if (p[1] == '\r' && p[2] == '\n') {
			*value = digit(p[0]);
			return (3);
		}
		if (digit(p[1]) < 10 && p[2] == '\r' && p[3] == '\n') {
			*value = digit(p[0]) * 10 + digit(p[1]);
			return (4);
		}
		if (digit(p[1]) < 10 && digit(p[2]) < 10 && p[3] == '\r' && p[4] == '\n') {
			*value = digit(p[0]) * 100 + digit(p[1]) * 10 + digit(p[2]);
			return (5);
		}
	}
	return (any_decimal(p, n, value));
}

ssize_t
resp_whole(const char *p, size_t n)
{
	struct resp	 r = { 0 };
	const char	*cr;
	int64_t		 len;
	ssize_t		 used;

	if (n == 0)
		return (0);
	if (p[0] == '$' && !(n > 1 && p[1] == '?')) {
		used = decimal(p + 1, n - 1, &len);
		if (used <= 0)
			return (used);
		if (len == -1)
			return (used + 1);
		if (len < 0 || len > RESP_BULK_MAX)
			return (-1);
		if ((uint64_t)len + 3 + (uint64_t)used > n)
			return (0);
		if (p[1 + used + len] != '\r' || p[2 + used + len] != '\n')
			return (-1);
		return (used + len + 3);
	}
	if (n == 5 && memcmp(p, "+OK\r\n", 5) == 0)
		return (5);
	if (p[0] == '+' || p[0] == '-') {
		cr = memchr(p, '\r', n);
		if (cr != NULL && cr + 1 < p + n && cr[1] == '\n' &&
		    memchr(p, '\n', (size_t)(cr - p)) == NULL)
			return (cr + 2 - p);
	}
	used = resp_scan(&r, p, n);
	if (used == -1)
		return (-1);
	return (resp_done(&r) ? used : 0);
}

static inline int
is_crlf(const char *p)
{
	return (memcmp(p, "\r\n", 2) == 0);
}

/* Digits at p, at most nine, where CRLF is sure to follow somewhere; the place
 * after them and their CRLF, NULL: they are not that. */
static inline const char *
digits(const char *p, size_t *value)
{
	const char	*most = p + 9;
	size_t		 v = digit(p[0]);
	unsigned	 k;

	if (v >= 10)
		return (NULL);
	while ((k = digit(*++p)) < 10 && p < most)
		v = v * 10 + k;
	*value = v;
	return (is_crlf(p) ? p + 2 : NULL);
}

int
resp_plain_request(const char *p, size_t n, struct span words[RESP_PLAIN_WORDS])
{
	const char	*end = p + n;
	size_t		 count, len, i;

	/* The last two bytes stop every run of digits. */
	if (n < 10 || p[0] != '*' || !is_crlf(end - 2) || (p = digits(p + 1, &count)) == NULL)
		return (0);
	for (i = 0; i < count; i++) {
		if (p == end || p[0] != '$' || (p = digits(p + 1, &len)) == NULL ||
		    (size_t)(end - p) < len + 2 || !is_crlf(p + len))
			return (0);
		if (i < RESP_PLAIN_WORDS)
			words[i] = span_make(p, len);
		p += len + 2;
	}
	return (p == end ? (int)count : 0);
}

int
resp_is_plain_reply(const char *p, size_t n)
{
	const char	*end = p + n;
	size_t		 len;

	if (n < 4 || !is_crlf(end - 2))
		return (0);
	switch (p[0]) {
	case '$':
		if (p[1] == '-')
			return (n == 5 && p[2] == '1');
		p = digits(p + 1, &len);
		return (p != NULL && (size_t)(end - p) == len + 2);
	case ':':
		return (digits(p + 1, &len) == end);
	case '+':
		return (n == 5 && p[1] == 'O' && p[2] == 'K');
	default:
		return (0);
	}
}

int
resp_is_plain_error(const char *p, size_t n)
{
	return (n >= 3 && p[0] == '-' && is_crlf(p + n - 2) &&
	    memchr(p, '\r', n) == p + n - 2 && memchr(p, '\n', n - 2) == NULL);
}

uint64_t
resp_missable(const struct resp *r)
{
	return (r->state == AT_PAYLOAD && r->left > 0 ? r->skip : 0);
}

void
resp_missed(struct resp *r, uint64_t n)
{
	r->skip -= n;
	if (r->skip == 0)
		r->state = AT_CR;
}

int
resp_item(struct span *rest, struct resp_item *it)
{
	const char	*p = rest->p, *cr;
	size_t		 n = rest->n, size;
	ssize_t		 used;

	it->text = span_make(NULL, 0);
	it->count = -1;
	if (n == 0)
		return (0);
	it->type = p[0];
	if (is_line(p[0]) || p[0] == ':' || p[0] == '.') {
		cr = memchr(p, '\r', n);
		if (cr == NULL || cr + 1 == p + n)
			return (0);
		if (cr[1] != '\n')
			return (-1);
		if (p[0] != '_')
			it->text = span_make(p + 1, (size_t)(cr - p) - 1);
		size = (size_t)(cr - p) + 2;
	} else if (is_string(p[0]) || is_aggregate(p[0])) {
		if (n >= 4 && p[1] == '?')
			used = p[2] == '\r' && p[3] == '\n' ? 3 : -1;
		else
			used = decimal(p + 1, n - 1, &it->count);
		if (used <= 0)
			return ((int)used);
		size = (size_t)used + 1;
		if (it->count < -1)
			return (-1);
		if (is_string(p[0]) && it->count >= 0) {
			if (it->count > RESP_BULK_MAX)
				return (-1);
			if (n - size < (size_t)it->count + 2)
				return (0);
			it->text = span_make(p + size, (size_t)it->count);
			size += (size_t)it->count + 2;
		}
	} else
		return (-1);
	rest->p += size;
	rest->n -= size;
	return (1);
}

ssize_t
resp_request(const char *p, size_t n, struct span *words, int most, int *count)
{
	int64_t	 elements, len, i;
	ssize_t	 used;
	size_t	 at;

	if (n == 0 || p[0] != '*')
		return (n == 0 ? 0 : -1);
	used = decimal(p + 1, n - 1, &elements);
	if (used <= 0)
		return (used);
	if (elements < 1 || elements > RESP_COUNT_MAX)
		return (-1);
	at = (size_t)used + 1;
	for (i = 0; i < elements; i++) {
		if (at >= n)
			return (0);
		if (p[at] != '$')
			return (-1);
		used = decimal(p + at + 1, n - at - 1, &len);
		if (used <= 0)
			return (used);
		if (len < 0 || len > RESP_BULK_MAX)
			return (-1);
		at += (size_t)used + 1;
		if (n - at < (uint64_t)len + 2)
			return (0);
		if (p[at + (size_t)len] != '\r' || p[at + (size_t)len + 1] != '\n')
			return (-1);
		if (i < most)
			words[i] = span_make(p + at, (size_t)len);
		at += (size_t)len + 2;
	}
	*count = elements > INT32_MAX ? INT32_MAX : (int)elements;
	return ((ssize_t)at);
}

int
resp_request_part(struct span part, struct span *words, int most, int64_t *count)
{
	struct resp_item	 it;
	int			 n = 0;

	*count = 0;
	if (resp_item(&part, &it) != 1 || it.type != '*')
		return (0);
	*count = it.count;
	while (n < most && n < *count) {
		if (resp_item(&part, &it) != 1 || it.type != '$' || it.count < 0)
			break;
		words[n++] = it.text;
	}
	return (n);
}

ssize_t
resp_tokens(struct span message, struct span *tokens, size_t most)
{
	struct resp_item	 it;
	size_t			 n = 0;
	int			 r;

	while ((r = resp_item(&message, &it)) == 1) {
		if (is_aggregate(it.type) || it.type == '.')
			continue;
		if (n == most)
			return (-1);
		if (it.type == '=' && it.text.n >= 4)
			it.text = span_make(it.text.p + 4, it.text.n - 4);
		tokens[n++] = it.text;
	}
	return (r == 0 && message.n == 0 ? (ssize_t)n : -1);
}
