/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the user part of a call chain from a copy of the stack and the registers (perf record
 * --call-graph dwarf).
 *
 * symbol/unwind.h walks the stack. This file passes to it the mappings of the process and the
 * registers of the sample. It translates perf's register numbers to DWARF's, which differ on x86.
 * Stacks in the other byte order are not unwound.
 */
#include "import/userstack.h"

#include <string.h>

#include "decode/perf_regs.h"
#include "import/pipeline.h"

/* On AArch64 no translation is needed: perf's numbers of the registers are those of unwind.regs
 * (symbol/unwind.h), where the pc is the last one. */
_Static_assert((int)REG_ARM64_PC == (int)UNWIND_REGISTERS - 1, "perf's numbers are DWARF's");

/* Finds out on what kind of machine the recording was made; x86-64 is assumed if the recording does
 * not say. Returns false if memdb cannot unwind stacks of this kind. */
static bool machine_of(struct import *im, enum unwind_machine *m)
{
	const char *arch = pd_features(im->in.perf)->arch;

	*m = UNWIND_X86_64;
	if (!arch || !strcmp(arch, "x86_64"))
		return true;
	*m = UNWIND_AARCH64;
	return !strcmp(arch, "aarch64") || !strcmp(arch, "arm64");
}

/* Only 64-bit processes are supported: 32-bit ones have different unwind rules and registers. */
bool userstack_has(struct import *im, const struct pd_sample *s)
{
	enum unwind_machine unused;

	return s->user_stack_size && s->user_regs_abi == PERF_SAMPLE_REGS_ABI_64 &&
	       !pd_swapped(im->in.perf) && machine_of(im, &unused);
}

/* Argument of the callback module_at(): the process whose stack is unwound. */
struct asked {
	struct import *im;
	uint32_t process;
};

/* Finds the module (a file with its load address) that contains an address. If the address is in an
 * executable mapping, the module is the mapped file. Other addresses (unwind rules in .eh_frame,
 * data) belong to the file that was loaded around them. */
static bool module_at(void *arg, uint64_t address, struct unwind_module *out)
{
	const struct asked *a = arg;
	struct space *space = &a->im->model.space;
	const struct mapping *m = space_mapping_at(space, a->process, address);
	const struct image *image;
	uint64_t vaddr;

	*out = (struct unwind_module){ 0 };
	if (m && m->executable) {
		struct sym_file *f = code_file(space->code, m->dso);

		out->code = true;
		out->anonymous = AT_ID(space->code->dsos, m->dso).kind == DSO_ANONYMOUS;
		if (f && sym_vaddr_at(f, address - m->start + m->pgoff, &vaddr)) {
			out->file = f;
			out->bias = address - vaddr;
		}
		return true;
	}
	image = space_image_at(space, a->process, address);
	if (image) {
		out->file = code_file(space->code, image->dso);
		out->bias = image->bias;
	}
	return m || image;
}

/* Passes the sample's registers to the unwinder. If the sample lacks a register, unwind rules that
 * need it fail. */
static void set_registers(struct import *im, const struct pd_sample *s, struct unwind *u)
{
	unsigned n = u->machine == UNWIND_X86_64 ? REG_X86_DWARF : UNWIND_REGISTERS;

	for (unsigned i = 0; i < n; i++) {
		unsigned perf = u->machine == UNWIND_X86_64 ? reg_x86_of_dwarf(i) : i;

		if (pd_user_reg(im->in.perf, s, perf, &u->regs[i]))
			u->known |= (uint64_t)1 << i;
	}
}

enum unwind_end userstack_walk(struct import *im, uint32_t process, const struct pd_sample *s,
			       uint64_t *ips, uint64_t *cfas, uint32_t max, uint32_t *n)
{
	struct asked a = { im, process };
	struct unwind u = {
		.stack = s->user_stack,
		.stack_bytes = s->user_stack_size,
		.module_at = module_at,
		.arg = &a,
		.cfas = cfas,
	};

	machine_of(im, &u.machine);
	set_registers(im, s, &u);
	return unwind_stack(&u, ips, max, n);
}

/* Unwinds only the innermost frame, without a copy of the stack: the rules for its CFA usually need
 * only registers. */
bool userstack_leaf(struct import *im, uint32_t process, const struct pd_sample *s,
		    struct leaf *out)
{
	struct asked a = { im, process };
	struct unwind u = { .module_at = module_at, .arg = &a, .cfas = &out->cfa };
	uint32_t n = 0;

	if (s->user_regs_abi != PERF_SAMPLE_REGS_ABI_64 || pd_swapped(im->in.perf) ||
	    !machine_of(im, &u.machine))
		return false;
	set_registers(im, s, &u);
	unwind_stack(&u, &out->ip, 1, &n);
	if (!n || !out->cfa)
		return false;
	out->fp = u.machine == UNWIND_X86_64 ? u.regs[6] : 0;
	out->linked = u.machine == UNWIND_X86_64 && out->cfa == u.regs[6] + 16;
	/* frames of callers begin at the CFA */
	out->unlinked = u.machine == UNWIND_X86_64 && out->cfa <= u.regs[6];
	return true;
}

/* Also returns false for unknown machines. */
bool userstack_is_arm(struct import *im)
{
	enum unwind_machine m;

	return machine_of(im, &m) && m == UNWIND_AARCH64;
}
