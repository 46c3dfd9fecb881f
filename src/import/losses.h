/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports what is missing in the database or damaged in the inputs. */
#ifndef MEMDB_IMPORT_LOSSES_H
#define MEMDB_IMPORT_LOSSES_H

#include <stdint.h>

struct import;

/* Writes all losses known at the end of the import. */
void losses_write(struct import *im);

/* Writes a row of losses, unless count is 0. detail is a sentence or a file name, or NULL. */
void import_loss(struct import *im, const char *source, const char *what, uint64_t count,
		 const char *detail);
/* Do the same for losses that every user must see, even one who asked for silence: import_missing()
 * reports samples and events that are not in the database. import_damage() reports a damaged input,
 * which the table runs records too. */
void import_missing(struct import *im, const char *source, const char *what, uint64_t count,
		    const char *detail);
void import_damage(struct import *im, const char *source, const char *what, uint64_t count,
		   const char *detail);

#endif
