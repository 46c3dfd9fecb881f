/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "soft.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "maps.h"
#include "options.h"
#include "path.h"
#include "samplers.h"
#include "signals.h"
#include "track_format.h"

/* Number of accesses after which a thread that is not sampled checks again whether sampling has
 * begun. */
enum { IDLE = 1 << 20 };

__thread int64_t memdb_soft_far[SOFT_LANES] __attribute__((tls_model("initial-exec")));
__thread int64_t memdb_soft_granted[SOFT_LANES] __attribute__((tls_model("initial-exec")));
bool soft_enabled;

__thread uint64_t soft_lane_left[SOFT_LANES] __attribute__((tls_model("initial-exec")));
__thread uint32_t soft_trusted __attribute__((tls_model("initial-exec")));
struct soft_program soft_program;
/* number of libraries that had been loaded (dlpi_adds) when the mappings were last written */
static unsigned long long libraries;

static int count_libraries(struct dl_phdr_info *info, size_t size, void *n)
{
	*(unsigned long long *)n = info->dlpi_adds;
	return 1;
}

/* Finds the code of the first object of dl_iterate_phdr(), which is the program. */
static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
	soft_program.is_static = true;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const uint64_t low = info->dlpi_addr + p->p_vaddr, high = low + p->p_memsz;

		soft_program.is_static &= p->p_type != PT_INTERP;
		if (p->p_type == PT_LOAD)
			maps_know(low, high);
		if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
			soft_program.low = low;
			soft_program.high = high;
		}
	}
	return 1;
}

/* learn_libraries() makes two system calls, which take longer than the rest of a sample. So for
 * samples in the program's own code, only every LOOKS-th one calls it. After a library was loaded,
 * at most LOOKS - 1 samples of each thread therefore lack the names of the library's data and of
 * its functions among the callers. Counts, and samples of other code, are not affected. */
enum { LOOKS = 64 };

static bool may_need_libraries(const struct access *a)
{
	if (thread_options.period > 1 && soft_trusted && soft_is_own(a->ip)) {
		soft_trusted--;
		return false;
	}
	soft_trusted = LOOKS - 1;
	return true;
}

/* If a library was loaded since the mappings were written, writes them again, because the importer
 * needs them to resolve samples in the library. `time` is when they began, ns; 0 means now.
 * dl_iterate_phdr() takes a lock, so no signal handler may leave it. */
static void learn_libraries(struct thread *t, uint64_t time)
{
	unsigned long long now = 0;
	sigset_t before;

	signals_block(&before);
	dl_iterate_phdr(count_libraries, &now);
	if (now != libraries) {
		libraries = now;
		maps_write(&t->stream, 0, MAPS_ALL, time);
		owners_change(0, UINT64_MAX);
	}
	signals_restore(&before);
}

/* Writes the mappings that the importer needs for this access. If all accesses are counted, does so
 * only for the first access of an instruction to a granule. A static program has no tracker, which
 * would report mappings without files, so this function writes them, too. */
static void learn_mappings(struct thread *t, const struct access *a)
{
	const struct counted first = { a->ip,     a->address, a->bytes, a->kind & ACCESS_STORE,
				       LEVEL_ANY, false };

	if (thread_options.period == 1 && counts_known(&t->counts, &first))
		return;
	if (may_need_libraries(a))
		learn_libraries(t, 0);
	if (soft_program.is_static && !maps_is_known(a->address))
		maps_write_unknown(&t->stream, a->address);
}

void soft_find_path(struct thread *t, const void *frame)
{
	uint64_t backs[STREAM_CALLERS];
	uint32_t n = 0;

	t->depth = 0;
	if (thread_options.period > 1)
		n = path_follow(t, frame, backs);
	for (; t->depth < n; t->depth++)
		t->calls[t->depth].back = backs[n - 1 - t->depth];
}

/* Writes where the stack and the thread-local variables of the calling thread are. The stack of the
 * first thread is written by start_sampling(). */
static void write_thread(struct thread *t)
{
	const bool first = t->stream.tid == t->stream.pid;

	maps_write_thread(&t->stream,
			  &(struct maps_thread){
				  .tid = t->stream.tid,
				  .sp = first ? 0 : (uint64_t)(uintptr_t)__builtin_frame_address(0),
				  .pointer = path_thread_pointer() });
}

struct thread *soft_begin_thread(void)
{
	const int error = errno;
	sigset_t before;

	signals_block(&before);
	if (!thread_self) /* a signal handler may have done it already */
		write_thread(thread_begin());
	signals_restore(&before);
	errno = error;
	return thread_self;
}

/* Is the current call in a signal handler that has interrupted the sampler? Then `frame`, the frame
 * of the current call, is below t->busy, the frame of the interrupted call. If `frame` is above it,
 * a handler has left the sampler by siglongjmp(), and the sampler can begin again. If the handler
 * runs on a stack of its own, the two addresses show nothing, and the result is true. */
static bool is_interrupted(const struct thread *t, uintptr_t frame)
{
	stack_t own;

	return t->busy && (frame < t->busy || sigaltstack(NULL, &own) || own.ss_flags & SS_ONSTACK);
}

/* Ignores accesses of a signal handler that has interrupted the sampler in the same thread. Keeps
 * errno, because the program may read it after any of its accesses. The sampler writes files, which
 * is a cancellation point. An access of the program is not a cancellation point, so cancellation is
 * disabled here. */
void soft_look(const struct access *a, unsigned lane, soft_path *path, const void *arg)
{
	const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
	const int error = errno;
	struct thread *t;
	int cancellable, type;

	if (!soft_enabled) {
		memdb_soft_far[lane] = memdb_soft_granted[lane] = IDLE;
		return;
	}
	t = soft_thread();
	if (thread_stopped || is_interrupted(t, frame)) {
		/* this access is not recorded. The next one is handled here, too, so if an exec
		 * fails, nothing after it is missed */
		memdb_soft_far[lane] += soft_count(a->kind);
		errno = error;
		return;
	}
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellable);
	t->busy = frame;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	soft_settle(t, lane, soft_count(a->kind));
	if (path)
		path(t, arg);
	learn_mappings(t, a);
	sampler_look(t, a);
	soft_grant(t, lane);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->busy = 0;
	/* the order matters: in glibc 2.36, pthread_setcancelstate() acts on an asynchronous
	 * cancellation without setting the result of the thread */
	pthread_setcancelstate(cancellable, NULL);
	pthread_setcanceltype(type, NULL);
	errno = error;
}

/* In a static program, the run-time libraries of gcc (gthr-posix.h) and gfortran assume that the
 * program has threads if it contains pthread_key_create(), which thread.c uses. These libraries
 * have weak references to the functions below. So the linker would leave out the functions, and
 * calls would crash. This table makes the linker include them. */
#define F(function) (void (*)(void)) function
static void (*const linked[])(void) __attribute__((used)) = { F(pthread_once),
							      F(pthread_getspecific),
							      F(pthread_setspecific),
							      F(pthread_create),
							      F(pthread_join),
							      F(pthread_equal),
							      F(pthread_self),
							      F(pthread_detach),
							      F(pthread_cond_init),
							      F(pthread_cond_broadcast),
							      F(pthread_cond_signal),
							      F(pthread_cond_wait),
							      F(pthread_cond_timedwait),
							      F(pthread_cond_destroy),
							      F(pthread_mutex_init),
							      F(pthread_mutex_lock),
							      F(pthread_mutex_trylock),
							      F(pthread_mutex_timedlock),
							      F(pthread_mutex_unlock),
							      F(pthread_mutex_destroy),
							      F(pthread_mutexattr_init),
							      F(pthread_mutexattr_settype),
							      F(pthread_mutexattr_destroy),
							      F(pthread_rwlock_init),
							      F(pthread_rwlock_rdlock),
							      F(pthread_rwlock_wrlock),
							      F(pthread_rwlock_tryrdlock),
							      F(pthread_rwlock_trywrlock),
							      F(pthread_rwlock_unlock),
							      F(pthread_rwlock_destroy),
							      F(pthread_key_delete),
							      F(sched_yield) };
#undef F

/* The tracker's pointer to the function that learns which memory has another owner. */
extern void (*track_owners)(uint64_t address, uint64_t bytes) __asm__(TRACK_OWNERS)
	__attribute__((weak));

/*
 * The first constructors and the last destructors of the program itself are those with the lowest
 * priority that programs may use. So if this file is linked into the program, accesses of other
 * constructors and destructors are seen. The shared library's functions run outside of all the
 * program's functions anyway: constructors of libraries run before those of the program, and the
 * functions that a library gives to atexit() in its constructor run after the destructors of the
 * program.
 */
enum { OUTERMOST = 101 };

#ifdef SOFT_STATIC
__attribute__((destructor(OUTERMOST))) /* gcc ignores the number after a first declaration */
#endif
static void
stop_sampling(void);

/* The tracker's list of samplers. NULL as its address means that there is no tracker. */
extern __typeof__(track_samplers) track_samplers __attribute__((weak));

static struct track_sampler this_sampler = { .before_exec = soft_before_exec,
					     .after_exec = soft_after_exec,
					     .before_end = stop_sampling };

static void join_tracker(void)
{
	if (!&track_samplers)
		return;
	this_sampler.next = track_samplers;
	this_sampler.bit = track_samplers ? track_samplers->bit << 1 : 1;
	track_samplers = &this_sampler;
}

/* The library may be unloaded afterwards. */
static void leave_tracker(void)
{
	struct track_sampler **at = &track_samplers;

	while (at && *at && *at != &this_sampler)
		at = &(*at)->next;
	if (at && *at)
		*at = this_sampler.next;
}

static void stop_sampling(void)
{
	if (!soft_enabled || !thread_is_own_process())
		return;
	thread_end_all();
	soft_enabled = false;
	if (&track_owners)
		track_owners = NULL;
	leave_tracker();
}

/* A signal handler that has interrupted the sampler writes nothing: if its exec fails, the sampler
 * continues with its table and its buffer, which must not be emptied in between. */
bool soft_before_exec(void)
{
	const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);

	if (!soft_enabled || !thread_is_own_process() ||
	    (thread_self && is_interrupted(thread_self, frame)))
		return false;
	thread_flush_all();
	return true;
}

void soft_after_exec(bool stopped)
{
	if (stopped)
		thread_resume();
}

SOFT_EXPORT void _exit(int code);
SOFT_EXPORT void _Exit(int code);

/* Writes the counts before the process ends. exit() calls stop_sampling(). But _exit(), with which
 * forked children usually end, does not. */
void _exit(int code)
{
	stop_sampling();
	for (;;)
		syscall(SYS_exit_group, code);
}

void _Exit(int code)
{
	_exit(code);
}

/* When the program began, ns, before constructors of libraries ran; 0 means unknown. */
static uint64_t began;

#ifdef SOFT_STATIC
/*
 * What the tracker sees from this time on belongs to this program, not to the one that called
 * exec. So the time must be taken before the tracker's constructor runs. In memdb's shared library,
 * the constructor below is early enough. If this file is linked into the program, it is not: the
 * constructors of shared libraries run first. The functions of .preinit_array, which only a program
 * may have, run before all constructors.
 */
static void note_begin(void)
{
	began = stream_now();
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = note_begin;
#endif

bool soft_called;

#ifdef SOFT_STATIC
/* Each file with checks has this variable (as/instrument.c). A program without it, and without the
 * compiler's calls, was linked for the sampler but not compiled for it: clang passes the text to
 * memdb's assembler only with -fno-integrated-as. */
extern char memdb_checked __attribute__((weak));

static bool was_compiled_for_it(void)
{
	return &memdb_checked || soft_called;
}
#else
/* The calls may be in libraries that are loaded later. */
static bool was_compiled_for_it(void)
{
	return true;
}
#endif

/* If the program has loaded this library only now, by dlopen(), it began when the tracker did.
 * Otherwise, blocks that it has allocated before would belong to the program that called exec. The
 * program itself may be linked with the sampler, too: only one of the two says that it began. */
extern uint64_t track_began __asm__(TRACK_BEGAN) __attribute__((weak));

static void write_begin(struct thread *t)
{
	const uint64_t tracked = &track_began ? track_began : 0;

	if (tracked == TRACK_BEGAN_TOLD)
		return;
	began = began ? began : tracked;
	stream_executed(&t->stream, program_invocation_short_name, began);
	if (tracked)
		track_began = TRACK_BEGAN_TOLD;
}

__attribute__((constructor(OUTERMOST))) static void start_sampling(void)
{
	const char *path = getenv(ACCESS_STREAM_VARIABLE), *words = getenv(ACCESS_OPTIONS_VARIABLE);
	struct thread *t;
	int here;

	soft_exec_begin();
	if (!path || !words || !was_compiled_for_it() || !options_read_all(words) ||
	    !stream_open(path, thread_options.lost_at) || !thread_begin_all())
		return;
	t = thread_begin();
	write_begin(t);
	dl_iterate_phdr(find_program, NULL);
	learn_libraries(t, began);
	maps_write_stack(&t->stream, (uint64_t)&here);
	write_thread(t);
	stream_flush(
		/* shows that the program was built for this sampler, even if the process is
		 * killed */
		&t->stream);
	if (&track_owners && thread_options.period == 1)
		track_owners = owners_change;
#ifndef SOFT_STATIC
	atexit(stop_sampling);
#endif
	at_quick_exit(stop_sampling); /* libc's quick_exit() does not call our _exit() */
	join_tracker();
	soft_enabled = true;
	memset(memdb_soft_far, 0, sizeof(memdb_soft_far));
	memset(memdb_soft_granted, 0, sizeof(memdb_soft_granted));
}
