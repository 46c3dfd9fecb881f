/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how PERF_SAMPLE_DATA_SRC is decoded to the memory level and other fields. */
#include "database/data_source.h"

#include "base/count.h"
#include "check_main.h"

#include "access_format.h"
#include "random.h"

/* Returns the name that the table has for this id. If the data source does not have the field, id
 * is -1 and the result "". */
static const char *name(const char *table, int32_t id)
{
	return id < 0 ? "" : memory_table(table)[id - 1];
}

static const char *level(uint64_t v)
{
	struct access_kind m;

	memory_decode(v, &m);
	return name("memory_levels", m.memory_level);
}

static int remote(uint64_t v)
{
	struct access_kind m;

	memory_decode(v, &m);
	return m.remote;
}

/* Encodes PERF_MEM_LVLNUM fields by number, because the kernel header here may be too old to
 * have their names. */
static uint64_t level_number(uint64_t num, uint64_t is_remote, uint64_t hops)
{
	return num << 33 | is_remote << 37 | hops << 43;
}

START_TEST(nothing_said_is_null)
{
	const uint64_t na = PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) |
			    PERF_MEM_S(LOCK, NA) | PERF_MEM_S(TLB, NA) | level_number(15, 0, 0) |
			    1ull << 40;
	const uint64_t values[] = { 0, na };

	for (int i = 0; i < 2; i++) {
		struct access_kind m;

		memory_decode(values[i], &m);
		ck_assert_int_eq(m.memory_opcode, -1);
		ck_assert_int_eq(m.memory_level, -1);
		ck_assert_int_eq(m.memory_snoop, -1);
		ck_assert_int_eq(m.memory_lock, -1);
		ck_assert_int_eq(m.memory_dtlb, -1);
		ck_assert_int_eq(m.memory_blocked, -1);
		ck_assert_int_eq(m.remote, -1);
		ck_assert_int_eq(m.hops, -1);
	}
}
END_TEST

START_TEST(old_level_bits_name_the_level)
{
	const struct {
		uint64_t bits;
		const char *hit, *miss;
		int is_remote;
	} t[] = {
		{ PERF_MEM_LVL_L1, "L1", "L1 miss", 0 },
		{ PERF_MEM_LVL_LFB, "LFB/MAB", "LFB/MAB miss", 0 },
		{ PERF_MEM_LVL_L2, "L2", "L2 miss", 0 },
		{ PERF_MEM_LVL_L3, "L3", "L3 miss", 0 },
		{ PERF_MEM_LVL_LOC_RAM, "Local RAM", "Miss", 0 },
		{ PERF_MEM_LVL_REM_RAM1, "Remote RAM (1 hop)", "Miss", 1 },
		{ PERF_MEM_LVL_REM_RAM2, "Remote RAM (2 hops)", "Miss", 1 },
		{ PERF_MEM_LVL_REM_CCE1, "Remote Cache (1 hop)", "Miss", 1 },
		{ PERF_MEM_LVL_REM_CCE2, "Remote Cache (2 hops)", "Miss", 1 },
		{ PERF_MEM_LVL_IO, "I/O", "Miss", -1 },
		{ PERF_MEM_LVL_UNC, "Uncached", "Miss", -1 },
	};

	for (size_t i = 0; i < COUNT_OF(t); i++) {
		uint64_t hit = (t[i].bits | PERF_MEM_LVL_HIT) << PERF_MEM_LVL_SHIFT;
		uint64_t miss = (t[i].bits | PERF_MEM_LVL_MISS) << PERF_MEM_LVL_SHIFT;

		ck_assert_str_eq(level(hit), t[i].hit);
		ck_assert_str_eq(level(miss), t[i].miss);
		ck_assert_int_eq(remote(hit), t[i].is_remote);
		ck_assert_int_eq(remote(miss), -1);
	}
	ck_assert_str_eq(level(PERF_MEM_S(LVL, MISS)), "Miss");
	ck_assert_str_eq(level(PERF_MEM_S(LVL, HIT)), "");
	/* If several bits of levels are set, the farthest level counts. */
	ck_assert_str_eq(level(PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L3) |
			       PERF_MEM_S(LVL, REM_CCE1)),
			 "Remote Cache (1 hop)");
}
END_TEST

START_TEST(level_numbers_remote_and_hops_name_the_level)
{
	const struct {
		unsigned num, rem, hops;
		const char *name;
		int is_remote;
	} t[] = {
		{ 1, 0, 0, "L1", 0 },
		{ 2, 0, 0, "L2", 0 },
		{ 3, 0, 0, "L3", 0 },
		{ 4, 0, 0, "L4", 0 },
		{ 9, 0, 0, "CXL", -1 },
		{ 10, 0, 0, "I/O", -1 },
		{ 8, 0, 0, "Uncached", -1 },
		{ 11, 0, 0, "Any cache", 0 },
		{ 12, 0, 0, "LFB/MAB", 0 },
		{ 13, 0, 0, "Local RAM", 0 },
		{ 14, 0, 0, "PMEM", 0 },
		{ 14, 1, 0, "Remote PMEM", 1 },
		{ 13, 1, 0, "Remote RAM", 1 },
		{ 13, 1, 2, "Remote RAM (1 hop)", 1 },
		{ 13, 1, 3, "Remote RAM (2 hops)", 1 },
		{ 13, 1, 4, "Remote RAM (3 hops)", 1 },
		{ 3, 1, 0, "Remote Cache", 1 },
		{ 3, 1, 1, "Peer Cache", 0 }, /* a cache of another core of this node */
		{ 11, 1, 2, "Remote Cache (1 hop)", 1 },
		{ 11, 1, 3, "Remote Cache (2 hops)", 1 },
		{ 11, 1, 4, "Remote Cache (3 hops)", 1 },
		{ 9, 1, 2, "CXL", 1 },
		{ 15, 1, 0, "", 1 },
	};

	for (size_t i = 0; i < COUNT_OF(t); i++) {
		uint64_t v = level_number(t[i].num, t[i].rem, t[i].hops);

		ck_assert_str_eq(level(v), t[i].name);
		ck_assert_msg(remote(v) == t[i].is_remote, "level number %u remote %u hops %u",
			      t[i].num, t[i].rem, t[i].hops);
	}
}
END_TEST

START_TEST(both_forms_together_agree_with_the_better_one)
{
	/* The old level bits show the distance; the new level number means only "remote". */
	ck_assert_str_eq(level(level_number(13, 1, 0) | PERF_MEM_S(LVL, HIT) |
			       PERF_MEM_S(LVL, REM_RAM2)),
			 "Remote RAM (2 hops)");
	ck_assert_str_eq(level(level_number(14, 0, 0) | PERF_MEM_S(LVL, HIT) |
			       PERF_MEM_S(LVL, LOC_RAM)),
			 "PMEM");
	ck_assert_str_eq(level(level_number(1, 0, 0) | PERF_MEM_S(LVL, MISS) | PERF_MEM_S(LVL, L1)),
			 "L1 miss");
	ck_assert_str_eq(level(level_number(15, 0, 0) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L2)),
			 "L2");
}
END_TEST

START_TEST(the_other_fields)
{
	struct access_kind m;

	memory_decode(PERF_MEM_S(OP, STORE) | PERF_MEM_S(SNOOP, HITM) | PERF_MEM_S(SNOOP, HIT) |
			      PERF_MEM_S(LOCK, LOCKED) | PERF_MEM_S(TLB, HIT) |
			      PERF_MEM_S(TLB, L1) | PERF_MEM_S(TLB, L2) | 6ull << 40,
		      &m);
	ck_assert_int_eq(m.memory_opcode, MEMORY_STORE);
	ck_assert_int_eq(m.memory_lock, MEMORY_LOCKED);
	ck_assert_str_eq(name("memory_snoop", m.memory_snoop), "HitM");
	ck_assert_str_eq(name("memory_dtlb", m.memory_dtlb), "L1 or L2 hit");
	ck_assert_str_eq(name("memory_blocked", m.memory_blocked), "Data and address");

	memory_decode(PERF_MEM_S(OP, LOAD) | PERF_MEM_S(OP, STORE) | PERF_MEM_S(SNOOP, NONE) |
			      PERF_MEM_S(TLB, MISS) | PERF_MEM_S(TLB, L2) | 1ull << 38 | 2ull << 40,
		      &m);
	ck_assert_int_eq(m.memory_opcode, MEMORY_LOAD_STORE);
	ck_assert_str_eq(name("memory_lock", m.memory_lock), "No");
	ck_assert_str_eq(name("memory_snoop", m.memory_snoop), "Fwd");
	ck_assert_str_eq(name("memory_dtlb", m.memory_dtlb), "L2 miss");
	ck_assert_str_eq(name("memory_blocked", m.memory_blocked), "Data");

	memory_decode(PERF_MEM_S(OP, PFETCH) | PERF_MEM_S(SNOOP, MISS) | PERF_MEM_S(TLB, HIT) |
			      PERF_MEM_S(TLB, WK),
		      &m);
	ck_assert_str_eq(name("memory_opcodes", m.memory_opcode), "Prefetch");
	ck_assert_str_eq(name("memory_snoop", m.memory_snoop), "Miss");
	ck_assert_str_eq(name("memory_dtlb", m.memory_dtlb), "Walker hit");
}
END_TEST

/* Returns whether id is -1 (the data source does not have the field) or the id of a row of the
 * table. */
static bool is_row(const char *table, int32_t id)
{
	int n = 0;

	while (memory_table(table)[n])
		n++;
	return id == -1 || (id > 0 && id <= n);
}

START_TEST(any_value_names_rows_that_exist)
{
	uint64_t x = 1;

	for (int i = 0; i < 20000; i++) {
		struct access_kind m;

		random_next(&x);
		memory_decode(x ^ x >> 29, &m);
		ck_assert(is_row("memory_opcodes", m.memory_opcode));
		ck_assert(is_row("memory_levels", m.memory_level));
		ck_assert(is_row("memory_snoop", m.memory_snoop));
		ck_assert(is_row("memory_lock", m.memory_lock));
		ck_assert(is_row("memory_dtlb", m.memory_dtlb));
		ck_assert(is_row("memory_blocked", m.memory_blocked));
	}
}
END_TEST

/* A cache level that comes from a simulation shows nothing about the node of the memory. */
START_TEST(modelled_levels)
{
	static const struct {
		uint64_t level;
		const char *name;
	} cases[] = {
		{ PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT, "L1 (model)" },
		{ PERF_MEM_LVL_L2 | PERF_MEM_LVL_HIT, "L2 (model)" },
		{ PERF_MEM_LVL_L3 | PERF_MEM_LVL_HIT, "L3 (model)" },
		{ PERF_MEM_LVL_L3 | PERF_MEM_LVL_MISS, "L3 miss (model)" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		uint64_t v = PERF_MEM_OP_LOAD | cases[i].level << PERF_MEM_LVL_SHIFT |
			     ACCESS_SOURCE_MODEL;

		ck_assert_str_eq(level(v), cases[i].name);
		ck_assert_int_eq(remote(v), -1);
	}
}
END_TEST

START_TEST(tables_are_whole)
{
	ck_assert_ptr_null(memory_table("memory_colours"));
	ck_assert_str_eq(memory_table("memory_opcodes")[MEMORY_LOAD - 1], "Load");
	ck_assert_str_eq(memory_table("memory_opcodes")[MEMORY_STORE - 1], "Store");
	ck_assert_str_eq(memory_table("memory_opcodes")[MEMORY_LOAD_STORE - 1], "Load/Store");
	ck_assert_str_eq(memory_table("memory_lock")[MEMORY_LOCKED - 1], "Yes");
	ck_assert_str_eq(memory_table("memory_levels")[28], "CXL");
	ck_assert_str_eq(memory_table("memory_levels")[32], "L3 miss (model)");
	ck_assert_ptr_null(memory_table("memory_levels")[33]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("memory");
	TCase *t = tcase_create("memory");

	tcase_add_test(t, nothing_said_is_null);
	tcase_add_test(t, old_level_bits_name_the_level);
	tcase_add_test(t, level_numbers_remote_and_hops_name_the_level);
	tcase_add_test(t, both_forms_together_agree_with_the_better_one);
	tcase_add_test(t, the_other_fields);
	tcase_add_test(t, any_value_names_rows_that_exist);
	tcase_add_test(t, modelled_levels);
	tcase_add_test(t, tables_are_whole);
	suite_add_tcase(s, t);
	return run_suite(s);
}
