import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
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
/** A recipe whose system is better by 2; both arms share the noise of a seed. Each run writes a log line. */
const recipe = (gain: number) => `
import { appendFileSync, existsSync } from "node:fs";
const side = (name, more) => ({
  name,
  run({ seed, settings, quick }) {
    appendFileSync(${JSON.stringify(join(root, "log.txt"))}, name + " " + seed + "\\n");
    if (seed > 1104 && existsSync(${JSON.stringify(join(root, "broken"))})) throw new Error("the power failed");
    const score = Math.sin(seed * 12.9898) + 0.1 * Math.sin(seed * (3 + more)) + more + settings.bonus;
    return { values: { score }, early: [more], used: quick ? 1 : 10 };
  },
});
export default {
  kind: "recipe", id: "one", paper: "First paper", about: "It is better.",
  source: "made up",
  baselines: [side("old", 0)], system: side("new", ${gain}),
  metrics: { score: { about: "score", better: "higher", worst: -100, best: "open" } },
  claims: [{ metric: "score", smallest: 1, because: "it is an example", paper: "twice as good" }],
  grid: { bonus: [0, 0.5] }, limits: { bonus: [0, 0.5] }, budget: { unit: "steps", full: 10, quick: 1 },
  deviations: ["Numbers stand for everything."],
  finding: (f) => "It is better by " + f.effect() + ".",
};
`;
const publish = (gain = 2, head = "", change = (text: string) => text) => {
  const text = change(`${head}${recipe(gain)}`);
  write("toy/one.ts", text);
  write("dist/toy/one.js", text);
};
const run = (...args: string[]) => reins("recipes", ...args, "--book", book);
interface Recorded {
  readonly judged: readonly object[];
  readonly blocks: readonly { readonly firstSeed: number; readonly replicates: readonly string[] }[];
}
const recorded = () => JSON.parse(readFileSync(join(book, "results/one.json"), "utf8")) as Recorded;
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
  it("lists recipes and methods without one", async () => {
    const { out, code } = await run();
    expect(code).toBe(0);
    expect(out).toMatch(/one\s+toy\s+not run/);
    expect(out).toContain("1 of 2 methods have a recipe, 0 are measured");
    expect((await run("missing")).out).toMatch(/two\s+toy\s+Second paper/);
    expect(JSON.parse((await run("list", "--json")).out)).toMatchObject([{ id: "one", state: "not run" }]);
  });

  it("runs the whole protocol, records it, and writes the table", async () => {
    const { out, code, err } = await run("run", "one");
    expect(err).toBe("");
    expect(code).toBe(0);
    expect(out).toContain("shown: new against old: score higher by at least 1: ");
    expect(out).toContain("It is better by ");
    expect(recorded()).toMatchObject({
      judged: [{ verdict: "shown" }],
      settings: { new: { bonus: 0.5 }, old: { bonus: 0.5 } },
      plan: { replicates: 10 },
    });
    expect(recorded().blocks.map((b) => b.firstSeed)).toEqual([100, 1100]);
    expect(readFileSync(join(book, "README.md"), "utf8")).toContain(
      "| [one](families/toy.md#one) | First paper | It is better by 1.999 ",
    );
    expect(readFileSync(join(book, "families/toy.md"), "utf8")).toContain(
      "| [one](../toy/one.ts) | new against old: score higher by at least 1 | [shown](../results/one.json) |",
    );
    expect(readFileSync(join(book, "families/toy.md"), "utf8")).toContain("**Finding.** It is better by ");
    expect(readFileSync(join(book, "families/toy.svg"), "utf8")).toMatch(/^<svg.*one/s);
    expect((await run("show", "one")).out).toContain("It is better.");
    expect((await run()).out).toMatch(/one\s+toy\s+measured\s+shown\s+score: /);
  });

  it("adds a block of seeds, and does not measure twice without a reason", async () => {
    expect((await run("run", "one", "--another")).err).toContain("no result is recorded");
    await run("run", "one");
    const again = await run("run", "one");
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("already measured and unchanged")]);
    await run("run", "one", "--another");
    expect(recorded().blocks.map((b) => b.firstSeed)).toEqual([100, 1100, 2100]);
    // Changed after an evaluation: new blocks are used, and the old result is kept.
    publish(3);
    expect((await run("run", "one", "--another")).err).toContain("a further block would not check it");
    expect((await run("run", "one")).err).toContain("--because WORDS");
    await run("run", "one", "--because", "more is gained");
    expect(recorded().blocks.map((b) => b.firstSeed)).toEqual([3100, 4100]);
    expect(JSON.parse(readFileSync(join(book, "history/one.json"), "utf8"))).toMatchObject([
      { firstSeed: 100, lastSeed: 2109, because: "more is gained", claims: [{ verdict: "shown" }] },
    ]);
    expect((await run("show", "one")).out).toContain("Measured again because more is gained.");
    expect((await run("show", "one")).out).toMatch(/higher by at least 1: shown, [\d.]+ \([\d.]+ to/);
  });

  it("does not add a block of changed code to a result", async () => {
    await run("run", "one");
    // Other text in the file, but equal numbers.
    publish(2, "// A remark.");
    expect((await run("run", "one", "--another")).code).toBe(0);
    publish(3);
    const changed = await run("run", "one", "--another");
    expect([changed.code, changed.err]).toEqual([1, expect.stringContaining("gives other numbers")]);
    expect(recorded().blocks.map((b) => b.firstSeed)).toEqual([100, 1100, 2100]);
  });

  it("reports errors of an arm without internal stack frames", async () => {
    publish(2, "", (text) => text.replace("values: { score }", "values: { scores: 1 }"));
    const { err } = await run("run", "one", "--quick");
    expect(err).toMatch(/^reins: one, \w+, seed 0: it returned no score\. Every run must return [^\n]*\n$/);
    publish(2, "", (text) => text.replace("values: { score }", "values: settings.nothing.there"));
    const bug = (await run("run", "one", "--quick")).err;
    expect(bug).toMatch(/^reins: one, \w+, seed \d: TypeError: /);
    expect(bug).toContain("toy/one.js");
    expect(bug).not.toContain("at async perform");
    publish(2, 'import { nothing } from "node:fs";');
    expect((await run("run", "one", "--quick")).err).toMatch(/one\.js: cannot be loaded: SyntaxError/);
  });

  it("shows unlisted recipes, and rejects unknown families", async () => {
    write("toy/mine.ts", recipe(2).replace('"one"', '"mine"'));
    write("dist/toy/mine.js", recipe(2).replace('"one"', '"mine"'));
    expect((await run()).out).toMatch(/mine\s+toy\s+not run/);
    expect((await run("show", "mine")).out).toContain("First paper");
    expect((await run("missing", "--family", "toys")).err).toContain("Did you mean toy?");
    expect((await run("missing", "--family", "other")).err).toContain("Use one of toy.");
  });

  it("records nothing with --quick", async () => {
    const { out } = await run("run", "one", "--quick");
    expect(out).toContain("not recorded");
    expect(out).not.toContain("identical results");
    expect(logged().length).toBe(4);
    expect((await run()).out).toContain("0 are measured");
    publish(0);
    expect((await run("run", "one", "--quick")).out).toContain("new and old gave identical results");
  });

  /** A measurement that stopped in its second block. */
  const interrupted = async () => {
    writeFileSync(join(root, "broken"), "");
    expect((await run("run", "one")).err).toContain("the power failed");
    rmSync(join(root, "broken"));
    return logged().length;
  };

  it("continues an interrupted run, even with a damaged journal", async () => {
    const done = await interrupted();
    appendFileSync(join(root, "cache/one.jsonl"), '{"stamp":"half a li');
    await run("run", "one");
    // Ten replicates of two arms per block; five of the second block were done.
    expect(logged().length - done).toBeLessThanOrEqual(12);
    expect(recorded().blocks.map((b) => [b.firstSeed, b.replicates.length])).toEqual([
      [100, 10],
      [1100, 10],
    ]);
  });

  it("uses the next block if other code has already used seeds of a block", async () => {
    await interrupted();
    publish(3);
    await run("run", "one");
    expect(recorded().blocks.map((b) => b.firstSeed)).toEqual([2100, 3100]);
    expect(JSON.parse(readFileSync(join(book, "history/one.json"), "utf8"))).toMatchObject([
      { measuredAt: "not finished", firstSeed: 100, lastSeed: 1104, claims: [] },
    ]);
    expect((await run("show", "one")).out).toContain("seeds 100 to 1104: not finished");
  });

  it("rejects two measurements at once, and takes over from a dead process", async () => {
    write("../cache/one.lock", `${process.ppid}`);
    const { code, err } = await run("run", "one");
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`process ${process.ppid} is already measuring it`),
    ]);
    write("../cache/one.lock", "999999999");
    expect((await run("run", "one")).code).toBe(0);
  });

  it("verifies the first seed of each arm bit for bit, and measures changed recipes again", async () => {
    expect((await run("verify", "one")).err).toContain("no result yet");
    await run("run", "one");
    const same = await run("verify");
    expect([same.code, same.out]).toEqual([
      0,
      expect.stringContaining("1 of 1 reproduce the recorded numbers bit for bit."),
    ]);
    expect(logged().slice(-2).sort()).toEqual(["new 100", "old 100"]);
    expect((await run("refresh")).out).toContain("All results are up to date.");
    publish(2 + 1e-12);
    const moved = await run("verify");
    expect(moved.out).toMatch(/new, 100, score: recorded \S+, now (.|\n)*changed: one\./);
    expect(moved.code).toBe(1);
    expect(JSON.parse(readFileSync(join(book, "verified.json"), "utf8"))).toMatchObject([
      { id: "one", how: "moved", differs: [{ side: "new", value: "score" }] },
    ]);
    expect((await run("refresh")).out).toContain("shown: ");
    expect(recorded().blocks.map((b) => b.firstSeed)).toEqual([2100, 3100]);
  });

  it("does not compare other back ends, and reports damaged results", async () => {
    await run("run", "one");
    const path = join(book, "results/one.json");
    const whole = readFileSync(path, "utf8");
    const cuda = whole.replaceAll(/"backend": "\w+"/g, '"backend": "cuda"');
    writeFileSync(path, cuda);
    expect((await run("verify")).out).toContain("1 of 1 reproduce the recorded numbers");
    publish(2 + 1e-12);
    expect((await run("verify")).err).toContain("REINS_BACKEND=cuda");
    publish();
    writeFileSync(path, whole.replaceAll('"shown"', '"reversed"'));
    expect((await run("verify")).err).toContain("claim 1 is recorded as reversed, but its values give shown");
    expect((await run("judge", "one")).err).toContain("--because WORDS");
    const judged = await run("judge", "--because", "rules changed");
    expect(judged.out).toMatch(/^one: .*: was reversed, now shown\n1 of 1 verdicts changed/);
    expect(recorded().judged).toEqual(JSON.parse(whole).judged);
    expect((await run("show", "one")).out).toContain(
      "Judged before as reversed; changed because rules changed.",
    );
    expect((await run("judge", "one", "--because", "nothing")).out).toContain("0 of 1");
    writeFileSync(path, whole.replace('"smallest": 1', '"smallest": 0.5'));
    expect((await run("verify")).out).toContain("the recipe differs from the measured one in claims");
    writeFileSync(path, whole.slice(0, 100));
    expect((await run()).err).toMatch(/one.json: not valid JSON .* Restore it/);
  });

  it("rejects a wrong id, and code after the finding, which the digest does not cover", async () => {
    write("toy/two.ts", recipe(2));
    write("dist/toy/two.js", recipe(2));
    expect((await run("run", "two")).err).toContain("its file has the id one");
    const text = `${recipe(2)}\nfunction later() {}\n`;
    write("toy/one.ts", text);
    write("dist/toy/one.js", text);
    expect((await run("run", "one")).err).toContain("code after its finding");
  });

  it("reports wrong usage", async () => {
    expect((await run("show", "ones")).err).toContain("Did you mean one");
    expect((await run("run", "two")).err).toContain("does not exist yet");
    expect((await run("fly")).code).toBe(2);
    expect((await run("table", "one")).err).toContain("recipes table takes no ids");
    expect((await run("run", "one", "--another", "--quick")).err).toContain(
      "cannot be combined with --quick or --because",
    );
    expect((await reins("recipes", "--book", "/nowhere")).err).toContain("no folder recipes");
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(book, "toy/one.ts"), later, later);
    expect((await run("run", "one")).err).toContain("changed since the last build");
    // A build that finds the same text does not write the file again.
    write("dist/.tsbuildinfo", "{}");
    utimesSync(join(book, "dist/.tsbuildinfo"), later, later);
    expect((await run("run", "one")).err).not.toContain("changed since the last build");
  });
});
