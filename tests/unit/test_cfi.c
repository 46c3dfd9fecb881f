/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the unwind rules that are computed from .eh_frame, on tables made by hand. */
#include "base/count.h"
#include "cfi_program.h"

#include "check_main.h"

/* An object with one function. It consists of an .eh_frame_hdr, a CIE and an FDE, each at an
 * address of its own. */
enum { ADDRESS = 0x400000, FUNCTION = 0x401000, FUNCTION_SIZE = 0x100, CIE_AT = 20 };

struct object {
	uint8_t bytes[512];
	size_t len;
	size_t entry; /* offset of the CIE or FDE that is not finished yet */
};

static void put(struct object *o, uint64_t v, size_t n)
{
	ck_assert_uint_le(o->len + n, sizeof(o->bytes));
	memcpy(o->bytes + o->len, &v, n);
	o->len += n;
}

static void put_bytes(struct object *o, const void *p, size_t n)
{
	ck_assert_uint_le(o->len + n, sizeof(o->bytes));
	memcpy(o->bytes + o->len, p, n);
	o->len += n;
}

static void begin_entry(struct object *o)
{
	o->entry = o->len;
	put(o, 0, 4);
}

static void end_entry(struct object *o)
{
	uint32_t length;

	while (o->len % 8)
		put(o, 0, 1); /* the padding is DW_CFA_nop */
	length = (uint32_t)(o->len - o->entry - 4);
	memcpy(o->bytes + o->entry, &length, 4);
}

static void put_header(struct object *o, uint32_t fde_at)
{
	/* .eh_frame_hdr: version 1 and the encodings that the GNU linker writes */
	put(o, 0x3b031b01, 4);
	put(o, CIE_AT - 4, 4);
	put(o, 1, 4);
	put(o, FUNCTION - ADDRESS, 4);
	put(o, fde_at, 4);
}

static const struct cfi_machine *machine = &cfi_x86_64;

static void put_cie(struct object *o, const char *letters)
{
	static const uint8_t x86[] = { 0x0c, 7, 8, 0x90, 1 };   /* CFA = rsp + 8, RA at CFA - 8 */
	static const uint8_t aarch64[] = { 0x0c, 31, 0, 0, 0 }; /* CFA = sp, RA in x30 */

	begin_entry(o);
	put(o, 0, 4);
	put(o, 1, 1);
	put_bytes(o, letters, strlen(letters) + 1);
	put(o, 1, 1);
	put(o, 0x78, 1); /* data alignment -8 */
	put(o, machine->ra, 1);
	put(o, 1, 1);
	/* the addresses in the FDE are encoded as DW_EH_PE_pcrel | DW_EH_PE_sdata4 */
	put(o, 0x1b, 1);
	put_bytes(o, machine == &cfi_x86_64 ? x86 : aarch64, sizeof(x86));
	end_entry(o);
}

static void make(struct object *o, const char *letters, const void *program, size_t n)
{
	size_t cie_len = 24;

	memset(o, 0, sizeof(*o));
	put_header(o, CIE_AT + (uint32_t)cie_len + 4);
	put_cie(o, letters);
	while (o->len < CIE_AT + cie_len + 4)
		put(o, 0, 1);
	begin_entry(o);
	put(o, o->len - CIE_AT, 4);
	put(o, FUNCTION - (ADDRESS + o->len), 4);
	put(o, FUNCTION_SIZE, 4);
	put(o, 0, 1);
	put_bytes(o, program, n);
	end_entry(o);
}

static struct cfi_rule rule_in(const uint8_t *bytes, size_t len, uint64_t ra)
{
	const struct cfi_image image = { .bytes = bytes, .size = len, .address = ADDRESS };

	return cfi_find(machine, &image, 0, ra, &(struct cfi_reading){ 0 });
}

static struct cfi_rule rule_at(const struct object *o, unsigned offset)
{
	return rule_in(o->bytes, o->len, FUNCTION + offset + 1);
}

static void expect(struct cfi_rule r, enum cfi_base base, int off, int rbp, int rbx)
{
	ck_assert_int_eq(r.kind, CFI_FRAME);
	ck_assert_int_eq(r.base, base);
	ck_assert_int_eq(r.off, off);
	ck_assert_int_eq(r.fp, rbp);
	ck_assert_int_eq(r.aux, rbx);
	ck_assert(!r.deref && !r.ra_at_base && !r.regs_at_base && !r.signal);
}

/* The rules of a function that pushes rbp and rbx, subtracts 24 from rsp, and undoes all of this
 * before it returns. The code after the return instruction runs with the entire frame again. */
static const uint8_t pushes[] = {
	0x41, 0x0e, 16,   0x86, 2, /* at 1: CFA = rsp + 16, rbp at CFA - 16 */
	0x41, 0x0e, 24,   0x83, 3, /* at 2: rbx at CFA - 24 */
	0x44, 0x0e, 48,            /* at 6: CFA = rsp + 48 */
	0x02, 0x20, 0x0a,          /* at 0x26: remember the state */
	0x0e, 24,                  /* CFA = rsp + 24 */
	0x41, 0x0e, 16,   0xc3,    /* at 0x27: CFA = rsp + 16, rbx restored */
	0x41, 0x0e, 8,    0xc6,    /* at 0x28: CFA = rsp + 8, rbp restored */
	0x41, 0x0b,                /* at 0x29: back to the remembered state */
};

START_TEST(rows_follow_the_prologue_and_epilogue)
{
	struct object o;

	make(&o, "zR", pushes, sizeof(pushes));
	expect(rule_at(&o, 0), CFI_SP, 8, CFI_KEPT, CFI_KEPT);
	expect(rule_at(&o, 1), CFI_SP, 16, -2, CFI_KEPT);
	expect(rule_at(&o, 5), CFI_SP, 24, -2, -3);
	expect(rule_at(&o, 6), CFI_SP, 48, -2, -3);
	expect(rule_at(&o, 0x26), CFI_SP, 24, -2, -3);
	expect(rule_at(&o, 0x27), CFI_SP, 16, -2, CFI_KEPT);
	expect(rule_at(&o, 0x28), CFI_SP, 8, CFI_KEPT, CFI_KEPT);
	expect(rule_at(&o, 0x29), CFI_SP, 48, -2, -3);
	expect(rule_at(&o, FUNCTION_SIZE - 1), CFI_SP, 48, -2, -3);
}
END_TEST

START_TEST(an_address_outside_has_no_rule)
{
	struct object o;

	make(&o, "zR", pushes, sizeof(pushes));
	ck_assert_int_eq(rule_in(o.bytes, o.len, FUNCTION).kind,
			 /* The rule for a return address is the rule of the byte before it. Here
			  * this byte is before the function. */
			 CFI_NONE);
	ck_assert_int_eq(rule_in(o.bytes, o.len, FUNCTION + FUNCTION_SIZE + 1).kind, CFI_NONE);
	ck_assert_int_eq(rule_in(o.bytes, o.len, 0).kind, CFI_NONE);
	ck_assert_int_eq(rule_in(o.bytes, o.len, UINT64_MAX).kind, CFI_NONE);
}
END_TEST

START_TEST(frame_pointer_and_other_registers)
{
	static const uint8_t rbp[] = { 0x0e, 16, 0x86, 2, 0x0d, 6 };
	static const uint8_t rbx[] = { 0x0c, 3, 32 };
	static const uint8_t r10[] = { 0x0c, 10, 0 };
	static const uint8_t extended[] = {
		0x05, 6,   3, 0x11,
		3,    0x7c
		/* rbp saved at CFA - 24, rbx at CFA + 32 */
	};
	/* rbp undefined, rbx saved in r12 */
	static const uint8_t undefined[] = { 0x07, 6, 0x09, 3, 12 };
	struct object o;

	make(&o, "zR", rbp, sizeof(rbp));
	expect(rule_at(&o, 0), CFI_FP, 16, -2, CFI_KEPT);
	make(&o, "zR", rbx, sizeof(rbx));
	expect(rule_at(&o, 0), CFI_AUX, 32, CFI_KEPT, CFI_KEPT);
	make(&o, "zR", r10, sizeof(r10));
	ck_assert_int_eq(rule_at(&o, 0).kind, CFI_NONE);
	make(&o, "zR", extended, sizeof(extended));
	expect(rule_at(&o, 0), CFI_SP, 8, -3, 4);
	make(&o, "zR", undefined, sizeof(undefined));
	expect(rule_at(&o, 0), CFI_SP, 8, CFI_LOST, CFI_LOST);
}
END_TEST

START_TEST(plt_entries_depend_on_the_address)
{
	/* The rule of a PLT entry: CFA = rsp + 8 + ((rip & 15) >= 11) * 8. */
	static const uint8_t plt[] = { 0x0e, 24,   0x0f, 11,   0x77, 8,    0x80, 0,
				       0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22 };
	struct object o;

	make(&o, "zR", plt, sizeof(plt));
	expect(rule_at(&o, 0x10), CFI_SP, 8, CFI_KEPT, CFI_KEPT);
	expect(rule_at(&o, 0x1a), CFI_SP, 8, CFI_KEPT, CFI_KEPT);
	expect(rule_at(&o, 0x1b), CFI_SP, 16, CFI_KEPT, CFI_KEPT);
	expect(rule_at(&o, 0x1f), CFI_SP, 16, CFI_KEPT, CFI_KEPT);
}
END_TEST

START_TEST(realigned_frames_read_the_cfa_from_the_stack)
{
	/* The rule of a function that realigns its stack: CFA = *(rbp - 8), rbp saved at rbp +
	 * 0, rbx at rbp - 16. */
	static const uint8_t realigned[] = { 0x0f, 3, 0x76, 0x78, 0x06, 0x10, 6,   2,
					     0x76, 0, 0x10, 3,    2,    0x76, 0x70 };
	struct object o;
	struct cfi_rule r;

	make(&o, "zR", realigned, sizeof(realigned));
	r = rule_at(&o, 0);
	ck_assert_int_eq(r.kind, CFI_FRAME);
	ck_assert_int_eq(r.base, CFI_FP);
	ck_assert(r.deref && r.regs_at_base && !r.ra_at_base);
	ck_assert_int_eq(r.off, -8);
	ck_assert_int_eq(r.fp, 0);
	ck_assert_int_eq(r.aux, -2);
}
END_TEST

START_TEST(signal_frames_as_in_glibc)
{
	static const uint8_t restorer[] = {
		0x0f, 4,  0x77, 0xa0, 0x01, 0x06,       /* CFA = *(rsp + 160) */
		0x10, 6,  3,    0x77, 0xf8, 0x00,       /* rbp at rsp + 120 */
		0x10, 3,  3,    0x77, 0x80, 0x01,       /* rbx at rsp + 128 */
		0x10, 16, 3,    0x77, 0xa8, 0x01, 0x00, /* rip at rsp + 168 */
	};
	struct object o;
	struct cfi_rule r;

	make(&o, "zRS", restorer, sizeof(restorer));
	r = rule_at(&o, 0);
	ck_assert_int_eq(r.kind, CFI_FRAME);
	ck_assert_int_eq(r.base, CFI_SP);
	ck_assert(r.deref && r.regs_at_base && r.ra_at_base && r.signal);
	ck_assert_int_eq(r.off, 160);
	ck_assert_int_eq(r.fp, 15);
	ck_assert_int_eq(r.aux, 16);
}
END_TEST

START_TEST(an_undefined_return_address_is_the_outermost_frame)
{
	static const uint8_t start[] = { 0x07, 16 };
	struct object o;

	make(&o, "zR", start, sizeof(start));
	ck_assert_int_eq(rule_at(&o, 0).kind, CFI_OUTERMOST);
}
END_TEST

START_TEST(aarch64_return_addresses_are_in_x30_until_saved)
{
	static const uint8_t program[] = {
		0x44, 0x2d,                          /* at 4: signed (paciasp) */
		0x44, 0x0e, 32, 0x9d, 4,    0x9e, 3, /* at 8: stp x29, x30, [sp, -32]! */
		0x44, 0x0d, 29,                      /* at 12: CFA = x29 + 32 */
		0x44, 0x0c, 31, 0,    0xdd, 0xde,    /* at 16: x29 and x30 are restored */
	};
	static const uint8_t start[] = { 0x07, 30 };
	/* The rule of a function with a frame of 80 KiB, which saves x29 and x30 at its lower
	 * end. */
	static const uint8_t big[] = { 0x0e, 0x80, 0x80, 0x05, 0x9d, 0x80, 0x50, 0x9e, 0xff, 0x4f };
	struct cfi_rule r;
	struct object o;

	machine = &cfi_aarch64;
	for (int i = 0; i < 2; i++) {
		make(&o, i ? "zRB" : "zR", program, sizeof(program));
		expect(rule_at(&o, 0), CFI_SP, 0, CFI_KEPT, CFI_KEPT);
		expect(rule_at(&o, 4), CFI_SP, 0, CFI_KEPT, CFI_KEPT);
		expect(rule_at(&o, 8), CFI_SP, 32, -4, -3);
		expect(rule_at(&o, 12), CFI_FP, 32, -4, -3);
		expect(rule_at(&o, 16), CFI_SP, 0, CFI_KEPT, CFI_KEPT);
	}
	make(&o, "zR", start, sizeof(start));
	ck_assert_int_eq(rule_at(&o, 0).kind, CFI_OUTERMOST);
	make(&o, "zR", big, sizeof(big));
	r = rule_at(&o, 0);
	ck_assert_int_eq(r.off, 81920);
	ck_assert(r.regs_at_base && r.fp == 0 && r.aux == 1);
	machine = &cfi_x86_64;
	ck_assert_int_eq(rule_at(&o, 0).kind, CFI_NONE); /* x86-64 refuses the CIE of AArch64 */
	make(&o, "zR", program, sizeof(program));
	/* DW_CFA_AARCH64_negate_ra_state does not exist on x86-64 */
	ck_assert_int_eq(rule_at(&o, 8).kind, CFI_NONE);
}
END_TEST

START_TEST(what_is_not_understood_is_no_rule)
{
	static const uint8_t programs[][6] = {
		{ 0x3f },                         /* an unknown operation */
		{ 0x0b },                         /* restore without remember */
		{ 0x0a, 0x0a, 0x0a, 0x0a, 0x0a }, /* remember_state nested too deeply */
		/* an expression that dereferences an empty stack */
		{ 0x0f, 2, 0x06, 0x06 },
		{ 0x0f, 1, 0x22 },                /* an expression that adds with an empty stack */
		{ 0x0f, 0 },                      /* an expression without a value */
		{ 0x0f, 4, 0x77, 8, 0x06, 0x06 }, /* two dereferences */
		/* the length of the expression exceeds the program */
		{ 0x0f, 0x7f, 0x77, 8 },
		{ 0x09, 16, 3 }, /* the return address is saved in a register */
		/* the return address is not saved directly below the CFA */
		{ 0x90, 2 },
		{ 0x14, 16, 3 },
		{ 0x0c, 0x81, 0x02, 8 }, /* register number 257 is too large */
	};
	struct object o;

	for (size_t i = 0; i < COUNT_OF(programs); i++) {
		make(&o, "zR", programs[i], sizeof(programs[i]));
		ck_assert_msg(rule_at(&o, 0).kind == CFI_NONE, "program %zu", i);
	}
	make(&o, "x", pushes, sizeof(pushes));
	ck_assert_int_eq(rule_at(&o, 0).kind, CFI_NONE);
}
END_TEST

static void make_any(struct object *o, int which)
{
	static const uint8_t mixed[] = {
		0x0e, 16,   0x86, 2,    0x0a, 0x41, 0x0b, 0x0f, 3,    0x76,
		0x78, 0x06, 0x10, 6,    2,    0x76, 0x7f, 0x02, 2,    0x03,
		1,    0,    0x2e, 0x81, 0x01, 0x12, 7,    0x7d, 0x13, 0x7c
	};

	if (which)
		make(o, "zRS", mixed, sizeof(mixed));
	else
		make(o, "zR", pushes, sizeof(pushes));
}

START_TEST(no_truncation_reads_outside)
{
	struct object o;
	struct cfi_rule whole;

	make_any(&o, _i);
	whole = rule_at(&o, 0x30);
	for (size_t n = 0; n < o.len; n++) {
		uint8_t *img = copy_exact(o.bytes, n);
		struct cfi_rule r = rule_in(img, n, FUNCTION + 0x31);

		ck_assert_msg(r.kind == CFI_NONE, "length %zu", n);
		free(img);
	}
	ck_assert_int_eq(whole.kind, CFI_FRAME);
}
END_TEST

START_TEST(no_damaged_byte_reads_outside)
{
	struct object o;
	unsigned changed = 0;

	make_any(&o, _i);
	for (size_t at = 0; at < o.len; at++) {
		for (unsigned v = 0; v < 256; v++) {
			uint8_t *img = copy_exact(o.bytes, o.len);
			struct cfi_rule r;

			img[at] = (uint8_t)v;
			r = rule_in(img, o.len, FUNCTION + 0x31);
			changed += r.kind == CFI_NONE;
			free(img);
		}
	}
	ck_assert_uint_gt(changed, 1000); /* the damaged bytes changed what the reader returned, so
					   * the loop above has tested something */
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cfi");
	TCase *t = tcase_create("cfi");

	tcase_add_test(t, rows_follow_the_prologue_and_epilogue);
	tcase_add_test(t, an_address_outside_has_no_rule);
	tcase_add_test(t, frame_pointer_and_other_registers);
	tcase_add_test(t, plt_entries_depend_on_the_address);
	tcase_add_test(t, realigned_frames_read_the_cfa_from_the_stack);
	tcase_add_test(t, signal_frames_as_in_glibc);
	tcase_add_test(t, an_undefined_return_address_is_the_outermost_frame);
	tcase_add_test(t, aarch64_return_addresses_are_in_x30_until_saved);
	tcase_add_test(t, what_is_not_understood_is_no_rule);
	tcase_add_loop_test(t, no_truncation_reads_outside, 0, 2);
	tcase_add_loop_test(t, no_damaged_byte_reads_outside, 0, 2);
	suite_add_tcase(s, t);
	return run_suite(s);
}
