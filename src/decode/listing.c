/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/listing.h"

#include <capstone.h>
#include <stdio.h>

#include "decode/prepare.h"

static int open_capstone(enum dec_arch arch, csh *out, struct md_err *err)
{
	const cs_err e = arch == DEC_X86_64 ? cs_open(CS_ARCH_X86, CS_MODE_64, out)
					    : cs_open(CS_ARCH_ARM64, CS_MODE_ARM, out);

	if (e == CS_ERR_MEM)
		return md_nomem(err);
	if (e)
		return md_fail(err, MD_ENOTSUP, "Capstone cannot disassemble this architecture");
	cs_option(*out, CS_OPT_SKIPDATA, CS_OPT_ON);
	if (arch == DEC_X86_64)
		cs_option(*out, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	return 0;
}

int listing_each(enum dec_arch arch, const uint8_t *code, size_t len, uint64_t vaddr,
		 int (*fn)(void *arg, const struct listed *i), void *arg, struct md_err *err)
{
	const uint8_t *at = code;
	cs_insn *insn = NULL;
	csh handle;
	int ret = open_capstone(arch, &handle, err);

	if (ret)
		return ret;
	insn = cs_malloc(handle);
	ret = insn ? prepare_handle(arch, handle, insn, err) : md_nomem(err);
	while (!ret && cs_disasm_iter(handle, &at, &len, &vaddr, insn)) {
		char text[sizeof(insn->mnemonic) + sizeof(insn->op_str) + 8];

		snprintf(text, sizeof(text), "%-7s %s", insn->mnemonic, insn->op_str);
		ret = fn(arg,
			 &(struct listed){ (size_t)(at - code) - insn->size, insn->size, text });
	}
	if (insn)
		cs_free(insn, 1);
	cs_close(&handle);
	return ret;
}
