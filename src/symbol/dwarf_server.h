/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The side of the conversation (dwarf_wire.h) that calls libdw. */
#ifndef MEMDB_SYMBOL_DWARF_SERVER_H
#define MEMDB_SYMBOL_DWARF_SERVER_H

/* Answers requests from fd until it is closed. Gives each file *seconds (an unsigned) of CPU time,
 * all told; ends the process with CHILD_NO_MEMORY where memory runs out. */
void dwarf_serve(int fd, void *seconds);

#endif
