/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What did not get in, or is damaged. */
#ifndef MEMDB_IMPORT_LOSSES_H
#define MEMDB_IMPORT_LOSSES_H

#include <stdint.h>

struct import;

/* All that is missing by the end of the import. */
void losses_write(struct import *im);

/* A row of losses; nothing where count is 0. detail: a sentence or the file's name, or NULL. */
void import_loss(struct import *im, const char *source, const char *what, uint64_t count,
		 const char *detail);
/* Likewise, of what the user has to know of even if he asked for silence: samples and events that
 * are not in the database; and an input that is damaged, which the table runs says too. */
void import_missing(struct import *im, const char *source, const char *what, uint64_t count,
		    const char *detail);
void import_damage(struct import *im, const char *source, const char *what, uint64_t count,
		   const char *detail);

#endif
