/*
 * json.h - JSON text as a flat list of its scalars, read with SQLite's JSON
 * functions on a private in-memory connection.  Only lines that may matter
 * get here.
 */
#ifndef TEXT_JSON_H
#define TEXT_JSON_H

#include "base/span.h"

struct json;

enum { JSON_MEMBERS = 4096 };

struct json_member {
	struct span	 path;	/* "err.message", "a[0].b"; names with dots as they are */
	struct span	 value;	/* strings unescaped, numbers as printed, true 1, false 0 */
	int		 text;	/* it was a string */
};

struct json	*json_open(void);
void		 json_close(struct json *);

/* The members of the document, NULL when the text is no JSON object; they are
 * valid until the next call.  null is left out.  At most JSON_MEMBERS are given:
 * json_cut() tells whether there were more. */
const struct json_member *json_read(struct json *, struct span, size_t *n);
int		 json_cut(const struct json *);
/* Drop this beginning of the paths of these n members: what stands in an object
 * of that name is then as if it stood outside. */
void		 json_lift(struct json *, size_t n, const char *path);
/* The value at a path, p NULL when there is none. */
struct span	 json_get(const struct json_member *, size_t n, const char *path);

#endif
