# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2016 # run.sh reads the variables; programs in other languages are quoted
# Threads, JSON, regular expressions and a child; every object from malloc.
needs='/usr/bin/python3:python3'
least=100000
job() {
	PYTHONMALLOC=malloc "$@" /usr/bin/python3 -c '
import random, json, re, collections, threading, subprocess, sys
random.seed(1)
tree = {}
def work(n):
	local = [dict(k=str(i), v=[i] * (i % 50)) for i in range(n)]
	text = json.dumps(local)
	assert json.loads(text) == local
	tree[n] = len(re.findall(r"\d+", text))
threads = [threading.Thread(target=work, args=(n,)) for n in (3000, 4000, 5000, 6000)]
[t.start() for t in threads]
[t.join() for t in threads]
print(sorted(tree.items()))
print(subprocess.run([sys.executable, "-c", "print(sum(map(len, map(str, range(100000)))))"],
	capture_output=True, text=True).stdout)
'
}
