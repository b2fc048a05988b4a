/*
 * pcap-loop.c - N: what libpcap itself costs.  Every packet of a capture, read
 * with pcap_next_ex() from an ordinary FILE, one byte of each touched.
 */
#include <pcap/pcap.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	struct pcap_pkthdr	*h;
	const u_char		*p;
	char			 why[PCAP_ERRBUF_SIZE];
	FILE			*fp = argc == 2 ? fopen(argv[1], "rb") : NULL;
	pcap_t			*pc = fp != NULL ? pcap_fopen_offline(fp, why) : NULL;
	unsigned long		 packets = 0, sum = 0;

	if (pc == NULL) {
		fprintf(stderr, "usage: bench_loop CAPTURE\n");
		return (1);
	}
	while (pcap_next_ex(pc, &h, &p) == 1) {
		packets++;
		sum += h->caplen > 0 ? p[h->caplen - 1] : 0;
	}
	pcap_close(pc);
	printf("%lu packets, %lu\n", packets, sum);
	return (0);
}
