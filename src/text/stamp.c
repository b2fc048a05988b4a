#include "text/stamp.h"

#include <stdlib.h>
#include <strings.h>

#include "format/format.h"
#include "text/head.h"

#define SECOND	INT64_C(1000000)
#define DAY	(86400 * SECOND)
#define YEAR_10000 (INT64_C(253402300800) * SECOND)

enum { FIND_BYTES = 72, FIND_TOKENS = 7 };
enum { LEAP_YEARS_APART = 8 };		/* 1896 to 1904 */

/*
 * Y m d  digits of fixed width     e  day of one or two digits, blank padded
 * b      month's name              a  weekday's name (not checked)
 * H M S  two digits                h  hour of one or two digits
 * f      fraction, may be missing  z  zone, may be missing
 * p      AM or PM                  T  'T', '_' or blanks
 * blank  one or more blanks        any other character: itself
 */
static const struct layout {
	const char	*form;
	unsigned	 flags;
	int		 anywhere;	/* may stand behind other words */
} layouts[] = {
	{ "Y-m-dTH:M:Sfz", 0, 1 },
	{ "Y/m/dTH:M:Sfz", 0, 1 },
	{ "e b Y H:M:Sfz", 0, 1 },		/* Redis, Valkey */
	{ "b e, Y h:M:Sf p", STAMP_TWO_LINES, 0 }, /* java.util.logging */
	{ "b e, Y, h:M:Sf p", STAMP_TWO_LINES, 0 },
	{ "b e Y H:M:Sfz", 0, 1 },
	{ "b e H:M:Sfz", 0, 1 },		/* syslog, journald */
	{ "e b H:M:Sf", 0, 1 },			/* Redis before 5 */
	{ "d-b-Y H:M:Sfz", 0, 1 },		/* PHP */
	{ "d/b/Y:H:M:Sfz", 0, 1 },
	{ "a b e H:M:Sfz Y", 0, 1 },		/* date(1) */
	{ "a b e h:M:Sf pz Y", 0, 1 },
	{ "a e b Y h:M:Sf pz", 0, 1 },
	{ "a, e b Y H:M:Sfz", 0, 1 },
	{ "m/d/Y h:M:Sf p", 0, 1 },
	{ "m/d/Y, h:M:Sf p", 0, 1 },
	{ "d.m.Y H:M:Sfz", 0, 1 },
	{ "Y.m.d H:M:Sfz", 0, 1 },
	{ "YmdTHMSfz", 0, 1 },
	{ "YmdTH:M:Sfz", 0, 1 },
	{ "m/d/Y H:M:Sfz", STAMP_EITHER, 0 },	/* day and month in an order that only */
	{ "d/m/Y H:M:Sfz", STAMP_EITHER, 0 },	/* a day behind the 12th tells */
	{ "m-d-Y H:M:Sfz", STAMP_EITHER, 0 },
	{ "d-m-Y H:M:Sfz", STAMP_EITHER, 0 },
	{ "H:M:Sf", 0, 0 },			/* logback, Serilog consoles */
};

enum { ABBREVIATED = 4 };		/* letters that an abbreviation has at most */

static const struct zone_name {
	char		 name[ABBREVIATED + 1];
	int		 hours;
} zone_names[] = {	/* only those that mean one thing */
	{ "UTC", 0 }, { "GMT", 0 }, { "CET", 1 }, { "CEST", 2 }, { "EET", 2 },
	{ "EEST", 3 }, { "MSK", 3 }, { "JST", 9 }, { "EST", -5 }, { "EDT", -4 },
	{ "CDT", -5 }, { "MST", -7 }, { "MDT", -6 }, { "PST", -8 }, { "PDT", -7 },
};

/* And those that mean several, or that are not known here. */
static const char vague_zones[][ABBREVIATED + 1] = { "IST", "CST", "BST", "AST", "AMT", "ECT", "GST", "SST",
	"WST", "ACDT", "ACST", "ADT", "AEDT", "AEST", "AKDT", "AKST", "AWST", "BRST", "BRT", "CLST",
	"CLT", "HKT", "HST", "ICT", "IDT", "IRDT", "IRST", "KST", "MSD", "MYT", "NDT", "NPT", "NST",
	"NZDT", "NZST", "PHT", "PKT", "PYT", "SAST", "SGT", "TRT", "UYT", "VET", "WEST", "WET", "WIB",
	"WITA" };

static const char *const zone_areas[] = { "Africa/", "America/", "Antarctica/", "Arctic/", "Asia/",
	"Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/", "Etc/", "US/", "Canada/",
	"Brazil/", "Chile/", "Mexico/" };

struct cursor {
	const char	*p, *end;
};

static int
is_alpha(char c)
{
	return ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Exactly n digits; -1 otherwise. */
static int
digits(struct cursor *c, int n)
{
	int	 v = 0, i;

	if (c->end - c->p < n)
		return (-1);
	for (i = 0; i < n; i++) {
		if (!is_digit(c->p[i]))
			return (-1);
		v = v * 10 + (c->p[i] - '0');
	}
	c->p += n;
	return (v);
}

/* One or two digits. */
static int
short_number(struct cursor *c)
{
	struct cursor	 two = *c;
	int		 v = digits(&two, 2);

	if (v >= 0) {
		*c = two;
		return (v);
	}
	return (digits(c, 1));
}

static int
month_name(struct cursor *c)
{
	static const char	 names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
	const char		*p = c->p;
	int			 i;

	if (c->end - p < 3 || !is_alpha(p[0]) || !is_alpha(p[1]) || !is_alpha(p[2]))
		return (-1);
	for (i = 0; i < 12; i++)
		if ((p[0] | 32) == names[3 * i] && (p[1] | 32) == names[3 * i + 1] &&
		    (p[2] | 32) == names[3 * i + 2])
			break;
	if (i == 12)
		return (-1);
	c->p += 3;
	if (c->p < c->end && is_alpha(*c->p))	/* no full names, no other words */
		return (-1);
	return (i + 1);
}

static int
weekday_name(struct cursor *c)
{
	int	 i;

	for (i = 0; i < 3; i++)
		if (c->end - c->p <= i || !is_alpha(c->p[i]))
			return (-1);
	c->p += 3;
	return (0);
}

static void
fraction(struct cursor *c, struct stamp *s)
{
	const char	*p = c->p;
	int64_t		 scale = SECOND;
	int		 n = 0;

	s->precision_us = SECOND;
	if (c->end - p < 2 || (*p != '.' && *p != ',') || !is_digit(p[1]))
		return;
	for (p++; p < c->end && is_digit(*p) && n < 12; p++, n++) {
		scale /= 10;
		s->of_day += scale * (*p - '0');
	}
	if (n >= 7)
		s->has |= STAMP_NANO;
	s->precision_us = scale > 0 ? scale : 1;
	c->p = p;
}

/* Whether a word goes on at p: "UTC-ish", "CET2", "IST.log". */
static int
goes_on(const char *p, const char *end)
{
	if (p >= end)
		return (0);
	if (is_alpha(*p) || is_digit(*p) || strchr("_=@", *p) != NULL)
		return (*p != '\0');
	return (*p != '\0' && strchr("-+./", *p) != NULL && p + 1 < end &&
	    (is_alpha(p[1]) || is_digit(p[1])));
}

/* Whether what is at p can stand behind a time's zone and nothing else: words
 * that a message may begin with as well ("+2 retries", "GET failed") are zones
 * only there.  year: the layout's year is next. */
static int
head_goes_on(const char *p, const char *end, int year)
{
	struct cursor	 c = { p, end };

	if (p >= end || strchr("])}>\"',;|:\t", *p) != NULL)
		return (p >= end || *p != '\0');
	if (*p != ' ')
		return (0);
	c.p++;
	if (year)
		return (digits(&c, 4) > 0 && !goes_on(c.p, end));
	if (c.p >= end || strchr("[(<{|", *c.p) != NULL)
		return (c.p >= end || *c.p != '\0');
	if (strchr("-*#.:", *c.p) != NULL && *c.p != '\0')
		return (c.p + 1 >= end || c.p[1] == ' ');
	return (head_level(span_make(c.p, (size_t)(end - c.p))) > 0);
}

/* "+h", "+hh", "+hhmm", "+h:mm" or "+hh:mm": how many digits, 0 when it is none. */
static int
offset(struct cursor *c, int64_t *seconds)
{
	struct cursor	 t = *c, two;
	int		 sign, h, m = 0, n = 0, v;

	if (t.p >= t.end || (*t.p != '+' && *t.p != '-'))
		return (0);
	sign = *t.p++ == '-' ? -1 : 1;
	while (t.p + n < t.end && is_digit(t.p[n]) && n < 5)
		n++;
	if (n == 0 || n == 3 || n == 5)
		return (0);
	h = digits(&t, n < 3 ? n : 2);
	if (n == 4)
		m = digits(&t, 2);
	else if (t.p < t.end && *t.p == ':') {
		two = t;
		two.p++;
		/* "-03:10.0.0.1": what follows is an address */
		if ((v = digits(&two, 2)) >= 0 && !(two.p < two.end &&
		    (is_digit(*two.p) || *two.p == '.'))) {
			m = v;
			n += 2;
			t = two;
		}
	}
	if (h > 14 || m > 59)
		return (0);
	*seconds = sign * (h * 3600 + m * 60);
	*c = t;
	return (n);
}

static int
is_area(struct span s)
{
	size_t	 i, k;

	if (s.n == 0 || memchr(s.p, '/', s.n) == NULL)
		return (0);
	for (i = 0; i < sizeof zone_areas / sizeof zone_areas[0]; i++) {
		k = strlen(zone_areas[i]);
		if (s.n > k && memcmp(s.p, zone_areas[i], k) == 0)
			return (1);
	}
	return (0);
}

/* The name of a zone at c: "Europe/Berlin", and in brackets UTC and GMT too; its
 * length is 0 when there is none. */
static struct span
area_name(const struct cursor *c, int bracket)
{
	struct span	 name = { c->p, 0 };
	size_t		 n = (size_t)(c->end - c->p);

	while (name.n < n && name.p[name.n] != '\0' && (is_alpha(name.p[name.n]) ||
	    is_digit(name.p[name.n]) || strchr("/_+-", name.p[name.n]) != NULL))
		name.n++;
	if (!is_area(name) && !(bracket && (span_is(name, "UTC") || span_is(name, "GMT"))))
		name.n = 0;
	return (name);
}

/* "Europe/Berlin" as PHP prints it, or "[Europe/Berlin]" as Java does.  Behind
 * an offset it says nothing new: known. */
static int
zone_by_name(struct cursor *c, struct stamp *s, int known)
{
	struct cursor	 t = *c;
	struct span	 name;
	int		 bracket;

	if ((bracket = t.p < t.end && (*t.p == '[' || *t.p == '(')))
		t.p++;
	name = area_name(&t, bracket);
	if (name.n == 0)
		return (0);
	t.p += name.n;
	if (bracket && (t.p >= t.end || *t.p++ != (*c->p == '[' ? ']' : ')')))
		return (0);
	if (!known) {
		s->zone = zone_find(name);
		s->has |= s->zone != NULL || !is_area(name) ? STAMP_ZONE : STAMP_VAGUE;
	}
	*c = t;
	return (1);
}

/* Whether p, of n bytes, is that abbreviation. */
static int
is_short(const char *name, const char *p, size_t n)
{
	return (n <= ABBREVIATED && name[n] == '\0' && *name == *p && memcmp(name, p, n) == 0);
}

static int
is_vague(const char *p, size_t n)
{
	size_t	 i;

	for (i = 0; i < sizeof vague_zones / sizeof vague_zones[0]; i++)
		if (is_short(vague_zones[i], p, n))
			return (1);
	return (0);
}

/* A word in capitals as zones are abbreviated, "PET", "CLST", and no level. */
static int
may_be_zone(const char *p, size_t n)
{
	size_t	 i;

	if (n < 3 || n > 5 || p[n - 1] != 'T' || head_level(span_make(p, n)) > 0)
		return (0);
	for (i = 0; i < n && p[i] >= 'A' && p[i] <= 'Z'; i++)
		;
	return (i == n);
}

/* The last letters of all abbreviations.  What ends otherwise, as all levels do,
 * is none of them, and that is soon seen. */
static const char zone_ends[] = "ABCDKT";

/* "UTC", "UTC+2", "GMT-03:30", "CET": bytes of the name; 0 none. */
static size_t
zone_abbreviated(struct cursor *c, struct stamp *s, int year)
{
	struct cursor	 t = *c;
	size_t		 i, n, names = sizeof zone_names / sizeof zone_names[0];

	for (n = 0; t.p + n < t.end && is_alpha(t.p[n]); n++)
		;
	if (n == 0 || strchr(zone_ends, t.p[n - 1]) == NULL)
		return (0);
	for (i = 0; i < names; i++)
		if (is_short(zone_names[i].name, t.p, n))
			break;
	t.p += n;
	if (i < names && t.end - t.p > 1 && (*t.p == '+' || *t.p == '-') && is_digit(t.p[1])) {
		s->has |= STAMP_VAGUE;		/* until it can be read */
		if (zone_names[i].hours != 0 || offset(&t, &s->zone_s) == 0 ||
		    goes_on(t.p, t.end)) {
			s->zone_s = 0;
			while (t.p < t.end && (strchr("+-:", *t.p) != NULL || is_digit(*t.p)) &&
			    *t.p != '\0')
				t.p++;
		} else
			s->has ^= STAMP_VAGUE | STAMP_ZONE;
	} else if (goes_on(t.p, t.end)) {
		return (0);
	} else if (i < names) {
		s->zone_s = zone_names[i].hours * 3600;
		s->has |= STAMP_ZONE;
	} else if (is_vague(c->p, n) || (may_be_zone(c->p, n) && head_goes_on(t.p, t.end, year))) {
		s->has |= STAMP_VAGUE;
	} else
		return (0);
	*c = t;
	return (n);
}

/* year: the layout's year is behind the zone. */
static void
zone(struct cursor *c, struct stamp *s, int year)
{
	struct cursor	 t = *c, more;
	int		 blank, n;

	if ((blank = t.p < t.end && *t.p == ' '))
		t.p++;
	if (t.p >= t.end)
		return;
	if (*t.p == '+' || *t.p == '-') {
		n = offset(&t, &s->zone_s);
		/* hours alone may be a number of something */
		if (n == 0 || ((n == 1 || (n == 2 && blank)) && !head_goes_on(t.p, t.end, year))) {
			s->zone_s = 0;
			return;
		}
		s->has |= STAMP_ZONE;
	} else if ((*t.p | 32) == 'z' && !goes_on(t.p + 1, t.end) &&
	    (!blank || head_goes_on(t.p + 1, t.end, year))) {
		t.p++;
		s->has |= STAMP_ZONE;
	} else if (zone_by_name(&t, s, 0)) {
		*c = t;
		return;
	} else if (!blank || zone_abbreviated(&t, s, year) == 0)
		return;
	more = t;
	if (more.p < more.end && *more.p == ' ')
		more.p++;
	if (zone_by_name(&more, s, (s->has & STAMP_ZONE) != 0))
		t = more;
	*c = t;
}

static int
blanks(struct cursor *c)
{
	const char	*p = c->p;

	while (c->p < c->end && *c->p == ' ')
		c->p++;
	return (c->p > p ? 0 : -1);
}

static int
am_pm(struct cursor *c, int *hour)
{
	int	 pm;

	if (c->end - c->p < 2 || (c->p[1] | 32) != 'm' ||
	    ((c->p[0] | 32) != 'a' && (c->p[0] | 32) != 'p') || *hour < 1 || *hour > 12)
		return (-1);
	pm = (c->p[0] | 32) == 'p';
	*hour = *hour % 12 + (pm ? 12 : 0);
	c->p += 2;
	return (0);
}

/* One letter of a layout: 0, or -1 when the text is another. */
static int
field(const char *form, struct cursor *c, struct stamp *s, int *hms)
{
	switch (*form) {
	case 'Y':
		s->has |= STAMP_YEAR;
		return ((s->year = digits(c, 4)) < 1971 ? -1 : 0);
	case 'm':
		return (s->month = digits(c, 2));
	case 'd':
		s->has |= STAMP_DATE;
		return (s->day = digits(c, 2));
	case 'e':
		s->has |= STAMP_DATE;
		return (s->day = short_number(c));
	case 'b':
		return (s->month = month_name(c));
	case 'a':
		return (weekday_name(c));
	case 'H':
		return (hms[0] = digits(c, 2));
	case 'h':
		return (hms[0] = short_number(c));
	case 'M':
		return (hms[1] = digits(c, 2));
	case 'S':
		return (hms[2] = digits(c, 2));
	case 'f':
		fraction(c, s);
		return (0);
	case 'z':
		zone(c, s, form[1] == ' ');
		return (0);
	case 'p':
		return (am_pm(c, &hms[0]));
	case ' ':
		return (blanks(c));
	case 'T':
		if (c->p < c->end && (*c->p == 'T' || *c->p == '_')) {
			c->p++;
			return (0);
		}
		return (blanks(c));
	default:
		return (c->p < c->end && *c->p == *form ? (c->p++, 0) : -1);
	}
}

static size_t
try_layout(const struct layout *l, struct span text, size_t at, struct stamp *s)
{
	struct cursor	 c = { text.p + at, text.p + text.n };
	int		 hms[3] = { 0, 0, 0 };
	const char	*f;

	memset(s, 0, sizeof *s);
	s->has = l->flags;
	for (f = l->form; *f != '\0'; f++)
		if (field(f, &c, s, hms) < 0)
			return (0);
	if ((s->has & STAMP_DATE) != 0 &&
	    (s->month < 1 || s->month > 12 || s->day < 1 || s->day > 31))
		return (0);
	if (hms[0] > 23 || hms[1] > 59 || hms[2] > 60)
		return (0);
	if ((s->has & STAMP_EITHER) != 0 && s->day <= 12 && s->day != s->month)
		return (0);
	s->has &= ~(unsigned)STAMP_EITHER;
	if (c.p < c.end && (is_digit(*c.p) || *c.p == '_'))
		return (0);	/* part of something longer */
	s->of_day += ((hms[0] * 60 + hms[1]) * INT64_C(60) + hms[2]) * SECOND;
	s->begin = at;
	s->end = (size_t)(c.p - text.p);
	if (s->end < text.n && (text.p[s->end] == ']' || text.p[s->end] == '"' ||
	    text.p[s->end] == ')'))
		s->end++;
	return (s->end - at);
}

/* glog and klog: "E0314 09:26:53.589793", the level glued to the date. */
static size_t
try_glog(struct span text, size_t at, struct stamp *s)
{
	static const struct layout	 glog = { "md H:M:Sf", 0, 0 };

	if (at + 6 >= text.n || strchr("IWEF", text.p[at]) == NULL ||
	    !is_digit(text.p[at + 1]) || text.p[at + 5] != ' ')
		return (0);
	if (try_layout(&glog, text, at + 1, s) == 0)
		return (0);
	return (s->end - at);
}

/* The day of so many days since 1970. */
static void
civil(int64_t days, struct stamp *s)
{
	int64_t	 z = days + 719468, era = z / 146097, of_era = z - era * 146097;
	int64_t	 year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t	 of_year = of_era - (365 * year + year / 4 - year / 100);
	int64_t	 m = (5 * of_year + 2) / 153;

	s->day = (int)(of_year - (153 * m + 2) / 5 + 1);
	s->month = (int)(m < 10 ? m + 3 : m - 9);
	s->year = (int)(year + era * 400 + (s->month <= 2));
}

static int
level_follows(struct span s)
{
	size_t	 i = 0;

	while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == ']'))
		i++;
	if (i < s.n && s.p[i] == '[')
		i++;
	return (head_level(span_make(s.p + i, s.n - i)) > 0);
}

/* Seconds since 1970 with decimals, as journald's short-unix and MONITOR print
 * them, or a number that a level follows: other numbers may count anything. */
static size_t
try_epoch(struct span text, size_t at, struct stamp *s)
{
	size_t	 end = at, point = 0;
	int64_t	 us;

	for (; end < text.n && (is_digit(text.p[end]) || (text.p[end] == '.' && point == 0)); end++)
		if (text.p[end] == '.')
			point = end;
	if (end - at < 10 || end - at > 20 || (end < text.n && strchr(" ]\t", text.p[end]) == NULL))
		return (0);
	if (point == 0 ? !level_follows(span_make(text.p + end, text.n - end)) :
	    point - at != 10 || end - point < 4)
		return (0);
	memset(s, 0, sizeof *s);
	us = stamp_epoch(span_make(text.p + at, end - at), &s->precision_us);
	if (us == OBS_NO_TIME)
		return (0);
	civil(us / DAY, s);
	s->of_day = us % DAY;
	s->has = STAMP_DATE | STAMP_YEAR | STAMP_ZONE;
	s->begin = at;
	s->end = end + (end < text.n && text.p[end] == ']');
	return (s->end - at);
}

/* How many digits a text begins with, up to four, and what is behind them. */
static int
leading_digits(struct span text, size_t at, char *next)
{
	int	 n = 0;

	while (n < 4 && at < text.n && is_digit(text.p[at])) {
		n++;
		at++;
	}
	*next = (char)(at < text.n ? text.p[at] : '\0');
	return (n);
}

/* Whether so many digits and that character can begin a layout. */
static int
may_begin(const char *form, int ndigits, char next)
{
	switch (form[0]) {
	case 'Y':			/* Ymd: more digits */
		return (ndigits == 4 && (form[1] == next || (form[1] == 'm' && is_digit(next))));
	case 'e':
		return (ndigits > 0 && ndigits < 3 && next == ' ');
	default:			/* d, m, H and a sign */
		return (ndigits == 2 && form[1] == next);
	}
}

/* A month or a weekday: three letters, then a blank or a comma. */
static int
may_be_name(struct span text, size_t at)
{
	const char	*p = text.p + at;

	return (text.n - at > 3 && is_alpha(p[1]) && is_alpha(p[2]) &&
	    (p[3] == ' ' || p[3] == ','));
}

static size_t
try_all(struct span text, size_t at, int first, struct stamp *s)
{
	size_t	 i = 0, n;
	char	 next;
	int	 ndigits;

	if (!is_digit(text.p[at]) && !is_alpha(text.p[at]))
		return (0);
	ndigits = leading_digits(text, at, &next);
	if (ndigits == 0 && !may_be_name(text, at))
		i = sizeof layouts / sizeof layouts[0];
	for (; i < sizeof layouts / sizeof layouts[0]; i++) {
		if (!first && !layouts[i].anywhere)
			continue;
		/* a letter can only begin a month or a weekday */
		if (layouts[i].form[0] == 'b' || layouts[i].form[0] == 'a' ?
		    ndigits > 0 : !may_begin(layouts[i].form, ndigits, next))
			continue;
		if ((n = try_layout(&layouts[i], text, at, s)) > 0)
			return (n);
	}
	if (first && ndigits == 4 && is_digit(next))
		return (try_epoch(text, at, s));
	return (first ? try_glog(text, at, s) : 0);
}

size_t
stamp_at(struct span text, size_t at, struct stamp *s)
{
	return (at < text.n ? try_all(text, at, 1, s) : 0);
}

static int
opens(char c)
{
	switch (c) {
	case ' ': case '\t': case '[': case '(': case '{': case '<': case '"': case '\'':
	case '=': case '|':
		return (1);
	default:
		return (0);
	}
}

int
stamp_find(struct span line, struct stamp *s)
{
	return (stamp_find_before(line, FIND_BYTES, s));
}

int
stamp_find_before(struct span line, size_t before, struct stamp *s)
{
	size_t	 i, end = before < FIND_BYTES ? before : FIND_BYTES;
	int	 tokens = 0, first = 1;

	if (end > line.n)
		end = line.n;
	for (i = 0; i < end && tokens < FIND_TOKENS; i++) {
		if (opens(line.p[i]))
			continue;
		if (i > 0 && !opens(line.p[i - 1]))
			continue;
		if (try_all(line, i, first, s) > 0)
			return (1);
		first = 0;
		tokens++;
	}
	return (0);
}

int64_t
stamp_epoch(struct span s, int64_t *precision_us)
{
	int64_t	 v = 0, unit, us, scale;
	size_t	 i;

	for (i = 0; i < s.n && is_digit(s.p[i]) && i < 19; i++) {
		if (v > INT64_C(410244480000000000))
			return (OBS_NO_TIME);	/* past 2100 even as ns */
		v = v * 10 + (s.p[i] - '0');
	}
	switch (i) {
	case 10: unit = SECOND; break;
	case 13: unit = 1000; break;
	case 16: unit = 1; break;
	case 19: unit = 0; break;
	default: return (OBS_NO_TIME);
	}
	us = unit > 0 ? v * unit : v / 1000;
	*precision_us = unit > 0 ? unit : 1;
	if (i < s.n && s.p[i] == '.' && unit > 1) {
		for (i++, scale = unit / 10; i < s.n && is_digit(s.p[i]); i++, scale /= 10) {
			us += scale * (s.p[i] - '0');
			*precision_us = scale > 0 ? scale : 1;
		}
	}
	if (i < s.n || us < INT64_C(978307200) * SECOND || us > INT64_C(4102444800) * SECOND)
		return (OBS_NO_TIME);
	return (us);
}

int64_t
stamp_days(int year, int month, int day)
{
	int64_t	 y = month <= 2 ? year - 1 : year, era, of_era, of_year;

	era = y / 400;
	of_era = y - era * 400;
	of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return (era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468);
}

/* The local time in a year, as if it were UTC. */
static int64_t
local_in(const struct stamp *s, int year)
{
	return (stamp_days(year, s->month, s->day) * DAY + s->of_day);
}

int
stamp_is_date(int year, int month, int day)
{
	int	 next = month % 12 + 1;

	return (month >= 1 && month <= 12 && day >= 1 && stamp_days(year, month, day) <
	    stamp_days(next == 1 ? year + 1 : year, next, 1));
}

static int
is_date(const struct stamp *s, int year)
{
	return (stamp_is_date(year, s->month, s->day));
}

/* Where the stamp was made: a zone by name, or an offset. */
struct place {
	const struct zone	*zone;
	int64_t			 zone_s;
};

static int64_t
in_year(const struct stamp *s, int year, const struct place *p)
{
	int64_t	 utc[2];

	if (p->zone == NULL)
		return (local_in(s, year) - p->zone_s * SECOND);
	zone_utc(p->zone, local_in(s, year), utc);
	return (utc[0]);
}

/* at is what the stamp means if clocks did not change that hour. */
static int64_t
settle(struct stamp *s, int64_t at, const struct place *p, const struct stamp_clock *c)
{
	int64_t	 utc[2], apart;
	int	 n;

	if (p->zone == NULL)
		return (at);
	/* utc of the same local time; of an inferred year as well */
	n = zone_utc(p->zone, local_in(s, s->year), utc);
	if (n == 1)
		return (at);
	if (n == 0) {
		s->has |= STAMP_SKIPPED;
		return (at);
	}
	if (c->last != OBS_NO_TIME && c->last > utc[0] + SECOND)
		return (utc[1]);
	s->has |= STAMP_TWICE;
	apart = utc[1] - utc[0];
	if (s->precision_us < apart)
		s->precision_us = apart;
	return (utc[0]);
}

static int
year_of(int64_t at)
{
	int	 year = 1970 + (int)(at / (INT64_C(31556952) * SECOND));

	while (stamp_days(year + 1, 1, 1) * DAY <= at)
		year++;
	while (stamp_days(year, 1, 1) * DAY > at)
		year--;
	return (year);
}

/* A stamp without a year: nearest to the line before; for the first one the
 * declared year, else the latest that is not after the file's own time.  Only
 * years that have such a day count. */
static int64_t
infer_year(const struct stamp *s, struct stamp_clock *c, const struct place *p,
    enum at_basis *basis)
{
	int64_t	 best = OBS_NO_TIME, t;
	int	 y, d;

	if (c->last != OBS_NO_TIME) {
		y = year_of(c->last);
		for (d = -1; d <= 1; d++) {
			if (!is_date(s, y + d))
				continue;
			t = in_year(s, y + d, p);
			if (best == OBS_NO_TIME || llabs(t - c->last) < llabs(best - c->last))
				best = t;
		}
		if (c->year_guessed && best != OBS_NO_TIME)
			*basis = AT_FILE_TIME;
		return (best);
	}
	if (c->year != 0)
		return (is_date(s, c->year) ? in_year(s, c->year, p) : OBS_NO_TIME);
	if (c->mtime == OBS_NO_TIME)
		return (OBS_NO_TIME);
	y = year_of(c->mtime);
	for (d = 0; d <= LEAP_YEARS_APART; d++) {
		if (!is_date(s, y - d) || (t = in_year(s, y - d, p)) > c->mtime + DAY)
			continue;
		*basis = AT_FILE_TIME;
		c->year_guessed = 1;
		return (t);
	}
	return (OBS_NO_TIME);
}

/* Whether that date is in no year, or not in those that it may be of. */
static int
is_no_date(const struct stamp *s, const struct stamp_clock *c)
{
	static const int	 leap = 2000;

	return ((s->has & STAMP_YEAR) != 0 || !is_date(s, leap) || c->last != OBS_NO_TIME ||
	    c->year != 0 || c->mtime != OBS_NO_TIME);
}

const char *
stamp_doubt(const struct stamp *s)
{
	if ((s->has & STAMP_NO_DATE) != 0)
		return ("a date that does not exist");
	if ((s->has & STAMP_TWICE) != 0)
		return ("clocks went back at this time: local times came twice, and which one is meant "
		    "is not known");
	if ((s->has & STAMP_SKIPPED) != 0)
		return ("clocks went forward at this time: there was no such local time");
	if ((s->has & STAMP_VAGUE) != 0)
		return ("the zone that the times name has several meanings or is not known: it is "
		    "taken from --zone, else UTC");
	return (NULL);
}

void
stamp_clock_init(struct stamp_clock *c, const struct decode_ctx *ctx)
{
	*c = (struct stamp_clock){ .zone_s = ctx->zone_s, .zone = ctx->zone,
	    .year = ctx->year, .mtime = ctx->mtime, .last = OBS_NO_TIME };
}

int64_t
stamp_resolve(struct stamp *s, struct stamp_clock *c, enum at_basis *basis)
{
	struct place	 place = { NULL, 0 };
	int64_t		 at;

	*basis = AT_NONE;
	if ((s->has & STAMP_DATE) == 0)
		return (OBS_NO_TIME);
	if ((s->has & STAMP_ZONE) != 0) {
		place.zone = s->zone;
		place.zone_s = s->zone_s;
		*basis = AT_STATED;
	} else if (c->zone != NULL || c->zone_s != OBS_NO_NUM) {
		place.zone = c->zone;
		place.zone_s = c->zone_s;
		*basis = AT_ZONE;
	} else {
		*basis = AT_ASSUMED_UTC;
	}
	if ((s->has & STAMP_YEAR) != 0) {
		at = is_date(s, s->year) ? in_year(s, s->year, &place) : OBS_NO_TIME;
		if (at != OBS_NO_TIME)
			c->year_guessed = 0;
	} else
		at = infer_year(s, c, &place, basis);
	if (at >= YEAR_10000)		/* 9999 west of Greenwich: no text can say it in UTC */
		at = OBS_NO_TIME;
	if (at == OBS_NO_TIME) {
		*basis = AT_NONE;
		if (is_no_date(s, c))
			s->has |= STAMP_NO_DATE;
		return (at);
	}
	if (place.zone != NULL) {
		if ((s->has & STAMP_YEAR) == 0)
			for (s->year = year_of(at) - 1; in_year(s, s->year, &place) < at; s->year++)
				;
		at = settle(s, at, &place, c);
	}
	c->last = at;
	return (at);
}
