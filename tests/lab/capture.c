/*
 * capture.c - all frames of one interface to a pcap file, for who is root in a
 * user namespace only: there tcpdump cannot become the user it wants to be.
 */
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "lab.h"

enum { SNAPLEN = 262144, SOCKET_BYTES = 64 << 20 };

static int
listen_on(const char *interface)
{
	struct sockaddr_ll	 a = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)};
	struct packet_mreq	 all = {.mr_type = PACKET_MR_PROMISC};
	int			 fd, bytes = SOCKET_BYTES;

	if ((fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL))) < 0)
		die("capture: %s", strerror(errno));
	if ((a.sll_ifindex = (int)if_nametoindex(interface)) == 0 ||
	    bind(fd, (struct sockaddr *)&a, sizeof a) < 0)
		die("capture: %s: %s", interface, strerror(errno));
	all.mr_ifindex = a.sll_ifindex;
	if (setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all) < 0)
		die("capture: %s: %s", interface, strerror(errno));
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) < 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
	return (fd);
}

/* The host is little-endian or not: a reader tells by the magic number. */
static void
put(FILE *f, const uint32_t *word, size_t n)
{
	if (fwrite(word, sizeof *word, n, f) != n)
		die("capture: %s", strerror(errno));
}

int
capture_main(int argc, char **argv)
{
	static char	 frame[SNAPLEN];
	uint32_t	 head[] = {0xa1b2c3d4, 0, 0, 0, SNAPLEN, 1}, record[4];
	struct tpacket_stats lost = {0};
	socklen_t	 size = sizeof lost;
	struct timeval	 wait = {.tv_usec = 50000}, at;
	FILE		*f;
	ssize_t		 n;
	int		 fd;
	uint16_t	 version[] = {2, 4};

	if (argc != 3)
		die("capture INTERFACE FILE");
	if ((f = fopen(argv[2], "w")) == NULL)
		die("%s: %s", argv[2], strerror(errno));
	fd = listen_on(argv[1]);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
	until_stopped();
	memcpy(&head[1], version, sizeof version);
	put(f, head, sizeof head / sizeof *head);
	fprintf(stderr, "listening on %s\n", argv[1]);
	while (!stopped) {
		if ((n = recv(fd, frame, sizeof frame, MSG_TRUNC)) < 0)
			continue;
		if (ioctl(fd, SIOCGSTAMP, &at) < 0)
			gettimeofday(&at, NULL);
		record[0] = (uint32_t)at.tv_sec;
		record[1] = (uint32_t)at.tv_usec;
		record[2] = (uint32_t)(n < SNAPLEN ? n : SNAPLEN);
		record[3] = (uint32_t)n;
		put(f, record, 4);
		if (fwrite(frame, 1, record[2], f) != record[2])
			die("capture: %s", strerror(errno));
	}
	if (getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, &lost, &size) == 0)
		fprintf(stderr, "%u packets dropped by kernel\n", lost.tp_drops);
	return (fclose(f) != 0);
}
