/*
 * record-time.c - when a record was written: by its own stamp, its wrapper's,
 * or those of the lines around it.
 */
#include "text/record-part.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "text/time-form.h"

enum { NEAR_LINES = 64 };		/* how far a line without a time looks for one */
/* Longer silences bound nothing that is of use. */
#define NEAR_US	INT64_C(60000000)

/* The wrapper's time, and how it is known. */
static int64_t
outer_time(struct records *r, struct envelope *e, enum at_basis *basis)
{
	int64_t	 at;

	if (e->epoch_us != OBS_NO_TIME) {
		*basis = AT_ENVELOPE;
		return (e->epoch_us);
	}
	if (e->stamp.has == 0)
		return (OBS_NO_TIME);
	at = stamp_resolve(&e->stamp, &r->clock, basis);
	if ((e->stamp.has & STAMP_ZONE) != 0)
		*basis = AT_ENVELOPE;
	return (at);
}

/* A local time that came twice: the wrapper tells which is meant. */
static void
which_of_two(struct records *r, struct record *rec, struct stamp *own, int64_t precision)
{
	int64_t	 later = rec->at + own->precision_us;

	if (llabs(later - rec->outer_at) < llabs(rec->at - rec->outer_at))
		r->clock.last = rec->at = later;
	own->has &= ~(unsigned)STAMP_TWICE;
	own->precision_us = precision;
}

/*
 * The record's own time wins, the wrapper's bounds it: where the wrapper has a
 * zone and the record has none, the difference, rounded to a quarter of an
 * hour, is the zone.
 */
void
record_set_times(struct records *r, struct record *rec, struct envelope *e,
    struct stamp *own, int64_t epoch)
{
	static const int64_t	 quarter = INT64_C(900000000);
	enum at_basis		 outer_basis = AT_NONE;
	int64_t			 gap, precision;

	rec->at = OBS_NO_TIME;
	rec->at_basis = AT_NONE;
	rec->outer_at = outer_time(r, e, &outer_basis);
	if (epoch != OBS_NO_TIME) {
		rec->at = epoch;
		rec->at_basis = AT_STATED;
		r->clock.last = epoch;
		return;
	}
	if ((own->has & STAMP_DATE) != 0) {
		precision = own->precision_us;
		rec->at = stamp_resolve(own, &r->clock, &rec->at_basis);
		if ((own->has & STAMP_TWICE) != 0 && outer_basis == AT_ENVELOPE)
			which_of_two(r, rec, own, precision);
		rec->precision_us = own->precision_us;
	}
	if (rec->at == OBS_NO_TIME) {
		rec->at = rec->outer_at;
		rec->at_basis = outer_basis;
		rec->precision_us = e->stamp.has != 0 ? e->stamp.precision_us : 1;
		return;
	}
	if (rec->at_basis == AT_ASSUMED_UTC && rec->outer_at != OBS_NO_TIME &&
	    outer_basis == AT_ENVELOPE) {
		gap = rec->at - rec->outer_at;
		gap = (gap + (gap < 0 ? -quarter : quarter) / 2) / quarter;
		if (gap > -60 && gap < 60) {
			rec->at -= gap * quarter;
			rec->at_basis = AT_ENVELOPE;
		}
	}
}

/* A date that is none each time, the rest once a source. */
void
record_note_doubt(struct records *r, const struct stamp *s)
{
	struct stamp	 news = *s;

	if ((s->has & STAMP_NO_DATE) != 0) {
		r->doubt = stamp_doubt(s);
		r->doubt_code = "malformed";
		return;
	}
	news.has &= (STAMP_TWICE | STAMP_SKIPPED | STAMP_VAGUE) & ~r->doubts;
	if (news.has != 0 && r->doubt == NULL) {
		r->doubts |= news.has;
		r->doubt = stamp_doubt(&news);
		r->doubt_code = "time";
	}
}

void
record_note_unread(struct records *r, const struct record *rec)
{
	const char	*lacks;
	struct span	 form = time_form(rec->line, &lacks);

	if (form.p == NULL || r->doubt != NULL)
		return;
	snprintf(r->unread, sizeof r->unread, "begins with what looks like a time, %.*s, in a"
	    " form that is not read (%s); write such times as 2026-11-30T01:02:03Z",
	    (int)form.n, form.p, lacks);
	r->doubt = r->unread;
	r->doubt_code = "no-time";
}

/* What a line's own stamp says, without effect on what is inferred later. */
static int64_t
line_time(struct records *r, const struct line *l, int64_t *precision)
{
	struct stamp_clock	 clock = r->clock;
	struct stamp		 st;
	enum at_basis		 basis;
	int64_t			 at;

	if ((l->flags & HEAD_STAMPED) == 0 || !stamp_find(l->text, &st))
		return (OBS_NO_TIME);
	at = stamp_resolve(&st, &clock, &basis);
	*precision = st.precision_us;
	return (at);
}

/* The time of the nearest stamped line of the stream before at. */
static int64_t
time_before(struct records *r, const struct line *l)
{
	struct line	 b;
	size_t		 at = l->at;
	int64_t		 t, precision;
	int		 i;

	for (i = 0; i < NEAR_LINES && at > 0; i++) {
		at = record_line_before(r, at);
		if (l->at - at > NEAR_BYTES)
			break;
		record_read_line(r, at, &b);
		if (record_same_stream(&b.e, &l->e) && (t = line_time(r, &b, &precision)) != OBS_NO_TIME)
			return (t);
	}
	return (OBS_NO_TIME);
}

/* And of the nearest one behind the line at last: 0 when the block ends before
 * one is found and there is more to come. */
int
record_time_behind(struct records *r, const struct line *l, size_t last, int64_t *t)
{
	struct line	 b;
	size_t		 from = record_line_end(r, last), at;
	int64_t		 precision;
	int		 i;

	*t = OBS_NO_TIME;
	for (at = from, i = 0; at < r->whole; at = b.end, i++) {
		if (i == NEAR_LINES || at - from > NEAR_BYTES)
			return (1);
		record_read_line(r, at, &b);
		if (record_same_stream(&b.e, &l->e) &&
		    (*t = line_time(r, &b, &precision)) != OBS_NO_TIME) {
			*t += precision;
			return (1);
		}
	}
	return (r->ended);
}

/* A line that neither itself nor a wrapper dates lies between its neighbours,
 * where those have times.  One whose time is not read may have been written on
 * another day than they. */
int
record_is_undated(const struct records *r, const struct line *l)
{
	return (r->filter != NULL && r->stamped && (l->flags & (HEAD_STAMPED | HEAD_UNREAD)) == 0 &&
	    l->e.stamp.has == 0 && l->e.epoch_us == OBS_NO_TIME &&
	    (l->text.n == 0 || l->text.p[0] != '{'));
}

void
record_between(struct records *r, struct record *rec, const struct line *first,
    int64_t behind)
{
	int64_t	 before = time_before(r, first);

	if (before == OBS_NO_TIME || behind == OBS_NO_TIME || behind < before ||
	    behind - before > NEAR_US)
		return;
	rec->at = before;
	rec->at_basis = AT_NEIGHBOUR;
	rec->precision_us = behind - before;
}

int
record_is_uncaught(const struct line *l, int blank)
{
	static const char *const	 begins[] = { "Traceback (most recent call last)",
		"Exception in thread ", "panic: ", "thread '" };
	size_t				 i, n;

	for (i = 0; i < sizeof begins / sizeof begins[0]; i++) {
		n = strlen(begins[i]);
		if (l->text.n >= n && memcmp(l->text.p, begins[i], n) == 0)
			return (1);
	}
	return (blank && l->class == HEAD_EXCEPTION);
}

/* Errors are logged as such, with their traces; one behind a line of information
 * is the runtime's, which writes no time. */
void
record_date_uncaught(struct record *rec, const struct line *first, int64_t behind)
{
	static const char *const	 levels[] = { "info", "inf", "information", "notice" };
	int64_t				 at = rec->at;
	size_t				 i;

	if ((first->flags & HEAD_STAMPED) == 0)
		return;
	for (i = 0; i < sizeof levels / sizeof levels[0]; i++)
		if (rec->level.n == strlen(levels[i]) &&
		    strncasecmp(rec->level.p, levels[i], rec->level.n) == 0)
			break;
	if (i == sizeof levels / sizeof levels[0])
		return;
	rec->at = OBS_NO_TIME;
	rec->at_basis = AT_NONE;
	if (behind == OBS_NO_TIME || behind <= at || behind - at > NEAR_US)
		return;
	rec->at = at;
	rec->at_basis = AT_NEIGHBOUR;
	rec->precision_us = behind - at;
}
