/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers of test_symbol_child.c and test_symbol_child_limits.c: they return addresses in a sample
 * program, and the number of source lines that are found for an address. */
#ifndef MEMDB_TEST_SYMBOL_CHILD_FIXTURE_H
#define MEMDB_TEST_SYMBOL_CHILD_FIXTURE_H

#include "symbol/child.h"
#include "symbol/dwarf_link.h"
#include "symbol/symbol.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check_main.h"
#include "dwarf_build.h"

static char scratch[] = "/tmp/memdb-test-child-XXXXXX";
static char path[256];

static inline struct sym_file *open_at(const char *name)
{
	struct sym_file *f = NULL;

	ck_assert_int_eq(sym_file_open(name, NULL, NULL, &f, NULL), 0);
	ck_assert_int_eq(sym_file_state(f), SYM_OK);
	return f;
}

/* Runs the program "sample", which prints file offsets of its own code. Stores the first `max` of
 * them and returns how many it stored. */
static inline size_t sample_points(uint64_t *offsets, size_t max)
{
	FILE *answer = popen("'" SAMPLES "/sample'", "r");
	char text[512];
	size_t n = 0;

	ck_assert_ptr_nonnull(answer);
	while (n < max && fgets(text, sizeof(text), answer))
		n += sscanf(text, "point %lx", &offsets[n]) == 1;
	pclose(answer);
	ck_assert_uint_ge(n, 2);
	return n;
}

static inline unsigned count_lines(struct sym_file *f, uint64_t offset)
{
	struct sym_line lines[SYM_MAX_INLINE];

	return sym_lines_at(f, offset, lines, SYM_MAX_INLINE);
}

static inline void check_problem(const struct sym_file *f, const char *words)
{
	const char *problem = sym_file_problem(f);

	ck_assert_ptr_nonnull(problem);
	ck_assert_msg(strstr(problem, path) && strstr(problem, words), "%s", problem);
}

static inline void check_no_child_is_left(void)
{
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}

static inline void make_scratch(void)
{
	ck_assert_ptr_nonnull(mkdtemp(scratch));
	snprintf(path, sizeof(path), "%s/program", scratch);
}

static inline void remove_scratch(void)
{
	snprintf(path, sizeof(path), "%s/program", scratch);
	unlink(path);
	ck_assert_int_eq(rmdir(scratch), 0);
}

#endif
