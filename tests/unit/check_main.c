/*
 * check_main.c - all unit tests in one program, as TAP on standard output.
 * A new suite is check_<module>.c, a line below and a line in Makefile.am.
 */
#include <check.h>
#include <stdlib.h>

#define SUITES(X) \
	X(base) \
	X(bus) \
	X(capture) \
	X(client) \
	X(config) \
	X(dialog) \
	X(dump) \
	X(escape) \
	X(input) \
	X(limits) \
	X(progress) \
	X(removal) \
	X(resp) \
	X(scope) \
	X(rule) \
	X(rules) \
	X(server_log) \
	X(spans) \
	X(sql) \
	X(store) \
	X(text) \
	X(topology) \
	X(verdict) \
	X(window)

#define DECLARE(name) Suite *suite_##name(void);
SUITES(DECLARE)
#undef DECLARE

int
main(void)
{
	SRunner	*runner = srunner_create(NULL);

#define ADD(name) srunner_add_suite(runner, suite_##name());
	SUITES(ADD)
#undef ADD
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	srunner_free(runner);
	return (0);			/* failures are in the TAP */
}
