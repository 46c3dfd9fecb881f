/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "window.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "rawcall.h"
#include "seal.h"
#include "start.h"
#include "tracker.h"

enum {
	WINDOWS = 64,
	/* bytes of chunks that get disk blocks by one call, which is cheaper than a call for each
	 */
	GROUP = 4 * TRACK_CHUNK,
	GROUPS = 16, /* number of groups that are remembered */
	RESERVE = 8 << 20,
	/* bytes; an allocator maps more than it is asked for, glibc's at least 1 MiB if it cannot
	 * extend its heap */
	YIELD_MORE = 1 << 20,
};

static const uint64_t window_most = 1ull << 30, window_least = 1ull << 20;

static struct {
	uint64_t bytes;           /* size of a window, a multiple of TRACK_CHUNK */
	uint64_t mapped[WINDOWS]; /* addresses of the windows; 0 means that there is no window */
	/* after window_trim() or window_yield(), the log stays mapped up to this offset; 0
	 * before */
	uint64_t trimmed;
	/* offset up to which window_reserve() has allocated disk space, so that the log can be used
	 * without system calls */
	uint64_t sealed_end;
	/* groups that have disk blocks: group g is in entry g % GROUPS, as g + 1 */
	uint64_t groups[GROUPS];
	const char *path; /* path of the log */
	struct file_id id;
} file START_STATE;

/* Working space for one thread at a time. It is static, because the stack of that thread may be
 * small. */
static struct stat asked START_STATE;

static long map_at(uint64_t address, uint64_t bytes, long fd, uint64_t offset)
{
	return rawcall6(SYS_mmap, (long)address, (long)bytes, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_NORESERVE | (address ? MAP_FIXED : 0), fd, (long)offset);
}

/* Tells the kernel to leave the log out of core dumps, and not to read ahead. */
static void advise_kernel(uint64_t at, uint64_t bytes)
{
	rawcall4(SYS_madvise, (long)at, (long)bytes, MADV_DONTDUMP, 0);
	rawcall4(SYS_madvise, (long)at, (long)bytes, MADV_RANDOM, 0);
}

uint64_t window_address_space(uint64_t bytes)
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

/* Maps the first window of the open log. Returns false if that fails. */
static bool map_first(long fd)
{
	uint64_t bytes = file.bytes, at = window_address_space(bytes);

	if (!at)
		return false;
	if (rawcall_failed(map_at(at, bytes, fd, 0))) {
		rawcall4(SYS_munmap, (long)at, (long)bytes, 0, 0);
		return false;
	}
	advise_kernel(at, bytes);
	file.mapped[0] = at;
	return true;
}

/* Maps window w from the mapping of the previous window, without a descriptor: if mremap() moves
 * zero bytes of a shared mapping, it creates another mapping of the same file, of arbitrary length.
 * The new mapping begins with the last chunk of the previous window. If two threads do this at the
 * same time, the address space of one mapping is lost. Returns false if the window cannot be
 * mapped. */
static bool add_window(unsigned w)
{
	uint64_t bytes = file.bytes, from, at;

	if (!file.mapped[w - 1])
		return false;
	at = window_address_space(bytes + TRACK_CHUNK);
	if (!at)
		return false;
	from = file.mapped[w - 1] + bytes - TRACK_CHUNK;
	if (rawcall_failed(rawcall6(SYS_mremap, (long)from, 0, (long)(bytes + TRACK_CHUNK),
				    MREMAP_MAYMOVE | MREMAP_FIXED, (long)at, 0))) {
		rawcall4(SYS_munmap, (long)at, (long)(bytes + TRACK_CHUNK), 0, 0);
		return false;
	}
	__atomic_store_n(&file.mapped[w], at + TRACK_CHUNK, __ATOMIC_RELEASE);
	return true;
}

static bool is_same(long fd, struct stat *st, const struct file_id *id)
{
	return !rawcall4(SYS_fstat, fd, (long)st, 0, 0) && st->st_dev == id->dev &&
	       st->st_ino == id->ino;
}

bool window_identify(long fd, struct file_id *id)
{
	if (rawcall4(SYS_fstat, fd, (long)&asked, 0, 0))
		return false;
	*id = (struct file_id){ asked.st_dev, asked.st_ino, (uint64_t)asked.st_size };
	return true;
}

bool window_is_file(long fd, const struct file_id *id)
{
	return is_same(fd, &asked, id);
}

bool window_is_other(const char *path, const struct file_id *id)
{
	return !rawcall4(SYS_newfstatat, AT_FDCWD, (long)path, (long)&asked, AT_SYMLINK_NOFOLLOW) &&
	       (asked.st_dev != id->dev || asked.st_ino != id->ino);
}

/* Opens the file again and calls fallocate() on it. Returns 0 or a negative errno. */
static long allocate_by_path(const char *path, const struct file_id *id, uint64_t offset,
			     uint64_t bytes)
{
	long fd = rawcall4(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
	struct stat st;
	long ret = -EBADF;

	if (fd < 0)
		return fd;
	if (is_same(fd, &st, id))
		ret = rawcall4(SYS_fallocate, fd, 1 /* FALLOC_FL_KEEP_SIZE */, (long)offset,
			       (long)bytes);
	rawcall4(SYS_close, fd, 0, 0, 0);
	return ret;
}

/* Does madvise() do nothing and report success? It does in QEMU's user-mode emulation, also for
 * advice that does not exist. */
static bool is_advice_ignored(uint64_t at, uint64_t bytes)
{
	enum { UNKNOWN, FOLLOWED, IGNORED, NO_ADVICE = 0x7fff };
	static uint8_t known;
	uint8_t now = __atomic_load_n(&known, __ATOMIC_RELAXED);

	if (now == UNKNOWN) {
		now = rawcall4(SYS_madvise, (long)at, (long)bytes, NO_ADVICE, 0) ? FOLLOWED
										 : IGNORED;
		__atomic_store_n(&known, now, __ATOMIC_RELAXED);
	}
	return now == IGNORED;
}

bool window_back(const char *path, const struct file_id *id, uint64_t at, uint64_t offset,
		 uint64_t bytes)
{
	long ret = rawcall4(SYS_madvise, (long)at, (long)bytes, MADV_POPULATE_WRITE, 0);

	if (ret == -EINVAL)
		return !allocate_by_path(path, id, offset, bytes);
	if (ret || !is_advice_ignored(at, bytes))
		return !ret;
	/* if the path is unknown, as after chroot(), nothing shows whether the disk is full */
	ret = allocate_by_path(path, id, offset, bytes);
	return ret != -ENOSPC && ret != -EDQUOT && ret != -EFBIG;
}

/* Allocates disk blocks for the addresses [at, at + bytes), at which the log is mapped from its
 * byte `offset` on. Returns false if that fails. */
static bool back_range(uint64_t at, uint64_t offset, uint64_t bytes)
{
	/* In a sealed process, only the part that window_reserve() has prepared can be used. */
	if (offset + bytes <= file.sealed_end)
		return true;
	return !seal_notice() && window_back(file.path, &file.id, at, offset, bytes);
}

/* Allocates disk blocks for the chunk at this offset, which is mapped at `at`. The thread that has
 * claimed the first chunk of a group does so for all of them, if the log is mapped up to the
 * group's end (`end` is where the mapping ends). No thread waits for that: until it is done, each
 * allocates the blocks of its own chunk. */
static bool back_chunk(uint64_t at, uint64_t offset, uint64_t end)
{
	uint64_t group = offset / GROUP, *known = &file.groups[group % GROUPS];

	if (__atomic_load_n(known, __ATOMIC_ACQUIRE) == group + 1)
		return true;
	if (offset % GROUP == 0 && offset + GROUP <= end && back_range(at, offset, GROUP)) {
		__atomic_store_n(known, group + 1, __ATOMIC_RELEASE);
		return true;
	}
	return back_range(at, offset, TRACK_CHUNK);
}

void *window_chunk(uint64_t offset)
{
	uint64_t w = offset / file.bytes, in = offset % file.bytes, at, trimmed;

	if (w >= WINDOWS)
		return NULL;
	trimmed = __atomic_load_n(&file.trimmed, __ATOMIC_SEQ_CST);
	if (in > file.bytes / 2 && w + 1 < WINDOWS && !file.mapped[w + 1] && !trimmed)
		add_window((unsigned)w + 1);
	if (!file.mapped[w] && (!w || !add_window((unsigned)w)))
		return NULL;
	if (trimmed && offset + TRACK_CHUNK > trimmed)
		return NULL;
	at = __atomic_load_n(&file.mapped[w], __ATOMIC_ACQUIRE) + in;
	/* A group never spans two windows, whose sizes are multiples of GROUP. */
	return back_chunk(at, offset, trimmed ? trimmed : UINT64_MAX) ? (void *)at : NULL;
}

/* Returns the offset at which the mapping of window w ends, if `trimmed` is the value of
 * file.trimmed. */
static uint64_t window_end(unsigned w, uint64_t trimmed)
{
	uint64_t begin = w * file.bytes, end = begin + file.bytes;

	if (!file.mapped[w] || (trimmed && trimmed < begin))
		return begin;
	return trimmed && trimmed < end ? trimmed : end;
}

static uint64_t mapped_end(void)
{
	unsigned w = WINDOWS - 1;

	while (w && window_end(w, file.trimmed) == w * file.bytes)
		w--;
	return window_end(w, file.trimmed);
}

static void unmap_window(unsigned w, uint64_t from, uint64_t end)
{
	uint64_t begin = w * file.bytes;

	from = from > begin ? from : begin;
	if (from < end)
		rawcall4(SYS_munmap, (long)(file.mapped[w] + from - begin), (long)(end - from), 0,
			 0);
}

/* Unmaps the log from offset `to` on. Chunks that were claimed before stay mapped: every thread
 * that has claimed one either reads the new value of file.trimmed, or has changed image.log->next
 * before it is read here. Returns false if a chunk beyond `to` is claimed; then nothing changes. */
static bool cut_mapping(uint64_t to)
{
	uint64_t was = file.trimmed;

	__atomic_store_n(&file.trimmed, to, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&image.log->next, __ATOMIC_SEQ_CST) > to) {
		__atomic_store_n(&file.trimmed, was, __ATOMIC_SEQ_CST);
		return false;
	}
	for (unsigned w = 0; w < WINDOWS; w++)
		unmap_window(w, to, window_end(w, was));
	return true;
}

void window_trim(void)
{
	uint64_t used = image.log ? __atomic_load_n(&image.log->next, __ATOMIC_RELAXED) : 0;

	if (image_is_parents())
		return;
	if (used && !file.trimmed && used + RESERVE < mapped_end())
		cut_mapping(used + RESERVE);
}

bool window_yield(uint64_t bytes)
{
	static uint32_t yielding;
	uint64_t limit[2] = { RLIM_INFINITY, RLIM_INFINITY }, used, end;
	const uint64_t more = YIELD_MORE + TRACK_CHUNK - bytes % TRACK_CHUNK;
	bool done = false;

	if (!__atomic_load_n(&image.log, __ATOMIC_ACQUIRE) || bytes > window_most)
		return false;
	rawcall4(SYS_prlimit64, 0, RLIMIT_AS, 0, (long)limit);
	if (limit[0] == RLIM_INFINITY)
		return false;
	if (__atomic_exchange_n(&yielding, 1, __ATOMIC_ACQUIRE))
		return true; /* another thread makes room now */
	used = __atomic_load_n(&image.log->next, __ATOMIC_RELAXED);
	end = mapped_end();
	/* If there is only a little more than `bytes`, all of it may still be enough. */
	if (end >= used + bytes)
		done = cut_mapping(end >= used + bytes + more ? end - bytes - more : used);
	__atomic_store_n(&yielding, 0, __ATOMIC_RELEASE);
	return done;
}

void window_reserve(void)
{
	uint64_t at = __atomic_load_n(&image.log->next, __ATOMIC_RELAXED), bytes = RESERVE;

	/* Nothing to do if at least half of the disk space that an earlier call has reserved is
	 * unused. */
	if (at + RESERVE / 2 <= file.sealed_end)
		return;
	if (at % file.bytes + bytes > file.bytes)
		bytes = file.bytes - at % file.bytes;
	if (window_chunk(at) &&
	    back_range(file.mapped[at / file.bytes] + at % file.bytes, at, bytes))
		file.sealed_end = at + bytes;
}

/* Extends the file to its maximal length. Raises a limit on file sizes during the call, which is
 * harmless: the file is sparse, so its length uses no disk space. Returns the length; 0 on
 * failure. */
static uint64_t extend_file(const char *path)
{
	uint64_t limit[2] = { RLIM_INFINITY, RLIM_INFINITY };
	uint64_t lifted[2] = { RLIM_INFINITY, RLIM_INFINITY }, size;
	long ret = -1;

	rawcall4(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)limit);
	if (limit[0] != RLIM_INFINITY &&
	    rawcall4(SYS_prlimit64, 0, RLIMIT_FSIZE, (long)lifted, 0)) {
		/* without privileges the soft limit can be raised only up to the hard limit */
		lifted[0] = lifted[1] = limit[1];
		rawcall4(SYS_prlimit64, 0, RLIMIT_FSIZE, (long)lifted, 0);
	}
	size = WINDOWS * file.bytes;
	if (size > lifted[1])
		size = lifted[1] & ~(uint64_t)(TRACK_CHUNK - 1);
	while (size >= 2 * TRACK_CHUNK) {
		ret = rawcall4(SYS_truncate, (long)path, (long)size, 0, 0);
		if (!ret)
			break;
		size = (size / 2) & ~(uint64_t)(TRACK_CHUNK - 1);
	}
	if (limit[0] != RLIM_INFINITY)
		rawcall4(SYS_prlimit64, 0, RLIMIT_FSIZE, (long)limit, 0);
	return ret ? 0 : size;
}

void window_init(void)
{
	uint64_t limit[2] = { RLIM_INFINITY, RLIM_INFINITY };

	if (file.bytes)
		return;
	file.bytes = window_most;
	rawcall4(SYS_prlimit64, 0, RLIMIT_AS, 0, (long)limit);
	while (limit[0] != RLIM_INFINITY && file.bytes > window_least && file.bytes > limit[0] / 32)
		file.bytes /= 2;
}

/* For a forked child: maps the first window of its log where the parent's was, with the same
 * length. Returns false if that fails. */
static bool map_again(long fd)
{
	uint64_t bytes = window_end(0, file.trimmed);

	if (rawcall_failed(map_at(file.mapped[0], bytes, fd, 0)))
		return false;
	advise_kernel(file.mapped[0], bytes);
	return true;
}

void window_forget_first(void)
{
	if (file.mapped[0])
		rawcall6(SYS_mmap, (long)file.mapped[0], (long)window_end(0, file.trimmed),
			 PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* Maps the log. Returns false if that fails, or if fd does not refer to the log. */
static bool map_log(long fd)
{
	if (!(file.mapped[0] ? map_again(fd) : map_first(fd)))
		return false;
	if (window_is_file(fd, &file.id) && back_range(file.mapped[0], 0, TRACK_HEADER_BYTES))
		return true;
	window_forget_first();
	return false;
}

void *window_open(long fd, const char *path, uint64_t *capacity)
{
	bool ok;

	file.path = path;
	file.sealed_end = 0;
	for (unsigned i = 0; i < GROUPS; i++)
		file.groups[i] = 0;
	ok = !rawcall4(SYS_newfstatat, AT_FDCWD, (long)path, (long)&asked, AT_SYMLINK_NOFOLLOW);
	file.id = ok ? (struct file_id){ .dev = asked.st_dev, .ino = asked.st_ino }
		     : (struct file_id){ 0 };
	*capacity = ok ? extend_file(path) : 0;
	ok = *capacity && map_log(fd);
	if (!file.id.ino || window_is_file(fd, &file.id))
		rawcall4(SYS_close, fd, 0, 0, 0);
	return ok ? (void *)file.mapped[0] : NULL;
}

void window_forget(void)
{
	for (unsigned w = 1; w < WINDOWS; w++)
		if (file.mapped[w]) {
			unmap_window(w, 0, window_end(w, file.trimmed));
			file.mapped[w] = 0;
		}
	if (file.trimmed > file.bytes)
		file.trimmed = file.bytes;
}
