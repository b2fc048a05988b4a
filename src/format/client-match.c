#include "format/client-match.h"

#include <strings.h>

static int
overlap(const struct rule_match *a, const struct rule_match *b)
{
	return (a->all.p < b->all.p + b->all.n && b->all.p < a->all.p + a->all.n);
}

void
client_match_fill(struct rule_match *to, const struct rule_match *from)
{
	if (to->slot == OBS_NO_SLOT) {
		to->slot = from->slot;
		to->key = from->key;
	}
	if (to->ep.host.p == NULL)
		to->ep = from->ep;
	if (to->node.host.p == NULL)
		to->node = from->node;
	if (to->code.p == NULL)
		to->code = from->code;
	if (to->code.p == NULL && from->rule->class == RULE_REDIRECT)
		to->code = span_of(reply_code_word(from->rule->code));
	if (to->duration_us == OBS_NO_NUM)
		to->duration_us = from->duration_us;
}

size_t
client_match_drop_overlaps(struct rule_match *match, size_t nmatches)
{
	struct rule_match	*a, *b, *winner, *loser;
	size_t			 i, k, n = 0;

	for (i = 0; i < nmatches; i++)
		for (k = i + 1; k < nmatches; k++) {
			a = &match[i];
			b = &match[k];
			if (a->rule == NULL || b->rule == NULL || !overlap(a, b))
				continue;
			if (a->rule->class == RULE_REFRESH_FAILED ||
			    b->rule->class == RULE_REFRESH_FAILED) {
				if (a->rule->class != b->rule->class)
					continue;
			}
			winner = a->rule->number <= b->rule->number ? a : b;
			if ((a->rule->class == RULE_ERROR) != (b->rule->class == RULE_ERROR))
				winner = a->rule->class == RULE_ERROR ? a : b;
			loser = winner == a ? b : a;
			client_match_fill(winner, loser);
			loser->rule = NULL;
		}
	for (i = 0; i < nmatches; i++)
		if (match[i].rule != NULL)
			match[n++] = match[i];
	return (n);
}

/* Network errors that do not say Redis: other services have them too. */
static int
is_foreign(const struct rule_match *m, struct span text)
{
	static const int		 ports[] = { 22, 25, 53, 80, 389, 443, 465, 587, 636,
		1433, 1521, 2181, 2379, 3306, 4317, 4318, 5432, 5671, 5672, 8080, 8125, 8443,
		8500, 9000, 9042, 9090, 9092, 9200, 9300, 11211, 27017 };
	static const char *const	 redis[] = { "redis", "Redis", "REDIS", "valkey", "Valkey",
		"jedis", "Jedis", "lettuce" };
	static const char *const	 other[] = { "psycopg", "postgres", "mysql", "kafka", "mongo",
		"amqp", "rabbit", "http://", "https://", "smtp", "zookeeper", "memcache", "elastic" };
	size_t				 i;

	if (strcmp(m->rule->client, "any") != 0 || m->rule->class != RULE_CONTACT)
		return (0);
	for (i = 0; i < sizeof redis / sizeof redis[0]; i++)
		if (memmem(text.p, text.n, redis[i], strlen(redis[i])) != NULL)
			return (0);
	for (i = 0; i < sizeof ports / sizeof ports[0]; i++)
		if (m->ep.port == ports[i])
			return (1);
	for (i = 0; i < sizeof other / sizeof other[0]; i++)
		if (memmem(text.p, text.n, other[i], strlen(other[i])) != NULL)
			return (1);
	return (0);
}

size_t
client_match_drop_foreign(struct rule_match *match, size_t nmatches, struct span text)
{
	size_t	 i, n = 0;

	for (i = 0; i < nmatches; i++)
		if (!is_foreign(&match[i], text))
			match[n++] = match[i];
	return (n);
}

const struct rule_match *
client_match_primary(const struct rule_match *match, size_t n, struct span text)
{
	static const enum rule_class	 order[] = { RULE_ERROR, RULE_SCOPE, RULE_REFRESH_FAILED,
	    RULE_REFRESH };
	size_t				 i, k;

	for (i = 0; i < sizeof order / sizeof order[0]; i++)
		for (k = 0; k < n; k++)
			if (match[k].rule->class == order[i])
				return (&match[k]);
	if (n == 0)
		return (NULL);
	/* Python prints the exception that came out last, everybody else first. */
	if (memmem(text.p, text.n, "Traceback (most recent", 22) != NULL)
		return (&match[n - 1]);
	/* Where several attempts failed, one that says whose counts. */
	for (k = 0; match[0].rule->class == RULE_CONTACT && k < n; k++)
		if (match[k].rule->class == RULE_CONTACT && match[k].ep.host.p != NULL)
			return (&match[k]);
	return (&match[0]);
}

/*
 * redis-py logs what it catches and tries again, whatever the logger's format
 * shows: the traceback begins where it was caught, in its own _execute_command.
 * One that reached the application begins in the application; of chained ones
 * the last is what was logged.
 */
static int
caught_by_redis_py(struct span text)
{
	static const char	 head[] = "Traceback (most recent call last):";
	static const char *const files[] = { "redis/cluster.py\"", "redis/asyncio/cluster.py\"",
		"rediscluster/client.py\"" };
	const char		*end = text.p + text.n, *p, *at = NULL, *eol;
	size_t			 i;

	for (p = text.p; (p = memmem(p, (size_t)(end - p), head, sizeof head - 1)) != NULL;)
		at = p += sizeof head - 1;
	if (at == NULL || (at = memmem(at, (size_t)(end - at), "File \"", 6)) == NULL)
		return (0);
	if ((eol = memchr(at, '\n', (size_t)(end - at))) == NULL)
		eol = end;
	for (i = 0; i < sizeof files / sizeof files[0]; i++)
		if (memmem(at, (size_t)(eol - at), files[i], strlen(files[i])) != NULL &&
		    memmem(at, (size_t)(eol - at), " in _execute_command", 20) != NULL)
			return (1);
	return (0);
}

static int
is_word(char c)
{
	return ((c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_');
}

/* "ReplyError", "JedisMovedDataException", "Redis::CommandError" anywhere; bare:
 * "Error" by itself, too. */
static int
names_error(struct span text, int bare)
{
	static const char *const	 ends[] = { "Error", "Exception", "ErrorReply",
		"ErrorCollection" };
	const char			*p, *end;
	size_t				 i, n;

	if (text.n == 0)		/* and perhaps no text at all */
		return (0);
	end = text.p + text.n;
	for (i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		n = strlen(ends[i]);
		for (p = text.p; (p = memmem(p, (size_t)(end - p), ends[i], n)) != NULL;) {
			p += n;
			if ((p == end || !is_word(*p)) &&
			    (bare || (p - n > text.p && is_word(p[-(ptrdiff_t)n - 1]))))
				return (1);
		}
	}
	return (0);
}

static int
names_exception(struct span text)
{
	return (names_error(text, 1));
}

int
client_match_in_passing(const struct record *r)
{
	static const char *const	 loggers[] = { "redis.cluster", "redis.asyncio",
		"rediscluster", "aioredis_cluster", "io.lettuce.", "i.l.c", "org.redisson", "o.r.",
		"redis.clients.jedis", "r.c.j", "fred::", "redis::cluster", "logger_core" };
	static const char *const	 levels[] = { "debug", "trace", "verbose", "fine", "finer",
		"finest", "silly", "dbg", "dbug", "trce" };
	size_t				 i, n;
	int				 exception = names_exception(r->logger);

	for (i = 0; i < sizeof levels / sizeof levels[0]; i++)
		if (r->level.n == strlen(levels[i]) &&
		    strncasecmp(r->level.p, levels[i], r->level.n) == 0)
			return (1);
	for (i = 0; i < sizeof loggers / sizeof loggers[0]; i++) {
		n = strlen(loggers[i]);
		if (!exception && r->logger.n >= n && memcmp(r->logger.p, loggers[i], n) == 0)
			return (1);
		if (r->thread.n >= n && memcmp(r->thread.p, loggers[i], n) == 0)
			return (1);
	}
	return (caught_by_redis_py(r->text));
}

/* --- what a line says, and what it only speaks of --------------------------- */

static int
is_level(struct span level, const char *const *words, size_t n)
{
	size_t	 i;

	for (i = 0; i < n; i++)
		if (level.n == strlen(words[i]) && strncasecmp(level.p, words[i], level.n) == 0)
			return (1);
	return (0);
}

static const char *const	 quiet_levels[] = { "info", "inf", "information", "informational",
	"notice", "debug", "dbg", "dbug", "trace", "trce", "verbose", "fine", "finer", "finest",
	"config", "silly", "http" };
static const char *const	 warning_levels[] = { "warn", "warning", "wrn" };

/* Below a warning: the program tells what it does. */
static int
is_quiet(const struct record *r)
{
	return (is_level(r->level, quiet_levels, sizeof quiet_levels / sizeof quiet_levels[0]));
}

static int
has_trace(struct span text)
{
	static const char *const	 marks[] = { "\n\tat ", "\n    at ", "\n  at ",
		"\nCaused by: ", "Traceback (most recent", "\ngoroutine ", "\n#0 " };
	size_t				 i;

	for (i = 0; i < sizeof marks / sizeof marks[0]; i++)
		if (memmem(text.p, text.n, marks[i], strlen(marks[i])) != NULL)
			return (1);
	return (0);
}

/* The client went on: nobody was given the redirect. */
static int
says_followed(struct span text)
{
	static const char *const	 words[] = { "followed ", "following MOVED",
		"following ASK", "following redirect", "refreshing", "retrying", "will retry",
		"redirected", "redirecting" };
	size_t				 i;

	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (memmem(text.p, text.n, words[i], strlen(words[i])) != NULL)
			return (1);
	return (0);
}

int
client_match_goes_on(const struct record *r, const struct rule_match *m)
{
	int	 below = is_quiet(r) || is_level(r->level, warning_levels,
	    sizeof warning_levels / sizeof warning_levels[0]);

	if (strcmp(m->rule->client, "any") != 0 || has_trace(r->text))
		return (0);
	/* "Error: MOVED ..." is how C programs call any reply that is one. */
	if (names_error(r->text, r->level.n == 0))
		return (below && says_followed(r->text));
	return (r->level.n == 0 ? says_followed(r->text) : below);
}

static struct span
line_around(struct span text, const char *at)
{
	const char	*from = at > text.p ? memrchr(text.p, '\n', (size_t)(at - text.p)) : NULL;
	const char	*to = memchr(at, '\n', (size_t)(text.p + text.n - at));

	from = from != NULL ? from + 1 : text.p;
	return (span_make(from, (size_t)((to != NULL ? to : text.p + text.n) - from)));
}

/* Stands in double quotes inside a sentence.  Those behind = : ( and the like
 * are the writer's syntax, and so are those that the line ends with. */
static int
is_quoted(const struct rule_match *m, struct span line)
{
	const char	*p, *open = NULL, *end = line.p + line.n, *close;

	for (p = line.p; p < m->all.p; p++)
		if (*p == '"')
			open = open == NULL ? p : NULL;
	if (open == NULL || m->all.p + m->all.n > end)
		return (0);
	for (p = open; p > line.p && p[-1] == ' '; p--)
		;
	if (p > line.p && strchr("=:([{,\\", p[-1]) != NULL)
		return (0);
	close = memchr(m->all.p, '"', (size_t)(end - m->all.p));
	return (close != NULL && end - close > 2 && close[1] == ' ' && is_word(close[2]));
}

/* A class's name between other words, with nothing said of it: a sentence about
 * the error. */
static int
is_name_in_sentence(const struct rule_match *m, struct span line)
{
	const char	*p = m->all.p, *end = m->all.p + m->all.n;

	if (m->all.n < 6 || end > line.p + line.n || memchr(p, ' ', m->all.n) != NULL ||
	    !is_word(end[-1]) || !names_exception(m->all))
		return (0);
	if (end < line.p + line.n && (*end == ':' || *end == '('))
		return (0);
	while (p > line.p && (is_word(p[-1]) || p[-1] == '.'))
		p--;
	return (p - line.p > 1 && p[-1] == ' ' && is_word(p[-2]));
}

size_t
client_match_drop_mentions(struct rule_match *match, size_t nmatches, const struct record *r)
{
	struct span	 line;
	size_t		 i, n = 0;

	if (!is_quiet(r) || has_trace(r->text))
		return (nmatches);
	for (i = 0; i < nmatches; i++) {
		line = line_around(r->text, match[i].all.p);
		if (match[i].rule->class == RULE_ERROR && is_name_in_sentence(&match[i], line))
			continue;
		if ((match[i].rule->class == RULE_CONTACT || match[i].rule->class == RULE_ERROR ||
		    match[i].rule->class == RULE_REDIRECT) && is_quoted(&match[i], line))
			continue;
		match[n++] = match[i];
	}
	return (n);
}
