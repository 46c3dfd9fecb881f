/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options --from, --to and --in, shared by several commands. */
#ifndef MEMDB_CMD_SELECT_H
#define MEMDB_CMD_SELECT_H

#include <argp.h>

#include "database/select.h"

/*
 * To be used as a child parser of argp: { &select_argp, 0, NULL, 0 }. At ARGP_KEY_INIT, its
 * parent's parser passes the struct selection that the options fill: state->child_inputs[0] =
 * &selection.
 */
extern const struct argp select_argp;

#endif
