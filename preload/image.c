/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log of this process image: where it goes, its header, its windows.
 *
 * The file is made as long as the log may ever be, sparse, and mapped in windows of 1 GiB; its
 * descriptor is closed at once. A chunk gets its disk blocks by MADV_POPULATE_WRITE before
 * anything is written to it: on a full disk that fails, where a plain store would be a SIGBUS.
 * Kernels before 5.14 do not know it; there the file is opened again for a moment for fallocate().
 * A further window comes from the mapping of the one before, half a window ahead of its use.
 */
#include "tracker.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "clock.h"
#include "exec.h"
#include "homes.h"
#include "rawcall.h"
#include "real.h"
#include "sample.h"
#include "text.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum {
	WINDOWS = 64,
	START_TEXT = 128 << 10, /* of the environment that is looked at */
	NAPS = 4000, /* until a log that another thread makes is given up: half a second */
};

static const uint64_t window_most = 1ull << 30, window_least = 1ull << 20;

enum stage { STAGE_NEW, STAGE_ON, STAGE_OFF };

struct image image;

static struct {
	enum stage stage;
	uint64_t window_bytes;    /* a multiple of TRACK_CHUNK */
	uint64_t mapped[WINDOWS]; /* address of the window, 0 none */
	uint64_t trimmed;         /* where the mapped log ends, when that was cut short */
	uint64_t sealed_end;      /* where the log ends that can be used without system calls */
	volatile uint32_t *mark;  /* in a page that is wiped in a child: 1 in this process */
	uint64_t clock_khz;
	dev_t dev; /* of the log */
	ino_t ino;
	char dir[3072], options[256]; /* as the environment had them */
	char path[3200];              /* of the log */
} local;

static long map_at(uint64_t address, uint64_t bytes, long fd, uint64_t offset)
{
	return rawcall6(SYS_mmap, (long)address, (long)bytes, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_NORESERVE | (address ? MAP_FIXED : 0), fd, (long)offset);
}

/* Not in core dumps, and no reading ahead of the pages behind a hole that is written to. */
static void advise(uint64_t at, uint64_t bytes)
{
	rawcall4(SYS_madvise, (long)at, (long)bytes, MADV_DONTDUMP, 0);
	rawcall4(SYS_madvise, (long)at, (long)bytes, MADV_RANDOM, 0);
}

/* Address space for so many bytes, aligned to a chunk; 0 where there is none. */
static uint64_t reserve(uint64_t bytes)
{
	long p = rawcall6(SYS_mmap, 0, (long)(bytes + TRACK_CHUNK), PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uint64_t at, before;

	if (rawcall_failed(p))
		return 0;
	at = ((uint64_t)p + TRACK_CHUNK - 1) & ~(uint64_t)(TRACK_CHUNK - 1);
	before = at - (uint64_t)p;
	if (before)
		rawcall4(SYS_munmap, p, (long)before, 0, 0);
	rawcall4(SYS_munmap, (long)(at + bytes), (long)(TRACK_CHUNK - before), 0, 0);
	return at;
}

/* Maps the first window of the open log. */
static bool map_first(long fd)
{
	uint64_t bytes = local.window_bytes, at = reserve(bytes);

	if (!at)
		return false;
	if (rawcall_failed(map_at(at, bytes, fd, 0))) {
		rawcall4(SYS_munmap, (long)at, (long)bytes, 0, 0);
		return false;
	}
	advise(at, bytes);
	local.mapped[0] = at;
	return true;
}

/*
 * Maps window w from the mapping of the one before, without a descriptor: mremap() of no bytes of a
 * shared mapping makes another mapping of the same file, of any length. It begins with the last
 * chunk of the old window. Two threads may do it at once: then the address space of one is lost.
 */
static bool add_window(unsigned w)
{
	uint64_t bytes = local.window_bytes, from, at;

	if (image.sealed || !local.mapped[w - 1])
		return false;
	at = reserve(bytes + TRACK_CHUNK);
	if (!at)
		return false;
	from = local.mapped[w - 1] + bytes - TRACK_CHUNK;
	if (rawcall_failed(rawcall6(SYS_mremap, (long)from, 0, (long)(bytes + TRACK_CHUNK),
				    MREMAP_MAYMOVE | MREMAP_FIXED, (long)at, 0))) {
		rawcall4(SYS_munmap, (long)at, (long)(bytes + TRACK_CHUNK), 0, 0);
		return false;
	}
	__atomic_store_n(&local.mapped[w], at + TRACK_CHUNK, __ATOMIC_RELEASE);
	return true;
}

/* fallocate() through the log opened again; only if the descriptor is still the log's: another
 * thread may close what it does not know. */
static bool allocate_by_path(uint64_t offset, uint64_t bytes)
{
	long fd = rawcall4(SYS_openat, AT_FDCWD, (long)local.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW,
			   0);
	struct stat st;
	bool ok;

	if (fd < 0)
		return false;
	ok = !rawcall4(SYS_fstat, fd, (long)&st, 0, 0) && st.st_dev == local.dev &&
	     st.st_ino == local.ino &&
	     !rawcall4(SYS_fallocate, fd, 1 /* FALLOC_FL_KEEP_SIZE */, (long)offset, (long)bytes);
	rawcall4(SYS_close, fd, 0, 0, 0);
	return ok;
}

/* Disk blocks for [at, at + bytes), which is the log from offset on. */
static bool back(uint64_t at, uint64_t offset, uint64_t bytes)
{
	long ret;

	if (image.sealed) /* what was populated before; no call is allowed now */
		return offset + bytes <= local.sealed_end;
	ret = rawcall4(SYS_madvise, (long)at, (long)bytes, MADV_POPULATE_WRITE, 0);
	return ret == -EINVAL ? allocate_by_path(offset, bytes) : ret == 0;
}

void *image_chunk(uint64_t offset)
{
	uint64_t w = offset / local.window_bytes, in = offset % local.window_bytes, at;

	if (w >= WINDOWS)
		return NULL;
	if (in > local.window_bytes / 2 && w + 1 < WINDOWS && !local.mapped[w + 1] &&
	    !local.trimmed)
		add_window((unsigned)w + 1);
	if (!local.mapped[w] && (!w || !add_window((unsigned)w)))
		return NULL;
	if (local.trimmed && offset + TRACK_CHUNK > local.trimmed)
		return NULL;
	at = __atomic_load_n(&local.mapped[w], __ATOMIC_ACQUIRE) + in;
	return back(at, offset, TRACK_CHUNK) ? (void *)at : NULL;
}

void image_trim(void)
{
	uint64_t keep,
		used = image.header ? __atomic_load_n(&image.header->next, __ATOMIC_RELAXED) : 0;
	uint64_t w = used / (local.window_bytes ? local.window_bytes : 1);

	if ((uint32_t)rawcall4(SYS_getpid, 0, 0, 0, 0) != image.pid)
		return; /* a vfork child: the mapping is its parent's */
	if (!used || local.trimmed || w >= WINDOWS || !local.mapped[w])
		return;
	keep = used % local.window_bytes + (8 << 20);
	if (keep >= local.window_bytes)
		return;
	local.trimmed = w * local.window_bytes + keep;
	rawcall4(SYS_munmap, (long)(local.mapped[w] + keep), (long)(local.window_bytes - keep), 0,
		 0);
}

bool image_is_off(void)
{
	return local.stage == STAGE_OFF;
}

void image_seal(void)
{
	uint64_t reserve = 8 << 20, at;

	if (!image.header || image.sealed)
		return;
	at = __atomic_load_n(&image.header->next, __ATOMIC_RELAXED);
	if (at % local.window_bytes + reserve > local.window_bytes)
		reserve = local.window_bytes - at % local.window_bytes;
	if (image_chunk(at) &&
	    back(local.mapped[at / local.window_bytes] + at % local.window_bytes, at, reserve))
		local.sealed_end = at + reserve;
	image.sealed = true;
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

static bool tsc_is_the_clock(void)
{
	char text[16];

	if (text_option_is(local.options, "clock", "tsc"))
		return true;
	if (text_option_is(local.options, "clock", "monotonic"))
		return false;
	text_read_file("/sys/devices/system/clocksource/clocksource0/current_clocksource", text,
		       sizeof(text));
	return !strncmp(text, "tsc", 3);
}

/* Directory and options from the environment, which libc may not have set up yet. */
static bool read_environment(void)
{
	long p = rawcall6(SYS_mmap, 0, START_TEXT, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *dir, *options;
	bool ok = false;
	size_t n = 0;
	long len;

	if (rawcall_failed(p))
		return false;
	len = text_read_file("/proc/self/environ", (char *)p, START_TEXT);
	if (len > 0) {
		dir = text_variable((char *)p, (size_t)len, TRACK_ENV_DIR);
		options = text_variable((char *)p, (size_t)len, TRACK_ENV_OPTIONS);
		ok = dir && dir[0] == '/' && strlen(dir) < sizeof(local.dir);
		if (ok)
			text_add(local.dir, sizeof(local.dir), &n, dir);
		n = 0;
		text_add(local.options, sizeof(local.options), &n, options ? options : "");
	}
	rawcall4(SYS_munmap, p, START_TEXT, 0, 0);
	return ok;
}

/* From /proc/self/stat: pid, parent and start time as this machine's /proc counts them. */
static void read_stat(struct track_header *h)
{
	uint64_t fields[24] = { 0 };
	unsigned n = 3;
	char text[1024];
	char *p;

	h->pid = image.pid;
	if (text_read_file("/proc/self/stat", text, sizeof(text)) <= 0)
		return;
	for (p = text; *p >= '0' && *p <= '9'; p++)
		fields[1] = fields[1] * 10 + (uint64_t)(*p - '0');
	p = strrchr(text, ')'); /* the name before it may hold anything */
	for (p = p ? p + 2 : text + strlen(text); *p && n < 24; p++) {
		if (*p == ' ')
			n++;
		else if (*p >= '0' && *p <= '9' && n < 24)
			fields[n] = fields[n] * 10 + (uint64_t)(*p - '0');
	}
	h->pid = (uint32_t)fields[1];
	h->ppid = (uint32_t)fields[4];
	h->start_ticks = fields[22];
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

/*
 * Makes the file as long as it may become. A soft limit on file sizes is lifted for the moment:
 * only one thread runs, and nothing is written. Returns the length, 0 where none was possible.
 */
static uint64_t extend(long fd)
{
	uint64_t limit[2] = { RLIM_INFINITY, RLIM_INFINITY }, lifted[2], size;
	long ret = -1;

	rawcall4(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)limit);
	lifted[0] = lifted[1] = limit[1];
	if (limit[0] != limit[1])
		rawcall4(SYS_prlimit64, 0, RLIMIT_FSIZE, (long)lifted, 0);
	size = WINDOWS * local.window_bytes;
	if (limit[1] != RLIM_INFINITY && size > limit[1])
		size = limit[1] & ~(uint64_t)(TRACK_CHUNK - 1);
	while (size >= 2 * TRACK_CHUNK) {
		ret = rawcall4(SYS_ftruncate, fd, (long)size, 0, 0);
		if (!ret)
			break;
		size = (size / 2) & ~(uint64_t)(TRACK_CHUNK - 1);
	}
	if (limit[0] != limit[1])
		rawcall4(SYS_prlimit64, 0, RLIMIT_FSIZE, (long)limit, 0);
	return ret ? 0 : size;
}

/* Bytes of address space that a window may take. */
static uint64_t window_size(void)
{
	uint64_t limit[2] = { RLIM_INFINITY, RLIM_INFINITY }, size = window_most;

	rawcall4(SYS_prlimit64, 0, RLIMIT_AS, 0, (long)limit);
	while (limit[0] != RLIM_INFINITY && size > window_least && size > limit[0] / 32)
		size /= 2;
	return size;
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
	struct track_header head;
	struct stat st;
	bool ok = false;
	uint64_t size, bytes = local.window_bytes;
	long fd;

	memset(&head, 0, sizeof(head));
	image.pid = (uint32_t)rawcall4(SYS_getpid, 0, 0, 0, 0);
	read_stat(&head);
	image.foreign_pids = head.pid != image.pid;
	fd = create(&head, &head.sequence);
	if (fd < 0)
		return false;
	if (!rawcall4(SYS_fstat, fd, (long)&st, 0, 0)) {
		local.dev = st.st_dev;
		local.ino = st.st_ino;
	}
	size = extend(fd);
	if (!size)
		goto out;
	if (inherited && local.trimmed && local.trimmed < bytes)
		bytes = local.trimmed;
	ok = inherited ? !rawcall_failed(map_at(local.mapped[0], bytes, fd, 0)) : map_first(fd);
	if (ok && inherited)
		advise(local.mapped[0], bytes);
	if (ok && !back(local.mapped[0], 0, TRACK_HEADER_BYTES)) {
		rawcall6(SYS_mmap, (long)local.mapped[0], (long)bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
		ok = false;
	}
out:
	if (!ok)
		rawcall4(SYS_unlinkat, AT_FDCWD, (long)local.path, 0, 0);
	rawcall4(SYS_close, fd, 0, 0, 0);
	if (ok) {
		image.capacity = size;
		fill_header((struct track_header *)local.mapped[0], &head,
			    inherited ? TRACK_FORKED : 0);
		image.header = (struct track_header *)local.mapped[0];
	}
	return ok;
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

	for (int i = 0; i < NAPS && mark_now() == 2 && !image.sealed; i++)
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
	for (unsigned w = 1; w < WINDOWS; w++)
		if (local.mapped[w]) {
			rawcall4(SYS_munmap, (long)local.mapped[w], (long)local.window_bytes, 0, 0);
			local.mapped[w] = 0;
		}
	if (local.trimmed > local.window_bytes)
		local.trimmed = local.window_bytes;
	if (!make_log(true)) {
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
	image.tsc = tsc_is_the_clock();
	clock_init(image.tsc);
	image.tsc = clock_is_tsc;
	image.shift = image.tsc ? 4 : 2;
	image.min_size = text_option(local.options, "min_size", 0);
	homes_init(local.options);
	sample_init(local.options);
	local.clock_khz = image.tsc ? text_option(local.options, "tsc_khz", 0) : 1000000;
	local.window_bytes = window_size();
	if (!make_log(false))
		return false;
	exec_init(local.dir, local.options);
	stack_init(real_find("_dl_find_object"));
	local.stage = STAGE_ON;
	return true;
}
