/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies memory policies and advice to the model. */
#ifndef MEMDB_IMPORT_POLICY_H
#define MEMDB_IMPORT_POLICY_H

#include <stdint.h>

#include "model/policy.h"

struct import;
struct tl_event;

/* Sets in the model the facts on which policies depend: the version of the kernel, and the nodes.
 * Must be called once, when the topology is known. */
void policies_know(struct import *im);

/* Applies a TL_POLICY event (a call of the NUMA API, such as mbind(), or madvise()) to the model.
 * `thread` made the call. */
void policy_call(struct import *im, uint32_t process, uint32_t thread, const struct tl_event *e);

/* Returns the process (processes.id) whose pages an event is about. The event is TL_HOMES, or
 * reports a call of migrate_pages() or move_pages(). The process is the one that the call's
 * argument `pid` names, or the caller if `pid` is 0. Returns 0 if the named process was not
 * recorded. */
uint32_t policy_subject(struct import *im, uint32_t caller, const struct tl_event *e);

/* Returns the text of the column policy_calls.mode: the name of the mode or advice of a TL_POLICY
 * event; NULL means unknown. */
const char *policy_mode_name(const struct tl_event *e);

/* Returns where the kernel places a page that the thread touches now for the first time, by the
 * policy in force. */
struct placement policy_placement(struct import *im, uint32_t process, uint32_t thread,
				  const struct policy_page *page);

#endif
