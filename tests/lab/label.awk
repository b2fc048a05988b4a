# label.awk - every error of one client and what it deserves.
# -v expected=FILE (time, time, verdict, slots, clients, why) -v path=LOG
# The reference client's log is its own word.  With -v precision=SECONDS the
# input is what a library's program told beside its log: began, raised, logged,
# key, text and the key's slot; the log states the time to that precision.
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

function deserved(t, slot,	i)
{
	for (i = 1; i <= rows; i++)
		if (t >= from[i] && t <= to[i] && fits(slots[i], slot) &&
		    path ~ ("^(" clients[i] ")$"))
			return verdict[i]
	return "none"
}

function put(redirect, t, until, s, slot, message, v)
{
	gsub(/["\\]/, "\\\\&", message)
	gsub(/[[:cntrl:]]/, " ", message)
	printf "{\"redirect_error\":%s,\"client\":\"%s\",\"t\":\"%s\",\"t_log\":\"%s\",\"t_until\":\"%s\"," \
	    "\"precision_s\":%s,\"level\":\"app\",\"slot\":%s,\"message\":\"%s\",\"verdict\":\"%s\"}\n", \
	    redirect ? "true" : "false", name, t, t, until, s, slot, message, v
}

BEGIN {
	FS = "\t"
	while ((getline line < expected) > 0) {
		split(line, e, "\t")
		rows++
		from[rows] = e[1]; to[rows] = e[2]; verdict[rows] = e[3]
		slots[rows] = e[4]; clients[rows] = e[5]
	}
	if (precision == "")
		FS = " "
	name = path
	sub(/\.log$/, "", name)
}

# What a library raised may have begun under other circumstances: then nothing
# is said of it.  After the last of them, the beginning decides.
precision != "" {
	if (NF < 6 || $6 == "")
		next
	redirect = $5 ~ /TTL exhausted|Too many Cluster redirections|Timed out attempting to find|(MOVED|ASK|Moved:|Ask:) [0-9]+ |(MovedError|AskError): [0-9]/
	v = "none"
	if (redirect) {
		v = deserved($2, $6)
		first = deserved($1, $6)
		if (v == "none")
			v = first
		else if (first != "none" && first != v)
			v = "either"
		# the cluster's own refusal came last: genuine or, if it did not come from
		# the claimant, nobody's to say
		if ($5 ~ /CLUSTERDOWN|ClusterDown/)
			v = v == "genuine" ? v : "either"
	}
	put(redirect, $2, $3, precision, $6, $5, v)
	next
}

$2 == "ERROR" {
	slot = "null"
	if (match($0, /slot [0-9]+/))
		slot = substr($0, RSTART + 5, RLENGTH - 5)
	message = $0
	sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", message)
	redirect = message ~ /^(RedisClusterFailoverError|SlotMapCorruptionError)/
	put(redirect, $1, $1, "0.001", slot, message, redirect ? deserved($1, slot) : "none")
}
