import { type Algorithm, type Episode, phases, Run, withSettings } from "@reins/core";
import { makers } from "@reins/core/episodes";
import { episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { Statistics } from "@reins/core/metrics";
import { adam } from "@reins/nn";
import { random, type Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { newModel } from "../models/language-model.ts";
import { answerOf } from "../rollouts/text-episode.ts";
import { verifier } from "../rollouts/verifier.ts";
import { textTask } from "../tasks/text-task.ts";
import { characters } from "../tokenizers/characters.ts";
import { textStage } from "./stage.ts";

/** Write the requested letter: learned in seconds. */
const copying = textTask<{ letter: string }>({
  id: "copying",
  about: "Copy a letter.",
  levels: 1,
  alphabet: "abcdefgh:0123456789",
  longest: { prompt: 5, answer: 1 },
  make(random) {
    const letter = "abcdefgh"[random.integers(8)];
    return { prompt: `${random.integers(100)}:${letter}`, answer: letter, data: { letter } };
  },
  verify: ({ data }, answer) => ({ score: answer === data.letter ? 1 : 0, wellFormed: answer.length === 1 }),
});
const tokenizer = characters(copying.alphabet);
const start = newModel(
  { layers: 1, width: 16, heads: 2, context: 16, vocabulary: tokenizer.size, style: "llama" },
  random.key(1),
);
const stage = textStage({ task: copying, level: 1, start, tokenizer });
const spec = { id: "copying", observation: { kind: "text" }, action: { kind: "text" } } as never;
const env = { spec, stage };

/** A minimal algorithm on the stage, without options. */
const method = (name: string, parts: (count: () => number) => object): Algorithm => ({
  name,
  options: {},
  start(context) {
    let seed = 0;
    const task = {
      next: () =>
        Array.from({ length: 16 }, () => ({
          key: "problem",
          seed: seed++,
          groupSize: name === "imitation" ? 1 : 4,
        })),
      save: () => seed,
      restore: (from: unknown) => (seed = from as number),
    };
    const common = {
      name,
      policy: stage.policy,
      judge: stage.judge,
      task,
      optimiser: adam({}),
      learningRate: 1e-2,
      clipNorm: 1,
      epochs: 1,
      minibatches: 1,
      normalise: "none" as const,
    };
    return withSettings(episodic({ ...common, ...parts(() => seed) } as never, context), {});
  },
});
const imitation = method("imitation", () => ({
  rollout: stage.demonstrations,
  from: "teacher",
  target: () => ({}),
  loss: losses.behaviourCloning(),
}));
const reinforcement = method("reinforcement", () => ({
  rollout: stage.play,
  target: (batch: { columns: { by: Tensor } }) => ({
    advantage: new Float32Array(batch.columns.by.size).fill(1),
  }),
  loss: losses.policyGradient({ ratio: losses.unclipped }),
}));

describe("a language model in the shared training loop", () => {
  it("learns from a teacher to solve unseen problems", async () => {
    const run = new Run({
      algorithm: phases("both", [
        { algorithm: imitation, steps: 10_000 },
        { algorithm: reinforcement, steps: 1 },
      ]),
      env,
      steps: 10_001,
    });
    await run.advanceAsync();
    expect(run.metrics["reward/mean"]).toBeGreaterThan(0.9);
  });

  it("has the same probabilities in training as in generation", async () => {
    const run = new Run({ algorithm: reinforcement, env, steps: 1000, seed: 2 });
    for (let i = 0; i < 3; i++) {
      const metrics = await run.round();
      expect(Math.abs(metrics["policy/kl"])).toBeLessThan(1e-5);
      expect(metrics["policy/ratio"]).toBeCloseTo(1, 3);
    }
  });

  it("stops and resumes without a difference", async () => {
    const fresh = () => new Run({ algorithm: reinforcement, env, steps: 10_000, seed: 3 });
    const whole = fresh();
    for (let i = 0; i < 4; i++) await whole.round();
    const first = fresh();
    for (let i = 0; i < 2; i++) await first.round();
    const second = fresh();
    second.restore(first.save());
    for (let i = 0; i < 2; i++) await second.round();
    expect({ ...second.metrics }).toEqual({ ...whole.metrics });
  });

  it("records the author of each token, and learns from its own only", async () => {
    const playing = {
      policy: stage.policy,
      weights: start.params as never,
      task: { next: () => [{ key: "p", seed: 5, groupSize: 2 }] },
      statistics: new Statistics(),
      key: random.key(0),
    };
    const episodes = await stage.play(playing).next();
    expect(episodes.map((e) => e.group)).toEqual(["0/0", "0/0"]);
    for (const episode of episodes) {
      const { problem } = answerOf(episode);
      const by = [...(episode.columns.by as Tensor).data].map((m) => makers[m]);
      const prompt = tokenizer.encode(problem.prompt).length;
      expect(by.slice(0, prompt - 1).every((m) => m === "environment")).toBe(true);
      expect(by.slice(prompt - 1).every((m) => m === "policy")).toBe(true);
    }
  });

  it("shows the latest answers in every phase; a teacher's answers do not count as success", async () => {
    const run = new Run({
      algorithm: phases("both", [
        { algorithm: imitation, steps: 1 },
        { algorithm: reinforcement, steps: 1 },
      ]),
      env,
      steps: 1000,
    });
    await run.round();
    expect(run.process.inspect!().episodes!.length).toBe(16);
    expect(run.metrics["reward/mean"]).toBe(1);
    expect([run.metrics.episodes, run.metrics["return/mean"]]).toEqual([0, Number.NaN]);
    await run.round();
    const { episodes, passes } = run.process.inspect!();
    expect([episodes!.length, passes, run.metrics.episodes]).toEqual([64, 1, 64]);
    const solved = episodes!.filter(({ episode }) => {
      const { text, problem } = answerOf(episode);
      return text === problem.answer;
    });
    expect(run.metrics["reward/mean"]).toBe(solved.length / 64);
  });

  it("renders problems as configured", async () => {
    const encodePrompt = (prompt: string) => tokenizer.encode(`9${prompt}`);
    const asking = textStage({ task: copying, level: 1, start, tokenizer, encodePrompt });
    const playing = {
      policy: stage.policy,
      weights: start.params as never,
      task: { next: () => [{ key: "p", seed: 5, groupSize: 1 }] },
      statistics: new Statistics(),
      key: random.key(0),
    };
    for (const source of [asking.play(playing), asking.demonstrations!(playing)]) {
      const [episode] = await source.next();
      const { columns } = episode;
      const { prompt } = answerOf(episode).problem;
      const seen = [...(columns.observation as Tensor).data].slice(0, prompt.length + 1);
      expect(tokenizer.decode(seen)).toBe(`9${prompt}`);
    }
    expect(asking.answer(start.params as never, "0:a")).toBe(stage.answer(start.params as never, "90:a"));
  });

  it("counts a verifier that throws or returns NaN as reward 0", async () => {
    const broken = (verify: () => never | { score: number; formed: boolean }) =>
      verifier({ ...copying, verify })([{ answered: { problem: {}, text: "" } } as unknown as Episode], {
        statistics: new Statistics(),
      });
    const nan = await broken(() => ({ score: Number.NaN, formed: true }));
    const thrown = await broken(() => {
      throw new Error("no such table");
    });
    expect([nan[0].reward, thrown[0].reward]).toEqual([0, 0]);
    expect(thrown[0].failed).toBe("no such table");
  });
});

describe("several answers to each problem", () => {
  const { params } = start;
  const how = { episodes: 12, seed: 3, greedy: false };

  it("begin with the single sample, and give pass@k, the majority and confidence", async () => {
    const one = await stage.evaluate(params, how);
    const four = await stage.evaluate(params, { ...how, samples: 4 });
    expect(four.answers).toEqual(one.answers);
    expect([four.count, four.returns.length]).toEqual([12, 12]);
    const { pass, samples, majority, calibration, entropy } = four.measures!;
    expect([samples, pass.length]).toEqual([4, 4]);
    // The fraction of right answers is the mean score here, and more answers find no less.
    expect(pass[0]).toBeCloseTo(four.mean, 12);
    expect([...pass].sort((a, b) => a - b)).toEqual(pass);
    expect(majority).toBeLessThanOrEqual(1);
    // An untrained model: nearly uniform over its tokens.
    expect(entropy).toBeGreaterThan(2);
    expect(entropy).toBeLessThan(Math.log(tokenizer.size));
    expect(calibration).toBeLessThan(0.5);
    expect(one.measures).toMatchObject({ samples: 1, pass: [one.measures!.majority] });
  });

  it("need sampling", async () => {
    await expect(stage.evaluate(params, { ...how, greedy: true, samples: 2 })).rejects.toThrow(
      "task copying: greedy decoding gives 2 identical answers. Set greedy to false.",
    );
    await expect(stage.evaluate(params, { ...how, samples: 0 })).rejects.toThrow("samples is 0");
  });
});
