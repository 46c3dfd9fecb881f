/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options --from, --to and --in, shared by several commands. */
#ifndef MEMDB_CMD_SELECT_H
#define MEMDB_CMD_SELECT_H

#include <argp.h>

#include "database/select.h"

/*
 * A child parser for argp, which a command adds as { &select_argp, 0, NULL, 0 }. The command's own
 * parser must set, at ARGP_KEY_INIT, state->child_inputs[i] = &selection: the struct selection that
 * the options fill. i is the position of select_argp among the command's child parsers.
 */
extern const struct argp select_argp;

#endif
