/*
 * capture.c - packet captures: pcap of every kind that libpcap reads, and
 * pcapng.  The files of a rotated set are one stream of packets; each counts
 * its frames from 1, as Wireshark does.
 */
#include <pcap/pcap.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>

#include "base/mem.h"
#include "format/format.h"
#include "format/pcapng.h"
#include "wire/dialog.h"
#include "wire/frame.h"

/* WHYS: more reasons than there are texts for; the last would take the rest. */
enum { FILE_BYTES = 128 * 1024, FEED_BYTES = 16 * 1024, WHYS = 16 };

/* Frames of one file that could not be read, by reason. */
struct odd {
	const char	*code, *why;
	int64_t		 count, first;
};

struct reading {
	struct input	*in;
	struct sink	*sink;
	struct decode_ctx *ctx;
	struct frames	*frames;
	struct dialog	*dialog;
	struct err	 read_err;	/* why the input failed */
	int		 read_failed;
	struct locus	 where;		/* the last frame of this file */
	int64_t		 all;
	struct odd	 odd[WHYS];
	int		 nodd;
	char		 links[64];
	int		 snaplen;
	char		 buf[FILE_BYTES];	/* of the stream that libpcap reads */
};

/* A file in memory: what a class of pcapng packets is read from. */
struct feed {
	struct span	 rest, then;
	int		 opened;
	pcap_t		*pcap;			/* NULL: not read by libpcap */
	char		 buf[FEED_BYTES];	/* of its stream */
};

/* ---- reading ---- */

static ssize_t
read_input(void *arg, char *buf, size_t n)
{
	struct reading	*r = arg;
	ssize_t		 got = input_read(r->in, buf, n, &r->read_err);

	if (got == -1)
		r->read_failed = 1;
	return (got == -1 ? 0 : got);	/* what was read stands */
}

static ssize_t
read_feed(void *arg, char *buf, size_t n)
{
	struct feed	*f = arg;

	if (f->rest.n == 0) {
		f->rest = f->then;
		f->then.n = 0;
	}
	if (n > f->rest.n)
		n = f->rest.n;
	if (n == 0)
		return (0);
	memcpy(buf, f->rest.p, n);
	f->rest.p += n;
	f->rest.n -= n;
	return ((ssize_t)n);
}

/* A stream without locks, for libpcap alone; buf must outlive it. */
static FILE *
stream(ssize_t (*fn)(void *, char *, size_t), void *arg, char *buf, size_t n)
{
	cookie_io_functions_t	 io = { .read = fn };
	FILE			*fp = fopencookie(arg, "r", io);

	if (fp != NULL) {
		setvbuf(fp, buf, _IOFBF, n);
		__fsetlocking(fp, FSETLOCKING_BYCALLER);
	}
	return (fp);
}

static int64_t
time_of(const struct pcap_pkthdr *h)
{
	int64_t	 s = h->ts.tv_sec;

	if (s > INT64_C(100000000000) || s < 0)
		return (OBS_NO_TIME);
	return (s * 1000000 + h->ts.tv_usec);
}

static void
note_odd(struct reading *r, const char *code, const char *why)
{
	int	 i;

	for (i = 0; i < r->nodd; i++)
		if (r->odd[i].why == why)
			break;
	if (i == WHYS)
		i--;
	if (i == r->nodd) {
		r->odd[r->nodd++] = (struct odd){ code, why, 0, r->where.position };
	}
	r->odd[i].count++;
}

static void
note_link(struct reading *r, int link, int snaplen)
{
	const char	*name = frame_link_name(link);
	size_t		 n = strlen(r->links);

	if (snaplen > r->snaplen)
		r->snaplen = snaplen;
	if (name == NULL)
		name = "unknown link type";
	if (strstr(r->links, name) == NULL && n + strlen(name) + 3 < sizeof r->links)
		snprintf(r->links + n, sizeof r->links - n, "%s%s", n > 0 ? ", " : "", name);
}

static int
packet(struct reading *r, int link, const struct pcap_pkthdr *h, const uint8_t *p,
    struct err *e)
{
	struct frame	 f;
	int64_t		 at = time_of(h);

	r->where.position++;
	r->all++;
	if (at == OBS_NO_TIME) {
		note_odd(r, "malformed", "a time that cannot be");
		return (0);
	}
	frame_decode(r->frames, link, p, h->caplen, h->len, &f);
	if (f.kind == FRAME_TCP || f.kind == FRAME_UNREACHABLE)
		return (dialog_segment(r->dialog, &f, at, &r->where, e));
	switch (f.kind) {
	case FRAME_BAD:
		note_odd(r, "malformed", f.why);
		return (0);
	case FRAME_CUT:
		note_odd(r, "snaplen", f.why);
		return (0);
	default:
		return (0);
	}
}

/* What a packet of a stream is read with. */
struct each {
	struct reading	*r;
	struct err	*e;
	pcap_t		*pcap;
	int		 link, failed;
};

static void
one_packet(u_char *arg, const struct pcap_pkthdr *h, const u_char *p)
{
	struct each	*each = (struct each *)(void *)arg;

	if (packet(each->r, each->link, h, p, each->e) == -1) {
		each->failed = 1;
		pcap_breakloop(each->pcap);
	}
}

/* So many packets (-1: all), or until the end of this stream: 0, 1 damaged, -1. */
static int
packets(struct reading *r, pcap_t *pc, int most, struct err *e)
{
	struct each	 each = { r, e, pc, pcap_datalink(pc), 0 };
	int		 got = pcap_dispatch(pc, most, one_packet, (u_char *)&each);

	if (each.failed)
		return (-1);
	return (got == PCAP_ERROR ? 1 : 0);
}

static int
damaged(struct reading *r, const char *why, struct err *e)
{
	struct locus	 where = r->where;
	char		 text[300];

	where.offset = input_offset(r->in);
	if (r->read_failed) {
		err_text(&r->read_err, text, sizeof text);
		why = text;
	}
	if (dialog_settle(r->dialog, e) == -1)
		return (-1);
	return (sink_problem(r->sink, &where, "truncated", e, "after %lld packets: %s",
	    (long long)where.position, why));
}

/* libpcap can close what it was given only when it could open it. */
static int
read_pcap(struct reading *r, struct err *e)
{
	char	 why[PCAP_ERRBUF_SIZE] = "";
	FILE	*fp = stream(read_input, r, r->buf, sizeof r->buf);
	pcap_t	*pc;
	int	 got;

	if (fp == NULL)
		return (err_set(e, "out of memory"));
	pc = pcap_fopen_offline(fp, why);
	if (pc == NULL) {
		fclose(fp);
		return (damaged(r, why, e));
	}
	note_link(r, pcap_datalink(pc), pcap_snapshot(pc));
	got = packets(r, pc, -1, e);
	if (got == 1 || (got == 0 && r->read_failed))
		got = damaged(r, pcap_geterr(pc), e);
	pcap_close(pc);
	return (got);
}

/* Packet blocks through the libpcap reader of their class. */
static int
feed_blocks(struct reading *r, struct feed *f, const struct pcapng_run *run, struct err *e)
{
	char	 why[PCAP_ERRBUF_SIZE] = "";
	FILE	*fp;
	int	 i;

	f->rest = run->head;
	f->then = run->blocks;
	if (!f->opened) {
		f->opened = 1;
		fp = stream(read_feed, f, f->buf, sizeof f->buf);
		if (fp == NULL)
			return (err_set(e, "out of memory"));
		f->pcap = pcap_fopen_offline(fp, why);
		if (f->pcap == NULL)
			fclose(fp);
		else
			note_link(r, pcap_datalink(f->pcap), pcap_snapshot(f->pcap));
	}
	for (i = 0; f->pcap == NULL && i < run->packets; i++) {
		r->where.position++;
		r->all++;
		note_odd(r, "unsupported", "an interface that libpcap cannot read");
	}
	if (f->pcap == NULL)
		return (0);
	return (packets(r, f->pcap, run->packets, e));
}

static int
read_pcapng(struct reading *r, struct err *e)
{
	struct pcapng		*ng = pcapng_open(r->in);
	struct pcapng_run	 run;
	struct feed		*feeds = mem_zero(PCAPNG_CLASSES, sizeof *feeds);
	struct err		 why = ERR_INIT;
	char			 text[300];
	int			 got, ret = 0, i;

	while ((got = pcapng_next(ng, &run, &why)) == 1 && ret == 0)
		ret = feed_blocks(r, &feeds[run.class], &run, e);
	if (ret == 1)
		ret = damaged(r, "a packet block is damaged", e);
	else if (got == -1 && ret == 0) {
		err_text(&why, text, sizeof text);
		ret = damaged(r, text, e);
	}
	for (i = 0; i < PCAPNG_CLASSES; i++)
		if (feeds[i].pcap != NULL)
			pcap_close(feeds[i].pcap);
	free(feeds);
	pcapng_close(ng);
	return (ret);
}

/* ---- one capture ---- */

static int
tell_odd(struct reading *r, struct err *e)
{
	int	 i;

	for (i = 0; i < r->nodd; i++) {
		struct locus where = { input_part(r->in), r->odd[i].first, OBS_NO_NUM };

		if (sink_problem(r->sink, &where, r->odd[i].code, e, "%s (%lld packets)",
		    r->odd[i].why, (long long)r->odd[i].count) == -1)
			return (-1);
	}
	r->nodd = 0;
	return (0);
}

static int
part(struct reading *r, struct err *e)
{
	static const char	 pcapng_magic[4] = { 0x0a, 0x0d, 0x0d, 0x0a };
	struct span		 first = input_peek(r->in, 4);
	int			 ret;

	r->where = (struct locus){ input_part(r->in), 0, OBS_NO_NUM };
	r->read_failed = 0;
	if (first.n >= 4 && memcmp(first.p, pcapng_magic, 4) == 0)
		ret = read_pcapng(r, e);
	else
		ret = read_pcap(r, e);
	if (ret == 0)
		ret = dialog_settle(r->dialog, e);
	if (ret == 0)
		ret = tell_odd(r, e);
	return (ret == 0 ? dialog_part(r->dialog, e) : ret);
}

/* What the capture as a whole could not say. */
static int
tell_whole(struct reading *r, struct err *e)
{
	const struct dialog_counts	*c = dialog_counts(r->dialog);
	struct locus			 none = { 0, 0, OBS_NO_NUM };
	int64_t				 lost = frames_lost(r->frames);

	if (lost > 0 && sink_problem(r->sink, &none, "gap", e,
	    "%lld fragmented datagrams are incomplete", (long long)lost) == -1)
		return (-1);
	if (c->midway > 0 && sink_problem(r->sink, &none, "mid-stream", e,
	    "%lld connections begin before the capture", (long long)c->midway) == -1)
		return (-1);
	if (c->resp + c->bus + c->tls == 0)
		return (sink_problem(r->sink, &none, "empty", e,
		    "no Redis traffic in %lld packets", (long long)r->all));
	return (0);
}

static int
decode(struct input *in, struct decode_ctx *ctx, struct sink *sink, struct err *e)
{
	struct reading	*r = mem_zero(1, sizeof *r);
	int		 ret, next = 1;

	r->in = in;
	r->sink = sink;
	r->ctx = ctx;
	r->frames = frames_new();
	r->dialog = dialog_new(sink, ctx->keep_keys);
	ret = part(r, e);
	while (ret == 0 && (next = input_next_part(in, e)) == 1)
		ret = part(r, e);
	if (ret == 0 && next == -1)
		ret = -1;
	if (ret == 0)
		ret = dialog_end(r->dialog, e);
	if (ret == 0)
		ret = tell_whole(r, e);
	ctx->records = r->all;
	snprintf(ctx->detail, sizeof ctx->detail, "%s, snaplen %d", r->links, r->snaplen);
	dialog_free(r->dialog);
	frames_free(r->frames);
	free(r);
	return (ret);
}

/* ---- what is a capture ---- */

/* A magic number at offset 0 outbids whatever text the packets carry (replies
 * of CLUSTER NODES, a log being shipped). */
static int
bid(struct span prefix, const char *name, char *why, size_t n)
{
	static const uint32_t	 magics[] = {
		0xa1b2c3d4, 0xd4c3b2a1,		/* us */
		0xa1b23c4d, 0x4d3cb2a1,		/* ns */
		0xa1b2cd34, 0x34cdb2a1,		/* modified (Kuznetzov) */
		0xa1e2cb12, 0x12cbe2a1,		/* modified (Nordic) */
	};
	uint32_t		 magic, order;
	size_t			 i;

	(void)name;
	if (prefix.n < 12)
		return (0);
	memcpy(&magic, prefix.p, 4);
	memcpy(&order, prefix.p + 8, 4);
	if (magic == 0x0a0d0d0a) {
		if (order != 0x1a2b3c4d && order != 0x4d3c2b1a)
			return (0);
		snprintf(why, n, "pcapng section header");
		return (FORMAT_SURE);
	}
	for (i = 0; i < sizeof magics / sizeof magics[0]; i++)
		if (magic == magics[i]) {
			snprintf(why, n, "pcap magic number %08x", magic);
			return (FORMAT_SURE);
		}
	return (0);
}

static int64_t
first_at(struct span prefix)
{
	struct feed		 f = { .rest = prefix };
	struct pcap_pkthdr	*h;
	const uint8_t		*p;
	char			 why[PCAP_ERRBUF_SIZE];
	FILE			*fp = stream(read_feed, &f, f.buf, sizeof f.buf);
	pcap_t			*pc = fp != NULL ? pcap_fopen_offline(fp, why) : NULL;
	int64_t			 at = OBS_NO_TIME;

	if (pc == NULL) {
		if (fp != NULL)
			fclose(fp);
		return (at);
	}
	if (pcap_next_ex(pc, &h, &p) == 1)
		at = time_of(h);
	pcap_close(pc);
	return (at);
}

const struct format format_capture = {
	.name = "capture",
	.summary = "packet capture (pcap, pcapng)",
	.bid = bid,
	.decode = decode,
	.first_at = first_at,
};
