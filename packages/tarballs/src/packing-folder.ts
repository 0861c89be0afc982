import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Where tarballs are packed: in a folder that is kept, made if it is not there, or in one that goes when it is closed. */
export function packingFolder(keep: string | undefined): { readonly folder: string; close(): void } {
  if (keep !== undefined) {
    // npm runs scripts at the root of the workspace, wherever somebody typed the path.
    const folder = resolve(process.env.INIT_CWD ?? ".", keep);
    mkdirSync(folder, { recursive: true });
    return { folder, close() {} };
  }
  const folder = mkdtempSync(join(tmpdir(), "reins-tarballs-"));
  return { folder, close: () => rmSync(folder, { recursive: true, force: true }) };
}
