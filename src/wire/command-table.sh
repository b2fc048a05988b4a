#!/bin/sh
# command-table.sh PORT - make command-table.h from what a running server says
# of its commands (COMMAND).  Needs redis-cli 7 and sqlite3.
set -eu
cli="redis-cli -p $1"
version=$($cli INFO server | sed -n 's/^redis_version:\([^\r]*\).*/\1/p')
echo "/* Made by command-table.sh from COMMAND of Redis $version: name, place of the"
echo " * first key (0: none, or only the command's own arguments tell), flags. */"
{
	printf '.mode list\nWITH j(c) AS (SELECT '"'"
	$cli -3 --json COMMAND | sed "s/'/''/g"
	cat <<-'SQL'
	'), top(v) AS (SELECT value FROM j, json_each(c)),
	every(v) AS (SELECT v FROM top UNION ALL
	    SELECT s.value FROM top, json_each(v, '$[9]') AS s),
	row(name, first, flags) AS (SELECT replace(v ->> 0, '|', ' '), v ->> 3, v -> 2 FROM every)
	SELECT printf('{ "%s", %d, %s },', name,
	    CASE WHEN flags LIKE '%"movablekeys"%' THEN 0 ELSE first END,
	    trim(CASE WHEN flags LIKE '%"write"%' THEN '|COMMAND_WRITE' ELSE '' END ||
	    CASE WHEN flags LIKE '%"blocking"%' THEN '|COMMAND_BLOCKS' ELSE '' END, '|') ||
	    CASE WHEN flags LIKE '%"write"%' OR flags LIKE '%"blocking"%' THEN '' ELSE '0' END)
	FROM row ORDER BY name;
	SQL
} | sqlite3
