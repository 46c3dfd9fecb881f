/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose the files are that are read, and that the output is none of them. */
#ifndef MEMDB_IMPORT_INPUTS_H
#define MEMDB_IMPORT_INPUTS_H

struct import;

/* Before anything is read: may the output be written, and the inputs be believed? */
int inputs_check(struct import *im);

#endif
