#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# completion.sh MEMDB: tests that the completion of bash uses memdb's own lists.
set -u
memdb=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$here/../../tools/memdb.bash"
failed=0

# completes WORDS... EXPECTED: checks the completions of the last of the words.
completes()
{
	local expected=${*: -1} got

	COMP_WORDS=("$memdb" "${@:1:$#-1}")
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_memdb
	got=${COMPREPLY[*]-}
	[ "$got" = "$expected" ] || { echo "FAIL: ${*:1:$#-1}: '$got', not '$expected'"; failed=1; }
}

completes que query
completes ex export
completes query --form --format
completes query --format mark markdown
completes query object_no ''
completes query access_ access_matrix
completes query costs ki kind=
completes export --to s speedscope
completes report --obj --object
for query in $("$memdb" query | awk '{ print $1 }'); do
	COMP_WORDS=("$memdb" query "$query") COMP_CWORD=2
	_memdb
	[[ " ${COMPREPLY[*]} " == *" $query "* ]] || { echo "FAIL: query $query is not completed"; failed=1; }
done
[ $failed = 0 ] && echo "all good"
exit $failed
