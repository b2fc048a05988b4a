#!/bin/sh
# man.sh - the manual: well-formed, says every command, option, format and view
# of the program, and its examples run.
set -eu
. "$(dirname "$0")/lib.sh"
page=$srcdir/src/slotrace.1
if command -v mandoc >/dev/null 2>&1; then
	is 'mandoc finds no fault' '' "$(mandoc -Tlint -Wwarning "$page" 2>&1 || true)"
	# 80 columns: no line is wider, and no paragraph is squeezed to a word a line.
	for by in 'mandoc -Tascii -Owidth=80' 'groff -Tascii -mandoc -rLL=80n -P-cbou'; do
		command -v "${by%% *}" >/dev/null 2>&1 || continue
		$by "$page" | sed "s/.$(printf '\b')//g" >"$work/ascii"
		is "${by%% *}: fits 80 columns" '' "$(grep -E '^.{81,}' "$work/ascii" || true)"
		is "${by%% *}: no narrow column" '' "$(grep -E '^ {50,}[^ ]' "$work/ascii" || true)"
	done
else
	skip 'mandoc finds no fault' 'mandoc is not installed'
fi
cd "$work"
"$slotrace" --help >help
is 'help fits on a screen' 1 "$(($(wc -l <help) < 60))"
tr '\n' ' ' <"$page" | sed 's/\\-/-/g' >flat
for word in $(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' help); do
	grep -q "It Cm $word" "$page" && r=0 || r=1
	ok "command $word" $r
done
for word in $(sed -n 's/^  [- ][a-z ][, ] --\([a-z-]*\) .*/\1/p' help); do
	grep -q "Fl -$word" flat && r=0 || r=1
	ok "option --$word" $r
done
for pair in $(sed -n 's/^  -\([a-z]\), --\([a-z-]*\) .*/\1:\2/p' help); do
	grep -q "Fl ${pair%:*} , Fl -${pair#*:}" flat && r=0 || r=1
	ok "option -${pair%:*}" $r
done
for word in $(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' help); do
	"$slotrace" "$word" -h >short && "$slotrace" "$word" --help | cmp -s - short &&
	    grep -q "^usage: slotrace $word" short && r=0 || r=1
	ok "$word -h, $word --help" $r
done
for word in $(sed -n 's/^formats of a report: //p; s/^kinds of input: //p' help); do
	grep -qw -- "$word" "$page" && r=0 || r=1
	ok "format $word" $r
done
cat "$srcdir/sql/schema.sql" "$srcdir/tests/report/fixture.sql" | sqlite3 -bail incident.db
for view in $(sql incident.db "SELECT name FROM pragma_table_list WHERE name IN
    ('failover_error', 'window', 'error_condition', 'window_condition', 'window_observer',
    'error_evidence', 'slot_owner', 'timeline', 'connect_storm', 'input', 'summary')"); do
	grep -q "^.It Va.*\<$view\>" "$page" && r=0 || r=1
	ok "view $view" $r
done
"$slotrace" report incident.db -f json >report.json
for key in $(sqlite3 :memory: "SELECT key FROM json_each(CAST(readfile('report.json') AS TEXT))"); do
	grep -q "\<$key\>" "$page" && r=0 || r=1
	ok "member of the JSON report: $key" $r
done
is 'JSON: snake_case' '' "$(sqlite3 :memory: "SELECT DISTINCT key FROM json_tree(CAST(readfile('report.json') AS TEXT))
    WHERE typeof(key) = 'text' AND key GLOB '*[^a-z0-9_]*'")"

# The examples; the timeline is there, what investigate would read is not.
PATH=$(dirname "$slotrace"):$PATH
sed -n 's/^\.Dl \$ //p' "$page" | sed 's/\\(dq/"/g' | grep -v investigate >examples
while read -r line; do
	eval "$line" >out 2>&1 </dev/null && r=0 || r=1
	case $line in
	*' -o '*) [ -s "${line##* }" ] || r=1 ;;
	*) [ -s out ] || r=1 ;;
	esac
	ok "example: $line" $r
	[ $r = 0 ] || sed 's/^/# /' out
done <examples
is 'examples' 6 "$(wc -l <examples | tr -d ' ')"

# Completion is a script, and knows what the tables know.
if command -v bash >/dev/null 2>&1; then
	"$slotrace" completion bash >completion
	is 'bash completes formats' 'markdown' "$(bash -c '. ./completion
	    COMP_WORDS=(slotrace report -f mark) COMP_CWORD=3; _slotrace; echo "${COMPREPLY[@]}"')"
	is 'bash completes commands' 'explain' "$(bash -c '. ./completion
	    COMP_WORDS=(slotrace ex) COMP_CWORD=1; _slotrace; echo "${COMPREPLY[@]}"')"
	is 'bash completes options' '--verdict --view' "$(bash -c '. ./completion
	    COMP_WORDS=(slotrace report --v) COMP_CWORD=2; _slotrace; echo "${COMPREPLY[@]}"')"
else
	skip 'bash completion' 'bash is not installed'
fi
done_testing
