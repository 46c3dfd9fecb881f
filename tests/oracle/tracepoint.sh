#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The oracle of tracepoints: every field of every sample, as `perf script` gives it to a Python
# script and as memdb imports it. Any difference fails.
#
#   tracepoint.sh MEMDB           records a small command in several ways and compares those
#   tracepoint.sh MEMDB FILE...   compares these files
set -u
memdb=$1
shift
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TRACEPOINTS=$work/rows

skip() { echo "skipped: $*"; exit 77; }
command -v perf >/dev/null || skip "perf is not installed"
command -v sqlite3 >/dev/null || skip "there is no sqlite3 shell"
perf version --build-options 2>/dev/null | grep -q 'libpython: \[ on' || skip "perf has no Python"

compare() {
	"$memdb" import -o "$work/run.db" "$1" >/dev/null 2>"$work/err" || { echo "FAIL $1: $(cat "$work/err")"; return 1; }
	sqlite3 -batch -separator $'\t' "$work/run.db" \
		"SELECT time, name, fields FROM tracepoints WHERE fields IS NOT NULL" >"$TRACEPOINTS"
	missing=$(sqlite3 -batch "$work/run.db" "SELECT count(*) FROM tracepoints WHERE fields IS NULL")
	perf script -i "$1" -s "$here/tracepoint.py" >"$work/out" 2>"$work/err"
	echo "$(basename "$1"): $(tail -1 "$work/out"), $missing not decoded"
	if ! grep -q '^tracepoints: [1-9][0-9]* same, 0 differ, 0 only' "$work/out" || [ "$missing" != 0 ]; then
		head -c 4000 "$work/out"
		tail -3 "$work/err"
		return 1
	fi
}

command='for i in 1 2 3; do /bin/true | cat; done; ls /proc/self >/dev/null; sleep 0.01'

record() {
	local out=$work/$1 events=()
	shift
	while [ "${1:-}" ] && [ "$1" != -- ]; do
		[ -r "$tracing/events/${1/:/\/}/format" ] && events+=(-e "$1")
		shift
	done
	[ ${#events[@]} -gt 0 ] || return
	perf record -q "${events[@]}" "${@:2}" -o "$out" -- sh -c "$command" >/dev/null 2>"$work/record.err" &&
		files+=("$out")
}

files=("$@")
if [ $# = 0 ]; then
	tracing=/sys/kernel/tracing
	[ -r $tracing/events/sched/sched_switch/format ] || skip "tracefs cannot be read: it takes root"
	perf record -q -e sched:sched_switch -o "$work/try" -- true >/dev/null 2>&1 || skip "perf cannot record tracepoints here"
	record sched sched:sched_switch sched:sched_migrate_task sched:sched_wakeup sched:sched_process_fork \
		sched:sched_process_exec sched:sched_process_exit -- -g
	record memory exceptions:page_fault_user migrate:mm_migrate_pages kmem:mm_page_alloc kmem:kmalloc \
		kmem:kfree kmem:rss_stat -- --sample-cpu
	record calls raw_syscalls:sys_enter raw_syscalls:sys_exit syscalls:sys_enter_openat syscalls:sys_enter_mmap \
		signal:signal_deliver task:task_newtask task:task_rename -- -d
	record kinds irq_vectors:local_timer_entry timer:hrtimer_start ipi:ipi_send_cpumask writeback:writeback_dirty_inode \
		block:block_rq_issue net:net_dev_queue lock:contention_begin cgroup:cgroup_attach_task \
		percpu:percpu_alloc_percpu tlb:tlb_flush mmap:vm_unmapped_area -- -a
	record compressed sched:sched_switch raw_syscalls:sys_enter -- -z
	perf record -q -e sched:sched_switch -e raw_syscalls:sys_enter -o - -- sh -c "$command" >"$work/pipe" 2>/dev/null &&
		files+=("$work/pipe")
fi
failed=0
for f in "${files[@]}"; do
	compare "$f" || failed=1
done
exit $failed
