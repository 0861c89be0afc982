import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  dataset,
  isRewardFolder,
  judges,
  loadReward,
  loadRewardModel,
  type RewardParams,
} from "@reins/language";
import { flattenNames } from "@reins/nn";
import { describe, expect, it, vi } from "vitest";
import { folder, reins } from "../../cli/testing.ts";
import { load, type Run, resume, train } from "../../index.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

const fixtures = join(
  process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../../fixtures", import.meta.url)),
  "hf",
);
const jsonLines = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join("\n");

/** A folder with a model and a file of these lines. */
function place(lines: readonly object[]) {
  const at = folder();
  const model = join(at, "model");
  cpSync(join(fixtures, "llama"), model, { recursive: true });
  cpSync(join(fixtures, "tokenizer.json"), join(model, "tokenizer.json"));
  const file = join(at, "pairs.jsonl");
  writeFileSync(file, jsonLines(lines));
  return { at, model, file, saved: join(at, "reward-model") };
}

/** The longer word is better. */
const pairs = Array.from({ length: 40 }, (_, i) => ({
  prompt: `word ${i}:`,
  chosen: "yes yes",
  rejected: i % 2 ? "no" : "no no no",
}));

const weightsOf = (run: Run) =>
  Object.fromEntries(
    [...flattenNames(run.process.acting!.weights as RewardParams)].map(([name, t]) => [name, [...t.data]]),
  );

describe("a reward model from a file of pairs", () => {
  it("is trained, evaluated, saved and continued by one command each", { timeout: 120_000 }, async () => {
    const { at, model, file, saved } = place(pairs);
    const run = join(at, "run");
    const common = ["--batch", "6", "--learning-rate", "5e-3", "--validate-every", "4", "--env-epochs", "3"];
    const { code, out, err } = await reins(
      ...["train", "reward", file, "--model", model, "--lora", "4", ...common],
      ...["--directory", run, "--save-model", saved],
    );
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/Accuracy 1 .* over 4 held-out pairs/);
    expect(out).toMatch(/Margin \d.*, loss \S+ nats, calibration error \S+, Brier score \S+\.\n/);
    const rows = readFileSync(join(run, "metrics.jsonl"), "utf8").trim().split("\n");
    const last = JSON.parse(rows[rows.length - 1]);
    for (const name of ["loss", "accuracy", "calibration", "brier", "margin"])
      expect(Number.isFinite(last[`validation/${name}`]), name).toBe(true);
    expect(last["preference/accuracy"]).toBe(1);
    expect((await reins("eval", run)).out).toMatch(/over 4 held-out pairs, accuracy/);
    expect(isRewardFolder(saved)).toBe(true);
    const config = JSON.parse(readFileSync(join(saved, "config.json"), "utf8"));
    expect([config.architectures, config.num_labels]).toEqual([["LlamaForSequenceClassification"], 1]);
    const scorer = await loadRewardModel(saved);
    const [good, bad] = scorer.rewards("word 7:", ["yes yes", "no"]);
    expect(good).toBeGreaterThan(bad);
    // The agent of the run has the weights of the folder.
    const agent = await load(run);
    expect((await agent.evaluate(4)).pairs!.accuracy).toBe(1);
    expect(() => agent.act("word")).toThrow("a reward model scores texts and writes none");
    // A reward model is a start too, and keeps its head.
    const more = ["train", "reward", file, "--model", saved, ...common, "--no-save", "--eval-episodes", "4"];
    const continued = await reins(...more, "--learning-rate", "0");
    expect(continued.out).toMatch(/Accuracy 1 /);
    expect((await reins(...more, "--env-ensemble", "3")).err).toContain(
      "ensemble is 3, and the reward model of the folder has 1 head",
    );
  });

  it("resumes bit for bit, with an ensemble of heads", { timeout: 120_000 }, async () => {
    const { at, model, file, saved } = place(pairs);
    const options = {
      algorithm: "reward",
      env: file,
      envOptions: { folder: model, epochs: 3, ensemble: 3 },
      evalEpisodes: 4,
    } as const;
    const settings = { batch: 6, learningRate: 1e-3, validateEvery: 3 };
    const whole = await train({ ...options, settings, steps: 400, saveModel: saved });
    expect(whole.run.metrics["preference/disagreement"]).toBeGreaterThan(0);
    expect(whole.return.pairs!.disagreement).toBeGreaterThan(0);
    const path = join(at, "run");
    await train({ ...options, settings, steps: 200, directory: path });
    const resumed = await resume(path, { steps: 400, evalEpisodes: 4 });
    expect({ ...resumed.run.metrics }).toEqual({ ...whole.run.metrics });
    expect(weightsOf(resumed.run)).toEqual(weightsOf(whole.run));
    // The folder has a label for each head, and aggregates agree with them.
    const { heads } = await loadReward(saved);
    expect(heads).toBe(3);
    const text = ["word 1:", ["yes yes"]] as const;
    const scorer = await loadRewardModel(saved);
    const [{ members }] = scorer.score([scorer.encode("word 1:", "yes yes")]);
    const by = async (aggregate: "mean" | "minimum" | "mean-deviation") =>
      (await loadRewardModel(saved, { aggregate })).rewards(...text)[0];
    const mean = members.reduce((a, b) => a + b, 0) / 3;
    expect(await by("mean")).toBeCloseTo(mean, 6);
    expect(await by("minimum")).toBe(Math.min(...members));
    const deviation = Math.sqrt(members.reduce((s, x) => s + (x - mean) ** 2, 0) / 3);
    expect(await by("mean-deviation")).toBeCloseTo(mean - deviation, 6);
    // Folders form an ensemble of all their heads.
    const both = await loadRewardModel([saved, saved], { aggregate: "minimum" });
    expect(both.score([both.encode("word 1:", "yes yes")])[0].members).toHaveLength(6);
  });
});

/** A tiny reward model that prefers `aa` to `b`, saved to a folder. */
async function tinyReward(to: string, lines: readonly object[] = letters) {
  const agent = await train({
    algorithm: "reward",
    env: dataset(lines as Parameters<typeof dataset>[0] & object),
    envOptions: { layers: 1, width: 16, heads: 2 },
    settings: { batch: 8, learningRate: 5e-3 },
    steps: 3000,
    evalEpisodes: 10,
    saveModel: to,
  });
  return agent;
}

const letters = Array.from({ length: 24 }, (_, i) => ({
  prompt: `${"abc"[i % 3]}${"abc"[(i >> 2) % 3]}${i % 10}:`,
  chosen: i % 2 ? "aa" : "aab",
  rejected: i % 2 ? "b" : "bb",
  ...(i % 5 === 0 ? { margin: 0.5 } : {}),
}));

describe("a reward model as a judge", () => {
  it("rewards the completions of any method, on the command line and in code", {
    timeout: 180_000,
  }, async () => {
    const at = folder();
    const saved = join(at, "reward-model");
    const agent = await tinyReward(saved);
    expect(agent.return.mean).toBe(1);
    const prompts = join(at, "prompts.jsonl");
    writeFileSync(
      prompts,
      jsonLines(Array.from({ length: 8 }, (_, i) => ({ prompt: `${"abc"[i % 3]}${i}:` }))),
    );
    // A policy with another tokenizer: it knows more characters.
    const demonstrations = join(at, "shown.jsonl");
    writeFileSync(
      demonstrations,
      jsonLines(
        Array.from({ length: 30 }, (_, i) => ({
          prompt: `${"abc"[i % 3]}${i % 10}:`,
          completion: ["a", "b", "ab", "ba", "bb", "aa"][i % 6],
        })),
      ),
    );
    const policy = join(at, "policy");
    await train({
      algorithm: "sft",
      env: demonstrations,
      envOptions: { layers: 1, width: 16, heads: 2 },
      steps: 3000,
      evalEpisodes: 0,
      saveModel: policy,
    });
    const run = join(at, "run");
    const trained = await reins(
      ...["train", "grpo", prompts, "--model", policy, "--reward-model", saved, "--env-max-tokens", "3"],
      ...["--groups", "4", "--group-size", "4", "--learning-rate", "3e-3", "--steps", "800"],
      ...["--directory", run, "--eval-episodes", "8"],
    );
    expect([trained.code, trained.err]).toEqual([0, ""]);
    const rows = readFileSync(join(run, "metrics.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row));
    expect(rows[rows.length - 1]["reward/mean"]).toBeGreaterThan(rows[0]["reward/mean"] + 0.5);
    expect(JSON.parse(readFileSync(join(run, "config.json"), "utf8")).judge).toBe(`reward-model:${saved}`);
    // The run finds its reward model again, and an ensemble of folders works in code.
    expect((await (await load(run)).evaluate(8)).mean).toBeGreaterThan(0);
    const judge = judges.rewardModel([saved, saved], { aggregate: "minimum" });
    const coded = await train({
      algorithm: "grpo",
      env: dataset(prompts, { judge }),
      envOptions: { folder: policy, maxTokens: 3 },
      settings: { groups: 4, groupSize: 4 },
      steps: 60,
      evalEpisodes: 4,
    });
    expect(Number.isFinite(coded.return.mean)).toBe(true);
    expect(coded.run.metrics["reward/disagreement"]).toBe(0);
  });

  it("refuses other folders and texts that it cannot read", { timeout: 120_000 }, async () => {
    const { at, model } = place(pairs);
    const prompts = join(at, "prompts.jsonl");
    writeFileSync(prompts, jsonLines([{ prompt: "1+1=" }]));
    const wrong = async (...flags: string[]) =>
      (await reins("train", "grpo", prompts, "--model", model, "--no-save", ...flags)).err;
    expect(await wrong("--reward-model", model)).toContain("this is not the folder of a reward model");
    expect(await wrong("--reward-model", join(at, "nowhere"))).toContain(
      "this is not the folder of a reward model",
    );
    expect(await wrong("--reward-aggregate", "minimum")).toContain("--reward-aggregate needs --reward-model");
    expect(await wrong("--reward-model", model, "--judge", "exact")).toContain("are alternatives");
    expect(() => judges.rewardModel(model)).toThrow("is not the folder of a reward model");
    const saved = join(at, "letters");
    await tinyReward(saved);
    const scorer = await loadRewardModel(saved);
    expect(() => scorer.rewards("ab1:", ["xyz"])).toThrow(/it has no tokens for .*x/);
    expect(() => scorer.rewards("ab1:", ["a".repeat(100)])).toThrow(/a text has \d+ tokens, and the context/);
    await expect(loadRewardModel(saved, { aggregate: "median" as "mean" })).rejects.toThrow(
      'aggregate is "median"; it must be one of mean, minimum, mean-deviation',
    );
    expect(await wrong("--reward-model", saved, "--reward-aggregate", "median")).toContain(
      'aggregate is "median"',
    );
    await expect(judges.rewardModel(saved)("xyz", { prompt: "ab1:" } as never)).rejects.toThrow(
      "no tokens for",
    );
  });
});

describe("a process reward model", () => {
  it("scores every step, and is a judge", { timeout: 120_000 }, async () => {
    const words = ["one", "two", "three"];
    const steps = Array.from({ length: 48 }, (_, i) => {
      const labels = [i & 1, i & 2, ...(i & 4 ? [i & 8] : [])].map(Boolean);
      const completions = labels.map((right, s) => `${right ? "yes" : "no"} ${words[s]}`);
      return { prompt: `task ${i}:`, completions, labels };
    });
    const { at, model, file, saved } = place(steps);
    const common = ["--model", model, "--lora", "4", "--batch", "6", "--env-epochs", "4"];
    const run = join(at, "run");
    const { code, out, err } = await reins(
      ...["train", "process-reward", file, ...common, "--learning-rate", "5e-3"],
      ...["--directory", run, "--save-model", saved],
    );
    expect([code, err]).toEqual([0, ""]);
    // Five held-out completions of two or three steps.
    expect(out).toMatch(/Accuracy 1 .* over 1[0-5] held-out pairs/);
    const scorer = await loadRewardModel(saved);
    const rewards = scorer.stepRewards("task 7:", ["yes one", "no two", "yes three"]);
    expect(rewards.map((r) => r > 0)).toEqual([true, false, true]);
    const problem = { prompt: "task 7:", answer: "", data: {}, level: 1 };
    const judge = judges.processReward(saved);
    const [good, bad] = [await judge("yes one\nyes two", problem), await judge("yes one\nno two", problem)];
    expect([(good as number) > 0.5, (bad as number) < 0.5]).toEqual([true, true]);
    expect(await judges.processReward(scorer, { over: "last" })("no one\nyes two", problem)).toBeGreaterThan(
      0.5,
    );
    expect(await judge("", problem)).toBe(0);
    writeFileSync(file, jsonLines(pairs));
    expect((await reins("train", "process-reward", file, ...common, "--no-save")).err).toContain(
      "it has no labelled steps, from which process-reward learns; it has preference",
    );
  });
});

describe("bad input of reward models", () => {
  it("is named with its file and line", { timeout: 120_000 }, async () => {
    const { at, model, file } = place([
      ...pairs.slice(0, 6),
      { prompt: "a:", chosen: "yes" },
      { prompt: "a:", chosen: "yes", rejected: "yes" },
      { prompt: "a:", chosen: "yes", rejected: "no", margin: "big" },
    ]);
    const common = ["--model", model, "--no-save", "--eval-episodes", "1", "--env-test", "0"];
    const { err, code } = await reins("train", "reward", file, ...common);
    expect(code).toBe(0);
    expect(err).toContain("3 of 9 lines are left out.");
    expect(err).toContain(`${file}, line 7: the line has no rejected`);
    const checked = await reins("data", "check", file);
    for (const fault of ["chosen and rejected are equal", "margin is"]) expect(checked.out).toContain(fault);
    const refused = async (lines: readonly object[], ...flags: string[]) => {
      writeFileSync(file, jsonLines(lines));
      return (await reins("train", "reward", file, ...common, ...flags)).err;
    };
    expect(await refused([{ prompt: "1+1=", completion: "2" }])).toContain(
      "it has no compared completions, from which reward learns; it has completion",
    );
    const ranking = { prompt: "a:", completions: ["x", "y", "z"], scores: [2, 1, 0] };
    expect(await refused([ranking, ranking], "--accumulate", "2")).toContain("a ranking has 3 completions");
    expect(await refused([{ ...ranking, scores: [2, 1, 1e400] }, ranking])).toContain("scores[2] is");
    expect(await refused(pairs, "--lora", "2", "--save-adapters", join(at, "adapters"))).toContain(
      "the adapters of a reward model are not written alone",
    );
    expect((await reins("train", "dpo", file, ...common, "--env-ensemble", "2")).err).toContain(
      "ensemble is for reward models",
    );
    expect((await reins("train", "reward", "CartPole-v1")).err).toContain(
      "CartPole-v1 has no compared completions",
    );
    expect(existsSync(join(at, "adapters"))).toBe(false);
  });
});
