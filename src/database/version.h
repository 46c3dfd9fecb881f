/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_DATABASE_VERSION_H
#define MEMDB_DATABASE_VERSION_H

enum {
	DB_APPLICATION_ID = 0x6d656d64, /* "memd"; PRAGMA application_id of memdb's databases */
	/* PRAGMA user_version; every change of the schema that breaks readers increments it */
	DB_VERSION = 6,
};

#endif
