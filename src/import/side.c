/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Applies to the model perf's records that are not samples: mappings, symbols of generated kernel
 * code, names of threads, forks and exits.
 *
 * One record may concern several parts of the model, which must be changed in the right order. At a
 * fork the process comes first, then the blocks, policies and homes that the child inherits. At an
 * exit the blocks end before the homes of their pages are removed.
 */
#include "import/side.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "access_format.h"
#include "import/borrowed.h"
#include "import/pipeline.h"
#include "model/reported_stacks.h"

/* Handles a mapping record with which the sampler exact or soft reports a thread's stack and thread
 * pointer (access/access_format.h). */
static void on_stack(struct import *im, const struct pd_side *s, uint64_t time)
{
	const char *number = s->map.path + strlen(ACCESS_STACK_BEGIN);
	const uint32_t tid = (uint32_t)strtoul(number, NULL, 10);
	const struct stack_thread_report report = {
		.thread = space_thread_of(&im->model.space, s->map.pid, tid, time),
		.pointer = s->map.pgoff,
		.low = s->map.start,
		.high = s->map.start + s->map.len,
	};

	stack_report(&im->model.space, &report, time);
}

/* Handles a mapping record with which the sampler exact reports that a signal has ended a process
 * (access/access_format.h). */
static void on_killed(struct import *im, const struct pd_side *s, uint64_t time)
{
	const char *number = s->map.path + strlen(ACCESS_KILLED_BEGIN);
	const uint32_t process = space_process_of(&im->model.space, s->map.pid, false, time);

	if (process)
		images_killed(im, process, (int)strtoul(number, NULL, 10));
}

/* Adds a mapping, unless the record reports a thread's stack (on_stack()), a signal (on_killed())
 * or a tid (images_shown()). Ignores a record whose range wraps around the address space, because
 * it is damaged. */
static void on_map(struct import *im, const struct pd_side *s, uint64_t time)
{
	struct sym_build_id id = { .size = s->map.build_id_size };
	struct mapping m = {
		.start = s->map.start,
		.end = s->map.start + s->map.len,
		.pgoff = s->map.pgoff,
		.prot = s->map.prot,
		.flags = s->map.flags,
		.has_prot = s->map.has_prot,
		.executable = s->map.has_prot ? s->map.prot & PROT_EXEC : !s->map.is_data,
	};

	uint32_t process;

	if (m.end < m.start)
		return;
	if (!strncmp(s->map.path, ACCESS_STACK_BEGIN, strlen(ACCESS_STACK_BEGIN))) {
		on_stack(im, s, time);
		return;
	}
	if (!strncmp(s->map.path, ACCESS_KILLED_BEGIN, strlen(ACCESS_KILLED_BEGIN))) {
		on_killed(im, s, time);
		return;
	}
	process = space_process_of(&im->model.space, s->map.pid, false, time);
	if (process && images_shown(im, process, s))
		return;
	memcpy(id.bytes, s->map.build_id, sizeof(id.bytes));
	if (m.has_prot && (m.flags & MAP_TYPE) != MAP_PRIVATE && s->map.len <= INT64_MAX &&
	    m.pgoff <= INT64_MAX - s->map.len) /* otherwise the record is damaged */
		m.file = shared_file(&im->model.shared,
				     &(struct shared_file){ .inode = s->map.ino,
							    .generation = s->map.ino_generation,
							    .major = s->map.maj,
							    .minor = s->map.min },
				     s->map.path);
	m.dso = code_dso(&im->model.code, s->map.path, id.size ? &id : NULL);
	space_map(&im->model.space, s->map.pid, &m, time);
	process = space_process_of(&im->model.space, s->map.pid, false, time);
	if (process)
		images_map(im, process, s->map.path, m.start, m.pgoff, m.executable);
}

/* Adds or removes code that the kernel generated, such as a BPF program. */
static void on_ksymbol(struct import *im, const struct pd_side *s, uint64_t time)
{
	const struct kernel_code k = { .start = s->ksymbol.addr,
				       .size = s->ksymbol.len,
				       .name = s->ksymbol.name,
				       .gone = s->ksymbol.unregister };

	space_ksymbol(&im->model.space, &k, time);
}

static void on_comm(struct import *im, const struct pd_side *s, uint64_t time)
{
	if (s->comm.exec) {
		uint32_t process = space_process_of(&im->model.space, s->comm.pid, false, time);

		im->model.program_began |= s->comm.pid == im->in.recording.pid;
		if (process) {
			images_end(im, process, false);
			objects_end_process(&im->model.objects, process, time, BLOCK_PROCESS_END);
			borrowed_exec(im, process, time);
			homes_end(&im->model.homes, process, true);
			policies_unmap(&im->model.policies, process, 0, UINT64_MAX);
		}
	}
	space_comm(&im->model.space, s->comm.pid, s->comm.tid, s->comm.comm, s->comm.exec, time);
}

static void on_task_fork(struct import *im, const struct pd_side *s, uint64_t time)
{
	struct task_fork f = {
		.pid = s->task.pid,
		.ppid = s->task.ppid,
		.tid = s->task.tid,
		.ptid = s->task.ptid,
		.inherits = !(s->misc & PERF_RECORD_MISC_FORK_EXEC),
	};
	uint32_t child = space_fork(&im->model.space, &f, time);

	if (child) {
		images_fork(im, space_process(&im->model.space, child)->parent, child);
		objects_fork(&im->model.objects, space_process(&im->model.space, child)->parent,
			     child);
		policies_new_process(&im->model.policies,
				     space_process(&im->model.space, child)->parent, child);
		homes_fork(&im->model.homes, space_process(&im->model.space, child)->parent, child,
			   time);
	}
	if (f.inherits)
		stack_inherit(&im->model.space,
			      space_thread_of(&im->model.space, f.ppid, f.ptid, time),
			      space_thread_of(&im->model.space, f.pid, f.tid, time));
	if (f.inherits && (im->model.policies.threads.n || im->model.affinities.threads.n)) {
		uint32_t creator = space_thread_of(&im->model.space, f.ppid, f.ptid, time);
		uint32_t thread = space_thread_of(&im->model.space, f.pid, f.tid, time);

		policies_new_thread(&im->model.policies, creator, thread);
		affinities_fork(&im->model.affinities, creator, thread);
	}
}

/* Ends a thread. If it is the last thread of its process, the blocks and pages of the process
 * end too. */
static void on_task_exit(struct import *im, const struct pd_side *s, uint64_t time)
{
	uint32_t process = space_exit(&im->model.space, s->task.pid, s->task.tid, time);

	im->out.perf_saw_end |= im->in.reading == im->in.perf && s->task.tid == s->task.pid &&
				s->task.pid == im->in.recording.pid;
	if (process) {
		objects_end_process(&im->model.objects, process, time, BLOCK_PROCESS_END);
		homes_end(&im->model.homes, process, false);
	}
}

/* Skips records of unknown types, which pd_side() has counted. */
void import_side(struct import *im, const struct pd_raw *rec, uint64_t time)
{
	struct pd_side s;

	if (pd_side(im->in.reading, rec, &s) <= 0)
		return;
	switch (s.kind) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		on_map(im, &s, time);
		break;
	case PERF_RECORD_KSYMBOL:
		on_ksymbol(im, &s, time);
		break;
	case PERF_RECORD_COMM:
		on_comm(im, &s, time);
		break;
	case PERF_RECORD_FORK:
		on_task_fork(im, &s, time);
		break;
	case PERF_RECORD_EXIT:
		on_task_exit(im, &s, time);
		break;
	}
}
