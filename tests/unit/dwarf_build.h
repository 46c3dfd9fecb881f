/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds ELF files whose sections have arbitrary bytes, even bytes that no compiler writes. */
#ifndef MEMDB_TESTS_DWARF_BUILD_H
#define MEMDB_TESTS_DWARF_BUILD_H

#include <stddef.h>
#include <stdint.h>

struct dwarf_build_section {
	const char *name;
	uint64_t flags; /* ELF section flags: SHF_* */
	const void *bytes;
	size_t len;
};

/* Writes an x86-64 ELF file with one page of code (file offset 0, address 0x1000) and the
 * sections s[0..n). */
void dwarf_build(const char *path, const struct dwarf_build_section *s, size_t n);

#endif
