import {
  type Algorithm,
  box,
  dict,
  discrete,
  type Env,
  image,
  multiBinary,
  Run,
  type Snapshot,
  type StepEnvironment,
  type Value,
} from "@reins/core";
import { vectorise } from "@reins/core/forms";
import { defaultRng } from "@reins/core/random";
import { save } from "@reins/core/snapshots";
import { Tensor } from "@reins/tensor";
import { expect } from "vitest";

const sourceOf = (make: () => Env): StepEnvironment => ({
  spec: make().spec,
  make: (rows) => vectorise(make, rows),
});

/** One step, two arms: the second has reward `pay`, the first `other`. */
export function bandit(pay = 1, other = 0): StepEnvironment {
  return sourceOf(() => ({
    spec: { id: "Bandit-v0", observation: box([1], 0, 1), action: discrete(2), maxSteps: 1 },
    reset: () => ({ observation: Float32Array.of(1) }),
    step: (action) => ({
      observation: Float32Array.of(1),
      reward: action === 1 ? pay : other,
      terminated: true,
      truncated: false,
    }),
    save: (): Snapshot => 0,
    restore() {},
  }));
}

/**
 * A lock of several digits with three choices each: a wrong digit terminates, the last right one has reward 1.
 * Random play opens it in 3⁻ⁿ of the episodes.
 */
export function lock(digits: number): StepEnvironment {
  return sourceOf(() => {
    let place = 0;
    const see = () => Float32Array.from({ length: digits }, (_, i) => (i === place ? 1 : 0));
    return {
      spec: { id: "Lock-v0", observation: box([digits], 0, 1), action: discrete(3), maxSteps: digits },
      reset() {
        place = 0;
        return { observation: see() };
      },
      step(action) {
        const right = action === (place * 2 + 1) % 3;
        if (right) place++;
        const open = place === digits;
        return { observation: see(), reward: open ? 1 : 0, terminated: open || !right, truncated: false };
      },
      save: (): Snapshot => place,
      restore(from) {
        place = from as number;
      },
    };
  });
}

/**
 * A cue is shown, then nothing for two steps, then it must be named: without memory, guessing is optimal. If
 * masked, a third action must be taken while nothing is shown and never otherwise; a masked action is an error.
 */
export function cue({ masked = false } = {}): StepEnvironment {
  return sourceOf(() => {
    let random = defaultRng(0);
    const state = { time: 0, cue: 0 };
    const see = () => Float32Array.of(state.time === 0 ? 2 * state.cue - 1 : 0, state.time === 3 ? 1 : 0);
    const allowed = () => (state.time % 3 === 0 ? [1, 1, 0] : [0, 0, 1]);
    return {
      spec: { id: "Cue-v0", observation: box([2], -1, 1), action: discrete(masked ? 3 : 2) },
      reset({ seed } = {}) {
        if (seed !== undefined) random = defaultRng(seed);
        state.time = 0;
        state.cue = random.integers(2);
        return { observation: see() };
      },
      step(action) {
        if (masked && !allowed()[action as number]) throw new Error(`action ${action} is masked now`);
        const asked = state.time++ === 3;
        const reward = asked && action === state.cue ? 1 : 0;
        return { observation: see(), reward, terminated: asked, truncated: false };
      },
      ...(masked ? { mask: allowed } : {}),
      save: (): Snapshot => ({ ...state, random: random.save() }),
      restore(from) {
        const { random: bits, ...rest } = from as { time: number; cue: number; random: Uint32Array };
        Object.assign(state, rest);
        random.restore(bits);
      },
    };
  });
}

/** One step with a composite action: a choice, a bit and a number, each of which should match the observation. */
export function hybrid(): StepEnvironment {
  return sourceOf(() => {
    let random = defaultRng(0);
    const shown = new Float32Array(2);
    const see = () => {
      shown.set([random.integers(2), random.uniform(-1, 1)]);
      return { observation: shown.slice() };
    };
    return {
      spec: {
        id: "Hybrid-v0",
        observation: box([2], -1, 1),
        action: dict({ choice: discrete(2), bits: multiBinary(1), number: box([1], -2, 2) }),
      },
      reset({ seed } = {}) {
        if (seed !== undefined) random = defaultRng(seed);
        return see();
      },
      step(action: Value) {
        const { choice, bits, number } = action as { choice: number; bits: number[]; number: number[] };
        const off = number[0] - shown[1];
        const reward = (choice === shown[0] ? 1 : 0) + (bits[0] === shown[0] ? 0 : 1) - off * off;
        return { ...see(), reward, terminated: true, truncated: false };
      },
      save: (): Snapshot => ({ shown: shown.slice(), random: random.save() }),
      restore(from) {
        const s = from as { shown: Float32Array; random: Uint32Array };
        shown.set(s.shown);
        random.restore(s.random);
      },
    };
  });
}

/** One step: which side of an image is bright? */
export function bright(): StepEnvironment {
  return sourceOf(() => {
    let random = defaultRng(0);
    let side = 0;
    const see = () => {
      side = random.integers(2);
      const lit = (_: unknown, i: number) => ((i % 36 < 18 ? 0 : 1) === side ? 255 : 0);
      return { observation: Uint8Array.from({ length: 36 * 36 }, lit) };
    };
    return {
      spec: { id: "Bright-v0", observation: image(36, 36, 1), action: discrete(2) },
      reset({ seed } = {}) {
        if (seed !== undefined) random = defaultRng(seed);
        return see();
      },
      step(action) {
        const reward = action === side ? 1 : 0;
        return { ...see(), reward, terminated: true, truncated: false };
      },
    };
  });
}

/** Three choices, of which one more is masked at each step; a masked action is an error. */
export function forbidding(): StepEnvironment {
  return sourceOf(() => {
    let time = 0;
    const see = () => ({ observation: Float32Array.of(time / 3) });
    return {
      spec: { id: "Forbidding-v0", observation: box([1], 0, 1), action: discrete(3) },
      reset() {
        time = 0;
        return see();
      },
      step(action) {
        if ((action as number) < time) throw new Error(`action ${action} is masked now`);
        const reward = action === time ? 1 : 0;
        time++;
        return { ...see(), reward, terminated: time === 3, truncated: false };
      },
      mask: () => [0, 1, 2].map((a) => (a >= Math.min(time, 2) ? 1 : 0)),
      save: (): Snapshot => time,
      restore: (from) => {
        time = from as number;
      },
    };
  });
}

/** Reward 1 per step for three steps, then termination or truncation. */
export function threeSteps(end: "terminated" | "truncated"): StepEnvironment {
  return sourceOf(() => {
    let time = 0;
    const see = () => ({ observation: Float32Array.of(time) });
    return {
      spec: { id: "ThreeSteps-v0", observation: box([1], 0, 3), action: discrete(2) },
      reset() {
        time = 0;
        return see();
      },
      step() {
        const over = ++time === 3;
        const flags = { terminated: false, truncated: false, [end]: over };
        return { ...see(), reward: 1, ...flags };
      },
      save: (): Snapshot => time,
      restore: (from) => {
        time = from as number;
      },
    };
  });
}

/** The complete state of a run, as plain numbers. */
const numbers = (run: Run): string =>
  JSON.stringify(save(run.save()), (_, x) =>
    x instanceof Tensor ? Array.from(x.data) : ArrayBuffer.isView(x) ? Array.from(x as Float32Array) : x,
  );

/** Expects a run restored from a mid-run snapshot to continue bit for bit like the original. */
export function expectExactResume(make: () => Algorithm, env: StepEnvironment, steps: number): void {
  const begin = () => new Run({ algorithm: make(), env, steps, seed: 3 });
  const [through, resumed] = [begin(), begin()];
  through.advance(steps / 2);
  const saved = through.save();
  // The original continues first: the snapshot must not alias its state.
  through.advance();
  resumed.restore(saved);
  expect(resumed.steps).toBeLessThan(through.steps);
  resumed.advance();
  expect(resumed.metrics).toEqual(through.metrics);
  expect(numbers(resumed)).toBe(numbers(through));
}

/** Expects equal seeds to give equal runs, and different seeds different ones. */
export function expectSeeded(make: () => Algorithm, env: StepEnvironment, steps: number): void {
  const run = (seed: number) => {
    const r = new Run({ algorithm: make(), env, steps, seed });
    r.advance();
    return numbers(r);
  };
  const first = run(5);
  expect(run(5)).toBe(first);
  expect(run(6)).not.toBe(first);
}
