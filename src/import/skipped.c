/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A walk by frame pointers begins at the frame pointer register. If the interrupted function has
 * not set it, because it is a leaf or is at its first or last instruction, then the register still
 * points to the frame of a caller. The walk finds the return address in that frame, and so the
 * caller's caller, but not the caller itself.
 *
 * The unwind rules of the interrupted function show that this is the case. The call before the
 * return address shows which function is missing, if it is a direct call: the function that was
 * called there set up the frame.
 */
#include "import/skipped.h"

#include <string.h>

#include "import/pipeline.h"
#include "import/userstack.h"

enum {
	DIRECT_CALL = 0xe8, /* opcode of x86-64: a call to the next instruction + 32 bits */
	CALL_BYTES = 5,
};

/* If a direct call ends at code[end), sets *target to the called address; `back` is the address of
 * code[end). */
static bool is_direct_call(const uint8_t *code, size_t end, uint64_t back, uint64_t *target)
{
	int32_t distance;

	if (end < CALL_BYTES || code[end - CALL_BYTES] != DIRECT_CALL)
		return false;
	memcpy(&distance, code + end - sizeof(distance), sizeof(distance));
	*target = back + (uint64_t)(int64_t)distance;
	return true;
}

/* Gets the address that is called before the return address `back`. Returns false if the call is
 * not a direct one. */
static bool called_before(struct import *im, uint32_t process, uint64_t back, uint64_t *target)
{
	uint32_t call = space_location(&im->model.space, process, false, back - 1);
	struct code_bytes code;

	return call && code_bytes(&im->model.code, call, &code) && code.from_start &&
	       is_direct_call(code.code, code.at + 1, back, target);
}

/* Returns the last byte of the function's only call of the function at `callee`. Returns `start`,
 * the address of the function, if it has several or none: it may call a function that also sets no
 * frame pointer, and that one calls `callee`. */
static uint64_t only_call(const struct code_bytes *function, uint64_t start, uint64_t callee)
{
	uint64_t found = start, target;

	for (size_t end = CALL_BYTES; end <= function->len; end++) {
		if (!is_direct_call(function->code, end, start + end, &target) || target != callee)
			continue;
		if (found != start)
			return start;
		found = start + end - 1;
	}
	return found;
}

/* A call may lead to a stub that jumps to another file. Then the name of the missing function is
 * known, but not its code. */
static bool is_stub(const struct code *c, uint32_t symbol)
{
	const char *name = code_symbol_name(c, symbol), *suffix = name ? strstr(name, "@plt") : "";

	return suffix != NULL;
}

uint32_t skipped_caller(struct import *im, uint32_t process, const struct pd_sample *s,
			uint64_t inner, uint64_t back)
{
	struct code *c = &im->model.code;
	struct code_bytes own, caller;
	uint32_t location, at;
	struct leaf leaf;
	uint64_t start;

	if (!process || !userstack_leaf(im, process, s, &leaf) || leaf.ip != inner ||
	    !leaf.unlinked || !called_before(im, process, back, &start))
		return 0;
	at = space_location(&im->model.space, process, false, inner);
	location = space_location(&im->model.space, process, false, start);
	if (!at || !location || is_stub(c, AT_ID(c->locations, location).symbol) ||
	    !code_bytes(c, at, &own) || !code_bytes(c, location, &caller) || !own.from_start ||
	    !caller.from_start || caller.at || inner - own.at == start)
		return 0;
	return space_location(&im->model.space, process, false,
			      only_call(&caller, start, inner - own.at));
}
