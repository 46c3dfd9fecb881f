/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts the CPU's branch records (LBR, last branch records) to the user part of call chains. */
#ifndef MEMDB_IMPORT_LBR_H
#define MEMDB_IMPORT_LBR_H

#include <stdbool.h>
#include <stdint.h>

struct import;
struct pd_sample;

/* Do the sample's branch records contain its stack of calls? */
bool lbr_has(const struct pd_sample *s);
/* Stores the user part of the chain in ips, innermost first. All addresses except the first are
 * return addresses, as in the kernel's chains. innermost is the thread's instruction pointer in
 * user code; 0 means unknown. Returns the number of addresses. */
uint32_t lbr_walk(struct import *im, const struct pd_sample *s, uint64_t innermost, uint64_t *ips,
		  uint32_t max);

#endif
