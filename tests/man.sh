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
# And the other way round: what the manual and the README name is an option.
for option in $(grep -o 'Fl -[a-z-]*' "$page" | sed 's/Fl //' | sort -u) \
    $(grep 'slotrace' "$srcdir/README.md" "$srcdir/samples/README.md" | grep -v 'sbatch\|parallel\|slurm' | grep -o ' --[a-z-]*' | sed 's/^ -//' | sort -u); do
	case $option in
	-help | -version | -prefix | -dependency) continue ;;	# kubectl, Slurm
	esac
	grep -q -- " -$option\>" help && r=0 || r=1
	ok "documented: -$option" $r
done
# The defaults that are stated are those of the program.
is 'default width' "$(sed -n 's/.*REPORT_WIDTH = \([0-9]*\).*/\1/p' "$srcdir"/src/report/output.h)" \
    "$(sed -n 's/^the terminal.s, or \([0-9]*\)\.$/\1/p' "$page")"
is 'default node timeout, coverage' '15000 yes' "$(sqlite3 :memory: ".read $srcdir/sql/schema.sql" "SELECT
    (SELECT value / 1000 FROM parameter WHERE name = 'node_timeout_us') || ' ' ||
    (SELECT iif(value, 'yes', 'no') FROM parameter WHERE name = 'full_coverage')")"
grep -q 'assumed (15000 ms, yes)' "$srcdir/README.md"
ok 'and the README says so' $?
for word in $(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' help); do
	"$slotrace" "$word" -h >short && "$slotrace" "$word" --help | cmp -s - short &&
	    grep -q "^usage: slotrace $word" short && r=0 || r=1
	ok "$word -h, $word --help" $r
done
for word in $(sed -n 's/^formats of a report: //p; s/^kinds of input: //p' help); do
	grep -qw -- "$word" "$page" && r=0 || r=1
	ok "format $word" $r
done
fixture incident.db
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
	# bash_completes WORD...: what is offered for the last one
	bash_completes()
	{
		bash -c '. ./completion
		    COMP_WORDS=(slotrace "$@") COMP_CWORD=$#; _slotrace; echo "${COMPREPLY[@]}"' bash "$@"
	}
	is 'bash completes formats' 'markdown' "$(bash_completes report -f mark)"
	is 'bash completes commands' 'explain' "$(bash_completes ex)"
	is 'bash completes options' '--verdict --view' "$(bash_completes report --v)"
	is 'bash completes values' 'failover_error' "$(bash_completes report incident.db --view fail)"
	is 'bash completes questions' 'stale-nodes storms' "$(bash_completes query incident.db st)"
	is 'bash completes what to explain' 'error' "$(bash_completes explain incident.db e)"
	is 'bash completes shells' 'zsh' "$(bash_completes completion z)"
	# and in a shell that is used: a tab, then the line is run
	printf 'PS1=\n. ./completion\nslotrace() { echo "got $*"; }\n' >rc
	printf 'slotrace repo\t-f mark\t incident.d\t\nexit\n' |
	    script -qec 'bash --noprofile --rcfile rc -i' /dev/null >typed 2>&1 || true
	grep -q 'got report -f markdown incident.db' typed && r=0 || r=1
	ok 'bash completes on a terminal' $r
	[ $r = 0 ] || sed 's/^/# /' typed
else
	skip 'bash completion' 'bash is not installed'
fi
if command -v zsh >/dev/null 2>&1; then
	mkdir functions
	"$slotrace" completion zsh >functions/_slotrace
	cat >zshrc <<'EOF'
unset zle_bracketed_paste
PS1= RPS1= PROMPT_EOL_MARK=
fpath=($PWD/functions $fpath)
autoload -Uz compinit
compinit -u -d $PWD/zcompdump
slotrace() { print -r -- "got $*" }
EOF
	# Each line is typed, completed where there is a tab, and run.
	cat >typist <<'EOF'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z '. ./zshrc; print re''ady'
zpty -r z line '*ready*'
while IFS= read -r line; do
	zpty -w -n z "${(g::)line}"
	sleep 0.5
	zpty -w -n z $'\n'
	zpty -r -m z line $'*got *\n*'
	print -r -- "$line"
done
zpty -d z
EOF
	# zsh_completes TYPED EXPECTED
	zsh_completes()
	{
		printf '%s\n' "$1" | timeout 60 zsh -f typist >typed 2>&1 || true
		grep -q "got $2 *\(.\)*\$" typed && r=0 || r=1
		ok "zsh completes: $1" $r
		[ $r = 0 ] || sed 's/^/# /' typed
	}
	zsh_completes 'slotrace expl\t' explain
	zsh_completes 'slotrace report -f mark\t' 'report -f markdown'
	zsh_completes 'slotrace report --form\tndj\t' 'report --format=ndjson'
	zsh_completes 'slotrace report --verdict gen\t incident.d\t' 'report --verdict genuine incident.db'
	zsh_completes 'slotrace query incident.db sig\t' 'query incident.db signal'
	zsh_completes 'slotrace explain incident.db win\t' 'explain incident.db window'
	zsh_completes 'slotrace completion b\t' 'completion bash'
	zsh_completes 'slotrace ingest --as top\t' 'ingest --as topology-dump'
else
	skip 'zsh completion' 'zsh is not installed'
fi
done_testing
