/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates the DWARF expressions of unwind rules (DWARF 5, 2.5 and 6.4.2). */
#include <dwarf.h>

#include "symbol/cfi.h"

enum { STACK_WORDS = 64 };

struct machine {
	struct cfi_state *s;
	uint64_t stack[STACK_WORDS];
	unsigned depth;
	bool failed;
};

static void push(struct machine *m, uint64_t v)
{
	if (m->depth == STACK_WORDS)
		m->failed = true;
	else
		m->stack[m->depth++] = v;
}

static uint64_t pop(struct machine *m)
{
	if (!m->depth) {
		m->failed = true;
		return 0;
	}
	return m->stack[--m->depth];
}

/* Returns the element of the stack that is `down` places below the top. */
static uint64_t peek(struct machine *m, uint64_t down)
{
	if (down >= m->depth) {
		m->failed = true;
		return 0;
	}
	return m->stack[m->depth - 1 - down];
}

static uint64_t register_value(struct machine *m, uint64_t number)
{
	if (number >= CFI_REGISTERS || !(m->s->known >> number & 1)) {
		m->failed = true;
		return 0;
	}
	return m->s->regs[number];
}

static uint64_t stack_word(struct machine *m, uint64_t address)
{
	uint64_t v = 0;

	if (m->failed || !m->s->read(m->s->arg, address, &v))
		m->failed = true;
	return v;
}

static void deref_top(struct machine *m, uint64_t bytes)
{
	uint64_t v = stack_word(m, pop(m));

	if (bytes > 8 || !bytes)
		m->failed = true;
	else
		push(m, bytes < 8 ? v & (((uint64_t)1 << 8 * bytes) - 1) : v);
}

static void swap_top(struct machine *m)
{
	uint64_t a = pop(m), b = pop(m);

	push(m, a);
	push(m, b);
}

static void rotate_top(struct machine *m)
{
	uint64_t a = pop(m), b = pop(m), c = pop(m);

	push(m, a);
	push(m, c);
	push(m, b);
}

static const bool is_binary[256] = {
	[DW_OP_and] = true,   [DW_OP_or] = true,  [DW_OP_xor] = true, [DW_OP_plus] = true,
	[DW_OP_minus] = true, [DW_OP_mul] = true, [DW_OP_shl] = true, [DW_OP_shr] = true,
	[DW_OP_shra] = true,  [DW_OP_eq] = true,  [DW_OP_ne] = true,  [DW_OP_lt] = true,
	[DW_OP_le] = true,    [DW_OP_gt] = true,  [DW_OP_ge] = true,
};

static uint64_t compare_op(uint8_t op, int64_t a, int64_t b)
{
	switch (op) {
	case DW_OP_eq:
		return a == b;
	case DW_OP_ne:
		return a != b;
	case DW_OP_lt:
		return a < b;
	case DW_OP_le:
		return a <= b;
	case DW_OP_gt:
		return a > b;
	default:
		return a >= b;
	}
}

static uint64_t compute_op(uint8_t op, uint64_t a, uint64_t b)
{
	switch (op) {
	case DW_OP_and:
		return a & b;
	case DW_OP_or:
		return a | b;
	case DW_OP_xor:
		return a ^ b;
	case DW_OP_plus:
		return a + b;
	case DW_OP_minus:
		return a - b;
	case DW_OP_mul:
		return a * b;
	case DW_OP_shl:
		return b < 64 ? a << b : 0;
	case DW_OP_shr:
		return b < 64 ? a >> b : 0;
	case DW_OP_shra:
		return (uint64_t)((int64_t)a >> (b < 64 ? b : 63));
	default:
		return compare_op(op, (int64_t)a, (int64_t)b);
	}
}

static void execute_arithmetic(struct machine *m, const struct cfi_op *op)
{
	uint64_t a, b;

	if (is_binary[op->atom]) {
		b = pop(m);
		a = pop(m);
		push(m, compute_op(op->atom, a, b));
	} else if (op->atom == DW_OP_plus_uconst) {
		push(m, pop(m) + op->number);
	} else if (op->atom == DW_OP_neg) {
		push(m, 0 - pop(m));
	} else if (op->atom == DW_OP_not) {
		push(m, ~pop(m));
	} else if (op->atom != DW_OP_nop) {
		m->failed = true;
	}
}

static void execute_stack(struct machine *m, const struct cfi_op *op)
{
	switch (op->atom) {
	case DW_OP_dup:
		push(m, peek(m, 0));
		break;
	case DW_OP_over:
		push(m, peek(m, 1));
		break;
	case DW_OP_pick:
		push(m, peek(m, op->number));
		break;
	case DW_OP_drop:
		pop(m);
		break;
	case DW_OP_swap:
		swap_top(m);
		break;
	case DW_OP_rot:
		rotate_top(m);
		break;
	case DW_OP_deref:
		deref_top(m, 8);
		break;
	case DW_OP_deref_size:
		deref_top(m, op->number);
		break;
	default:
		execute_arithmetic(m, op);
	}
}

static void execute_op(struct machine *m, const struct cfi_op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) {
		push(m, op->atom - DW_OP_lit0);
		return;
	}
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		push(m, register_value(m, op->atom - DW_OP_breg0) + op->number);
		return;
	}
	switch (op->atom) {
	case DW_OP_addr:
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		push(m, op->number);
		break;
	case DW_OP_bregx:
		push(m, register_value(m, op->number) + op->number2);
		break;
	case DW_OP_call_frame_cfa:
		push(m, m->s->cfa);
		break;
	default:
		execute_stack(m, op);
	}
}

/* Returns the index of the operation to which the branch ops[at] jumps; n if no operation begins
 * there. */
static size_t branch_target(const struct cfi_op *ops, size_t n, size_t at)
{
	uint32_t target = ops[at].offset + 3 + (uint32_t)(int16_t)ops[at].number;

	for (size_t i = 0; i < n; i++)
		if (ops[i].offset == target)
			return i;
	return n;
}

/*
 * Executes operations until one ends the expression (DW_OP_stack_value or DW_OP_reg*), and returns
 * its index. Returns n if no operation ends it.
 */
static size_t run_ops(struct machine *m, const struct cfi_op *ops, size_t n)
{
	size_t i = 0;

	while (i < n && !m->failed) {
		uint8_t op = ops[i].atom;

		if (op == DW_OP_stack_value || op == DW_OP_regx ||
		    (op >= DW_OP_reg0 && op <= DW_OP_reg31))
			break;
		if (!m->s->steps) {
			m->failed = true;
			break;
		}
		m->s->steps--;
		if (op == DW_OP_skip || (op == DW_OP_bra && pop(m))) {
			size_t to = branch_target(ops, n, i);

			m->failed |= to == n;
			i = to;
			continue;
		}
		if (op != DW_OP_bra)
			execute_op(m, &ops[i]);
		i++;
	}
	return i;
}

bool cfi_eval(const struct cfi_row *row, const struct cfi_rule *rule, struct cfi_state *s,
	      bool is_value, uint64_t *out)
{
	const struct cfi_op *ops = row->ops + rule->first;
	struct machine m;
	size_t end;

	m.s = s;
	m.depth = 0;
	m.failed = false;
	end = run_ops(&m, ops, rule->n);
	if (m.failed)
		return false;
	if (end < rule->n && ops[end].atom == DW_OP_regx)
		*out = register_value(&m, ops[end].number);
	else if (end < rule->n && ops[end].atom != DW_OP_stack_value)
		*out = register_value(&m, ops[end].atom - DW_OP_reg0);
	else if (end < rule->n || is_value)
		*out = pop(&m);
	else
		*out = stack_word(&m, pop(&m));
	return !m.failed;
}
