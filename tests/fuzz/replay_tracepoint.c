/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay: runs the fuzz target fuzz_tracepoint.c on formats as kernels write them, with some bytes
 * changed. The changes are the same in each run. Every build can run this small fuzz test, because
 * it does not need libFuzzer.
 * replay -w DIR: writes these formats into DIR as seeds.
 * replay FILE...: runs the fuzz target on these files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/perfdata_fill.h"
#include "base/count.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_INPUT = 1 << 16, RAW = 96, ROUNDS = 20000 };

#define COMMON                                                                                    \
	"name: event\nID: 1\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;"    \
	"\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"       \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int" \
	" common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char *const formats[] = {
	COMMON "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	       "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	       "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	       "\nprint fmt: \"%s %d\", REC->prev_comm, REC->prev_pid\n",
	COMMON "\tfield:__data_loc char[] comm;\toffset:8;\tsize:4;\tsigned:0;\n"
	       "\tfield:__rel_loc unsigned long[] list;\toffset:12;\tsize:4;\tsigned:0;\n"
	       "\tfield:const char * p;\toffset:16;\tsize:8;\tsigned:0;\n"
	       "\tfield:unsigned long args[6];\toffset:24;\tsize:48;\tsigned:0;\n"
	       "\nprint fmt: \"\"\n",
	COMMON "\tfield:u8 mac[6];\toffset:8;\tsize:6;\tsigned:0;\n"
	       "\tfield:struct timespec t;\toffset:16;\tsize:16;\tsigned:0;\n"
	       "\tfield:enum migrate_mode mode;\toffset:32;\tsize:4;\tsigned:0;\n"
	       "\tfield:u32 mask[NR_WORDS];\toffset:36;\tsize:12;\tsigned:0;\n"
	       "\tfield:__u8 raw[8];\toffset:48;\tsize:8;\tsigned:0;\n"
	       "\nprint fmt: \"\"\n",
};

enum { FORMATS = COUNT_OF(formats) };

/* Writes to p an input for the target: format n and random raw data, of which one third are zeros.
 * Returns its size. */
static size_t build(uint8_t *p, unsigned n, uint64_t *state)
{
	size_t len = strlen(formats[n]);

	p[0] = (uint8_t)(fill_next(state) & 3);
	p[1] = RAW;
	p[2] = 0;
	for (size_t i = 0; i < RAW; i++)
		p[3 + i] = (uint8_t)(fill_next(state) % 3 ? fill_next(state) : 0);
	/* most formats have an array of variable length here; its position and length must be valid
	 */
	memcpy(p + 3 + 8, "\x3c\0\6\0", 4);
	memcpy(p + 3 + RAW, formats[n], len);
	return 3 + RAW + len;
}

/* Changes the text: inserts characters that have a meaning in formats, and moves or removes parts.
 */
static size_t mutate(uint8_t *p, size_t len, uint64_t *state)
{
	static const char telling[] = "[]();:*._-9 \t\n\"\\0\377x";

	for (uint64_t n = fill_next(state) % 8; n; n--) {
		size_t at = fill_next(state) % len, from = fill_next(state) % len;
		size_t most = len - (at > from ? at : from);
		size_t piece = fill_next(state) % (most < 64 ? most : 64);

		if (fill_next(state) % 4)
			p[at] = (uint8_t)telling[fill_next(state) % (sizeof(telling) - 1)];
		else
			memmove(p + at, p + from, piece);
	}
	return fill_next(state) % 4 ? len : fill_next(state) % len;
}

static void replay_built(void)
{
	static uint8_t input[MAX_INPUT];
	uint64_t state = 1;

	for (unsigned i = 0; i < ROUNDS; i++) {
		size_t len = build(input, i % FORMATS, &state);

		LLVMFuzzerTestOneInput(input, i < FORMATS ? len : mutate(input, len, &state));
	}
}

static int write_seeds(const char *dir)
{
	static uint8_t input[MAX_INPUT];
	uint64_t state = 1;

	for (unsigned i = 0; i < FORMATS; i++) {
		char name[4096];
		size_t len = build(input, i, &state);
		FILE *out;

		snprintf(name, sizeof(name), "%s/seed-tracepoint-%u", dir, i);
		out = fopen(name, "w");
		if (!out || fwrite(input, 1, len, out) != len || fclose(out)) {
			perror(name);
			return EXIT_FAILURE;
		}
	}
	return EXIT_SUCCESS;
}

static int replay_file(const char *path)
{
	static uint8_t input[MAX_INPUT];
	FILE *in = fopen(path, "r");

	if (!in) {
		perror(path);
		return EXIT_FAILURE;
	}
	LLVMFuzzerTestOneInput(input, fread(input, 1, sizeof(input), in));
	fclose(in);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	int ret = EXIT_SUCCESS;

	if (argc == 1)
		replay_built();
	if (argc == 3 && !strcmp(argv[1], "-w"))
		return write_seeds(argv[2]);
	for (int i = 1; i < argc && !ret; i++)
		ret = replay_file(argv[i]);
	return ret;
}
