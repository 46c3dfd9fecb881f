/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gets the DWARF of a file from a child process, because libdw may crash, loop forever or exhaust
 * the memory on damaged or hostile bytes. Then only the debug information of that file is lost,
 * which is reported.
 *
 * One child serves all files. It starts with the first request and ends when the last file is
 * closed. If the child dies, memdb gives up the file that the child was reading and starts a new
 * child for the others. But if the file may not be the cause of the death, memdb gives it up only
 * at the second death. Only one thread may use these functions. After a fork, each process has a
 * child of its own.
 */
#ifndef MEMDB_SYMBOL_DWARF_FILE_H
#define MEMDB_SYMBOL_DWARF_FILE_H

#include "symbol/elf_image.h"
#include "symbol/type.h"

struct dwarf;

/*
 * Creates a reader for the file at `path`, which has this image; both are borrowed. Sends nothing
 * to the child yet. Returns NULL when out of memory.
 */
struct dwarf *dwarf_open(const char *path, const struct image *im);
void dwarf_close(struct dwarf *d); /* d may be NULL */

/* Does the file have DWARF units? The first call queries the child: it takes 0.1 µs per unit, plus
 * the time to start the child if it is the first request. */
bool dwarf_found(struct dwarf *d);

/*
 * Like sym_lines_at(), but for an address instead of a file offset. An address from an earlier call
 * or from dwarf_prepare() takes about 0.1 µs. Any other address needs an answer of the child, which
 * takes about 10 µs.
 */
unsigned dwarf_lines(struct dwarf *d, uint64_t vaddr, struct sym_line *out, unsigned max);

/*
 * Sends n addresses to the child, so that it has the answers when dwarf_lines() needs them. If too
 * many requests are unanswered, the rest of the addresses is sent later. Waits for the child only
 * if the file is not open yet.
 */
void dwarf_prepare(struct dwarf *d, const uint64_t *vaddrs, size_t n);

/*
 * Calls fn for each static variable with an address. The strings live as long as d. Stops at the
 * first non-zero result of fn and returns it. If memdb gave up the file midway, calls fn for the
 * variables that were read before.
 */
int dwarf_variables(struct dwarf *d, int (*fn)(const struct sym_variable *v, void *arg), void *arg);

/*
 * Returns the records of sym_locals() and of sym_pointers() in one array. Each call queries the
 * child. The result is valid until the next call. Strings live as long as d.
 */
const struct sym_local *dwarf_locals(struct dwarf *d, uint64_t vaddr, uint32_t *n);

/*
 * Like sym_type(). Each call queries the child. The members of *out are valid until the next call.
 * Strings live as long as d. Returns false if the type is unknown.
 */
bool dwarf_type(struct dwarf *d, const struct sym_type_query *q, struct sym_type *out);

/* Returns a text that says what could not be read; NULL if everything could be read. d owns the
 * text. */
const char *dwarf_problem(const struct dwarf *d);

/* The limits for reading files. They take effect when the next child starts. */
struct dwarf_limits {
	uint64_t memory; /* bytes for all files together; 0 means half of the machine's memory */
	unsigned cpu_seconds;  /* CPU time for all requests of one file together */
	unsigned wait_seconds; /* how long to wait for an answer while the child uses no CPU time */
};
extern struct dwarf_limits dwarf_limits;

#endif
