import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { codeOf, ownFilesMoved, recordedCode, sameCode } from "./code.ts";
import { codeHash, sourcesOf } from "./sources.ts";

const root = mkdtempSync(join(tmpdir(), "reins-sources-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const files: Record<string, string> = {
  "packages/core/package.json":
    '{ "exports": { ".": { "source": "./src/index.ts" } }, "imports": { "#fast": { "source": "./src/fast.ts" } } }',
  "packages/core/src/fast.ts": "export const fast = 1;\n",
  "packages/core/src/index.ts": `/** All. */
export * from "./a.ts";
export { b, type B } from "./b.ts";
export * as tools from "./tools.ts";
export type { T } from "./types.ts";
`,
  "packages/core/src/a.ts": 'import { deep } from "./deep.ts";\nexport function a() { return deep; }\n',
  "packages/core/src/deep.ts": "export const deep = 1;\n",
  "packages/core/src/b.ts": "export const b = 2;\nexport interface B { x: 1 }\n",
  "packages/core/src/tools.ts": "export const tool = 3;\n",
  "packages/core/src/types.ts": "export interface T { y: 1 }\n",
  "recipes/family/one.ts":
    'import { a, type T } from "@reins/core";\nimport { local } from "./local.ts";\na(); local();\n',
  "recipes/family/local.ts": 'import type { B } from "@reins/core";\nexport function local() {}\n',
};
const write = (name: string, text = files[name]) => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
};
beforeEach(() => Object.keys(files).forEach((name) => write(name)));
const entry = join(root, "recipes/family/one.ts");

describe("the code behind a recipe", () => {
  it("is what it imports by name, through index files, without types", () => {
    expect(
      sourcesOf(entry)
        .map((f) => relative(root, f))
        .sort(),
    ).toEqual([
      "packages/core/src/a.ts",
      "packages/core/src/deep.ts",
      "recipes/family/local.ts",
      "recipes/family/one.ts",
    ]);
  });

  it("follows names that stand for whole modules", () => {
    write("recipes/family/one.ts", 'import { tools as t } from "@reins/core";\nt.tool;\n');
    expect(sourcesOf(entry).map((f) => relative(root, f))).toContain("packages/core/src/tools.ts");
  });

  it("follows a package's subpath imports", () => {
    write("packages/core/src/deep.ts", 'import { fast } from "#fast";\nexport const deep = fast;\n');
    expect(sourcesOf(entry).map((f) => relative(root, f))).toContain("packages/core/src/fast.ts");
  });

  it("changes its digest when any of it changes, and not when something else does", () => {
    const before = codeHash(entry);
    write("packages/core/src/b.ts", "export const b = 3;\n");
    expect(codeHash(entry)).toBe(before);
    write("packages/core/src/deep.ts", "export const deep = 2;\n");
    expect(codeHash(entry)).not.toBe(before);
  });

  it("excludes the finding, and separates the compiler from the rest", () => {
    const before = codeOf(entry);
    const with_ = (words: string) =>
      `${files["recipes/family/one.ts"]}export default {\n  id: 1,\n  finding: () => "${words}",\n};`;
    write("recipes/family/one.ts", with_("It failed."));
    const withFinding = codeOf(entry);
    write("recipes/family/one.ts", with_("It worked."));
    expect(sameCode(codeOf(entry), withFinding)).toBe(true);
    expect(sameCode(before, withFinding)).toBe(false);
    expect(before.numerics.all).toBe(withFinding.numerics.all);
    expect(Object.keys(before.meaning.files)).toContain("recipes/family/one.ts");
    write("recipes/family/one.ts");
  });

  it("records the digests of the book's own files, which show whether a recipe has moved", () => {
    const recorded = recordedCode(codeOf(entry));
    expect(sameCode(recorded, codeOf(entry))).toBe(true);
    expect(Object.keys(recorded.meaning.files).every((f) => f.startsWith("recipes/"))).toBe(true);
    expect(recorded.numerics.files).toEqual({});
    expect(ownFilesMoved(entry, recorded)).toBe(false);
    write("recipes/family/one.ts", `${files["recipes/family/one.ts"]}export const more = 1;\n`);
    expect(ownFilesMoved(entry, recorded)).toBe(true);
    write("recipes/family/one.ts");
  });
});
