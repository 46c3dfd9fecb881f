/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay ROUNDS FILE...     gives the fuzz target each input, and ROUNDS copies of each with some
 *                           bytes changed, the same ones every time: a small fuzz run for every
 *                           build. A FILE whose name ends in .hex holds many inputs.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/perfdata_fill.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_INPUT = 1 << 20, MAX_LINE = 4096 };

static unsigned rounds, inputs;

/* Some bytes become others; one in eight is cut. Its new length. */
static size_t mutate(uint8_t *p, size_t len, uint64_t *state)
{
	static const uint8_t liked[] = { 0, 1, 7, 8, 0x7f, 0x80, 0xff };

	for (uint64_t n = 1 + fill_next(state) % 8; n && len; n--)
		p[fill_next(state) % len] = fill_next(state) % 2
						    ? liked[fill_next(state) % sizeof(liked)]
						    : (uint8_t)fill_next(state);
	return len && fill_next(state) % 8 == 0 ? fill_next(state) % len : len;
}

/* In memory of its exact size, so that a byte too far is seen. */
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
	static uint8_t changed[MAX_INPUT];
	uint64_t state = 1;

	inputs++;
	give(p, len);
	for (unsigned i = 0; i < rounds; i++) {
		memcpy(changed, p, len);
		give(changed, mutate(changed, len, &state));
	}
}

/* Appends the bytes of a line; true where the input ends with it. */
static bool add_line(const char *line, uint8_t *p, size_t *len)
{
	unsigned byte;

	for (; sscanf(line, "%2x", &byte) == 1 && *len < MAX_INPUT; line += 2)
		p[(*len)++] = (uint8_t)byte;
	return *line != '+';
}

static void use_hex(FILE *in, uint8_t *p)
{
	char line[MAX_LINE];
	size_t len = 0;

	while (fgets(line, sizeof(line), in)) {
		if (*line == '#' || !add_line(line, p, &len))
			continue;
		use(p, len);
		len = 0;
	}
}

static void use_file(const char *path)
{
	static uint8_t input[MAX_INPUT];
	const char *dot = strrchr(path, '.');
	FILE *in = fopen(path, "r");

	if (!in) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	if (dot && !strcmp(dot, ".hex"))
		use_hex(in, input);
	else
		use(input, fread(input, 1, sizeof(input), in));
	fclose(in);
}

int main(int argc, char **argv)
{
	rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
	for (int i = 2; i < argc; i++)
		use_file(argv[i]);
	printf("%u inputs\n", inputs);
	return inputs ? EXIT_SUCCESS : EXIT_FAILURE; /* none proves nothing */
}
