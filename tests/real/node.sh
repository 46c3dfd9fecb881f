# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2016 # run.sh reads the variables; programs in other languages are quoted
# A JIT with its own page allocator, worker threads and children.
needs='node:nodejs'
least=1000
job() {
	"$@" node -e '
const { Worker, isMainThread, parentPort } = require("worker_threads");
const zlib = require("zlib"), crypto = require("crypto"), cp = require("child_process");
const map = new Map();
for (let i = 0; i < 200000; i++) map.set("k" + (i * 7919 % 100003), { i, a: new Array(i % 20).fill(i) });
const text = JSON.stringify([...map].slice(0, 20000));
console.log(map.size, text.length, zlib.gunzipSync(zlib.gzipSync(text)).length);
console.log(crypto.createHash("sha256").update(text).digest("hex"));
console.log(cp.execSync("echo child").toString());
const w = new Worker("require(\"worker_threads\").parentPort.postMessage(Buffer.alloc(1 << 20, 7).length)", { eval: true });
w.on("message", (m) => { console.log("worker", m); process.exitCode = 3; });
'
}
