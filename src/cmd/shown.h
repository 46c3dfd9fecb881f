/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options --color and --no-pager, for commands that print text to read. */
#ifndef MEMDB_CMD_SHOWN_H
#define MEMDB_CMD_SHOWN_H

#include <argp.h>
#include <stdbool.h>

/*
 * An argp child, { &shown_argp, 0, NULL, 0 }. It sets the colours, and starts the pager when all
 * options are parsed. Its parent's state->child_inputs[i] points to a bool: is there text to read
 * at that moment? NULL means yes.
 */
extern const struct argp shown_argp;

#endif
