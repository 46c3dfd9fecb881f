/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests programs whose debug information was changed at random; sometimes other bytes are changed,
 * too. The answers for such a program may be lost. But the program must not end this process or
 * change the answers for another file.
 *
 * test_symbol_mutated [COPIES]     changed copies of each program, by default 100
 */
#include "symbol/dwarf_file.h"
#include "symbol/symbol.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/count.h"
#include "check_main.h"
#include "random.h"

static const char *const programs[] = {
	"sample",
	"sample_o0",
	"sample_dwarf4",
#ifdef SAMPLE_CXX
	"sample_cxx",
#endif
};

static uint64_t copies = 100;
static uint64_t state;
static unsigned told, given_up;

static uint64_t random_below(uint64_t n)
{
	random_next(&state);
	return (state >> 33) % n;
}

/* Returns the offset of a random byte: seven times of eight in a debug section, otherwise
 * anywhere. */
static size_t choose_place(const uint8_t *p, size_t len)
{
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)p;
	const Elf64_Shdr *s = (const Elf64_Shdr *)(p + h->e_shoff);
	const char *names = (const char *)p + s[h->e_shstrndx].sh_offset;

	for (int tries = 0; random_below(8) && tries < 100; tries++) {
		const Elf64_Shdr *x = &s[random_below(h->e_shnum)];

		if (strncmp(names + x->sh_name, ".debug_", 7) == 0 && x->sh_size)
			return x->sh_offset + random_below(x->sh_size);
	}
	return random_below(len);
}

static void mutate(uint8_t *p, const uint8_t *sound, size_t len)
{
	static const uint8_t liked[] = { 0, 1, 0x7f, 0x80, 0xff };

	for (uint64_t n = 1 + random_below(12); n; n--) {
		size_t at = choose_place(sound, len), run = 1 + random_below(4);

		for (; run && at < len; run--, at++)
			p[at] = random_below(2) ? (uint8_t)random_below(256)
						: liked[random_below(sizeof(liked))];
	}
}

static void use_everything(const char *path)
{
	struct sym_file *f = NULL;
	struct sym_line lines[SYM_MAX_INLINE];
	uint64_t offsets[0x4000 / 0x15 + 1];
	size_t n = 0;

	ck_assert_int_eq(sym_file_open(path, NULL, NULL, &f, NULL), 0);
	for (uint64_t offset = 0; offset < 0x4000; offset += 0x15)
		offsets[n++] = offset;
	sym_lines_prepare(f, offsets, n);
	for (size_t i = 0; i < n; i++) {
		unsigned frames = sym_lines_at(f, offsets[i], lines, SYM_MAX_INLINE);

		for (unsigned k = 0; k < frames; k++)
			if (lines[k].file)
				ck_assert_uint_le(strlen(lines[k].file), 64 << 10);
	}
	sym_variables(f, &n);
	for (uint64_t vaddr = 0; vaddr < 0x8000; vaddr += 0x95)
		sym_section_at(f, vaddr);
	told += sym_file_problem(f) != NULL;
	given_up += sym_file_problem(f) && strstr(sym_file_problem(f), "given up");
	sym_file_close(f);
}

static uint8_t *load(const char *path, size_t *len)
{
	FILE *f = fopen(path, "r");
	uint8_t *p;

	ck_assert_msg(f != NULL, "%s is not built", path);
	fseek(f, 0, SEEK_END);
	*len = (size_t)ftell(f);
	rewind(f);
	p = malloc(*len);
	ck_assert_ptr_nonnull(p);
	ck_assert_uint_eq(fread(p, 1, *len, f), *len);
	fclose(f);
	return p;
}

static void write_program(const char *path, const uint8_t *p, size_t len)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(p, 1, len, f), len);
	ck_assert_int_eq(fclose(f), 0);
}

START_TEST(a_changed_program_ends_nobody)
{
	char path[] = "/tmp/memdb-test-mutated-XXXXXX", from[4096];
	int fd = mkstemp(path);
	uint8_t *sound, *p;
	struct sym_file *good = NULL;
	size_t len, before, after;

	ck_assert_int_ge(fd, 0);
	close(fd);
	snprintf(from, sizeof(from), SAMPLES "/%s", programs[_i]);
	sound = load(from, &len);
	ck_assert_int_eq(sym_file_open(from, NULL, NULL, &good, NULL), 0);
	sym_variables(good, &before);
	ck_assert_uint_ge(before, 1);
	dwarf_limits.cpu_seconds = 5;
	for (uint64_t i = 0; i < copies; i++) {
		state = i * 1000 + (uint64_t)_i;
		p = copy_exact(sound, len);
		mutate(p, sound, len);
		write_program(path, p, len);
		free(p);
		use_everything(path);
	}
	sym_file_close(good);
	ck_assert_int_eq(sym_file_open(from, NULL, NULL, &good, NULL), 0);
	sym_variables(good, &after);
	ck_assert_uint_eq(before, after);
	ck_assert_ptr_null(sym_file_problem(good));
	sym_file_close(good);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
	free(sound);
	unlink(path);
	printf("%s: %lu copies, %u with a problem told, of them %u given up\n", programs[_i],
	       (unsigned long)copies, told, given_up);
	fflush(stdout);
}
END_TEST

int main(int argc, char **argv)
{
	Suite *s = suite_create("symbol_mutated");
	TCase *tc = tcase_create("mutated");

	if (argc > 1)
		copies = strtoull(argv[1], NULL, 10);
	tcase_set_timeout(tc, 100.0 + (double)copies / 10);
	tcase_add_loop_test(tc, a_changed_program_ends_nobody, 0, COUNT_OF(programs));
	suite_add_tcase(s, tc);
	return run_suite(s);
}
