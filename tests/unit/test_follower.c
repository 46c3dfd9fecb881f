/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the lines that the recorder writes into follow.log. */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/blocks.h"
#include "record/counter.h"
#include "record/follow.h"
#include "record/homes.h"
#include "base/idlist.h"
#include "record/proctree.h"
#include "record/topology.h"
#include "tracklog/follow.h"

#include "check_main.h"
#include "fake_root.h"

#define NODE "/sys/devices/system/node"
#define CPU  "/sys/devices/system/cpu"

START_TEST(lists)
{
	static const unsigned want[] = { 0, 1, 2, 8, 10, 11 };
	struct idlist l = idlist_make("0-2,8,10-11");
	unsigned n, i = 0;

	while (idlist_next(&l, &n))
		ck_assert_uint_eq(n, want[i++]);
	ck_assert_uint_eq(i, 6);
	ck_assert_uint_eq(idlist_count(""), 0);
	ck_assert_uint_eq(idlist_count("x"), 0);
	ck_assert_uint_eq(idlist_count("3-1"), 0);
	ck_assert_uint_eq(idlist_count("0-4000000000"), 0);
	ck_assert_uint_eq(idlist_count("5,"), 1);
	ck_assert_uint_eq(idlist_count("0-1,7\n"), 3);
	ck_assert_uint_eq(idlist_count("0-"), 0);
	ck_assert_uint_eq(idlist_count("-1"), 0);
	ck_assert_uint_eq(idlist_count("99999999999999999999"), 0);
}
END_TEST

START_TEST(masks_become_lists)
{
	uint64_t set[16] = { 0 };
	char out[64];

	idlist_write(set, 16, out, sizeof(out));
	ck_assert_str_eq(out, "");
	set[0] = 1 | 0xf << 2;
	set[15] = 1ull << 63;
	idlist_write(set, 16, out, sizeof(out));
	ck_assert_str_eq(out, "0,2-5,1023");
	idlist_write(set, 16, out, 6);
	ck_assert_str_eq(out, "0,2-5");
	/* "0,2-5" does not fit, so only the part before 2-5 is written */
	idlist_write(set, 16, out, 5);
	ck_assert_str_eq(out, "0");
}
END_TEST

static char *topology_of(struct fake_root *root)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	topology_write(root->dir, f);
	fclose(f);
	return text;
}

/* A machine with two nodes. Their numbers are not consecutive, and the second has no CPUs. */
START_TEST(nodes_and_distances)
{
	struct fake_root root;
	char *text;

	fake_root_make(&root);
	fake_root_add(&root, NODE "/online", "0,2");
	fake_root_add(&root, NODE "/node0/cpulist", "0-1");
	fake_root_add(&root, NODE "/node0/distance", "10 17");
	fake_root_add(&root, NODE "/node0/meminfo",
		      "Node 0 MemTotal:       1000 kB\nNode 0 MemFree:         400 kB");
	fake_root_add(&root, NODE "/node2/cpulist", "");
	fake_root_add(&root, NODE "/node2/distance", "17 10");
	fake_root_add(&root, CPU "/cpu0/topology/core_id", "4");
	fake_root_add(&root, CPU "/cpu0/topology/physical_package_id", "1");
	text = topology_of(&root);
	ck_assert_str_eq(text, "node\t0\t0-1\t1024000\t409600\n"
			       "distance\t0\t0\t10\ndistance\t0\t2\t17\n"
			       "cpu\t0\t0\t4\t1\ncpu\t1\t0\t-1\t-1\n"
			       "node\t2\t\t0\t0\n"
			       "distance\t2\t0\t17\ndistance\t2\t2\t10\n");
	free(text);
	fake_root_remove(&root);
}
END_TEST

/* A memory block is a range of physical addresses in /sys/devices/system/memory. A block that two
 * nodes claim is assigned to neither. */
START_TEST(memory_blocks_give_physical_addresses)
{
	struct fake_root root;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	fake_root_make(&root);
	blocks_write(root.dir, "0-1", f); /* the machine has no memory blocks yet */
	fake_root_add(&root, "/sys/devices/system/memory/block_size_bytes", "8000000");
	fake_root_add(&root, NODE "/node0/memory0/state", "online");
	fake_root_add(&root, NODE "/node0/memory1/state", "online");
	fake_root_add(&root, NODE "/node0/memory2/state", "online");
	fake_root_add(&root, NODE "/node1/memory2/state", "online");
	fake_root_add(&root, NODE "/node1/memory3/state", "online");
	fake_root_add(&root, NODE "/node1/memory32/state", "online");
	blocks_write(root.dir, "0-1", f);
	fclose(f);
	ck_assert_str_eq(text, "memory\t0\t0\t10000000\n"
			       "memory\t1\t18000000\t20000000\n"
			       "memory\t1\t100000000\t108000000\n");
	free(text);
	fake_root_remove(&root);
}
END_TEST

START_TEST(the_trackers_files_are_left_out)
{
	struct homes_options o = HOMES_DEFAULT;
	char dir[] = "/tmp/memdb-follower.XXXXXX", path[64], word[40], *text[2] = { 0 };
	size_t bytes = 2 << 20, len;
	char *p;
	int fd;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/1.log", dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	ck_assert_int_eq(ftruncate(fd, (off_t)bytes), 0);
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(p, MAP_FAILED);
	memset(p, 1, bytes);
	snprintf(word, sizeof(word), "\t%" PRIxPTR "\t", (uintptr_t)p);
	o.page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	for (int i = 0; i < 2; i++) {
		FILE *f = open_memstream(&text[i], &len);

		o.track_dir = i ? dir : NULL;
		homes_write(&o, (uint32_t)getpid(), 0, f);
		fclose(f);
	}
	/* a kernel without NUMA has no move_pages(), so nothing is written */
	ck_assert(!*text[0] || strstr(text[0], word));
	ck_assert_ptr_null(strstr(text[1], word));
	free(text[0]);
	free(text[1]);
	munmap(p, bytes);
	close(fd);
	unlink(path);
	rmdir(dir);
}
END_TEST

START_TEST(a_kernel_without_nodes_is_one_node)
{
	struct fake_root root;
	char *text;

	fake_root_make(&root);
	fake_root_add(&root, CPU "/online", "0");
	text = topology_of(&root);
	ck_assert_str_eq(text, "node\t0\t0\t0\t0\ndistance\t0\t0\t10\ncpu\t0\t0\t-1\t-1\n");
	free(text);
	fake_root_remove(&root);
}
END_TEST

/* The recorder queries some pages of each mapping, at equal steps. If a step were a multiple of the
 * number of nodes, all queried pages of interleaved memory would be on one node. */
START_TEST(steps_bound_the_pages_and_show_interleaved_ones)
{
	struct homes_options o = HOMES_DEFAULT;

	o.page_bytes = 4096;
	ck_assert_uint_eq(homes_step(&o, 512 * 4096), 4096);
	ck_assert_uint_eq(homes_step(&o, 513 * 4096), 5 * 4096);
	ck_assert_uint_gt(homes_step(&o, UINT64_MAX - 4095), 1ull << 53);
	for (uint64_t pages = 513; pages < 1ull << 40; pages += pages / 7) {
		uint64_t step = homes_step(&o, pages * 4096) / 4096;

		ck_assert_uint_le(pages, step * 512);
		ck_assert_uint_le(step, pages / 512 + 10);
		for (uint64_t nodes = 2; nodes <= 8; nodes++)
			ck_assert(step % nodes || (step < 10 && step == nodes));
	}
}
END_TEST

START_TEST(runs_of_nodes_are_shortened)
{
	static const int nodes[] = { 0, 0, 0, 1, -2, -14, 3, 3 };
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	homes_write_nodes(nodes, 8, f);
	fclose(f);
	ck_assert_str_eq(text, "0x3,1,-x2,3x2");
	free(text);
}
END_TEST

/* The recorder queries the nodes of a large block of this process. A kernel with NUMA reports each
 * page on an existing node. */
START_TEST(own_pages_have_homes)
{
	struct homes_options o = HOMES_DEFAULT;
	size_t bytes = 8 << 20;
	char *text = NULL, *p = malloc(bytes);
	size_t len;
	FILE *f = open_memstream(&text, &len);
	uint64_t asked;

	o.page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	memset(p, 1, bytes);
	asked = homes_write(&o, (uint32_t)getpid(), 0, f);
	fclose(f);
	if (asked) { /* asked is 0 on a kernel without NUMA, which has no move_pages() */
		ck_assert_ptr_eq(strstr(text, "homes\t"), text);
		ck_assert_uint_gt(asked, 100);
	}
	free(text);
	free(p);
}
END_TEST

/* A mapping has more pages than the recorder may query in one round. Each round still includes the
 * mapping's first page. */
START_TEST(each_round_begins_with_the_first_page)
{
	struct homes_options o = HOMES_DEFAULT;
	size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = 8 << 20, len;
	char *all = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	/* The pages around the mapping are not accessible, so that no other mapping merges with
	 * it. */
	char word[40], *p = all + page;

	ck_assert_ptr_ne(all, MAP_FAILED);
	ck_assert_int_eq(mprotect(p, bytes, PROT_READ | PROT_WRITE), 0);
	memset(p, 1, bytes);
	o.page_bytes = page;
	o.pages_per_mapping = 16;
	snprintf(word, sizeof(word), "\t%" PRIxPTR "\t", (uintptr_t)p);
	for (unsigned round = 0; round < 4; round++) {
		char *text = NULL;
		FILE *f = open_memstream(&text, &len);
		uint64_t asked = homes_write(&o, (uint32_t)getpid(), round, f);

		fclose(f);
		/* a kernel without NUMA has no move_pages() */
		ck_assert(!asked || strstr(text, word));
		free(text);
	}
	munmap(all, bytes + 2 * page);
}
END_TEST

/* The reader of follow.log must understand each line that homes_write() and the other functions
 * write. */
START_TEST(the_reader_understands_every_line)
{
	struct homes_options o = HOMES_DEFAULT;
	unsigned kinds[FL_COLLAPSE + 1] = { 0 }, stacks = 0;
	struct fl_record r;
	struct fl_log *log;
	struct fake_root root;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	fake_root_make(&root);
	fake_root_add(&root, NODE "/online", "0-1");
	fake_root_add(&root, NODE "/node0/cpulist", "0-3");
	fake_root_add(&root, NODE "/node0/distance", "10 20");
	fake_root_add(&root, NODE "/node1/cpulist", "");
	fake_root_add(&root, NODE "/node1/distance", "20 10");
	fake_root_add(&root, NODE "/node1/memory2/state", "online");
	fake_root_add(&root, "/sys/devices/system/memory/block_size_bytes", "8000000");
	fake_root_add(&root, "/proc/self/numa_maps",
		      "00400000 interleave:0-1 file=/bin/memdb mapped=9");
	fake_root_add(&root, "/proc/sys/kernel/numa_balancing", "1");
	fake_root_add(&root, "/proc/self/status", "Cpus_allowed:\tf\nMems_allowed_list:\t0-1");
	fake_root_add(&root, NODE "/node0/numastat", "numa_hit 9\nnuma_miss 7\nnuma_foreign 0\n");
	fake_root_add(&root, NODE "/node1/numastat", "numa_hit 9\nnuma_miss 0\nnuma_foreign 7\n");
	fake_root_add(&root, "/proc/sys/kernel/osrelease", "4.14.0");
	o.page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	o.smallest_bytes = o.page_bytes;
	follow_write_head(f, root.dir, o.page_bytes);
	topology_write_foreign(root.dir, f);
	fake_root_add(&root, "/proc/sys/vm/numa_stat", "0"); /* no counters: no lines */
	topology_write_foreign(root.dir, f);
	homes_write(&o, (uint32_t)getpid(), 3, f);
	homes_write_policies(&o, (uint32_t)getpid(), f);
	fclose(f);
	ck_assert_int_eq(fl_open_mem(text, len, &log, NULL), 0);
	while (fl_next(log, &r, NULL) == 1) {
		kinds[r.kind]++;
		if (r.kind == FL_POLICY)
			ck_assert_str_eq(r.text, "interleave:0-1");
		/* the path of a file, behind "file=", may contain the word, too */
		stacks += r.kind == FL_NUMA_MAPS && !strncmp(r.more, "stack", 5);
		if (r.kind == FL_HOMES)
			ck_assert_uint_eq(r.bytes % o.page_bytes, 0);
		if (r.kind == FL_MEMS)
			ck_assert_str_eq(r.more, "0-1");
		if (r.kind == FL_FOREIGN)
			ck_assert_uint_eq(r.pages, r.node * 7);
	}
	ck_assert_uint_eq(fl_skipped(log), 0);
	ck_assert_uint_eq(kinds[FL_NODE], 2);
	ck_assert_uint_eq(kinds[FL_DISTANCE], 4);
	ck_assert_uint_eq(kinds[FL_CPU], 4);
	ck_assert_uint_eq(kinds[FL_MEMORY], 1);
	ck_assert_uint_eq(kinds[FL_PAGE], 1);
	ck_assert_uint_eq(kinds[FL_POLICY], 1);
	ck_assert_uint_eq(kinds[FL_AFFINITY], 1);
	ck_assert_uint_eq(kinds[FL_BALANCING], 1);
	ck_assert_uint_eq(kinds[FL_MEMS], 1);
	ck_assert_uint_eq(kinds[FL_FOREIGN], 4); /* one of these lines is in the head of the log */
	if (!access("/proc/self/numa_maps", R_OK)) {
		ck_assert_uint_gt(kinds[FL_HOMES], 0);
		ck_assert_uint_gt(kinds[FL_NUMA_MAPS], 0);
		ck_assert_uint_eq(stacks, 1);
	}
	fl_close(log);
	free(text);
	fake_root_remove(&root);
}
END_TEST

struct seen {
	unsigned processes, threads;
	char comm[16];
	uint32_t pid;
};

static void note(void *arg, const struct proctree_process *p, const char *exe,
		 const struct proctree_thread *thread)
{
	struct seen *s = arg;

	if (thread) {
		s->threads++;
		memcpy(s->comm, thread->comm, sizeof(s->comm));
		ck_assert_str_ne(thread->cpus, "");
	} else {
		s->processes++;
		s->pid = p->pid;
		ck_assert_uint_gt(p->start_ticks, 0);
	}
}

START_TEST(a_tree_is_seen_once_and_changes_again)
{
	struct proctree t;
	struct seen s = { 0 };
	pid_t child;

	child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	ck_assert_int_eq(proctree_init(&t, getpid()), 0);
	ck_assert_int_eq(proctree_look(&t, note, &s), 0);
	ck_assert_uint_eq(s.processes, 2);
	ck_assert_uint_eq(s.threads, 2);
	ck_assert_int_eq(s.pid, child);
	ck_assert_int_eq(proctree_look(&t, note, &s), 0);
	ck_assert_uint_eq(s.processes, 2);
	ck_assert_uint_eq(s.threads, 2);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	ck_assert_int_eq(proctree_look(&t, note, &s), 0);
	ck_assert_uint_eq(t.n, 1);
	proctree_release(&t);
}
END_TEST

START_TEST(there_is_no_tree_without_a_process)
{
	struct proctree t;
	pid_t child = fork();

	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	ck_assert_int_eq(proctree_init(&t, child), MD_ENOENT);
	proctree_release(&t);
}
END_TEST

START_TEST(names_may_hold_anything)
{
	uint64_t ticks;
	uint32_t ppid;
	char state;

	FILE *f = fopen("/proc/self/comm", "w");

	ck_assert_ptr_nonnull(f);
	fputs("a) Z 1 2", f);
	fclose(f);
	ck_assert(proctree_stat(getpid(), &ppid, &ticks, &state));
	ck_assert_int_eq(ppid, getppid());
	ck_assert_int_eq(state, 'R');
}
END_TEST

START_TEST(the_counter_from_two_readings)
{
	struct counter_reading a = { 1000, 1000 }, b = { 26001000, 10001000 };

	ck_assert_uint_eq(counter_khz(&a, &b), 2600000);
	ck_assert_uint_eq(counter_khz(&b, &a), 0);
	b.ns = 1000 + 4999999;
	ck_assert_uint_eq(counter_khz(&a, &b), 0);
	b = (struct counter_reading){ UINT64_MAX, 6000000 };
	ck_assert_uint_eq(counter_khz(&a, &b), 0);
	b = (struct counter_reading){ 1000, 10001000 };
	ck_assert_uint_eq(counter_khz(&a, &b), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("follower");
	TCase *t = tcase_create("follower");

	tcase_add_test(t, lists);
	tcase_add_test(t, masks_become_lists);
	tcase_add_test(t, nodes_and_distances);
	tcase_add_test(t, memory_blocks_give_physical_addresses);
	tcase_add_test(t, the_trackers_files_are_left_out);
	tcase_add_test(t, a_kernel_without_nodes_is_one_node);
	tcase_add_test(t, steps_bound_the_pages_and_show_interleaved_ones);
	tcase_add_test(t, runs_of_nodes_are_shortened);
	tcase_add_test(t, own_pages_have_homes);
	tcase_add_test(t, each_round_begins_with_the_first_page);
	tcase_add_test(t, the_reader_understands_every_line);
	tcase_add_test(t, a_tree_is_seen_once_and_changes_again);
	tcase_add_test(t, there_is_no_tree_without_a_process);
	tcase_add_test(t, names_may_hold_anything);
	tcase_add_test(t, the_counter_from_two_readings);
	suite_add_tcase(s, t);
	return run_suite(s);
}
