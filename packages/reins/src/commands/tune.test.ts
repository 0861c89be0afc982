import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockFolder } from "@reins/core/directory";
import { afterAll, describe, expect, it } from "vitest";
import { reins } from "../cli/testing.ts";
import { type PieceSetup, workOn } from "../tuning/work.ts";

const built = existsSync(new URL("../../dist/packed/piece-worker.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "reins-tune-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const out = join(folder, "tuning");

const small = [
  "--envs",
  "2",
  "--ppo-steps",
  "32",
  "--hidden",
  "8",
  "--eval-episodes",
  "2",
  "--jobs",
  "2",
  "--out",
  out,
];

/** An environment without save(); it throws while the file `trouble` exists. */
const unsaved = (trouble = "") => `
  import { existsSync } from "node:fs";
  export default () => ({
    spec: {
      id: "Unsaved",
      observation: { kind: "box", shape: [1], dtype: "f32", low: -1, high: 1 },
      action: { kind: "discrete", n: 2, start: 0 },
    },
    steps: 0,
    reset() {
      if (existsSync(${JSON.stringify(trouble)})) throw new Error("it is out of order");
      this.steps = 0;
      return { observation: [0] };
    },
    step(action) {
      return { observation: [0], reward: action, terminated: ++this.steps >= 8, truncated: false };
    },
  });
`;

/** An environment that fails in its tenth step. */
const broken = (how: string) => `
  let steps = 0;
  export default () => ({
    spec: {
      id: "Broken",
      observation: { kind: "box", shape: [1], dtype: "f32", low: -1, high: 1 },
      action: { kind: "discrete", n: 2, start: 0 },
    },
    reset: () => ({ observation: [0] }),
    step() {
      if (++steps > 10) ${how};
      return { observation: [0], reward: 1, terminated: false, truncated: false };
    },
  });
`;

describe.skipIf(!built)("reins tune", () => {
  const tune = (...more: string[]) =>
    reins("tune", "ppo", "CartPole-v1", "--steps", "576", "--trials", "3", ...small, ...more);

  it("searches, tests on other seeds, saves the results and reuses them", async () => {
    const flags = ["--vary", "learning-rate;clip=0.1|0.3", "--tuning-seeds", "1", "--test-seeds", "2"];
    const first = await tune(...flags);
    expect(first.err).toBe("");
    expect(first.out).toMatch(/trial 0, seed 50, 192 steps {3}return/);
    expect(first.out).toMatch(/test, seed 101, without tuning {3}return/);
    expect(first.out).toContain("Importance of settings after 192 steps: too few trials");
    expect(first.out).toMatch(/reins train ppo CartPole-v1 --steps 576 .*--learning-rate [\d.e-]+/);
    const best = JSON.parse(readFileSync(join(out, "ppo-CartPole-v1/best.json"), "utf8"));
    expect(best.test.best.scores.length).toBe(2);
    expect(Object.keys(best.settings)).toEqual(["learningRate", "clip"]);
    expect(readFileSync(join(out, "ppo-CartPole-v1/importance.svg"), "utf8")).toContain("<circle");
    expect(existsSync(join(out, "ppo-CartPole-v1/best/seed-100/config.json"))).toBe(true);
    const again = await tune(...flags, "--json");
    expect(again.err).not.toContain("trial 0, seed");
    expect(again.err).toContain("4 training jobs done.");
    expect(again.err).toContain("4 of 4 tests are already done.");
    expect(JSON.parse(again.out)).toEqual(best);
    expect((await tune(...flags, "--lambda", "0.9")).err).toContain("holds another search");
  });

  it("rejects untrusted folders that could run code or redirect writes", async () => {
    const at = join(out, "foreign");
    const flags = ["--name", "foreign", "--vary", "clip=0.1|0.3", "--tuning-seeds", "1", "--test-seeds", "0"];
    expect((await tune(...flags)).code).toBe(0);
    const journal = join(at, "journal.jsonl");
    const [first] = readFileSync(journal, "utf8").split("\n");
    const { stamp, task } = JSON.parse(first) as { stamp: string; task: object };
    const victim = mkdtempSync(join(folder, "victim-"));
    const code = join(victim, "evil.mjs");
    writeFileSync(
      code,
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(join(victim, "ran"))}, "");`,
    );
    for (const strange of [
      { settings: { clip: 0.1, network: code } },
      { trial: `x/${"../".repeat(20)}${victim}/y`, seed: "/.." },
      { settings: { clip: 7 } },
      { parent: "../../.." },
    ]) {
      const line = { stamp, task: { ...task, ...strange }, result: { failed: "x" } };
      writeFileSync(journal, `${JSON.stringify(line)}\n`);
      expect((await tune(...flags)).err).toContain("not part of this search");
      expect(readdirSync(victim)).toEqual(["evil.mjs"]);
    }
    for (const name of ["best.json", "journal.jsonl", "trials"]) {
      rmSync(join(at, name), { recursive: true, force: true });
      symlinkSync(name === "trials" ? victim : code, join(at, name));
      expect((await tune(...flags)).err).toContain(`${name}: this is a link`);
      rmSync(join(at, name));
    }
  }, 60_000);

  it("deletes a search with --fresh, and nothing else", async () => {
    const mine = join(out, "mine");
    mkdirSync(mine, { recursive: true });
    for (const file of ["journal.jsonl", "thesis.txt"]) writeFileSync(join(mine, file), "mine");
    expect((await tune("--name", "mine", "--fresh")).err).toContain("it holds thesis.txt");
    for (const name of ["..", ".", "../victim", ""])
      expect((await tune(`--name=${name}`, "--fresh")).err).toContain("--name");
    expect(readdirSync(mine)).toEqual(["journal.jsonl", "thesis.txt"]);
    rmSync(join(mine, "thesis.txt"));
    const flags = ["--name", "mine", "--vary", "clip=0.1|0.3", "--tuning-seeds", "1", "--test-seeds", "0"];
    expect((await tune(...flags, "--fresh")).code).toBe(0);
    expect(readFileSync(join(mine, "journal.jsonl"), "utf8")).not.toContain("mine");
  }, 60_000);

  it("refuses a search that another process runs", async () => {
    const at = join(out, "busy");
    mkdirSync(at, { recursive: true });
    const unlock = lockFolder(at);
    const flags = ["--name", "busy", "--vary", "clip=0.1|0.3", "--tuning-seeds", "1", "--test-seeds", "0"];
    expect((await tune(...flags)).err).toContain("already open");
    expect((await tune(...flags, "--fresh")).err).toContain("already open");
    unlock();
    expect((await tune(...flags)).code).toBe(0);
    expect(readdirSync(at)).not.toContain("lock");
  }, 60_000);

  it("continues an untrusted trial without running its code", async () => {
    const setup: PieceSetup = {
      ...{ algorithm: "ppo", env: "CartPole-v1", envOptions: {}, steps: 192, episodes: 1 },
      typed: { envs: 2, steps: 32, hidden: [4] },
    };
    const trial = join(folder, "trial");
    await workOn(setup, { seed: 1, settings: {}, to: 64, folder: trial });
    const [config, ran] = [join(trial, "config.json"), join(folder, "trial-ran")];
    const code = join(trial, "evil.mjs");
    writeFileSync(
      code,
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(ran)}, "");`,
    );
    writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, "utf8")), module: code }));
    const work = { seed: 1, settings: {}, to: 128, folder: trial, resume: true };
    await expect(workOn(setup, work)).rejects.toThrow("not run without your consent");
    expect(existsSync(ran)).toBe(false);
  }, 60_000);

  it("counts trials that crash or hang", async () => {
    const [fall, hang] = [join(folder, "dies.js"), join(folder, "hangs.js")];
    writeFileSync(fall, broken('throw new Error("it fell over")'));
    writeFileSync(hang, broken("for (;;);"));
    const flags = ["--vary", "clip", "--trials", "2", "--tuning-seeds", "1", "--search", "random", ...small];
    const dies = await reins("tune", "ppo", fall, "--steps", "200", ...flags);
    expect(dies.out).toContain("it fell over");
    expect(dies.out).toContain("No trial finished: 2 of 2 training jobs failed.");
    expect(dies.code).toBe(1);
    const hangs = await reins(
      "tune",
      "ppo",
      hang,
      "--steps",
      "200",
      "--timeout",
      "2",
      "--name",
      "hang",
      ...flags,
    );
    expect(hangs.out).toContain("timed out after 2 s");
  });

  const flags = ["--vary", "clip", "--trials", "3", "--tuning-seeds", "1", "--test-seeds", "0", ...small];

  it.each([
    ["asha", "promoted trials are retrained"],
    ["pbt", ""],
  ])("%s promotes trials of an environment without save()", async (search, said) => {
    const env = join(folder, `${search}.js`);
    writeFileSync(env, unsaved());
    const { code, out } = await reins(
      ...["tune", "ppo", env, "--steps", "576", "--name", search, "--search", search],
      ...flags,
    );
    expect([code, out]).toEqual([0, expect.stringContaining(said)]);
    expect(out).toMatch(/trial \d, seed 50, 576 steps {3}return/);
    expect(out).not.toContain("failed");
  });

  it("retries failed trials", async () => {
    const [env, trouble] = [join(folder, "mended.js"), join(folder, "trouble")];
    writeFileSync(env, unsaved(trouble));
    writeFileSync(trouble, "");
    const typed = ["tune", "ppo", env, "--steps", "192", "--name", "mended", "--search", "gp", ...flags];
    const first = await reins(...typed);
    expect(first.out).toContain("No trial finished: 3 of 3 training jobs failed.");
    expect(first.out).toContain("Run the same command to retry them.");
    rmSync(trouble);
    const second = await reins(...typed);
    expect(second.out).toContain("0 training jobs done; 3 failed and will be retried.");
    expect(second.out).toContain("Importance of settings");
    expect(second.code).toBe(0);
    expect((await reins(...typed)).out).toContain("3 training jobs done.");
  });

  it("reports wrong usage", async () => {
    const wrong = async (...more: string[]) => (await tune(...more)).err;
    expect(await wrong("--search", "magic")).toContain(
      "unknown method --search magic. Use one of random, asha, pbt, gp",
    );
    expect(await wrong("--vary", "clipp")).toContain("Did you mean clip");
    expect(await wrong("--vary", "hidden")).toContain("no usual range");
    expect(await wrong("--vary", "clip;clip")).toContain("twice");
    expect(await wrong("--vary", "clip", "--clip", "0.2")).toContain("fixed by a flag");
  });
});

describe("a piece of a trial", () => {
  const setup: PieceSetup = {
    algorithm: "ppo",
    env: "CartPole-v1",
    envOptions: {},
    typed: { envs: 2, steps: 32, hidden: [8] },
    steps: 512,
    episodes: 2,
  };
  const settings = { learningRate: 1e-3 };

  it("continues the previous piece exactly", async () => {
    const whole = await workOn(setup, { seed: 50, settings, to: 512 });
    const own = join(folder, "trials/0-50");
    const first = await workOn(setup, { seed: 50, settings, to: 128, folder: own });
    expect(first.steps).toBe(128);
    const rest = await workOn(setup, { seed: 50, settings, to: 512, folder: own, resume: true });
    expect(rest).toMatchObject({ steps: 512, score: whole.score });
  });

  it("continues another agent with other settings", async () => {
    const [parent, heir] = [join(folder, "trials/1-0"), join(folder, "trials/2-1")];
    await workOn(setup, { seed: 50, settings, to: 128, folder: parent });
    const more = { learningRate: 0, seed: 51 };
    const found = await workOn(setup, {
      ...more,
      settings: { learningRate: 0 },
      to: 192,
      folder: heir,
      from: parent,
    });
    // With a learning rate of 0, the agent does not change.
    const { load } = await import("../load.ts");
    const [a, b] = [await load(parent), await load(heir)];
    for (const x of [-0.1, 0, 0.2]) expect(b.act([x, 0, x, 0])).toEqual(a.act([x, 0, x, 0]));
    expect(found.steps).toBe(192);
  });
});
