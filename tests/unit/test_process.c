/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/homes.h"
#include "model/process.h"

#include <stdio.h>
#include <unistd.h>

#include "check_main.h"

#include <stdio.h>
#include <string.h>
#include "own_image.h"

static struct code code;
static struct space space;
static uint32_t file;

static void setup(void)
{
	struct sym_options so = { 0 };

	ck_assert_int_eq(code_init(&code, &so, NULL), 0);
	space_init(&space, &code);
	file = code_dso(&code, "/no/such/file", NULL);
}

static void teardown(void)
{
	space_release(&space);
	code_release(&code);
}

static void map(uint32_t pid, uint64_t start, uint64_t end, uint64_t pgoff, uint64_t time)
{
	struct mapping m = {
		.dso = file, .start = start, .end = end, .pgoff = pgoff, .executable = true
	};

	space_map(&space, pid, &m, time);
}

static void map_stack(uint32_t pid, uint64_t start, uint64_t end, uint64_t time)
{
	struct mapping m = { .dso = code_dso(&code, "[stack]", NULL), .start = start, .end = end };

	space_map(&space, pid, &m, time);
}

static uint32_t fork_of(uint32_t pid, uint32_t ppid, uint32_t tid, uint32_t ptid, uint64_t time)
{
	struct task_fork f = { pid, ppid, tid, ptid, true };

	return space_fork(&space, &f, time);
}

START_TEST(a_mapping_over_another_leaves_head_and_tail)
{
	uint32_t p;

	map(1, 0x1000, 0x9000, 0, 10);
	map(1, 0x3000, 0x5000, 0x70000, 20);
	p = space_process_of(&space, 1, false, 20);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x2fff)->pgoff, 0);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x3000)->pgoff, 0x70000);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x5000)->pgoff, 0x4000);
	ck_assert_ptr_null(space_mapping_at(&space, p, 0x9000));
	space_unmap(&space, p, 0x0, 0x8000, 30);
	ck_assert_ptr_null(space_mapping_at(&space, p, 0x7fff));
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x8000)->pgoff, 0x7000);
}
END_TEST

/* The kernel reports a mapping that has grown together as a whole: the pages of its old part stay.
 */
START_TEST(a_mapping_that_grows_keeps_its_pages)
{
	struct mapping m = { .start = 0x3000, .end = 0x5000, .prot = 3, .flags = 34 };
	uint32_t p;

	m.dso = code_dso(&code, "//anon", NULL);
	space_map(&space, 1, &m, 10);
	m.start = 0x1000; /* below it */
	space_map(&space, 1, &m, 20);
	p = space_process_of(&space, 1, false, 20);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x4000)->birth, 10);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x4000)->time, 20);
	m.end = 0x9000; /* above it */
	space_map(&space, 1, &m, 30);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x8000)->birth, 10);
	space_map(&space, 1, &m, 40); /* another in its place */
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x8000)->birth, 40);
	m.prot = 1; /* not alike */
	m.end = 0xa000;
	space_map(&space, 1, &m, 50);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x8000)->birth, 50);
}
END_TEST

START_TEST(locations_are_told_once_whatever_the_address)
{
	uint32_t a, b;

	map(1, 0x10000, 0x20000, 0x1000, 10);
	map(2, 0x50000, 0x60000, 0x1000, 10);
	a = space_location(&space, space_process_of(&space, 1, false, 0), false, 0x10010);
	b = space_location(&space, space_process_of(&space, 2, false, 0), false, 0x50010);
	ck_assert_uint_eq(a, b);
	ck_assert_uint_eq(code.locations.at[a - 1].offset, 0x1010);
	a = space_location(&space, space_process_of(&space, 1, false, 0), false, 0x999999);
	ck_assert_uint_eq(code.locations.at[a - 1].dso, 0);
}
END_TEST

/* In a folder of perf-PID.map files. */
static void tell_name(const char *dir, unsigned pid, const char *line)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/perf-%u.map", dir, pid);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fprintf(f, "%s\n", line);
	fclose(f);
}

static const char *name_at(uint32_t process, uint64_t ip)
{
	uint32_t at = space_location(&space, process, false, ip);
	const char *name = code_symbol_name(&code, code.locations.at[at - 1].symbol);

	return name ? name : "";
}

START_TEST(code_without_a_file_has_the_names_that_its_process_told)
{
	struct mapping m = { .start = 0x70000, .end = 0x80000, .executable = true };
	struct task_fork child = { .pid = 2, .ppid = 1, .tid = 2, .ptid = 1, .inherits = true };
	char dir[] = "/tmp/memdb-test-process-XXXXXX", path[128];
	uint32_t parent, forked;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	tell_name(dir, 1, "70000 100 made");
	tell_name(dir, 3, "70000 100 elsewhere");
	code.jit = dir;
	m.dso = code_dso(&code, "//anon", NULL);
	space_map(&space, 1, &m, 5);
	map(1, 0x10000, 0x20000, 0x1000, 10);
	forked = space_fork(&space, &child, 20);
	parent = space_process_of(&space, 1, false, 0);
	ck_assert_str_eq(name_at(parent, 0x70080), "made");
	ck_assert_str_eq(name_at(parent, 0x70100), "");
	ck_assert_str_eq(name_at(parent, 0x10010), "");     /* a file's */
	ck_assert_str_eq(name_at(forked, 0x70080), "made"); /* the parent's code */
	space_comm(&space, 2, 2, "other", true, 30);
	space_map(&space, 4, &m, 40);
	ck_assert_str_eq(name_at(space_process_of(&space, 4, false, 0), 0x70080), "");
	for (unsigned pid = 1; pid <= 3; pid += 2) {
		snprintf(path, sizeof(path), "%s/perf-%u.map", dir, pid);
		unlink(path);
	}
	rmdir(dir);
}
END_TEST

START_TEST(code_of_the_kernel_is_its_own_or_a_modules)
{
	struct mapping m = { .start = 0xffffffff81000000,
			     .end = 0xffffffff82000000,
			     .pgoff = 0xffffffff81000040,
			     .executable = true };
	uint32_t at;

	m.dso = code_dso(&code, "[kernel.kallsyms]_text", NULL);
	space_map(&space, UINT32_MAX, &m, 0);
	ck_assert_str_eq(code.kernel_at.symbol, "_text");
	ck_assert_uint_eq(code.kernel_at.address, 0xffffffff81000040);
	m = (struct mapping){ .start = 0xffffffffc0000000,
			      .end = 0xffffffffc0010000,
			      .executable = true };
	m.dso = code_dso(&code, "/lib/modules/6.1/kernel/fs/ext4/ext4.ko.xz", NULL);
	space_map(&space, UINT32_MAX, &m, 0);
	at = space_location(&space, 0, true, 0xffffffff81000100);
	ck_assert_uint_eq(code.locations.at[at - 1].dso, code_kernel(&code));
	at = space_location(&space, 0, true, 0xffffffffc0000100);
	ck_assert_uint_eq(code.locations.at[at - 1].dso, m.dso);
	ck_assert_uint_eq(code.locations.at[at - 1].offset, 0xffffffffc0000100);
	ck_assert_int_eq(code.dsos.at[m.dso - 1].kind, DSO_MODULE);
	ck_assert_str_eq(code.dsos.at[m.dso - 1].short_name, "ext4.ko.xz");
}
END_TEST

START_TEST(code_that_the_kernel_made_has_its_name_while_it_is_there)
{
	struct kernel_code k = { .start = 0xffffffffc0000000, .size = 64, .name = "bpf_prog_a" };
	const struct location *l;
	uint32_t at;

	space_ksymbol(&space, &k, 10);
	at = space_location(&space, 0, true, 0xffffffffc0000010);
	l = &code.locations.at[at - 1];
	ck_assert_str_eq(code_symbol_name(&code, l->symbol), "bpf_prog_a");
	ck_assert_str_eq(code.dsos.at[l->dso - 1].path, "bpf_prog_a");
	ck_assert_uint_eq(l->offset, 0x10);
	at = space_location(&space, 0, true, 0xffffffffc0000040);
	ck_assert_uint_eq(code.locations.at[at - 1].dso, code_kernel(&code));
	k.gone = true;
	space_ksymbol(&space, &k, 20);
	at = space_location(&space, 0, true, 0xffffffffc0000010);
	ck_assert_uint_eq(code.locations.at[at - 1].dso, code_kernel(&code));
}
END_TEST

/* What is mapped under a name stays that. */
START_TEST(code_of_the_kernel_takes_no_files_name)
{
	const struct kernel_code k = { .start = 0xffffffffc0000000,
				       .size = 64,
				       .name = "/no/such/file" };

	space_ksymbol(&space, &k, 10);
	ck_assert_uint_eq(code_dso(&code, "/no/such/file", NULL), file);
	ck_assert_int_eq(code.dsos.at[file - 1].kind, DSO_FILE);
}
END_TEST

START_TEST(a_child_has_its_parents_mappings_of_that_time)
{
	uint32_t child;

	map(1, 0x1000, 0x2000, 0, 10);
	child = fork_of(2, 1, 2, 1, 20);
	ck_assert_uint_ne(child, 0);
	map(1, 0x5000, 0x6000, 0, 30);
	ck_assert_ptr_nonnull(space_mapping_at(&space, child, 0x1000));
	ck_assert_ptr_null(space_mapping_at(&space, child, 0x5000));
	ck_assert_uint_eq(fork_of(2, 2, 3, 2, 40), 0);
	ck_assert_uint_eq(space.threads.at[space_thread_of(&space, 2, 3, 50) - 1].start, 40);
}
END_TEST

/* start and end of what a process sees at an address, "-" for nothing. */
static const char *seen(uint32_t process, uint64_t address)
{
	static char text[64];
	const struct mapping *m = space_mapping_at(&space, process, address);

	strcpy(text, "-");
	if (m)
		snprintf(text, sizeof(text), "%llx-%llx", (unsigned long long)m->start,
			 (unsigned long long)m->end);
	return text;
}

START_TEST(parent_and_child_change_what_they_see_apart)
{
	uint32_t parent = space_process_of(&space, 1, true, 1), child, n;

	for (uint64_t i = 1; i <= 200; i++)
		map(1, i * 0x10000, i * 0x10000 + 0x8000, i * 0x10000, 10);
	child = fork_of(2, 1, 2, 1, 20);
	ck_assert_uint_eq(space.mappings.n, 200);
	space_unmap(&space, parent, 0x12000, 0x14000, 30);
	ck_assert_str_eq(seen(parent, 0x11000), "10000-12000");
	ck_assert_str_eq(seen(parent, 0x12000), "-");
	ck_assert_str_eq(seen(parent, 0x14000), "14000-18000");
	ck_assert_uint_eq(space_mapping_at(&space, parent, 0x14000)->pgoff, 0x14000);
	ck_assert_uint_eq(space_mapping_at(&space, parent, 0x14000)->birth, 10);
	ck_assert_str_eq(seen(child, 0x13000), "10000-18000");
	space_unmap(&space, child, 0x22000, 0x1000000, 40);
	ck_assert_str_eq(seen(child, 0x21000), "20000-22000");
	ck_assert_str_eq(seen(child, 0x800000), "-");
	ck_assert_str_eq(seen(parent, 0x21000), "20000-28000");
	ck_assert_str_eq(seen(parent, 0x800000), "800000-808000");
	ck_assert_uint_eq(space_mapping_at(&space, parent, 0x800000)->end_time, 0);
	n = space.mappings.n;
	space_comm(&space, 1, 1, "new", true, 50);
	ck_assert_str_eq(seen(parent, 0x800000), "-");
	ck_assert_str_eq(seen(child, 0x13000), "10000-18000");
	ck_assert_uint_eq(space.mappings.n, n);
}
END_TEST

START_TEST(stacks_of_parent_and_child_are_told_apart)
{
	uint32_t parent = space_process_of(&space, 1, true, 1), child;
	uint32_t thread = space_thread_of(&space, 1, 5, 1), other;

	map(1, 0x10000, 0x18000, 0, 10);
	space_set_stack(&space, parent, 0x10000, thread);
	child = fork_of(2, 1, 2, 5, 20);
	other = space_thread_of(&space, 2, 2, 20);
	ck_assert_uint_eq(space_stack_of(space_mapping_at(&space, child, 0x10000), child), 0);
	space_set_stack(&space, child, 0x10000, other);
	ck_assert_uint_eq(space_stack_of(space_mapping_at(&space, child, 0x10000), child), other);
	ck_assert_uint_eq(space_stack_of(space_mapping_at(&space, parent, 0x10000), parent),
			  thread);
}
END_TEST

START_TEST(children_cost_what_they_change)
{
	for (uint64_t i = 1; i <= 20000; i++)
		map(1, i * 0x10000, i * 0x10000 + 0x8000, 0, 10);
	for (uint32_t i = 2; i < 20000; i++) {
		uint32_t child = fork_of(i, 1, i, 1, 20);

		space_unmap(&space, child, 0x20000, UINT64_MAX, 30);
		ck_assert_str_eq(seen(child, 0x18000 - 1), "10000-18000");
		ck_assert_str_eq(seen(child, 0x50000), "-");
	}
	ck_assert_uint_eq(space.mappings.n, 20000);
	ck_assert_str_eq(seen(1, 0x50000), "50000-58000");
}
END_TEST

START_TEST(a_new_thread_has_its_creators_name)
{
	space_comm(&space, 1, 1, "leader", false, 10);
	fork_of(1, 1, 2, 1, 20);
	space_comm(&space, 1, 2, "helper", false, 30);
	fork_of(1, 1, 3, 2, 40);
	fork_of(5, 1, 5, 1, 50);
	ck_assert_str_eq(space.threads.at[space_thread_of(&space, 1, 3, 60) - 1].comm, "helper");
	ck_assert_str_eq(space.threads.at[space_thread_of(&space, 5, 5, 60) - 1].comm, "leader");
	ck_assert_uint_eq(space.comms.n, 5); /* each from its birth on */
	ck_assert_uint_eq(space.comms.at[1].time, 20);
	ck_assert_str_eq(space.comms.at[1].comm, "leader");
}
END_TEST

START_TEST(a_thread_that_is_known_before_its_birth_is_told_is_born_then)
{
	space_comm(&space, 1, 2, "early", false, 0);
	fork_of(1, 1, 2, 1, 20);
	fork_of(1, 1, 2, 1, 30); /* what is known is not told again */
	ck_assert_uint_eq(space.threads.at[space_thread_of(&space, 1, 2, 40) - 1].start, 20);
}
END_TEST

START_TEST(the_idle_thread_has_its_name_though_nobody_tells)
{
	uint32_t thread = space_thread_of(&space, 0, 0, 10);

	ck_assert_str_eq(space.threads.at[thread - 1].comm, "swapper");
	ck_assert_uint_eq(space.comms.n, 1);
	ck_assert_uint_eq(space.comms.at[0].time, 0);
}
END_TEST

START_TEST(an_address_is_the_kernels_by_its_upper_half_or_its_mapping)
{
	uint32_t kernel = code_kernel(&code), a, b, c;

	map(UINT32_MAX, 0xc0000000, 0xd0000000, 0, 0);
	a = space_location(&space, 0, true, 0xffffffff81000000);
	b = space_location(&space, 0, true, 0xc0001000);
	c = space_location(&space, 0, true, 0x7f1671bcf6c1);
	ck_assert_uint_eq(code.locations.at[a - 1].dso, kernel);
	ck_assert_uint_eq(code.locations.at[b - 1].dso, kernel);
	ck_assert_uint_eq(code.locations.at[c - 1].dso, 0);
}
END_TEST

START_TEST(exec_ends_all_mappings)
{
	map(1, 0x1000, 0x2000, 0, 10);
	space_comm(&space, 1, 1, "new", true, 20);
	ck_assert_ptr_null(space_mapping_at(&space, space_process_of(&space, 1, false, 0), 0x1000));
	ck_assert_uint_eq(space.mappings.at[0].end_time, 20);
	ck_assert_str_eq(space.comms.at[0].comm, "new");
}
END_TEST

START_TEST(a_pid_used_again_is_another_process)
{
	uint32_t first, child, thread;

	first = space_process_of(&space, 7, true, 1);
	thread = space_thread_of(&space, 7, 7, 1);
	ck_assert_uint_eq(space_exit(&space, 7, 7, 10), first);
	ck_assert_uint_eq(space_process(&space, first)->end, 10);
	ck_assert_uint_eq(space_thread_of(&space, 7, 7, 15), thread); /* told late */
	child = fork_of(7, 1, 7, 1, 20);
	ck_assert_uint_ne(child, first);
	ck_assert_uint_eq(space_process_of(&space, 7, false, 30), child);
	ck_assert_uint_ne(space_thread_of(&space, 7, 7, 30), thread);
}
END_TEST

START_TEST(a_process_outlives_its_first_thread)
{
	uint32_t p = fork_of(5, 1, 5, 1, 10);

	fork_of(5, 5, 6, 5, 20);
	ck_assert_uint_eq(space_exit(&space, 5, 5, 30), 0);
	ck_assert_uint_eq(space_process(&space, p)->end, 0);
	ck_assert_uint_eq(space_exit(&space, 5, 5, 31), 0);
	ck_assert_uint_eq(space_exit(&space, 5, 6, 40), p);
	ck_assert_uint_eq(space_process(&space, p)->end, 40);
}
END_TEST

START_TEST(exec_leaves_one_thread)
{
	uint32_t p = fork_of(5, 1, 5, 1, 10), old;

	fork_of(5, 5, 6, 5, 20);
	old = space_thread_of(&space, 5, 6, 25);
	space_comm(&space, 5, 5, "new", true, 30);
	fork_of(5, 5, 6, 5, 40);
	ck_assert_uint_ne(space_thread_of(&space, 5, 6, 50), old);
	ck_assert_uint_eq(space_exit(&space, 5, 6, 60), 0);
	ck_assert_uint_eq(space_exit(&space, 5, 5, 70), p);
}
END_TEST

START_TEST(a_tid_used_again_is_another_thread)
{
	uint32_t first = space_thread_of(&space, 5, 6, 10);

	fork_of(5, 5, 6, 5, 15); /* told late: the same */
	ck_assert_uint_eq(space_thread_of(&space, 5, 6, 20), first);
	space_exit(&space, 5, 6, 30);
	fork_of(5, 5, 6, 5, 40);
	ck_assert_uint_ne(space_thread_of(&space, 5, 6, 50), first);
}
END_TEST

START_TEST(a_thread_tells_its_own_end_where_nobody_else_does)
{
	fork_of(10, 1, 10, 1, 1);
	fork_of(10, 10, 11, 10, 2);
	fork_of(10, 10, 12, 10, 2);
	space_ended(&space, 10, 11, 50);
	space_ended(&space, 10, 12, 50);
	space_exit(&space, 10, 12, 60);
	space_ended(&space, 10, 12, 70);
	space_ended(&space, 10, 99, 70); /* none of the run */
	ck_assert_uint_eq(space.threads.at[space_subject(&space, 10, 11) - 1].end, 50);
	ck_assert_uint_eq(space.threads.at[space_subject(&space, 10, 12) - 1].end, 60);
	ck_assert_uint_eq(space.threads.n, 3);
}
END_TEST

START_TEST(a_call_is_about_a_thread_of_the_process_or_another_process)
{
	fork_of(10, 1, 10, 1, 1);
	fork_of(10, 10, 11, 10, 2);
	fork_of(20, 10, 20, 10, 3);
	fork_of(20, 20, 21, 20, 3);
	ck_assert_uint_eq(space_subject(&space, 10, 11), space_thread_of(&space, 10, 11, 5));
	ck_assert_uint_eq(space_subject(&space, 10, 20), space_thread_of(&space, 20, 20, 5));
	ck_assert_uint_eq(space_subject(&space, 10, 21), 0);
	ck_assert_uint_eq(space_subject(&space, 10, 1234), 0);
}
END_TEST

START_TEST(a_process_that_ran_already_has_its_own_mappings_only)
{
	struct task_fork f = { 2, 1, 2, 1, false }, parent = { 1, 9, 1, 9, false };
	uint32_t first;

	first = space_process_of(&space, 1, true, 0);
	map(1, 0x1000, 0x2000, 0, 0);
	ck_assert_uint_eq(space_fork(&space, &f, 0), 0);
	ck_assert_ptr_null(space_mapping_at(&space, space_process_of(&space, 2, false, 0), 0x1000));
	ck_assert_uint_eq(space_fork(&space, &parent, 0), 0); /* the child was reported first */
	ck_assert_uint_eq(space_process_of(&space, 1, false, 0), first);
}
END_TEST

START_TEST(the_kernels_process_is_no_pid)
{
	map(UINT32_MAX, 0xffffffff81000000, 0xffffffff82000000, 0, 0);
	ck_assert_uint_ne(space.kernel, 0);
	ck_assert_uint_ne(space_process_of(&space, UINT32_MAX, true, 10), space.kernel);
}
END_TEST

START_TEST(the_heap_grows_in_place)
{
	struct mapping m = { .start = 0x10000, .end = 0x20000, .has_prot = true };
	uint32_t p;

	m.dso = code_dso(&code, "[heap]", NULL);
	space_map(&space, 1, &m, 10);
	m.end = 0x30000;
	space_map(&space, 1, &m, 20);
	p = space_process_of(&space, 1, false, 0);
	ck_assert_uint_eq(space.mappings.n, 1);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x2ffff)->time, 10);
	map(1, 0x28000, 0x29000, 0, 30);
	space_map(&space, 1, &m, 40); /* over something else: not a growth */
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x28000)->time, 40);
}
END_TEST

START_TEST(an_image_is_gone_when_its_code_is)
{
	struct mapping m = own_image();
	const uint64_t start = m.start, end = m.end;
	uint32_t p;

	m.dso = code_dso(&code, "/proc/self/exe", NULL);
	space_map(&space, 1, &m, 10);
	p = space_process_of(&space, 1, false, 0);
	ck_assert_ptr_nonnull(space_image_at(&space, p, start));
	ck_assert_uint_eq(space_image_at(&space, p, start)->time, 10);
	m = (struct mapping){ .start = end - 4096, .end = end + 4096, .has_prot = true };
	m.dso = code_dso(&code, "//anon", NULL);
	space_map(&space, 1, &m, 20);
	ck_assert_ptr_null(space_image_at(&space, p, start));
}
END_TEST

/* What is asked of most is remembered: a mapping may reach beyond the end of an image. */
START_TEST(a_mapping_may_lie_in_an_image_in_part)
{
	struct mapping m = own_image();
	uint64_t start, hi;
	uint32_t p;

	m.dso = code_dso(&code, "/proc/self/exe", NULL);
	space_map(&space, 1, &m, 10);
	p = space_process_of(&space, 1, false, 0);
	hi = space_image_at(&space, p, m.start)->hi;
	start = (hi - 1) & ~UINT64_C(4095);
	m = (struct mapping){ .start = start, .end = start + 0x4000, .has_prot = true };
	m.dso = code_dso(&code, "//anon", NULL);
	space_map(&space, 1, &m, 20);
	for (int i = 0; i < 3; i++) {
		ck_assert_ptr_nonnull(space_image_at(&space, p, hi - 1));
		ck_assert_ptr_null(space_image_at(&space, p, hi));
		ck_assert_ptr_null(space_image_at(&space, p, start + 0x3fff));
		ck_assert_ptr_null(space_image_at(&space, p, start + 0x4000));
		ck_assert_uint_eq(space_mapping_at(&space, p, hi - 1)->start, start);
		ck_assert_uint_eq(space_mapping_at(&space, p, start + 0x3fff)->start, start);
		ck_assert_ptr_null(space_mapping_at(&space, p, start + 0x4000));
	}
}
END_TEST

enum { PAGES = 24, STEPS = 20000 };

/* Changes what [from, to) of a process is, in the model and in `there`: where in the file each page
 * was mapped from, 0 not at all. */
static void change(uint32_t pid, uint64_t *there, uint64_t from, uint64_t to, uint64_t what,
		   uint64_t time)
{
	if (what)
		map(pid, from << 12, to << 12, what << 20, time);
	else
		space_unmap(&space, space_process_of(&space, pid, false, 0), from << 12, to << 12,
			    time);
	for (uint64_t i = from; i < to; i++)
		there[i] = what ? (what << 20) + ((i - from) << 12) : 0;
}

static void compare(uint32_t pid, const uint64_t *there, uint64_t page)
{
	const uint64_t address = (page << 12) + 0x123;
	const struct mapping *m =
		space_mapping_at(&space, space_process_of(&space, pid, false, 0), address);

	ck_assert_uint_eq(m ? m->pgoff + address - m->start - 0x123 : 0, there[page]);
}

/* Of parent and child, whatever was asked before the last change. */
START_TEST(answers_are_those_of_now)
{
	uint64_t there[2][PAGES] = { 0 }, seed = 1;

	map(1, 0x1000, 0x2000, 1 << 20, 1);
	there[0][1] = 1 << 20;
	for (uint64_t i = 1; i < STEPS; i++) {
		uint64_t r = seed = seed * 6364136223846793005u + 1442695040888963407u;
		uint64_t from = (r >> 33) % PAGES, to = from + 1 + (r >> 40) % (PAGES - from);
		uint32_t who = i > STEPS / 2 && r >> 63;

		if (i == STEPS / 2) {
			fork_of(2, 1, 2, 1, i);
			memcpy(there[1], there[0], sizeof(there[0]));
		} else if (i % 8 == 0) {
			change(who + 1, there[who], from, to, r >> 50 & 3 ? i + 1 : 0, i);
		} else if (i % 1001 == 0) {
			space_comm(&space, who + 1, who + 1, "new", true, i);
			memset(there[who], 0, sizeof(there[who]));
		}
		compare(who + 1, there[who], from);
		compare(who + 1, there[who], to - 1);
	}
}
END_TEST

START_TEST(a_range_that_wraps_is_no_mapping)
{
	map(1, 0x2000, 0x1000, 0, 10);
	map(1, UINT64_MAX - 0xfff, UINT64_MAX, 0, 10);
	ck_assert_uint_eq(space.mappings.n, 1);
	space_unmap(&space, 1, 0, UINT64_MAX, 20);
	ck_assert_ptr_null(space_mapping_at(&space, 1, UINT64_MAX - 10));
}
END_TEST

/* Bytes of anonymous memory that this process has. */
static uint64_t anonymous(void)
{
	unsigned long kib = 0;
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];

	ck_assert_ptr_nonnull(f);
	while (!kib && fgets(line, sizeof(line), f))
		sscanf(line, "RssAnon: %lu", &kib);
	fclose(f);
	return kib * UINT64_C(1024);
}

/* The indexes have just grown. The parent has memory and a stack to leave, and a name. */
START_TEST(a_child_that_nobody_asks_about_costs_little)
{
	enum { CHILDREN = (5 << 16) + 1000, MOST_BYTES = 200 };
	struct homes homes;
	uint64_t before;

	homes_init(&homes, 0);
	space_comm(&space, 1, 1, "parent", false, 1);
	for (unsigned i = 1; i < 100; i++)
		map(1, i * 0x10000, i * 0x10000 + 0x1000, 0, 2);
	map_stack(1, 0x7000000, 0x7100000, 3);
	before = anonymous();
	for (uint32_t i = 0; i < CHILDREN; i++) {
		uint32_t child = fork_of(2 + i, 1, 2 + i, 1, 10 + i);

		ck_assert_uint_ne(child, 0);
		homes_fork(&homes, 1, child, 10 + i);
	}
	if (!SANITIZED)
		ck_assert_uint_lt((anonymous() - before) / CHILDREN, MOST_BYTES);
	for (uint32_t i = 0; i < CHILDREN; i += CHILDREN / 7) {
		uint32_t child = space_process_of(&space, 2 + i, false, 0);

		ck_assert_uint_eq(space_mapping_at(&space, child, 0x630fff)->start, 0x630000);
		ck_assert_uint_eq(space_mapping_at(&space, child, 0x7000000)->process, child);
		ck_assert_uint_eq(space_mapping_at(&space, child, 0x7000000)->time, 10 + i);
	}
	homes_release(&homes);
}
END_TEST

/* What a child begins with is what its parent had at the fork, whenever it is asked for. */
START_TEST(a_child_looks_long_after_its_fork)
{
	uint32_t child, grandchild, late;

	map(1, 0x10000, 0x20000, 0, 1);
	map(1, 0x30000, 0x40000, 0, 1);
	child = fork_of(2, 1, 2, 1, 10);
	grandchild = fork_of(3, 2, 3, 2, 20);
	space_unmap(&space, space_process_of(&space, 1, false, 0), 0x10000, 0x20000, 30);
	map(1, 0x30000, 0x38000, 0x5000, 30);
	late = fork_of(4, 1, 4, 1, 40);
	space_comm(&space, 1, 1, "new", true, 50);
	ck_assert_uint_eq(space_mapping_at(&space, grandchild, 0x10000)->end, 0x20000);
	ck_assert_uint_eq(space_mapping_at(&space, grandchild, 0x30000)->pgoff, 0);
	ck_assert_ptr_null(space_mapping_at(&space, late, 0x10000));
	ck_assert_uint_eq(space_mapping_at(&space, late, 0x30000)->pgoff, 0x5000);
	map(2, 0x10000, 0x18000, 0x9000, 60);
	ck_assert_uint_eq(space_mapping_at(&space, child, 0x10000)->pgoff, 0x9000);
	ck_assert_uint_eq(space_mapping_at(&space, child, 0x18000)->pgoff, 0x8000);
	ck_assert_uint_eq(space_mapping_at(&space, grandchild, 0x10000)->pgoff, 0);
	ck_assert_ptr_null(
		space_mapping_at(&space, space_process_of(&space, 1, false, 0), 0x30000));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("process");
	TCase *t = tcase_create("process");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_mapping_over_another_leaves_head_and_tail);
	tcase_add_test(t, a_mapping_that_grows_keeps_its_pages);
	tcase_add_test(t, locations_are_told_once_whatever_the_address);
	tcase_add_test(t, code_of_the_kernel_is_its_own_or_a_modules);
	tcase_add_test(t, code_without_a_file_has_the_names_that_its_process_told);
	tcase_add_test(t, code_that_the_kernel_made_has_its_name_while_it_is_there);
	tcase_add_test(t, code_of_the_kernel_takes_no_files_name);
	tcase_add_test(t, a_child_has_its_parents_mappings_of_that_time);
	tcase_add_test(t, parent_and_child_change_what_they_see_apart);
	tcase_add_test(t, stacks_of_parent_and_child_are_told_apart);
	tcase_add_test(t, children_cost_what_they_change);
	tcase_add_test(t, a_new_thread_has_its_creators_name);
	tcase_add_test(t, a_thread_that_is_known_before_its_birth_is_told_is_born_then);
	tcase_add_test(t, the_idle_thread_has_its_name_though_nobody_tells);
	tcase_add_test(t, an_address_is_the_kernels_by_its_upper_half_or_its_mapping);
	tcase_add_test(t, exec_ends_all_mappings);
	tcase_add_test(t, a_pid_used_again_is_another_process);
	tcase_add_test(t, a_process_outlives_its_first_thread);
	tcase_add_test(t, exec_leaves_one_thread);
	tcase_add_test(t, a_tid_used_again_is_another_thread);
	tcase_add_test(t, a_thread_tells_its_own_end_where_nobody_else_does);
	tcase_add_test(t, a_call_is_about_a_thread_of_the_process_or_another_process);
	tcase_add_test(t, a_process_that_ran_already_has_its_own_mappings_only);
	tcase_add_test(t, the_kernels_process_is_no_pid);
	tcase_add_test(t, the_heap_grows_in_place);
	tcase_add_test(t, an_image_is_gone_when_its_code_is);
	tcase_add_test(t, a_mapping_may_lie_in_an_image_in_part);
	tcase_add_test(t, answers_are_those_of_now);
	tcase_add_test(t, a_range_that_wraps_is_no_mapping);
	tcase_add_test(t, a_child_that_nobody_asks_about_costs_little);
	tcase_add_test(t, a_child_looks_long_after_its_fork);
	suite_add_tcase(s, t);
	return run_suite(s);
}
