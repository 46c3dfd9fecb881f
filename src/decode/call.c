/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out from the bytes before an address whether a call may return there. */
#include <string.h>

#include "decode/decode.h"
#include "decode/insn.h"
#include "decode/x86.h"

enum {
	DIRECT_CALL = 0xe8, /* opcode of x86-64; 32 bits of distance follow */
	GROUP5 = 0xff,      /* opcode of x86-64; bits 3 to 5 of the next byte are the operation */
	CALL_OPERATION = 2,
	INDIRECT_LEAST = 2, /* bytes of an indirect call without prefixes */
	INDIRECT_MOST = 7,
};

/* Returns the length in bytes of an indirect call without prefixes, whose second byte is `modrm`
 * and whose third one is `sib`, if it has one. */
static size_t indirect_length(uint8_t modrm, uint8_t sib)
{
	const unsigned mode = modrm >> 6, rm = modrm & 7;
	const bool has_sib = mode < 3 && rm == 4;
	const bool no_base = mode == 0 && (has_sib ? (sib & 7) == 5 : rm == 5);

	return 2 + has_sib + (mode == 1 ? 1 : mode == 2 || no_base ? 4 : 0);
}

bool x86_direct_call(const uint8_t *code, size_t end, uint64_t back, uint64_t *target)
{
	int32_t distance;

	if (end < X86_CALL_BYTES || code[end - X86_CALL_BYTES] != DIRECT_CALL)
		return false;
	memcpy(&distance, code + end - sizeof(distance), sizeof(distance));
	*target = back + (uint64_t)(int64_t)distance;
	return true;
}

bool x86_ends_in_call(const uint8_t *code, size_t len)
{
	uint64_t target;

	if (x86_direct_call(code, len, 0, &target))
		return true;
	for (size_t n = INDIRECT_LEAST; n <= INDIRECT_MOST && n <= len; n++) {
		const uint8_t *p = code + len - n;

		if (p[0] == GROUP5 && (p[1] >> 3 & 7) == CALL_OPERATION &&
		    indirect_length(p[1], n > 2 ? p[2] : 0) == n)
			return true;
	}
	return false;
}

/* bl, blr, and the forms of blr that authenticate the pointer (blraa, blrabz, …) */
bool arm64_ends_in_call(const uint8_t *code, size_t len)
{
	uint32_t word;

	if (len < sizeof(word))
		return false;
	memcpy(&word, code + len - sizeof(word), sizeof(word));
	return word >> 26 == 0x25 || (word & 0xfefff800) == 0xd63f0800 ||
	       (word & 0xfffffc1f) == 0xd63f0000;
}
