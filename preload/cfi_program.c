/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/count.h"
#include "cfi_program.h"
#include "cfi_read.h"

static int tracked_index(const struct cfi_machine *m, uint64_t reg)
{
	if (reg == m->ra)
		return T_RA;
	if (reg == m->fp)
		return T_FP;
	return reg == m->aux ? T_AUX : -1;
}

static struct place make_place(struct cfi_run *r, enum form form, uint64_t reg, int64_t off)
{
	r->failed |= reg > UINT8_MAX || off < INT32_MIN || off > INT32_MAX;
	return (struct place){ .off = (int32_t)off, .form = (uint8_t)form, .reg = (uint8_t)reg };
}

static void set_saved(struct cfi_run *r, uint64_t reg, enum form form, int64_t off)
{
	int i = tracked_index(r->machine, reg);

	if (i >= 0)
		r->row.saved[i] = make_place(r, form, 0, off);
}

static void restore_register(struct cfi_run *r, uint64_t reg)
{
	int i = tracked_index(r->machine, reg);

	if (i >= 0)
		r->row.saved[i] = r->initial.saved[i];
}

static void set_cfa_expression(struct cfi_run *r, struct cursor *c)
{
	struct value v = cfi_expression(r, c);

	r->row.cfa = make_place(r, v.form, v.reg, v.off);
}

/* Sets a register that is saved at the address that an expression yields. DWARF pushes the CFA
 * before it evaluates the expression, but expressions that use the CFA are not supported. */
static void set_saved_expression(struct cfi_run *r, struct cursor *c)
{
	int i = tracked_index(r->machine, read_uleb(c));
	struct value v = cfi_expression(r, c);

	/* For the return address, FORM_LOST means that the frame is the outermost one. An
	 * unsupported expression does not mean that, so the program fails. */
	r->failed |= i == T_RA && v.form != FORM_REG;
	if (i >= 0)
		r->row.saved[i] =
			make_place(r, v.form == FORM_REG ? FORM_REG : FORM_LOST, v.reg, v.off);
}

static void remember_state(struct cfi_run *r)
{
	if (r->depth == COUNT_OF(r->remembered))
		r->failed = true;
	else
		r->remembered[r->depth++] = r->row;
}

static void restore_state(struct cfi_run *r)
{
	if (!r->depth)
		r->failed = true;
	else
		r->row = r->remembered[--r->depth];
}

static int64_t scale_data(const struct cfi_run *r, uint64_t factored)
{
	return (int64_t)(factored * (uint64_t)r->data_align);
}

/* Advances to the row of the table that begins `delta` code units later. If that row begins after
 * the wanted address, the current row is the result, and the program stops. */
static void advance_by(struct cfi_run *r, struct cursor *c, uint64_t delta)
{
	r->loc += delta * r->code_align;
	if (r->loc > r->pc)
		c->p = c->end;
}

static void run_cfa_op(struct cfi_run *r, struct cursor *c, unsigned op)
{
	uint64_t reg;

	switch (op) {
	case 0x0c: /* DW_CFA_def_cfa */
		reg = read_uleb(c);
		r->row.cfa = make_place(r, FORM_REG, reg, (int64_t)read_uleb(c));
		break;
	case 0x12: /* DW_CFA_def_cfa_sf */
		reg = read_uleb(c);
		r->row.cfa = make_place(r, FORM_REG, reg, scale_data(r, (uint64_t)read_sleb(c)));
		break;
	case 0x0d: /* DW_CFA_def_cfa_register */
		r->row.cfa = make_place(r, FORM_REG, read_uleb(c), r->row.cfa.off);
		break;
	case 0x13: /* DW_CFA_def_cfa_offset_sf */
		r->row.cfa = make_place(r, FORM_REG, r->row.cfa.reg,
					scale_data(r, (uint64_t)read_sleb(c)));
		break;
	case 0x0f: /* DW_CFA_def_cfa_expression */
		set_cfa_expression(r, c);
		break;
	default:
		r->failed = true;
		break;
	}
}

static void run_register_op(struct cfi_run *r, struct cursor *c, unsigned op)
{
	uint64_t reg;

	switch (op) {
	case 0x05: /* DW_CFA_offset_extended */
		reg = read_uleb(c);
		set_saved(r, reg, FORM_CFA, scale_data(r, read_uleb(c)));
		break;
	case 0x11: /* DW_CFA_offset_extended_sf */
		reg = read_uleb(c);
		set_saved(r, reg, FORM_CFA, scale_data(r, (uint64_t)read_sleb(c)));
		break;
	case 0x06: /* DW_CFA_restore_extended */
		restore_register(r, read_uleb(c));
		break;
	case 0x07: /* DW_CFA_undefined */
		set_saved(r, read_uleb(c), FORM_LOST, 0);
		break;
	case 0x08: /* DW_CFA_same_value */
		set_saved(r, read_uleb(c), FORM_KEPT, 0);
		break;
	/* DW_CFA_register: a register is saved in another one; rules cannot express that */
	case 0x09:
		reg = read_uleb(c);
		(void)read_uleb(c);
		r->failed |= reg == r->machine->ra;
		set_saved(r, reg, FORM_LOST, 0);
		break;
	case 0x10: /* DW_CFA_expression */
		set_saved_expression(r, c);
		break;
	/* DW_CFA_val_offset and DW_CFA_val_offset_sf: compilers do not use them for these
	 * registers */
	case 0x14:
	case 0x15:
		reg = read_uleb(c);
		(void)read_uleb(c);
		r->failed |= reg == r->machine->ra;
		set_saved(r, reg, FORM_LOST, 0);
		break;
	case 0x16: /* DW_CFA_val_expression */
		reg = read_uleb(c);
		(void)cfi_expression(r, c);
		r->failed |= reg == r->machine->ra;
		set_saved(r, reg, FORM_LOST, 0);
		break;
	default:
		run_cfa_op(r, c, op);
		break;
	}
}

static void run_op(struct cfi_run *r, struct cursor *c, unsigned op)
{
	switch (op) {
	case 0x00: /* DW_CFA_nop */
		break;
	case 0x01: /* DW_CFA_set_loc */
		r->loc = read_encoded(c, r->image, r->encoding, 0);
		advance_by(r, c, 0);
		break;
	case 0x02: /* DW_CFA_advance_loc1 */
		advance_by(r, c, cursor_u8(c));
		break;
	case 0x03: /* DW_CFA_advance_loc2 */
		advance_by(r, c, cursor_u16(c));
		break;
	case 0x04: /* DW_CFA_advance_loc4 */
		advance_by(r, c, cursor_u32(c));
		break;
	case 0x0a: /* DW_CFA_remember_state */
		remember_state(r);
		break;
	case 0x0b: /* DW_CFA_restore_state */
		restore_state(r);
		break;
	case 0x2e: /* DW_CFA_GNU_args_size */
		(void)read_uleb(c);
		break;
	case 0x2c: /* DW_CFA_AARCH64_negate_ra_state_with_pc */
	/* DW_CFA_AARCH64_negate_ra_state: the return address is signed from here on. Nothing needs
	 * to be done, because code_address() removes the authentication bits from every return
	 * address. On other machines the operation is an error. */
	case 0x2d:
		r->failed |= r->machine->ra != r->machine->aux;
		break;
	default:
		run_register_op(r, c, op);
		break;
	}
}

/* Runs an operation without an operand in its first byte. Most of them are DW_CFA_def_cfa_offset,
 * so this one is compared first: the jump of a switch is hard to predict. */
static inline void run_plain_op(struct cfi_run *r, struct cursor *c, unsigned op)
{
	if (op == 0x0e) /* DW_CFA_def_cfa_offset */
		r->row.cfa = make_place(r, FORM_REG, r->row.cfa.reg, (int64_t)read_uleb(c));
	else
		run_op(r, c, op);
}

void cfi_run_program(struct cfi_run *r, struct cursor *c)
{
	while (cursor_left(c) && !r->failed) {
		uint8_t byte = cursor_u8(c);
		uint8_t low = byte & 0x3f;

		switch (byte >> 6) {
		case 1: /* DW_CFA_advance_loc */
			advance_by(r, c, low);
			break;
		case 2: /* DW_CFA_offset */
			set_saved(r, low, FORM_CFA, scale_data(r, read_uleb(c)));
			break;
		case 3: /* DW_CFA_restore */
			restore_register(r, low);
			break;
		default:
			run_plain_op(r, c, low);
			break;
		}
	}
	r->failed |= c->failed;
}
