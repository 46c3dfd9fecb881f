# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2016 # run.sh reads the variables; programs in other languages are quoted
# Stressors of malloc, of mappings and of fork, with their own checks of the memory.
needs='stress-ng:stress-ng'
least=10000
job() {
	"$@" stress-ng --temp-path "$PWD" --oomable --verify --malloc 2 --malloc-ops 20000 --vm 1 --vm-bytes 32m \
		--vm-ops 2000 --fork 1 --fork-ops 300 --brk 1 --brk-ops 5000 \
		--bigheap 1 --bigheap-growth 1m --bigheap-ops 200 2>&1 |
		grep -oE "fail.*|unsuccessful.*|error.*|successful run"
	echo "${PIPESTATUS[0]}"
}
