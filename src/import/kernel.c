/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out what the kernel did for a thread in a sample: it handled a page fault, made the thread
 * wait at a lock or woke another thread, did perf's work, or did other work.
 *
 * The names of the kernel functions in the call path decide, and whether the user function that
 * entered the kernel is one that waits at locks. Without kernel symbols, all kernel functions count
 * as other work. Call paths repeat, so the result is cached for each call path.
 */
#include "import/kernel.h"

#include <string.h>

#include "base/count.h"
#include "import/pipeline.h"

/* Does this kernel function do perf's work: does it write a record, or switch perf's events when
 * the kernel switches threads? A call of perf_event_open() by the program itself does not count. */
static bool is_recorder(const char *function)
{
	function += strspn(function, "_");
	return !strncmp(function, "perf_", 5) && strncmp(function, "perf_event_open", 15) != 0 &&
	       strncmp(function, "perf_ioctl", 10) != 0 && strncmp(function, "perf_read", 9) != 0 &&
	       strncmp(function, "perf_mmap", 9) != 0;
}

/* Is this the kernel's entry point for a page fault that the thread caused? */
static bool is_fault_entry(const char *function)
{
	static const char *const names[] = { "asm_exc_page_fault",  "exc_page_fault",
					     "do_user_addr_fault",  "do_page_fault",
					     "__do_page_fault",     "page_fault",
					     "async_page_fault",    "do_mem_abort",
					     "do_translation_fault" };

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!strcmp(function, names[i]))
			return true;
	return false;
}

/* Is this a function of the futex system call? With it, threads sleep at a lock and wake each
 * other. Names of system calls begin with a prefix that depends on the architecture. */
static bool is_futex(const char *function)
{
	function += strspn(function, "_");
	return !strncmp(function, "futex", 5) || !strncmp(function, "do_futex", 8) ||
	       !strncmp(function, "x64_sys_futex", 13) || !strncmp(function, "arm64_sys_futex", 15);
}

static enum kernel_work work_of(struct import *im, uint32_t location)
{
	const char *name =
		code_symbol_name(&im->model.code, AT_ID(im->model.code.locations, location).symbol);

	return !name                  ? KERNEL_WORK
	       : is_recorder(name)    ? KERNEL_RECORDER
	       : is_fault_entry(name) ? KERNEL_FAULT
	       : is_futex(name)       ? KERNEL_LOCK
				      : KERNEL_WORK;
}

/* Goes from the innermost function outwards to the first one that shows the kind of work. So if
 * perf writes a record while the kernel handles a fault, the time counts as perf's. Of the user
 * functions, only the one that entered the kernel counts. */
static enum kernel_work find_work(struct import *im, uint32_t path)
{
	enum kernel_work work = KERNEL_WORK;

	while (path && work == KERNEL_WORK) {
		const struct call_path *p = &AT_ID(im->model.code.call_paths, path);

		if (p->kind == CALL_USER && p->location && work_is_lock(im, p->location))
			return KERNEL_LOCK;
		if (p->kind != CALL_KERNEL || !p->location)
			break;
		work = work_of(im, p->location);
		path = p->parent;
	}
	return work;
}

enum kernel_work kernel_work(struct import *im, uint32_t path, uint32_t location)
{
	struct kernel_works *w = &im->model.kernel_works;

	if (!path)
		return location ? work_of(im, location) : KERNEL_WORK;
	if (!VEC_REACH(w, path)) {
		im->nomem = true;
		return KERNEL_WORK;
	}
	if (AT_ID(*w, path) == KERNEL_UNKNOWN)
		AT_ID(*w, path) = (uint8_t)find_work(im, path);
	return (enum kernel_work)AT_ID(*w, path);
}
