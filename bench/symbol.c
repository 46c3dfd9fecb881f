/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol FILE [LOOKUPS]: measures how many symbols, source lines (with inlined callers), and
 * functions' bytes are looked up per second in one ELF file.
 *
 * Each pass looks up the same pseudo-random code addresses. The first pass over lines also reads
 * the compilation units of these addresses; the second pass finds the answers in memory.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "symbol/symbol.h"

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Returns n random code offsets from all parts of the file. */
static uint64_t *choose_offsets(struct sym_file *f, size_t n)
{
	uint64_t *offsets = malloc(n * sizeof(*offsets));
	uint64_t lo, hi, random = 1, key;
	size_t len, at, got = 0;
	bool from_start;

	if (!offsets || !sym_load_range(f, &lo, &hi))
		goto fail;
	for (size_t tries = 0; got < n && tries < 100 * n; tries++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		offsets[got] = (random >> 16) % hi;
		got += sym_code_at(f, offsets[got], &len, &at, &from_start, &key) && from_start;
	}
	if (got == n)
		return offsets;
fail:
	free(offsets);
	return NULL;
}

static void tell(const char *what, size_t n, size_t found, double from)
{
	double took = seconds() - from;

	printf("%-18s %10.0f lookups/s  %8.3f us each  %5.1f %% known\n", what, (double)n / took,
	       took / (double)n * 1e6, 100.0 * (double)found / (double)n);
}

static void pass(struct sym_file *f, const uint64_t *offsets, size_t n)
{
	struct sym_line lines[SYM_MAX_INLINE];
	size_t found = 0, len, at;
	double from = seconds();
	bool from_start;
	uint64_t key;

	for (size_t i = 0; i < n; i++)
		found += sym_symbol_at(f, offsets[i]) != NULL;
	tell("symbol", n, found, from);
	found = 0;
	from = seconds();
	for (size_t i = 0; i < n; i++)
		found += sym_code_at(f, offsets[i], &len, &at, &from_start, &key) != NULL;
	tell("code", n, found, from);
	found = 0;
	from = seconds();
	sym_lines_prepare(f, offsets, n);
	for (size_t i = 0; i < n; i++)
		found += sym_lines_at(f, offsets[i], lines, SYM_MAX_INLINE) != 0;
	tell("lines", n, found, from);
}

int main(int argc, char **argv)
{
	size_t n = argc > 2 ? strtoull(argv[2], NULL, 0) : 100000, nvariables;
	struct sym_file *f = NULL;
	uint64_t *offsets = NULL;
	struct rusage ru;
	double from = seconds();
	int ret = EXIT_FAILURE;

	if (argc < 2 || !n || sym_file_open(argv[1], NULL, NULL, &f, NULL)) {
		fprintf(stderr, "usage: symbol FILE [LOOKUPS]\n");
		goto out;
	}
	printf("%-18s %10.3f ms\n", "open", (seconds() - from) * 1e3);
	from = seconds();
	offsets = choose_offsets(f, n);
	if (!offsets) {
		fprintf(stderr, "no code in '%s'\n", argv[1]);
		goto out;
	}
	printf("%-18s %10.3f ms\n", "read symbols", (seconds() - from) * 1e3);
	pass(f, offsets, n);
	printf("again\n");
	pass(f, offsets, n);
	from = seconds();
	sym_variables(f, &nvariables);
	printf("%-18s %10.3f ms, %zu\n", "variables", (seconds() - from) * 1e3, nvariables);
	getrusage(RUSAGE_SELF, &ru);
	printf("%-18s %10.1f MiB\n", "peak memory", (double)ru.ru_maxrss / 1024);
	sym_file_close(f);
	f = NULL;
	getrusage(RUSAGE_CHILDREN, &ru);
	printf("%-18s %10.1f MiB\n", "of the child", (double)ru.ru_maxrss / 1024);
	ret = EXIT_SUCCESS;
out:
	free(offsets);
	sym_file_close(f);
	return ret;
}
