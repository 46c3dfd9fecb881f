/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracklog/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"

const char *tl_function_name(enum tl_function f)
{
	static const char *const names[] = {
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
	ASSERT_NAMES(names, TL_FUNCTIONS - 1);

	return (unsigned)f < TL_FUNCTIONS ? names[f] : "unknown";
}

/* Copies a string of the header. In a damaged log it may lack its NUL. */
static void copy_text(char *to, const char *from, size_t cap)
{
	memcpy(to, from, cap);
	to[cap - 1] = 0;
}

static void read_texts(struct tl_log *l, const struct track_header *h)
{
	struct cursor c = cursor_make(l->buf, l->len, false);
	const struct track_texts_2 *old = cursor_bytes(&c, sizeof(*old));

	l->info.exe = l->exe;
	l->info.command = l->command;
	if (h->version >= TRACK_VERSION_SHARED) {
		copy_text(l->exe, h->exe, sizeof(h->exe));
		copy_text(l->command, h->command, sizeof(h->command));
	} else if (old) {
		copy_text(l->exe, old->exe, sizeof(old->exe));
		copy_text(l->command, old->command, sizeof(old->command));
	}
}

/* Counts the bytes by which the log's own file is shorter than its used part. `next` may be beyond
 * the file's original size `bytes`, because threads claim a chunk before they check whether the
 * file has room for it. */
static void note_cut(struct tl_log *l, uint64_t next, uint64_t bytes)
{
	const uint64_t used = next < bytes ? next : bytes;

	if (used > l->len)
		tl_damage(l, used - l->len, l->buf + l->len, "the file is cut short");
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
				    .min_size = h.min_size,
				    .sample_bytes = h.sample_bytes,
				    .sample_every = h.sample_every,
				    .page_bytes = h.page_bytes,
				    .slot = h.version >= TRACK_VERSION_SHARED ? h.slot : 0,
				    .forked = h.flags & TRACK_FORKED,
				    .own_heap = h.flags & TRACK_OWN_HEAP };
	read_texts(l, &h);
	l->start = (struct tl_moment){ .ticks = h.start_ticks_clock,
				       .monotonic = h.start_ns,
				       .monotonic_raw = h.start_raw_ns,
				       .boottime = h.start_boottime_ns,
				       .realtime = h.start_realtime_ns };
	l->losses.lost_events = h.lost_events;
	l->losses.lost_children = h.lost_children;
	if (h.next >= TRACK_CHUNK && h.next < l->len)
		l->len = h.next; /* no thread has claimed a chunk after this offset */
	note_cut(l, h.version >= TRACK_VERSION_SHARED ? h.next : 0, h.bytes);
	return 0;
}

/* For a log that began in a slot and continues in a file of its own: adds the losses that the
 * header in the slot counts. The header of the file counts only later losses. */
static void add_slot_losses(struct tl_log *l)
{
	struct track_header h;

	memcpy(&h, l->parts.slot, sizeof(h));
	l->losses.lost_events += h.lost_events;
	l->losses.lost_children += h.lost_children;
}

static int open_log(struct tl_log *l, int fd, struct md_err *err)
{
	int ret = read_header(l, err);

	if (!ret && l->parts.slot && l->parts.slot != l->buf)
		add_slot_losses(l);
	if (!ret)
		ret = tl_directory(l, fd, err);
	if (ret)
		return ret;
	tl_clock_init(l);
	l->id_budget = tl_size(l) / 4 + (1 << 20);
	if (l->parts.missing)
		tl_damage(l, l->parts.missing, l->parts.slot, "a block of the log is missing");
	return 0;
}

/* Opens the log in buf[0..len), which may be parts->slot. Takes ownership of *parts, even if it
 * fails. parts->slot is NULL for a log without a slot. */
static int open_image(const void *buf, size_t len, struct tl_parts *parts, int fd,
		      struct tl_log **out, struct md_err *err)
{
	struct tl_log *l = calloc(1, sizeof(*l));
	int ret;

	*out = NULL;
	if (!l) {
		tl_parts_close(parts);
		return md_nomem(err);
	}
	l->file.fd = -1;
	l->buf = buf;
	l->len = len;
	l->parts = *parts;
	ret = open_log(l, fd, err);
	tl_parts_keep(&l->parts);
	if (ret)
		tl_close(l);
	else
		*out = l;
	return ret;
}

int tl_open_mem(const void *buf, size_t len, struct tl_log **out, struct md_err *err)
{
	struct tl_parts none = { .fd = -1 };

	return open_image(buf, len, &none, -1, out, err);
}

/* Gets the number of the slot if the path is FOLDER/shared.log:NUMBER. Returns false for the
 * path of a file. */
static bool is_slot_path(const char *path, uint64_t *number)
{
	const char *name = strrchr(path, '/'), *digits;
	char *end;

	name = name ? name + 1 : path;
	if (strncmp(name, TRACK_SHARED ":", strlen(TRACK_SHARED ":")) != 0)
		return false;
	digits = name + strlen(TRACK_SHARED ":");
	*number = strtoull(digits, &end, 10);
	return *digits && !*end && *number < INT64_MAX / TRACK_SLOT;
}

static int open_slot(const char *path, uint64_t number, struct tl_log **out, struct md_err *err)
{
	struct tl_parts parts;
	int ret = tl_parts_open(path, number, &parts, err);

	if (ret)
		return ret;
	ret = open_image(parts.slot, TRACK_SLOT, &parts, -1, out, err);
	if (ret)
		return md_wrap(err, "cannot read '%s'", path);
	(*out)->info.slot = number + 1;
	return 0;
}

/* For a log whose own file is f: returns those parts of the log that are in the shared file. Sets
 * *lost if there should be such parts, but they are missing or belong to another log. */
static struct tl_parts parts_of(const char *path, const struct mapfile *f, bool *lost)
{
	struct track_header own, begun;
	struct tl_parts parts = { .fd = -1 };

	*lost = false;
	if (f->len < sizeof(own))
		return parts;
	memcpy(&own, f->bytes, sizeof(own));
	if (memcmp(own.magic, TRACK_MAGIC, sizeof(own.magic)) != 0 ||
	    own.version != TRACK_VERSION || !own.slot)
		return parts;
	*lost = own.slot > INT64_MAX / TRACK_SLOT ||
		tl_parts_open(path, own.slot - 1, &parts, NULL);
	if (*lost)
		return parts;
	memcpy(&begun, parts.slot, sizeof(begun));
	*lost = begun.cookie != own.cookie;
	if (*lost)
		tl_parts_close(&parts);
	return parts;
}

/* Returns how many bytes of a log's file must be mapped. The file is sparse and may be far longer
 * than its used part. */
static uint64_t used_bytes(int fd, uint64_t size)
{
	uint64_t next = 0;

	if (pread(fd, &next, sizeof(next), offsetof(struct track_header, next)) != sizeof(next))
		return size;
	return next >= TRACK_CHUNK && next < size ? next : size;
}

static int open_file(const char *path, struct tl_log **out, struct md_err *err)
{
	struct mapfile f;
	struct tl_parts parts;
	bool lost = false;
	int ret = mapfile_open(path, "tracker log", used_bytes, &f, err);

	if (!ret) {
		parts = parts_of(path, &f, &lost);
		ret = open_image(f.bytes, f.len, &parts, f.fd, out, err);
		if (ret)
			md_wrap(err, "cannot read '%s'", path);
	}
	if (ret) {
		mapfile_close(&f);
		return ret;
	}
	mapfile_keep(&f);
	(*out)->file = f;
	if (lost)
		tl_damage(*out, TRACK_SLOT, (*out)->buf, "its slot of " TRACK_SHARED " is missing");
	return 0;
}

int tl_open_path(const char *path, struct tl_log **out, struct md_err *err)
{
	uint64_t number;

	*out = NULL;
	return is_slot_path(path, &number) ? open_slot(path, number, out, err)
					   : open_file(path, out, err);
}

void tl_close(struct tl_log *l)
{
	if (!l)
		return;
	for (uint32_t i = 0; i < l->nstreams; i++)
		free(l->streams[i].node_ids);
	mapfile_close(&l->file);
	tl_parts_close(&l->parts);
	free(l->chunks);
	free(l->streams);
	free(l->heap.at);
	free(l->nodes);
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

	for (uint32_t i = 0; i < l->nchunks; i++)
		bytes += l->chunks[i].size;
	return bytes;
}

uint64_t tl_position(const struct tl_log *l)
{
	return l->passed;
}
