# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Completion of memdb in bash: memdb itself proposes the words. If it proposes none, file names are completed.
_memdb()
{
	local words=() word typed before

	# bash splits words at colons ("a::b" becomes three). They are joined for memdb; bash wants back only what
	# follows the last colon.
	for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
		if [ ${#words[@]} -gt 0 ] && [[ $word == :* || ${words[-1]} == *: ]]; then
			words[-1]+=$word
		else
			words+=("$word")
		fi
	done
	# The word that is being typed may begin with a quote or contain escaped characters. memdb gets it without
	# them.
	typed=${words[-1]-}
	before=${typed%"${typed##*:}"}
	if [[ $typed == [\"\']* ]]; then
		words[-1]=${typed:1}
	else
		words[-1]=${typed//\\/}
	fi
	mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)
	# Names with blanks and other special characters are quoted here, unless the user has begun to quote.
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
