/*
 * client-name.h - who wrote a log: a name that stays the same over rotation
 * and compression, and the slot's key where an application's own words name
 * it.
 */
#ifndef FORMAT_CLIENT_NAME_H
#define FORMAT_CLIENT_NAME_H

#include "base/buf.h"

/* "logs/c1/app.log.2.gz", "logs/c1/app-2026-03-14.log" -> "c1/app": the folder
 * and the file, without suffixes of rotation, dates and compression.  Where in
 * the name of the source that begins. */
size_t		 client_name(const char *source, struct buf *);

/* The key of the command that failed, in a message like "get usr:1004: ...",
 * "command on k:7 failed", "(key k:7)"; p NULL when there is none. */
struct span	 client_key(struct span line);

#endif
