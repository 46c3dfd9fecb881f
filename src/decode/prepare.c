/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/prepare.h"

#include <stdlib.h>

enum { TABLE_MOST = 64 << 10 }; /* bytes; more than Capstone's tables have */

int prepare_handle(enum dec_arch arch, csh handle, cs_insn *insn, struct md_err *err)
{
	static const uint8_t x86_nop[] = { 0x90 }, arm_nop[] = { 0x1f, 0x20, 0x03, 0xd5 };
	const uint8_t *code = arch == DEC_X86_64 ? x86_nop : arm_nop;
	size_t bytes = arch == DEC_X86_64 ? sizeof(x86_nop) : sizeof(arm_nop);
	void *volatile room = malloc(TABLE_MOST); /* volatile, so that the call is not removed */
	uint64_t vaddr = 0;

	if (!room)
		return md_nomem(err);
	free(room);
	cs_disasm_iter(handle, &code, &bytes, &vaddr, insn);
	return 0;
}
