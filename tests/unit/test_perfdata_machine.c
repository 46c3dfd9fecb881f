/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the header features about the machine: CPUs, nodes, memory, caches and PMUs. */
#include "feature_build.h"

static void topology(uint32_t cpus)
{
	pd_bytes_u32(&b, &o, 1);
	pd_bytes_string(&b, &o, "0-3");
	pd_bytes_u32(&b, &o, 0);
	for (uint32_t i = 0; i < cpus; i++) {
		pd_bytes_u32(&b, &o, i / 2);
		pd_bytes_u32(&b, &o, i & 1);
	}
	feature(13);
}

static void nodes(void)
{
	pd_bytes_u32(&b, &o, 2);
	for (uint32_t n = 0; n < 2; n++) {
		pd_bytes_u32(&b, &o, n * 5);
		pd_bytes_u64(&b, &o, 100 + n);
		pd_bytes_u64(&b, &o, 50);
		pd_bytes_string(&b, &o, n ? "1,3-3,99" : "0,2");
	}
	feature(14);
}

START_TEST(cpus_and_nodes_are_read)
{
	const struct pd_features *t;
	struct pd_file *f;

	start(_i);
	cpus_feature(4, 4);
	topology(4);
	nodes();
	f = read_all();
	t = pd_features(f);
	ck_assert_uint_eq(t->ncpus, 4);
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(t->cpus[i].core, i / 2);
		ck_assert_int_eq(t->cpus[i].socket, i & 1);
		ck_assert_int_eq(t->cpus[i].node, i & 1 ? 5 : 0);
	}
	ck_assert_uint_eq(t->nnodes, 2);
	ck_assert_uint_eq(t->nodes[1].id, 5);
	ck_assert_uint_eq(t->nodes[1].mem_total_bytes, 101 * 1024);
	ck_assert_uint_eq(t->nodes[1].mem_free_bytes, 50 * 1024);
	ck_assert_str_eq(t->nodes[1].cpus, "1,3-3,99");
	finish(f);
}
END_TEST

/* Older recordings name no cores and sockets. Their nodes are still read. */
START_TEST(nodes_without_topology_are_read)
{
	const struct pd_features *t;
	struct pd_file *f;

	start(_i);
	cpus_feature(3, 3);
	nodes();
	f = read_all();
	t = pd_features(f);
	ck_assert_uint_eq(t->ncpus, 3);
	ck_assert_int_eq(t->cpus[1].core, -1);
	ck_assert_int_eq(t->cpus[1].node, 5);
	ck_assert_int_eq(t->cpus[2].node, 0);
	finish(f);
}
END_TEST

static void pmu(uint32_t type, const char *name)
{
	pd_bytes_u32(&b, &o, type);
	pd_bytes_string(&b, &o, name);
}

static void caps(const char *value)
{
	pd_bytes_u32(&b, &o, 2);
	pd_bytes_string(&b, &o, "branches");
	pd_bytes_string(&b, &o, value);
	pd_bytes_string(&b, &o, "max_precise");
	pd_bytes_string(&b, &o, "3");
}

START_TEST(cores_of_a_hybrid_cpu_are_told_apart)
{
	struct perf_event_attr attr = fill_attr(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP);
	const struct pd_features *t;
	struct pd_file *f;

	start(_i);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = (uint64_t)10 << 32;
	pd_build_event(&b, &attr, (uint64_t[]){ 1 }, 1);
	attr.config = 0;
	pd_build_event(&b, &attr, (uint64_t[]){ 2 }, 1);
	attr.type = 4;
	pd_build_event(&b, &attr, (uint64_t[]){ 3 }, 1);
	pd_bytes_u32(&b, &o, 3);
	pmu(10, "cpu_atom");
	pmu(4, "cpu_core");
	pmu(1, "software");
	feature(16);
	pd_bytes_u32(&b, &o, 2);
	for (int i = 0; i < 2; i++) {
		pd_bytes_string(&b, &o, i ? "cpu_atom" : "cpu_core");
		pd_bytes_string(&b, &o, i ? "8-15" : "0-7");
	}
	feature(30);
	pd_bytes_u32(&b, &o, 2);
	caps("32");
	pd_bytes_string(&b, &o, "cpu_core");
	caps("16");
	pd_bytes_string(&b, &o, "no such one");
	feature(31);
	f = read_all();
	t = pd_features(f);
	ck_assert_str_eq(pd_losses(f)->what, "");
	ck_assert_uint_eq(t->npmus, 3);
	ck_assert_str_eq(t->pmus[1].name, "cpu_core");
	ck_assert_str_eq(t->pmus[1].cpus, "0-7");
	ck_assert_str_eq(t->pmus[1].caps, "branches=32 max_precise=3");
	ck_assert_str_eq(t->pmus[2].cpus, "8-15");
	ck_assert_ptr_null(t->pmus[2].caps);
	ck_assert_str_eq(pd_evsel_at(f, 0)->pmu->name, "cpu_atom");
	ck_assert_ptr_null(pd_evsel_at(f, 1)->pmu);
	ck_assert_str_eq(pd_evsel_at(f, 2)->pmu->name, "cpu_core");
	finish(f);
}
END_TEST

START_TEST(capabilities_of_the_only_pmu_are_read)
{
	struct pd_file *f;

	start(_i);
	pd_bytes_u32(&b, &o, 1);
	pmu(4, "cpu");
	feature(16);
	caps("32");
	feature(28);
	f = read_all();
	ck_assert_str_eq(pd_features(f)->pmus[0].caps, "branches=32 max_precise=3");
	finish(f);
}
END_TEST

static void memory(uint64_t node, uint64_t bits, uint64_t low, uint64_t high)
{
	pd_bytes_u64(&b, &o, node);
	pd_bytes_u64(&b, &o, bits);
	pd_bytes_u64(&b, &o, bits);
	pd_bytes_u64(&b, &o, low);
	if (bits > 64)
		pd_bytes_u64(&b, &o, high);
}

START_TEST(memory_has_nodes)
{
	const uint64_t block = 128 << 20, ranges[3][2] = { { 4, 8 }, { 64, 65 }, { 69, 70 } };
	uint64_t at = 0, from, to;
	const struct pd_features *t;
	struct pd_file *f;

	start(_i);
	pd_bytes_u64(&b, &o, 1);
	pd_bytes_u64(&b, &o, block);
	pd_bytes_u64(&b, &o, 2);
	memory(0, 64, 0x0f, 0);
	memory(3, 70, 0xf0, 0x21);
	feature(22);
	f = read_all();
	t = pd_features(f);
	ck_assert_str_eq(pd_losses(f)->what, "");
	ck_assert_uint_eq(t->nmemories, 2);
	ck_assert_uint_eq(pd_memory_bytes(f, &t->memories[0]), 4 * block);
	ck_assert_uint_eq(pd_memory_bytes(f, &t->memories[1]), 6 * block);
	ck_assert(pd_memory_next(f, &t->memories[0], &at, &from, &to));
	ck_assert_uint_eq(from, 0);
	ck_assert_uint_eq(to, 4 * block);
	ck_assert(!pd_memory_next(f, &t->memories[0], &at, &from, &to));
	at = 0;
	for (int i = 0; i < 3; i++) {
		ck_assert(pd_memory_next(f, &t->memories[1], &at, &from, &to));
		ck_assert_uint_eq(from, ranges[i][0] * block);
		ck_assert_uint_eq(to, ranges[i][1] * block);
	}
	ck_assert(!pd_memory_next(f, &t->memories[1], &at, &from, &to));
	finish(f);
}
END_TEST

static void cache(uint32_t level, const char *type, const char *size)
{
	pd_bytes_u32(&b, &o, level);
	for (int i = 0; i < 3; i++)
		/* the line size, the number of sets and the number of ways are all 64 */
		pd_bytes_u32(&b, &o, 64);
	pd_bytes_string(&b, &o, type);
	pd_bytes_string(&b, &o, size);
	pd_bytes_string(&b, &o, "0-1");
}

/* For each level, the largest data cache counts. A cache without CPUs does not count, and
 * neither does a size that is not a number. */
START_TEST(caches_are_read)
{
	const struct pd_features *t;
	struct pd_file *f;

	start(_i);
	pd_bytes_u32(&b, &o, 1);
	pd_bytes_u32(&b, &o, 9);
	cache(1, "Instruction", "64K");
	cache(1, "Data", "32K");
	cache(1, "Data", "48K");
	cache(2, "Unified", "1024K");
	cache(2, "Unified", "4096 apples");
	cache(3, "Unified", "-1K");
	cache(3, "Unified", "99999999999999K");
	cache(4, "Unified", "8K");
	cache(0, "Unified", "8K");
	feature(20);
	f = read_all();
	t = pd_features(f);
	ck_assert_uint_eq(t->cache_bytes[0], 48 << 10);
	ck_assert_uint_eq(t->cache_bytes[1], 1 << 20);
	ck_assert_uint_eq(t->cache_bytes[2], 0);
	ck_assert_str_eq(pd_losses(f)->what, "");
	finish(f);
}
END_TEST

START_TEST(a_cut_list_of_caches_is_damage)
{
	struct pd_file *f;

	start(_i);
	pd_bytes_u32(&b, &o, 1);
	pd_bytes_u32(&b, &o, 1000000);
	cache(1, "Data", "32K");
	feature(20);
	f = read_all();
	ck_assert_uint_eq(pd_features(f)->cache_bytes[0], 32 << 10);
	ck_assert_str_ne(pd_losses(f)->what, "");
	finish(f);
}
END_TEST

/* 100,000 nodes name the same 65,536 CPUs. Reading this must take time proportional to the size
 * of the text, not to nodes times CPUs. */
START_TEST(nodes_that_share_cpus_cost_no_time)
{
	struct pd_file *f;

	start(0);
	cpus_feature(UINT32_MAX, 1);
	pd_bytes_u32(&b, &o, 100000);
	for (uint32_t n = 0; n < 100000; n++) {
		pd_bytes_u32(&b, &o, n);
		pd_bytes_u64(&b, &o, 0);
		pd_bytes_u64(&b, &o, 0);
		pd_bytes_u32(&b, &o, 8);
		pd_bytes_add(&o, "0-99999", 8);
	}
	feature(14);
	f = read_all();
	ck_assert_uint_eq(pd_features(f)->ncpus, 65536);
	ck_assert_int_eq(pd_features(f)->cpus[65535].node, 0);
	finish(f);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("perfdata_machine");
	TCase *t = tcase_create("machine");

	tcase_add_loop_test(t, cpus_and_nodes_are_read, 0, KINDS);
	tcase_add_loop_test(t, nodes_without_topology_are_read, 0, KINDS);
	tcase_add_loop_test(t, cores_of_a_hybrid_cpu_are_told_apart, 0, KINDS);
	tcase_add_loop_test(t, capabilities_of_the_only_pmu_are_read, 0, KINDS);
	tcase_add_loop_test(t, memory_has_nodes, 0, KINDS);
	tcase_add_loop_test(t, caches_are_read, 0, KINDS);
	tcase_add_loop_test(t, a_cut_list_of_caches_is_damage, 0, KINDS);
	tcase_add_test(t, nodes_that_share_cpus_cost_no_time);
	suite_add_tcase(s, t);
	return run_suite(s);
}
