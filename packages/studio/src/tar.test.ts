import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isTar, tarOf, untarred } from "./tar.ts";

it("is compatible with tar in both directions", () => {
  const here = mkdtempSync(join(tmpdir(), "reins-tar-"));
  try {
    const files = new Map([
      ["config.json", new TextEncoder().encode("{}")],
      ["model.safetensors", Uint8Array.from({ length: 1500 }, (_, i) => i)],
    ]);
    writeFileSync(join(here, "ours.tar"), tarOf(files));
    execFileSync("tar", ["xf", "ours.tar"], { cwd: here });
    for (const [name, bytes] of files) expect([...readFileSync(join(here, name))]).toEqual([...bytes]);
    execFileSync("tar", ["cf", "theirs.tar", "./config.json", "./model.safetensors"], { cwd: here });
    const theirs = readFileSync(join(here, "theirs.tar"));
    expect(isTar(theirs)).toBe(true);
    expect(new Map([...untarred(theirs)].map(([n, b]) => [n, [...b]]))).toEqual(
      new Map([...files].map(([n, b]) => [n, [...b]])),
    );
    expect(() => untarred(theirs.subarray(0, 2000))).toThrow("truncated");
  } finally {
    rmSync(here, { recursive: true });
  }
});
