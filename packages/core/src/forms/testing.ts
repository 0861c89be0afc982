import { type Tensor, tensor } from "@reins/tensor";
import type { Env, EnvSpec, ResetOptions, Step } from "../env.ts";
import type { Snapshot } from "../snapshot.ts";
import { box, discrete } from "../space.ts";

/**
 * A walk on a line for tests: actions 0, 1, 2 go left, wait and go right, with noise. It terminates at ±5 with a reward of ±1. The
 * observation is the position and the number of steps.
 */
export class Walk implements Env<Float32Array, number> {
  readonly spec: EnvSpec;
  position = 0;
  time = 0;
  /** State of the random numbers. */
  private random = 1;
  private start = 0;

  constructor(spec: Partial<EnvSpec> = {}) {
    this.spec = { id: "Walk-v0", observation: box([2]), action: discrete(3), maxSteps: 20, ...spec };
  }

  reset({ seed, context }: ResetOptions = {}): { observation: Float32Array } {
    if (seed !== undefined) this.random = (seed % 2147483646) + 1;
    this.start = (context?.start as number | undefined) ?? 0;
    this.position = this.start + this.noise();
    this.time = 0;
    return { observation: this.look() };
  }

  step(action: number): Step<Float32Array> {
    this.position += action - 1 + this.noise();
    this.time++;
    const terminated = Math.abs(this.position) >= 5;
    const reward = terminated ? Math.sign(this.position) : 0;
    return { observation: this.look(), reward, terminated, truncated: false };
  }

  /** Multiplicative congruential numbers between -0.5 and 0.5 (Park and Miller, 1988). */
  private noise(): number {
    this.random = (this.random * 48271) % 2147483647;
    return this.random / 2147483647 - 0.5;
  }

  private look(): Float32Array {
    return Float32Array.of(this.position, this.time);
  }

  save(): Snapshot {
    return [this.position, this.time, this.random, this.start];
  }

  restore(from: Snapshot): void {
    [this.position, this.time, this.random, this.start] = from as number[];
  }
}

/** A Walk with a changed step result. */
export function patched(step: Partial<Record<keyof Step, unknown>>, spec = {}): Env {
  const env = new Walk(spec);
  const inner = env.step.bind(env);
  return Object.assign(env, { step: (action: number) => ({ ...inner(action), ...step }) }) as Env;
}

/** A Walk with other methods. */
export function walkWith(methods: object, spec: Partial<EnvSpec> = {}): Env {
  return Object.assign(new Walk(spec), methods) as Env;
}

/** A column of integers. */
export function i32(...xs: number[]): Tensor {
  return tensor(xs, { dtype: "i32" });
}
