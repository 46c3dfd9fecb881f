/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private to waits/: the values of registers elsewhere in a function, in terms of their values at
 * ip.
 */
#ifndef MEMDB_WAITS_VALUE_H
#define MEMDB_WAITS_VALUE_H

#include "waits/body.h"
#include "waits/waits.h"

struct value {
	bool known, wraps32;
	int8_t from; /* the value is that of this general register at ip, plus add */
	int64_t add;
};

struct values {
	struct value at[BODY_REGISTERS];
};

/* Sets the state at ip: general registers have their own values, all others are unknown. */
void values_init(struct values *v);

/* Change the state: values_back() from after an instruction to before it, values_on() from before
 * it to after it. */
void values_back(struct values *v, const struct operation *o);
void values_on(struct values *v, const struct operation *o);

/* Computes the address of an operand; v has the values before its instruction, which is `offset`
 * bytes from ip. Returns false if a register is unknown. */
bool values_address(const struct values *v, const struct insn_mem *m, int64_t offset,
		    struct wait_address *out);

/* Computes an address in the object of m from the register that still is known, if the full address
 * is not. Returns false if there is none. */
bool values_base(const struct values *v, const struct insn_mem *m, int64_t offset,
		 struct wait_address *out);

#endif
