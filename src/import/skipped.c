/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds callers that the walk of a stack misses.
 *
 * A walk by frame pointers may skip one. It begins at the frame pointer register. If the
 * interrupted function has not set this register, because it is a leaf or is at its first or last
 * instruction, then the register still points to the frame of a caller. The walk finds the return
 * address in that frame, and so the caller's caller, but not the caller itself.
 *
 * The unwind rules of the interrupted function show whether this has happened. Then the call before
 * the return address shows which function is missing. If it is a direct call, the missing function
 * is the called one, which has set up the frame. If libc calls main() there through a pointer, the
 * missing function is main(). For any other call, it is the only function that calls the
 * interrupted one, if there is exactly one.
 *
 * And a walk may end too early, mostly because code keeps no frame pointers. Then it goes on in the
 * code: if only one function of the file can call the outermost one, that is its caller, and so on.
 */
#include "import/skipped.h"

#include <string.h>

#include "base/count.h"
#include "decode/decode.h"
#include "import/pipeline.h"
#include "import/userstack.h"
#include "naming/function.h"

enum {
	FRAME_HEAD = 16, /* bytes from the frame pointer to the CFA */
};

/* The interrupted function. */
struct inner {
	uint32_t process;
	uint32_t location; /* the interrupted instruction */
	uint64_t start;    /* address of the function */
	struct code_bytes code;
	struct leaf leaf;
};

/* Sets *target to the address that the call before the return address `back` calls. Returns false
 * if it is not a direct call. */
static bool called_before(struct import *im, uint32_t process, uint64_t back, uint64_t *target)
{
	uint32_t call = space_location(&im->model.space, process, false, back - 1);
	struct code_bytes code;

	return call && code_bytes(&im->model.code, call, &code) && code.from_start &&
	       x86_direct_call(code.code, code.at + 1, back, target);
}

/* Returns the part of the name of a function of libc that its variants share: "strlen" of
 * "__strlen_avx2", "memcpy" of "__memcpy_chk@plt". The variants for different CPUs and those with
 * checks lead to the same code; so do the functions of each group below, because some of them jump
 * to others. */
static struct word variant_of(const char *name)
{
	static const struct {
		const char *name, *group;
	} groups[] = {
		{ "memmove", "memcpy" }, { "mempcpy", "memcpy" },  { "wmemcpy", "memcpy" },
		{ "bcopy", "memcpy" },   { "wmemmove", "memcpy" }, { "bzero", "memset" },
		{ "wmemset", "memset" },
	};
	const char *bare = name + strspn(name, "_");
	const size_t len = strcspn(bare, "_@");

	for (size_t i = 0; i < COUNT_OF(groups); i++)
		if (strlen(groups[i].name) == len && !memcmp(bare, groups[i].name, len))
			return (struct word){ groups[i].group, strlen(groups[i].group) };
	return (struct word){ bare, len };
}

/* Can a call of `target`, whose last byte is at `end`, have led to the interrupted function? It
 * calls the function, or a stub with its name. Libraries may call the function, too. So for a stub,
 * the interrupted frame must begin where the stack pointer is at the call: then there is no other
 * frame between it and that of the caller, which is at the frame pointer. */
static bool may_lead_to(struct import *im, const struct inner *inner, uint64_t end, uint64_t target)
{
	const struct code *c = &im->model.code;
	const char *name, *stub;
	uint32_t to, call;
	uint64_t depth;

	if (target == inner->start)
		return true;
	to = space_location(&im->model.space, inner->process, false, target);
	/* only now: new locations may move the names */
	name = code_symbol_name(c, AT_ID(c->locations, inner->location).symbol);
	stub = to ? code_symbol_name(c, AT_ID(c->locations, to).symbol) : NULL;
	if (!name || !stub || !strstr(stub, "@plt") ||
	    !is_same_word(variant_of(stub), variant_of(name)))
		return false;
	call = space_location(&im->model.space, inner->process, false, end);
	depth = call ? callers_depth(im, call) : 0;
	return depth && inner->leaf.cfa + depth == inner->leaf.fp + FRAME_HEAD;
}

/* If the function at `start` has exactly one call that can have led to the interrupted one, returns
 * the address of the last byte of this call. Otherwise returns `start`. (With no call, it may call
 * another function that sets no frame pointer, and that one calls the interrupted function.) */
static uint64_t only_call(struct import *im, const struct inner *inner,
			  const struct code_bytes *function, uint64_t start)
{
	uint64_t found = start, target;

	for (size_t end = X86_CALL_BYTES; end <= function->len; end++) {
		if (!x86_direct_call(function->code, end, start + end, &target) ||
		    !may_lead_to(im, inner, start + end - 1, target))
			continue;
		if (found != start)
			return start;
		found = start + end - 1;
	}
	return found;
}

/* Is the symbol a stub, which jumps to a function in another file? Then the name of the missing
 * function is known, but not its code. */
static bool is_stub(const struct code *c, uint32_t symbol)
{
	const char *name = code_symbol_name(c, symbol), *suffix = name ? strstr(name, "@plt") : "";

	return suffix != NULL;
}

/* Returns a location in the function at `start`, which was called directly and has set up the
 * frame: its only call of the interrupted function or, if that is not known, its start. 0 means
 * that the function is not known. */
static uint32_t called_function(struct import *im, const struct inner *inner, uint64_t start)
{
	struct code *c = &im->model.code;
	uint32_t location = space_location(&im->model.space, inner->process, false, start);
	struct code_bytes caller;

	if (!location || is_stub(c, AT_ID(c->locations, location).symbol) ||
	    !code_bytes(c, location, &caller) || !caller.from_start || caller.at)
		return 0;
	return space_location(&im->model.space, inner->process, false,
			      only_call(im, inner, &caller, start));
}

/* Is the function at the address libc's exit()? */
static bool is_exit(struct import *im, uint32_t process, uint64_t address)
{
	uint32_t at = space_location(&im->model.space, process, false, address);
	const char *name =
		at ? code_symbol_name(&im->model.code, AT_ID(im->model.code.locations, at).symbol)
		   : NULL;

	return name && (!strcmp(name, "exit") || !strncmp(name, "exit@@", 6));
}

/* Recognizes the code in libc that calls main(): it passes the result of main() on to exit() at
 * once. That code is in a known function of libc or, if libc has no debug symbols, in one without a
 * name. The function also calls constructors, but does not use their results. */
bool skipped_is_main(struct import *im, uint32_t process, uint64_t back)
{
	static const uint8_t pass_on[] = { 0x89, 0xc7 }; /* mov %eax,%edi */
	struct code *c = &im->model.code;
	uint32_t location = space_location(&im->model.space, process, false, back);
	const uint64_t end = sizeof(pass_on) + X86_CALL_BYTES;
	struct code_bytes b;
	const char *name;
	uint64_t target;

	if (!location || !code_bytes(c, location, &b) || b.len - b.at < end ||
	    memcmp(b.code + b.at, pass_on, sizeof(pass_on)) != 0 ||
	    !x86_direct_call(b.code, b.at + end, back + end, &target))
		return false;
	name = code_symbol_name(c, AT_ID(c->locations, location).symbol);
	return (!name || !*name || code_is_thread_start(name)) && is_exit(im, process, target);
}

/* Returns the location of main() in the program of the process; 0 if it is not known. */
static uint32_t main_of(struct import *im, uint32_t process)
{
	struct code *c = &im->model.code;
	const struct image *program = space_program(&im->model.space, process);
	struct sym_file *f = program ? code_file(c, program->dso) : NULL;
	const struct sym_symbol *main = f ? sym_function_named(f, "main") : NULL;

	return main ? code_location(c, program->dso, main->start) : 0;
}

/* Returns a location in main(): its only call of the interrupted function (the last byte) or, if
 * that is not known, its start. 0 means that main() is not known. */
static uint32_t calling_main(struct import *im, const struct inner *inner)
{
	struct code *c = &im->model.code;
	const uint32_t location = main_of(im, inner->process);
	struct location l; /* a copy: only_call() may add locations */
	uint64_t start, only;
	struct code_bytes b;

	if (!location || !code_bytes(c, location, &b) || b.at)
		return location;
	l = AT_ID(c->locations, location);
	if (!sym_vaddr_at(code_file(c, l.dso), l.offset, &start))
		return location;
	start += space_program(&im->model.space, inner->process)->bias;
	only = only_call(im, inner, &b, start);
	return code_location(c, l.dso, l.offset + (only - start));
}

/* Returns the only function that uses the one of `len` bytes at `offset` in the DSO: the place of
 * its use, if there is one only, otherwise its start. 0 means that no function or several functions
 * use it. Uses of a kind above `most`, and those in the function with the key `but`, do not count:
 * the first makes the result 0, the second is left out. */
static uint32_t only_user(struct import *im, uint32_t dso, uint64_t offset, size_t len,
			  enum sym_use_kind most, uint64_t but)
{
	struct code *c = &im->model.code;
	struct code_bytes b;
	uint32_t found = 0, at;
	uint64_t key = 0;
	size_t n;
	const struct sym_use *uses = sym_uses(code_file(c, dso), offset, len, &n);

	for (size_t i = 0; i < n; i++) {
		at = uses[i].kind <= most ? code_location(c, dso, uses[i].offset) : 0;
		if (!at || !code_bytes(c, at, &b) || !b.from_start || (found && b.key != key))
			return 0;
		if (b.key == but)
			continue;
		found = found ? code_location(c, dso, uses[i].offset - b.at) : at;
		key = b.key;
	}
	return found;
}

/* Returns a location in the only function, apart from main(), that calls the interrupted one. 0
 * means that it is not known. */
static uint32_t only_caller(struct import *im, const struct inner *inner)
{
	struct code *c = &im->model.code;
	const struct location l = AT_ID(c->locations, inner->location);
	const uint32_t main = main_of(im, inner->process);
	struct code_bytes m = { 0 };

	if (main && !code_bytes(c, main, &m))
		return 0;
	return only_user(im, l.dso, l.offset - inner->code.at, inner->code.len, SYM_USE_CALL,
			 m.key);
}

/* Returns a location in the only function that can call the one with the location, whose code is
 * *b. The body of a parallel region has its caller where its address is passed to the runtime;
 * other functions whose address is taken may be called from anywhere. */
static uint32_t only_way(struct import *im, uint32_t location, const struct code_bytes *b)
{
	struct code *c = &im->model.code;
	const struct location l = AT_ID(c->locations, location);
	const bool region = *code_region(c, location, !im->o->no_lines);

	return only_user(im, l.dso, l.offset - b->at, b->len,
			 region ? SYM_USE_ADDRESS : SYM_USE_JUMP, 0);
}

uint32_t skipped_way(struct import *im, uint32_t location)
{
	struct code_bytes b;

	if (!AT_ID(im->model.code.locations, location).dso ||
	    !code_bytes(&im->model.code, location, &b) || !b.from_start)
		return 0;
	return only_way(im, location, &b);
}

uint32_t skipped_outer(struct import *im, uint32_t process, uint32_t location, uint32_t *callers,
		       bool *whole)
{
	struct code *c = &im->model.code;
	const uint32_t main = main_of(im, process);
	struct code_bytes m = { 0 }, b;
	uint32_t n = 0;

	*whole = false;
	if (main && !code_bytes(c, main, &m))
		return 0;
	while (location && AT_ID(c->locations, location).dso && code_bytes(c, location, &b) &&
	       b.from_start) {
		*whole = main && b.key == m.key;
		if (*whole)
			break;
		if (n == MOST_OUTER) /* a cycle: functions that nobody else calls */
			return 0;
		location = only_way(im, location, &b);
		if (location)
			callers[n++] = location;
	}
	return n;
}

bool skipped_caller(struct import *im, uint32_t process, const struct pd_sample *s, uint64_t ip,
		    uint64_t back, uint32_t *location)
{
	struct space *space = &im->model.space;
	struct inner inner = { .process = process };
	uint32_t call;
	uint64_t target;

	*location = 0;
	if (!process || !userstack_leaf(im, process, s, &inner.leaf) || inner.leaf.ip != ip ||
	    !inner.leaf.unlinked)
		return false;
	inner.location = space_location(space, process, false, ip);
	call = space_location(space, process, false, back - 1);
	if (!inner.location || !call || code_ends_call(&im->model.code, call) != CALL_ENDS)
		return false;
	if (!code_bytes(&im->model.code, inner.location, &inner.code) || !inner.code.from_start)
		return true;
	inner.start = ip - inner.code.at;
	if (called_before(im, process, back, &target)) {
		if (target == inner.start)
			return false;
		*location = called_function(im, &inner, target);
	} else if (skipped_is_main(im, process, back)) {
		*location = calling_main(im, &inner);
	}
	if (!*location)
		*location = only_caller(im, &inner);
	return true;
}
