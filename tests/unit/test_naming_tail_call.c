/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the search for tail calls ends. The function that is called has many branches, each to
 * another entry of the table by which a file reaches functions of other files. */
#include "naming/tail_call.h"

#include "check_main.h"

enum { CALLER = 0x1000, CALLED = 0x2000, INNER = 0x3000, STUBS = 0x4000, BRANCHES = 100 };

static uint8_t call[5] = { 0xe8 }, called[BRANCHES * 6], inner[1] = { 0xc3 };
static char file; /* stands for all files */
static unsigned lookups;

struct sym_file *__wrap_code_file(struct code *c, uint32_t dso);
bool __wrap_code_bytes(struct code *c, uint32_t location, struct code_bytes *out);
const uint8_t *__wrap_sym_code_at(struct sym_file *f, uint64_t offset, size_t *len, size_t *at,
				  bool *from_start, uint64_t *key);
const struct sym_symbol *__wrap_sym_symbol_at(struct sym_file *f, uint64_t offset);
const struct sym_symbol *__wrap_sym_function_named(struct sym_file *f, const char *name);

struct sym_file *__wrap_code_file(struct code *c, uint32_t dso)
{
	return (struct sym_file *)&file;
}

bool __wrap_code_bytes(struct code *c, uint32_t location, struct code_bytes *out)
{
	*out = location == 1 ? (struct code_bytes){ call, sizeof(call), 4, true, 1 }
			     : (struct code_bytes){ inner, sizeof(inner), 0, true, 2 };
	return true;
}

const uint8_t *__wrap_sym_code_at(struct sym_file *f, uint64_t offset, size_t *len, size_t *at,
				  bool *from_start, uint64_t *key)
{
	*len = sizeof(called);
	*at = 0;
	*from_start = true;
	*key = 3;
	return offset == CALLED ? called : NULL;
}

const struct sym_symbol *__wrap_sym_symbol_at(struct sym_file *f, uint64_t offset)
{
	static const struct sym_symbol stub = { .name = "other@plt" };

	return offset >= STUBS ? &stub : NULL;
}

const struct sym_symbol *__wrap_sym_function_named(struct sym_file *f, const char *name)
{
	lookups++;
	return NULL;
}

/* Writes the distance of a jump that ends at `end`. */
static void set_target(uint8_t *at, int32_t end, int32_t target)
{
	const int32_t distance = target - end;

	memcpy(at, &distance, sizeof(distance));
}

START_TEST(few_names_are_looked_up)
{
	struct location locations[] = { { .dso = 1, .offset = CALLER + 4 },
					{ .dso = 1, .offset = INNER } };
	struct code c = { .locations = { locations, 2, 2 } };
	struct tail_call at[TAIL_CALLS];
	struct md_err err = { 0 };

	ck_assert_int_eq(decoder_open(DEC_X86_64, &c.decoder, &err), 0);
	set_target(call + 1, CALLER + 5, CALLED);
	for (int i = 0; i < BRANCHES; i++) {
		memcpy(called + 6 * i, "\x0f\x84", 2); /* je */
		set_target(called + 6 * i + 2, CALLED + 6 * i + 6, STUBS + 16 * i);
	}
	ck_assert_uint_eq(tail_calls(&c, 1, 2, at), 0);
	/* eight names in each of three files */
	ck_assert_uint_eq(lookups, 24);
	decoder_close(c.decoder);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_tail_call");
	TCase *t = tcase_create("naming_tail_call");

	tcase_add_test(t, few_names_are_looked_up);
	suite_add_tcase(s, t);
	return run_suite(s);
}
