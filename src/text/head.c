#include "text/head.h"

#include <strings.h>

#include "text/time-form.h"

enum { START_BYTES = 40 };	/* a stamp further right is part of a message */

static int
begins(struct span s, const char *with)
{
	size_t	 n = strlen(with);

	return (s.n >= n && memcmp(s.p, with, n) == 0);
}

static int
is_word(char c)
{
	return (is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' ||
	    c == '.' || c == '$' || c == '\\');
}

/* Parts of a trace that stand at the left margin. */
static const char *const trace_parts[] = {
	"Caused by: ", "Suppressed: ", "Traceback (most recent", "During handling of",
	"The above exception", "Stack trace:", "#0 ", "at ", "--- End of", "--->",
	"... ", "thrown in ", "Wrapped by:", "java.lang.Throwable: ", "goroutine ",
	"dial tcp", "<method-wrapper", "[cause]:", "| "
};

/* What begins a record though no stamp is there. */
static const char *const begin_parts[] = {
	"{\"", "[ioredis]", "(Boost.Redis)", "ioredis:", "iovalkey:", "redis: ", "node_redis:",
	"PHP Fatal error", "PHP Warning", "[Error", "(error)", "(node:", "[pod/", "time="
};

static const char *const levels[] = {
	"TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "FATAL",
	"CRITICAL", "SEVERE", "PANIC", "FINE", "FINER", "FINEST", "CONFIG", "VERBOSE",
	"ERR", "ERRO", "WRN", "INF", "DBG", "CRIT", "EMERG", "ALERT", "SILLY", "HTTP"
};

size_t
head_level(struct span s)
{
	size_t	 i, n = 0;

	while (n < s.n && n < 9 && (s.p[n] | 32) >= 'a' && (s.p[n] | 32) <= 'z')
		n++;
	for (i = 0; n >= 3 && i < sizeof levels / sizeof levels[0]; i++)
		if (strlen(levels[i]) == n && strncasecmp(s.p, levels[i], n) == 0)
			return (n);
	return (0);
}

/* "ERROR:", "fail: Category[0]", "ERRO[0012]": a level at the margin. */
static int
begins_with_level(struct span s)
{
	static const char *const	 short_words[] = {
		"fail: ", "warn: ", "info: ", "dbug: ", "trce: ", "crit: "
	};
	size_t				 i, n = head_level(s);

	for (i = 0; i < sizeof short_words / sizeof short_words[0]; i++)
		if (begins(s, short_words[i]))
			return (1);
	if (n == 0 || n >= s.n || s.p[0] >= 'a')
		return (0);
	return (s.p[n] == ':' || s.p[n] == '[' || s.p[n] == ' ');
}

/* "redis.exceptions.MovedError: ", "[ErrorReply: ", "Redis::TimeoutError: " */
static int
is_exception(struct span s)
{
	static const char *const	 ends[] = { "Error", "Exception", "ErrorReply" };
	size_t				 i, n = 0, k;

	if (s.n > 0 && s.p[0] == '[')
		s.p++, s.n--;
	while (n < s.n && n < 160 && (is_word(s.p[n]) ||
	    (s.p[n] == ':' && n + 1 < s.n && s.p[n + 1] == ':')))
		n += s.p[n] == ':' ? 2 : 1;
	if (n > s.n || n < 5 || (n < s.n && s.p[n] != ':' && s.p[n] != ' ' && s.p[n] != '['))
		return (0);
	for (i = 0; i < 3; i++) {
		k = strlen(ends[i]);
		if (n >= k && memcmp(s.p + n - k, ends[i], k) == 0)
			return (1);
	}
	return (0);
}

/* What such a line says happened at a time of its own, known or not: not at that
 * of the record before it.  A number alone is none. */
static int
begins_with_unread(struct span s)
{
	const char	*lacks;
	struct span	 form;

	if (!is_digit(s.p[0]) && s.p[0] != '[' && (s.p[0] | 32) < 'a')
		return (0);
	form = time_form(s, &lacks);
	return (form.p != NULL && form.p + form.n < s.p + s.n);
}

enum head_class
head_classify(struct span s, unsigned *flags)
{
	struct stamp	 t;
	struct span	 trimmed = s;
	size_t		 i;

	*flags = 0;
	while (trimmed.n > 0 && (trimmed.p[0] == ' ' || trimmed.p[0] == '\t'))
		trimmed.p++, trimmed.n--;
	if (trimmed.n == 0) {
		*flags = HEAD_BLANK;
		return (HEAD_CONTINUES);
	}
	if (trimmed.p != s.p) {
		*flags = HEAD_INDENTED;
		if (begins(trimmed, "at "))
			*flags |= HEAD_CALL;
		if (begins(trimmed, "ioredis:") || begins(trimmed, "iovalkey:"))
			return (HEAD_BEGINS);	/* debug on a terminal */
		return (HEAD_CONTINUES);
	}
	if (s.p[0] != '{' && stamp_find(s, &t) && t.begin <= START_BYTES) {
		*flags = HEAD_STAMPED | ((t.has & STAMP_TWO_LINES) != 0 ? HEAD_TWO_LINES : 0);
		return (HEAD_BEGINS);
	}
	if (begins_with_unread(s)) {
		*flags = HEAD_UNREAD;
		return (HEAD_BEGINS);
	}
	if (begins(s, "> File \"")) {	/* loguru marks the line that caught it */
		*flags = HEAD_INDENTED;
		return (HEAD_CONTINUES);
	}
	if (begins(s, "at "))
		*flags |= HEAD_CALL;
	if (begins(s, "Traceback (most recent"))
		*flags |= HEAD_TRACE;
	if (begins(s, "panic: ") || begins(s, "thread '") || begins(s, "Exception in thread "))
		*flags |= HEAD_RUNTIME;
	for (i = 0; i < sizeof trace_parts / sizeof trace_parts[0]; i++)
		if (begins(s, trace_parts[i]))
			return (HEAD_CONTINUES);
	if (s.n <= 3 && strchr("}])", s.p[0]) != NULL)
		return (HEAD_CONTINUES);
	for (i = 0; i < sizeof begin_parts / sizeof begin_parts[0]; i++)
		if (begins(s, begin_parts[i]))
			return (HEAD_BEGINS);
	if (is_exception(s)) {
		*flags |= HEAD_RAISED;
		return (HEAD_EXCEPTION);
	}
	return (begins_with_level(s) ? HEAD_BEGINS : HEAD_OTHER);
}

unsigned
head_flags(unsigned before, unsigned line)
{
	if (line == HEAD_BLANK)
		return (before & (HEAD_STAMPED | HEAD_UNREAD | HEAD_BLANK | HEAD_RAISED | HEAD_INDENTED | HEAD_CALL));
	/* One that a logger puts before its trace ends none. */
	return ((before & HEAD_INDENTED) == 0 ? line & ~(unsigned)HEAD_RAISED : line);
}

int
head_begins(enum head_class c, unsigned flags, unsigned before, int stamped)
{
	if ((before & HEAD_TWO_LINES) != 0 && (flags & HEAD_STAMPED) == 0)
		return (0);
	/* Behind the end of a trace another one is nobody's but its own: "During
	 * handling of ..." would stand between those of one error. */
	if ((flags & HEAD_TRACE) != 0 && (before & HEAD_RAISED) != 0)
		return (1);
	if ((flags & HEAD_RUNTIME) != 0 && (before & (HEAD_INDENTED | HEAD_CALL)) != 0)
		return (1);
	switch (c) {
	case HEAD_BEGINS:
		return (1);
	case HEAD_CONTINUES:
		return (0);
	case HEAD_EXCEPTION:
		/* after its log line, or at the end of a Python trace */
		if ((before & (HEAD_STAMPED | HEAD_UNREAD)) != 0)
			return (0);
		return ((before & HEAD_INDENTED) == 0 || (before & HEAD_CALL) != 0);
	default:
		return (!stamped);
	}
}

/* --- JSON ------------------------------------------------------------- */

static struct span
first_of(const struct json_member *m, size_t n, const char *const *names)
{
	struct span	 v = { NULL, 0 };

	for (; *names != NULL && v.p == NULL; names++)
		v = json_get(m, n, *names);
	return (v);
}

static const char *const time_names[] = { "time", "timestamp", "@timestamp", "ts", "asctime",
	"t", "@t", "written_at", "datetime", "date", "eventTime", "Timestamp", "T", "ts_iso",
	"__time", "syslog.timestamp", NULL };
static const char *const level_names[] = { "level", "lvl", "log.level", "levelname", "@l",
	"severity", "level_name", "Level", "L", "loglevel", "log_level", NULL };
static const char *const logger_names[] = { "logger", "logger_name", "loggerName", "log.logger",
	"category", "target", "logger.name", "channel", "SourceContext", NULL };
static const char *const thread_names[] = { "thread", "thread_name", "threadName",
	"process.thread.name", "tid", "goid", "ThreadId", NULL };
static const char *const request_names[] = { "request_id", "requestId", "req_id", "reqId",
	"req.id", "trace_id", "traceId", "trace.id", "correlation_id", "correlationId",
	"x_request_id", "TraceId", NULL };
static const char *const host_names[] = { "hostname", "host", "host.name", "HOSTNAME", NULL };
static const char *const app_names[] = { "service", "svc", "app", "service.name", "application",
	"kubernetes.container.name", NULL };
static const char *const pid_names[] = { "pid", "process", "process.pid", "processId", NULL };
static const char *const key_names[] = { "key", "redis_key", "cache_key", "redisKey", NULL };
static const char *const peer_names[] = { "addr", "err.address", "error.address", "address",
	"node", "endpoint", "err.addr", "redis_node", "remote", NULL };
static const char *const port_names[] = { "err.port", "error.port", "port", NULL };
static const char *const message_names[] = { "message", "msg", "event", "@mt", "@m", "MESSAGE",
	"fields.message", "Message", "text", "log", NULL };

static int
is_named(struct span path, const char *const *names)
{
	for (; *names != NULL; names++)
		if (span_is(path, *names))
			return (1);
	return (0);
}

/* Members that never hold an error's text. */
static int
is_meta(struct span path)
{
	return (is_named(path, time_names) || is_named(path, level_names) ||
	    is_named(path, logger_names) || is_named(path, thread_names) ||
	    is_named(path, request_names) || is_named(path, host_names) ||
	    is_named(path, app_names) || is_named(path, pid_names) ||
	    is_named(path, key_names) || is_named(path, peer_names) ||
	    is_named(path, message_names) || span_is(path, "caller"));
}

/* "err.type" beside "err.message": one line, as a trace would print it. */
static int
is_type_of_next(const struct json_member *m, size_t n, size_t i)
{
	struct span	 a = m[i].path, b;
	size_t		 k;

	if (i + 1 >= n)
		return (0);
	b = m[i + 1].path;
	for (k = a.n; k > 0 && a.p[k - 1] != '.'; k--)
		;
	a.p += k, a.n -= k;
	if (!span_is(a, "type") && !span_is(a, "name") && !span_is(a, "class"))
		return (0);
	return (k > 0 && b.n == k + 7 && memcmp(b.p + k, "message", 7) == 0);
}

static void
json_text(struct record *r, const struct json_member *m, size_t n, struct buf *out)
{
	struct span	 message = first_of(m, n, message_names);
	size_t		 i, start = out->n;
	int		 open = 0;	/* "type: " stands at the end */

	if (message.p != NULL)
		buf_add(out, message.p, message.n);
	for (i = 0; i < n; i++) {
		if (!m[i].text || m[i].value.n < 3 || is_meta(m[i].path) ||
		    m[i].value.p == r->logger.p || m[i].value.p == r->app.p)
			continue;
		if (out->n > start && !open)
			buf_chr(out, '\n');
		buf_add(out, m[i].value.p, m[i].value.n);
		open = is_type_of_next(m, n, i);
		if (open)
			buf_str(out, ": ");
	}
	buf_need(out, 1);		/* no text at all is empty, not unknown */
	r->text = span_make(out->p + start, out->n - start);
	r->message = message.p != NULL ? span_make(r->text.p, message.n) : r->text;
}

static int64_t
json_time(const struct json_member *m, size_t n, struct stamp *own, int64_t *precision)
{
	struct span	 v, nano;
	int64_t		 at;
	size_t		 i;
	int		 digit;

	for (i = 0; time_names[i] != NULL; i++) {
		v = json_get(m, n, time_names[i]);
		if (v.p == NULL)
			continue;
		if ((at = stamp_epoch(v, precision)) != OBS_NO_TIME)
			return (at);
		if (stamp_at(v, 0, own) > 0)
			return (OBS_NO_TIME);
	}
	v = json_get(m, n, "instant.epochSecond");
	nano = json_get(m, n, "instant.nanoOfSecond");
	at = v.p != NULL ? stamp_epoch(v, precision) : OBS_NO_TIME;
	if (at != OBS_NO_TIME && nano.p != NULL && nano.n <= 9) {
		int64_t	 ns = 0;

		for (i = 0; i < nano.n; i++) {
			digit = nano.p[i] - '0';
			ns = ns * 10 + (digit >= 0 && digit <= 9 ? digit : 0);
		}
		at += ns / 1000;
		*precision = 1;
	}
	return (at);
}

/* bunyan's and pino's numbers */
static struct span
level_word(struct span v)
{
	static const char *const	 words[] = { "trace", "debug", "info", "warn", "error",
	    "fatal" };

	if (v.p != NULL && v.n == 2 && v.p[1] == '0' && v.p[0] >= '1' && v.p[0] <= '6')
		return (span_of(words[v.p[0] - '1']));
	return (v);
}

static int
parse_json(struct record *r, struct json *j, struct buf *out, struct stamp *own, int64_t *epoch)
{
	const struct json_member	*m;
	struct span			 v;
	size_t				 n;

	if ((m = json_read(j, r->text, &n)) == NULL)
		return (0);
	json_lift(j, n, "_source.");	/* a document of Elasticsearch */
	*epoch = json_time(m, n, own, &r->precision_us);
	r->json = 1;
	r->level = level_word(first_of(m, n, level_names));
	r->logger = first_of(m, n, logger_names);
	r->thread = first_of(m, n, thread_names);
	r->request = first_of(m, n, request_names);
	r->key = first_of(m, n, key_names);
	r->peer = first_of(m, n, peer_names);
	r->port = first_of(m, n, port_names);
	if (r->host.p == NULL)
		r->host = first_of(m, n, host_names);
	if (r->app.p == NULL)
		r->app = first_of(m, n, app_names);
	if (r->pid.p == NULL)
		r->pid = first_of(m, n, pid_names);
	v = json_get(m, n, "name");	/* an application to bunyan, a logger to Python */
	if (v.p != NULL && json_get(m, n, "levelname").p != NULL)
		r->logger = v;
	else if (v.p != NULL && r->app.p == NULL)
		r->app = v;
	json_text(r, m, n, out);
	return (1);
}

/* --- logfmt ------------------------------------------------------------ */

/* The value of name= in a logfmt line, quotes taken off; escapes stay. */
static struct span
logfmt_get(struct span s, const char *name)
{
	size_t	 k = strlen(name), i, end;

	for (i = 0; i + k + 1 < s.n; i++) {
		if (s.p[i] == '"') {	/* skip a quoted value */
			for (i++; i < s.n && s.p[i] != '"'; i++)
				if (s.p[i] == '\\')
					i++;
			continue;
		}
		if ((i > 0 && s.p[i - 1] != ' ') || memcmp(s.p + i, name, k) != 0 ||
		    s.p[i + k] != '=')
			continue;
		i += k + 1;
		if (i < s.n && s.p[i] == '"') {
			for (end = ++i; end < s.n && s.p[end] != '"'; end++)
				if (s.p[end] == '\\')
					end++;
		} else {
			for (end = i; end < s.n && s.p[end] != ' '; end++)
				;
		}
		return (span_make(s.p + i, (end < s.n ? end : s.n) - i));
	}
	return (span_make(NULL, 0));
}

static int
parse_logfmt(struct record *r, struct stamp *own, int64_t *epoch)
{
	static const char *const	 names[] = { "time", "timestamp", "ts", "t", NULL };
	struct span			 v = { NULL, 0 }, m;
	int				 i;

	for (i = 0; names[i] != NULL && v.p == NULL; i++)
		v = logfmt_get(r->line, names[i]);
	if (v.p == NULL)
		return (0);
	if ((*epoch = stamp_epoch(v, &r->precision_us)) == OBS_NO_TIME &&
	    stamp_at(v, 0, own) == 0)
		return (0);
	r->level = logfmt_get(r->line, "level");
	m = logfmt_get(r->line, "message");
	if (m.p == NULL)
		m = logfmt_get(r->line, "msg");
	if (m.p != NULL)
		r->message = m;
	if (r->pid.p == NULL)
		r->pid = logfmt_get(r->line, "pid");
	r->thread = logfmt_get(r->line, "thread");
	r->request = logfmt_get(r->line, "request_id");
	r->logger = logfmt_get(r->line, "logger");
	r->key = logfmt_get(r->line, "key");
	return (1);
}

/* --- plain text --------------------------------------------------------- */

/* Redis: "pid:role dd Mon ... L message", L one of . - * # */
static int
redis_head(struct record *r, const struct stamp *t)
{
	struct span	 s = r->line;
	size_t		 i = t->begin, role;

	if (i < 4 || s.p[i - 1] != ' ' || t->end + 2 > s.n)
		return (0);
	role = i - 2;
	if (s.p[role - 1] != ':' || strchr("MSCXRP", s.p[role]) == NULL)
		return (0);
	for (i = role - 1; i > 0 && is_digit(s.p[i - 1]); i--)
		;
	if (i == role - 1 || s.p[t->end] != ' ' || strchr(".-*#", s.p[t->end + 1]) == NULL)
		return (0);
	if (r->pid.p == NULL)
		r->pid = span_make(s.p + i, role - 1 - i);
	r->level = span_make(s.p + t->end + 1, 1);
	i = t->end + 2;
	if (i < s.n && s.p[i] == ' ')
		i++;
	r->message = span_make(s.p + i, (size_t)(r->text.p + r->text.n - s.p) - i);
	return (1);
}

static size_t
find_close(struct span s, size_t at)
{
	const char	*p = memchr(s.p + at, ']', s.n - at);

	return (p != NULL ? (size_t)(p - s.p) : s.n);
}

/* Spring Boot: "7 --- [app] [thread] logger : message"; *at is the thread's. */
static int
spring_thread(struct span s, size_t i, size_t *at)
{
	size_t	 close;

	while (i < s.n && is_digit(s.p[i]))
		i++;
	if (i + 7 > s.n || memcmp(s.p + i, " --- [", 6) != 0)
		return (0);
	*at = i + 6;
	close = find_close(s, *at);
	if (close + 2 < s.n && s.p[close + 2] == '[' &&
	    find_close(s, close + 3) < s.n)
		*at = close + 3;
	return (find_close(s, *at) < s.n);
}

/* The word that ends the bracket which the stamp opened, "[<stamp> ERROR
 * some.logger request-7] message": where it closes, 0 when s[i] begins none. */
static size_t
last_in_bracket(struct span s, size_t i)
{
	size_t	 end = i;

	while (end < s.n && end < i + 64 && strchr(" []", s.p[end]) == NULL)
		end++;
	return (end > i && end < s.n && s.p[end] == ']' ? end : 0);
}

/* Level, thread and logger stand between stamp and message in any order; the
 * message begins where they end. */
static void
plain_head(struct record *r, size_t at, int open)
{
	struct span	 s = r->line;
	size_t		 i = at, n, end;
	int		 tokens = 0;

	while (i < s.n && tokens < 8) {
		while (i < s.n && strchr(" \t-|:,", s.p[i]) != NULL && s.p[i] != '\0')
			i++;
		if (i < s.n && (s.p[i] == '[' || s.p[i] == '<' || s.p[i] == '(')) {
			for (end = i + 1; end < s.n && end < i + 64 &&
			    s.p[end] != ']' && s.p[end] != '>' && s.p[end] != ')'; end++)
				;
			if (end >= s.n || end >= i + 64)
				break;
			n = head_level(span_make(s.p + i + 1, end - i - 1));
			if (n > 0 && r->level.p == NULL)
				r->level = span_make(s.p + i + 1, n);
			else if (r->thread.p == NULL && n == 0)
				r->thread = span_make(s.p + i + 1, end - i - 1);
			i = end + 1;
		} else if ((n = head_level(span_make(s.p + i, s.n - i))) > 0 &&
		    r->level.p == NULL && (i + n == s.n || strchr(" :\t[|,/-", s.p[i + n]) != NULL)) {
			r->level = span_make(s.p + i, n);
			i += n;
		} else if (spring_thread(s, i, &end)) {
			r->thread = span_make(s.p + end, find_close(s, end) - end);
			i = find_close(s, end) + 1;
		} else if (s.n - i >= 4 && (begins(span_make(s.p + i, 4), "pid=") ||
		    begins(span_make(s.p + i, 4), "tid="))) {
			while (i < s.n && s.p[i] != ' ')
				i++;
		} else if (open && r->thread.p == NULL && (end = last_in_bracket(s, i)) > 0) {
			i += s.p[i] == '/';	/* "ERROR/Worker-2]" */
			r->thread = span_make(s.p + i, end - i);
			i = end + 1;
			open = 0;
		} else {
			/* a dotted word followed by a separator is a logger */
			for (end = i; end < s.n && (is_word(s.p[end]) || s.p[end] == '/'); end++)
				;
			if (end == i || end >= s.n || r->logger.p != NULL ||
			    (memchr(s.p + i, '.', end - i) == NULL &&
			    !begins(span_make(s.p + end, s.n - end), " - ")))
				break;
			r->logger = span_make(s.p + i, end - i);
			i = end;
		}
		tokens++;
	}
	r->message = span_make(s.p + i, (size_t)(r->text.p + r->text.n - s.p) - i);
}

void
head_parse(struct record *r, struct json *j, struct buf *out, struct stamp *own, int64_t *epoch)
{
	*epoch = OBS_NO_TIME;
	own->has = 0;
	r->message = r->text;
	if (r->text.n > 1 && r->text.p[0] == '{' && parse_json(r, j, out, own, epoch))
		return;
	if (stamp_find(r->line, own)) {
		if (own->begin > 0 && r->line.p[own->begin - 1] == '"' &&
		    parse_logfmt(r, own, epoch))
			return;
		if (own->begin > 0 && r->line.p[own->begin - 1] == '=' &&
		    parse_logfmt(r, own, epoch))
			return;
		if (!redis_head(r, own))
			plain_head(r, own->end, own->begin > 0 &&
			    r->line.p[own->begin - 1] == '[' && r->line.p[own->end - 1] != ']');
		return;
	}
	own->has = 0;
	if (!parse_logfmt(r, own, epoch))
		plain_head(r, 0, 0);
}
