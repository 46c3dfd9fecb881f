#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# forms.sh SOURCE FOLDER: builds SOURCE with debug information in every form that the available compilers and tools
# can write. Stores the programs in FOLDER. The file `list` names one program per line, and missing tools as "# …".
set -eu
exec </dev/null
source=$(realpath "$1")
mkdir -p "$2"
cd "$2"
rm -rf ./*
flags="-D_GNU_SOURCE -O2 -g -fPIE -pie -Wno-unused-function"

has()
{
	command -v "$1" >/dev/null && return 0
	echo "# no $1" >>list
	return 1
}

# build NAME COMPILER FLAG...: builds one program. If the compiler does not know a flag, it returns false and adds
# nothing to the list. The parts of split DWARF go to NAME.d.
build()
{
	name=$1
	shift
	mkdir -p "$name.d"
	# shellcheck disable=SC2086 # several flags
	if (cd "$name.d" && "$@" $flags -o "../$name" "$source") >"$name.log" 2>&1; then
		echo "$name" >>list
	else
		echo "# cannot make $name: $(head -n 1 "$name.log")" >>list
		rm -f "$name"
		return 1
	fi
}

echo "# programs" >list
for cc in gcc clang; do
	has $cc || continue
	for version in 4 5; do
		build $cc-$version $cc -gdwarf-$version || continue
		[ $version = 4 ] || build $cc-types $cc -fdebug-types-section || :
		build $cc-$version-split $cc -gdwarf-$version -gsplit-dwarf || :
	done
	build $cc-lto $cc -flto || :
	build $cc-zlib $cc -gz=zlib || :
done

if has objcopy && [ -f gcc-5 ]; then
	for kind in zlib-gnu zstd; do
		if objcopy --compress-debug-sections=$kind gcc-5 gcc-$kind 2>/dev/null; then
			echo gcc-$kind >>list
		else
			echo "# objcopy knows no $kind" >>list
		fi
	done
fi

# dwz moves DWARF units that are in several files into one file (.gnu_debugaltlink), or merges units within a file.
if has dwz; then
	for cc in gcc clang; do
		[ -f $cc-5 ] || continue
		cp $cc-5 $cc-dwz
		cp $cc-5 $cc-dwz-shared
		cp $cc-5 $cc-dwz-other
		dwz $cc-dwz 2>/dev/null && echo $cc-dwz >>list
		dwz -m $cc-common.dwz $cc-dwz-shared $cc-dwz-other 2>/dev/null && echo $cc-dwz-shared >>list
	done
fi

# Separate debug information: in a file next to the program, and in the folder .debug.
if has eu-strip && [ -f gcc-5 ]; then
	eu-strip -g -f eu-beside.debug -o eu-beside gcc-5 && echo eu-beside >>list
	mkdir -p .debug
	eu-strip -g -f .debug/eu-below.debug -o eu-below gcc-5 && echo eu-below >>list
fi

# A program with split DWARF whose .dwo files do not exist.
if [ -f gcc-5-split ]; then
	sed 's/gcc-5-split[.]d/gcc-5-split.X/g' gcc-5-split >lost
fi
