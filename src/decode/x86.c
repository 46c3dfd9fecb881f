/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes one x86-64 instruction with Capstone, which reports the operands and the implicit
 * registers. Whether an operand is read or written is decided here, by the class of the
 * instruction, because Capstone 4 reports many stores (movnti, vmovdqu, cmpxchg16b) as reads. */
#include "decode/perf_regs.h"
#include "decode/prepare.h"
#include "decode/x86_classes.h"
#include "decode/x86_parts.h"

enum { WORD = 8 };

int x86_general(unsigned reg)
{
#define FAMILY(a, b, c, d, n)                                                      \
	[X86_REG_##a] = (n) + 1, [X86_REG_##b] = (n) + 1, [X86_REG_##c] = (n) + 1, \
	[X86_REG_##d] = (n) + 1
	static const uint8_t table[X86_REG_ENDING] = {
		FAMILY(RAX, EAX, AX, AL, REG_X86_AX),
		FAMILY(RBX, EBX, BX, BL, REG_X86_BX),
		FAMILY(RCX, ECX, CX, CL, REG_X86_CX),
		FAMILY(RDX, EDX, DX, DL, REG_X86_DX),
		FAMILY(RSI, ESI, SI, SIL, REG_X86_SI),
		FAMILY(RDI, EDI, DI, DIL, REG_X86_DI),
		FAMILY(RBP, EBP, BP, BPL, REG_X86_BP),
		FAMILY(RSP, ESP, SP, SPL, REG_X86_SP),
		FAMILY(R8, R8D, R8W, R8B, REG_X86_R8),
		FAMILY(R9, R9D, R9W, R9B, REG_X86_R9),
		FAMILY(R10, R10D, R10W, R10B, REG_X86_R10),
		FAMILY(R11, R11D, R11W, R11B, REG_X86_R11),
		FAMILY(R12, R12D, R12W, R12B, REG_X86_R12),
		FAMILY(R13, R13D, R13W, R13B, REG_X86_R13),
		FAMILY(R14, R14D, R14W, R14B, REG_X86_R14),
		FAMILY(R15, R15D, R15W, R15B, REG_X86_R15),
		[X86_REG_AH] = REG_X86_AX + 1,
		[X86_REG_BH] = REG_X86_BX + 1,
		[X86_REG_CH] = REG_X86_CX + 1,
		[X86_REG_DH] = REG_X86_DX + 1,
		[X86_REG_EFLAGS] = REG_X86_FLAGS + 1,
	};
#undef FAMILY

	return reg < X86_REG_ENDING ? table[reg] - 1 : -1;
}

static uint64_t gp_bit(unsigned reg)
{
	int r = x86_general(reg);

	return r < 0 ? 0 : BIT(r);
}

static bool disassemble_one(csh h, const uint8_t *code, size_t len, cs_insn *insn)
{
	uint64_t address = 0;

	if (len > 15)
		len = 15;
	return cs_disasm_iter(h, &code, &len, &address, insn);
}

void x86_step(const uint8_t *code, size_t len, struct insn_step *out)
{
	size_t size = x86_length(code, len);

	*out = (struct insn_step){ .size = 1, .flow = FLOW_ON };
	if (!size)
		return;
	out->known = true;
	out->size = size;
	out->flow = x86_flow(code, size, &out->target);
}

/* Handles an instruction that Capstone does not know. Returns false if its length cannot be
 * determined. Otherwise assumes that the instruction may write any register, unless its effects are
 * known, and returns true. */
static bool unknown_insn(const uint8_t *code, size_t len, struct insn *out)
{
	size_t size = x86_length(code, len);

	if (!size)
		return false;
	out->size = size;
	if (x86_vector_unknown(code, size, out))
		return true;
	out->writes = ~UINT64_C(0);
	if (!x86_is_hint(code, size))
		out->access = ACCESS_OPAQUE;
	out->conditional = true; /* it may have no memory operand */
	return true;
}

static void mem_simple(struct insn *out, int reg, int64_t disp, unsigned bytes, bool store)
{
	out->access = ACCESS_ADDRESS;
	out->mem = (struct insn_mem){ .load = !store,
				      .store = store,
				      .bytes = bytes,
				      .base = reg,
				      .index = -1,
				      .scale = 1,
				      .disp = disp };
}

/* Describes in *out the access to the stack of an instruction such as push, and how it changes rsp.
 */
static void implicit_stack(const cs_insn *i, struct insn *out)
{
	const cs_x86 *x = &i->detail->x86;
	bool small = x->prefix[2] == X86_PREFIX_OPSIZE && !(x->rex & 8);
	/* size of the word on the stack; not taken from the operand, because an immediate operand
	 * may be smaller */
	unsigned word = small ? 2 : WORD;

	switch (x86_stack_use(i->id)) {
	case STACK_PUSH:
		mem_simple(out, REG_X86_SP, -(int64_t)word, word, true);
		out->move = (struct insn_move){ .to = REG_X86_SP,
						.from = REG_X86_SP,
						.add = -(int64_t)word };
		break;
	case STACK_POP:
		mem_simple(out, REG_X86_SP, 0, word, false);
		out->move = (struct insn_move){ .to = REG_X86_SP, .from = REG_X86_SP, .add = word };
		if (x->op_count && x->operands[0].type == X86_OP_REG &&
		    x86_general(x->operands[0].reg) == REG_X86_SP)
			/* pop %rsp: rsp gets the loaded value, not the incremented one */
			out->move.to = -1;
		break;
	case STACK_CALL:
		mem_simple(out, REG_X86_SP, -(int64_t)word, word, true);
		break;
	case STACK_RETURN:
		mem_simple(out, REG_X86_SP, 0, word, false);
		break;
	case STACK_LEAVE:
		mem_simple(out, REG_X86_BP, 0, word, false);
		out->move = (struct insn_move){ .to = REG_X86_SP, .from = REG_X86_BP, .add = word };
		break;
	case STACK_NONE:
		break;
	}
}

/* Is this the string instruction movsd or cmpsd? It has two memory operands; the SSE instruction
 * with the same name has at most one. */
static bool is_string_d(const cs_insn *i)
{
	const cs_x86 *x = &i->detail->x86;

	return (i->id == X86_INS_MOVSD || i->id == X86_INS_CMPSD) && x->op_count == 2 &&
	       x->operands[0].type == X86_OP_MEM && x->operands[1].type == X86_OP_MEM;
}

/* Sets in *m whether the memory operand, number `which` of the instruction, is loaded, stored or
 * locked. This depends on the class of the instruction and on the position of the operand. */
static void mem_flags(const cs_insn *i, unsigned which, struct insn_mem *m)
{
	enum x86_class class = x86_class(i->id);

	if ((i->id == X86_INS_IMUL && i->detail->x86.op_count == 1) ||
	    (i->id == X86_INS_CMPSD && is_string_d(i)))
		class = CLASS_READS;
	m->load = which != 0 || class == CLASS_READS || class == CLASS_UPDATES;
	m->store = which == 0 && class != CLASS_READS;
	m->lock = i->detail->x86.prefix[0] == X86_PREFIX_LOCK || i->id == X86_INS_XCHG;
}

static bool is_mmx(unsigned reg)
{
	return reg >= X86_REG_MM0 && reg <= X86_REG_MM7;
}

/* Is the instruction movslq with a 16-bit destination? It loads 2 bytes on Intel's CPUs and 4 on
 * AMD's. */
static bool is_short_movsxd(const cs_insn *i)
{
	const cs_x86 *x = &i->detail->x86;

	return i->id == X86_INS_MOVSXD && x->prefix[2] == X86_PREFIX_OPSIZE && !(x->rex & 8);
}

/* Is the size of the memory access unknown? A masked instruction accesses only some bytes of its
 * operand. For instructions on MMX registers, and for vector instructions with an address-size
 * prefix, Capstone reports wrong sizes. */
static bool bytes_vary(const cs_insn *i)
{
	const cs_x86 *x = &i->detail->x86;
	bool evex = i->bytes[x86_prefixes(i->bytes, i->size)] == 0x62;

	if (is_short_movsxd(i))
		return true;
	for (int k = 0; k < x->op_count; k++) {
		unsigned reg = x->operands[k].type == X86_OP_REG ? x->operands[k].reg : 0;

		if (is_mmx(reg) || (x->addr_size == 4 && x86_vector(reg) >= 0))
			return true;
		if (evex && k > 0 && reg >= X86_REG_K0 && reg <= X86_REG_K7)
			return true;
	}
	return x86_bytes_vary(i->id);
}

static bool is_rip(unsigned reg)
{
	return reg == X86_REG_RIP || reg == X86_REG_EIP;
}

static void explicit_operand(const cs_insn *i, unsigned which, struct insn *out)
{
	const cs_x86_op *op = &i->detail->x86.operands[which];
	const uint8_t segment = x86_segment(i->bytes, i->size);
	struct insn_mem *m = &out->mem;
	bool rip = is_rip(op->mem.base);

	m->base = rip ? -1 : x86_general(op->mem.base);
	m->index = x86_general(op->mem.index);
	m->scale = op->mem.scale;
	m->ip_relative = rip;
	m->disp = rip ? (int64_t)((uint64_t)op->mem.disp + i->size) : op->mem.disp;
	m->thread_relative = segment == X86_FS;
	m->wraps32 = i->detail->x86.addr_size == 4;
	m->bytes = bytes_vary(i) ? 0 : x86_bytes(i->id) ? x86_bytes(i->id) : op->size;
	mem_flags(i, which, m);
	if (segment == X86_GS || (segment && (x86_is_string(i->id) || is_string_d(i))))
		out->access = ACCESS_SEGMENT;
	else if (x86_is_bit(i->id) && i->detail->x86.operands[1].type == X86_OP_REG)
		/* a bit number in a register may select a byte outside the operand */
		out->access = ACCESS_OPAQUE;
	else
		out->access = ACCESS_ADDRESS;
	if (out->access == ACCESS_ADDRESS)
		x86_check_evex(i, op, out);
}

/* Returns the index of the memory operand; if there are two, of the loaded one. -1 means none. */
static int memory_operand(const cs_insn *i)
{
	const cs_x86 *x = &i->detail->x86;
	int found = -1;

	for (int k = 0; k < x->op_count; k++) {
		struct insn_mem m = { 0 };

		if (x->operands[k].type != X86_OP_MEM)
			continue;
		mem_flags(i, k, &m);
		if (found < 0 || m.load)
			found = k;
		if (m.load)
			break;
	}
	return found;
}

static void find_repetition(const cs_insn *i, struct insn *out)
{
	const uint8_t prefix = i->detail->x86.prefix[0];

	out->conditional = x86_is_string(i->id) || is_string_d(i);
	out->repeats = out->conditional && (prefix == X86_PREFIX_REP || prefix == X86_PREFIX_REPNE);
	out->moves = out->repeats && (i->id == X86_INS_MOVSB || i->id == X86_INS_MOVSW ||
				      i->id == X86_INS_MOVSD || i->id == X86_INS_MOVSQ);
}

static void find_access(const cs_insn *i, struct insn *out)
{
	int k = memory_operand(i);

	/* *out can describe only one access. If push or call also has a memory operand,
	 * explicit_operand() replaces the stack access that this call stores. pop with a memory
	 * operand keeps the stack access, because that is its load */
	implicit_stack(i, out);
	if (x86_class(i->id) == CLASS_NO_ACCESS || x86_is_hint(i->bytes, i->size))
		out->access = ACCESS_NONE;
	else if (i->id == X86_INS_MASKMOVDQU || i->id == X86_INS_VMASKMOVDQU ||
		 i->id == X86_INS_MASKMOVQ)
		mem_simple(out, REG_X86_DI, 0, 0, true); /* Capstone does not report this operand */
	else if (i->id == X86_INS_XLATB)
		out->access = ACCESS_OPAQUE;
	else if (k >= 0 && x86_stack_use(i->id) != STACK_POP)
		explicit_operand(i, k, out);
	find_repetition(i, out);
}

/* Is the first operand a register that the instruction combines with a constant? */
static bool changes_operand(const cs_insn *i)
{
	const cs_x86 *x = &i->detail->x86;

	switch (i->id) {
	case X86_INS_ADD:
	case X86_INS_SUB:
	case X86_INS_AND:
	case X86_INS_OR:
	case X86_INS_XOR:
	case X86_INS_SHL:
	case X86_INS_SHR:
	case X86_INS_SAR:
		return x->op_count == 2 && x->operands[0].type == X86_OP_REG &&
		       x->operands[1].type == X86_OP_IMM;
	default:
		return false;
	}
}

/* Finds the registers that the instruction reads and writes. Capstone's lists of them are
 * incomplete: they lack, for example, that "and $63,%eax" reads eax. So adds vector registers, the
 * registers among the written operands, and those of x86_hidden_writes(). */
static void find_registers(csh h, const cs_insn *i, struct insn *out)
{
	const cs_x86 *x = &i->detail->x86;
	cs_regs read, write;
	uint8_t reads = 0, writes = 0;

	if (cs_regs_access(h, i, read, &reads, write, &writes) != CS_ERR_OK) {
		out->writes = ~UINT64_C(0);
		return;
	}
	for (int k = 0; k < reads; k++)
		out->reads |= gp_bit(read[k]);
	for (int k = 0; k < writes; k++)
		out->writes |= gp_bit(write[k]);
	if (changes_operand(i))
		out->reads |= gp_bit(x->operands[0].reg);
	x86_find_flow(i, out);
	for (int k = 0; k < x->op_count && k < x86_written_operands(i->id); k++)
		if (x->operands[k].type == X86_OP_REG)
			out->writes |= gp_bit(x->operands[k].reg);
	out->writes |= x86_hidden_writes(i->id);
	if (out->conditional)
		/* with a rep prefix, a string instruction counts down rcx; Capstone does not report
		 * this for movsd. Without the prefix, the bit is set too */
		out->writes |= BIT(REG_X86_CX);
}

/* Gets the constant that the instruction adds to a register. Returns false if there is none. */
static bool find_add(const cs_insn *i, int64_t *add)
{
	const cs_x86_op *op = i->detail->x86.operands;

	if (i->id == X86_INS_INC || i->id == X86_INS_DEC)
		*add = i->id == X86_INS_INC ? 1 : -1;
	else if (i->id == X86_INS_ADD && op[1].type == X86_OP_IMM)
		*add = op[1].imm;
	else if (i->id == X86_INS_SUB && op[1].type == X86_OP_IMM)
		*add = (int64_t)(0 - (uint64_t)op[1].imm);
	else
		return false;
	return true;
}

static int register_of(unsigned reg)
{
	const int vector = x86_vector(reg);

	return vector >= 0 ? vector : x86_general(reg);
}

/* Is it a copy of the lower 64 bits of one register to another, at least one of which is a vector
 * register? Compilers spill addresses and counters to these. With an address-size prefix, Capstone
 * 4 takes copies of MMX registers for them. */
static bool is_vector_copy(const cs_insn *i)
{
	switch (i->id) {
	case X86_INS_MOVQ:
	case X86_INS_VMOVQ:
	case X86_INS_MOVDQA:
	case X86_INS_VMOVDQA:
	case X86_INS_VMOVDQA64:
		return i->detail->x86.op_count == 2 && i->detail->x86.addr_size == WORD;
	default:
		return false;
	}
}

/* Sets out->move if the instruction sets a register to the value of a register plus a constant: add
 * or sub of a constant, inc, dec or mov from a register, with a size of 64 or 32 bits, lea
 * without an index, with a size of 64 bits, or a copy from or to a vector register. */
static void find_move(const cs_insn *i, struct insn *out)
{
	const cs_x86_op *op = i->detail->x86.operands;
	struct insn_move m = { .to = register_of(op[0].reg), .from = register_of(op[0].reg) };

	if (i->detail->x86.op_count == 0 || op[0].type != X86_OP_REG || m.to < 0)
		return;
	if (is_vector_copy(i) && op[1].type == X86_OP_REG) {
		m.from = register_of(op[1].reg);
		if (m.from >= 0)
			out->move = m;
		return;
	}
	if (m.to >= INSN_VECTOR)
		return;
	if (find_add(i, &m.add) && (op[0].size == WORD || op[0].size == WORD / 2)) {
		m.wraps32 = op[0].size != WORD;
		out->move = m;
		return;
	}
	if (i->id == X86_INS_MOV && op[1].type == X86_OP_REG &&
	    (op[0].size == WORD || op[0].size == WORD / 2)) {
		m.from = x86_general(op[1].reg);
		m.wraps32 = op[0].size != WORD;
	} else if (i->id == X86_INS_LEA && op[0].size == WORD && !op[1].mem.index &&
		   i->detail->x86.addr_size == 8) {
		m.from = x86_general(op[1].mem.base);
		m.add = op[1].mem.disp;
	} else {
		return;
	}
	if (m.from >= 0)
		out->move = m;
}

/* Sets out->copies if the instruction is a 64-bit mov to or from memory. Clears out->reads if the
 * result does not depend on the operands, as in xor %eax,%eax. */
static void find_copy(const cs_insn *i, struct insn *out)
{
	const cs_x86_op *op = i->detail->x86.operands;

	if (i->detail->x86.op_count < 2)
		return;
	if (i->id == X86_INS_MOV && op[0].type == X86_OP_MEM && op[1].type == X86_OP_REG &&
	    op[1].size == WORD)
		out->copies = x86_general(op[1].reg);
	else if (i->id == X86_INS_MOV && op[1].type == X86_OP_MEM && op[0].type == X86_OP_REG &&
		 op[0].size == WORD)
		out->copies = x86_general(op[0].reg);
	if (x86_is_zero_idiom(i))
		out->reads = 0;
}

bool x86_decode(struct x86 *x, const uint8_t *code, size_t len, struct insn *out)
{
	cs_insn *i = x->insn;
	int64_t target;

	*out = (struct insn){ .move = { .to = -1 },
			      .sum = { .to = -1 },
			      .constant = { .to = -1 },
			      .compare = { .reg = -1 },
			      .copies = -1 };
	if (x86_gather(code, len, out))
		return true;
	if (!disassemble_one(x->capstone, code, len, i))
		return unknown_insn(code, len, out);
	out->size = i->size;
	out->flow = x86_flow(code, i->size, &target);
	find_move(i, out);
	find_access(i, out);
	find_registers(x->capstone, i, out);
	find_copy(i, out);
	x86_find_sync(i, out);
	x86_find_math(i, out);
	x86_find_growth(i, out);
	x86_find_most(i, out);
	x86_find_sum(i, out);
	x86_find_constant(i, out);
	x86_find_compare(i, out);
	return true;
}

int x86_open(struct x86 *x, struct md_err *err)
{
	cs_err e = cs_open(CS_ARCH_X86, CS_MODE_64, &x->capstone);
	int ret;

	if (e != CS_ERR_OK) {
		x->capstone = 0;
		return md_fail(err, e == CS_ERR_MEM ? MD_ENOMEM : MD_ENOTSUP,
			       "capstone cannot decode x86-64: %s", cs_strerror(e));
	}
	e = cs_option(x->capstone, CS_OPT_DETAIL, CS_OPT_ON);
	x->insn = e == CS_ERR_OK ? cs_malloc(x->capstone) : NULL;
	if (e != CS_ERR_OK)
		ret = md_fail(err, MD_ENOTSUP, "capstone gives no details: %s", cs_strerror(e));
	else
		ret = x->insn ? prepare_handle(DEC_X86_64, x->capstone, x->insn, err)
			      : md_nomem(err);
	if (ret)
		x86_close(x);
	return ret;
}

void x86_close(struct x86 *x)
{
	if (x->insn)
		cs_free(x->insn, 1);
	if (x->capstone)
		cs_close(&x->capstone);
	*x = (struct x86){ 0 };
}
