# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2016 # run.sh reads the variables; programs in other languages are quoted
# A server with jemalloc linked in, a socket, a background save (fork), ended by SIGTERM.
needs='redis-server:redis-server redis-benchmark:redis-tools redis-cli:redis-tools'
least=100
job() {
	local server cli=(redis-cli -s "$PWD/socket")

	"$@" redis-server --port 0 --unixsocket "$PWD/socket" --save '' --logfile "$PWD/log" &
	server=$!
	wait_for "${cli[@]}" ping
	redis-benchmark -s "$PWD/socket" -q -n 20000 -r 1000 -t set,get,lpush,lrange_100 >bench ||
		echo "redis-benchmark failed"
	"${cli[@]}" dbsize
	"${cli[@]}" bgsave
	wait_for sh -c "redis-cli -s '$PWD/socket' info persistence | grep -q rdb_bgsave_in_progress:0"
	"${cli[@]}" get missing
	stop TERM $server
}
