/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/unwind.h"

#include <string.h>

#include "symbol/cfi.h"
#include "symbol/file.h"

_Static_assert((int)UNWIND_REGISTERS == (int)CFI_REGISTERS, "one numbering");

enum {
	MAX_STEPS = 1 << 16, /* maximum number of operations of expressions in one walk */
	PC_X86_64 = 16,
	PC_AARCH64 = 32,
	/* number of top bits of a data address that the CPU ignores, so that programs store tags
	 * in them */
	TAG_BITS_AARCH64 = 8,
	/* number of bits of a code address that matter; pointer authentication uses those above */
	USER_BITS_AARCH64 = 48,
	MAX_STACK = 64 << 20, /* bytes; a word further up is not part of the stack */
};

/* The result of a step that found a caller, so that the walk continues. Other results are reasons
 * to end the walk (enum unwind_end), which are all below UNWIND_ENDS. */
#define GOES_ON UNWIND_ENDS

/* The state of a walk; the registers are those of its current frame. */
struct walk {
	const struct unwind *u;
	uint64_t regs[UNWIND_REGISTERS];
	uint64_t known;
	uint64_t base; /* address of the first byte of u->stack */
	uint64_t cfa;  /* CFA of the current frame; 0 means unknown */
	/* numbers of the stack pointer, frame pointer and program counter in regs */
	unsigned sp, fp, pc;
	unsigned steps;
	bool exact;     /* pc is the address of an instruction; otherwise it is a return address */
	bool too_short; /* the walk needed a word above the copied part of the stack */
};

static bool read_stack(struct walk *w, uint64_t address, uint64_t *word)
{
	uint64_t at = address - w->base;

	if (address < w->base)
		return false;
	if (w->u->stack_bytes < sizeof(*word) || at > w->u->stack_bytes - sizeof(*word)) {
		w->too_short |= at < MAX_STACK;
		return false;
	}
	memcpy(word, w->u->stack + at, sizeof(*word));
	return true;
}

/* Reads a word of constant data, such as an unwind rule may need, from the file that is mapped at
 * the address. Writable data is not read, because the program may have changed it. Returns false if
 * no constant data is there. */
static bool read_file(struct walk *w, uint64_t address, uint64_t *word)
{
	struct unwind_module m;
	const struct image *im;

	if (!w->u->module_at(w->u->arg, address, &m) || !m.file)
		return false;
	im = &m.file->image;
	for (size_t i = 0; i < im->nsegments; i++) {
		const struct image_segment *s = &im->segments[i];
		struct cursor c;

		if (s->write || address - m.bias - s->vaddr >= s->filesz)
			continue;
		c = image_at(im, address - m.bias);
		*word = cursor_u64(&c);
		return !c.failed;
	}
	return false;
}

static uint64_t untag_address(const struct walk *w, uint64_t address)
{
	return w->u->machine == UNWIND_AARCH64 ? address << TAG_BITS_AARCH64 >> TAG_BITS_AARCH64
					       : address;
}

static bool read_word(void *arg, uint64_t address, uint64_t *word)
{
	struct walk *w = arg;

	address = untag_address(w, address);
	return read_stack(w, address, word) || read_file(w, address, word);
}

static bool knows_register(const struct walk *w, unsigned reg)
{
	return w->known >> reg & 1;
}

static enum unwind_end why_missing(const struct walk *w)
{
	return w->too_short ? UNWIND_STACK : UNWIND_UNSOUND;
}

/* Computes the registers of the caller by the rules of `row`. A register that cannot be computed
 * becomes unknown, which is an error only if it is needed. */
static void caller_registers(struct walk *w, const struct cfi_row *row, struct cfi_state *s)
{
	uint64_t regs[UNWIND_REGISTERS], known = w->known & ~row->undefined;

	memcpy(regs, w->regs, sizeof(regs));
	for (unsigned i = 1; i <= row->nrules; i++) {
		const struct cfi_rule *rule = &row->rules[i];

		if (cfi_eval(row, rule, s, false, &regs[rule->reg]))
			known |= (uint64_t)1 << rule->reg;
		else
			known &= ~((uint64_t)1 << rule->reg);
	}
	memcpy(w->regs, regs, sizeof(regs));
	w->known = known;
}

static enum unwind_end by_rules(struct walk *w, const struct cfi_row *row)
{
	struct cfi_state s = { w->regs, w->known, 0, read_word, w, w->steps };

	if (row->undefined >> row->ra & 1)
		return UNWIND_OUTERMOST;
	if (!cfi_eval(row, &row->rules[0], &s, true, &s.cfa))
		return why_missing(w);
	w->cfa = s.cfa;
	caller_registers(w, row, &s);
	w->steps = s.steps;
	if (!knows_register(w, row->ra) || !knows_register(w, w->sp))
		return why_missing(w);
	w->regs[w->pc] = w->regs[row->ra];
	w->exact = row->signal;
	return GOES_ON;
}

/* Goes to the caller of JIT code, which has no unwind rules but may keep a frame pointer. Code of
 * files is not unwound in this way: if it has no rules, it is usually assembler code, which does
 * not set the frame pointer, so the pointer belongs to some outer frame. */
static enum unwind_end by_frame_pointer(struct walk *w)
{
	uint64_t fp = untag_address(w, w->regs[w->fp]), outer, ra;
	struct unwind_module m;

	if (!knows_register(w, w->fp) || fp % 8 || fp < w->regs[w->sp] ||
	    !read_stack(w, fp, &outer) || !read_stack(w, fp + 8, &ra))
		return w->too_short ? UNWIND_STACK : UNWIND_NO_RULES;
	if (!w->u->module_at(w->u->arg, ra - 1, &m) || !m.code)
		return UNWIND_NO_RULES;
	w->cfa = fp + 16;
	w->regs[w->fp] = outer;
	w->regs[w->sp] = fp + 16;
	w->regs[w->pc] = ra;
	w->known = (uint64_t)1 << w->fp | (uint64_t)1 << w->sp | (uint64_t)1 << w->pc;
	w->exact = false;
	return GOES_ON;
}

/* Goes from the current frame to its caller. A step must not go down the stack, except out of a
 * signal handler, which may have a stack of its own. */
static enum unwind_end step_out(struct walk *w, const struct unwind_module *m, uint64_t address)
{
	uint64_t sp = w->regs[w->sp], pc = w->regs[w->pc];
	const struct cfi_row *row = NULL;
	enum unwind_end end;

	if (m->file)
		row = file_cfi_row(m->file, address - m->bias);
	/* During a system call, pc is after the syscall instruction. If that instruction is the
	 * last one of its function, pc has no rules. So the byte before pc is tried, too. */
	if (!row && m->file && w->exact)
		row = file_cfi_row(m->file, address - m->bias - 1);
	end = row ? by_rules(w, row) : m->anonymous ? by_frame_pointer(w) : UNWIND_NO_RULES;
	if (end != GOES_ON)
		return end;
	w->regs[w->sp] = untag_address(w, w->regs[w->sp]);
	if (w->u->machine == UNWIND_AARCH64)
		w->regs[w->pc] &= ((uint64_t)1 << USER_BITS_AARCH64) - 1;
	if (!w->regs[w->pc])
		return UNWIND_OUTERMOST;
	if (w->exact)
		return GOES_ON;
	if (w->regs[w->sp] < sp || (w->regs[w->sp] == sp && w->regs[w->pc] == pc))
		return UNWIND_UNSOUND;
	return GOES_ON;
}

static void walk_init(struct walk *w, const struct unwind *u)
{
	bool x86 = u->machine == UNWIND_X86_64;

	*w = (struct walk){ .u = u, .known = u->known, .steps = MAX_STEPS, .exact = true };
	memcpy(w->regs, u->regs, sizeof(w->regs));
	w->sp = x86 ? 7 : 31;
	w->fp = x86 ? 6 : 29;
	w->pc = x86 ? PC_X86_64 : PC_AARCH64;
	w->regs[w->sp] = untag_address(w, w->regs[w->sp]);
	w->base = w->regs[w->sp];
}

enum unwind_end unwind_stack(const struct unwind *u, uint64_t *ips, uint32_t max, uint32_t *n)
{
	enum unwind_end end = GOES_ON;
	struct unwind_module m;
	struct walk w;

	*n = 0;
	walk_init(&w, u);
	if (!knows_register(&w, w.pc) || !knows_register(&w, w.sp))
		return UNWIND_UNSOUND;
	while (end == GOES_ON) {
		uint64_t pc = w.regs[w.pc], address = w.exact ? pc : pc - 1;
		bool code = u->module_at(u->arg, address, &m) && m.code;

		if (*n == max)
			return UNWIND_FULL;
		if (*n && !code) /* the return address is not code, so this is not a frame */
			return UNWIND_NO_CODE;
		ips[*n] = *n ? address + 1 : pc;
		++*n;
		w.cfa = 0;
		end = code ? step_out(&w, &m, address) : UNWIND_NO_CODE;
		if (u->cfas)
			u->cfas[*n - 1] = w.cfa;
	}
	return end;
}
