/* util.c - time, key slots, the end. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lab.h"

volatile int stopped;

int64_t
now_us(void)
{
	struct timespec	 t;

	clock_gettime(CLOCK_REALTIME, &t);
	return ((int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000);
}

const char *
utc(int64_t us, char text[static 32])
{
	time_t		 seconds = us / 1000000;
	struct tm	 tm;
	size_t		 n;

	gmtime_r(&seconds, &tm);
	n = strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + n, 32 - n, ".%03dZ", (int)(us % 1000000 / 1000));
	return (text);
}

void
sleep_us(int64_t us)
{
	struct timespec	 t = {us / 1000000, us % 1000000 * 1000};

	if (us > 0)
		nanosleep(&t, NULL);
}

void
die(const char *fmt, ...)
{
	va_list	 ap;

	fputs("lab_helper: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

/* CRC16-CCITT (XMODEM) over the part between the first {} if not empty. */
int
key_slot(const char *key)
{
	const char	*open = strchr(key, '{'), *close;
	size_t		 n = strlen(key);
	unsigned	 crc = 0;

	if (open != NULL && (close = strchr(open, '}')) != NULL && close > open + 1) {
		key = open + 1;
		n = (size_t)(close - key);
	}
	for (size_t i = 0; i < n; i++) {
		crc ^= (unsigned)(unsigned char)key[i] << 8;
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
		crc &= 0xffff;
	}
	return ((int)(crc % SLOTS));
}

static void
stop(int sig)
{
	(void)sig;
	stopped = 1;
}

void
until_stopped(void)
{
	struct sigaction	 sa = {.sa_handler = stop};

	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
	setvbuf(stdout, NULL, _IOLBF, 0);
}
