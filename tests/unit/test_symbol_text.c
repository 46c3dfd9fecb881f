/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what is read from text: kernel symbols and mangled C++ names. */
#include "symbol/demangle.h"
#include "symbol/symbol.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "check_main.h"

static char path[] = "/tmp/memdb-test-text-XXXXXX";

static void make_file(void)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void remove_file(void)
{
	unlink(path);
	memcpy(path + strlen(path) - 6, "XXXXXX", 6);
}

static void write_file(const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(text, 1, len, f), len);
	fclose(f);
}

static const char *symbol_name(struct sym_file *f, uint64_t address)
{
	const struct sym_symbol *s = sym_symbol_at(f, address);

	return s ? s->name : "";
}

START_TEST(kernel_symbols_are_found_by_address)
{
	static const char text[] = "0000000000000000 A percpu\n"
				   "ffffffff81000000 T _stext\n"
				   "ffffffff81000000 T startup\n"
				   "ffffffff81000100 t local_function\n"
				   "ffffffff81000200 a absolute\n"
				   "no line of this kind\n"
				   "ffffffffc0000000 t module_function\t[module]\n"
				   "ffffffff81000180 W weak_function";
	struct sym_file *f;
	struct md_err err = { 0 };
	const struct sym_symbol *s;
	uint64_t key;
	size_t len, at;
	bool start;

	write_file(text, sizeof(text) - 1);
	ck_assert_msg(sym_kallsyms_open(path, NULL, &f, &err) == 0, "%s", err.msg);
	ck_assert_str_eq(symbol_name(f, 0xffffffff80ffffff), "");
	s = sym_symbol_at(f, 0xffffffff810000ff);
	ck_assert_str_eq(s->name, "startup");
	ck_assert_uint_eq(s->start, 0xffffffff81000000);
	ck_assert_uint_eq(s->vaddr, 0xffffffff81000000);
	ck_assert_str_eq(symbol_name(f, 0xffffffff81000100), "local_function");
	ck_assert_str_eq(symbol_name(f, 0xffffffff81000200), "weak_function");
	ck_assert_str_eq(symbol_name(f, 0xffffffffc0000010), "module_function");
	/* no symbol is near this address */
	ck_assert_str_eq(symbol_name(f, 0xffffffffff000000), "");
	ck_assert_ptr_null(sym_code_at(f, 0xffffffff81000100, &len, &at, &start, &key));
	ck_assert(!sym_file_has_lines(f));
	sym_file_close(f);
}
END_TEST

START_TEST(symbols_of_a_kernel_that_moved_are_not_used)
{
	static const char text[] = "ffffffff81000000 T _text\n"
				   "ffffffff81000100 T function\n";
	struct sym_kernel at = { "_text", 0xffffffff81000000 };
	struct md_err err = { 0 };
	struct sym_file *f;

	write_file(text, sizeof(text) - 1);
	ck_assert_int_eq(sym_kallsyms_open(path, &at, &f, &err), 0);
	sym_file_close(f);
	at.address = 0xffffffff9a000000;
	ck_assert_int_eq(sym_kallsyms_open(path, &at, &f, &err), MD_EFORMAT);
	ck_assert_ptr_nonnull(strstr(err.msg, "started again"));
	at.symbol = "_of_another_build";
	ck_assert_int_eq(sym_kallsyms_open(path, &at, &f, &err), 0);
	sym_file_close(f);
}
END_TEST

START_TEST(hidden_kernel_addresses_are_an_error)
{
	static const char text[] = "0000000000000000 T _stext\n0000000000000000 t x\n";
	struct md_err err = { 0 };
	struct sym_file *f;

	write_file(text, sizeof(text) - 1);
	ck_assert_int_eq(sym_kallsyms_open(path, NULL, &f, &err), MD_EFORMAT);
	ck_assert_ptr_null(f);
	ck_assert_str_ne(err.msg, "");
	write_file("", 0);
	ck_assert_int_eq(sym_kallsyms_open(path, NULL, &f, NULL), MD_EFORMAT);
	ck_assert_int_eq(sym_kallsyms_open("/nonexistent", NULL, &f, &err), MD_EIO);
	ck_assert_ptr_null(f);
	ck_assert_int_eq(err.sys, 2);
}
END_TEST

START_TEST(code_made_at_run_time_has_the_name_told_last)
{
	static const char text[] = "7f0000001000 40 old code\n"
				   "0x7f0000001100 0x20 LazyCompile:*run /a b.js:3:14\r\n"
				   "7f0000001000 30 new code\n"
				   "7f0000001010 8 within\n"
				   "7f0000002000 0 empty\n"
				   "7f0000002000\n"
				   "7f0000002000 10 \n"
				   "no line\n"
				   "fffffffffffffff0 20 beyond the end\n"
				   "7f0000003000 10 cut off";
	struct md_err err = { 0 };
	struct sym_file *f;

	write_file(text, sizeof(text) - 1);
	ck_assert_msg(sym_perfmap_open(path, &f, &err) == 0, "%s", err.msg);
	ck_assert_int_eq(sym_file_state(f), SYM_OK);
	ck_assert_str_eq(symbol_name(f, 0x7f0000001000), "new code");
	ck_assert_str_eq(symbol_name(f, 0x7f000000102f), "new code");
	ck_assert_str_eq(symbol_name(f, 0x7f0000001017), "within");
	ck_assert_str_eq(symbol_name(f, 0x7f0000001030), "");
	ck_assert_str_eq(symbol_name(f, 0x7f000000111f), "LazyCompile:*run /a b.js:3:14");
	ck_assert_str_eq(symbol_name(f, 0x7f0000002000), "");
	ck_assert_str_eq(symbol_name(f, 0xfffffffffffffff8), "");
	ck_assert_str_eq(symbol_name(f, 0x7f0000003008), "cut off");
	sym_file_close(f);
	write_file("", 0);
	ck_assert_int_eq(sym_perfmap_open(path, &f, NULL), 0);
	ck_assert_str_eq(symbol_name(f, 0), "");
	sym_file_close(f);
	ck_assert_int_eq(sym_perfmap_open("/nonexistent", &f, &err), MD_EIO);
	ck_assert_ptr_null(f);
}
END_TEST

START_TEST(a_map_of_somebody_else_is_not_ours)
{
	char other[64];
	const int64_t now = time(NULL);

	ck_assert(sym_perfmap_is_ours(path, now + 10));
	ck_assert(!sym_perfmap_is_ours("/nonexistent", now + 10));
	ck_assert(!sym_perfmap_is_ours("/tmp", now + 10));
	snprintf(other, sizeof(other), "%s.link", path);
	ck_assert_int_eq(symlink(path, other), 0);
	ck_assert(!sym_perfmap_is_ours(other, now + 10));
	unlink(other);
	ck_assert_int_eq(link(path, other), 0);
	ck_assert(!sym_perfmap_is_ours(path, now + 10));
	unlink(other);
	if (geteuid())
		return;
	ck_assert_int_eq(chown(path, 12345, 12345), 0);
	ck_assert(!sym_perfmap_is_ours(path, now + 10));
}
END_TEST

START_TEST(names_are_demangled)
{
	struct arena a = { 0 };
	static const char plain[] = "memcpy", stub[] = "memcpy@plt";

	ck_assert_ptr_eq(demangle_name(&a, plain), plain);
	ck_assert_str_eq(demangle_name(&a, "memcpy@@GLIBC_2.14"), "memcpy");
	ck_assert_str_eq(demangle_name(&a, "__mesh_MOD_cells"), "mesh::cells");
	ck_assert_str_eq(demangle_name(&a, "__MOD_"), "__MOD_");
	ck_assert_str_eq(demangle_name(&a, "__MOD_cells"), "__MOD_cells");
	ck_assert_str_eq(demangle_name(&a, "_Z"), "_Z");
	ck_assert_str_eq(demangle_name(&a, "@x"), "@x");
	ck_assert_ptr_eq(demangle_name(&a, stub), stub);
	ck_assert_str_eq(demangle_name(&a, "@plt"), "@plt");
	ck_assert_str_eq(demangle_name(&a, "__mesh_MOD_cells@plt"), "mesh::cells@plt");
	ck_assert_str_eq(demangle_name(&a, ""), "");
	if (strcmp(demangle_name(&a, "_ZN2ns1fEi"), "_ZN2ns1fEi") !=
	    0) { /* only if memdb was built with a demangler */
		ck_assert_str_eq(demangle_name(&a, "_ZN2ns1fEi"), "ns::f(int)");
		ck_assert_str_eq(demangle_name(&a, "_ZN2ns1fEi@@V1"), "ns::f(int)");
		ck_assert_str_eq(demangle_name(&a, "_ZN2ns1fEi@plt"), "ns::f(int)@plt");
		ck_assert_str_eq(demangle_name(&a, "_RNvC6_123foo3bar"), "123foo::bar");
	}
	arena_release(&a);
}
END_TEST

/* Demangles f(A<int, int>, B<A…, A…>, B<B…, B…>, …), in which each type is twice as long as the
 * one before. */
START_TEST(a_name_that_grows_without_end_is_cut)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[1024] = "_Z1f1AIiiE", *p = name + strlen(name);
	struct arena a = { 0 };
	const char *pretty;

	for (int i = 0; i < 17; i++)
		p += sprintf(p, "1BIS%c_S%c_E", digits[2 * i], digits[2 * i]);
	pretty = demangle_name(&a, name);
	if (pretty != name) /* only if memdb was built with a demangler */
		ck_assert_uint_eq(strlen(pretty), 64 << 10);
	ck_assert_uint_lt(a.used, 1 << 20);
	arena_release(&a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("symbol_text");
	TCase *tc = tcase_create("text");

	tcase_add_checked_fixture(tc, make_file, remove_file);
	tcase_add_test(tc, kernel_symbols_are_found_by_address);
	tcase_add_test(tc, symbols_of_a_kernel_that_moved_are_not_used);
	tcase_add_test(tc, hidden_kernel_addresses_are_an_error);
	tcase_add_test(tc, code_made_at_run_time_has_the_name_told_last);
	tcase_add_test(tc, a_map_of_somebody_else_is_not_ours);
	tcase_add_test(tc, names_are_demangled);
	tcase_add_test(tc, a_name_that_grows_without_end_is_cut);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
