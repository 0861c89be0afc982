import { describe, expect, it } from "vitest";
import { findingsIn } from "./contents.ts";
import type { Manifest } from "./workspace.ts";

const license = "Do what you like.";
const manifest: Manifest = {
  name: "@reins/sound",
  version: "0.1.0",
  description: "A valid package",
  keywords: ["sound"],
  license: "MIT",
  type: "module",
  engines: { node: ">=20.19" },
  exports: { ".": { source: "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" } },
  dependencies: { "@reins/tensor": "0.1.0", other: "^1.2.3" },
};
const code =
  'import { join } from "node:path";\nimport { x } from "@reins/tensor";\nimport "other/part.js";\n';
const map = JSON.stringify({ sources: ["../src/index.ts"] });
const files: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify(manifest),
  "README.md": "# @reins/sound\n\nIt is valid.\n",
  LICENSE: license,
  "src/index.ts": code,
  "dist/index.js": code,
  "dist/index.js.map": map,
  "dist/index.d.ts": code,
  "dist/index.d.ts.map": map,
};
const find = (changes: Record<string, string | undefined>, more: Partial<Manifest> = {}) => {
  const all = Object.entries({ ...files, ...changes }).filter(
    (f): f is [string, string] => f[1] !== undefined,
  );
  return findingsIn({ ...manifest, ...more }, new Map(all), license);
};

describe("the contents of a tarball", () => {
  it("have no findings for a valid package", () => expect(find({})).toEqual([]));

  it("may have pages of diagnoses", () => expect(find({ "dist/diagnostics/nan.md": "# nan" })).toEqual([]));

  it.each([
    ["a test", { "src/index.test.ts": "" }, {}, "src/index.test.ts is for tests."],
    ["a helper of tests", { "dist/testing/naive.js": "" }, {}, "dist/testing/naive.js is for tests."],
    ["a program of tests", { "src/width/mail.ts": "" }, {}, "src/width/mail.ts is for tests."],
    ["a build's notes", { "dist/.tsbuildinfo": "" }, {}, "dist/.tsbuildinfo does not belong in a package."],
    [
      "an old build",
      { "dist/old.js": "" },
      {},
      "dist/old.js has no source: it is left from an earlier build.",
    ],
    ["no map", { "dist/index.d.ts.map": undefined }, {}, "dist/index.d.ts.map is missing. Build first."],
    [
      "a map to nowhere",
      { "dist/index.js.map": JSON.stringify({ sources: ["../../src/index.ts"] }) },
      {},
      "dist/index.js.map points to ../src/index.ts, which is not packed.",
    ],
    ["no README", { "README.md": undefined }, {}, "README.md is missing."],
    ["another's licence", { LICENSE: "" }, {}, "LICENSE is missing, or is not that of the workspace."],
    ["no keywords", {}, { keywords: [] }, "package.json has no keywords."],
    [
      "an export of nothing",
      {},
      { bin: { sound: "bin/sound.js" } },
      "bin of package.json points to bin/sound.js, which is not packed.",
    ],
    [
      "an import of an undeclared package",
      { "dist/index.js": 'const { it } = await import("vitest");\n' },
      {},
      "dist/index.js imports vitest, which is missing after installation.",
    ],
    [
      "an import of a file that is not packed",
      { "dist/index.d.ts": 'export * from "./gone.ts";\n' },
      {},
      "dist/index.d.ts imports ./gone.ts, which is missing after installation.",
    ],
    [
      "another version of a workspace package",
      {},
      { dependencies: { "@reins/tensor": "0.2.0", other: "^1.2.3" } },
      "it is @reins/sound 0.1.0, but needs @reins/tensor 0.2.0, not 0.1.0.",
    ],
    [
      "a dependency on a folder",
      {},
      { dependencies: { "@reins/tensor": "0.1.0", other: "file:../other" } },
      'other: "file:../other" is not a range of published versions.',
    ],
  ] as [string, Record<string, string | undefined>, Partial<Manifest>, string][])(
    "%s is found",
    (_, changes, more, said) => expect(find(changes, more)).toContain(said),
  );
});
