import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diagnostics, pageOf } from "@reins/core/diagnostics";
import { arithmetic, sampleProblem } from "@reins/language";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CommandResult, reins } from "../cli/testing.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

/** Two short runs that all tests share. */
const root = mkdtempSync(join(tmpdir(), "reins-runs-"));
const quick = [
  "--steps",
  "2048",
  "--envs",
  "4",
  "--ppo-steps",
  "32",
  "--hidden",
  "8",
  "--eval-episodes",
  "4",
];
const runs = ["one", "two"].map((name) => join(root, name));
let first: CommandResult;
beforeAll(async () => {
  first = await reins("train", "ppo", "CartPole-v1", ...quick, "--directory", runs[0], "--json");
  await reins(
    "train",
    "ppo",
    "CartPole-v1",
    ...quick,
    "--directory",
    runs[1],
    "--clip",
    "linear(0.3, 0)",
    "--seed",
    "2",
    "--quiet",
  );
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("train", () => {
  it("keeps the command with the run of each seed", async () => {
    const flags = ["--seeds", "2", "--gamma", "0.9", "--directory", join(root, "seeds")];
    await reins("train", "ppo", "CartPole-v1", ...quick, ...flags, "--quiet");
    for (const seed of [0, 1]) {
      const config = JSON.parse(readFileSync(join(root, "seeds", `seed-${seed}`, "config.json"), "utf8"));
      expect(config.command).toContain("reins train ppo CartPole-v1 ");
      expect(config.command).toContain(" --gamma 0.9 ");
    }
  });

  it("ends with one JSON object", () => {
    expect(first.code).toBe(0);
    expect(first.out.trim().split("\n").length).toBe(1);
    const result = JSON.parse(first.out);
    expect(Object.keys(result)).toEqual([
      "return",
      "episodes",
      "steps",
      "stepsPerSecond",
      "seconds",
      "processor",
      "run",
    ]);
    expect(Object.keys(result.return)).toEqual(["mean", "std", "interval"]);
    expect(result).toMatchObject({ episodes: 4, steps: 2048, run: runs[0] });
    // Progress goes to standard error.
    expect(first.err).toContain("ppo on CartPole-v1   2 048 steps   seed 0");
    // Settings given as flags are listed.
    expect(first.err).toMatch(/ {3}tuned settings except (envs 4|ppo-steps 32|hidden 8|, ){5} {3}/);
  });

  it("saves the given settings", () => {
    const config = JSON.parse(readFileSync(join(runs[1], "config.json"), "utf8"));
    expect(config).toMatchObject({ algorithm: "ppo", env: "CartPole-v1", steps: 2048, seed: 2 });
    expect(config.options).toMatchObject({
      envs: 4,
      steps: 32,
      hidden: [8],
      clip: { signal: "linear", from: 0.3, to: 0 },
    });
  });

  it("writes nothing with --no-save, and passes options to the environment", async () => {
    const { code, out } = await reins(
      "train",
      "ppo",
      "CartPole-v1",
      ...quick,
      "--no-save",
      "--quiet",
      "--env-max-steps",
      "9",
    );
    expect(code).toBe(0);
    expect(Number(out.split(" (")[0])).toBeLessThanOrEqual(9);
  });
});

describe("eval", () => {
  it("measures an agent", async () => {
    const { out } = await reins("eval", runs[0], "--episodes", "5");
    for (const part of ["over 5 episodes", "95% CI [", "median", "solved   no (475)"])
      expect(out).toContain(part);
    const { return: r, episodes } = JSON.parse(
      (await reins("eval", runs[0], "--json", "--sample", "--episodes", "3")).out,
    );
    expect(r.mean).toBeGreaterThan(5);
    expect(episodes).toBe(3);
  });

  it("rejects an environment with other spaces", async () => {
    const { code, err } = await reins("eval", runs[0], "--env", "Pendulum-v1");
    expect(err).toContain("the agent was trained on CartPole-v1, whose observation is Box([4], ");
    expect(code).toBe(1);
  });
});

describe("diagnose", () => {
  it("reports findings, and lists all diagnoses", async () => {
    const { code, out } = await reins("diagnose", runs[0]);
    expect(code).toBe(0);
    expect(out).toMatch(/ppo on CartPole-v1, after [\d ]+ steps\n\nNothing looks wrong/);
    const { findings } = JSON.parse((await reins("diagnose", runs[0], "--json")).out);
    expect(findings).toEqual([]);
    expect((await reins("diagnose", "--all")).out).toContain("docs/diagnostics/steps-too-large.md");
  });
  it("prints findings after the summary, with their pages", async () => {
    const wild = ["--envs", "8", "--ppo-steps", "64", "--hidden", "16", "--learning-rate", "10"];
    const { out } = await reins("train", "ppo", "CartPole-v1", "--steps", "4096", ...wild, "--no-save");
    expect(out).toMatch(
      /\n\nThe return (did not improve|improved, but something looks wrong)\.\nLikely cause: /,
    );
    expect(out).toContain("  More: reins diagnose --explain steps-too-large\n");
  });
  it("prints the page of a diagnosis", async () => {
    for (const typed of [["steps-too-large"], ["steps", "too", "large"]]) {
      const { code, out } = await reins("diagnose", "--explain", ...typed);
      expect([code, out.split("\n")[0]]).toEqual([0, "# steps too large"]);
      expect(out).toContain("- Divide `learningRate` by 3 to 10");
      expect(out).not.toMatch(/\]\(|```/);
    }
    expect((await reins("diagnose", "--explain")).out.trim().split("\n")).toEqual(
      diagnostics.map((d) => pageOf(d).slice("docs/diagnostics/".length, -".md".length)),
    );
    const { code, err } = await reins("diagnose", "--explain=step-too-large");
    expect(code).toBe(2);
    expect(err).toMatch(/Did you mean steps-too-large\?.* Use one of broken-observation, /);
  });
});

describe("watch", () => {
  it("renders episodes", async () => {
    const { out } = await reins("watch", runs[0], "--episodes", "2", "--fps", "0");
    expect(out).toContain("angle");
    expect(out).toContain("episode 2 of 2: return");
    expect(out).toContain("over 2 episodes");
  });
});

describe("runs", () => {
  it("show the final evaluation and the time of training", async () => {
    const name = mkdtempSync(join(tmpdir(), "reins-times-"));
    const small = ["--envs", "2", "--ppo-steps", "32", "--hidden", "8", "--steps", "256"];
    const at = ["--directory", join(name, "measured")];
    const { out } = await reins("train", "ppo", "CartPole-v1", ...small, ...at, "--eval-episodes", "5");
    await reins(
      "train",
      "ppo",
      "CartPole-v1",
      ...small,
      "--directory",
      join(name, "not"),
      "--eval-episodes",
      "0",
    );
    const said = /^Trained in (.*? s)(?: \(.* s of it compilation and evaluation\))?: 256 steps at /m.exec(
      out,
    )!;
    const fresh = /^Return (\S+) \(95% CI \[\S+, \S+\], sd \S+\) over 5 evaluation episodes/m.exec(out)!;
    const listed = (await reins("runs", "--root", name)).out;
    expect(listed).toMatch(/return +evaluation/);
    const line = listed.split("\n").find((l) => l.startsWith("measured"))!;
    expect(line).toContain(` ${fresh[1]} `);
    expect(line).toContain(` ${said[1]} `);
    const [, not] = JSON.parse((await reins("runs", "--root", name, "--json")).out);
    expect([not.name, not.fresh]).toEqual(["not", null]);
    expect((await reins("runs", join(name, "measured"))).out).toContain(said[1]);
    rmSync(name, { recursive: true });
  });
  it("lists", async () => {
    const { out } = await reins("runs", "--root", root);
    expect(out).toMatch(/one +ppo +CartPole-v1 +0 +2.05k \/ 2.05k .*finished/);
    expect(JSON.parse((await reins("runs", "--root", root, "--json")).out).length).toBe(2);
  });

  it("compares", async () => {
    const { out } = await reins("runs", "compare", ...runs);
    expect(out).toMatch(/clip +0.2 +linear\(0.3, 0\)/);
    expect(out).toMatch(/seed +0 +2/);
    expect(out).not.toContain("hidden");
    expect(out).not.toContain("that other runs do not have");
    expect((await reins("runs", runs[0])).out).toContain("hidden");
  });

  it("compares algorithms by the settings that both have or that were changed", async () => {
    const other = join(root, "dqn");
    const flags = ["--steps", "64", "--hidden", "8", "--tau", "0.3", "--eval-episodes", "0", "--defaults"];
    await reins("train", "dqn", "CartPole-v1", ...flags, "--directory", other);
    const { out } = await reins("runs", "compare", runs[0], other);
    rmSync(other, { recursive: true });
    expect(out).toMatch(/^algorithm +ppo +dqn$/m);
    expect(out).toMatch(/^tau +0\.3$/m);
    expect(out).toMatch(/^learning-rate /m);
    for (const usual of ["memory", "imitation", "dueling", "discounts"])
      expect(out).not.toMatch(new RegExp(`^${usual}`, "m"));
    expect(out).toContain("defaults of settings that other runs do not have, are left out");
  });

  it("plots", async () => {
    const picture = join(root, "curve.svg");
    const { out } = await reins("runs", "plot", ...runs, "--svg", picture);
    for (const part of ["return/mean", "━━ one", "2.05k steps"]) expect(out).toContain(part);
    expect(readFileSync(picture, "utf8")).toContain("<polyline");
    expect((await reins("runs", "plot", runs[0], "--x", "seconds", "--metric", "policy/kl")).out).toContain(
      "seconds",
    );
    const wrong = await reins("runs", "plot", runs[0], "--metric", "return/meen");
    expect(wrong.err).toContain("no run has the metric return/meen. Did you mean return/mean");
    expect(wrong.code).toBe(2);
  });
});

describe("envs and algorithms", () => {
  it("lists and describes", async () => {
    expect((await reins("envs")).out).toMatch(/CartPole-v1 +Discrete\(2\) +500 +Keep a pole/);
    const lines = (await reins("envs")).out.split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    const family = (await reins("envs", "minigrid")).out.trim().split("\n").slice(1);
    expect(family.length).toBeGreaterThan(5);
    expect(family.filter((line) => /^\S/.test(line) && !line.startsWith("MiniGrid-"))).toEqual([]);
    const env = (await reins("envs", "CartPole-v1")).out;
    for (const part of ["mean return 475 over 100 episodes", "at most 500 steps", "Try: reins train"])
      expect(env).toContain(part);
    expect((await reins("envs", "cartpole-V1")).out).toBe(env);
    expect((await reins("algorithms")).out).toMatch(/^ppo /m);
    expect((await reins("algorithms")).out).toMatch(/^tqc .*Experimental\. SAC/m);
    expect((await reins("algorithms", "tqc")).out).toContain(
      "Experimental: its options and results may change",
    );
    expect((await reins("algorithms", "ppo")).out).not.toContain("Experimental");
    for (const [typed, name] of [
      ["PPO-adaptive", "adaptivePpo"],
      ["ppo-penalty", "penaltyPpo"],
      ["dqn-adaptive", "adaptiveDqn"],
      ["q", "tabularQ"],
      ["value-iteration", "planner"],
    ])
      expect((await reins("algorithms", typed)).out).toContain(
        `In programs: import { ${name} } from "reins/algorithms"`,
      );
    expect((await reins("algorithms", "ppo")).out).not.toMatch(/In programs|hidden ,/);
    const algorithm = (await reins("algorithms", "ppo")).out.replace(/\s+/g, " ");
    for (const part of [
      "--learning-rate SIGNAL",
      "Learning rate. Higher",
      "Default: 0.2. Scope: token.",
      "CartPole-v1",
    ])
      expect(algorithm).toContain(part);
    for (const args of [["envs"], ["envs", "CartPole-v1"], ["algorithms"], ["algorithms", "ppo"]])
      expect(JSON.parse((await reins(...args, "--json")).out)).toBeTypeOf("object");
  });

  it("describes algorithms and language tasks", async () => {
    for (const args of [["algorithms"], ["envs"], ["train", "--help"]]) {
      const said = (await reins(...args)).out.replace(/\s+/g, " ");
      expect(said).toContain("grpo, dr-grpo, dapo, gspo, cispo, rloo, reinforce++, remax, reinforce,");
    }
    const dapo = (await reins("algorithms", "dapo")).out;
    expect(dapo).toContain("Actions: any, and text completions");
    expect(dapo.replace(/\s+/g, " ")).toContain("One of none, flat, refill. Default: refill.");
    expect(dapo).toMatch(/language tasks +2\.8M tokens, learning-rate 0\.00015/);
    expect(dapo).toContain("Try: reins train dapo arithmetic");
    expect((await reins("algorithms", "sft")).out).toContain("Actions: text completions");
    const { prompt, answer } = sampleProblem(arithmetic, 8, "train", 0);
    const task = (await reins("envs", "arithmetic")).out;
    for (const part of [arithmetic.about, `level 8      ${prompt} → ${answer}`, "--env-folder PATH"])
      expect(task).toContain(part);
    expect(JSON.parse((await reins("envs", "arithmetic", "--json")).out).levels).toBe(8);
    expect((await reins("envs", "CartPole-v1")).out).not.toMatch(/sft|rejection/);
  });

  it("lists only supported algorithms, and the options of an environment", async () => {
    const cart = (await reins("envs", "CartPole-v1")).out;
    expect(cart).toMatch(/algorithms +ppo, /);
    expect(cart).not.toMatch(/[ ,](q|ucb|thompson|value-iteration|td3)[,\n]/);
    expect(cart).toMatch(/--env-max-steps N +Maximum steps .*\n.* Takes a number above 0\./);
    expect((await reins("envs", "FrozenLake-v1")).out).toMatch(/\bq, value-iteration/);
    expect((await reins("envs", "BernoulliBandit-v0")).out).toMatch(/ucb, thompson, epsilon-greedy/);
  });
});

describe("resume", () => {
  it("finishes a run that was killed during its evaluation", async () => {
    const path = join(root, "killed");
    await reins("train", "ppo", "CartPole-v1", ...quick, "--directory", path, "--quiet");
    const whole = JSON.parse(readFileSync(join(path, "summary.json"), "utf8"));
    rmSync(join(path, "summary.json"));
    const { code, out } = await reins("resume", path, "--eval-episodes", "4", "--json", "--quiet");
    expect(code).toBe(0);
    expect(JSON.parse(out).return).toMatchObject({ mean: whole.return.mean, std: whole.return.std });
    const after = JSON.parse(readFileSync(join(path, "summary.json"), "utf8"));
    expect(after).toEqual({ ...whole, seconds: after.seconds, stepsPerSecond: after.stepsPerSecond });
    expect((await reins("resume", path)).out).toContain("is finished");
  });

  it("does not continue a solved run that was killed during its evaluation", async () => {
    const path = join(root, "solved");
    const env = join(root, "env.mjs");
    writeFileSync(
      env,
      `export default class {
        spec = { id: "Easy-v0", observation: { kind: "box", shape: [1], low: -1, high: 1 }, action: { kind: "discrete", n: 2, start: 0 }, maxSteps: 4, solvedAt: 4 };
        count = 0;
        reset() { this.count = 0; return { observation: [0] }; }
        step() { this.count++; return { observation: [0], reward: 1, terminated: false, truncated: this.count >= 4 }; }
        save() { return { count: this.count }; }
        restore({ count }) { this.count = count; }
      }`,
    );
    await reins("train", "ppo", env, ...quick, "--solved", "--quiet", "--directory", path);
    const whole = JSON.parse(readFileSync(join(path, "summary.json"), "utf8"));
    expect(whole.ended).toBe("solved");
    rmSync(join(path, "summary.json"));
    const metrics = readFileSync(join(path, "metrics.jsonl"), "utf8");
    await reins("resume", path, "--eval-episodes", "1", "--quiet");
    const after = JSON.parse(readFileSync(join(path, "summary.json"), "utf8"));
    expect([after.ended, after.steps]).toEqual(["solved", whole.steps]);
    expect(readFileSync(join(path, "metrics.jsonl"), "utf8")).toBe(metrics);
    expect((await reins("resume", path)).out).toContain(`To extend it: reins resume ${path} --no-solved`);
  });

  it("keeps the flags of train until they are given again", async () => {
    const [path, whole] = [join(root, "cut-short"), join(root, "in-one")];
    const asked = ["--checkpoint-every", "512", "--eval-episodes", "3", "--quiet"];
    const short = quick.slice(0, quick.indexOf("--eval-episodes"));
    const begin = (directory: string) =>
      reins("train", "ppo", "CartPole-v1", ...short, ...asked, "--directory", directory);
    await begin(whole);
    // As after a kill: the last checkpoint and later files are missing.
    await begin(path);
    const kept = readdirSync(join(path, "checkpoints"));
    rmSync(join(path, "summary.json"));
    rmSync(join(path, "checkpoints/2048"), { recursive: true });
    expect((await reins("resume", path, "--quiet")).code).toBe(0);
    expect(readdirSync(join(path, "checkpoints"))).toEqual(kept);
    for (const name of kept)
      expect(readFileSync(join(path, "checkpoints", name, "state.json"), "utf8")).toBe(
        readFileSync(join(whole, "checkpoints", name, "state.json"), "utf8"),
      );
    const summary = (at: string) => JSON.parse(readFileSync(join(at, "summary.json"), "utf8"));
    expect(summary(path).return).toEqual(summary(whole).return);
    expect(summary(path).return.episodes).toBe(3);
    await reins("resume", path, "--steps", "4096", "--eval-episodes", "2", "--quiet");
    expect(summary(path).return.episodes).toBe(2);
    rmSync(join(path, "summary.json"));
    await reins("resume", path, "--quiet");
    expect(summary(path).return.episodes).toBe(2);
  });

  it("rejects fewer steps than were taken, and changes nothing", async () => {
    const all = () =>
      readdirSync(runs[1], { recursive: true, withFileTypes: true })
        .filter((f) => f.isFile())
        .map((f) => [f.name, readFileSync(join(f.parentPath, f.name), "latin1")]);
    const before = all();
    for (const steps of ["1", "2047", "2048"]) {
      const { code, err } = await reins("resume", runs[1], "--steps", steps);
      expect(err).toBe(
        `reins: ${runs[1]}: ${steps} steps were requested, but it has already taken 2048. Request more to extend it, or leave the steps out to continue as before.\n`,
      );
      expect(code).toBe(1);
    }
    expect(all()).toEqual(before);
  });

  it("extends a finished run", async () => {
    const done = await reins("resume", runs[1]);
    expect(done.out).toContain("is finished: 2 048 steps. To extend it:");
    const more = await reins("resume", runs[1], "--steps", "4096", "--json", "--eval-episodes", "0");
    expect(JSON.parse(more.out).steps).toBe(4096);
    expect(existsSync(join(runs[1], "lock"))).toBe(false);
  });
});
