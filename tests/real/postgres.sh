# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2016 # run.sh reads the variables; programs in other languages are quoted
# Processes forked per connection, shared memory, a user other than root.
needs='setpriv:util-linux postgres:postgresql'
least=2000
job() {
	local server bin options

	bin=$(dirname "$(readlink -f "$(command -v postgres)")")
	chown nobody .
	"${as_user[@]}" "$bin/initdb" -D "$PWD/data" -U nobody --no-sync >initdb.log 2>&1 || return
	"${as_user[@]}" "$@" "$bin/postgres" -D "$PWD/data" -k "$PWD" -h '' >server.log 2>&1 &
	server=$!
	wait_for "$bin/pg_isready" -q -h "$PWD"
	"$bin/pgbench" -h "$PWD" -U nobody -i -s 1 postgres >pgbench.log 2>&1 || echo "pgbench -i failed"
	"$bin/pgbench" -h "$PWD" -U nobody -c 4 -j 2 -t 200 postgres 2>&1 |
		grep 'number of transactions'
	"$bin/psql" -h "$PWD" -U nobody -At postgres -c \
		'SELECT count(*), sum(bid) FROM pgbench_accounts; SELECT count(*) FROM pgbench_history'
	stop TERM $server
}
