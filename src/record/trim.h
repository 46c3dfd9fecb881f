/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracker's logs are sparse files of 64 GiB, which copying tools may write out in full. After
 * the recording each is truncated to its used part.
 */
#ifndef MEMDB_RECORD_TRIM_H
#define MEMDB_RECORD_TRIM_H

/*
 * Truncates all logs below capture_dir/track to their used size and returns how many. Does nothing
 * while a process that we can inspect maps one of them: writing past the end of a truncated file
 * would kill it.
 */
unsigned trim_logs(const char *capture_dir);

#endif
