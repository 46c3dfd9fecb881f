/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tls.h"

#include <link.h>

#include "clock.h"
#include "owners.h"
#include "real.h"

/* Maximum number of modules that are recorded; this many fit in one event. A module is a library or
 * the executable. Only few have thread-local variables. */
enum { MODULES = TRACK_EXTRA_WORDS * 8 / sizeof(struct track_tls) };

struct modules {
	uint32_t n;
	struct track_tls at[MODULES];
};

static int add_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	const ElfW(Phdr) *tls = NULL, *first = NULL;
	struct modules *m = arg;

	if (m->n == MODULES ||
	    size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof(info->dlpi_tls_data) ||
	    !info->dlpi_tls_data)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_TLS)
			tls = p;
		else if (p->p_type == PT_LOAD && !first)
			first = p;
	}
	if (tls && first)
		m->at[m->n++] = (struct track_tls){
			.code = info->dlpi_addr + first->p_vaddr,
			.block = (uint64_t)(uintptr_t)info->dlpi_tls_data,
			.bytes = tls->p_memsz,
			.align = tls->p_align,
		};
	return 0;
}

/* Returns the number of bytes between the thread pointer and the end of glibc's thread descriptor,
 * which is also the end of the thread's stack; 0 means unknown. On AArch64 the result is always 0,
 * because the descriptor is before the thread pointer. */
static uint64_t descriptor_bytes(void)
{
#if defined(__x86_64__)
	const uint32_t *bytes = real_find("_thread_db_sizeof_pthread");

	return bytes ? *bytes : 0;
#else
	return 0;
#endif
}

void tls_record(struct thread *t)
{
	/* static, because the stack may be small; only one thread calls this function */
	static struct modules m;
	struct track_event ev = { .stack = STACK_TRUNCATED };

	if (!t)
		return;
	/* m.n is written before it is read: if the first access to a new page is a read, the later
	 * write causes a second page fault. */
	m.n = 0;
	dl_iterate_phdr(add_module, &m);
	ev.ticks = clock_ticks();
	ev.address = t->pointer;
	ev.size = descriptor_bytes();
	ev.extra = m.n * (uint32_t)(sizeof(m.at[0]) / 8);
	log_event(t, &ev, TL_THREAD, TL_FN_THREAD_START, m.at, 8);
	owners_report(0, UINT64_MAX); /* thread-local variables are known from now on */
}
