/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracklog/internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *tl_function_name(enum tl_function f)
{
	static const char *const names[TL_FUNCTIONS] = {
		[TL_FN_NONE] = "none",
		[TL_FN_MALLOC] = "malloc",
		[TL_FN_CALLOC] = "calloc",
		[TL_FN_REALLOC] = "realloc",
		[TL_FN_REALLOCARRAY] = "reallocarray",
		[TL_FN_MEMALIGN] = "memalign",
		[TL_FN_POSIX_MEMALIGN] = "posix_memalign",
		[TL_FN_ALIGNED_ALLOC] = "aligned_alloc",
		[TL_FN_VALLOC] = "valloc",
		[TL_FN_PVALLOC] = "pvalloc",
		[TL_FN_FREE] = "free",
		[TL_FN_NEW] = "new",
		[TL_FN_DELETE] = "delete",
		[TL_FN_MMAP] = "mmap",
		[TL_FN_MUNMAP] = "munmap",
		[TL_FN_MREMAP] = "mremap",
		[TL_FN_BRK] = "brk",
		[TL_FN_SHMAT] = "shmat",
		[TL_FN_SHMDT] = "shmdt",
		[TL_FN_MBIND] = "mbind",
		[TL_FN_SET_MEMPOLICY] = "set_mempolicy",
		[TL_FN_MIGRATE_PAGES] = "migrate_pages",
		[TL_FN_MOVE_PAGES] = "move_pages",
		[TL_FN_MADVISE] = "madvise",
		[TL_FN_SCHED_SETAFFINITY] = "sched_setaffinity",
		[TL_FN_PTHREAD_SETAFFINITY] = "pthread_setaffinity_np",
		[TL_FN_PTHREAD_SETNAME] = "pthread_setname_np",
		[TL_FN_THREAD_START] = "thread start",
	};

	return (unsigned)f < TL_FUNCTIONS ? names[f] : "unknown";
}

/* A string of the header, possibly not terminated. */
static const char *copy_text(char *to, const char *from, size_t cap)
{
	memcpy(to, from, cap);
	to[cap - 1] = 0;
	return to;
}

static int read_header(struct tl_log *l, struct md_err *err)
{
	struct cursor c = cursor_make(l->buf, l->len, false);
	const void *p = cursor_bytes(&c, sizeof(struct track_header));
	struct track_header h;

	if (!p || memcmp(p, TRACK_MAGIC, sizeof(h.magic)))
		return md_fail(err, MD_EFORMAT, "not a tracker log");
	memcpy(&h, p, sizeof(h));
	if (h.version < TRACK_VERSION_FIRST || h.version > TRACK_VERSION)
		return md_fail(err, MD_ENOTSUP,
			       "a tracker log of version %" PRIu32 ", this memdb reads %d to %d",
			       h.version, TRACK_VERSION_FIRST, TRACK_VERSION);
	if (h.header_bytes != TRACK_HEADER_BYTES || h.chunk_bytes != TRACK_CHUNK || h.shift > 32)
		return md_fail(err, MD_EFORMAT, "a tracker log with a damaged header");
	l->cookie = h.cookie;
	l->shift = h.shift;
	l->tsc = h.clock == TRACK_CLOCK_TSC;
	l->tick_khz = h.tick_khz;
	l->pair_ticks = h.start_ticks_clock;
	l->pair_ns = h.start_ns;
	l->info = (struct tl_info){ .pid = h.pid,
				    .ppid = h.ppid,
				    .start_ns = h.start_ns,
				    .sequence = h.sequence,
				    .exe = copy_text(l->exe, h.exe, sizeof(l->exe)),
				    .command = copy_text(l->command, h.command, sizeof(l->command)),
				    .min_size = h.min_size,
				    .sample_bytes = h.sample_bytes,
				    .sample_every = h.sample_every,
				    .page_bytes = h.page_bytes,
				    .forked = h.flags & TRACK_FORKED };
	l->start = (struct tl_moment){ .ticks = h.start_ticks_clock,
				       .monotonic = h.start_ns,
				       .monotonic_raw = h.start_raw_ns,
				       .boottime = h.start_boottime_ns,
				       .realtime = h.start_realtime_ns };
	l->losses.lost_events = h.lost_events;
	l->losses.lost_children = h.lost_children;
	if (h.next >= TRACK_CHUNK && h.next < l->len)
		l->len = h.next; /* nothing after this was ever started */
	return 0;
}

static int open_log(struct tl_log *l, int fd, struct md_err *err)
{
	int ret = read_header(l, err);

	if (!ret)
		ret = tl_directory(l, fd, err);
	if (ret)
		return ret;
	tl_clock_init(l);
	l->id_budget = l->len / 4 + (1 << 20);
	return 0;
}

static int open_image(const void *buf, size_t len, int fd, struct tl_log **out, struct md_err *err)
{
	struct tl_log *l = calloc(1, sizeof(*l));
	int ret;

	*out = NULL;
	if (!l)
		return md_nomem(err);
	l->file.fd = -1;
	l->buf = buf;
	l->len = len;
	ret = open_log(l, fd, err);
	if (ret)
		tl_close(l);
	else
		*out = l;
	return ret;
}

int tl_open_mem(const void *buf, size_t len, struct tl_log **out, struct md_err *err)
{
	return open_image(buf, len, -1, out, err);
}

/* How much of the file to map: it is sparse and may be far longer than its used part. */
static uint64_t used_bytes(int fd, uint64_t size)
{
	uint64_t next = 0;

	if (pread(fd, &next, sizeof(next), offsetof(struct track_header, next)) != sizeof(next))
		return size;
	return next >= TRACK_CHUNK && next < size ? next : size;
}

int tl_open_path(const char *path, struct tl_log **out, struct md_err *err)
{
	struct mapfile f;
	int ret = mapfile_open(path, "tracker log", used_bytes, &f, err);

	*out = NULL;
	if (!ret) {
		ret = open_image(f.bytes, f.len, f.fd, out, err);
		if (ret)
			md_wrap(err, "cannot read '%s'", path);
	}
	if (ret) {
		mapfile_close(&f);
		return ret;
	}
	mapfile_keep(&f);
	(*out)->file = f;
	return 0;
}

void tl_close(struct tl_log *l)
{
	if (!l)
		return;
	for (uint32_t i = 0; i < l->nstreams; i++)
		free(l->streams[i].node_ids);
	mapfile_close(&l->file);
	free(l->chunks);
	free(l->streams);
	free(l->heap.at);
	free(l->nodes);
	free(l->pcs);
	free(l->shared);
	free(l);
}

const struct tl_info *tl_info(const struct tl_log *l)
{
	return &l->info;
}

const struct tl_losses *tl_losses(const struct tl_log *l)
{
	return &l->losses;
}

uint64_t tl_size(const struct tl_log *l)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < l->nchunks; i++) {
		uint64_t left = l->len - l->chunks[i].offset;

		bytes += left < TRACK_CHUNK ? left : TRACK_CHUNK;
	}
	return bytes;
}

uint64_t tl_position(const struct tl_log *l)
{
	return l->passed;
}
