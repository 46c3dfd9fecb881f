# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Completion of memdb in bash: commands, options, queries, parameters and their values. memdb itself lists them.
_memdb()
{
	local memdb=${COMP_WORDS[0]} command=${COMP_WORDS[1]-} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=

	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		words=$("$memdb" help 2>/dev/null | awk '/^  [a-z]/ { print $1 }')
	elif [[ $word == -* ]]; then
		words=$("$memdb" "$command" --help 2>/dev/null | grep -oE -- '^ +(-[a-zA-Z], +)?--[a-z-]+' | grep -oE -- '--[a-z-]+')
	elif [ "$before" = --format ] || [ "$before" = -f ]; then
		words='table csv tsv json markdown'
	elif [ "$before" = --to ]; then
		words='collapsed speedscope csv'
	elif [ "$before" = --by ]; then
		words='wait object'
	elif [ "$command" = query ] && [ "$COMP_CWORD" = 2 ]; then
		words=$("$memdb" query 2>/dev/null | awk '{ print $1 }')
	elif [ "$command" = query ] && [ "$before" != = ]; then
		words=$("$memdb" query --describe "${COMP_WORDS[2]}" 2>/dev/null | grep -oE '\[[a-z_]+=' | tr -d '[')
		[ "$words" ] && compopt -o nospace 2>/dev/null
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	[ ${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -F _memdb memdb
