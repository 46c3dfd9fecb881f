/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a handle of Capstone safe to use when memory is short. */
#ifndef MEMDB_DECODE_PREPARE_H
#define MEMDB_DECODE_PREPARE_H

#include <capstone.h>

#include "base/err.h"
#include "decode/decode.h"

/* For its first instruction, a handle of Capstone 4 allocates a table, and it does not check
 * whether it got the memory. So this function decodes an instruction while there certainly is
 * enough. Returns 0 or MD_ENOMEM. */
int prepare_handle(enum dec_arch arch, csh handle, cs_insn *insn, struct md_err *err);

#endif
