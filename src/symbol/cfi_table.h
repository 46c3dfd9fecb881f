/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the entries of one section with unwind rules: .eh_frame (LSB 5.0, 10.6) or .debug_frame
 * (DWARF 5, 6.4.1) of a 64-bit file in this machine's byte order. Internal to this folder.
 */
#ifndef MEMDB_SYMBOL_CFI_TABLE_H
#define MEMDB_SYMBOL_CFI_TABLE_H

#include "symbol/section.h"

/* The part that the entries of several functions share (a CIE). */
struct cfi_common {
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra;      /* number of the register with the return address */
	uint8_t encoding; /* how addresses in the entries are encoded: DW_EH_PE_* */
	uint8_t landing;  /* the same for cfi_entry.landing; DW_EH_PE_omit: the entries have none */
	/* each FDE has augmentation data, preceded by their length, before its instructions */
	bool sized;
	bool signal;
	struct cursor program;
};

/* A function's entry (an FDE). */
struct cfi_entry {
	struct cfi_common common;
	uint64_t lo, hi; /* it covers the addresses [lo, hi) */
	/* address of the table of landing pads, which exceptions need; 0: none, UINT64_MAX: it
	 * cannot be read */
	uint64_t landing;
	struct cursor program;
};

/* `lo` is the address at which the code of an FDE begins. `at` is the offset of the FDE in its
 * section. */
struct cfi_span {
	uint64_t lo;
	uint32_t at;
};

/* The FDEs of one section. { 0 } is an empty table. */
struct cfi_table {
	struct section_bytes bytes;
	const uint8_t *start;
	size_t len;
	uint64_t vaddr; /* address of the first byte */
	bool eh;        /* the section is .eh_frame; otherwise .debug_frame */
	struct {
		struct cfi_span *at; /* sorted by lo */
		uint32_t n, cap;
	} spans;
};

/*
 * Reads the heads of all entries; each takes 20 ns. Leaves out damaged entries, and stops at an
 * entry whose length is damaged. When out of memory, keeps the entries that were read. The image is
 * borrowed. The table is empty if there is no such section.
 */
void cfi_table_open(struct cfi_table *t, const struct image *im, bool eh);
void cfi_table_close(struct cfi_table *t);

/* Gets the entry that covers vaddr. Returns false if there is no such entry. */
bool cfi_table_find(const struct cfi_table *t, uint64_t vaddr, struct cfi_entry *out);

/*
 * Reads a pointer in an encoding DW_EH_PE_*: absolute, or relative to its own address. Other
 * encodings set c->failed.
 */
uint64_t cfi_pointer(const struct cfi_table *t, struct cursor *c, uint8_t encoding);

#endif
