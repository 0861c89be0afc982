import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { explained, tablesOf } from "./explain.ts";
import { root } from "./workspace.ts";

/** The compiler that looks into tarballs is of the kind that editors ask; the one that builds has no such interface. */
type Compiler =
  typeof import("../../../node_modules/@arethetypeswrong/core/node_modules/typescript/lib/typescript.js");
const here = createRequire(import.meta.url);
const ts = createRequire(here.resolve("@arethetypeswrong/core"))("typescript") as Compiler;

const program = `import { ppo } from "reins";
import { dapo, dqn } from "reins/algorithms";
ppo({ clip: 0.1, hidden: [32] });
dapo({ clipHigh: 0.3 });
dqn({ network: undefined });
`;
const file = join(root, "packages/tarballs/src/program-of-somebody.ts");
const dist = join(root, "packages/algorithms/dist");
const texts = new Map<string, string>();

beforeAll(async () => {
  for (const name of ["ppo", "dapo", "dqn"]) {
    const path = join(dist, `${name}.d.ts`);
    if (!existsSync(path)) throw new Error("nothing is built: npm run build");
    const module = (await import(pathToFileURL(join(dist, `${name}.js`)).href)) as object;
    texts.set(path, explained(readFileSync(path, "utf8"), tablesOf(module)));
  }
});

/** An editor with the program open, against the packages as they are built. */
function editor() {
  const text = (path: string) => (path === file ? program : (texts.get(path) ?? ts.sys.readFile(path)));
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, types: [], strict: true };
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const found = text(path);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (o) => ts.getDefaultLibFilePath(o),
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: text,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  });
}

it("an editor shows what an option does and its default", { timeout: 120_000 }, () => {
  const service = editor();
  const hover = (word: string) =>
    ts.displayPartsToString(service.getQuickInfoAtPosition(file, program.indexOf(word) + 1)?.documentation);
  expect(hover("clip:")).toBe(
    "How far the policy may move in one batch. Higher moves further and less safely (0.1 to 0.3). Default: 0.2.",
  );
  expect(hover("hidden:")).toBe("Widths of the hidden layers. Default: [64,64].");
  // A variant has its own.
  expect(hover("clipHigh:")).toContain("Default: 0.28.");
  expect(hover("network:")).toContain("The whole body, in the place of encoder and hidden layers");
});

it("comments stay on the line of their option, and come once", () => {
  const text = [
    'export declare const one: import("@reins/core").AlgorithmMaker<{',
    '    rate: import("@reins/core").Option<number, never>;',
    "    other: number;",
    "}>;",
    "export declare const two: {",
    "    rate: number;",
    "};",
  ].join("\n");
  const tables = tablesOf({
    one: Object.assign(() => {}, { definition: { options: { rate: { about: "A */ b.", default: 2 } } } }),
    two: 3,
  });
  const once = explained(text, tables);
  expect(once.split("\n")[1]).toBe(
    '    /** A *\\/ b. Default: 2. */ rate: import("@reins/core").Option<number, never>;',
  );
  expect(once.split("\n").filter((line) => line.includes("/**")).length).toBe(1);
  expect(explained(once, tables)).toBe(once);
});

it("a build has the pages that findings name, as the documentation has them", () => {
  const [written, packed] = ["docs/diagnostics", "packages/reins/dist/diagnostics"].map((folder) =>
    readdirSync(join(root, folder)).map((page) => [page, readFileSync(join(root, folder, page), "utf8")]),
  );
  expect(packed).toEqual(written);
});

it("is a part of the build", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: { build: string };
  };
  const [bundled, ...explained] = ["bundle-main", "explain-main", "page-main"].map(
    (n) => `node packages/tarballs/dist/${n}.js`,
  );
  expect(scripts.build.split(" && ")).toEqual(["tsc -b", bundled, ...explained]);
});
