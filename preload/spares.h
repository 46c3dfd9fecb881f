/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slots of the shared file that a process keeps for the children that it forks.
 *
 * A child that begins its log has to claim a slot, to open the file, to map the slot and to close
 * the file. A process that forks often does the first three for many children at once: it claims
 * and maps a range of slots, and promises each child a part of the range just before fork(). The
 * child inherits the mapping. So it needs only one call, which moves nothing and maps its slot a
 * second time, where the parent's slot was. A child gets more than one slot, so that its own
 * children need no claim, either. Slots that no child uses are holes in the file.
 *
 * What must stay true: two children may know the same promise, because a child may be made by a
 * call that no hook sees, or after a child that did not need its promise. So a slot is taken by one
 * atomic instruction (begin_slot() in shared_log.c), and a child without a slot claims one as any
 * other image does. A thread may fork while another one renews the range. So its child uses no
 * promise if `renewing` is set: fork() copies the mappings at once, and the memory in the order in
 * which it was written.
 *
 * What changes with each fork is in memory that the kernel wipes in the child (struct wiped),
 * because all other memory that the parent writes after a fork is copied first.
 *
 * An inherited range stays mapped in the child. A child that writes to wrong addresses can damage
 * only the logs of its brothers and sisters in the range.
 */
#ifndef MEMDB_PRELOAD_SPARES_H
#define MEMDB_PRELOAD_SPARES_H

#include <stdbool.h>
#include <stdint.h>

/* Called before fork(): promises slots to the child that the calling thread forks. Does nothing in
 * a process that has no slot itself. May be called in signal handlers. */
void spares_promise(void);

/* For a forked child: maps the first slot that its parent has promised to it at the address `at`,
 * where the parent's slot is mapped, and keeps the others for its own children. Returns the slot's
 * offset in the file; 0 if nothing was promised or the slot cannot be mapped. */
uint64_t spares_take(uint64_t at);

/* Unmaps the range and promises nothing more, because the program limits its address space. */
void spares_release(void);

#endif
