import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { decided, type Entry, judge, type Outcome, type Recipe } from "@reins/recipes";
import { measure, type Result, recipeFiles, rowsOf, runTrial, tablePage } from "@reins/recipes/book";
import { afterAll, describe, expect, it } from "vitest";

// As in reins recipes run --quick: no time for the C compiler.
process.env.REINS_BACKEND ??= "wasm";

const book = dirname(fileURLToPath(import.meta.url));
const cache = mkdtempSync(join(tmpdir(), "reins-recipes-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

/** From its source, which the runner of tests can import. */
const load = async (file: string): Promise<Entry> => (await import(/* @vite-ignore */ file)).default;
const rows = await rowsOf(book, load);
const written = rows.filter((r) => r.entry?.kind === "recipe");
const measured = rows.filter((r) => r.result);

/** Which recipes are tried: those without a result, and eight others, other ones after each commit. */
function chosen(): typeof written {
  const missing = written.filter((r) => !r.result).slice(0, 12);
  const others = written.filter((r) => !missing.includes(r));
  const [turn, most] = [commits(), Math.min(8, others.length)];
  return [...missing, ...Array.from({ length: most }, (_, i) => others[(8 * turn + i) % others.length])];
}

function commits(): number {
  try {
    return Number(
      execFileSync("git", ["rev-list", "--count", "HEAD"], { cwd: book, encoding: "utf8", stdio: "pipe" }),
    );
  } catch {
    return 0;
  }
}

describe("quick trials", () => {
  for (const { entry, system } of chosen())
    it(system.id, async () => {
      const recipe = entry as Recipe;
      const run = async (jobs: Parameters<Parameters<typeof measure>[1]>[0]) => {
        const done = [];
        for (const job of jobs) done.push(await runTrial(recipe, job, cache));
        return done;
      };
      const { sides, early } = await measure(recipe, run, { quick: true, seeds: 1 });
      for (const side of sides) for (const v of side.values) expect(v, side.name).toSatisfy(Number.isFinite);
      for (const [i, side] of sides.entries()) {
        expect(early[i][0].length, `${side.name}: numbers of the first updates`).toBeGreaterThan(0);
        expect(early[i][0].every(Number.isFinite), `${side.name}: ${early[i][0]}`).toBe(true);
      }
      expect(early[1][0], "the sides do the same from the start").not.toEqual(early[0][0]);
    });
});

describe("the book", () => {
  it("lists 495 systems, each once", () => {
    expect(new Set(rows.map((r) => r.system.id)).size).toBe(495);
  });

  it.each(rows.filter((r) => r.entry).map((r) => [r.system.id, r] as const))(
    "%s is where it belongs",
    (id, row) => {
      expect(basename(dirname(row.file!))).toBe(row.system.family[0]);
      expect(row.entry).toMatchObject({ id, paper: row.system.title });
    },
  );

  it("has no recipe without a row, and no result without a recipe", () => {
    const ids = rows.map((r) => r.system.id);
    const files = [...recipeFiles(book).keys()];
    expect(files.filter((id) => !ids.includes(id))).toEqual([]);
    const results = readdirSync(join(book, "results")).map((f) => basename(f, ".json"));
    expect(results.filter((id) => !files.includes(id))).toEqual([]);
  });

  it("has recipes of about a hundred lines", () => {
    const lengths = written.map((r) => readFileSync(r.file!, "utf8").trimEnd().split("\n").length);
    expect(lengths.sort((a, b) => a - b)[Math.floor(lengths.length / 2)]).toBeLessThan(110);
  });

  it("has a table that matches the results", () => {
    const fresh = (page: string) => page.replaceAll(" (stale)", "");
    expect(fresh(readFileSync(join(book, "README.md"), "utf8"))).toBe(fresh(tablePage(rows)));
  });
});

describe("results", () => {
  it.each(measured.map((r) => [r.system.id, r.result!] as const))("%s", (_, result) => {
    const { verdict, estimate, low, high } = again(result);
    expect(verdict).toBe(result.verdict);
    for (const [now, recorded] of [
      [estimate, result.estimate],
      [low, result.low],
      [high, result.high],
    ])
      expect(now).toBeCloseTo(recorded, 9);
    expect(result.seeds).toBeGreaterThanOrEqual(10);
    expect(result.firstSeed).toBe(100);
    if (verdict !== "shown" && verdict !== "towards")
      expect(result.reason, "what an ablation or a diagnostic found").toBeTruthy();
    // Other seeds may leave it open, but they never decide otherwise.
    for (const other of result.again ?? [])
      if (decided.has(other.verdict) && decided.has(verdict)) expect(other.verdict).toBe(verdict);
  });
});

/** The verdict that follows from the recorded values. */
function again({ claim, metric, sides, method }: Result) {
  const outcomes = sides.map((s) =>
    s.values.map(
      (value, i): Outcome => ({ value, series: s.series?.[i], bound: s.bounds?.[i], early: [], used: 0 }),
    ),
  );
  return judge(claim, metric, outcomes[0], outcomes[1], method);
}
