/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which words of a function's stack frame only the instructions change that name exactly this
 * word. Used only in waits/. */
#ifndef MEMDB_WAITS_SLOTS_H
#define MEMDB_WAITS_SLOTS_H

#include "waits/body.h"

/*
 * Returns a mask of the tracked words (body.slots) that something else may change: a callee or a
 * store through a pointer, because an address from which the word can be reached is computed; a
 * store with an index; a store to bytes that overlap the word. Decodes the whole function, so that
 * afterwards body.slots has all words.
 *
 * An address relative to rbp that is one constant away is taken for the start of an object, which
 * goes on upwards: words below it count as out of reach. The addresses of a member of a struct and
 * of an element of an array look the same, so code that steps back from them is not recognised.
 */
uint64_t body_shared_slots(struct body *b);

/*
 * Returns a mask of the words (body.slots) at the frame pointer that are not shared. It is 0 for a
 * function without a frame pointer, for one whose jumps are not all known, and for one with more
 * than 4096 instructions. The first call decodes the whole function.
 */
uint64_t body_private_slots(struct body *b);

/*
 * Returns the register that has the same value as a word (body.slots[i]) wherever the function uses
 * the word: one instruction of the function, in no loop, copies the register to the word, and no
 * instruction changes the register. This may be a parameter, if no function is called. Returns -1
 * if there is none, or if the word is not one of body_private_slots().
 */
int body_kept_in(struct body *b, unsigned i);

#endif
