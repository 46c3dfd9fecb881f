# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced at the start of each benchmark. With --help, the benchmark prints the comment at its head and ends. usage CODE does the
# same for misuse.
usage() {
	sed -n '2,${/^#/!q;/SPDX/d;s/^# \{0,1\}//;p}' "$0"
	exit "$1"
}
case ${1-} in
-h | --help) usage 0 ;;
-*) usage 2 >&2 ;;
esac
