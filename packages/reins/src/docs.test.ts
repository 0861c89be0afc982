import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import * as algorithms from "@reins/algorithms";
import * as core from "@reins/core";
import * as envs from "@reins/envs";
import * as remote from "@reins/envs/remote";
import * as language from "@reins/language";
import * as nn from "@reins/nn";
import * as recipes from "@reins/recipes";
import * as tensor from "@reins/tensor";
import { transformWithEsbuild } from "vite";
import { afterAll, describe, expect, it, vi } from "vitest";
import { hasGymnasium } from "../../envs/dist/remote/testing-python.js";
import * as tools from "./entries/tools.ts";
import * as reins from "./index.ts";
import { importedFiles, keyOf, pages, programsOf } from "./testing-docs.ts";
import { entries } from "./testing-exports.ts";

/** Subpaths of `@reins/core`, from its manifest. */
const coreParts = Object.fromEntries(
  await Promise.all(
    entries
      .filter(({ specifier }) => specifier.startsWith("@reins/core/"))
      .map(async ({ specifier }) => [specifier, await import(/* @vite-ignore */ specifier)] as const),
  ),
);

const parts: Readonly<Record<string, unknown>> = {
  "@reins/algorithms": algorithms,
  "@reins/core": core,
  ...coreParts,
  "@reins/envs": envs,
  "@reins/envs/remote": remote,
  "@reins/language": language,
  "@reins/nn": nn,
  "@reins/recipes": recipes,
  "@reins/tensor": tensor,
};

/** Modules that programs in the documentation may import: packages, and `reins/x`, which is `@reins/x`. */
const modules: Readonly<Record<string, unknown>> = {
  "reins/tools": tools,
  reins: { ...reins, train: (options: reins.TrainOptions) => train(options) },
  ...parts,
  ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [name.slice(1), part])),
};

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** Custom environments that a program trains on. */
const own: (() => core.Env | core.VectorEnv)[] = [];

/** `train()`, which records them. */
const train = (options: reins.TrainOptions) => {
  const { env } = options;
  // The checker does not support asynchronous environments.
  if (typeof env === "function" && !("stepTimeout" in env(1))) own.push(() => env(1) as core.Env);
  return reins.train(options);
};

const classesOf = new Map<string, Promise<object>>();
/** A file of the reader: the declarations of a page's first program. */
function firstClasses(page: string): Promise<object> {
  const found = classesOf.get(page) ?? run(programsOf(page)[0].code, page).then(({ classes }) => classes);
  classesOf.set(page, found);
  return found;
}

/** Runs a program, its types removed and its imports taken from `modules`; returns its output and its classes. */
async function run(code: string, page: string): Promise<{ printed: string[]; classes: object }> {
  const { code: plain } = await transformWithEsbuild(code, "program.ts", {
    target: "es2022",
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  const body = plain
    .replace(
      /^import \{(.*?)\} from "(.*?)";$/gms,
      (_, names: string, from: string) => `const {${names.replace(/ as /g, ": ")}} = await load("${from}");`,
    )
    .replace(/^import \* as (\w+) from "(.*?)";$/gm, 'const $1 = await load("$2");')
    .replace(/^export default |^export \{.*?\};$/gms, "")
    .replace("await import(", "await load(")
    .replace("import.meta.url", '"file:///program.ts"');
  const printed: string[] = [];
  const load = async (name: string): Promise<unknown> => {
    if (name.startsWith("./")) return firstClasses(page);
    return modules[name] ?? import(/* @vite-ignore */ name);
  };
  const Program = Object.getPrototypeOf(async () => {}).constructor as new (
    ...args: string[]
  ) => (...values: unknown[]) => Promise<object>;
  const declared = [...body.matchAll(/^class (\w+)/gm)].map((m) => m[1]);
  const returned = `${body}\nreturn { ${declared.join(", ")} };`;
  const classes = await new Program("load", "console", returned)(load, {
    log: (...args: unknown[]) => printed.push(format(...args)),
  });
  return { printed, classes };
}

/** Keys of passed programs, by page. Written by `npm run test:all`. */
const recordFile = `${root}fixtures/docs-programs.json`;
const record = JSON.parse(readFileSync(recordFile, "utf8")) as { readonly [page: string]: readonly string[] };
const passed = new Map<string, string[]>();
const all = pages.flatMap(programsOf);

/** `npm test` runs the README, the first program of each guide, and every program that changed or whose imports changed. */
const runsAlways = ({ page, line, code }: (typeof all)[number]) =>
  page === "README.md" ||
  (/^docs\/[^/]+$/.test(page) && programsOf(page)[0].line === line) ||
  !record[page]?.includes(keyOf(code));

describe("programs in the documentation", () => {
  // On WebAssembly, so that all machines agree.
  vi.stubEnv("REINS_BACKEND", "wasm");

  afterAll(() => {
    vi.unstubAllEnvs();
    const ran = [...passed.values()].flat().length;
    // Only a run of all programs replaces the record; Python programs may be skipped.
    if (ran < all.filter(({ code }) => hasGymnasium || !inPython(code)).length) return;
    const kept = pages.map((page) => [
      page,
      programsOf(page)
        .map(({ code }) => keyOf(code))
        .filter((key) => passed.get(page)?.includes(key) || record[page]?.includes(key)),
    ]);
    const text = `${JSON.stringify(Object.fromEntries(kept.filter(([, keys]) => keys.length)), null, 2)}\n`;
    if (text !== readFileSync(recordFile, "utf8")) writeFileSync(recordFile, text);
  });

  const inPython = (code: string) => /\b(gymnasium|pettingzoo)\(/.test(code);
  for (const program of all) {
    const { page, line, code } = program;
    const python = inPython(code);
    const tags = runsAlways(program) ? [] : ["slow"];
    it.skipIf(python && !hasGymnasium)(
      `${page}, line ${line}${python ? ", in Python" : ""}`,
      { tags },
      async () => {
        own.length = 0;
        const { printed } = await run(code, page);
        // Environments of these pages are broken on purpose.
        for (const make of page.startsWith("docs/diagnostics/") ? [] : own)
          expect(envs.checkEnv(make).filter((finding) => finding.severity === "error")).toEqual([]);
        const promised = [...code.matchAll(/console\.log\(.*\);(?: \/\/ (.*))?$/gm)].map((m) => m[1]);
        expect(printed.length).toBe(promised.length);
        expect(printed.map((text, i) => (promised[i] === undefined ? undefined : text))).toEqual(promised);
        passed.set(page, [...(passed.get(page) ?? []), keyOf(code)]);
      },
    );
  }
});

it("runs a program again when it or a declaration that it imports changes", () => {
  const code = 'import { dqn, train } from "reins";\n';
  const files = importedFiles(code);
  expect(files).toContain("packages/algorithms/src/dqn.ts");
  expect(files).toContain("packages/reins/src/train.ts");
  const read = (file: string) => file;
  const key = keyOf(code, read);
  expect(keyOf(code, read)).toBe(key);
  expect(keyOf(`${code}\n`, read)).not.toBe(key);
  for (const changed of files)
    expect(
      keyOf(code, (file) => (file === changed ? "other" : file)),
      changed,
    ).not.toBe(key);
});

it("links in the documentation have targets", () => {
  const texts = [...pages, "CHANGELOG.md", "CONTRIBUTING.md", "examples/README.md", "recipes/README.md"];
  const broken = texts.flatMap((page) => {
    const links = [...readFileSync(root + page, "utf8").matchAll(/\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)/g)];
    return links.flatMap(([, path, part]) => {
      const file = path === "" ? root + page : join(root, dirname(page), path);
      if (!existsSync(file)) return [`${page}: ${path}`];
      const heads = part && readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm);
      const anchors =
        heads &&
        [...heads].map(
          (h) =>
            `#${h[1]
              .toLowerCase()
              .replace(/[^\w\s-]/g, "")
              .replace(/ /g, "-")}`,
        );
      return anchors && !anchors.includes(part) ? [`${page}: ${path}${part}`] : [];
    });
  });
  expect(broken).toEqual([]);
});
