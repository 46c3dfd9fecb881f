/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests addresses whose registers were loaded from the stack frame and are overwritten before ip.
 * All functions begin with push %rbp; mov %rsp,%rbp, and most set -8(%rbp) to the parameter %rdi.
 */
#include "base/count.h"
#include "waits_fixture.h"

#define FRAME "\x55\x48\x89\xe5"
#define SET   "\x48\x89\x7d\xf8" /* mov %rdi,-8(%rbp) */
#define LOAD  "\x48\x8b\x45\xf8" /* mov -8(%rbp),%rax */
#define USE   "\x48\x8b\x40\x08" /* mov 8(%rax),%rax: overwrites its pointer */
#define TAKE  "\x48\x8d\x4d\xf8" /* lea -8(%rbp),%rcx */
#define CLEAR "\x31\xff"         /* xor %edi,%edi */
#define SHOW  "\x48\x8b\x55\xf8" /* mov -8(%rbp),%rdx */
#define END   "\x5d\xc3"         /* pop %rbp; ret */
/* test %rax,%rax; jne: to LOAD, with the size of the code in between */
#define LOOP(back) "\x48\x85\xc0\x75" back

/* In a loop, LOAD; USE with ip behind USE. Each function sets the word in another way. */
static const struct {
	const char *what, *code;
	size_t size, ip;
	const char *expected;
} loops[] = {
#define CASE(what, code, ip, expected)                     \
	{                                                  \
		what, code, sizeof(code) - 1, ip, expected \
	}
	CASE("a parameter", FRAME SET LOAD USE LOOP("\xf3") END, 16, "own copy di+8"),
	/* SET with -24(%rbp); mov -24(%rbp),%rax; mov %rax,-8(%rbp) */
	CASE("a copy of a parameter",
	     FRAME "\x48\x89\x7d\xe8\x48\x8b\x45\xe8\x48\x89\x45\xf8" LOAD USE LOOP("\xf3") END, 24,
	     "own copy di+8"),
	/* add $16,%rax; add %rsi,%rax; mov (%rax),%rax */
	CASE("a pointer and an index",
	     FRAME SET LOAD "\x48\x83\xc0\x10\x48\x01\xf0\x48\x8b\x00" LOOP("\xed") END, 22,
	     "own copy di+si+16"),
	/* the loop is after a jump to its condition: jmp to test; LOAD; USE; test; jne */
	CASE("a loop that is entered at its end", FRAME SET "\xeb\x08" LOAD USE LOOP("\xf3") END,
	     18, "own copy di+8"),
	CASE("the register is changed", FRAME SET LOAD USE LOOP("\xf3") CLEAR END, 16, "own gone"),
	/* call after the loop */
	CASE("a function is called", FRAME SET LOAD USE LOOP("\xf3") "\xe8\x80\x00\x00\x00" END, 16,
	     "own gone"),
	/* mov %rsi,-8(%rbp) after the loop */
	CASE("the word is set twice", FRAME SET LOAD USE LOOP("\xf3") "\x48\x89\x75\xf8" END, 16,
	     "own gone"),
	CASE("the word is set in an outer loop",
	     FRAME SET LOAD USE LOOP("\xf3") "\x48\x85\xd2\x75\xea" END, 16, "own gone"),
	CASE("the address of the word is known", FRAME SET TAKE LOAD USE LOOP("\xf3") END, 20,
	     "own gone"),
	/* movl $0,-4(%rbp) */
	CASE("a half of the word is set",
	     FRAME SET "\xc7\x45\xfc\x00\x00\x00\x00" LOAD USE LOOP("\xf3") END, 23, "own gone"),
	/* jmp *%rcx */
	CASE("an indirect jump", FRAME SET LOAD USE LOOP("\xf3") END "\xff\xe1", 16, "own gone"),
	/* without the frame pointer, rbp may point to anything */
	CASE("rbp is no frame pointer", "\x55\x48\x89\xf5\x90" SET LOAD USE LOOP("\xf3") END, 17,
	     "own gone, flow bp-8"),
};

START_TEST(a_word_has_the_value_of_a_register)
{
	ck_assert_str_eq(text_of(plan_at(loops[_i].code, loops[_i].size, loops[_i].ip)),
			 loops[_i].expected);
}
END_TEST

/* CLEAR, LOAD, USE, then SHOW, with ip behind it: %rdx has the value of the word. */
static const struct {
	const char *what, *code;
	size_t size, ip;
	const char *expected;
} reloads[] = {
	CASE("loaded again", FRAME SET CLEAR LOAD USE SHOW END, 22, "window copy dx+8"),
	/* mov %rsi,-8(%rbp) before SHOW */
	CASE("set in between", FRAME SET CLEAR LOAD USE "\x48\x89\x75\xf8" SHOW END, 26,
	     "window gone"),
	/* mov %rsi,(%rcx) before SHOW */
	CASE("perhaps set through a pointer", FRAME SET TAKE CLEAR LOAD USE "\x48\x89\x31" SHOW END,
	     29, "window gone, window(store) cx"),
};

START_TEST(a_later_load_shows_the_word)
{
	ck_assert_str_eq(text_of(plan_at(reloads[_i].code, reloads[_i].size, reloads[_i].ip)),
			 reloads[_i].expected);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_spilled");
	TCase *t = tcase_create("waits_spilled");

	tcase_add_checked_fixture(t, open_waits, close_waits);
	tcase_add_loop_test(t, a_word_has_the_value_of_a_register, 0, (int)COUNT_OF(loops));
	tcase_add_loop_test(t, a_later_load_shows_the_word, 0, (int)COUNT_OF(reloads));
	suite_add_tcase(s, t);
	return run_suite(s);
}
