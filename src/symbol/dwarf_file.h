/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gets the DWARF of a file from a child process. libdw may crash, loop forever or exhaust memory on
 * damaged or hostile bytes. Such a file loses its lines, which is reported, and nothing else is
 * lost.
 *
 * One child serves all files. It starts with the first question and ends when the last file is
 * closed. If the child dies, the file that it was reading is given up, and the other files use a
 * new child. Only one thread may use these functions. A process that was forked meanwhile starts a
 * child of its own.
 */
#ifndef MEMDB_SYMBOL_DWARF_FILE_H
#define MEMDB_SYMBOL_DWARF_FILE_H

#include "symbol/image.h"
#include "symbol/type.h"

struct dwarf;

/*
 * Creates a reader for the file at path with this image. Borrows path and im. Asks nothing yet.
 * Returns NULL when out of memory.
 */
struct dwarf *dwarf_open(const char *path, const struct image *im);
void dwarf_close(struct dwarf *d); /* NULL is fine */

/* Does the file have DWARF units? The first call asks the child: 0.1 µs per unit, plus the
 * child's start. */
bool dwarf_found(struct dwarf *d);

/*
 * Does what sym_lines_at() does, but for a vaddr. A vaddr known from an earlier call or from
 * dwarf_prepare() takes about 0.1 µs. Any other takes a round trip to the child, about 10 µs.
 */
unsigned dwarf_lines(struct dwarf *d, uint64_t vaddr, struct sym_line *out, unsigned max);

/*
 * Announces n vaddrs that will be looked up, so that the child works ahead. Waits for the child
 * only if its request window is full or the file is not open yet.
 */
void dwarf_prepare(struct dwarf *d, const uint64_t *vaddrs, size_t n);

/*
 * Calls fn for each static variable with an address. The strings live as long as d. Stops at fn's
 * first non-zero result and returns it. If the file was given up midway, calls fn only for the
 * variables read before.
 */
int dwarf_variables(struct dwarf *d, int (*fn)(const struct sym_variable *v, void *arg), void *arg);

/*
 * Does what sym_locals() does, but for a vaddr. Asks the child at each call. The result is valid
 * until the next call. Strings live as long as d.
 */
const struct sym_local *dwarf_locals(struct dwarf *d, uint64_t vaddr, uint32_t *n);

/*
 * Does what sym_type() does. Asks the child at each call. *out's members are valid until the next
 * call. Strings live as long as d. Returns false if the type is unknown.
 */
bool dwarf_type(struct dwarf *d, const struct sym_type_query *q, struct sym_type *out);

/* Returns a sentence about what could not be read, or NULL. d owns it. */
const char *dwarf_problem(const struct dwarf *d);

/* The limits for reading a file. They take effect when the child starts. */
struct dwarf_limits {
	uint64_t memory; /* bytes for all files together; 0 means half of the machine's memory */
	unsigned cpu_seconds;  /* CPU seconds for each file in all */
	unsigned wait_seconds; /* seconds to wait for an answer from a child that uses no CPU
				* time */
};
extern struct dwarf_limits dwarf_limits;

#endif
