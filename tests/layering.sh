#!/bin/sh
# layering.sh - dependencies point down only: one foreign library a file, and
# decoders see neither the database nor the file system.
set -u
. "$(dirname "$0")/lib.sh"
cd "$srcdir/src"

# only HEADER FILE...: no other file includes it
only()
{
	header=$1
	shift
	found=$(grep -rlE "^#include <$header>" --include='*.[ch]' . |
	    sed 's|^\./||' | LC_ALL=C sort | grep -vxE "$(echo "$*" | tr ' ' '|')" |
	    tr '\n' ' ' || true)
	is "$header only in $*" '' "$found"
}

only archive.h 'base/input\.c'
only archive_entry.h 'base/input\.c'
only pcap.h 'format/capture\.c'
only pcap/pcap.h 'format/capture\.c'
only pcre2.h 'text/rx\.c'
only sqlite3.h 'store/.*' 'text/json\.c'

# folder PATTERN WHAT: nothing in the folder matches
free_of()
{
	found=$(grep -rnE "$2" --include='*.[ch]' "$1" || true)
	is "$1 is free of $3" '' "$found"
}

for folder in base model text wire format; do
	free_of $folder '^#include "(store|report|cmd)/' 'the store and what is above it'
done
for folder in model text wire format; do
	free_of $folder '\<(fopen|open|openat|opendir|mkstemp) ?\(' 'opening files'
done
free_of base '^#include "(model|text|wire|format)/' 'what is above it'
free_of model '^#include "(text|wire|format)/' 'what is above it'
free_of store '^#include "(report|cmd)/' 'what is above it'
free_of report '^#include "cmd/' 'the commands'
done_testing
