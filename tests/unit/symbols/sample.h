/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program that prints which functions and variables are at its own addresses. The tests
 * compare these lines with the symbolizer's answers:
 *
 * point OFFSET VADDR FUNCTION:LINE [FUNCTION:LINE]…    innermost frame first
 * var VADDR SIZE LINE tls|static NAME
 */
#ifndef MEMDB_TESTS_SAMPLE_H
#define MEMDB_TESTS_SAMPLE_H

#include <link.h>
#include <stdint.h>
#include <stdio.h>

#define TEXT2(x) #x
#define TEXT(x)  TEXT2(x)
#define HERE(f)  f ":" TEXT(__LINE__)

static uint64_t sample_bias;

/* A callback of dl_iterate_phdr(). The first object is the program, so it returns 1, which ends the
 * iteration. */
static int sample_find(struct dl_phdr_info *info, size_t size, void *address)
{
	uint64_t vaddr = (uint64_t)(uintptr_t)address - info->dlpi_addr;

	(void)size;
	sample_bias = info->dlpi_addr;
	for (int i = 0; address && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && vaddr >= p->p_vaddr && vaddr - p->p_vaddr < p->p_memsz)
			printf("point %llx %llx",
			       (unsigned long long)(vaddr - p->p_vaddr + p->p_offset),
			       (unsigned long long)vaddr);
	}
	return 1;
}

/* Prints a line "point" for the call of mark(). The call is in the function `own`, which is inlined
 * into `outer`, which is inlined into `outermost`. */
static __attribute__((noinline)) void mark(const char *own, const char *outer,
					   const char *outermost)
{
	char *call = (char *)__builtin_return_address(0) - 1;

	dl_iterate_phdr(sample_find, call);
	printf(" %s %s %s\n", own, outer, outermost);
}

/* Must not be the last statement of a function: the compiler would replace the call with a jump,
 * which leaves no return address in the function. */
#define MARK(own, outer, outermost)                \
	do {                                       \
		mark(own, outer, outermost);       \
		__asm__ volatile("" ::: "memory"); \
	} while (0)

static void show_variable(const void *p, size_t size, int line, const char *name)
{
	dl_iterate_phdr(sample_find, NULL);
	printf("var %llx %zu %d static %s\n",
	       (unsigned long long)((uint64_t)(uintptr_t)p - sample_bias), size, line, name);
}

#endif
