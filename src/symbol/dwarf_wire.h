/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The protocol between this process and the child that reads DWARF, in the machine's byte order.
 * The child trusts the parent. The parent does not trust the child, because hostile debug
 * information may have taken it over.
 *
 * A request is a struct dwarf_request. After a DWARF_LINES request come `count` addresses of 8
 * bytes, after DWARF_LOCALS one address, after DWARF_TYPE a struct dwarf_type_query. DWARF_OPEN
 * passes a descriptor of the file. The answer to every request except DWARF_CLOSE is one or more
 * messages: a struct dwarf_message, then `size` bytes of records. A record begins with one byte of
 * enum dwarf_record. Requests are answered in their order.
 */
#ifndef MEMDB_SYMBOL_DWARF_WIRE_H
#define MEMDB_SYMBOL_DWARF_WIRE_H

#include <stdint.h>

#include "symbol/type.h"

enum dwarf_verb { DWARF_OPEN, DWARF_LINES, DWARF_VARIABLES, DWARF_LOCALS, DWARF_TYPE, DWARF_CLOSE };

struct dwarf_request {
	uint32_t verb, module; /* module: number of the file, which the parent assigns from 0 */
	uint32_t count;
};

/* A struct sym_type_query in the form that is sent. */
struct dwarf_type_query {
	uint64_t entry, vaddr;
	uint32_t unit, inlined;
	uint8_t by, reg;
	char text[SYM_MAX_TYPE_TEXT + 2];
};

struct dwarf_message {
	uint32_t size;
	uint32_t last; /* 1 if it is the last message of the answer, otherwise 0 */
};

/* In the comments below, the number after the name of a field is its size in bytes. */
enum dwarf_record {
	/* length 4, then this many bytes: the next string of the file. The file's strings count
	 * from 1 */
	DWARF_TEXT,
	DWARF_OPENED, /* is_dwarf 1: 1 if the file has DWARF, otherwise 0 */
	DWARF_DAMAGE, /* length 4, then this many bytes: a sentence about what could not be read */
	/* the frames of one address. Number of frames 1, then for each: function 4, file 4
	 * (string numbers; 0 means none), line 4, column 4 */
	DWARF_PLACE,
	/* vaddr 8, size 8, name 4, file 4 (string numbers), line 4, is_tls 1, entry */
	DWARF_VARIABLE,
	/* variable 4, base 1, offset 8, size 8, name 4, file 4 (string numbers), line 4, lo 8,
	 * hi 8, points 1, array 1, in_slot 1, passed 1, entry: see struct sym_local. An entry is
	 * unit 4, offset 8 */
	DWARF_LOCAL,
	/* name 4 (string number), kind 1, size 8, members 4, then for each: name 4, type 4
	 * (string numbers; 0 means none), offset 8, size 8. If the type is unknown, this record
	 * is missing */
	DWARF_LAYOUT,
};

enum {
	DWARF_MAX_MODULES = 1 << 16,
	DWARF_MAX_BATCH = 1024,    /* maximum number of addresses in a request */
	DWARF_MAX_TEXT = 64 << 10, /* maximum size of a string in bytes; a longer string is cut */
	DWARF_FLUSH = 64 << 10,    /* a message is sent when it has at least this many bytes */
	/* maximum size of a message: DWARF_FLUSH and one record with all its strings */
	DWARF_MAX_MESSAGE = 16 << 20,
	DWARF_MAX_DAMAGE = 200, /* maximum size in bytes of the sentence in DWARF_DAMAGE */
};

#endif
