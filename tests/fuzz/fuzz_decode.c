/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: decodes arbitrary bytes as the machine code of a function. Bit 0 of the first
 * byte selects the architecture; bit 1 says whether the code begins with the first instruction of
 * the function. All other bytes are the code. At each possible ip, the target finds the data
 * address of a sample (decode.h). It aborts if a result contradicts itself, or if the cached and
 * the uncached result differ.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"

enum { MOST_CODE = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct decoder *decoders[2];
static volatile uint64_t sink;

static void check(const struct dec_recipe *r, size_t at, size_t len, bool from_start)
{
	static const uint64_t regs[64] = { 1, 2, 3 };

	if ((r->source == ADDR_NONE) != (r->reason != ADDR_OK) || r->reason >= ADDR_REASONS)
		abort();
	if (r->base < -1 || r->base > 31 || r->index < -1 || r->index > 31)
		abort();
	if (r->source == ADDR_RETIRED && (!r->waited || r->insn_offset >= 0))
		abort();
	if (r->waited && (!from_start || !at))
		abort();
	if (r->source != ADDR_NONE &&
	    ((int64_t)at + r->insn_offset < 0 || (int64_t)at + r->insn_offset >= (int64_t)len))
		abort();
	sink += dec_address(r, regs, 4) + dec_registers(r);
}

static bool same(const struct dec_recipe *a, const struct dec_recipe *b)
{
	return a->source == b->source && a->reason == b->reason && a->waited == b->waited &&
	       a->disp == b->disp && a->base == b->base && a->index == b->index &&
	       a->insn_offset == b->insn_offset;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint64_t key;
	struct dec_recipe r, again;
	unsigned arm;
	bool from_start;

	if (size < 2 || size > MOST_CODE)
		return 0;
	arm = data[0] & 1;
	from_start = data[0] & 2;
	if (!decoders[arm] &&
	    decoder_open(arm ? DEC_AARCH64 : DEC_X86_64, &decoders[arm], NULL) != 0)
		abort();
	data++;
	size--;
	key++;
	for (size_t at = 0; at <= size; at += arm ? 4 : 1) {
		decoder_recipe(decoders[arm], key, data, size, at, from_start, &r);
		check(&r, at, size, from_start);
		if (at % 8)
			continue;
		decoder_recipe(decoders[arm], 0, data, size, at, from_start, &again);
		if (!same(&r, &again))
			abort();
	}
	return 0;
}
