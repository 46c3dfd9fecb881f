/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that say what is at their own addresses (symbols/sample.h), built in many ways. */
#include "symbol/symbol.h"
#include "symbol/vdso.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_main.h"

static char scratch[] = "/tmp/memdb-test-symbol-XXXXXX";

static struct sym_file *open_at(const char *path, const struct sym_options *o)
{
	struct sym_file *f = NULL;
	struct md_err err = { 0 };

	ck_assert_msg(sym_file_open(path, NULL, o, &f, &err) == 0, "%s", err.msg);
	ck_assert_ptr_nonnull(f);
	return f;
}

static struct sym_file *open_sample(const char *name)
{
	char path[4096];
	struct sym_file *f;

	snprintf(path, sizeof(path), SAMPLES "/%s", name);
	f = open_at(path, NULL);
	ck_assert_msg(sym_file_state(f) == SYM_OK, "%s is not built", path);
	return f;
}

static FILE *run_sample(const char *name)
{
	char command[4096];
	FILE *out;

	snprintf(command, sizeof(command), "'" SAMPLES "/%s'", name);
	out = popen(command, "r");
	ck_assert_ptr_nonnull(out);
	return out;
}

/* A "point" of the program's answer. */
struct point {
	uint64_t offset, vaddr;
	char frame[3][64]; /* FUNCTION:LINE */
	unsigned frames;
};

static bool next_point(FILE *answer, struct point *p)
{
	char line[512];

	while (fgets(line, sizeof(line), answer)) {
		int n = sscanf(line, "point %lx %lx %63s %63s %63s", &p->offset, &p->vaddr,
			       p->frame[0], p->frame[1], p->frame[2]);

		if (n >= 3) {
			p->frames = (unsigned)n - 2;
			return true;
		}
	}
	return false;
}

static void check_lines(struct sym_file *f, const struct point *p)
{
	struct sym_line lines[SYM_MAX_INLINE];
	unsigned n = sym_lines_at(f, p->offset, lines, SYM_MAX_INLINE);

	ck_assert_msg(n == p->frames, "%u frames at %lx, not %u", n, p->offset, p->frames);
	for (unsigned i = 0; i < n; i++) {
		char frame[256];

		/* Without the parameters, which C does not have. */
		snprintf(frame, sizeof(frame), "%.*s:%u", (int)strcspn(lines[i].function, "("),
			 lines[i].function, lines[i].line);
		if (!strstr(p->frame[i], "each"))
			ck_assert_str_eq(frame, p->frame[i]);
		ck_assert_ptr_nonnull(strstr(lines[i].file, "/sample.c"));
		ck_assert_int_eq(lines[i].file[0], '/'); /* the reader may be started anywhere */
		ck_assert_ptr_null(strstr(lines[i].file, "/../"));
		ck_assert_int_eq(access(lines[i].file, R_OK), 0);
	}
	ck_assert_uint_eq(sym_lines_at(f, p->offset, lines, 1), 1);
	ck_assert_uint_eq(sym_lines_at(f, p->offset, lines, 0), 0);
}

static void check_symbol(struct sym_file *f, const struct point *p)
{
	const struct sym_symbol *s = sym_symbol_at(f, p->offset);
	const char *outermost = p->frame[p->frames - 1];
	uint64_t key, vaddr;
	const uint8_t *code;
	size_t len, at;
	bool from_start;

	ck_assert_msg(s != NULL, "no symbol at %lx for %s", p->offset, outermost);
	ck_assert_int_eq(strncmp(s->pretty, outermost, strcspn(outermost, ":")), 0);
	ck_assert_ptr_eq(s, sym_symbol_at(f, s->start));
	ck_assert(p->offset >= s->start && p->offset < s->start + s->size);
	ck_assert(sym_vaddr_at(f, p->offset, &vaddr));
	ck_assert_uint_eq(vaddr, p->vaddr);
	code = sym_code_at(f, p->offset, &len, &at, &from_start, &key);
	ck_assert_ptr_nonnull(code);
	ck_assert(from_start && key);
	ck_assert_uint_eq(at, p->offset - s->start);
	ck_assert_uint_eq(len, s->size);
}

static const char *const with_lines[] = {
	"sample",     "sample_nopie", "sample_o0", "sample_dwarf4", "sample_split",
#ifdef SAMPLE_LLD
	"sample_lld",
#endif
};

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

/* Programs of symbols/forms.sh, as many as the available tools made. */
static char forms[64][64];
static int nforms;

static void read_forms(void)
{
	FILE *list = fopen(SAMPLES "/forms/list", "r");
	char line[256];

	while (list && fgets(line, sizeof(line), list) && nforms < 64)
		if (line[0] != '#')
			snprintf(forms[nforms++], sizeof(forms[0]), "forms/%.*s",
				 (int)strcspn(line, "\n"), line);
		else
			printf("%s", line);
	if (list)
		fclose(list);
}

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

static const struct sym_variable *find_variable(struct sym_file *f, uint64_t vaddr)
{
	size_t n;
	const struct sym_variable *v = sym_variables(f, &n);

	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_ne(v[i].size, 0);
		ck_assert(i == 0 || v[i - 1].vaddr <= v[i].vaddr);
		if (v[i].vaddr == vaddr && !v[i].is_tls)
			return &v[i];
	}
	return NULL;
}

static int check_variables(struct sym_file *f, FILE *answer, bool lines)
{
	char text[512], name[64];
	uint64_t vaddr;
	size_t size;
	int count = 0;
	unsigned line;

	while (fgets(text, sizeof(text), answer)) {
		const struct sym_variable *v;

		if (sscanf(text, "var %lx %zu %u static %63s", &vaddr, &size, &line, name) != 4)
			continue;
		count++;
		v = find_variable(f, vaddr);
		ck_assert_msg(v != NULL, "no variable at %lx for %s", vaddr, name);
		ck_assert_uint_eq(v->size, size);
		if (lines) {
			ck_assert_str_eq(v->name, name);
			ck_assert_uint_eq(v->line, line);
			ck_assert_ptr_nonnull(strstr(v->file, "sample.c"));
		} else if (!strchr(name, ':')) {
			ck_assert_str_eq(v->name, name);
		}
	}
	return count;
}

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

static void check_all_points(struct sym_file *f, bool lines)
{
	FILE *answer = run_sample("sample");
	struct point p;
	int points = 0;

	for (; next_point(answer, &p); points++) {
		check_symbol(f, &p);
		if (lines)
			check_lines(f, &p);
	}
	ck_assert_int_eq(points, 3);
	pclose(answer);
}

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

static void copy_file(const char *from, const char *to)
{
	char command[8300];

	snprintf(command, sizeof(command), "cp '%s' '%s'", from, to);
	ck_assert_int_eq(system(command), 0);
}

/* The debug file of another build must not be used: neither by checksum nor by build-id. */
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
	if (!dlopen("libdebuginfod.so.1", RTLD_LAZY)) /* not installed: nothing is found */
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

START_TEST(mini_debug_information_gives_symbols)
{
	struct sym_file *f = open_at(SAMPLES "/mini", NULL);

	if (sym_file_state(f) == SYM_OK) /* else xz was not there to make it */
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

/* The build-id in the notes of the vdso of this process; size 0 where there is none. */
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

	if (!id.size) /* a kernel without one */
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
			 SYM_OK); /* the caller knows that it is the same kernel */
	sym_file_close(f);
}
END_TEST

static void check_empty(const char *path, enum sym_state state)
{
	struct sym_file *f = open_at(path, NULL);
	uint64_t lo, hi, vaddr, key;
	struct sym_line line;
	size_t n, at;
	bool start;

	ck_assert_msg(sym_file_state(f) == state, "%s", path);
	ck_assert_uint_eq(sym_file_build_id(f).size, 0);
	ck_assert(!sym_file_has_lines(f));
	ck_assert_ptr_null(sym_symbol_at(f, 0));
	ck_assert_ptr_null(sym_code_at(f, 0, &n, &at, &start, &key));
	ck_assert_uint_eq(sym_lines_at(f, 0, &line, 1), 0);
	ck_assert_ptr_null(sym_variables(f, &n));
	ck_assert_uint_eq(n, 0);
	ck_assert(!sym_vaddr_at(f, 0, &vaddr));
	ck_assert(!sym_load_range(f, &lo, &hi));
	ck_assert(!sym_load_bias(f, 0x1000, 0, true, &vaddr));
	sym_file_close(f);
}

START_TEST(what_is_no_program_is_an_empty_file)
{
	char path[256];

	check_empty("/nonexistent/file", SYM_MISSING);
	check_empty("", SYM_MISSING);
	check_empty("//anon", SYM_MISSING);
	check_empty("/dev/zero", SYM_MISSING);
	check_empty("/tmp", SYM_MISSING);
	snprintf(path, sizeof(path), "%s/fifo", scratch);
	ck_assert_int_eq(mkfifo(path, 0600), 0); /* to open it would block */
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
	uint64_t bias, lo, hi, page;
	struct point p;

	ck_assert(next_point(answer, &p));
	page = p.offset & ~(uint64_t)4095;
	ck_assert(sym_load_bias(f, 0x7f0000000000 + page, page, true, &bias));
	ck_assert_uint_eq(bias + p.vaddr, 0x7f0000000000 + p.offset);
	ck_assert(!sym_load_bias(f, 0x7f0000000000, 1 << 30, true, &bias));
	ck_assert(sym_load_range(f, &lo, &hi));
	ck_assert(lo <= p.vaddr && p.vaddr < hi);
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
		/* clang describes the return type of a template, too. */
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

/* Cut anywhere, and with bytes changed, a program may lose answers, never more. */
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

static void make_scratch(void)
{
	ck_assert_ptr_nonnull(mkdtemp(scratch));
}

static void remove_scratch(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", scratch);
	ck_assert_int_eq(system(command), 0);
	memcpy(scratch + strlen(scratch) - 6, "XXXXXX", 6);
}

int main(void)
{
	Suite *s = suite_create("symbol");
	TCase *tc = tcase_create("files");
	const int n = sizeof(with_lines) / sizeof(with_lines[0]);

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
	tcase_add_test(tc, mini_debug_information_gives_symbols);
	tcase_add_test(tc, a_root_comes_before_paths);
	tcase_add_test(tc, only_the_recorded_build_is_used);
	tcase_add_test(tc, the_vdso_is_used_if_it_is_that_of_the_recording);
	tcase_add_test(tc, what_is_no_program_is_an_empty_file);
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
