/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is missing in the database or damaged. */
#ifndef MEMDB_IMPORT_LOSSES_H
#define MEMDB_IMPORT_LOSSES_H

#include <stdint.h>

struct import;

/* Writes all losses known at the end of the import. */
void losses_write(struct import *im);

/* Writes a row of losses; nothing if count is 0. detail: a sentence or a file name, or NULL. */
void import_loss(struct import *im, const char *source, const char *what, uint64_t count,
		 const char *detail);
/* Likewise, for losses that are reported even to a user who asked for silence: import_missing() for
 * samples and events that are not in the database, import_damage() for a damaged input, which the
 * table runs records too. */
void import_missing(struct import *im, const char *source, const char *what, uint64_t count,
		    const char *detail);
void import_damage(struct import *im, const char *source, const char *what, uint64_t count,
		   const char *detail);

#endif
