/*
 * fuzz.h - what all fuzz targets share.
 *
 * Each fuzz_<decoder>.c gives its bytes to one decoder.  With clang and
 * --enable-fuzz they are libFuzzer programs (AFL++ builds the same files);
 * otherwise replay.c is their main() and gives them the files it is named.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "format/format.h"
#include "model/sink.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* A sink that reads every byte it is lent and aborts at what no decoder may
 * emit: a slot above 16383, a node that is not in the view, ... */
struct sink	*fuzz_sink(void);
/* Of what it was given since the last call: equal for equal observations. */
uint64_t	 fuzz_digest(void);
/* Pieces to cut the input into: sizes drawn from it, 1 to most. */
size_t		 fuzz_piece(const uint8_t *, size_t n, size_t at, size_t most);
/* Decode the bytes as one format, read in pieces of at most max_read (0: no
 * limit). */
void		 fuzz_format(const struct format *, const uint8_t *, size_t n,
		    size_t max_read);

#endif
