# label.awk - every error line of one client's log and what it deserves.
# -v expected=FILE (time, time, verdict, slots, clients, why) -v path=LOG
function fits(slots, slot,	n, range, i, e)
{
	if (slots == "*")
		return 1
	n = split(slots, range, ",")
	for (i = 1; i <= n; i++) {
		split(range[i], e, "-")
		if (slot + 0 >= e[1] + 0 && slot + 0 <= (e[2] == "" ? e[1] : e[2]) + 0)
			return 1
	}
	return 0
}

BEGIN {
	FS = "\t"
	while ((getline line < expected) > 0) {
		split(line, e, "\t")
		rows++
		from[rows] = e[1]; to[rows] = e[2]; verdict[rows] = e[3]
		slots[rows] = e[4]; clients[rows] = e[5]
	}
	FS = " "
	name = path
	sub(/\.log$/, "", name)
}

$2 == "ERROR" {
	slot = "null"
	if (match($0, /slot [0-9]+/))
		slot = substr($0, RSTART + 5, RLENGTH - 5)
	message = $0
	sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", message)
	gsub(/["\\]/, "\\\\&", message)
	redirect = message ~ /^(RedisClusterFailoverError|SlotMapCorruptionError)/
	v = "none"
	for (i = 1; redirect && i <= rows; i++)
		if ($1 >= from[i] && $1 <= to[i] && fits(slots[i], slot) &&
		    path ~ ("^(" clients[i] ")$")) {
			v = verdict[i]
			break
		}
	printf "{\"redirect_error\":%s,\"client\":\"%s\",\"t\":\"%s\",\"t_log\":\"%s\"," \
	    "\"precision_s\":0.001,\"level\":\"app\",\"slot\":%s,\"message\":\"%s\",\"verdict\":\"%s\"}\n", \
	    redirect ? "true" : "false", name, $1, $1, slot, message, v
}
