/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stack_range.h"

#include "rawcall.h"

#include <errno.h>
#include <stddef.h>

/* The main thread's stack as the kernel handed it over. Set by the loader before any code runs. */
extern void *__libc_stack_end __attribute__((weak));

enum { PAGE = 4096, KERNEL_SIGSET = 8 };

/* Mappings keep at least this far from the main thread's stack, so what is nearer is that stack. */
#define MAIN_STACK_SPAN ((uint64_t)128 << 20)

/* Asked at most once per thread: 2048 pages are the usual 8 MiB of a thread. */
#define OWN_PAGES 2048

/* The largest frame that is believed beyond the known range: bounds the pages asked for. */
#define MAX_REACH ((uint64_t)16 << 20)

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
	/* No signal mask is changed: the first argument is no valid operation. The kernel copies
	 * the set before it looks. */
	long ret = rawcall4(SYS_rt_sigprocmask, -1, (long)page_down(address), 0, KERNEL_SIGSET);

	return ret == -EINVAL;
}

static uint64_t thread_pointer(void)
{
#if defined(__x86_64__)
	uint64_t p;

	__asm__("mov %%fs:0, %0" : "=r"(p)); /* older compilers have no builtin for it */
	return p;
#else
	return (uint64_t)(uintptr_t)__builtin_thread_pointer();
#endif
}

/*
 * An address that ends the own stack: for the main thread what the loader noted, for the others the
 * thread descriptor, which the C library keeps at the top of the stack.
 */
static uint64_t own_end(uint64_t sp)
{
	if (&__libc_stack_end) {
		uint64_t end = (uint64_t)(uintptr_t)__libc_stack_end;

		if (sp <= end && end - sp < MAIN_STACK_SPAN)
			return page_up(end);
	}
	return page_down(thread_pointer());
}

bool range_is_entry(uint64_t sp)
{
	return &__libc_stack_end && sp == (uint64_t)(uintptr_t)__libc_stack_end;
}

void range_find_own(struct stack_range *own, uint64_t sp)
{
	uint64_t end = own_end(sp);
	uint64_t at = page_down(sp);

	own->lo = end;
	own->hi = end;
	if (sp > end || (end - at) / PAGE > OWN_PAGES)
		return;
	while (at < end && range_page_readable(at))
		at += PAGE;
	if (at == end)
		own->lo = page_down(sp);
}

void range_start(struct stack_range *r, const struct stack_range *own, uint64_t sp)
{
	r->lo = sp;
	r->hi = sp >= own->lo && sp < own->hi ? own->hi : page_down(sp);
}

/* Grown up to the own stack: all of it is one readable range from now on. */
static void join_own(struct stack_range *r, struct stack_range *own)
{
	if (r->hi != own->lo)
		return;
	own->lo = page_down(r->lo);
	r->hi = own->hi;
}

bool range_has_word(struct stack_range *r, struct stack_range *own, uint64_t address)
{
	uint64_t end = address + 8;

	if (address < r->lo || end < address)
		return false;
	if (end > r->hi && end - r->hi > MAX_REACH)
		return false;
	join_own(r, own);
	while (r->hi < end) {
		if (!range_page_readable(r->hi))
			return false;
		r->hi += PAGE;
		join_own(r, own);
	}
	return true;
}
