#include "text/json-lines.h"

enum { LOOK_BYTES = 4096 };		/* how far an answer's records are looked for */

static int
is_blank(char c)
{
	return (c == ' ' || c == '\t' || c == '\r' || c == '\n');
}

static size_t
skip_blanks(struct span s, size_t i)
{
	while (i < s.n && is_blank(s.p[i]))
		i++;
	return (i);
}

/* The string that begins at the quote at i: where it ends, behind its quote. */
static size_t
skip_string(struct span s, size_t i)
{
	for (i++; i < s.n && s.p[i] != '"'; i++)
		if (s.p[i] == '\\')
			i++;
	return (i < s.n ? i + 1 : s.n);
}

static int
is_one_of(struct span key, const char *const *names)
{
	for (; *names != NULL; names++)
		if (span_is(key, *names))
			return (1);
	return (0);
}

/* The names that an answer with records begins with, and those of the records. */
static const char *const answer_names[] = { "took", "timed_out", "hits", "_scroll_id", "pit_id",
	"events", "searchedLogStreams", "nextToken", "nextForwardToken", NULL };
static const char *const record_names[] = { "hits", "events", NULL };

/* An array of objects begins at i: behind its bracket, 0 when it is none. */
static size_t
array_at(struct span s, size_t i)
{
	size_t	 k;

	if (i >= s.n || s.p[i] != '[')
		return (0);
	k = skip_blanks(s, i + 1);
	if (k >= s.n || s.p[k] != '{')
		return (0);
	k = skip_blanks(s, k + 1);
	return (k < s.n && s.p[k] == '"' ? i + 1 : 0);
}

/* Of an answer with records: where these begin, 0 when it is none. */
static size_t
answer_at(struct span s, size_t i)
{
	struct span	 key = { NULL, 0 };
	size_t		 from, end, first = 0, inside;

	if (s.n > LOOK_BYTES)
		s.n = LOOK_BYTES;
	while (i < s.n) {
		if (s.p[i] != '"') {
			i++;
			continue;
		}
		from = i + 1;
		i = skip_string(s, i);
		end = skip_blanks(s, i);
		if (end >= s.n || s.p[end] != ':')
			continue;
		key = span_make(s.p + from, i - 1 - from);
		if (first++ == 0 && !is_one_of(key, answer_names))
			return (0);
		i = skip_blanks(s, end + 1);
		if (is_one_of(key, record_names) && (inside = array_at(s, i)) > 0)
			return (inside);
	}
	return (0);
}

/* Objects over several lines, one behind another: the first line is a bracket
 * alone, and a second one follows behind the first's end. */
static int
are_printed(struct span s, size_t i)
{
	const char	*p;
	size_t		 k = i + 1;

	while (k < s.n && (s.p[k] == ' ' || s.p[k] == '\r'))
		k++;
	if (k >= s.n || s.p[k] != '\n')
		return (0);
	if (memmem(s.p, s.n, "\"__REALTIME_TIMESTAMP\"", 22) != NULL)
		return (1);
	p = memmem(s.p, s.n, "\n}", 2);
	k = p != NULL ? skip_blanks(s, (size_t)(p - s.p) + 2) : s.n;
	return (k < s.n && s.p[k] == '{');
}

int
json_lines_begin(struct json_lines *j, struct span s)
{
	size_t	 i = s.n >= 3 && memcmp(s.p, "\357\273\277", 3) == 0 ? 3 : 0, at;

	memset(j, 0, sizeof *j);
	j->newline = j->comma = j->column = -1;
	i = skip_blanks(s, i);
	if (i >= s.n)
		return (0);
	if ((at = array_at(s, i)) == 0 && s.p[i] == '{')
		at = answer_at(s, i + 1);
	j->skip = (int64_t)at;
	j->single = at == 0 && s.p[i] == '{' && are_printed(s, i);
	j->on = at > 0 || j->single;
	return (j->on);
}

struct edit {
	char	*block;
	int64_t	 base;
};

/* The byte with that offset, if it is still in the block. */
static void
put(const struct edit *e, int64_t offset, char c)
{
	if (offset >= e->base)
		e->block[offset - e->base] = c;
}

static void
newline(struct json_lines *j, int64_t offset)
{
	j->newline = offset;
	j->blank = 1;
}

static void
between(struct json_lines *j, const struct edit *e, char *p, int64_t offset)
{
	switch (*p) {
	case '{':
		if (j->comma >= 0)
			put(e, j->comma, '\n');
		j->comma = -1;
		j->depth = 1;
		if (j->column < 0 && j->blank)
			j->column = offset - j->newline;
		j->blank = 0;
		break;
	case '\n':
		if (j->comma >= 0)
			put(e, j->comma, ' ');
		j->comma = -1;
		newline(j, offset);
		break;
	case ',':
		j->comma = offset;
		break;
	case ']':
		j->ended = !j->single;
		*p = ' ';
		break;
	case '\r':
		*p = ' ';
		break;
	}
}

/* Text goes over no line: a quote is missing, and the record is none. */
static void
inside(struct json_lines *j, const struct edit *e, char *p, int64_t offset)
{
	if (j->in_string && *p != '\n') {
		if (j->escaped || *p == '\\')
			j->escaped = !j->escaped;
		else if (*p == '"')
			j->in_string = 0;
		return;
	}
	j->in_string = j->escaped = 0;
	switch (*p) {
	case '\n':
		*p = '\r';
		newline(j, offset);
		return;
	case '\r':
		*p = ' ';
		return;
	case ' ': case '\t':
		return;
	case '"':
		j->in_string = 1;
		break;
	case '{':
		/* where records begin: the one before has no end */
		if (j->blank && offset - j->newline == j->column) {
			put(e, j->newline, '\n');
			j->depth = 0;
		}
		j->depth++;
		break;
	case '[':
		j->depth++;
		break;
	case '}': case ']':
		j->depth--;
		break;
	}
	j->blank = 0;
}

void
json_lines_edit(struct json_lines *j, char *block, size_t at, size_t n, int64_t base)
{
	struct edit	 e = { block, base };
	char		*p = block + at, *end = p + n;
	int64_t		 offset = base + (int64_t)at;

	for (; p < end; p++, offset++) {
		if (j->skip > 0 || j->ended) {
			if (j->skip > 0)
				j->skip--;
			if (*p == '\n')
				newline(j, offset);
			else
				*p = ' ';
		} else if (j->depth == 0) {
			between(j, &e, p, offset);
		} else {
			inside(j, &e, p, offset);
		}
	}
}

struct span
json_lines_prefix(struct span s, struct buf *b)
{
	struct json_lines	 j;
	size_t			 start = b->n, i, from, k;

	if (!json_lines_begin(&j, s))
		return (s);
	buf_add(b, s.p, s.n);
	json_lines_edit(&j, b->p + start, 0, s.n, 0);
	for (i = from = start, k = start; i < b->n; i++) {
		if (i == from && b->p[i] == ' ')
			from++;		/* what a line begins with */
		else
			b->p[k++] = b->p[i];
		if (b->p[i] == '\n')
			from = i + 1;
	}
	b->n = k;
	return (span_make(b->p + start, k - start));
}

/* --- bytes that are no text ------------------------------------------- */

int
json_lines_have_bytes(struct span s)
{
	return (s.n > 0 && memmem(s.p, s.n, "\"__REALTIME_TIMESTAMP\"", 22) != NULL);
}

/* One byte as it stands in a JSON string, in no more room than its digits had;
 * what no line of text has is left out. */
static char *
put_byte(char *to, int c)
{
	if (c == '\t')
		c = ' ';
	if (c == '\n' || c == '"' || c == '\\') {
		*to++ = '\\';
		c = c == '\n' ? 'n' : c;
	} else if (c < ' ') {
		return (to);
	}
	*to++ = (char)c;
	return (to);
}

/* Whether a byte belongs to a terminal's sequence (ESC, '[', up to a letter). */
static int
is_escape(int c, int *state)
{
	if (*state == 0 && c != '\033')
		return (0);
	if (*state == 0 || (*state == 1 && c == '['))
		(*state)++;
	else if (*state == 1 || c >= 0x40)
		*state = 0;
	return (1);
}

/* The array between p and end, of numbers of one byte each: 1 written over as
 * text. */
static int
write_text(char *p, char *end)
{
	char	*q = p, *to = p;
	int	 v, digits, lines = 0, pass, escape = 0;

	for (pass = 0; pass < 2; pass++) {
		for (q = p, v = digits = 0; q <= end; q++) {
			if (q < end && *q >= '0' && *q <= '9') {
				v = v * 10 + (*q - '0');
				if (++digits > 3 || v > 255)
					return (0);
			} else if (q == end || *q == ',') {
				if (pass == 1 && digits > 0 && !is_escape(v, &escape))
					to = put_byte(to, v);
				v = digits = 0;
			} else if (!is_blank(*q)) {
				return (0);
			} else if (pass == 0) {
				lines += *q == '\r';
			}
		}
	}
	p[-1] = '"';
	*to++ = '"';
	while (to <= end)
		*to++ = lines-- > 0 ? '\r' : ' ';
	return (1);
}

void
json_lines_bytes(char *p, size_t n)
{
	struct span	 s = span_make(p, n);
	const char	*m, *close;
	size_t		 i = 0;

	while (i < n && (m = memmem(p + i, n - i, "\"MESSAGE\"", 9)) != NULL) {
		i = skip_blanks(s, (size_t)(m - p) + 9);
		if (i >= n || p[i] != ':')
			continue;
		i = skip_blanks(s, i + 1);
		if (i >= n || p[i] != '[' || (close = memchr(p + i, ']', n - i)) == NULL)
			continue;
		(void)write_text(p + i + 1, p + (close - p));
	}
}
