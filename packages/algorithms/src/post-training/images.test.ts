import { phases, Run } from "@reins/core";
import { characters, newModel, textStage, textTask, withPatches } from "@reins/language";
import { random, setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { grpo } from "../grpo.ts";
import { sft } from "../sft.ts";

setBackend("wasm");

/** Counts the lit cells of a 4 × 4 image. All counts are equally likely: guessing is right one time in ten. */
const lit = textTask<{ count: number }>({
  id: "lit",
  about: "Count the cells that are lit.",
  levels: 1,
  alphabet: "n?0123456789",
  longest: { prompt: 2, answer: 1 },
  make(random) {
    const count = random.integers(10);
    const order = Array.from({ length: 16 }, () => random.random());
    const last = [...order].sort((a, b) => a - b)[count];
    const cells = order.map((x) => (x < last ? 1 : 0));
    return { prompt: "n?", image: { cells, shape: [4, 4, 1] }, answer: `${count}`, data: { count } };
  },
  verify: ({ data }, answer) => ({
    score: answer === `${data.count}` ? 1 : 0,
    wellFormed: /^\d$/.test(answer),
  }),
});
const tokenizer = characters(lit.alphabet);
const vocabulary = tokenizer.size + 1;

/** A run of imitation, then of reinforcement, on images. */
function runOf(imitated: number, reinforced: number) {
  const base = newModel(
    { layers: 1, width: 32, heads: 2, context: 16, vocabulary, style: "llama", deviation: 0.1 },
    random.key(1),
  );
  const start = withPatches(
    base,
    { patch: [2, 2], channels: 1, token: tokenizer.size, grid: [2, 2], hidden: 32 },
    random.key(2),
  );
  const stage = textStage({ task: lit, level: 1, start, tokenizer });
  const spec = { id: "lit", observation: { kind: "text" }, action: { kind: "text" } } as never;
  return new Run({
    algorithm: phases("both", [
      { algorithm: sft({ batch: 64, learningRate: 5e-3 }), steps: imitated },
      {
        algorithm: grpo({ learningRate: 3e-4, groups: 8, groupSize: 8, epochs: 1, klWeight: 0.01 }),
        steps: reinforced,
      },
    ]),
    env: { spec, stage },
    steps: imitated + reinforced,
    seed: 1,
  });
}

describe("a problem with an image", () => {
  it("is learned by imitation, generalises to unseen images, and is then reinforced", async () => {
    const imitated = 64 * 2 * 120;
    const run = runOf(imitated, 8 * 8 * 2 * 12);
    const { stage } = run.options.env;
    const score = async () => (await stage!.evaluate(run.process.acting!.weights, { episodes: 200 })).mean;
    expect(await score()).toBeLessThan(0.2);
    while (run.steps < imitated) await run.round();
    expect(await score()).toBeGreaterThan(0.6);
    while (run.steps < run.options.steps) {
      const metrics = await run.round();
      expect(Math.abs(metrics["policy/kl"])).toBeLessThan(1e-4);
      for (const value of Object.values(metrics)) expect(Number.isFinite(value)).toBe(true);
    }
    expect(await score()).toBeGreaterThan(0.6);
  });
});
