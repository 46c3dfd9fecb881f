/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options --color and --no-pager, for commands that print text to read. */
#ifndef MEMDB_CMD_SHOWN_H
#define MEMDB_CMD_SHOWN_H

#include <argp.h>
#include <stdbool.h>

/*
 * To be used as a child parser of argp: { &shown_argp, 0, NULL, 0 }. It sets the colours, and
 * starts the pager when all options have been parsed. Its parent's state->child_inputs[i] points to
 * a bool that says whether the command prints text to read; NULL means yes. The bool is read when
 * all options have been parsed.
 */
extern const struct argp shown_argp;

#endif
