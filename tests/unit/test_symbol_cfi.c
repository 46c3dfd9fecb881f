/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares our unwind rules with those of libdw, at every address where a rule changes.
 *
 *   test_symbol_cfi [FILE]...     also compares the rules of these files
 */
#include "symbol/cfi_program.h"
#include "symbol/file.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/count.h"
#include "check_main.h"
#include "dwarf_build.h"

/* A file that is opened with libdw. Our unwind rules must be the same as those of libdw. */
struct oracle {
	int fd;
	Elf *elf;
	Dwarf *dw;
	Dwarf_CFI *eh, *debug;
};

static unsigned long compared, rows;

static void oracle_open(struct oracle *o, const char *path)
{
	elf_version(EV_CURRENT);
	o->fd = open(path, O_RDONLY);
	ck_assert_msg(o->fd >= 0, "cannot open %s", path);
	o->elf = elf_begin(o->fd, ELF_C_READ_MMAP, NULL);
	ck_assert_ptr_nonnull(o->elf);
	o->eh = dwarf_getcfi_elf(o->elf);
	o->dw = dwarf_begin_elf(o->elf, DWARF_C_READ, NULL);
	o->debug = o->dw ? dwarf_getcfi(o->dw) : NULL;
}

static void oracle_close(struct oracle *o)
{
	if (o->eh)
		dwarf_cfi_end(o->eh);
	dwarf_end(o->dw);
	elf_end(o->elf);
	close(o->fd);
}

static Dwarf_Frame *oracle_frame(struct oracle *o, uint64_t vaddr)
{
	Dwarf_Frame *frame = NULL;

	if (o->eh && dwarf_cfi_addrframe(o->eh, vaddr, &frame) == 0)
		return frame;
	if (o->debug && dwarf_cfi_addrframe(o->debug, vaddr, &frame) == 0)
		return frame;
	return NULL;
}

static bool same_ops(const struct cfi_row *row, const struct cfi_rule *rule, const Dwarf_Op *ops,
		     size_t n)
{
	const struct cfi_op *own = row->ops + rule->first;

	/* libdw omits a DW_OP_plus_uconst of 0, so its expression has one operation fewer than
	 * ours. */
	if (rule->n == n + 1 && own[n].atom == DW_OP_plus_uconst && !own[n].number)
		return n == 1 && ops[0].atom == DW_OP_call_frame_cfa;
	if (rule->n == n + 1 && n == 2 && own[1].atom == DW_OP_plus_uconst && !own[1].number)
		return ops[1].atom == own[2].atom;
	if (rule->n != n)
		return false;
	for (size_t i = 0; i < n; i++) {
		bool no_operand =
			own[i].atom == DW_OP_call_frame_cfa || own[i].atom == DW_OP_stack_value;

		if (own[i].atom != ops[i].atom ||
		    (!no_operand &&
		     (own[i].number != ops[i].number || own[i].number2 != ops[i].number2)))
			return false;
	}
	return true;
}

static const struct cfi_rule *rule_of(const struct cfi_row *row, unsigned reg)
{
	for (unsigned i = 1; i <= row->nrules; i++)
		if (row->rules[i].reg == reg)
			return &row->rules[i];
	return NULL;
}

static void compare_row(const char *path, uint64_t vaddr, const struct cfi_row *row,
			Dwarf_Frame *frame, unsigned nregs)
{
	Dwarf_Op mem[3], *ops;
	bool signal;
	size_t n;

	ck_assert_int_eq(dwarf_frame_info(frame, NULL, NULL, &signal), row->ra);
	ck_assert_int_eq(signal, row->signal);
	ck_assert_int_eq(dwarf_frame_cfa(frame, &ops, &n), 0);
	ck_assert_msg(same_ops(row, &row->rules[0], ops, n), "%s %lx: the CFA", path, vaddr);
	for (unsigned reg = 0; reg < nregs; reg++) {
		const struct cfi_rule *rule = rule_of(row, reg);

		ck_assert_int_eq(dwarf_frame_register(frame, (int)reg, mem, &ops, &n), 0);
		/* libdw mistakes register 0 of x86-64 for rbx (which is register 3), so the two
		 * are not compared. */
		ck_assert_msg((nregs == 17 && (reg == 0 || reg == 3)) ||
				      (n == 0 && ops == mem) == (row->undefined >> reg & 1),
			      "%s %lx: register %u is undefined", path, vaddr, reg);
		ck_assert_msg(!n == !rule, "%s %lx: register %u has a rule", path, vaddr, reg);
		if (rule)
			ck_assert_msg(same_ops(row, rule, ops, n), "%s %lx: register %u", path,
				      vaddr, reg);
		compared++;
	}
}

/* Compares our unwind rules for the address vaddr with libdw's. */
static void compare_at(const char *path, struct sym_file *f, struct oracle *o, uint64_t vaddr)
{
	Dwarf_Frame *frame = oracle_frame(o, vaddr);
	const struct cfi_row *row = file_cfi_row(f, vaddr);

	ck_assert_msg(!frame == !row, "%s %lx: %s row", path, vaddr, row ? "a" : "no");
	if (row)
		compare_row(path, vaddr, row, frame, f->image.machine == EM_X86_64 ? 17 : 32);
	rows += row != NULL;
	free(frame);
}

/* Compares the rules at `points` addresses of each function. Among them are the function's first
 * and last address, and the address after it. */
static void compare_table(const char *path, struct sym_file *f, struct oracle *o, bool eh,
			  unsigned points)
{
	struct cfi_table t;

	cfi_table_open(&t, &f->image, eh);
	for (uint32_t i = 0; i < t.spans.n; i++) {
		struct cfi_entry e;

		if (!cfi_table_find(&t, t.spans.at[i].lo, &e))
			continue;
		for (uint64_t k = 0; k < points && k < e.hi - e.lo; k++)
			compare_at(path, f, o, e.lo + k * (e.hi - e.lo) / points);
		compare_at(path, f, o, e.hi - 1);
	}
	cfi_table_close(&t);
}

static void compare(const char *path, unsigned points)
{
	struct oracle o;
	struct sym_file *f = NULL;

	ck_assert_int_eq(sym_file_open(path, NULL, NULL, &f, NULL), 0);
	oracle_open(&o, path);
	rows = 0;
	compare_table(path, f, &o, true, points);
	compare_table(path, f, &o, false, points);
	oracle_close(&o);
	sym_file_close(f);
	printf("%s: %lu rows\n", path, rows);
}

static const char *const samples[] = { SAMPLES "/sample", SAMPLES "/sample_frame",
				       SAMPLES "/sample_frame_z", SAMPLES "/sample_o0" };

START_TEST(rules_are_those_of_libdw)
{
	compare(samples[_i], 64);
	ck_assert_uint_ge(rows, 50);
}
END_TEST

static int compare_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	if (info->dlpi_name[0] == '/')
		compare(info->dlpi_name, 2);
	return 0;
}

START_TEST(rules_of_the_libraries_at_hand_are_those_of_libdw)
{
	dl_iterate_phdr(compare_object, NULL);
	ck_assert_uint_ge(compared, 10000);
}
END_TEST

static int nfiles;
static char **files;

START_TEST(rules_of_a_given_file_are_those_of_libdw)
{
	compare(files[_i], 8);
}
END_TEST

static char path[] = "/tmp/memdb-test-cfi-XXXXXX";

/* Builds an ELF file with one unwind entry for [0x1000, 0x2000). Its CIE says that the CFA is
 * rsp + 8 and that the return address is below it. `instructions` follow. */
static struct sym_file *build_entry(const void *instructions, size_t n)
{
	static const uint8_t head[] = { 0x13, 0,   0, 0, 0,    0, 0, 0, 1, 0, 1, 0x78,
					16,   0xc, 7, 8, 0x90, 1, 0, 0, 0, 0, 0 };
	static const uint64_t range[] = { 0x1000, 0x1000 };
	const uint32_t length = (uint32_t)(4 + sizeof(range) + n), id = sizeof(head) + 4;
	const size_t size = sizeof(head) + 4 + length;
	uint8_t *frame = calloc(1, size);
	const struct dwarf_build_section section = { ".eh_frame", 0, frame, size };
	struct sym_file *f = NULL;
	int fd = mkstemp(path);

	ck_assert(fd >= 0 && frame);
	close(fd);
	memcpy(frame, head, sizeof(head));
	memcpy(frame + sizeof(head), &length, 4);
	memcpy(frame + sizeof(head) + 4, &id, 4);
	memcpy(frame + sizeof(head) + 8, range, sizeof(range));
	memcpy(frame + sizeof(head) + 8 + sizeof(range), instructions, n);
	dwarf_build(path, &section, 1);
	free(frame);
	ck_assert_int_eq(sym_file_open(path, NULL, NULL, &f, NULL), 0);
	ck_assert_int_eq(sym_file_state(f), SYM_OK);
	unlink(path);
	memcpy(path + strlen(path) - 6, "XXXXXX", 6);
	return f;
}

START_TEST(unsound_instructions_cost_the_row)
{
	static const struct {
		const char *bytes;
		size_t n;
		bool sound;
	} cases[] = {
		{ "", 0, true },
		{ "\x0a\x0a\x0b\x0b", 4, true }, /* remember_state twice, restore_state twice */
		{ "\x0b", 1, false },
		{ "\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a", 16, true },
		{ "\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a", 17,
		  false },
		/* a CFA offset in 10 bytes, the longest valid LEB128 */
		{ "\x0e\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 11, true },
		{ "\x0e\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 12, false },
		{ "\x0f\x02\x77\x08", 4, true }, /* an expression: the CFA is rsp + 8 */
		/* the expression is longer than the entry */
		{ "\x0f\x09\x77\x08", 4, false },
		/* an offset cannot be added to an expression */
		{ "\x0f\x02\x77\x08\x0e\x08", 6, false },
		{ "\x0f\x01\xff", 3, false }, /* an unknown operation */
		{ "\x0f\x00", 2, false },
		{ "\x3f", 1, false },        /* an unknown instruction */
		{ "\x05\x7f\x01", 3, true }, /* register 127 is ignored */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct sym_file *f = build_entry(cases[i].bytes, cases[i].n);

		ck_assert_msg((file_cfi_row(f, 0x1800) != NULL) == cases[i].sound, "case %zu", i);
		ck_assert_ptr_null(file_cfi_row(f, 0xfff));
		ck_assert_ptr_null(file_cfi_row(f, 0x2000));
		sym_file_close(f);
	}
}
END_TEST

/* The entry has 256 Ki instructions. Without a limit, the reader would execute all of them for each
 * of 4096 addresses. It stops when its limit for the file is reached. */
START_TEST(work_on_one_file_is_bounded)
{
	static uint8_t nops[256 << 10];
	struct sym_file *f = build_entry(nops, sizeof(nops));
	unsigned got = 0;

	for (uint64_t vaddr = 0x1000; vaddr < 0x2000; vaddr++)
		got += file_cfi_row(f, vaddr) != NULL;
	ck_assert(got > 500 && got < 2000);
	/* results from before the limit are still returned */
	ck_assert_ptr_nonnull(file_cfi_row(f, 0x1000));
	sym_file_close(f);
}
END_TEST

/* A function that pushes rbx, and then makes room for 64 bytes. */
START_TEST(a_frame_has_what_its_function_saves)
{
	static const uint8_t pushes[] = { 0x41, 0x0e, 16, 0x83, 2, 0x41, 0x0e, 80 };
	static const uint8_t by_rbp[] = { 0x41, 0x0e, 16, 0x86, 2, 0x0d, 6 };
	struct sym_file *f = build_entry(pushes, sizeof(pushes));
	struct sym_frame frame;

	ck_assert(sym_frame(f, 0x1800, &frame));
	ck_assert_uint_eq(frame.bytes, 80);
	ck_assert_uint_eq(frame.nsaved, 2);
	for (unsigned i = 0; i < 2; i++)
		ck_assert_str_eq(frame.saved[i].name,
				 frame.saved[i].offset == -8 ? "return address" : "saved rbx");
	ck_assert_int_eq(frame.saved[0].offset + frame.saved[1].offset, -24);
	ck_assert(!sym_frame(f, 0x2000, &frame));
	sym_file_close(f);
	f = build_entry(by_rbp, sizeof(by_rbp)); /* a function with CFA = rbp + 16 in its body */
	ck_assert(sym_frame(f, 0x1800, &frame));
	ck_assert_uint_eq(frame.bytes, 0);
	ck_assert_uint_eq(frame.nsaved, 2);
	sym_file_close(f);
}
END_TEST

int main(int argc, char **argv)
{
	Suite *s = suite_create("symbol_cfi");
	TCase *tc = tcase_create("cfi");

	nfiles = argc - 1;
	files = argv + 1;
	tcase_set_timeout(tc, 240);
	if (!nfiles) {
		tcase_add_loop_test(tc, rules_are_those_of_libdw, 0, COUNT_OF(samples));
		tcase_add_test(tc, rules_of_the_libraries_at_hand_are_those_of_libdw);
	}
	tcase_add_test(tc, unsound_instructions_cost_the_row);
	tcase_add_test(tc, work_on_one_file_is_bounded);
	tcase_add_test(tc, a_frame_has_what_its_function_saves);
	tcase_add_loop_test(tc, rules_of_a_given_file_are_those_of_libdw, 0, nfiles);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
