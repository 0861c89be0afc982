import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sweep } from "./sweep.ts";

it("deletes only files without a source from dist", () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-sweep-"));
  try {
    mkdirSync(join(folder, "src/part"), { recursive: true });
    mkdirSync(join(folder, "dist/part"), { recursive: true });
    mkdirSync(join(folder, "dist/packed"), { recursive: true });
    const make = (path: string) => writeFileSync(join(folder, path), "");
    const kept = [
      ".tsbuildinfo",
      "part/a.d.ts",
      "part/a.d.ts.map",
      "part/a.js",
      "part/a.js.map",
      "packed/chunk-A.js",
    ];
    make("src/part/a.ts");
    for (const path of [...kept, "gone.js", "part/gone.d.ts", "part/gone.js.map"]) make(`dist/${path}`);
    expect(sweep(folder)).toBe(3);
    const left = readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" });
    expect(left.sort()).toEqual([...kept, "packed", "part"].sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
