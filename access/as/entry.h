/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions that checks in a program (access/as/instrument.h) call. They keep all registers
 * except rdi, rsi and, in the last two functions, rdx. They do not keep the flags.
 *
 *   memdb_soft_enter   undoes the subtraction of a check whose counter memdb_soft_far became
 *                      negative. rdi: the number of accesses that it subtracted; esi: index of the
 *                      counter (lane)
 *   memdb_soft_at      reports an access. rdi: its address; rsi: the address of the instruction;
 *                      edx: ACCESS_LOAD, ACCESS_STORE or both, the bytes << ENTRY_BYTES_SHIFT,
 *                      perhaps ENTRY_THREAD_LOCAL, and the lane << ENTRY_LANE_SHIFT
 *   memdb_soft_repeat  the same for all steps of a string instruction with a rep prefix; rcx is
 *                      their number
 */
#ifndef MEMDB_ACCESS_AS_ENTRY_H
#define MEMDB_ACCESS_AS_ENTRY_H

#define ENTRY_BYTES_SHIFT  2
#define ENTRY_THREAD_LOCAL 0x10000
#define ENTRY_LANE_SHIFT   17

/* Values of soft_xsave: how entry.S saves the vector registers: with xsave, or with xsavec, which
 * leaves out unused registers. 0 means not at all. */
#define XSAVE_PLAIN   1
#define XSAVE_COMPACT 2

/* The number of counters memdb_soft_far[] (soft.h), which the checks of a program use in turn. */
#define SOFT_LANES 4

#endif
