/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Corrects EVEX (AVX-512) operands that Capstone reports wrongly. */
#include "decode/x86_parts.h"

/* The fields of an EVEX instruction that determine the address and size of its memory operand. */
struct evex {
	/* wide: bit W of the prefix. broadcast: bit b of the prefix. compressed: whether the
	 * instruction has a one-byte displacement that is not 0; disp8 is its value */
	bool wide, broadcast, compressed;
	unsigned vector; /* size of a vector register, bytes */
	int64_t disp8;
};

static struct evex evex_fields(const uint8_t *p, size_t size)
{
	struct evex e = { 0 };
	size_t at = 6; /* index of the displacement, after four bytes of prefix, the opcode and
			* ModRM */

	if (size < 7)
		return e;
	e.wide = p[2] >> 7;
	e.broadcast = p[3] >> 4 & 1;
	e.vector = 16u << (p[3] >> 5 & 3);
	if ((p[5] & 7) == 4)
		at++;
	e.compressed = p[5] >> 6 == 1 && at < size && p[at] != 0;
	e.disp8 = e.compressed ? (int8_t)p[at] : 0;
	return e;
}

/* Can n be the factor of this instruction's one-byte displacement? An EVEX instruction multiplies
 * such a displacement by a factor that depends on the instruction. Capstone 4 uses a wrong factor
 * for some (vpsrlvd, vcmpss, broadcasts of vfmadd132pd). */
static bool evex_unit_fits(const struct evex *e, int64_t n, unsigned bytes)
{
	unsigned element = e->wide ? 8 : 4;

	if (e->broadcast)
		return n == element;
	if (e->wide && e->vector == 32)
		return n == 32 || n == 8;
	return n == bytes || n == element;
}

void x86_check_evex(const cs_insn *i, const cs_x86_op *op, struct insn *out)
{
	size_t n = x86_prefixes(i->bytes, i->size);
	int64_t disp = op->mem.disp;
	struct insn_mem *m = &out->mem;
	struct evex e;

	if (i->bytes[n] != 0x62)
		return;
	e = evex_fields(i->bytes + n, i->size - n);
	if (e.broadcast) {
		m->bytes = m->bytes ? (e.wide ? 8 : 4) : 0;
	} else if (m->bytes != e.vector || m->bytes == 16) {
		bool scalar = e.compressed && disp == e.disp8 * (e.wide ? 8 : 4);

		m->bytes = m->bytes && scalar ? (e.wide ? 8 : 4) : 0;
	}
	if (e.compressed && (disp % e.disp8 || !evex_unit_fits(&e, disp / e.disp8, op->size)))
		out->access = ACCESS_OPAQUE;
}
