/*
 * check_client.c - client logs: the lines of tests/lines.tsv, and what only
 * several lines together show.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/input.h"
#include "builtin-rules.h"
#include "collect.h"
#include "format/client-redact.h"
#include "format/client-name.h"
#include "format/format.h"
#include "model/endpoint.h"
#include "model/slots.h"
#include "text/stamp.h"

Suite	*suite_client(void);

#define NOVEMBER_2026	INT64_C(1796000000000000)

static void
decode(const char *text, size_t n, const char *name, size_t max_read, struct collect *c)
{
	struct decode_ctx	 ctx = { OBS_NO_NUM, NULL, 0, NOVEMBER_2026, NULL, 0, builtin_rules(), 0,
	    { 0 } };
	struct input		*in = input_memory(text, n, name, max_read);
	struct err		 e = ERR_INIT;

	collect_init(c);
	ck_assert_msg(format_client_log.decode(in, &ctx, &c->sink, &e) == 0, "%s", e.frame[0]);
	input_close(in);
}

static void
read_log(const char *text, struct collect *c)
{
	decode(text, strlen(text), "logs/shop.log", 0, c);
}

static void
add_time(struct buf *b, int64_t at)
{
	int64_t	 day = INT64_C(86400000000), of_day = at % day;
	int	 y = 2000, m = 1;

	if (at == OBS_NO_TIME) {
		buf_chr(b, '-');
		return;
	}
	while (stamp_days(y + 1, 1, 1) <= at / day)
		y++;
	while (m < 12 && stamp_days(y, m + 1, 1) <= at / day)
		m++;
	buf_fmt(b, "%d-%02d-%02dT%02d:%02d:%02d.%03dZ", y, m,
	    (int)(at / day - stamp_days(y, m, 1) + 1), (int)(of_day / 3600000000),
	    (int)(of_day / 60000000 % 60), (int)(of_day / 1000000 % 60),
	    (int)(of_day / 1000 % 1000));
}

static void
add_endpoint(struct buf *b, const struct endpoint *ep)
{
	if (ep->host.p == NULL)
		buf_chr(b, '-');
	else
		endpoint_format(ep, b);
}

/* "kind endpoint slot time" of an observation, as lines.tsv has it; a slot only
 * where the line states it. */
static void
describe(const struct obs *o, struct buf *b)
{
	const struct endpoint	*ep;
	const char		*kind, *p;
	int			 slot = OBS_NO_SLOT, to;

	switch (o->kind) {
	case OBS_REDIRECT:
		for (p = reply_code_word(o->u.redirect.code); *p != '\0'; p++)
			buf_chr(b, *p | 32);
		ep = o->u.redirect.code == CODE_MOVED || o->u.redirect.code == CODE_ASK ?
		    &o->u.redirect.target : &o->u.redirect.asked;
		slot = o->u.redirect.slot;
		break;
	case OBS_CONTACT:
		kind = contact_outcome_word(o->u.contact.outcome);
		buf_fmt(b, "%s%s", strcmp(kind, "refused") == 0 ? "connect-" : "", kind);
		ep = &o->u.contact.ep;
		break;
	case OBS_ERROR:
		buf_str(b, error_kind_word(o->u.error.kind));
		ep = o->u.error.target.host.p != NULL ? &o->u.error.target : &o->u.error.asked;
		slot = o->u.error.slot_from_key ? OBS_NO_SLOT : o->u.error.slot;
		break;
	case OBS_SERVER:
		buf_str(b, o->u.server.kind);
		ep = &o->u.server.subject_ep;
		if (o->u.server.slots.p != NULL)
			ck_assert_int_eq(slots_parse_range(o->u.server.slots, &slot, &to), 0);
		break;
	default:
		ck_abort_msg("an observation that no log line stands for");
	}
	buf_chr(b, ' ');
	add_endpoint(b, ep);
	if (slot != OBS_NO_SLOT)
		buf_fmt(b, " %d ", slot);
	else
		buf_str(b, " - ");
	add_time(b, o->last_at != OBS_NO_TIME ? o->last_at : o->at);
}

static void
unescape(struct buf *b, const char *s)
{
	static const char	 from[] = "tnre\\", to[] = "\t\n\r\033\\";

	for (; *s != '\0' && *s != '\n'; s++) {
		if (*s != '\\') {
			buf_chr(b, *s);
			continue;
		}
		s++;
		ck_assert(*s != '\0' && strchr(from, *s) != NULL);
		buf_chr(b, to[strchr(from, *s) - from]);
	}
	buf_chr(b, '\n');
}

/* One row of lines.tsv: what the first observation must be. */
static void
check_line(char *line, int number)
{
	char		*field[7], *p = line;
	struct buf	 text = { NULL, 0, 0 }, got = { NULL, 0, 0 }, want = { NULL, 0, 0 };
	struct collect	 c;
	int		 i;

	for (i = 0; i < 7; i++) {
		field[i] = p;
		if (i < 6) {
			p = strchr(p, '\t');
			ck_assert_msg(p != NULL, "lines.tsv:%d: fields are missing", number);
			*p++ = '\0';
		}
	}
	unescape(&text, field[6]);
	decode(text.p, text.n, "one.log", 0, &c);
	if (strcmp(field[2], "none") == 0) {
		ck_assert_msg(c.nobs == 0, "lines.tsv:%d: gives something", number);
	} else {
		ck_assert_msg(c.nobs > 0, "lines.tsv:%d: gives nothing", number);
		describe(&c.obs[0], &got);
		buf_fmt(&want, "%s %s %s %s", field[2], field[3], field[4], field[5]);
		/* a tryagain names the node that answered: more than the row says */
		if (strcmp(field[2], "tryagain") != 0 || strcmp(field[3], "-") != 0)
			ck_assert_msg(strcmp(buf_cstr(&got), buf_cstr(&want)) == 0,
			    "lines.tsv:%d: '%s' instead of '%s'", number, buf_cstr(&got),
			    buf_cstr(&want));
	}
	/* that the line begins with a time of no form that is read is one */
	ck_assert_msg(c.nproblems == 0 || collect_problem(&c, "no-time", c.nproblems - 1) != NULL,
	    "lines.tsv:%d: a problem", number);
	collect_free(&c);
	buf_free(&text);
	buf_free(&got);
	buf_free(&want);
}

/* Clients and wrappers that the lines have to cover. */
static const char *const clients[] = { "redis-py", "redis-py-cluster", "aioredis-cluster", "jedis",
	"lettuce", "redisson", "spring-data-redis", "ioredis", "iovalkey", "node-redis", "go-redis",
	"rueidis", "radix", "redisc", "stackexchange.redis", "phpredis", "predis", "redis-rb",
	"redis-cluster-client", "hiredis-cluster", "libvalkey", "redis-plus-plus", "redis-rs", "fred",
	"valkey-glide", "envoy", "predixy", "redis-cluster-proxy", "any", "none" };
static const char *const envelopes[] = { "plain", "python-basic", "python-logging",
	"python-traceback", "python-json", "structlog-json", "gunicorn", "uvicorn", "celery", "logback",
	"logback-date", "spring-boot-2", "spring-boot-3", "log4j2", "logstash-json", "log4j2-json",
	"ecs-json", "jul", "debug", "pino-json", "pino-pretty", "winston-json", "winston-text", "bunyan",
	"go-log", "go-log-us", "go-redis-log", "zap-json", "zap-console", "logrus-text", "zerolog",
	"slog-text", "slog-json", "klog", "serilog-file", "clef-json", "mel-console", "nlog",
	"php-error-log", "php-fpm", "nginx", "monolog", "laravel", "ruby-logger", "rails-tagged",
	"sidekiq", "env_logger", "tracing", "tracing-ansi", "spdlog", "docker-json", "compose", "cri",
	"cri-partial", "kubectl", "kubectl-prefix", "journald-short", "journald-short-iso",
	"journald-short-precise", "journald-short-iso-precise", "journald-export", "journald-json",
	"rfc3164", "rfc5424", "rsyslog-octal", "cloudwatch", "cloud-foundry", "predixy", "envoy",
	"redis-cluster-proxy", "crlf", "epoch-us", "epoch-ns" };

enum { CLIENTS = sizeof clients / sizeof clients[0],
	ENVELOPES = sizeof envelopes / sizeof envelopes[0] };

static void
note_word(const char *const *words, int *seen, size_t n, struct span word)
{
	size_t	 i;

	for (i = 0; i < n; i++)
		seen[i] |= span_is(word, words[i]);
}

START_TEST(each_line_gives_its_event)
{
	const char	*dir = getenv("srcdir"), *tab;
	char		 path[1024], line[8192];
	FILE		*f;
	int		 number = 0, rows = 0, i, client[CLIENTS] = { 0 }, envelope[ENVELOPES] = { 0 };

	snprintf(path, sizeof path, "%s/tests/lines.tsv", dir != NULL ? dir : ".");
	f = fopen(path, "r");
	ck_assert_msg(f != NULL, "%s", path);
	while (fgets(line, sizeof line, f) != NULL) {
		number++;
		if (line[0] == '#')
			continue;
		tab = strchr(line, '\t');
		ck_assert_ptr_nonnull(tab);
		note_word(clients, client, CLIENTS, span_make(line, (size_t)(tab - line)));
		note_word(envelopes, envelope, ENVELOPES, span_make(tab + 1, strcspn(tab + 1, "\t")));
		check_line(line, number);
		rows++;
	}
	fclose(f);
	for (i = 0; i < CLIENTS; i++)
		ck_assert_msg(client[i], "no line of %s", clients[i]);
	for (i = 0; i < ENVELOPES; i++)
		ck_assert_msg(envelope[i], "no line in %s", envelopes[i]);
	ck_assert_int_ge(rows, 400);
}
END_TEST

START_TEST(a_cycle_names_its_hops)
{
	struct collect		 c;
	const struct obs_error	*e;

	read_log("2026-11-30T02:09:17.862Z DEBUG cl slot 2381: 10.77.0.11:6379 answered MOVED "
	    "2381 10.77.0.12:6379\n"
	    "2026-11-30T02:09:17.863Z ERROR cl RedisClusterFailoverError: redirect cycle for slot "
	    "2381: 10.77.0.11:6379 -> 10.77.0.12:6379 -> 10.77.0.11:6379 (3 redirects)\n"
	    "2026-11-30T02:09:18.863Z ERROR cl RedisClusterFailoverError: redirect cycle for slot "
	    "2381: 10.77.0.11:6379 -> 10.77.0.15:6379 -> 10.77.0.11:6379 -> 10.77.0.12:6379 -> "
	    "10.77.0.11:6379 -> 10.77.0.14:6379 (3 redirects)\n"
	    "2026-11-30T02:09:27.149Z INFO cl done: errors {'RedisClusterFailoverError': 2}\n", &c);
	ck_assert_uint_eq(c.nobs, 3);
	ck_assert_int_eq(c.obs[0].kind, OBS_REDIRECT);
	ck_assert(span_is(c.obs[0].u.redirect.asked.host, "10.77.0.11"));
	e = &c.obs[1].u.error;
	ck_assert_int_eq(e->kind, ERROR_FAILOVER);
	ck_assert_int_eq(e->slot, 2381);
	ck_assert_int_eq(e->attempts, 3);
	ck_assert_int_eq(e->budget, 3);
	ck_assert_uint_eq(e->nhops, 2);
	ck_assert(span_is(e->hops[1].asked.host, "10.77.0.12"));
	ck_assert(span_is(e->hops[1].target.host, "10.77.0.11"));
	ck_assert(span_is(c.obs[1].observer.name, "logs/shop"));
	/* more steps than redirects: some were the client's own choice */
	ck_assert_uint_eq(c.obs[2].u.error.nhops, 0);
	ck_assert(span_is(c.obs[2].u.error.asked.host, "10.77.0.14"));
	collect_free(&c);
}
END_TEST

START_TEST(a_library_that_goes_on_raises_nothing)
{
	struct collect	 c;

	read_log("2026-11-30 03:01:15,192 ERROR [redis.cluster] MovedError\n"
	    "Traceback (most recent call last):\n"
	    "  File \"/usr/lib/redis/connection.py\", line 839, in read_response\n"
	    "    raise response\n"
	    "redis.exceptions.MovedError: 3640 10.77.0.12:6379\n"
	    "2026-11-30 03:01:15,193 ERROR [app] command on key probe:1:22 failed\n"
	    "Traceback (most recent call last):\n"
	    "  File \"/usr/lib/redis/cluster.py\", line 1154, in _execute_command\n"
	    "    raise ClusterError(\"TTL exhausted.\")\n"
	    "redis.exceptions.ClusterError: TTL exhausted.\n"
	    "2026-11-30 03:01:15,194 ERROR [app] command on key probe:1:22 failed\n"
	    "Traceback (most recent call last):\n"
	    "  File \"/usr/lib/redis/connection.py\", line 839, in read_response\n"
	    "    raise response\n"
	    "redis.exceptions.MovedError: 3640 10.77.0.12:6379\n"
	    "\n"
	    "During handling of the above exception, another exception occurred:\n"
	    "\n"
	    "Traceback (most recent call last):\n"
	    "  File \"/usr/lib/redis/connection.py\", line 617, in connect\n"
	    "    raise ConnectionError(self._error_message(e))\n"
	    "redis.exceptions.ConnectionError: Error 111 connecting to 10.77.0.14:6379. "
	    "Connection refused.\n", &c);
	ck_assert_uint_eq(c.nobs, 3);
	ck_assert_int_eq(c.obs[0].kind, OBS_REDIRECT);
	ck_assert_int_eq(c.obs[0].u.redirect.slot, 3640);
	ck_assert_int_eq(c.obs[0].where.position, 1);
	ck_assert_int_eq(c.obs[1].kind, OBS_ERROR);
	ck_assert_int_eq(c.obs[1].u.error.slot, 3640);
	ck_assert_int_eq(c.obs[1].u.error.slot_from_key, 1);
	ck_assert_int_eq(c.obs[1].where.position, 6);
	ck_assert_int_eq(c.obs[1].last_where.position, 10);
	ck_assert_int_eq(c.obs[2].kind, OBS_CONTACT);
	ck_assert(span_is(c.obs[2].u.contact.ep.host, "10.77.0.14"));
	collect_free(&c);
}
END_TEST

/* redis-py logs the redirect that it follows, in whatever format the
 * application chose: no error.  What reaches the application is one. */
START_TEST(what_redis_py_caught_is_no_error)
{
	static const char *const	 heads[] = {
		"[2026-11-30 10:32:34,930: ERROR/MainProcess] MovedError\n",
		"2026-11-30 10:32:34,930 4711 ERROR redis.cluster MovedError\n",
		"ERROR 2026-11-30 10:32:34,930 cluster 4711 139872 MovedError\n",
		"2026-11-30 10:32:34,930 ERROR in cluster: MovedError\n",
		"2026-11-30 10:32:34,930 MovedError\n" };
	static const char		 caught[] =
	    "Traceback (most recent call last):\n"
	    "  File \"/usr/lib/python3/dist-packages/redis/cluster.py\", line 1074, in _execute_command\n"
	    "    response = redis_node.parse_response(connection, command, **kwargs)\n"
	    "  File \"/usr/lib/python3/dist-packages/redis/connection.py\", line 839, in read_response\n"
	    "    raise response\n"
	    "redis.exceptions.MovedError: 3300 127.0.0.1:7414\n";
	static const char		 raised[] =
	    "\nDuring handling of the above exception, another exception occurred:\n\n"
	    "Traceback (most recent call last):\n"
	    "  File \"/srv/app/orders.py\", line 16, in place\n    rc.set(k, 1)\n"
	    "  File \"/usr/lib/python3/dist-packages/redis/cluster.py\", line 1140, in _execute_command\n"
	    "    raise e\n"
	    "redis.exceptions.MovedError: 3300 127.0.0.1:7414\n";
	struct collect			 c;
	char				 log[2000];
	size_t				 i;

	for (i = 0; i < sizeof heads / sizeof heads[0]; i++) {
		snprintf(log, sizeof log, "%s%s", heads[i], caught);
		read_log(log, &c);
		ck_assert_msg(collect_count(&c, OBS_ERROR) == 0, "%s", heads[i]);
		ck_assert_msg(collect_count(&c, OBS_REDIRECT) == 1, "%s", heads[i]);
		collect_free(&c);
		snprintf(log, sizeof log, "%s%s%s", heads[i], caught, raised);
		read_log(log, &c);
		ck_assert_msg(collect_count(&c, OBS_ERROR) == 1 || strstr(heads[i],
		    "redis.cluster") != NULL, "%s", heads[i]);
		collect_free(&c);
	}
}
END_TEST

/* A client that follows a redirect says so below the level of errors: it gave it
 * to nobody. */
START_TEST(a_redirect_that_was_followed_is_no_error)
{
	static const struct { const char *line; int redirects, errors; } rows[] = {
		{ "2026-03-10T14:02:11.103Z INFO followed MOVED 100 10.0.0.1:6379", 1, 0 },
		{ "2026-03-10T14:02:11.103Z WARN got MOVED 100 10.0.0.1:6379, refreshing", 1, 0 },
		{ "2026-03-10T14:02:11.103Z [warning] ASK 100 10.0.0.1:6379", 1, 0 },
		{ "{\"time\":\"2026-03-10T14:02:11.103Z\",\"level\":\"warn\","
		  "\"msg\":\"MOVED 100 10.0.0.1:6379, will retry\"}", 1, 0 },
		{ "{\"time\":1773151331103,\"level\":40,\"msg\":\"MOVED 100 10.0.0.1:6379\"}", 1, 0 },
		{ "W, [2026-03-10T14:02:11.103000 #77]  WARN -- : MOVED 100 10.0.0.1:6379", 1, 0 },
		{ "2026-03-10T14:02:11.103Z followed MOVED 100 10.0.0.1:6379", 1, 0 },
		{ "2026-03-10T14:02:11.103Z MOVED 100 10.0.0.1:6379", 0, 1 },
		{ "2026-03-10T14:02:11.103Z ERROR MOVED 100 10.0.0.1:6379", 0, 1 },
		{ "2026-03-10T14:02:11.103Z ERROR MOVED 100 10.0.0.1:6379, will retry", 0, 1 },
		{ "2026-03-10T14:02:11.103Z WARN ReplyError: MOVED 100 10.0.0.1:6379", 0, 1 },
		{ "2026-03-10T14:02:11.103Z WARN Redis::CommandError: MOVED 100 10.0.0.1:6379", 0, 1 },
		{ "2026-03-10T14:02:11.103Z ERROR MOVED 100 10.0.0.1:6379 (Redis::CommandError)", 0, 1 },
		{ "2026-03-10T14:02:11.103Z ERROR redis.exceptions.MovedError: 100 10.0.0.1:6379", 0, 1 },
		/* a class's name is no logger's */
		{ "2026-03-10T14:02:11.103Z ERROR io.lettuce.core.RedisCommandExecutionException: "
		  "MOVED 100 10.0.0.1:6379", 0, 1 },
		{ "2026-03-10T14:02:11.103Z ERROR redis.clients.jedis.exceptions.JedisMovedDataException: "
		  "MOVED 100 10.0.0.1:6379", 0, 1 },
		{ "2026-03-10T14:02:11.103Z DEBUG io.lettuce.core.protocol.CommandHandler - MOVED 100 "
		  "10.0.0.1:6379", 1, 0 },
		{ "2026-03-10T14:02:11.103Z ERROR rueidis: MOVED 100 10.0.0.1:6379", 0, 1 },
		{ "2026-03-10T14:02:11.103Z WARN MOVED 100 10.0.0.1:6379\n"
		  "    at Parser.reply (/srv/app/parser.js:4:1)", 0, 1 },
	};
	struct collect	 c;
	size_t		 i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		read_log(rows[i].line, &c);
		ck_assert_msg(collect_count(&c, OBS_REDIRECT) == (size_t)rows[i].redirects &&
		    collect_count(&c, OBS_ERROR) == (size_t)rows[i].errors, "%s", rows[i].line);
		collect_free(&c);
	}
}
END_TEST

/* What a line of information speaks of need not have happened. */
START_TEST(what_a_sentence_speaks_of_is_no_event)
{
	static const struct { const char *line; int events; } rows[] = {
		{ "INFO deployed fix for RedisClusterFailoverError", 0 },
		{ "INFO \"connect ECONNREFUSED 10.0.0.1:6379\" was seen yesterday", 0 },
		{ "INFO the \"MOVED 100 10.0.0.1:6379\" of last week is explained", 0 },
		{ "INFO request failed: RedisClusterFailoverError", 1 },
		{ "INFO request failed with RedisClusterFailoverError: slot 7", 1 },
		{ "INFO connect ECONNREFUSED 10.0.0.1:6379", 1 },
		{ "level=info msg=\"connect ECONNREFUSED 10.0.0.1:6379\" app=shop", 1 },
		{ "INFO reply: \"connect ECONNREFUSED 10.0.0.1:6379\" from n1", 1 },
		{ "INFO request failed with RedisClusterFailoverError\n"
		  "    at Client.send (/srv/app/client.js:4:1)", 1 },
		{ "ERROR request failed with RedisClusterFailoverError", 1 },
		{ "WARN request failed with RedisClusterFailoverError", 1 },
	};
	struct collect	 c;
	char		 line[200];
	size_t		 i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		snprintf(line, sizeof line, "%s2026-03-10T14:02:11.103Z %s\n",
		    rows[i].line[0] == 'l' ? "time=" : "", rows[i].line);
		read_log(line, &c);
		ck_assert_msg(c.nobs == (size_t)rows[i].events, "%s", line);
		collect_free(&c);
	}
}
END_TEST

/* A time that is not read is not that of the line before. */
START_TEST(a_time_that_is_not_read_is_none)
{
	static const char *const	 logs[] = {
		"2026-03-10 14:02:11,100 INFO GET /health 200\n"
		"05/03/2026 14:02:12 ERROR redis.exceptions.ClusterError: TTL exhausted.\n"
		"05/03/2026 14:02:13 ERROR redis.exceptions.ClusterError: TTL exhausted.\n"
		"2026-03-10 14:02:12,100 INFO GET /health 200\n",
		"2026-03-10 14:02:11,304 INFO ok\n"
		"1773151336.5 ERROR redis.exceptions.ClusterError: TTL exhausted.\n"
		"1773151336.5 ERROR get failed\n"
		"redis.exceptions.ClusterError: TTL exhausted.\n" };
	const struct obs		*o;
	struct collect			 c;
	size_t				 i, k;

	for (i = 0; i < sizeof logs / sizeof logs[0]; i++) {
		read_log(logs[i], &c);
		ck_assert_uint_eq(collect_count(&c, OBS_ERROR), 2);
		for (k = 0; k < 2; k++) {
			o = collect_nth(&c, OBS_ERROR, k);
			ck_assert_int_eq(o->at, OBS_NO_TIME);
			ck_assert_int_eq(o->at_basis, AT_NONE);
			ck_assert_int_eq(o->where.position, (int)k + 2);
			ck_assert_ptr_nonnull(collect_problem(&c, "no-time", k));
		}
		collect_free(&c);
	}
}
END_TEST

/* An uncaught error is printed without a time, behind whatever was logged last;
 * one that was logged has its line's. */
START_TEST(an_uncaught_trace_is_as_late_as_the_next_line)
{
	static const char	 log[] =
	    "2026-03-14 09:26:53,500 %s GET / 200\n"
	    "%s"
	    "redis.exceptions.ClusterError: TTL exhausted.\n"
	    "2026-03-14 09:%s,500 INFO GET / 200\n";
	static const char	 trace[] =
	    "Traceback (most recent call last):\n"
	    "  File \"a.py\", line 1\n";
	static const struct { const char *level, *before, *next; int basis; int64_t precision; }
	    rows[] = {
		{ "INFO", trace, "27:03", AT_NEIGHBOUR, 10001000 },
		{ "INFO", trace, "47:03", AT_NONE, 0 },
		{ "ERROR", trace, "27:03", AT_ASSUMED_UTC, 1000 },
		{ "INFO", "\n", "27:03", AT_NEIGHBOUR, 10001000 },
		{ "ERROR", "\n", "27:03", AT_ASSUMED_UTC, 1000 },
	};
	const struct obs	*o;
	struct collect		 c;
	char			 text[500];
	size_t			 i, read;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		snprintf(text, sizeof text, log, rows[i].level, rows[i].before, rows[i].next);
		for (read = 0; read < 64; read += 7) {
			decode(text, strlen(text), "logs/shop.log", read, &c);
			ck_assert_uint_eq(collect_count(&c, OBS_ERROR), 1);
			o = collect_nth(&c, OBS_ERROR, 0);
			ck_assert_int_eq(o->at_basis, rows[i].basis);
			if (rows[i].basis == AT_NONE) {
				ck_assert_int_eq(o->at, OBS_NO_TIME);
			} else {
				ck_assert_int_eq(o->at, INT64_C(1773480413500000));
				ck_assert_int_eq(o->precision_us, rows[i].precision);
			}
			collect_free(&c);
		}
	}
}
END_TEST

START_TEST(a_trace_may_stand_behind_an_empty_line)
{
	struct collect	 c;

	read_log("2026-03-10 14:02:11.103 ERROR 1 --- [exec-3] UserService : cannot store\n"
	    "\n"
	    "redis.clients.jedis.exceptions.JedisClusterMaxAttemptsException: No more cluster "
	    "attempts left.\n"
	    "\tat redis.clients.jedis.X.y(X.java:86)\n"
	    "Caused by: redis.clients.jedis.exceptions.JedisMovedDataException: MOVED 100 "
	    "10.0.0.1:6379\n"
	    "\n"
	    "2026-03-10 14:07:11.103  INFO 1 --- ok\n", &c);
	ck_assert_uint_eq(collect_count(&c, OBS_ERROR), 1);
	ck_assert_int_eq(c.obs[0].at, INT64_C(1773151331103000));
	ck_assert_int_eq(c.obs[0].where.position, 1);
	ck_assert_int_eq(c.obs[0].u.error.slot, 100);
	collect_free(&c);
}
END_TEST

/* The core of valkey-glide warns of each error that it hands to its caller. */
START_TEST(what_glides_core_hands_on_is_no_second_error)
{
	static const char	 core[] = "2026-11-30T12:22:12.341564Z  WARN logger_core: received error - "
	    "An error was signalled by the server: - Moved: 3640 10.77.0.11:6379\n";
	static const char	 raised[] = "2026-11-30T12:22:12.344Z ERROR command on probe:1:22 failed: "
	    "RequestError: An error was signalled by the server: - Moved: 3640 10.77.0.11:6379\n"
	    "    at GlideClusterClient.processResponse (/srv/shop/BaseClient.js:390:20)\n";
	struct collect		 c;
	char			 log[2000];

	read_log(core, &c);
	ck_assert_int_eq(collect_count(&c, OBS_ERROR), 0);
	ck_assert_int_eq(collect_count(&c, OBS_REDIRECT), 0);
	collect_free(&c);
	snprintf(log, sizeof log, "%s%s", core, raised);
	read_log(log, &c);
	ck_assert_int_eq(collect_count(&c, OBS_ERROR), 1);
	collect_free(&c);
}
END_TEST

START_TEST(an_error_told_by_two_loggers_is_one)
{
	static const char	 one[] = "2026-03-14 09:26:53.589 [exec-3] ERROR c.a.CartDao - "
	    "io.lettuce.core.RedisCommandExecutionException: MOVED 77 10.0.0.2:6379\n";
	static const char	 two[] = "2026-03-14 09:26:53.591 [exec-3] ERROR c.a.CartController - "
	    "io.lettuce.core.RedisCommandExecutionException: MOVED 77 10.0.0.2:6379\n";
	struct buf		 b = { NULL, 0, 0 };
	struct collect		 c;

	buf_str(&b, one);
	buf_str(&b, two);
	read_log(buf_cstr(&b), &c);
	ck_assert_uint_eq(collect_count(&c, OBS_ERROR), 1);
	collect_free(&c);
	b.n = 0;
	buf_str(&b, one);
	buf_str(&b, one);	/* the same logger again: it happened twice */
	read_log(buf_cstr(&b), &c);
	ck_assert_uint_eq(collect_count(&c, OBS_ERROR), 2);
	collect_free(&c);
	buf_free(&b);
}
END_TEST

START_TEST(causes_give_slot_node_and_evidence)
{
	struct collect		 c;
	const struct obs_error	*e;

	read_log("2021-03-09 10:15:04,871 ERROR [main] com.acme.LoopWriter - set k-1001 failed\n"
	    "redis.clients.jedis.exceptions.JedisClusterMaxAttemptsException: No more cluster "
	    "attempts left.\n"
	    "\tat redis.clients.jedis.JedisCluster.set(JedisCluster.java:115)\n"
	    "Caused by: redis.clients.jedis.exceptions.JedisConnectionException: Failed connecting "
	    "to host 172.31.9.41:7000\n"
	    "Caused by: java.net.ConnectException: Connection refused (Connection refused)\n", &c);
	ck_assert_uint_eq(c.nobs, 2);
	e = &c.obs[0].u.error;
	ck_assert_int_eq(e->slot, 2411);
	ck_assert_int_eq(e->slot_from_key, 1);
	ck_assert(span_is(e->last_code, "refused"));
	ck_assert(span_is(e->error_class,
	    "redis.clients.jedis.exceptions.JedisClusterMaxAttemptsException"));
	ck_assert_int_eq(e->budget, 5);
	ck_assert_int_eq(c.obs[0].at_basis, AT_ASSUMED_UTC);
	ck_assert_int_eq(c.obs[1].kind, OBS_CONTACT);
	ck_assert_int_eq(c.obs[1].u.contact.outcome, CONTACT_REFUSED);
	ck_assert_int_eq(c.obs[1].u.contact.ep.port, 7000);
	collect_free(&c);
}
END_TEST

/* A trace without an address is about the node that the same request chose; of
 * another request's, or of none, nothing is known. */
START_TEST(an_attempt_is_at_the_node_that_its_request_chose)
{
	static const char	 log[] =
	    "[2021-11-12 13:35:36 DEBUG    rediscluster.client req-1..] - Determined node to execute : "
	    "{'host': '10.245.7.88', 'port': 6379, 'name': '10.245.7.88:6379'}\n"
	    "[2021-11-12 13:35:37 DEBUG    rediscluster.client req-2..] - Determined node to execute : "
	    "{'host': '10.245.7.99', 'port': 6379, 'name': '10.245.7.99:6379'}\n"
	    "[2021-11-12 13:35:39 ERROR    rediscluster.client req-1..] - ConnectionError\n"
	    "Traceback (most recent call last):\n  File \"c.py\", line 559, in connect\n"
	    "OSError: [Errno 113] No route to host\n"
	    "[2021-11-12 13:35:40 ERROR    rediscluster.client req-3..] - ConnectionError\n"
	    "Traceback (most recent call last):\n  File \"c.py\", line 559, in connect\n"
	    "ConnectionRefusedError: [Errno 111] Connection refused\n"
	    "[2021-11-12 13:39:37 ERROR    rediscluster.client req-2..] - ConnectionError\n"
	    "Traceback (most recent call last):\n  File \"c.py\", line 559, in connect\n"
	    "OSError: [Errno 113] No route to host\n";
	struct collect		 c;

	read_log(log, &c);
	ck_assert_uint_eq(c.nobs, 3);
	ck_assert_int_eq(c.obs[0].kind, OBS_CONTACT);
	ck_assert_int_eq(c.obs[0].u.contact.outcome, CONTACT_UNREACHABLE);
	ck_assert(span_is(c.obs[0].u.contact.ep.host, "10.245.7.88"));
	ck_assert_int_eq(c.obs[0].last_at - c.obs[0].at, 3000000);
	ck_assert_int_eq(c.obs[0].where.position, 3);
	ck_assert_int_eq(c.obs[1].kind, OBS_SERVER);
	ck_assert_str_eq(c.obs[1].u.server.kind, "connect-refused");
	ck_assert_int_eq(c.obs[2].kind, OBS_SERVER);	/* four minutes are no attempt */
	collect_free(&c);
}
END_TEST

#define ID2	"e2217e9cb2c92b89c43c6440de576beb8d189f13"
#define ID1	"722a8a4784f289ca399681b6668a5a115c7a64e0"
#define N2(pong) ID2 " 192.168.77.51:7002@17002 master - 0 " pong " 3 connected 10923-16383\n"
#define N1	ID1 " 192.168.77.51:7001@17001 myself,master - 0 0 2 connected 0-10922\n"

/* Redisson asks every few seconds and writes the answers down: equal ones are
 * one span, and a reply to this client. */
START_TEST(topology_in_a_log_is_a_view)
{
	static const char	 log[] =
	    "2014-08-02 12:53:08,600 INFO [redisson-netty-2-5] o.r.c.ClusterConnectionManager - Redis "
	    "cluster nodes configuration got from n1/192.168.77.51:7001:\n" N2("1406983988162") N1
	    "2014-08-02 12:53:13,600 DEBUG [redisson-netty-2-5] o.r.c.ClusterConnectionManager - "
	    "cluster nodes state got from n1/192.168.77.51:7001:\n" N2("1406983993162") N1;
	struct collect		 c;
	const struct obs	*o;

	read_log(log, &c);
	ck_assert_uint_eq(collect_count(&c, OBS_VIEW), 1);
	o = collect_nth(&c, OBS_VIEW, 0);
	ck_assert_int_eq(o->samples, 2);
	ck_assert_int_eq(o->last_at - o->at, 5000000);
	ck_assert_int_eq(o->where.position, 1);
	ck_assert_int_eq(o->last_where.position, 4);
	ck_assert_int_eq(o->at_basis, AT_ASSUMED_UTC);
	ck_assert(span_is(o->observer.node, ID1));
	ck_assert(span_is(o->observer.ep.host, "192.168.77.51"));
	ck_assert_int_eq(o->observer.ep.port, 7001);
	ck_assert(span_is(o->u.view.asked_by.name, "logs/shop"));
	ck_assert(span_is(o->u.view.asked_by.library, "redisson"));
	ck_assert_uint_eq(o->u.view.nnodes, 2);
	ck_assert_int_eq(o->u.view.complete, 1);
	ck_assert_int_eq(o->u.view.partial, 0);
	ck_assert_uint_eq(collect_count(&c, OBS_SERVER), 2);	/* refreshes */
	o = collect_nth(&c, OBS_CONTACT, 0);
	ck_assert_int_eq(o->u.contact.outcome, CONTACT_OK);
	ck_assert_int_eq(o->observer.kind, WHO_CLIENT);
	ck_assert_int_eq(o->u.contact.ep.port, 7001);
	collect_free(&c);
}
END_TEST

/* In JSON; older than its line; cut; damaged: each says what it can. */
START_TEST(topology_in_a_log_says_how_far_it_goes)
{
	struct collect		 c;
	const struct obs	*o;

	read_log("{\"level\":30,\"time\":\"2014-08-02T12:53:08.600Z\",\"msg\":\"nodes\",\"reply\":\"" ID2
	    " 192.168.77.51:7002@17002 master - 0 1406983988162 3 connected 10923-16383\\n" ID1
	    " 192.168.77.51:7001@17001 myself,master - 0 0 2 connected 0-10922\\n\"}\n"
	    "2014-08-02 12:59:15,100 ERROR c.a.Dao - Last cluster nodes topology: " N2("1406983993162") N1
	    "2014-08-02 12:59:15,200 DEBUG c.a.Dao - " N2("1406984355162")
	    "2014-08-02 12:59:15,300 DEBUG c.a.Dao - two:\n" N2("1406984355262")
	    ID1 " 192.168.77.51:7001@17001 myself,master - 0 0 2 connected 0-16390\n", &c);
	ck_assert_uint_eq(collect_count(&c, OBS_VIEW), 4);
	o = collect_nth(&c, OBS_VIEW, 0);
	ck_assert_int_eq(o->at_basis, AT_STATED);
	ck_assert_int_eq(o->at, INT64_C(1406983988600000));
	ck_assert_int_eq(o->u.view.complete, 1);
	ck_assert(span_is(o->observer.node, ID1));
	o = collect_nth(&c, OBS_VIEW, 1);	/* what was known six minutes before */
	ck_assert_int_eq(o->at_basis, AT_PONG);
	ck_assert_int_eq(o->at, INT64_C(1406983993162000));
	o = collect_nth(&c, OBS_VIEW, 2);	/* one line alone leaves others unsaid */
	ck_assert_int_eq(o->u.view.complete, 0);
	ck_assert_ptr_null(o->observer.node.p);
	ck_assert_ptr_null(o->observer.ep.host.p);
	ck_assert(span_is(o->observer.name, "asked by logs/shop"));
	o = collect_nth(&c, OBS_VIEW, 3);
	ck_assert_int_eq(o->u.view.partial, 1);
	ck_assert_uint_eq(c.nproblems, 1);
	ck_assert_int_eq(c.problems[0].where.position, 7);
	ck_assert_uint_eq(collect_count(&c, OBS_CONTACT), 0);	/* nobody was named */
	collect_free(&c);
}
END_TEST

START_TEST(slots_in_a_log_are_a_view)
{
	struct collect		 c;
	const struct obs	*o;

	read_log("2014-08-02 13:00:01,100 INFO app - map\n"
	    "1) 1) (integer) 0\n   2) (integer) 5460\n   3) 1) \"10.0.0.1\"\n      2) (integer) 7003\n"
	    "2) 1) (integer) 5461\n   2) (integer) 16383\n   3) 1) \"10.0.0.2\"\n      2) (integer) 7001\n"
	    "2014-08-02 13:00:01,200 ERROR app - redis.exceptions.ClusterError: TTL exhausted.\n", &c);
	o = collect_nth(&c, OBS_VIEW, 0);
	ck_assert_ptr_nonnull(o);
	ck_assert_str_eq(o->u.view.form, "slots");
	ck_assert_uint_eq(o->u.view.nslots, 2);
	ck_assert_int_eq(o->where.position, 2);
	ck_assert_int_eq(o->last_where.position, 9);
	ck_assert_int_eq(o->at, INT64_C(1406984401100000));
	ck_assert_uint_eq(collect_count(&c, OBS_ERROR), 1);
	collect_free(&c);
}
END_TEST

/* Between two lines with a time, not far apart; by itself it has none. */
START_TEST(a_line_without_a_time_lies_between_its_neighbours)
{
	static const char	 log[] =
	    "[ioredis] Unhandled error event: ClusterAllFailedError: Failed to refresh slots cache.\n"
	    "2026-03-14 09:26:53.500 [exec-1] INFO c.a.Dao - ready\n"
	    "[ioredis] Unhandled error event: ClusterAllFailedError: Failed to refresh slots cache.\n"
	    "    at tryNode (/srv/app/node_modules/ioredis/lib/cluster/index.js:375:19)\n"
	    "2026-03-14 09:26:55.500 [exec-1] INFO c.a.Dao - ready\n"
	    "[ioredis] Unhandled error event: ClusterAllFailedError: Failed to refresh slots cache.\n"
	    "2026-03-14 09:46:55.500 [exec-1] INFO c.a.Dao - ready\n"
	    "[ioredis] Unhandled error event: ClusterAllFailedError: Failed to refresh slots cache.\n";
	const struct obs	*o;
	struct collect		 c;
	size_t			 read;

	for (read = 0; read < 64; read += 7) {
		decode(log, sizeof log - 1, "logs/shop.log", read, &c);
		ck_assert_uint_eq(collect_count(&c, OBS_SERVER), 4);
		ck_assert_int_eq(collect_nth(&c, OBS_SERVER, 0)->at, OBS_NO_TIME);
		o = collect_nth(&c, OBS_SERVER, 1);
		ck_assert_int_eq(o->at_basis, AT_NEIGHBOUR);
		ck_assert_int_eq(o->at, INT64_C(1773480413500000));
		ck_assert_int_eq(o->precision_us, 2001000);
		ck_assert_int_eq(o->where.position, 3);
		ck_assert_int_eq(collect_nth(&c, OBS_SERVER, 2)->at, OBS_NO_TIME);
		ck_assert_int_eq(collect_nth(&c, OBS_SERVER, 3)->at, OBS_NO_TIME);
		collect_free(&c);
	}
}
END_TEST

/* In the hour that came twice: said once, and as uncertain as it is; a wrapper
 * that knows the zone tells which of the two it was. */
START_TEST(an_hour_that_came_twice_is_said)
{
	static const char	 log[] =
	    "2026-10-25 02:10:00.500 [exec-1] ERROR c.a.Dao - redis.exceptions.ClusterError: TTL exhausted.\n"
	    "2026-10-25 02:11:00.500 [exec-1] ERROR c.a.Dao - redis.exceptions.ClusterError: TTL exhausted.\n"
	    "2026-10-25T01:20:00.600000000Z stderr F 2026-10-25 02:20:00.500 [exec-1] ERROR c.a.Dao - "
	    "redis.exceptions.ClusterError: TTL exhausted.\n"
	    "2026-10-25 03:10:00.500 [exec-1] ERROR c.a.Dao - redis.exceptions.ClusterError: TTL exhausted.\n";
	const struct zone	*berlin = zone_find(span_of("Europe/Berlin"));
	struct decode_ctx	 ctx = { OBS_NO_NUM, berlin, 0, NOVEMBER_2026, NULL, 0, builtin_rules(), 0,
	    { 0 } };
	struct input		*in = input_memory(log, sizeof log - 1, "logs/shop.log", 0);
	struct collect		 c;
	struct err		 e = ERR_INIT;

	collect_init(&c);
	ck_assert_int_eq(format_client_log.decode(in, &ctx, &c.sink, &e), 0);
	input_close(in);
	ck_assert_uint_eq(collect_count(&c, OBS_ERROR), 4);
	if (berlin != NULL) {
		ck_assert_uint_eq(c.nproblems, 1);
		ck_assert_ptr_nonnull(collect_problem(&c, "time", 0));
		ck_assert_int_eq(collect_problem(&c, "time", 0)->where.position, 1);
		ck_assert_int_eq(collect_nth(&c, OBS_ERROR, 0)->precision_us, INT64_C(3600000000));
		ck_assert_int_eq(collect_nth(&c, OBS_ERROR, 1)->precision_us, INT64_C(3600000000));
		ck_assert_int_eq(collect_nth(&c, OBS_ERROR, 2)->precision_us, 1000);
		ck_assert_int_eq(collect_nth(&c, OBS_ERROR, 2)->at, INT64_C(1792891200500000));
		ck_assert_int_eq(collect_nth(&c, OBS_ERROR, 3)->precision_us, 1000);
		ck_assert_int_eq(collect_nth(&c, OBS_ERROR, 3)->at, INT64_C(1792894200500000));
	}
	collect_free(&c);
}
END_TEST

START_TEST(a_timeout_began_before_it_was_logged)
{
	struct collect	 c;

	read_log("2026-03-14T09:28:32.996Z ERROR RedisClient::ReadTimeoutError: Waited 1.0 seconds "
	    "(redis://10.0.0.1:6379)\n", &c);
	ck_assert_uint_eq(c.nobs, 1);
	ck_assert_int_eq(c.obs[0].last_at - c.obs[0].at, 1000000);
	collect_free(&c);
}
END_TEST

START_TEST(keys_and_values_are_not_kept)
{
	struct collect	 c;

	read_log("2026-03-14 09:26:53 ERROR Failed to send command with key: secret:17\n"
	    "2026-03-14 09:26:53,100 - redis.cluster - DEBUG - TRYAGAIN error received for command "
	    "MSET secret:17 hunter2, on node 10.0.0.1:6379, and connection: <c>\n"
	    "2026-03-14 09:26:54 ERROR org.redisson.client.RedisTimeoutException: Unable to acquire "
	    "connection! addr=redis://10.0.0.1:6379, command: (SET), params: [secret:17, hunter2]\n",
	    &c);
	ck_assert_uint_eq(c.nobs, 3);
	ck_assert_int_eq(c.obs[0].u.error.slot_from_key, 1);
	ck_assert(memmem(c.obs[0].u.error.message.p, c.obs[0].u.error.message.n, "secret", 6) ==
	    NULL);
	ck_assert(span_is(c.obs[1].u.redirect.command, "MSET"));
	ck_assert(memmem(c.obs[2].u.contact.detail.p, c.obs[2].u.contact.detail.n, "hunter2", 7) ==
	    NULL);
	collect_free(&c);
}
END_TEST

/* Each says secrets ("s3" is in all of them and nowhere else), and what of it
 * must stay. */
static const struct { const char *line, *stays; } secrets[] = {
	{ "TTL exhausted. command: SET s3:4711:token s3value", "TTL exhausted. command: SET" },
	{ "MOVED 2381 10.77.0.11:6379 while executing HSET s3 email s3@example.com",
	  "MOVED 2381 10.77.0.11:6379 while executing HSET" },
	{ "redis://default:s3@10.77.0.11:6379 Too many Cluster redirections",
	  "@10.77.0.11:6379 Too many" },
	{ "ReplyError: MOVED 2381 10.77.0.11:6379 { command: { name: 'set', args: [ 's3:abc', "
	  "'s3]' ] } }", "ReplyError: MOVED 2381 10.77.0.11:6379 { command: { name: 'set', args: [" },
	{ "{\"msg\":\"MOVED 2381 10.77.0.11:6379\",\"key\":\"s3:77\",\"args\":[\"set\",\"s3\",\"s3\"],"
	  "\"node\":\"n1\"}", "\"node\":\"n1\"}" },
	{ "{\\\"args\\\":[\\\"set\\\",\\\"s3\\\",\\\"a]s3\\\"],\\\"node\\\":\\\"n1\\\"}", "node" },
	{ "AUTH failed: password=s3; Too many Cluster redirections",
	  "; Too many Cluster redirections" },
	{ "No more cluster attempts left. key 's3:5' value 's3'", "cluster attempts left. key '" },
	{ "TTL exhausted. value=\"s3 \\\" s3\" node=10.0.0.1:6379", "node=10.0.0.1:6379" },
	{ "lastValue: s3 and s3, host: n1", ", host: n1" },
	{ "redis.exceptions.MovedError: 2381 10.77.0.11:6379 for ('SET', 's3:12', 's3')",
	  "redis.exceptions.MovedError: 2381 10.77.0.11:6379 for ('SET', " },
	{ "MovedError: 2381 10.77.0.11:6379 for (b'SET', b's3:12', b's3')", "10.77.0.11:6379" },
	{ "MOVED 1 10.0.0.1:6379 AsyncCommand [type=SET, output=StatusOutput [output=null, "
	  "error='MOVED 1 10.0.0.1:6379'], commandType=SET, args=key<s3:13> value<s3>]",
	  "error='MOVED 1 10.0.0.1:6379'], commandType=SET, args=" },
	{ "not reachable. SET s3:14 s3, serverEndpoint: 10.0.0.2:6379",
	  ", serverEndpoint: 10.0.0.2:6379" },
	{ "Args(\"SET\", \"s3\", \"s3\") at 10.0.0.1:6379", "at 10.0.0.1:6379" },
	{ "#<Command [:set, \"s3\", \"s3\"]> on redis-1.local:6379", "on redis-1.local:6379" },
	{ "(SET, s3, s3): CLUSTERDOWN Hash slot not served", "CLUSTERDOWN Hash slot not served" },
	{ "SET s3 s3 {\"a\":\"x, s3\"} on node 07c37dfeb235213a872192d90877d0cd55635b91 failed",
	  "on node 07c37dfeb235213a872192d90877d0cd55635b91 failed" },
	{ "set s3:1 s3: MOVED 7 10.0.0.3:6379", "MOVED 7 10.0.0.3:6379" },
	{ "redis.set('s3', \"s3\") -> ReplyError: ASK 7 10.0.0.3:6379",
	  "-> ReplyError: ASK 7 10.0.0.3:6379" },
	{ "error='HSET s3 f s3' slot 77", "' slot 77" },
	{ "JSON.SET s3 $ '{\"s3\":1}' in slot 77", "slot 77" },
	{ "\"SET\" \"s3\" \"s3\"", "\"SET\" " },
	{ "EVAL \"return s3\" 1 s3 s3 MOVED 7 [fe80::1]:6379", "MOVED 7 [fe80::1]:6379" },
	{ "cmd=get s3, addr=10.0.0.1:6379", ", addr=10.0.0.1:6379" },
	{ "args=[SET s3 s3", "args=[" },
	{ "args=('SET', 's3'), kwargs={'ex': 's3'}, host=n1", ", host=n1" },
	{ "SET: s3 s3, host=n1", ", host=n1" },
	{ "Request [HSET] [s3, s3] at 10.0.0.1:6379", "Request [HSET] " },
	{ "command 'SET' with args 's3', 's3', host=n1", ", host=n1" },
	{ "{\"value\":\"s3\",\"node\":\"n1\"}", "\"node\":\"n1\"" },
	{ "value '", "value '" },
	{ "RedisClusterFailoverError: [SET] s3key s3", "RedisClusterFailoverError: [SET] " },
	{ "(HSET) s3:1 f s3 at 10.0.0.1:6379", "at 10.0.0.1:6379" },
	{ "'SET' s3 s3", "'SET' " },
	{ "RedisClusterFailoverError on eval \"return redis.call('set','s3','s3')\" 1 s3",
	  "RedisClusterFailoverError on eval" },
};

/* What says nothing of keys and values stays as it is. */
static const char *const plain[] = {
	"redis.exceptions.ClusterError: TTL exhausted.",
	"Command GET failed after 10 attempts and 4.212 sec",
	"Read-Only command GET to 10.0.0.1:6379 is timed out",
	"set failed: write tcp 10.0.1.9:50114->10.0.0.2:6379: write: broken pipe",
	"redirect cycle for slot 869: 10.77.0.14:6379 -> 10.77.0.15:6379 (3 redirects)",
	"Timeout of GET: dial tcp 10.0.0.1:6379: connect: connection refused",
	"[GET] [10.0.0.1:6379] timed out",
	"[GET] failed: 10.0.0.1:6379 is not reachable",
	"[SET] MOVED 100 10.0.0.1:6379",
	"READONLY You can't write against a read only replica.",
	"RedisException: Unable to connect to redis://10.0.0.1:6379",
};

START_TEST(nothing_of_a_command_but_its_name_is_kept)
{
	struct buf	 b = { NULL, 0, 0 };
	size_t		 i;

	for (i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
		b.n = 0;
		client_redact(&b, span_of(secrets[i].line), span_make(NULL, 0), 0);
		ck_assert_msg(strstr(buf_cstr(&b), "s3") == NULL, "%s: %s", secrets[i].line,
		    buf_cstr(&b));
		ck_assert_msg(strstr(buf_cstr(&b), secrets[i].stays) != NULL, "%s: %s",
		    secrets[i].line, buf_cstr(&b));
	}
	for (i = 0; i < sizeof plain / sizeof plain[0]; i++) {
		b.n = 0;
		client_redact(&b, span_of(plain[i]), span_make(NULL, 0), 0);
		ck_assert_str_eq(buf_cstr(&b), plain[i]);
	}
	b.n = 0;
	client_redact(&b, span_of("SET cust:12 s3 at 10.0.0.1:6379"), span_of("cust:12"), 1);
	ck_assert_str_eq(buf_cstr(&b), "SET cust:12 ... at 10.0.0.1:6379");
	buf_free(&b);
}
END_TEST

START_TEST(values_reach_no_observation)
{
	struct collect	 c;
	struct span	 s;
	size_t		 i;

	read_log("2026-11-30T02:10:08.501Z ERROR redis.exceptions.ClusterError: TTL exhausted. "
	    "command: SET user:1 s3value\n"
	    "2026-11-30T02:10:12.000Z ERROR [StackExchange] RedisServerException: Endpoint "
	    "10.77.0.11:6379 serving hashslot 2381 is not reachable at this point of time. "
	    "SET cust:14 s3value\n"
	    "2026-11-30T02:10:13.000Z ERROR redis: dial tcp 10.0.0.1:6379: connect: connection "
	    "refused args=[set k s3value]\n"
	    "2026-11-30T02:10:14.000Z WARN redis topology: Obtain cluster state from "
	    "10.0.0.2:6379 value 's3value'\n", &c);
	ck_assert_uint_ge(c.nobs, 3);
	for (i = 0; i < c.nobs; i++) {
		s = c.obs[i].kind == OBS_ERROR ? c.obs[i].u.error.message :
		    c.obs[i].kind == OBS_CONTACT ? c.obs[i].u.contact.detail :
		    c.obs[i].kind == OBS_SERVER ? c.obs[i].u.server.detail : span_make(NULL, 0);
		ck_assert(s.n > 0);
		ck_assert_ptr_null(memmem(s.p, s.n, "s3value", 7));
	}
	collect_free(&c);
}
END_TEST

START_TEST(lines_of_two_containers_are_told_apart)
{
	struct collect	 c;

	read_log("web-1  | 2026-03-14 09:26:53,589 ERROR get failed\n"
	    "web-2  | 2026-03-14 09:26:53,590 ERROR get failed\n"
	    "web-1  | redis.exceptions.ClusterError: TTL exhausted.\n"
	    "web-2  | redis.exceptions.ConnectionError: Connection closed by server.\n", &c);
	ck_assert_uint_eq(c.nobs, 2);
	ck_assert_int_eq(c.obs[0].kind, OBS_ERROR);
	ck_assert_int_eq(c.obs[0].where.position, 1);
	ck_assert_int_eq(c.obs[0].last_where.position, 3);
	ck_assert(span_is(c.obs[0].observer.name, "logs/shop:web-1"));
	ck_assert_int_eq(c.obs[1].where.position, 2);
	ck_assert(span_is(c.obs[1].observer.name, "logs/shop:web-2"));
	collect_free(&c);
}
END_TEST

#define TRACE_OF(text)	"Traceback (most recent call last):\n" \
	"  File \"a.py\", line 1, in <module>\n    r.get(\"k\")\n" text "\n"

START_TEST(traces_in_a_row_are_errors_of_their_own)
{
	static const int64_t	 begin[] = { 1, 6, 18, 23 };
	struct collect		 c;
	size_t			 i;

	read_log("2026-11-30 10:00:01,000 INFO app started\n"
	    TRACE_OF("redis.exceptions.ClusterError: TTL exhausted.")
	    TRACE_OF("redis.exceptions.MovedError: 3022 10.77.0.11:6379")
	    "\nDuring handling of the above exception, another exception occurred:\n\n"
	    TRACE_OF("redis.exceptions.ClusterError: TTL exhausted.") "\n"
	    TRACE_OF("redis.exceptions.ClusterError: TTL exhausted.")
	    "2026-11-30 10:00:01,400 INFO app still going\n"
	    "2026-11-30 10:00:02,400 ERROR app failed\n"
	    "redis.exceptions.ClusterError: TTL exhausted.\n"
	    TRACE_OF("redis.exceptions.ClusterError: TTL exhausted."), &c);
	ck_assert_uint_eq(collect_count(&c, OBS_ERROR), 4);
	for (i = 0; i < 4; i++)
		ck_assert_int_eq(collect_nth(&c, OBS_ERROR, i)->where.position, begin[i]);
	for (i = 0; i < 3; i++) {
		ck_assert_int_eq(collect_nth(&c, OBS_ERROR, i)->at_basis, AT_NEIGHBOUR);
		ck_assert_int_eq(collect_nth(&c, OBS_ERROR, i)->precision_us, 401000);
	}
	ck_assert_int_eq(collect_nth(&c, OBS_ERROR, 3)->last_where.position, 28);
	collect_free(&c);
}
END_TEST

START_TEST(a_redirect_that_c_programs_call_an_error_is_followed)
{
	static const struct { const char *line; size_t errors; } lines[] = {
		{ "WARN redisClusterCommand: Error: MOVED 1234 10.0.0.2:6379, following redirect", 0 },
		{ "INFO Error: MOVED 1234 10.0.0.2:6379", 0 },
		{ "WARN hiredis: reply error MOVED 1234 10.0.0.2:6379", 0 },
		{ "WARN ReplyError: MOVED 1234 10.0.0.2:6379 (will retry)", 0 },
		{ "WARN ReplyError: MOVED 1234 10.0.0.2:6379", 1 },
		{ "ERROR Error: MOVED 1234 10.0.0.2:6379", 1 },
		{ "ERROR reply->str: MOVED 1234 10.0.0.2:6379", 1 },
		{ "WARN cluster error: too many cluster redirect, retrying", 1 }
	};
	struct collect	 c;
	char		 text[200];
	size_t		 i;

	for (i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		snprintf(text, sizeof text, "2026-11-30 10:00:01.000 %s\n", lines[i].line);
		read_log(text, &c);
		ck_assert_msg(collect_count(&c, OBS_ERROR) == lines[i].errors, "%s", text);
		collect_free(&c);
	}
}
END_TEST

START_TEST(any_read_size_gives_the_same)
{
	static const char	 text[] = "2026-03-14 09:26:53,589 ERROR get failed\r\n"
	    "Traceback (most recent call last):\r\n  File \"a.py\", line 1\r\n"
	    "redis.exceptions.ClusterError: TTL exhausted.\r\n"
	    "2026-03-14 09:26:54,000 INFO nothing here\r\n"
	    "2026-03-14 09:26:55,000 ERROR Error: Too many Cluster redirections. Last error: "
	    "ReplyError: CLUSTERDOWN Hash slot not served";
	struct collect		 c;
	size_t			 n;

	for (n = 1; n < 80; n++) {
		decode(text, sizeof text - 1, "a.log", n, &c);
		ck_assert_uint_eq(c.nobs, 2);
		ck_assert_int_eq(c.obs[0].last_where.position, 4);
		ck_assert_int_eq(c.obs[1].where.position, 6);
		ck_assert(span_is(c.obs[1].u.error.last_code, "CLUSTERDOWN"));
		collect_free(&c);
	}
}
END_TEST

static int
bid(const char *text)
{
	char	 why[100];

	return (format_client_log.bid(span_of(text), "x", why, sizeof why));
}

/* Each record of a JSON document is one, in however many lines it stands; at: the
 * seconds behind 20:00 that the errors happened at. */
START_TEST(records_of_a_json_document_are_read_one_by_one)
{
#define ERR(slot) "\"Too many Cluster redirections. Last error: ReplyError: MOVED " slot " 10.0.0.2:9811\""
#define AT "\"timestamp\": \"2026-11-30T20:00:0"
	static const struct {
		const char	*text;
		int		 line[2], seconds[2];
	} t[] = {
		{ "[{\"m\": " ERR("7") ", " AT "5Z\"}, {\"a\": {\"b\": [1, {\"m\": " ERR("8") "}]}, " AT "6Z\"}]\n",
		    { 1, 2 }, { 5, 6 } },
		{ "[\r\n  {\r\n    \"m\": " ERR("7") ",\r\n    " AT "5Z\"\r\n  },\r\n  {\r\n    \"a\": {\r\n"
		    "      \"m\": " ERR("8") "\r\n    },\r\n    " AT "6Z\"\r\n  }\r\n]\r\n", { 2, 6 }, { 5, 6 } },
		{ "[\n{\"m\": " ERR("7") ", " AT "5Z\"},\n{\"m\": " ERR("8") ", " AT "6Z\"}\n]\n", { 2, 3 }, { 5, 6 } },
		{ "\357\273\277[{\n  \"m\": " ERR("7") ",\n  " AT "5Z\"\n}, {\n  \"m\": \"{[\\\"\",\n  \"n\": " ERR("8") ",\n  "
		    AT "6Z\"\n}]", { 1, 5 }, { 5, 6 } },
		/* a record without its end, a string without its own */
		{ "[\n  {\n    \"m\": \"Too many\n  },\n  {\n    \"m\": " ERR("7") ",\n    " AT "5Z\"\n  },\n"
		    "  {\n    \"a\": [\n  {\n    \"m\": " ERR("8") ",\n    " AT "6Z\"\n  }\n]\n", { 5, 11 }, { 5, 6 } },
		{ "{\"took\": 5, \"hits\": {\"total\": {\"value\": 2}, \"hits\": [{\"_index\": \"l\", \"_source\": {\"@timestamp\": "
		    "\"2026-11-30T20:00:05Z\", \"message\": " ERR("7") "}}, {\"_source\": {\"@timestamp\": "
		    "\"2026-11-30T20:00:06Z\", \"message\": " ERR("8") "}}]}}\n", { 1, 2 }, { 5, 6 } },
		{ "{\n    \"events\": [\n        {\n            \"timestamp\": 1796068805000,\n            \"message\": " ERR("7") "\n"
		    "        },\n        {\n            \"timestamp\": 1796068806000,\n            \"message\": " ERR("8") "\n"
		    "        }\n    ],\n    \"nextToken\": \"x\"\n}\n", { 3, 7 }, { 5, 6 } },
		{ "{\n\t\"__REALTIME_TIMESTAMP\" : \"1796068805000000\",\n\t\"MESSAGE\" : " ERR("7") "\n}\n"
		    "{\n\t\"__REALTIME_TIMESTAMP\" : \"1796068806000000\",\n\t\"MESSAGE\" : [\n\t\t114, 101, 100, 105, 115, 46, 101, 120, 99, 101, 112, 116, 105, 111,\n"
		    "\t\t110, 115, 46, 67, 108, 117, 115, 116, 101, 114, 69, 114, 114, 111, 114, 58,\n"
		    "\t\t32, 84, 84, 76, 32, 101, 120, 104, 97, 117, 115, 116, 101, 100, 46, 27, 9, 10\n\t]\n}\n", { 1, 5 }, { 5, 6 } },
		{ "{\"__REALTIME_TIMESTAMP\":\"1796068805000000\",\"MESSAGE\":[114,101,100,105,115,46,101,120,99,101,112,116,105,111,110,115,46,67,108,117,115,116,"
		    "101,114,69,114,114,111,114,58,32,84,84,76,32,101,120,104,97,117,115,116,101,100,46],"
		    "\"_PID\":\"7\"}\n{\"__REALTIME_TIMESTAMP\":\"1796068806000000\",\"MESSAGE\":" ERR("7") "}\n", { 1, 2 }, { 5, 6 } },
	};
	const struct obs	*o;
	struct collect		 c;
	size_t			 i, n, k;

	for (i = 0; i < sizeof t / sizeof t[0]; i++)
		for (n = 0; n < 90; n += n < 3 || n > 80 ? 1 : 13) {
			decode(t[i].text, strlen(t[i].text), "a.json", n, &c);
			ck_assert_msg(collect_count(&c, OBS_ERROR) == 2, "%zu, %zu at a time: %zu errors", i, n,
			    collect_count(&c, OBS_ERROR));
			for (k = 0; k < 2; k++) {
				o = collect_nth(&c, OBS_ERROR, k);
				ck_assert_msg(o->at == INT64_C(1796068800000000) + t[i].seconds[k] * INT64_C(1000000),
				    "%zu, %zu: its time", i, k);
				ck_assert_msg(o->where.position == t[i].line[k], "%zu, %zu: line %d", i, k,
				    (int)o->where.position);
			}
			collect_free(&c);
		}
	decode(t[0].text, strlen(t[0].text) - 3, "a.json", 0, &c);
	ck_assert_ptr_nonnull(collect_problem(&c, "truncated", 0));
	collect_free(&c);
#undef ERR
#undef AT
}
END_TEST

/* More bytes than any list of members holds. */
START_TEST(a_message_of_bytes_is_text)
{
	static const char	 said[] = "RedisClusterFailoverError: redirect cycle for slot 7850: 10.0.0.1:9701 -> "
	    "10.0.0.2:9811 -> 10.0.0.1:9701\n";
	struct buf		 b = { NULL, 0, 0 };
	struct collect		 c;
	size_t			 i;

	buf_str(&b, "{\"_HOSTNAME\":\"w\",\"MESSAGE\":[27,91,51,49,109");
	for (i = 0; i < 600; i++)
		buf_fmt(&b, ",%d", i < sizeof said - 1 ? said[i] : i % 2 == 0 ? 255 : 34);
	buf_str(&b, "],\"__REALTIME_TIMESTAMP\":\"1796068805250000\"}\n");
	decode(b.p, b.n, "a.json", 0, &c);
	ck_assert_uint_eq(collect_count(&c, OBS_ERROR), 1);
	ck_assert_int_eq(collect_nth(&c, OBS_ERROR, 0)->u.error.slot, 7850);
	ck_assert_int_eq(collect_nth(&c, OBS_ERROR, 0)->at, INT64_C(1796068805250000));
	ck_assert_int_gt(bid(buf_cstr(&b)), 0);
	collect_free(&c);
	buf_free(&b);
}
END_TEST

/* loguru marks the line that caught, and sets the exception apart. */
START_TEST(a_trace_of_loguru_is_one_record)
{
	struct collect	 c;

	read_log("2026-11-30 20:00:05.250 | ERROR    | orders.repo:get:41 - get failed\n"
	    "Traceback (most recent call last):\n\n  File \"a.py\", line 9, in <module>\n    f()\n    \342\224\224 <function f>\n\n"
	    "> File \"x.py\", line 1, in f\n    raise ClusterError('TTL exhausted.')\n\n"
	    "redis.exceptions.ClusterError: TTL exhausted.\n", &c);
	ck_assert_uint_eq(collect_count(&c, OBS_ERROR), 1);
	ck_assert_int_eq(collect_nth(&c, OBS_ERROR, 0)->at, INT64_C(1796068805250000));
	collect_free(&c);
}
END_TEST

START_TEST(names_stay_over_rotation)
{
	static const char *const	 t[][2] = {
		{ "logs/app.log", "logs/app" }, { "logs/app.log.1", "logs/app" },
		{ "logs/app.log.2.gz", "logs/app" }, { "logs/app-2026-03-14.log.zst", "logs/app" },
		{ "logs/app.log-20260314", "logs/app" }, { "x/c1/refclient2.log", "c1/refclient2" },
		{ "bundle.tar.gz:in/c2/ioredis.ndjson.gz", "c2/ioredis" }, { "app.log", "app" },
		{ "./app.out", "app" }, { "/var/log/shop", "log/shop" },
		{ "2026-03-14.log", "2026-03-14" },
	};
	struct buf			 b = { NULL, 0, 0 };
	size_t				 i;

	for (i = 0; i < sizeof t / sizeof t[0]; i++) {
		b.n = 0;
		client_name(t[i][0], &b);
		ck_assert_str_eq(buf_cstr(&b), t[i][1]);
	}
	buf_free(&b);
}
END_TEST

START_TEST(keys_are_words_that_can_be_none_other)
{
	static const char *const	 t[][2] = {
		{ "get usr:1004: dial tcp", "usr:1004" }, { "set k-1001 failed", "k-1001" },
		{ "command on key probe:1:17 failed", "probe:1:17" },
		{ "Unable to get key {CONF}:feature:1 [Error", "{CONF}:feature:1" },
		{ "oh (key k:1432) in /srv/x.php:10", "k:1432" }, { "get failed", NULL },
		{ "could not get 10.0.0.1:6379", NULL }, { "get 3 of them", NULL },
		{ "budget 7 spent", NULL },
	};
	struct span			 k;
	size_t				 i;

	for (i = 0; i < sizeof t / sizeof t[0]; i++) {
		k = client_key(span_of(t[i][0]));
		if (t[i][1] == NULL)
			ck_assert_msg(k.p == NULL, "%s", t[i][0]);
		else
			ck_assert_msg(span_is(k, t[i][1]), "%s", t[i][0]);
	}
}
END_TEST

START_TEST(it_bids_for_logs_alone)
{
	ck_assert_int_gt(bid("2026-03-14 09:26:53 ERROR redis: MOVED 7 10.0.0.1:6379\n"),
	    bid("2026-03-14 09:26:53 INFO started\n"));
	ck_assert_int_gt(bid("[Error: Too many Cluster redirections. Last error: x]\n"), 0);
	ck_assert_int_eq(bid("# Notes\n\nNothing of interest.\n"), 0);
	ck_assert_int_eq(bid("{\n \"note\": \"MOVED 7 10.0.0.1:6379\"\n}\n"), 0);
	ck_assert_int_gt(bid("[\n {\n  \"note\": \"MOVED 7 10.0.0.1:6379\"\n }\n]\n"), 0);
	ck_assert_int_eq(bid("[\n {\n  \"verdict\": \"genuine\",\n  \"m\": \"TTL exhausted.\"\n }\n]\n"), 0);
	ck_assert_int_eq(bid("{\"verdict\":\"genuine\",\"message\":\"TTL exhausted.\"}\n"), 0);
	ck_assert_int_eq(bid(""), 0);
}
END_TEST

/* A client's log that holds topology is one; topology with headers is none. */
START_TEST(topology_makes_no_dump_of_a_log)
{
	static const char	 log[] = "2014-08-02 12:53:08,600 INFO [t] o.r.c.ClusterConnectionManager - "
	    "cluster nodes state got from n1/192.168.77.51:7001:\n" N2("1406983988162") N1;
	static const char	 dump[] = "2014-08-02 12:53:08,600 192.168.77.51:7001\n"
	    N2("1406983988162") N1;

	ck_assert_int_gt(bid(log),
	    format_topology_dump.bid(span_of(log), "x", NULL, 0));
	ck_assert_int_lt(bid(dump), format_topology_dump.bid(span_of(dump), "x", NULL, 0));
}
END_TEST

Suite *
suite_client(void)
{
	Suite	*s = suite_create("client");
	TCase	*t = tcase_create("client");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, each_line_gives_its_event);
	tcase_add_test(t, a_cycle_names_its_hops);
	tcase_add_test(t, a_library_that_goes_on_raises_nothing);
	tcase_add_test(t, traces_in_a_row_are_errors_of_their_own);
	tcase_add_test(t, a_redirect_that_c_programs_call_an_error_is_followed);
	tcase_add_test(t, what_redis_py_caught_is_no_error);
	tcase_add_test(t, a_redirect_that_was_followed_is_no_error);
	tcase_add_test(t, what_a_sentence_speaks_of_is_no_event);
	tcase_add_test(t, a_time_that_is_not_read_is_none);
	tcase_add_test(t, an_uncaught_trace_is_as_late_as_the_next_line);
	tcase_add_test(t, a_trace_may_stand_behind_an_empty_line);
	tcase_add_test(t, what_glides_core_hands_on_is_no_second_error);
	tcase_add_test(t, an_error_told_by_two_loggers_is_one);
	tcase_add_test(t, causes_give_slot_node_and_evidence);
	tcase_add_test(t, an_attempt_is_at_the_node_that_its_request_chose);
	tcase_add_test(t, topology_in_a_log_is_a_view);
	tcase_add_test(t, topology_in_a_log_says_how_far_it_goes);
	tcase_add_test(t, slots_in_a_log_are_a_view);
	tcase_add_test(t, a_line_without_a_time_lies_between_its_neighbours);
	tcase_add_test(t, an_hour_that_came_twice_is_said);
	tcase_add_test(t, a_timeout_began_before_it_was_logged);
	tcase_add_test(t, keys_and_values_are_not_kept);
	tcase_add_test(t, nothing_of_a_command_but_its_name_is_kept);
	tcase_add_test(t, values_reach_no_observation);
	tcase_add_test(t, lines_of_two_containers_are_told_apart);
	tcase_add_test(t, any_read_size_gives_the_same);
	tcase_add_test(t, records_of_a_json_document_are_read_one_by_one);
	tcase_add_test(t, a_message_of_bytes_is_text);
	tcase_add_test(t, a_trace_of_loguru_is_one_record);
	tcase_add_test(t, names_stay_over_rotation);
	tcase_add_test(t, keys_are_words_that_can_be_none_other);
	tcase_add_test(t, it_bids_for_logs_alone);
	tcase_add_test(t, topology_makes_no_dump_of_a_log);
	suite_add_tcase(s, t);
	return (s);
}
