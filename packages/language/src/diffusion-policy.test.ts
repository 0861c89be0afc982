import { type Algorithm, type Episode, type Judge, Run, withSettings } from "@reins/core";
import { makers } from "@reins/core/episodes";
import { episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import * as targets from "@reins/core/targets";
import { adam, type GptParams } from "@reins/nn";
import { compile, random, type Tensor, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { diffusionPolicy } from "./diffusion-policy.ts";
import { decodingRounds, maskedDiffusion } from "./models/diffusion.ts";

const mask = 5;
const diffusion = maskedDiffusion({ layers: 1, width: 16, heads: 2, context: 16, vocabulary: 6, mask });
const how = { length: 4, perRound: 2 };
const rounds = decodingRounds(how);
const policy = diffusionPolicy({ diffusion, rounds });
const ints = (values: number[][]) => tensor(values, { dtype: "i32" });
const rows = 32;

/** A letter, then four positions to generate. */
const decode = compile((p: GptParams, tokens: Tensor, order: Tensor, key: Tensor) =>
  diffusion.decode(p, tokens, order, how, key),
);
function play(weights: GptParams, count: number): Episode[] {
  const letters = Array.from({ length: rows }, (_, r) => ((r >> 3) + count) % 5);
  const found = decode(
    weights,
    ints(letters.map((l) => [l, 0, 0, 0, 0])),
    ints(letters.map(() => [-1, 1, 1, 1, 1])),
    random.key(count),
  );
  return letters.map((letter, r): Episode => {
    const row = (t: Tensor, dtype: "i32" | "f32") =>
      tensor(t.data.slice(5 * r, 5 * r + 5), { shape: [5], dtype });
    return {
      columns: {
        observation: tensor([letter, mask, mask, mask, mask], { dtype: "i32" }),
        action: row(found.tokens, "i32"),
        trace: row(found.order, "i32"),
        logProb: row(found.logProb, "f32"),
        by: tensor(
          Uint8Array.from({ length: 5 }, (_, i) => makers.indexOf(i ? "policy" : "environment")),
          { dtype: "u8" },
        ),
      },
      segments: [{ from: 0, to: 5 }],
      terminated: true,
      truncated: false,
      return: [],
      group: `${count}/${r >> 3}`,
    };
  });
}

/** Rewards each position with the given letter. */
const judge: Judge = (episodes: readonly Episode[]) =>
  episodes.map(({ columns }) => {
    const [letter, ...written] = (columns.action as Tensor).data;
    return { reward: written.filter((t) => t === letter).length / 4 };
  });

const copying: Algorithm = {
  name: "copying",
  options: {},
  start: (context) =>
    withSettings(
      episodic(
        {
          name: "copying",
          policy,
          judge,
          rollout: ({ weights }) => {
            let count = 0;
            const source = {
              steps: 0,
              next() {
                source.steps += 4 * rows;
                return play(weights as unknown as GptParams, count++);
              },
              save: () => count,
              restore: (from: unknown) => (count = from as number),
            };
            return source;
          },
          target: (batch, rewards) => ({
            advantage: targets.spread(
              targets.groupRelative(rewards, targets.groupsOf(batch), { scale: "std", baseline: "mean" }),
              batch,
            ),
          }),
          loss: losses.policyGradient({ ratio: losses.unclipped }),
          optimiser: adam({}),
          learningRate: 1e-2,
          epochs: 1,
          minibatches: 1,
          normalise: "none",
        },
        context,
      ),
      {},
    ),
};
const env = {
  spec: { id: "copying", observation: { kind: "text" }, action: { kind: "text" } } as never,
  make: () => expect.unreachable(),
};

it("has the same probabilities in training as in decoding, and learns from rewards", async () => {
  const run = new Run({ algorithm: copying, env, steps: 1e6, seed: 1 });
  const earned: number[] = [];
  for (let i = 0; i < 160; i++) {
    const metrics = await run.round();
    if (i < 3) {
      expect(Math.abs(metrics["policy/kl"])).toBeLessThan(1e-5);
      expect(metrics["policy/ratio"]).toBeCloseTo(1, 4);
    }
    earned.push(metrics["reward/mean"]);
  }
  expect(earned[0]).toBeLessThan(0.4);
  expect(earned.slice(-5).every((r) => r > 0.9)).toBe(true);
});

it("counts only generated positions, also in padded batches", () => {
  const weights = policy.init(random.key(3));
  const [episode] = play(weights, 0);
  const { observation, action, trace, logProb } = episode.columns as { [name: string]: Tensor };
  const column = (t: Tensor) =>
    tensor(
      [...t.data, 0, 0].flatMap((x) => [x, 0]),
      { shape: [7, 2], dtype: "i32" },
    );
  const judged = policy.score(weights, {
    view: { observation: column(observation) },
    action: column(action),
    trace: column(trace),
  });
  const found = judged.logProb.data.filter((_: number, i: number) => i % 2 === 0);
  [...logProb.data, 0, 0].forEach((p, i) => expect(found[i]).toBeCloseTo(p, 5));
  expect(
    judged.logProb.data.filter((_: number, i: number) => i % 2 === 1).every((p: number) => p === 0),
  ).toBe(true);
  expect(() =>
    policy.score(weights, { view: { observation: column(observation) }, action: column(action) }),
  ).toThrow("no column `trace`");
});
