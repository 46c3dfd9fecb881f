# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Makes the recordings that the oracles compare. Scripts source it and set a folder $work. Each function adds the
# recordings that it made to the array `files`.

files=()

# Two shell commands to record: `busy` starts many short processes and uses CPU time, `brief` is short.
busy='i=0; while [ $i -lt 60 ]; do i=$((i+1)); /bin/true; done
	awk "BEGIN { for (i = 0; i < 2000000; i++) s += i }"'
brief='for i in 1 2 3; do /bin/true | cat; done; ls /proc/self >/dev/null; sleep 0.01'

# record NAME COMMAND PERF-ARGUMENT...: records the command into $work/NAME.
record()
{
	local out=$work/$1 command=$2

	shift 2
	if perf record -q "$@" -o "$out" -- sh -c "$command" >/dev/null 2>"$work/record.err"; then
		files+=("$out")
	else
		echo "cannot record $*: $(tail -1 "$work/record.err")"
	fi
}

# make_recordings: records with the options that memdb record passes to perf, and with options that users choose.
make_recordings()
{
	local both=(-e cpu-clock/period=200000/ -e page-faults/period=1/)
	local memory=(-d -W -g --sample-cpu -k CLOCK_MONOTONIC)

	record plain "$busy" "${both[@]}" "${memory[@]}"
	record regs "$busy" "${both[@]}" "${memory[@]}" --user-regs=ax,bx,cx,dx,si,di,bp,sp,ip --phys-data
	record stack "$busy" -e cpu-clock/period=500000/ --call-graph dwarf,1024
	record group "$busy" -e '{cpu-clock/period=500000/,page-faults/period=1/}:u' -d --sample-identifier
	record compressed "$busy" "${both[@]}" "${memory[@]}" -z
	record side "$busy" "${both[@]}" --switch-events --namespaces --all-cgroups
	record directory "$busy" "${both[@]}" "${memory[@]}" --threads
	perf record -q "${both[@]}" "${memory[@]}" -o - -- sh -c "$busy" >"$work/pipe" 2>/dev/null &&
		files+=("$work/pipe")
}

# record_events NAME EVENT... -- PERF-ARGUMENT...: records those of the events that this kernel has.
record_events()
{
	local name=$1 events=()

	shift
	while [ "${1:-}" ] && [ "$1" != -- ]; do
		[ -r "$tracing/events/${1/:/\/}/format" ] && events+=(-e "$1")
		shift
	done
	[ ${#events[@]} -eq 0 ] || record "$name" "$brief" "${events[@]}" "${@:2}"
}

# make_tracepoints: records tracepoints with many kinds of fields. Needs root.
make_tracepoints()
{
	tracing=/sys/kernel/tracing
	if ! [ -r $tracing/events/sched/sched_switch/format ] ||
		! perf record -q -e sched:sched_switch -o "$work/try" -- true >/dev/null 2>&1; then
		echo "no tracepoints: perf cannot record them here"
		return
	fi
	record_events sched sched:sched_switch sched:sched_migrate_task sched:sched_wakeup \
		sched:sched_process_fork sched:sched_process_exec sched:sched_process_exit -- -g
	record_events memory exceptions:page_fault_user migrate:mm_migrate_pages kmem:mm_page_alloc \
		kmem:kmalloc kmem:kfree kmem:rss_stat -- --sample-cpu
	record_events calls raw_syscalls:sys_enter raw_syscalls:sys_exit syscalls:sys_enter_openat \
		syscalls:sys_enter_mmap signal:signal_deliver task:task_newtask task:task_rename -- -d
	record_events kinds irq_vectors:local_timer_entry timer:hrtimer_start ipi:ipi_send_cpumask \
		writeback:writeback_dirty_inode block:block_rq_issue net:net_dev_queue \
		lock:contention_begin cgroup:cgroup_attach_task percpu:percpu_alloc_percpu tlb:tlb_flush \
		mmap:vm_unmapped_area -- -a
	record_events packed sched:sched_switch raw_syscalls:sys_enter -- -z
	perf record -q -e sched:sched_switch -e raw_syscalls:sys_enter -o - -- sh -c "$brief" \
		>"$work/tracepipe" 2>/dev/null && files+=("$work/tracepipe")
}

# make_files: writes files with pd_make.c, in which the events have each bit and each pair of bits of sample_type.
# perf cannot read pipes in the other byte order, nor compressed records in it, so these are not made.
make_files()
{
	local kind seed

	for kind in "" swap pipe compress; do
		for seed in 1 2 3; do
			"$pd_make" "$work/made-$kind-$seed" $seed $kind || exit 1
			files+=("$work/made-$kind-$seed")
		done
	done
}

# make_single STEP: writes files with a single event. It has PERF_SAMPLE_IP, which perf script needs, and one or two
# other bits. Only every STEP-th combination is written. Most events have no time, id or process.
make_single()
{
	local step=$1 high low n=0 kinds=("" swap pipe) bits

	for high in $(seq 0 24); do
		for low in $(seq 0 "$high"); do
			[ $((n++ % step)) = 0 ] || continue
			bits=$(printf %x $((1 | 1 << high | 1 << low)))
			# leaves out PERF_SAMPLE_AUX, whose data perf expects at another place in
			# the sample
			[ "$high" != 20 ] && [ "$low" != 20 ] || continue
			"$pd_make" "$work/bits-$bits" 1 "bits=$bits" ${kinds[n % 3]} || exit 1
			files+=("$work/bits-$bits")
		done
	done
}
