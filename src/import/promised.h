/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the files of a capture with the list in its capture.json. */
#ifndef MEMDB_IMPORT_PROMISED_H
#define MEMDB_IMPORT_PROMISED_H

#include <stdbool.h>

struct import;

/* Reports as damage: files that are missing, files that are shorter than listed, files whose
 * checksum differs from a listed one, and a complete capture without a list. Returns true if a file
 * of the tracker is among the missing or damaged ones. */
bool promised_write_losses(struct import *im);

#endif
