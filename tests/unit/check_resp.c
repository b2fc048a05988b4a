/*
 * RESP: split at every offset is the same as whole, each type of version 3,
 * hostile lengths, and hiredis as an independent reading of version 2.
 */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "wire/resp.h"

Suite	*suite_resp(void);

/* Each is one message. */
static const char *const messages[] = {
	"+OK\r\n", "-MOVED 1 a:1\r\n", ":-12\r\n", "$5\r\nhello\r\n", "$0\r\n\r\n", "$-1\r\n",
	"*-1\r\n", "*0\r\n", "*2\r\n$1\r\na\r\n*1\r\n:1\r\n", "$14\r\n-MOVED 1 a:1\r\n\r\n",
	"_\r\n", "#t\r\n", ",1.5e10\r\n", "(3492890328409238509324850943850943825024385\r\n",
	"!21\r\nSYNTAX invalid syntax\r\n", "=15\r\ntxt:Some string\r\n",
	"%2\r\n+a\r\n:1\r\n+b\r\n%1\r\n+c\r\n:2\r\n", "~2\r\n:1\r\n~1\r\n:2\r\n",
	">3\r\n+message\r\n+ch\r\n+x\r\n", "|1\r\n+ttl\r\n:3600\r\n*1\r\n:1\r\n",
	"$?\r\n;4\r\nHell\r\n;1\r\no\r\n;0\r\n", "*?\r\n:1\r\n*2\r\n:2\r\n:3\r\n.\r\n",
	"*2\r\n*?\r\n:1\r\n.\r\n%?\r\n+a\r\n:1\r\n.\r\n",
	("*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n"
	"*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n"),
};
enum { MESSAGES = sizeof messages / sizeof messages[0] };

START_TEST(whole)
{
	const char	*m = messages[_i];
	size_t		 n = strlen(m), i;
	char		 two[400];

	ck_assert_int_eq(resp_whole(m, n), (ssize_t)n);
	for (i = 0; i < n; i++)
		ck_assert_int_eq(resp_whole(m, i), 0);
	memcpy(two, m, n);		/* what follows does not matter */
	memset(two + n, '?', sizeof two - n);
	ck_assert_int_eq(resp_whole(two, sizeof two), (ssize_t)n);
}
END_TEST

START_TEST(split)
{
	const char	*m = messages[_i];
	size_t		 n = strlen(m), i;
	struct resp	 r;

	for (i = 1; i < n; i++) {
		memset(&r, 0, sizeof r);
		ck_assert_int_eq(resp_scan(&r, m, i), (ssize_t)i);
		ck_assert(!resp_done(&r));
		ck_assert_int_eq(resp_scan(&r, m + i, n - i), (ssize_t)(n - i));
		ck_assert(resp_done(&r));
	}
	memset(&r, 0, sizeof r);
	for (i = 0; i < n; i++)
		ck_assert_int_eq(resp_scan(&r, m + i, 1), 1);
	ck_assert(resp_done(&r));
}
END_TEST

static const char *const hostile[] = {
	"?\r\n", "$99999999999999999999\r\n", "$-2\r\n", "*-2\r\n", "$x\r\n", "$\r\n", "*1x\r\n",
	"$5\r\nhelloXX", "+a\nb\r\n", "*9999999999\r\n", ";0\r\n", ".\r\n", "$5\n", "%-1\r\n",
	"=\r\n", "*?\r\n*?\r\n*?\r\n*?\r\n*?\r\n", ":\r\n", "$4294967297\r\n",
	"$18446744073709551620\r\n", "*00000000000000000001\r\n",
};
enum { HOSTILE = sizeof hostile / sizeof hostile[0] };

START_TEST(refused)
{
	struct resp	 r = { 0 };
	size_t		 n = strlen(hostile[_i]);

	ck_assert_int_eq(resp_whole(hostile[_i], n), -1);
	ck_assert_int_eq(resp_scan(&r, hostile[_i], n), -1);
}
END_TEST

START_TEST(missing_payload)
{
	struct resp	 r = { 0 };

	ck_assert_int_eq(resp_scan(&r, "$100\r\nabc", 9), 9);
	ck_assert_uint_eq(resp_missable(&r), 97);
	resp_missed(&r, 97);
	ck_assert_uint_eq(resp_missable(&r), 0);
	ck_assert(!resp_done(&r));
	ck_assert_int_eq(resp_scan(&r, "\r\n+OK", 5), 2);
	ck_assert(resp_done(&r));
}
END_TEST

START_TEST(requests)
{
	static const char	 set[] = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$4\r\n\r\n*1\r\n";
	struct span		 words[2];
	int64_t			 elements;
	int			 count = 0;
	size_t			 n = sizeof set - 1, i;

	ck_assert_int_eq(resp_request(set, n, words, 2, &count), (ssize_t)n);
	ck_assert_int_eq(count, 3);
	ck_assert(span_is(words[0], "SET") && span_is(words[1], "k"));
	for (i = 0; i < n; i++)
		ck_assert_int_eq(resp_request(set, i, words, 2, &count), 0);
	ck_assert_int_eq(resp_request_part(span_make(set, 15), words, 2, &elements), 1);
	ck_assert_int_eq(elements, 3);
	ck_assert_int_eq(resp_request("*1\r\n:1\r\n", 8, words, 2, &count), -1);
	ck_assert_int_eq(resp_request("*0\r\n", 4, words, 2, &count), -1);
	ck_assert_int_eq(resp_request("*1\r\n$-1\r\n", 9, words, 2, &count), -1);
	ck_assert_int_eq(resp_request("+OK\r\n", 5, words, 2, &count), -1);
}
END_TEST

START_TEST(tokens)
{
	static const char	 m[] = "*2\r\n*1\r\n:5\r\n%1\r\n=5\r\ntxt:a\r\n$-1\r\n";
	struct span		 t[4];

	ck_assert_int_eq(resp_tokens(span_make(m, sizeof m - 1), t, 4), 3);
	ck_assert(span_is(t[0], "5") && span_is(t[1], "a") && t[2].p == NULL);
	ck_assert_int_eq(resp_tokens(span_make(m, sizeof m - 1), t, 2), -1);
	ck_assert_int_eq(resp_tokens(span_make(m, sizeof m - 3), t, 4), -1);
}
END_TEST

/* What is taken for plain is what the general readers take it for: usual
 * messages, every byte of each changed, cut everywhere. */
START_TEST(plain_is_whole)
{
	static const char *const usual[] = {
		"*1\r\n$4\r\nPING\r\n", "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n",
		"*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$0\r\n\r\n",
		"*5\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n$1\r\nd\r\n$12\r\nabcdefghijkl\r\n",
		"+OK\r\n", ":1\r\n", ":123456789\r\n", "$0\r\n\r\n", "$-1\r\n",
		"$12\r\nabc\r\n:1\r\nghi\r\n", "-MOVED 1 a:1\r\n", "-\r\n",
	};
	static const char	 bytes[] = "*$+-:019\r\nA?";	/* and NUL */
	struct span		 words[RESP_PLAIN_WORDS], all[16];
	char			 p[80];
	size_t			 m, n, at, b, cut;
	int			 count, k;

	for (m = 0; m < sizeof usual / sizeof usual[0]; m++) {
		n = strlen(usual[m]);
		ck_assert(resp_is_plain_reply(usual[m], n) || resp_is_plain_error(usual[m], n) ||
		    resp_plain_request(usual[m], n, words) > 0);
		for (at = 0; at < n * sizeof bytes * n; at++) {
			b = at / n % sizeof bytes;
			cut = at / n / sizeof bytes;
			memcpy(p, usual[m], n);
			p[at % n] = bytes[b];
			if (resp_is_plain_reply(p, n - cut) || resp_is_plain_error(p, n - cut))
				ck_assert_int_eq(resp_whole(p, n - cut), (ssize_t)(n - cut));
			k = resp_plain_request(p, n - cut, words);
			if (k == 0)
				continue;
			ck_assert_int_eq(resp_request(p, n - cut, all, 16, &count),
			    (ssize_t)(n - cut));
			ck_assert_int_eq(k, count);
			for (k = 0; k < count && k < RESP_PLAIN_WORDS; k++) {
				ck_assert_ptr_eq(words[k].p, all[k].p);
				ck_assert_uint_eq(words[k].n, all[k].n);
			}
		}
	}
}
END_TEST

#ifdef HAVE_HIREDIS
#include <hiredis/read.h>

#include "packets.h"

/* What hiredis takes for one reply, ours does too, at every place where a
 * reply begins in the bytes of a capture. */
START_TEST(agrees_with_hiredis)
{
	static const char *const files[] = { "command-docs.pcap", "bulk-loading.pcap",
	    "benchmark.pcap", "manual.pcap", "failover.pcap", "pubsub.pcap", "stream.pcap" };
	redisReader	*reader;
	size_t		 n, at, seen = 0;
	ssize_t		 len;
	void		*reply;
	char		*p;

	p = packets_file(files[_i], &n);
	for (at = 0; at < n; at++) {
		if (strchr("+-:$*", p[at]) == NULL || p[at] == '\0')
			continue;
		len = resp_whole(p + at, n - at);
		if (len <= 0)
			continue;
		reader = redisReaderCreateWithFunctions(NULL);
		redisReaderFeed(reader, p + at, (size_t)len - 1);
		if (redisReaderGetReply(reader, &reply) != REDIS_OK) {
			ck_assert_msg(strstr(reader->errstr, "as reply type byte") != NULL,
			    "%s byte %zu: %s", files[_i], at, reader->errstr);
			redisReaderFree(reader);	/* it does not know RESP3 */
			continue;
		}
		ck_assert_ptr_null(reply);
		redisReaderFeed(reader, p + at + len - 1, 1);
		ck_assert_int_eq(redisReaderGetReply(reader, &reply), REDIS_OK);
		ck_assert_ptr_nonnull(reply);
		redisReaderFree(reader);
		seen++;
		at += (size_t)len - 1;
	}
	ck_assert_uint_gt(seen, 0);
	free(p);
}
END_TEST
#endif

Suite *
suite_resp(void)
{
	Suite	*s = suite_create("resp");
	TCase	*t = tcase_create("resp");

	tcase_add_loop_test(t, whole, 0, MESSAGES);
	tcase_add_loop_test(t, split, 0, MESSAGES);
	tcase_add_loop_test(t, refused, 0, HOSTILE);
	tcase_add_test(t, missing_payload);
	tcase_add_test(t, requests);
	tcase_add_test(t, tokens);
	tcase_add_test(t, plain_is_whole);
#ifdef HAVE_HIREDIS
	tcase_add_loop_test(t, agrees_with_hiredis, 0, 7);
#endif
	suite_add_tcase(s, t);
	return (s);
}
