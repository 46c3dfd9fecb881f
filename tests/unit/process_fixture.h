/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers of test_process.c and test_process_life.c: they report processes and mappings to the
 * model, and query it. */
#ifndef MEMDB_TEST_PROCESS_FIXTURE_H
#define MEMDB_TEST_PROCESS_FIXTURE_H

#include "model/homes.h"
#include "model/process.h"

#include <stdio.h>
#include <unistd.h>

#include "check_main.h"

#include <stdio.h>
#include <string.h>
#include "own_image.h"

static struct code code;
static struct space space;
static uint32_t file;

static inline void setup(void)
{
	struct sym_options so = { 0 };

	ck_assert_int_eq(code_init(&code, &so, NULL), 0);
	space_init(&space, &code);
	file = code_dso(&code, "/no/such/file", NULL);
}

static inline void teardown(void)
{
	space_release(&space);
	code_release(&code);
}

/* Returns the name with this id in the threads and comms of `space`. */
static inline const char *name_of(uint32_t comm)
{
	return strings_text(&code.names, comm);
}

static inline void map(uint32_t pid, uint64_t start, uint64_t end, uint64_t pgoff, uint64_t time)
{
	struct mapping m = {
		.dso = file, .start = start, .end = end, .pgoff = pgoff, .executable = true
	};

	space_map(&space, pid, &m, time);
}

static inline void map_stack(uint32_t pid, uint64_t start, uint64_t end, uint64_t time)
{
	struct mapping m = { .dso = code_dso(&code, "[stack]", NULL), .start = start, .end = end };

	space_map(&space, pid, &m, time);
}

static inline uint32_t fork_of(uint32_t pid, uint32_t ppid, uint32_t tid, uint32_t ptid,
			       uint64_t time)
{
	struct task_fork f = { pid, ppid, tid, ptid, true };

	return space_fork(&space, &f, time);
}

/* Writes dir/perf-PID.map with this one line. In such a file, a JIT compiler names the functions
 * that it has generated. */
static inline void tell_name(const char *dir, unsigned pid, const char *line)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/perf-%u.map", dir, pid);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fprintf(f, "%s\n", line);
	fclose(f);
}

static inline const char *name_at(uint32_t process, uint64_t ip)
{
	uint32_t at = space_location(&space, process, false, ip);
	const char *name = code_symbol_name(&code, code.locations.at[at - 1].symbol);

	return name ? name : "";
}

/* Returns "START-END" of the mapping of a process at an address, or "-" if there is none. */
static inline const char *seen(uint32_t process, uint64_t address)
{
	static char text[64];
	const struct mapping *m = space_mapping_at(&space, process, address);

	strcpy(text, "-");
	if (m)
		snprintf(text, sizeof(text), "%llx-%llx", (unsigned long long)m->start,
			 (unsigned long long)m->end);
	return text;
}

/* Maps the pages [from, to) of a process to a file, beginning at file offset what << 20; with
 * `what` 0, unmaps them. Stores in there[page] the file offset that a lookup must find from now on;
 * 0 means that the page is not mapped. */
static inline void change(uint32_t pid, uint64_t *there, uint64_t from, uint64_t to, uint64_t what,
			  uint64_t time)
{
	if (what)
		map(pid, from << 12, to << 12, what << 20, time);
	else
		space_unmap(&space, space_process_of(&space, pid, false, 0), from << 12, to << 12,
			    time);
	for (uint64_t i = from; i < to; i++)
		there[i] = what ? (what << 20) + ((i - from) << 12) : 0;
}

static inline void compare(uint32_t pid, const uint64_t *there, uint64_t page)
{
	const uint64_t address = (page << 12) + 0x123;
	const struct mapping *m =
		space_mapping_at(&space, space_process_of(&space, pid, false, 0), address);

	ck_assert_uint_eq(m ? m->pgoff + address - m->start - 0x123 : 0, there[page]);
}

#endif
