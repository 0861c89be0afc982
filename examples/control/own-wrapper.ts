/**
 * Wrappers: those that ship, by name, and one of your own around a vector of environments.
 *
 *     npx vite-node examples/control/own-wrapper.ts [--quick]
 */

import { make, ppo, train, type VectorEnv } from "reins";
import { Wrapper } from "reins/envs";

const quick = process.argv.includes("--quick");

/** Pays for standing upright in the middle as well: what is rewarded changes, what counts does not. */
class Centred extends Wrapper {
  protected override after(): void {
    const [position, reward] = [leaf(this.observation), this.reward.data];
    for (let row = 0; row < this.rows; row++) reward[row] -= 0.1 * Math.abs(position[4 * row]);
  }
}

const leaf = (observation: VectorEnv["observation"]) => (observation as { data: Float32Array }).data;

const agent = await train({
  algorithm: ppo({ envs: 16, steps: 64, learningRate: 1e-3 }),
  env: (rows) => new Centred(make("CartPole-v1", { rows })),
  wrappers: ["normaliseObservation"],
  steps: quick ? 4000 : 150_000,
  evalEpisodes: 20,
});
// Returns are the environment's own, whatever wrappers pay.
console.log(`It balances for ${agent.return.mean.toFixed(0)} steps.`);
