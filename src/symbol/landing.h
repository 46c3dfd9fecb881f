/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out whether a function goes on after an exception. */
#ifndef MEMDB_SYMBOL_LANDING_H
#define MEMDB_SYMBOL_LANDING_H

#include "symbol/symbol.h"

/* May an exception get from a call in the function that contains vaddr to another instruction of
 * this function, which no jump shows? True, too, if the table that says so is damaged. */
bool sym_lands(struct sym_file *f, uint64_t vaddr);

#endif
