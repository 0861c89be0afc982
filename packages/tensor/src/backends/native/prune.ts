import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { refuse } from "../../environment.ts";
import { discard, removeLeft } from "./folder.ts";

const mebibyte = 1 << 20;
/** Files used within this time, in milliseconds, are probably about to be loaded. */
const recent = 60_000;

/** Maximum bytes of the cache: REINS_CACHE_SIZE in MiB (default 512). */
export function cacheLimit(): number {
  const asked = process.env.REINS_CACHE_SIZE;
  if (!asked) return 512 * mebibyte;
  const size = Number(asked);
  if (!(size >= 0)) refuse("REINS_CACHE_SIZE", asked, "use a non-negative number of MiB.");
  return size * mebibyte;
}

/**
 * Removes the least recently used files until three quarters of `limit` are left, and what killed processes left. Files are
 * independent: one without its partner is a miss. Other processes may be using the files: a loaded library stays loaded, and one
 * that vanishes between lookup and loading is rebuilt.
 */
export function prune(directory: string, limit: number): void {
  removeLeft(directory);
  const files: { path: string; bytes: number; used: number }[] = [];
  for (const name of readdirSync(directory)) {
    if (!/\.(so|json|wasm|cubin)$/.test(name)) continue;
    const path = join(directory, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    // Blocks rather than bytes: thousands of small files occupy more than their length.
    if (stat?.isFile())
      files.push({ path, bytes: Math.max(stat.size, stat.blocks * 512), used: stat.mtimeMs });
  }
  let total = files.reduce((sum, f) => sum + f.bytes, 0);
  if (total <= limit) return;
  files.sort((a, b) => a.used - b.used);
  for (const { path, bytes, used } of files) {
    if (total <= limit * 0.75 || Date.now() - used < recent) return;
    discard(path);
    total -= bytes;
  }
}
