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
#include "text.h"
#include "window.h"

enum {
	START_TEXT = 128 << 10, /* of the environment, where it is read from /proc */
	MOST_WORDS = 1 << 22,   /* in argv: the kernel allows 6 MiB of pointers and text */
	NAPS = 4000, /* until a log that another thread makes is given up: half a second */
};

enum stage { STAGE_NEW, STAGE_ON, STAGE_OFF };

struct image image;

static struct {
	enum stage stage;
	volatile uint32_t *mark; /* in a page that is wiped in a child: 1 in this process */
	uint64_t clock_khz;
	char dir[3072], options[256]; /* as the environment had them */
	char path[3200];              /* of the log */
} local;

bool image_is_off(void)
{
	return local.stage == STAGE_OFF;
}

bool image_is_parents(void)
{
	return (uint32_t)rawcall4(SYS_getpid, 0, 0, 0, 0) != image.pid;
}

/* The page that tells a child by fork from its parent. */
static bool make_mark(void)
{
	long p = (long)local.mark;

	if (!p) {
		p = rawcall6(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			     -1, 0);
		if (rawcall_failed(p) || rawcall4(SYS_madvise, p, 4096, MADV_WIPEONFORK, 0))
			return false;
		local.mark = (volatile uint32_t *)p;
	}
	*local.mark = 1;
	return true;
}

static void choose_clock(void)
{
	static const char *const in_vdso[] = { "tsc", "kvm-clock", "hyperv_clocksource_tsc_page",
					       "arch_sys_counter" };
	bool tsc, vdso = false;
	char source[32];

	text_read_file("/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
		       sizeof(source));
	for (size_t i = 0; i < sizeof(in_vdso) / sizeof(in_vdso[0]); i++)
		vdso |= !strncmp(source, in_vdso[i], strlen(in_vdso[i]));
	tsc = text_option_is(local.options, "clock", "tsc") ||
	      (!text_option_is(local.options, "clock", "monotonic") && !strncmp(source, "tsc", 3));
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

/* The header's page is in place and zero. */
static void fill_header(struct track_header *to, const struct track_header *from, uint32_t flags)
{
	struct track_moment now = { 0 };

	*to = *from;
	read_names(to);
	memcpy(to->magic, TRACK_MAGIC, sizeof(to->magic));
	to->version = TRACK_VERSION;
	to->header_bytes = TRACK_HEADER_BYTES;
	to->chunk_bytes = TRACK_CHUNK;
	to->page_bytes = (uint32_t)homes_page_bytes();
	to->flags = flags;
	to->clock = image.tsc ? TRACK_CLOCK_TSC : TRACK_CLOCK_MONOTONIC;
	to->shift = image.shift;
	to->tick_khz = local.clock_khz;
	to->min_size = image.min_size;
	to->sample_bytes = image.sample_bytes;
	to->sample_every = image.sample_every;
	to->next = TRACK_CHUNK;
	clock_moment(&now);
	to->start_ticks_clock = now.ticks;
	to->start_ns = now.monotonic_ns;
	to->start_raw_ns = now.raw_ns;
	to->start_boottime_ns = now.boottime_ns;
	to->start_realtime_ns = now.realtime_ns;
	if (rawcall4(SYS_getrandom, (long)&to->cookie, sizeof(to->cookie), 1 /* GRND_NONBLOCK */,
		     0) < 0)
		to->cookie = to->start_ticks_clock * 0x9e3779b97f4a7c15u;
}

/* Makes the log of a new image; of a child (inherited) in the place of the parent's mapping, where
 * an interrupted frame of the parent may still have to write. */
static bool make_log(bool inherited)
{
	static struct track_header head; /* one thread comes here, whose stack may be small */
	struct track_header *header;
	long fd;

	image.pid = (uint32_t)rawcall4(SYS_getpid, 0, 0, 0, 0);
	read_stat(&head);
	clock_enter_namespace();
	image.foreign_pids = head.pid != image.pid;
	fd = create(&head, &head.sequence);
	if (fd < 0)
		return false;
	header = window_open(fd, local.path, inherited, &image.capacity);
	if (!header)
		rawcall4(SYS_unlinkat, AT_FDCWD, (long)local.path, 0, 0);
	rawcall4(SYS_close, fd, 0, 0, 0);
	if (!header)
		return false;
	fill_header(header, &head, inherited ? TRACK_FORKED : 0);
	image.header = header;
	return true;
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
	image.header = NULL;
	if (!rawcall_sealed)
		window_forget();
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
	choose_clock();
	image.shift = image.tsc ? 4 : 2;
	image.min_size = text_option(local.options, "min_size", 0);
	homes_init(local.options);
	sample_init(local.options);
	local.clock_khz = image.tsc ? text_option(local.options, "tsc_khz", 0) : 1000000;
	window_init();
	exec_init(local.dir, local.options);
	if (!make_log(false))
		return false;
	stack_init(real_find("_dl_find_object"));
	local.stage = STAGE_ON;
	return true;
}
