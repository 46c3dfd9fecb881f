/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the time to decode a function when its first instruction pointer is looked up, the time
 * of each later look-up in it, and the time to compute an address from a recipe (struct
 * dec_recipe).
 *
 * decode_bench [FILE]    an ELF file with functions, x86-64 (default: the C library)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "decode/decode.h"
#include "symbol/symbol.h"

enum { MOST_BYTES = 4 << 20, ADDRESSES = 100 * 1000 * 1000 };

struct function {
	const uint8_t *code;
	size_t len;
	uint64_t key;
};

static struct function functions[1 << 16];
static size_t n_functions, total_bytes;

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Collects the functions of the file f. Tries every 16th offset, and skips the rest of a function
 * that it has found. */
static void find_functions(struct sym_file *f)
{
	uint64_t offset = 0, key;
	size_t len, at;
	bool from_start;

	while (offset < (uint64_t)64 << 20 && total_bytes < MOST_BYTES &&
	       n_functions < sizeof(functions) / sizeof(functions[0])) {
		const uint8_t *code = sym_code_at(f, offset, &len, &at, &from_start, &key);

		if (!code || !from_start || len <= at) {
			offset += 16;
			continue;
		}
		functions[n_functions++] = (struct function){ code, len, key };
		total_bytes += len;
		offset += len - at;
	}
}

static void first_looks(struct decoder *d)
{
	double start = seconds(), s;
	struct dec_recipe r;

	for (size_t k = 0; k < n_functions; k++)
		decoder_recipe(d, 0, functions[k].code, functions[k].len, 0, true, &r);
	s = seconds() - start;
	printf("first look at a function  %8.1f MB/s (%zu functions, %zu bytes)\n",
	       (double)total_bytes / s / 1e6, n_functions, total_bytes);
}

/*
 * Measures later look-ups: looks up every fourth byte of the largest functions that fit into the
 * decoder's cache. At most of these bytes no instruction begins, and then the look-up takes less
 * time than that of a real sample. So the times of both kinds are printed separately.
 */
static void further_looks(struct decoder *d)
{
	long by_source[ADDR_NEXT + 1] = { 0 }, looks = 0;
	double start;
	struct dec_recipe r;

	for (int round = 0; round < 2; round++) {
		start = seconds();
		looks = 0;
		for (size_t k = 0; k < n_functions; k++) {
			for (size_t at = 0; at < functions[k].len; at += 4, looks++) {
				decoder_recipe(d, functions[k].key, functions[k].code,
					       functions[k].len, at, true, &r);
				by_source[r.source] += round;
			}
		}
	}
	printf("further instruction       %8.0f ns (%ld: %.0f %% retired, %.0f %% next)\n",
	       (seconds() - start) / (double)looks * 1e9, looks,
	       100.0 * (double)by_source[ADDR_RETIRED] / (double)looks,
	       100.0 * (double)by_source[ADDR_NEXT] / (double)looks);
}

static void addresses(void)
{
	struct dec_recipe r = { .base = 0, .index = 3, .scale = 8, .disp = 16 };
	uint64_t regs[64] = { 0x7f0000000000 }, sum = 0;
	double start = seconds();

	for (long k = 0; k < ADDRESSES; k++) {
		regs[3] = (uint64_t)k;
		__asm__ volatile("" : "+m"(r), "+m"(regs));
		sum += dec_address(&r, regs, 0);
	}
	printf("address by a recipe       %8.2f ns (sum %#" PRIx64 ")\n",
	       (seconds() - start) / ADDRESSES * 1e9, sum);
}

/* Measures the time to decode a function of n bytes, whose cost per byte should not grow with n. */
static void one_function_of(struct decoder *d, size_t n)
{
	uint8_t *code = malloc(n);
	struct dec_recipe r;
	double start;

	if (!code)
		return;
	for (size_t k = 0; k + 5 <= n; k += 5)
		memcpy(code + k, "\x48\x8b\x47\x08\x90", 5); /* mov 8(%rdi),%rax; nop */
	start = seconds();
	decoder_recipe(d, 0, code, n - n % 5, 4, true, &r);
	printf("one function of %7zu B %8.1f MB/s\n", n, (double)n / (seconds() - start) / 1e6);
	free(code);
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "/lib/x86_64-linux-gnu/libc.so.6";
	struct decoder *d = NULL;
	struct sym_file *f = NULL;
	struct md_err err = { 0 };
	int ret = EXIT_FAILURE;

	if (decoder_open(DEC_X86_64, &d, &err) ||
	    sym_file_open(path, NULL, &(struct sym_options){ .no_lines = true }, &f, &err)) {
		fprintf(stderr, "decode_bench: %s\n", err.msg);
		goto out;
	}
	find_functions(f);
	if (!n_functions) {
		fprintf(stderr, "decode_bench: '%s' has no functions that are known by symbol\n",
			path);
		goto out;
	}
	first_looks(d);
	further_looks(d);
	addresses();
	for (size_t n = 1 << 16; n <= 2 << 20; n *= 4)
		one_function_of(d, n);
	ret = EXIT_SUCCESS;
out:
	sym_file_close(f);
	decoder_close(d);
	return ret;
}
