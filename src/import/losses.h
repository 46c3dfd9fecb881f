/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports which data are missing in the database, and damage of the inputs. */
#ifndef MEMDB_IMPORT_LOSSES_H
#define MEMDB_IMPORT_LOSSES_H

#include <stdint.h>

struct import;

/* Writes all losses known at the end of the import. */
void losses_write(struct import *im);

/* Writes a row of losses: `count` of `what`, lost by `source`. Does nothing if count is 0. `detail`
 * is a sentence, a file name or NULL. */
void import_loss(struct import *im, const char *source, const char *what, uint64_t count,
		 const char *detail);
/* Both functions write a row of losses that memdb also prints, even in quiet mode. import_missing()
 * is for samples and events that are not in the database, import_damage() for a damaged input; the
 * row of the table `runs` also mentions the damage. */
void import_missing(struct import *im, const char *source, const char *what, uint64_t count,
		    const char *detail);
void import_damage(struct import *im, const char *source, const char *what, uint64_t count,
		   const char *detail);

#endif
