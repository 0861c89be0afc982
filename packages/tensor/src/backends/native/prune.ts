import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { refuse } from "../../environment.ts";
import { discard, removeLeft } from "./folder.ts";

const mebibyte = 1 << 20;
/** What was used within the last minute, in milliseconds, is probably about to be loaded. */
const recent = 60_000;

/** Most bytes that the cache may take: REINS_CACHE_SIZE in MiB, else 512 MiB. */
export function cacheLimit(): number {
  const asked = process.env.REINS_CACHE_SIZE;
  if (!asked) return 512 * mebibyte;
  const size = Number(asked);
  if (!(size >= 0)) refuse("REINS_CACHE_SIZE", asked, "it must be a number of MiB from 0.");
  return size * mebibyte;
}

/**
 * Removes what was not used for longest, until three quarters of `limit` are left, and what killed processes left behind. Every file
 * stands for itself: one that misses its partner is no hit. Other processes may be using the files: a library that is loaded stays
 * so, and one that vanishes between being found and being loaded is built again.
 */
export function prune(directory: string, limit: number): void {
  removeLeft(directory);
  const files: { path: string; bytes: number; used: number }[] = [];
  for (const name of readdirSync(directory)) {
    if (!/\.(so|json|wasm)$/.test(name)) continue;
    const path = join(directory, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    // Blocks rather than bytes: thousands of small files take what they occupy.
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
