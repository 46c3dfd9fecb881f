/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The child's side of the protocol (dwarf_wire.h): calls libdw. */
#ifndef MEMDB_SYMBOL_DWARF_SERVER_H
#define MEMDB_SYMBOL_DWARF_SERVER_H

/* Answers requests from the socket fd until it is closed. Limits each file to *seconds (an
 * unsigned) of CPU time in total. Ends the process with CHILD_NO_MEMORY if memory runs out. */
void dwarf_serve(int fd, void *seconds);

#endif
