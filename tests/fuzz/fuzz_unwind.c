/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: unwinds a call stack by the unwind rules of a file. The input begins with the
 * registers and a copy of the stack (struct moment); the rest is the ELF file that the program
 * executes. The rules of that file are also looked up at many addresses.
 */
#include <elf.h>
#include <string.h>

#include "memory_file.h"
#include "symbol/cfi.h"
#include "symbol/file.h"
#include "symbol/unwind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_ASKED = 256, STACK = 256, MAX_FRAMES = 64 };

/* The start of the input: the state of the program whose stack is unwound. */
struct moment {
	uint64_t regs[UNWIND_REGISTERS];
	uint8_t stack[STACK];
};

/* Everything that is read is added to this variable, so that the compiler cannot remove the
 * reads. */
static volatile uint64_t sink;

/* Reports to the unwinder which file is mapped at an address: below 1 MiB the file of the input;
 * other addresses up to 16 MiB are code of an unknown file. */
static bool module_at(void *arg, uint64_t address, struct unwind_module *out)
{
	bool within = address < 1 << 20;

	*out = (struct unwind_module){ .file = within ? arg : NULL,
				       .code = address < 1 << 24,
				       .anonymous = !within };
	return out->code;
}

static void use_rows(struct sym_file *f, size_t size)
{
	uint64_t step = size / MAX_ASKED + 1, start, end;

	for (uint64_t vaddr = 0; vaddr < size; vaddr += step) {
		const struct cfi_row *row = file_cfi_row(f, vaddr);

		sink += row ? row->nrules : 0;
		sink += file_cfi_function(f, vaddr, &start, &end);
	}
}

static void use_moment(struct sym_file *f, const struct moment *m)
{
	struct unwind u = { .machine =
				    f->image.machine == EM_AARCH64 ? UNWIND_AARCH64 : UNWIND_X86_64,
			    .known = ((uint64_t)1 << UNWIND_REGISTERS) - 1,
			    .stack = m->stack,
			    .stack_bytes = sizeof(m->stack),
			    .module_at = module_at,
			    .arg = f };
	uint64_t ips[MAX_FRAMES];
	uint32_t n;

	memcpy(u.regs, m->regs, sizeof(u.regs));
	sink += (uint64_t)unwind_stack(&u, ips, MAX_FRAMES, &n);
	for (uint32_t i = 0; i < n; i++)
		sink += ips[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct memory_file file;
	struct sym_options o = { .no_lines = true, .debug_dirs = "/nonexistent" };
	struct sym_file *f = NULL;
	struct moment m;

	if (size < sizeof(m))
		return 0;
	memcpy(&m, data, sizeof(m));
	data += sizeof(m);
	size -= sizeof(m);
	if (sym_file_open(memory_file_set(&file, data, size), NULL, &o, &f, NULL))
		return 0;
	use_rows(f, size);
	use_moment(f, &m);
	sym_file_close(f);
	return 0;
}
