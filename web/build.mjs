// SPDX-License-Identifier: GPL-2.0-or-later
// build.mjs PACKAGES OUTPUT.c: bundles the HTML page and writes it to OUTPUT.c as two C strings,
// html_before and html_after (src/html/template.h). Also writes OUTPUT.c.d, which lists the files that
// went into the page, for the build system.
//
// The page is a single file with its style, its program and SQLite (WebAssembly, compressed). A content
// security policy in it contains the hashes of its own style and program. So the browser runs no other
// script, and the page cannot load anything from anywhere.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';

const [packages, output] = process.argv.slice(2);
const folder = dirname(fileURLToPath(import.meta.url));
const modules = join(packages, 'node_modules');
const esbuild = createRequire(join(packages, 'package.json'))('esbuild');

function bundle(entry) {
  return esbuild.buildSync({
    entryPoints: [join(folder, entry)],
    bundle: true,
    minify: true,
    charset: 'ascii',
    format: entry.endsWith('.js') ? 'iife' : undefined,
    target: ['chrome111', 'firefox113'],
    external: ['fs', 'path', 'crypto'], // of sql.js under node
    legalComments: 'inline',
    nodePaths: [modules],
    metafile: true,
    write: false,
    absWorkingDir: folder,
  });
}

const inputs = new Set([fileURLToPath(import.meta.url)]);

function text(entry) {
  const result = bundle(entry);
  for (const input of Object.keys(result.metafile.inputs)) {
    inputs.add(join(folder, input));
  }
  return result.outputFiles[0].text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

const hash = (s) => `'sha256-${createHash('sha256').update(s).digest('base64')}'`;
const script = text('src/main.js');
const style = text('src/style.css');
const worker = deflateSync(text('src/worker.js'), { level: 9 }).toString('base64');
const wasmPath = join(modules, 'sql.js/dist/sql-wasm-browser.wasm');
const wasm = deflateSync(readFileSync(wasmPath), { level: 9 }).toString('base64');
inputs.add(wasmPath);
const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; style-src ${hash(style)}; `
  + `img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'`;

const before = `<!DOCTYPE html><!-- memdb page -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>memdb</title>
<style>${style}</style>
</head>
<body>
<div id="page"><p class="loading" role="status">Unpacking the recording …</p>
<noscript><p>This page draws its pictures from a database that it holds. It needs JavaScript; it asks nothing from the network.</p></noscript></div>
<script type="text/plain" id="sqlite">${wasm}</script>
<script type="text/plain" id="worker">${worker}</script>
<script type="text/plain" id="data">`;
const after = `</script>
<script>${script}</script>
</body>
</html>
`;

// Returns a definition of a C string. The string is split into pieces, because compilers limit the length of one.
function literal(name, s) {
  if (/[^\n -~\t]/.test(s)) {
    throw new Error(`${name} has bytes that are not ASCII`);
  }
  const pieces = s.match(/[^]{1,2000}/g).map((piece) => JSON.stringify(piece).replaceAll('?', '\\?'));
  return `const char ${name}[] =\n${pieces.join('\n')};\nconst size_t ${name}_size = sizeof(${name}) - 1;\n`;
}

writeFileSync(output, '/* Made by web/build.mjs. */\n#include "html/template.h"\n'
  + literal('html_before', before.replaceAll('\u2026', '&hellip;')) + literal('html_after', after));
writeFileSync(`${output}.d`, `${output}: ${[...inputs].map((f) => relative('.', f)).join(' ')}\n`);
