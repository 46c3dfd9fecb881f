/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of walk_path() for procedures in Fortran. */
#ifndef MEMDB_NAMING_FORTRAN_WALK_H
#define MEMDB_NAMING_FORTRAN_WALK_H

#include "naming/source_frames.h"

/* The state of the search: the procedure of the previous frame, and which of its arguments contains
 * the allocated variable. */
struct fortran_walk {
	const char *procedure;
	int argument; /* its index, from 0; -1 means none */
	/* the function of the previous frame if gfortran made it to copy components of a variable;
	 * otherwise NULL */
	const char *copy;
};

/* Frame f is in Fortran and allocates object x. If its statement shows the allocated variable, sets
 * o->name and o->type, and leaves both unchanged otherwise. Returns true if the search continues in
 * the caller. */
bool fortran_start(struct fortran_walk *w, const struct naming *n, const struct object *x,
		   const struct frame *f, struct object_origin *o);

/* Frame f called w->procedure with the variable o->name in the argument w->argument. Sets o->name
 * to the caller's variable, if its statement shows it. Returns true if the search continues in the
 * caller of f. */
bool fortran_caller(struct fortran_walk *w, const struct naming *n, const struct frame *f,
		    struct object_origin *o);

#endif
