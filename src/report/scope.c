/*
 * scope.c - reads the limits of a report and makes its scope.
 */
#include "report/scope.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/mem.h"
#include "report/output.h"
#include "report/stale.h"
#include "store/query.h"
#include "store/script.h"
#include "store/store.h"
#include "text/stamp.h"

enum { NAME_BITS = 24 };

/* What scope_close() takes away: views, then tables. */
static const char scope_drop[] =
    "DROP VIEW IF EXISTS temp.evidence_line; DROP TABLE IF EXISTS temp.window_proof;"
    "DROP TABLE IF EXISTS temp.window_lasted;"
    "DROP TABLE IF EXISTS temp.event; DROP TABLE IF EXISTS temp.mark;"
    "DROP TABLE IF EXISTS temp.lane_event; DROP TABLE IF EXISTS temp.claim_span;"
    "DROP TABLE IF EXISTS temp.shade; DROP TABLE IF EXISTS temp.lane;"
    "DROP TABLE IF EXISTS temp.extent; DROP TABLE IF EXISTS temp.happening;"
    "DROP TABLE IF EXISTS temp.track; DROP TABLE IF EXISTS temp.explanation; DROP TABLE IF EXISTS temp.asked;"
    "DROP TABLE IF EXISTS temp.health;"
    "DROP VIEW IF EXISTS temp.timeline; DROP TABLE IF EXISTS temp.node_label;"
    "DROP TABLE IF EXISTS temp.rule_text;"
    "DROP TABLE IF EXISTS temp.assumed; DROP TABLE IF EXISTS temp.clock_said; DROP TABLE IF EXISTS temp.seen; DROP TABLE IF EXISTS temp.partitioned; DROP TABLE IF EXISTS temp.of_another; DROP TABLE IF EXISTS temp.loss;"
    "DROP TABLE IF EXISTS temp.astray; DROP TABLE IF EXISTS temp.harmless; DROP TABLE IF EXISTS temp.refused;"
    "DROP VIEW IF EXISTS temp.input_said; DROP TABLE IF EXISTS temp.copy_of; DROP TABLE IF EXISTS temp.last_word;"
    "DROP TABLE IF EXISTS temp.apart; DROP TABLE IF EXISTS temp.together; DROP TABLE IF EXISTS temp.cluster_of; DROP TABLE IF EXISTS temp.clusters;"
    "DROP TABLE IF EXISTS temp.advice; DROP TABLE IF EXISTS temp.story;"
    "DROP TABLE IF EXISTS temp.fate; DROP TABLE IF EXISTS temp.deed;"
    "DROP TABLE IF EXISTS temp.chapter; DROP TABLE IF EXISTS temp.fact; DROP TABLE IF EXISTS temp.tally;"
    "DROP TABLE IF EXISTS temp.headline; DROP TABLE IF EXISTS temp.limit_said; DROP TABLE IF EXISTS temp.whose; DROP TABLE IF EXISTS temp.taken_for;"
    "DROP TABLE IF EXISTS temp.missing_word; DROP TABLE IF EXISTS temp.error_time;"
    "DROP TABLE IF EXISTS temp.coarse; DROP TABLE IF EXISTS temp.error_member; DROP TABLE IF EXISTS temp.group_condition; DROP TABLE IF EXISTS temp.error_group; DROP TABLE IF EXISTS temp.summary;"
    "DROP TABLE IF EXISTS temp.input; DROP TABLE IF EXISTS temp.connect_storm;"
    "DROP TABLE IF EXISTS temp.slot_owner;"
    "DROP TABLE IF EXISTS temp.window_observer;"
    "DROP TABLE IF EXISTS temp.window_condition;"
    "DROP VIEW IF EXISTS temp.error_evidence;"
    "DROP VIEW IF EXISTS temp.error_condition;"
    "DROP TABLE IF EXISTS temp.window; DROP TABLE IF EXISTS temp.failover_error;"
    "DROP TABLE IF EXISTS temp.error_name; DROP TABLE IF EXISTS temp.scope;"
    "DROP TABLE IF EXISTS temp.stale;";

/* ".123456": microseconds; *p moves behind it. */
static int64_t
fraction(const char **p)
{
	int64_t	 us = 0, unit = 100000;

	if (**p != '.')
		return (0);
	for (++*p; isdigit((unsigned char)**p); ++*p) {
		us += (**p - '0') * unit;
		unit /= 10;
	}
	return (us);
}

static int
rfc3339(const char *s, int64_t *at)
{
	int		 y, mo, d, h = 0, mi = 0, sec = 0, n = 0, zh, zm, zn = 0;
	int64_t		 us = 0;
	char		 sep, sign;

	if (sscanf(s, "%4d-%2d-%2d%n", &y, &mo, &d, &n) != 3 || n != 10)
		return (-1);
	s += n;
	if (*s != '\0') {
		n = 0;
		if (sscanf(s, "%c%2d:%2d:%2d%n", &sep, &h, &mi, &sec, &n) != 4 ||
		    n != 9 || strchr("Tt ", sep) == NULL)
			return (-1);
		s += n;
		us = fraction(&s);
	}
	if (y < 1970 || !stamp_is_date(y, mo, d) || h > 23 ||
	    mi > 59 || sec > 60 || h < 0 || mi < 0 || sec < 0)
		return (-1);
	*at = ((stamp_days(y, mo, d) * 24 + h) * 60 + mi) * 60 + sec;
	if (sscanf(s, "%c%2d:%2d%n", &sign, &zh, &zm, &zn) == 3 && zn == 6 &&
	    s[zn] == '\0' && (sign == '+' || sign == '-'))
		*at -= (sign == '+' ? 1 : -1) * (zh * 60 + zm) * 60;
	else if (*s != '\0' && strcmp(s, "Z") != 0 && strcmp(s, "z") != 0)
		return (-1);
	*at = *at * 1000000 + us;
	return (0);
}

/* "10m", "1.5s", "200ms" */
static int
duration(const char *s, int64_t *us)
{
	static const struct {
		const char	*word;
		double		 us;
	} units[] = {
		{ "ms", 1e3 }, { "s", 1e6 }, { "", 1e6 }, { "m", 6e7 },
		{ "h", 3.6e9 }, { "d", 8.64e10 }
	};
	char	*end;
	double	 v;
	size_t	 i;

	if (!isdigit((unsigned char)*s))
		return (-1);
	v = strtod(s, &end);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].word) == 0 && v * units[i].us < 4e18) {
			*us = (int64_t)(v * units[i].us + 0.5);
			return (0);
		}
	}
	return (-1);
}

/* "20:31:55.5", as reports print times behind the first: of the one day on which
 * it lies in the evidence. */
static int
time_of_day(const char *s, int64_t first, int64_t last, int64_t *at)
{
	static const int64_t	 day = INT64_C(86400000000);
	int			 h, m, sec, n = 0, found = 0;
	int64_t			 of_day, t;

	if (sscanf(s, "%2d:%2d:%2d%n", &h, &m, &sec, &n) != 3 || n != 8 || h < 0 || h > 23 ||
	    m < 0 || m > 59 || sec < 0 || sec > 60)
		return (-1);
	s += n;
	of_day = ((h * 60 + m) * INT64_C(60) + sec) * 1000000 + fraction(&s);
	if ((*s != '\0' && strcmp(s, "Z") != 0 && strcmp(s, "z") != 0) || first > last)
		return (-1);
	if (last / day == first / day) {
		*at = first / day * day + of_day;
		return (0);
	}
	for (t = first / day * day + of_day; t <= last && found < 2; t += day)
		if (t >= first) {
			*at = t;
			found++;
		}
	return (found == 1 ? 0 : -1);
}

int
scope_time(const char *text, int64_t first, int64_t last, int64_t *at)
{
	int64_t		 base, us = 0;
	const char	*p = text;

	if (strncmp(text, "start", 5) == 0 || strncmp(text, "end", 3) == 0) {
		base = text[0] == 's' ? first : last;
		p += text[0] == 's' ? 5 : 3;
		if (first > last || (*p != '\0' && *p != '+' && *p != '-') ||
		    (*p != '\0' && duration(p + 1, &us) == -1))
			return (-1);
		*at = *p == '-' ? base - us : base + us;
		return (0);
	}
	if (rfc3339(text, at) == 0 || time_of_day(text, first, last, at) == 0)
		return (0);
	for (base = 0; isdigit((unsigned char)*p) && p - text < 17; p++)
		base = base * 10 + (*p - '0');
	if (p == text)
		return (-1);
	if (p - text <= 11)			/* seconds */
		base = base * 1000000 + fraction(&p);
	else if (p - text <= 14)		/* milliseconds */
		base *= 1000;
	*at = base;
	return (*p == '\0' ? 0 : -1);
}

/* FNV-1a: the name has to be the same everywhere and stay so, no more. */
static uint32_t
hash_add(uint32_t h, const char *s)
{
	for (; *s != '\0'; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return ((h ^ 0xff) * 16777619u);
}

void
error_name(char out[ERROR_NAME_BYTES], const char *client, int64_t at,
    const char *slot, const char *message, unsigned again)
{
	char		 number[48];
	uint32_t	 h = 2166136261u;

	snprintf(number, sizeof(number), "%lld %u", (long long)at, again);
	h = hash_add(h, client);
	h = hash_add(h, number);
	h = hash_add(h, slot);
	h = hash_add(h, message);
	h ^= h >> NAME_BITS;
	snprintf(out, ERROR_NAME_BYTES, "E-%06x", (unsigned)(h & 0xffffff));
}

/* Is this error the one that was asked for, by number or name, or one of the
 * window that was? */
static int
is_asked(const struct asked *a, const struct query *q, const char *name)
{
	if (a->window)
		return (query_int(q, 5) == a->id && !query_null(q, 5));
	return (a->id > 0 ? query_int(q, 0) == a->id : strcasecmp(a->ref, name) == 0);
}

/* Every error of the timeline has its name, in the scope or not, so that names
 * do not depend on the scope.  Two that meet: the later one hashes again.  With
 * asked, only what it asks for is kept, and the number of an error that it
 * names is put into it. */
static int
name_errors(struct store *s, struct asked *a, struct err *err)
{
	unsigned char	*used = mem_zero(1, (1u << NAME_BITS) / 8);
	struct query	*in = NULL, *out = NULL;
	char		 name[ERROR_NAME_BYTES];
	unsigned long	 bit;
	unsigned	 again;
	int		 got = -1, kept = 0;

	if (query_open(&in, s, err, "SELECT error_id, client, at, slot, message, window_id "
	    "FROM main.failover_error ORDER BY error_id") == -1 ||
	    query_open(&out, s, err, "INSERT INTO temp.error_name VALUES (?1, ?2)") == -1)
		goto out;
	while ((got = query_next(in, err)) == 1) {
		for (again = 0;; again++) {
			error_name(name, query_text(in, 1), query_int(in, 2),
			    query_text(in, 3), query_text(in, 4), again);
			bit = strtoul(name + 2, NULL, 16);
			if (!(used[bit / 8] & 1 << bit % 8) || again > 1000)
				break;
		}
		used[bit / 8] |= (unsigned char)(1 << bit % 8);
		if (a != NULL && !is_asked(a, in, name))
			continue;
		query_bind_int(out, 1, query_int(in, 0));
		query_bind_text(out, 2, span_of(name));
		if ((got = query_next(out, err)) == -1)
			break;
		query_rewind(out);
		kept++;
		if (a != NULL && !a->window)
			a->id = query_int(in, 0);
		if (a != NULL && kept == (a->window ? ASKED_ERRORS_MOST : 1))
			break;
	}
out:
	query_close(in);
	query_close(out);
	free(used);
	return (got == -1 ? -1 : 0);
}

/* The times between which there is any evidence; first > last: none. */
static int
extent(struct store *s, int64_t *first, int64_t *last, struct err *err)
{
	struct query	*q = NULL;
	int		 got = -1;

	*first = INT64_MAX;
	*last = INT64_MIN;
	if (query_open(&q, s, err, "SELECT min(first_at_utc), max(last_at_utc) "
	    "FROM main.input") == 0 && (got = query_next(q, err)) == 1 &&
	    !query_null(q, 0) && !query_null(q, 1) &&
	    (rfc3339(query_text(q, 0), first) == -1 ||
	    rfc3339(query_text(q, 1), last) == -1))
		*first = INT64_MAX;
	query_close(q);
	return (got == -1 ? -1 : 0);
}

/* q NULL: only look whether it can be read; the same below. */
static int
bind_time(struct query *q, int n, const char *option, const char *text,
    int64_t first, int64_t last, struct err *err)
{
	int64_t	 at;

	if (text == NULL)
		return (0);
	if (scope_time(text, first, last, &at) == -1)
		return (err_usage(err, "--%s: not a time: %s", option, text));
	if (q != NULL)
		query_bind_int(q, n, at);
	return (0);
}

static int
bind_slot(struct query *q, int n, const char *text, struct err *err)
{
	char	*end;
	long	 slot;

	if (text == NULL)
		return (0);
	slot = strtol(text, &end, 10);
	if (!isdigit((unsigned char)text[0]) || *end != '\0' || slot > 16383)
		return (err_usage(err, "--slot: not a slot (0 to 16383): %s", text));
	if (q != NULL)
		query_bind_int(q, n, slot);
	return (0);
}

static int
bind_verdict(struct query *q, int n, const char *text, struct err *err)
{
	static const char *const	 words[] = { "genuine", "spurious", "corruption",
					     "undetermined" };
	size_t				 i;

	if (text == NULL)
		return (0);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], text) == 0) {
			if (q != NULL)
				query_bind_text(q, n, span_of(text));
			return (0);
		}
	}
	return (err_usage(err, "--verdict: genuine, spurious, corruption or undetermined, not %s",
	    text));
}

int
scope_check(const struct report_opts *o, struct err *err)
{
	return (bind_time(NULL, 0, "since", o->since, 0, 1, err) == -1 ||
	    bind_time(NULL, 0, "until", o->until, 0, 1, err) == -1 ||
	    bind_slot(NULL, 0, o->slot, err) == -1 ||
	    bind_verdict(NULL, 0, o->verdict, err) == -1 ? -1 : 0);
}

static int
fill_scope(struct store *s, const struct report_opts *o, const struct asked *a,
    struct err *err)
{
	struct query	*q = NULL;
	int64_t		 first, last;
	int		 rv = -1;

	if (extent(s, &first, &last, err) == -1 ||
	    query_open(&q, s, err, "INSERT INTO temp.scope VALUES "
	    "(?1, ?2, ?3, ?4, lower(?5), ?6, ?7, coalesce(?1, ?2, ?3, ?4, ?5, ?6) IS NOT NULL, ?8, ?9)") == -1)
		goto out;
	if (bind_time(q, 1, "since", o->since, first, last, err) == -1 ||
	    bind_time(q, 2, "until", o->until, first, last, err) == -1 ||
	    bind_slot(q, 3, o->slot, err) == -1 ||
	    bind_verdict(q, 6, o->verdict, err) == -1)
		goto out;
	query_bind_text(q, 4, span_of(o->client));
	query_bind_text(q, 5, span_of(o->node));
	query_bind_text(q, 7, span_of(o->incident));
	/* Of a window that is asked for, no error: they are listed, not told. */
	query_bind_int(q, 8, a == NULL ? 0 : a->id);
	query_bind_int(q, 9, a == NULL ? INT64_MAX : a->window ? a->id - 1 : a->id);
	rv = query_next(q, err) == 0 ? 0 : -1;
out:
	query_close(q);
	return (rv);
}

/* An incident that is not there is no empty one. */
static int
check_incident(struct store *s, const char *name, struct err *err)
{
	struct query	*q = NULL;
	int		 got = -1;

	if (name == NULL)
		return (0);
	if (query_open(&q, s, err, "SELECT ifnull(max(incident = ?1), 0), "
	    "group_concat(incident, ', ') FROM (SELECT incident "
	    "FROM main.source UNION SELECT incident FROM main.setting ORDER BY 1)") == 0) {
		query_bind_text(q, 1, span_of(name));
		got = query_next(q, err);
	}
	if (got == 1 && query_int(q, 0) == 0)
		got = query_null(q, 1) ? err_set(err, "no incident \"%s\"; there are none", name) :
		    err_set(err, "no incident \"%s\"; there are: %s", name, query_text(q, 1));
	query_close(q);
	return (got == 1 ? 0 : -1);
}

int
scope_script(struct store *s, const char *name, struct err *err)
{
	const struct sql_file	*f = script_find(name);

	if (f == NULL)
		return (err_set(err, "%s: not built in", name));
	return (script_run(store_db(s), f, NULL, NULL, err));
}

/* The scope without what only a whole report needs.  asked NULL: all. */
static int
open_scope(struct store *s, const struct report_opts *o, struct asked *a, struct err *err)
{
	if (store_analyzed(s, err) == -1 || check_incident(s, o->incident, err) == -1)
		return (-1);
	if (store_exec(s, scope_drop, err) == -1 || stale_find(s, err) == -1 ||
	    store_exec(s, "CREATE TEMP TABLE scope (since INT, until INT, slot INT, "
	    "client TEXT, node TEXT, verdict TEXT, incident TEXT, limited INT, "
	    "error_from INT, error_to INT);"
	    "CREATE TEMP TABLE error_name (error_id INTEGER PRIMARY KEY, name TEXT)",
	    err) == -1 ||
	    name_errors(s, a, err) == -1 || fill_scope(s, o, a, err) == -1 ||
	    scope_script(s, "sql/report/scope.sql", err) == -1 ||
	    scope_script(s, "sql/report/digest.sql", err) == -1)
		return (-1);
	return (0);
}

int
scope_open(struct store *s, const struct report_opts *o, struct err *err)
{
	if (open_scope(s, o, NULL, err) == -1 ||
	    scope_script(s, "sql/report/story.sql", err) == -1) {
		scope_close(s);
		return (-1);
	}
	return (0);
}

int
scope_open_asked(struct store *s, const struct report_opts *o, struct asked *a, struct err *err)
{
	if (open_scope(s, o, a, err) == -1) {
		scope_close(s);
		return (-1);
	}
	return (0);
}

void
scope_close(struct store *s)
{
	struct err	 ignored = ERR_INIT;

	store_exec(s, scope_drop, &ignored);
}
