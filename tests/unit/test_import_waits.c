/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which accesses a timer sample of a tracked process may have waited for. The test program
 * itself is recorded; its code is below. */
#include "import_fixture.h"
#include "own_image.h"
#include "random.h"

#ifdef __x86_64__

/* BLOCK is a heap block; OTHER is in the data mapping around it */
enum { PID = 10, BLOCK = 0x700100, OTHER = 0x700800 };

/* The registers that a sample of the event `timer` has here, in the order of their numbers in a
 * recording. */
struct registers {
	uint64_t ax, dx;
};

static char folder[64], own_path[256];

static void setup(void)
{
	ssize_t n = readlink("/proc/self/exe", own_path, sizeof(own_path) - 1);

	ck_assert_int_gt(n, 0);
	make_case();
	snprintf(folder, sizeof(folder), "%s/track", dir);
	ck_assert_int_eq(mkdir(folder, 0700), 0);
	log_block(folder, BLOCK);
}

static void teardown(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/1.log", folder);
	unlink(path);
	rmdir(folder);
	remove_case();
}

static void map_code(struct pd_build *b, const struct mapping *m)
{
	pd_build_begin(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	pd_build_u32(b, PID);
	pd_build_u32(b, PID);
	pd_build_u64(b, m->start);
	pd_build_u64(b, m->end - m->start);
	pd_build_u64(b, m->pgoff);
	pd_build_string(b, own_path);
}

/* n timer samples of the test program at the address `ip`, with these registers. */
struct samples {
	const char *ip;
	struct registers regs;
	unsigned n;
};

static void build_samples(struct pd_build *b, const struct perf_event_attr *attr,
			  const struct samples *s, uint64_t time)
{
	for (unsigned i = 0; i < s->n; i++)
		pd_build_sample(b, attr,
				&(struct pd_sample){ .misc = PERF_RECORD_MISC_USER,
						     .ip = (uintptr_t)s->ip,
						     .pid = PID,
						     .tid = PID,
						     .time = time + i,
						     .user_regs_abi = PERF_SAMPLE_REGS_ABI_64,
						     .user_regs = (const uint8_t *)&s->regs });
}

/* Imports a recording of the samples s[0..n), in this order. */
static void import_all(const struct samples *s, unsigned n)
{
	struct import_options o = {
		.input = data, .output = output, .track_dir = folder, .trust_files = true
	};
	struct perf_event_attr attr = timer;
	struct mapping m = own_image();
	struct md_err err = { 0 };
	struct pd_build b;
	uint64_t time = 200;

	attr.sample_type = (attr.sample_type & ~(uint64_t)PERF_SAMPLE_ADDR) | PERF_SAMPLE_REGS_USER;
	attr.sample_regs_user = 1 << 0 | 1 << 3;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	pd_build_init(&b, false, false);
	pd_build_event(&b, &attr, NULL, 0);
	feature_text(&b, 6, "x86_64");
	side_band(&b, &attr);
	map_code(&b, &m);
	pd_build_sample_id(&b, &attr,
			   &(struct pd_sample_id){ .pid = PID, .tid = PID, .time = 110 });
	pd_build_end(&b);
	for (unsigned i = 0; i < n; time += s[i++].n)
		build_samples(&b, &attr, &s[i], time);
	save(&b, 0);
	pd_build_release(&b);
	ck_assert_msg(!import_run(&o, NULL, &err), "%s", err.msg);
}

static void import_samples(const char *ip, struct registers regs, unsigned n)
{
	import_all(&(struct samples){ ip, regs, n }, 1);
}

__asm__(".pushsection .text\n"
	".type jumps_over, @function\n"
	"jumps_over: test %rax,%rax\n"
	"je 1f\n"
	"mov (%rax),%rcx\n"
	"1: mov (%rdx),%rsi\n"
	"add %rcx,%rsi\n"
	"behind_sum: ret\n"
	".size jumps_over, . - jumps_over\n"
	".popsection\n");
extern const char behind_sum[];

/* The sum needs two loads, but the branch skips the first load when its pointer is null. Then all
 * samples waited for the second load. The same is true if the pointer points into no object. */
START_TEST(what_was_jumped_over_is_not_waited_for)
{
	import_samples(behind_sum, (struct registers){ _i ? 0x1230 : 0, BLOCK }, 8);
	ck_assert_str_eq(ask("select group_concat(distinct printf('%x %s', s.address, o.kind)), "
			     "count(s.address) from samples s join objects o on o.id = "
			     "s.object_id"),
			 "700100 heap 8");
}
END_TEST

__asm__(".pushsection .text\n"
	".type adds_previous, @function\n"
	"adds_previous: test %rax,%rax\n"
	"je 1f\n"
	"mov -8(%rdx),%rcx\n"
	"1: add (%rdx),%rcx\n"
	"behind_addition: ret\n"
	".size adds_previous, . - adds_previous\n"
	".popsection\n");
extern const char behind_addition[];

/* If there is no previous element, the branch skips the load of it. The computed address is then in
 * front of the block, where only malloc stores data, so no sample belongs to this load. If the
 * address is inside the block, the load gets a part of the samples, but not if rax shows that the
 * branch skipped it. */
START_TEST(code_does_not_access_the_head_of_a_block)
{
	import_samples(behind_addition, (struct registers){ _i < 2, BLOCK + (_i ? 8 : 0) }, 8);
	ck_assert_str_eq(ask("select count(*) || ' ' || sum(o.kind = 'heap') || ' ' || "
			     "count(distinct s.address) from samples s "
			     "join objects o on o.id = s.object_id"),
			 _i == 1 ? "8 8 2" : "8 8 1");
}
END_TEST

__asm__(".pushsection .text\n"
	".type adds_to_other, @function\n"
	"adds_to_other: mov -8(%rdx),%rcx\n"
	"add (%rax),%rcx\n"
	"behind_other: add (%rdx),%rcx\n"
	"ret\n"
	".size adds_to_other, . - adds_to_other\n"
	".popsection\n");
extern const char behind_other[];

/* The same if the instruction before ip accesses something else, but one after ip accesses the
 * block, as in the first iteration of a loop over an array. */
START_TEST(an_access_after_ip_shows_the_block)
{
	import_samples(behind_other,
		       (struct registers){ (uintptr_t)own_path, BLOCK + (_i ? 8 : 0) }, 8);
	ck_assert_str_eq(
		ask("select sum(o.kind = 'mapping') || ' ' || (sum(o.kind = 'heap') > 0) from "
		    "samples s join objects o on o.id = s.object_id"),
		_i ? "0 1" : "0 0");
}
END_TEST

__asm__(".pushsection .text\n"
	".type multiplies_on, @function\n"
	"multiplies_on: xor %eax,%eax\n"
	"1: imul %rcx,%rsi\n"
	"behind_product: mov (%rdx,%rax),%rcx\n"
	"add $8,%rax\n"
	"cmp $64,%rax\n"
	"jne 1b\n"
	"ret\n"
	".size multiplies_on, . - multiplies_on\n"
	".popsection\n");
extern const char behind_product[];

/* The product needs what the iteration before has loaded. In the first iteration there was none
 * before, although the registers give an address for it, in the block. */
START_TEST(the_first_iteration_has_none_before_it)
{
	import_samples(behind_product, (struct registers){ 8 * (uint64_t)_i, BLOCK + 16 }, 4);
	ck_assert_str_eq(ask("select group_concat(distinct printf('%s %x', address_source, "
			     "address)), count(*) from access_samples"),
			 _i ? "earlier 700110 4" : "next 700110 4");
}
END_TEST

__asm__(".pushsection .text\n"
	".type reads_two, @function\n"
	"reads_two: xor %eax,%eax\n"
	"1: add (%rdx,%rax),%rcx\n"
	"behind_first: add 0x8000000(%rdx,%rax),%rsi\n"
	"add $8,%rax\n"
	"cmp $64,%rax\n"
	"jne 1b\n"
	"ret\n"
	".size reads_two, . - reads_two\n"
	".popsection\n");
extern const char behind_first[];

/* The loop runs at random places of two large blocks. While it waits for the first, its access to
 * the second has started, too: in the first iteration it is the one behind ip. So each block has
 * about half of the waits, also of those in the first iteration. */
START_TEST(an_access_of_the_first_iteration_overlaps)
{
	enum { FIRST = 0x10000000, SECOND = FIRST + 0x8000000, SIZE = 64 << 20, N = 2000 };
	const struct track_event births[] = {
		{ .ticks = 150, .address = FIRST, .size = SIZE, .stack = 1 },
		{ .ticks = 151, .address = SECOND, .size = SIZE, .stack = 2 },
	};
	static struct samples s[N];
	uint64_t state = 1;

	log_blocks(folder, births, 2);
	for (unsigned i = 0; i < N; i++)
		s[i] = (struct samples){ behind_first,
					 { i < N / 2 ? 24 : 0,
					   FIRST + (random_next(&state) >> 40) % (SIZE / 64) * 64 },
					 1 };
	import_all(s, N);
	ck_assert_str_eq(ask("select group_concat(n, ' ') from (select count(*) as n from samples "
			     "group by id > 1000, object_id)"),
			 "500 500 500 500");
}
END_TEST

__asm__(".pushsection .text\n"
	".type walks_list, @function\n"
	"walks_list: add (%rax),%rdx\n"
	"mov 8(%rax),%rax\n"
	"behind_step: test %rax,%rax\n"
	"jne walks_list\n"
	"ret\n"
	".size walks_list, . - walks_list\n"
	".popsection\n");
extern const char behind_step[];

/* At the end of a list, the loaded pointer is null. So no later access uses this pointer, and no
 * later access can show which object the load accessed. */
START_TEST(a_null_pointer_stands_for_no_access)
{
	import_samples(behind_step, (struct registers){ _i ? BLOCK : 0, 0 }, 1);
	ck_assert_str_eq(ask("select waited, printf('%x', address), object_id > 0 from samples"),
			 _i ? "1 700100 1" : "1 0 -");
}
END_TEST

__asm__(".pushsection .text\n"
	".type follows_pointer, @function\n"
	"follows_pointer: mov (%rax),%ecx\n"
	"before_pointer: mov 8(%rax),%rax\n"
	"behind_pointer: mov (%rax),%rsi\n"
	"ret\n"
	".size follows_pointer, . - follows_pointer\n"
	".popsection\n");
extern const char before_pointer[], behind_pointer[];

/* The first load overwrites its own address register, so that an access through the new pointer
 * represents it. But samples before it show that it loads from the block, and the pointer leads to
 * the other mapping: then the wait belongs to the block. */
START_TEST(a_pointer_may_lead_to_another_object)
{
	const struct samples s[] = { { before_pointer, { BLOCK, 0 }, 4 },
				     { behind_pointer, { _i ? BLOCK : OTHER, 0 }, 4 } };

	import_all(s, 2);
	ck_assert_str_eq(ask("select group_concat(distinct o.kind), count(*), count(s.address) "
			     "from samples s join objects o on o.id = s.object_id "
			     "where s.id > 4"),
			 _i ? "heap 4 4" : "heap 4 0");
}
END_TEST

__asm__(".pushsection .text\n"
	".type follows_once, @function\n"
	"follows_once: mov (%rax),%rax\n"
	"behind_followed: andq $-2,0x10(%rax)\n"
	"ret\n"
	".size follows_once, . - follows_once\n"
	".popsection\n");
extern const char behind_followed[];

/* The next access represents the load. Only in a list would the load's own member of the next node
 * be accessed, too; here nothing accesses what is 16 bytes in front of it. */
START_TEST(only_a_list_has_a_next_node)
{
	import_samples(behind_followed, (struct registers){ BLOCK - 16, 0 }, 1);
	ck_assert_str_eq(ask("select address_source, printf('%x', address) from access_samples"),
			 "again 700100");
}
END_TEST

__asm__(".pushsection .text\n"
	".type visits, @function\n"
	"visits: mov (%rdx),%rax\n"
	"mov 8(%rax),%rax\n"
	"behind_element: mov (%rax),%rsi\n"
	"behind_target: add $8,%rdx\n"
	"cmp %rcx,%rdx\n"
	"jne visits\n"
	"ret\n"
	".size visits, . - visits\n"
	".popsection\n");
extern const char behind_element[], behind_target[];

/* The loop takes pointers from an array (rdx); each leads to an element, whose pointer leads to the
 * block. No sample has the address of an element, so the object of the elements is unknown. The
 * waits for them belong neither to the block, directly after the load (case 0), nor to the access
 * to the block after it (case 1). */
START_TEST(an_unknown_element_is_not_what_its_pointer_leads_to)
{
	import_samples(_i ? behind_target : behind_element, (struct registers){ BLOCK, OTHER },
		       100);
	ck_assert_str_eq(ask("select sum(waited), sum(missed), (select total(cost_pct) < 30 from "
			     "object_costs where object_id is not null) from samples"),
			 "100 100 1");
}
END_TEST

__asm__(".pushsection .text\n"
	".type overwrites, @function\n"
	"overwrites: mov (%rax),%ecx\n"
	"before_overwrite: mov 8(%rax),%rax\n"
	"behind_overwrite: add %rax,%rsi\n"
	"ret\n"
	".size overwrites, . - overwrites\n"
	".popsection\n");
extern const char before_overwrite[], behind_overwrite[];

/* The load overwrites its own address, so the samples after it have none. Samples at the load
 * itself have one, but come later. Their object is that of the earlier samples, too (case 0), but
 * not if there are so many earlier samples that the queue is full (case 1), or if the later samples
 * are in two objects (case 2). */
START_TEST(an_object_is_learned_from_later_samples)
{
	const struct samples s[] = {
		{ behind_overwrite, { 0x1230, 0 }, _i == 1 ? 17000 : 8 },
		{ before_overwrite, { BLOCK, 0 }, 20 },
		{ before_overwrite, { _i == 2 ? OTHER : BLOCK, 0 }, 20 },
	};
	char question[512];

	import_all(s, 3);
	snprintf(
		question, sizeof(question),
		"select count(*), sum(o.kind is 'heap'), count(s.address), min(s.object_offset), "
		"sum(k.name is 'Load' and s.waited) from samples s left join objects o on o.id = "
		"s.object_id left join memory_opcodes k on k.id = s.memory_opcode where s.ip = %zu",
		(size_t)behind_overwrite);
	ck_assert_str_eq(ask(question), _i == 0   ? "8 8 0 - 8"
					: _i == 1 ? "17000 0 0 - 0"
						  : "8 0 0 - 0");
}
END_TEST

__asm__(".pushsection .text\n"
	".type counts, @function\n"
	"counts: jmp behind_lock\n"
	"1: add %rcx,%rsi\n"
	"lock addq $1,(%rax)\n"
	"behind_lock: mov (%rdx),%rcx\n"
	"dec %rsi\n"
	"jne 1b\n"
	"ret\n"
	".size counts, . - counts\n"
	".popsection\n");
extern const char behind_lock[];

/* The loop is entered at the instruction after the atomic operation. But in each further iteration,
 * the atomic operation runs just before this instruction. So the samples' time belongs to the
 * atomic operation and is not a cost of the object. */
START_TEST(the_time_of_an_atomic_operation_is_no_wait)
{
	import_samples(behind_lock, (struct registers){ BLOCK, BLOCK + 8 }, 8);
	ck_assert_str_eq(ask("select group_concat(distinct printf('%x %s', s.address, t.name)), "
			     "count(*), sum(s.missed) from samples s join time_kinds t on t.id = "
			     "s.time_kind"),
			 "700100 atomic 8 0");
	ck_assert_str_eq(ask("select coalesce(sum(cost), 0) from access_samples"), "0");
}
END_TEST

__asm__(".pushsection .text\n"
	".type compares, @function\n"
	"compares: cmp %rcx,(%rax)\n"
	"je equal\n"
	"unequal: xor %edx,%edx\n"
	"jmp 1f\n"
	".nops 5\n"
	"equal: mov %rsi,%rdx\n"
	"1: ret\n"
	".size compares, . - compares\n"
	".popsection\n");
extern const char unequal[], equal[];

/* Imports samples at `ip`. Returns the file offset of the location to which their cost belongs, and
 * their number, as text that the caller frees. */
static char *cost_location(const char *ip)
{
	import_samples(ip, (struct registers){ BLOCK, 0 }, 8);
	ck_assert_str_eq(ask("select printf('%x', address), waited from samples limit 1"),
			 "700100 1");
	return strdup(ask("select l.offset, count(*) from samples s join locations l on l.id = "
			  "s.location_id group by 1"));
}

/* Only the jump leads to `equal`. The instruction that precedes it in memory only fills space and
 * never runs. So the cost of samples at `equal` belongs to the jump, like the cost of samples right
 * after the jump. */
START_TEST(the_cost_at_the_target_of_a_jump_belongs_to_the_jump)
{
	char *there = cost_location(equal), *after = cost_location(unequal);

	ck_assert_str_eq(there, after);
	free(there);
	free(after);
}
END_TEST

__asm__(".pushsection .text\n"
	".type walks_column, @function\n"
	"walks_column: add (%rax),%rcx\n"
	"behind_column: add %rdx,%rax\n"
	"cmp %rsi,%rax\n"
	"jne walks_column\n"
	"ret\n"
	".size walks_column, . - walks_column\n"
	".popsection\n");
extern const char behind_column[];

/* Steps that leave the block are wrong, so they are not stored. The second case is -16 in 32 bits.
 */
START_TEST(a_step_is_smaller_than_its_object)
{
	static const struct {
		uint64_t dx;
		const char *step;
	} cases[] = { { 16, "16" },
		      { (uint32_t)-16, "-" },
		      { (uint64_t)-16, "-16" },
		      { UINT64_C(1) << 63, "-" },
		      { 64, "-" } };

	import_samples(behind_column, (struct registers){ BLOCK, cases[_i].dx }, 8);
	ck_assert_str_eq(ask("select step from samples where address is not null limit 1"),
			 cases[_i].step);
}
END_TEST
#endif

int main(void)
{
	Suite *s = suite_create("import_waits");
	TCase *t = tcase_create("waits");

#ifdef __x86_64__
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, an_object_is_learned_from_later_samples, 0, 3);
	tcase_add_loop_test(t, what_was_jumped_over_is_not_waited_for, 0, 2);
	tcase_add_loop_test(t, the_first_iteration_has_none_before_it, 0, 2);
	tcase_add_test(t, an_access_of_the_first_iteration_overlaps);
	tcase_add_loop_test(t, code_does_not_access_the_head_of_a_block, 0, 3);
	tcase_add_loop_test(t, an_access_after_ip_shows_the_block, 0, 2);
	tcase_add_loop_test(t, a_null_pointer_stands_for_no_access, 0, 2);
	tcase_add_loop_test(t, a_pointer_may_lead_to_another_object, 0, 2);
	tcase_add_test(t, only_a_list_has_a_next_node);
	tcase_add_loop_test(t, an_unknown_element_is_not_what_its_pointer_leads_to, 0, 2);
	tcase_add_test(t, the_time_of_an_atomic_operation_is_no_wait);
	tcase_add_test(t, the_cost_at_the_target_of_a_jump_belongs_to_the_jump);
	tcase_add_loop_test(t, a_step_is_smaller_than_its_object, 0, 5);
#endif
	suite_add_tcase(s, t);
	return run_suite(s);
}
