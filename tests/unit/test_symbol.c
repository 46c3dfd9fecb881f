/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the lines and variables that the symbolizer finds. The sample program (symbols/sample.h)
 * prints what is at its own addresses. The program is built in many ways. */
#include "base/count.h"
#include "symbol_fixture.h"

START_TEST(a_program_is_named_as_it_says)
{
	struct sym_file *f = open_sample(with_lines[_i]);
	FILE *answer = run_sample(with_lines[_i]);
	struct point p;
	int points = 0;

	ck_assert(sym_file_has_lines(f));
	for (; next_point(answer, &p); points++) {
		check_symbol(f, &p);
		check_lines(f, &p);
	}
	ck_assert_int_eq(points, 3);
	pclose(answer);
	sym_file_close(f);
}
END_TEST

START_TEST(every_form_of_debug_information_says_the_same)
{
	struct sym_file *f = open_sample(forms[_i]);
	FILE *answer = run_sample(forms[_i]);
	struct point p;
	int points = 0;

	ck_assert_msg(sym_file_has_lines(f), "%s has no lines: %s", forms[_i],
		      sym_file_problem(f) ? sym_file_problem(f) : "");
	for (; next_point(answer, &p); points++) {
		check_symbol(f, &p);
		check_lines(f, &p);
	}
	ck_assert_int_eq(points, 3);
	pclose(answer);
	ck_assert_ptr_null(sym_file_problem(f));
	sym_file_close(f);
}
END_TEST

START_TEST(lost_parts_of_split_dwarf_are_told)
{
	struct sym_file *f = open_at(SAMPLES "/forms/lost", NULL);
	FILE *answer = run_sample("sample");
	struct sym_line lines[SYM_MAX_INLINE];
	struct point p;

	if (sym_file_state(f) == SYM_OK && next_point(answer, &p)) {
		sym_lines_at(f, p.offset, lines, SYM_MAX_INLINE);
		ck_assert_ptr_nonnull(sym_file_problem(f));
		ck_assert_ptr_nonnull(strstr(sym_file_problem(f), "split DWARF"));
	}
	pclose(answer);
	sym_file_close(f);
}
END_TEST

START_TEST(static_variables_are_named_as_it_says)
{
	struct sym_file *f = open_sample(with_lines[_i]);
	FILE *answer = run_sample(with_lines[_i]);

	ck_assert_int_eq(check_variables(f, answer, true), 3);
	pclose(answer);
	sym_file_close(f);
}
END_TEST

START_TEST(without_debug_information_symbols_are_left)
{
	struct sym_file *f = open_sample("sample_nodebug");
	FILE *answer = run_sample("sample_nodebug");
	struct sym_line lines[4];
	struct point p;

	ck_assert(!sym_file_has_lines(f));
	ck_assert(next_point(answer, &p));
	check_symbol(f, &p);
	ck_assert_uint_eq(sym_lines_at(f, p.offset, lines, 4), 0);
	ck_assert_int_eq(check_variables(f, answer, false), 3);
	pclose(answer);
	sym_file_close(f);
}
END_TEST

START_TEST(options_can_leave_lines_out)
{
	struct sym_options o = { .no_lines = true };
	struct sym_file *f = open_at(SAMPLES "/sample", &o);

	ck_assert(!sym_file_has_lines(f));
	sym_file_close(f);
}
END_TEST

START_TEST(a_stripped_program_keeps_its_functions_extents)
{
	struct sym_file *f = open_sample("stripped"), *whole = open_sample("sample");
	FILE *answer = run_sample("sample");
	uint64_t key, other;
	struct point p;

	while (next_point(answer, &p)) {
		size_t len, at, len2, at2;
		bool start;

		ck_assert_ptr_null(sym_symbol_at(f, p.offset));
		ck_assert_ptr_nonnull(sym_code_at(f, p.offset, &len, &at, &start, &key));
		ck_assert(start);
		ck_assert_ptr_nonnull(sym_code_at(whole, p.offset, &len2, &at2, &start, &other));
		ck_assert_uint_eq(len, len2);
		ck_assert_uint_eq(at, at2);
		ck_assert_uint_eq(key, other);
	}
	pclose(answer);
	sym_file_close(f);
	sym_file_close(whole);
}
END_TEST

START_TEST(a_debug_link_is_followed)
{
	struct sym_file *f = open_sample("linked"), *bare = open_sample("bare");

	check_all_points(f, true);
	ck_assert_uint_eq(sym_file_build_id(bare).size, 0);
	check_all_points(bare, true);
	sym_file_close(f);
	sym_file_close(bare);
}
END_TEST

/* A separate debug file of another build has a different checksum or build-id, so it is not
 * used. */
START_TEST(a_debug_file_of_another_build_is_not_used)
{
	static const char *const names[] = { "linked", "bare" };
	char path[256], debug[256];
	struct sym_file *f;

	snprintf(path, sizeof(path), "%s/program", scratch);
	snprintf(debug, sizeof(debug), "%s/%s.debug", scratch, names[_i]);
	copy_file(_i ? SAMPLES "/bare" : SAMPLES "/linked", path);
	copy_file(SAMPLES "/sample_o0", debug);
	f = open_at(path, NULL);
	ck_assert_int_eq(sym_file_state(f), SYM_OK);
	ck_assert(!sym_file_has_lines(f));
	sym_file_close(f);
}
END_TEST

START_TEST(a_debug_file_is_found_by_build_id)
{
	struct sym_options o = { .debug_dirs = "/nonexistent:" };
	struct sym_file *f = open_at(SAMPLES "/stripped", &o);
	struct sym_build_id id = sym_file_build_id(f);
	char path[300], dirs[200];

	ck_assert_uint_eq(id.size, 20);
	ck_assert(!sym_file_has_lines(f));
	sym_file_close(f);
	snprintf(path, sizeof(path), "%s/.build-id", scratch);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/.build-id/%02x", scratch, id.bytes[0]);
	mkdir(path, 0700);
	strcat(path, "/");
	for (int i = 1; i < id.size; i++)
		snprintf(path + strlen(path), 3, "%02x", id.bytes[i]);
	strcat(path, ".debug");
	copy_file(SAMPLES "/linked.debug", path);
	snprintf(dirs, sizeof(dirs), "/nonexistent:%s", scratch);
	o.debug_dirs = dirs;
	f = open_at(SAMPLES "/stripped", &o);
	check_all_points(f, true);
	sym_file_close(f);
}
END_TEST

START_TEST(a_debug_file_is_fetched_from_a_server)
{
	struct sym_options o = { .debug_dirs = "/nonexistent", .debuginfod = true };
	struct sym_file *f = open_at(SAMPLES "/stripped", &o);
	struct sym_build_id id = sym_file_build_id(f);
	char path[300], command[800];

	sym_file_close(f);
	/* without this library, debuginfod finds nothing */
	if (!dlopen("libdebuginfod.so.1", RTLD_LAZY))
		return;
	snprintf(path, sizeof(path), "%s/buildid/", scratch);
	for (int i = 0; i < id.size; i++)
		snprintf(path + strlen(path), 3, "%02x", id.bytes[i]);
	snprintf(command, sizeof(command),
		 "mkdir -p '%s' && cp '" SAMPLES "/linked.debug' '%s/debuginfo'", path, path);
	ck_assert_int_eq(system(command), 0);
	snprintf(path, sizeof(path), "file://%s", scratch);
	setenv("DEBUGINFOD_URLS", path, 1);
	snprintf(path, sizeof(path), "%s/cache", scratch);
	setenv("DEBUGINFOD_CACHE_PATH", path, 1);
	o.debuginfod = false;
	f = open_at(SAMPLES "/stripped", &o);
	ck_assert(!sym_file_has_lines(f));
	sym_file_close(f);
	o.debuginfod = true;
	f = open_at(SAMPLES "/stripped", &o);
	check_all_points(f, true);
	sym_file_close(f);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("symbol");
	TCase *tc = tcase_create("files");
	const int n = COUNT_OF(with_lines);

	tcase_set_timeout(tc, 240);
	tcase_add_checked_fixture(tc, make_scratch, remove_scratch);
	tcase_add_loop_test(tc, a_program_is_named_as_it_says, 0, n);
	read_forms();
	tcase_add_loop_test(tc, every_form_of_debug_information_says_the_same, 0, nforms);
	tcase_add_test(tc, lost_parts_of_split_dwarf_are_told);
	tcase_add_loop_test(tc, static_variables_are_named_as_it_says, 0, n);
	tcase_add_test(tc, without_debug_information_symbols_are_left);
	tcase_add_test(tc, options_can_leave_lines_out);
	tcase_add_test(tc, a_stripped_program_keeps_its_functions_extents);
	tcase_add_test(tc, a_debug_link_is_followed);
	tcase_add_loop_test(tc, a_debug_file_of_another_build_is_not_used, 0, 2);
	tcase_add_test(tc, a_debug_file_is_found_by_build_id);
	tcase_add_test(tc, a_debug_file_is_fetched_from_a_server);
#ifdef __x86_64__
#endif
#ifdef SAMPLE_CXX
#endif
	suite_add_tcase(s, tc);
	return run_suite(s);
}
