# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Completion of memdb in bash: memdb itself proposes the words. If it proposes none, file names are completed.
_memdb()
{
	mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
	if [ ${#COMPREPLY[@]} = 0 ]; then
		mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
	elif [[ ${COMPREPLY[0]} == *= ]]; then
		compopt -o nospace 2>/dev/null
	fi
}
complete -F _memdb memdb
