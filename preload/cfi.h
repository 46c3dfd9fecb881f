/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwind rules from .eh_frame for x86-64 and AArch64. For a code address, a rule yields the
 * caller's stack pointer, the return address, and the registers that the next step needs. The
 * functions read only the bytes that they are given, allocate nothing and keep no state, so a
 * signal handler may call them. If the bytes are damaged, the result is CFI_NONE or a wrong rule,
 * but nothing outside the image is read.
 *
 * The functions support the forms that compilers and glibc emit: a CFA that is one of three
 * registers plus a constant; the expression of PLT entries; one memory indirection (realigned
 * frames, signal frames). For any other form the result is CFI_NONE.
 *
 *   cfi.c             from an address to its entry
 *   cfi_program.c     the entry's program, cfi_expression.c the expressions in it
 *   cfi_rule.c        from a row of the table to a rule
 */
#ifndef MEMDB_PRELOAD_CFI_H
#define MEMDB_PRELOAD_CFI_H

#include <stddef.h>
#include <stdint.h>

/* The mapped bytes of one object, borrowed. `address` is the address of the first byte in the
 * program. It differs from `bytes` only in tests, which read the bytes of another program. */
struct cfi_image {
	const uint8_t *bytes;
	size_t size;
	uint64_t address;
};

enum cfi_kind {
	/* the caller is unknown: this address has no entry, or its form is not supported, or the
	 * bytes are damaged */
	CFI_NONE,
	CFI_FRAME,     /* the rule leads to the caller */
	CFI_OUTERMOST, /* the table says that this code has no caller */
};

/* The registers that a walk tracks, and from which a rule may start. They are the stack pointer,
 * the frame pointer (rbp, x29), and AUX. On x86-64, AUX is rbx, which the loader's lazy binding
 * needs. On AArch64 it is x30, which contains the return address in a function that has not saved
 * it. */
enum cfi_base { CFI_SP, CFI_FP, CFI_AUX };

/* The DWARF numbers that the machine uses for these registers, for the return address (ra), and for
 * the pc. pc is 255 on machines whose expressions must not use the pc. If ra equals aux, the rule
 * for aux also yields the return address. */
struct cfi_machine {
	uint8_t sp, fp, aux, ra, pc;
};

extern const struct cfi_machine cfi_x86_64 __attribute__((visibility("hidden")));
extern const struct cfi_machine cfi_aarch64 __attribute__((visibility("hidden")));

/* Special values of cfi_rule.fp and cfi_rule.aux. All other values are distances in units of 8
 * bytes. */
enum {
	CFI_KEPT = 8191,  /* the register still has the value that it had in the caller */
	CFI_LOST = -8192, /* the value in the caller is unknown */
};

/*
 * One rule, packed into one word so that it can be published without a lock:
 *
 *   CFA = base + off, or with deref the word at that address; the CFA is the caller's sp
 *   the caller's fp is the word at CFA + 8 * fp, or, with regs_at_base, the word at base + 8 * fp;
 *   the caller's aux is found in the same way
 *   x86-64:  the return address is the word at CFA - 8, or with ra_at_base at base + off + 8
 *   AArch64: the return address is the caller's aux; in a signal frame as on x86-64
 */
struct cfi_rule {
	uint64_t kind : 2; /* enum cfi_kind; if it is not CFI_FRAME, all other bits are 0 */
	uint64_t base : 2; /* the register from which the CFA is computed: enum cfi_base */
	uint64_t deref : 1;
	/* a signal interrupted the caller, so its address is that of the next instruction to run */
	uint64_t signal : 1;
	uint64_t ra_at_base : 1;
	uint64_t regs_at_base : 1;
	int64_t off : 28; /* distance of the CFA from the base, in bytes */
	int64_t fp : 14;
	int64_t aux : 14;
};

_Static_assert(sizeof(struct cfi_rule) == 8, "a rule is one word");

struct cfi_reading;

/*
 * Returns the rule for the code at ra - 1, which is inside the calling instruction. ra is a
 * return address; for code that a signal interrupted, it is the interrupted address + 1. hdr is the
 * offset of .eh_frame_hdr in the image; its binary search table leads to the entry. *r is working
 * space (cfi_program.h); the function itself uses 0.3 KiB of stack.
 */
struct cfi_rule cfi_find(const struct cfi_machine *machine, const struct cfi_image *image,
			 uint64_t hdr, uint64_t ra, struct cfi_reading *r);

#endif
