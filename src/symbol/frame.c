/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds what a function saves in its frame, from its unwind rules. A frame grows during the first
 * instructions of the function, so no single address shows all of it. A few addresses, spread over
 * the function, are examined. The largest frame counts.
 */
#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "base/count.h"
#include "symbol/cfi.h"
#include "symbol/file.h"

enum { LOOKS = 16 }; /* number of addresses that are examined */

/* Returns what a word of the frame contains. `reg` is DWARF's number of the saved register, `ra`
 * the number of the return address. */
static const char *saved_name(const struct sym_file *f, unsigned reg, unsigned ra)
{
	static const char *const x86[] = {
		"saved rax", "saved rdx", "saved rcx", "saved rbx", "saved rsi", "saved rdi",
		"saved rbp", "saved rsp", "saved r8",  "saved r9",  "saved r10", "saved r11",
		"saved r12", "saved r13", "saved r14", "saved r15",
	};

	if (reg == ra)
		return "return address";
	return f->image.machine == EM_X86_64 && reg < COUNT_OF(x86) ? x86[reg] : "saved register";
}

static struct sym_cfa cfa_of(const struct sym_file *f, const struct cfi_row *row)
{
	const struct cfi_op *op = &row->ops[row->rules[0].first];
	const bool is_x86 = f->image.machine == EM_X86_64;
	struct sym_cfa cfa = { .bytes = op->number2 };

	if (row->rules[0].n != 1 || op->atom != DW_OP_bregx || op->number2 > INT32_MAX)
		return (struct sym_cfa){ 0 };
	if (op->number == (is_x86 ? 7 : 31))
		cfa.by = SYM_CFA_SP;
	else if (op->number == (is_x86 ? 6 : 29))
		cfa.by = SYM_CFA_FP;
	return cfa;
}

struct sym_cfa sym_cfa_at(struct sym_file *f, uint64_t vaddr)
{
	const struct cfi_row *row = file_cfi_row(f, vaddr);

	return row ? cfa_of(f, row) : (struct sym_cfa){ 0 };
}

/* Returns the distance from the stack pointer to the CFA in bytes; 0 means that the rule of the CFA
 * is not the stack pointer plus a number. */
static uint64_t frame_bytes(const struct sym_file *f, const struct cfi_row *row)
{
	const struct sym_cfa cfa = cfa_of(f, row);

	return cfa.by == SYM_CFA_SP ? cfa.bytes : 0;
}

/* Finds the registers that a row saves at the CFA plus an offset. Skips registers with other
 * rules. */
static unsigned read_saved(const struct sym_file *f, const struct cfi_row *row,
			   struct sym_saved *out)
{
	unsigned n = 0;

	for (unsigned i = 1; i <= row->nrules && n < SYM_MAX_SAVED; i++) {
		const struct cfi_rule *r = &row->rules[i];
		const struct cfi_op *op = &row->ops[r->first];

		if (r->n == 2 && op[0].atom == DW_OP_call_frame_cfa &&
		    op[1].atom == DW_OP_plus_uconst)
			out[n++] = (struct sym_saved){ .offset = (int64_t)op[1].number,
						       .name = saved_name(f, r->reg, row->ra) };
	}
	return n;
}

bool sym_frame(struct sym_file *f, uint64_t vaddr, struct sym_frame *out)
{
	uint64_t start, end;
	bool by_sp = true;

	*out = (struct sym_frame){ 0 };
	if (!file_cfi_function(f, vaddr, &start, &end))
		return false;
	for (unsigned i = 0; i < LOOKS; i++) {
		const struct cfi_row *row = file_cfi_row(f, start + (end - start) * i / LOOKS);
		struct sym_saved saved[SYM_MAX_SAVED];
		const unsigned n = row ? read_saved(f, row, saved) : 0;
		const uint64_t bytes = row ? frame_bytes(f, row) : 0;

		out->bytes = bytes > out->bytes ? bytes : out->bytes;
		by_sp &= !row || bytes;
		if (n <= out->nsaved)
			continue;
		out->nsaved = n;
		memcpy(out->saved, saved, n * sizeof(saved[0]));
	}
	if (!by_sp)
		out->bytes = 0;
	return out->nsaved != 0;
}
