#include "cmd/cmd.h"
#include "store/print.h"

/* Every node that an address or the beginning of an id meant, and when. */
static const char	 sql[] =
    "SELECT n.name AS node, p.host || ':' || p.port AS endpoint,"
    " max(vn.hostname) AS hostname,"
    " strftime('%Y-%m-%dT%H:%M:%SZ', min(v.first_at) / 1000000, 'unixepoch')"
    " AS first_seen,"
    " strftime('%Y-%m-%dT%H:%M:%SZ', max(v.last_at) / 1000000, 'unixepoch')"
    " AS last_seen, group_concat(DISTINCT vn.role) AS roles,"
    " max(vn.config_epoch) AS config_epoch, n.incident"
    " FROM view_node vn JOIN view v USING (view_id)"
    " LEFT JOIN node n ON n.node_id = vn.node_id"
    " LEFT JOIN endpoint p ON p.endpoint_id = vn.endpoint_id"
    " WHERE ?1 IS NULL OR substr(n.name, 1, length(?1)) = ?1 OR p.host = ?1"
    " OR p.host || ':' || p.port = ?1 OR vn.hostname = ?1"
    " GROUP BY n.node_id, p.endpoint_id ORDER BY 8, 1, 2";

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
