/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/x86_classes.h"

#include <capstone/capstone.h>

#include "decode/perf_regs.h"
#include "decode/x86_parts.h"

static bool only_reads(unsigned id)
{
	switch (id) {
	case X86_INS_CMP:
	case X86_INS_TEST:
	case X86_INS_BT:
	case X86_INS_PUSH:
	case X86_INS_CALL:
	case X86_INS_LCALL:
	case X86_INS_JMP:
	case X86_INS_LJMP:
	case X86_INS_MUL:
	case X86_INS_DIV:
	case X86_INS_IDIV:
	case X86_INS_CMPSB:
	case X86_INS_CMPSW:
	case X86_INS_CMPSQ:
	case X86_INS_SCASB:
	case X86_INS_SCASW:
	case X86_INS_SCASD:
	case X86_INS_SCASQ:
	case X86_INS_LDMXCSR:
	case X86_INS_VLDMXCSR:
	case X86_INS_FXRSTOR:
	case X86_INS_FXRSTOR64:
	case X86_INS_XRSTOR:
	case X86_INS_XRSTOR64:
	case X86_INS_LGDT:
	case X86_INS_LIDT:
	case X86_INS_LLDT:
	case X86_INS_LMSW:
	case X86_INS_LTR:
	case X86_INS_VERR:
	case X86_INS_VERW:
		return true;
	default:
		return false;
	}
}

static bool x87_reads(unsigned id)
{
	switch (id) {
	case X86_INS_FLD:
	case X86_INS_FILD:
	case X86_INS_FBLD:
	case X86_INS_FADD:
	case X86_INS_FIADD:
	case X86_INS_FSUB:
	case X86_INS_FISUB:
	case X86_INS_FSUBR:
	case X86_INS_FISUBR:
	case X86_INS_FMUL:
	case X86_INS_FIMUL:
	case X86_INS_FDIV:
	case X86_INS_FIDIV:
	case X86_INS_FDIVR:
	case X86_INS_FIDIVR:
	case X86_INS_FCOM:
	case X86_INS_FCOMP:
	case X86_INS_FICOM:
	case X86_INS_FICOMP:
	case X86_INS_FLDCW:
	case X86_INS_FLDENV:
	case X86_INS_FRSTOR:
		return true;
	default:
		return false;
	}
}

static bool reads_destination(unsigned id)
{
	switch (id) {
	case X86_INS_ADD:
	case X86_INS_ADC:
	case X86_INS_SUB:
	case X86_INS_SBB:
	case X86_INS_AND:
	case X86_INS_OR:
	case X86_INS_XOR:
	case X86_INS_INC:
	case X86_INS_DEC:
	case X86_INS_NEG:
	case X86_INS_NOT:
	case X86_INS_SHL:
	case X86_INS_SAL:
	case X86_INS_SHR:
	case X86_INS_SAR:
	case X86_INS_ROL:
	case X86_INS_ROR:
	case X86_INS_RCL:
	case X86_INS_RCR:
	case X86_INS_SHLD:
	case X86_INS_SHRD:
	case X86_INS_BTS:
	case X86_INS_BTR:
	case X86_INS_BTC:
	case X86_INS_XADD:
	case X86_INS_XCHG:
	case X86_INS_CMPXCHG:
	case X86_INS_CMPXCHG8B:
	case X86_INS_CMPXCHG16B:
		return true;
	default:
		return false;
	}
}

enum x86_class x86_class(unsigned id)
{
	switch (id) {
	case X86_INS_LEA:
	case X86_INS_NOP:
	case X86_INS_CLFLUSH:
	case X86_INS_CLFLUSHOPT:
	case X86_INS_CLWB:
	case X86_INS_INVLPG:
		return CLASS_NO_ACCESS;
	default:
		break;
	}
	if (only_reads(id) || x87_reads(id))
		return CLASS_READS;
	return reads_destination(id) ? CLASS_UPDATES : CLASS_WRITES;
}

enum x86_stack x86_stack_use(unsigned id)
{
	switch (id) {
	case X86_INS_PUSH:
	case X86_INS_PUSHF:
	case X86_INS_PUSHFQ:
		return STACK_PUSH;
	case X86_INS_POP:
	case X86_INS_POPF:
	case X86_INS_POPFQ:
		return STACK_POP;
	case X86_INS_CALL:
		return STACK_CALL;
	case X86_INS_RET:
		return STACK_RETURN;
	case X86_INS_LEAVE:
		return STACK_LEAVE;
	default:
		return STACK_NONE;
	}
}

bool x86_is_bit(unsigned id)
{
	return id == X86_INS_BT || id == X86_INS_BTS || id == X86_INS_BTR || id == X86_INS_BTC;
}

bool x86_is_string(unsigned id)
{
	switch (id) {
	case X86_INS_LODSB:
	case X86_INS_LODSW:
	case X86_INS_LODSD:
	case X86_INS_LODSQ:
	case X86_INS_STOSB:
	case X86_INS_STOSW:
	case X86_INS_STOSD:
	case X86_INS_STOSQ:
	case X86_INS_MOVSB:
	case X86_INS_MOVSW:
	case X86_INS_MOVSQ:
	case X86_INS_CMPSB:
	case X86_INS_CMPSW:
	case X86_INS_CMPSQ:
	case X86_INS_SCASB:
	case X86_INS_SCASW:
	case X86_INS_SCASD:
	case X86_INS_SCASQ:
		return true;
	default:
		return false;
	}
}

bool x86_bytes_vary(unsigned id)
{
	switch (id) {
	case X86_INS_VMASKMOVPS:
	case X86_INS_VMASKMOVPD:
	case X86_INS_VPMASKMOVD:
	case X86_INS_VPMASKMOVQ:
	case X86_INS_XSAVE:
	case X86_INS_XSAVE64:
	case X86_INS_XSAVEC:
	case X86_INS_XSAVEC64:
	case X86_INS_XSAVEOPT:
	case X86_INS_XSAVEOPT64:
	case X86_INS_XRSTOR:
	case X86_INS_XRSTOR64:
	case X86_INS_FXSAVE:
	case X86_INS_FXSAVE64:
	case X86_INS_FXRSTOR:
	case X86_INS_FXRSTOR64:
	case X86_INS_FNSAVE:
	case X86_INS_FRSTOR:
	case X86_INS_FNSTENV:
	case X86_INS_FLDENV:
	case X86_INS_LFS:
	case X86_INS_LGS:
	case X86_INS_LSS:
		return true;
	default:
		return false;
	}
}

unsigned x86_bytes(unsigned id)
{
	switch (id) {
	case X86_INS_FNSTSW:
		return 2;
	case X86_INS_COMISS:
	case X86_INS_UCOMISS:
	case X86_INS_VCOMISS:
	case X86_INS_VUCOMISS:
		return 4;
	case X86_INS_COMISD:
	case X86_INS_UCOMISD:
	case X86_INS_VCOMISD:
	case X86_INS_VUCOMISD:
		return 8;
	default:
		return 0;
	}
}

int x86_written_operands(unsigned id)
{
	if (id == X86_INS_XCHG || id == X86_INS_XADD || id == X86_INS_MULX)
		return 2;
	return x86_class(id) == CLASS_READS ? 0 : 1;
}

/* The same as x86_hidden_writes(), of instructions that write vector registers. */
static uint64_t hidden_vectors(unsigned id)
{
	switch (id) {
	case X86_INS_PCMPESTRM:
	case X86_INS_PCMPISTRM:
	case X86_INS_VPCMPESTRM:
	case X86_INS_VPCMPISTRM:
		return BIT(INSN_VECTOR) | BIT(REG_X86_FLAGS);
	case X86_INS_VZEROALL:
	case X86_INS_FXRSTOR:
	case X86_INS_FXRSTOR64:
	case X86_INS_XRSTOR:
	case X86_INS_XRSTOR64:
	case X86_INS_XRSTORS:
	case X86_INS_XRSTORS64:
		return ALL_VECTORS;
	default:
		return 0;
	}
}

uint64_t x86_hidden_writes(unsigned id)
{
	const uint64_t abcd = BIT(REG_X86_AX) | BIT(REG_X86_BX) | BIT(REG_X86_CX) | BIT(REG_X86_DX);

	switch (id) {
	/* the kernel returns the result in ax; the CPU stores rip in cx and rflags in r11 */
	case X86_INS_SYSCALL:
		return BIT(REG_X86_AX) | BIT(REG_X86_CX) | BIT(REG_X86_R11);
	case X86_INS_CPUID:
	case X86_INS_RDTSC:
	case X86_INS_RDTSCP:
	case X86_INS_RDPMC:
	case X86_INS_RDMSR:
	case X86_INS_XGETBV:
	case X86_INS_VMCALL:
	case X86_INS_VMMCALL:
		return abcd;
	case X86_INS_CMPXCHG8B:
	case X86_INS_CMPXCHG16B:
		return abcd | BIT(REG_X86_FLAGS);
	case X86_INS_PCMPESTRI:
	case X86_INS_PCMPISTRI:
	case X86_INS_VPCMPESTRI:
	case X86_INS_VPCMPISTRI:
		return BIT(REG_X86_CX);
	case X86_INS_CMPXCHG:
		return BIT(REG_X86_AX) | BIT(REG_X86_FLAGS);
	case X86_INS_XADD:
	case X86_INS_LSL:
	case X86_INS_LAR:
	case X86_INS_VERR:
	case X86_INS_VERW:
		return BIT(REG_X86_FLAGS);
	case X86_INS_XLATB:
	case X86_INS_LAHF:
		return BIT(REG_X86_AX);
	case X86_INS_PUSH:
	case X86_INS_PUSHF:
	case X86_INS_PUSHFQ:
	case X86_INS_POP:
	case X86_INS_POPF:
	case X86_INS_POPFQ:
		return BIT(REG_X86_SP);
	case X86_INS_LEAVE:
	case X86_INS_ENTER:
		return BIT(REG_X86_SP) | BIT(REG_X86_BP);
	default:
		return hidden_vectors(id);
	}
}
