/*
 * client-redact.h - a client's message without what it says of keys, values,
 * arguments and passwords.
 */
#ifndef FORMAT_CLIENT_REDACT_H
#define FORMAT_CLIENT_REDACT_H

#include "base/buf.h"
#include "base/span.h"

/* Append a line of text, "..." in place of what is behind a command's name, of
 * lists of arguments, of members that are named as values, keys or secrets are,
 * and of the user and password in a URL.  Rather too much goes than too little;
 * addresses, redirects, slots and error classes behind it stay.  keep_keys: the
 * key (p NULL: none) stays where it stood. */
void	 client_redact(struct buf *, struct span line, struct span key, int keep_keys);

#endif
