import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { reins } from "../cli/testing.ts";

const root = mkdtempSync(join(tmpdir(), "reins-book-"));
const book = join(root, "recipes");
vi.stubEnv("REINS_RECIPE_CACHE", join(root, "cache"));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(book, path)), { recursive: true });
  writeFileSync(join(book, path), text);
};
/** A recipe whose system is better by 2; seeds are noise that both sides share. Each run leaves a mark. */
const recipe = (gain: number) => `
import { appendFileSync } from "node:fs";
const side = (name, more) => ({
  name,
  run({ seed, settings, quick }) {
    appendFileSync(${JSON.stringify(join(root, "log.txt"))}, name + " " + seed + "\\n");
    return { value: Math.sin(seed * 12.9898) + more + settings.bonus, early: [more], used: quick ? 1 : 10 };
  },
});
export default {
  kind: "recipe", id: "one", paper: "First paper", about: "It is better.",
  baseline: side("old", 0), system: side("new", ${gain}),
  metric: { name: "score", better: "higher", worst: -100 },
  claim: { kind: "difference", smallest: 1 },
  grid: { bonus: [0, 0.5] }, budget: { unit: "steps", full: 10, quick: 1 },
  deviations: ["Numbers stand for everything."],
};
`;
const publish = (gain = 2) => {
  write("toy/one.ts", recipe(gain));
  write("dist/toy/one.js", recipe(gain));
};
const run = (...args: string[]) => reins("recipes", ...args, "--book", book);
const logged = () => readFileSync(join(root, "log.txt"), "utf8").trim().split("\n");

beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  write(
    "systems.jsonl",
    ["one", "two"]
      .map((id) =>
        JSON.stringify({
          id,
          title: `${id === "one" ? "First" : "Second"} paper`,
          kind: "algorithm",
          family: ["toy"],
        }),
      )
      .join("\n"),
  );
  write("package.json", '{ "type": "module" }');
  writeFileSync(join(root, "log.txt"), "");
  publish();
});

describe("reins recipes", () => {
  it("lists what is written and what is missing", async () => {
    const { out, code } = await run();
    expect(code).toBe(0);
    expect(out).toMatch(/one\s+toy\s+not run/);
    expect(out).toContain("1 of 2 systems written, 0 measured");
    expect((await run("missing")).out).toMatch(/two\s+toy\s+Second paper/);
    expect(JSON.parse((await run("list", "--json")).out)).toMatchObject([
      { id: "one", state: "not run", stale: false },
    ]);
  });

  it("runs the whole protocol, records it, and writes the table", async () => {
    const { out, code, err } = await run("run", "one");
    expect(err).toBe("");
    expect(code).toBe(0);
    expect(out).toContain("shown: score higher by 2 (2 to 2)");
    const result = JSON.parse(readFileSync(join(book, "results/one.json"), "utf8"));
    expect(result).toMatchObject({ verdict: "shown", seeds: 10, firstSeed: 100, used: 200 });
    expect(result.sides.map((s: { settings: object }) => s.settings)).toEqual([
      { bonus: 0.5 },
      { bonus: 0.5 },
    ]);
    expect(readFileSync(join(book, "README.md"), "utf8")).toContain(
      "| [one](toy/one.ts) | First paper | toy | [shown](results/one.json) |",
    );
    expect((await run("show", "one")).out).toContain("It is better.");
  });

  it("keeps other seeds beside the result, and refuses those of tuning", async () => {
    await run("run", "one");
    await run("run", "one", "--first-seed", "300");
    const result = JSON.parse(readFileSync(join(book, "results/one.json"), "utf8"));
    expect(result.firstSeed).toBe(100);
    expect(result.again).toMatchObject([{ firstSeed: 300, seeds: 10, verdict: "shown" }]);
    const { err, code } = await run("run", "one", "--first-seed", "5");
    expect([code, err]).toEqual([1, expect.stringContaining("seed 5 is for tuning")]);
  });

  it("records nothing for a quick trial or for a few seeds", async () => {
    const { out } = await run("run", "one", "--quick");
    expect(out).toContain("not recorded");
    expect(logged().length).toBe(4);
    expect(JSON.parse((await run("run", "one", "--seeds", "3", "--json")).out)).toMatchObject({
      id: "one",
      seeds: 3,
      recorded: false,
    });
    expect((await run()).out).toContain("0 measured");
  });

  it("does not do again what an interrupted run has done", async () => {
    // Three seeds are too few to record: what they gave stays in the journal, as after an interruption.
    await run("run", "one", "--seeds", "3");
    const before = logged().length;
    await run("run", "one");
    expect(logged().length - before).toBe(2 * 7);
  });

  it("shows results of other code as stale, and refreshes them", async () => {
    await run("run", "one");
    publish(-2);
    expect((await run()).out).toMatch(/one\s+toy\s+shown\s+stale/);
    const { out } = await run("refresh");
    expect(out).toContain("reversed: score higher by -2");
    expect((await run("refresh")).out).toContain("No result is stale");
  });

  it("verifies one seed of both sides against the record, and keeps what moved", async () => {
    expect((await run("verify", "one")).err).toContain("nothing is recorded yet");
    await run("run", "one");
    expect((await run("verify")).out).toContain("1 of 1 give the recorded numbers to the last bit.");
    expect(logged().slice(-2).sort()).toEqual(["new 100", "old 100"]);
    publish(2 + 1e-12);
    expect((await run("verify")).out).toMatch(/new, seed 100: \S+ was recorded, now (.|\n)*moved: one\./);
    const [kept] = JSON.parse(readFileSync(join(book, "verified.json"), "utf8"));
    expect(kept).toMatchObject({ id: "one", moved: true, checks: [{ side: "old" }, { side: "new" }] });
    expect(kept.checks[0].now).toBe(kept.checks[0].recorded);
  });

  it("says what is wrong", async () => {
    expect((await run("show", "ones")).err).toContain("Did you mean one");
    expect((await run("run", "two")).err).toContain("not written yet");
    expect((await run("fly")).code).toBe(2);
    expect((await reins("recipes", "--book", "/nowhere")).err).toContain("no folder recipes");
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(book, "toy/one.ts"), later, later);
    expect((await run("run", "one")).err).toContain("changed since it was built");
  });
});
