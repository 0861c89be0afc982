import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

it("declarations do not need Node's types, which pages lack", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "packages/reins/package.json"), "utf8"));
  // Where the workspace's packages are resolved.
  const folder = mkdtempSync(join(root, "node_modules/.declarations-"));
  try {
    const entries = Object.keys(exports).map((path) => `reins${path.slice(1)}`);
    const lines = entries.map((name, i) => `export * as entry${i} from "${name}";`);
    writeFileSync(join(folder, "all.ts"), lines.join("\n"));
    const compilerOptions = {
      module: "nodenext",
      target: "es2023",
      lib: ["es2023", "dom"],
      strict: true,
      noEmit: true,
      types: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["all.ts"] }));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout, status } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);
