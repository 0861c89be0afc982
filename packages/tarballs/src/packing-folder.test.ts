import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { packingFolder } from "./packing-folder.ts";

afterEach(() => void vi.unstubAllEnvs());

it("keeps the tarballs in a given folder, and deletes a temporary one", () => {
  const here = mkdtempSync(join(tmpdir(), "reins-packing-"));
  try {
    vi.stubEnv("INIT_CWD", here);
    const kept = packingFolder("a/b");
    kept.close();
    expect([kept.folder, existsSync(kept.folder)]).toEqual([join(here, "a/b"), true]);
    const passing = packingFolder(undefined);
    expect(existsSync(passing.folder)).toBe(true);
    passing.close();
    expect(existsSync(passing.folder)).toBe(false);
  } finally {
    rmSync(here, { recursive: true });
  }
});
