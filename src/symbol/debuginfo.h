/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface to libdw. libdw may crash, loop or exhaust the memory on hostile bytes, so only a
 * child process uses it (dwarf_server.h). When out of memory, these functions end the process with
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
 * Opens the DWARF of the ELF file fd, and closes fd in any case. Returns NULL if the file has no
 * readable DWARF. Writes a text about the parts that could not be read to damage[0..size); the text
 * is empty if there are no such parts.
 */
struct debuginfo *debuginfo_open(int fd, char *damage, size_t size);

/* Writes a text about the parts that could not be read since the last call to damage[0..size); the
 * text is empty if there are no such parts. */
void debuginfo_damage(struct debuginfo *d, char *damage, size_t size);
void debuginfo_close(struct debuginfo *d); /* d may be NULL */

/*
 * Like sym_lines_at(), but for an address instead of a file offset. The strings live as long as d.
 * The first lookup in a compilation unit reads the unit, which takes about 0.1 µs per entry; each
 * later one takes about 1 µs.
 */
unsigned debuginfo_lines(struct debuginfo *d, uint64_t vaddr, struct sym_line *out, unsigned max);

/*
 * Calls fn for each static variable that has an address; its size may be unknown. Its strings live
 * as long as d. Stops at the first non-zero result of fn and returns it. Reads all units, which
 * takes 0.1 µs per entry.
 */
int debuginfo_variables(struct debuginfo *d, int (*fn)(const struct sym_variable *v, void *arg),
			void *arg);

/*
 * Calls fn for each place (struct sym_local) of a local variable or parameter of the function that
 * contains vaddr, and of the functions inlined into it. The strings live as long as d. Stops at the
 * first non-zero result of fn and returns it.
 */
int debuginfo_locals(struct debuginfo *d, uint64_t vaddr,
		     int (*fn)(const struct sym_local *v, void *arg), void *arg);

/*
 * Answers a query of sym_type(). Returns false if the type is unknown. Strings and members live as
 * long as d.
 */
bool debuginfo_type(struct debuginfo *d, const struct sym_type_query *q, struct sym_type *out);

#endif
