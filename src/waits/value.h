/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the values of registers at other instructions of a function from their values at ip.
 * Used only in waits/. */
#ifndef MEMDB_WAITS_VALUE_H
#define MEMDB_WAITS_VALUE_H

#include "waits/body.h"
#include "waits/waits.h"

struct value {
	bool known, wraps32;
	/* the value is that of general register `from` at ip, plus `add`; if wraps32 is set, only
	 * the lower 32 bits of the sum */
	int8_t from;
	int64_t add;
};

struct values {
	struct value at[BODY_REGISTERS];
};

/* Sets *v to the values at ip: each general register has its own value there; all others are
 * unknown. */
void values_init(struct values *v);

/* Change *v to the values on the other side of the instruction *o: values_back() changes the values
 * after it to those before it, values_on() those before it to those after it. */
void values_back(struct values *v, const struct operation *o);
void values_on(struct values *v, const struct operation *o);

/* Expresses the value of a register in *out. `reg` is -1 for none, which counts as 0. Returns false
 * if the value is unknown, or differs from a register's value at ip by more than 32 bits can store.
 */
bool values_term(const struct values *v, int reg, struct wait_term *out);

/* Computes the address of operand *m. `v` has the values before the operand's instruction, which is
 * `offset` bytes from ip. Returns false if the value of a register is unknown, or differs from a
 * register's value at ip by more than 32 bits can store. */
bool values_address(const struct values *v, const struct insn_mem *m, int64_t offset,
		    struct wait_address *out);

/* For an operand whose full address is lost: computes an address in the same object, from the
 * register that is still known or, without a base register, from the displacement alone. On the
 * stack, the address is that of element 0 of an array, if the index has no constant part. Returns
 * false if there is neither. */
bool values_base(const struct values *v, const struct insn_mem *m, int64_t offset,
		 struct wait_address *out);

#endif
