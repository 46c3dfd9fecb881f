/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parent's side of the protocol with the child that reads DWARF. Private to dwarf*.c and their
 * tests.
 */
#ifndef MEMDB_SYMBOL_DWARF_LINK_H
#define MEMDB_SYMBOL_DWARF_LINK_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/index.h"
#include "symbol/dwarf_file.h"
#include "symbol/dwarf_wire.h"

/* An address whose source frames were requested. When the child has answered, the frames are the
 * elements [first, first + n) of dwarf.frames. */
struct dwarf_answer {
	uint64_t vaddr;
	uint32_t first, n;
};

/* A source frame: function, file and line. `function` and `file` are ids in dwarf.strings; 0 means
 * none. */
struct dwarf_frame {
	uint32_t function, file, line, column;
};

struct dwarf {
	const char *path;
	const struct image *image;
	uint32_t number;     /* number of this file in requests (dwarf_request.module) */
	uint32_t generation; /* number of the child that has the file open; 0 means none */
	/* the child has answered whether the file has DWARF: `found` is valid */
	bool asked;
	bool found;
	bool given_up;
	/* how often a child died during requests for this file, perhaps for another reason. After
	 * the first time, a new child reads the file */
	unsigned deaths;
	char problem[512];

	/* Requested addresses, in the order of the requests. The first `sent` of them were sent,
	 * and the first `answered` are answered. If the file is given up, both numbers are
	 * answers.n. */
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
	/* texts.at[N - 1] is the id in `strings` of the string that the child calls number N */
	struct {
		uint32_t *at;
		uint32_t n, cap;
	} texts;

	struct {
		struct sym_variable *at;
		uint32_t n, cap;
	} variables;
	bool variables_complete; /* the child has sent all variables of the file */

	struct {
		struct sym_local *at;
		uint32_t n, cap;
	} locals;             /* local variables of the function in the last DWARF_LOCALS request */
	bool locals_complete; /* all variables of the function have arrived */

	/* the type in the answer to the last DWARF_TYPE request, without its members */
	struct sym_type type;
	struct {
		struct sym_member *at;
		uint32_t n, cap;
	} members; /* its members; none if the type is unknown */
	bool type_complete;
};

/* A request that was sent and is not completely answered. */
struct dwarf_flight {
	struct dwarf *d; /* NULL means that the file was closed in the meantime */
	enum dwarf_verb verb;
	uint32_t count; /* for DWARF_LINES: number of addresses that are not answered yet */
};

/* Reads the body c of a message, which answers request f; `last` means that it is the last message
 * of the answer. Returns NULL, or the text of an error if the message is invalid. */
const char *dwarf_take(struct dwarf_flight *f, struct cursor c, bool last);

/* Adds d to the files that the child may open, and sets d->number. Returns false if memory or
 * numbers are used up. */
bool link_add(struct dwarf *d);
void link_remove(struct dwarf *d);

/* Opens the file in the child, which is started if necessary. Returns false if the file has no
 * DWARF or was given up. */
bool link_open(struct dwarf *d);

/* Sends addresses until WINDOW requests are unanswered: first those for d, then those for other
 * files. */
void link_send_lines(struct dwarf *d);

/* Sends a request with a body of n bytes, which must fit into the buffer of the socket. If
 * WINDOW requests are unanswered, waits first. Sends nothing if the child that had the file open
 * has died. */
void link_send(struct dwarf *d, enum dwarf_verb verb, const void *body, size_t n);

/* Waits for a message of the child and stores its content. Returns at once if no request is
 * unanswered. */
void link_receive(void);

/* Is a request of d unanswered? */
bool link_busy(const struct dwarf *d);

#endif
