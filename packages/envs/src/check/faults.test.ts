import {
  box,
  dict,
  discrete,
  type Env,
  type EnvSpec,
  type ResetOptions,
  type Snapshot,
  type Step,
  type Value,
  type VectorResetOptions,
} from "@reins/core";
import { vectorise } from "@reins/core/forms";
import { defaultRng, type Generator } from "@reins/core/random";
import { columns } from "@reins/core/spaces";
import { Tensor, tensor, zeros } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { BatchedEnv } from "../batch-form.ts";
import { checkEnv } from "./check-env.ts";
import { type CheckRule, showFinding } from "./finding.ts";

/** A walk between -5 and 5 without defects; the faults below each change one thing. */
class Walk implements Env {
  readonly spec: EnvSpec = {
    id: "Walk-v0",
    observation: box([2], [-6, 0], [6, 20]),
    action: discrete(2),
    maxSteps: 20,
  };
  random: Generator = defaultRng(1);
  x = 0;
  t = 0;
  over = true;

  reset({ seed }: ResetOptions = {}): { observation: Value } {
    if (seed !== undefined) this.random = defaultRng(seed);
    this.x = this.random.uniform(-1, 1);
    this.t = 0;
    this.over = false;
    return { observation: this.observe() };
  }

  step(action: Value): Step {
    if (this.over) throw new Error("Walk-v0: step() was called after the end. Call reset().");
    this.t++;
    this.x += (action === 1 ? 0.6 : -0.6) + this.random.uniform(-0.2, 0.2);
    const terminated = Math.abs(this.x) > 5;
    const truncated = !terminated && this.t >= 20;
    this.over = terminated || truncated;
    return { observation: this.observe(), reward: terminated ? 1 : 0.5, terminated, truncated };
  }

  observe(): Value {
    return Float32Array.of(this.x, this.t);
  }

  save(): Snapshot {
    return { random: this.random.save(), x: this.x, t: this.t, over: this.over };
  }

  restore(from: Snapshot): void {
    const saved = from as { random: Uint32Array; x: number; t: number; over: boolean };
    this.random.restore(saved.random);
    [this.x, this.t, this.over] = [saved.x, saved.t, saved.over];
  }
}

type Planted = [rule: CheckRule, fault: string, build: () => Walk];
const planted: Planted[] = [
  [
    "spec",
    "Gymnasium's name of the time limit",
    () =>
      new (class extends Walk {
        override readonly spec: EnvSpec = { ...new Walk().spec, ...JSON.parse('{"maxEpisodeSteps": 20}') };
      })(),
  ],
  [
    "spec",
    "a space without choices",
    () =>
      new (class extends Walk {
        override readonly spec: EnvSpec = { ...new Walk().spec, action: discrete(0) };
      })(),
  ],
  [
    "reward-scale",
    "rewards in millionths",
    () =>
      new (class extends Walk {
        override step(action: Value) {
          const result = super.step(action);
          return { ...result, reward: 1e6 * (result.reward as number) };
        }
      })(),
  ],
  [
    "labels",
    "too few labels",
    () =>
      new (class extends Walk {
        override readonly spec: EnvSpec = { ...new Walk().spec, labels: { observation: ["position"] } };
      })(),
  ],
  [
    "labels",
    "labels of a part that the spec does not have",
    () =>
      new (class extends Walk {
        override readonly spec: EnvSpec = { ...new Walk().spec, labels: JSON.parse('{"actions": ["left"]}') };
      })(),
  ],
  [
    "nondeterminism",
    "Math.random in step",
    () =>
      new (class extends Walk {
        override step(action: Value) {
          this.x += Math.random() * 0.01;
          return super.step(action);
        }
      })(),
  ],
  [
    "seeding",
    "the seed is ignored",
    () =>
      new (class extends Walk {
        override random = defaultRng();
        override reset() {
          return super.reset();
        }
      })(),
  ],
  [
    "seeding",
    "the seed counts only the first time",
    () =>
      new (class extends Walk {
        seeded = false;
        override reset({ seed }: ResetOptions = {}) {
          const first = !this.seeded && seed !== undefined;
          this.seeded ||= first;
          return super.reset(first ? { seed } : {});
        }
      })(),
  ],
  [
    "seeding",
    "state is left over from the previous episode",
    () =>
      new (class extends Walk {
        wind = 0;
        override step(action: Value) {
          this.wind = Math.min(this.wind + 0.001, 0.3);
          this.x += this.wind;
          return super.step(action);
        }
      })(),
  ],
  [
    "seed-unused",
    "every seed is treated as 7",
    () =>
      new (class extends Walk {
        override reset({ seed }: ResetOptions = {}) {
          return super.reset(seed === undefined ? {} : { seed: 7 });
        }
      })(),
  ],
  [
    "observation-bounds",
    "observations leave the box",
    () =>
      new (class extends Walk {
        override observe() {
          return Float32Array.of(this.x * 3, this.t);
        }
      })(),
  ],
  [
    "observation-shape",
    "observations have a number too many",
    () =>
      new (class extends Walk {
        override observe() {
          return Float32Array.of(this.x, this.t, 0);
        }
      })(),
  ],
  [
    "observation-shape",
    "observations are NaN",
    () =>
      new (class extends Walk {
        override observe() {
          return Float32Array.of(this.t > 5 ? Number.NaN : this.x, this.t);
        }
      })(),
  ],
  [
    "goals",
    "rewards differ from spec.goals",
    () =>
      new (class extends Walk {
        override spec: EnvSpec = {
          id: "Walk-v0",
          observation: dict({ observation: box([2]), achieved: box([1]), desired: box([1]) }),
          action: discrete(2),
          maxSteps: 20,
          goals: { tolerance: 0.1, reward: "sparse", ends: false },
        };
        override observe() {
          const [achieved, desired] = [Float32Array.of(this.x), Float32Array.of(3)];
          return { observation: Float32Array.of(this.x, this.t), achieved, desired };
        }
      })(),
  ],
  [
    "goals",
    "goals without a dict",
    () =>
      new (class extends Walk {
        override spec: EnvSpec = {
          id: "Walk-v0",
          observation: box([2]),
          action: discrete(2),
          maxSteps: 20,
          goals: { tolerance: 0.1, reward: "sparse", ends: false },
        };
      })(),
  ],
  [
    "reused-buffer",
    "the observation array is reused",
    () =>
      new (class extends Walk {
        buffer = new Float32Array(2);
        override observe() {
          this.buffer.set([this.x, this.t]);
          return this.buffer;
        }
      })(),
  ],
  [
    "after-end",
    "rewards after the end",
    () =>
      new (class extends Walk {
        override step(action: Value) {
          this.over = false;
          return super.step(action);
        }
      })(),
  ],
  [
    "restore",
    "restore loses the random numbers",
    () =>
      new (class extends Walk {
        override restore(from: Snapshot) {
          const random = this.random.save();
          super.restore(from);
          this.random.restore(random);
        }
      })(),
  ],
  [
    "restore",
    "restore loses the time",
    () =>
      new (class extends Walk {
        override restore(from: Snapshot) {
          const { t } = this;
          super.restore(from);
          this.t = t;
        }
      })(),
  ],
  [
    "restore",
    "save returns the state itself",
    () =>
      new (class extends Walk {
        inner = { x: 0 };
        override save() {
          this.inner.x = this.x;
          return { ...(super.save() as object), inner: this.inner } as unknown as Snapshot;
        }
        override step(action: Value) {
          const result = super.step(action);
          this.inner.x = this.x;
          return result;
        }
        override restore(from: Snapshot) {
          super.restore(from);
          this.x = (from as unknown as { inner: { x: number } }).inner.x;
        }
      })(),
  ],
  [
    "flags",
    "done is a number",
    () =>
      new (class extends Walk {
        override step(action: Value) {
          const result = super.step(action);
          return { ...result, terminated: (result.terminated ? 1 : 0) as unknown as boolean };
        }
      })(),
  ],
  [
    "flags",
    "truncated is missing",
    () =>
      new (class extends Walk {
        override readonly spec = { ...new Walk().spec, maxSteps: undefined, observation: box([2]) };
        override step(action: Value) {
          const { truncated: _, ...result } = super.step(action);
          this.over = result.terminated;
          return result as Step;
        }
      })(),
  ],
  [
    "reward",
    "the reward is NaN",
    () =>
      new (class extends Walk {
        override step(action: Value) {
          return { ...super.step(action), reward: Number.NaN };
        }
      })(),
  ],
  [
    "time-limit",
    "the spec says 15 steps, it takes 20",
    () =>
      new (class extends Walk {
        override readonly spec = { ...new Walk().spec, maxSteps: 15 };
      })(),
  ],
  [
    "time-limit",
    "the spec says 30 steps, it takes 20",
    () =>
      new (class extends Walk {
        override readonly spec = { ...new Walk().spec, maxSteps: 30 };
      })(),
  ],
  [
    "endless",
    "nothing ends an episode",
    () =>
      new (class extends Walk {
        override readonly spec = {
          ...new Walk().spec,
          maxSteps: undefined,
          observation: box([2], -1e6, 1e6),
        };
        override step(action: Value): Step {
          const result = super.step(action);
          this.over = false;
          return { ...result, terminated: false, truncated: false };
        }
      })(),
  ],
  [
    "threw",
    "an action of the space is rejected",
    () =>
      new (class extends Walk {
        override step(action: Value): Step {
          if (action === 0) throw new Error("Walk-v0: no such action");
          return super.step(action);
        }
      })(),
  ],
];

/** Gymnasium's results: tuples instead of records. */
class Tuples extends Walk {
  override reset(options?: ResetOptions) {
    return [super.reset(options).observation, {}] as unknown as { observation: Value };
  }
}
class StepTuples extends Walk {
  override step(action: Value) {
    const { observation, reward, terminated, truncated } = super.step(action);
    return [observation, reward, terminated, truncated, {}] as unknown as Step;
  }
}

test.each([
  ["reset", () => new Tuples(), "Walk-v0: reset() returned an array of 2; it must be { observation }."],
  [
    "step",
    () => new StepTuples(),
    "Walk-v0: step() returned an array of 5; it must be { observation, reward, terminated, truncated }.",
  ],
])("names the shape that %s() must return", (_, make, message) => {
  const [finding, ...more] = checkEnv(make, { steps: 60 });
  expect(more).toEqual([]);
  expect(finding.rule).toBe("threw");
  expect(finding.got).toBe(message);
  expect(finding.advice).toContain("correct what the method returns");
});

const rules = (make: Parameters<typeof checkEnv>[0]) => checkEnv(make, { steps: 60 });

describe("a single environment", () => {
  test("without a fault has no findings, in both forms", () => {
    expect(rules(() => new Walk()).map(showFinding)).toEqual([]);
    expect(rules(() => vectorise(() => new Walk(), 3)).map(showFinding)).toEqual([]);
  });

  test.each(planted)("%s: %s", (rule, _, build) => {
    const findings = rules(build);
    expect(findings.map((f) => f.rule)).toEqual([rule]);
    expect(showFinding(findings[0])).toMatch(
      /^(error|warning): .*\n {2}expected {2}.+\n {2}got {7}.+\n {2}do {8}.+$/,
    );
  });
});

/** The walk as a vector environment. */
class Walks extends BatchedEnv {
  protected override readonly state;

  constructor() {
    super({ id: "Walk-v0", observation: box([1], -6, 6), action: discrete(2), maxSteps: 20 }, { rows: 3 });
    this.state = { x: new Float64Array(3) };
  }
  protected begin(row: number): void {
    this.state.x[row] = this.random[row].uniform(-1, 1);
  }
  protected observe(row: number): void {
    this.observation.data[row] = this.state.x[row];
  }
  protected move(action: Tensor): void {
    for (let row = 0; row < 3; row++) {
      this.state.x[row] += (action.data[row] ? 0.6 : -0.6) + this.random[row].uniform(-0.2, 0.2);
      this.terminated.data[row] = Math.abs(this.state.x[row]) > 5 ? 1 : 0;
      this.reward.data[row] = 0.5;
      this.observe(row);
    }
  }
  render(): string {
    return "";
  }
}

const vectors: [rule: CheckRule, fault: string, build: () => Walks][] = [
  [
    "columns",
    "observations are whole numbers",
    () => Object.assign(new Walks(), { observation: zeros([3, 1], "i32") }),
  ],
  ["columns", "rewards have the wrong shape", () => Object.assign(new Walks(), { reward: zeros([3, 1]) })],
  [
    "columns",
    "a step creates new tensors",
    () =>
      new (class extends Walks {
        override step(action: Tensor) {
          super.step(action);
          Object.assign(this, { observation: tensor(this.observation.data.slice(), { shape: [3, 1] }) });
        }
      })(),
  ],
  [
    "ended",
    "the last reward is left out of the return",
    () =>
      new (class extends Walks {
        override step(action: Tensor) {
          super.step(action);
          for (let i = 0; i < 3; i++) if (this.ended.length[i]) this.ended.return[i] -= 0.5;
        }
      })(),
  ],
  [
    "ended",
    "lengths count from 0",
    () =>
      new (class extends Walks {
        override step(action: Tensor) {
          super.step(action);
          for (let i = 0; i < 3; i++) if (this.ended.length[i]) this.ended.length[i]--;
        }
      })(),
  ],
  [
    "flags",
    "terminated is 2",
    () =>
      new (class extends Walks {
        override step(action: Tensor) {
          super.step(action);
          for (let i = 0; i < 3; i++) if (this.terminated.data[i]) this.terminated.data[i] = 2;
        }
      })(),
  ],
  [
    "time-limit",
    "the limit is 5 steps late",
    () =>
      new (class extends Walks {
        override reset(options: ResetOptions = {}) {
          this.cut(25);
          super.reset(options);
        }
      })(),
  ],
  [
    "row-seeds",
    "row i has seed + i",
    () =>
      new (class extends Walks {
        override reset({ seed, context }: VectorResetOptions = {}) {
          super.reset({
            context,
            seed: typeof seed === "number" ? this.random.map((_, i) => seed + i) : seed,
          });
        }
      })(),
  ],
  [
    "row-seeds",
    "the first seed of a list is used for all",
    () =>
      new (class extends Walks {
        override reset({ seed, context }: VectorResetOptions = {}) {
          super.reset({ context, seed: typeof seed === "object" ? seed[0] : seed });
        }
      })(),
  ],
  [
    "row-seeds",
    "a list of seeds is not supported",
    () =>
      new (class extends Walks {
        override reset(options: VectorResetOptions = {}) {
          if (typeof options.seed === "object") throw new RangeError("a seed is a number.");
          super.reset(options);
        }
      })(),
  ],
  [
    "restore",
    "restore loses the generators",
    () =>
      new (class extends Walks {
        override restore(from: Snapshot) {
          const kept = this.random.map((r) => r.save());
          super.restore(from);
          this.random.forEach((r, i) => r.restore(kept[i]));
        }
      })(),
  ],
  [
    "restore",
    "restore loses the subclass's columns",
    () =>
      new (class extends Walks {
        override restore(from: Snapshot) {
          const { x } = this.state;
          const kept = x.slice();
          super.restore(from);
          x.set(kept);
        }
      })(),
  ],
  [
    "mask",
    "the mask allows nothing",
    () => Object.assign(new Walks(), { mask: zeros([3, 2], "bool"), finalMask: zeros([3, 2], "bool") }),
  ],
  [
    "mask",
    "the last states of truncated episodes have no mask",
    () => Object.assign(new Walks(), { mask: zeros([3, 2], "bool").set(1) }),
  ],
];

describe("columns", () => {
  test("without a fault have no findings", () => {
    expect(rules(() => new Walks()).map(showFinding)).toEqual([]);
    expect(columns(new Walks().spec.observation, 3)).toBeInstanceOf(Tensor);
  });

  test.each(vectors)("%s: %s", (rule, _, build) => {
    expect(rules(build).map((f) => f.rule)).toEqual([rule]);
  });
});
