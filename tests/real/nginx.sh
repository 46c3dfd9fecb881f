# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2016 # run.sh reads the variables; programs in other languages are quoted
# A master with worker processes and a pool allocator; requests by many connections at once.
needs='nginx:nginx-light wrk:wrk curl:curl'
least=100
job() {
	local server

	mkdir html
	chmod 755 .
	seq 100000 >html/numbers
	cat >nginx.conf <<-CONF
		user root;
		daemon off;
		worker_processes 2;
		error_log $PWD/error.log;
		pid $PWD/pid;
		events { worker_connections 256; }
		http {
			access_log $PWD/access.log;
			client_body_temp_path $PWD/body;
			proxy_temp_path $PWD/proxy;
			fastcgi_temp_path $PWD/fastcgi;
			uwsgi_temp_path $PWD/uwsgi;
			scgi_temp_path $PWD/scgi;
			gzip on;
			gzip_types *;
			server { listen 127.0.0.1:18473; root $PWD/html; }
		}
	CONF
	"$@" nginx -c "$PWD/nginx.conf" -p "$PWD" &
	server=$!
	wait_for curl -s http://127.0.0.1:18473/numbers
	wrk -t 2 -c 20 -d 2 -H 'Accept-Encoding: gzip' http://127.0.0.1:18473/numbers >wrk.log
	grep -E 'Socket errors|Non-2xx' wrk.log
	curl -s http://127.0.0.1:18473/numbers | cksum
	curl -s -o /dev/null -w '%{http_code}\n' http://127.0.0.1:18473/none
	stop TERM $server
}
