/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers of test_symbol.c and test_symbol_files.c: open the sample programs in tests/unit/symbols,
 * and compare what the library finds with the answers that these programs print. */
#ifndef MEMDB_TEST_SYMBOL_FIXTURE_H
#define MEMDB_TEST_SYMBOL_FIXTURE_H

#include "symbol/symbol.h"
#include "symbol/vdso.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_main.h"

static char scratch[] = "/tmp/memdb-test-symbol-XXXXXX";

static inline struct sym_file *open_at(const char *path, const struct sym_options *o)
{
	struct sym_file *f = NULL;
	struct md_err err = { 0 };

	ck_assert_msg(sym_file_open(path, NULL, o, &f, &err) == 0, "%s", err.msg);
	ck_assert_ptr_nonnull(f);
	return f;
}

static inline struct sym_file *open_sample(const char *name)
{
	char path[4096];
	struct sym_file *f;

	snprintf(path, sizeof(path), SAMPLES "/%s", name);
	f = open_at(path, NULL);
	ck_assert_msg(sym_file_state(f) == SYM_OK, "%s is not built", path);
	return f;
}

static inline FILE *run_sample(const char *name)
{
	char command[4096];
	FILE *out;

	snprintf(command, sizeof(command), "'" SAMPLES "/%s'", name);
	out = popen(command, "r");
	ck_assert_ptr_nonnull(out);
	return out;
}

/* One line "point" that the program "sample" printed about itself. */
struct point {
	uint64_t offset, vaddr;
	char frame[3][64]; /* "FUNCTION:LINE" of each frame */
	unsigned frames;
};

static inline bool next_point(FILE *answer, struct point *p)
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

static inline void check_lines(struct sym_file *f, const struct point *p)
{
	struct sym_line lines[SYM_MAX_INLINE];
	unsigned n = sym_lines_at(f, p->offset, lines, SYM_MAX_INLINE);

	ck_assert_msg(n == p->frames, "%u frames at %lx, not %u", n, p->offset, p->frames);
	for (unsigned i = 0; i < n; i++) {
		char frame[256];

		/* C++ names have parameters. The comparison leaves them out. */
		snprintf(frame, sizeof(frame), "%.*s:%u", (int)strcspn(lines[i].function, "("),
			 lines[i].function, lines[i].line);
		if (!strstr(p->frame[i], "each"))
			ck_assert_str_eq(frame, p->frame[i]);
		ck_assert_ptr_nonnull(strstr(lines[i].file, "/sample.c"));
		/* the path is absolute: it does not depend on the reader's working directory */
		ck_assert_int_eq(lines[i].file[0], '/');
		ck_assert_ptr_null(strstr(lines[i].file, "/../"));
		ck_assert_int_eq(access(lines[i].file, R_OK), 0);
	}
	ck_assert_uint_eq(sym_lines_at(f, p->offset, lines, 1), 1);
	ck_assert_uint_eq(sym_lines_at(f, p->offset, lines, 0), 0);
}

static inline void check_symbol(struct sym_file *f, const struct point *p)
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

/* The paths of the sample programs that symbols/forms.sh built with the available compilers. */
static char forms[64][64];
static int nforms;

static inline void read_forms(void)
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

static inline const struct sym_variable *find_variable(struct sym_file *f, uint64_t vaddr)
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

static inline int check_variables(struct sym_file *f, FILE *answer, bool lines)
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

static inline void check_all_points(struct sym_file *f, bool lines)
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

static inline void copy_file(const char *from, const char *to)
{
	char command[8300];

	snprintf(command, sizeof(command), "cp '%s' '%s'", from, to);
	ck_assert_int_eq(system(command), 0);
}

static inline void check_empty(const char *path, enum sym_state state)
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
	ck_assert(!sym_load_bias(f, &(struct sym_mapped){ 0x1000, 0x1000, 0, true }, &vaddr));
	sym_file_close(f);
}

static inline void make_scratch(void)
{
	ck_assert_ptr_nonnull(mkdtemp(scratch));
}

static inline void remove_scratch(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", scratch);
	ck_assert_int_eq(system(command), 0);
	memcpy(scratch + strlen(scratch) - 6, "XXXXXX", 6);
}

#endif
