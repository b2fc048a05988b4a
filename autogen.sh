#!/bin/sh
# autogen.sh - generate configure.
set -eu
cd "$(dirname "$0")"
mkdir -p .aux
autoreconf --force --install --warnings=all
