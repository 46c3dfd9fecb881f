/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What code with checks (access/as/instrument.h) calls. These functions keep all registers except
 * rdi, rsi and rdx, and do not keep the flags.
 *
 *   memdb_soft_enter   rdi: the accesses that the check subtracted; esi: from which lane. Adds them
 *                      again.
 *   memdb_soft_at      reports an access. rdi: its address; rsi: the instruction; edx: the kind
 *                      (ACCESS_LOAD, ACCESS_STORE), and the bits below
 *   memdb_soft_repeat  the same for each step of a string instruction with a rep prefix, of
 *                      which rcx is the number
 */
#ifndef MEMDB_ACCESS_AS_ENTRY_H
#define MEMDB_ACCESS_AS_ENTRY_H

#define ENTRY_BYTES_SHIFT  2
#define ENTRY_THREAD_LOCAL 0x10000
#define ENTRY_LANE_SHIFT   17

/* soft_xsave: which instruction saves the vector registers (xsavec leaves out what is not in use)
 */
#define XSAVE_NONE    0
#define XSAVE_PLAIN   1
#define XSAVE_COMPACT 2

/* Blocks take turns in using this many counters (soft.h). */
#define SOFT_LANES 4

#endif
