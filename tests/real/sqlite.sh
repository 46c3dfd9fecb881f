# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2016 # run.sh reads the variables; programs in other languages are quoted
# One thread, many small blocks, mapped files.
needs='sqlite3:sqlite3'
least=1000
job() {
	"$@" sqlite3 test.db "
		CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c REAL);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
		INSERT INTO t SELECT i, printf('row %d', i * 7919 % 100003), i / 3.0 FROM n;
		CREATE INDEX tb ON t (b);
		SELECT count(DISTINCT b), sum(c), max(b) FROM t;
		PRAGMA integrity_check;
		VACUUM;
		SELECT group_concat(a, ' ') FROM (SELECT a FROM t WHERE b LIKE 'row 99%' LIMIT 20);"
	sqlite3 test.db .dump | cksum
}
