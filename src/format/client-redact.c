#include "format/client-redact.h"

#include <ctype.h>
#include <strings.h>

#include "model/endpoint.h"
#include "wire/command.h"

/* Commands whose keys or values wire/command.h does not place. */
static const char *const without_place[] = { "auth", "blmpop", "bzmpop", "config", "echo",
	"eval", "evalsha", "fcall", "georadius", "georadiusbymember", "hello", "keys", "lmpop",
	"memory", "migrate", "object", "pfselftest", "publish", "psubscribe", "scan", "script",
	"sintercard", "sort", "spublish", "ssubscribe", "subscribe", "xgroup", "xinfo", "xread",
	"xreadgroup", "zdiff", "zdiffstore", "zinter", "zintercard", "zinterstore", "zmpop",
	"zunion", "zunionstore", "eval_ro", "evalsha_ro", "fcall_ro" };
static const char *const modules[] = { "json.", "ft.", "bf.", "cf.", "ts.", "cms.", "topk.",
	"tdigest.", "graph." };

/* Words behind a command's name that are no argument of it. */
static const char *const prose[] = { "after", "against", "and", "at", "because", "by",
	"can", "cannot", "command", "commands", "could", "error", "exceeded", "exhausted",
	"failed", "for", "from", "got", "in", "is", "of", "on", "or", "received", "reply",
	"request", "response", "returned", "timed", "to", "was", "were", "when", "with" };
static const char *const before_node[] = { "at", "on", "to", "from", "node", "host", "server",
	"endpoint", "by", "via" };
static const char *const replies[] = { "CLUSTERDOWN", "TRYAGAIN", "LOADING", "READONLY",
	"MASTERDOWN", "CROSSSLOT" };

enum field { FIELD_NONE, FIELD_VALUE, FIELD_WORD, FIELD_KEY, FIELD_COMMAND };
#define FIELD(name, field)	{ name, sizeof (name) - 1, FIELD_##field }
static const struct { const char *name; size_t n; enum field field; } fields[] = {
	FIELD("arg", VALUE), FIELD("args", VALUE), FIELD("argument", VALUE),
	FIELD("arguments", VALUE), FIELD("argv", VALUE), FIELD("body", VALUE),
	FIELD("data", VALUE), FIELD("kwargs", VALUE), FIELD("param", VALUE),
	FIELD("parameters", VALUE), FIELD("params", VALUE), FIELD("payload", VALUE),
	FIELD("val", VALUE), FIELD("value", VALUE), FIELD("values", VALUE), FIELD("auth", WORD),
	FIELD("credentials", WORD), FIELD("passwd", WORD), FIELD("password", WORD),
	FIELD("pwd", WORD), FIELD("secret", WORD), FIELD("token", WORD), FIELD("key", KEY),
	FIELD("keys", KEY), FIELD("cmd", COMMAND), FIELD("command", COMMAND),
	FIELD("executing", COMMAND), FIELD("query", COMMAND), FIELD("statement", COMMAND)
};
#undef FIELD

struct redact {
	struct buf	*out;
	const char	*start, *end;
	struct span	 key;		/* p NULL: none to keep */
	char		 quote;		/* the one that is open here, or NUL */
};

static int
is_word(char c)
{
	return (isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-');
}

static int
is_quote(char c)
{
	return (c == '"' || c == '\'' || c == '`');
}

static char
closing(char c)
{
	switch (c) {
	case '(':
		return (')');
	case '[':
		return (']');
	case '{':
		return ('}');
	case '<':
		return ('>');
	default:
		return ('\0');
	}
}

static int
is_closing(char c)
{
	return (c == ')' || c == ']' || c == '}' || c == '>');
}

static int
is_one_of(struct span w, const char *const *words, size_t n)
{
	size_t	 i;

	for (i = 0; i < n; i++)
		if (w.n > 0 && (words[i][0] | 32) == (w.p[0] | 32) &&
		    strlen(words[i]) == w.n && strncasecmp(words[i], w.p, w.n) == 0)
			return (1);
	return (0);
}
#define ONE_OF(w, words) is_one_of(w, words, sizeof (words) / sizeof (words)[0])

static int
is_command(struct span w)
{
	size_t	 i, n;

	if (command_has_key(w))
		return (1);
	for (i = 0; i < sizeof modules / sizeof modules[0]; i++) {
		if (w.n == 0 || modules[i][0] != (w.p[0] | 32))
			continue;
		n = strlen(modules[i]);
		if (w.n > n && strncasecmp(modules[i], w.p, n) == 0)
			return (1);
	}
	return (ONE_OF(w, without_place));
}

/* "value", "last_value", "newValue" */
static enum field
field_of(struct span w)
{
	const char	*t;
	size_t		 i, n;

	for (i = 0; i < sizeof fields / sizeof fields[0]; i++) {
		n = fields[i].n;
		if (w.n < n || (w.p[w.n - n] | 32) != fields[i].name[0] ||
		    strncasecmp(w.p + w.n - n, fields[i].name, n) != 0)
			continue;
		t = w.p + w.n - n;
		if (w.n == n || strchr("_.-", t[-1]) != NULL ||
		    (isupper((unsigned char)t[0]) && islower((unsigned char)t[-1])))
			return (fields[i].field);
	}
	return (FIELD_NONE);
}

static const char *
skip_spaces(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return (p);
}

/* Behind the quote that closes the one at p (which may be escaped as a whole:
 * \"), the end when none does. */
static const char *
skip_quoted(const char *p, const char *end)
{
	int	 escaped = *p == '\\';
	char	 q = p[escaped];

	for (p += 1 + escaped; p < end; p++) {
		if (*p == '\\' && p + 1 < end) {
			if (escaped && p[1] == q)
				return (p + 2);
			p++;
		} else if (*p == q && !escaped) {
			return (p + 1);
		}
	}
	return (end);
}

/* The bracket that closes those open at p, the end when none does. */
static const char *
skip_nested(const char *p, const char *end, char open, char close)
{
	int	 depth = 1;

	while (p < end) {
		if (is_quote(*p) && !isalnum((unsigned char)p[-1])) {
			p = skip_quoted(p, end);
			continue;
		}
		if (*p == '\\' && p + 1 < end) {
			p = is_quote(p[1]) ? skip_quoted(p, end) : p + 2;
			continue;
		}
		depth += (*p == open) - (*p == close);
		if (depth == 0)
			return (p);
		p++;
	}
	return (end);
}

static void
put_gone(struct redact *r, const char *from, const char *to)
{
	if (r->key.p != NULL && r->key.n > 0 &&
	    memmem(from, (size_t)(to - from), r->key.p, r->key.n) != NULL) {
		buf_add(r->out, r->key.p, r->key.n);
		if (r->key.n == (size_t)(to - from))
			return;
		buf_chr(r->out, ' ');
	}
	buf_str(r->out, "...");
}

static struct span
token_at(const char *p, const char *end)
{
	const char	*q = p;

	while (q < end && !isspace((unsigned char)*q))
		q++;
	while (q > p && (strchr(",;.:!?\"'`)}>", q[-1]) != NULL ||
	    (q[-1] == ']' && p[0] != '[')))
		q--;
	return (span_make(p, (size_t)(q - p)));
}

static int
is_hex_id(struct span t)
{
	size_t	 i;

	for (i = 0; i < t.n; i++)
		if (!isxdigit((unsigned char)t.p[i]))
			return (0);
	return (t.n == 40);
}

/* An address in figures; with_name: a host's name and port, or a node's id. */
static int
is_node(struct span t, int with_name)
{
	struct endpoint	 ep;
	size_t		 i, dots = 0;

	if (with_name && is_hex_id(t))
		return (1);
	if (t.n == 0 || memchr(t.p, ':', t.n) == NULL || endpoint_parse(t, &ep) != 0 ||
	    ep.port <= 0)
		return (0);
	for (i = 0; i < ep.host.n; i++) {
		dots += ep.host.p[i] == '.';
		if (!isdigit((unsigned char)ep.host.p[i]) && ep.host.p[i] != '.')
			return (t.p[0] == '[' || with_name);
	}
	return (dots == 3);
}

/* What stands at the beginning of a word is no argument, but what the client
 * says of the cluster. */
static int
is_said(const char *p, const char *end)
{
	struct span	 t = token_at(p, end), next;
	const char	*q = skip_spaces(p + t.n, end);
	size_t		 i;

	next = token_at(q, end);
	if ((span_is(t, "MOVED") || span_is(t, "ASK")) && q < end && isdigit((unsigned char)*q))
		return (1);
	if (span_is(t, "-") || (end - p > 2 && memcmp(p, "->", 2) == 0) || is_node(t, 0))
		return (1);
	for (i = 0; i < sizeof replies / sizeof replies[0]; i++)
		if (span_is(t, replies[i]))
			return (1);
	if (ONE_OF(t, before_node) && (is_node(next, 1) || (ONE_OF(next, before_node) &&
	    is_node(token_at(skip_spaces(next.p + next.n, end), end), 1))))
		return (1);
	if (span_is(t, "slot") && next.n > 0 && isdigit((unsigned char)next.p[0]))
		return (1);
	for (i = 0; i < t.n && (is_word(t.p[i]) || t.p[i] == ':'); i++)
		;
	return (i == t.n && ((t.n > 5 && memcmp(t.p + t.n - 5, "Error", 5) == 0) ||
	    (t.n > 9 && memcmp(t.p + t.n - 9, "Exception", 9) == 0)));
}

/* "name=" or, where a colon will do, "name: " */
static int
is_member(const char *p, const char *end, int colon)
{
	const char	*q = p;

	while (q < end && is_word(*q))
		q++;
	return (q > p && isalpha((unsigned char)*p) && q < end && (*q == '=' ||
	    (colon && *q == ':' && q + 1 < end && q[1] == ' ')));
}

/* Where arguments or a value without quotes end. */
static const char *
run_end(const struct redact *r, const char *p, int words, int members)
{
	const char	*x = p, *end = r->end, *q;

	while (x < end) {
		if (is_closing(*x) && !(*x == '>' && x > p && x[-1] == '-'))
			break;
		if (*x == r->quote && (x + 1 == end || strchr(" \t,;)]}>.:", x[1]) != NULL))
			break;
		if (*x == '\\' && x + 1 < end) {
			if (x[1] == r->quote && r->quote != '\0')
				break;
			x = is_quote(x[1]) ? skip_quoted(x, end) : x + 2;
			continue;
		}
		if (closing(*x) != '\0') {
			if (*x == '[' && is_said(x, end) && x > p && x[-1] == ' ')
				break;
			q = skip_nested(x + 1, end, *x, closing(*x));
			x = q < end ? q + 1 : *x == '<' ? x + 1 : end;
			continue;
		}
		if (is_quote(*x) && (x == p || !isalnum((unsigned char)x[-1]))) {
			x = skip_quoted(x, end);
			continue;
		}
		if (words && strchr(" \t,;", *x) != NULL)
			break;
		if (*x == ',' || *x == ';') {
			q = skip_spaces(x + 1, end);
			if (q > x + 1 && (is_member(q, end, 1) || is_said(q, end)))
				break;
		}
		if (x == p || x[-1] == ' ' || x[-1] == '\t')
			if (is_said(x, end) || (members && x > p && is_member(x, end, 0)))
				break;
		x++;
	}
	while (x > p && strchr(" \t", x[-1]) != NULL)
		x--;
	return (x);
}

static const char *
cut_run(struct redact *r, const char *p, int words, int members)
{
	const char	*q = run_end(r, p, words, members);

	if (q > p)
		put_gone(r, p, q);
	return (q);
}

/* The value of a member goes; what is behind it is returned. */
static const char *
cut_value(struct redact *r, const char *v, enum field field)
{
	const char	*q, *from;
	int		 escaped;

	if (v + 1 < r->end && (*v == 'b' || *v == 'u') && is_quote(v[1]))
		buf_chr(r->out, *v++);
	if (v >= r->end)
		return (v);
	escaped = *v == '\\' && v + 1 < r->end && is_quote(v[1]);
	if (r->quote != '\0' && v[escaped] == r->quote)
		return (v);		/* it closes what surrounds the member */
	if (is_quote(*v) || escaped) {
		q = skip_quoted(v, r->end);
		from = v + 1 + escaped;
		buf_add(r->out, v, (size_t)(from - v));
		if (q - from > escaped && q[-1] == v[escaped]) {
			put_gone(r, from, q - 1 - escaped);
			buf_add(r->out, q - 1 - escaped, 1 + (size_t)escaped);
		} else {
			put_gone(r, from, q);
		}
		from = q < r->end && *q == ',' ? skip_spaces(q + 1, r->end) : r->end;
		if (field != FIELD_VALUE || from == r->end || *from != *v || escaped)
			return (q);
		from = skip_quoted(from, r->end);	/* 'a', 'b', not 'a', "b": ... */
		return (from < r->end && *from == ':' ? q : cut_run(r, q, 0, 1));
	}
	if (closing(*v) != '\0') {
		q = skip_nested(v + 1, r->end, *v, closing(*v));
		buf_chr(r->out, *v);
		if (q > v + 1)
			put_gone(r, v + 1, q);
		if (q == r->end)
			return (q);
		buf_chr(r->out, *q++);
		if (q < r->end && (is_word(*q) || *q == '<'))
			q = run_end(r, q, field != FIELD_VALUE, 1);
		return (q);
	}
	return (cut_run(r, v, field != FIELD_VALUE, 1));
}

/* A quote that closes right behind the word is open no more. */
static void
close_quote(struct redact *r, const char *w)
{
	if (w < r->end && *w == '\\')
		w++;
	if (w < r->end && *w == r->quote)
		r->quote = '\0';
}

/* Where the value of a member named by the word p to w begins, or NULL. */
static const char *
value_of(const struct redact *r, const char *p, const char *w)
{
	const char	*v = w, *x;

	if (v < r->end && *v == '\\')
		v++;
	if (v < r->end && is_quote(*v) && p > r->start && p[-1] == *v)
		v++;
	else
		v = w;
	x = skip_spaces(v, r->end);
	if (x >= r->end)
		return (NULL);
	if (*x == ':' && x + 1 < r->end && x[1] == ':')
		return (NULL);
	if (*x == '=' || *x == ':') {
		x++;
		if (x < r->end && (*x == '>' || *x == '='))
			x++;
		return (skip_spaces(x, r->end));
	}
	if (closing(*x) != '\0' || (x > v && is_quote(*x)))
		return (x);
	return (NULL);
}

/* Does the word p to w stand first in a list: ['SET', (SET, [:set, Args("SET" */
static const char *
list_behind(const struct redact *r, const char *p, const char *w)
{
	const char	*b = p, *x = w;

	if (b > r->start && (is_quote(b[-1]) || b[-1] == ':')) {
		b--;
		if (is_quote(*b) && x < r->end && *x == '\\')
			x++;
		if (is_quote(*b) && x < r->end && *x == *b)
			x++;
		if (b > r->start && b[-1] == '\\')
			b--;
		if (b > r->start && (b[-1] == 'b' || b[-1] == 'u'))
			b--;
	}
	while (b > r->start && b[-1] == ' ')
		b--;
	if (b == r->start || closing(b[-1]) == '\0')
		return (NULL);
	x = skip_spaces(x, r->end);
	if (x >= r->end || *x != ',')
		return (NULL);
	x = skip_spaces(x + 1, r->end);
	return (is_member(x, r->end, 1) ? NULL : x);
}

static const char *
list_end(const char *p, const char *end)
{
	const char	*q;

	for (q = p; q < end && !is_closing(*q);) {
		if (is_quote(*q) || (*q == '\\' && q + 1 < end && is_quote(q[1])))
			q = skip_quoted(q, end);
		else if (*q != '<' && closing(*q) != '\0') {
			q = skip_nested(q + 1, end, *q, closing(*q));
			q += q < end;
		} else
			q++;
	}
	return (q);
}

/* What stands behind a word in small letters looks like a key. */
static int
is_key_like(struct span t)
{
	size_t	 i;
	int	 letters = 0, marks = 0;

	for (i = 0; i < t.n; i++) {
		letters += isalpha((unsigned char)t.p[i]) != 0;
		marks += isdigit((unsigned char)t.p[i]) || strchr(":_@{\"'<", t.p[i]) != NULL;
	}
	return (letters > 0 && marks > 0);
}

/* Where arguments begin behind the command p to w, or NULL. */
static const char *
arguments_of(const struct redact *r, const char *p, const char *w, int asked)
{
	const char	*x = w, *q;
	struct span	 t;
	int		 upper = 1;

	for (q = p; q < w; q++)
		upper &= !islower((unsigned char)*q);
	if (x < r->end && *x == '(')
		return (x);
	if (x + 2 < r->end && is_quote(*x) && x[1] == ' ' && is_quote(x[2]) &&
	    p > r->start && p[-1] == *x)
		return (x + 2);
	if (x + 2 < r->end && is_closing(*x) && x[1] == ' ' && closing(x[2]) != '\0')
		return (is_node(token_at(x + 3, r->end), 1) ? NULL : x + 2);
	if (x + 1 < r->end && x[1] == ' ' && p > r->start && upper && (is_quote(*x) ?
	    p[-1] == *x : closing(p[-1]) == *x)) {
		x++;			/* [SET] key value */
	} else if (x + 1 < r->end && *x == ':' && upper && x[1] == ' ') {
		x = skip_spaces(x + 1, r->end);
		upper = 0;
	}
	if (x >= r->end || (x == w && *x != ' ' && *x != '\t'))
		return (NULL);
	x = skip_spaces(x, r->end);
	t = token_at(x, r->end);
	if (t.n == 0 || ONE_OF(t, prose) || is_said(x, r->end))
		return (NULL);
	if (!upper && !asked && (!is_key_like(t) || (p > r->start && p[-1] == '/')))
		return (NULL);
	return (x);
}

/* user:password@ behind "://" */
static const char *
userinfo_end(const char *p, const char *end)
{
	const char	*q, *at = NULL;

	for (q = p; q < end && strchr(" \t/\"'`,", *q) == NULL; q++)
		if (*q == '@')
			at = q;
	return (at);
}

/* One word, copied, and what hangs on it; returns what is behind. */
static const char *
take_word(struct redact *r, const char *p, int keep_keys, int *asked)
{
	const char	*w = p, *v, *q, *last;
	enum field	 field;
	int		 was_asked = *asked;

	while (w < r->end && is_word(*w))
		w++;
	while (w > p + 1 && (w[-1] == '.' || w[-1] == '-'))
		w--;
	*asked = 0;
	field = field_of(span_make(p, (size_t)(w - p)));
	if (field == FIELD_COMMAND)
		*asked = 1;
	else if (field != FIELD_NONE && !(field == FIELD_KEY && keep_keys) &&
	    (v = value_of(r, p, w)) != NULL) {
		buf_add(r->out, p, (size_t)(v - p));
		if (v > w + 1)
			close_quote(r, w);
		return (cut_value(r, v, field));
	} else if (span_is(span_make(p, (size_t)(w - p)), "name") && was_asked)
		*asked = 1;
	for (last = w; last > p && last[-1] != '.'; last--)
		;
	if (!is_command(span_make(p, (size_t)(w - p))) && !(w < r->end && *w == '(' &&
	    last < w && is_command(span_make(last, (size_t)(w - last))))) {
		buf_add(r->out, p, (size_t)(w - p));
		return (w);
	}
	if ((v = list_behind(r, p, w)) != NULL) {
		q = list_end(v, r->end);
		close_quote(r, w);
		buf_add(r->out, p, (size_t)(v - p));
		if (q > v)
			put_gone(r, v, q);
		return (q);
	}
	if ((v = arguments_of(r, p, w, was_asked)) != NULL) {
		buf_add(r->out, p, (size_t)(v - p));
		if (*v == '(' && v == w)
			return (cut_value(r, v, FIELD_VALUE));
		if (w < v && is_quote(*w))
			r->quote = '\0';
		return (cut_run(r, v, 0, 0));
	}
	buf_add(r->out, p, (size_t)(w - p));
	return (w);
}

void
client_redact(struct buf *b, struct span line, struct span key, int keep_keys)
{
	struct redact	 r = { b, line.p, line.p + line.n, { NULL, 0 }, '\0' };
	const char	*p = line.p, *q;
	int		 asked = 0;

	if (keep_keys)
		r.key = key;
	while (p < r.end) {
		if (is_word(*p) && (p == r.start || !is_word(p[-1]))) {
			p = take_word(&r, p, keep_keys, &asked);
			continue;
		}
		if (is_quote(*p)) {
			if (*p == r.quote)
				r.quote = '\0';
			else if (r.quote == '\0' && (p == r.start ||
			    !isalnum((unsigned char)p[-1])))
				r.quote = *p;
		}
		if (r.end - p > 3 && memcmp(p, "://", 3) == 0 &&
		    (q = userinfo_end(p + 3, r.end)) != NULL) {
			buf_str(b, "://...");
			p = q;
			continue;
		}
		buf_chr(b, *p++);
	}
}
