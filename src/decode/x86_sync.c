/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognizes fences, atomic operations, pauses, system calls, and the instructions of loops that
 * wait for a flag.
 */
#include "decode/perf_regs.h"
#include "decode/x86_parts.h"

static bool is_fence(const cs_insn *i)
{
	return i->id == X86_INS_MFENCE || i->id == X86_INS_LFENCE || i->id == X86_INS_SFENCE;
}

static enum insn_sync sync_of(const cs_insn *i, const struct insn *out)
{
	if (i->id == X86_INS_PAUSE)
		return SYNC_PAUSE;
	if (is_fence(i))
		return SYNC_FENCE;
	if (i->id == X86_INS_SYSCALL)
		return SYNC_SYSTEM;
	if (!out->mem.lock || out->access == ACCESS_NONE)
		return SYNC_NONE;
	/* lock orq $0,(%rsp) is used as a fence, not for the atomic update: other threads hardly
	 * ever use the top of this thread's stack */
	return out->access == ACCESS_ADDRESS && out->mem.base == REG_X86_SP ? SYNC_FENCE
									    : SYNC_ATOMIC;
}

static bool is_plain(const cs_insn *i)
{
	switch (i->id) {
	case X86_INS_MOV:
	case X86_INS_MOVZX:
	case X86_INS_MOVSX:
	case X86_INS_MOVSXD:
	case X86_INS_CDQE:
	case X86_INS_LEA:
	case X86_INS_CMP:
	case X86_INS_TEST:
	case X86_INS_AND:
	case X86_INS_OR:
	case X86_INS_XOR:
	case X86_INS_ADD:
	case X86_INS_SUB:
	case X86_INS_INC:
	case X86_INS_DEC:
	case X86_INS_SHL:
	case X86_INS_SHR:
	case X86_INS_SAR:
	case X86_INS_NEG:
	case X86_INS_NOT:
	case X86_INS_NOP:
		return true;
	default:
		return is_fence(i);
	}
}

void x86_find_sync(const cs_insn *i, struct insn *out)
{
	out->sync = sync_of(i, out);
	out->plain = is_plain(i);
}
