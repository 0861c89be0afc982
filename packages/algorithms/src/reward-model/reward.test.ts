import { type EnvSpec, Run, type RunOptions, text } from "@reins/core";
import { rankCorrelation } from "@reins/core/evaluations";
import * as signals from "@reins/core/signals";
import {
  type Candidate,
  characters,
  newModel,
  type RewardParams,
  RewardScorer,
  rewardHead,
  rewardStage,
  sampleProblem,
  textStage,
  textTask,
} from "@reins/language";
import { random, setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { rounds, weightsOf } from "../post-training/testing.ts";
import { dpo } from "../preference/dpo.ts";
import { reward } from "./reward.ts";

setBackend("wasm");

const letters = "abcd";
const values = [1.5, 0.5, -0.5, -1.5];
const utility = (text: string) => [...text].reduce((sum, c) => sum + values[letters.indexOf(c)], 0);

/** Completions of random letters. Pairs are noisy, with the probabilities of the Bradley-Terry model; rankings are exact. */
const task = (count: number) =>
  textTask<object>({
    id: "utilities",
    about: "Write letters.",
    levels: 1,
    alphabet: `${letters}:0123456789`,
    longest: { prompt: 4, answer: 4 },
    make(random) {
      const some = () => Array.from({ length: 4 }, () => letters[random.integers(4)]).join("");
      const texts = Array.from({ length: count }, some);
      const [one, other] = texts;
      const swapped = count === 2 && random.random() < 1 / (1 + Math.exp(utility(one) - utility(other)));
      const candidates: Candidate[] = texts.map((text, i) => ({
        text,
        score: count === 2 ? Number((i === 0) !== swapped) : utility(text),
      }));
      return { prompt: `${100 + random.integers(900)}:`, answer: one, candidates, data: {} };
    },
    verify: () => ({ score: 0 }),
  });

const tokenizer = characters(task(2).alphabet);
const shape = {
  layers: 1,
  width: 16,
  heads: 2,
  context: 16,
  vocabulary: tokenizer.size,
  style: "llama",
} as const;
const spec: EnvSpec = { id: "utilities", observation: text(4), action: text(4) };

function stageOf(count = 2, heads = 1) {
  const start = newModel(shape, random.key(1));
  const model = rewardHead(start, random.key(2), { heads, padding: tokenizer.pad });
  const base = textStage({ task: task(count), level: 1, start, tokenizer });
  return { model, stage: rewardStage(base, { name: "utilities", reward: model, fresh: true }) };
}

function runOf(
  options: object = {},
  { count = 2, heads = 1, ...more }: Partial<RunOptions> & { count?: number; heads?: number } = {},
) {
  const { model, stage } = stageOf(count, heads);
  const algorithm = reward({ batch: 16, learningRate: 5e-3, validation: 20, ...options });
  return { model, run: new Run({ algorithm, env: { spec, stage }, steps: 1_000_000, seed: 3, ...more }) };
}

describe("a reward model", () => {
  it("recovers the utilities behind noisy pairs: rank correlation on held-out prompts of at least 0.95", async () => {
    const learningRate = signals.linear(1e-2, 0);
    const { model, run } = runOf({ batch: 64, learningRate, validation: 0 }, { steps: 150_000 });
    await run.advanceAsync();
    const params = run.process.acting!.weights as RewardParams;
    const scorer = new RewardScorer([{ name: "utilities", model: { ...model, params }, tokenizer }]);
    const held = Array.from({ length: 200 }, (_, i) => sampleProblem(task(2), 1, "test", i));
    const texts = held.flatMap(({ prompt, candidates }) =>
      candidates!.map((c) => ({ prompt, text: c.text })),
    );
    const rewards = scorer.score(texts.map(({ prompt, text }) => scorer.encode(prompt, text)));
    const found = rankCorrelation(
      rewards.map((r) => r.reward),
      texts.map((t) => utility(t.text)),
    );
    expect(found).toBeGreaterThan(0.95);
    const { stage } = stageOf();
    const { pairs, mean } = await stage.evaluate(params, { episodes: 400 });
    // The noise of the labels limits accuracy; probabilities are those of the annotators.
    expect(mean).toBeGreaterThan(0.78);
    expect(pairs!.calibration).toBeLessThan(0.1);
    expect(pairs!.brier).toBeLessThan(0.16);
  });

  it("learns rankings", async () => {
    const { run } = runOf({}, { count: 4 });
    await rounds(run, 60);
    expect(run.metrics["preference/accuracy"]).toBeGreaterThan(0.85);
    expect(run.metrics["validation/accuracy"]).toBeGreaterThan(0.85);
  });

  it("has the same gradient in parts", async () => {
    const [whole, parts] = [runOf(), runOf({ accumulate: 4 })].map((r) => r.run);
    await rounds(whole, 1);
    await rounds(parts, 1);
    for (const name of [
      "gradient/norm",
      "loss/total",
      "preference/accuracy",
      "preference/margin",
      "reward/chosen",
    ])
      expect(parts.metrics[name], name).toBeCloseTo(whole.metrics[name], 4);
  });

  it("stops and resumes without a difference, and differs between seeds", async () => {
    const whole = await rounds(runOf({}, { heads: 2 }).run, 4);
    const first = await rounds(runOf({}, { heads: 2 }).run, 2);
    const second = runOf({}, { heads: 2 }).run;
    second.restore(first.save());
    await rounds(second, 2);
    expect(weightsOf(second)).toEqual(weightsOf(whole));
    expect({ ...second.metrics }).toEqual({ ...whole.metrics });
    const other = await rounds(runOf({}, { heads: 2, seed: 4 }).run, 1);
    const again = await rounds(runOf({}, { heads: 2 }).run, 1);
    expect(weightsOf(other)).not.toEqual(weightsOf(again));
  });

  it("is measured on held-out pairs while it is trained", async () => {
    const { run } = runOf({ validateEvery: 2, patience: 3, learningRate: 0 });
    await rounds(run, 2);
    const { metrics } = run;
    for (const name of ["loss", "accuracy", "margin", "calibration", "brier"])
      expect(Number.isFinite(metrics[`validation/${name}`]), name).toBe(true);
    expect(metrics["validation/examples"]).toBe(40);
    // Without learning, the loss never falls.
    for (let i = 0; i < 12 && !run.process.finished; i++) await rounds(run, 1);
    expect(run.process.finished).toBe(true);
  });

  it("is trained on its own stage only", () => {
    const start = newModel(shape, random.key(1));
    const env = { spec, stage: textStage({ task: task(2), level: 1, start, tokenizer }) };
    expect(() => new Run({ algorithm: reward(), env, steps: 10 })).toThrow(
      "reward trains a reward model, and utilities has a policy",
    );
    const own = { spec, stage: stageOf().stage };
    expect(() => new Run({ algorithm: dpo(), env: own, steps: 10 })).toThrow(
      "utilities has a reward model, and dpo trains a policy",
    );
    expect(() => own.stage.play({} as never)).toThrow("a reward model scores texts and writes none");
  });
});
