/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwind rules from .eh_frame, of x86-64 and AArch64: for one code address, where the caller's
 * stack pointer, return address and the registers needed to go on are. Reads only the bytes it is
 * given, allocates nothing, keeps no state: usable in a signal handler. The bytes may be damaged:
 * then the answer is CFI_NONE or a wrong rule, never a read outside the image.
 *
 * What compilers and glibc emit is understood: CFA = one of three registers plus a number; the
 * expression of PLT entries; one memory indirection (realigned frames, signal frames). Anything
 * else is CFI_NONE.
 *
 *   cfi.c             from an address to its entry
 *   cfi_program.c     the entry's program, cfi_expression.c the expressions in it
 *   cfi_rule.c        from a row of the table to a rule
 */
#ifndef MEMDB_PRELOAD_CFI_H
#define MEMDB_PRELOAD_CFI_H

#include <stddef.h>
#include <stdint.h>

/* Mapped bytes of one object, and the address that their first byte has (in a test not where they
 * are). Borrowed. */
struct cfi_image {
	const uint8_t *bytes;
	size_t size;
	uint64_t address;
};

enum cfi_kind {
	CFI_NONE,      /* no entry for this address, an unsupported form, or damage: the caller is
			  unknown */
	CFI_FRAME,     /* the rule below */
	CFI_OUTERMOST, /* the table says that nothing called this code */
};

/* The registers that a rule may start from and that a walk follows: the stack pointer, the frame
 * pointer (rbp, x29), and rbx, which the loader's lazy binding needs, or x30, which has the return
 * address of a function that has not saved it. */
enum cfi_base { CFI_SP, CFI_FP, CFI_AUX, CFI_BASES };

/* A machine's DWARF numbers of these registers, of the column of the return address, and of the pc
 * where an expression may name it. Where ra is aux, a rule says by its aux where the return address
 * is. */
struct cfi_machine {
	uint8_t sp, fp, aux, ra, pc;
};

extern const struct cfi_machine cfi_x86_64 __attribute__((visibility("hidden")));
extern const struct cfi_machine cfi_aarch64 __attribute__((visibility("hidden")));

/* Saved places of fp and aux, in units of 8 bytes, that mean no place. */
enum {
	CFI_KEPT = 8191,  /* the register still has the caller's value */
	CFI_LOST = -8192, /* the caller's value cannot be told */
};

/*
 * One rule, in one word so that it can be published without a lock:
 *
 *   CFA = base + off, or the word at that address with deref; it is the caller's sp
 *   the caller's fp is the word at CFA + 8 * fp, or with regs_at_base at base + 8 * fp; aux
 * likewise x86-64: the return address is the word at CFA - 8, or with ra_at_base at base + off + 8
 *   AArch64: it is the caller's aux, which it is also on return; in a signal's frame as on x86-64
 */
struct cfi_rule {
	uint64_t kind : 2; /* enum cfi_kind; with another kind than CFI_FRAME the rest is 0 */
	uint64_t base : 2; /* enum cfi_base */
	uint64_t deref : 1;
	uint64_t signal : 1; /* the caller was interrupted, so its address is that of the next
				instruction to run */
	uint64_t ra_at_base : 1;
	uint64_t regs_at_base : 1;
	int64_t off : 28; /* bytes */
	int64_t fp : 14;
	int64_t aux : 14;
};

_Static_assert(sizeof(struct cfi_rule) == 8, "a rule is one word");

struct cfi_reading;

/*
 * The rule at ra - 1, by the binary search table of the .eh_frame_hdr that starts hdr bytes into
 * the image. ra is a return address, or the address that a signal interrupted + 1. *r is room to
 * work in, see cfi_program.h; with it the stack use is 0.3 KiB.
 */
struct cfi_rule cfi_find(const struct cfi_machine *machine, const struct cfi_image *image,
			 uint64_t hdr, uint64_t ra, struct cfi_reading *r);

#endif
