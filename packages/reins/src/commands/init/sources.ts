/** The sources of a new project: an environment, its test and its training. */

/** Import path of the environment in the new project; a variable, so that it does not read as an import of this package. */
const envImport = `"./env.ts"`;

export const env = `import { box, discrete, type Env } from "reins";
import { defaultRng } from "reins/core/random";

/** Target temperature of the room, in degrees. */
const target = 20;

/**
 * A room with a heater, in steps of a quarter of an hour. The agent observes the temperatures inside and outside, and turns the heater on or
 * off. The reward of a step is up to 1 near the target temperature, minus a small cost of heating.
 */
export class Thermostat implements Env<number[], number> {
  readonly spec = {
    id: "Thermostat-v0",
    // The observation and action spaces, which checkEnv tests.
    observation: box([2], -5, 5),
    action: discrete(2),
    maxSteps: 96,
  };
  private state = { inside: target, outside: 5, steps: 0 };
  // All randomness comes from this generator, so that equal seeds give equal episodes.
  private rng = defaultRng(0);

  reset({ seed }: { seed?: number } = {}) {
    if (seed !== undefined) this.rng = defaultRng(seed);
    this.state = { inside: 10 + 15 * this.rng.random(), outside: 15 * this.rng.random(), steps: 0 };
    return { observation: this.observe() };
  }

  step(action: number) {
    const { inside, outside, steps } = this.state;
    if (steps >= this.spec.maxSteps) throw new Error("The day is over: call reset().");
    const warmer = inside + 0.1 * (outside - inside) + 2.5 * action;
    const weather = Math.min(20, Math.max(-5, outside + this.rng.random() - 0.5));
    this.state = { inside: warmer, outside: weather, steps: steps + 1 };
    return {
      observation: this.observe(),
      reward: 1 - Math.min(1, Math.abs(warmer - target) / 5) - 0.05 * action,
      // The time limit ends the episode, not the task itself: truncated, not terminated.
      terminated: false,
      truncated: this.state.steps >= this.spec.maxSteps,
    };
  }

  render() {
    const { inside, outside } = this.state;
    return \`inside \${inside.toFixed(1)}, outside \${outside.toFixed(1)}\`;
  }

  /** All state that the next step depends on, so that stopped runs resume exactly. */
  save() {
    return { state: { ...this.state }, rng: this.rng.save() };
  }

  restore(from: unknown) {
    const { state, rng } = from as ReturnType<Thermostat["save"]>;
    this.state = { ...state };
    this.rng.restore(rng);
  }

  private observe() {
    const { inside, outside } = this.state;
    return [(inside - target) / 10, outside / 10];
  }
}

/** For the command line: reins train ppo ./dist/env.js */
export default () => new Thermostat();
`;

export const test = `import assert from "node:assert/strict";
import { test } from "node:test";
import { checkEnv } from "reins";
import { showFinding } from "reins/envs";
import { Thermostat } from ${envImport};

test("passes checkEnv", () => {
  const findings = checkEnv(() => new Thermostat());
  assert.deepEqual(findings.map(showFinding), []);
});

/** The temperatures of a day on which the heater runs every third step. */
function day(seed: number): number[] {
  const env = new Thermostat();
  env.reset({ seed });
  return Array.from({ length: 96 }, (_, i) => env.step(i % 3 === 0 ? 1 : 0).observation[0]);
}

test("equal seeds and actions give equal episodes, other seeds others", () => {
  assert.deepEqual(day(7), day(7));
  assert.notDeepEqual(day(7), day(8));
});

test("heating makes it warmer", () => {
  const [cold, warm] = [new Thermostat(), new Thermostat()];
  for (const env of [cold, warm]) env.reset({ seed: 1 });
  assert.ok(warm.step(1).observation[0] > cold.step(0).observation[0]);
});
`;

export const train = `import { writeFile } from "node:fs/promises";
import { ppo, train } from "reins";
import { exportModule } from "reins/tools";
import { Thermostat } from ${envImport};

// npm run train -- 10000 trains for a shorter time.
const steps = Number(process.argv[2] ?? 60_000);

const agent = await train({
  algorithm: ppo({ envs: 8, steps: 96, hidden: [32, 32], learningRate: 1e-3 }),
  env: () => new Thermostat(),
  steps,
  seed: 1,
  // Metrics, checkpoints and the agent: npx reins runs, npx reins runs plot.
  directory: "runs/thermostat",
  overwrite: true,
  // Print progress.
  progress: true,
  // Evaluations during and after training; some episodes are recorded: npx reins studio.
  evalEpisodes: 20,
  evalEvery: 20_000,
});

const { mean, interval, count } = await agent.evaluate(100, { seed: 2 });
const [low, high] = interval.map((x) => x.toFixed(2));
console.log(\`return \${mean.toFixed(2)} over \${count} evaluation days, 95% CI [\${low}, \${high}]\`);

// A module without imports, for a web page or a service: import { act } from "./act.js".
const { code, types } = await exportModule(agent);
await writeFile("act.js", code);
await writeFile("act.d.ts", types);
console.log(\`act.js has \${code.length} bytes\`);
`;
