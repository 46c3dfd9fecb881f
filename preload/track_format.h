/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log of one process image, as the tracker writes it and the importer reads it. The recorder's
 * side of the contract (environment, file names) is in docs/capture-format.md.
 *
 * A log begins in a slot of the file TRACK_SHARED, which all images share: the header and one short
 * chunk, TRACK_SLOT bytes at a multiple of that. Most processes of a shell script need no more. An
 * image that does gets blocks of the same file, which the header in the slot lists, and, where it
 * has much to say, a file of its own, whose header repeats the one of the slot and names the slot.
 *
 * The shared file begins with struct track_shared and is sparse: slots and blocks are handed out by
 * an atomic add on its `next`, and zero where nobody wrote. Blocks are arrays of chunks.
 *
 * The log's own file is sparse and mapped shared. It begins with struct track_header in chunk
 * number 0; every further chunk is TRACK_CHUNK bytes, starts at a multiple of that, and belongs to
 * one stream: the records of one thread, and after its end of the thread that took over its place.
 * Chunks are handed out by an atomic add on header.next, so all below it are chunks or were never
 * begun.
 *
 * A chunk is struct track_chunk and then records of 8-byte words in the machine's byte order. The
 * top four bits of a record's first word are its type. A word of zero bytes, and a word of type
 * TRACK_BODY, in the place of a first word is room that was reserved and not written (the thread
 * was killed, or left by longjmp): a reader steps over it word by word. Room is reserved and filled
 * so that a signal handler may log in the middle of it, and the first word of a record is written
 * last, so whatever stands in the file can be read at any time.
 *
 * Times are ticks of the clock that the header names. The short records have 16 bits of time: ticks
 * >> header.shift after the last TRACK_TIME or TRACK_LONG/TRACK_PAIR of the chunk, which a
 * chunk always has before its first short record.
 */
#ifndef MEMDB_PRELOAD_TRACK_FORMAT_H
#define MEMDB_PRELOAD_TRACK_FORMAT_H

#include <stdint.h>

#define TRACK_ENV_DIR     "MEMDB_TRACK_DIR"     /* absolute path of an existing directory */
#define TRACK_ENV_OPTIONS "MEMDB_TRACK_OPTIONS" /* "name=value,…", see docs/capture-format.md */
#define TRACK_LIBRARY     "libmemdb-track.so"
#define TRACK_SHARED      "shared.log" /* in the directory: what logs share */

/* How the names of the loaders begin that can load it: glibc's has several names, musl's one. */
#define TRACK_LOADERS "ld-linux", "ld-musl-", "ld-2.", "ld-lsb", "ld.so", "ld64.so"

#define TRACK_MAGIC        "MEMDBTRK"
#define TRACK_SHARED_MAGIC "MEMDBSHR"

enum {
	TRACK_VERSION = 3,
	TRACK_VERSION_FIRST = 1,  /* that a reader still knows: it has no TL_THREAD */
	TRACK_VERSION_SHARED = 3, /* logs begin in TRACK_SHARED; before, texts were longer */
	TRACK_CHUNK = 32 << 10,
	TRACK_HEADER_BYTES = 4096,
	TRACK_SLOT = 8 << 10,           /* of TRACK_SHARED; its first is struct track_shared */
	TRACK_SLOT_HEADER = 2 << 10,    /* its chunk begins here, and ends where the slot does */
	TRACK_CHUNK_MAGIC = 0x4b484344, /* "DCHK" */
	TRACK_BLOCKS = 64,              /* most of one log; see track_block_bytes() */
};

/* What happened. Births and deaths of one address never overlap in time: an end is stamped before
 * the real call, a birth after it. A realloc that succeeds is a TL_DEATH of the old block and a
 * TL_BIRTH of the new one, also where it stays in place. */
enum tl_kind {
	TL_BIRTH = 1, /* a heap block: address, size, function, stack */
	TL_DEATH,     /* of the heap block that starts at address */
	TL_MAP,       /* mmap, mremap, shmat, heap growth: a range of pages begins to exist */
	TL_UNMAP, /* munmap, mremap, shmdt: the range [address, address + size) ends, perhaps in the
		     middle of a mapping */
	TL_POLICY,     /* mbind, set_mempolicy, migrate_pages, move_pages, madvise: see policy */
	TL_AFFINITY,   /* the affinity of thread `subject` changed: see cpus */
	TL_NAME,       /* the name of thread `subject`: see name */
	TL_HOMES,      /* homes of some pages of one block, as the kernel gave them: see homes */
	TL_THREAD_END, /* thread tid ends; not told of every one (main's, a killed one's) */
	TL_END, /* the image ends in an orderly way (exit, quick_exit, _exit or exec): see name */
	TL_THREAD, /* thread tid has its thread pointer at address; see tls */
};

/* What follows a TL_THREAD of the image's first thread: each module (executable or library) that
 * has thread-local variables and has its block of them at a fixed distance from every thread
 * pointer. */
struct track_tls {
	uint64_t code;  /* an address of its first segment */
	uint64_t block; /* address of this thread's block */
	uint64_t bytes, align;
};

/* The interposed functions; the values are those of the table allocation_functions. */
enum tl_function {
	TL_FN_NONE = 0,
	TL_FN_MALLOC = 1,
	TL_FN_CALLOC,
	TL_FN_REALLOC,
	TL_FN_REALLOCARRAY,
	TL_FN_MEMALIGN,
	TL_FN_POSIX_MEMALIGN,
	TL_FN_ALIGNED_ALLOC,
	TL_FN_VALLOC,
	TL_FN_PVALLOC,
	TL_FN_FREE,
	TL_FN_NEW,
	TL_FN_DELETE,
	TL_FN_MMAP,
	TL_FN_MUNMAP,
	TL_FN_MREMAP,
	TL_FN_BRK,
	TL_FN_SHMAT,
	TL_FN_SHMDT,
	TL_FN_MBIND,
	TL_FN_SET_MEMPOLICY,
	TL_FN_MIGRATE_PAGES,
	TL_FN_MOVE_PAGES,
	TL_FN_MADVISE,
	TL_FN_SCHED_SETAFFINITY,
	TL_FN_PTHREAD_SETAFFINITY,
	TL_FN_PTHREAD_SETNAME,
	TL_FN_THREAD_START, /* no call: what a thread began with */
	TL_FUNCTIONS
};

enum track_clock {
	TRACK_CLOCK_TSC = 1,       /* ticks of the time-stamp counter */
	TRACK_CLOCK_MONOTONIC = 2, /* ns of CLOCK_MONOTONIC */
};

enum track_flags {
	TRACK_FORKED = 1, /* began by fork */
};

/* The first bytes of the file. What the tracker writes later is from `next` on. */
struct track_header {
	char magic[8];
	uint32_t version;
	uint32_t header_bytes; /* TRACK_HEADER_BYTES */
	uint32_t chunk_bytes;  /* TRACK_CHUNK */
	uint32_t page_bytes;
	uint64_t cookie; /* every chunk of the file repeats it */
	uint32_t pid, ppid;
	uint64_t start_ticks; /* field 22 of /proc/PID/stat */
	uint32_t sequence;    /* number of the own file among those of the process */
	uint32_t flags;       /* enum track_flags */
	uint32_t clock;       /* enum track_clock */
	uint32_t shift;
	uint64_t tick_khz;                 /* 0 unknown: told by the (ticks, ns) pairs */
	uint64_t start_ticks_clock;        /* the first pair: the clock … */
	uint64_t start_ns;                 /* … and CLOCK_MONOTONIC at that moment */
	uint64_t min_size;                 /* smaller heap blocks are not recorded */
	uint64_t sample_bytes;             /* of still smaller ones … */
	uint32_t sample_every;             /* … one in so many is recorded; 0: all are */
	uint64_t start_raw_ns;             /* CLOCK_MONOTONIC_RAW, … */
	uint64_t start_boottime_ns;        /* CLOCK_BOOTTIME … */
	uint64_t start_realtime_ns;        /* and CLOCK_REALTIME at the moment of start_ns */
	uint64_t slot;                     /* own file: 1 + number of the slot that it continues */
	_Alignas(64) uint64_t next;        /* bytes handed out, header included */
	_Alignas(64) uint64_t lost_events; /* events there was no room for */
	uint64_t lost_chunks;              /* chunks that could not be had: full disk, limits */
	uint64_t lost_children;            /* forked children that could not begin a log */
	uint32_t blocks[TRACK_BLOCKS];     /* where each is in TRACK_SHARED, in chunks; 0: none */
	char exe[640];                     /* NUL-terminated, cut when longer */
	char command[896 - 64];            /* argv, words separated by a blank; likewise */
};

_Static_assert(sizeof(struct track_header) <= TRACK_SLOT_HEADER, "the header fits a slot");

/* Where version 2 has the texts. */
struct track_texts_2 {
	char other[256];
	char exe[1024];
	char command[2048];
};

/* The first bytes of TRACK_SHARED. */
struct track_shared {
	char magic[8];              /* TRACK_SHARED_MAGIC */
	uint64_t bytes;             /* that may be handed out */
	_Alignas(64) uint64_t next; /* bytes handed out, this struct's slot included */
};

/* The blocks of a log are 1 MiB, 2 MiB and so on to 1 GiB. */
static inline uint64_t track_block_bytes(unsigned number)
{
	return 1ull << (20 + (number < 10 ? number : 10));
}

enum track_state {
	TRACK_OPEN = 1, /* its thread may still add to it */
	TRACK_FULL = 2, /* complete, apart from records that a killed thread left unfinished */
};

struct track_chunk {
	uint32_t magic; /* TRACK_CHUNK_MAGIC, written last */
	uint32_t state; /* enum track_state */
	uint64_t cookie;
	uint32_t stream;   /* counts up from 0 */
	uint32_t sequence; /* number of this chunk in its stream, from 0 */
	uint32_t tid;      /* of the thread at the chunk's start */
	uint32_t pid;
	uint64_t ticks; /* a pair taken at the chunk's start */
	uint64_t ns;
	uint64_t unused[2];
};

_Static_assert(sizeof(struct track_chunk) == 64, "records start on a cache line");

enum track_type {
	TRACK_EMPTY = 0,
	/* [59:44] time, [43:0] address >> 4: the heap block that starts there ends. */
	TRACK_DEATH = 1,
	/* First word as TRACK_DEATH; the second, of type TRACK_BODY: [59:56] enum tl_function,
	 * [55:46] CPU (all ones: unknown), [45:24] size, [23:0] stack. */
	TRACK_BIRTH = 2,
	/* A block ends by realloc; always followed by the TRACK_BIRTH of its successor. */
	TRACK_REALLOC = 3,
	/* [59:0] ticks */
	TRACK_TIME = 4,
	/* [59:52] enum track_kind, [51:36] words of the record with this one, [35] complete,
	 * [34:27] enum tl_function, [26:11] CPU (all ones: unknown). */
	TRACK_LONG = 5,
	TRACK_BODY = 15,
};

#define TRACK_WORD(type)        ((uint64_t)(type) << 60)
#define TRACK_TYPE(word)        ((unsigned)((word) >> 60))
#define TRACK_ADDRESS_MASK      ((1ull << 44) - 1)
#define TRACK_BIRTH_CPU_NONE    1023u
#define TRACK_BIRTH_SIZE_LIMIT  (1ull << 22)
#define TRACK_BIRTH_STACK_LIMIT (1ull << 24)
#define TRACK_LONG_CPU_NONE     0xffffu
#define TRACK_LONG_COMPLETE     (1ull << 35)

/* What a long record says. "Event" means the words of struct track_event after the first one. */
enum track_kind {
	TRACK_PAIR = 1,   /* struct track_moment; ticks and monotonic_ns at least */
	TRACK_THREAD = 2, /* tid: the stream's records are from here on those of another thread */
	TRACK_NODES = 3,  /* first | caller << 32, then pcs outermost first: see stack.h */
	/* Events: the number is 16 + enum tl_kind. */
	TRACK_EVENT = 16,
};

/* The same moment on every clock that perf can be told to record by. */
struct track_moment {
	uint64_t ticks, monotonic_ns, raw_ns, boottime_ns, realtime_ns;
};

enum { STACK_MAX_DEPTH = 4096 }; /* frames that one capture walks anew; farther out is truncated */

/* Ids of stacks: nodes of a stream's tree, see TRACK_NODES and stack.h. */
enum {
	STACK_ROOT = 0,      /* calls every outermost frame (_start, a thread's start): the list of
				frames is whole */
	STACK_TRUNCATED = 1, /* calls an outermost known frame, whose caller is not known (code
				without CFI, a damaged table, memory that cannot be read). As a
				stack of its own: nothing is known of it */
	STACK_FIRST_ID = 2,  /* of the nodes */
};

/* As a caller only: likewise not known, because the thread has had too many different frames. The
 * innermost frames of its new stacks are kept. */
#define STACK_SHORTENED (UINT32_MAX - 1)

/* An event that does not fit a short record, or has more to say. */
struct track_event {
	uint64_t head;
	uint64_t ticks;
	uint64_t address;
	uint64_t size;
	uint64_t old_address;
	uint32_t stack;   /* STACK_TRUNCATED where there is none */
	uint32_t result;  /* errno */
	uint32_t subject; /* tid the call is about */
	uint32_t mode;    /* MPOL_*, MADV_*; TL_HOMES: bytes between two asked pages; TL_BIRTH: how
			     many blocks it stands for, 0 one */
	uint32_t flags;
	uint32_t extra; /* entries of what follows: mask words, bytes of a name, int32 nodes, words
			   of struct track_tls */
};

_Static_assert(sizeof(struct track_event) == 64, "whole words");

/* Name of a TL_END: the exec that was announced failed. Not given to the reader's user. */
#define TRACK_NOT_ENDED "-"

/* No birth stands for more blocks. */
enum { TRACK_SAMPLE_MOST = 65535 };

/* Masks and strings beyond this are cut (32,768 CPUs or nodes). */
enum { TRACK_EXTRA_WORDS = 512 };

#endif
