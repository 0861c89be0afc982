import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The folder for tarballs: a given one, created if necessary, or a temporary one that is deleted on close. */
export function packingFolder(keep: string | undefined): { readonly folder: string; close(): void } {
  if (keep !== undefined) {
    // npm runs scripts at the root of the workspace, whatever the current folder was.
    const folder = resolve(process.env.INIT_CWD ?? ".", keep);
    mkdirSync(folder, { recursive: true });
    return { folder, close() {} };
  }
  const folder = mkdtempSync(join(tmpdir(), "reins-tarballs-"));
  return { folder, close: () => rmSync(folder, { recursive: true, force: true }) };
}
