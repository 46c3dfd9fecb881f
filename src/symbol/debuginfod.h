/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug files from the servers in DEBUGINFOD_URLS. */
#ifndef MEMDB_SYMBOL_DEBUGINFOD_H
#define MEMDB_SYMBOL_DEBUGINFOD_H

#include "symbol/symbol.h"

/* The path, in the client's cache, of the debug file with this build-id, to be freed; NULL where
 * no server has it, libdebuginfod is not installed, or too many requests in a row failed. */
char *debuginfod_fetch(const struct sym_build_id *id);

#endif
