/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the DWARF expressions of unwind rules into operations, which cfi_eval.c executes. Only the
 * operations in the table below are known. If an expression contains any other operation, the
 * entire row of rules is unknown.
 */
#include <dwarf.h>

#include "symbol/cfi_program.h"
#include "symbol/leb.h"

/* The kinds of operands that an operation has. */
enum operands {
	UNKNOWN, /* the operation is not known */
	NONE,
	U8,
	S8,
	U16,
	S16,
	U32,
	S32,
	WORD,
	ULEB,
	SLEB,
	ULEB_SLEB,
};

static const uint8_t operands[256] = {
	[DW_OP_addr] = WORD,
	[DW_OP_deref] = NONE,
	[DW_OP_const1u] = U8,
	[DW_OP_const1s] = S8,
	[DW_OP_const2u] = U16,
	[DW_OP_const2s] = S16,
	[DW_OP_const4u] = U32,
	[DW_OP_const4s] = S32,
	[DW_OP_const8u] = WORD,
	[DW_OP_const8s] = WORD,
	[DW_OP_constu] = ULEB,
	[DW_OP_consts] = SLEB,
	[DW_OP_dup... DW_OP_over] = NONE,
	[DW_OP_pick] = U8,
	[DW_OP_swap... DW_OP_plus] = NONE,
	[DW_OP_plus_uconst] = ULEB,
	[DW_OP_shl... DW_OP_xor] = NONE,
	[DW_OP_bra] = S16,
	[DW_OP_eq... DW_OP_ne] = NONE,
	[DW_OP_skip] = S16,
	[DW_OP_lit0... DW_OP_reg31] = NONE,
	[DW_OP_breg0... DW_OP_breg31] = SLEB,
	[DW_OP_regx] = ULEB,
	[DW_OP_bregx] = ULEB_SLEB,
	[DW_OP_deref_size] = U8,
	[DW_OP_nop] = NONE,
	[DW_OP_call_frame_cfa] = NONE,
	[DW_OP_stack_value] = NONE,
};

static uint64_t read_operand(struct cursor *c, enum operands kind)
{
	switch (kind) {
	case U8:
		return cursor_u8(c);
	case S8:
		return (uint64_t)(int8_t)cursor_u8(c);
	case U16:
		return cursor_u16(c);
	case S16:
		return (uint64_t)(int16_t)cursor_u16(c);
	case U32:
		return cursor_u32(c);
	case S32:
		return (uint64_t)(int32_t)cursor_u32(c);
	case WORD:
		return cursor_u64(c);
	case ULEB:
	case ULEB_SLEB:
		return leb_unsigned(c);
	case SLEB:
		return (uint64_t)leb_signed(c);
	default:
		return 0;
	}
}

/* Zeroes the padding of the operation, because equal rows are found by comparing bytes. */
bool cfi_add_op(struct cfi_draft *d, struct cfi_rule *rule, struct cfi_op op)
{
	struct cfi_op *out = &d->ops[d->row.nops];

	if (d->row.nops == CFI_MAX_OPS || rule->n == UINT8_MAX)
		return false;
	memset(out, 0, sizeof(*out));
	out->atom = op.atom;
	out->number = op.number;
	out->number2 = op.number2;
	out->offset = op.offset;
	d->row.nops++;
	rule->n++;
	return true;
}

bool cfi_expression(struct cfi_draft *d, struct cfi_rule *rule, const uint8_t *p, size_t n,
		    uint64_t *work)
{
	struct cursor c = cursor_make(p, n, false);

	while (cursor_left(&c)) {
		struct cfi_op op = { .offset = (uint32_t)(c.p - p), .atom = cursor_u8(&c) };
		enum operands kind = operands[op.atom];

		op.number = read_operand(&c, kind);
		if (kind == ULEB_SLEB)
			op.number2 = (uint64_t)leb_signed(&c);
		if (kind == UNKNOWN || c.failed || !*work || !cfi_add_op(d, rule, op))
			return false;
		--*work;
	}
	return true;
}
