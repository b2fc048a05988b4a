#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/sandbox.h"

Suite	*suite_base(void);

START_TEST(err_frames_are_outermost_first)
{
	struct err	 e = ERR_INIT;
	char		 text[200];

	ck_assert_int_eq(err_set(&e, "byte %d", 7), -1);
	err_add(&e, "gzip");
	err_add(&e, "a\nb");
	err_text(&e, text, sizeof text);
	ck_assert_str_eq(text, "a?b: gzip: byte 7");
	err_text(&e, text, 6);
	ck_assert_str_eq(text, "a?b: ");
}
END_TEST

START_TEST(err_keeps_the_reason_when_full)
{
	struct err	 e = ERR_INIT;
	char		 text[200];
	int		 i;

	err_set(&e, "reason");
	for (i = 0; i < 9; i++)
		err_add(&e, "level %d", i);
	err_text(&e, text, sizeof text);
	ck_assert_str_eq(text, "level 8: level 1: level 0: reason");
}
END_TEST

START_TEST(buf_grows_and_drops)
{
	struct buf	 b = { 0 };
	int		 i;

	for (i = 0; i < 1000; i++)
		buf_fmt(&b, "%d,", i);
	ck_assert_uint_eq(b.n, 3890);
	buf_drop(&b, 3886);
	ck_assert_str_eq(buf_cstr(&b), "999,");
	buf_drop(&b, 99);
	ck_assert_uint_eq(b.n, 0);
	buf_free(&b);
}
END_TEST

enum { HELD = 0, NO_LANDLOCK = 77 };

/* In a process of its own: there is no way out. */
static int
confined(const char *inside, const char *outside)
{
	const char	*paths[] = { inside, NULL };
	char		 path[100];
	int		 fd;

#ifdef SYS_landlock_create_ruleset
	if (syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 1)
		return (NO_LANDLOCK);
#else
	return (NO_LANDLOCK);
#endif
	snprintf(path, sizeof path, "%s/kept", outside);
	if ((fd = open(path, O_WRONLY | O_CREAT, 0600)) < 0 || sandbox_enter(paths) != 1)
		return (1);
	if (write(fd, "x", 1) != 1)	/* what is open stays so */
		return (2);
	if (open(path, O_WRONLY) >= 0 || errno != EACCES || unlink(path) == 0)
		return (3);
	snprintf(path, sizeof path, "%s/other", outside);
	if (open(path, O_WRONLY | O_CREAT, 0600) >= 0 || errno != EACCES)
		return (4);
	snprintf(path, sizeof path, "%s/t.db", inside);
	if (open(path, O_WRONLY | O_CREAT, 0600) < 0 || unlink(path) != 0)
		return (5);
	execl("/bin/true", "true", (char *)NULL);
	return (errno == EACCES ? HELD : 6);
}

START_TEST(sandbox_holds)
{
	char	 in[] = "/tmp/slotrace-check-XXXXXX", out[] = "/tmp/slotrace-check-XXXXXX";
	char	 kept[100];
	int	 status;
	pid_t	 child;

	ck_assert_ptr_nonnull(mkdtemp(in));
	ck_assert_ptr_nonnull(mkdtemp(out));
	if ((child = fork()) == 0)
		_exit(confined(in, out));
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	snprintf(kept, sizeof kept, "%s/kept", out);
	unlink(kept);
	ck_assert_int_eq(rmdir(in), 0);
	ck_assert_int_eq(rmdir(out), 0);
	ck_assert(WIFEXITED(status));
	if (WEXITSTATUS(status) != NO_LANDLOCK)
		ck_assert_int_eq(WEXITSTATUS(status), HELD);
}
END_TEST

Suite *
suite_base(void)
{
	Suite	*s = suite_create("base");
	TCase	*t = tcase_create("base");

	tcase_add_test(t, err_frames_are_outermost_first);
	tcase_add_test(t, err_keeps_the_reason_when_full);
	tcase_add_test(t, buf_grows_and_drops);
	tcase_add_test(t, sandbox_holds);
	suite_add_tcase(s, t);
	return (s);
}
