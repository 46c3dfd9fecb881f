/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the caller which a walk by frame pointers skips is found, and that the innermost frame
 * is the instruction that waited. The test program itself is recorded; its code is below. getppid()
 * stands for a function of another file: sanitizers put many others, such as puts(), into the
 * program. */
#include "import_fixture.h"
#include "base/count.h"
#include "own_image.h"

#ifdef __x86_64__

/* The registers bp, sp and ip of a sample, in the order of their numbers in a recording. */
struct registers {
	uint64_t bp, sp, ip;
};

enum { STACK = 0x7ffd1000 };

#define FUNCTION(name, body)                                                 \
	".type " name ", @function\n" name ": .cfi_startproc\n" body "ret\n" \
	".cfi_endproc\n.size " name ", . - " name "\n"
#define ENTER                                                                     \
	"push %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset 6, -16\nmov %rsp, %rbp\n" \
	".cfi_def_cfa_register 6\n"
#define LEAVE "pop %rbp\n.cfi_def_cfa 7, 8\n"

/* `by_pointer` contains the only call of `alone`. `__libc_start_call_main` calls main() as libc
 * does. The functions with names of libc's functions have local symbols, so they do not replace
 * libc's. */
__asm__(".pushsection .text\n" FUNCTION("leaf", "nop\nin_leaf: nop\n")
		FUNCTION("once", ENTER "nop\nin_once: nop\ncall leaf\nafter_call: " LEAVE) FUNCTION(
			"loads", ENTER "mov (%rsp), %rax\nafter_load: nop\n" LEAVE)
			FUNCTION("returns_from_signal",
				 "mov $15,%rax\nsyscall\n") FUNCTION("twice", ENTER
								     "call leaf\ncall leaf\n" LEAVE)
				FUNCTION("outer",
					 ENTER "call once\nafter_once: call twice\nafter_twice: "
					       "call leaf\nafter_leaf: lea "
					       "leaf(%rip), %rax\ncall *%rax\nafter_pointer: call "
					       "getppid@PLT\nafter_stub: " LEAVE) ".popsection\n");
__asm__(".pushsection .text\n" FUNCTION("alone", "nop\nin_alone: nop\n")
		FUNCTION("by_pointer", ENTER "call alone\nafter_alone: " LEAVE) FUNCTION("exit",
											 "nop\n")
			FUNCTION("__libc_start_call_main",
				 "call *%rax\nafter_constructor: call *%rax\nafter_main: mov "
				 "%eax,%edi\ncall exit\n") ".popsection\n");
/* `deep` is called by `middle` only, which `top` only jumps to. `loaded` may be called from
 * anywhere, but a parallel region only where its address is loaded. */
__asm__(".pushsection .text\n" FUNCTION("deep", ENTER "in_deep: nop\n" LEAVE) FUNCTION(
	"middle", ENTER "call deep\n" LEAVE) FUNCTION("top", "nop\njmp middle\n")
		FUNCTION("loaded", ENTER
			 "in_loaded: nop\n" LEAVE) FUNCTION("loader", "lea loaded(%rip), %rax\n")
			FUNCTION("solve._omp_fn.0", ENTER "in_region: nop\n" LEAVE)
				FUNCTION("solve", "lea solve._omp_fn.0(%rip), %rdi\n")
					FUNCTION("shared", ENTER "in_shared: nop\n" LEAVE)
						FUNCTION("one", "call shared\n")
							FUNCTION("other",
								 "call shared\n") ".popsection\n");
/* `stubbed` calls a function of another file; `__getppid_variant` stands for one of its variants.
 */
__asm__(".pushsection .text\n" FUNCTION("__getppid_variant", "nop\nin_variant: nop\n")
		FUNCTION("stubbed", ENTER "call getppid@PLT\nafter_variant: " LEAVE)
			FUNCTION("calls_stubbed",
				 ENTER "call stubbed\nafter_stubbed: " LEAVE) ".popsection\n");
extern const char in_variant[], stubbed[], after_variant[], calls_stubbed[], after_stubbed[];
extern const char in_deep[], in_loaded[], in_region[], in_shared[];
extern const char returns_from_signal[], leaf[], in_leaf[], once[], in_once[], after_call[],
	twice[], outer[], after_once[], after_twice[], after_leaf[], after_pointer[], after_stub[],
	loads[], after_load[], in_alone[], by_pointer[], after_alone[], after_constructor[],
	after_main[];

/* The process executes the test program. */
static void run_own_program(struct pd_build *b, const struct perf_event_attr *attr)
{
	const struct pd_sample_id id = { .pid = 10, .tid = 10, .time = 100 };
	const struct mapping m = own_image();
	char own_path[256] = "";

	ck_assert_int_gt(readlink("/proc/self/exe", own_path, sizeof(own_path) - 1), 0);
	pd_build_begin(b, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC | PERF_RECORD_MISC_USER);
	pd_build_u32(b, 10);
	pd_build_u32(b, 10);
	pd_build_string(b, "app");
	pd_build_sample_id(b, attr, &id);
	pd_build_end(b);
	pd_build_begin(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	pd_build_u32(b, 10);
	pd_build_u32(b, 10);
	pd_build_u64(b, m.start);
	pd_build_u64(b, m.end - m.start);
	pd_build_u64(b, m.pgoff);
	pd_build_string(b, own_path);
	pd_build_sample_id(b, attr, &id);
	pd_build_end(b);
}

/* Imports one sample at `ip` with the frame pointer `bp`. In its call chain, the return address
 * `back` follows the ip. Returns the functions of its call path, innermost first, each with its
 * offset in bytes. */
static const char *path_of(const char *ip, uint64_t bp, const char *back)
{
	const uint64_t chain[] = { PERF_CONTEXT_USER, (uintptr_t)ip, (uintptr_t)back };
	const struct registers regs = { bp, STACK, (uintptr_t)ip };
	struct import_options o = { .input = data, .output = output, .trust_files = true };
	struct perf_event_attr attr = timer;
	struct md_err err = { 0 };
	struct pd_build b;

	attr.sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER;
	attr.sample_regs_user = 7 << 6;
	pd_build_init(&b, false, false);
	pd_build_event(&b, &attr, NULL, 0);
	feature_text(&b, 6, "x86_64");
	run_own_program(&b, &attr);
	pd_build_sample(&b, &attr,
			&(struct pd_sample){ .misc = PERF_RECORD_MISC_USER,
					     .ip = (uintptr_t)ip,
					     .pid = 10,
					     .tid = 10,
					     .time = 200,
					     .callchain = (const uint8_t *)chain,
					     .ncallchain = COUNT_OF(chain),
					     .user_regs_abi = PERF_SAMPLE_REGS_ABI_64,
					     .user_regs = (const uint8_t *)&regs });
	save(&b, 0);
	pd_build_release(&b);
	ck_assert_msg(!import_run(&o, NULL, &err), "%s", err.msg);
	return ask(
		"with recursive p (id, n) as (select call_path_id, 1 from samples union all "
		"select c.parent_id, n + 1 from p join call_paths c using (id)) "
		"select coalesce(y.name, c.kind), l.symbol_offset from p join call_paths c using "
		"(id) left join locations l on l.id = c.location_id left join symbols y on y.id = "
		"l.symbol_id where c.parent_id is not null order by n");
}

static void check_path(const char *ip, uint64_t bp, const char *back, const char *want)
{
	ck_assert_str_eq(path_of(ip, bp, back), want);
	unlink(output);
}

START_TEST(a_leaf_has_its_caller)
{
	char want[128];

	/* the caller's location is the last byte of its call */
	snprintf(want, sizeof(want), "leaf 1\nonce %d\nouter %d", (int)(after_call - once - 1),
		 (int)(after_once - outer - 1));
	check_path(in_leaf, STACK + 8, after_once, want);
}
END_TEST

START_TEST(a_walk_that_ends_goes_on_in_the_code)
{
	/* no call ends at in_deep, so it is no return address: the walk ends there */
	check_path(in_deep, STACK, in_deep, "deep 4\nmiddle 8\ntop 2");
	check_path(in_region, STACK, in_deep, "solve._omp_fn.0 4\nsolve 6");
}
END_TEST

START_TEST(a_walk_ends_at_a_function_of_several_callers)
{
	check_path(in_shared, STACK, in_deep, "shared 4");
	check_path(in_loaded, STACK, in_deep, "loaded 4");
}
END_TEST

START_TEST(a_caller_with_several_calls_is_known_without_its_line)
{
	char want[128];

	snprintf(want, sizeof(want), "leaf 1\ntwice 0\nouter %d", (int)(after_twice - outer - 1));
	check_path(in_leaf, STACK + 64, after_twice, want);
}
END_TEST

START_TEST(a_function_of_another_file_is_called_through_a_stub)
{
	const int outer_at = (int)(after_stubbed - calls_stubbed - 1);
	char want[128];

	snprintf(want, sizeof(want), "__getppid_variant 1\nstubbed %d\ncalls_stubbed %d",
		 (int)(after_variant - stubbed - 1), outer_at);
	check_path(in_variant, STACK + 8, after_stubbed, want);
	/* another frame is between them: a function of the other file called its own variant */
	snprintf(want, sizeof(want), "__getppid_variant 1\nstubbed 0\ncalls_stubbed %d", outer_at);
	check_path(in_variant, STACK + 64, after_stubbed, want);
}
END_TEST

START_TEST(a_function_that_has_not_set_its_frame_pointer_yet)
{
	char want[128];

	/* `twice` calls no function that begins at `once` */
	snprintf(want, sizeof(want), "once 0\ntwice 0\nouter %d", (int)(after_twice - outer - 1));
	check_path(once, STACK + 8, after_twice, want);
}
END_TEST

START_TEST(no_caller_is_added_where_none_is_missing)
{
	char want[128];

	/* the function has set its frame pointer */
	snprintf(want, sizeof(want), "once %d\nouter %d", (int)(in_once - once),
		 (int)(after_once - outer - 1));
	check_path(in_once, STACK, after_once, want);
	/* the frame pointer is below the frames of callers, so it is not one */
	snprintf(want, sizeof(want), "leaf 1\nouter %d", (int)(after_once - outer - 1));
	check_path(in_leaf, STACK, after_once, want);
	/* the call before the return address is that of the sample's function */
	snprintf(want, sizeof(want), "leaf 1\nouter %d", (int)(after_leaf - outer - 1));
	check_path(in_leaf, STACK + 8, after_leaf, want);
}
END_TEST

/* `leaf` has several callers and a pointer to it. */
START_TEST(a_caller_that_is_not_known_leaves_a_gap)
{
	char want[128];

	snprintf(want, sizeof(want), "leaf 1\nskipped -\nouter %d",
		 (int)(after_pointer - outer - 1));
	check_path(in_leaf, STACK + 8, after_pointer, want);
	snprintf(want, sizeof(want), "leaf 1\nskipped -\nouter %d", (int)(after_stub - outer - 1));
	check_path(in_leaf, STACK + 8, after_stub, want);
	snprintf(want, sizeof(want), "leaf 1\nskipped -\n__libc_start_call_main 1");
	check_path(in_leaf, STACK + 8, after_constructor, want);
}
END_TEST

START_TEST(the_only_caller_is_known_where_a_pointer_is_called)
{
	char want[128];

	snprintf(want, sizeof(want), "alone 1\nby_pointer %d\nouter %d",
		 (int)(after_alone - by_pointer - 1), (int)(after_pointer - outer - 1));
	check_path(in_alone, STACK + 8, after_pointer, want);
}
END_TEST

START_TEST(libc_calls_main_by_a_pointer)
{
	check_path(in_leaf, STACK + 8, after_main, "leaf 1\nmain 0\n__libc_start_call_main 3");
	ck_assert_str_eq(path_of(in_leaf, STACK + 8, after_main),
			 "leaf 1\nmain 0\n__libc_start_call_main 3");
	ck_assert_str_eq(
		ask("select kind from call_paths where parent_id is null and id in (select "
		    "parent_id from call_paths)"),
		"root");
}
END_TEST

/* The bytes before a pointer to a function are not a call. If the pointer were taken for a return
 * address, the byte before it would show the function before, which is not a caller. */
START_TEST(a_walk_ends_where_no_call_returns)
{
	char want[128];

	snprintf(want, sizeof(want), "once %d", (int)(in_once - once));
	check_path(in_once, STACK, outer, want);
	check_path(in_once, STACK, in_leaf, want);
	ck_assert_str_eq(path_of(in_once, STACK, outer), want);
	ck_assert_str_eq(ask("select kind from call_paths where id in (select parent_id from "
			     "call_paths join samples on samples.call_path_id = call_paths.id)"),
			 "truncated");
}
END_TEST

START_TEST(a_signal_handler_returns_without_a_call)
{
	char want[128];

	snprintf(want, sizeof(want), "once %d\nreturns_from_signal 0", (int)(in_once - once));
	check_path(in_once, STACK, returns_from_signal, want);
}
END_TEST

START_TEST(the_innermost_frame_is_the_instruction_that_waited)
{
	char want[128];

	snprintf(want, sizeof(want), "loads %d\nouter %d", (int)(after_load - loads - 1),
		 (int)(after_once - outer - 1));
	check_path(after_load, STACK, after_once, want);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("skipped");
	TCase *t = tcase_create("skipped");

	tcase_add_checked_fixture(t, make_case, remove_case);
	tcase_add_test(t, a_walk_ends_where_no_call_returns);
	tcase_add_test(t, a_walk_that_ends_goes_on_in_the_code);
	tcase_add_test(t, a_walk_ends_at_a_function_of_several_callers);
	tcase_add_test(t, a_signal_handler_returns_without_a_call);
	tcase_add_test(t, the_innermost_frame_is_the_instruction_that_waited);
	tcase_add_test(t, a_leaf_has_its_caller);
	tcase_add_test(t, a_caller_with_several_calls_is_known_without_its_line);
	tcase_add_test(t, a_function_of_another_file_is_called_through_a_stub);
	tcase_add_test(t, a_function_that_has_not_set_its_frame_pointer_yet);
	tcase_add_test(t, no_caller_is_added_where_none_is_missing);
	tcase_add_test(t, a_caller_that_is_not_known_leaves_a_gap);
	tcase_add_test(t, the_only_caller_is_known_where_a_pointer_is_called);
	tcase_add_test(t, libc_calls_main_by_a_pointer);
	suite_add_tcase(s, t);
	return run_suite(s);
}

#else

int main(void)
{
	puts("skip: the code of this test is for x86-64");
	return 77;
}

#endif
