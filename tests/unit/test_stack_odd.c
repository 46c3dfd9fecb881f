/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests captured stacks where control flow is unusual: longjmp, coroutines, code without unwind
 * information, and code that is replaced. */
#include "base/count.h"
#include "stack_fixture.h"

static jmp_buf back;

static uint32_t capture_and_jump(void)
{
	hook();
	longjmp(back, 1);
}

START_TEST(captures_go_on_after_longjmp)
{
	struct log l;
	volatile int rounds = 0;

	log_open(&l);
	while (rounds < 50) {
		if (!setjmp(back)) {
			rounds++;
			recurse(rounds % 7, capture_and_jump);
		}
		hook();
		recurse(3, hook);
	}
	ck_assert_uint_eq(l.same, 150);
	log_close(&l);
}
END_TEST

static ucontext_t outside;
static ucontext_t inside;

static void coroutine(void)
{
	for (int i = 0;; i++) {
		recurse(i % 9, hook);
		swapcontext(&inside, &outside);
	}
}

START_TEST(coroutines_with_stacks_that_come_and_go)
{
	struct log l;
	size_t size = 1 << 18;

	log_open(&l);
	for (int round = 0; round < 10; round++) {
		char *stack = pages(size);

		ck_assert_int_eq(mprotect(stack, 4096, PROT_NONE), 0);
		ck_assert_int_eq(mprotect(stack + size - 4096, 4096, PROT_NONE), 0);
		getcontext(&inside);
		inside.uc_stack.ss_sp = stack + 4096;
		inside.uc_stack.ss_size = size - 8192;
		makecontext(&inside, coroutine, 0);
		for (int i = 0; i < 20; i++) {
			swapcontext(&outside, &inside);
			hook();
		}
		munmap(stack, size);
	}
	ck_assert_uint_eq(l.same + l.truncated, 400);
	ck_assert_uint_ge(l.same, 200);
	log_close(&l);
}
END_TEST

#if defined(__x86_64__)
/* Functions in assembly. Each calls its first argument.
 * without_cfi: has no unwind information, so its caller cannot be found.
 * wrong_rbp: its unwind information says CFA = rbp + 16, but rbp is its second argument.
 * cfa_in_rbx: its CFA is computed from rbx and the stack is realigned, as in the dynamic
 * linker's lazy binding.
 * saves_rbx: saves rbx, so that the unwinder can restore it for cfa_in_rbx. */
uint32_t without_cfi(leaf_fn *leaf);
uint32_t wrong_rbp(leaf_fn *leaf, uint64_t rbp);
uint32_t cfa_in_rbx(uint32_t (*callee)(leaf_fn *), leaf_fn *leaf);
uint32_t saves_rbx(leaf_fn *leaf);
__asm__(".pushsection .text\n"
	"without_cfi: sub $8, %rsp\n call *%rdi\n add $8, %rsp\n ret\n"
	"wrong_rbp: .cfi_startproc\n push %rbp\n .cfi_def_cfa_offset 16\n .cfi_offset rbp, -16\n"
	" mov %rsi, %rbp\n .cfi_remember_state\n .cfi_def_cfa rbp, 16\n call *%rdi\n"
	" .cfi_restore_state\n pop %rbp\n .cfi_def_cfa_offset 8\n ret\n .cfi_endproc\n"
	"cfa_in_rbx: .cfi_startproc\n push %rbx\n .cfi_def_cfa_offset 16\n .cfi_offset rbx, -16\n"
	" mov %rsp, %rbx\n .cfi_def_cfa_register rbx\n and $-64, %rsp\n sub $128, %rsp\n"
	" mov %rdi, %rax\n mov %rsi, %rdi\n call *%rax\n mov %rbx, %rsp\n"
	" .cfi_def_cfa_register rsp\n pop %rbx\n .cfi_def_cfa_offset 8\n ret\n .cfi_endproc\n"
	"saves_rbx: .cfi_startproc\n push %rbx\n .cfi_def_cfa_offset 16\n .cfi_offset rbx, -16\n"
	" xor %ebx, %ebx\n call *%rdi\n pop %rbx\n .cfi_def_cfa_offset 8\n ret\n .cfi_endproc\n"
	".popsection\n");

START_TEST(code_without_cfi_truncates_and_invents_nothing)
{
	struct log l;
	uint32_t root;
	uint32_t id;

	log_open(&l);
	for (int i = 0; i < three; i++) {
		id = without_cfi(capture_only);
		ck_assert_int_eq(depth_of(&l, id, &root), 1);
		ck_assert_uint_eq(root, STACK_TRUNCATED);
		ck_assert_uint_eq(l.nodes[id].pc - (uintptr_t)without_cfi, 6);
	}
	log_close(&l);
}
END_TEST

extern void __register_frame(void *);
extern void __deregister_frame(void *);

struct jit_frames {
	uint8_t cie[24];
	uint32_t length, back;
	uint64_t start, size;
	uint8_t program[8];
	uint32_t end;
};

/* Runs code that is generated at run time. The code has no unwind information, or some that only
 * libgcc knows. The test replaces it with other code at the same address. The captured stack ends
 * at this code and is marked as truncated. */
START_TEST(code_made_at_run_time_truncates)
{
	static struct jit_frames frames = {
		.cie = { 20, 0, 0,    0,  0, 0, 0,    0, 1, 'z',  'R',
			 0,  1, 0x78, 16, 1, 0, 0x0c, 7, 8, 0x90, 1 },
		.length = 28,
		.back = 28,
		.program = { 0, 0x44, 0x0e, 16 },
	};
	struct log l;

	log_open(&l);
	for (int i = 0; i < 4; i++) {
		uint8_t *code = mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		leaf_fn *run = hook;

		ck_assert_ptr_ne(code, MAP_FAILED);
		memcpy(code, (const void *)(uintptr_t)without_cfi, 16);
		if (i % 2) /* every second time, the code at this address has a larger frame */
			code[3] = code[9] = 24;
		frames.start = (uintptr_t)code;
		frames.size = 16;
		if (i == 2)
			__register_frame(&frames);
		for (int k = 0; k < three; k++)
			((uint32_t(*)(leaf_fn *))(uintptr_t)code)(run);
		if (i == 2)
			__deregister_frame(&frames);
		munmap(code, 4096);
	}
	ck_assert_uint_eq(l.truncated, 12);
	log_close(&l);
}
END_TEST

static NOINLINE uint32_t call_with_rbp(uint64_t rbp)
{
	uint32_t id = wrong_rbp(capture_only, rbp);

	sink++;
	return id;
}

START_TEST(a_frame_pointer_to_nowhere_is_not_followed)
{
	struct log l;
	char *here = (char *)__builtin_frame_address(0);
	const uint64_t bad[] = { 0,
				 8,
				 UINT64_MAX,
				 UINT64_MAX - 16,
				 0x7fffffffffffu,
				 0x800000000000u,
				 (uintptr_t)here - 4096,
				 (uintptr_t)here + (1u << 30),
				 (uintptr_t)&l,
				 (uintptr_t)pages(4096),
				 (uintptr_t)pages(4096) + 4095 };
	uint32_t root;

	log_open(&l);
	for (int round = 0; round < three; round++) {
		for (size_t i = 0; i < COUNT_OF(bad); i++) {
			uint32_t id = call_with_rbp(bad[i]);

			ck_assert_int_ge(depth_of(&l, id, &root), 1);
			ck_assert_msg(root == STACK_TRUNCATED || bad[i] == (uintptr_t)&l, "%zu", i);
		}
	}
	log_close(&l);
}
END_TEST

START_TEST(a_cfa_in_rbx_needs_rbx)
{
	struct log l;
	uint32_t root;

	log_open(&l);
	for (int i = 0; i < three; i++)
		cfa_in_rbx(saves_rbx, hook);
	ck_assert_uint_eq(l.same, 3);
	depth_of(&l, cfa_in_rbx(without_cfi, capture_only), &root);
	ck_assert_uint_eq(root, STACK_TRUNCATED);
	log_close(&l);
}
END_TEST
#endif

START_TEST(before_stack_init_only_the_caller_is_known)
{
	struct stack_thread *t = pages(STACK_THREAD_SIZE);
	struct stack_frames f;
	uint32_t id = stack_capture_caller(t);

	ck_assert(stack_has_new(t));
	ck_assert(stack_take_new(t, 100, &f));
	ck_assert_uint_eq(f.first, id);
	ck_assert_uint_eq(id, STACK_FIRST_ID);
	ck_assert_uint_eq(f.caller, STACK_TRUNCATED);
	ck_assert_uint_eq(f.n, 1);
	ck_assert(!stack_take_new(t, 100, &f));
	ck_assert(!stack_has_new(t));
	munmap(t, STACK_THREAD_SIZE);
}
END_TEST

START_TEST(reset_begins_again_at_the_first_id)
{
	struct log l;
	uint32_t ids;

	log_open(&l);
	hook();
	ids = l.thread->next_id;
	ck_assert(stack_reset(l.thread));
	ck_assert(!stack_has_new(l.thread));
	memset(l.nodes, 0, MAX_NODES * sizeof(*l.nodes));
	hook();
	ck_assert_uint_eq(l.thread->next_id, ids);
	ck_assert_uint_eq(l.same, 2);
	log_close(&l);
}
END_TEST

static NOINLINE uint32_t with_room(int bytes, leaf_fn *leaf)
{
	volatile char *room = alloca((size_t)bytes);
	uint32_t id = leaf();

	sink += room[0];
	return id;
}

#define OUTER(name)                                                              \
	static NOINLINE uint32_t name(int bytes, int inner_bytes, leaf_fn *leaf) \
	{                                                                        \
		volatile char *room = alloca((size_t)bytes);                     \
		uint32_t id = with_room(inner_bytes, leaf);                      \
                                                                                 \
		sink += room[0];                                                 \
		return id;                                                       \
	}
OUTER(outer_a)
OUTER(outer_b)

static NOINLINE uint32_t through_one_frame(void)
{
	uint32_t id = hook();

	sink++;
	return id;
}

/* The rooms of with_room() and its caller together have the same size in each round. So the inner
 * frames have the same pc and sp each time, and the words from which the previous round went on are
 * still in the room. Only the frame pointer, or the word from which it is restored, shows where the
 * stack goes on now. */
START_TEST(only_the_frame_pointer_shows_the_caller)
{
	static leaf_fn *const leaves[] = { hook, through_one_frame };
	uint32_t (*volatile outer[])(int, int, leaf_fn *) = { outer_a, outer_b };
	struct log l;

	log_open(&l);
	for (int i = 0; i < 64; i++)
		outer[i % 2](64 + i % 5 * 64, 512 - i % 5 * 64, leaves[i / 32]);
	ck_assert_uint_eq(l.same, 64);
	ck_assert_uint_eq(l.thread->lost, 0);
	log_close(&l);
}
END_TEST

START_TEST(forgotten_ids_are_not_used_again)
{
	struct log l;
	uint32_t next;

	log_open(&l);
	for (int round = 0; round < three; round++) {
		for (int i = 0; i < three; i++)
			through_one_frame();
		next = l.thread->next_id;
		stack_images_changed();
		memset(l.nodes, 0, MAX_NODES * sizeof(*l.nodes));
		for (int i = 0; i < three; i++)
			ck_assert_uint_ge(through_one_frame(), next);
		ck_assert(stack_reset(l.thread));
		memset(l.nodes, 0, MAX_NODES * sizeof(*l.nodes));
	}
	ck_assert_uint_eq(l.same, 18);
	log_close(&l);
}
END_TEST

/* Loads two modules at the same address, one after the other. They have the same code layout,
 * but frames of different sizes. */
START_TEST(code_that_was_replaced_is_not_mistaken)
{
	struct log l;
	uint32_t last = 0;

	log_open(&l);
	for (int round = 0; round < 6; round++) {
		void *m = dlopen(round % 2 ? STACK_MODULE_B : STACK_MODULE_A, RTLD_NOW);
		uint32_t (*call)(leaf_fn *);

		ck_assert_msg(m != NULL, "%s", dlerror());
		call = (uint32_t(*)(leaf_fn *))dlsym(m, "stack_module_call");
		for (int i = 0; i < three; i++)
			last = call(hook);
		dlclose(m);
		stack_images_changed();
	}
	ck_assert_uint_eq(l.same, 18);
	ck_assert_uint_gt(last, STACK_FIRST_ID);
	log_close(&l);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("stack_odd");
	TCase *t = tcase_create("stack_odd");

	tcase_set_timeout(t, 240);
	tcase_add_test(t, captures_go_on_after_longjmp);
	tcase_add_test(t, coroutines_with_stacks_that_come_and_go);
#if defined(__x86_64__)
	tcase_add_test(t, code_without_cfi_truncates_and_invents_nothing);
	tcase_add_test(t, code_made_at_run_time_truncates);
	tcase_add_test(t, a_frame_pointer_to_nowhere_is_not_followed);
	tcase_add_test(t, a_cfa_in_rbx_needs_rbx);
#endif
	tcase_add_test(t, before_stack_init_only_the_caller_is_known);
	tcase_add_test(t, reset_begins_again_at_the_first_id);
	tcase_add_test(t, only_the_frame_pointer_shows_the_caller);
	tcase_add_test(t, forgotten_ids_are_not_used_again);
	tcase_add_test(t, code_that_was_replaced_is_not_mistaken);
	suite_add_tcase(s, t);
	return run_suite(s);
}
