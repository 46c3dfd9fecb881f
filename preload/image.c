/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log of this process image: where it goes, and its header. */
#include "tracker.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "clock.h"
#include "exec.h"
#include "homes.h"
#include "rawcall.h"
#include "real.h"
#include "sample.h"
#include "shared.h"
#include "text.h"
#include "window.h"

enum {
	START_TEXT = 128 << 10, /* of the environment, where it is read from /proc */
	MOST_WORDS = 1 << 22,   /* in argv: the kernel allows 6 MiB of pointers and text */
	GROW_TRIES = 16,        /* to find room before other threads have taken it */
	NAPS = 4000, /* until a log that another thread makes is given up: half a second */
};

enum stage { STAGE_NEW, STAGE_ON, STAGE_OFF };

struct image image;

static struct {
	enum stage stage;
	volatile uint32_t *mark; /* in a page that is wiped in a child: 1 in this process */
	uint32_t growing;        /* a thread makes room for the log */
	uint64_t clock_khz;
	char dir[3072], options[256];       /* as the environment had them */
	char path[3200], shared_path[3200]; /* of the log's own file, and of that of all */
} local;

/* The log's first bytes. A forked child has the names from its parent. */
static struct track_header beginning;

bool image_is_off(void)
{
	return local.stage == STAGE_OFF;
}

bool image_is_parents(void)
{
	return (uint32_t)rawcall4(SYS_getpid, 0, 0, 0, 0) != image.pid;
}

/* The word that tells a child by fork from its parent. */
static bool make_mark(void)
{
	local.mark = thread_wiped_word();
	if (local.mark)
		*local.mark = 1;
	return local.mark;
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
	for (size_t i = 0; i < sizeof(in_vdso) / sizeof(in_vdso[0]); i++)
		vdso |= !strncmp(source, in_vdso[i], strlen(in_vdso[i]));
	tsc = !text_option_is(local.options, "clock", "monotonic") && !strncmp(source, "tsc", 3);
	clock_init(tsc, vdso);
	image.tsc = clock_is_tsc;
}

/* The initial stack, where the kernel put the environment: argc, argv, NULL, envp, NULL. */
extern void *__libc_stack_end __attribute__((weak));

/*
 * Directory and options from the environment of the image's start, however large it is. Neither
 * from libc, which may not have set up `environ` yet, nor from /proc, which may be missing, and
 * which shows nothing to a program whose file the user may not read.
 */
static bool find_variables(const char **dir, const char **options)
{
	char *const *words = &__libc_stack_end ? __libc_stack_end : NULL;
	size_t argc = words ? (size_t)words[0] : 0;

	if (!words || argc > MOST_WORDS || words[1 + argc])
		return false;
	for (char *const *envp = words + argc + 2; *envp; envp++) {
		const char *value = text_value(*envp, TRACK_ENV_DIR);

		*dir = value && !*dir ? value : *dir;
		value = text_value(*envp, TRACK_ENV_OPTIONS);
		*options = value && !*options ? value : *options;
	}
	return true;
}

static bool keep_variables(const char *dir, const char *options)
{
	size_t n = 0;

	if (!dir || dir[0] != '/' || strlen(dir) >= sizeof(local.dir))
		return false;
	text_add(local.dir, sizeof(local.dir), &n, dir);
	n = 0;
	text_add(local.options, sizeof(local.options), &n, options ? options : "");
	return true;
}

/* Other loaders than glibc's do not say where the initial stack is. */
static bool read_environment(void)
{
	const char *dir = NULL, *options = NULL;
	bool ok = false;
	long p, len;

	if (find_variables(&dir, &options))
		return keep_variables(dir, options);
	p = rawcall6(SYS_mmap, 0, START_TEXT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (rawcall_failed(p))
		return false;
	len = text_read_file("/proc/self/environ", (char *)p, START_TEXT);
	if (len > 0)
		ok = keep_variables(text_variable((char *)p, (size_t)len, TRACK_ENV_DIR),
				    text_variable((char *)p, (size_t)len, TRACK_ENV_OPTIONS));
	rawcall4(SYS_munmap, p, START_TEXT, 0, 0);
	return ok;
}

/* From /proc/self/stat: pid, parent and start time as this machine's /proc counts them. */
static void read_stat(struct track_header *h)
{
	char *text = local.path, *p; /* not in use yet, and the stack may be small */
	uint64_t pid = 0, ppid = 0, start = 0;
	unsigned n = 3;

	h->pid = image.pid;
	h->ppid = 0; /* of a child it has the parent's values */
	h->start_ticks = 0;
	if (text_read_file("/proc/self/stat", text, sizeof(local.path)) <= 0)
		return;
	for (p = text; *p >= '0' && *p <= '9'; p++)
		pid = pid * 10 + (uint64_t)(*p - '0');
	p = strrchr(text, ')'); /* the name before it may hold anything */
	for (p = p ? p + 2 : text + strlen(text); *p && n < 23; p++) {
		if (*p == ' ')
			n++;
		else if (n == 4)
			ppid = ppid * 10 + (uint64_t)(*p - '0');
		else if (n == 22)
			start = start * 10 + (uint64_t)(*p - '0');
	}
	h->pid = (uint32_t)pid;
	h->ppid = (uint32_t)ppid;
	h->start_ticks = start;
}

static void read_names(struct track_header *h)
{
	long n = rawcall4(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)h->exe,
			  sizeof(h->exe) - 1);

	if (n < 0)
		h->exe[0] = 0;
	n = text_read_file("/proc/self/cmdline", h->command, sizeof(h->command));
	for (long i = 0; i + 1 < n; i++)
		if (!h->command[i])
			h->command[i] = ' ';
}

static void name_shared_file(void)
{
	size_t n = 0;

	text_add(local.shared_path, sizeof(local.shared_path), &n, local.dir);
	text_add(local.shared_path, sizeof(local.shared_path), &n, "/" TRACK_SHARED);
}

/* Creates PID-START-SEQUENCE.log, the first that does not exist. Returns its descriptor. */
static long create(const struct track_header *h, uint32_t *sequence)
{
	long fd = -EEXIST;

	for (uint32_t s = 0; s < 100000 && fd == -EEXIST; s++) {
		size_t n = 0;

		text_add(local.path, sizeof(local.path), &n, local.dir);
		text_add(local.path, sizeof(local.path), &n, "/");
		text_add_number(local.path, sizeof(local.path), &n, h->pid);
		text_add(local.path, sizeof(local.path), &n, "-");
		text_add_number(local.path, sizeof(local.path), &n, h->start_ticks);
		text_add(local.path, sizeof(local.path), &n, "-");
		text_add_number(local.path, sizeof(local.path), &n, s);
		text_add(local.path, sizeof(local.path), &n, ".log");
		fd = rawcall4(SYS_openat, AT_FDCWD, (long)local.path,
			      O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		*sequence = s;
	}
	return fd;
}

static void fill_header(struct track_header *h, uint32_t flags)
{
	struct track_moment now = { 0 };

	memcpy(h->magic, TRACK_MAGIC, sizeof(h->magic));
	h->version = TRACK_VERSION;
	h->header_bytes = TRACK_HEADER_BYTES;
	h->chunk_bytes = TRACK_CHUNK;
	h->page_bytes = (uint32_t)homes_page_bytes();
	h->flags = flags;
	h->clock = image.tsc ? TRACK_CLOCK_TSC : TRACK_CLOCK_MONOTONIC;
	h->shift = image.shift;
	h->tick_khz = local.clock_khz;
	h->min_size = image.min_size;
	h->sample_bytes = image.sample_bytes;
	h->sample_every = image.sample_every;
	clock_moment(&now);
	h->start_ticks_clock = now.ticks;
	h->start_ns = now.monotonic_ns;
	h->start_raw_ns = now.raw_ns;
	h->start_boottime_ns = now.boottime_ns;
	h->start_realtime_ns = now.realtime_ns;
	if (rawcall4(SYS_getrandom, (long)&h->cookie, sizeof(h->cookie), 1 /* GRND_NONBLOCK */, 0) <
	    0)
		h->cookie = h->start_ticks_clock * 0x9e3779b97f4a7c15u;
}

/* A file of its own for the log that begins with this header; that the file is one is said last. */
static bool make_own_file(const struct track_header *from)
{
	struct track_header *h;
	uint32_t sequence;
	long fd;

	window_init();
	fd = create(from, &sequence);
	if (fd < 0)
		return false;
	h = window_open(fd, local.path, &image.capacity);
	if (!h) {
		rawcall4(SYS_unlinkat, AT_FDCWD, (long)local.path, 0, 0);
		return false;
	}
	memcpy(h->magic + sizeof(h->magic), from->magic + sizeof(h->magic),
	       sizeof(*h) - sizeof(h->magic));
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

/* Makes the log of a new image; of a child (inherited) in the place of the parent's mappings, where
 * an interrupted frame of the parent may still have to write. */
static bool make_log(bool inherited)
{
	struct track_header *h = &beginning;

	image.pid = (uint32_t)rawcall4(SYS_getpid, 0, 0, 0, 0);
	read_stat(h);
	clock_enter_namespace();
	image.foreign_pids = h->pid != image.pid;
	if (!inherited)
		read_names(h);
	fill_header(h, inherited ? TRACK_FORKED : 0);
	image.header = shared_open(local.shared_path, h, (uint64_t)(uintptr_t)local.mark);
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

/* A thread makes room; its signals are blocked and it runs none of the program's code. Still nobody
 * waits for it for ever. */
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

/* The first block of the shared file serves most; what has more to say gets a file of its own, and
 * where that is not possible, or full, further blocks. */
static bool make_room(void)
{
	if (shared_slot() && !image.header->blocks[0] && shared_grow())
		return true;
	return (!image.log && make_own_file(image.header)) || shared_grow();
}

/* Makes, or waits until another thread has made; false where that failed or takes too long. Others
 * may have taken what was made by then. */
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

/* Does something once, if it is still to be done; whether it is done. */
static bool grow(bool is_done(void), bool make(void))
{
	uint64_t saved;
	bool done = false;

	if (is_done())
		return true;
	if (!image.header || rawcall_sealed || !signals_block(&saved))
		return false;
	for (int i = 0; i < GROW_TRIES && !done && make_or_wait(is_done, make); i++)
		done = is_done();
	signals_restore(&saved);
	return done;
}

bool image_grow(void)
{
	return grow(has_room, make_room);
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
	return grow(has_own_file, make_own);
}

static uint32_t mark_now(void)
{
	return __atomic_load_n(local.mark, __ATOMIC_ACQUIRE);
}

/*
 * Another thread of a forked child makes its log, which takes a tenth of a millisecond. That thread
 * has its signals blocked and runs none of the program's code; still nobody waits for ever.
 */
static bool await_child(void)
{
	const struct timespec nap = { .tv_nsec = 50000 };

	for (int i = 0; i < NAPS && mark_now() == 2; i++)
		rawcall4(SYS_nanosleep, (long)&nap, 0, 0, 0);
	return mark_now() == 1 && local.stage == STAGE_ON;
}

/* The child of a fork: the parent's log is not touched any more, but for the count of children
 * that could not begin their own. */
static bool start_child(void)
{
	struct track_header *parent = image.header;
	uint32_t unclaimed = 0;

	if (!__atomic_compare_exchange_n(local.mark, &unclaimed, 2, false, __ATOMIC_ACQUIRE,
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
	__atomic_store_n(local.mark, 1, __ATOMIC_RELEASE);
	return local.stage == STAGE_ON;
}

bool image_start(void)
{
	if (local.stage == STAGE_ON && mark_now() != 1)
		return start_child();
	if (local.stage != STAGE_NEW)
		return local.stage == STAGE_ON;
	local.stage = STAGE_OFF;
	if (!read_environment() || !make_mark())
		return false;
	name_shared_file();
	choose_clock();
	image.shift = image.tsc ? 4 : 2;
	image.min_size = text_option(local.options, "min_size", 0);
	homes_init(local.options);
	sample_init(local.options);
	local.clock_khz = image.tsc ? text_option(local.options, "tsc_khz", 0) : 1000000;
	exec_init(local.dir, local.options);
	if (!make_log(false))
		return false;
	stack_init(real_find("_dl_find_object"));
	local.stage = STAGE_ON;
	return true;
}
