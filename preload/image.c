/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creates the log of this process image: its files and its header. */
#include "tracker.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/count.h"
#include "clock.h"
#include "exec.h"
#include "homes.h"
#include "initial.h"
#include "owners.h"
#include "rawcall.h"
#include "real.h"
#include "sample.h"
#include "seal.h"
#include "shared_log.h"
#include "start.h"
#include "text.h"
#include "window.h"

enum {
	LONGEST_PATH = 3200,
	LONGEST_DIR = 3072, /* limit that leaves room in a path for the names of files */
	LONGEST_OPTIONS = 350,
	FEW_BYTES = 1024,
	OVERHEAD = 128, /* more than the names of variables and files that are added to the texts */
	/* maximum number of attempts to make room in the log; other threads may claim the new room
	 * first */
	GROW_TRIES = 16,
	/* maximum number of times that a thread sleeps while another one creates or extends the
	 * log: about half a second in total */
	NAPS = 4000,
};

/* values of image.other_tids: whether the tids of this process are the same for perf as for the
 * process itself */
enum { TIDS_UNKNOWN, TIDS_SAME, TIDS_OTHER };

enum stage { STAGE_NEW, STAGE_ON, STAGE_OFF };

struct image image START_STATE;

static struct {
	enum stage stage;
	/* in its mark, 0 means that this is a new child, 2 that a thread of the child is creating
	 * its log, 1 that this is done */
	struct wiped *wiped;
	uint32_t growing; /* 1 while a thread makes room for the log */
	uint64_t clock_khz;
	bool own_heap;                         /* the result of real_program_has_heap() */
	char *dir_variable, *options_variable; /* each is "NAME=value" */
	/* the values of these two variables, and the path of the file TRACK_SHARED */
	const char *dir, *options, *shared_path;
} local START_STATE;

extern uint64_t track_began __asm__(TRACK_BEGAN) __attribute__((visibility("default")));
uint64_t track_began START_STATE;

/* The header that is copied to the start of the log. A forked child uses it again: the executable's
 * path and the command line stay the same. */
static struct track_header beginning START_STATE;

/* Storage for the texts to which `local` points. They are stored one after the other. If they fit,
 * they are in kept.few, in a page that the image writes anyway; otherwise in long_texts. */
static struct {
	char *text;
	size_t used;
	char few[FEW_BYTES];
} kept START_STATE;
static char long_texts[2 * LONGEST_PATH + LONGEST_OPTIONS];

static char own_path[LONGEST_PATH]; /* path of the log's own file */

bool image_is_off(void)
{
	return local.stage == STAGE_OFF;
}

static uint32_t mark_now(void)
{
	return __atomic_load_n(&local.wiped->mark, __ATOMIC_ACQUIRE);
}

/* Returns the pid; 0 if a seccomp filter refuses the call. */
static uint32_t own_pid(void)
{
	long pid = rawcall4(SYS_getpid, 0, 0, 0, 0);

	return rawcall_failed(pid) ? 0 : (uint32_t)pid;
}

bool image_is_parents(void)
{
	uint32_t pid;

	if (local.wiped && mark_now() != 1)
		return true;
	pid = own_pid();
	return pid ? pid != image.pid : thread_is_borrowed();
}

/* Allocates local.wiped, from which a forked child recognizes that it is not its parent. Returns
 * false if that fails. */
static bool make_mark(void)
{
	local.wiped = thread_wiped();
	if (local.wiped)
		local.wiped->mark = 1;
	return local.wiped;
}

static void choose_clock(void)
{
	static const char *const in_vdso[] = { "tsc", "kvm-clock", "hyperv_clocksource_tsc_page",
					       "arch_sys_counter" };
	bool tsc, vdso = false;
	char source[32];

	if (text_option_is(local.options, "clock", "tsc")) {
		clock_init(true, true);
		image.tsc = clock_is_tsc;
		return;
	}
	text_read_file("/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
		       sizeof(source));
	for (size_t i = 0; i < COUNT_OF(in_vdso); i++)
		vdso |= !strncmp(source, in_vdso[i], strlen(in_vdso[i]));
	tsc = !text_option_is(local.options, "clock", "monotonic") && !strncmp(source, "tsc", 3);
	clock_init(tsc, vdso);
	image.tsc = clock_is_tsc;
}

/* Appends two strings, joined, to kept.text. Cuts the result after `limit` bytes. Returns its
 * address. */
static char *keep_joined(const char *first, const char *second, size_t limit)
{
	char *at = kept.text + kept.used;
	size_t n = 0;

	text_add(at, limit, &n, first);
	text_add(at, limit, &n, second);
	kept.used += n + 1;
	return at;
}

static bool keep_variables(const char *dir, const char *options)
{
	if (!dir || dir[0] != '/' || strlen(dir) >= LONGEST_DIR)
		return false;
	kept.used = 0;
	kept.text =
		2 * strlen(dir) + LONGEST_OPTIONS + OVERHEAD <= FEW_BYTES ? kept.few : long_texts;
	local.dir_variable = keep_joined(TRACK_ENV_DIR "=", dir, LONGEST_PATH);
	local.dir = local.dir_variable + strlen(TRACK_ENV_DIR "=");
	local.options_variable =
		keep_joined(TRACK_ENV_OPTIONS "=", options ? options : "", LONGEST_OPTIONS);
	local.options = local.options_variable + strlen(TRACK_ENV_OPTIONS "=");
	local.shared_path = keep_joined(local.dir, "/" TRACK_SHARED, LONGEST_PATH);
	return true;
}

/* Reads the pids of the process and its parent from /proc. If /proc belongs to another PID
 * namespace, they differ from getpid() and getppid(). */
static void read_foreign_pids(struct track_header *h)
{
	/* own_path, which is not in use yet, is the buffer, because the stack may be small */
	char *text = own_path, *p;

	if (text_read_file("/proc/self/stat", text, sizeof(own_path)) <= 0)
		return;
	h->pid = (uint32_t)text_number(text);
	/* The line is "PID (NAME) S PPID …". NAME may contain ")", so the search is for the last
	 * ")". */
	p = strrchr(text, ')');
	h->ppid = p && p[1] && p[2] && p[3] ? (uint32_t)text_number(p + 4) : 0;
}

/* Reads the pid of the process in the numbering of /proc; 0 if that is impossible. */
static uint32_t read_linked_pid(void)
{
	char text[16] = "";
	long n = rawcall4(SYS_readlinkat, AT_FDCWD, (long)"/proc/self", (long)text,
			  sizeof(text) - 1);

	return n > 0 ? (uint32_t)text_number(text) : 0;
}

/* Gets the pids of the process and its parent in the numbering of /proc. Compares the link
 * /proc/self with getpid() first, because reading a file of /proc takes several times as long. If a
 * seccomp filter refuses getpid(), it is unknown whether the two differ, and the link is believed.
 *
 * `inherited` is true in a forked child. If image.pid is the pid of its parent, both are in the
 * same PID namespace, so the numbering is that of the parent, and the link is not read: the kernel
 * looks up each new process in /proc at a cost of 8 µs. The first process of a namespace has no
 * parent there: getppid() returns 0.
 */
static void read_pids(struct track_header *h, bool inherited)
{
	long parent = rawcall4(SYS_getppid, 0, 0, 0, 0);
	bool is_known = inherited && !image.foreign_pids && parent > 1 && parent == image.pid;
	uint32_t linked = is_known ? 0 : read_linked_pid();

	image.pid = own_pid();
	if (!image.pid)
		image.pid = linked ? linked : thread_libc_tid();
	h->pid = image.pid;
	h->ppid = rawcall_failed(parent) ? 0 : (uint32_t)parent;
	if (linked && linked != image.pid)
		read_foreign_pids(h);
}

bool image_has_other_tids(void)
{
	uint64_t recorders = text_option(local.options, "pid_namespace", 0);
	char text[32] = "";

	if (image.other_tids == TIDS_UNKNOWN) {
		long n = recorders && !image.foreign_pids
				 ? rawcall4(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/ns/pid",
					    (long)text, sizeof(text) - 1)
				 : 0;

		image.other_tids = n > 5 && text_number(text + 5) != recorders /* "pid:[N]" */
					   ? TIDS_OTHER
					   : TIDS_SAME;
	}
	return image.other_tids == TIDS_OTHER;
}

/* Creates the log's own file under the name PID-START-SEQUENCE.log, with the first SEQUENCE for
 * which no file exists. Returns its descriptor, or a negative errno. */
static long create_log(const struct track_header *h, uint32_t *sequence)
{
	long fd = -EEXIST;

	for (uint32_t s = 0; s < 100000 && fd == -EEXIST; s++) {
		size_t n = 0;

		text_add(own_path, sizeof(own_path), &n, local.dir);
		text_add(own_path, sizeof(own_path), &n, "/");
		text_add_number(own_path, sizeof(own_path), &n, h->pid);
		text_add(own_path, sizeof(own_path), &n, "-");
		text_add_number(own_path, sizeof(own_path), &n, h->start_ns);
		text_add(own_path, sizeof(own_path), &n, "-");
		text_add_number(own_path, sizeof(own_path), &n, s);
		text_add(own_path, sizeof(own_path), &n, ".log");
		fd = rawcall4(SYS_openat, AT_FDCWD, (long)own_path,
			      O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		*sequence = s;
	}
	return fd;
}

/* Returns a number that no other log has. A forked child makes it from that of its parent, which is
 * still in the header. */
static uint64_t new_cookie(const struct track_header *h, bool inherited)
{
	uint64_t cookie = 0;

	if (inherited ||
	    rawcall4(SYS_getrandom, (long)&cookie, sizeof(cookie), 1 /* GRND_NONBLOCK */, 0) < 0)
		cookie = (h->cookie ^ h->start_ticks_clock) * 0x9e3779b97f4a7c15u + h->pid;
	return cookie;
}

static void fill_header(struct track_header *h, uint32_t flags)
{
	struct track_moment now = { 0 };

	memcpy(h->magic, TRACK_MAGIC, sizeof(h->magic));
	h->version = TRACK_VERSION;
	h->header_bytes = TRACK_HEADER_BYTES;
	h->chunk_bytes = TRACK_CHUNK;
	if (!(flags & TRACK_FORKED))
		h->page_bytes = (uint32_t)homes_page_bytes();
	h->flags = flags;
	h->clock = image.tsc ? TRACK_CLOCK_TSC : TRACK_CLOCK_MONOTONIC;
	h->shift = image.shift;
	h->tick_khz = local.clock_khz;
	h->min_size = image.min_size;
	h->sample_bytes = image.sample_bytes;
	h->sample_every = image.sample_every > 1 ? image.sample_every : 0;
	clock_moment(&now);
	h->start_ticks_clock = now.ticks;
	h->start_ns = track_began = now.monotonic_ns;
	h->start_raw_ns = now.raw_ns;
	h->start_boottime_ns = now.boottime_ns;
	h->start_realtime_ns = now.realtime_ns;
	h->cookie = new_cookie(h, flags & TRACK_FORKED);
}

/* Creates the log's own file with this header. The magic, which makes the file a log, is stored
 * last. Returns false on failure. */
static bool make_own_file(const struct track_header *from)
{
	struct track_header *h;
	uint32_t sequence;
	long fd;

	if (shared_closed() || shared_foreign())
		return false;
	window_init();
	fd = create_log(from, &sequence);
	if (fd < 0)
		return false;
	h = window_open(fd, own_path, &image.capacity);
	if (!h) {
		rawcall4(SYS_unlinkat, AT_FDCWD, (long)own_path, 0, 0);
		return false;
	}
	memcpy(h->magic + sizeof(h->magic), from->magic + sizeof(h->magic),
	       sizeof(*h) - sizeof(h->magic));
	h->bytes = image.capacity;
	h->sequence = sequence;
	h->slot = shared_slot();
	h->next = TRACK_CHUNK;
	h->lost_events = h->lost_chunks = h->lost_children = 0;
	memset(h->blocks, 0, sizeof(h->blocks));
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy(h->magic, TRACK_MAGIC, sizeof(h->magic));
	__atomic_store_n(&image.log, h, __ATOMIC_RELEASE);
	return true;
}

/* Creates the log of a new image. In a forked child (`inherited`) its mappings replace the mappings
 * of the parent's log: a signal handler may have forked in the middle of a write to the log, and
 * when that write continues in the child, it must not change the parent's log. Returns false if the
 * log cannot be created. */
static bool make_log(bool inherited)
{
	struct track_header *h = &beginning;

	read_pids(h, inherited);
	clock_enter_namespace(local.options);
	image.foreign_pids = h->pid != image.pid;
	image.other_tids = TIDS_UNKNOWN;
	if (!inherited)
		initial_names(h);
	fill_header(h, (inherited ? TRACK_FORKED : 0) | (local.own_heap ? TRACK_OWN_HEAP : 0));
	image.header =
		shared_open(local.shared_path, text_option(local.options, TRACK_RECORDING, 0), h,
			    (uint64_t)(uintptr_t)local.wiped);
	if (image.header) {
		window_forget_first();
		return true;
	}
	if (!make_own_file(h))
		return false;
	shared_forget_slot();
	image.header = image.log;
	return true;
}

/* Waits for another thread that makes room for the log. That thread has its signals blocked and
 * runs no code of the program, so the wait should be short; it is limited nevertheless. Returns
 * whether the thread has finished. */
static bool await_growth(void)
{
	const struct timespec nap = { .tv_nsec = 50000 };

	for (int i = 0; i < NAPS && __atomic_load_n(&local.growing, __ATOMIC_ACQUIRE); i++)
		rawcall4(SYS_nanosleep, (long)&nap, 0, 0, 0);
	return !__atomic_load_n(&local.growing, __ATOMIC_ACQUIRE);
}

static bool has_room(void)
{
	return shared_has_room() || (image.log && image.log->next < image.capacity);
}

/* Makes room for more chunks. Most logs need only their first block in the shared file. A longer
 * log gets a file of its own. If that is impossible or the file is full, the log gets further
 * blocks. Returns false if there is no more room. */
static bool make_room(void)
{
	if (shared_slot() && !image.header->blocks[0] && shared_grow())
		return true;
	return (!image.log && make_own_file(image.header)) || shared_grow();
}

/* Calls make(), or waits for another thread that is already calling it. Returns false if make()
 * failed or took too long. After true, other threads may still have claimed the new room. */
static bool make_or_wait(bool is_done(void), bool make(void))
{
	uint32_t nobody = 0;
	bool made;

	if (!__atomic_compare_exchange_n(&local.growing, &nobody, 1, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		return await_growth();
	made = is_done() || make();
	__atomic_store_n(&local.growing, 0, __ATOMIC_RELEASE);
	return made;
}

/* Calls make(), with signals blocked, unless is_done() is true already. Returns the value of
 * is_done() afterwards. Returns false without a call if there is no log, or if the process is
 * sealed or signals cannot be blocked. */
static bool make_if_missing(bool is_done(void), bool make(void))
{
	uint64_t saved;
	bool done = false;

	if (is_done())
		return true;
	if (!image.header || seal_notice() || !signals_block(&saved))
		return false;
	for (int i = 0; i < GROW_TRIES && !done && make_or_wait(is_done, make); i++)
		done = is_done();
	signals_restore(&saved);
	return done;
}

bool image_grow(void)
{
	return make_if_missing(has_room, make_room);
}

static bool has_own_file(void)
{
	return __atomic_load_n(&image.log, __ATOMIC_ACQUIRE);
}

static bool make_own(void)
{
	return make_own_file(image.header);
}

bool image_own_file(void)
{
	return make_if_missing(has_own_file, make_own);
}

/* Waits until another thread of this forked child has created the child's log, which takes about a
 * tenth of a millisecond. That thread has its signals blocked and runs no code of the program, so
 * the wait should be short; it is limited nevertheless. Returns whether there is a log. */
static bool await_child(void)
{
	const struct timespec nap = { .tv_nsec = 50000 };

	for (int i = 0; i < NAPS && mark_now() == 2; i++)
		rawcall4(SYS_nanosleep, (long)&nap, 0, 0, 0);
	return mark_now() == 1 && local.stage == STAGE_ON;
}

/* Begins the log of a forked child. The child writes nothing more to its parent's log; but if it
 * cannot create a log of its own, it adds 1 to lost_children in the header of the parent's log.
 * Returns whether the child has a log. */
static bool start_child(void)
{
	struct track_header *parent = image.header;
	uint32_t unclaimed = 0;

	if (!__atomic_compare_exchange_n(&local.wiped->mark, &unclaimed, 2, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_ACQUIRE))
		return await_child();
	image.header = image.log = NULL;
	local.growing = 0;
	if (!rawcall_sealed) {
		window_forget();
		shared_forget_blocks();
	}
	if (rawcall_sealed || !make_log(true)) {
		__atomic_fetch_add(&parent->lost_children, 1, __ATOMIC_RELAXED);
		local.stage = STAGE_OFF;
	}
	thread_forget_all();
	__atomic_store_n(&local.wiped->mark, 1, __ATOMIC_RELEASE);
	return local.stage == STAGE_ON;
}

bool image_start(void)
{
	if (local.stage == STAGE_ON && mark_now() != 1)
		return start_child();
	if (local.stage != STAGE_NEW)
		return local.stage == STAGE_ON;
	local.stage = STAGE_OFF;
	seal_start();
	if (!initial_variables(keep_variables) || !make_mark())
		return false;
	choose_clock();
	image.shift = image.tsc ? 4 : 2;
	image.min_size = text_option(local.options, "min_size", 0);
	homes_init(local.options);
	sample_init(local.options);
	owners_init(local.options);
	local.clock_khz = image.tsc ? text_option(local.options, "tsc_khz", 0) : 1000000;
	local.own_heap = real_program_has_heap();
	exec_init(local.dir_variable, local.options_variable);
	if (!make_log(false))
		return false;
	stack_init(real_find("_dl_find_object"));
	local.stage = STAGE_ON;
	return true;
}
