/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside waits/: what registers hold elsewhere in a function, in terms of what they hold at ip. */
#ifndef MEMDB_WAITS_VALUE_H
#define MEMDB_WAITS_VALUE_H

#include "waits/body.h"
#include "waits/waits.h"

struct value {
	bool known, wraps32;
	int8_t from; /* a general register at ip */
	int64_t add;
};

struct values {
	struct value at[BODY_REGISTERS];
};

/* The state at ip: general registers hold themselves, all others are unknown. */
void values_init(struct values *v);

/* back: from after an instruction to before it. The other: from before it to after it. */
void values_back(struct values *v, const struct operation *o);
void values_on(struct values *v, const struct operation *o);

/* The address of o's operand; v holds the values before o. offset: of o from ip, bytes; size: of o.
 * False if a register is unknown. */
bool values_address(const struct values *v, const struct insn_mem *m, int64_t offset,
		    struct wait_address *out);

/* The address in the base register of m, if the full address is unknown. */
bool values_base(const struct values *v, const struct insn_mem *m, int64_t offset,
		 struct wait_address *out);

#endif
