# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2016 # run.sh reads the variables; programs in other languages are quoted
# Many short processes and threads: commit, clone, repack, blame, log.
needs='git:git'
least=10000
job() {
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_DATE='1700000000 +0000'
	export GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b
	export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
	cat >work.sh <<-'SCRIPT'
		set -e
		git init -q -b main one
		cd one
		for i in $(seq 20); do
			seq $i $((i + 3000)) >numbers
			seq $((i * 10)) >"file$i"
			git add .
			git commit -q -m "number $i"
		done
		git repack -adq --threads=2
		git fsck --no-progress
		cd ..
		git clone -q one two
		cd two
		git log --stat --format='%H %s' | cksum
		git blame -s numbers | cksum
		git grep -c 99 | wc -l
	SCRIPT
	"$@" bash work.sh
}
