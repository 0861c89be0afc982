import { readFileSync } from "node:fs";
import { columns } from "@reins/core/spaces";
import type { Tensor } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { make } from "../registry.ts";

interface Step {
  readonly action: number | number[];
  readonly observation: number[];
  readonly reward: number;
  readonly terminated: boolean;
}
interface Trajectory {
  readonly seed: number;
  readonly observation: number[];
  readonly steps: readonly Step[];
}

const file = new URL("../../../../fixtures/gymnasium/box2d.json", import.meta.url);
const { trajectories }: { trajectories: Record<string, Trajectory[]> } = JSON.parse(
  readFileSync(file, "utf8"),
);

const distance = (a: Tensor, b: readonly number[]) =>
  b.reduce((most, x, i) => Math.max(most, Math.abs(x - a.data[i])), 0);

/**
 * The largest differences from Gymnasium: of the initial observation, and of observations and rewards after each
 * step.
 */
function differences(id: string, { seed, observation, steps }: Trajectory) {
  const env = make(id);
  const seen = env.observation as Tensor;
  const action = columns(env.spec.action, 1) as Tensor;
  env.reset({ seed });
  const first = distance(seen, observation);
  const later = steps.map((step) => {
    action.set([step.action].flat());
    env.step(action);
    expect(env.terminated.data[0]).toBe(step.terminated ? 1 : 0);
    return {
      observation: distance(step.terminated ? (env.final as Tensor) : seen, step.observation),
      reward: Math.abs(env.reward.data[0] - step.reward),
    };
  });
  return { first, later };
}

describe.each(Object.keys(trajectories))("%s", (id) => {
  test.each(trajectories[id])("starts as in Gymnasium with seed $seed", (trajectory) => {
    expect(differences(id, { ...trajectory, steps: [] }).first).toBeLessThan(1e-5);
  });
});

test.each(trajectories["LunarLander-v3"])(
  "a lander follows Gymnasium's trajectory with seed $seed",
  (trajectory) => {
    for (const { observation, reward } of differences("LunarLander-v3", trajectory).later) {
      expect(observation).toBeLessThan(2e-5);
      expect(reward).toBeLessThan(2e-4);
    }
  },
);

// Gymnasium's worlds persist across resets, and the order in which contacts are solved depends on earlier ones: a
// new Gymnasium environment does not repeat the third trajectory either. Later a foot that touches or does not
// decides, in single precision.
test.each(trajectories["BipedalWalker-v3"].slice(0, 2))(
  "a walker follows Gymnasium's trajectory with seed $seed",
  (trajectory) => {
    const steps = trajectory.steps.slice(0, 48);
    for (const { observation, reward } of differences("BipedalWalker-v3", { ...trajectory, steps }).later) {
      expect(observation).toBeLessThan(1e-3);
      expect(reward).toBeLessThan(1e-3);
    }
  },
);
