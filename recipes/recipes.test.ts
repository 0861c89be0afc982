import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Entry, judge, methodsOf, type Recipe } from "@reins/recipes";
import {
  clustersOf,
  counted,
  disagreements,
  findingOf,
  measure,
  ownFilesMoved,
  pagesOf,
  type Result,
  recipeFiles,
  rowsOf,
  runTrial,
  systemsOf,
  tableOf,
  tableOfAll,
  textsOf,
} from "@reins/recipes/book";
import { afterAll, describe, expect, it } from "vitest";

// As in reins recipes run --quick: the C compiler would take longer than the trials.
process.env.REINS_BACKEND ??= "wasm";

const book = dirname(fileURLToPath(import.meta.url));
const cache = mkdtempSync(join(tmpdir(), "reins-recipes-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

/** Loads a recipe from its source, which Vitest can import. */
const load = async (file: string): Promise<Entry> => (await import(/* @vite-ignore */ file)).default;
const rows = await rowsOf(book, load);
const written = rows.filter((r) => r.entry?.kind === "recipe");
const measured = rows.filter((r) => r.result);
const surveys = rows.flatMap(({ entry }) => (entry?.kind === "mapped" ? [entry] : []));

/** Whether files of a recipe in the book differ from those that were measured. */
const moved = ({ file, result }: (typeof rows)[number]): boolean => ownFilesMoved(file!, result!.code);

/** Recipes for quick trials: those without a result, and those whose own file has changed since it was measured. `npm test` runs two of each kind, those with the fewest baselines. */
function chosen(): { row: (typeof written)[number]; tags: string[] }[] {
  const missing = written.filter((r) => !r.result).slice(0, 12);
  const others = written.filter((r) => !missing.includes(r));
  const turns = others.filter((r) => r.result && moved(r)).slice(0, 8);
  const baselines = (row: (typeof written)[number]) => (row.entry as Recipe).baselines.length;
  return [missing, turns].flatMap((rows) =>
    rows.sort((a, b) => baselines(a) - baselines(b)).map((row, i) => ({ row, tags: i < 2 ? [] : ["slow"] })),
  );
}

describe("quick trials", () => {
  for (const { row, tags } of chosen())
    it(row.system.id, { tags }, async () => {
      const recipe = row.entry as Recipe;
      const run = async (jobs: Parameters<Parameters<typeof measure>[1]>[0]) => {
        const done = [];
        for (const job of jobs) done.push(await runTrial(recipe, job, cache));
        return done;
      };
      const { blocks } = await measure(recipe, run, { quick: true, replicates: 1 });
      const { values, early } = blocks[0];
      for (const [side, found] of Object.entries(values))
        for (const [name, [value]] of Object.entries(found))
          expect(value, `${side}, ${name}`).toSatisfy(Number.isFinite);
      const [system, ...baselines] = [recipe.system, ...recipe.baselines].map((b) => early[b.name]);
      for (const numbers of [system, ...baselines]) {
        expect(numbers.length, "numbers of the first updates").toBeGreaterThan(0);
        expect(numbers.every(Number.isFinite), `${numbers}`).toBe(true);
      }
      for (const other of baselines)
        expect(other, "first updates of a baseline equal the system's").not.toEqual(system);
    });
});

describe("the book", () => {
  it("lists 495 systems, each once", () => {
    expect(new Set(systemsOf(book).map((s) => s.id)).size).toBe(495);
  });

  it.each(rows.filter((r) => r.entry).map((r) => [r.system.id, r] as const))(
    "%s is in the folder of its family",
    (id, row) => {
      expect(basename(dirname(row.file!))).toBe(row.system.family[0]);
      expect(row.entry).toMatchObject({ id, paper: row.system.title });
    },
  );

  it("has no recipe without a row, and no result without a recipe", () => {
    // Our own comparisons are not in systems.jsonl; a cluster names them.
    const ids = [
      ...systemsOf(book).map((s) => s.id),
      ...clustersOf(book).flatMap((c) => [...c.members, ...(c.others ?? [])]),
      ...rows.filter((r) => r.entry?.kind === "recipe" && r.entry.bed).map((r) => r.system.id),
    ];
    const files = [...recipeFiles(book).keys()];
    expect(files.filter((id) => !ids.includes(id))).toEqual([]);
    const results = readdirSync(join(book, "results")).map((f) => basename(f, ".json"));
    expect(results.filter((id) => !files.includes(id))).toEqual([]);
  });

  it("has short recipes: a median of 80 lines besides imports, and at most 60 for language models", () => {
    const lines = (file: string) =>
      readFileSync(file, "utf8")
        .replace(/^import .*?;\n/gms, "")
        .trim()
        .split("\n").length;
    const lengths = written.map((r) => lines(r.file!)).sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(80);
    // A testbed describes its task and its baselines for all recipes on it.
    const texts = written.filter(
      (r) =>
        !(r.entry?.kind === "recipe" && r.entry.bed) &&
        readFileSync(r.file!, "utf8").includes("@reins/recipes/language"),
    );
    for (const r of texts) expect(lines(r.file!), r.system.id).toBeLessThanOrEqual(60);
  });

  it("has pages that match the results", () => {
    const pages = pagesOf(rows, textsOf(book));
    for (const [path, text] of pages) expect(readFileSync(join(book, path), "utf8"), path).toBe(text);
    const folders = ["families", "clusters"];
    const files = folders.flatMap((f) => readdirSync(join(book, f)).map((name) => `${f}/${name}`));
    expect(files.filter((f) => !pages.has(f))).toEqual([]);
  });

  it("groups existing systems and claims as ideas, and names tasks of existing systems", () => {
    const { ideas, tasks } = textsOf(book);
    const claimsOf = (id: string) => (rows.find((r) => r.system.id === id)?.entry as Recipe)?.claims ?? [];
    for (const { idea, claims } of ideas)
      for (const [id, at] of Object.entries(claims)) expect(claimsOf(id)[at], `${idea}: ${id}`).toBeDefined();
    expect(Object.keys(tasks).filter((id) => claimsOf(id).length === 0)).toEqual([]);
  });

  it.each(surveys.map((s) => [s.id, s] as const))("%s names parts that exist", (_, { covers }) => {
    const parts = methodsOf(covers).flatMap((m) => m.parts);
    const exists = (part: string) =>
      part.includes("/") ? existsSync(join(book, "..", part)) : rows.some((r) => r.system.id === part);
    expect(parts.filter((p) => !exists(p))).toEqual([]);
  });
});

/** Digests of judged results, by recipe: what a result's test reads. Written by `npm run test:all`. */
const recordFile = join(book, "../fixtures/judged-results.json");
const judgedBefore = JSON.parse(readFileSync(recordFile, "utf8")) as { readonly [id: string]: string };
const judgedNow = new Map<string, string>();
const rules = ["claims", "statistics"].flatMap((folder) => {
  const at = join(book, "../packages/recipes/src", folder);
  return readdirSync(at).map((name) => readFileSync(join(at, name), "utf8"));
});
const keyOf = ({ file, system }: (typeof rows)[number]): string => {
  const hash = createHash("sha256").update(rules.join());
  for (const path of [file!, join(book, "results", `${system.id}.json`)]) hash.update(readFileSync(path));
  return hash.digest("hex").slice(0, 16);
};

describe("results", () => {
  afterAll(() => {
    if (judgedNow.size < measured.length) return;
    const text = `${JSON.stringify(Object.fromEntries([...judgedNow].sort()), null, 2)}\n`;
    if (text !== readFileSync(recordFile, "utf8")) writeFileSync(recordFile, text);
  });

  for (const row of measured) {
    const { id } = row.system;
    // `npm test` judges results that have moved.
    it(id, { tags: judgedBefore[id] === keyOf(row) ? ["slow"] : [] }, () => {
      const [result, recipe] = [row.result!, row.entry as Recipe];
      expect(result.blocks.length).toBeGreaterThanOrEqual(counted);
      for (const [i, judgement] of result.judged.entries())
        same(judged(result, i, result.blocks.slice(0, counted)), judgement);
      for (const block of result.blocks)
        for (const [i, judgement] of block.judged!.entries()) same(judged(result, i, [block]), judgement);
      // Claims are unchanged since the measurement.
      expect(JSON.parse(JSON.stringify(recipe.claims))).toEqual(JSON.parse(JSON.stringify(result.claims)));
      expect(Math.min(...result.blocks.map((b) => b.firstSeed))).toBeGreaterThanOrEqual(100);
      if (!recipe.exact)
        for (const b of result.blocks) expect(b.replicates.length).toBeGreaterThanOrEqual(10);
      expect(disagreements(result)).toEqual([]);
      // A testbed has no finding.
      const finding = recipe.bed ? "none" : findingOf(recipe, result);
      expect(finding, "finding").toBeTruthy();
      expect(finding, "all numbers of the finding exist").not.toMatch(/NaN|undefined/);
      judgedNow.set(id, keyOf(row));
    });
  }

  /** Judges a claim by the recorded values. */
  function judged(
    { claims, metrics, system, baselines, best, tuned }: Result,
    claim: number,
    blocks: Result["blocks"],
  ) {
    const table = blocks.length === 1 ? tableOf(blocks[0]) : tableOfAll(blocks);
    return judge(claims[claim], { metrics, system, baselines, best, tuned }, table);
  }

  function same(now: ReturnType<typeof judge>, recorded: ReturnType<typeof judge>) {
    expect(now.verdict).toBe(recorded.verdict);
    for (const key of ["estimate", "low", "high"] as const) expect(now[key]).toBeCloseTo(recorded[key], 9);
  }
});
