/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ownership of the input files, and that none of them is the output. */
#ifndef MEMDB_IMPORT_INPUTS_H
#define MEMDB_IMPORT_INPUTS_H

struct import;

/* Call before anything is read: may the output be written, and can the inputs be trusted? */
int inputs_check(struct import *im);

#endif
