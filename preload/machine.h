/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a machine's calls store return addresses. */
#ifndef MEMDB_PRELOAD_MACHINE_H
#define MEMDB_PRELOAD_MACHINE_H

#include <stdint.h>

#if defined(__aarch64__)
enum { LINK_REGISTER = 1 }; /* a call stores its return address in x30 */
#else
enum { LINK_REGISTER = 0 }; /* a call pushes its return address onto the stack */
#endif

/* The number of low bits of a pointer that form a user-space address. */
#define ADDRESS_BITS 48

/* Returns the address that a stored return address contains. On AArch64, this removes the bits that
 * pointer authentication has added. A word whose bit 55 is set is not an address of user space and
 * stays unchanged. */
static inline uint64_t code_address(uint64_t saved)
{
#if defined(__aarch64__)
	return saved >> 55 & 1 ? saved : saved & ((1ull << ADDRESS_BITS) - 1);
#else
	return saved;
#endif
}

#endif
