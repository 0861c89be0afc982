import {
  box,
  discrete,
  type Env,
  Run,
  type RunOptions,
  type Snapshot,
  type StepEnvironment,
} from "@reins/core";
import { evaluate } from "@reins/core/evaluations";
import { vectorise } from "@reins/core/forms";
import { defaultRng } from "@reins/core/random";
import { leaves, type Tensor, type Tree } from "@reins/tensor";

/** A place for copies of an environment. */
export const sourceOf = (make: () => Env): StepEnvironment => ({
  spec: make().spec,
  make: (rows) => vectorise(make, rows),
});

/**
 * A corridor of five cells, starting in the middle: reaching the right end (action 1) gives `prize` and
 * terminates; leaving on the left gives 0.
 */
export function corridor(prize = 1, options: { masked?: boolean } = {}): StepEnvironment {
  return sourceOf(() => {
    let place = 2;
    const see = () => Float32Array.from({ length: 5 }, (_, i) => (i === place ? 1 : 0));
    return {
      spec: { id: "Corridor-v0", observation: box([5], 0, 1), action: discrete(2), maxSteps: 20 },
      reset() {
        place = 2;
        return { observation: see() };
      },
      step(action) {
        place += action === 1 ? 1 : -1;
        const terminated = place < 0 || place > 4;
        const reward = place > 4 ? prize : 0;
        place = Math.max(0, Math.min(4, place));
        return { observation: see(), reward, terminated, truncated: false };
      },
      // Where right is masked, only left is allowed.
      ...(options.masked ? { mask: () => [1, 0] } : {}),
      save: (): Snapshot => place,
      restore: (from) => {
        place = from as number;
      },
    };
  });
}

/** One step: output the observed number. The reward is minus the squared error, times `scale`. */
export function aim(scale = 1): StepEnvironment {
  return sourceOf(() => {
    let rng = defaultRng(0);
    let goal = 0;
    const next = () => ({ observation: Float32Array.of((goal = rng.random() * 2 - 1)) });
    return {
      spec: { id: "Aim-v0", observation: box([1], -1, 1), action: box([1], -2, 2) },
      reset({ seed } = {}) {
        if (seed !== undefined) rng = defaultRng(seed);
        return next();
      },
      step(action) {
        const off = (action as ArrayLike<number>)[0] - goal;
        return { ...next(), reward: -scale * off * off, terminated: true, truncated: false };
      },
      save: (): Snapshot => ({ goal, rng: rng.save() }),
      restore(from) {
        const s = from as { goal: number; rng: Uint32Array };
        goal = s.goal;
        rng.restore(s.rng);
      },
    };
  });
}

/** Reward 1 per step without termination, truncated after three steps. The value of every state is 1 / (1 - γ). */
export function endless(action: "box" | "discrete"): StepEnvironment {
  return sourceOf(() => ({
    spec: {
      id: "Endless-v0",
      observation: box([1], 0, 1),
      action: action === "box" ? box([1], -1, 1) : discrete(2),
      maxSteps: 3,
    },
    reset: () => ({ observation: Float32Array.of(1) }),
    step: () => ({ observation: Float32Array.of(1), reward: 1, terminated: false, truncated: false }),
    save: (): Snapshot => 0,
    restore() {},
  }));
}

/** A run that has used up its steps. */
export function trained(options: RunOptions): Run {
  const run = new Run(options);
  run.advance();
  return run;
}

/** Mean return of the learned policy, without exploration. */
export const score = (run: Run, episodes = 20): number => evaluate(run, undefined, { episodes }).mean;

/** All learned state and metrics of a run, as plain numbers. */
export function fingerprint(run: Run): unknown {
  const numbers = (t: Tree) => leaves(t).map((x: Tensor) => [...x.data]);
  return { steps: run.steps, metrics: { ...run.metrics }, state: numbers(run.process.parts.state as Tree) };
}
