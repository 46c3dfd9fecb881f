# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2016 # run.sh reads the variables; programs in other languages are quoted
# A pipeline of programs, each recorded separately. xz has threads; tar uses hardly any heap memory.
needs='tar:tar xz:xz-utils zstd:zstd'
least=100
job() {
	mkdir in
	for i in $(seq 50); do seq $((i * 1000)) >"in/f$i"; done
	"$@" sh -c "tar --sort=name --mtime=@0 --owner=0 --group=0 -cf - in | tee plain.tar | xz -T2 --block-size=1MiB -1 >a.tar.xz"
	xz -dc a.tar.xz | cksum
	zstd -q -T2 plain.tar -o b.zst && zstd -dc b.zst | cksum
}
