/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options --color and --no-pager, of commands that print something to read. */
#ifndef MEMDB_CMD_SHOWN_H
#define MEMDB_CMD_SHOWN_H

#include <argp.h>
#include <stdbool.h>

/* An argp child, { &shown_argp, 0, NULL, 0 }. It sets the colours and starts the pager when all
 * options are parsed; its parent's state->child_inputs[i], a bool, says at that moment whether
 * there is something to read. NULL: there is. */
extern const struct argp shown_argp;

#endif
