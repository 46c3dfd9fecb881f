/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the input files are, whose they are, and that none of them is the output. */
#ifndef MEMDB_IMPORT_INPUTS_H
#define MEMDB_IMPORT_INPUTS_H

struct import;

/* Sets the paths of im->in by the name of the input: a capture directory or a perf.data, "-" for
 * standard input. MD_EIO, MD_ENOMEM. */
int inputs_find(struct import *im);

/* Call before anything is read: may the output be written, and can the inputs be trusted? */
int inputs_check(struct import *im);

#endif
