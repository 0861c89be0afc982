import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import * as algorithms from "@reins/algorithms";
import * as core from "@reins/core";
import * as directory from "@reins/core/directory";
import * as envs from "@reins/envs";
import * as elsewhere from "@reins/envs/elsewhere";
import * as language from "@reins/language";
import * as nn from "@reins/nn";
import * as recipes from "@reins/recipes";
import * as tensor from "@reins/tensor";
import { transformWithEsbuild } from "vite";
import { afterAll, describe, expect, it, vi } from "vitest";
import { hasGymnasium } from "../../envs/dist/elsewhere/testing-python.js";
import * as tools from "./entries/tools.ts";
import * as reins from "./index.ts";

const parts: Readonly<Record<string, unknown>> = {
  "@reins/algorithms": algorithms,
  "@reins/core": core,
  "@reins/core/directory": directory,
  "@reins/envs": envs,
  "@reins/envs/elsewhere": elsewhere,
  "@reins/language": language,
  "@reins/nn": nn,
  "@reins/recipes": recipes,
  "@reins/tensor": tensor,
};

/** What programs in the documentation may import: packages, and `reins/x`, which is `@reins/x`. */
const modules: Readonly<Record<string, unknown>> = {
  "reins/tools": tools,
  reins: { ...reins, train: (options: reins.TrainOptions) => train(options) },
  ...parts,
  ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [name.slice(1), part])),
};

const root = fileURLToPath(new URL("../../../", import.meta.url));
const pages = [
  "README.md",
  ...readdirSync(`${root}docs`)
    .filter((f) => f.endsWith(".md"))
    .map((f) => `docs/${f}`),
  ...readdirSync(`${root}docs/diagnostics`).map((f) => `docs/diagnostics/${f}`),
  ...readdirSync(`${root}packages`)
    .map((f) => `packages/${f}/README.md`)
    .filter((f) => existsSync(root + f)),
];

/** The TypeScript programs of a page, each with the line it begins on. */
function programs(page: string): { line: number; code: string }[] {
  const text = readFileSync(root + page, "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((m) => ({
    line: text.slice(0, m.index).split("\n").length + 1,
    code: m[1],
  }));
}

/** The environments that a program trains on and that are its own. */
const own: (() => core.Env | core.VectorEnv)[] = [];

/** `train()`, which remembers them. */
const train = (options: reins.TrainOptions) => {
  const { env } = options;
  // The checker does not wait for those that answer later.
  if (typeof env === "function" && !("stepTimeout" in env(1))) own.push(() => env(1) as core.Env);
  return reins.train(options);
};

const classesOf = new Map<string, Promise<object>>();
/** A file of the reader's own: what the first program of a page declares. */
function firstClasses(page: string): Promise<object> {
  const found = classesOf.get(page) ?? run(programs(page)[0].code, page).then(({ classes }) => classes);
  classesOf.set(page, found);
  return found;
}

/** Runs a program, its types removed and its imports taken from `modules`; returns what it printed, and the classes that it declares. */
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

describe("programs in the documentation", () => {
  // The same on every machine, with a C compiler or without.
  vi.stubEnv("REINS_BACKEND", "wasm");
  afterAll(() => vi.unstubAllEnvs());

  for (const page of pages) {
    for (const { line, code } of programs(page)) {
      const python = /\b(gymnasium|pettingzoo)\(/.test(code);
      it.skipIf(python && !hasGymnasium)(`${page}, line ${line}${python ? ", in Python" : ""}`, async () => {
        own.length = 0;
        const { printed } = await run(code, page);
        // Worlds of these pages are broken on purpose.
        for (const make of page.startsWith("docs/diagnostics/") ? [] : own)
          expect(envs.checkEnv(make).filter((finding) => finding.severity === "error")).toEqual([]);
        const promised = [...code.matchAll(/console\.log\(.*\);(?: \/\/ (.*))?$/gm)].map((m) => m[1]);
        expect(printed.length).toBe(promised.length);
        expect(printed.map((text, i) => (promised[i] === undefined ? undefined : text))).toEqual(promised);
      });
    }
  }
});

it("links in the documentation lead somewhere", () => {
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
