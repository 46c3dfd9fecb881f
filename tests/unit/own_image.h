/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the mapping of the test program's own code. Tests that record themselves need it. */
#ifndef MEMDB_TEST_OWN_IMAGE_H
#define MEMDB_TEST_OWN_IMAGE_H

#include <link.h>

#include "model/process.h"

static int own_code(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct mapping *m = arg;

	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];

		if (h->p_type != PT_LOAD || !(h->p_flags & PF_X))
			continue;
		m->start = (info->dlpi_addr + h->p_vaddr) & ~(uint64_t)4095;
		m->end = (info->dlpi_addr + h->p_vaddr + h->p_memsz + 4095) & ~(uint64_t)4095;
		m->pgoff = h->p_offset & ~(uint64_t)4095;
	}
	return 1; /* Stops the iteration: the first object is the program itself. */
}

/* Returns the code mapping of the test program. The caller sets its file. */
static inline struct mapping own_image(void)
{
	struct mapping m = { .executable = true };

	dl_iterate_phdr(own_code, &m);
	return m;
}

#endif
