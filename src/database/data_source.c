/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes perf's data source of a memory access (perf_mem_data_src in <linux/perf_event.h>) into
 * ids of names.
 *
 * A field may have a value, it may be "not available" according to the PMU, or it may never have
 * been set. The last two cases become -1 here and NULL in the table. Exception: a lock field of 0
 * means "not locked" if the access has an opcode or a level. Newer kernels store the memory level
 * twice, as bits and as a number. Which of the two is more precise depends on the case; see
 * memory_decode().
 *
 * What must stay true: an id is an index in the lists below plus 1, and every database contains the
 * lists. So new names are added at the end of a list.
 */
#include "database/data_source.h"

#include <string.h>

#include "access_format.h"
#include "base/count.h"

/* The fields of perf_mem_data_src: for each, the position of its first bit and, in the comment, its
 * width. They are defined here for two reasons: the kernel headers of the build machine may be
 * older than those of the recording machine, and the layout of bit-fields depends on the byte
 * order. */
enum {
	OP_SHIFT = 0,       /* 5 bits */
	LVL_SHIFT = 5,      /* 14 bits */
	SNOOP_SHIFT = 19,   /* 5 bits */
	LOCK_SHIFT = 24,    /* 2 bits */
	DTLB_SHIFT = 26,    /* 7 bits */
	LVL_NUM_SHIFT = 33, /* 4 bits */
	REMOTE_SHIFT = 37,  /* 1 bit */
	SNOOPX_SHIFT = 38,  /* 2 bits */
	BLK_SHIFT = 40,     /* 3 bits */
	HOPS_SHIFT = 43,    /* 3 bits */
};

enum { OP_NA = 1, OP_LOAD = 2, OP_STORE = 4, OP_PREFETCH = 8, OP_EXEC = 16 };
/* LVL_FIRST_LEVEL is the bit number of L1 */
enum { LVL_NA = 1, LVL_HIT = 2, LVL_MISS = 4, LVL_FIRST_LEVEL = 3 };
enum { SNOOP_NA = 1, SNOOP_NONE = 2, SNOOP_HIT = 4, SNOOP_MISS = 8, SNOOP_HITM = 16 };
enum { SNOOPX_FWD = 1, SNOOPX_PEER = 2 };
enum { LOCK_NA = 1, LOCK_LOCKED = 2 };
enum {
	TLB_NA = 1,
	TLB_HIT = 2,
	TLB_MISS = 4,
	TLB_L1 = 8,
	TLB_L2 = 16,
	TLB_WALKER = 32,
	TLB_OS = 64
};
enum { BLK_NA = 1, BLK_DATA = 2, BLK_ADDR = 4 };

enum level {
	LEVEL_L1 = 1,
	LEVEL_LFB,
	LEVEL_L2,
	LEVEL_L3,
	LEVEL_LOCAL_RAM,
	LEVEL_REMOTE_RAM_1,
	LEVEL_REMOTE_RAM_2,
	LEVEL_REMOTE_CACHE_1,
	LEVEL_REMOTE_CACHE_2,
	LEVEL_IO,
	LEVEL_UNCACHED,
	LEVEL_L1_MISS,
	LEVEL_LFB_MISS,
	LEVEL_L2_MISS,
	LEVEL_L3_MISS,
	LEVEL_MISS,
	LEVEL_REMOTE_RAM,
	LEVEL_REMOTE_RAM_3,
	LEVEL_REMOTE_CACHE,
	LEVEL_REMOTE_CACHE_3,
	LEVEL_PEER_CACHE,
	LEVEL_ANY_CACHE,
	LEVEL_L4,
	LEVEL_L0,
	LEVEL_L2_MHB,
	LEVEL_MSC,
	LEVEL_PMEM,
	LEVEL_REMOTE_PMEM,
	LEVEL_CXL,
	LEVEL_MODEL_L1,
	LEVEL_MODEL_L2,
	LEVEL_MODEL_L3,
	LEVEL_MODEL_MISS,
	LEVELS
};

static const char *const opcodes[] = {
	[MEMORY_LOAD - 1] = "Load",
	[MEMORY_STORE - 1] = "Store",
	[MEMORY_LOAD_STORE - 1] = "Load/Store",
	[MEMORY_PREFETCH - 1] = "Prefetch",
	[MEMORY_EXEC - 1] = "Exec",
	[MEMORY_EXEC] = NULL,
};

/* Names of memory levels as perf prints them, without " hit". */
static const char *const levels[] = {
	[LEVEL_L1 - 1] = "L1",
	[LEVEL_LFB - 1] = "LFB/MAB",
	[LEVEL_L2 - 1] = "L2",
	[LEVEL_L3 - 1] = "L3",
	[LEVEL_LOCAL_RAM - 1] = "Local RAM",
	[LEVEL_REMOTE_RAM_1 - 1] = "Remote RAM (1 hop)",
	[LEVEL_REMOTE_RAM_2 - 1] = "Remote RAM (2 hops)",
	[LEVEL_REMOTE_CACHE_1 - 1] = "Remote Cache (1 hop)",
	[LEVEL_REMOTE_CACHE_2 - 1] = "Remote Cache (2 hops)",
	[LEVEL_IO - 1] = "I/O",
	[LEVEL_UNCACHED - 1] = "Uncached",
	[LEVEL_L1_MISS - 1] = "L1 miss",
	[LEVEL_LFB_MISS - 1] = "LFB/MAB miss",
	[LEVEL_L2_MISS - 1] = "L2 miss",
	[LEVEL_L3_MISS - 1] = "L3 miss",
	[LEVEL_MISS - 1] = "Miss",
	[LEVEL_REMOTE_RAM - 1] = "Remote RAM",
	[LEVEL_REMOTE_RAM_3 - 1] = "Remote RAM (3 hops)",
	[LEVEL_REMOTE_CACHE - 1] = "Remote Cache",
	[LEVEL_REMOTE_CACHE_3 - 1] = "Remote Cache (3 hops)",
	[LEVEL_PEER_CACHE - 1] = "Peer Cache",
	[LEVEL_ANY_CACHE - 1] = "Any cache",
	[LEVEL_L4 - 1] = "L4",
	[LEVEL_L0 - 1] = "L0",
	[LEVEL_L2_MHB - 1] = "L2 MHB",
	[LEVEL_MSC - 1] = "Memory-side Cache",
	[LEVEL_PMEM - 1] = "PMEM",
	[LEVEL_REMOTE_PMEM - 1] = "Remote PMEM",
	[LEVEL_CXL - 1] = "CXL",
	/* levels of the simulated caches (samplers exact and soft) */
	[LEVEL_MODEL_L1 - 1] = "L1 (model)",
	[LEVEL_MODEL_L2 - 1] = "L2 (model)",
	[LEVEL_MODEL_L3 - 1] = "L3 (model)",
	[LEVEL_MODEL_MISS - 1] = "L3 miss (model)",
	[LEVELS - 1] = NULL,
};

enum { FOUND_NONE = 1, FOUND_HIT, FOUND_MISS, FOUND_HITM, FOUND_FWD, FOUND_PEER, FOUND_MOVED };

static const char *const snoops[] = {
	[FOUND_NONE - 1] = "None",
	[FOUND_HIT - 1] = "Hit",
	[FOUND_MISS - 1] = "Miss",
	[FOUND_HITM - 1] = "HitM",
	[FOUND_FWD - 1] = "Fwd",
	[FOUND_PEER - 1] = "Peer",
	/* the line had to move from another thread, in a model of coherent caches (samplers exact
	 * and soft, if they count every access) */
	[FOUND_MOVED - 1] = "Moved (model)",
	[FOUND_MOVED] = NULL,
};
static const char *const locks[] = {
	[MEMORY_LOCKED - 1] = "Yes",
	[MEMORY_NOT_LOCKED - 1] = "No",
	[MEMORY_NOT_LOCKED] = NULL,
};
static const char *const dtlbs[] = {
	"Hit",     "L1 hit",  "L2 hit",        "L1 or L2 hit", "Walker hit", "Fault hit", "Miss",
	"L1 miss", "L2 miss", "L1 or L2 miss", "Walker miss",  "Fault miss", NULL,
};
static const char *const blocks[] = { "Data", "Address", "Data and address", NULL };

const char *const *memory_table(const char *table)
{
	static const struct {
		const char *name;
		const char *const *rows;
	} all[] = {
		{ "memory_opcodes", opcodes }, { "memory_levels", levels },
		{ "memory_snoop", snoops },    { "memory_lock", locks },
		{ "memory_dtlb", dtlbs },      { "memory_blocked", blocks },
	};

	for (size_t i = 0; i < COUNT_OF(all); i++)
		if (!strcmp(all[i].name, table))
			return all[i].rows;
	return NULL;
}

/* Returns n bits of v; n is below 32. */
static unsigned bit_field(uint64_t v, int shift, int n)
{
	return (unsigned)(v >> shift) & ((1u << n) - 1);
}

/* Returns the memory_opcodes.id of the opcode bits; -1 means no access, or not recorded. */
static int32_t opcode_id(unsigned op)
{
	if ((op & OP_LOAD) && (op & OP_STORE))
		return MEMORY_LOAD_STORE;
	if (op & OP_LOAD)
		return MEMORY_LOAD;
	if (op & OP_STORE)
		return MEMORY_STORE;
	if (op & OP_PREFETCH)
		return MEMORY_PREFETCH;
	return op & OP_EXEC ? MEMORY_EXEC : -1;
}

/* Returns the memory_levels.id of a remote cache. hops is the distance: 0 is another core of the
 * node, 1 another node of the socket, 2 another socket, 3 another board, -1 unknown. */
static int32_t remote_cache(int32_t hops)
{
	static const int32_t by_hops[] = { LEVEL_PEER_CACHE, LEVEL_REMOTE_CACHE_1,
					   LEVEL_REMOTE_CACHE_2, LEVEL_REMOTE_CACHE_3 };

	return hops < 0 || hops > 3 ? LEVEL_REMOTE_CACHE : by_hops[hops];
}

/* Returns the memory_levels.id of remote memory. hops is the distance, as in remote_cache(); 0 is
 * the CPU's own node. */
static int32_t remote_ram(int32_t hops)
{
	static const int32_t by_hops[] = { LEVEL_LOCAL_RAM, LEVEL_REMOTE_RAM_1, LEVEL_REMOTE_RAM_2,
					   LEVEL_REMOTE_RAM_3 };

	return hops < 0 || hops > 3 ? LEVEL_REMOTE_RAM : by_hops[hops];
}

/* Returns the memory_levels.id for a PERF_MEM_LVLNUM_* number; -1 means unknown. */
static int32_t level_by_number(unsigned num, bool remote, int32_t hops)
{
	static const int32_t local[16] = {
		[1] = LEVEL_L1,         [2] = LEVEL_L2,         [3] = LEVEL_L3,
		[4] = LEVEL_L4,         [5] = LEVEL_L2_MHB,     [6] = LEVEL_MSC,
		[7] = LEVEL_L0,         [8] = LEVEL_UNCACHED,   [9] = LEVEL_CXL,
		[10] = LEVEL_IO,        [11] = LEVEL_ANY_CACHE, [12] = LEVEL_LFB,
		[13] = LEVEL_LOCAL_RAM, [14] = LEVEL_PMEM,
	};

	if (remote && num == 13)
		return remote_ram(hops);
	if (remote && num == 14)
		return LEVEL_REMOTE_PMEM;
	if (remote && num >= 1 && num <= 11 && num != 8 && num != 9 && num != 10)
		return remote_cache(hops);
	/* number 15 means "not available", 0 means "not set" */
	return local[num] ? local[num] : -1;
}

/* Returns the memory_levels.id for the older level bits; -1 means unknown. If several levels are
 * set, the highest bit counts. The access is a miss if LVL_MISS is set and LVL_HIT is not;
 * otherwise it is a hit. */
static int32_t level_by_bits(unsigned lvl)
{
	static const int32_t hit[] = { LEVEL_L1,
				       LEVEL_LFB,
				       LEVEL_L2,
				       LEVEL_L3,
				       LEVEL_LOCAL_RAM,
				       LEVEL_REMOTE_RAM_1,
				       LEVEL_REMOTE_RAM_2,
				       LEVEL_REMOTE_CACHE_1,
				       LEVEL_REMOTE_CACHE_2,
				       LEVEL_IO,
				       LEVEL_UNCACHED };
	static const int32_t miss[] = { LEVEL_L1_MISS, LEVEL_LFB_MISS, LEVEL_L2_MISS,
					LEVEL_L3_MISS };
	unsigned places = lvl >> LVL_FIRST_LEVEL;
	int top = -1;

	for (int i = 0; i < 11; i++)
		if (places >> i & 1)
			top = i;
	if (lvl & LVL_NA)
		return -1;
	if ((lvl & LVL_MISS) && !(lvl & LVL_HIT))
		return top >= 0 && top < 4 ? miss[top] : LEVEL_MISS;
	return top < 0 ? -1 : hit[top];
}

/* Converts the id of a real cache level to the id of the same level in simulated caches. perf's
 * encoding has no values for simulated caches, so the samplers exact and soft store the values of
 * real caches and set ACCESS_SOURCE_MODEL. */
static int32_t model_level_id(int32_t level)
{
	switch (level) {
	case LEVEL_L1:
		return LEVEL_MODEL_L1;
	case LEVEL_L2:
		return LEVEL_MODEL_L2;
	case LEVEL_L3:
		return LEVEL_MODEL_L3;
	default:
		return level < 0 ? -1 : LEVEL_MODEL_MISS;
	}
}

/* Returns the memory_snoop.id of the most specific snoop bit that is set; -1 means none. */
static int32_t snoop_id(unsigned s, unsigned x)
{
	if (s & SNOOP_HITM)
		return FOUND_HITM;
	if (x & SNOOPX_FWD)
		return FOUND_FWD;
	if (x & SNOOPX_PEER)
		return FOUND_PEER;
	if (s & SNOOP_HIT)
		return FOUND_HIT;
	if (s & SNOOP_MISS)
		return FOUND_MISS;
	return s & SNOOP_NONE ? FOUND_NONE : -1;
}

/* Returns the memory_dtlb.id: there is one for each combination of the TLB level that had the
 * translation, and hit or miss. -1 means unknown. */
static int32_t dtlb_id(unsigned t)
{
	int32_t where = 0;

	if ((t & TLB_NA) || !(t & (TLB_HIT | TLB_MISS)))
		return -1;
	if (t & TLB_OS)
		where = 5;
	else if (t & TLB_WALKER)
		where = 4;
	else
		where = (t & TLB_L1 ? 1 : 0) + (t & TLB_L2 ? 2 : 0);
	return where + (t & TLB_HIT ? 1 : 7);
}

/* Returns the memory_blocked.id: why the access was blocked. -1 means not blocked or unknown. */
static int32_t blocked_id(unsigned b)
{
	if (b & BLK_NA)
		return -1;
	return b >> 1 ? (int32_t)(b >> 1) : -1;
}

/* Sets out->remote and out->hops: whether the memory or cache was on another node, and at which
 * distance. */
static void decode_distance(uint64_t v, struct access_kind *out)
{
	unsigned hops = bit_field(v, HOPS_SHIFT, 3);
	bool flag = bit_field(v, REMOTE_SHIFT, 1);

	if (hops >= 1 && hops <= 4)
		out->hops = (int32_t)hops - 1;
	switch (out->memory_level) {
	case LEVEL_REMOTE_RAM_1:
	case LEVEL_REMOTE_RAM_2:
	case LEVEL_REMOTE_RAM_3:
	case LEVEL_REMOTE_RAM:
	case LEVEL_REMOTE_CACHE_1:
	case LEVEL_REMOTE_CACHE_2:
	case LEVEL_REMOTE_CACHE_3:
	case LEVEL_REMOTE_CACHE:
	case LEVEL_REMOTE_PMEM:
		out->remote = 1;
		break;
	case LEVEL_L1_MISS:
	case LEVEL_LFB_MISS:
	case LEVEL_L2_MISS:
	case LEVEL_L3_MISS:
	case LEVEL_MISS:
	case LEVEL_IO:
	case LEVEL_UNCACHED:
	case LEVEL_CXL:
	case LEVEL_MODEL_L1:
	case LEVEL_MODEL_L2:
	case LEVEL_MODEL_L3:
	case LEVEL_MODEL_MISS:
	case -1:
		/* these levels do not show where the data came from. The data are remote if the
		 * remote bit (`flag`) is set, unless the distance of 0 hops shows that they are on
		 * the same node */
		out->remote = flag ? out->hops != 0 : -1;
		break;
	default:
		out->remote = 0;
	}
}

/* The order of the steps matters: the distance depends on the level. The level has two encodings,
 * so the more precise one is chosen first. */
void memory_decode(uint64_t v, struct access_kind *out)
{
	unsigned lock = bit_field(v, LOCK_SHIFT, 2), lvl = bit_field(v, LVL_SHIFT, 14);
	unsigned hops = bit_field(v, HOPS_SHIFT, 3);
	int32_t by_number, by_bits = level_by_bits(lvl);

	out->memory_opcode = out->memory_level = out->memory_snoop = out->memory_lock = -1;
	out->memory_dtlb = out->memory_blocked = out->remote = out->hops = -1;
	if (!v)
		return;
	by_number = level_by_number(bit_field(v, LVL_NUM_SHIFT, 4), bit_field(v, REMOTE_SHIFT, 1),
				    hops >= 1 && hops <= 4 ? (int32_t)hops - 1 : -1);
	/* the level bits are more precise than the number in two cases: for misses, and for remote
	 * memory or a remote cache if the distance (hops) is unknown */
	if (by_number < 0 || (by_bits >= LEVEL_L1_MISS && by_bits <= LEVEL_MISS) ||
	    by_number == LEVEL_REMOTE_RAM || by_number == LEVEL_REMOTE_CACHE)
		out->memory_level = by_bits >= 0 ? by_bits : by_number;
	else
		out->memory_level = by_number;
	if (v & ACCESS_SOURCE_MODEL)
		out->memory_level = model_level_id(out->memory_level);
	out->memory_opcode = opcode_id(bit_field(v, OP_SHIFT, 5));
	out->memory_snoop = snoop_id(bit_field(v, SNOOP_SHIFT, 5), bit_field(v, SNOOPX_SHIFT, 2));
	if (v & ACCESS_SOURCE_MOVED)
		out->memory_snoop = FOUND_MOVED;
	out->memory_dtlb = dtlb_id(bit_field(v, DTLB_SHIFT, 7));
	out->memory_blocked = blocked_id(bit_field(v, BLK_SHIFT, 3));
	decode_distance(v, out);
	if (lock & LOCK_LOCKED)
		out->memory_lock = MEMORY_LOCKED;
	else if (!(lock & LOCK_NA) && (out->memory_opcode >= 0 || out->memory_level >= 0))
		out->memory_lock = MEMORY_NOT_LOCKED;
}
