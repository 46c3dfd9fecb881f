/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The DWARF of one file, which a child process reads: what libdw makes of damaged or hostile bytes
 * (a crash, a loop without end, memory without end) costs this file's lines, and is reported.
 *
 * One child serves all files. It starts with the first question and ends with the last file; when
 * it dies, the file that it was working at is not asked about again, and the others go on with a
 * new one. Not safe against use by two threads. In a process that was forked off in between, files
 * go on with a child of its own.
 */
#ifndef MEMDB_SYMBOL_DWARF_FILE_H
#define MEMDB_SYMBOL_DWARF_FILE_H

#include "symbol/image.h"
#include "symbol/type.h"

struct dwarf;

/* For the file at path, whose image this is: both are borrowed. Asks nothing yet. NULL when out of
 * memory. */
struct dwarf *dwarf_open(const char *path, const struct image *im);
void dwarf_close(struct dwarf *d); /* NULL is fine */

/* Does the file have DWARF units? The first call asks the child: 0.1 µs per unit, plus the
 * child's start. */
bool dwarf_found(struct dwarf *d);

/* As sym_lines_at(), by vaddr. A vaddr known from an earlier call or dwarf_prepare() takes about
 * 0.1 µs. Any other takes a round trip to the child, about 10 µs. */
unsigned dwarf_lines(struct dwarf *d, uint64_t vaddr, struct sym_line *out, unsigned max);

/* Announces a vaddr that will be looked up, so that the child works ahead. Returns at once. */
void dwarf_prepare(struct dwarf *d, const uint64_t *vaddrs, size_t n);

/* Calls fn for each static variable with an address; strings live as long as d. Stops at and
 * returns fn's first non-zero result. If the file was given up midway, only for the variables
 * read before. */
int dwarf_variables(struct dwarf *d, int (*fn)(const struct sym_variable *v, void *arg), void *arg);

/* As sym_locals(), by vaddr, each time asked anew. Valid until the next question; strings live as
 * long as d. */
const struct sym_local *dwarf_locals(struct dwarf *d, uint64_t vaddr, uint32_t *n);

/* As sym_type(), each time asked anew. *out's members are valid until the next question; strings
 * live as long as d. False: not known. */
bool dwarf_type(struct dwarf *d, const struct sym_type_query *q, struct sym_type *out);

/* A sentence about what could not be read, or NULL. Owned by d. */
const char *dwarf_problem(const struct dwarf *d);

/* Limits for reading a file. They take effect when the child starts. */
struct dwarf_limits {
	uint64_t memory;       /* bytes for all files together; 0: half of the machine's memory */
	unsigned cpu_seconds;  /* CPU seconds for each file in all */
	unsigned wait_seconds; /* seconds to wait for an answer: against a sleeping child */
};
extern struct dwarf_limits dwarf_limits;

#endif
