#!/bin/sh
# autogen.sh - generate configure; or set everything up at once:
#
#	./autogen.sh		generate configure
#	./autogen.sh demo	install what is missing, build in build/,
#				investigate the sample incident
#	./autogen.sh check	the same, and run all tests; the last line is
#				"N passed, N failed, N skipped"
set -eu
cd "$(dirname "$0")"

# command or pkg-config module, Debian package
needs='cc gcc
make make
autoreconf autoconf
automake automake
pkg-config pkg-config
sqlite3 sqlite3
libpcre2-8 libpcre2-dev
sqlite3>=3.40 libsqlite3-dev
libpcap libpcap-dev
libarchive libarchive-dev
libxxhash libxxhash-dev'

# What tests compare with or run under; without it they skip, in CI they fail.
test_needs='check check
bzip2 bzip2
cpio cpio
lz4 lz4
xz xz-utils
zip zip
7z p7zip-full
zstd zstd
parallel parallel
slurmctld slurm-wlm
munged munge'
# Large, or on most machines anyway.
ci_needs='chromium chromium
hiredis libhiredis-dev
mandoc mandoc
redis-server redis-server
script bsdutils
tcpdump tcpdump
tshark tshark
valgrind valgrind
zsh zsh'
[ "${CI-}" != true ] || test_needs="$test_needs
$ci_needs"

have()
{
	command -v "$1" >/dev/null 2>&1 && return 0
	[ ! -x "/usr/sbin/$1" ] || return 0
	command -v pkg-config >/dev/null 2>&1 &&
	    pkg-config --exists "$(echo "$1" | sed 's/>=/ >= /')" 2>/dev/null
}

missing()
{
	echo "$needs
$1" | while read -r what package; do
		[ -z "$what" ] || have "$what" || echo "$package"
	done
}

# The packages of the list that are not there are installed, or named.
install_missing()
{
	list=$(missing "$1" | tr '\n' ' ')
	[ -n "$list" ] || return 0
	if ! command -v apt-get >/dev/null 2>&1; then
		echo "autogen.sh: please install what these are called here: $list" >&2
		echo "  Fedora, RHEL: dnf install gcc make autoconf automake" \
		    "pkgconf-pkg-config sqlite pcre2-devel sqlite-devel" \
		    "libpcap-devel libarchive-devel xxhash-devel check-devel" >&2
		echo "  macOS: brew install autoconf automake pkgconf pcre2" \
		    "sqlite libpcap libarchive xxhash check" >&2
		exit 1
	fi
	sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	echo "autogen.sh: installing $list"
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get update -q
	# The list is words on purpose.
	# shellcheck disable=SC2086
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
	    --no-install-recommends $list
}

generate()
{
	mkdir -p .aux
	autoreconf --force --install --warnings=all
}

build()
{
	generate
	mkdir -p build
	cd build
	[ -f Makefile ] || ../configure --quiet
	make -j"$(nproc 2>/dev/null || echo 2)" --quiet
	cd ..
}

demo()
{
	rm -f build/demo.db
	status=0
	build/slotrace investigate build/demo.db samples/genuine || status=$?
	[ "$status" = 0 ] || [ "$status" = 3 ] || exit "$status"
	echo
	echo "The timeline is build/demo.db; open it with: sqlite3 build/demo.db"
}

case ${1-} in
'')
	generate
	;;
demo)
	install_missing ''
	build
	demo
	;;
check)
	install_missing "$test_needs"
	build
	status=0
	make -C build check >build/check.log 2>&1 || status=$?
	sh tests/summary.sh build build/check.log "$status" || status=1
	exit "$status"
	;;
*)
	echo "usage: ./autogen.sh [demo|check]" >&2
	exit 2
	;;
esac
