/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of registers at other instructions of a function, as functions of their values at ip;
 * used only in waits/.
 */
#ifndef MEMDB_WAITS_VALUE_H
#define MEMDB_WAITS_VALUE_H

#include "waits/body.h"
#include "waits/waits.h"

struct value {
	bool known, wraps32;
	int8_t from; /* the value is that of this general register at ip, plus `add` */
	int64_t add;
};

struct values {
	struct value at[BODY_REGISTERS];
};

/* Sets the state at ip: each general register has its own value at ip; all other registers are
 * unknown. */
void values_init(struct values *v);

/* Change *v to the state on the other side of one instruction: values_back() gets the state after
 * it and leaves that before it; values_on() gets the state before it and leaves that after it. */
void values_back(struct values *v, const struct operation *o);
void values_on(struct values *v, const struct operation *o);

/* Computes the address of an operand. v are the values before its instruction, which is `offset`
 * bytes from ip. Returns false if a register is unknown. */
bool values_address(const struct values *v, const struct insn_mem *m, int64_t offset,
		    struct wait_address *out);

/* For an operand whose full address is not known: computes an address in the same object from
 * the register that is still known. Returns false if there is none. */
bool values_base(const struct values *v, const struct insn_mem *m, int64_t offset,
		 struct wait_address *out);

#endif
