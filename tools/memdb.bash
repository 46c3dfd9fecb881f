# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Completion of memdb in bash: memdb itself proposes the words. If it proposes none, file names are completed.
_memdb()
{
	local words=() word typed before

	# bash splits words at colons: "a::b" is three. They are joined here, and bash gets back what is after the last colon.
	for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
		if [ ${#words[@]} -gt 0 ] && [[ $word == :* || ${words[-1]} == *: ]]; then
			words[-1]+=$word
		else
			words+=("$word")
		fi
	done
	# The word being typed may begin with a quote, or have quoted characters. memdb gets what the shell would pass.
	typed=${words[-1]-}
	before=${typed%"${typed##*:}"}
	if [[ $typed == [\"\']* ]]; then
		words[-1]=${typed:1}
	else
		words[-1]=${typed//\\/}
	fi
	mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)
	# Unless the user has begun to quote, names with blanks and other characters of the shell are quoted here.
	if [[ $typed != [\"\']* ]]; then
		for word in "${!COMPREPLY[@]}"; do
			[[ ${COMPREPLY[word]} == *= ]] || printf -v "COMPREPLY[word]" %q "${COMPREPLY[word]}"
			COMPREPLY[word]=${COMPREPLY[word]#"$before"}
		done
	fi
	if [ ${#COMPREPLY[@]} = 0 ]; then
		mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
	elif [[ ${COMPREPLY[0]} == *= ]]; then
		compopt -o nospace 2>/dev/null
	fi
}
complete -F _memdb memdb
