import type { Setting } from "@reins/core";
import * as signals from "@reins/core/signals";
import { expect, it } from "vitest";
import { grpo } from "../grpo.ts";
import { ppo } from "../ppo.ts";
import { rounds, runOf, weightsOf } from "./testing.ts";

/** Tracks the reward of each task. */
const byTask = (initial: number): Setting =>
  signals.average({ of: "reward", scope: "task", initial, decay: 0.2, scale: initial / 4 });

it.each(["clip", "entropyWeight", "klWeight", "correction", "lengthWeight", "hint"])(
  "grpo on language tasks takes %s per task",
  async (name) => {
    const few = { groups: 2, groupSize: 4, epochs: 2, learningRate: 1e-2 };
    const constant = await rounds(runOf(grpo({ ...few, [name]: 0.5 })), 3);
    const moved = await rounds(runOf(grpo({ ...few, [name]: byTask(0.5) })), 3);
    expect(weightsOf(moved).every(Number.isFinite)).toBe(true);
    expect(weightsOf(moved)).not.toEqual(weightsOf(constant));
  },
);

it.each(["clip", "gamma", "lambda", "valueWeight"])(
  "ppo on language tasks takes %s per task",
  async (name) => {
    const few = { envs: 8, epochs: 2, minibatches: 1, learningRate: 1e-2 };
    const constant = await rounds(runOf(ppo({ ...few, [name]: 0.5 })), 3);
    const moved = await rounds(runOf(ppo({ ...few, [name]: byTask(0.5) })), 3);
    expect(weightsOf(moved).every(Number.isFinite)).toBe(true);
    expect(weightsOf(moved)).not.toEqual(weightsOf(constant));
  },
);
