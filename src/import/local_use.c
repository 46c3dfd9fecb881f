/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An instruction such as mov (%rax),%eax overwrites the address from which it loads, so the samples
 * after it have no address. But the samples before it have one, and the frames of their moment show
 * the variable there. If all these addresses are in one variable, the lost ones are assumed to be
 * there, too. waits/account.h assumes the same for other objects, but it sees a stack as a single
 * object.
 *
 * A function such as strlen() works on the variables of many callers. So what is known for one call
 * path counts for this path only. If the caller is unknown, only a variable of the interrupted
 * function itself counts.
 */
#include "import/local_use.h"

#include "import/callers.h"
#include "import/pipeline.h"

/* minimum number of addresses in a variable */
enum { ENOUGH = 16 };

void local_uses_release(struct local_uses *u)
{
	free(u->known.at);
	index_release(&u->index);
}

/* Returns what is known about an instruction; NULL if nothing is. With `add`, adds a record then;
 * NULL means out of memory. */
static struct local_use *use_of(struct import *im, const struct frame_sample *f, uint32_t insn,
				uint32_t stack, bool add)
{
	struct local_uses *u = &im->model.local_uses;
	const struct local_use key = {
		.stack = stack,
		.symbol = AT_ID(im->model.code.locations, f->location).symbol,
		.callers = callers_path(im, f),
		.insn = insn,
	};
	const uint32_t hash = index_hash((uint64_t)key.stack << 32 | key.symbol,
					 (uint64_t)key.callers << 32 | key.insn);
	uint32_t place = hash, id;

	while ((id = index_next(&u->index, hash, &place))) {
		struct local_use *x = &AT_ID(u->known, id);

		if (x->stack == key.stack && x->symbol == key.symbol && x->insn == key.insn &&
		    x->callers == key.callers)
			return x;
	}
	if (!add)
		return NULL;
	if (!VEC_ROOM(&u->known) || !index_add(&u->index, hash, u->known.n + 1)) {
		im->nomem = true;
		return NULL;
	}
	u->known.at[u->known.n++] = key;
	return &u->known.at[u->known.n - 1];
}

static bool is_stack(const struct import *im, uint32_t object)
{
	const struct object *x = &AT_ID(im->model.objects.objects, object);

	return x->kind == OBJECT_STACK && !x->local && !x->symbol;
}

void local_use_saw(struct import *im, const struct frame_sample *f, uint32_t insn, uint64_t address,
		   uint32_t object)
{
	struct local_use *x;
	uint32_t variable = 0;
	bool is_own = false;

	if (!f->location || !f->thread || !f->sp || !object || !is_stack(im, object))
		return;
	x = use_of(im, f, insn, object, true);
	if (!x || (x->seen && !x->object))
		return;
	variable = frame_variable(im, f, address, object, &is_own);
	if (!is_own && !x->callers)
		variable = 0;
	x->object = x->seen && x->object != variable ? 0 : variable;
	x->seen++;
}

uint32_t local_use_find(struct import *im, const struct frame_sample *f, uint32_t insn,
			uint32_t stack)
{
	const struct local_use *x = f->location ? use_of(im, f, insn, stack, false) : NULL;

	return x && x->seen >= ENOUGH ? x->object : 0;
}
