#include <check.h>

#include "collect.h"
#include "format/format.h"

Suite	*suite_config(void);

static struct collect	 got;

static void
setup(void)
{
	collect_init(&got);
}

static void
teardown(void)
{
	collect_free(&got);
}

static void
decode(const char *text)
{
	struct decode_ctx	 ctx = { .zone_s = OBS_NO_NUM, .mtime = OBS_NO_TIME };
	struct err		 e = ERR_INIT;
	struct input		*in = input_memory(text, strlen(text), "n1/redis.conf", 7);

	ck_assert_int_gt(format_config.bid(span_of(text), "n1/redis.conf",
	    (char[160]){ "" }, 160), 0);
	ck_assert_int_eq(format_config.decode(in, &ctx, &got.sink, &e), 0);
	input_close(in);
}

static const struct config {
	const char	*text, *name, *value;
	int64_t		 position;
} configs[] = {
	{ "# c\nport 7001\nrequirepass secret\nCluster-Node-Timeout 5000\n",
	    "cluster-node-timeout", "5000", 4 },
	{ "data:\n  redis.conf: |\n    cluster-require-full-coverage \"no\"\n",
	    "cluster-require-full-coverage", "no", 3 },
	{ "cluster-slave-validity-factor 0\n", "cluster-replica-validity-factor", "0", 1 },
	{ "command: redis-server --cluster-enabled yes --cluster-node-timeout 3000\n",
	    "cluster-node-timeout", "3000", 1 },
	{ "command: [\"redis-server\", \"--cluster-node-timeout\", \"3000\"]\n",
	    "cluster-node-timeout", "3000", 1 },
	{ "10.0.0.1:6379> config get cluster-n*\n1) \"cluster-node-timeout\"\n2) \"15000\"\n",
	    "cluster-node-timeout", "15000", 2 },
	{ "cluster-node-timeout\n15000\n", "cluster-node-timeout", "15000", 2 },
	{ "{\"cluster-node-timeout\":\"15000\"}\n", "cluster-node-timeout", "15000", 1 },
	{ "# Server\r\nredis_version:7.0.15\r\n", "version", "7.0.15", 2 },
	{ "# Cluster\r\ncluster_enabled:1\r\n", "cluster-enabled", "yes", 2 },
};

START_TEST(settings_of_every_form)
{
	const struct config	*c = &configs[_i];
	const struct obs	*o;
	size_t			 i;

	decode(c->text);
	for (i = 0; (o = collect_nth(&got, OBS_SETTING, i)) != NULL; i++)
		if (span_is(o->u.setting.name, c->name))
			break;
	ck_assert_ptr_nonnull(o);
	ck_assert(span_is(o->u.setting.value, c->value));
	ck_assert_int_eq(o->where.position, c->position);
	ck_assert(o->u.setting.of_observer);
	ck_assert(span_is(o->observer.name, "redis"));
}
END_TEST

START_TEST(secrets_are_not_kept)
{
	const struct obs	*o;
	size_t			 i;

	decode("requirepass hunter2\nmasterauth hunter2\nuser x on >hunter2\nport 7001\n"
	    "config get *\n1) \"requirepass\"\n2) \"hunter2\"\n");
	ck_assert_uint_eq(got.nobs, 1);
	for (i = 0; i < got.nobs; i++) {
		o = &got.obs[i];
		ck_assert(span_is(o->u.setting.value, "7001"));
	}
}
END_TEST

START_TEST(an_observer_is_known_from_the_prompt)
{
	decode("10.0.0.1:6379> config get port\n1) \"port\"\n2) \"6379\"\n");
	ck_assert(span_is(collect_nth(&got, OBS_SETTING, 0)->observer.ep.host, "10.0.0.1"));
}
END_TEST

Suite *
suite_config(void)
{
	Suite	*s = suite_create("config");
	TCase	*c = tcase_create("all");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, settings_of_every_form, 0,
	    (int)(sizeof configs / sizeof *configs));
	tcase_add_test(c, secrets_are_not_kept);
	tcase_add_test(c, an_observer_is_known_from_the_prompt);
	suite_add_tcase(s, c);
	return (s);
}
