/*
 * buf.h - one growable run of bytes.  p is owned by the buffer and moves when
 * it grows; buf_free() leaves it empty and usable.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/span.h"

struct buf {
	char	*p;
	size_t	 n, cap;
};

void	 buf_need(struct buf *, size_t more);	/* room for more bytes */
void	 buf_add(struct buf *, const void *, size_t n);
void	 buf_str(struct buf *, const char *);
void	 buf_chr(struct buf *, int c);
void	 buf_fmt(struct buf *, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));
const char *buf_cstr(struct buf *);		/* NUL-terminated, not counted in n */
void	 buf_drop(struct buf *, size_t n);	/* forget the first n bytes */
void	 buf_free(struct buf *);

#endif
