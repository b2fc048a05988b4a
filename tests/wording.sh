#!/bin/sh
# wording.sh - every sample, case and recorded incident as text, Markdown and HTML,
# and what explain says of its errors and windows: nowhere a name that is empty, a
# number that is none, or a word too many.
set -u
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

# render NAME PATH...: all that is printed of it, into NAME.page and NAME.html
render()
{
	name=$1
	shift
	"$slotrace" ingest -q -i x t.db "$@" >/dev/null 2>&1
	"$slotrace" analyze t.db >/dev/null 2>&1 && "$slotrace" report t.db -w 1000 >"$name.page" &&
	    "$slotrace" report t.db -f markdown >"$name.markdown" &&
	    "$slotrace" report t.db -f html >"$name.html"
	ok "$name: rendered" $?
	for id in $(sql t.db "SELECT min(error_id) FROM failover_error GROUP BY verdict, rule, fault LIMIT 12"); do
		"$slotrace" explain -w 1000 t.db error "$id"
	done >>"$name.page"
	for id in $(sql t.db "SELECT min(window_id) FROM window GROUP BY cause, close_reason LIMIT 6"); do
		"$slotrace" explain -w 1000 t.db window "$id"
	done >>"$name.page"
	rm -f t.db
}

# never WHAT PATTERN FILE...: in no line but those of messages that are quoted
never()
{
	what=$1
	pattern=$2
	shift 2
	grep -nE "$pattern" "$@" >found
	is "$what" '' "$(head -n 5 found)"
}

for sample in genuine spurious corruption; do
	render sample-$sample "$srcdir/samples/$sample"
done
for case in "$srcdir"/tests/cases/[0-9]*; do
	mkdir in
	cp "$case"/* in
	rm -f in/expect.*
	render "case-$(basename "$case")" in
	rm -r in
done
for incident in "$srcdir"/tests/incidents/*/; do
	n=$(basename "$incident")
	render "logs-$n" "$incident/clients" "$incident/server"
	render "views-$n" "$incident/views" "$incident/clients"
	render "servers-$n" "$incident/server"
done

# The page as it is read: no markup, no script, no line of a server's.
for page in *.html; do
	sed -e '/<script>/,/<\/script>/d; /<style>/,/<\/style>/d' -e 's/<dd>/ /g; s/<[^>]*>/|/g' \
	    -e 's/||*/|/g' "$page" >"${page%.html}.words"
done
set -- ./*.page ./*.markdown ./*.words
never 'no blank before a comma' ' [,;]( |$)|[(|] ?, ' "$@"
never 'no comma twice' ', ?,|; ?;|, ?\.( |$)|; ?\.( |$)' "$@"
never 'no unknown number' '(^|[ (])\? ms|NaN|[^-]\bnull\b|\(null\)' "$@"
never 'one is one' '(^|[^f] |[(])1 (errors|windows|redirects|records|nodes|clients|observers|dumps|logs|problems|servers|inputs|bursts|requests|hours|events|migrations)\b' "$@"
never 'no word twice' '\b(for to|of of|at at|the the|to to|for for|and and|in in|by by|was was|is is)\b' "$@"
never 'a name where one belongs' '\b(view|log|by|of|from|than) (at that time|over the episode|were known|could not|was|owned)\b|\bof *[,;.]( |$)' ./*.page
never 'no empty list of slots' '(^| )slots +[,;:.]' ./*.page
never 'no empty slots in a table' '^\| [0-9]+ \| *\| ' ./*.markdown

# What the reports say of an end that was not seen, and of several incidents in one.
mkdir many
cat >many/n1.log <<'EOF'
1:M 30 Nov 2026 10:00:00.000 * Node configuration loaded, I'm aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
1:M 30 Nov 2026 10:00:01.000 * Cluster state changed: ok
EOF
sed 's/30 Nov/26 Nov/' many/n1.log >many/n2.log
"$slotrace" investigate -i x many.db many -w 1000 >many.page 2>&1
grep -q 'The evidence falls into 2 groups of time, at least 95 hours apart: 2026-11-26T10:00:00Z to 2026-11-26T10:00:01Z; 2026-11-30T10:00:00Z' many.page
ok 'incidents far apart in one timeline are told' $?
rm many.db
mkdir clusters
for c in a b; do
	for n in 1 2 3; do
		echo "$c$n$(printf %038d 0) 10.0.$n.1:6379@16379 $([ $n != 1 ] || echo myself,)master - 0 1796032800000 $n connected"
	done >clusters/$c.txt
done
"$slotrace" investigate -i x clusters.db clusters -w 1000 >clusters.page
grep -q 'The views tell of 2 clusters that share no node (first of each: a1000000, b1000000)' clusters.page
ok 'and clusters that share no node' $?
"$slotrace" investigate -i x one.db "$srcdir/samples/spurious" -w 1000 | grep -cE 'groups of time|share no node' >count
is 'one incident is one' 0 "$(cat count)"
done_testing
