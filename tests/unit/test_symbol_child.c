/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a file with damaged or excessive debug information loses only the lines of this file,
 * and that the loss is reported. */
#include "symbol_child_fixture.h"

/* Checks that the intact file f has its lines. A damaged file is open at the same time. */
static void check_sample(struct sym_file *f)
{
	uint64_t at[16];
	size_t n = sample_points(at, 16);

	for (size_t i = 0; i < n; i++)
		ck_assert_uint_ge(count_lines(f, at[i]), 1);
	ck_assert_ptr_null(sym_file_problem(f));
}

static const uint8_t rows_abbrev[] = {
	1, 0x11, 0, 0x11, 0x01, 0x12, 0x07, 0x10, 0x17, 0, 0, 0 /* low_pc, high_pc, stmt_list */
};
static const uint8_t rows_info[] = {
	28, 0, 0,    0, 4, 0, 0, 0, 0, 0, 8, /* the unit's header */
	1,  0, 0x10, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};
static const uint8_t rows_start[] = {
	4, 0,   27,  0,   0,    0, 1, 1, 1, 0xfb, 14, 13, /* header */
	0, 1,   1,   1,   1,    0, 0, 0, 1, 0,    0,  1, /* numbers of operands of the 12 opcodes */
	0, 'a', '.', 'c', 0,    0, 0, 0, 0,              /* no directories, one file */
	0, 9,   2,   0,   0x10, 0, 0, 0, 0, 0,    0,     /* set_address 0x1000 */
};

/* Builds a file with `units` compilation units, which share one line table. Each unit has one
 * byte of code; the first is at 0x1000. The line program sets the address, repeats the opcode
 * `step` `steps` times, and ends with the n bytes of `end`. */
static void build_lines(size_t units, uint8_t step, uint32_t steps, const void *end, uint32_t n)
{
	const uint32_t len = (uint32_t)sizeof(rows_start) + steps + n;
	uint8_t *info = malloc(units * sizeof(rows_info)), *table = calloc(1, 4 + len);
	const struct dwarf_build_section s[] = {
		{ ".debug_abbrev", 0, rows_abbrev, sizeof(rows_abbrev) },
		{ ".debug_info", 0, info, units * sizeof(rows_info) },
		{ ".debug_line", 0, table, 4 + len },
	};

	ck_assert(info && table);
	for (size_t i = 0; i < units; i++) {
		uint8_t *unit = info + i * sizeof(rows_info);
		uint64_t low = 0x1000 + i;

		memcpy(unit, rows_info, sizeof(rows_info));
		memcpy(unit + 12, &low, 8);
	}
	memcpy(table, &len, 4);
	memcpy(table + 4, rows_start, sizeof(rows_start));
	memset(table + 4 + sizeof(rows_start), step, steps);
	memcpy(table + 4 + sizeof(rows_start) + steps, end, n);
	dwarf_build(path, s, 3);
	free(table);
	free(info);
}

START_TEST(a_damaged_line_table_is_told)
{
	struct sym_file *f;

	build_lines(1, 1, 1, "\0\x7f\2", 3); /* the line program ends inside an instruction */
	f = open_at(path);
	ck_assert_uint_eq(count_lines(f, 0), 0);
	check_problem(f, "line table");
	ck_assert(sym_file_has_lines(f));
	sym_file_close(f);
}
END_TEST

/* libdw reads a damaged line table again for each unit. One pass over 4 MiB takes milliseconds,
 * so 4096 units take a minute. */
START_TEST(work_without_end_costs_one_files_lines)
{
	struct sym_file *good = open_at(SAMPLES "/sample"), *bad;
	uint64_t offsets[4096];
	size_t n;

	for (uint64_t i = 0; i < 4096; i++)
		offsets[i] = i;
	dwarf_limits.cpu_seconds = 1;
	/* the line program repeats negate_stmt and ends inside an instruction */
	build_lines(4096, 6, 4 << 20, "\0\x7f\2", 3);
	bad = open_at(path);
	ck_assert(sym_file_has_lines(bad));
	sym_lines_prepare(bad, offsets, 4096);
	ck_assert_uint_eq(count_lines(bad, 4095), 0);
	check_problem(bad, "1 s of CPU time");
	check_sample(good);
	ck_assert_uint_eq(count_lines(bad, 1), 0);
	ck_assert_ptr_null(sym_variables(bad, &n));
	ck_assert_ptr_nonnull(sym_variables(good, &n));
	sym_file_close(bad);
	sym_file_close(good);
	check_no_child_is_left();
}
END_TEST

START_TEST(lines_without_end_cost_one_files_lines)
{
	struct sym_file *good = open_at(SAMPLES "/sample"), *bad;

	/* the line program repeats DW_LNS_copy, then advance_pc and end_sequence */
	build_lines(1, 1, 2 << 20, "\2\x80\x20\0\1\1", 6);
	bad = open_at(path);
	ck_assert_uint_eq(count_lines(bad, 0), 1);
	ck_assert_ptr_null(sym_file_problem(bad));
	sym_file_close(bad);
	check_no_child_is_left();

	dwarf_limits.memory = 32 << 20;
	bad = open_at(path);
	ck_assert(sym_file_has_lines(bad));
	ck_assert_uint_eq(count_lines(bad, 0), 0);
	check_problem(bad, SANITIZED ? "" : "took too much memory");
	check_sample(good);
	sym_file_close(good);
	sym_file_close(bad);
}
END_TEST

/* Queries a line of one file, or of two files that are open at the same time. Returns whether the
 * child's memory limit (dwarf_limits.memory) allowed all answers. */
static bool fits(unsigned files)
{
	struct sym_file *f[2] = { NULL, NULL };
	bool ok = true;

	for (unsigned i = 0; i < files; i++) {
		f[i] = open_at(path);
		ok &= count_lines(f[i], 0) == 1;
	}
	for (unsigned i = 0; i < files; i++)
		sym_file_close(f[i]);
	return ok;
}

START_TEST(a_file_does_not_pay_for_what_another_one_took)
{
	build_lines(1, 1, 1 << 19, "\2\x80\x20\0\1\1", 6);
	dwarf_limits.memory = 4 << 20;
	ck_assert(!fits(1));
	while (!fits(1) && dwarf_limits.memory < 1 << 30)
		dwarf_limits.memory += 4 << 20;
	/* the limit that is enough for one file is enough for two: if both together exceed it, the
	 * child dies, and a new child reads the second file alone */
	ck_assert(fits(2));
	check_no_child_is_left();
}
END_TEST

START_TEST(a_section_that_claims_to_unpack_to_a_tebibyte_is_told)
{
	const struct {
		Elf64_Chdr h;
		uint8_t zlib[8];
	} bomb = { { .ch_type = ELFCOMPRESS_ZLIB, .ch_size = (uint64_t)1 << 40, .ch_addralign = 1 },
		   { 0x78, 0x9c, 0x63, 0, 0, 0, 1, 0 } };
	const struct dwarf_build_section s[] = {
		{ ".debug_abbrev", 0, rows_abbrev, sizeof(rows_abbrev) },
		{ ".debug_info", SHF_COMPRESSED, &bomb, sizeof(bomb) },
	};
	struct sym_file *good = open_at(SAMPLES "/sample"), *bad;

	dwarf_build(path, s, 2);
	bad = open_at(path);
	ck_assert_uint_eq(count_lines(bad, 0), 0);
	ck_assert(!sym_file_has_lines(bad));
	check_problem(bad, "");
	check_sample(good);
	sym_file_close(bad);
	sym_file_close(good);
}
END_TEST

static void copy_sample(void)
{
	char command[512];

	snprintf(command, sizeof(command), "cp '" SAMPLES "/sample' '%s'", path);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(a_crash_costs_one_files_lines)
{
	struct sym_file *good = open_at(SAMPLES "/sample"), *bad;
	uint64_t at[16];

	sample_points(at, 16);
	copy_sample();
	bad = open_at(path);
	ck_assert(sym_file_has_lines(bad));
	ck_assert_int_eq(truncate(path, 0), 0); /* reading the mapped bytes now raises SIGBUS */
	ck_assert_uint_eq(count_lines(bad, at[0]), 0);
	check_problem(bad, SANITIZED ? "" : "crashed (Bus error)");
	check_sample(good);
	ck_assert_uint_eq(count_lines(bad, at[1]), 0);
	sym_file_close(good);
	sym_file_close(bad);
	check_no_child_is_left();
}
END_TEST

START_TEST(what_was_asked_in_advance_survives_another_files_crash)
{
	struct sym_file *good = open_at(SAMPLES "/sample"), *bad;
	uint64_t at[16], many[5000];
	size_t n = sample_points(at, 16);

	copy_sample();
	bad = open_at(path);
	ck_assert(sym_file_has_lines(bad));
	ck_assert(sym_file_has_lines(good));
	ck_assert_int_eq(truncate(path, 0), 0);
	for (size_t i = 0; i < 5000; i++)
		many[i] = at[0] + i;
	sym_lines_prepare(bad, many, 5000);
	sym_lines_prepare(good, at, n);
	sym_lines_prepare(good, at, 0);
	check_sample(good);
	ck_assert_uint_eq(count_lines(bad, many[4999]), 0);
	ck_assert_ptr_nonnull(sym_file_problem(bad));
	sym_file_close(bad);
	sym_file_close(good);
}
END_TEST

START_TEST(answers_do_not_depend_on_being_asked_in_advance)
{
	struct sym_file *f = open_at(SAMPLES "/sample"), *g = open_at(SAMPLES "/sample");
	uint64_t offsets[3 * DWARF_MAX_BATCH];
	unsigned found = 0;

	for (uint64_t i = 0; i < 3 * DWARF_MAX_BATCH; i++)
		offsets[i] = 0x1000 + i;
	sym_lines_prepare(f, offsets, 3 * DWARF_MAX_BATCH);
	for (size_t i = 3 * DWARF_MAX_BATCH; i-- > 0;) {
		struct sym_line a[SYM_MAX_INLINE], b[SYM_MAX_INLINE];
		unsigned n = sym_lines_at(f, offsets[i], a, SYM_MAX_INLINE);

		ck_assert_uint_eq(n, sym_lines_at(g, offsets[i], b, SYM_MAX_INLINE));
		found += n > 0;
		for (unsigned k = 0; k < n; k++) {
			ck_assert_uint_eq(a[k].line, b[k].line);
			ck_assert_uint_eq(a[k].column, b[k].column);
			ck_assert_pstr_eq(a[k].function, b[k].function);
			ck_assert_pstr_eq(a[k].file, b[k].file);
		}
	}
	ck_assert_uint_ge(found, 100);
	sym_file_close(f); /* closed while answers for the second file are in flight or ready */
	sym_lines_prepare(g, offsets, 1);
	sym_file_close(g);
	check_no_child_is_left();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("symbol_child");
	TCase *tc = tcase_create("child");

	tcase_set_timeout(tc, 240);
	tcase_add_checked_fixture(tc, make_scratch, remove_scratch);
	tcase_add_test(tc, work_without_end_costs_one_files_lines);
	tcase_add_test(tc, a_damaged_line_table_is_told);
	tcase_add_test(tc, lines_without_end_cost_one_files_lines);
	tcase_add_test(tc, a_section_that_claims_to_unpack_to_a_tebibyte_is_told);
	tcase_add_test(tc, a_crash_costs_one_files_lines);
	tcase_add_test(tc, what_was_asked_in_advance_survives_another_files_crash);
	tcase_add_test(tc, answers_do_not_depend_on_being_asked_in_advance);
	/* Sanitizers need more memory and make system calls that the child forbids. */
	if (!SANITIZED) {
		tcase_add_test(tc, a_file_does_not_pay_for_what_another_one_took);
	}
	suite_add_tcase(s, tc);
	return run_suite(s);
}
