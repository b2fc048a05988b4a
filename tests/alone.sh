#!/bin/sh
# alone.sh - what each kind of text says by itself, on the recorded incidents:
# client logs give exactly the errors of the labels, server logs the promotions
# and demotions of the truth, both and the samples no window that is not true.
. "${srcdir:=$(dirname "$0")/..}/tests/lib.sh"
dir=$srcdir/tests/incidents

# read_alone NAME KIND: ingest and analyse one folder of an incident
read_alone()
{
	rm -f "$work/t.db"
	timeout_ms=$(sqlite3 :memory: "SELECT json_extract(readfile('$dir/$1/truth.json'), '\$.node_timeout_ms')")
	"$slotrace" ingest "$work/t.db" -q --set cluster-node-timeout="$timeout_ms" "$dir/$1/$2" >"$work/out" 2>&1 &&
	    "$slotrace" analyze "$work/t.db" >"$work/out" 2>&1
	ok "$1: $2 alone: read and analysed" $?
}

# ask SQL...: the answers after compare.sql has made its tables
ask()
{
	{
		echo "CREATE TEMP TABLE label_text AS SELECT readfile('$work/labels.json') AS text;"
		echo "CREATE TEMP TABLE truth_text AS SELECT readfile('$work/truth.json') AS text;"
		cat "$dir/compare.sql"
		cat "$work/more.sql"
	} | sqlite3 -bail "$work/t.db" >"$work/numbers"
}

of()
{
	sed -n "s/^$1|//p" "$work/numbers"
}

# Every label is a line of a client log: an error where the application was
# told of redirects, a redirect where the library logged one, else some event.
labels_sql()
{
	cat <<'SQL'
CREATE TEMP TABLE line AS
SELECT json_extract(value, '$.client') AS client, json_extract(value, '$.level') AS level,
	json_extract(value, '$.redirect_error') AS redirects,
	json_extract(value, '$.level') = 'app' AND (json_extract(value, '$.redirect_error')
	    OR json_extract(value, '$.message') LIKE '%Too many Cluster redirections%') AS failover,
	CAST(strftime('%s', substr(json_extract(value, '$.t_log'), 1, 19)) AS INTEGER) * 1000
	    + CAST(substr(json_extract(value, '$.t_log') || '000', 21, 3) AS INTEGER) AS ms
  FROM label_text, json_each(text);
CREATE TEMP TABLE event AS
SELECT what, CASE WHEN name LIKE 'clients/%' THEN substr(name, 9) ELSE name END AS client, at / 1000 AS ms, to_at / 1000 AS to_ms FROM (
	SELECT 'error' AS what, o.name, e.at, e.at AS to_at FROM client_error e JOIN observer o USING (observer_id)
	UNION ALL
	SELECT 'redirect', o.name, r.at, r.at FROM redirect r JOIN observer o USING (observer_id) WHERE r.client_error_id IS NULL
	UNION ALL
	SELECT 'contact', o.name, c.first_at, c.last_at FROM contact c JOIN observer o USING (observer_id)
	UNION ALL
	SELECT 'other', o.name, v.at, coalesce(v.last_at, v.at) FROM server_event v JOIN observer o USING (observer_id));
CREATE TEMP TABLE span AS SELECT min(ms) AS first_ms, max(ms) AS last_ms FROM line;
-- Errors of a client and millisecond, as labelled and as read.
SELECT 'errors|' || count(*) FROM event WHERE what = 'error';
SELECT 'errors-not-as-labelled|' || count(*) FROM (
	SELECT client, ms FROM (SELECT client, ms, 1 AS labelled, 0 AS found FROM line WHERE failover
		UNION ALL SELECT client, ms, 0, 1 FROM event, span WHERE what = 'error' AND ms BETWEEN first_ms AND last_ms)
	 GROUP BY 1, 2 HAVING sum(labelled) <> sum(found));
SELECT 'redirects-not-seen|' || count(*) FROM line l WHERE level = 'library' AND redirects
   AND NOT EXISTS (SELECT 1 FROM event e WHERE e.what = 'redirect' AND e.client = l.client AND e.ms = l.ms);
SELECT 'lines-not-seen|' || count(*) FROM line l WHERE NOT redirects
   AND NOT EXISTS (SELECT 1 FROM event e WHERE e.client = l.client AND l.ms BETWEEN e.ms AND e.to_ms);
-- Logs alone claim no window, and say what is missing.
SELECT 'windows|' || count(*) FROM window;
SELECT 'missing-unsaid|' || count(*) FROM failover_error WHERE verdict = 'undetermined' AND missing IS NULL;
SELECT 'not-undetermined|' || count(*) FROM failover_error WHERE verdict NOT IN ('undetermined', 'genuine');
SQL
}

# Truth is cut in time, server logs are whole.
server_sql()
{
	cat <<'SQL'
CREATE TEMP TABLE cut AS SELECT min(lo) AS from_at, max(hi) AS to_at FROM change;
CREATE TEMP TABLE said AS
SELECT v.kind, coalesce(m.name, (SELECT id FROM node_of WHERE o.name = node_of.name OR o.name LIKE '%/' || node_of.name)) AS id, v.at
  FROM server_event v JOIN observer o USING (observer_id) LEFT JOIN node m ON m.node_id = o.node_id WHERE v.kind IN ('promotion', 'demotion');
-- How far from the interval between two polls; lo and hi are 5 ms wider, the
-- poll's own resolution.
CREATE TEMP TABLE off AS
SELECT min(max(c.lo + 5000 - s.at, s.at - (c.hi - 5000), 0)) AS us FROM change c
  LEFT JOIN said s ON s.id = c.id AND s.kind = CASE role WHEN 'master' THEN 'promotion' ELSE 'demotion' END
 WHERE was <> role GROUP BY c.rowid;
SELECT 'changes|' || count(*) FROM off;
SELECT 'changes-not-logged|' || count(*) FROM off WHERE us IS NULL OR us > 5000;
SELECT 'changes-far|' || count(*) FROM off WHERE us > 2000;
-- A restarted node claims its old slots for a moment that a poll may miss.
SELECT 'invented|' || count(*) FROM window w, cut WHERE w.cause <> 'migration' AND NOT (w.cause = 'stale-return' AND w.min_ms < 10) AND w.opened_by BETWEEN from_at AND to_at
   AND NOT EXISTS (SELECT 1 FROM change c WHERE c.was = 'replica' AND c.role = 'master' AND c.id = w.new_owner_id AND c.hi >= w.opened_after AND c.lo <= w.opened_by);
SQL
}

views_sql()
{
	cat <<'SQL'
-- A node that came back for less than a sample's spacing was not sampled.
SELECT 'demotions-wrong|' || count(*) FROM change c JOIN window w ON w.old_owner_id = c.id AND w.new_epoch = c.epoch
 WHERE c.was = 'master' AND c.role = 'replica' AND w.close_reason = 'old-owner-yielded'
   AND NOT (coalesce(w.closed_after, 0) <= c.hi AND coalesce(w.closed_by, 9223372036854775807) >= c.lo);
SELECT 'invented|' || count(*) FROM window w WHERE w.cause <> 'migration' AND NOT EXISTS (
	SELECT 1 FROM truth_text, json_each(text, '$.windows') WHERE json_extract(value, '$.kind') = 'view-divergence');
SQL
}

for name in $(cd "$dir" && ls -d */ | tr -d /); do
	base=$dir/$name
	{ printf '['; gzip -dc "$base/labels.ndjson.gz" | sed '$!s/$/,/'; printf ']'; } >"$work/labels.json"
	cp "$base/truth.json" "$work/truth.json"

	read_alone "$name" clients
	labels_sql >"$work/more.sql"
	ask
	is "$name: clients: exactly the errors of the labels, none double ($(of errors))" 0 "$(of errors-not-as-labelled)"
	is "$name: clients: what a library logged in passing is a redirect" 0 "$(of redirects-not-seen)"
	is "$name: clients: every other labelled line is an event" 0 "$(of lines-not-seen)"
	is "$name: clients: no window, and no class that needs one" '0 0' "$(of windows) $(of not-undetermined)"
	is "$name: clients: what is missing is named" 0 "$(of missing-unsaid)"

	read_alone "$name" server
	server_sql >"$work/more.sql"
	ask
	is "$name: server: promotions and demotions are those of the truth ($(of changes))" 0 "$(of changes-not-logged)"
	[ $(($(of changes-far) * 20)) -le "$(of changes)" ]
	ok "$name: server: 19 of 20 within 2 ms, the others within the truth's own 5" $?
	is "$name: server: every promotion is a window" 0 "$(of promotions-missed)"
	is "$name: server: openings and closings inside the bounds" '0 0' \
	    "$(of promotions-out-of-bounds) $(of demotions-out-of-bounds)"
	is "$name: server: no other window" 0 "$(of invented)"
	is "$name: server: agreement inside the bounds" 0 "$(of convergence-out-of-bounds)"

	read_alone "$name" views
	views_sql >"$work/more.sql"
	ask
	is "$name: views: every promotion is a window" 0 "$(of promotions-missed)"
	is "$name: views: openings and closings inside the bounds" '0 0' "$(of promotions-out-of-bounds) $(of demotions-wrong)"
	is "$name: views: agreement inside the bounds" 0 "$(of convergence-out-of-bounds)"
	is "$name: views: no other window" '0 0' "$(of windows-invented) $(of invented)"
	case $name in
	manual-*) is "$name: views: a window for each promotion" "$(of promotions)" "$(of failovers)" ;;
	resharding)
		is "$name: views: no failover" 0 "$(of failovers)"
		[ "$(of migrations)" -gt 0 ]
		ok "$name: views: migrations" $? ;;
	esac
done
done_testing
