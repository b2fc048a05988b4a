/*
 * frame.h - a captured frame -> the TCP segment, or the ICMP "unreachable",
 * that is inside it, through link layers and tunnels.
 *
 * Link layers are named by the numbers of <https://www.tcpdump.org/linktypes.html>
 * and the DLT_ values that libpcap uses instead of some.  Checksums are never
 * verified: with offload the host's own frames carry wrong ones, lengths of
 * zero and more bytes than the MTU.
 */
#ifndef WIRE_FRAME_H
#define WIRE_FRAME_H

#include <stddef.h>
#include <stdint.h>

/* An address: IPv6, or IPv4 mapped into ::ffff:0:0/96. */
struct frame_addr {
	union {
		uint8_t	 b[16];
		uint64_t w[2];		/* the same, in the order of this host */
	};
};

enum frame_kind {
	FRAME_OTHER,			/* nothing that TCP could have sent */
	FRAME_TCP,
	FRAME_UNREACHABLE,		/* ICMP: src could not reach dst */
	FRAME_BAD,			/* why says what is wrong */
	FRAME_CUT			/* headers cut by the capture's snaplen */
};

enum {
	FRAME_FIN = 1, FRAME_SYN = 2, FRAME_RST = 4, FRAME_PSH = 8, FRAME_ACK = 16
};

struct frame {
	enum frame_kind	 kind;
	struct frame_addr src, dst;
	uint16_t	 sport, dport;
	uint32_t	 seq, ack;
	uint8_t		 flags;
	uint8_t		 icmp_type, icmp_code;
	const uint8_t	*data;		/* payload; borrowed from the packet, or from
					 * the decoder when it was in fragments */
	uint32_t	 cap, len;	/* payload captured, and as it was sent */
	const char	*why;		/* static */
};

/* Limits: fragments wait in at most FRAME_FRAGMENTS datagrams of 64 KiB, the
 * oldest is dropped first; layers nest at most FRAME_LAYERS deep. */
enum { FRAME_FRAGMENTS = 32, FRAME_LAYERS = 16 };

struct frames;

struct frames	*frames_new(void);
void		 frames_free(struct frames *);
/* Whether a link type can be read; its name, or NULL. */
const char	*frame_link_name(int link);
/* cap bytes at p of a packet that was len bytes long. */
void		 frame_decode(struct frames *, int link, const uint8_t *p, size_t cap,
		    size_t len, struct frame *);
/* Datagrams whose fragments were given up, since the last call. */
int64_t		 frames_lost(struct frames *);

int		 frame_addr_is4(const struct frame_addr *);
/* As text, without brackets, NUL-terminated; n at least 46. */
void		 frame_addr_text(const struct frame_addr *, char *, size_t n);

#endif
