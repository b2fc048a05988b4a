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

int
client_match_in_passing(const struct record *r)
{
	static const char *const	 loggers[] = { "redis.cluster", "redis.asyncio",
		"rediscluster", "aioredis_cluster", "io.lettuce.", "i.l.c", "org.redisson", "o.r.",
		"redis.clients.jedis", "r.c.j", "fred::", "redis::cluster", "logger_core" };
	static const char *const	 levels[] = { "debug", "trace", "verbose", "fine", "finer",
		"finest", "silly", "dbg", "dbug", "trce" };
	size_t				 i, n;

	for (i = 0; i < sizeof levels / sizeof levels[0]; i++)
		if (r->level.n == strlen(levels[i]) &&
		    strncasecmp(r->level.p, levels[i], r->level.n) == 0)
			return (1);
	for (i = 0; i < sizeof loggers / sizeof loggers[0]; i++) {
		n = strlen(loggers[i]);
		if (r->logger.n >= n && memcmp(r->logger.p, loggers[i], n) == 0)
			return (1);
		if (r->thread.n >= n && memcmp(r->thread.p, loggers[i], n) == 0)
			return (1);
	}
	return (caught_by_redis_py(r->text));
}
