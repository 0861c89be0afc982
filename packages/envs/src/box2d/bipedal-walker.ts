import { box, type EnvSpec, type VectorEnv } from "@reins/core";
import type { Generator } from "@reins/core/random";
import type { BatchedOptions } from "../batch-form.ts";
import { SceneEnv } from "../scenes/scene-env.ts";
import { rays } from "./lidar.ts";
import { planckFor } from "./planck.ts";
import { Walk } from "./walk.ts";

/** Options of a walker. */
export interface BipedalWalkerOptions extends BatchedOptions {
  /** Stumps, stairs and pits as obstacles. */
  readonly hardcore?: boolean;
}

const parts = ["first hip", "first knee", "second hip", "second knee"];
const legLabels = (leg: string) => [
  ...[`${leg} hip angle`, `${leg} hip velocity`, `${leg} knee angle`, `${leg} knee velocity`],
  `${leg} foot contact`,
];
const labels = {
  observation: [
    ...["hull angle", "hull angular velocity", "x velocity", "y velocity"],
    ...legLabels("first"),
    ...legLabels("second"),
    ...Array.from({ length: rays }, (_, i) => `lidar ${i + 1}`),
  ],
  action: parts.map((part) => `${part} motor`),
};

/**
 * Walk to the right on two legs with four motors, without falling and with little effort. Observations are the
 * hull's angle and velocities, the joints, the foot contacts, and the distances of ten lidar rays.
 */
export function bipedalWalker(options: BipedalWalkerOptions & { readonly id?: string } = {}): VectorEnv {
  const { hardcore = false } = options;
  const { id = hardcore ? "BipedalWalkerHardcore-v3" : "BipedalWalker-v3" } = options;
  const leg = [Math.PI, 5, Math.PI, 5, 5];
  const high = [Math.PI, 5, 5, 5, ...leg, ...leg, ...Array<number>(rays).fill(1)];
  const low = high.map((h, i) => (i === 8 || i === 13 ? 0 : -h));
  const spec: EnvSpec = {
    id,
    observation: box([24], low, high),
    action: box([4], -1, 1),
    labels,
    maxSteps: hardcore ? 2000 : 1600,
    solvedAt: 300,
  };
  const begin = (random: Generator) => new Walk(planckFor(id), random, hardcore);
  return new SceneEnv(spec, { ...options, parameters: {}, begin });
}
