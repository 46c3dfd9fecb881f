/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gets debug files from the servers in DEBUGINFOD_URLS. */
#ifndef MEMDB_SYMBOL_DEBUGINFOD_H
#define MEMDB_SYMBOL_DEBUGINFOD_H

#include "symbol/symbol.h"

/*
 * Fetches the debug file with this build-id into the client's cache. Returns its path, which the
 * caller frees. Returns NULL if no server has the file, if the request fails, if libdebuginfod is
 * not installed, if too many requests in a row failed before, or when out of memory.
 */
char *debuginfod_fetch(const struct sym_build_id *id);

#endif
