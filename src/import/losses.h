/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports which data the database lacks, and which inputs are damaged. */
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
/* Both functions write a row of losses. import_missing() is for data that the database lacks; memdb
 * prints each of its reports, even in quiet mode. import_damage() is for a damaged input; memdb
 * prints only the first of its reports, and the row of the table `runs` says that there is damage.
 */
void import_missing(struct import *im, const char *source, const char *what, uint64_t count,
		    const char *detail);
void import_damage(struct import *im, const char *source, const char *what, uint64_t count,
		   const char *detail);

#endif
