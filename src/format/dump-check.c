#include "format/dump-check.h"

#include "model/endpoint.h"
#include "model/topology-part.h"

/* Room so that the text never moves under the spans: one id, one master id
 * and one address a node. */
/* Of each node two ids and a host: the limit of nodes comes first. */
enum { CHECK_TEXT = TOPOLOGY_NODES_MAX * (40 + 40 + 255) };

static int
starts(struct span s, const char *what)
{
	size_t	 n = strlen(what);

	return (s.n >= n && memcmp(s.p, what, n) == 0);
}

void
cluster_info_reset(struct cluster_info *i)
{
	memset(i, 0, sizeof *i);
	i->state = -1;
	i->current_epoch = OBS_NO_NUM;
}

int
cluster_info_line(struct cluster_info *i, struct span s, int64_t position)
{
	const char	*colon;
	struct span	 key, value;
	int64_t		 v = 0;
	size_t		 k;

	if (!starts(s, "cluster_") || (colon = memchr(s.p, ':', s.n)) == NULL)
		return (0);
	key = span_make(s.p, (size_t)(colon - s.p));
	if (memchr(key.p, ' ', key.n) != NULL || span_is(key, "cluster_enabled"))
		return (0);		/* the latter is INFO's */
	value = span_make(colon + 1, s.n - key.n - 1);
	if (value.n > 0 && value.p[value.n - 1] == '\r')
		value.n--;
	if (i->first == 0)
		i->first = position;
	i->last = position;
	if (span_is(key, "cluster_state"))
		i->state = span_is(value, "ok") ? 1 : span_is(value, "fail") ? 0 : -1;
	if (!span_is(key, "cluster_current_epoch") || value.n == 0 || value.n > 18)
		return (1);
	for (k = 0; k < value.n && value.p[k] >= '0' && value.p[k] <= '9'; k++)
		v = v * 10 + (value.p[k] - '0');
	if (k == value.n)
		i->current_epoch = v;
	return (1);
}

void
check_reset(struct check *c)
{
	topology_reset(&c->topology);
	c->text.n = 0;
	c->first = c->last = 0;
	c->node = -1;
}

void
check_free(struct check *c)
{
	topology_free(&c->topology);
	buf_free(&c->text);
}

static struct span
keep(struct check *c, struct span s)
{
	struct span	 r = { NULL, 0 };

	buf_need(&c->text, CHECK_TEXT - c->text.n);
	if (c->text.n + s.n > CHECK_TEXT)
		return (r);
	r = span_make(c->text.p + c->text.n, s.n);
	buf_add(&c->text, s.p, s.n);
	return (r);
}

/* "M: <id> 10.0.0.1:6379" */
static int
check_node(struct check *c, struct span s)
{
	struct obs_view_node	*n;
	struct endpoint		 ep;

	if (s.n < 46 || (s.p[0] != 'M' && s.p[0] != 'S') || s.p[1] != ':' ||
	    s.p[2] != ' ' || !topology_is_id(span_make(s.p + 3, 40)) ||
	    endpoint_parse(span_make(s.p + 44, s.n - 44), &ep) != 0)
		return (0);
	if ((c->node = topology_add_node(&c->topology)) < 0)
		return (1);
	n = &c->topology.nodes[c->node];
	n->id = keep(c, span_make(s.p + 3, 40));
	n->role = s.p[0] == 'M' ? ROLE_MASTER : ROLE_REPLICA;
	n->ep = ep;
	n->ep.host = keep(c, ep.host);
	return (1);
}

/* "[0-5460],[7000] (5462 slots) master" */
static void
check_slots(struct check *c, struct span s)
{
	const char	*p = s.p, *end = s.p + s.n, *q;
	int		 from, to;

	while (p < end && *p == '[') {
		q = memchr(p, ']', (size_t)(end - p));
		if (q == NULL)
			break;
		if (slots_parse_range(span_make(p + 1, (size_t)(q - p - 1)), &from, &to) == 0)
			topology_own(&c->topology, c->node, from, to);
		else {
			c->topology.slots_lost = 1;
			topology_report(&c->topology, "\"%.*s\" is no slot range",
			    TOPOLOGY_SHOW(span_make(p + 1, (size_t)(q - p - 1))));
		}
		p = q + 1;
		if (p < end && *p == ',')
			p++;
	}
}

int
check_line(struct check *c, struct span s, int64_t position)
{
	c->topology.at = (size_t)position;	/* of what is reported */
	if (check_node(c, s)) {
		if (c->first == 0)
			c->first = position;
		c->last = position;
		return (1);
	}
	if (c->first == 0 || s.n == 0 || s.p[0] != ' ')
		return (0);
	while (s.n > 0 && *s.p == ' ')
		s.p++, s.n--;
	c->last = position;
	if (starts(s, "slots:") && c->node >= 0)
		check_slots(c, span_make(s.p + 6, s.n - 6));
	else if (starts(s, "replicates ") && c->node >= 0 &&
	    c->topology.nodes[c->node].master.p == NULL &&
	    topology_is_id(span_make(s.p + 11, s.n - 11)))
		c->topology.nodes[c->node].master =
		    keep(c, span_make(s.p + 11, s.n - 11));
	return (1);
}
