/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which system calls a child process may make. */
#ifndef MEMDB_SYMBOL_CONFINE_H
#define MEMDB_SYMBOL_CONFINE_H

/*
 * From now on this process cannot start programs or processes, open sockets, open files for
 * writing, signal or trace others: such a call fails with EPERM. Needs PR_SET_NO_NEW_PRIVS. Does
 * nothing where the kernel or the architecture has no filters.
 */
void confine_calls(void);

#endif
