/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks of branch records: to the user's part of call chains. */
#ifndef MEMDB_IMPORT_LBR_H
#define MEMDB_IMPORT_LBR_H

#include <stdbool.h>
#include <stdint.h>

struct import;
struct pd_sample;

/* Are the sample's branches a stack of calls? */
bool lbr_has(const struct pd_sample *s);
/* The user's part of its chain, innermost first, with return addresses as in the kernel's chains;
 * innermost: the address where the thread stood in user code, 0 unknown. Returns how many. */
uint32_t lbr_walk(struct import *im, const struct pd_sample *s, uint64_t innermost, uint64_t *ips,
		  uint32_t max);

#endif
