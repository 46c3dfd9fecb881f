/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: reads arbitrary bytes as an ELF file, with all readers that memdb runs in its
 * own process: headers, notes, symbol tables, .gnu_debugdata, .gnu_debuglink, PLT stubs, unwind
 * tables and code.
 */
#include "memory_file.h"
#include "symbol/symbol.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_ASKED = 512 };

/* Everything that is read is added to this variable, so that the compiler cannot remove the
 * reads. */
static volatile uint64_t sink;

static void use_symbol(const struct sym_symbol *s)
{
	for (const char *p = s->name; *p; p++)
		sink += (uint8_t)*p;
	for (const char *p = s->pretty; *p; p++)
		sink += (uint8_t)*p;
}

static void use_offset(struct sym_file *f, uint64_t offset)
{
	const struct sym_symbol *s = sym_symbol_at(f, offset);
	uint64_t key, vaddr;
	const uint8_t *code;
	bool from_start;
	size_t len, at;

	if (s)
		use_symbol(s);
	code = sym_code_at(f, offset, &len, &at, &from_start, &key);
	if (code && len)
		sink += (uint64_t)code[0] + code[len - 1] + (at < len ? code[at] : 0);
	sink += sym_vaddr_at(f, offset, &vaddr);
}

static void use_variables(struct sym_file *f)
{
	const struct sym_variable *v;
	size_t n;

	v = sym_variables(f, &n);
	for (size_t i = 0; i < n; i++)
		for (const char *p = v[i].name; *p; p++)
			sink += (uint8_t)*p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct memory_file file;
	struct sym_options o = { .no_lines = true, .debug_dirs = "/nonexistent" };
	uint64_t lo, hi, bias, step = size / MAX_ASKED + 1;
	struct sym_file *f = NULL;

	if (sym_file_open(memory_file_set(&file, data, size), NULL, &o, &f, NULL))
		return 0;
	sink += sym_load_range(f, &lo, &hi);
	for (uint64_t offset = 0; offset < size; offset += step)
		use_offset(f, offset);
	for (uint64_t offset = 0; offset < size; offset += 4096) {
		const struct sym_mapped m = { 0x7f0000000000 + offset, size - offset, offset,
					      offset & 4096 };

		sink += sym_load_bias(f, &m, &bias);
	}
	use_variables(f);
	sym_file_close(f);
	return 0;
}
