/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the decoder finds what a thread at an address was doing: computing, accessing memory,
 * or another kind of work. */
#include "decode/decode.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "base/count.h"
#include "check_main.h"

/* A case: the code around ip, and the kind of work that a thread at ip does. */
struct work_case {
	const char *text;
	bool arm;
	size_t at, len;
	const char *bytes;
	enum dec_work work;
};

/* clang-format off */
static const struct work_case work_cases[] = {
	{ "add %rcx,%rax; ret", false, 3, 4, "\x48\x01\xc8\xc3", WORK_COMPUTE },
	{ "mov (%rax),%rdx; ret", false, 3, 4, "\x48\x8b\x10\xc3", WORK_ACCESS },
	{ "mov (%rax),%rax; ret: its address is gone", false, 3, 4, "\x48\x8b\x00\xc3", WORK_ACCESS },
	{ "mfence; ret", false, 3, 4, "\x0f\xae\xf0\xc3", WORK_FENCE },
	{ "lock orq $0,(%rsp); ret: nobody else's word", false, 6, 7, "\xf0\x48\x83\x0c\x24\x00\xc3", WORK_FENCE },
	{ "lock xadd %eax,(%rdi); ret", false, 4, 5, "\xf0\x0f\xc1\x07\xc3", WORK_ATOMIC },
	{ "xchg %eax,(%rdi); ret", false, 2, 3, "\x87\x07\xc3", WORK_ATOMIC },
	{ "call; nop: the callee's", false, 5, 6, "\xe8\x00\x00\x00\x00\x90", WORK_UNKNOWN },
	{ "syscall; ret", false, 2, 3, "\x0f\x05\xc3", WORK_SYSTEM },
	{ "1: syscall; mov (%rdi),%eax; test; je 1b: the kernel may end it", false, 4, 8, "\x0f\x05\x8b\x07\x85\xc0\x74\xf8", WORK_ACCESS },
	{ "rep movsb may have run zero times", false, 2, 3, "\xf3\xa4\xc3", WORK_UNKNOWN },
	{ "1: lock orq $0,(%rsp); mov (%rdi),%eax; test; je 1b", false, 6, 13, "\xf0\x48\x83\x0c\x24\x00\x8b\x07\x85\xc0\x74\xf4\xc3", WORK_SPIN },
	{ "its head", false, 0, 13, "\xf0\x48\x83\x0c\x24\x00\x8b\x07\x85\xc0\x74\xf4\xc3", WORK_SPIN },
	{ "behind it", false, 12, 13, "\xf0\x48\x83\x0c\x24\x00\x8b\x07\x85\xc0\x74\xf4\xc3", WORK_COMPUTE },
	{ "1: mov (%rdi,%rax,4),%ecx; cmp $1,%ecx; jne 1b", false, 3, 9, "\x8b\x0c\x87\x83\xf9\x01\x75\xf8\xc3", WORK_SPIN },
	{ "1: pause; dec %ecx; jne 1b: so many times at most", false, 2, 7, "\xf3\x90\xff\xc9\x75\xfa\xc3", WORK_SPIN },
	{ "1: mov (%rdi),%eax; add $1,%ecx; cmp %eax,%ecx; jne 1b: counts", false, 2, 10, "\x8b\x07\x83\xc1\x01\x39\xc1\x75\xf7\xc3", WORK_ACCESS },
	{ "1: mov (%rdi),%rdi; test; jne 1b: walks", false, 3, 9, "\x48\x8b\x3f\x48\x85\xff\x75\xf8\xc3", WORK_ACCESS },
	{ "1: mov (%rdi),%eax; mov %eax,(%rsi); test; je 1b: stores", false, 4, 9, "\x8b\x07\x89\x06\x85\xc0\x74\xf8\xc3", WORK_ACCESS },
	{ "1: mulsd (%rdi),%xmm0; ucomisd (%rsi),%xmm0; ja 1b: converges", false, 4, 11, "\xf2\x0f\x59\x07\x66\x0f\x2e\x06\x77\xf6\xc3", WORK_ACCESS },
	{ "1: mov (%rdi),%eax; test; je 2f; add $1,%eax; 2: cmp; jne 1b: two ways", false, 2, 15,
	  "\x8b\x07\x85\xc0\x74\x03\x83\xc0\x01\x83\xf8\x05\x75\xf2\xc3", WORK_ACCESS },
	{ "1: jmp 1b", false, 0, 2, "\xeb\xfe", WORK_COMPUTE },
	{ "1: add %rcx,%rax; dec %edx; jne 1b: its head", false, 0, 8, "\x48\x01\xc8\xff\xca\x75\xf9\xc3", WORK_COMPUTE },
	{ "1: add (%rcx),%rax; dec %edx; jne 1b: its head", false, 0, 8, "\x48\x03\x01\xff\xca\x75\xf9\xc3", WORK_UNKNOWN },
	{ "dmb ish; ret", true, 4, 8, "\xbf\x3b\x03\xd5\xc0\x03\x5f\xd6", WORK_FENCE },
	{ "ldadd w0,w1,[x2]; ret", true, 4, 8, "\x41\x00\x20\xb8\xc0\x03\x5f\xd6", WORK_ATOMIC },
	{ "svc #0; ret", true, 4, 8, "\x01\x00\x00\xd4\xc0\x03\x5f\xd6", WORK_SYSTEM },
	{ "1: yield; ldr w0,[x1]; cbz w0,1b", true, 4, 12, "\x3f\x20\x03\xd5\x20\x00\x40\xb9\xc0\xff\xff\x34", WORK_SPIN },
};
/* clang-format on */

START_TEST(what_a_thread_does_is_known_from_its_code)
{
	const struct work_case *c = &work_cases[_i];
	struct md_err err = { 0 };
	struct dec_recipe r;
	uint8_t *code;
	struct decoder *d;

	ck_assert_msg(!decoder_open(c->arm ? DEC_AARCH64 : DEC_X86_64, &d, &err), "%s", err.msg);
	code = copy_exact(c->bytes, c->len);
	decoder_recipe(d, 0, code, c->len, c->at, true, &r);
	free(code);
	ck_assert_msg(r.work == c->work, "%s: work %d", c->text, r.work);
	decoder_close(d);
}
END_TEST

struct block {
	struct block *next;
	char bytes[4000];
};

/* Called through a volatile pointer, so that the compiler cannot remove an allocation whose block
 * is not used. */
static void *(*const volatile allocate)(size_t) = malloc;

/* Allocates all memory that the process may still get. Returns the large blocks as a list, with the
 * newest block first. */
static struct block *take_all_memory(void)
{
	const struct rlimit none = { 1, RLIM_INFINITY };
	struct block *blocks = NULL, *b;

	ck_assert_int_eq(setrlimit(RLIMIT_AS, &none), 0); /* no more than what it has now */
	while ((b = allocate(sizeof(*b)))) {
		b->next = blocks;
		blocks = b;
	}
	for (size_t bytes = 2048; bytes >= 16; bytes /= 2)
		while (allocate(bytes))
			;
	return blocks;
}

/* Frees the blocks one by one. With each freed block, opening the decoder and decoding the first
 * instruction get further before they fail. */
START_TEST(a_decoder_without_memory_is_refused)
{
	struct block *blocks = NULL, *b;
	struct decoder *d = NULL;
	struct dec_recipe r;
	int refused = 0;

	for (int i = 0; i < 1000; i++) { /* so that the heap has a megabyte */
		b = allocate(sizeof(*b));
		ck_assert_ptr_nonnull(b);
		b->next = blocks;
		blocks = b;
	}
	while (blocks) {
		b = blocks->next;
		free(blocks);
		blocks = b;
	}
	for (b = take_all_memory(); b && !d; refused++) {
		struct block *next = b->next;

		free(b);
		b = next;
		if (decoder_open(DEC_X86_64, &d, NULL))
			ck_assert_ptr_null(d);
	}
	ck_assert_ptr_nonnull(d);
	decoder_recipe(d, 0, (const uint8_t *)"\x48\x8b\x10\xc3", 4, 3, true, &r);
	ck_assert_int_eq(r.work, WORK_ACCESS);
	ck_assert_int_gt(refused, 4);
	decoder_close(d);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("decode_work");
	TCase *t = tcase_create("decode_work");

	tcase_add_loop_test(t, what_a_thread_does_is_known_from_its_code, 0, COUNT_OF(work_cases));
	if (!SANITIZED) /* AddressSanitizer needs more memory than there is */
		tcase_add_test(t, a_decoder_without_memory_is_refused);
	suite_add_tcase(s, t);
	return run_suite(s);
}
