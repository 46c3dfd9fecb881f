#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tools/lint layers finds a header that a folder must not include, and a circle of headers, in a small tree of its own.
set -eu
command -v git >/dev/null || { echo "no git here" && exit 77; }
here=$(dirname "$(realpath "$0")")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

mkdir -p "$tree/tools" "$tree/preload" "$tree/access" "$tree/src/base" "$tree/src/model"
cp "$here/../../tools/lint" "$tree/tools"
cd "$tree"
git init -q
printf "foreach folder : ['base', 'model']\n" >src/meson.build
touch src/base/cursor.h src/base/err.h
echo '/* of the log */' >preload/track_format.h
echo '/* of the tracker */' >preload/stack.h

# wrong FILE INCLUDED: the lint must fail if this file includes this header, and only then.
wrong()
{
	echo "#include \"$2\"" >"$1"
	git add -A
	tools/lint layers >log && echo "$1 may include $2" && exit 1
	grep -q "^$1:1: " log || { cat log && exit 1; }
	rm "$1"
}

# right FILE INCLUDED: the lint must not fail if this file includes this header.
right()
{
	echo "#include \"$2\"" >"$1"
	git add -A
	tools/lint layers >log || { cat log && exit 1; }
	rm "$1"
}

right src/model/a.c base/err.h
wrong src/base/a.c model/page.h
right src/base/a.c track_format.h
wrong src/base/a.c stack.h
right preload/a.c stack.h
right preload/a.c base/cursor.h
wrong preload/a.c base/err.h
wrong access/a.c base/cursor.h
wrong access/a.c stack.h
echo '#include "base/y.h"' >src/base/x.h
wrong src/base/y.h base/x.h
