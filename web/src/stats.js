// SPDX-License-Identifier: GPL-2.0-or-later
// The 95 % interval of a share, computed as in the SQL views: Wilson 1927 with the effective sample size (Kish 1965).

// Adds the remote share of a row, its range and its coverage to the row, from sums in it. r.remote,
// r.local: accesses to memory of another node and of the CPU's own node, as far as the nodes are
// known; r.accesses, r.accesses_sq: the sum of all accesses and of their squares.
export function estimateRemote(r) {
  const known = r.remote + r.local;
  r.remote_pct = known > 0 ? (100 * r.remote) / known : null;
  r.remote_low_pct = known > 0 ? shareInterval(r.remote, r.accesses, r.accesses_sq)[0] : null;
  r.remote_high_pct = known > 0 ? shareInterval(r.accesses - r.local, r.accesses, r.accesses_sq)[1] : null;
  r.home_pct = r.accesses > 0 ? (100 * known) / r.accesses : null;
}

// Returns the 95 % interval [low, high], in percent, of the share w / n. n is the sum of the
// weights of all samples, w that of the samples in the share, sq the sum of the squares of all
// weights.
export function shareInterval(w, n, sq) {
  if (!(n > 0)) {
    return [null, null];
  }
  const z2 = 3.8416;
  const middle = w * n + (z2 / 2) * sq;
  const half = 1.96 * Math.sqrt(w * (n - w) * sq + (z2 / 4) * sq * sq);
  const all = n * n + z2 * sq;
  return [Math.max(0, (100 * (middle - half)) / all), Math.min(100, (100 * (middle + half)) / all)];
}
