/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Restricts the system calls of a child process. */
#ifndef MEMDB_SYMBOL_CONFINE_H
#define MEMDB_SYMBOL_CONFINE_H

/*
 * From now on, this process cannot start programs or processes, open sockets, open files for
 * writing, create, change, rename or remove files by name, and cannot signal or trace other
 * processes: such calls fail with EPERM. Needs PR_SET_NO_NEW_PRIVS. Does nothing if the kernel has
 * no seccomp filters, or on machines other than x86-64 and AArch64.
 */
void confine_calls(void);

#endif
