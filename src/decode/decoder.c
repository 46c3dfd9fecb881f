/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the recipe for a sample by the rules of decode.h: the operand of the instruction before ip,
 * or else the next operand whose address the registers of the sample still determine. */
#include "decode/decode.h"

#include <stdlib.h>
#include <string.h>

#include "decode/outline.h"
#include "decode/perf_regs.h"
#include "decode/remembered.h"
#include "decode/work.h"
#include "decode/x86.h"

enum {
	REGISTERS = 64,
	GENERAL = 32, /* registers below this number can be part of an address; those from it on can
		       * contain copies of them */
	LONGEST = 15, /* longest x86 instruction, bytes */
	/* maximum number of instructions that are decoded, from ip on, to find the next operand */
	LONGEST_WALK = 64,
	LARGEST = 2 << 20, /* maximum size in bytes; a larger function is not decoded from its
			    * start */
};

struct decoder {
	enum dec_arch arch;
	struct x86 x86;
	struct remembered remembered;
	struct outlines outlines;
};

/* What is known about a register's value at some point after ip: it is the value of register `from`
 * at ip, plus `add`. */
struct value {
	bool known;
	int8_t from;
	int64_t add;
};

bool decoder_insn(struct decoder *d, const uint8_t *code, size_t len, struct insn *out)
{
	if (d->arch == DEC_AARCH64)
		return arm64_decode(code, len, out);
	return remembered_decode(&d->remembered, &d->x86, code, len, out);
}

void decoder_step(struct decoder *d, const uint8_t *code, size_t len, struct insn_step *out)
{
	if (d->arch == DEC_AARCH64)
		arm64_step(code, len, out);
	else
		x86_step(code, len, out);
}

static void outline_by(void *arg, const uint8_t *code, size_t len, struct insn_step *out)
{
	decoder_step(arg, code, len, out);
}

static int64_t add64(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t scale64(int64_t a, unsigned scale)
{
	return (int64_t)((uint64_t)a * scale);
}

static bool writes_register(const struct insn *i, int reg)
{
	return reg >= 0 && (i->writes >> reg & 1);
}

static void fill_recipe(struct dec_recipe *out, enum addr_source source, const struct insn *i,
			int64_t offset)
{
	const struct insn_mem *m = &i->mem;

	*out = (struct dec_recipe){ .source = source,
				    .load = m->load,
				    .store = m->store,
				    .lock = m->lock,
				    .bytes = m->bytes,
				    .base = m->base,
				    .index = m->index,
				    .scale = m->scale,
				    .extend = m->extend,
				    .ip_relative = m->ip_relative,
				    .thread_relative = m->thread_relative,
				    .wraps32 = m->wraps32,
				    .repeats = i->repeats,
				    .moves = i->moves,
				    .insn_offset = (int32_t)offset,
				    .disp = m->ip_relative ? add64(m->disp, offset) : m->disp };
}

/* Changes *r, which computes an address from the registers before instruction *i, so that it
 * computes the same address from the registers after *i. Returns false if *i writes the index
 * register of *r, or changes the base register other than by a known constant. */
static bool step_back(const struct insn *i, struct dec_recipe *r)
{
	const struct insn_move *m = &i->move;

	if (writes_register(i, r->index))
		return false;
	if (!writes_register(i, r->base))
		return true;
	if (m->to < 0 || m->from != r->base || m->wraps32)
		return false;
	r->base = m->to;
	r->disp = add64(r->disp, -m->add);
	return true;
}

/* Changes *r, which computes an address from the registers at some point after ip, so that it
 * computes the same address from the registers at ip. v[] describes the registers at that point.
 * Returns false if a register that *r needs is not known there, or if *r extends the lower half of
 * an index register that has changed by a constant. */
static bool express_at_ip(const struct value v[REGISTERS], struct dec_recipe *r)
{
	if (r->base >= 0) {
		const struct value *b = &v[r->base];

		if (!b->known)
			return false;
		r->disp = add64(r->disp, b->add);
		r->base = b->from;
	}
	if (r->index >= 0) {
		const struct value *x = &v[r->index];

		if (!x->known || (r->extend != DEC_WHOLE && x->add))
			return false;
		r->disp = add64(r->disp, scale64(x->add, r->scale));
		r->index = x->from;
	}
	return true;
}

static void apply_insn(struct value v[REGISTERS], const struct insn *i)
{
	const struct insn_move *m = &i->move;
	struct value moved = { 0 };

	if (m->to >= 0 && !m->wraps32) {
		moved = v[m->from];
		moved.add = add64(moved.add, m->add);
	}
	for (uint64_t left = i->writes; left; left &= left - 1)
		v[__builtin_ctzll(left)].known = false;
	if (m->to >= 0 && !m->wraps32)
		v[m->to] = moved;
}

static enum addr_reason reason_of(enum insn_access a)
{
	switch (a) {
	case ACCESS_SEGMENT:
		return ADDR_SEGMENT;
	case ACCESS_VECTOR:
		return ADDR_VECTOR;
	case ACCESS_OPAQUE:
		return ADDR_OPAQUE;
	default:
		return ADDR_NO_OPERAND;
	}
}

/* Sets *out to the recipe for the next access (NEXT) of the code, which begins at ip. If no operand
 * can be used, the source is NONE. Then out->reason is the reason for the first memory operand; if
 * no operand comes, it is ADDR_BAD_CODE if an instruction cannot be decoded, otherwise
 * ADDR_NO_OPERAND. */
static void find_next(struct decoder *d, const uint8_t *code, size_t len, struct dec_recipe *out)
{
	enum addr_reason reason = ADDR_NO_OPERAND;
	struct value v[REGISTERS];
	struct insn i;
	size_t at = 0;

	for (int r = 0; r < REGISTERS; r++)
		v[r] = (struct value){ .known = r < GENERAL, .from = r };
	for (int n = 0; n < LONGEST_WALK && at < len; n++) {
		if (!decoder_insn(d, code + at, len - at, &i)) {
			if (reason == ADDR_NO_OPERAND)
				reason = ADDR_BAD_CODE;
			break;
		}
		if (i.access == ACCESS_ADDRESS) {
			fill_recipe(out, ADDR_NEXT, &i, (int64_t)at);
			if (express_at_ip(v, out))
				return;
			if (reason == ADDR_NO_OPERAND)
				reason = ADDR_CLOBBERED;
		} else if (i.access != ACCESS_NONE && reason == ADDR_NO_OPERAND) {
			reason = reason_of(i.access);
		}
		if (i.flow != FLOW_ON)
			break;
		apply_insn(v, &i);
		at += i.size;
	}
	*out = (struct dec_recipe){ .reason = reason, .base = -1, .index = -1 };
}

/* Returns the offset at which the instruction before `at` starts; `at` itself if that is uncertain.
 */
static size_t previous_insn(const struct outline *f, size_t at)
{
	size_t first = at > LONGEST ? at - LONGEST : 0;

	if (at > f->known)
		return at;
	for (size_t p = at; p-- > first;)
		if (outline_starts(f, p))
			return p;
	return at;
}

/* Does the instruction at ip, the first of `code`, read flags that the instruction *p before it
 * sets? No compiler lets a jump lead between two such instructions, so *p certainly ran. Always
 * false for AArch64. */
static bool uses_result(struct decoder *d, const struct insn *p, const uint8_t *code, size_t len)
{
	struct insn i;

	return decoder_insn(d, code, len, &i) && d->arch == DEC_X86_64 &&
	       (p->writes & i.reads & UINT64_C(1) << REG_X86_FLAGS);
}

/* Decodes the instruction before `at` into *i. Returns true if that instruction certainly ran
 * before the one at `at`, and accessed memory. */
static bool previous_accessed(struct decoder *d, const struct outline *f, const uint8_t *code,
			      size_t len, size_t at, struct insn *i)
{
	size_t p = previous_insn(f, at);

	if (p == at || outline_is_target(f, at))
		return false;
	if (!decoder_insn(d, code + p, len - p, i) || p + i->size != at)
		return false;
	if (i->flow != FLOW_ON || i->access == ACCESS_NONE || i->conditional)
		return false;
	return !f->indirect || uses_result(d, i, code + at, len - at);
}

/* If the address of the operand of the instruction before ip (RETIRED) can be computed, sets *out
 * to its recipe and returns true. Otherwise returns false and sets *lost to the reason why the
 * address that the thread waited for is lost, or to ADDR_OK if it is not certain that this
 * instruction ran and accessed memory. */
static bool find_retired(struct decoder *d, const struct outline *f, const uint8_t *code,
			 size_t len, size_t at, struct dec_recipe *out, enum addr_reason *lost)
{
	struct insn i;

	*lost = ADDR_OK;
	if (!previous_accessed(d, f, code, len, at, &i))
		return false;
	if (i.access == ACCESS_ADDRESS) {
		fill_recipe(out, ADDR_RETIRED, &i, -(int64_t)i.size);
		out->waited = true;
		if (step_back(&i, out))
			return true;
	}
	*lost = i.access == ACCESS_ADDRESS ? ADDR_CLOBBERED : reason_of(i.access);
	return false;
}

/* Sets *out to a recipe whose source is NEXT or NONE. `lost` is what find_retired() has set when it
 * returned false. */
static void find_other(struct decoder *d, const uint8_t *code, size_t len, enum addr_reason lost,
		       struct dec_recipe *out)
{
	find_next(d, code, len, out);
	if (lost == ADDR_OK)
		return;
	out->waited = true;
	if (out->source == ADDR_NONE)
		out->reason = lost;
}

void decoder_recipe(struct decoder *d, uint64_t key, const uint8_t *code, size_t len, size_t at,
		    bool from_start, struct dec_recipe *out)
{
	enum addr_reason lost = ADDR_OK;
	struct outline *f = NULL;
	bool inside = false;

	*out = (struct dec_recipe){ .reason = ADDR_BAD_CODE, .base = -1, .index = -1 };
	if (at >= len)
		return;
	if (from_start && len <= LARGEST)
		f = outline_get(&d->outlines, key, code, len, outline_by, d);
	if (f && at < f->known)
		inside = !outline_starts(f, at) && !outline_is_target(f, at);
	if (!inside && !(f && find_retired(d, f, code, len, at, out, &lost)))
		find_other(d, code + at, len - at, lost, out);
	if (!inside && f)
		out->work = work_at(d, f, code, len, at, previous_insn(f, at), out->waited);
	outline_done(f);
}

bool decoder_ends_in_call(const struct decoder *d, const uint8_t *code, size_t len)
{
	return d->arch == DEC_AARCH64 ? arm64_ends_in_call(code, len) : x86_ends_in_call(code, len);
}

bool decoder_is_sigreturn(const struct decoder *d, const uint8_t *code, size_t len)
{
	/* mov $15,%rax; syscall */
	static const uint8_t x86[] = { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 5 };
	/* mov x8,#139; svc #0 */
	static const uint8_t arm64[] = { 0x68, 0x11, 0x80, 0xd2, 1, 0, 0, 0xd4 };
	const bool arm = d->arch == DEC_AARCH64;
	const size_t n = arm ? sizeof(arm64) : sizeof(x86);

	return len >= n && !memcmp(code, arm ? arm64 : x86, n);
}

int decoder_open(enum dec_arch arch, struct decoder **out, struct md_err *err)
{
	struct decoder *d;
	int ret;

	*out = NULL;
	d = calloc(1, sizeof(*d));
	if (!d)
		return md_nomem(err);
	d->arch = arch;
	ret = arch == DEC_X86_64 ? x86_open(&d->x86, err) : 0;
	if (ret) {
		free(d);
		return ret;
	}
	*out = d;
	return 0;
}

void decoder_close(struct decoder *d)
{
	if (!d)
		return;
	x86_close(&d->x86);
	remembered_release(&d->remembered);
	outlines_release(&d->outlines);
	free(d);
}

uint64_t dec_address(const struct dec_recipe *r, const uint64_t regs[64], uint64_t ip)
{
	uint64_t a = (uint64_t)r->disp;
	uint64_t index;

	if (r->base >= 0)
		a += regs[r->base];
	if (r->index >= 0) {
		index = regs[r->index];
		if (r->extend == DEC_UXTW)
			index = (uint32_t)index;
		else if (r->extend == DEC_SXTW)
			index = (uint64_t)(int64_t)(int32_t)index;
		a += index * r->scale;
	}
	if (r->ip_relative)
		a += ip;
	return r->wraps32 ? (uint32_t)a : a;
}

uint64_t dec_registers(const struct dec_recipe *r)
{
	return (r->base >= 0 ? UINT64_C(1) << r->base : 0) |
	       (r->index >= 0 ? UINT64_C(1) << r->index : 0);
}
