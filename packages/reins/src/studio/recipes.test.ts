import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { recipeBook } from "./recipes.ts";

const book = recipeBook(fileURLToPath(new URL("../../../../", import.meta.url)));

it("lists each of the 495 systems", async () => {
  const { recipes, missing } = await book.list();
  expect(missing).toBeUndefined();
  const published = recipes.filter((r) => !r.isOwn);
  expect(published.length).toBe(495);
  expect(new Set(recipes.map((r) => r.id)).size).toBe(recipes.length);
  for (const r of recipes) {
    expect(r.title).not.toBe("");
    if (r.measured) expect(["works", "measured"]).toContain(r.level);
    if (r.measured) expect(r.state).toBe(r.measured.claims[0].verdict);
  }
  expect(recipes.find((r) => r.id === "cascading-rl")).toMatchObject({
    state: "shown",
    family: expect.arrayContaining(["theory"]),
    measured: {
      claims: [
        {
          text: expect.stringContaining("cumulative regret lower by a factor of at least 2"),
          effect: { isRatio: true, size: Math.log(2), shown: [Math.log(2), null] },
        },
        { verdict: "shown" },
        { verdict: "shown" },
      ],
    },
  });
});

it("returns all data of a recipe, so that a page can draw every seed", async () => {
  const found = (await book.one("policy-smoothing"))!;
  const { said, result, file, code, history } = found;
  expect(found.problem).toBeUndefined();
  expect(found.state).toBe("reversed");
  expect(said).toMatchObject({ source: "arXiv:2106.11420", finding: expect.stringContaining("certified") });
  expect(file).toBe("robust-adversarial/policy-smoothing.ts");
  expect(code).toContain("export default recipe(");
  expect(history.length).toBeGreaterThan(0);
  const { claims, blocks, sides } = result!;
  expect(claims.map((c) => c.verdict)).toEqual(["reversed", "towards", "shown", "shown"]);
  expect(blocks.map((b) => b.isCheck)).toEqual([false, false, true]);
  expect(sides[0]).toMatchObject({ name: "smoothed", role: "system" });
  for (const { effects } of claims)
    for (const { columns, blocks: alone, low, high } of effects) {
      expect(alone.length).toBe(blocks.length);
      expect(low! <= high!).toBe(true);
      for (const { side, metric } of columns)
        for (const b of blocks) expect(b.values[side][metric].length).toBe(b.replicates.length);
    }
  // The violation of a bound, not its slack.
  const [bound] = claims[2].effects;
  expect(bound).toMatchObject({ middle: 0, size: null, shown: [null, 0] });
  expect(bound.estimate).toBeLessThan(0);
});

it("reports unwritten and missing recipes", async () => {
  const { recipes } = await book.list();
  const unwritten = recipes.find((r) => r.state === "to write")!;
  expect(await book.one(unwritten.id)).toEqual({ ...unwritten, history: [] });
  expect(await book.one("../README")).toBeUndefined();
});

it("lists recipes although one result is damaged", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-torn-book-"));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const line = (id: string) => JSON.stringify({ id, title: id, kind: "algorithm", family: ["toy"] });
  write("systems.jsonl", `${line("one")}\n${line("two")}`);
  mkdirSync(join(folder, "results"));
  write("results/one.json", '{ "claims": [');
  const torn = recipeBook(folder);
  expect(await torn.list()).toEqual({
    recipes: [
      expect.objectContaining({ id: "one", problem: expect.stringContaining("not valid JSON") }),
      { id: "two", title: "two", family: ["toy"], isOwn: false, state: "to write" },
    ],
  });
  await expect(torn.one("one")).rejects.toThrow("Restore it from the repository");
  rmSync(folder, { recursive: true });
});

it("names the flag if there are no recipes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-no-book-"));
  const { recipes, missing } = await recipeBook(folder).list();
  rmSync(folder, { recursive: true });
  expect([recipes, missing]).toEqual([[], expect.stringContaining("has no folder recipes")]);
});

it("runs no recipe of a folder that the user did not name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-book-above-"));
  mkdirSync(join(folder, "runs"));
  writeFileSync(join(folder, "systems.jsonl"), "");
  const { missing } = await recipeBook(join(folder, "runs")).list();
  rmSync(folder, { recursive: true });
  expect(missing).toContain("has no folder recipes");
});
