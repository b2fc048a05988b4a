#include "cmd/cmd.h"
#include "store/print.h"

/* Every node that an address or the beginning of an id meant, and when.  What
 * answered at an address without naming itself is left out where a node is known
 * to have been there, and so is a node without an address where it has one. */
#define UTC(us)	"strftime('%Y-%m-%dT%H:%M:%S', " us " / 1000000, 'unixepoch') ||" \
		" printf('.%03dZ', " us " / 1000 % 1000)"
static const char	 sql[] =
    "WITH seen AS (SELECT n.name AS node, CASE WHEN instr(p.host, ':') THEN '[' || p.host || ']' ELSE p.host END || ':' || p.port AS endpoint,"
    " p.host, vn.hostname, v.first_at, v.last_at, vn.role, vn.config_epoch, o.incident, vn.endpoint_id"
    " FROM view_node vn JOIN view v USING (view_id) JOIN observer o USING (observer_id)"
    " LEFT JOIN node n ON n.node_id = vn.node_id LEFT JOIN endpoint p ON p.endpoint_id = vn.endpoint_id)"
    " SELECT node, endpoint, max(hostname) AS hostname, " UTC("min(first_at)") " AS first_seen, "
    UTC("max(last_at)") " AS last_seen, group_concat(DISTINCT role) AS roles,"
    " max(config_epoch) AS config_epoch, incident FROM seen s"
    " WHERE (?1 IS NULL OR substr(node, 1, length(?1)) = lower(?1) OR ?1 COLLATE NOCASE IN (host, endpoint, hostname))"
    " AND (node IS NOT NULL OR endpoint_id NOT IN"
    " (SELECT endpoint_id FROM seen WHERE node IS NOT NULL AND endpoint_id IS NOT NULL))"
    " AND (endpoint IS NOT NULL OR node NOT IN"
    " (SELECT node FROM seen WHERE node IS NOT NULL AND endpoint IS NOT NULL))"
    " GROUP BY incident, node, endpoint ORDER BY incident, node, endpoint";

static int
run(struct args *a, struct err *e)
{
	const char	*params[] = { a->nrest > 1 ? a->rest[1] : NULL, NULL };
	struct store	*s = store_open(a->rest[0], STORE_READ, e);
	int64_t		 n;

	if (s == NULL)
		return (-1);
	n = print_rows(s, sql, params, stdout, e);
	store_close(s);
	if (n == 0 && a->nrest > 1)
		return (err_set(e, "%s: no view names it", a->rest[1]));
	return (n < 0 ? -1 : DONE);
}

const struct command cmd_whois = {
	"whois", "DB [NODE|ADDRESS]", "which node an address or id was, when", 1,
	2, 0, run
};
