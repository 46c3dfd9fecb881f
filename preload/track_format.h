/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log of one process image, as the tracker writes it and the importer reads it.
 * docs/capture-format.md describes the recorder's part of the contract (environment, file names).
 *
 * A log begins in a slot of the file TRACK_SHARED, which all images share. A slot has TRACK_SLOT
 * bytes at a multiple of that size and contains the header and one short chunk. Most processes of a
 * shell script need no more. A longer log also gets blocks of the same file, which are listed in
 * the header in the slot. A log that is longer still gets a file of its own, whose header repeats
 * the header in the slot and contains the slot's number.
 *
 * The shared file begins with struct track_shared and is sparse. Slots and blocks are claimed with
 * an atomic add on its `next`; bytes that nobody wrote are zero. Blocks are arrays of chunks.
 *
 * The log's own file is sparse and mapped shared. It begins with struct track_header in chunk
 * number 0. Every further chunk has TRACK_CHUNK bytes, starts at a multiple of this size, and
 * belongs to one stream: the records of one thread, and, after its end, of the thread that took
 * over its place. Chunks are claimed with an atomic add on header.next. So everything below that
 * offset is either a chunk, or was claimed and never written.
 *
 * A chunk is struct track_chunk followed by records of 8-byte words in the machine's byte order.
 * The top four bits of a record's first word are its type. If a reader finds a zero word or a word
 * of type TRACK_BODY where a record should begin, the room was reserved and not written, because
 * the thread was killed or longjmp left the write. A reader skips such room word by word. The first
 * word of a short record is written last. A long record is valid only if it has
 * TRACK_LONG_COMPLETE, which is written last. So the file can be read at any time, and a signal
 * handler may log while a record is being filled.
 *
 * Times are ticks of the clock that the header names. A short record has 16 bits of time: the ticks
 * since the last TRACK_TIME of the stream, >> header.shift. This TRACK_TIME may be in an earlier
 * chunk. A stream always has one before its first short record.
 */
#ifndef MEMDB_PRELOAD_TRACK_FORMAT_H
#define MEMDB_PRELOAD_TRACK_FORMAT_H

#include <stdint.h>

#define TRACK_ENV_DIR     "MEMDB_TRACK_DIR"     /* absolute path of an existing directory */
#define TRACK_ENV_OPTIONS "MEMDB_TRACK_OPTIONS" /* "name=value,…", see docs/capture-format.md */
#define TRACK_LIBRARY     "libmemdb-track.so"
/* The option that identifies the recording; see struct track_shared. */
#define TRACK_RECORDING "recording"
/* Numbers that differ from recording to recording are written with this many digits, so that the
 * environment of the program always has the same size. */
#define TRACK_DIGITS 20
/* The option that passes on how many successive images have removed the library from the
 * environment; see exec.c. */
#define TRACK_REMOVED "removed"
/* The file name of AddressSanitizer's library begins with this. It ends a program in which another
 * library comes before it. */
#define TRACK_SANITIZER "libasan.so"
/* The function of this library that makes the program's own system calls. All other system calls
 * from the library are the tracker's. */
#define TRACK_PROGRAM_CALL "memdb_program_call"
/* A variable of this library, for the sampler soft, which may be loaded later: when the library
 * began to record this program, monotonic ns; 0 means not yet, and TRACK_BEGAN_TOLD that the
 * sampler has written this time. */
#define TRACK_BEGAN      "memdb_track_began"
#define TRACK_BEGAN_TOLD 1
/* A variable of this library, a pointer to a function that learns which memory has another owner
 * (owners.h), and the bytes that begin the instruction by which an emulator learns it: two
 * prefixes that mean nothing and that no compiler writes. */
#define TRACK_OWNERS      "memdb_track_owners"
#define TRACK_OWNERS_MARK 0x3e, 0x3e
#define TRACK_SHARED      "shared.log" /* name of the file in MEMDB_TRACK_DIR that all logs share */

/* The file name of a program loader that can load the tracker begins with one of these. glibc's
 * loader has several names, musl's has one. */
#define TRACK_LOADERS "ld-linux", "ld-musl-", "ld-2.", "ld-lsb", "ld.so", "ld64.so"

#define TRACK_MAGIC        "MEMDBTRK"
#define TRACK_SHARED_MAGIC "MEMDBSHR"

enum {
	TRACK_VERSION = 3,
	TRACK_VERSION_FIRST = 1, /* the oldest version that readers support; it lacks TL_THREAD */
	/* from this version on, logs begin in TRACK_SHARED; older headers have longer texts (struct
	 * track_texts_2) */
	TRACK_VERSION_SHARED = 3,
	TRACK_CHUNK = 32 << 10,
	TRACK_HEADER_BYTES = 4096,
	/* size of a slot in TRACK_SHARED. Slot 0 contains struct track_shared instead of a log */
	TRACK_SLOT = 8 << 10,
	/* offset of the slot's chunk, which ends where the slot ends */
	TRACK_SLOT_HEADER = 2 << 10,
	TRACK_CHUNK_MAGIC = 0x4b484344, /* the letters "DCHK" */
	TRACK_BLOCKS = 64,              /* maximum number of blocks of one log; see
					 * track_block_bytes() */
};

/* The kinds of events. The lives of two blocks at one address never overlap in time: a death has
 * the time before the real call, and a birth the time after it. A realloc that succeeds is a
 * TL_DEATH of the old block and a TL_BIRTH of the new one, even if the block stays in place. */
enum tl_kind {
	TL_BIRTH = 1, /* a heap block: address, size, function, stack */
	TL_DEATH,     /* the heap block that begins at `address` is freed */
	TL_MAP,       /* [address, address + size) is mapped: mmap, mremap, shmat, brk */
	/* [address, address + size) is unmapped, perhaps only a part of a mapping: munmap, mremap,
	 * brk, mmap with MAP_FIXED. For shmdt, `size` is 0 and the mapping begins at `address` */
	TL_UNMAP,
	/* mbind, set_mempolicy, migrate_pages, move_pages, madvise: see tl_event.policy
	 * (tracklog/tracklog.h) */
	TL_POLICY,
	TL_AFFINITY, /* a call to set the affinity of thread `subject`, or the affinity with which
		      * the thread starts: see tl_event.cpus */
	TL_NAME,     /* thread `subject` gets a name: see tl_event.name */
	/* home nodes of some pages of process `subject` (0: this one), as the kernel returned them:
	 * see tl_event.homes */
	TL_HOMES,
	TL_THREAD_END, /* thread tid ends; some threads have no such event (the main thread, killed
			* threads) */
	TL_END,        /* only older trackers write it: the image ends; see tl_event.name */
	/* `address` is the thread pointer of thread tid; see tl_event.tls. `old_address`, if not 0,
	 * is the address of a page that the thread mapped just before: perf's record of this
	 * mapping contains the thread's tid in perf's PID namespace */
	TL_THREAD,
};

/* Data of the TL_THREAD event of the image's first thread: one entry for each module (executable or
 * library) whose thread-local variables are at a fixed distance from the thread pointer, in every
 * thread. */
struct track_tls {
	uint64_t code;  /* an address in the first segment of the module */
	uint64_t block; /* address of this thread's block for the module */
	uint64_t bytes, align;
};

/* The interposed functions. The values are the ids in the database table allocation_functions. */
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
	TL_FN_THREAD_START, /* not a call: the state with which a thread starts */
	TL_FUNCTIONS
};

/* Returns the distance, in pages, between two queried pages, so that at most `most` of `pages`
 * pages are queried. The kernel may interleave pages, for example over two to eight nodes. If the
 * distance had a common divisor with the number of nodes, all queried pages could be on one node.
 * So the distance has no divisor 2 or 3 and, unless it is small, no divisor 5 or 7. */
static inline uint64_t track_homes_step(uint64_t pages, uint64_t most)
{
	uint64_t step = pages / most + (pages % most != 0);

	while (step > 1 &&
	       (!(step % 2) || !(step % 3) || (step > 10 && (!(step % 5) || !(step % 7)))))
		step++;
	return step;
}

enum track_clock {
	TRACK_CLOCK_TSC = 1,       /* ticks of the time-stamp counter */
	TRACK_CLOCK_MONOTONIC = 2, /* ns of CLOCK_MONOTONIC */
};

enum track_flags {
	TRACK_FORKED = 1, /* fork() started the image */
	/* the program defines malloc itself: its calls reach the tracker only if its malloc passes
	 * them on */
	TRACK_OWN_HEAP = 2,
};

/* The first bytes of the log. The tracker changes only the members from `next` on later. */
struct track_header {
	char magic[8];
	uint32_t version;
	uint32_t header_bytes; /* TRACK_HEADER_BYTES */
	uint32_t chunk_bytes;  /* TRACK_CHUNK */
	uint32_t page_bytes;
	uint64_t cookie; /* a random number, repeated in every chunk of the log */
	uint32_t pid, ppid;
	/* in the log's own file: its size when it was created; 0 in a slot, and in files of older
	 * trackers. The recorder may later truncate the file to `next`. A file that is shorter than
	 * both `next` and this size has lost data */
	uint64_t bytes;
	/* SEQUENCE in the name of the log's own file, PID-START-SEQUENCE.log; 0 in a header in the
	 * shared file */
	uint32_t sequence;
	uint32_t flags; /* bits of enum track_flags */
	uint32_t clock; /* a value of enum track_clock */
	uint32_t shift;
	/* rate of the clock; 0 means unknown. The reader uses it only if the log has no second pair
	 * (ticks, ns) from which the rate can be computed */
	uint64_t tick_khz;
	uint64_t start_ticks_clock; /* ticks of the first pair */
	uint64_t start_ns;          /* CLOCK_MONOTONIC at the moment of start_ticks_clock */
	uint64_t min_size;          /* heap blocks below this size are not recorded */
	uint64_t sample_bytes;      /* heap blocks below this size are sampled */
	/* N: of the blocks below sample_bytes, one in N is recorded; 0 means all */
	uint32_t sample_every;
	uint64_t start_raw_ns;      /* CLOCK_MONOTONIC_RAW at the moment of start_ns */
	uint64_t start_boottime_ns; /* CLOCK_BOOTTIME at the moment of start_ns */
	uint64_t start_realtime_ns; /* CLOCK_REALTIME at the moment of start_ns */
	/* in the log's own file: number of the slot that it continues + 1 */
	uint64_t slot;
	/* bytes of the file that are claimed, including the header */
	_Alignas(64) uint64_t next;
	_Alignas(64) uint64_t lost_events; /* events that could not be recorded, for example because
					    * there was no room */
	/* chunks that could not be allocated, because of a full disk or a limit */
	uint64_t lost_chunks;
	uint64_t lost_children; /* forked children that could not begin a log */
	/* offsets of the log's blocks in TRACK_SHARED, in units of chunks; 0 means none */
	uint32_t blocks[TRACK_BLOCKS];
	char exe[640];          /* the path given to exec; NUL-terminated, truncated if longer */
	char command[896 - 64]; /* argv joined by blanks; NUL-terminated, truncated if longer */
};

_Static_assert(sizeof(struct track_header) <= TRACK_SLOT_HEADER, "the header fits a slot");

/* The texts in a header of version 2, for readers. */
struct track_texts_2 {
	char other[256];
	char exe[1024];
	char command[2048];
};

/* The first bytes of TRACK_SHARED. */
struct track_shared {
	char magic[8];  /* TRACK_SHARED_MAGIC */
	uint64_t bytes; /* size of the file: number of bytes that may be claimed */
	/* bytes that are claimed, including the slot that contains this struct */
	_Alignas(64) uint64_t next;
	/* not 0: the capture has reached its maximum size. No log gets more room, as on a full
	 * disk, and no log begins. Set by the recorder; 0 in files of older trackers */
	_Alignas(64) uint64_t closed;
	/* N: of the small heap blocks, one in N is recorded from now on. The recorder raises it
	 * while the capture fills (--max-size BYTES:all), if trackers were started with the option
	 * thin. 0 and 1 mean all */
	uint64_t every;
	/* The recording to which the file belongs: the number after "recording=" in the tracker's
	 * options, or 0. An image with another number begins no log: it is a process of an earlier
	 * recording in a folder of the same name. */
	uint64_t recording;
};

/* Size of the sparse file TRACK_SHARED, unless the file system has a lower limit. */
#define TRACK_SHARED_BYTES (1ull << 40)

/* Returns the size in bytes of block `number` of a log (see track_header.blocks): 1 MiB, 2 MiB, and
 * so on up to 1 GiB. */
static inline uint64_t track_block_bytes(unsigned number)
{
	return 1ull << (20 + (number < 10 ? number : 10));
}

enum track_state {
	TRACK_OPEN = 1, /* the chunk's thread may still add records */
	TRACK_FULL = 2, /* complete, except for records that a killed thread did not finish */
};

struct track_chunk {
	uint32_t magic; /* TRACK_CHUNK_MAGIC; written last */
	uint32_t state; /* a value of enum track_state */
	uint64_t cookie;
	uint32_t stream;   /* number of the stream, from 0 */
	uint32_t sequence; /* number of this chunk in its stream, from 0 */
	uint32_t tid;      /* the thread that began the chunk */
	uint32_t pid;
	uint64_t ticks; /* pair (ticks, ns), read when the chunk was begun */
	uint64_t ns;
	uint64_t unused[2];
};

_Static_assert(sizeof(struct track_chunk) == 64, "records start on a cache line");

enum track_type {
	TRACK_EMPTY = 0,
	/* The heap block at an address ends. Fields: SHORT_TIME, SHORT_ADDRESS. */
	TRACK_DEATH = 1,
	/* A heap block begins. The first word is like that of TRACK_DEATH. The second word, of
	 * type TRACK_BODY, has the fields BIRTH_FUNCTION, BIRTH_CPU, BIRTH_SIZE, BIRTH_STACK. */
	TRACK_BIRTH = 2,
	/* realloc replaces the heap block at an address. The fields are those of TRACK_DEATH. The
	 * TRACK_BIRTH of the new block always follows. */
	TRACK_REALLOC = 3,
	/* The time to which the times of the following short records are relative. Field:
	 * TIME_TICKS. */
	TRACK_TIME = 4,
	/* A long record, see enum track_kind. Fields: LONG_KIND, LONG_WORDS, LONG_WRITTEN,
	 * LONG_FUNCTION, LONG_CPU. */
	TRACK_LONG = 5,
	TRACK_BODY = 15,
};

/* The fields of a record's words, each as two numbers: its lowest bit and its number of bits. */
#define TRACK_FIRST_TYPE     60, 4 /* enum track_type; in every first word */
#define TRACK_TIME_TICKS     0, 60
#define TRACK_SHORT_TIME     44, 16 /* time of a short record; see the head of this file */
#define TRACK_SHORT_ADDRESS  0, 44  /* in units of 1 << TRACK_ADDRESS_SHIFT bytes */
#define TRACK_BIRTH_FUNCTION 56, 4  /* enum tl_function */
#define TRACK_BIRTH_CPU      46, 10 /* all bits set means unknown */
#define TRACK_BIRTH_SIZE     24, 22
#define TRACK_BIRTH_STACK    0, 24
#define TRACK_LONG_KIND      52, 8  /* enum track_kind */
#define TRACK_LONG_WORDS     36, 16 /* number of words in the record, including this one */
#define TRACK_LONG_WRITTEN   35, 1  /* 1 if the record is complete */
#define TRACK_LONG_FUNCTION  27, 8  /* enum tl_function */
#define TRACK_LONG_CPU       11, 16 /* all bits set means unknown */

/* TRACK_PUT(BIRTH_SIZE, 24) shifts a value to the position of its field in the word; the value must
 * fit. TRACK_GET(BIRTH_SIZE, word) extracts it. TRACK_MOST(BIRTH_SIZE) is the greatest value that
 * fits. */
#define TRACK_APPLY(macro, ...)       macro(__VA_ARGS__)
#define TRACK_PUT_AT(at, bits, value) ((uint64_t)(value) << (at))
#define TRACK_MOST_OF(at, bits)       ((1ull << (bits)) - 1)
#define TRACK_GET_AT(at, bits, word)  ((word) >> (at)&TRACK_MOST_OF(at, bits))
#define TRACK_PUT(field, value)       TRACK_APPLY(TRACK_PUT_AT, TRACK_##field, value)
#define TRACK_MOST(field)             TRACK_APPLY(TRACK_MOST_OF, TRACK_##field)
#define TRACK_GET(field, word)        TRACK_APPLY(TRACK_GET_AT, TRACK_##field, word)

#define TRACK_WORD(type) TRACK_PUT(FIRST_TYPE, type)
#define TRACK_TYPE(word) ((unsigned)TRACK_GET(FIRST_TYPE, word))

#define TRACK_ADDRESS_SHIFT     4 /* most heap blocks are aligned to 16 bytes */
#define TRACK_ADDRESS_MASK      (TRACK_MOST(SHORT_ADDRESS) << TRACK_ADDRESS_SHIFT)
#define TRACK_BIRTH_CPU_NONE    ((unsigned)TRACK_MOST(BIRTH_CPU))
#define TRACK_BIRTH_SIZE_LIMIT  (TRACK_MOST(BIRTH_SIZE) + 1)
#define TRACK_BIRTH_STACK_LIMIT (TRACK_MOST(BIRTH_STACK) + 1)
#define TRACK_LONG_CPU_NONE     ((unsigned)TRACK_MOST(LONG_CPU))
#define TRACK_LONG_COMPLETE     TRACK_PUT(LONG_WRITTEN, 1)

/* The kinds of long records. The record of an event is a struct track_event, whose `head` is the
 * record's first word, followed by the event's extra data. */
enum track_kind {
	TRACK_PAIR = 1, /* struct track_moment, at least its ticks and monotonic_ns */
	/* the tid of the thread to which the following records of the stream belong */
	TRACK_THREAD = 2,
	/* id of the first node | id of its caller << 32, then the return addresses of the nodes,
	 * the outermost first: see stack.h. Each node is the caller of the next one */
	TRACK_NODES = 3,
	/* Events have the number 16 + enum tl_kind. */
	TRACK_EVENT = 16,
};

/* One moment on each of the clocks that perf record can use. */
struct track_moment {
	uint64_t ticks, monotonic_ns, raw_ns, boottime_ns, realtime_ns;
};

/* Maximum number of frames that one capture walks by rules; further frames are left out. */
enum { STACK_MAX_DEPTH = 4096 };

/* Ids of stacks. They are nodes in the tree of a stream; see TRACK_NODES and stack.h. */
enum {
	/* the caller of a root frame (_start, the start of a thread), which nothing called: the
	 * list of frames is complete */
	STACK_ROOT = 0,
	/* the caller of a frame whose caller is unknown (code without CFI, a damaged table,
	 * unreadable memory). As the id of a stack: nothing is known */
	STACK_TRUNCATED = 1,
	STACK_FIRST_ID = 2, /* the first id of a node */
};

/* Occurs only as a caller. The real caller is unknown: the thread had too many different frames, so
 * only the innermost frames of its new stacks are kept. */
#define STACK_SHORTENED (UINT32_MAX - 1)

/* An event that does not fit a short record. */
struct track_event {
	uint64_t head;
	uint64_t ticks;
	uint64_t address;
	uint64_t size;
	uint64_t old_address;
	uint32_t stack;   /* STACK_TRUNCATED means that there is no stack */
	uint32_t result;  /* errno of the call, 0 if it succeeded */
	uint32_t subject; /* tid or pid that the call acts on */
	/* depends on the kind. TL_POLICY: the policy MPOL_* or the advice MADV_*; TL_HOMES:
	 * distance in bytes between the pages that were looked up; TL_BIRTH: number of blocks that
	 * the event represents, 0 means one */
	uint32_t mode;
	uint32_t flags;
	/* number of entries that follow: words of a mask, bytes of a name, int32 nodes, or words
	 * of struct track_tls */
	uint32_t extra;
};

_Static_assert(sizeof(struct track_event) == 64, "whole words");

/* Maximum number of blocks that one birth represents. */
enum { TRACK_SAMPLE_MOST = 65535 };

/* Maximum number of words of data after a struct track_event. Longer masks and strings are cut; a
 * mask of 32,768 CPUs or nodes fits. */
enum { TRACK_EXTRA_WORDS = 512 };

#endif
