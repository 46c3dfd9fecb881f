/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plugin for QEMU's user-mode emulation (qemu-x86_64). The plugin sees every access of an
 * unmodified binary. Each memory operand of an executed instruction is one access, even if the
 * emulator accesses it in parts. A gather makes one access for each element, and an instruction
 * with `rep` at least one for each step. An atomic update is a load and a store. push, pop, call
 * and return make accesses; prefetches do not. Accesses of the kernel in system calls are not seen.
 */
#include <asm/prctl.h>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "append.h"
#include "exec.h"
#include "maps.h"
#include "options.h"
#include "pages.h"
#include "plugin.h"
#include "sampler.h"
#include "watch.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);

static struct {
	char program[17];
	char skip[4096]; /* path of the tracker's library, whose accesses are not the program's */
} state;

/* the arguments of the system call that this thread executes, for use after its return */
static __thread struct {
	uint64_t a, b, c, d, e;
	uint64_t time; /* when it was called, ns; only for clone */
	bool unseen; /* whether the system call is an exec of a file that the emulator cannot run */
} asked __attribute__((tls_model("initial-exec")));

static void learn_name(struct thread *t)
{
	char path[64], name[17] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%u/comm", t->stream.tid);
	f = fopen(path, "re");
	if (f && fgets(name, sizeof(name), f)) {
		name[strcspn(name, "\n")] = 0;
		stream_name(&t->stream, name);
	}
	if (f)
		fclose(f);
}

/* Writes the program's name and mappings. Called after the program was loaded, before its first
 * instruction, and again after an exec that failed. */
static void begin_program(struct thread *t)
{
	stream_executed(&t->stream, state.program, 0);
	maps_write(&t->stream, 0, MAPS_ALL, 0);
	/* flushed now, to show that the process ran, even if it is killed */
	stream_flush(&t->stream);
}

/* Handles an exec of the program: replaces this process with an emulator that runs the new program.
 * If the emulator cannot run that file, writes the file's name and no mappings. From this the
 * importer learns that the accesses of the new program are missing. */
static void before_exec(struct thread *t, const struct exec *x)
{
	char name[16] = "";

	thread_flush_all();
	asked.unseen = exec_emulated(x, name, sizeof(name));
	if (asked.unseen) {
		stream_executed(&t->stream, name, 0);
		stream_flush(&t->stream);
	}
	/* no emulator was started, because exec_emulated() has returned, so sampling continues */
	thread_resume();
}

static void at_syscall(qemu_plugin_id_t id, unsigned int cpu, int64_t number, uint64_t a,
		       uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g,
		       uint64_t h)
{
	struct thread *t = sampler_thread();

	asked.a = a;
	asked.b = b;
	asked.c = c;
	asked.d = d;
	asked.e = e;
	asked.time = number == SYS_clone ? stream_now() : 0;
	if (number == SYS_execve)
		before_exec(t, &(struct exec){ AT_FDCWD, a, b, c });
	else if (number == SYS_execveat)
		before_exec(t, &(struct exec){ (int)a, b, c, d });
	else
		sampler_pause(t);
}

/* Writes a mapping of memory without a file, under the name that perf gives it. `end` need not be
 * the end of a page. */
static void write_memory(struct thread *t, uint64_t start, uint64_t end, const char *name)
{
	const uint64_t page = 1 << PAGE_BITS;

	stream_map(&t->stream, &(struct stream_map){
				       .start = start,
				       .end = (end + page - 1) / page * page,
				       .prot = PROT_READ | PROT_WRITE,
				       .flags = MAP_PRIVATE | MAP_ANONYMOUS,
				       .path = name,
			       });
}

static void after_mmap(uint64_t address)
{
	struct thread *t = sampler_thread();

	pages_forget(address, asked.b);
	owners_change(address, asked.b);
	if (asked.d & MAP_ANONYMOUS) {
		if (asked.d & MAP_FIXED) /* the loader: a library's variables without values */
			pages_add_variables(address, asked.b);
		write_memory(t, address, address + asked.b, "//anon");
		return;
	}
	if (asked.c & PROT_EXEC)
		maps_write(&t->stream, address, asked.b, 0);
	else
		maps_write_data(&t->stream, address, asked.b);
	if (state.skip[0])
		maps_find(state.skip, &thread_options.tracker_low, &thread_options.tracker_high);
}

static void after_brk(uint64_t now)
{
	static uint64_t lowest, highest; /* the heap; lowest is 0 before the first brk() */

	if (!lowest)
		lowest = now;
	if (now < highest)
		pages_forget(now, highest - now);
	else if (now > highest && now > lowest)
		write_memory(sampler_thread(), lowest, now, "[heap]");
	if (now != highest && highest)
		owners_change(now < highest ? now : highest,
			      now < highest ? highest - now : now - highest);
	highest = now;
}

/* Writes where the stack and the thread-local variables of the new thread `tid` are. Called for its
 * creator, because only the arguments of clone() show this: plugins cannot read registers
 * (plugin.h). The time is that of the call, because the new thread may already run. */
static void after_clone(uint32_t tid)
{
	struct thread *t = sampler_thread();

	if (!(asked.a & CLONE_THREAD))
		return;
	stream_begin(&t->stream, &(struct stream_task){ t->stream.pid, tid, t->stream.pid,
							t->stream.tid, asked.time });
	maps_write_thread(&t->stream, &(struct maps_thread){
					      .tid = tid,
					      .sp = asked.b ? asked.b - 1 : 0,
					      .top = asked.b,
					      .pointer = asked.a & CLONE_SETTLS ? asked.e : 0,
					      .time = asked.time,
				      });
}

/* This thread has changed its thread pointer. The loader of libc does so at the start of a program.
 */
static void after_pointer(uint64_t pointer)
{
	struct thread *t = sampler_thread();

	maps_write_thread(&t->stream,
			  &(struct maps_thread){ .tid = t->stream.tid, .pointer = pointer });
}

/* Writes that a signal has ended a child for which the program has waited. If the child was
 * emulated, it could not write so itself. */
static void report_killed(uint32_t child, int sig)
{
	struct stream *s = &sampler_thread()->stream;
	const uint32_t pid = s->pid, tid = s->tid;
	char name[sizeof(ACCESS_KILLED_BEGIN) + 8];

	snprintf(name, sizeof(name), ACCESS_KILLED_BEGIN "%d]", sig);
	s->pid = s->tid = child;
	stream_map(s, &(struct stream_map){ .path = name });
	s->pid = pid;
	s->tid = tid;
}

static void after_wait4(uint32_t child)
{
	const int *status = (const int *)(uintptr_t)asked.b;

	if (child && status && WIFSIGNALED(*status))
		report_killed(child, WTERMSIG(*status));
}

static void after_waitid(void)
{
	const siginfo_t *info = (const siginfo_t *)(uintptr_t)asked.c;

	if (info && info->si_pid && (info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED))
		report_killed((uint32_t)info->si_pid, info->si_status);
}

/* QEMU 7.2 reports success for MADV_WIPEONFORK, but ignores it. The tracker needs it: a forked
 * child notices the fork by pages that the kernel has wiped. Addresses of the program are also
 * those of the emulator. */
static void after_madvise(void)
{
	if (asked.c == MADV_WIPEONFORK || asked.c == MADV_KEEPONFORK)
		madvise((void *)(uintptr_t)asked.a, asked.b, (int)asked.c);
	if (asked.c == MADV_DONTNEED || asked.c == MADV_FREE || asked.c == MADV_REMOVE)
		pages_forget(asked.a, asked.b);
}

static void after_syscall(qemu_plugin_id_t id, unsigned int cpu, int64_t number, int64_t ret)
{
	if (ret < 0 && ret > -4096) {
		if ((number == SYS_execve || number == SYS_execveat) && asked.unseen)
			/* the exec has failed, so the old program continues: its name and mappings
			 * are written again */
			begin_program(sampler_thread());
		return;
	}
	switch (number) {
	case SYS_mmap:
		after_mmap((uint64_t)ret);
		break;
	case SYS_munmap:
		pages_forget(asked.a, asked.b);
		owners_change(asked.a, asked.b);
		break;
	case SYS_mremap:
		if ((uint64_t)ret != asked.a)
			pages_move(asked.a, (uint64_t)ret, asked.b < asked.c ? asked.b : asked.c);
		owners_change(asked.a, asked.b);
		owners_change((uint64_t)ret, asked.c);
		break;
	case SYS_madvise:
		after_madvise();
		break;
	case SYS_brk:
		after_brk((uint64_t)ret);
		break;
	case SYS_clone:
		if (ret)
			after_clone((uint32_t)ret);
		break;
	case SYS_wait4:
		after_wait4((uint32_t)ret);
		break;
	case SYS_waitid:
		after_waitid();
		break;
	case SYS_arch_prctl:
		if (asked.a == ARCH_SET_FS)
			after_pointer(asked.b);
		break;
	case SYS_close:
	case SYS_close_range:
	case SYS_dup2:
	case SYS_dup3:
		append_restore();
		break;
	case SYS_prctl:
		if (asked.a == 15) /* 15 is PR_SET_NAME */
			learn_name(sampler_thread());
		break;
	}
}

/* Writes end records for the emulator's own threads. memdb's follower sees these threads in /proc
 * and adds them to the program's process. Without records of their ends, the process would seem to
 * continue. */
static void end_own_threads(struct thread *t)
{
	DIR *tasks = opendir("/proc/self/task");
	const uint32_t tid = t->stream.tid;
	struct dirent *e;

	while (tasks && (e = readdir(tasks))) {
		t->stream.tid = (uint32_t)atoi(e->d_name);
		if (t->stream.tid)
			stream_end(&t->stream);
	}
	t->stream.tid = tid;
	if (tasks)
		closedir(tasks);
}

static void at_exit(qemu_plugin_id_t id, void *data)
{
	thread_end_all();
	end_own_threads(sampler_thread());
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	static bool begun;
	uint64_t ip;

	if (!begun) {
		begun = true;
		begin_program(sampler_thread());
	}
	if (!qemu_plugin_tb_n_insns(tb))
		return;
	ip = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
	if (thread_is_trackers(ip))
		watch_tracker(tb);
	else
		watch_block(tb);
}

static bool read_option(const char *word)
{
	const char *value = strchr(word, '=') ? strchr(word, '=') + 1 : "";

	if (!strncmp(word, "program=", 8))
		snprintf(state.program, sizeof(state.program), "%s", value);
	else if (!strncmp(word, "skip=", 5))
		snprintf(state.skip, sizeof(state.skip), "%s", value);
	else
		return options_read(word);
	return true;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	const char *path = getenv(ACCESS_STREAM_VARIABLE);

	if (info->system_emulation)
		return 1;
	for (int i = 0; i < argc; i++)
		if (!read_option(argv[i])) {
			fprintf(stderr, "memdb: the exact sampler knows no option '%s'\n", argv[i]);
			return 1;
		}
	if (!path || !stream_open(path, thread_options.lost_at)) {
		fprintf(stderr, "memdb: cannot open the recording '%s'\n", path ? path : "");
		return 1;
	}
	maps_begin();
	thread_options.first_accesses = true;
	if (!thread_begin_all() || !exec_begin(argc, argv, state.skip))
		return 1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	qemu_plugin_register_vcpu_syscall_cb(id, at_syscall);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, after_syscall);
	qemu_plugin_register_atexit_cb(id, at_exit, NULL);
	return 0;
}
