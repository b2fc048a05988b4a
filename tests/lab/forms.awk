# forms.awk - of one client's log, each form of a record that speaks of redirects,
# of a cluster that is down or of a node that cannot be reached.
# -v folder=WHERE: one file a form, its first record below the first of the log.
# What valkey-glide's core hands on is said again by who got it, and passed over.
# Two records are of one form if they differ in numbers, names of keys and frames
# of their traces only.
function flush(	form, words)
{
	words = "moved|clusterdown|cluster is down|redirect|ttl exhausted|failover|refused|unreachable|" \
	    "timed ?out|timeout[^=_]|econn|etimedout|ehostunreach|no route|unavailable|communicate|reset by"
	if (n > 0 && records++ == 0)
		head = text
	else if (n > 0 && tolower(text) ~ words && text !~ /received error - [^\n]*(Moved|Ask): /) {
		form = said
		gsub(/[0-9a-f]*[0-9][0-9a-f]*/, "0", form)
		gsub(/(probe|cart|user)(:0)+/, "key", form)
		gsub(/0(\.0)+(:0)?/, "0", form)
		if (!(form in seen)) {
			seen[form] = 1
			out = folder "/" name "-" ++forms ".log"
			printf "%s%s", head, text >out
			close(out)
		}
	}
	n = 0
	text = said = ""
}

BEGIN {
	stamp = "^([A-Z], )?[[{]?(\"level\"|[0-9][0-9][0-9][0-9][-/][0-9][0-9][-/][0-9][0-9]|[0-9][0-9]-[A-Z][a-z][a-z]-)"
}

{
	line = $0
	gsub(/\033\[[0-9;]*m/, "", line)
	if (line ~ stamp)
		flush()
	if (n++ < 200)
		text = text $0 "\n"
	gsub(/\\n    at [^"\\]*/, "", line)
	if (line !~ /^ *(at |File "|#[0-9]|[~^ ]*$)|^    /)
		said = said line "\n"
}

END { flush() }
