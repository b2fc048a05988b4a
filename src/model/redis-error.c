#include "model/redis-error.h"

#include "model/endpoint.h"
#include "model/slots.h"

enum reply_code
redis_error_code(struct span word)
{
	int	 c;

	for (c = CODE_NONE + 1; c < CODE_NCODES; c++)
		if (span_is(word, reply_code_word((enum reply_code)c)))
			return ((enum reply_code)c);
	return (CODE_NONE);
}

/* The next word; s is advanced past it. */
static struct span
next_word(struct span *s)
{
	static const unsigned char	 ends[256] = { [' '] = 1, ['\r'] = 1, ['\n'] = 1 };
	struct span			 w;
	size_t				 i = 0;

	while (s->n > 0 && s->p[0] == ' ')
		s->p++, s->n--;
	while (i < s->n && !ends[(unsigned char)s->p[i]])
		i++;
	w = span_make(s->p, i);
	s->p += i;
	s->n -= i;
	return (w);
}

int
redis_error_parse_target(struct span s, struct redis_error *e)
{
	struct span	 slot = next_word(&s), addr = next_word(&s);
	int		 from, to;

	if (slots_parse_range(slot, &from, &to) != 0 || from != to ||
	    memchr(slot.p, '-', slot.n) != NULL)
		return (-1);
	if (endpoint_parse(addr, &e->target) != 0)
		return (-1);
	e->slot = from;
	return (0);
}

int
redis_error_parse(struct span s, struct redis_error *e)
{
	e->code = CODE_NONE;
	e->slot = OBS_NO_SLOT;
	e->target = endpoint_none();
	if (s.n == 0)			/* and perhaps nowhere */
		return (-1);
	if (s.p[0] == '-')
		s.p++, s.n--;
	e->code = redis_error_code(next_word(&s));
	if (e->code == CODE_NONE)
		return (-1);
	if (e->code == CODE_MOVED || e->code == CODE_ASK)
		return (redis_error_parse_target(s, e));
	return (0);
}
