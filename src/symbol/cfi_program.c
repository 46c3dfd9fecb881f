/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/cfi_program.h"

#include <dwarf.h>
#include <elf.h>
#include <stdlib.h>

#include "symbol/leb.h"

enum {
	/* maximum number of rows on the stack of DW_CFA_remember_state; compilers use one */
	MAX_REMEMBERED = 16,
	/* offset of operations that are not in an expression, so that no branch can jump to them */
	NO_OFFSET = -1,
};

/* The kinds of rules in DWARF 5, 6.4.1. */
enum kind {
	UNDEFINED,
	SAME,
	AT,       /* saved in memory at CFA + `value` */
	SUM,      /* the caller's value is CFA + `value` */
	REGISTER, /* saved in register `reg`; for the CFA: the CFA is `reg` + `value` */
	PLACE,    /* saved in memory at the address that the expression yields */
	VALUE,    /* the caller's value is what the expression yields */
};

struct place {
	uint8_t kind;
	uint32_t n;
	uint64_t reg, value;
	const uint8_t *expression; /* n bytes; borrowed from the file */
};

struct state {
	struct place cfa, regs[CFI_REGISTERS];
};

struct run {
	const struct cfi_table *t;
	const struct cfi_common *common;
	unsigned nregisters;
	uint64_t at, vaddr; /* address of the current row, and the requested address */
	struct state now, initial;
	struct state remembered[MAX_REMEMBERED];
	unsigned depth;
	uint64_t *work;
	bool failed;
};

/*
 * Sets the rule of a register. Rules of registers that memdb does not track, such as vector
 * registers, are ignored: no address is computed from them.
 */
static void set_rule(struct run *r, uint64_t reg, struct place p)
{
	if (reg < r->nregisters)
		r->now.regs[reg] = p;
}

static uint64_t scale_data(const struct run *r, uint64_t factored)
{
	return factored * (uint64_t)r->common->data_align;
}

static struct place read_expression(struct cursor *c, enum kind kind)
{
	uint64_t n = leb_unsigned(c);
	const uint8_t *p = cursor_bytes(c, n);

	return (struct place){ .kind = (uint8_t)kind, .n = p ? (uint32_t)n : 0, .expression = p };
}

/* Called when an instruction moves on to the address `to`. The rules so far apply to all addresses
 * below `to`. If r->vaddr is one of them, these rules are the answer, and the rest of the program
 * is skipped. */
static void advance_to(struct run *r, struct cursor *c, uint64_t to)
{
	r->at = to;
	if (to > r->vaddr)
		c->p = c->end;
}

static void advance_by(struct run *r, struct cursor *c, uint64_t delta)
{
	advance_to(r, c, r->at + delta * r->common->code_align);
}

static void restore_register(struct run *r, uint64_t reg)
{
	if (reg < r->nregisters)
		r->now.regs[reg] = r->initial.regs[reg];
}

static void remember_state(struct run *r)
{
	if (r->depth == MAX_REMEMBERED)
		r->failed = true;
	else
		r->remembered[r->depth++] = r->now;
}

static void restore_state(struct run *r)
{
	if (!r->depth)
		r->failed = true;
	else
		r->now = r->remembered[--r->depth];
}

/*
 * Executes an instruction that changes the rule of the CFA. An instruction that changes only the
 * register or only the offset is valid only if the CFA is register + offset.
 */
static void run_cfa(struct run *r, struct cursor *c, uint8_t op)
{
	struct place *cfa = &r->now.cfa;

	if (op == DW_CFA_def_cfa_expression) {
		*cfa = read_expression(c, VALUE);
		return;
	}
	if (op == DW_CFA_def_cfa || op == DW_CFA_def_cfa_sf)
		*cfa = (struct place){ .kind = REGISTER, .reg = leb_unsigned(c) };
	r->failed |= cfa->kind != REGISTER;
	if (op == DW_CFA_def_cfa_register)
		cfa->reg = leb_unsigned(c);
	else if (op == DW_CFA_def_cfa || op == DW_CFA_def_cfa_offset)
		cfa->value = leb_unsigned(c);
	else if (op == DW_CFA_def_cfa_sf || op == DW_CFA_def_cfa_offset_sf)
		cfa->value = scale_data(r, (uint64_t)leb_signed(c));
	else
		r->failed = true;
}

/* Executes an instruction that sets the rule of one register. The register's number is its first
 * operand. */
static void run_register(struct run *r, struct cursor *c, uint8_t op)
{
	uint64_t reg = leb_unsigned(c);

	switch (op) {
	case DW_CFA_undefined:
		set_rule(r, reg, (struct place){ .kind = UNDEFINED });
		break;
	case DW_CFA_same_value:
		set_rule(r, reg, (struct place){ .kind = SAME });
		break;
	case DW_CFA_restore_extended:
		restore_register(r, reg);
		break;
	case DW_CFA_register:
		set_rule(r, reg, (struct place){ .kind = REGISTER, .reg = leb_unsigned(c) });
		break;
	case DW_CFA_offset_extended:
		set_rule(r, reg,
			 (struct place){ .kind = AT, .value = scale_data(r, leb_unsigned(c)) });
		break;
	case DW_CFA_val_offset:
		set_rule(r, reg,
			 (struct place){ .kind = SUM, .value = scale_data(r, leb_unsigned(c)) });
		break;
	case DW_CFA_GNU_negative_offset_extended:
		set_rule(r, reg,
			 (struct place){ .kind = AT, .value = 0 - scale_data(r, leb_unsigned(c)) });
		break;
	case DW_CFA_offset_extended_sf:
	case DW_CFA_val_offset_sf:
		set_rule(r, reg,
			 (struct place){ .kind = op == DW_CFA_val_offset_sf ? SUM : AT,
					 .value = scale_data(r, (uint64_t)leb_signed(c)) });
		break;
	default:
		set_rule(r, reg, read_expression(c, op == DW_CFA_expression ? PLACE : VALUE));
	}
}

static void run_extended(struct run *r, struct cursor *c, uint8_t op)
{
	switch (op) {
	case DW_CFA_nop:
	/* on AArch64, this number is DW_CFA_AARCH64_negate_ra_state: from here on the return
	 * address is signed, or no longer signed. Nothing is stored, because unwind.c removes the
	 * signature from each return address */
	case DW_CFA_GNU_window_save:
		break;
	case DW_CFA_set_loc:
		advance_to(r, c, cfi_pointer(r->t, c, r->common->encoding));
		break;
	case DW_CFA_advance_loc1:
		advance_by(r, c, cursor_u8(c));
		break;
	case DW_CFA_advance_loc2:
		advance_by(r, c, cursor_u16(c));
		break;
	case DW_CFA_advance_loc4:
		advance_by(r, c, cursor_u32(c));
		break;
	case DW_CFA_remember_state:
		remember_state(r);
		break;
	case DW_CFA_restore_state:
		restore_state(r);
		break;
	case DW_CFA_GNU_args_size:
		leb_unsigned(c);
		break;
	case DW_CFA_offset_extended:
	case DW_CFA_restore_extended:
	case DW_CFA_undefined:
	case DW_CFA_same_value:
	case DW_CFA_register:
	case DW_CFA_expression:
	case DW_CFA_offset_extended_sf:
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
	case DW_CFA_val_expression:
	case DW_CFA_GNU_negative_offset_extended:
		run_register(r, c, op);
		break;
	default:
		run_cfa(r, c, op);
	}
}

static bool run_program(struct run *r, struct cursor c)
{
	while (cursor_left(&c) && !r->failed && *r->work) {
		uint8_t op = cursor_u8(&c), low = op & 0x3f;

		--*r->work;
		switch (op & 0xc0) {
		case DW_CFA_advance_loc:
			advance_by(r, &c, low);
			break;
		case DW_CFA_offset:
			set_rule(r, low,
				 (struct place){ .kind = AT,
						 .value = scale_data(r, leb_unsigned(&c)) });
			break;
		case DW_CFA_restore:
			restore_register(r, low);
			break;
		default:
			run_extended(r, &c, op);
		}
	}
	return !r->failed && !c.failed && *r->work;
}

/*
 * Sets the rules before the first instruction, according to the calling convention: callee-saved
 * registers keep their values, and the CFA is the caller's stack pointer.
 */
static void by_convention(struct run *r, uint16_t machine)
{
	static const uint8_t x86_64[] = { 3, 6, 12, 13, 14, 15 };
	const unsigned sp = machine == EM_X86_64 ? 7 : 31;

	for (size_t i = 0; machine == EM_X86_64 && i < sizeof(x86_64); i++)
		r->now.regs[x86_64[i]].kind = SAME;
	for (size_t i = 19; machine == EM_AARCH64 && i <= 30; i++)
		r->now.regs[i].kind = SAME;
	r->now.regs[sp].kind = SUM;
}

/* Converts the rule p of register `reg` into operations, and adds it to the row d->row. Returns
 * false if there is no room or if cfi_expression() fails. */
static bool add_rule(const struct run *r, const struct place *p, uint8_t reg, struct cfi_draft *d)
{
	struct cfi_rule *rule = &d->row.rules[d->row.nrules];
	const struct cfi_op cfa = { .atom = DW_OP_call_frame_cfa, .offset = (uint32_t)NO_OFFSET };
	struct cfi_op op = { .number = p->value, .offset = (uint32_t)NO_OFFSET };
	bool ok = true;

	*rule = (struct cfi_rule){ .reg = reg, .first = d->row.nops };
	if (p->kind == REGISTER) {
		op.atom = DW_OP_regx;
		op.number = p->reg;
		return cfi_add_op(d, rule, op);
	}
	ok = cfi_add_op(d, rule, cfa);
	if (p->kind == PLACE || p->kind == VALUE)
		ok = ok && cfi_expression(d, rule, p->expression, p->n, r->work);
	op.atom = DW_OP_plus_uconst;
	if (p->kind == AT || p->kind == SUM)
		ok = ok && cfi_add_op(d, rule, op);
	op.atom = DW_OP_stack_value;
	op.number = 0;
	if (p->kind == SUM || p->kind == VALUE)
		ok = ok && cfi_add_op(d, rule, op);
	return ok;
}

/* Converts the rule of the CFA, which becomes rules[0]. Returns false for the same reasons as
 * add_rule(). */
static bool add_cfa(const struct run *r, struct cfi_draft *d)
{
	const struct place *cfa = &r->now.cfa;
	struct cfi_op op = { .atom = DW_OP_bregx,
			     .number = cfa->reg,
			     .number2 = cfa->value,
			     .offset = (uint32_t)NO_OFFSET };

	if (cfa->kind == REGISTER)
		return cfi_add_op(d, &d->row.rules[0], op);
	return cfa->kind == VALUE && cfa->n &&
	       cfi_expression(d, &d->row.rules[0], cfa->expression, cfa->n, r->work);
}

static bool write_row(const struct run *r, struct cfi_draft *d)
{
	/* zeroes the padding, too, because equal rows are found by comparing bytes */
	memset(&d->row, 0, sizeof(d->row));
	d->row.ra = (uint8_t)r->common->ra;
	d->row.signal = r->common->signal;
	if (!add_cfa(r, d))
		return false;
	for (unsigned reg = 0; reg < r->nregisters; reg++) {
		const struct place *p = &r->now.regs[reg];

		if (p->kind == UNDEFINED) {
			d->row.undefined |= (uint64_t)1 << reg;
		} else if (p->kind != SAME) {
			d->row.nrules++;
			if (!add_rule(r, p, (uint8_t)reg, d))
				return false;
		}
	}
	return true;
}

static void begin_run(struct run *r, const struct cfi_table *t, const struct cfi_entry *e,
		      uint16_t machine, uint64_t vaddr, uint64_t *work)
{
	memset(r, 0, offsetof(struct run, remembered));
	r->t = t;
	r->common = &e->common;
	r->nregisters = machine == EM_X86_64 ? 17 : 32;
	r->at = e->lo;
	r->vaddr = vaddr;
	r->work = work;
	r->depth = 0;
	r->failed = e->common.ra >= r->nregisters;
	by_convention(r, machine);
}

bool cfi_program_row(const struct cfi_table *t, const struct cfi_entry *e, uint16_t machine,
		     uint64_t vaddr, uint64_t *work, struct cfi_draft *out)
{
	struct run *r = malloc(sizeof(*r)); /* not on the stack: it takes 20 KiB */
	bool found = false;

	if (!r)
		return false;
	begin_run(r, t, e, machine, vaddr, work);
	if (run_program(r, e->common.program)) {
		r->at = e->lo;
		r->initial = r->now;
		found = run_program(r, e->program) && write_row(r, out);
	}
	free(r);
	return found;
}
