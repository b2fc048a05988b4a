#!/bin/sh
# embed.sh - SQL files in, one C source with their bytes out.
#
# embed.sh SRCDIR FILE... writes the array sql_files[] of store/script.h, in the
# order given.  od and sed make plain numbers of the bytes, so there is no
# quoting and no limit on the length of a string literal.
set -eu
LC_ALL=C
export LC_ALL
srcdir=$1
shift

echo '/* Made by sql/embed.sh; do not edit. */'
echo '#include "store/script.h"'
n=0
for file in "$@"; do
	n=$((n + 1))
	echo "static const unsigned char bytes_${n}[] = {"
	od -An -v -tu1 "$srcdir/$file" | sed 's/  *\([0-9][0-9]*\)/\1,/g'
	echo '0 };'
done
echo 'const struct sql_file sql_files[] = {'
n=0
for file in "$@"; do
	n=$((n + 1))
	echo "	{ \"$file\", (const char *)bytes_$n, sizeof bytes_$n - 1 },"
done
echo '	{ 0, 0, 0 }'
echo '};'
