import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { judge } from "../../claims/judge.ts";
import type { Recipe } from "../../recipe.ts";
import { mapped } from "../../survey.ts";
import { measure, tableOfAll } from "../protocol.ts";
import type { Result } from "../result.ts";
import type { BookRow } from "../rows.ts";
import { arm, example, noise, runnerOf } from "../testing.ts";
import { pagesOf } from "./pages.ts";
import { firstSentence } from "./system-line.ts";

const cache = mkdtempSync(join(tmpdir(), "reins-pages-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

const worse = arm("worse", (seed) => ({ score: noise(seed) - 3 + 0.1 * noise(seed + 0.5) }));
const texts = {
  clusters: [],
  ideas: [{ idea: "Adding three", claims: { good: 0, bad: 0, unwritten: 0 } }],
  tasks: { good: "noise" },
};
const system = (id: string, kind = "algorithm") => ({ id, title: `On ${id}`, kind, family: ["toy"] });

async function rowOf(id: string, recipe: Recipe): Promise<BookRow> {
  const done = await measure(recipe, runnerOf(recipe, cache), { replicates: 10 });
  const roles = { metrics: recipe.metrics, system: recipe.system.name, baselines: ["plain"] };
  const result = {
    ...roles,
    ...done,
    id,
    claims: recipe.claims,
    judged: recipe.claims.map((c) => judge(c, roles, tableOfAll(done.blocks))),
    processorSeconds: 90,
    measuredAt: "abc",
  } as unknown as Result;
  return { system: system(id), file: `/book/toy/${id}.ts`, entry: recipe, result, history: [] };
}

let pages: Map<string, string>;
beforeAll(async () => {
  const finding = () => "It gains 3.5 points, as claimed. It was made up.";
  const survey = mapped({
    id: "review",
    paper: "A review",
    source: "arXiv:2301.00001",
    about: "It reviews.",
    covers: { Sums: { Good: "good", Plain: "docs/core.md", Bare: "not yet", New: "unwritten" } },
  });
  pages = pagesOf(
    [
      await rowOf("good", example({ id: "good", source: "arXiv:2301.00002", finding })),
      await rowOf("bad", example({ id: "bad", system: worse })),
      { system: system("unwritten"), history: [] },
      { system: system("review", "survey"), file: "/book/survey/review.ts", entry: survey, history: [] },
    ],
    texts,
  );
});

it("has one line per measured system on the front page", () => {
  const lines = pages.get("README.md")!.split("\n");
  const [good] = lines.filter((l) => l.startsWith("| [good]"));
  expect(good).toMatch(
    /^\| \[good\]\(families\/toy\.md#good\) \| \[On good\]\(https:\/\/arxiv\.org\/abs\/2301\.00002\) \| It gains 3\.5 points, as claimed\. \| \[shown\]\(results\/good\.json\) \| 3\.\d \(\d\.\d to \d\.\d\) \| 20 \| \w+ \| noise \| 1\.5 \|$/,
  );
  expect(lines.filter((l) => l.startsWith("| [bad]"))[0]).toContain("[reversed]");
  expect(lines.some((l) => l.startsWith("| unwritten"))).toBe(false);
  expect(pages.get("to-write.md")).toContain("| unwritten | On unwritten | toy |");
});

it("computes what the book has found", () => {
  const front = pages.get("README.md")!.replaceAll(/\s+/g, " ");
  expect(front).toContain("**1 of 2 headline claims hold**");
  expect(front).toContain("1 are reversed and 0 point the other way");
  expect(front).toContain("agree in the sign of 2 of 2 headline effects");
  expect(front).toContain("Adding three | 1 of 2 | 1 | ● [good](families/toy.md#good), ✕ [bad]");
  expect(front).toContain("[Mapped surveys](families/survey.md): 1.");
});

it("has a page of claims and findings for each family", () => {
  const page = pages.get("families/toy.md")!;
  expect(page).toContain("[shown](../results/good.json)");
  expect(page).toMatch(/\+3\.\d+ \(.*\), as claimed \| ● ● \|/);
  expect(page).toMatch(/−\d\.\d+ \(.*\), against the claim \| ✕ ✕ \|/);
  expect(page).toContain("**Finding.** It gains 3.5 points");
});

it("maps the methods of a survey to recipes and guides", () => {
  const page = pages.get("families/survey.md")!;
  expect(page.replaceAll(/\s+/g, " ")).toContain("2 of 4 entries are covered");
  expect(page).toContain(
    "Good ([good](../toy/good.ts) shown); Plain ([core](../../docs/core.md)) | Bare, New (to write) |",
  );
});

it("ends the first sentence of a finding at its full stop, not at a decimal point", () => {
  expect(firstSentence("It gains 3.5 points. More.")).toBe("It gains 3.5 points.");
  expect(firstSentence("One sentence")).toBe("One sentence");
});
