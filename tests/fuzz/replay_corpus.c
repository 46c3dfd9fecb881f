/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay ROUNDS FOLDER...: runs a fuzz target on each file of the folders, and on ROUNDS copies of
 * each file with some bytes changed. The changes are the same in each run. meson.build links this
 * file with one fuzz target for each program. Every build can run this small fuzz test, because it
 * does not need libFuzzer.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/perfdata_fill.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 1 << 20 };

static unsigned rounds, inputs;

/* Changes some bytes of the input, and cuts one input in eight. Returns the new length. */
static size_t mutate(uint8_t *p, size_t len, uint64_t *state)
{
	static const uint8_t liked[] = { 0, 1, 7, 8, 0x7f, 0x80, 0xff };

	for (uint64_t n = 1 + fill_next(state) % 8; n && len; n--)
		p[fill_next(state) % len] = fill_next(state) % 2
						    ? liked[fill_next(state) % sizeof(liked)]
						    : (uint8_t)fill_next(state);
	return len && fill_next(state) % 8 == 0 ? fill_next(state) % len : len;
}

/* Runs the fuzz target on a copy of the input, in a block of exactly `len` bytes, so that
 * sanitizers detect a read outside of it. */
static void give(const uint8_t *p, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	if (!copy)
		abort();
	memcpy(copy, p, len);
	LLVMFuzzerTestOneInput(copy, len);
	free(copy);
}

static void use(const uint8_t *p, size_t len)
{
	static uint8_t changed[LARGEST];
	uint64_t state = 1;

	inputs++;
	give(p, len);
	for (unsigned i = 0; i < rounds; i++) {
		memcpy(changed, p, len);
		give(changed, mutate(changed, len, &state));
	}
}

static void use_file(const char *path)
{
	static uint8_t input[LARGEST];
	FILE *in = fopen(path, "r");

	if (!in) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	use(input, fread(input, 1, sizeof(input), in));
	fclose(in);
}

static void use_folder(const char *folder)
{
	struct dirent **files;
	char path[4096];
	int n = scandir(folder, &files, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, files[i]->d_name);
		if (files[i]->d_name[0] != '.')
			use_file(path);
		free(files[i]);
	}
	if (n >= 0)
		free(files);
}

int main(int argc, char **argv)
{
	rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
	for (int i = 2; i < argc; i++)
		use_folder(argv[i]);
	printf("%u inputs\n", inputs);
	/* without any input, the run has tested nothing */
	return inputs ? EXIT_SUCCESS : EXIT_FAILURE;
}
