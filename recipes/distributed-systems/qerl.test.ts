import type { Episode, EpisodeSource, RolloutInput, Stage } from "@reins/core";
import { Statistics } from "@reins/core/metrics";
import { characters, newModel, textStage } from "@reins/language";
import type { GptParams } from "@reins/nn";
import { random, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { sumsTask } from "../testbeds/sums.ts";
import { noiseAt, quantise, quantisedRollouts } from "./qerl.parts.ts";

it("rounds to the magnitudes of four bits, by block and output", () => {
  // The first output has the scale 1, the second 0.5.
  const values = tensor([6, 3, -2.4, 0.3, 4.9, -1.2, 0.2, 0]).reshape([4, 2]);
  quantise(values);
  expect([...values.data]).toEqual([6, 3, -2, 0.25, 4, -1, 0, 0]);
  const long = tensor(Float32Array.from({ length: 32 }, (_, i) => (i < 16 ? 6 : 0.06))).reshape([32, 1]);
  quantise(long);
  expect(long.data[31]).toBeCloseTo(0.06, 6);
});

it("decays the noise from 0.01 to 0.0001 after the first tenth", () => {
  expect([0, 0.05, 0.1, 0.95, 1].map(noiseAt)).toEqual([0, 0, 0.01, 0.0001, 0.0001]);
  expect(noiseAt(0.55)).toBeCloseTo(0.001, 9);
});

it("samples from a changed copy, and leaves the policy as it is", () => {
  const tokenizer = characters(sumsTask.alphabet);
  const size = { layers: 1, width: 8, heads: 2, context: 32, vocabulary: tokenizer.size } as const;
  const start = newModel({ ...size, style: "llama" }, random.key(1));
  const { policy } = textStage({ task: sumsTask, level: 1, start, tokenizer, rows: 8 });
  const weights = start.params;
  let seen!: GptParams;
  let steps = 0;
  const play = (input: RolloutInput): EpisodeSource => ({
    get steps() {
      return steps;
    },
    next(): readonly Episode[] {
      seen = input.weights as GptParams;
      steps += 9000;
      return [];
    },
    save: () => null,
    restore: () => {},
  });
  const input: RolloutInput = {
    policy,
    weights,
    task: { next: () => [] },
    statistics: new Statistics(),
    key: random.key(2),
    version: () => 0,
  };
  const source = quantisedRollouts({ play } as Stage, true)(input);
  const before = [...weights.blocks[0].norm1.scale.data];
  source.next();
  expect([...seen.blocks[0].norm1.scale.data]).toEqual(before);
  source.next();
  expect([...seen.blocks[0].norm1.scale.data]).not.toEqual(before);
  expect([...weights.blocks[0].norm1.scale.data]).toEqual(before);
  expect(seen.tokens.table.data).toEqual(weights.tokens.table.data);
  const copied = tensor(Float32Array.from(weights.blocks[0].feedForward.down.weight.data), {
    shape: weights.blocks[0].feedForward.down.weight.shape,
  });
  quantise(copied);
  expect(seen.blocks[0].feedForward.down.weight.data).toEqual(copied.data);
});
