#include "base/zone.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

enum {
	ZONES_MAX = 1024,		/* in one run, more than there are; further ones are not known */
	CHANGES_MAX = 400,		/* two a year are common, four the most that was seen */
	NAME_MAX_BYTES = 64,		/* the longest name has 32 */
	DAY = 86400
};
/* Logs of Redis begin in 2009. */
static const int64_t	 first_s = INT64_C(1230768000), last_s = INT64_C(4102444800);

struct change {
	int64_t	 at_s;			/* from here on */
	int64_t	 offset_s;		/* east of UTC */
};

struct zone {
	char		 name[NAME_MAX_BYTES];
	struct change	 change[CHANGES_MAX];
	size_t		 n;		/* 0: there is no such zone */
};

static struct zone	*zones[ZONES_MAX];
static size_t		 nzones;

static int64_t
offset_at(int64_t at_s)
{
	time_t		 t = (time_t)at_s;
	struct tm	 tm;

	return (localtime_r(&t, &tm) != NULL ? (int64_t)tm.tm_gmtoff : 0);
}

static void
add_change(struct zone *z, int64_t at_s, int64_t offset_s)
{
	if (z->n < CHANGES_MAX) {
		z->change[z->n].at_s = at_s;
		z->change[z->n++].offset_s = offset_s;
	}
}

/* All changes of the zone that the C library is set to, to the second. */
static void
read_changes(struct zone *z)
{
	int64_t	 at, before, now, low, high, middle;

	before = offset_at(first_s);
	add_change(z, INT64_MIN / 2, before);
	for (at = first_s + DAY; at <= last_s; at += DAY) {
		if ((now = offset_at(at)) == before)
			continue;
		for (low = at - DAY, high = at; high - low > 1;) {
			middle = low + (high - low) / 2;
			if (offset_at(middle) == before)
				low = middle;
			else
				high = middle;
		}
		add_change(z, high, now);
		before = now;
	}
}

static void
set_library(const char *name)
{
	if (name != NULL)
		setenv("TZ", name, 1);
	else
		unsetenv("TZ");
	tzset();
}

static void
load(struct zone *z)
{
	const char	*was = getenv("TZ");
	char		*kept = was != NULL ? mem_str(was) : NULL;

	set_library(z->name);
	read_changes(z);
	set_library(kept);
	free(kept);
}

/* Names become a path. */
static int
is_name(struct span s)
{
	size_t	 i;

	if (s.n < 2 || s.n >= NAME_MAX_BYTES || s.p[s.n - 1] == '/')
		return (0);
	for (i = 0; i < s.n; i++)
		if (!((s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'z') &&
		    (i == 0 || !((s.p[i] >= '0' && s.p[i] <= '9') || s.p[i] == '_' ||
		    s.p[i] == '+' || s.p[i] == '-' ||
		    (s.p[i] == '/' && s.p[i - 1] != '/'))))
			return (0);
	return (1);
}

static int
is_there(const char *name)
{
	static const char *const	 folders[] = { "/usr/share/zoneinfo", "/etc/zoneinfo",
		"/usr/share/lib/zoneinfo" };
	const char			*own = getenv("TZDIR");
	char				 path[PATH_MAX];
	size_t				 i;

	if (own != NULL && snprintf(path, sizeof path, "%s/%s", own, name) < (int)sizeof path &&
	    access(path, R_OK) == 0)
		return (1);
	for (i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", folders[i], name);
		if (access(path, R_OK) == 0)
			return (1);
	}
	return (0);
}

const struct zone *
zone_find(struct span name)
{
	struct zone	*z;
	char		 text[NAME_MAX_BYTES];
	size_t		 i;

	if (name.p == NULL || !is_name(name))
		return (NULL);
	for (i = 0; i < nzones; i++)
		if (span_is(name, zones[i]->name))
			return (zones[i]->n > 0 ? zones[i] : NULL);
	memcpy(text, name.p, name.n);
	text[name.n] = '\0';
	/* What is no zone takes no place: a log may name any number of them. */
	if (nzones == ZONES_MAX || !is_there(text))
		return (NULL);
	z = zones[nzones++] = mem_zero(1, sizeof *z);
	memcpy(z->name, text, name.n);
	load(z);
	return (z->n > 0 ? z : NULL);
}

int
zone_utc(const struct zone *z, int64_t local_us, int64_t utc[2])
{
	int64_t	 at, end, local = local_us / 1000000, rest = local_us % 1000000;
	size_t	 i;
	int	 n = 0;

	if (rest < 0) {
		rest += 1000000;
		local--;
	}
	utc[0] = (local - z->change[0].offset_s) * 1000000 + rest;
	for (i = 0; i < z->n; i++) {
		at = local - z->change[i].offset_s;
		end = i + 1 < z->n ? z->change[i + 1].at_s : INT64_MAX;
		if (at >= z->change[i].at_s && at < end && n < 2)
			utc[n++] = at * 1000000 + rest;
		else if (n == 0 && at >= z->change[i].at_s)
			utc[0] = at * 1000000 + rest;	/* if it was skipped */
	}
	return (n);
}
