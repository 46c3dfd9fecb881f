/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface to libdw. Only a child process (dwarf_server.h) uses it, because libdw may crash,
 * loop or exhaust memory on hostile bytes. If memory runs out, these functions end the process with
 * CHILD_NO_MEMORY.
 */
#ifndef MEMDB_SYMBOL_DEBUGINFO_H
#define MEMDB_SYMBOL_DEBUGINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/type.h"

struct debuginfo;

/*
 * Opens the DWARF of the ELF file fd. Always closes fd. Returns NULL if the file has no readable
 * DWARF. Writes a sentence about what it could not read, or "", to damage[0..size).
 */
struct debuginfo *debuginfo_open(int fd, char *damage, size_t size);

/* Writes a sentence about what could not be read since the last call, or "", to damage[0..size). */
void debuginfo_damage(struct debuginfo *d, char *damage, size_t size);
void debuginfo_close(struct debuginfo *d); /* NULL is fine */

/*
 * Does what sym_lines_at() does, but for a vaddr. The strings live as long as d. The first lookup
 * in a compilation unit reads the unit (about 0.1 µs per entry). Each later one costs about 1 µs.
 */
unsigned debuginfo_lines(struct debuginfo *d, uint64_t vaddr, struct sym_line *out, unsigned max);

/*
 * Calls fn for each static variable with an address and a size. The variables' strings live as long
 * as d. Stops at fn's first non-zero result and returns it. Reads all units: 0.1 µs per entry.
 */
int debuginfo_variables(struct debuginfo *d, int (*fn)(const struct sym_variable *v, void *arg),
			void *arg);

/*
 * Calls fn for each place in memory of the local variables and parameters of the function that
 * covers vaddr, and of the functions inlined into it. The strings live as long as d. Stops at fn's
 * first non-zero result and returns it.
 */
int debuginfo_locals(struct debuginfo *d, uint64_t vaddr,
		     int (*fn)(const struct sym_local *v, void *arg), void *arg);

/*
 * Answers a query as sym_type() does. Returns false if the type is unknown. Strings and members
 * live as long as d.
 */
bool debuginfo_type(struct debuginfo *d, const struct sym_type_query *q, struct sym_type *out);

#endif
