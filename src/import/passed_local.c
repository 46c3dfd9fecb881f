/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unwind rules say how far the stack or frame pointer is from the CFA at an instruction that
 * computes an address in the frame, and the debug information says which variable is at this
 * distance from the CFA. So no frame has to be known.
 */
#include "import/passed_local.h"

#include "decode/perf_regs.h"
#include "import/beside.h"
#include "import/callers.h"
#include "import/pipeline.h"

enum {
	LINKED = 16, /* bytes from the frame pointer to the CFA */
	DWARF_BP = 6,
	DWARF_SP = 7,
};

/* Gets in *out the distance from the CFA to the register: the stack pointer if is_sp is set,
 * otherwise the frame pointer. It is valid at the instruction with this location. */
static bool distance_of(struct import *im, uint32_t location, bool is_sp, int64_t *out)
{
	const uint64_t depth = is_sp ? callers_depth(im, location) : LINKED;
	const struct sym_cfa cfa = callers_cfa(im, location);

	*out = -(int64_t)depth;
	return is_sp ? depth != 0 : cfa.by == SYM_CFA_FP && cfa.bytes == LINKED;
}

/* Gets in *out the distance from the CFA to the variable, at the call. */
static bool place_of(struct import *im, uint32_t call, const struct sym_local *v, int64_t *out)
{
	*out = 0;
	if (v->base != SYM_LOCAL_CFA && ((v->base != DWARF_SP && v->base != DWARF_BP) ||
					 !distance_of(im, call, v->base == DWARF_SP, out)))
		return false;
	*out += v->offset;
	return true;
}

/* Returns the variable of v[0..n) that contains the address at this distance from the CFA. */
static const struct sym_local *variable_at(struct import *im, uint32_t call,
					   const struct sym_local *v, size_t n, uint64_t vaddr,
					   int64_t address)
{
	struct sym_file *file =
		code_file(&im->model.code, AT_ID(im->model.code.locations, call).dso);
	const struct sym_local *found = NULL, *first = v;

	for (size_t i = 0; i < n; i++) {
		int64_t start;

		if (v[i].variable != first->variable)
			first = &v[i];
		if (vaddr < v[i].lo || vaddr >= v[i].hi)
			continue;
		if (!place_of(im, call, &v[i], &start))
			return NULL;
		if (address >= start && (uint64_t)(address - start) < v[i].size) {
			if (found && found != first)
				return NULL;
			found = first;
		} else if (beside_array(file, &v[i], address - start)) {
			return NULL;
		}
	}
	return found;
}

const struct sym_local *passed_local(struct import *im, uint32_t call, uint32_t insn, int8_t reg,
				     int64_t offset)
{
	const struct location *l = &AT_ID(im->model.code.locations, call);
	struct sym_file *file = l->dso ? code_file(&im->model.code, l->dso) : NULL;
	const struct sym_local *v;
	uint64_t vaddr, start;
	int64_t distance;
	size_t n;

	if (!file || im->o->no_lines || !sym_vaddr_at(file, l->offset, &vaddr) ||
	    !sym_function_start(file, vaddr, &start) ||
	    !distance_of(im, insn, reg == REG_X86_SP, &distance))
		return NULL;
	v = sym_locals(file, start, &n);
	return variable_at(im, call, v, n, vaddr, distance + offset);
}
