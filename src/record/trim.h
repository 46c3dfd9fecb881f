/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Truncates the tracker's logs after the recording. They are large sparse files, which copying
 * tools may write out in full.
 */
#ifndef MEMDB_RECORD_TRIM_H
#define MEMDB_RECORD_TRIM_H

/* Truncates all logs in capture_dir/track to their used size. Returns the number of truncated logs.
 * Does nothing while a process that memdb can inspect has one of them mapped, because a write
 * beyond the end of a truncated file would kill that process. */
unsigned trim_logs(const char *capture_dir);

#endif
