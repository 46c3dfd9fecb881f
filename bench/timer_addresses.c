/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures how often the computed addresses of timer samples are right. Decodes every sample of a
 * recording of a program that prints the bounds of its arrays (tests/programs/gather), and counts
 * in which array each address lies.
 *
 * perf record -e cpu-clock/period=100000/u -d --user-regs=ax,bx,... -o g.data gather > answer
 * perf script -i g.data --show-mmap-events -F tid,time,event,ip,uregs |
 *   timer_addresses PATH/gather answer
 *
 * Works for one process on x86-64. Counts only samples whose ip is in PATH/gather itself.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/perf_regs.h"
#include "symbol/symbol.h"

enum { MOST_ARRAYS = 16, STACK_BYTES = 8 << 20, PLACES = MOST_ARRAYS + 3 };

struct array {
	char name[32];
	uint64_t start, end;
};

struct bench {
	const char *program;
	struct sym_file *file;
	struct decoder *decoder;
	struct array arrays[MOST_ARRAYS];
	unsigned n_arrays;
	uint64_t map_start, map_end, map_offset;
	uint64_t image_start, image_end; /* address ranges of the program's code and static data */
	long samples, others;
	long reasons[ADDR_REASONS];
	/* hits[place][when]: number of addresses in each place (one of the arrays, static data,
	 * the stack, elsewhere); `when` is RETIRED or NEXT */
	long hits[PLACES][2];
};

static int read_answer(struct bench *b, const char *path)
{
	FILE *f = fopen(path, "r");
	char line[256];

	if (!f) {
		perror(path);
		return -1;
	}
	while (b->n_arrays < MOST_ARRAYS && fgets(line, sizeof(line), f)) {
		struct array *a = &b->arrays[b->n_arrays];
		uint64_t bytes;

		if (sscanf(line, "array %31s %" SCNu64 " %" SCNu64, a->name, &a->start, &bytes) ==
		    3) {
			a->end = a->start + bytes;
			b->n_arrays++;
		}
	}
	fclose(f);
	return 0;
}

static void read_map(struct bench *b, const char *line)
{
	uint64_t start, size, offset, bias;
	const char *path = strstr(line, "r-xp ");

	if (!path || strncmp(path + 5, b->program, strlen(b->program)) != 0)
		return;
	line = strchr(line, '[');
	if (!line ||
	    sscanf(line, "[%" SCNx64 "(%" SCNx64 ") @ %" SCNx64, &start, &size, &offset) != 3)
		return;
	b->map_start = start;
	b->map_end = start + size;
	b->map_offset = offset;
	if (sym_load_bias(b->file, start, offset, true, &bias) &&
	    sym_load_range(b->file, &b->image_start, &b->image_end)) {
		b->image_start += bias;
		b->image_end += bias;
	}
}

static void read_registers(const char *line, uint64_t regs[64])
{
	static const char *const names[] = {
		[REG_X86_AX] = "AX",   [REG_X86_BX] = "BX",   [REG_X86_CX] = "CX",
		[REG_X86_DX] = "DX",   [REG_X86_SI] = "SI",   [REG_X86_DI] = "DI",
		[REG_X86_BP] = "BP",   [REG_X86_SP] = "SP",   [REG_X86_IP] = "IP",
		[REG_X86_R8] = "R8",   [REG_X86_R9] = "R9",   [REG_X86_R10] = "R10",
		[REG_X86_R11] = "R11", [REG_X86_R12] = "R12", [REG_X86_R13] = "R13",
		[REG_X86_R14] = "R14", [REG_X86_R15] = "R15",
	};
	char key[16];

	memset(regs, 0, 64 * sizeof(regs[0]));
	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		const char *at;

		if (!names[k])
			continue;
		snprintf(key, sizeof(key), " %s:0x", names[k]);
		at = strstr(line, key);
		if (at)
			regs[k] = strtoull(at + strlen(key), NULL, 16);
	}
}

static unsigned place_of(const struct bench *b, uint64_t address, uint64_t sp)
{
	for (unsigned k = 0; k < b->n_arrays; k++)
		if (address >= b->arrays[k].start && address < b->arrays[k].end)
			return k;
	if (address >= b->image_start && address < b->image_end)
		return MOST_ARRAYS;
	return address - sp + 4096 < STACK_BYTES ? MOST_ARRAYS + 1 : MOST_ARRAYS + 2;
}

static void count_sample(struct bench *b, const char *line)
{
	uint64_t regs[64], ip, offset, key;
	const uint8_t *code;
	struct dec_recipe r;
	size_t len, at;
	bool from_start;

	read_registers(line, regs);
	ip = regs[REG_X86_IP];
	if (ip < b->map_start || ip >= b->map_end) {
		b->others++;
		return;
	}
	b->samples++;
	offset = ip - b->map_start + b->map_offset;
	code = sym_code_at(b->file, offset, &len, &at, &from_start, &key);
	if (!code) {
		b->reasons[ADDR_NO_CODE]++;
		return;
	}
	decoder_recipe(b->decoder, key, code, len, at, from_start, &r);
	if (r.source == ADDR_NONE)
		b->reasons[r.reason]++;
	else
		b->hits[place_of(b, dec_address(&r, regs, ip), regs[REG_X86_SP])]
		       [r.source == ADDR_NEXT]++;
}

static void print_row(const char *name, long retired, long next, long samples)
{
	if (retired + next)
		printf("%-12s %9ld %9ld %7.2f %%\n", name, retired, next,
		       100.0 * (double)(retired + next) / (double)samples);
}

static void print_result(const struct bench *b)
{
	static const char *const others[] = { "(static)", "(stack)", "(elsewhere)" };
	long retired = 0, next = 0;

	printf("%ld samples in the program, %ld elsewhere\n", b->samples, b->others);
	printf("%-12s %9s %9s %9s\n", "address in", "retired", "next", "share");
	for (unsigned k = 0; k < PLACES; k++) {
		const char *name = k < MOST_ARRAYS ? b->arrays[k].name : others[k - MOST_ARRAYS];

		print_row(name, b->hits[k][0], b->hits[k][1], b->samples);
		retired += b->hits[k][0];
		next += b->hits[k][1];
	}
	print_row("all", retired, next, b->samples);
	for (int k = 0; k < ADDR_REASONS; k++)
		print_row(addr_reason_name(k), 0, b->reasons[k], b->samples);
}

int main(int argc, char **argv)
{
	static char line[1 << 14];
	struct bench b = { 0 };
	struct md_err err = { 0 };
	int ret = EXIT_FAILURE;

	if (argc != 3) {
		fprintf(stderr, "usage: timer_addresses PROGRAM ANSWER < perf-script-output\n");
		return EXIT_FAILURE;
	}
	b.program = argv[1];
	if (decoder_open(DEC_X86_64, &b.decoder, &err) ||
	    sym_file_open(argv[1], NULL, &(struct sym_options){ .no_lines = true }, &b.file,
			  &err)) {
		fprintf(stderr, "timer_addresses: %s\n", err.msg);
		goto out;
	}
	if (read_answer(&b, argv[2]))
		goto out;
	while (fgets(line, sizeof(line), stdin)) {
		if (strstr(line, "PERF_RECORD_MMAP"))
			read_map(&b, line);
		else if (strstr(line, "ABI:2"))
			count_sample(&b, line);
	}
	print_result(&b);
	ret = EXIT_SUCCESS;
out:
	sym_file_close(b.file);
	decoder_close(b.decoder);
	return ret;
}
