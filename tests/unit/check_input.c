#include <check.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"

Suite	*suite_input(void);

START_TEST(memory_reads_in_small_pieces)
{
	struct input	*in = input_memory("hello world", 11, "m", 3);
	char		 buf[32];
	struct span	 p;

	p = input_peek(in, 5);
	ck_assert_uint_ge(p.n, 5);
	ck_assert_mem_eq(p.p, "hello", 5);
	ck_assert_int_eq(input_offset(in), 0);
	ck_assert_int_eq(input_read(in, buf, 2, NULL), 2);
	p = input_peek(in, 100);
	ck_assert_uint_eq(p.n, 9);
	ck_assert_int_eq(input_read(in, buf, sizeof buf, NULL), 9);
	ck_assert_mem_eq(buf, "llo world", 9);
	ck_assert_int_eq(input_read(in, buf, sizeof buf, NULL), 0);
	ck_assert_int_eq(input_offset(in), 11);
	ck_assert_int_eq(input_next_part(in, NULL), 0);
	ck_assert_str_eq(input_name(in), "m");
	input_close(in);
}
END_TEST

START_TEST(a_chain_has_parts_with_digests_of_their_own)
{
	struct input	*parts[2], *in;
	char		 buf[32], one[33], two[33];
	int64_t		 bytes;

	parts[0] = input_memory("abc", 3, "first", 0);
	parts[1] = input_memory("abc", 3, "second", 0);
	in = input_chain(parts, 2);
	input_hash(in);
	ck_assert_int_eq(input_read(in, buf, 1, NULL), 1);
	ck_assert_int_eq(input_next_part(in, NULL), 1);
	ck_assert_int_eq(input_part(in), 1);
	ck_assert_str_eq(input_name(in), "second");
	ck_assert_int_eq(input_read(in, buf, sizeof buf, NULL), 3);
	ck_assert_int_eq(input_next_part(in, NULL), 0);
	input_digest(in, 0, one, &bytes);
	ck_assert_int_eq(bytes, 3);
	input_digest(in, 1, two, &bytes);
	ck_assert_int_eq(bytes, 3);
	ck_assert_str_eq(one, "06b05ab6733a618578af5f94892f3950");
	ck_assert_str_eq(one, two);
	input_close(in);
}
END_TEST

START_TEST(a_missing_file_is_said)
{
	struct err	 e = ERR_INIT;
	char		 text[200];

	ck_assert_ptr_null(input_file("/nonexistent/x", &e));
	err_text(&e, text, sizeof text);
	ck_assert_str_eq(text, "/nonexistent/x: No such file or directory");
	ck_assert_ptr_null(input_file("/", &e));
}
END_TEST

START_TEST(a_file_is_read_whole)
{
	char		 path[] = "check-input-XXXXXX", buf[200001];
	int		 fd = mkstemp(path);
	struct input	*in;
	ssize_t		 n;
	int64_t		 sum = 0;

	memset(buf, 'x', sizeof buf);
	ck_assert_int_eq(write(fd, buf, sizeof buf), sizeof buf);
	close(fd);
	in = input_file(path, NULL);
	ck_assert_ptr_nonnull(in);
	ck_assert_int_ne(input_mtime(in), INT64_MIN);
	ck_assert_uint_eq(input_peek(in, INPUT_PEEK).n, INPUT_PEEK);
	while ((n = input_read(in, buf, sizeof buf, NULL)) > 0)
		sum += n;
	ck_assert_int_eq(n, 0);
	ck_assert_int_eq(sum, 200001);
	input_close(in);
	unlink(path);
}
END_TEST

/* Between being listed and being opened, a file may become something else. */
START_TEST(what_was_found_is_a_file_or_nothing)
{
	char		 path[] = "check-input-XXXXXX", other[40];
	struct input	*in;

	close(mkstemp(path));
	in = input_found(path, NULL);
	ck_assert_ptr_nonnull(in);
	input_close(in);
	snprintf(other, sizeof other, "%s.2", path);
	ck_assert_int_eq(symlink(path, other), 0);
	ck_assert_ptr_null(input_found(other, NULL));
	in = input_file(other, NULL);		/* named by the user */
	ck_assert_ptr_nonnull(in);
	input_close(in);
	unlink(other);
	ck_assert_int_eq(mkfifo(other, 0600), 0);
	ck_assert_ptr_null(input_found(other, NULL));	/* without waiting */
	unlink(other);
	unlink(path);
}
END_TEST

Suite *
suite_input(void)
{
	Suite	*s = suite_create("input");
	TCase	*t = tcase_create("input");

	tcase_add_test(t, memory_reads_in_small_pieces);
	tcase_add_test(t, a_chain_has_parts_with_digests_of_their_own);
	tcase_add_test(t, a_missing_file_is_said);
	tcase_add_test(t, a_file_is_read_whole);
	tcase_add_test(t, what_was_found_is_a_file_or_nothing);
	suite_add_tcase(s, t);
	return (s);
}
