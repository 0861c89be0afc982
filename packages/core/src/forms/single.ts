import type { Tensor, Tree } from "@reins/tensor";
import type { Rendering } from "../drawing.ts";
import type { Env, EnvSpec, ResetOptions, Step, VectorEnv } from "../env.ts";
import { fail } from "../errors.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Value } from "../space.ts";
import { check, unbounded } from "../spaces/check.ts";
import { columns } from "../spaces/layout.ts";
import { put, read } from "../spaces/write.ts";
import { requireSynchronous } from "./async-answers.ts";

/**
 * A VectorEnv of one row as an Env. The step that ends an episode returns its last observation; the next episode, which the row has
 * already started, is what `reset` without seed and context returns.
 */
export function single(vector: VectorEnv): Env {
  if (vector.rows !== 1)
    fail(vector.spec.id, `it has ${vector.rows} rows, but single() needs a VectorEnv of one row.`);
  return new Single(vector);
}

class Single implements Env {
  readonly spec: EnvSpec;
  readonly mask?: () => ArrayLike<number>;
  readonly render?: () => string;
  readonly picture?: () => Rendering;
  private readonly vector: VectorEnv;
  private readonly action: Tree;
  private phase: "new" | "playing" | "ended" = "new";

  constructor(vector: VectorEnv) {
    this.vector = vector;
    this.spec = vector.spec;
    this.action = columns(vector.spec.action, 1);
    const { mask, finalMask } = vector as { readonly mask?: Tensor; readonly finalMask?: Tensor };
    // After an episode's end, the row's mask already belongs to the next one.
    if (mask) this.mask = () => (this.phase === "ended" ? lastMask(mask, finalMask) : mask.data.slice());
    if (vector.render) this.render = () => vector.render!(0);
    if (vector.picture) this.picture = () => vector.picture!(0);
  }

  reset(options: ResetOptions = {}): { observation: Value } {
    const ready = this.phase === "ended" && options.seed === undefined && options.context === undefined;
    if (!ready) this.vector.reset(options);
    requireSynchronous(this.vector, "single");
    this.phase = "playing";
    return { observation: read(this.spec.observation, this.vector.observation, 0) };
  }

  step(action: Value): Step {
    const { spec, vector } = this;
    if (this.phase !== "playing")
      fail(
        spec.id,
        `step() was called ${this.phase === "new" ? "before reset()" : "after the episode's end"}. Call reset() first.`,
      );
    const fault = check(spec.action, action, "action", unbounded);
    if (fault) fail(spec.id, fault);
    put(spec.action, this.action, 0, action);
    vector.step(this.action);
    const terminated = vector.terminated.data[0] !== 0;
    const truncated = vector.truncated.data[0] !== 0;
    const ended = terminated || truncated;
    if (ended) this.phase = "ended";
    return {
      observation: read(spec.observation, ended ? vector.final : vector.observation, 0),
      reward: spec.rewards ? vector.reward.data.slice() : vector.reward.data[0],
      terminated,
      truncated,
    };
  }

  save(): Snapshot {
    return { vector: this.vector.save(), phase: this.phase };
  }

  restore(from: Snapshot): void {
    const saved = from as { vector: Snapshot; phase: "new" | "playing" | "ended" };
    this.vector.restore(saved.vector);
    this.phase = saved.phase;
  }

  close(): void {
    this.vector.close?.();
  }
}

/** The allowed actions in the last state of an episode; all if they are unknown. */
const lastMask = (mask: Tensor, last: Tensor | undefined): ArrayLike<number> =>
  last ? last.data.slice() : mask.data.slice().fill(1);
