# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of memdb in fish: memdb itself proposes the words. If it proposes none, file names are completed.
function __memdb_complete
	set -l words (commandline -opc) (commandline -ct)
	$words[1] complete $words[2..-1] 2>/dev/null
end

complete -c memdb -f -n 'count (__memdb_complete) >/dev/null' -a '(__memdb_complete)'
complete -c memdb -F -n 'not count (__memdb_complete) >/dev/null'
