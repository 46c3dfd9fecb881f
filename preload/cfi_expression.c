/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluates the DWARF expressions of unwind rules that compilers write: the expression for the code
 * of the PLT, and a CFA at a constant distance from a register. The result of any other expression
 * is FORM_LOST. If it is for the CFA or the return address, the walk ends at that frame.
 */
#include "cfi_program.h"
#include "cfi_read.h"

/* Combines two values. Every operation can combine two constants. Only addition can combine a
 * register (a) and a constant (b). Sets *failed in other cases. */
static struct value combine_values(unsigned op, struct value a, struct value b, bool *failed)
{
	struct value v = { .form = FORM_CONST };
	uint64_t x = (uint64_t)a.off;
	uint64_t y = (uint64_t)b.off;
	bool constants = a.form == FORM_CONST && b.form == FORM_CONST;

	switch (op) {
	case 0x1a: /* DW_OP_and */
		v.off = (int64_t)(x & y);
		break;
	case 0x1c: /* DW_OP_minus */
		v.off = (int64_t)(x - y);
		break;
	case 0x22: /* DW_OP_plus */
		v.off = (int64_t)(x + y);
		if (a.form == FORM_REG && b.form == FORM_CONST) {
			v.form = FORM_REG;
			v.reg = a.reg;
			constants = true;
		}
		break;
	case 0x24: /* DW_OP_shl */
		v.off = y < 64 ? (int64_t)(x << y) : 0;
		break;
	default: /* DW_OP_ge */
		v.off = a.off >= b.off;
		break;
	}
	*failed |= !constants;
	return v;
}

/* Evaluates an operation that pushes a value without popping any value. Sets *failed for other
 * operations. */
static struct value read_operand(unsigned op, struct cursor *c, const struct cfi_run *r,
				 bool *failed)
{
	struct value v = { .form = FORM_CONST };

	if (op >= 0x30 && op <= 0x4f) { /* DW_OP_lit0.. */
		v.off = op - 0x30;
	} else if (op >= 0x70 && op <= 0x8f) { /* DW_OP_breg0.. */
		v.off = read_sleb(c);
		v.reg = (uint8_t)(op - 0x70);
		if (v.reg == r->machine->pc)
			v.off = (int64_t)((uint64_t)v.off + r->pc);
		else
			v.form = FORM_REG;
	} else if (op == 0x08 || op == 0x09) { /* DW_OP_const1u, const1s */
		v.off = op == 0x08 ? cursor_u8(c) : (int8_t)cursor_u8(c);
	} else if (op == 0x0a || op == 0x0b) { /* DW_OP_const2u, const2s */
		v.off = op == 0x0a ? cursor_u16(c) : (int16_t)cursor_u16(c);
	} else {
		*failed = true;
	}
	return v;
}

struct value cfi_expression(const struct cfi_run *r, struct cursor *c)
{
	struct value stack[4];
	unsigned n = 0;
	bool failed = false;
	uint64_t len = read_uleb(c);
	struct cursor ops = cursor_range(c, c->p, 0, len);

	cursor_skip(c, len);
	while (cursor_left(&ops) && !failed) {
		unsigned op = cursor_u8(&ops);

		if (op == 0x06) { /* DW_OP_deref */
			failed = !n || stack[n - 1].form != FORM_REG;
			if (!failed)
				stack[n - 1].form = FORM_DEREF;
		} else if (op == 0x1a || op == 0x1c || op == 0x22 || op == 0x24 || op == 0x2a) {
			failed = n < 2;
			if (!failed)
				stack[n - 2] =
					combine_values(op, stack[n - 2], stack[n - 1], &failed);
			n--;
		} else if (op == 0x23) { /* DW_OP_plus_uconst */
			failed = !n || stack[n - 1].form == FORM_DEREF;
			if (!failed)
				stack[n - 1].off += (int64_t)(read_uleb(&ops) & INT32_MAX);
		} else {
			failed = n == 4;
			if (!failed)
				stack[n++] = read_operand(op, &ops, r, &failed);
		}
	}
	if (failed || ops.failed || n != 1)
		return (struct value){ .form = FORM_LOST };
	return stack[0];
}
