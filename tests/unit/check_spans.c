/* check_spans.c - when a span goes on and when it ends. */
#include <check.h>
#include <string.h>

#include "collect.h"
#include "model/spans.h"

Suite	*suite_spans(void);

#define MS 1000

static struct collect	 got;
static struct spans	*spans;

static void
setup(void)
{
	collect_init(&got);
	spans = spans_open(&got.sink);
}

static void
teardown(void)
{
	spans_close(spans);
	collect_free(&got);
}

static void
put(const struct obs *o)
{
	ck_assert_int_eq(spans_sink(spans)->obs(spans_sink(spans), o, NULL), 0);
}

static void
finish(void)
{
	ck_assert_int_eq(spans_sink(spans)->end(spans_sink(spans), NULL), 0);
	ck_assert_int_eq(got.ended, 1);
}

static struct endpoint
endpoint(const char *host)
{
	struct endpoint	 ep = { span_of(host), 6379 };

	return (ep);
}

/* Two masters; order: which is listed first; epoch: of the second. */
static void
view(int64_t at, int64_t line, int order, int64_t epoch)
{
	struct obs_view_node	 n[2];
	struct obs_view_slots	 r[2];
	struct obs		 o;
	int			 i;

	memset(r, 0, sizeof r);
	for (i = 0; i < 2; i++) {
		obs_view_node_init(&n[i]);
		n[i].id = span_of((i ^ order) == 0 ? "aaaa" : "bbbb");
		n[i].ep = endpoint((i ^ order) == 0 ? "10.0.0.1" : "10.0.0.2");
		n[i].config_epoch = (i ^ order) == 0 ? 1 : epoch;
		n[i].role = ROLE_MASTER;
		r[i].node = i;
		r[i].from = (i ^ order) * 100;
		r[i].to = r[i].from + 99;
		r[i].state = SLOTS_OWNED;
	}
	obs_init(&o, OBS_VIEW);
	o.at = at;
	o.at_basis = AT_STATED;
	o.where.position = line;
	o.observer.node = span_of("aaaa");
	o.observer.ep = endpoint("10.0.0.1");
	o.u.view.kind = VIEW_DUMP;
	o.u.view.form = "nodes";
	o.u.view.nodes = n;
	o.u.view.nnodes = 2;
	o.u.view.slots = r;
	o.u.view.nslots = 2;
	put(&o);
}

static void
contact(int64_t at, enum contact_outcome outcome)
{
	struct obs	 o;

	obs_init(&o, OBS_CONTACT);
	o.at = at;
	o.at_basis = AT_STATED;
	o.where.position = at / MS;
	o.observer.kind = WHO_SAMPLER;
	o.observer.name = span_of("sampler");
	o.u.contact.ep = endpoint("10.0.0.1");
	o.u.contact.outcome = outcome;
	put(&o);
}

static void
server(int64_t at, const char *event)
{
	struct obs	 o;

	obs_init(&o, OBS_SERVER);
	o.at = at;
	o.observer.node = span_of("aaaa");
	o.u.server.kind = "server";
	o.u.server.event = event;
	put(&o);
}

START_TEST(equal_views_are_one_span)
{
	const struct obs	*o;
	int			 i;

	for (i = 0; i < 10; i++)
		view(i * 50 * MS + (i == 5 ? 20 * MS : 0), 1 + i * 7, i % 2, 2);
	finish();
	ck_assert_uint_eq(got.nobs, 1);
	o = &got.obs[0];
	ck_assert_int_eq(o->samples, 10);
	ck_assert_int_eq(o->at, 0);
	ck_assert_int_eq(o->last_at, 450 * MS);
	ck_assert_int_eq(o->where.position, 1);
	ck_assert_int_eq(o->last_where.position, 64);
	ck_assert_int_eq(o->max_gap_us, 70 * MS);
	/* The copy outlives what it was made of. */
	ck_assert_uint_eq(o->u.view.nnodes, 2);
	ck_assert(span_is(o->u.view.nodes[1].id, "bbbb"));
	ck_assert(span_is(o->observer.ep.host, "10.0.0.1"));
}
END_TEST

START_TEST(a_different_view_ends_it)
{
	view(0, 1, 0, 2);
	view(50 * MS, 2, 0, 3);
	view(100 * MS, 3, 0, 2);
	finish();
	ck_assert_uint_eq(got.nobs, 3);
	ck_assert_int_eq(got.obs[0].at, 0);
	ck_assert_int_eq(got.obs[1].u.view.nodes[1].config_epoch, 3);
	ck_assert_int_eq(got.obs[2].at, 100 * MS);
}
END_TEST

START_TEST(a_failed_sample_ends_it)
{
	view(0, 1, 0, 2);
	contact(50 * MS, CONTACT_REFUSED);
	view(100 * MS, 3, 0, 2);
	finish();
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 2);
	ck_assert_uint_eq(collect_count(&got, OBS_CONTACT), 1);
}
END_TEST

START_TEST(a_good_contact_does_not)
{
	view(0, 1, 0, 2);
	contact(0, CONTACT_OK);
	contact(0, CONTACT_CLOSED);
	view(100 * MS, 3, 0, 2);
	contact(100 * MS, CONTACT_OK);
	finish();
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 1);
	ck_assert_uint_eq(collect_count(&got, OBS_CONTACT), 2);
}
END_TEST

START_TEST(a_restart_ends_it)
{
	view(0, 1, 0, 2);
	server(50 * MS, "state-ok");
	view(100 * MS, 3, 0, 2);
	server(150 * MS, "started");
	view(200 * MS, 5, 0, 2);
	finish();
	ck_assert_uint_eq(collect_count(&got, OBS_VIEW), 2);
	ck_assert_int_eq(collect_nth(&got, OBS_VIEW, 0)->samples, 2);
}
END_TEST

START_TEST(a_silence_ends_it)
{
	view(0, 1, 0, 2);
	view(50 * MS, 2, 0, 2);
	view(1050 * MS, 3, 0, 2);	/* at least 1 s is allowed */
	view(2051 * MS, 4, 0, 2);
	finish();
	ck_assert_uint_eq(got.nobs, 2);
	ck_assert_int_eq(got.obs[0].samples, 3);
	ck_assert_int_eq(got.obs[1].at, 2051 * MS);
}
END_TEST

START_TEST(slow_samples_may_be_further_apart)
{
	int	 i;

	for (i = 0; i < 6; i++)
		view((int64_t)i * 5000 * MS, 1 + i, 0, 2);
	view(55000 * MS, 9, 0, 2);
	finish();
	ck_assert_uint_eq(got.nobs, 1);
	ck_assert_int_eq(got.obs[0].max_gap_us, 30000 * MS);
}
END_TEST

START_TEST(sixty_seconds_end_it)
{
	int	 i;

	for (i = 0; i <= 61; i++)
		view((int64_t)i * 1000 * MS, 1 + i, 0, 2);
	finish();
	ck_assert_uint_eq(got.nobs, 2);
	ck_assert_int_eq(got.obs[0].last_at, 60000 * MS);
	ck_assert_int_eq(got.obs[1].at, 61000 * MS);
}
END_TEST

START_TEST(another_outcome_ends_a_contact)
{
	contact(0, CONTACT_OK);
	contact(50 * MS, CONTACT_OK);
	contact(60 * MS, CONTACT_CONNECTED);	/* contradicts no reply */
	contact(100 * MS, CONTACT_OK);
	contact(150 * MS, CONTACT_READ_TIMEOUT);
	contact(200 * MS, CONTACT_OK);
	contact(250 * MS, CONTACT_REFUSED);
	contact(300 * MS, CONTACT_READ_TIMEOUT);
	finish();
	ck_assert_uint_eq(got.nobs, 6);
	ck_assert_int_eq(got.obs[0].u.contact.outcome, CONTACT_OK);
	ck_assert_int_eq(got.obs[0].samples, 3);
	ck_assert_int_eq(got.obs[0].last_at, 100 * MS);
}
END_TEST

START_TEST(time_going_back_ends_it)
{
	view(500 * MS, 1, 0, 2);
	view(100 * MS, 2, 0, 2);
	finish();
	ck_assert_uint_eq(got.nobs, 2);
}
END_TEST

START_TEST(a_line_before_its_first_ends_it)
{
	view(1000 * MS, 17, 0, 2);
	view(2000 * MS, 21, 0, 2);
	view(3000 * MS, 13, 0, 2);	/* of another question, handed on later */
	view(4000 * MS, 19, 0, 2);
	finish();
	ck_assert_uint_eq(got.nobs, 2);
	ck_assert_int_eq(got.obs[0].where.position, 17);
	ck_assert_int_eq(got.obs[0].last_where.position, 21);
	ck_assert_int_eq(got.obs[1].where.position, 13);
	ck_assert_int_eq(got.obs[1].last_where.position, 19);
}
END_TEST

START_TEST(views_without_time_fold_too)
{
	view(OBS_NO_TIME, 1, 0, 2);
	view(OBS_NO_TIME, 2, 0, 2);
	view(5, 3, 0, 2);
	finish();
	ck_assert_uint_eq(got.nobs, 2);
	ck_assert_int_eq(got.obs[0].samples, 2);
	ck_assert_int_eq(got.obs[0].at, OBS_NO_TIME);
}
END_TEST

START_TEST(a_full_sink_is_told)
{
	struct err	 e = ERR_INIT;
	int		 r;

	got.fail_after = 1;
	view(0, 1, 0, 2);
	view(50 * MS, 2, 0, 3);
	r = spans_sink(spans)->end(spans_sink(spans), &e);
	ck_assert_int_eq(r, -1);
	ck_assert_int_gt(e.nframes, 0);
}
END_TEST

Suite *
suite_spans(void)
{
	Suite	*s = suite_create("spans");
	TCase	*t = tcase_create("spans");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, equal_views_are_one_span);
	tcase_add_test(t, a_different_view_ends_it);
	tcase_add_test(t, a_failed_sample_ends_it);
	tcase_add_test(t, a_good_contact_does_not);
	tcase_add_test(t, a_restart_ends_it);
	tcase_add_test(t, a_silence_ends_it);
	tcase_add_test(t, slow_samples_may_be_further_apart);
	tcase_add_test(t, sixty_seconds_end_it);
	tcase_add_test(t, another_outcome_ends_a_contact);
	tcase_add_test(t, time_going_back_ends_it);
	tcase_add_test(t, a_line_before_its_first_ends_it);
	tcase_add_test(t, views_without_time_fold_too);
	tcase_add_test(t, a_full_sink_is_told);
	suite_add_tcase(s, t);
	return (s);
}
