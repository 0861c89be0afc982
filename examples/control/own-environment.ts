/**
 * A custom environment: a thermostat that keeps a room warm at low heating cost.
 *
 *     npx vite-node examples/control/own-environment.ts [--quick]
 */

import { box, checkEnv, discrete, type Env, train } from "reins";
import { defaultRng } from "reins/core/random";

const quick = process.argv.includes("--quick");

/** A day in steps of a quarter of an hour. Actions: off, half or full. Observations: temperature inside and outside, and the time. */
class Thermostat implements Env {
  readonly spec = {
    id: "Thermostat-v0",
    observation: box([3], [0, -2, 0], [4, 3, 1]),
    action: discrete(3),
    maxSteps: 96,
  };
  private state = { inside: 18, cold: 0, time: 0 };
  private rng = defaultRng(0);

  private look() {
    const { inside, time } = this.state;
    return [inside / 10, this.outside() / 10, time / 96];
  }

  private outside() {
    const { cold, time } = this.state;
    return 5 + cold + 6 * Math.sin((2 * Math.PI * (time - 30)) / 96);
  }

  reset({ seed }: { seed?: number } = {}) {
    if (seed !== undefined) this.rng = defaultRng(seed);
    this.state = { inside: 15 + 5 * this.rng.random(), cold: -4 * this.rng.random(), time: 0 };
    return { observation: this.look() };
  }

  step(action: unknown) {
    if (this.state.time >= 96) throw new Error("The day is over: call reset().");
    const heat = Number(action) / 2;
    this.state.inside += 0.05 * (this.outside() - this.state.inside) + 1.2 * heat;
    this.state.inside = Math.min(40, Math.max(0, this.state.inside));
    this.state.time++;
    // One degree away from 20 costs as much as two hours of full heating.
    const reward = -Math.abs(this.state.inside - 20) / 8 - heat / 8;
    return { observation: this.look(), reward, terminated: false, truncated: this.state.time >= 96 };
  }

  // For checkpoints: a resumed run continues exactly.
  save() {
    return { ...this.state, rng: this.rng.save() };
  }

  restore(from: unknown) {
    const { rng, ...state } = from as ReturnType<Thermostat["save"]>;
    this.state = { ...state };
    this.rng.restore(rng);
  }
}

const problems = checkEnv(() => new Thermostat());
console.log(problems.length ? problems : "The checker finds nothing wrong with it.");
const agent = await train({
  algorithm: "ppo",
  env: () => new Thermostat(),
  steps: quick ? 5000 : 150_000,
  evalEpisodes: 20,
});
console.log(`A day costs ${(-agent.return.mean).toFixed(1)}.`);
console.log(`At 16 degrees in the cold morning it chooses ${agent.act([1.6, -0.2, 0.3])} of 2.`);
