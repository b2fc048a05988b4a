/*
 * resp.h - the Redis serialization protocol, versions 2 and 3.
 *
 *	+text -text :int ,double (bignum #bool _	one line
 *	$n =n !n	n bytes follow, then CRLF; $-1 is nil
 *	*n ~n >n	n elements follow; *-1 is nil
 *	%n |n		2n elements follow; |n itself counts for nothing
 *	$? ;n ... ;0	a string in chunks; *? ~? %? ... .	an aggregate without count
 *
 * <https://redis.io/docs/latest/develop/reference/protocol-spec/>.  A message
 * is passed over without being kept, by one counter of elements to come, so
 * nesting costs no memory whatever its depth.
 */
#ifndef WIRE_RESP_H
#define WIRE_RESP_H

#include <stdint.h>
#include <sys/types.h>

#include "base/span.h"

enum {
	RESP_STREAMS = 4		/* aggregates without count, nested */
};
#define RESP_BULK_MAX	(INT64_C(1) << 32)	/* bytes of one string */
#define RESP_COUNT_MAX	(INT64_C(1) << 31)	/* elements of one aggregate */

/* A message of which only a part has come.  All zero: at a boundary. */
struct resp {
	uint64_t	 left;		/* elements still to come */
	uint64_t	 skip;		/* payload bytes still to come */
	uint64_t	 num;
	uint64_t	 outer[RESP_STREAMS];
	uint8_t		 state, type, digits, neg, nstreams;
};

/* Go on with a message: the bytes used, all n when it is not complete yet;
 * -1 when this cannot be RESP.  resp_done() tells the two apart. */
ssize_t		 resp_scan(struct resp *, const char *p, size_t n);
static inline int
resp_done(const struct resp *r)
{
	return (r->left == 0);
}
/* The length of a message that is all there, 0 when it is not, -1 if bad. */
ssize_t		 resp_whole(const char *p, size_t n);
/* Whether these bytes are exactly one request of usual form, an array of
 * strings: how many strings, the first RESP_PLAIN_WORDS of them in words, each
 * with at least eight bytes before it; 0: they are not, or may not be. */
enum { RESP_PLAIN_WORDS = 4 };
int		 resp_plain_request(const char *p, size_t n,
		    struct span words[RESP_PLAIN_WORDS]);
/* Whether these bytes are exactly one reply of the commonest kinds: a string,
 * nil, a number, OK. */
int		 resp_is_plain_reply(const char *p, size_t n);
/* Whether they are exactly one error, on one line. */
int		 resp_is_plain_error(const char *p, size_t n);
/* Payload that can be missed without losing the place: bytes left of the
 * string being passed over, without its CRLF; 0: none. */
uint64_t	 resp_missable(const struct resp *);
void		 resp_missed(struct resp *, uint64_t n);

/* One element of a message in memory. */
struct resp_item {
	char		 type;
	struct span	 text;		/* strings, lines; p NULL: nil */
	int64_t		 count;		/* aggregates: elements; -1: nil or not stated */
};
/* Take the next element: 1 taken, 0 not all there, -1 bad. */
int		 resp_item(struct span *rest, struct resp_item *);

/* The words of a request ("*n" of "$n" only), as far as most; n in *count.
 * Its length, 0 when it is not all there, -1 when it is no request. */
ssize_t		 resp_request(const char *p, size_t n, struct span *words, int most,
		    int *count);
/* The words that begin a request of which only a part is there. */
int		 resp_request_part(struct span, struct span *words, int most, int64_t *count);
/* The scalars of a whole message in order, at most `most`; their number, -1 if
 * there are more or the message is bad. */
ssize_t		 resp_tokens(struct span message, struct span *tokens, size_t most);

#endif
