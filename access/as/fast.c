/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes nearly all samples of programs with checks.
 *
 * A check reports its access between two instructions of the program, where all registers are in
 * use. To save and restore the vector registers takes longer than all the rest of a sample. So this
 * file is compiled to use general registers only. It calls nothing but the vDSO and
 * maps_is_known(), which use general registers only, too. It refuses each sample that needs more: a
 * flush of the buffer, a look for new libraries, a count, a new thread. Then as/entry.S saves the
 * vector registers and calls soft_report().
 */
#ifdef __x86_64__
#include "as/report.h"
#include "as/vdso.h"
#include "maps.h"
#include "path.h"
#include "sample_record.h"
#include "soft.h"

/* Can this sample be taken here? If `busy` is set, the sampler was interrupted. thread.least is 2
 * if only samples are taken, without counts and simulated caches. */
static bool is_simple(const struct thread *t, uint64_t ip, uint64_t address, unsigned lane)
{
	return soft_enabled && t && !t->busy && !thread_stopped && t->least == 2 &&
	       soft_lane_left[lane] && soft_trusted && soft_is_own(ip) &&
	       (!soft_program.is_static || maps_is_known(address)) && vdso.gettime && vdso.getcpu;
}

/* Sets the time and the CPU of the sample. Returns false if that failed, or if the buffer must be
 * flushed because of its age. */
static bool look_at_clock(const struct thread *t, struct stream_sample *s, unsigned *cpu)
{
	struct timespec now;

	if (vdso.gettime(CLOCK_MONOTONIC, &now) || vdso.getcpu(cpu, NULL, NULL))
		return false;
	s->time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	return s->time - t->flushed <= SAMPLER_FLUSH_NS;
}

static void put_record(struct stream *s, const struct stream_sample *what, unsigned cpu)
{
	const struct perf_event_header h = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
					     (uint16_t)record_bytes(what->ncallers) };

	__builtin_memcpy(s->bytes + s->used, &h, sizeof(h));
	record_put(s->bytes + s->used + sizeof(h), s, what, cpu);
	/* a signal handler may leave the sampler here: then there is no partial record */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	s->used += h.size;
}

bool soft_report_fast(uint64_t address, uint64_t ip, unsigned what, uint64_t n, const void *frame)
{
	const unsigned lane = what >> ENTRY_LANE_SHIFT, both = what & (ACCESS_LOAD | ACCESS_STORE);
	struct thread *t = thread_self;
	uint64_t callers[STREAM_CALLERS];
	struct stream_sample s = { .event = ACCESS_EVENT_ACCESS,
				   .ip = ip,
				   .address = address,
				   .period = thread_options.period,
				   .callers = callers };
	unsigned cpu;

	if (!is_simple(t, ip, address, lane) || !look_at_clock(t, &s, &cpu))
		return false;
	s.ncallers = path_follow(t, frame, callers);
	/* an atomic update can have two samples */
	if (t->stream.used + 2 * record_bytes(s.ncallers) > STREAM_BYTES)
		return false;
	t->busy = (uintptr_t)__builtin_frame_address(0);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	soft_settle(t, lane, soft_count(both));
	for (unsigned kind = ACCESS_LOAD; kind <= ACCESS_STORE; kind++) {
		if (!(both & kind) || --t->left)
			continue;
		s.source = soft_source[kind == ACCESS_STORE];
		put_record(&t->stream, &s, cpu);
		t->left = gap_next(&t->random);
	}
	soft_trusted--;
	soft_grant(t, lane);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->busy = 0;
	return true;
}
#endif
