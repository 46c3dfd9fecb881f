/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the files of a capture, so that the import notices if one is missing or was cut. */
#ifndef MEMDB_RECORD_CAPTURE_FILES_H
#define MEMDB_RECORD_CAPTURE_FILES_H

#include "record/capture.h"

struct json_object;

/* Returns the member "files" of capture.json (capture.h), as of now; NULL when out of memory. */
struct json_object *capture_files(const struct capture *c);

#endif
