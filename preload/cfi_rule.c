/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packs a row of unwind rules into the 64 bits of a cache entry. If the CFA or the return address
 * does not fit, the rule is CFI_NONE. Code with such rows is rare, and a walk ends there. If the
 * place of another register does not fit, it becomes CFI_LOST.
 */
#include "cfi_program.h"

static int base_of(const struct cfi_machine *m, uint8_t reg)
{
	if (reg == m->sp)
		return CFI_SP;
	if (reg == m->fp)
		return CFI_FP;
	return reg == m->aux ? CFI_AUX : -1;
}

/* Finds where a register is saved. *place is the distance from the CFA in units of 8 bytes; with
 * from_base, the distance from the register from which the CFA is computed. *place is CFI_KEPT if
 * the register is unchanged, and CFI_LOST if its value is unknown. Returns false if the distance
 * cannot be expressed; *place is then CFI_LOST, too. */
static bool saved_place(const struct row *row, enum tracked t, bool from_base, int *place)
{
	const struct place *p = &row->saved[t];
	int64_t off = p->off;

	*place = p->form == FORM_KEPT ? CFI_KEPT : CFI_LOST;
	if (p->form != FORM_CFA && (p->form != FORM_REG || p->reg != row->cfa.reg))
		return true;
	if ((p->form == FORM_REG) != from_base) {
		if (row->cfa.form != FORM_REG)
			return false;
		off += from_base ? row->cfa.off : -(int64_t)row->cfa.off;
	}
	if (off % 8 || off / 8 <= CFI_LOST || off / 8 >= CFI_KEPT)
		return false;
	*place = (int)(off / 8);
	return true;
}

/* Sets where fp and aux are saved. Both must be relative to the CFA or both relative to the base
 * register, because one flag (regs_at_base) decides for both. */
static void set_places(struct cfi_rule *rule, const struct row *row, enum tracked aux)
{
	int fp, more, near_fp, near_more;
	bool said = saved_place(row, T_FP, false, &fp);

	said = saved_place(row, aux, false, &more) && said;
	if (!said && saved_place(row, T_FP, true, &near_fp) &&
	    saved_place(row, aux, true, &near_more)) {
		rule->regs_at_base = 1;
		fp = near_fp;
		more = near_more;
	}
	rule->fp = fp;
	rule->aux = more;
}

/* Sets where the return address is. Returns false if the rule cannot express it. */
static bool set_return_address(struct cfi_rule *rule, const struct cfi_machine *m,
			       const struct row *row)
{
	const struct place *ra = &row->saved[T_RA];

	if (m->ra == m->aux)
		/* The return address is in the register aux (x30), whose own rule already defines
		 * where it is saved. */
		return true;
	if (ra->form == FORM_CFA)
		return ra->off == -8;
	rule->ra_at_base = 1;
	return ra->form == FORM_REG && ra->reg == row->cfa.reg && ra->off == row->cfa.off + 8;
}

struct cfi_rule cfi_rule_of(const struct cfi_machine *m, const struct row *row, bool signal)
{
	struct cfi_rule rule = { .kind = CFI_FRAME, .signal = signal };
	int base = base_of(m, row->cfa.reg);

	if (row->saved[T_RA].form == FORM_LOST)
		return (struct cfi_rule){ .kind = CFI_OUTERMOST };
	if ((row->cfa.form != FORM_REG && row->cfa.form != FORM_DEREF) || base < 0 ||
	    row->cfa.off >= 1 << 27 || row->cfa.off < -(1 << 27) ||
	    !set_return_address(&rule, m, row))
		return (struct cfi_rule){ .kind = CFI_NONE };
	rule.base = (unsigned)base;
	rule.deref = row->cfa.form == FORM_DEREF;
	rule.off = row->cfa.off;
	set_places(&rule, row, m->ra == m->aux ? T_RA : T_AUX);
	return rule;
}
