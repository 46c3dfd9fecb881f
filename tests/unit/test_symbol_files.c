/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which file of this machine is opened for a file that a recording names, and which kinds of
 * files with symbols can be read. */
#include "base/count.h"
#include "symbol_fixture.h"

START_TEST(mini_debug_information_gives_symbols)
{
	struct sym_file *f = open_at(SAMPLES "/mini", NULL);

	if (sym_file_state(f) == SYM_OK) /* the file exists only if xz is installed */
		check_all_points(f, false);
	ck_assert(!sym_file_has_lines(f));
	sym_file_close(f);
}
END_TEST

START_TEST(a_root_comes_before_paths)
{
	struct sym_options o = { .root = SAMPLES };
	struct sym_file *f = open_at("/sample", &o);

	ck_assert_int_eq(sym_file_state(f), SYM_OK);
	sym_file_close(f);
}
END_TEST

START_TEST(only_the_recorded_build_is_used)
{
	struct sym_file *f = open_sample("sample");
	struct sym_build_id id = sym_file_build_id(f);
	size_t n;

	sym_file_close(f);
	ck_assert_int_eq(sym_file_open(SAMPLES "/sample", &id, NULL, &f, NULL), 0);
	ck_assert_int_eq(sym_file_state(f), SYM_OK);
	sym_file_close(f);
	id.bytes[3] ^= 1;
	ck_assert_int_eq(sym_file_open(SAMPLES "/sample", &id, NULL, &f, NULL), 0);
	ck_assert_int_eq(sym_file_state(f), SYM_REPLACED);
	ck_assert_ptr_null(sym_symbol_at(f, 0x1100));
	ck_assert_ptr_null(sym_variables(f, &n));
	sym_file_close(f);
	ck_assert_int_eq(sym_file_open(SAMPLES "/bare", &id, NULL, &f, NULL), 0);
	ck_assert_int_eq(sym_file_state(f), SYM_REPLACED);
	sym_file_close(f);
}
END_TEST

/* Returns the build-id in the notes of this process's vdso. Its size is 0 if there is none. */
static struct sym_build_id vdso_build_id(void)
{
	struct image im;
	struct sym_build_id id = { 0 };

	if (vdso_open(&im) == 0)
		id = im.id;
	image_release(&im);
	return id;
}

START_TEST(the_vdso_is_used_if_it_is_that_of_the_recording)
{
	struct sym_build_id id = vdso_build_id();
	const struct sym_symbol *found = NULL;
	struct sym_file *f;

	if (!id.size) /* the vdso of this kernel has no build-id */
		return;
	ck_assert_int_eq(sym_file_open("[vdso]", &id, NULL, &f, NULL), 0);
	ck_assert_int_eq(sym_file_state(f), SYM_OK);
	for (uint64_t offset = 0; !found && offset < 0x4000; offset++)
		found = sym_symbol_at(f, offset);
	ck_assert_ptr_nonnull(found);
	sym_file_close(f);
	id.bytes[0] ^= 1;
	ck_assert_int_eq(sym_file_open("[vdso]", &id, NULL, &f, NULL), 0);
	ck_assert_int_eq(sym_file_state(f), SYM_REPLACED);
	sym_file_close(f);
	ck_assert_int_eq(sym_file_open("[vdso]", NULL, NULL, &f, NULL), 0);
	ck_assert_int_eq(sym_file_state(f),
			 /* accepted without a build-id: the caller must know that the recorded
			  * kernel is the running one */
			 SYM_OK);
	sym_file_close(f);
}
END_TEST

START_TEST(what_is_no_program_is_an_empty_file)
{
	char path[256];

	check_empty("/nonexistent/file", SYM_MISSING);
	check_empty("", SYM_MISSING);
	check_empty("//anon", SYM_MISSING);
	check_empty("/dev/zero", SYM_MISSING);
	check_empty("/tmp", SYM_MISSING);
	snprintf(path, sizeof(path), "%s/fifo", scratch);
	/* opening a FIFO that nobody writes into must not block */
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	check_empty(path, SYM_MISSING);
	snprintf(path, sizeof(path), "%s/empty", scratch);
	fclose(fopen(path, "w"));
	check_empty(path, SYM_NOT_ELF);
	check_empty("/etc/passwd", SYM_NOT_ELF);
}
END_TEST

#ifdef __x86_64__
START_TEST(stubs_are_named_after_what_they_call)
{
	static const char *const programs[] = { "sample", "sample_nopie", "stripped" };
	struct sym_file *f = open_sample(programs[_i]);
	const struct sym_symbol *found = NULL;

	for (uint64_t offset = 0; !found && offset < 0x4000; offset += 8) {
		const struct sym_symbol *s = sym_symbol_at(f, offset);

		if (s && strcmp(s->name, "dl_iterate_phdr@plt") == 0)
			found = s;
	}
	ck_assert_ptr_nonnull(found);
	ck_assert_ptr_eq(found->pretty, found->name);
	ck_assert_uint_ge(found->size, 8);
	sym_file_close(f);
}
END_TEST
#endif

START_TEST(the_load_bias_is_that_of_the_segment)
{
	struct sym_file *f = open_sample(with_lines[_i]);
	FILE *answer = run_sample(with_lines[_i]);
	struct sym_mapped m = { .start = 0x7f0000000000, .bytes = 4096, .exec = true };
	uint64_t bias, lo, hi;
	struct point p;

	ck_assert(next_point(answer, &p));
	m.pgoff = p.offset & ~(uint64_t)4095;
	m.start += m.pgoff;
	ck_assert(sym_load_bias(f, &m, &bias));
	ck_assert_uint_eq(bias + p.vaddr, 0x7f0000000000 + p.offset);
	m.pgoff = 1 << 30;
	ck_assert(!sym_load_bias(f, &m, &bias));
	ck_assert(sym_load_range(f, &lo, &hi));
	ck_assert(lo <= p.vaddr && p.vaddr < hi);
	pclose(answer);
	sym_file_close(f);
}
END_TEST

START_TEST(sections_are_found_by_their_addresses)
{
	struct sym_file *f = open_sample("sample");
	FILE *answer = run_sample("sample");
	const struct sym_section *text, *last = NULL;
	struct point p;
	size_t n;
	const struct sym_variable *v = sym_variables(f, &n);

	ck_assert_uint_gt(n, 0);
	for (size_t i = 0; i < n; i++) {
		const struct sym_section *s = v[i].is_tls ? NULL : sym_section_at(f, v[i].vaddr);

		if (!s)
			continue;
		ck_assert_ptr_eq(s, sym_section_at(f, s->vaddr));
		ck_assert_ptr_eq(s, sym_section_at(f, s->vaddr + s->size - 1));
		ck_assert_ptr_ne(s, sym_section_at(f, s->vaddr + s->size));
		ck_assert(s->name[0] == '.' && strcmp(s->name, ".tbss") != 0);
		last = s;
	}
	ck_assert_ptr_nonnull(last);
	ck_assert(next_point(answer, &p));
	text = sym_section_at(f, p.vaddr);
	ck_assert_ptr_nonnull(text);
	ck_assert_str_eq(text->name, ".text");
	ck_assert_ptr_null(sym_section_at(f, 0));
	ck_assert_ptr_null(sym_section_at(f, UINT64_MAX));
	pclose(answer);
	sym_file_close(f);
}
END_TEST

#ifdef SAMPLE_CXX
START_TEST(cxx_names_are_demangled)
{
	struct sym_file *f = open_sample("sample_cxx");
	FILE *answer = run_sample("sample_cxx");
	struct sym_line lines[8];
	struct point p;
	int points = 0;

	for (; next_point(answer, &p); points++) {
		const char *want =
			strstr(p.frame[0], "each") ? "shapes::Box<double>::each<" : "shapes::fill";

		check_lines(f, &p);
		ck_assert_uint_eq(sym_lines_at(f, p.offset, lines, 8), 1);
		/* clang also writes the return type of a template function, so only a part is
		 * compared */
		ck_assert_msg(strstr(lines[0].function, want) != NULL, "%s", lines[0].function);
	}
	ck_assert_int_eq(points, 3);
	pclose(answer);
	answer = run_sample("sample_cxx");
	ck_assert_int_eq(check_variables(f, answer, true), 1);
	pclose(answer);
	sym_file_close(f);
}
END_TEST
#endif

/* Queries everything that can be queried from a program file that was cut or changed at random.
 * Answers may be lost, but the reader must not crash. */
static void use_everything(const char *path)
{
	struct sym_file *f = open_at(path, NULL);
	struct sym_line lines[8];
	size_t n, at;
	bool start;
	uint64_t key;

	for (uint64_t offset = 0; offset < 0x4000; offset += 0x35) {
		sym_symbol_at(f, offset);
		sym_code_at(f, offset, &n, &at, &start, &key);
		sym_lines_at(f, offset, lines, 8);
	}
	sym_variables(f, &n);
	sym_file_close(f);
}

START_TEST(a_truncated_program_is_no_error)
{
	char path[256];
	struct stat st;
	off_t step;

	snprintf(path, sizeof(path), "%s/truncated", scratch);
	copy_file(SAMPLES "/sample", path);
	ck_assert_int_eq(stat(path, &st), 0);
	step = st.st_size / 200;
	for (off_t len = st.st_size - 1; len >= 0; len -= step) {
		ck_assert_int_eq(truncate(path, len), 0);
		use_everything(path);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("symbol_files");
	TCase *tc = tcase_create("files");
	const int n = COUNT_OF(with_lines);

	tcase_set_timeout(tc, 240);
	tcase_add_checked_fixture(tc, make_scratch, remove_scratch);
	read_forms();
	tcase_add_test(tc, mini_debug_information_gives_symbols);
	tcase_add_test(tc, a_root_comes_before_paths);
	tcase_add_test(tc, only_the_recorded_build_is_used);
	tcase_add_test(tc, the_vdso_is_used_if_it_is_that_of_the_recording);
	tcase_add_test(tc, what_is_no_program_is_an_empty_file);
	tcase_add_test(tc, sections_are_found_by_their_addresses);
#ifdef __x86_64__
	tcase_add_loop_test(tc, stubs_are_named_after_what_they_call, 0, 3);
#endif
	tcase_add_loop_test(tc, the_load_bias_is_that_of_the_segment, 0, n);
#ifdef SAMPLE_CXX
	tcase_add_test(tc, cxx_names_are_demangled);
#endif
	tcase_add_test(tc, a_truncated_program_is_no_error);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
