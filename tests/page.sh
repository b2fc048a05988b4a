#!/bin/sh
# page.sh - the HTML report in a real browser: it fits a desk and a telephone,
# loads nothing, says nothing on the console, shows every window and error, in
# light, in dark, on paper and without scripts, and 10,000 errors are folded.
set -eu
. "$(dirname "$0")/lib.sh"
cd "$work"

# Three pages: hostile text, an incident as it was recorded, and many errors.
fixture hostile.db
"$slotrace" investigate --quiet real.db "$srcdir/samples/genuine" >/dev/null
cp hostile.db many.db
sqlite3 -bail many.db <<'SQL'
CREATE TEMP TABLE old AS SELECT * FROM failover_error;
DELETE FROM failover_error;
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
INSERT INTO failover_error
SELECT i + 1, o.at + i * 1000, strftime('%Y-%m-%dT%H:%M:%S', (o.at + i * 1000) / 1000000, 'unixepoch') || printf('.%06dZ', (o.at + i * 1000) % 1000000),
	'clients/host-' || (i % 12) || '/app', library, error_class, message || ' ' || i, (slot + i) % 16384, chain, redirects, verdict, leans, rule, fault,
	confidence, reason, window_id, claimant_id, claimant_addr, claimant_epoch, claimant_reachable, views, views_disagreeing, divergence_ms,
	backoff_ms, backoff_sufficient, gate, gate_retry_at, gate_retry_at_utc, missing, inferred, 'incident/clients/host-' || (i % 12) || '/app.log.gz', i + 1, incident
FROM n JOIN old o ON o.error_id = i % 4 + 1;
INSERT INTO error_evidence
SELECT e.error_id, v.role, v.at, v.at_utc, v.source, v.position, v.text, v.incident FROM failover_error e, error_evidence v WHERE v.error_id = 1 AND e.error_id > 1;
UPDATE summary SET errors = 10000;
-- Words that no line can be broken at: a list of slots, a path, a value.
UPDATE window SET slots = (SELECT group_concat(key * 2, ',') FROM json_each('[' || rtrim(replace(hex(zeroblob(150)), '00', '0,'), ',') || ']')) WHERE window_id = 1;
INSERT INTO input SELECT hex(zeroblob(150)), kind, status, bytes, records, problems, first_at_utc, last_at_utc, clock_offset_ms, clock_basis, incident FROM input LIMIT 1;
UPDATE connect_storm SET endpoint = hex(zeroblob(100));
SQL
for name in hostile real many; do
	"$slotrace" report $name.db -f html >$name.html
done
is 'many: every error is in the page' 10000 "$(grep -c '^<li id=E-' many.html)"
for name in hostile real many; do
	is "$name: each error under its own name" '' "$(grep -o '<li id=E-[0-9a-f]*' $name.html | sort | uniq -d | head -n 3)"
done
size=$(wc -c <many.html)
[ "$size" -lt 800000 ] && r=0 || r=1
ok "many: the page stays below 800 kB ($((size / 1024)) KiB)" $r

if ! command -v chromium >/dev/null 2>&1; then
	skip 'browser' 'chromium is not installed'
	done_testing
	exit
fi

browser()
{
	timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
	    --disable-background-networking --disable-component-update --disable-sync \
	    --user-data-dir="$work/profile" --enable-logging=stderr "$@" 2>console || true
}

# look PAGE WIDTH EXPRESSION OPTION...: what the expression gives inside the
# page, in a frame of that width (a window of the browser has a least one).
look()
{
	html=$1 width=$2 expression=$3
	shift 3
	{
		sed '/<\/body>/,$d' "$html"
		printf '<script>addEventListener("load", function () { parent.postMessage(String(%s), "*"); });</script>' "$expression"
		echo '</body></html>'
	} >page.html
	cat >frame.html <<-FRAME
	<!doctype html><title></title><script>addEventListener('message', function (e) { document.title = e.data; });</script>
	<iframe src="page.html" style="border:0;width:${width}px;height:900px"></iframe>
	FRAME
	browser --window-size=1400,1000 --virtual-time-budget=5000 "$@" --dump-dom "file://$work/frame.html" >dom
	sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p' dom | head -n 1
}

# What is there, and whether it fits: wider than the frame, it would scroll.
there="[innerWidth, document.documentElement.scrollWidth <= innerWidth,
document.querySelectorAll('tr[id^=window-]').length, document.querySelectorAll('li[id^=E-]').length,
document.querySelectorAll('.lane svg').length, performance.getEntriesByType('resource').length,
document.documentElement.classList.contains('js')].join(' ')"
for name in hostile real many; do
	windows=$(sql $name.db "SELECT count(*) FROM window WHERE cause <> 'migration'")
	errors=$(sql $name.db 'SELECT count(*) FROM failover_error')
	lanes=$(($(sql $name.db "SELECT count(*) FROM node_address") +
	    $(sql $name.db 'SELECT count(DISTINCT client) FROM failover_error')))
	for width in 1280 390; do
		is "$name, $width wide: fits, $windows windows, $errors errors, $lanes lanes, nothing loaded, script ran" \
		    "$width true $windows $errors $lanes 0 true" "$(look $name.html $width "$there")"
		is "$name, $width wide: no console message" '' "$(grep CONSOLE console || true)"
	done
done
printf '<!doctype html><title></title>\n<script>console.error("x")</script>\n</body>\n' >control.html
look control.html 1280 1 >/dev/null
is 'a console message would be seen' 1 "$(grep -c CONSOLE console || true)"

# Folded: some screens, although every error has its line.
height=$(look many.html 1280 'document.documentElement.scrollHeight')
[ "${height:-99999}" -lt 12000 ] && r=0 || r=1
ok "many: folded to a few screens ($height pixels)" $r

# An error's link unfolds the group that it is in.
first=$(sed -n 's/^<li id=\(E-[0-9a-f]*\)>.*/\1/p' many.html | sed -n 5000p)
is 'a link to an error unfolds its group' true "$(look many.html 1280 \
    "(location.hash = '$first', dispatchEvent(new Event('hashchange')), document.getElementById('$first').checkVisibility())")"
why=$(sed -n 's/.*<a href="#\(E-[0-9a-f]*\)">why.*/\1/p' real.html | head -n 1)
is 'why, of the first: its group opens, the reason on top' 'true true' "$(look real.html 1280 \
    "(location.hash = '$why', dispatchEvent(new Event('hashchange')), (function (g) { var r = g.getBoundingClientRect();
	return g.open + ' ' + (r.top >= -1 && r.top < innerHeight); })(document.getElementById('$why').closest('details')))")"
is 'filter: what does not match is hidden' '0 true' "$(look hostile.html 1280 "(function () {
	var f = document.querySelector('#filter');
	f.value = 'address-alias 9000'; f.dispatchEvent(new Event('input'));
	var g = Array.from(document.querySelectorAll('.group')).filter(function (e) { return !e.hidden; });
	return g.filter(function (e) { return !e.classList.contains('corruption'); }).length + ' ' + (g.length > 0);
})()")"
is 'zoom: the axis follows' true "$(look real.html 1280 "(function () {
	var a = document.querySelectorAll('.axis span'), before = a[0].textContent;
	document.querySelector('button[data-zoom=\"0.5\"]').click();
	return before < a[0].textContent;
})()")"

# Light and dark: dark text on light, and the other way round; legible in both.
contrast="(function () {
	function lum(c) { return c.match(/[0-9.]+/g).slice(0, 3).map(function (v) {
		v /= 255; return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
	}).reduce(function (s, v, i) { return s + v * [0.2126, 0.7152, 0.0722][i]; }, 0); }
	var page = getComputedStyle(document.body), bg = lum(page.backgroundColor), least = 21;
	document.querySelectorAll('p, li, td, th, dt, .verdict, a').forEach(function (e) {
		var fg = lum(getComputedStyle(e).color);
		least = Math.min(least, (Math.max(fg, bg) + 0.05) / (Math.min(fg, bg) + 0.05));
	});
	return (bg > 0.5 ? 'light' : 'dark') + ' ' + (least >= 3.5 ? 'legible' : least);
})()"
is 'light' 'light legible' "$(look hostile.html 1280 "$contrast" --blink-settings=preferredColorScheme=1)"
is 'dark' 'dark legible' "$(look hostile.html 1280 "$contrast" --blink-settings=preferredColorScheme=0)"

# On paper: no tools, and what is folded is printed.  The rules for print are
# made to hold on the screen, where they can be measured.
sed 's/@media print{/@media all{/' hostile.html >print.html
open="[getComputedStyle(document.querySelector('nav')).display, getComputedStyle(document.querySelector('.tools')).display,
Array.from(document.querySelectorAll('details')).every(function (d) { return d.querySelector('dl').checkVisibility(); })].join(' ')"
is 'print: no tools, everything unfolded' 'none none true' "$(look print.html 1280 "$open")"
is 'screen: the tools, everything folded' 'flex flex false' "$(look hostile.html 1280 "$open")"
sed 's/@media print{/@media all{/' real.html >print.html
is 'print: no wider than a sheet' true "$(look print.html 750 'document.documentElement.scrollWidth <= innerWidth')"
browser --print-to-pdf="$work/page.pdf" "file://$work/hostile.html"
is 'print: a PDF' '%PDF' "$(head -c 4 page.pdf 2>/dev/null)"

# Without its script everything but the tools is there, and unfolds.
sed '/^<script>/,/^<\/script>/d' real.html >bare.html
is 'without scripts: no tools, all errors, groups that open' "none $(sql real.db 'SELECT count(*) FROM failover_error') true" \
    "$(look bare.html 1280 "[getComputedStyle(document.querySelector('.tools')).display, document.querySelectorAll('li[id^=E-]').length,
	Array.from(document.querySelectorAll('details')).every(function (d) { d.open = true; return d.querySelector('dl').checkVisibility(); })].join(' ')")"

# What a page asked the network for; the browser's own requests have no origin.
requests()
{
	rm -f net.json
	browser --log-net-log="$work/net.json" --net-log-capture-mode=Everything --virtual-time-budget=3000 \
	    --dump-dom "file://$work/$1" >dom
	grep '"initiator":' net.json | grep -v '"initiator":"not an origin"' |
	    grep -oE '"url":"(https?|wss?|ftp)://[^"]*"' | sort -u || true
}
echo '<!doctype html><title></title><img src="http://127.0.0.1:9/a.png">' >control.html
is 'network: a request of a page would be seen' '"url":"http://127.0.0.1:9/a.png"' "$(requests control.html)"
is 'network: no request' '' "$(requests hostile.html)"
done_testing
