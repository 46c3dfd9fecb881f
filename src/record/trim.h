/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracker's logs are large sparse files, which copying tools may write out in full. After the
 * recording each is truncated to its used part.
 */
#ifndef MEMDB_RECORD_TRIM_H
#define MEMDB_RECORD_TRIM_H

/*
 * Truncates all logs in capture_dir/track to their used size and returns how many. Does nothing
 * while a process that memdb can inspect maps one of them, because a write past the end of a
 * truncated file would kill that process.
 */
unsigned trim_logs(const char *capture_dir);

#endif
