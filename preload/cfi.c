/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The format: DWARF 4 section 6.4 and the Linux Standard Base core specification, chapter 10.6
 * (.eh_frame, .eh_frame_hdr). */
#include "cfi.h"

#include "base/cursor.h"

#include <stdbool.h>

enum { REG_RBX = 3, REG_RBP = 6, REG_RSP = 7, REG_RA = 16 };

enum {
	PE_ABSPTR = 0x00,
	PE_ULEB128 = 0x01,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SLEB128 = 0x09,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_PCREL = 0x10,
	PE_DATAREL = 0x30,
	PE_OMIT = 0xff,
};

/* What a register or address is, as far as known without running the program. */
enum form {
	FORM_KEPT,  /* the register as it is */
	FORM_LOST,  /* not to be told */
	FORM_CFA,   /* saved at the CFA + off */
	FORM_CONST, /* off */
	FORM_REG,   /* reg + off; of a register: saved there */
	FORM_DEREF, /* the word at reg + off */
};

struct value {
	int64_t off;
	uint8_t form; /* enum form */
	uint8_t reg;  /* DWARF number */
};

/* A value as rows keep it: small, because remembered rows lie on the stack of somebody's program.
 */
struct place {
	int32_t off;
	uint8_t form;
	uint8_t reg;
};

enum tracked { T_RBP, T_RBX, T_RA, TRACKED };

/* One row of the table: the CFA, and where the tracked registers are saved. */
struct row {
	struct place cfa;
	struct place saved[TRACKED];
};

struct cie {
	uint64_t code_align;
	int64_t data_align;
	uint8_t fde_encoding;
	bool sized;  /* the FDE has a length of augmentation data ('z') */
	bool signal; /* 'S' */
	struct cursor program;
};

struct run {
	const struct cfi_image *image;
	const struct cie *cie;
	uint64_t loc; /* address of the current row */
	uint64_t pc;  /* the address asked for */
	struct row row;
	struct row initial; /* after the CIE's program */
	struct row remembered[4];
	unsigned depth;
	bool failed;
};

static uint64_t read_uleb(struct cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t b;

	do {
		b = cursor_u8(c);
		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	return v;
}

static int64_t read_sleb(struct cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t b;

	do {
		b = cursor_u8(c);
		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	if (shift < 64 && (b & 0x40))
		v |= ~(uint64_t)0 << shift;
	return (int64_t)v;
}

static uint64_t address_of(const struct cfi_image *image, const uint8_t *p)
{
	return image->address + (uint64_t)(p - image->bytes);
}

static uint64_t read_plain(struct cursor *c, unsigned format)
{
	switch (format) {
	case PE_ABSPTR:
	case PE_UDATA8:
	case PE_SDATA8:
		return cursor_u64(c);
	case PE_ULEB128:
		return read_uleb(c);
	case PE_UDATA2:
		return cursor_u16(c);
	case PE_UDATA4:
		return cursor_u32(c);
	case PE_SLEB128:
		return (uint64_t)read_sleb(c);
	case PE_SDATA2:
		return (uint64_t)(int64_t)(int16_t)cursor_u16(c);
	case PE_SDATA4:
		return (uint64_t)(int64_t)(int32_t)cursor_u32(c);
	default:
		c->failed = true;
		return 0;
	}
}

/* A pointer in one of the DW_EH_PE encodings; datarel ones count from data. Indirect ones fail. */
static uint64_t read_encoded(struct cursor *c, const struct cfi_image *image, unsigned encoding,
			     uint64_t data)
{
	uint64_t at = address_of(image, c->p);
	uint64_t v = read_plain(c, encoding & 0x0f);

	switch (encoding & 0xf0) {
	case 0:
		return v;
	case PE_PCREL:
		return v + at;
	case PE_DATAREL:
		return v + data;
	default:
		c->failed = true;
		return 0;
	}
}

static void skip_pointer(struct cursor *c)
{
	uint8_t encoding = cursor_u8(c);

	if (encoding != PE_OMIT)
		(void)read_plain(c, encoding & 0x0f);
}

/* The body of the CIE or FDE whose length field is at an address: what follows the length. */
static struct cursor entry_at(const struct cfi_image *image, uint64_t address)
{
	struct cursor all = cursor_make(image->bytes, image->size, false);
	struct cursor c = cursor_range(&all, image->bytes, address - image->address,
				       image->size - (address - image->address));
	uint64_t length = cursor_u32(&c);
	struct cursor body;

	if (length == 0xffffffff)
		length = cursor_u64(&c);
	body = cursor_range(&c, c.p, 0, length);
	body.failed |= c.failed || !length; /* length 0 ends the section */
	return body;
}

static void read_augmentation(struct cie *cie, struct cursor *c, const char *letters)
{
	struct cursor data;
	uint64_t len;

	if (*letters != 'z') {
		c->failed |= *letters != 0;
		return;
	}
	cie->sized = true;
	len = read_uleb(c);
	data = cursor_range(c, c->p, 0, len);
	while (*++letters && !data.failed) {
		if (*letters == 'R')
			cie->fde_encoding = cursor_u8(&data);
		else if (*letters == 'L')
			cursor_skip(&data, 1);
		else if (*letters == 'S')
			cie->signal = true;
		else if (*letters == 'P')
			skip_pointer(&data);
		else
			break; /* the length says where the program starts all the same */
	}
	c->failed |= data.failed;
	cursor_skip(c, len);
}

/* Returns whether the bytes at an address are a CIE of x86-64 code. */
static bool read_cie(struct cie *cie, const struct cfi_image *image, uint64_t address)
{
	struct cursor c = entry_at(image, address);
	uint32_t id = cursor_u32(&c);
	uint8_t version = cursor_u8(&c);
	const char *letters = (const char *)c.p;
	uint64_t ra;

	*cie = (struct cie){ .fde_encoding = PE_ABSPTR };
	while (cursor_u8(&c)) {
	}
	if (c.failed || id || (version != 1 && version != 3))
		return false;
	cie->code_align = read_uleb(&c);
	cie->data_align = read_sleb(&c);
	ra = version == 1 ? cursor_u8(&c) : read_uleb(&c);
	read_augmentation(cie, &c, letters);
	cie->program = c;
	return !c.failed && ra == REG_RA;
}

static int tracked_index(uint64_t reg)
{
	switch (reg) {
	case REG_RBP:
		return T_RBP;
	case REG_RBX:
		return T_RBX;
	case REG_RA:
		return T_RA;
	default:
		return -1;
	}
}

static struct place make_place(struct run *r, enum form form, uint64_t reg, int64_t off)
{
	r->failed |= reg > UINT8_MAX || off < INT32_MIN || off > INT32_MAX;
	return (struct place){ .off = (int32_t)off, .form = (uint8_t)form, .reg = (uint8_t)reg };
}

static void set_saved(struct run *r, uint64_t reg, enum form form, int64_t off)
{
	int i = tracked_index(reg);

	if (i >= 0)
		r->row.saved[i] = make_place(r, form, 0, off);
}

static void restore(struct run *r, uint64_t reg)
{
	int i = tracked_index(reg);

	if (i >= 0)
		r->row.saved[i] = r->initial.saved[i];
}

/* Arithmetic of two values; of two constants any, else only register + constant. */
static struct value combine(unsigned op, struct value a, struct value b, bool *failed)
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

/* What one operation that needs no operand from the stack pushes. */
static struct value operand(unsigned op, struct cursor *c, uint64_t pc, bool *failed)
{
	struct value v = { .form = FORM_CONST };

	if (op >= 0x30 && op <= 0x4f) { /* DW_OP_lit0.. */
		v.off = op - 0x30;
	} else if (op >= 0x70 && op <= 0x8f) { /* DW_OP_breg0.. */
		v.off = read_sleb(c);
		v.reg = (uint8_t)(op - 0x70);
		if (v.reg == REG_RA)
			v.off = (int64_t)((uint64_t)v.off + pc);
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

/* The value of an expression whose length and operations come next. */
static struct value expression(struct run *r, struct cursor *c)
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
				stack[n - 2] = combine(op, stack[n - 2], stack[n - 1], &failed);
			n--;
		} else if (op == 0x23) { /* DW_OP_plus_uconst */
			failed = !n || stack[n - 1].form == FORM_DEREF;
			if (!failed)
				stack[n - 1].off += (int64_t)(read_uleb(&ops) & INT32_MAX);
		} else {
			failed = n == 4;
			if (!failed)
				stack[n++] = operand(op, &ops, r->pc, &failed);
		}
	}
	if (failed || ops.failed || n != 1)
		return (struct value){ .form = FORM_LOST };
	return stack[0];
}

static void set_cfa_expression(struct run *r, struct cursor *c)
{
	struct value v = expression(r, c);

	r->row.cfa = make_place(r, v.form, v.reg, v.off);
}

/* A register saved at the address that an expression gives (the CFA is pushed first: what uses it
 * is not understood). */
static void set_saved_expression(struct run *r, struct cursor *c)
{
	int i = tracked_index(read_uleb(c));
	struct value v = expression(r, c);

	if (i >= 0)
		r->row.saved[i] =
			make_place(r, v.form == FORM_REG ? FORM_REG : FORM_LOST, v.reg, v.off);
}

static void remember(struct run *r)
{
	if (r->depth == sizeof(r->remembered) / sizeof(r->remembered[0]))
		r->failed = true;
	else
		r->remembered[r->depth++] = r->row;
}

static void recall(struct run *r)
{
	if (!r->depth)
		r->failed = true;
	else
		r->row = r->remembered[--r->depth];
}

static int64_t scaled(const struct run *r, uint64_t factored)
{
	return (int64_t)(factored * (uint64_t)r->cie->data_align);
}

/* Moves to the next row; past the address asked for the program ends. */
static void advance(struct run *r, struct cursor *c, uint64_t delta)
{
	r->loc += delta * r->cie->code_align;
	if (r->loc > r->pc)
		c->p = c->end;
}

static void run_cfa_op(struct run *r, struct cursor *c, unsigned op)
{
	uint64_t reg;

	switch (op) {
	case 0x0c: /* DW_CFA_def_cfa */
		reg = read_uleb(c);
		r->row.cfa = make_place(r, FORM_REG, reg, (int64_t)read_uleb(c));
		break;
	case 0x12: /* DW_CFA_def_cfa_sf */
		reg = read_uleb(c);
		r->row.cfa = make_place(r, FORM_REG, reg, scaled(r, (uint64_t)read_sleb(c)));
		break;
	case 0x0d: /* DW_CFA_def_cfa_register */
		r->row.cfa = make_place(r, FORM_REG, read_uleb(c), r->row.cfa.off);
		break;
	case 0x0e: /* DW_CFA_def_cfa_offset */
		r->row.cfa = make_place(r, FORM_REG, r->row.cfa.reg, (int64_t)read_uleb(c));
		break;
	case 0x13: /* DW_CFA_def_cfa_offset_sf */
		r->row.cfa =
			make_place(r, FORM_REG, r->row.cfa.reg, scaled(r, (uint64_t)read_sleb(c)));
		break;
	case 0x0f: /* DW_CFA_def_cfa_expression */
		set_cfa_expression(r, c);
		break;
	default:
		r->failed = true;
		break;
	}
}

static void run_register_op(struct run *r, struct cursor *c, unsigned op)
{
	uint64_t reg;

	switch (op) {
	case 0x05: /* DW_CFA_offset_extended */
		reg = read_uleb(c);
		set_saved(r, reg, FORM_CFA, scaled(r, read_uleb(c)));
		break;
	case 0x11: /* DW_CFA_offset_extended_sf */
		reg = read_uleb(c);
		set_saved(r, reg, FORM_CFA, scaled(r, (uint64_t)read_sleb(c)));
		break;
	case 0x06: /* DW_CFA_restore_extended */
		restore(r, read_uleb(c));
		break;
	case 0x07: /* DW_CFA_undefined */
		set_saved(r, read_uleb(c), FORM_LOST, 0);
		break;
	case 0x08: /* DW_CFA_same_value */
		set_saved(r, read_uleb(c), FORM_KEPT, 0);
		break;
	case 0x09: /* DW_CFA_register: a value kept in another register is not followed */
		reg = read_uleb(c);
		(void)read_uleb(c);
		r->failed |= reg == REG_RA;
		set_saved(r, reg, FORM_LOST, 0);
		break;
	case 0x10: /* DW_CFA_expression */
		set_saved_expression(r, c);
		break;
	case 0x14: /* DW_CFA_val_offset: never used for these registers */
	case 0x15:
		reg = read_uleb(c);
		(void)read_uleb(c);
		r->failed |= reg == REG_RA;
		set_saved(r, reg, FORM_LOST, 0);
		break;
	case 0x16: /* DW_CFA_val_expression */
		reg = read_uleb(c);
		(void)expression(r, c);
		r->failed |= reg == REG_RA;
		set_saved(r, reg, FORM_LOST, 0);
		break;
	default:
		run_cfa_op(r, c, op);
		break;
	}
}

static void run_op(struct run *r, struct cursor *c, unsigned op)
{
	switch (op) {
	case 0x00: /* DW_CFA_nop */
		break;
	case 0x01: /* DW_CFA_set_loc */
		r->loc = read_encoded(c, r->image, r->cie->fde_encoding, 0);
		advance(r, c, 0);
		break;
	case 0x02: /* DW_CFA_advance_loc1 */
		advance(r, c, cursor_u8(c));
		break;
	case 0x03: /* DW_CFA_advance_loc2 */
		advance(r, c, cursor_u16(c));
		break;
	case 0x04: /* DW_CFA_advance_loc4 */
		advance(r, c, cursor_u32(c));
		break;
	case 0x0a: /* DW_CFA_remember_state */
		remember(r);
		break;
	case 0x0b: /* DW_CFA_restore_state */
		recall(r);
		break;
	case 0x2e: /* DW_CFA_GNU_args_size */
		(void)read_uleb(c);
		break;
	default:
		run_register_op(r, c, op);
		break;
	}
}

static void run_program(struct run *r, struct cursor *c)
{
	while (cursor_left(c) && !r->failed) {
		uint8_t byte = cursor_u8(c);
		uint8_t low = byte & 0x3f;

		switch (byte >> 6) {
		case 1: /* DW_CFA_advance_loc */
			advance(r, c, low);
			break;
		case 2: /* DW_CFA_offset */
			set_saved(r, low, FORM_CFA, scaled(r, read_uleb(c)));
			break;
		case 3: /* DW_CFA_restore */
			restore(r, low);
			break;
		default:
			run_op(r, c, low);
			break;
		}
	}
	r->failed |= c->failed;
}

static int base_of(uint8_t reg)
{
	switch (reg) {
	case REG_RSP:
		return CFI_SP;
	case REG_RBP:
		return CFI_FP;
	case REG_RBX:
		return CFI_AUX;
	default:
		return -1;
	}
}

/* A saved register's place in the rule's units; whether it counts from the base goes to *at_base.
 */
static int saved_place(const struct row *row, enum tracked t, bool *at_base)
{
	const struct place *p = &row->saved[t];

	if (p->form == FORM_KEPT)
		return CFI_KEPT;
	*at_base |= p->form == FORM_REG;
	if ((p->form != FORM_CFA && p->form != FORM_REG) || p->off % 8 ||
	    (p->form == FORM_REG && p->reg != row->cfa.reg) || p->off / 8 <= CFI_LOST ||
	    p->off / 8 >= CFI_KEPT)
		return CFI_LOST;
	return p->off / 8;
}

/* Fills the return address's place; false where it is at no place that a rule can say. */
static bool set_return_address(struct cfi_rule *rule, const struct row *row)
{
	const struct place *ra = &row->saved[T_RA];

	if (ra->form == FORM_CFA)
		return ra->off == -8;
	rule->ra_at_base = 1;
	return ra->form == FORM_REG && ra->reg == row->cfa.reg && ra->off == row->cfa.off + 8;
}

static struct cfi_rule rule_of(const struct row *row, bool signal)
{
	struct cfi_rule rule = { .kind = CFI_FRAME, .signal = signal };
	bool at_base = false;
	bool at_cfa;
	int base = base_of(row->cfa.reg);

	if (row->saved[T_RA].form == FORM_LOST)
		return (struct cfi_rule){ .kind = CFI_OUTERMOST };
	if ((row->cfa.form != FORM_REG && row->cfa.form != FORM_DEREF) || base < 0 ||
	    row->cfa.off >= 1 << 27 || row->cfa.off < -(1 << 27) || !set_return_address(&rule, row))
		return (struct cfi_rule){ .kind = CFI_NONE };
	rule.base = (unsigned)base;
	rule.deref = row->cfa.form == FORM_DEREF;
	rule.off = row->cfa.off;
	rule.fp = saved_place(row, T_RBP, &at_base);
	rule.aux = saved_place(row, T_RBX, &at_base);
	at_cfa = row->saved[T_RBP].form == FORM_CFA || row->saved[T_RBX].form == FORM_CFA;
	if (at_base && at_cfa) /* one flag serves both registers */
		return (struct cfi_rule){ .kind = CFI_NONE };
	rule.regs_at_base = at_base;
	return rule;
}

static struct cfi_rule interpret(const struct cfi_image *image, const struct cie *cie,
				 struct cursor program, uint64_t start, uint64_t pc)
{
	struct run r = { .image = image, .cie = cie, .loc = start, .pc = pc };
	struct cursor c = cie->program;

	r.row.cfa.form = FORM_LOST;
	r.row.saved[T_RA].form = FORM_KEPT; /* no place: not a rule, and not the outermost either */
	run_program(&r, &c);
	r.initial = r.row;
	c = program;
	run_program(&r, &c);
	if (r.failed)
		return (struct cfi_rule){ .kind = CFI_NONE };
	return rule_of(&r.row, cie->signal);
}

/* The rule of the FDE at an address if it covers pc. */
static struct cfi_rule rule_from_fde(const struct cfi_image *image, uint64_t fde, uint64_t pc)
{
	const struct cfi_rule none = { .kind = CFI_NONE };
	struct cursor c = entry_at(image, fde);
	uint64_t id_at = address_of(image, c.p);
	uint32_t id = cursor_u32(&c);
	struct cie cie;
	uint64_t start;
	uint64_t size;

	if (c.failed || !id || !read_cie(&cie, image, id_at - id))
		return none;
	start = read_encoded(&c, image, cie.fde_encoding, 0);
	size = read_plain(&c, cie.fde_encoding & 0x0f);
	if (cie.sized)
		cursor_skip(&c, read_uleb(&c));
	if (c.failed || pc < start || pc - start >= size)
		return none;
	return interpret(image, &cie, c, start, pc);
}

/* Address of the last FDE in the table that starts at or below pc; 0 where there is none. */
static uint64_t search_table(const struct cursor *table, uint64_t count, uint64_t base, uint64_t pc)
{
	uint64_t lo = 0;
	uint64_t hi = count;
	struct cursor c;

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		c = cursor_range(table, table->p, mid * 8, 8);
		if (base + (uint64_t)(int64_t)(int32_t)cursor_u32(&c) <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return 0;
	c = cursor_range(table, table->p, (lo - 1) * 8 + 4, 4);
	return base + (uint64_t)(int64_t)(int32_t)cursor_u32(&c);
}

struct cfi_rule cfi_find(const struct cfi_image *image, uint64_t hdr, uint64_t ra)
{
	const struct cfi_rule none = { .kind = CFI_NONE };
	struct cursor all = cursor_make(image->bytes, image->size, false);
	struct cursor c = cursor_range(&all, image->bytes, hdr, image->size - hdr);
	uint64_t base = image->address + hdr;
	uint8_t version = cursor_u8(&c);
	uint8_t frame_encoding = cursor_u8(&c);
	uint8_t count_encoding = cursor_u8(&c);
	uint8_t table_encoding = cursor_u8(&c);
	uint64_t count;
	uint64_t fde;

	if (c.failed || version != 1 || table_encoding != (PE_DATAREL | PE_SDATA4))
		return none;
	(void)read_encoded(&c, image, frame_encoding, base);
	count = read_encoded(&c, image, count_encoding, base);
	if (c.failed || count > cursor_left(&c) / 8)
		return none;
	fde = search_table(&c, count, base, ra - 1);
	return fde ? rule_from_fde(image, fde, ra - 1) : none;
}
