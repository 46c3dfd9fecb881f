/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options --color and --no-pager, for commands that print text to read. */
#ifndef MEMDB_CMD_SHOWN_H
#define MEMDB_CMD_SHOWN_H

#include <argp.h>
#include <stdbool.h>

/*
 * A child parser for argp, which a command adds as { &shown_argp, 0, NULL, 0 }. It sets the colours
 * and, after all options have been parsed, starts the pager. If a command does not always print
 * text to read, its own parser sets state->child_inputs[i] to a pointer to a bool, which says
 * whether it does. The bool is read just before the pager would start. NULL means that the command
 * always prints text to read.
 */
extern const struct argp shown_argp;

#endif
