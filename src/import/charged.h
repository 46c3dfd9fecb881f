/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The access to which the account (waits/account.h) has charged a timer sample: its address or, if
 * the address is lost, its object. */
#ifndef MEMDB_IMPORT_CHARGED_H
#define MEMDB_IMPORT_CHARGED_H

#include "import/asked.h"

/* Sets in *out the access of candidate `which` of the plan, its address with the source of it, and
 * its object if the address is lost. The account does not ask for the objects of all candidates, so
 * `which` may not have run; then another candidate takes its place. Counts the sample in
 * import_waits.uncharged if it is not charged to the object but may have waited for it. */
void charged_find(const struct asked *a, unsigned which, struct waited_for *out);

#endif
