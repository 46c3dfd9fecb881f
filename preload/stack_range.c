/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stack_range.h"

#include "rawcall.h"

#include <errno.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <sys/resource.h>

/* The stack pointer with which the kernel started the process. glibc's loader stores it before any
 * other code runs. */
extern void *__libc_stack_end __attribute__((weak));

enum { PAGE = 4096, KERNEL_SIGSET = 8 };

/* The kernel keeps at least this distance between the end of the main thread's stack and other
 * mappings. So an address above (end - MAIN_STACK_SPAN) and below the end is in the main thread's
 * stack. */
#define MAIN_STACK_SPAN ((uint64_t)128 << 20)

/* Maximum number of pages that are checked when a thread's own stack is searched for the first
 * time. With 4 KiB pages, they are 8 MiB, the usual size of a stack. */
#define OWN_PAGES 2048

/* Maximum number of bytes from the readable part of the stack to the next frame. A frame farther
 * away is assumed to come from damaged data. */
#define MAX_REACH ((uint64_t)16 << 20)

/* Maximum number of pages that are checked between the known readable range and a new range above
 * it. If all of these pages are readable, the two ranges are joined. */
#define JOINED_PAGES 64

static uint64_t page_down(uint64_t address)
{
	return address & ~(uint64_t)(PAGE - 1);
}

static uint64_t page_up(uint64_t address)
{
	return page_down(address + PAGE - 1);
}

bool range_page_readable(uint64_t address)
{
	/* mincore() needs an address aligned to the kernel's page size, which is 64 KiB on some
	 * machines */
	uint64_t kernels = getauxval(AT_PAGESZ);
	unsigned char touched = 0;

	address = page_down(address);
	if (rawcall4(SYS_mincore, (long)(address & -(kernels ? kernels : PAGE)), PAGE,
		     (long)&touched, 0) ||
	    !(touched & 1))
		return false;
	/* The first argument is not a valid operation, so no signal mask changes. But the kernel
	 * copies the set before it checks the operation, which shows whether the page is
	 * readable. */
	return rawcall4(SYS_rt_sigprocmask, -1, (long)address, 0, KERNEL_SIGSET) == -EINVAL;
}

static bool pages_readable(uint64_t from, uint64_t to)
{
	while (from < to && range_page_readable(from))
		from += PAGE;
	return from >= to;
}

static uint64_t thread_pointer(void)
{
#if defined(__x86_64__)
	uint64_t p;

	/* older compilers have no builtin for the thread pointer */
	__asm__("mov %%fs:0, %0" : "=r"(p));
	return p;
#else
	return (uint64_t)(uintptr_t)__builtin_thread_pointer();
#endif
}

/* Returns an address above all frames of the main thread's stack: the address that glibc's loader
 * stores or, without glibc, the address of the random bytes that the kernel stores there. */
static uint64_t main_end(void)
{
	return &__libc_stack_end ? (uint64_t)(uintptr_t)__libc_stack_end : getauxval(AT_RANDOM);
}

/* Returns the limit on the size of the main thread's stack in bytes, at most MAIN_STACK_SPAN. */
static uint64_t main_span(void)
{
	uint64_t limit[2] = { MAIN_STACK_SPAN, 0 };

	rawcall4(SYS_prlimit64, 0, RLIMIT_STACK, 0, (long)limit);
	return limit[0] < MAIN_STACK_SPAN ? limit[0] : MAIN_STACK_SPAN;
}

bool range_is_entry(uint64_t sp)
{
	return &__libc_stack_end && sp == (uint64_t)(uintptr_t)__libc_stack_end;
}

/* Finds the main thread's stack if sp is in it; otherwise returns false. The stacks of other
 * threads have a thread descriptor (to which the thread pointer points) at their top; the main
 * thread's stack does not. So if the descriptor is between sp and the end, this is another thread's
 * stack. */
static bool find_main(struct stack_range *own, uint64_t sp)
{
	uint64_t end = main_end(), descriptor = thread_pointer();

	if (sp > end || end - sp >= MAIN_STACK_SPAN || (descriptor > sp && descriptor < end))
		return false;
	own->hi = page_up(end);
	own->lo = own->hi - main_span();
	return sp >= own->lo;
}

void range_find_own(struct stack_range *own, uint64_t sp)
{
	uint64_t end = page_down(thread_pointer());
	uint64_t at = page_down(sp);

	if (find_main(own, sp))
		return;
	own->lo = end;
	own->hi = end;
	if (sp <= end && (end - at) / PAGE <= OWN_PAGES && pages_readable(at, end))
		own->lo = at;
}

void range_start(struct stack_reach *r, const struct stack_range *own, uint64_t sp)
{
	r->floor = sp;
	r->known.lo = sp;
	r->known.hi = sp >= own->lo && sp < own->hi ? own->hi : page_down(sp);
}

/* If the known readable range now reaches the known part of the thread's own stack, merges the
 * two. */
static void join_own(struct stack_range *known, struct stack_range *own)
{
	if (known->hi != own->lo)
		return;
	own->lo = page_down(known->lo);
	known->hi = own->hi;
}

/* Must the range [from, to) stay separate from `known`? If it is below `known`: yes if there is a
 * gap between them. If it is above: yes if the gap has too many pages to check, or a page that is
 * not readable. */
static bool are_apart(const struct stack_range *known, uint64_t from, uint64_t to)
{
	if (from <= known->hi)
		return to < known->lo;
	return (from - known->hi) / PAGE > JOINED_PAGES || !pages_readable(known->hi, from);
}

/* Adds the readable pages [from, to) to `known`. If the two ranges are apart, the new one replaces
 * `known`. */
static void extend_range(struct stack_range *known, uint64_t from, uint64_t to)
{
	if (are_apart(known, from, to))
		*known = (struct stack_range){ from, to };
	if (from < known->lo)
		known->lo = from;
	if (to > known->hi)
		known->hi = to;
}

bool range_has_word(struct stack_reach *r, struct stack_range *own, uint64_t address)
{
	struct stack_range *known = &r->known;
	uint64_t end = address + 8, from, to;

	if (address < r->floor || end < address)
		return false;
	join_own(known, own);
	if (address >= known->lo && end <= known->hi)
		return true;
	if (end > known->hi && end - known->hi > MAX_REACH)
		return false;
	from = page_down(address);
	to = page_up(end);
	if (from >= own->lo && to <= own->hi) {
		*known = *own;
		return true;
	}
	/* if the word begins in the known range and ends after the range, only its last bytes must
	 * be checked */
	if (from < known->hi && address >= known->lo)
		from = known->hi;
	if (!pages_readable(from, to))
		return false;
	extend_range(known, from, to);
	join_own(known, own);
	return true;
}
