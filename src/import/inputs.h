/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the input files, checks their owners, and checks that none of them is the output. */
#ifndef MEMDB_IMPORT_INPUTS_H
#define MEMDB_IMPORT_INPUTS_H

struct import;

/* Sets the paths of im->in from the name of the input: a capture directory, a perf.data, or "-" for
 * standard input. Returns 0, MD_EIO or MD_ENOMEM. */
int inputs_find(struct import *im);

/* If im->err says that the input does not exist or is not a recording, appends what a recording is.
 * Returns `failure`. */
int inputs_advise(struct import *im, int failure);

/* Checks that the output may be written and that the inputs can be trusted. Must be called before
 * anything is read. Returns 0 or an MD_E*. */
int inputs_check(struct import *im);

/* Checks that the output is not a file that the import has read, or that the recorded processes had
 * mapped. Must be called before the output is replaced. Returns 0 or MD_EUSAGE. */
int inputs_spared(struct import *im);

#endif
