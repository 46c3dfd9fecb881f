/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the assembler that puts checks before accesses. */
#include "as/instrument.h"
#include "as/asm_lines.h"
#include "as/x86.h"
#include "sampler_kind.h"

#include "check_main.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"

enum { L = ACCESS_LOAD, S = ACCESS_STORE };

static const struct {
	const char *statement;
	unsigned n, kind[2], bytes;
	const char *operand; /* operand of the first access */
} accesses[] = {
	{ "movl\t(%rax), %ebx", 1, { L }, 4, "(%rax)" },
	{ "movq\t%rbx, -8(%rsp,%rcx,8)", 1, { S }, 8, "-8(%rsp,%rcx,8)" },
	{ "movb\t$0, table(%rip)", 1, { S }, 1, "table(%rip)" },
	{ "addq\t$1, (%rdi)", 1, { L | S }, 8, "(%rdi)" },
	{ "lock addl\t%eax, (%rdi)", 1, { L | S }, 4, "(%rdi)" },
	{ "lock;cmpxchgq\t%rdx, 8(%rdi) # comment (%rax)", 1, { L | S }, 8, "8(%rdi)" },
	{ "xchgb\t%al, (%rdi)", 1, { L | S }, 1, "(%rdi)" },
	{ "cmpw\t$5, (%rax)", 1, { L }, 2, "(%rax)" },
	{ "addl\t(%rax), %ebx", 1, { L }, 4, "(%rax)" },
	{ "imull\t$3, (%rax), %ebx", 1, { L }, 4, "(%rax)" },
	{ "shrq\t%cl, (%rax)", 1, { L | S }, 8, "(%rax)" },
	{ "sete\t3(%rax)", 1, { S }, 1, "3(%rax)" },
	{ "movzbl\t(%rax), %edx", 1, { L }, 1, "(%rax)" },
	{ "movslq\t(%rax), %rdx", 1, { L }, 4, "(%rax)" },
	{ "movq\t%fs:40, %rax", 1, { L }, 8, "40" },
	{ "addsd\t(%rax,%rbx), %xmm0", 1, { L }, 8, "(%rax,%rbx)" },
	{ "movss\t%xmm0, (%rax)", 1, { S }, 4, "(%rax)" },
	{ "movaps\t%xmm0, (%rax)", 1, { S }, 16, "(%rax)" },
	{ "vmovupd\t(%rax), %ymm0", 1, { L }, 32, "(%rax)" },
	{ "vfmadd231pd\t(%rax){1to8}, %zmm1, %zmm2{%k1}", 1, { L }, 8, "(%rax)" },
	{ "vmovdqu64\t%zmm0, (%rax){%k1}", 1, { S }, 64, "(%rax)" },
	{ "vextractf128\t$1, %ymm0, (%rax)", 1, { S }, 16, "(%rax)" },
	{ "cvtsi2sdl\t(%rax), %xmm0", 1, { L }, 4, "(%rax)" },
	{ "fldt\t(%rax)", 1, { L }, 10, "(%rax)" },
	{ "fstpl\t(%rax)", 1, { S }, 8, "(%rax)" },
	{ "movsq", 2, { L, S }, 8, "(%rsi)" },
	{ "rep stosq", 1, { S }, 8, "(%rdi)" },
	{ "call\t*8(%rax)", 1, { L }, 8, "8(%rax)" },
	{ "jmp\t*.L4(,%rax,8)", 1, { L }, 8, ".L4(,%rax,8)" },
	{ "pushq\t(%rax)", 1, { L }, 8, "(%rax)" },
	{ "popcntl\t(%rax), %ebx", 1, { L }, 4, "(%rax)" },
	{ "popq\t(%rax)", 1, { S }, 8, "(%rax)" },
	{ "pushw\t(%rax)", 1, { L }, 2, "(%rax)" },
	{ "crc32b\t(%rax), %ebx", 1, { L }, 1, "(%rax)" },
	{ "kmovd\t(%rax), %k1", 1, { L }, 4, "(%rax)" },
	/* conversions: the memory operand has half or twice the size of the register */
	{ "cvtps2pd\t(%rax), %xmm0", 1, { L }, 8, "(%rax)" },
	{ "vcvtdq2pd\t(%rax), %ymm0", 1, { L }, 16, "(%rax)" },
	{ "cvtpd2ps\t(%rax), %xmm0", 1, { L }, 16, "(%rax)" },
	{ "vcvtpd2psx\t(%rax), %xmm0", 1, { L }, 16, "(%rax)" },
	{ "vcvttpd2dqy\t(%rax), %xmm0", 1, { L }, 32, "(%rax)" },
	{ "vcvtpd2ps\t(%rax), %ymm0", 1, { L }, 64, "(%rax)" },
	{ "vcvtps2pd\t(%rax){1to8}, %zmm0", 1, { L }, 4, "(%rax)" },
	{ "vcvtpd2ps\t(%rax){1to8}, %ymm0", 1, { L }, 8, "(%rax)" },
	{ "vcvtps2ph\t$0, %ymm0, (%rax)", 1, { S }, 16, "(%rax)" },
	{ "vpmovqd\t%zmm0, (%rax)", 1, { S }, 32, "(%rax)" },
	{ "vpmovusdb\t%ymm0, (%rax){%k1}", 1, { S }, 8, "(%rax)" },
	{ "vpmovsqb\t%xmm0, (%rax)", 1, { S }, 2, "(%rax)" },
	{ "vpmovzxbd\t(%rax), %ymm0", 1, { L }, 8, "(%rax)" },
	{ "vmovddup\t(%rax), %xmm0", 1, { L }, 8, "(%rax)" },
	{ "vmovddup\t(%rax), %ymm0", 1, { L }, 32, "(%rax)" },
	{ "extractps\t$1, %xmm0, (%rax)", 1, { S }, 4, "(%rax)" },
	{ "vbroadcastf32x2\t(%rax), %zmm0", 1, { L }, 8, "(%rax)" },
	{ "vcvtps2phx\t(%rax), %ymm0", 1, { L }, 64, "(%rax)" },
	{ "vcvtdq2phx\t(%rax), %xmm0", 1, { L }, 16, "(%rax)" },
	{ "vcvtne2ps2bf16\t(%rax), %ymm1, %ymm0", 1, { L }, 32, "(%rax)" },
	{ "vcvtph2pd\t(%rax), %zmm0", 1, { L }, 16, "(%rax)" },
	{ "vcvtph2pd\t(%rax){1to2}, %xmm0", 1, { L }, 2, "(%rax)" },
	{ "vcvtsh2usi\t(%rax), %ecx", 1, { L }, 2, "(%rax)" },
	/* operands are half-precision numbers, or pairs of them */
	{ "vaddsh\t(%rax), %xmm1, %xmm0", 1, { L }, 2, "(%rax)" },
	{ "vmovsh\t%xmm0, (%rax)", 1, { S }, 2, "(%rax)" },
	{ "vmovw\t(%rax), %xmm0", 1, { L }, 2, "(%rax)" },
	{ "vfmadd132ph\t(%rax){1to8}, %xmm1, %xmm0", 1, { L }, 2, "(%rax)" },
	{ "vfmaddcsh\t(%rax), %xmm1, %xmm0", 1, { L }, 4, "(%rax)" },
	{ "vfpclassphy\t$1, (%rax), %k1", 1, { L }, 32, "(%rax)" },
	{ "vfpclassss\t$1, (%rax), %k1", 1, { L }, 4, "(%rax)" },
	/* MMX */
	{ "paddw\t(%rax), %mm0", 1, { L }, 8, "(%rax)" },
	{ "movd\t%mm0, (%rax)", 1, { S }, 4, "(%rax)" },
	{ "punpcklbw\t(%rax), %mm0", 1, { L }, 4, "(%rax)" },
	{ "cvtpi2ps\t(%rax), %xmm0", 1, { L }, 8, "(%rax)" },
	{ "cvttpd2pi\t(%rax), %mm0", 1, { L }, 16, "(%rax)" },
	/* a shift: the number of bits, and the shifted vector */
	{ "vpsrlw\t(%rax), %zmm1, %zmm0", 1, { L }, 16, "(%rax)" },
	{ "vpsrlw\t$3, (%rax), %zmm0", 1, { L }, 64, "(%rax)" },
	{ "{vex} vpdpbusd\t(%rax), %ymm1, %ymm0", 1, { L }, 32, "(%rax)" },
	{ "vpdpbusd\t(%rax){1to4}, %xmm1, %xmm0", 1, { L }, 4, "(%rax)" },
	{ "fimull\t(%rax)", 1, { L }, 4, "(%rax)" },
	{ "fbstp\t(%rax)", 1, { S }, 10, "(%rax)" },
	{ "cmpbexadd\t%eax, %ecx, (%rax)", 1, { L | S }, 4, "(%rax)" },
	{ "movw\t%ds, (%rax)", 1, { S }, 2, "(%rax)" },
	/* a mnemonic that ends with sd is for scalars (vmaxsd) or for vectors of signed integers
	 * (vpmaxsd) */
	{ "vmaxsd\t(%rax), %xmm1, %xmm0", 1, { L }, 8, "(%rax)" },
	{ "vpmaxsd\t(%rax), %ymm1, %ymm0", 1, { L }, 32, "(%rax)" },
	{ "pabsd\t(%rax), %xmm0", 1, { L }, 16, "(%rax)" },
	/* no memory accesses, or accesses that get no check */
	{ "leaq\t(%rax,%rbx), %rdi", 0, { 0 }, 0, "" },
	{ "nopw\t0(%rax,%rax)", 0, { 0 }, 0, "" },
	{ "prefetcht0\t(%rax)", 0, { 0 }, 0, "" },
	{ "call\tmemset@PLT", 0, { 0 }, 0, "" },
	{ "call\t*%rax", 0, { 0 }, 0, "" },
	{ "jne\t.L3", 0, { 0 }, 0, "" },
	{ "pushq\t%rbx", 0, { 0 }, 0, "" },
	{ "tileloadd\t(%rax,%rbx,1), %tmm0", 0, { 0 }, 0, "" },
	{ "vgatherdpd\t%ymm1, (%rax,%xmm2,8), %ymm0", 0, { 0 }, 0, "" },
	{ "movq\tstdout@GOTPCREL(%rip), %rax", 0, { 0 }, 0, "" },
};

START_TEST(accesses_of_an_instruction)
{
	struct x86 x;

	x86_parse(accesses[_i].statement, &x);
	ck_assert_msg(x.naccesses == accesses[_i].n, "%s: %u", accesses[_i].statement, x.naccesses);
	for (unsigned i = 0; i < x.naccesses; i++) {
		ck_assert_msg(x.access[i].kind == accesses[_i].kind[i], "%s: kind %u",
			      accesses[_i].statement, x.access[i].kind);
		ck_assert_msg(x.access[i].bytes == accesses[_i].bytes, "%s: %u bytes",
			      accesses[_i].statement, x.access[i].bytes);
	}
	if (x.naccesses) {
		char *operand = strndup(x.access[0].operand.at, (size_t)x.access[0].operand.n);

		ck_assert_str_eq(operand, accesses[_i].operand);
		free(operand);
	}
}
END_TEST

static const struct {
	const char *statement;
	bool reads, sets, ends, leaves;
} flows[] = {
	{ "jne\t.L3", true, false, true, false },
	{ "jmp\t.L3", false, false, true, true },
	{ "jmp\t*%rax", false, false, true, true },
	{ "ret", false, true, true, true },
	{ "call\tf", false, true, true, false },
	{ "cmpq\t%rax, %rbx", false, true, false, false },
	{ "cmovne\t%rax, %rbx", true, false, false, false },
	{ "sete\t%al", true, false, false, false },
	{ "adcq\t$0, %rdx", true, false, false, false },
	{ "incl\t%eax", false, false, false, false }, /* keeps the carry */
	{ "shlq\t$2, %rax", false, true, false, false },
	{ "shlq\t%cl, %rax", false, false, false, false }, /* keeps all flags if it shifts by 0
							    * bits */
	{ "addsd\t%xmm0, %xmm1", false, false, false, false },
	{ "xorps\t%xmm0, %xmm1", false, false, false, false },
	{ "xorl\t%eax, %eax", false, true, false, false },
	{ "leaq\tx@tlsgd(%rip), %rdi", false, false, true, false },
	{ "rep movsb", false, false, true, false },
	{ "xbegin\t.L3", false, false, true, false },
};

START_TEST(flags_and_flow_of_an_instruction)
{
	struct x86 x;

	x86_parse(flows[_i].statement, &x);
	ck_assert_msg(x.reads_flags == flows[_i].reads && x.sets_flags == flows[_i].sets &&
			      x.ends_block == flows[_i].ends && x.leaves == flows[_i].leaves,
		      "%s: %d %d %d %d", flows[_i].statement, x.reads_flags, x.sets_flags,
		      x.ends_block, x.leaves);
}
END_TEST

/* Returns the text with checks; the caller frees it. */
static char *checked(const char *assembly)
{
	struct text t;
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	ck_assert_ptr_nonnull(f);
	ck_assert(text_read(&t, strdup(assembly), strlen(assembly)));
	ck_assert(instrument(&t, f));
	text_release(&t);
	fclose(f);
	return out;
}

static unsigned count(const char *text, const char *what)
{
	unsigned n = 0;

	for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
		n++;
	return n;
}

START_TEST(a_block_has_one_check)
{
	char *out =
		checked("\t.text\nf:\n\tmovl\t(%rdi), %eax\n.LVL1:\n\taddl\t%eax, 4(%rsp)\n\tret\n"
			"\t.size\tf, .-f\n\t.section\t.debug_loc\n\t.quad\t.LVL1\n");

	ck_assert_uint_eq(count(out, "subq\t$3, %fs:memdb_soft_far"), 1);
	ck_assert_uint_eq(count(out, "subq\t"), 1);
	ck_assert_uint_eq(count(out, "\tmovl\t(%rdi), %eax\n"), 2); /* and its copy */
	/* the addition sets all flags, so its report need not save them */
	ck_assert_uint_eq(count(out, "pushfq"), 0);
	ck_assert_uint_eq(count(out, "leaq\t152+4(%rsp), %rdi"), 1);
	ck_assert_uint_eq(count(out, "call\tmemdb_soft_at\n"), 2);
	free(out);
}
END_TEST

START_TEST(a_report_keeps_flags_that_are_needed)
{
	char *out = checked("\t.text\nf:\n\taddl\t$1, (%rdi)\n\tmovl\t4(%rsp), %eax\n\tjne\tg\n"
			    "\tret\n\t.size\tf, .-f\n");

	ck_assert_uint_eq(count(out, "subq\t$3, %fs:memdb_soft_far"), 1);
	ck_assert_uint_eq(count(out, "pushfq"), 1);
	ck_assert_uint_eq(count(out, "popfq"), 1);
	ck_assert_uint_eq(count(out, "leaq\t160+4(%rsp), %rdi"), 1);
	free(out);
}
END_TEST

START_TEST(a_used_label_begins_a_block)
{
	char *out = checked("\t.text\nf:\n\tmovl\t(%rdi), %eax\n.L2:\n\taddl\t(%rsi), %eax\n"
			    "\tcmpl\t$9, %eax\n\tjne\t.L2\n\tret\n\t.size\tf, .-f\n");

	ck_assert_uint_eq(count(out, "subq\t$1, %fs:memdb_soft_far"), 2);
	/* neighbouring blocks use different counters */
	ck_assert_uint_eq(count(out, "memdb_soft_far@tpoff+0"), 1);
	ck_assert_uint_eq(count(out, "memdb_soft_far@tpoff+8"), 1);
	free(out);
}
END_TEST

/* A copy of a block has the same call frame information as the block: in the middle of f, the frame
 * is found with %rbp, in the last block of f with %rsp. Where it is found with %rsp, each change of
 * %rsp by the added code is described. */
START_TEST(a_copy_can_be_unwound)
{
	char *out = checked("\t.text\nf:\n\t.cfi_startproc\n\tpushq\t%rbp\n"
			    "\t.cfi_def_cfa_offset 16\n\t.cfi_offset 6, -16\n\tmovq\t%rsp, %rbp\n"
			    "\t.cfi_def_cfa_register 6\n\tcmpl\t$1, %eax\n\tje\t.L2\n"
			    "\tmovl\t(%rdi), %eax\n\tpopq\t%rbp\n\t.cfi_remember_state\n"
			    "\t.cfi_def_cfa 7, 8\n\tret\n.L2:\n\t.cfi_restore_state\n"
			    "\tpopq\t%rbp\n\t.cfi_def_cfa 7, 8\n\tmovl\t(%rsi), %eax\n\tret\n"
			    "\t.cfi_endproc\n\t.size\tf, .-f\n");
	const char *first = strstr(out, ".Lmemdb_copy0:"), *second = strstr(out, ".Lmemdb_copy1:");
	const char *state = strstr(out, "\t.cfi_restore_state\n\t.cfi_remember_state\n"
					"\t.cfi_def_cfa_offset 16\n\t.cfi_offset 6, -16\n"
					"\t.cfi_def_cfa_register 6\n");

	ck_assert_ptr_nonnull(strstr(out, "\t.cfi_startproc\n\t.cfi_remember_state\n"));
	ck_assert(first && second && state && state < first && first < second);
	ck_assert(second < strstr(out, "\t.cfi_endproc"));
	/* in the first copy, the frame is found with %rsp only at the end of the block */
	ck_assert(strstr(first, ".cfi_adjust_cfa_offset 128") > strstr(first, ".cfi_def_cfa 7, 8"));
	ck_assert_ptr_nonnull(strstr(second, ".cfi_adjust_cfa_offset 128"));
	ck_assert_uint_eq(count(out, ".cfi_adjust_cfa_offset 8\n"),
			  count(out, ".cfi_adjust_cfa_offset -8\n"));
	free(out);
}
END_TEST

/* If a block can throw exceptions, the copy of the block has an entry of its own in the table of
 * exceptions. */
START_TEST(a_copy_has_a_landing_pad)
{
	char *out = checked("\t.text\nf:\n.LFB1:\n\t.cfi_startproc\n\tmovl\t(%rdi), %eax\n.LEHB7:\n"
			    "\tmovl\t(%rsi), %eax\n.LEHE7:\n.L3:\n\tret\n\t.cfi_endproc\n"
			    "\t.section\t.gcc_except_table\n.LLSDACSB1:\n"
			    "\t.uleb128 .LEHB7-.LFB1\n\t.uleb128 .LEHE7-.LEHB7\n"
			    "\t.uleb128 .L3-.LFB1\n\t.uleb128 0x1\n.LLSDACSE1:\n");

	ck_assert_uint_eq(count(out, ".uleb128"), 8);
	ck_assert_ptr_nonnull(strstr(out, "\t.uleb128 .Lmemdb_copy1-.LFB1\n"
					  "\t.uleb128 .Lmemdb_left1-.Lmemdb_copy1\n"
					  "\t.uleb128 .L3-.LFB1\n\t.uleb128 0x1\n.LLSDACSE1:\n"));
	free(out);
}
END_TEST

START_TEST(flags_that_are_needed_are_saved)
{
	/* at .L2, setg needs the flags of cmp after the access */
	char *out = checked("\t.text\nf:\n\tcmpl\t$9, %eax\n\tjne\t.L2\n\tret\n"
			    ".L2:\n\tmovl\t(%rsi), %ecx\n\tsetg\t%al\n\tret\n\t.size\tf, .-f\n");
	const char *check = strstr(out, "subq\t$1"), *save = strstr(out, "pushfq");

	ck_assert(check && save && save < check);
	free(out);
	/* the check moves before the comparison */
	out = checked("\t.text\nf:\n\tcmpl\t$9, %eax\n\tmovl\t(%rsi), %ecx\n\tsetg\t%al\n\tret\n");
	check = strstr(out, "subq\t$1");
	ck_assert(check && check < strstr(out, "cmpl\t"));
	free(out);
}
END_TEST

START_TEST(symbols_have_any_length)
{
	char name[3000], text[3 * sizeof(name)], want[sizeof(name) + 50];
	char *out;

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(text, sizeof(text),
		 "\t.text\nf:\n\tmovl\t%s+4(%%rip), %%eax\n\tret\n\t.size\tf, .-f\n", name);
	snprintf(want, sizeof(want), "\tleaq\t%s+4(%%rip), %%rdi\n", name);
	out = checked(text);
	ck_assert_uint_eq(count(out, want), 1);
	free(out);
	/* operands after a long name are parsed, too: an instruction with @tlsgd ends a block */
	snprintf(text, sizeof(text),
		 "\t.text\nf:\n\tmovl\t(%%rdi), %%eax\n\tleaq\t%s@tlsgd(%%rip), %%rdi\n"
		 "\tmovl\t(%%rdi), %%eax\n\tret\n\t.size\tf, .-f\n",
		 name);
	out = checked(text);
	ck_assert_uint_eq(count(out, "subq\t$1, "), 2);
	free(out);
}
END_TEST

/* A call or jump through memory gets a check even if the block before it is full. */
START_TEST(a_full_block_is_followed_by_another)
{
	static const char *const last[] = { "\tcall\t*8(%rax)\n", "\tjmp\t*.L4(,%rax,8)\n",
					    "\tmovl\t(%rsi), %eax\n",
					    ".LVL1:\n\tcall\t*8(%rax)\n" };

	for (size_t i = 0; i < COUNT_OF(last); i++) {
		char text[4096] = "\t.text\nf:\n";
		char *out;

		for (int n = 0; n < 64; n++)
			strcat(text, "\tmovl\t(%rdi), %eax\n");
		strcat(text, last[i]);
		strcat(text, "\tret\n\t.size\tf, .-f\n");
		out = checked(text);
		ck_assert_uint_eq(count(out, "subq\t$64, "), 1);
		ck_assert_uint_eq(count(out, "subq\t$1, "), 1);
		ck_assert_uint_eq(count(out, "call\tmemdb_soft_at\n"), 65);
		free(out);
	}
}
END_TEST

START_TEST(asm_statements_stay)
{
	char *out = checked(
		"\t.text\nf:\n#APP\n\tmovl\t(%rdi), %eax\n#NO_APP\n\tret\n\t.size\tf, .-f\n");

	ck_assert_ptr_null(strstr(out, "memdb_soft"));
	free(out);
}
END_TEST

START_TEST(only_the_text_of_compilers_changes)
{
	static const struct {
		const char *text;
		bool compiled;
	} texts[] = { { "f:\n\tret\n", false },
		      { "f:\n\tret\n\t.ident\t\"GCC: (x) 12\"\n", true },
		      { "f:\n\tret\n\t.ident\t\"clang version 14\"\n", true },
		      { "\t.intel_syntax noprefix\nf:\n\tret\n\t.ident\t\"GCC: (x) 12\"\n",
			false } };
	struct text t;

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		ck_assert(text_read(&t, strdup(texts[i].text), strlen(texts[i].text)));
		ck_assert_msg(t.compiled == texts[i].compiled, "%s", texts[i].text);
		text_release(&t);
	}
}
END_TEST

/* The compiler's calls for -fsanitize=thread are found, but not such a name in data. */
START_TEST(used_symbols_are_found)
{
	static const struct {
		const char *text;
		bool uses;
	} texts[] = { { "\t.text\nf:\n\tcall\t__tsan_write4\n", true },
		      { "\t.text\nf:\n\tcallq\t__tsan_write4@PLT\n", true },
		      { "\t.text\nf:\n\tcall\t*__tsan_write4@GOTPCREL(%rip)\n", true },
		      { "\t.text\nf:\n\tjmp\t__tsan_func_exit\n", true },
		      { "\t.text\nf:\n\tmovabsq\t$__tsan_write4, %rdx\n", true },
		      { "\t.section\t.rodata\n.LC0:\n\t.string\t\"__tsan_write4\"\n", false },
		      { "\t.section\t.rodata\n\t.ascii \"\tcall\t__tsan_write4\"\n", false },
		      { "\t.text\nf:\n\tmovl\tmy__tsan_write4(%rip), %eax\n", false },
		      { "\t.text\nf:\n\tcall\tmy__tsan_write4\n", false } };
	struct text t;

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		ck_assert(text_read(&t, strdup(texts[i].text), strlen(texts[i].text)));
		ck_assert_msg(text_uses(&t, "__tsan_") == texts[i].uses, "%s", texts[i].text);
		text_release(&t);
	}
}
END_TEST

START_TEST(any_text_is_survived)
{
	static const char text[] = "\t.text\nf:\n\tmovl\t(%rdi), %eax\n.L2:\n\trep stosq\n"
				   "\tjmp\t*.L4(,%rax,8)\n#APP\n\tx;;y\n#NO_APP\n\t.size\tf, .-f\n";

	for (size_t n = 0; n < sizeof(text); n++) {
		char *cut = strndup(text, n);

		free(checked(cut));
		free(cut);
	}
	free(checked(
		"\t((((,,,{{{\n\trep\n\tlock\n\t;\n\tmovl\n\tcall\n\t*\n\txchg\t,,,,,,,,,,(\n"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("as");
	TCase *tc = tcase_create("as");

	tcase_add_loop_test(tc, accesses_of_an_instruction, 0, COUNT_OF(accesses));
	tcase_add_loop_test(tc, flags_and_flow_of_an_instruction, 0, COUNT_OF(flows));
	tcase_add_test(tc, a_block_has_one_check);
	tcase_add_test(tc, a_used_label_begins_a_block);
	tcase_add_test(tc, a_report_keeps_flags_that_are_needed);
	tcase_add_test(tc, a_copy_can_be_unwound);
	tcase_add_test(tc, a_copy_has_a_landing_pad);
	tcase_add_test(tc, flags_that_are_needed_are_saved);
	tcase_add_test(tc, symbols_have_any_length);
	tcase_add_test(tc, a_full_block_is_followed_by_another);
	tcase_add_test(tc, asm_statements_stay);
	tcase_add_test(tc, only_the_text_of_compilers_changes);
	tcase_add_test(tc, used_symbols_are_found);
	tcase_add_test(tc, any_text_is_survived);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
