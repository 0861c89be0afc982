import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Packages from the bottom up. Packages of one layer do not import each other. */
const layers: readonly (readonly string[])[] = [
  ["tensor"],
  ["nn"],
  ["core"],
  ["envs", "algorithms", "language", "studio"],
  ["recipes"],
  ["reins"],
  ["bench", "fuzz", "faults", "tarballs", "recipe-book", "studio-page"],
  ["gpu"],
];

/** The contracts of learning, in `packages/core/src`. Implementations are in folders. */
const contracts = `
  space drawing env-spec traced-env env task recorded-step policy rollout episode batch judge experience example-source selection
  target loss learner range signal signal-form algorithm option definition part-names variant define plan evaluation stage environment run-options run
`
  .trim()
  .split(/\s+/);

/** Exceptions: implementations that a contract imports, and why. */
const exceptions: { readonly [contract: string]: readonly string[] } = {
  // It creates settings, each in the form of its scope.
  definition: ["signals/live"],
  define: ["signals/live"],
  // A run stores its history.
  run: ["diagnostics/history"],
};

interface Link {
  /** A file relative to the root of the workspace, or the name of a package. */
  readonly to: string;
  /** Type-only imports do not exist at run time. */
  readonly types: boolean;
}

const sources = [...folders("packages").map((p) => join(p, "src")), ...folders("apps"), "recipes"].flatMap(
  filesIn,
);
const linksOf = new Map(sources.map((file) => [file, links(file)]));

function folders(under: string): string[] {
  const entries = readdirSync(join(root, under), { withFileTypes: true });
  return entries.filter((e) => e.isDirectory()).map((e) => join(under, e.name));
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ["dist", "node_modules"].includes(entry.name) ? [] : filesIn(path);
    return /\.tsx?$/.test(path) && !path.endsWith(".d.ts") ? [path] : [];
  });
}

/** Imports and re-exports of a file, with dynamic imports. */
function links(file: string): Link[] {
  const text = readFileSync(join(root, file), "utf8");
  const clauses = text.matchAll(/^(?:import|export)\s+(type\s)?([^;"'=()]*?)\s*from\s+"([^"]+)"/gm);
  const plain = text.matchAll(/^import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm);
  return [
    ...[...clauses].map(([, type, names, from]) => ({
      to: place(file, from),
      types: type !== undefined || /^\{(?:\s*type\s[^,}]*,?)+\s*\}$/.test(names),
    })),
    ...[...plain].map(([, always, later]) => ({ to: place(file, always ?? later), types: false })),
  ];
}

function place(file: string, from: string): string {
  if (from.startsWith(".")) return relative(root, resolve(root, dirname(file), from));
  if (!from.startsWith("#")) return from;
  const folder = join("packages", file.split("/")[1]);
  const { imports } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  return join(folder, imports[from].source);
}

/** Tests may import anything. */
const isTest = (file: string) => /\.test\.tsx?$/.test(file) || isHelper(file);
/** Helpers of tests, in the sources or in the build of another package. */
const isHelper = (file: string) => /(^|\/)testing[^/]*(\/|\.[jt]sx?$)/.test(file);

/** Import cycles, each as a path. */
function circles(counts: (link: Link) => boolean, of: ReadonlyMap<string, readonly Link[]> = linksOf) {
  const found: string[] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (file: string) => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(" → "));
    if (way.includes(file) || done.has(file)) return;
    way.push(file);
    for (const link of of.get(file) ?? []) if (counts(link)) visit(link.to);
    way.pop();
    done.add(file);
  };
  for (const file of of.keys()) visit(file);
  return found;
}

it("finds all sources and their imports", () => {
  expect(sources.length).toBeGreaterThan(800);
  expect(linksOf.get("packages/core/src/stage.ts")!.every((l) => l.types)).toBe(true);
  expect(linksOf.get("packages/core/src/run.ts")).toContainEqual({
    to: "packages/core/src/diagnostics/history.ts",
    types: false,
  });
  expect(linksOf.get("apps/studio/src/pages/run.tsx")!.map((l) => l.to)).toContain(
    "apps/studio/src/pages/run/overview.tsx",
  );
});

it("reports a cycle as a path", () => {
  const link = (to: string, types = false): Link => ({ to, types });
  const graph = new Map([
    ["a", [link("b")]],
    ["b", [link("c", true), link("d")]],
    ["c", [link("a")]],
    ["d", []],
  ]);
  expect(circles(() => true, graph)).toEqual(["a → b → c → a"]);
  expect(circles((l) => !l.types, graph)).toEqual([]);
});

it("has no import cycles at run time", () => {
  expect(circles((link) => !link.types)).toEqual([]);
});

it("has no import cycles, including types", () => {
  expect(circles(() => true)).toEqual([]);
});

it.each(contracts)("the contract %s imports no implementation", (name) => {
  const below = [...contracts, "errors", "nn", "snapshot", "statistics", "stream"];
  const read = linksOf.get(`packages/core/src/${name}.ts`)!.map((l) => l.to);
  const own = read.filter((to) => to.startsWith("packages/"));
  const foreign = own
    .map((to) => relative("packages/core/src", to).replace(/\.ts$/, ""))
    .filter((to) => !below.includes(to));
  expect([...new Set(foreign)]).toEqual(exceptions[name] ?? []);
});

/** Folders of packages from the bottom up. Files beside the folders are not checked. */
const floors: { readonly [name: string]: readonly string[] } = {
  reins: ["places", "agents", "pictures", "training", "terminal", "cli", "commands"],
  language: [
    ...["tokenizers", "models", "merge", "generation", "sandboxes", "tools", "chat", "examples"],
    ...["tasks", "rollouts", "rewards", "gateway", "multi-turn", "stage"],
  ],
};
/** It lists the commands, and loads the selected one. */
const directory = "packages/reins/src/cli/list.ts";

it.each(
  Object.entries(floors).flatMap(([name, order]) => order.map((floor) => [floor, name, order] as const)),
)("the folder %s of %s imports only folders below it", (floor, name, order) => {
  const home = `packages/${name}/src`;
  const files = sources.filter((f) => f.startsWith(`${home}/${floor}/`) && !isTest(f) && f !== directory);
  expect(files.length).toBeGreaterThan(0);
  const above = order.slice(order.indexOf(floor) + 1).map((f) => `${home}/${f}/`);
  const wrong = files.flatMap((file) =>
    linksOf
      .get(file)!
      .filter(({ to }) => above.some((folder) => to.startsWith(folder)))
      .map(({ to }) => `${file} → ${to}`),
  );
  expect(wrong).toEqual([]);
});

it("checks every folder of language", () => {
  expect(
    folders("packages/language/src")
      .map((f) => basename(f))
      .sort(),
  ).toEqual([...floors.language].sort());
});

const layerOf = (name: string) => layers.findIndex((layer) => layer.includes(name));

/** The package that a source belongs to, as `layers` names it. */
function packageOf(file: string): string {
  if (file.startsWith("recipes/")) return "recipe-book";
  const [group, folder] = file.split("/");
  return group === "apps" ? `${folder}-page` : folder;
}

it("packages import only packages below them", () => {
  const wrong = sources.flatMap((file) => {
    if (isTest(file)) return [];
    const own = packageOf(file);
    return linksOf.get(file)!.flatMap(({ to }) => {
      const other = /^(?:@reins\/|packages\/|(?=reins$))([\w-]+)/.exec(to)?.[1];
      if (other === undefined || other === own) return [];
      return layerOf(other) >= 0 && layerOf(other) < layerOf(own) ? [] : [`${file} → ${to}`];
    });
  });
  expect(wrong).toEqual([]);
});

it("published sources import no helpers of tests", () => {
  const isPublished = (file: string) =>
    file.startsWith("packages/") && layerOf(packageOf(file)) < layerOf("bench") && !isTest(file);
  expect(isHelper("packages/tensor/src/testing/naive.ts") && isHelper("../studio/dist/testing-page.js")).toBe(
    true,
  );
  const wrong = sources.filter(isPublished).flatMap((file) =>
    linksOf
      .get(file)!
      .filter(({ to }) => isHelper(to))
      .map(({ to }) => `${file} → ${to}`),
  );
  expect(wrong).toEqual([]);
});

it("sources that only tests import are named as their helpers", () => {
  const exceptions = [
    // The meaning of a kernel, with which emitted code is compared.
    "packages/tensor/src/kernel/interpret.ts",
  ];
  /** Whether it is imported under a name of its package. */
  const isEntry = (file: string) => {
    const [group, folder, , ...path] = file.split("/");
    const manifest = readFileSync(join(root, group, folder, "package.json"), "utf8");
    return manifest.includes(`dist/${path.join("/").replace(/\.tsx?$/, ".js")}"`);
  };
  const importers = new Map<string, string[]>();
  for (const [file, all] of linksOf)
    for (const { to } of all) importers.set(to, [...(importers.get(to) ?? []), file]);
  const wrong = [...importers]
    .filter(
      ([file, by]) => file.startsWith("packages/") && linksOf.has(file) && !isTest(file) && by.every(isTest),
    )
    .map(([file]) => file)
    .filter((file) => !isEntry(file) && !exceptions.includes(file));
  expect(wrong).toEqual([]);
});

it("the studio's page imports reins and the wire format of its server, and nothing imports the page", () => {
  const isOfPage = (path: string) => path.startsWith("apps/studio/");
  const imports = sources.flatMap((file) => linksOf.get(file)!.map((link) => ({ file, ...link })));
  const own = imports.filter(({ file }) => isOfPage(file) && !isTest(file));
  const ours = own.filter(({ to }) => /^(@reins\/|reins($|\/)|packages\/)/.test(to)).map(({ to }) => to);
  expect(ours).toContain("@reins/studio/wire");
  expect(ours.filter((to) => to !== "@reins/studio/wire" && !/^reins($|\/)/.test(to))).toEqual([]);
  const back = imports.filter(
    ({ file, to }) => !isOfPage(file) && (isOfPage(to) || to.startsWith("@reins/studio-page")),
  );
  expect(back).toEqual([]);
});

it("manifests declare no cycle of packages, including development", () => {
  const manifests = ["packages", "apps"].flatMap(folders).concat("recipes");
  const declared = new Map(
    manifests.map((folder) => {
      const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
      const fields = ["dependencies", "optionalDependencies", "peerDependencies", "devDependencies"];
      const names = fields.flatMap((field) => Object.keys(manifest[field] ?? {}));
      const links = names
        .filter((name) => /^(@reins\/|reins$)/.test(name))
        .map((to) => ({ to, types: false }));
      return [manifest.name as string, links] as const;
    }),
  );
  expect(declared.get("@reins/studio-page")).toContainEqual({ to: "reins", types: false });
  expect(circles(() => true, declared)).toEqual([]);
});
