/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared_log.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "rawcall.h"
#include "seal.h"
#include "spares.h"
#include "start.h"
#include "window.h"

enum { PAGE = 4096, SMALL = 1 << 20 };

static struct {
	struct track_shared *file; /* the first page; NULL means that the file is not used */
	const char *path;
	struct file_id id;
	uint64_t recording; /* see struct track_shared */
	bool foreign;       /* whether the file belongs to another recording */
	uint64_t slot;      /* address of the slot, kept after fork; 0 means that none was mapped */
	/* offset of the slot in the file; 0 means that this process has no slot */
	uint64_t offset;
	/* number of this image's blocks << 32 | number of claimed chunks in the last block. They
	 * are in one word, so that both change in one atomic operation. */
	uint64_t newest;
	/* chunks up to this address have disk space, so that they can be used without a system
	 * call */
	uint64_t reserved_end;
	uint32_t slot_taken;
	struct block {
		/* address of the block. In a forked child, anonymous memory replaces the parent's
		 * block there until the child maps a block of its own */
		uint64_t at;
		uint64_t offset; /* offset of the block in the file */
	} blocks[TRACK_BLOCKS];
} shared START_STATE;

static struct track_header *header(void)
{
	return (struct track_header *)shared.slot;
}

/* Allocates disk space for the part of the file that is mapped at `at`, so that a full disk is
 * noticed here and not by a signal later. Returns false if that fails. */
static bool back_mapping(uint64_t at, uint64_t offset, uint64_t bytes)
{
	return window_back(shared.path, &shared.id, at, offset, bytes);
}

/* May a slot be mapped at this address? Its chunk must end at a multiple of TRACK_CHUNK, because
 * log_fits() finds the end of a chunk by its address. */
static bool is_place(uint64_t at)
{
	return (at + TRACK_SLOT) % TRACK_CHUNK == 0;
}

/* Creates the shared file, sparse, with TRACK_SHARED_BYTES or as many bytes as the file system
 * permits. Returns its descriptor, or a negative errno. Fails if the process has a limit on file
 * sizes, because exceeding the limit would raise a signal. */
static long create_file(const char *path)
{
	uint64_t limit[2] = { 0, 0 };
	struct track_shared s = { .magic = TRACK_SHARED_MAGIC,
				  .bytes = TRACK_SHARED_BYTES,
				  .next = TRACK_CHUNK,
				  .recording = shared.recording };
	long fd;

	if (rawcall4(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)limit) || limit[0] != RLIM_INFINITY)
		return -EFBIG;
	fd = rawcall4(SYS_openat, AT_FDCWD, (long)path,
		      O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return fd;
	while (s.bytes > TRACK_CHUNK && rawcall4(SYS_ftruncate, fd, (long)s.bytes, 0, 0))
		s.bytes /= 2;
	rawcall4(SYS_pwrite64, fd, (long)&s, sizeof(s), 0);
	return fd;
}

static long open_file(const char *path)
{
	long fd = rawcall4(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0);

	return fd == -ENOENT && !shared.file ? create_file(path) : fd;
}

/* Closes fd if it still refers to the shared file. Programs may close descriptors that they have
 * not opened, so another thread may have closed fd, and the number may belong to another file
 * now. */
static void close_file(long fd)
{
	if (fd >= 0 && window_is_file(fd, &shared.id))
		rawcall4(SYS_close, fd, 0, 0, 0);
}

/* Maps the first page of the file. Returns false if that fails, if the file is not a shared file or
 * is shorter than its first page says, or if it belongs to another recording. */
static bool map_file(const char *path, long fd)
{
	struct track_shared *s;
	long p;

	shared.path = path;
	if (fd < 0 || !window_identify(fd, &shared.id))
		return false;
	p = rawcall6(SYS_mmap, 0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (rawcall_failed(p))
		return false;
	s = (struct track_shared *)p;
	if (window_is_file(fd, &shared.id) && shared.id.bytes >= TRACK_CHUNK &&
	    back_mapping((uint64_t)p, 0, PAGE) &&
	    !memcmp(s->magic, TRACK_SHARED_MAGIC, sizeof(s->magic)) &&
	    s->bytes <= shared.id.bytes) {
		shared.foreign = s->recording != shared.recording;
		if (!shared.foreign) {
			shared.file = s;
			return true;
		}
	}
	rawcall4(SYS_munmap, p, PAGE, 0, 0);
	return false;
}

bool shared_closed(void)
{
	return shared.file && __atomic_load_n(&shared.file->closed, __ATOMIC_RELAXED);
}

uint32_t shared_every(void)
{
	uint64_t every = shared.file ? __atomic_load_n(&shared.file->every, __ATOMIC_RELAXED) : 0;

	return (uint32_t)(every < TRACK_SAMPLE_MOST ? every : TRACK_SAMPLE_MOST);
}

/* Claims this many bytes of the file for a slot, or for a block of chunks. The claimed part begins
 * at a multiple of TRACK_SLOT or TRACK_CHUNK. Returns its offset; 0 if the file is full, or if the
 * recorder has closed the logs. The counter `next` is in a page of the file that the program may
 * have overwritten by mistake, so the result is compared with the length of the file. */
static uint64_t claim_bytes(uint64_t bytes)
{
	uint64_t unit = bytes < TRACK_CHUNK ? TRACK_SLOT : TRACK_CHUNK, at;
	uint64_t old = __atomic_load_n(&shared.file->next, __ATOMIC_RELAXED), end = shared.id.bytes;

	if (shared_closed())
		return 0;
	do {
		at = (old + unit - 1) & ~(unit - 1);
		if (old < TRACK_CHUNK || old > end || bytes > end - at)
			return 0;
	} while (!__atomic_compare_exchange_n(&shared.file->next, &old, at + bytes, false,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return at;
}

/* Undoes the claim of these bytes. Does nothing if another image has claimed bytes after them. */
static void unclaim_bytes(uint64_t offset, uint64_t bytes)
{
	uint64_t end = offset + bytes;

	__atomic_compare_exchange_n(&shared.file->next, &end, offset, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
}

static bool map_open_file(long fd, uint64_t at, uint64_t offset, uint64_t bytes)
{
	return fd >= 0 &&
	       !rawcall_failed(rawcall6(SYS_mmap, (long)at, (long)bytes, PROT_READ | PROT_WRITE,
					MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd,
					(long)offset)) &&
	       window_is_file(fd, &shared.id);
}

/* Finds the mapped part of the file that begins before *offset and nearest to it. Returns its
 * address, and sets *offset to its offset in the file. */
static uint64_t mapped_before(uint64_t *offset)
{
	uint64_t at = (uint64_t)shared.file, nearest = 0;
	uint32_t blocks = (uint32_t)(shared.newest >> 32);

	if (shared.offset && shared.offset < *offset) {
		at = shared.slot;
		nearest = shared.offset;
	}
	for (uint32_t i = 0; shared.offset && i < blocks; i++) {
		const struct block *b = &shared.blocks[i];

		if (b->offset > nearest && b->offset < *offset) {
			at = b->at;
			nearest = b->offset;
		}
	}
	*offset = nearest;
	return at;
}

/* Maps a part of the file without a descriptor: if mremap() moves zero bytes of a shared mapping,
 * it creates another mapping of the same file, of arbitrary length. The new mapping covers the file
 * from the start of the old mapping to the end of the wanted part. Then everything before the
 * wanted part is unmapped. First the old mapping is unlocked (munlock), because mremap() would make
 * all pages of locked memory present. Returns false if the part cannot be mapped. */
static bool map_from_mapped(uint64_t at, uint64_t offset, uint64_t bytes)
{
	uint64_t begin = offset, from = mapped_before(&begin), before = offset - begin;
	long p;

	rawcall4(SYS_munlock, (long)from, PAGE, 0, 0);
	p = rawcall6(SYS_mremap, (long)from, 0, (long)(before + bytes), MREMAP_MAYMOVE, 0, 0);
	if (rawcall_failed(p))
		return false;
	if (before)
		rawcall4(SYS_munmap, p, (long)before, 0, 0);
	p += (long)before;
	if (rawcall_failed(rawcall6(SYS_mremap, p, (long)bytes, (long)bytes,
				    MREMAP_MAYMOVE | MREMAP_FIXED, (long)at, 0))) {
		rawcall4(SYS_munmap, p, (long)bytes, 0, 0);
		return false;
	}
	rawcall_unmapped((uint64_t)p, bytes);
	return true;
}

/* Maps a part of the file at `at`, where the tracker has another mapping already. If fd does not
 * lead to the file, maps from an existing mapping. A slot may be in core dumps: it is small, and
 * another call would cost more. Returns false if the part cannot be mapped. */
static bool map_part(long fd, uint64_t at, uint64_t offset, uint64_t bytes)
{
	if (!map_open_file(fd, at, offset, bytes) && !map_from_mapped(at, offset, bytes))
		return false;
	if (bytes > TRACK_SLOT)
		rawcall4(SYS_madvise, (long)at, (long)bytes, MADV_DONTDUMP, 0);
	return true;
}

/* Maps a slot just below `near`, where addresses are usually free; otherwise anywhere. Returns its
 * address; 0 on failure. */
static uint64_t map_first_slot(long fd, uint64_t offset, uint64_t near)
{
	uint64_t wish = (near & ~(uint64_t)(TRACK_CHUNK - 1)) - TRACK_SLOT;
	long p = rawcall6(SYS_mmap, (long)wish, TRACK_SLOT, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			  (long)offset);

	if (!rawcall_failed(p) && is_place((uint64_t)p) && window_is_file(fd, &shared.id))
		return (uint64_t)p;
	if (!rawcall_failed(p))
		rawcall4(SYS_munmap, p, TRACK_SLOT, 0, 0);
	wish = window_address_space(TRACK_CHUNK);
	if (!wish)
		return 0;
	if (map_part(fd, wish + TRACK_CHUNK - TRACK_SLOT, offset, TRACK_SLOT))
		return wish + TRACK_CHUNK - TRACK_SLOT;
	rawcall4(SYS_munmap, (long)wish, TRACK_CHUNK, 0, 0);
	return 0;
}

static uint64_t map_slot(long fd, uint64_t offset, uint64_t near)
{
	if (!shared.slot)
		shared.slot = map_first_slot(fd, offset, near);
	else if (!map_part(fd, shared.slot, offset, TRACK_SLOT))
		return 0;
	return shared.slot;
}

/* Does the slot with this header belong to nobody else? Two children may have the same promise (see
 * spares.h), and the program may have overwritten the counter `next`, by which slots are claimed.
 */
static bool is_unclaimed(struct track_header *h)
{
	uint32_t nobody = 0;

	return !h->magic[0] &&
	       __atomic_compare_exchange_n(&h->version, &nobody, TRACK_VERSION, false,
					   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Copies the header to a new slot. Returns false if there is no disk space, or if the slot belongs
 * to another image. */
static bool begin_slot(const struct track_header *start, uint64_t offset)
{
	struct track_header *h = header();

	if (!back_mapping(shared.slot, offset, TRACK_SLOT) || !is_unclaimed(h))
		return false;
	memcpy(h->magic + sizeof(h->magic), start->magic + sizeof(h->magic),
	       sizeof(*h) - sizeof(h->magic));
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy(h->magic, start->magic, sizeof(h->magic));
	shared.offset = offset;
	shared.slot_taken = 0;
	return true;
}

bool shared_foreign(void)
{
	return shared.foreign || (shared.file && window_is_other(shared.path, &shared.id));
}

/* Replaces a mapping with anonymous memory, which is shared, because private memory would count for
 * RLIMIT_DATA. But private memory takes half of the time, so it is used for a small mapping if
 * there is no such limit. */
static void map_nothing(uint64_t at, uint64_t bytes)
{
	uint64_t limit[2] = { 0, 0 };
	long kind = MAP_SHARED;

	if (bytes <= SMALL && !rawcall4(SYS_prlimit64, 0, RLIMIT_DATA, 0, (long)limit) &&
	    limit[0] == RLIM_INFINITY)
		kind = MAP_PRIVATE;
	rawcall6(SYS_mmap, (long)at, (long)bytes, PROT_READ | PROT_WRITE,
		 kind | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* Begins a log in the slot that the parent has promised to this child. Returns false if there is
 * none. */
static bool begin_promised(const struct track_header *start)
{
	uint64_t offset = shared.slot && !shared_closed() ? spares_take(shared.slot) : 0;

	return offset && begin_slot(start, offset);
}

struct track_header *shared_open(const char *path, uint64_t recording,
				 const struct track_header *start, uint64_t near)
{
	uint64_t offset = 0, parents = shared.offset;
	bool ok = false;
	long fd;

	if (TRACK_SLOT % start->page_bytes)
		return NULL;
	shared.offset = 0;
	shared.recording = recording;
	if (begin_promised(start))
		return header();
	fd = open_file(path);
	if (shared.file ? back_mapping((uint64_t)shared.file, 0, PAGE) : map_file(path, fd))
		offset = claim_bytes(TRACK_SLOT);
	if (offset) {
		ok = map_slot(fd, offset, near) && begin_slot(start, offset);
		if (!ok)
			unclaim_bytes(offset, TRACK_SLOT);
	}
	/* a child without a log counts itself in the header of its parent, where its own slot may
	 * be mapped by now, without disk space */
	if (!ok && parents && !map_part(fd, shared.slot, parents, TRACK_SLOT))
		map_nothing(shared.slot, TRACK_SLOT);
	close_file(fd);
	return ok ? header() : NULL;
}

uint64_t shared_slot(void)
{
	return shared.offset ? shared.offset / TRACK_SLOT + 1 : 0;
}

static struct track_chunk *slot_chunk(void)
{
	return (struct track_chunk *)(shared.slot + TRACK_SLOT_HEADER);
}

/* Returns the number of chunks for which the newest block has room. `newest` is a value of
 * shared.newest. */
static uint64_t block_chunks(uint64_t newest)
{
	return newest >> 32 ? track_block_bytes((unsigned)(newest >> 32) - 1) / TRACK_CHUNK : 0;
}

static bool is_spent(uint64_t newest)
{
	return (uint32_t)newest >= block_chunks(newest);
}

bool shared_has_room(void)
{
	return !is_spent(__atomic_load_n(&shared.newest, __ATOMIC_ACQUIRE));
}

static struct track_chunk *take_of_block(void)
{
	uint64_t newest = __atomic_load_n(&shared.newest, __ATOMIC_ACQUIRE), in, at;
	const struct block *b;

	do {
		if (is_spent(newest))
			return NULL;
	} while (!__atomic_compare_exchange_n(&shared.newest, &newest, newest + 1, false,
					      __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE));
	b = &shared.blocks[(newest >> 32) - 1];
	in = (uint64_t)(uint32_t)newest * TRACK_CHUNK;
	at = b->at + in;
	if (at + TRACK_CHUNK <= shared.reserved_end)
		return (struct track_chunk *)at;
	return !seal_notice() && back_mapping(at, b->offset + in, TRACK_CHUNK)
		       ? (struct track_chunk *)at
		       : NULL;
}

struct track_chunk *shared_take(void)
{
	if (!shared.offset)
		return NULL;
	return __atomic_exchange_n(&shared.slot_taken, 1, __ATOMIC_RELAXED) ? take_of_block()
									    : slot_chunk();
}

/* Maps block b, which this log has claimed in the file, in place of the mapping at b->at, or
 * anywhere if there is none. Returns false if it cannot be mapped. */
static bool map_block(struct block *b, uint64_t bytes)
{
	long fd;
	bool ok;

	if (!b->at)
		b->at = window_address_space(bytes);
	if (!b->at)
		return false;
	fd = open_file(shared.path);
	ok = map_part(fd, b->at, b->offset, bytes);
	close_file(fd);
	return ok;
}

uint64_t shared_map_range(uint64_t *at, uint64_t bytes)
{
	struct block b = { *at, 0 };
	bool ok;

	if (back_mapping((uint64_t)shared.file, 0, PAGE))
		b.offset = claim_bytes(bytes);
	ok = b.offset && map_block(&b, bytes);
	if (b.offset && !ok)
		unclaim_bytes(b.offset, bytes);
	*at = b.at;
	return ok ? b.offset : 0;
}

bool shared_grow(void)
{
	uint32_t number = (uint32_t)(shared.newest >> 32);
	uint64_t bytes = track_block_bytes(number);
	struct block *b = &shared.blocks[number];

	if (!shared.offset || number >= TRACK_BLOCKS ||
	    !back_mapping((uint64_t)shared.file, 0, PAGE))
		return false;
	b->offset = claim_bytes(bytes);
	if (!b->offset)
		return false;
	if (!map_block(b, bytes) || !back_mapping(b->at, b->offset, TRACK_CHUNK)) {
		unclaim_bytes(b->offset, bytes);
		return false;
	}
	__atomic_store_n(&header()->blocks[number], (uint32_t)(b->offset / TRACK_CHUNK),
			 __ATOMIC_RELEASE);
	__atomic_store_n(&shared.newest, (uint64_t)(number + 1) << 32, __ATOMIC_RELEASE);
	return true;
}

bool shared_reserve(void)
{
	uint64_t newest = __atomic_load_n(&shared.newest, __ATOMIC_ACQUIRE);
	uint64_t in = (uint64_t)(uint32_t)newest * TRACK_CHUNK;
	const struct block *b = &shared.blocks[(newest >> 32) - 1];
	uint64_t bytes = block_chunks(newest) * TRACK_CHUNK;

	if (is_spent(newest) || !back_mapping(b->at + in, b->offset + in, bytes - in))
		return false;
	shared.reserved_end = b->at + bytes;
	return true;
}

struct track_chunk *shared_slot_chunk_at(uint64_t pos)
{
	return shared.slot && pos - shared.slot <= TRACK_SLOT ? slot_chunk() : NULL;
}

void shared_forget_blocks(void)
{
	uint32_t n = (uint32_t)(shared.newest >> 32);

	for (uint32_t i = 0; i < n; i++)
		map_nothing(shared.blocks[i].at, track_block_bytes(i));
	shared.newest = 0;
	shared.reserved_end = 0;
}

void shared_forget_slot(void)
{
	if (shared.slot)
		map_nothing(shared.slot, TRACK_SLOT);
	shared.offset = 0;
}
