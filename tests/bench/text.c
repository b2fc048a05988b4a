/*
 * text.c - an application log with one line of a Redis Cluster client among
 * two hundred others, and a file of CLUSTER NODES output, one every 50 ms.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

#define START	INT64_C(1796004000000)		/* ms */

static const char *
utc(int64_t ms, char blank, char text[32])
{
	time_t		 s = (time_t)(ms / 1000);
	struct tm	 tm;

	size_t		 n;

	gmtime_r(&s, &tm);
	n = strftime(text, 28, "%Y-%m-%d %H:%M:%S", &tm);
	text[10] = blank;
	text[n] = '.';
	for (int k = 3, rest = (int)(ms % 1000); k > 0; k--, rest /= 10)
		text[n + (size_t)k] = (char)('0' + rest % 10);
	text[n + 4] = '\0';
	return (text);
}

/* What any service writes: nothing of it is about Redis. */
static int
ordinary(void)
{
	static const char *const	 routes[] = { "/orders", "/orders/%u/items", "/customers/%u",
		"/cart/%u/checkout", "/health", "/search?q=%u" };
	unsigned			 a = random_below(1000000), b = random_below(1000);
	char				 route[64];
	int				 n = 0;

	switch (random_below(8)) {
	case 0:
		return (printf("INFO 1 --- [nio-8080-exec-%u] c.e.orders.api.OrderController : order %u "
		    "accepted for customer %u in %u ms\n", b % 20, a, a / 7, b));
	case 1:
		snprintf(route, sizeof route, routes[b % 6], a);
		return (printf("INFO 1 --- [nio-8080-exec-%u] c.e.web.AccessLog : 10.1.%u.%u GET %s 200 "
		    "%u bytes %u ms\n", b % 20, b % 250, a % 250, route, a, b));
	case 2:
		return (printf("DEBUG 1 --- [scheduling-%u] o.h.SQL : select o1_0.id,o1_0.customer_id,"
		    "o1_0.total from orders o1_0 where o1_0.id=%u\n", b % 4, a));
	case 3:
		return (printf("INFO 1 --- [pool-3-thread-%u] c.e.stock.StockService : reserved %u of item "
		    "%u in warehouse %u, %u left\n", b % 8, b % 9, a, b % 40, b));
	case 4:
		return (printf("WARN 1 --- [nio-8080-exec-%u] c.e.pay.PaymentClient : provider answered "
		    "after %u ms, retrying payment %u (attempt %u)\n", b % 20, b * 3, a, b % 3));
	case 5:
		return (printf("DEBUG 1 --- [kafka-consumer-%u] c.e.events.Listener : partition %u offset "
		    "%u: OrderShipped{id=%u, carrier=dhl, state=IN_TRANSIT}\n", b % 6, b % 12, a,
		    a / 3));
	case 6:
		return (printf("INFO 1 --- [nio-8080-exec-%u] c.e.auth.SessionFilter : session %08x of user "
		    "%u is valid for %u more seconds\n", b % 20, a * 4099, a, b));
	default:
		n += printf("TRACE 1 --- [pool-3-thread-%u] c.e.price.Engine : ", b % 8);
		return (n + printf("rule set %u applied to %u positions: net %u.%02u, tax %u.%02u, "
		    "discount %u%%\n", b % 50, b % 30, a / 100, a % 100, a / 500, b % 100, b % 15));
	}
}

/* What clients of the cluster write. */
static int
relevant(void)
{
	unsigned	 slot = random_below(16384), a = random_below(3), b = random_below(3);

	switch (random_below(6)) {
	case 0:
		return (printf("ERROR 1 --- [lettuce-epoll-%u] c.e.cart.CartStore : io.lettuce.core."
		    "RedisCommandExecutionException: MOVED %u 10.0.0.%u:6379\n", b, slot, 11 + a));
	case 1:
		return (printf("ERROR 1 --- [nio-8080-exec-%u] c.e.cart.CartStore : redis.clients.jedis."
		    "exceptions.JedisMovedDataException: MOVED %u 10.0.0.%u:6379\n", b, slot,
		    11 + a));
	case 2:
		return (printf("WARN 1 --- [nio-8080-exec-%u] c.e.cart.CartStore : slot %u: 10.0.0.%u:6379 "
		    "answered MOVED %u 10.0.0.%u:6379\n", b, slot, 11 + b, slot, 11 + a));
	case 3:
		return (printf("WARN 1 --- [nio-8080-exec-%u] c.e.cart.CartStore : slot %u: 10.0.0.%u:6379 "
		    "unreachable: ECONNREFUSED\n", b, slot, 11 + a));
	case 4:
		return (printf("ERROR 1 --- [nio-8080-exec-%u] c.e.cart.CartStore : redis.clients.jedis."
		    "exceptions.JedisClusterOperationException: No more cluster attempts left.\n", b));
	default:
		return (printf("ERROR 1 --- [nio-8080-exec-%u] c.e.cart.CartStore : CLUSTERDOWN The cluster "
		    "is down\n", b));
	}
}

static void
make_log(int64_t left)
{
	char		 stamp[32];
	int64_t		 at = START, i;

	for (i = 0; left > 0; i++) {
		at += random_below(3);
		left -= printf("%s ", utc(at, ' ', stamp));
		left -= i % 200 == 100 ? relevant() : ordinary();
	}
}

static void
make_dump(int64_t left)
{
	static const char	 hex[] = "0123456789abcdef";
	static const char *const owned[3] = { "0-5460", "5461-10922", "10923-16383" };
	char			 id[6][41], stamp[32];
	int64_t			 at = START, pong;
	int			 i, k;

	for (i = 0; i < 6; i++) {
		for (k = 0; k < 40; k++)
			id[i][k] = hex[random_below(16)];
		id[i][40] = '\0';
	}
	for (; left > 0; at += 50) {
		left -= printf("# %sZ 10.0.0.11:6379\n", utc(at, 'T', stamp));
		for (i = 0; i < 6; i++) {
			pong = at - random_below(1000);
			left -= i < 3 ?
			    printf("%s 10.0.0.%d:6379@16379 %smaster - 0 %lld %d connected %s\n", id[i],
			    11 + i, i == 0 ? "myself," : "", (long long)pong, i + 1, owned[i]) :
			    printf("%s 10.0.0.%d:6379@16379 slave %s 0 %lld %d connected\n", id[i],
			    11 + i, id[i - 3], (long long)pong, i - 2);
		}
	}
}

int
make_text(int argc, char **argv)
{
	if (argc != 2)
		die("text: a kind and a size are needed");
	if (strcmp(argv[0], "log") == 0)
		make_log(atoll(argv[1]));
	else if (strcmp(argv[0], "dump") == 0)
		make_dump(atoll(argv[1]));
	else
		die("text: log or dump");
	return (fflush(stdout) != 0);
}
