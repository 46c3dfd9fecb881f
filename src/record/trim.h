/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracker's logs are sparse files of 64 GiB, which copying tools may write out in full. When
 * the recording has ended each is cut to what was used of it.
 */
#ifndef MEMDB_RECORD_TRIM_H
#define MEMDB_RECORD_TRIM_H

/*
 * Cuts all logs below capture_dir/track to their used size; returns how many. None is touched while
 * a process that can be looked into maps one of them: writing behind the end of a file that became
 * shorter would kill it.
 */
unsigned trim_logs(const char *capture_dir);

#endif
