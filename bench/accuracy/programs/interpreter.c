/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interprets a program of random instructions (32 MiB, in order), which add, multiply, skip, and
 * read and write cells (64 MiB, at random). What an instruction does also depends on its place, so
 * the interpreter's jumps are not easier to predict if `code` is local. `registers` are always in
 * the first-level cache. */
// object code -DCODE_MASK=4095
// object cells -DCELL_MASK=63
// object registers -DLOCAL_AS_IT_IS
#include "program.h"

enum { CODE = 1 << 23, CELLS = 1 << 23, REGISTERS = 8 };
#ifndef CODE_MASK
#define CODE_MASK (CODE - 1)
#endif
#ifndef CELL_MASK
#define CELL_MASK (CELLS - 1)
#endif

enum { ADD, MULTIPLY, LOAD, STORE, SKIP, KINDS };
struct instruction {
	uint8_t kind, to, from, unused;
};
static struct instruction *code;
static uint64_t *cells;
static uint64_t registers[REGISTERS];

void init(void)
{
	code = malloc(CODE * sizeof(*code));
	cells = malloc(CELLS * sizeof(*cells));
	for (int i = 0; i < CODE; i++) {
		uint32_t n = random_number();

		code[i].kind = (uint8_t)((n >> 8) % KINDS);
		code[i].to = (uint8_t)(n & 7);
		code[i].from = (uint8_t)(n >> 3 & 7);
	}
	for (int i = 0; i < CELLS; i++)
		cells[i] = (uint64_t)i;
}

double kernel(void)
{
	for (uint32_t at = 0; at < 3 * CODE; at++) {
		const struct instruction *i = &code[at & CODE_MASK];
		uint64_t *to = &registers[i->to];
		uint64_t from = registers[i->from];

		switch ((i->kind + (MIX(0, at) >> 16)) % KINDS) {
		case ADD:
			*to += from;
			break;
		case MULTIPLY:
			*to = *to * 6364136223846793005u + from;
			break;
		case LOAD:
			*to ^= cells[MIX(from, at) & CELL_MASK];
			break;
		case STORE:
			cells[MIX(from, at) & CELL_MASK] = *to;
			break;
		default:
			at += from & 1;
			break;
		}
	}
	return (double)registers[0];
}
