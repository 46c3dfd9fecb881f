/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The child's side of the protocol in dwarf_wire.h. It calls libdw. */
#ifndef MEMDB_SYMBOL_DWARF_SERVER_H
#define MEMDB_SYMBOL_DWARF_SERVER_H

/* Answers requests from the socket fd until it is closed. Each file may use *seconds (an
 * unsigned) of CPU time in all. Ends the process with CHILD_NO_MEMORY when out of memory. */
void dwarf_serve(int fd, void *seconds);

#endif
