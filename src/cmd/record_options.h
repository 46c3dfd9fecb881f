/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of memdb record. */
#ifndef MEMDB_CMD_RECORD_OPTIONS_H
#define MEMDB_CMD_RECORD_OPTIONS_H

#include <argp.h>

#include "base/words.h"
#include "record/session.h"

enum { RECORD_KEYS = 512 };

/* The options and arguments of the command line. The caller sets the defaults before it parses. */
struct record_arguments {
	struct session_options o;
	const char *output;    /* the database to make; unused with o.raw */
	struct words wrappers; /* the caller releases them; check wrappers.failed after parsing */
	bool keep;             /* keep the capture next to the database */
	bool all_blocks, no_source; /* for the import */
	/* given[KEY]: the option with this key is on the command line */
	bool given[RECORD_KEYS];
};

/* the table of the options, for argp, the man page and completion */
extern const struct argp_option record_options[];

/* An argp parser; state->input is a struct record_arguments. Ends memdb with a message if a value
 * is wrong or options exclude each other. */
error_t record_parse(int key, char *arg, struct argp_state *state);

#endif
