/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode_workload.h"

#if defined(__x86_64__)

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 2000 };

static double streamed[ELEMENTS], gathered[ELEMENTS], sums[ELEMENTS];
static long indices[ELEMENTS];
static char text[4096], copy[4096];
static volatile long sink;

static void gather(void)
{
	for (long i = 0; i < ELEMENTS; i++)
		indices[i] = (i * 1103515245 + 12345) % ELEMENTS;
	for (long i = 0; i < ELEMENTS; i++)
		sums[i] += gathered[indices[i]] * 2 + streamed[i];
}

static void strings(void)
{
	memset(text, 'x', sizeof(text) - 1);
	for (size_t n = 1; n < sizeof(text); n += n / 3 + 1) {
		text[n] = 0;
		sink += (long)strlen(text);
		memcpy(copy, text, n + 1);
		memmove(copy + 1, copy, n / 2);
		sink += strcmp(copy, text) + memcmp(copy, text, n);
		sink += strchr(text, 'y') != NULL;
		sink += memchr(text, 'z', n) != NULL;
		memset(copy, 0, n);
		text[n] = 'x';
	}
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Calls libc functions. Each first call also runs code of the dynamic linker, which binds the
 * function. */
static void library(void)
{
	char line[256];
	void *blocks[32];

	for (int i = 0; i < 32; i++) {
		blocks[i] = malloc((size_t)i * 97 + 1);
		gathered[i] = (i * 7919) % 32;
	}
	qsort(gathered, 32, sizeof(gathered[0]), compare);
	snprintf(line, sizeof(line), "%d %s %.17g %Lg %lx", 42, "text", 0.1, 1.5L, -1L);
	sink += (long)strtod("3.14159265358979", NULL);
	sink += strtol("0x7fffffff", NULL, 0);
	for (int i = 0; i < 32; i++)
		free(blocks[i]);
}

static uint8_t area[512] __attribute__((aligned(64)));

/* Executes instructions whose operands are hard to predict: push, for example, changes the stack
 * pointer, from which the address of its operand is computed. */
static void stack_words(void)
{
	__asm__ volatile("push %%rbx\n\t"
			 "push (%%rsp)\n\t"
			 "push 8(%%rsp)\n\t"
			 "pushfq\n\t"
			 "popfq\n\t"
			 "popq (%0)\n\t"
			 "pop %%rcx\n\t"
			 "pushw $3\n\t"
			 "popw %%cx\n\t"
			 "push %%rbp\n\t"
			 "mov %%rsp,%%rbp\n\t"
			 "sub $32,%%rsp\n\t"
			 "movq $1,8(%%rsp)\n\t"
			 "leave\n\t"
			 "enter $16,$0\n\t"
			 "leave\n\t"
			 "pop %%rbx\n\t"
			 :
			 : "r"(area + 64)
			 : "rcx", "memory", "cc");
}

static void atomics_and_bits(void)
{
	__asm__ volatile("mov %0,%%rdi\n\t"
			 "lock incq (%%rdi)\n\t"
			 "mov $3,%%eax\n\t"
			 "lock xadd %%rax,8(%%rdi)\n\t"
			 "xchg %%rax,16(%%rdi)\n\t"
			 "lock cmpxchg %%rcx,24(%%rdi)\n\t"
			 "xor %%edx,%%edx\n\t"
			 "lock cmpxchg16b 32(%%rdi)\n\t"
			 "mov $100,%%eax\n\t"
			 "bts %%rax,(%%rdi)\n\t"
			 "btsl $3,4(%%rdi)\n\t"
			 "mov %%rdi,%%rbx\n\t"
			 "xlatb\n\t"
			 "movl $7,48(%%rdi)\n\t"
			 "xor %%edx,%%edx\n\t"
			 "mov $99,%%eax\n\t"
			 "divl 48(%%rdi)\n\t"
			 "mull 48(%%rdi)\n\t"
			 "imull 48(%%rdi)\n\t"
			 "imul $3,48(%%rdi),%%rcx\n\t"
			 "cmovne 48(%%rdi),%%rcx\n\t"
			 "sete 52(%%rdi)\n\t"
			 "cpuid\n\t"
			 "rdtsc\n\t"
			 :
			 : "r"(area + 64)
			 : "rax", "rbx", "rcx", "rdx", "rdi", "memory", "cc");
}

static void string_instructions(void)
{
	__asm__ volatile("mov %0,%%rsi\n\t"
			 "lea 128(%%rsi),%%rdi\n\t"
			 "movsb\n\t"
			 "movsq\n\t"
			 "lodsl\n\t"
			 "stosw\n\t"
			 "cmpsb\n\t"
			 "scasb\n\t"
			 "mov $5,%%ecx\n\t"
			 "rep movsb\n\t"
			 "mov $3,%%ecx\n\t"
			 "rep stosq\n\t"
			 "mov $2,%%ecx\n\t"
			 "repne scasb\n\t"
			 "xor %%ecx,%%ecx\n\t"
			 "rep movsq\n\t"
			 "fldt (%0)\n\t"
			 "fstpt 16(%0)\n\t"
			 "fnstcw 32(%0)\n\t"
			 "fldcw 32(%0)\n\t"
			 "stmxcsr 36(%0)\n\t"
			 "ldmxcsr 36(%0)\n\t"
			 "fxsave 64(%0)\n\t"
			 :
			 : "r"(area)
			 : "rax", "rcx", "rsi", "rdi", "memory", "cc", "st");
}

static void vectors(void)
{
	__asm__ volatile("movups (%0),%%xmm0\n\t"
			 "movhps %%xmm0,32(%0)\n\t"
			 "movnti %%rax,40(%0)\n\t"
			 "movsd 8(%0),%%xmm1\n\t"
			 "addss 4(%0),%%xmm1\n\t"
			 "ucomisd 8(%0),%%xmm1\n\t"
			 "pcmpistri $0,16(%0),%%xmm1\n\t"
			 "prefetcht0 (%0)\n\t"
			 "clflush (%0)\n\t"
			 "movd %%xmm0,%%ecx\n\t"
			 "pmovmskb %%xmm0,%%edx\n\t"
			 "cvttsd2si 8(%0),%%rax\n\t"
			 :
			 : "r"(area)
			 : "rax", "rcx", "rdx", "memory", "cc", "xmm0", "xmm1");
}

static void avx2_and_bmi2(void)
{
	__asm__ volatile("vmovups (%0),%%ymm0\n\t"
			 "vextracti128 $1,%%ymm0,96(%0)\n\t"
			 "vbroadcastss 4(%0),%%ymm1\n\t"
			 "vpxor %%ymm2,%%ymm2,%%ymm2\n\t"
			 "vpcmpeqd %%ymm3,%%ymm3,%%ymm3\n\t"
			 "vmaskmovps 64(%0),%%ymm3,%%ymm1\n\t"
			 "vpgatherdd %%ymm3,(%0,%%ymm2,4),%%ymm1\n\t"
			 "vmovntdq %%ymm0,128(%0)\n\t"
			 "mulx 8(%0),%%rax,%%rcx\n\t"
			 "shlx %%rax,16(%0),%%rdx\n\t"
			 "andn 24(%0),%%rax,%%rdx\n\t"
			 "vzeroupper\n\t"
			 :
			 : "r"(area)
			 : "rax", "rcx", "rdx", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3");
}

static void avx512(void)
{
	__asm__ volatile("vmovdqu64 (%0),%%zmm0\n\t"
			 "vmovdqu64 64(%0),%%zmm1\n\t"
			 "vmovdqu32 256(%0),%%ymm17\n\t"
			 "vpaddd 4(%0)%{1to16%},%%zmm1,%%zmm2\n\t"
			 "vpcmpeqb 64(%0),%%zmm0,%%k1\n\t"
			 "kmovq %%k1,%%rcx\n\t"
			 "vmovdqu64 %%zmm1,128(%0)\n\t"
			 "kmovq %%k1,136(%0)\n\t"
			 "vpmovqd %%zmm0,192(%0)\n\t"
			 "vzeroupper\n\t"
			 :
			 : "r"(area)
			 : "rcx", "memory", "xmm0", "xmm1", "xmm2");
}

static void special(void)
{
	for (int round = 0; round < 20; round++) {
		stack_words();
		atomics_and_bits();
		string_instructions();
		vectors();
		if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
			avx2_and_bmi2();
		if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
			avx512();
	}
}

const struct workload_part workload_parts[WORKLOAD_PARTS] = {
	{ "gather", gather, 10000 },
	{ "strings", strings, 2000 },
	{ "library", library, 10000 },
	{ "special", special, 1500 },
};

#endif
