/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The conversation with the child that reads DWARF. Only for dwarf*.c. */
#ifndef MEMDB_SYMBOL_DWARF_LINK_H
#define MEMDB_SYMBOL_DWARF_LINK_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/index.h"
#include "symbol/dwarf_file.h"
#include "symbol/dwarf_wire.h"

/* A vaddr that was asked for, and its frames where it is answered. */
struct dwarf_answer {
	uint64_t vaddr;
	uint32_t first, n;
};

/* Strings are of the file's, 0 none. */
struct dwarf_frame {
	uint32_t function, file, line, column;
};

struct dwarf {
	const char *path;
	const struct image *image;
	uint32_t number;     /* by which the child knows it */
	uint32_t generation; /* of the child that was given it; 0 none */
	bool asked;          /* found is known */
	bool found;
	bool given_up;
	unsigned deaths; /* of a child that was working at it, and perhaps not because of it */
	char problem[512];

	/* In the order in which they are asked: [0, answered) are answered (all, once given up),
	 * up to `sent` they have been sent. */
	struct {
		struct dwarf_answer *at;
		uint32_t n, cap;
	} answers;
	uint32_t sent, answered;
	struct index by_vaddr;
	struct {
		struct dwarf_frame *at;
		uint32_t n, cap;
	} frames;

	struct strings strings;
	struct { /* ids in strings by this child's numbers - 1 */
		uint32_t *at;
		uint32_t n, cap;
	} texts;

	struct {
		struct sym_variable *at;
		uint32_t n, cap;
	} variables;
	bool variables_whole; /* the answer has come to its end */
};

/* A request that is not answered in full. */
struct dwarf_flight {
	struct dwarf *d; /* NULL: closed in between */
	enum dwarf_verb verb;
	uint32_t count; /* places that are still to come */
};

/* Takes one message of an answer. NULL, or what is wrong with it. */
const char *dwarf_take(struct dwarf_flight *f, struct cursor c, bool last);

bool link_add(struct dwarf *d); /* false: out of memory, or of numbers */
void link_remove(struct dwarf *d);

/* Gives the file to the child, which is started where there is none. False where it has no DWARF,
 * or was given up. */
bool link_open(struct dwarf *d);

/* Sends what may be sent ahead: what is unsent of d, then of other files. */
void link_send_lines(struct dwarf *d);

/* Sends a request that has no more to it. */
void link_send(struct dwarf *d, enum dwarf_verb verb);

/* Waits for a message and takes it. Returns at once where no request is in flight. */
void link_receive(void);

/* Is a request of d in flight? */
bool link_busy(const struct dwarf *d);

#endif
