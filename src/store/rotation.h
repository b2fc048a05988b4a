/*
 * rotation.h - which files are the parts of one rotated capture, by name.
 *
 *	trace.pcap  trace.pcap1  trace.pcap2	tcpdump -C
 *	trace.pcap00  trace.pcap01		tcpdump -C -W
 *	trace-20261130-010203.pcap		tcpdump -G
 *	trace_00001_20261130010203.pcapng	dumpcap -b
 *
 * A number that tells hosts apart (n1.pcap, node-7001.pcap, 10.0.0.1.pcap) is
 * no part of a rotation.
 */
#ifndef STORE_ROTATION_H
#define STORE_ROTATION_H

#include "base/buf.h"

/* The name without its rotation parts: equal for the files of one set. */
void	 rotation_key(struct buf *, const char *name);

#endif
